package accuracy

import (
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// From a point on a hill of the error its top is found, in one and in two inputs.
func TestClimb(t *testing.T) {
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		for n := 1; n <= 2; n++ {
			sum := func(b *ir.Builder, x []ir.Value) ir.Value { // x·3, or x·y
				if n == 1 {
					return b.Must(ir.Mul, x[0], b.Const(typ, 3))
				}
				return b.Must(ir.Mul, x[0], x[1])
			}
			// The error is 2^-12/(1 + Σ(x - 5)²), relative.
			hill := func(b *ir.Builder, x []ir.Value) ir.Value {
				d := b.Const(typ, 1)
				for _, v := range x {
					off := b.Must(ir.Sub, v, b.Const(typ, 5))
					d = b.Must(ir.Add, d, b.Must(ir.Mul, off, off))
				}
				y := sum(b, x)
				return b.Must(ir.Add, y, b.Must(ir.Div, b.Must(ir.Mul, y, b.Const(typ, 0x1p-12)), d))
			}
			f, g := define(typ, ir.Unknown, n, sum), define(typ, ir.Unknown, n, hill)
			contract, err := New(f, Tolerance{Rel, 1}, 16)
			if err != nil {
				t.Fatal(err)
			}
			p, err := interp.Compile(g)
			if err != nil {
				t.Fatal(err)
			}
			start := Certificate{Worst: []float64{5.25, 4.75}[:n], Fraction: 0x1p-12 / (1 + float64(n)/16)}
			cert, err := contract.climb(p, g, []Certificate{start})
			if err != nil || !(cert.Fraction > 0.99*0x1p-12) || cert.Points < 12 {
				t.Errorf("%v, %d inputs: %v, %v", typ, n, cert, err)
			}
		}
	}
}
