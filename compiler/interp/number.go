package interp

import (
	"math"

	"github.com/go-yolk/yolk/internal/double"
)

// number is what Wide knows about a real value. A zero far means the value is hi+lo, up to err. Otherwise it is beyond
// the range in which dd arithmetic is exact enough, and is far·exp(hi+lo), where the exponent is known up to err. That
// keeps 1/(1+exp(-x)) and log(1+exp(x)) meaningful where exp(x) is no float64, and even where its exponent is none.
//
// An infinite or NaN hi is the value that IEEE arithmetic gives the formula there. An infinite err says that nothing is
// known. err = 0 promises exactness.
type number struct {
	hi, lo, err float64
	far         float64 // 0, or the sign -1, +1
}

const (
	smallest = 0x1p-900 // the range of operands and results of dd products and quotients
	largest  = 0x1p900
	farLog   = 620       // |log| of every far number is larger; below log(largest) = 623.8
	farTiny  = 0x1p-890  // above exp(-farLog)
	errUnit  = 0x1p-1060 // above whatever underflow takes from a bound
)

var (
	unknown = number{hi: math.NaN(), err: math.Inf(1)}
	one     = exactly(1)
)

func exactly(x float64) number { return number{hi: x} }

func (a number) dd() double.Double { return double.Double{Hi: a.hi, Lo: a.lo} }

func (a number) known() bool { return !math.IsInf(a.err, 1) }

// special reports an infinity or NaN.
func (a number) special() bool { return a.far == 0 && (a.hi-a.hi) != 0 }

// zero reports an exact zero, whose sign is hi's.
func (a number) zero() bool { return a.far == 0 && a.hi == 0 && a.lo == 0 && a.err == 0 }

// signed reports whether the sign is certain.
func (a number) signed() bool { return a.far != 0 || a.err == 0 || math.Abs(a.hi) > a.err*(1+0x1p-30) }

// sign is the sign of a signed number that is not zero.
func (a number) sign() float64 {
	if a.far != 0 {
		return a.far
	}
	return math.Copysign(1, a.hi)
}

// ordinary reports that products may take a as it is.
func (a number) ordinary() bool {
	x := math.Abs(a.hi)
	return a.far == 0 && (x == 0 || smallest < x && x < largest)
}

// float is the nearest float64, more or less; it stands for a where the other operand is special.
func (a number) float() float64 {
	switch {
	case a.far == 0:
		return a.hi
	case a.hi > 0:
		return a.far * math.MaxFloat64
	}
	return a.far * 0x1p-1022
}

// inexact makes a number of a result and of the sum of its error terms, itself rounded.
func inexact(v double.Double, err float64) number {
	return number{hi: v.Hi, lo: v.Lo, err: err*(1+0x1p-30) + errUnit}
}

// loosen adds to the error.
func (a number) loosen(err float64) number {
	a.err = (a.err+err)*(1+0x1p-30) + errUnit
	return a
}

// ieee applies f if one of the operands is special. The result is exact: infinite, NaN, or as f says.
func ieee(f func(x, y float64) float64, a, b number) (number, bool) {
	if !a.known() || !b.known() {
		return unknown, true
	}
	if !a.special() && !b.special() {
		return number{}, false
	}
	if !a.signed() || !b.signed() {
		return unknown, true
	}
	return exactly(f(a.float(), b.float())), true
}

// toFar returns the logarithm of |a| as the exponent of a far number, and whether there is one.
func (a number) toFar() (number, bool) {
	if a.far != 0 {
		return a, true
	}
	if a.special() || !a.signed() || a.hi == 0 {
		return unknown, false
	}
	s := a.sign()
	l := number{hi: a.hi * s, lo: a.lo * s, err: a.err}.log()
	l.far = s
	return l, true
}

// fromFar takes the sign and exponent of a number and makes it near if it can be.
func fromFar(sign float64, exponent number) number {
	if !exponent.known() {
		return unknown
	}
	if math.Abs(exponent.hi) <= farLog {
		v := exponent.exp()
		return number{hi: sign * v.hi, lo: sign * v.lo, err: v.err}
	}
	exponent.far = sign
	return exponent
}

// exponent is the logarithm of the magnitude of a far number.
func (a number) exponent() number { return number{hi: a.hi, lo: a.lo, err: a.err} }

func (a number) neg() number {
	if a.far != 0 {
		a.far = -a.far
		return a
	}
	a.hi, a.lo = -a.hi, -a.lo
	return a
}

func (a number) abs() number {
	if a.far != 0 {
		a.far = 1
		return a
	}
	if math.Signbit(a.hi) {
		return a.neg()
	}
	return a
}

func plus(x, y float64) float64  { return x + y }
func times(x, y float64) float64 { return x * y }
func over(x, y float64) float64  { return x / y }

func (a number) add(b number) number {
	if r, ok := ieee(plus, a, b); ok {
		return r
	}
	if a.far != 0 || b.far != 0 || math.Abs(a.hi) > largest || math.Abs(b.hi) > largest {
		return a.addFar(b)
	}
	if a.lo == 0 && b.lo == 0 {
		s, e := double.TwoSum(a.hi, b.hi)
		if a.err == 0 && b.err == 0 {
			return number{hi: s, lo: e}
		}
		return inexact(double.Double{Hi: s, Lo: e}, a.err+b.err)
	}
	// AccurateDWPlusDW with a bound for the two roundings that it makes, which are far smaller than the general bound
	// where the sum is 1 + tiny.
	sh, sl := double.TwoSum(a.hi, b.hi)
	th, tl := double.TwoSum(a.lo, b.lo)
	c := sl + th
	vh, vl := double.TwoSum(sh, c)
	w := tl + vl
	hi, lo := double.TwoSum(vh, w)
	round := 0x1p-53 * math.Abs(w)
	if sl != 0 && th != 0 {
		round += 0x1p-53 * math.Abs(c)
	}
	return inexact(double.Double{Hi: hi, Lo: lo}, a.err+b.err+round)
}

