package interp

import (
	"math"
	"math/big"
)

// ball is a real value known as mid ± rad, in big floating point. As with number, special values are exact and a nil mid
// says that nothing is known.
type ball struct {
	mid *big.Float // of the arithmetic's precision; nil if special or unknown
	rad *big.Float // of radPrec, rounded up; nil means exact

	special bool
	value   float64 // if special: infinity or NaN
	huge    bool    // if special: stands for a number beyond what big.Float holds
}

// radPrec is the precision of radii, in bits. They are rounded away from zero, so they stay bounds.
const radPrec = 32

// balls is ball arithmetic with midpoints of prec bits, at least ir.RealPrec.
type balls struct {
	prec uint
	last bool // there is no higher precision: what is undecided is taken as a tie
}

func (c balls) new() *big.Float { return new(big.Float).SetPrec(c.prec) }

func radius() *big.Float { return new(big.Float).SetPrec(radPrec).SetMode(big.AwayFromZero) }

func radAdd(a, b *big.Float) *big.Float {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case farApart(a, b, 2*radPrec):
		if a.Cmp(b) < 0 {
			a = b
		}
		return radius().Mul(a, radius().SetFloat64(1+0x1p-20))
	}
	return radius().Add(a, b)
}

// farApart reports whether one of the numbers is below the other's bit number bits. Sums of such numbers are avoided,
// since big.Float shifts a mantissa by the whole distance, which may be 2^32 bits.
func farApart(a, b *big.Float, bits int) bool {
	if a.Sign() == 0 || b.Sign() == 0 {
		return false
	}
	d := a.MantExp(nil) - b.MantExp(nil)
	return d > bits || d < -bits
}

// farBits is the distance from which on a summand counts as an error only.
const farBits = 4 * maxPrec

// radMul is |x|·r.
func radMul(x, r *big.Float) *big.Float {
	if r == nil || x.Sign() == 0 {
		return nil
	}
	return radius().Abs(radius().Mul(x, r))
}

// exactly is the ball of a float64: an infinity or NaN is special.
func (c balls) exactly(x float64) ball {
	if x-x != 0 {
		return ball{special: true, value: x}
	}
	return ball{mid: c.new().SetFloat64(x)}
}

// round makes a ball of a midpoint that is within 2^ulps units of its last place of the real result.
func (c balls) round(mid, rad *big.Float, ulps int, exact bool) ball {
	if mid.IsInf() { // beyond 2^(2^31): as good as infinite
		x, _ := mid.Float64()
		return ball{special: true, value: x, huge: true}
	}
	if rad != nil && farApart(mid, rad, farBits) && rad.Cmp(mid) < 0 {
		rad = nil // and stands for less than the unit that comes instead
		exact = false
	}
	if !exact {
		u := radius().SetMantExp(radius().SetInt64(1), big.MinExp/2)
		if mid.Sign() != 0 {
			u.SetMantExp(radius().SetInt64(1), mid.MantExp(nil)-int(c.prec)+ulps)
		}
		rad = radAdd(rad, u)
	}
	return ball{mid: mid, rad: rad}
}

func (a ball) known() bool { return a.special || a.mid != nil }

func (a ball) zero() bool { return a.mid != nil && a.rad == nil && a.mid.Sign() == 0 }

func (a ball) signed() bool {
	return a.special || a.mid != nil && (a.rad == nil || new(big.Float).Abs(a.mid).Cmp(a.rad) > 0)
}

func (a ball) signbit() bool {
	if a.special {
		return math.Signbit(a.value)
	}
	return a.mid.Signbit()
}

// float stands for a where another operand is special.
func (a ball) float() float64 {
	if a.special {
		return a.value
	}
	x, _ := a.mid.Float64()
	switch {
	case math.IsInf(x, 0):
		return math.Copysign(math.MaxFloat64, x)
	case x == 0 && a.mid.Sign() != 0:
		return math.Copysign(0x1p-1022, x)
	}
	return x
}

// ieee applies f if an operand is special or unknown.
func (c balls) ieee(f func(x, y float64) float64, a, b ball) (ball, bool) {
	if !a.known() || !b.known() {
		return ball{}, true
	}
	if !a.special && !b.special {
		return ball{}, false
	}
	if !a.signed() || !b.signed() {
		return ball{}, true
	}
	return c.exactly(f(a.float(), b.float())), true
}

func (c balls) neg(a ball) ball {
	a.value = -a.value
	if a.mid != nil {
		a.mid = c.new().Neg(a.mid)
	}
	return a
}

func (c balls) abs(a ball) ball {
	if a.known() && a.signbit() {
		return c.neg(a)
	}
	return a
}

func (c balls) add(a, b ball) ball {
	if r, ok := c.ieee(plus, a, b); ok {
		return r
	}
	if farApart(a.mid, b.mid, farBits) {
		if a.mid.MantExp(nil) < b.mid.MantExp(nil) {
			a, b = b, a
		}
		return c.round(a.mid, radAdd(a.rad, b.rad), 0, false)
	}
	mid := c.new().Add(a.mid, b.mid)
	return c.round(mid, radAdd(a.rad, b.rad), 0, mid.Acc() == big.Exact)
}

func (c balls) mul(a, b ball) ball {
	if r, ok := c.ieee(times, a, b); ok {
		return r
	}
	mid := c.new().Mul(a.mid, b.mid)
	rad := radAdd(radMul(a.mid, b.rad), radMul(b.mid, a.rad))
	if a.rad != nil && b.rad != nil {
		rad = radAdd(rad, radMul(a.rad, b.rad))
	}
	return c.round(mid, rad, 0, mid.Acc() == big.Exact)
}

func (c balls) div(a, b ball) ball {
	if r, ok := c.ieee(over, a, b); ok {
		return r
	}
	if !b.signed() || b.zero() && !a.signed() {
		return ball{}
	}
	if b.zero() {
		return c.exactly(a.float() / b.float())
	}
	mid := c.new().Quo(a.mid, b.mid)
	rad := radAdd(a.rad, radMul(mid, b.rad))
	if rad != nil {
		least := new(big.Float).SetPrec(radPrec).SetMode(big.ToZero).Abs(b.mid)
		if b.rad != nil {
			least = new(big.Float).SetPrec(c.prec).SetMode(big.ToZero).Abs(b.mid)
			least.Sub(least, b.rad)
		}
		if mid.Acc() != big.Exact { // |quotient| was rounded before it was multiplied
			rad = radius().Mul(rad, radius().SetFloat64(1+0x1p-20))
		}
		rad = radius().Quo(rad, least)
	}
	return c.round(mid, rad, 0, mid.Acc() == big.Exact)
}

func (c balls) sqrt(a ball) ball {
	switch {
	case !a.known() || !a.signed():
		return ball{}
	case a.zero():
		return a
	case a.special || a.signbit():
		return c.exactly(math.Sqrt(a.float()))
	}
	mid := c.new().Sqrt(a.mid)
	exact := a.rad == nil && new(big.Float).SetPrec(2*c.prec).Mul(mid, mid).Cmp(a.mid) == 0
	rad := a.rad
	if rad != nil { // |√(x+r) - √x| <= |r|/√x
		rad = radius().Quo(radius().Mul(rad, radius().SetFloat64(1+0x1p-20)), mid)
	}
	return c.round(mid, rad, 0, exact)
}
