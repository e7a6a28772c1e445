package interp

import (
	"math"

	"github.com/go-yolk/yolk/internal/double"
)

// The elementary functions of numbers. Each passes on the error of its argument through a bound of its derivative and
// adds its own.

// farthest is the largest exponent of a far number.
const farthest = 0x1p500

func (a number) exp() number {
	switch {
	case !a.known():
		return unknown
	case a.special():
		return exactly(math.Exp(a.hi))
	case a.zero():
		return one
	case a.far != 0 && a.hi < 0:
		return one.loosen(farTiny)
	case a.far < 0:
		return exactly(0).loosen(0)
	case a.far > 0:
		return unknown
	case math.Abs(a.hi) > farthest:
		return unknown // sums of such exponents would be far numbers themselves
	case math.Abs(a.hi) > farLog:
		a.far = 1
		return a
	case a.err > 1:
		return unknown
	}
	v := a.dd().Exp()
	return inexact(v, v.Hi*(double.ExpErr+2*a.err)) // e^t - 1 <= 2t for t <= 1
}

// nearlyLinear: below it x² is beyond all precision that is asked for, relative to x.
const nearlyLinear = 0x1p-200

func (a number) expm1() number {
	switch {
	case !a.known():
		return unknown
	case a.special():
		return exactly(math.Expm1(a.hi))
	case a.zero():
		return a
	case a.far != 0 && a.hi < 0:
		return a.loosen(farTiny)
	case a.far == 0 && math.Abs(a.hi) < nearlyLinear:
		return a.loosen(a.err + math.Abs(a.hi)*nearlyLinear)
	case a.far == 0 && math.Abs(a.hi) < 0.34 && a.err < 0.01:
		v := double.Expm1Reduced(a.dd())
		return inexact(v, math.Abs(v.Hi)*double.ExpErr+2*a.err)
	}
	return a.exp().sub(one)
}

func (a number) log() number {
	switch {
	case !a.known() || !a.signed():
		return unknown
	case a.zero() || a.special():
		return exactly(math.Log(a.hi))
	case a.sign() < 0:
		return exactly(math.NaN())
	case a.far != 0:
		return a.exponent()
	case a.hi == 1 && a.lo == 0 && a.err == 0:
		return exactly(0)
	}
	x, err, shift := a.dd(), a.err, 0.0
	if x.Hi < smallest {
		shift = 600
		x, err = x.Scale(0x1p600), err*0x1p600
	} else if x.Hi > largest {
		shift = -100
		x, err = x.Scale(0x1p-100), err*0x1p-100
	}
	y := x.Log()
	v := inexact(y, math.Abs(y.Hi)*double.LogErr+err/(x.Hi-err)*(1+0x1p-50))
	if shift != 0 {
		k := double.Ln2Times(-shift)
		v = v.add(number{hi: k.Hi, lo: k.Lo, err: math.Abs(k.Hi) * 0x1p-103})
	}
	return v
}

func (a number) tanh() number {
	switch {
	case !a.known():
		return unknown
	case a.special():
		return exactly(math.Tanh(a.hi))
	case a.zero():
		return a
	case a.far != 0 && a.hi < 0:
		return a.loosen(farTiny)
	case a.far == 0 && math.Abs(a.hi) < nearlyLinear:
		return a.loosen(math.Abs(a.hi) * nearlyLinear)
	case a.far == 0 && math.Abs(a.hi) < 0.17 && a.err < 0.005:
		e := number{hi: 2 * a.hi, lo: 2 * a.lo, err: 2 * a.err}.expm1()
		// e/(e+2) by its derivative 2/(e+2)², since e occurs twice.
		v := e.dd().Div(e.dd().AddFloat(2))
		return inexact(v, 0x1p-100*math.Abs(v.Hi)+e.err)
	case !a.signed():
		return unknown
	}
	// ±(1 - 2q/(1+q)), q = exp(-2|a|): the small difference from 1 lives in the low part.
	s, m := a.sign(), a.abs()
	if m.far == 0 {
		m.hi, m.lo, m.err = -2*m.hi, -2*m.lo, 2*m.err
	} else {
		m = m.neg()
	}
	q := m.exp()
	if !q.known() {
		return unknown
	}
	v := one.sub(q.add(q).div(one.add(q)))
	if s < 0 {
		return v.neg()
	}
	return v
}

// maxPower is the largest integer exponent that is taken by multiplication.
const maxPower = 64

func (a number) pow(b number) number {
	if b.zero() {
		return one
	}
	if a.far == 0 && a.hi == 1 && a.lo == 0 && a.err == 0 && b.known() {
		return one
	}
	if r, ok := ieee(math.Pow, a, b); ok {
		return r
	}
	if !a.signed() || !b.signed() {
		if b.err != 0 || b.far != 0 || b.lo != 0 || b.hi != math.Trunc(b.hi) || b.hi < 0 || b.hi > maxPower {
			return unknown
		}
	}
	if a.zero() {
		return exactly(math.Pow(a.hi, b.float()))
	}
	exact := b.far == 0 && b.lo == 0 && b.err == 0
	integer := exact && b.hi == math.Trunc(b.hi)
	if integer && math.Abs(b.hi) <= maxPower {
		r := a.power(int(math.Abs(b.hi)))
		if b.hi < 0 {
			r = one.div(r)
		}
		return r
	}
	sign := 1.0
	if a.sign() < 0 {
		switch {
		case !exact:
			return unknown
		case !integer:
			return exactly(math.NaN())
		case math.Mod(b.hi, 2) != 0:
			sign = -1
		}
	}
	r := b.mul(a.abs().log()).exp()
	if sign < 0 {
		r = r.neg()
	}
	return r
}

// power is the n-th power, n >= 1, by squaring.
func (a number) power(n int) number {
	r := one
	for ; ; a = a.mul(a) {
		if n&1 != 0 {
			r = r.mul(a)
		}
		if n >>= 1; n == 0 {
			return r
		}
	}
}
