package interp

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/bigfloat"
)

// Radii hold at a precision at which they matter.
func TestBallBound(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	c := balls{prec: 200}
	checked := 0
	for range 2500 {
		w, err := NewWide(randomFunc(r, ir.Float64, realOps, 1+r.IntN(8)))
		if err != nil {
			t.Fatal(err)
		}
		in := []float64{randomArg(r), randomArg(r)}
		high, ok := naive(w.f, 700, in)
		if !ok || high.Sign() == 0 {
			continue
		}
		fuel := wideFuel
		got := w.balls(c, []ball{c.exactly(in[0]), c.exactly(in[1])}, &fuel).v[w.f.Results[0]]
		if got.mid == nil {
			continue
		}
		checked++
		d := new(big.Float).SetPrec(800).Sub(got.mid, high)
		bound := new(big.Float).Abs(high)
		bound.Mul(bound, big.NewFloat(0x1p-690)) // the oracle's own roundings
		if got.rad != nil {
			bound.Add(bound, got.rad)
		}
		if d.Abs(d).Cmp(bound) > 0 {
			t.Fatalf("%v%v: %.40g ± %.5g, but the truth is %.40g", w.f, in, got.mid, got.rad, high)
		}
	}
	if checked < 1200 {
		t.Errorf("only %d balls", checked)
	}
}

// Sums of numbers that are 2^30 bits apart take no memory to speak of.
func TestBallsFarApart(t *testing.T) {
	c := balls{prec: 256}
	tiny := c.ldexp(c.exactly(1.5), c.exactly(-4e8))
	huge := c.ldexp(c.exactly(1.5), c.exactly(4e8))
	one := c.exactly(1)
	for name, got := range map[string]ball{
		"1 + tiny": c.add(one, tiny), "exp tiny": c.exp(tiny), "1 + expm1 tiny": c.add(one, c.expm1(tiny)),
		"1 - tanh tiny": c.add(one, c.neg(c.tanh(tiny))), "tanh huge": c.tanh(huge), "-expm1 -huge": c.neg(c.expm1(c.neg(huge))),
		"(1 + tiny)(1 - tiny)": c.mul(c.add(one, tiny), c.add(one, c.neg(tiny))),
	} {
		d := new(big.Float).Sub(got.mid, big.NewFloat(1))
		if d.Abs(d).Cmp(new(big.Float).SetMantExp(big.NewFloat(1), -250)) > 0 || got.rad == nil || got.rad.Sign() == 0 {
			t.Errorf("%s = %.20g ± %.5g", name, got.mid, got.rad)
		}
	}
	if got := c.add(huge, tiny); got.mid.Cmp(huge.mid) != 0 || got.rad == nil {
		t.Errorf("huge + tiny = %.20g ± %v", got.mid, got.rad)
	}
}

