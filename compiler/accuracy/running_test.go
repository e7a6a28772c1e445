package accuracy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// coarse is x by way of a sum that loses the last 8 bits before the point of a float64: a value of an error of hundreds.
func coarse(b *ir.Builder, x ir.Value) ir.Value {
	c := b.Const(ir.Float32, 0x1p60)
	return b.Must(ir.Sub, b.Must(ir.Add, x, c), c)
}

// Property: what serves as the truth is as near to the real value as it says, even where the error of an operand is so large that its
// derivative says nothing, and where the value underflows.
func TestLooseTruth(t *testing.T) {
	number := func(b *ir.Builder, x float64) ir.Value { return b.Const(ir.Float32, x) }
	unary := func(op ir.Op) func(*ir.Builder, ir.Value, ir.Value) ir.Value {
		return func(b *ir.Builder, rough, x ir.Value) ir.Value { return b.Must(op, rough) }
	}
	for name, body := range map[string]func(b *ir.Builder, rough, x ir.Value) ir.Value{
		"exp": func(b *ir.Builder, rough, x ir.Value) ir.Value {
			return b.Must(ir.Exp, b.Must(ir.Sub, rough, number(b, 1000)))
		},
		"expm1": unary(ir.Expm1),
		"tanh":  unary(ir.Tanh),
		"log":   unary(ir.Log),
		"sqrt":  unary(ir.Sqrt),
		"div":   func(b *ir.Builder, rough, x ir.Value) ir.Value { return b.Must(ir.Div, number(b, 0x1p-155), rough) },
		"power": func(b *ir.Builder, rough, x ir.Value) ir.Value { return b.Must(ir.Pow, number(b, 0.5), rough) },
		"base":  func(b *ir.Builder, rough, x ir.Value) ir.Value { return b.Must(ir.Pow, rough, number(b, -120)) },
		"exact": func(b *ir.Builder, rough, x ir.Value) ir.Value { // underflow alone
			return b.Must(ir.Exp, b.Must(ir.Neg, b.Must(ir.Abs, b.Must(ir.Mul, x, x))))
		},
	} {
		f := define(ir.Float32, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value { return body(b, coarse(b, x[0]), x[0]) })
		wide, err := interp.NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 3))
		in := Points{nil}
		for range blockLen {
			in[0] = append(in[0], float64(float32(math.Exp(rng.Float64()*8)-20)))
		}
		r := newRunning(f, true)
		r.eval(in, 0, blockLen)
		zeros := 0
		for k := range blockLen {
			v := r.result(0, k)
			if !nearEnough(ir.Float32, v, in.finite(k)) {
				continue
			}
			if v.Hi == 0 {
				zeros++
			}
			var truth [1]interp.Value
			wide.Eval(in.at(k), truth[:])
			if d := distance(v.Hi, truth[0]); !(d <= v.Err+truth[0].Err) {
				t.Errorf("%s at %v: %v, in truth %v", name, in.at(k), v, truth[0])
			}
		}
		if name == "exact" && zeros == 0 {
			t.Error("no value that underflows is known")
		}
	}
}

// Where an input is not finite, a zero of a formula may be a limit that another one has not.
func TestZeroAtInfinity(t *testing.T) {
	v := interp.Value{Err: 0x1p-1000}
	if !nearEnough(ir.Float32, v, true) || nearEnough(ir.Float32, v, false) {
		t.Error("a zero is known at finite inputs, and nowhere else")
	}
}

// A candidate is likely where the first points do not speak against it.
func TestLikely(t *testing.T) {
	f := define(ir.Float32, ir.Between(1, 2), 1, apply(ir.Sqrt))
	c, err := New(f, Tolerance{Unit: ULP, Value: 1}, AcceptPoints)
	if err != nil {
		t.Fatal(err)
	}
	off := define(ir.Float32, ir.Between(1, 2), 1, func(b *ir.Builder, x []ir.Value) ir.Value {
		return b.Must(ir.Mul, b.Must(ir.Sqrt, x[0]), b.Const(ir.Float32, 1.001))
	})
	if !c.Likely(f) || c.Likely(off) {
		t.Errorf("the function itself %t, one that is off %t", c.Likely(f), c.Likely(off))
	}
}
