package interp

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
)

// apply evaluates one operation; operands that it does not have are ignored.
func (c balls) apply(op ir.Op, x, y, z ball) ball {
	switch op {
	case ir.Add:
		return c.add(x, y)
	case ir.Sub:
		return c.add(x, c.neg(y))
	case ir.Mul:
		return c.mul(x, y)
	case ir.Div:
		return c.div(x, y)
	case ir.Neg:
		return c.neg(x)
	case ir.FMA:
		return c.add(c.mul(x, y), z)
	case ir.Sqrt:
		return c.sqrt(x)
	case ir.Abs:
		return c.abs(x)
	case ir.Copysign:
		return c.copysign(x, y)
	case ir.Min:
		return c.min(x, y)
	case ir.Max:
		return c.neg(c.min(c.neg(x), c.neg(y)))
	case ir.MinMag:
		return c.minMag(x, y)
	case ir.Floor:
		return c.whole(x, bigFloor)
	case ir.Ceil:
		return c.whole(x, bigCeil)
	case ir.Trunc:
		return c.whole(x, bigTrunc)
	case ir.Rint:
		return c.whole(x, bigRint)
	case ir.Ldexp:
		return c.ldexp(x, y)
	case ir.Logb:
		return c.logb(x)
	case ir.Mant:
		return c.mant(x)
	case ir.Exp:
		return c.exp(x)
	case ir.Expm1:
		return c.expm1(x)
	case ir.Log:
		return c.log(x)
	case ir.Tanh:
		return c.tanh(x)
	case ir.Pow:
		return c.pow(x, y)
	case ir.Lt, ir.Le, ir.Eq, ir.Ne:
		return c.compare(op, x, y)
	case ir.Select:
		switch {
		case !x.known():
			return ball{}
		case x.float() != 0:
			return y
		}
		return z
	case ir.Convert:
		return x
	}
	panic("interp: no ball for " + op.String())
}

// result rounds a ball to what a Value holds.
func (a ball) result() Value {
	switch {
	case a.special:
		return Value{Hi: a.value}
	case a.mid == nil:
		return Value{Hi: math.NaN(), Err: math.Inf(1)}
	}
	x := Value{}
	x.Hi, _ = a.mid.Float64()
	if math.IsInf(x.Hi, 0) {
		x.Err = math.Inf(1)
		return x
	}
	rest := new(big.Float).Sub(a.mid, new(big.Float).SetPrec(a.mid.Prec()).SetFloat64(x.Hi))
	x.Lo, _ = rest.Float64()
	// What Lo does not hold, and the radius, rounded up once: of a subnormal number that is the least number, not twice it.
	off := rest.Sub(rest, big.NewFloat(x.Lo))
	off.Abs(off)
	if a.rad != nil {
		off.SetMode(big.AwayFromZero).Add(off, a.rad)
	}
	var acc big.Accuracy
	if x.Err, acc = off.Float64(); acc == big.Below {
		x.Err = math.Nextafter(x.Err, math.Inf(1))
	}
	return x
}
