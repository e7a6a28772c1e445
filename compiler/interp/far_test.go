package interp

import (
	"math"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Exponentials of huge arguments, on the way to values that are known: x/(1 + exp(-x)) is -0 far to the left,
// log(1 + exp(x)) is x far to the right, and 0.5·x·(1 + tanh(x³)) both.
func TestHugeExponents(t *testing.T) {
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		one := func(b *ir.Builder) ir.Value { return b.Const(typ, 1) }
		for _, tt := range []struct {
			name        string
			f           func(b *ir.Builder, x ir.Value) ir.Value
			left, right float64 // what x is multiplied with at most
		}{
			{"silu", func(b *ir.Builder, x ir.Value) ir.Value {
				return b.Must(ir.Div, x, b.Must(ir.Add, one(b), b.Must(ir.Exp, b.Must(ir.Neg, x))))
			}, 0, 1},
			{"softplus", func(b *ir.Builder, x ir.Value) ir.Value {
				return b.Must(ir.Log, b.Must(ir.Add, one(b), b.Must(ir.Exp, x)))
			}, 0, 1},
			{"gelu", func(b *ir.Builder, x ir.Value) ir.Value {
				cube := b.Must(ir.Mul, b.Must(ir.Mul, x, x), x)
				return b.Must(ir.Mul, b.Must(ir.Mul, b.Const(typ, 0.5), x), b.Must(ir.Add, one(b), b.Must(ir.Tanh, cube)))
			}, 0, 1},
		} {
			b := ir.NewBuilder(tt.name)
			b.Return(tt.f(b, b.Param("x", typ, ir.Unknown)))
			w, err := NewWide(b.Func())
			if err != nil {
				t.Fatal(err)
			}
			for e := 12; e < 1020; e += 7 {
				if typ == ir.Float32 && e > 126 {
					break
				}
				for _, sign := range []float64{-1, 1} {
					x, want := math.Ldexp(sign, e), tt.left
					if sign > 0 {
						want = tt.right
					}
					want *= x
					var out [1]Value
					w.Eval([]float64{x}, out[:])
					if v := out[0]; v.Err <= 1e-20*math.Abs(x) && math.Abs(v.Hi-want) > v.Err+1e-20*math.Abs(x) {
						t.Errorf("%s at %g: %v, want %g", tt.name, x, v, want)
					} else if v.Err > 1e-20*math.Abs(x) && (e < 26 || tt.name == "silu") {
						t.Errorf("%s at %g: not known, %v", tt.name, x, v)
					}
				}
			}
		}
	}
}
