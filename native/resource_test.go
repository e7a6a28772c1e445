package native

import (
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

func noFunction(ir.Node) ir.Cost { return ir.InfiniteCost }

// The order of the model is that of measured kernels: ns for each of 4096 elements on Zen 5 with 512-bit vectors.
func TestPriceOrdersKernels(t *testing.T) {
	target, err := Lookup("x86-64-v4")
	if err != nil {
		t.Fatal(err)
	}
	last := ir.Cost(0)
	for _, k := range []struct {
		name     string
		measured float64
	}{{"exp-table", .062}, {"log-table", .071}, {"tanh-table", .074}, {"sigmoid", .10}, {"log", .106}, {"tanh", .137}} {
		price := target.Price(program(t, k.name), noFunction)
		if cycles := k.measured * 4.2 * 16 * 100; float64(price) < 0.7*cycles || float64(price) > 1.25*cycles {
			t.Errorf("%s: %d, measured %.0f", k.name, price, cycles)
		}
		if price < last-last/20 {
			t.Errorf("%s: %d, less than %d of a faster one", k.name, price, last)
		}
		last = max(last, price)
	}
}

// Vectors of float64 have half the lanes, also for the float32 beside them; a function is priced by whoever asks; what the
// target lacks has no price.
func TestPrice(t *testing.T) {
	target, err := Lookup("x86-64-v4")
	if err != nil {
		t.Fatal(err)
	}
	product := func(through ir.Type) *ir.Func {
		b := ir.NewBuilder("product")
		x := b.Param("x", ir.Float32, ir.Unknown)
		v := x
		for range 8 {
			v = b.Must(ir.Mul, v, v)
		}
		if through == ir.Float64 {
			v, _ = b.Emit(ir.Convert, ir.Float64, v)
			v, _ = b.Emit(ir.Convert, ir.Float32, v)
		}
		b.Return(v)
		return b.Func()
	}
	narrow, wide := target.Price(product(ir.Float32), noFunction), target.Price(product(ir.Float64), noFunction)
	if narrow < 8*50 || narrow > 8*50+50 || wide < 2*narrow-20 || wide > 2*narrow+200 {
		t.Errorf("float32 %d, through float64 %d", narrow, wide)
	}
	b := ir.NewBuilder("exp")
	b.Return(b.Must(ir.Exp, b.Param("x", ir.Float32, ir.Unknown)))
	if got := target.Price(b.Func(), func(ir.Node) ir.Cost { return 1000 }); got < 1000 || got > 1060 {
		t.Errorf("a function of 1000 makes %d", got)
	}
	v2, _ := Lookup("x86-64-v2")
	b = ir.NewBuilder("fma")
	x := b.Param("x", ir.Float32, ir.Unknown)
	b.Return(b.Must(ir.FMA, x, x, x))
	if got := v2.Price(b.Func(), noFunction); got != ir.InfiniteCost {
		t.Errorf("a fused multiply-add without one costs %d", got)
	}
}
