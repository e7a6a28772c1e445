package interp

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/internal/bigfloat"
)

// smallRad reports whether the radius is below 1/4, where the bounds of derivatives used here hold.
func (a ball) smallRad() bool { return a.rad == nil || a.rad.Cmp(big.NewFloat(0.25)) < 0 }

// derived is the radius r·bound for a function whose derivative over the ball is at most bound.
func derived(r *big.Float, bound *big.Float) *big.Float {
	if r == nil {
		return nil
	}
	return radius().Mul(r, radius().Abs(bound))
}

func (c balls) exp(a ball) ball {
	switch {
	case !a.known():
		return ball{}
	case a.special:
		return c.exactly(math.Exp(a.value))
	case a.zero():
		return c.exactly(1)
	case !a.smallRad():
		return ball{}
	}
	if c.tiny(a) {
		return c.round(c.new().SetInt64(1), a.rad, 0, false)
	}
	mid := bigfloat.Exp(a.mid)
	return c.round(mid, derived(a.rad, radius().SetMantExp(mid, 1)), 2, false)
}

// tiny reports |x| < 2^-(prec+8): x² is below the last place of x, and x below that of 1.
func (c balls) tiny(a ball) bool {
	return a.mid.Sign() != 0 && a.mid.MantExp(nil) < -int(c.prec)-8
}

// large reports |x| > 2·prec: exp(-|x|) is below the last place of 1.
func (c balls) large(a ball) bool {
	return new(big.Float).Abs(a.mid).Cmp(big.NewFloat(float64(2*c.prec))) > 0
}

func (c balls) expm1(a ball) ball {
	switch {
	case !a.known():
		return ball{}
	case a.special:
		return c.exactly(math.Expm1(a.value))
	case a.zero():
		return a
	case !a.smallRad():
		return ball{}
	}
	if c.tiny(a) {
		return c.round(a.mid, radMul(big.NewFloat(2), a.rad), 0, false)
	}
	if c.large(a) {
		return c.add(c.exp(a), c.exactly(-1))
	}
	mid := bigfloat.Expm1(a.mid)
	bound := radius().SetInt64(4) // e^x < 2 + 2|e^x - 1|, and as much again for the width of the ball
	if m := radius().SetMantExp(radius().Abs(mid), 3); m.Cmp(bound) > 0 {
		bound = m
	}
	return c.round(mid, derived(a.rad, bound), 2, false)
}

func (c balls) tanh(a ball) ball {
	switch {
	case !a.known():
		return ball{}
	case a.special:
		return c.exactly(math.Tanh(a.value))
	case a.zero():
		return a
	}
	if c.tiny(a) {
		return c.round(a.mid, a.rad, 0, false)
	}
	if c.large(a) {
		rad := a.rad
		if rad != nil && rad.Cmp(radius().SetMantExp(radius().Abs(a.mid), -1)) < 0 {
			rad = nil // half of a is large enough too
		}
		return c.round(c.new().SetInt64(int64(a.mid.Sign())), rad, 0, false)
	}
	return c.round(bigfloat.Tanh(a.mid), a.rad, 2, false)
}

func (c balls) log(a ball) ball {
	switch {
	case !a.known() || !a.signed():
		return ball{}
	case a.zero() || a.special || a.signbit():
		return c.exactly(math.Log(a.float()))
	}
	mid, _ := bigfloat.Log(a.mid)
	rad := a.rad
	if rad != nil { // the derivative is at most 1/(mid-rad)
		least := new(big.Float).SetPrec(c.prec).SetMode(big.ToZero).Sub(a.mid, rad)
		rad = radius().Quo(rad, least)
	}
	return c.round(mid, rad, 2, mid.Sign() == 0)
}

func (c balls) pow(a, b ball) ball {
	if b.zero() || a.mid != nil && a.rad == nil && b.known() && a.mid.Cmp(big.NewFloat(1)) == 0 {
		return c.exactly(1)
	}
	if r, ok := c.ieee(math.Pow, a, b); ok {
		return r
	}
	exact := b.rad == nil
	integer := exact && b.mid.IsInt()
	n, acc := b.mid.Int64()
	if integer && acc == big.Exact && -maxPower <= n && n <= maxPower {
		if n < 0 {
			return c.div(c.exactly(1), c.power(a, -n))
		}
		return c.power(a, n)
	}
	if !a.signed() || !b.signed() {
		return ball{}
	}
	if a.zero() {
		return c.exactly(math.Pow(a.float(), b.float()))
	}
	negative := false
	if a.signbit() {
		if !exact {
			return ball{}
		}
		if !integer {
			return c.exactly(math.NaN())
		}
		i, _ := b.mid.Int(nil)
		negative = i.Bit(0) != 0
	}
	r := c.exp(c.mul(b, c.log(c.abs(a))))
	if negative {
		r = c.neg(r)
	}
	return r
}

func (c balls) power(a ball, n int64) ball {
	r := c.exactly(1)
	for ; ; a = c.mul(a, a) {
		if n&1 != 0 {
			r = c.mul(r, a)
		}
		if n >>= 1; n == 0 {
			return r
		}
	}
}
