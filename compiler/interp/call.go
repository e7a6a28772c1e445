package interp

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/double"
)

// The operations that users define, in every meaning but intervals, which are ir.Def's own.

// call is the loop of a user's operation, value being its meaning in T. args is scratch, one element for each operand.
func call[T float](value func([]float64) T, args []float64, d, a, b, c []T) {
	operands := [ir.MaxArity][]T{a, b, c}
	for i := range d {
		for k := range args {
			args[k] = float64(operands[k][i])
		}
		d[i] = value(args)
	}
}

// numberPrec is plenty for a number: what Def.Real may lose of it leaves 128 bits, where a number has about 106.
const numberPrec = 128 + ir.RealSlack

// callNear evaluates a user's operation in double-double, where it can. The error of an operand passes on as in balls.call.
func callNear(f *ir.Def, args []number) (number, bool) {
	if f.Near == nil {
		return unknown, false
	}
	x := make([]double.Double, len(args))
	for i, a := range args {
		if !a.known() || a.far != 0 || a.special() || a.zero() {
			return unknown, false
		}
		x[i] = a.dd()
	}
	y, err, ok := f.Near(x)
	if !ok {
		return unknown, false
	}
	for i, a := range args {
		if a.err == 0 {
			continue
		}
		for _, by := range [2]float64{a.err, -a.err} {
			x[i] = a.dd().AddFloat(by)
			z, own, ok := f.Near(x)
			if !ok {
				return unknown, false
			}
			err += math.Abs((z.Hi-y.Hi)+(z.Lo-y.Lo)) + own
		}
		x[i] = a.dd()
	}
	return inexact(y, err), true
}

// callNumber evaluates a user's operation, where double-double does not do in ball arithmetic of that precision.
func callNumber(f *ir.Def, args []number) number {
	if v, ok := callNear(f, args); ok {
		return v
	}
	c := balls{prec: numberPrec}
	operands := make([]ball, len(args))
	for i, a := range args {
		switch {
		case !a.known() || a.far != 0:
			return unknown
		case a.special():
			operands[i] = c.exactly(a.hi)
			continue
		case a.zero():
			operands[i] = c.exactly(a.hi) // with its sign
			continue
		}
		mid := c.new().Add(c.new().SetFloat64(a.hi), c.new().SetFloat64(a.lo))
		var rad *big.Float
		if a.err != 0 {
			rad = radius().SetFloat64(a.err)
		}
		operands[i] = c.round(mid, rad, 0, mid.Acc() == big.Exact)
	}
	r := c.call(f, operands)
	switch {
	case !r.known():
		return unknown
	case r.special:
		return exactly(r.value)
	case r.zero():
		zero, _ := r.mid.Float64()
		return exactly(zero)
	}
	v := r.result()
	if math.IsInf(v.Err, 1) {
		return unknown
	}
	return number{hi: v.Hi, lo: v.Lo, err: v.Err}
}

// call evaluates a user's operation. The error of an operand passes on as twice what the result changes by from the middle
// to the ends of its ball: a bound where the operation is smooth on the scale of the ball.
func (c balls) call(f *ir.Def, args []ball) ball {
	x, special := make([]float64, len(args)), false
	for i, a := range args {
		switch {
		case !a.known():
			return ball{}
		case a.special:
			special = true
			x[i] = a.value
			continue
		}
		x[i], _ = a.mid.Float64()
		if math.IsInf(x[i], 0) {
			return ball{} // no operation is asked about numbers beyond float64
		}
	}
	if f.Real != nil && !special {
		if r, ok := c.callReal(f, args, x); ok {
			return r
		}
	}
	return c.callEval(f, args, x)
}

