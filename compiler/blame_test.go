package compiler_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

// haversine is the distance of two points on a sphere, as everybody writes it. Its cheapest algebra, (1-cos)/2 for the
// square of the sine of half an angle, loses every digit of small distances, and rounding may take the argument of asin beyond 1.
func haversine(typ ir.Type, domain ir.Fact) *ir.Func {
	b := ir.NewBuilder("haversine")
	c := func(x float64) ir.Value { return b.Const(typ, ir.BitsFloat(typ, ir.ConstBits(typ, x))) }
	call := func(d *ir.Def, x ir.Value) ir.Value {
		v, err := b.Call(d, x)
		if err != nil {
			panic(err)
		}
		return v
	}
	radians := func(x ir.Value) ir.Value { return b.Must(ir.Div, b.Must(ir.Mul, x, c(math.Pi)), c(180)) }
	half := func(x, y ir.Value) ir.Value {
		s := call(elementary.Sin, b.Must(ir.Div, radians(b.Must(ir.Sub, y, x)), c(2)))
		return b.Must(ir.Mul, s, s)
	}
	var p [4]ir.Value
	for i, name := range []string{"lat1", "lon1", "lat2", "lon2"} {
		p[i] = b.Param(name, typ, domain)
	}
	cosines := b.Must(ir.Mul, call(elementary.Cos, radians(p[0])), call(elementary.Cos, radians(p[2])))
	a := b.Must(ir.Add, half(p[0], p[2]), b.Must(ir.Mul, cosines, half(p[1], p[3])))
	b.Return(b.Must(ir.Mul, c(2*6371), call(elementary.Asin, b.Must(ir.Sqrt, a))))
	return b.Func()
}

// A kernel of several functions is made in spite of an algebra that cancels, of forms that are too coarse for it, and of
// points where rounding alone decides whether it has a value; what is to blame is named and not tried again.
func TestBlame(t *testing.T) {
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		c := config(t, rules.Default)
		run, err := compiler.Optimise(context.Background(), haversine(typ, ir.Between(-180, 180)), c)
		if err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		reasons := map[string]int{}
		tried := 0
		for _, c := range run.Candidates {
			if c.Err == nil {
				continue
			}
			if why, _, ok := strings.Cut(c.Err.Error(), " alone breaks the contract: accuracy: at "); ok {
				reasons[why]++
			} else {
				tried++
			}
		}
		if tried > 40 {
			t.Errorf("%v: %d candidates were tried one by one", typ, tried)
		}
		if typ == ir.Float32 && (reasons["its algebra"] == 0 || reasons["asin-float32-11"]+reasons["sin-float32-coarse-5"] == 0) {
			t.Errorf("%v: nothing is blamed: %v", typ, reasons)
		}
		if _, err := run.Explain(run.Chosen); err != nil {
			t.Errorf("%v: %v", typ, err)
		}
		for _, p := range [][]float64{{51.5, -0.125, 48.875, 2.25}, {51.5, -0.125, 51.5, -0.125}, {10, 0, 10, 0x1p-30}, {10, 0, -10, 180}} {
			bits, out := make([]uint64, 4), make([]uint64, 1)
			for i, x := range p {
				bits[i] = ir.ConstBits(typ, x)
			}
			program, err := interp.Compile(run.Output)
			if err != nil {
				t.Fatal(err)
			}
			program.Eval(bits, out)
			s, u := math.Sin((p[2]-p[0])*math.Pi/360), math.Sin((p[3]-p[1])*math.Pi/360)
			want := 2 * 6371 * math.Asin(math.Sqrt(min(1, s*s+math.Cos(p[0]*math.Pi/180)*math.Cos(p[2]*math.Pi/180)*u*u)))
			// Next to the antipodes half of the digits are lost, however it is done.
			if got := ir.BitsFloat(typ, out[0]); !(math.Abs(got-want) <= 1e-6*want || want > 20000 && math.Abs(got-want) < 10) {
				t.Errorf("%v: %v are %v apart, not %v", typ, p, got, want)
			}
		}
	}
}