func (a number) sub(b number) number { return a.add(b.neg()) }

// addFar adds where at least one operand is outside of the common range.
func (a number) addFar(b number) number {
	if a.zero() {
		return b
	}
	if b.zero() {
		return a
	}
	if a.far == 0 {
		a, b = b, a
	}
	if a.far != 0 && a.hi < 0 && b.far == 0 && (math.Abs(b.hi) > 0x1p-500 || !b.signed() || b.hi == 0) {
		return b.loosen(farTiny) // a is next to nothing
	}
	if a.far != 0 && b.far == 0 && !b.signed() {
		return a.loosen(2 * b.err * farTiny) // a is huge
	}
	la, ok1 := a.toFar()
	lb, ok2 := b.toFar()
	if !ok1 || !ok2 {
		return unknown
	}
	if la.hi < lb.hi {
		la, lb = lb, la
	}
	// log|a+b| = log|a| + log(1 ± exp(d)).
	d := lb.exponent().sub(la.exponent())
	const nothing = -200
	if d.hi+d.err < nothing {
		return fromFar(la.far, la.exponent().loosen(4*math.Exp(d.hi+d.err)))
	}
	q := d.exp()
	if la.far != lb.far {
		q = q.neg()
	}
	q = one.add(q)
	if q.zero() {
		return q
	}
	if !q.known() || !q.signed() {
		return unknown
	}
	return fromFar(la.far*q.sign(), la.exponent().add(q.abs().log()))
}

func (a number) mul(b number) number {
	if r, ok := ieee(times, a, b); ok {
		return r
	}
	if a.zero() || b.zero() {
		return exactly(a.float() * b.float())
	}
	if a.ordinary() && b.ordinary() {
		p, e := double.TwoProd(a.hi, b.hi)
		if x := math.Abs(p); a.hi == 0 || b.hi == 0 || smallest < x && x < largest {
			if a.lo == 0 && b.lo == 0 && a.err == 0 && b.err == 0 {
				return number{hi: p, lo: e}
			}
			al := float64(a.lo * b.hi)
			t := math.FMA(a.hi, b.lo, al)
			u := e + t
			hi, lo := double.QuickTwoSum(p, u)
			if p == 0 {
				hi = p // keeps the likelier sign
			}
			err := math.Abs(a.hi)*b.err + math.Abs(b.hi)*a.err + a.err*b.err
			if a.lo != 0 || b.lo != 0 {
				err += 0x1p-52*(math.Abs(al)+math.Abs(t)+math.Abs(u)) + math.Abs(a.lo*b.lo)
				// The errors of the operands count for their low parts as well.
				err += math.Abs(a.lo)*b.err + math.Abs(b.lo)*a.err
			}
			return inexact(double.Double{Hi: hi, Lo: lo}, err)
		}
	}
	la, ok1 := a.toFar()
	lb, ok2 := b.toFar()
	if !ok1 || !ok2 {
		return unknown
	}
	return fromFar(la.far*lb.far, la.exponent().add(lb.exponent()))
}

func (a number) div(b number) number {
	if r, ok := ieee(over, a, b); ok {
		return r
	}
	if !b.signed() {
		return unknown
	}
	if a.zero() || b.zero() {
		if !a.signed() {
			return unknown
		}
		return exactly(a.float() / b.float())
	}
	if a.ordinary() && b.ordinary() {
		q := a.dd().Div(b.dd())
		if x := math.Abs(q.Hi); a.hi == 0 || smallest < x && x < largest {
			if a.err == 0 && b.err == 0 && a.lo == 0 && b.lo == 0 && q.Lo == 0 && math.FMA(-q.Hi, b.hi, a.hi) == 0 {
				return number{hi: q.Hi}
			}
			return inexact(q, (a.err+x*b.err*(1+0x1p-50))/(math.Abs(b.hi)*(1-0x1p-50)-b.err)+0x1p-101*x)
		}
	}
	la, ok1 := a.toFar()
	lb, ok2 := b.toFar()
	if !ok1 || !ok2 {
		return unknown
	}
	return fromFar(la.far*lb.far, la.exponent().sub(lb.exponent()))
}

func (a number) sqrt() number {
	switch {
	case !a.known() || !a.signed():
		return unknown
	case a.zero():
		return a
	case a.special() || a.sign() < 0:
		return exactly(math.Sqrt(a.float()))
	}
	if !a.ordinary() {
		l, ok := a.toFar()
		if !ok {
			return unknown
		}
		return fromFar(1, number{hi: l.hi / 2, lo: l.lo / 2, err: l.err})
	}
	y := a.dd().Sqrt()
	if a.err == 0 && a.lo == 0 && y.Lo == 0 && math.FMA(-y.Hi, y.Hi, a.hi) == 0 {
		return number{hi: y.Hi}
	}
	return inexact(y, a.err/y.Hi*(1+0x1p-50)+0x1p-101*y.Hi)
}
