package interp

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/bigfloat"
)

// ball is a real value known as mid ± rad, in big floating point. As with number, special values are exact and a nil mid
// says that nothing is known.
type ball struct {
	mid *big.Float // of the arithmetic's precision; nil if special or unknown
	rad *big.Float // of radPrec, rounded up; nil means exact

	special bool
	value   float64 // if special: infinity or NaN
}

// radPrec is the precision of radii, in bits. They are rounded away from zero, so they stay bounds.
const radPrec = 32

// balls is ball arithmetic with midpoints of prec bits.
type balls struct{ prec uint }

func (c balls) new() *big.Float { return new(big.Float).SetPrec(c.prec) }

func radius() *big.Float { return new(big.Float).SetPrec(radPrec).SetMode(big.AwayFromZero) }

func radAdd(a, b *big.Float) *big.Float {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return radius().Add(a, b)
}

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
		return ball{special: true, value: x}
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
	mid := bigfloat.Exp(a.mid)
	return c.round(mid, derived(a.rad, radius().SetMantExp(mid, 1)), 2, false)
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
	mid := bigfloat.Expm1(a.mid)
	bound := radius().Add(radius().Abs(mid), radius().SetInt64(1)) // e^x <= |e^x - 1| + 1
	return c.round(mid, derived(a.rad, bound.SetMantExp(bound, 1)), 2, false)
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
		if !d.known() || !d.signed() {
			return ball{}
		}
		x, y = d.float(), 0
	}
	return c.exactly(truth(relation(op, x, y)))
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

// step applies a step function: its value is certain if it is the same at both ends.
func (c balls) step(a ball, f func(x *big.Float) *big.Float) ball {
	lo, hi := c.ends(a)
	x, y := f(lo), f(hi)
	if x.Cmp(y) != 0 {
		return ball{}
	}
	return ball{mid: c.new().Set(x)}
}

func (c balls) rint(a ball) ball {
	if !a.known() || a.special {
		return a
	}
	return c.step(a, bigRint)
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
	if r, ok := c.ieee(ldexp64, a, k); ok {
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
