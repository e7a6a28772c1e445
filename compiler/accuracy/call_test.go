package accuracy

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// A user's operation is the truth that candidates are held against, in every type, with and without a meaning of high
// precision: a good form passes, one that is off by some ulps more does not.
func TestContractOfOperations(t *testing.T) {
	withReal := &ir.Def{
		Name: "softsign", Arity: 1,
		Eval: func(x []float64) float64 { return x[0] / (1 + math.Abs(x[0])) },
		Real: func(x []*big.Float) *big.Float {
			d := new(big.Float).Abs(x[0])
			return x[0].Quo(x[0], d.Add(d, big.NewFloat(1)))
		},
	}
	evalOnly := *withReal
	evalOnly.Real = nil
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		for _, d := range []*ir.Def{withReal, &evalOnly} {
			written := ir.NewBuilder("written")
			x := written.Param("x", typ, ir.Unknown)
			v, err := written.Call(d, written.Must(ir.Mul, x, written.Const(typ, 0.7)))
			if err != nil {
				t.Fatal(err)
			}
			written.Return(v)
			c, err := New(written.Func(), Tolerance{}, 1<<12)
			if err != nil {
				t.Fatal(err)
			}
			form := func(one float64) *ir.Func {
				b := ir.NewBuilder("form")
				y := b.Must(ir.Mul, b.Param("x", typ, ir.Unknown), b.Const(typ, 0.7))
				b.Return(b.Must(ir.Div, y, b.Must(ir.Add, b.Const(typ, one), b.Must(ir.Abs, y))))
				return b.Func()
			}
			cert, err := c.Measure(form(1))
			if err != nil || cert.Unsettled > 1<<8 { // subnormal numbers, as of any function
				t.Errorf("%v, Real %v: %v, %v", typ, d.Real != nil, cert, err)
			}
			eps := 0x1p-20
			if typ == ir.Float64 {
				eps = 0x1p-49
			}
			if _, err := c.Measure(form(1 + eps)); !errors.Is(err, ErrTolerance) {
				t.Errorf("%v, Real %v: a form that is off by %g passes: %v", typ, d.Real != nil, eps, err)
			}
		}
	}
}

// The running bound of a call covers what errors of its operands do to it.
func TestRunningBoundOfCalls(t *testing.T) {
	square := &ir.Def{Name: "square", Arity: 1, Eval: func(x []float64) float64 { return x[0] * x[0] }}
	b := ir.NewBuilder("f")
	x := b.Param("x", ir.Float32, ir.Unknown)
	sum := b.Must(ir.Add, x, b.Const(ir.Float32, 0.1))
	v, err := b.Call(square, sum)
	if err != nil {
		t.Fatal(err)
	}
	b.Return(v)
	b.Return(b.Must(ir.Mul, sum, sum))
	for _, truth := range []bool{false, true} {
		r := newRunning(b.Func(), truth)
		in := Points{{1, -3, 1e-3, 1e10, 0}}
		r.eval(in, 0, 5)
		for k := range in[0] {
			call, plain := r.result(0, k), r.result(1, k)
			if call.Hi != plain.Hi || call.Err < plain.Err*0.99 || call.Err > 6*plain.Err {
				t.Errorf("at %v: %v, of the product %v", in[0][k], call, plain)
			}
		}
	}
}
