package compiler

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// points are where Config.Check compares values: zero, small integers, both signs, and nothing so large that an exponential
// of a sum of powers leaves the range in which ir.RealPrec bits tell values apart. Their number is a prime, so that every
// parameter may run through them in another order.
var points = [...]float64{0, 1, -1, 0.5, -2.25, 3.5, -0.1015625, 0.0078125, 4.75, -3.75, 1.75, -0.625, 2.5}

// samples chooses points in the domain of a function.
func samples(f *ir.Func) *egraph.Samples {
	s := &egraph.Samples{Eval: evalSample}
	for i, p := range f.Params {
		stride := 1 + i%(len(points)-1)
		values := make([]float64, len(points))
		for k := range values {
			j := (k*stride + i) % len(points)
			values[k] = within(p.Fact, points[j], float64(j)/float64(len(points)-1))
		}
		s.Points = append(s.Points, values)
	}
	if len(f.Params) == 0 {
		s.Points = [][]float64{{0}} // constants have values too
	}
	return s
}

// within returns x if a parameter of that fact may have it, and otherwise the point at that fraction of its interval.
func within(f ir.Fact, x, fraction float64) float64 {
	allowed := func(x float64) bool {
		return f.Lo <= x && x <= f.Hi && (!f.Integer || x == math.Trunc(x)) && (!f.NonZero || x != 0)
	}
	if allowed(x) {
		return x
	}
	lo, hi := max(f.Lo, min(f.Hi, 0)-4), min(f.Hi, max(f.Lo, 0)+4)
	x = lo + fraction*(hi-lo)
	if f.Integer {
		x = math.Round(x)
	}
	if allowed(x) {
		return x
	}
	return hi
}

// Bits of a sample: one with at most exactBits is exact, and a sum that loses more than lostBits of ir.RealPrec says
// nothing.
const (
	exactBits = 64
	lostBits  = 100
)

// evalSample is the real value of an operation, as far as ir.RealPrec bits tell.
func evalSample(op ir.Op, d *ir.Def, t ir.Type, args []egraph.Sample) egraph.Sample {
	if op == ir.Select {
		switch {
		case args[0].Real == nil:
			return egraph.Sample{}
		case args[0].Real.Sign() != 0:
			return args[1]
		}
		return args[2]
	}
	reals := make([]*big.Float, len(args))
	for i, a := range args {
		if a.Undef {
			return egraph.Sample{Undef: true}
		}
		reals[i] = a.Real
	}
	for _, x := range reals {
		if x == nil {
			return egraph.Sample{}
		}
	}
	if op == ir.FMA {
		return evalSample(ir.Add, nil, t, []egraph.Sample{evalSample(ir.Mul, nil, t, args[:2]), args[2]})
	}
	if undefined(op, reals) {
		return egraph.Sample{Undef: true}
	}
	if op.Info().Shape == ir.ShapeCompare {
		return compareSample(op, reals[0], reals[1])
	}
	var x *big.Float
	var ok bool
	switch {
	case unsteady(op, reals):
	case d == nil:
		x, ok = interp.FoldReal(op, reals)
	case d.Real != nil:
		x, ok = interp.FoldCallReal(d, reals)
	}
	if !ok || lost(op, x, reals) {
		return egraph.Sample{}
	}
	return egraph.Sample{Real: x}
}

// undefined reports whether an operation has no real value, as far as that is known for sure.
func undefined(op ir.Op, x []*big.Float) bool {
	switch op {
	case ir.Div:
		return x[1].Sign() == 0
	case ir.Sqrt:
		return x[0].Sign() < 0
	case ir.Log:
		return x[0].Sign() <= 0
	case ir.Pow:
		return x[0].Sign() == 0 && x[1].Sign() < 0 || x[0].Sign() < 0 && !x[1].IsInt()
	}
	return false
}

// unsteady reports whether an operation that jumps may be on either side of a jump: its operand is not exact, but very near
// a number of few bits.
func unsteady(op ir.Op, x []*big.Float) bool {
	switch op {
	case ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Logb, ir.Mant, ir.Ldexp, ir.Copysign:
		for _, y := range x {
			if y.MinPrec() > exactBits && new(big.Float).SetPrec(lostBits).Set(y).MinPrec() <= exactBits {
				return true
			}
		}
	}
	return false
}

// lost reports whether so little of the operands is left in the result that it may be rounding error.
func lost(op ir.Op, result *big.Float, x []*big.Float) bool {
	switch op {
	case ir.Add, ir.Sub:
		if x[0].MinPrec() <= exactBits && x[1].MinPrec() <= exactBits || x[0].Sign() == 0 || x[1].Sign() == 0 {
			return false
		}
		return result.Sign() == 0 || result.MantExp(nil) < max(x[0].MantExp(nil), x[1].MantExp(nil))-lostBits
	case ir.Log:
		return x[0].MinPrec() > exactBits && (result.Sign() == 0 || result.MantExp(nil) < -lostBits)
	}
	return false
}

// compareSample decides a comparison, unless the operands are as good as equal.
func compareSample(op ir.Op, a, b *big.Float) egraph.Sample {
	d := new(big.Float).Sub(a, b)
	if lost(ir.Sub, d, []*big.Float{a, b}) {
		return egraph.Sample{}
	}
	var holds bool
	switch op {
	case ir.Lt:
		holds = d.Sign() < 0
	case ir.Le:
		holds = d.Sign() <= 0
	case ir.Eq:
		holds = d.Sign() == 0
	case ir.Ne:
		holds = d.Sign() != 0
	default:
		return egraph.Sample{}
	}
	if holds {
		return egraph.Sample{Real: big.NewFloat(1)}
	}
	return egraph.Sample{Real: new(big.Float)}
}