// callReal is false where Real does not know.
func (c balls) callReal(f *ir.Def, args []ball, x []float64) (ball, bool) {
	at := func(moved int, by *big.Float) *big.Float {
		own := make([]*big.Float, len(args)) // Real may do with its operands as it likes
		for i, a := range args {
			own[i] = c.new().Set(a.mid)
			if i == moved {
				own[i].Add(own[i], by)
			}
		}
		return f.Real(own)
	}
	y := at(-1, nil)
	switch {
	case y == nil:
		return ball{}, false
	case y.IsInf():
		v, _ := y.Float64()
		return c.exactly(v), true
	}
	var rad *big.Float
	for i, a := range args {
		if a.rad == nil {
			continue
		}
		for _, by := range []*big.Float{a.rad, new(big.Float).Neg(a.rad)} {
			z := at(i, by)
			if z == nil || z.IsInf() {
				return ball{}, true
			}
			change := radius().Abs(radius().Sub(z, y))
			rad = radAdd(rad, change) // both ends: twice the larger, or less where the slope changes its sign
		}
	}
	if y.Sign() == 0 {
		mid := c.new()
		if zero := f.Eval(x); zero == 0 {
			mid.SetFloat64(zero) // with its sign
		}
		return c.round(mid, rad, 0, rad == nil), true
	}
	slack := ir.RealSlack
	if short := int(c.prec) - int(y.Prec()); short > slack {
		slack = short // a result of fewer bits is no better than they are
	}
	return c.round(c.new().Set(y), rad, slack, false), true
}

// callEval takes Eval for the truth, up to an ulp of float64.
func (c balls) callEval(f *ir.Def, args []ball, x []float64) ball {
	y := f.Eval(x)
	if y-y != 0 {
		return c.exactly(y)
	}
	err := 0.0
	if y != 0 {
		err = ULP(ir.Float64, Value{Hi: y})
	}
	for i, a := range args {
		if a.special {
			continue
		}
		off, _ := new(big.Float).Sub(a.mid, new(big.Float).SetFloat64(x[i])).Float64()
		off = math.Abs(off)
		if a.rad != nil {
			r, _ := a.rad.Float64()
			off += r
		}
		if a.rad == nil && off == 0 && a.mid.Cmp(new(big.Float).SetFloat64(x[i])) == 0 {
			continue
		}
		middle := x[i]
		for _, end := range []float64{math.Nextafter(middle-off, math.Inf(-1)), math.Nextafter(middle+off, math.Inf(1))} {
			x[i] = end
			err += math.Abs(f.Eval(x) - y)
		}
		x[i] = middle
	}
	if err != err || math.IsInf(err, 1) {
		return ball{}
	}
	r := c.exactly(y)
	if err > 0 {
		r.rad = radius().SetFloat64(err)
	}
	return r
}

// FoldCallReal is FoldReal for a user's operation. Where only Eval says what it is, operands that float64 does not hold are not
// folded.
func FoldCallReal(f *ir.Def, args []*big.Float) (*big.Float, bool) {
	if len(args) != f.Arity {
		return nil, false
	}
	own, x, exact := make([]*big.Float, len(args)), make([]float64, len(args)), true
	for i, a := range args {
		if a.IsInf() {
			return nil, false
		}
		own[i] = new(big.Float).SetPrec(ir.RealPrec + 2*ir.RealSlack).Set(a)
		v, acc := a.Float64()
		if math.IsInf(v, 0) {
			return nil, false
		}
		x[i], exact = v, exact && acc == big.Exact
	}
	if f.Real != nil {
		if y := f.Real(own); y != nil && y.Prec() >= ir.RealPrec {
			return new(big.Float).SetPrec(ir.RealPrec).Set(y), !y.IsInf()
		}
	}
	y := f.Eval(x)
	if !exact || y-y != 0 {
		return nil, false
	}
	return new(big.Float).SetPrec(ir.RealPrec).SetFloat64(y), true
}

// FoldCallTyped is FoldTyped for a user's operation.
func FoldCallTyped(f *ir.Def, t ir.Type, args []uint64) (uint64, bool) {
	if len(args) != f.Arity || !t.IsFloat() {
		return 0, false
	}
	x := make([]float64, len(args))
	for i, a := range args {
		x[i] = ir.BitsFloat(t, a)
	}
	if t == ir.Float32 {
		return finiteBits(t, ir.ConstBits(t, float64(f.Float32(x))))
	}
	return finiteBits(t, ir.ConstBits(t, f.Eval(x)))
}
