package interp

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
)

// ends returns the two ends of a ball, rounded outwards.
func (c balls) ends(a ball) (lo, hi *big.Float) {
	lo = c.new().SetMode(big.ToNegativeInf).Set(a.mid)
	hi = c.new().SetMode(big.ToPositiveInf).Set(a.mid)
	if a.rad != nil {
		lo.Sub(lo, a.rad)
		hi.Add(hi, a.rad)
	}
	return lo, hi
}

func (c balls) compare(op ir.Op, a, b ball) ball {
	if !a.known() || !b.known() {
		return ball{}
	}
	x, y := a.float(), b.float()
	if !a.special && !b.special {
		d := c.add(a, c.neg(b))
		switch {
		case !d.known():
			return ball{}
		case d.signed():
			x, y = d.float(), 0
		case c.last:
			x, y = 0, 0
		default:
			return ball{}
		}
	}
	return c.exactly(truth(Relation(op, x, y)))
}

func (c balls) copysign(a, b ball) ball {
	if !a.known() || !b.known() || !b.signed() {
		return ball{}
	}
	if a.signbit() != b.signbit() {
		return c.neg(a)
	}
	return a
}

// step applies a step function: its value is certain if it is the same at both ends. At the last precision the step is
// taken to be where half of the bits say.
func (c balls) step(a ball, f func(x *big.Float) *big.Float) ball {
	lo, hi := c.ends(a)
	x, y := f(lo), f(hi)
	if x.Cmp(y) != 0 {
		if !c.last {
			return ball{}
		}
		x = f(new(big.Float).SetPrec(c.prec / 2).Set(a.mid))
	}
	return ball{mid: c.new().Set(x)}
}

// min is the lesser of the balls; where they overlap, the error of either may be the result's.
func (c balls) min(a, b ball) ball {
	if !a.known() || !b.known() {
		return ball{}
	}
	if a.special || b.special {
		switch x := min(a.float(), b.float()); {
		case x-x != 0:
			return c.exactly(x)
		case a.special: // +Inf
			return b
		}
		return a
	}
	if s := a.mid.Cmp(b.mid); s > 0 || s == 0 && b.signbit() {
		a, b = b, a
	}
	if d := c.add(a, c.neg(b)); !d.signed() && (a.rad == nil || b.rad != nil && b.rad.Cmp(a.rad) > 0) {
		a.rad = b.rad
	}
	return a
}

func (c balls) minMag(a, b ball) ball {
	switch {
	case !a.known() || !b.known():
		return ball{}
	case a.special && a.value != a.value:
		return b
	case b.special && b.value != b.value:
		return a
	}
	switch less := c.compare(ir.Lt, c.abs(a), c.abs(b)); {
	case !less.known() && (!a.signed() || !b.signed() || a.signbit() != b.signbit()):
		return ball{}
	case !less.known() && a.signbit():
		return c.neg(c.min(c.neg(a), c.neg(b)))
	case !less.known():
		return c.min(a, b)
	case less.float() != 0:
		return a
	case c.compare(ir.Lt, c.abs(b), c.abs(a)).float() != 0:
		return b
	}
	return c.min(a, b)
}

// lookup is the entry that the value, rounded to the type, chooses.
func (c balls) lookup(t *ir.Table, typ ir.Type, a ball) ball {
	switch {
	case !a.known():
		return ball{}
	case a.special:
		return c.exactly(t.Of(typ, a.value))
	case a.rad != nil && !c.last:
		lo, hi := c.new().Sub(a.mid, a.rad), c.new().Add(a.mid, a.rad)
		if ir.RoundReal(typ, lo) != ir.RoundReal(typ, hi) {
			return ball{}
		}
	}
	return c.exactly(t.At(typ, ir.RoundReal(typ, a.mid)))
}

// whole rounds to an integer by a step function.
func (c balls) whole(a ball, f func(x *big.Float) *big.Float) ball {
	if !a.known() || a.special {
		return a
	}
	return c.step(a, f)
}

// bigFloor is ⌊x⌋.
func bigFloor(x *big.Float) *big.Float {
	if x.IsInt() {
		return x
	}
	i, _ := x.Int(nil) // towards zero
	if x.Sign() < 0 {
		i.Sub(i, big.NewInt(1))
	}
	return new(big.Float).SetInt(i)
}

// bigCeil is ⌈x⌉, with the sign of x where it is zero.
func bigCeil(x *big.Float) *big.Float {
	n := bigFloor(new(big.Float).Neg(x))
	return n.Neg(n)
}

// bigTrunc is the integer part of x, with the sign of x where it is zero.
func bigTrunc(x *big.Float) *big.Float {
	if x.Signbit() {
		return bigCeil(x)
	}
	return bigFloor(x)
}

// bigRint is the nearest integer, ties to even, with the sign of x where it is zero.
func bigRint(x *big.Float) *big.Float {
	if x.IsInt() {
		return x
	}
	low := bigFloor(x)
	i, _ := low.Int(nil)
	twice := new(big.Float).SetPrec(x.Prec())
	twice.SetMantExp(twice.Sub(x, low), 1) // exact: the fraction of x
	if s := twice.Cmp(big.NewFloat(1)); s > 0 || s == 0 && i.Bit(0) != 0 {
		i.Add(i, big.NewInt(1))
	}
	n := new(big.Float).SetInt(i)
	if n.Sign() == 0 && x.Signbit() {
		n.Neg(n)
	}
	return n
}

func (c balls) ldexp(a, k ball) ball {
	if r, ok := c.ieee(Ldexp, a, k); ok {
		return r
	}
	if a.zero() {
		return a
	}
	f := c.step(k, bigFloor)
	if !f.known() {
		return ball{}
	}
	n, acc := f.mid.Int64()
	if acc != big.Exact || n > big.MaxExp/4 || n < big.MinExp/4 {
		return ball{}
	}
	r := ball{mid: c.new().SetMantExp(a.mid, int(n))}
	if a.rad != nil {
		r.rad = radius().SetMantExp(a.rad, int(n))
	}
	return c.round(r.mid, r.rad, 0, true)
}

func (c balls) logb(a ball) ball {
	switch {
	case !a.known() || !a.signed():
		return ball{}
	case a.zero() || a.special:
		return c.exactly(math.Logb(a.float()))
	}
	return c.step(c.abs(a), func(x *big.Float) *big.Float {
		return new(big.Float).SetInt64(int64(x.MantExp(nil)) - 1)
	})
}

func (c balls) mant(a ball) ball {
	if a.zero() || a.special && math.IsInf(a.value, 0) {
		return c.exactly(1)
	}
	return c.ldexp(c.abs(a), c.neg(c.logb(a)))
}