// Jumps: decided far from them, at them, beside them by less than a float64 can say, and where nobody can decide.
func TestJumps(t *testing.T) {
	eval := func(build func(e expr) ir.Value, x float64) Value {
		t.Helper()
		e := newExpr(ir.Float64)
		w, err := NewWide(e.done(build(e)))
		if err != nil {
			t.Fatal(err)
		}
		var v [1]Value
		w.Eval([]float64{x}, v[:])
		return v[0]
	}
	// x + 1e-40, which is no double-double for most x, and √x·√x, which is x.
	beside := func(e expr) ir.Value { return e.Must(ir.Add, e.x, e.decimal("1e-40")) }
	square := func(e expr) ir.Value { s := e.Must(ir.Sqrt, e.x); return e.Must(ir.Mul, s, s) }
	of := func(op ir.Op, arg func(e expr) ir.Value) func(e expr) ir.Value {
		return func(e expr) ir.Value { return e.Must(op, arg(e)) }
	}
	below := func(e expr) ir.Value { return e.Must(ir.Neg, beside(e)) }
	choice := func(op ir.Op) func(e expr) ir.Value {
		return func(e expr) ir.Value {
			return e.Must(ir.Select, e.Must(op, square(e), e.x), e.c(1), e.c(0))
		}
	}
	for _, c := range []struct {
		name  string
		build func(e expr) ir.Value
		x     float64
		want  float64
	}{
		{"rint", of(ir.Rint, beside), 2.4, 2},
		{"rint above a tie", of(ir.Rint, beside), 2.5, 3},
		{"rint below a tie", of(ir.Rint, below), -3.5, 3},
		{"rint at a tie", of(ir.Rint, func(e expr) ir.Value { return e.x }), 2.5, 2},
		{"rint near a tie", of(ir.Rint, square), 2.5, 2},
		{"rint of a large one", of(ir.Rint, beside), 1 << 60, 1 << 60},
		{"rint -0.3", of(ir.Rint, beside), -0.3, math.Copysign(0, -1)},
		{"floor above 2", of(ir.Floor, beside), 2, 2},
		{"floor below -2", of(ir.Floor, below), 2, -3},
		{"floor near 2", of(ir.Floor, square), 2, 2},
		{"floor near 2.5", of(ir.Floor, square), 2.5, 2},
		{"floor of a large one", of(ir.Floor, beside), 1 << 60, 1 << 60},
		{"floor of a tiny one", of(ir.Floor, func(e expr) ir.Value { return e.Must(ir.Neg, e.Must(ir.Exp, e.x)) }), -1000, -1},
		{"ceil above 2", of(ir.Ceil, beside), 2, 3},
		{"ceil below -2", of(ir.Ceil, below), 2, -2},
		{"ceil near 2", of(ir.Ceil, square), 2, 2},
		{"ceil -0.3", of(ir.Ceil, beside), -0.3, math.Copysign(0, -1)},
		{"trunc above 2", of(ir.Trunc, beside), 2, 2},
		{"trunc below -2", of(ir.Trunc, below), 2, -2},
		{"trunc below -2.5", of(ir.Trunc, below), 2.5, -2},
		{"trunc near 2", of(ir.Trunc, square), 2, 2},
		{"trunc -0.3", of(ir.Trunc, beside), -0.3, math.Copysign(0, -1)},
		{"min of equals", func(e expr) ir.Value { return e.Must(ir.Min, square(e), e.x) }, 2, 2},
		{"max of equals", func(e expr) ir.Value { return e.Must(ir.Max, square(e), e.x) }, 2, 2},
		{"min of neighbours", func(e expr) ir.Value { return e.Must(ir.Min, beside(e), e.x) }, 2, 2},
		{"min of a far one", func(e expr) ir.Value { return e.Must(ir.Min, e.Must(ir.Exp, e.x), e.c(3)) }, 1000, 3},
		{"max of far ones", func(e expr) ir.Value {
			return e.Must(ir.Log, e.Must(ir.Max, e.Must(ir.Exp, e.x), e.Must(ir.Exp, e.c(3))))
		}, 1000, 1000},
		{"min of zeros", func(e expr) ir.Value { return e.Must(ir.Min, e.x, e.c(math.Copysign(0, -1))) }, 0, math.Copysign(0, -1)},
		{"max of zeros", func(e expr) ir.Value { return e.Must(ir.Max, e.c(math.Copysign(0, -1)), e.x) }, 0, 0},
		{"min of -Inf", func(e expr) ir.Value { return e.Must(ir.Min, e.x, square(e)) }, math.Inf(-1), math.NaN()},
		{"max of +Inf", func(e expr) ir.Value { return e.Must(ir.Max, beside(e), e.c(3)) }, math.Inf(1), math.Inf(1)},
		{"min of +Inf", func(e expr) ir.Value { return e.Must(ir.Min, beside(e), e.c(3)) }, math.Inf(1), 3},
		{"logb above 8", of(ir.Logb, beside), 8, 3},
		{"logb below 8", of(ir.Logb, below), -8, 2},
		{"logb exactly below 8", of(ir.Logb, func(e expr) ir.Value { return e.Must(ir.Sub, e.x, e.c(0x1p-60)) }), 8, 2},
		{"logb near 3", of(ir.Logb, square), 3, 1},
		{"logb near 2", of(ir.Logb, square), 2, 1},
		{"logb of exp", of(ir.Logb, func(e expr) ir.Value { return e.Must(ir.Exp, e.x) }), 1000, 1442},
		{"logb 0", of(ir.Logb, func(e expr) ir.Value { return e.x }), 0, math.Inf(-1)},
		{"mant", of(ir.Mant, func(e expr) ir.Value { return e.x }), -12, 1.5},
		{"mant of a subnormal", of(ir.Mant, func(e expr) ir.Value { return e.x }), -12 * math.SmallestNonzeroFloat64, 1.5},
		{"mant 0", of(ir.Mant, func(e expr) ir.Value { return e.x }), 0, 1},
		{"ldexp", func(e expr) ir.Value { return e.Must(ir.Ldexp, e.c(3), beside(e)) }, 2, 12},
		{"ldexp below", func(e expr) ir.Value { return e.Must(ir.Ldexp, e.c(3), below(e)) }, -2, 6},
		{"ldexp there and back", func(e expr) ir.Value {
			return e.Must(ir.Ldexp, e.Must(ir.Ldexp, e.c(3), e.x), e.Must(ir.Neg, e.x))
		}, 5000, 3},
		{"ldexp -Inf", func(e expr) ir.Value { return e.Must(ir.Ldexp, e.c(3), e.x) }, math.Inf(-1), 0},
		{"√2√2 == 2", choice(ir.Eq), 2, 1},
		{"√2√2 < 2", choice(ir.Lt), 2, 0},
		{"√4√4 <= 4", choice(ir.Le), 4, 1},
		{"x + 1e-40 <= x", func(e expr) ir.Value { return e.Must(ir.Select, e.Must(ir.Le, beside(e), e.x), e.c(1), e.c(0)) }, 1e10, 0},
		{"copysign", func(e expr) ir.Value { return e.Must(ir.Copysign, e.c(2), e.Must(ir.Sub, e.x, beside(e))) }, 7, -2},
	} {
		v := eval(c.build, c.x)
		// A far number comes back from its logarithm, so not exactly.
		if v.Hi != c.want && (v.Hi == v.Hi || c.want == c.want) || c.want == c.want && math.Signbit(v.Hi) != math.Signbit(c.want) || math.Abs(v.Lo) > v.Err || v.Err > 0x1p-75*math.Abs(v.Hi) && v.Hi-v.Hi == 0 {
			t.Errorf("%s at %g: %+v, want %g", c.name, c.x, v, c.want)
		}
	}
}

// Values that float64 holds only as subnormals, or not at all.
func TestWideSubnormal(t *testing.T) {
	e := newExpr(ir.Float64)
	w, err := NewWide(e.done(e.Must(ir.Exp, e.x)))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{-620, -623, -650, -700, -708.3, -708.5, -720, -744, -745.1, -745.2, -800, 620, 624, 700, 709.78, 709.79, 800} {
		var v [1]Value
		w.Eval([]float64{x}, v[:])
		want := bigfloat.Exp(new(big.Float).SetPrec(300).SetFloat64(x))
		f, _ := want.Float64()
		if v[0].Hi != f {
			t.Errorf("exp(%g) = %+v, want %g", x, v[0], f)
		}
		if !math.IsInf(f, 0) && (!within(v[0], want, 0) || v[0].Err > max(math.SmallestNonzeroFloat64, 0x1p-70*f)) {
			t.Errorf("exp(%g) = %+v: the bound", x, v[0])
		}
	}
}
