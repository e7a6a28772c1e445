package bigfloat

import (
	"math"
	"math/big"
)

// Atan returns the arctangent: Atan(±0) = ±0, Atan(±Inf) = ±π/2.
func Atan(x *big.Float) *big.Float { return Atan2(x, small(1, 1)) }

// Atan2 returns the angle of the point (x, y), between -π and π, with the sign
// of y. Zeros and infinities are as in IEEE 754: a zero x or y keeps its sign,
// so Atan2(±0, -0) = ±π, and an infinity counts as infinitely larger than any
// finite number and as large as another infinity.
func Atan2(y, x *big.Float) *big.Float {
	prec := precOf2(x, y)
	w := prec + guard
	z := angle(newFloat(w).Abs(y), newFloat(w).Abs(x), w)
	if x.Signbit() {
		z = add(Pi(w), z.Neg(z), w)
	}
	return round(withSign(z, y.Signbit()), prec)
}

// Asin returns the arcsine; ok is false for |x| > 1. Asin(±0) = ±0.
func Asin(x *big.Float) (z *big.Float, ok bool) {
	prec := precOf(x)
	w := prec + guard
	a := newFloat(w).Abs(x)
	if a.Cmp(small(1, 1)) > 0 {
		return nil, false
	}
	c := oneMinusSquare(a, w)
	return round(withSign(angle(a, c.Sqrt(c), w), x.Signbit()), prec), true
}

// Acos returns the arccosine; ok is false for |x| > 1. Acos(1) = +0.
func Acos(x *big.Float) (z *big.Float, ok bool) {
	prec := precOf(x)
	w := prec + guard
	a := newFloat(w).Abs(x)
	if a.Cmp(small(1, 1)) > 0 {
		return nil, false
	}
	s := oneMinusSquare(a, w)
	z = angle(s.Sqrt(s), a, w)
	if x.Signbit() {
		z = add(Pi(w), z.Neg(z), w)
	}
	return round(z, prec), true
}

// angle returns atan(y/x) to w bits, relative, for x, y >= 0, with 0/0 = 0 and
// Inf/Inf = 1.
func angle(y, x *big.Float, w uint) *big.Float {
	if y.IsInf() && x.IsInf() {
		y, x = small(1, 1), small(1, 1)
	}
	switch {
	case y.Sign() == 0 || x.IsInf():
		return newFloat(w)
	case x.Sign() == 0 || y.IsInf():
		return half(Pi(w))
	case y.Cmp(x) > 0:
		z := angle(x, y, w)
		return add(half(Pi(w)), z.Neg(z), w)
	}
	ex, ey := x.MantExp(nil), y.MantExp(nil)
	if ey-ex < -25 { // small enough for the series alone
		return oddSeries(newFloat(w).Quo(y, x), true, w)
	}
	// Bring x to [1/2, 1), where products stay in range.
	x = newFloat(w).SetMantExp(x, -ex)
	y = newFloat(w).SetMantExp(y, -ex)
	fx := approx(x)
	fy := approx(y)
	z := newFloat(w).SetFloat64(math.Atan2(fy, fx))
	// The angle of (x, y) turned back by z is within about 2^-52 of 0.
	s, c := sinCosSeries(z, w)
	t := newFloat(w).Mul(y, c)
	t.Sub(t, newFloat(w).Mul(x, s))
	d := c.Mul(x, c)
	d.Add(d, s.Mul(y, s))
	return z.Add(z, oddSeries(t.Quo(t, d), true, w))
}
