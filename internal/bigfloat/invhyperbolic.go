package bigfloat

import "math/big"

// Asinh returns the inverse hyperbolic sine: Asinh(±0) = ±0,
// Asinh(±Inf) = ±Inf.
func Asinh(x *big.Float) *big.Float {
	prec := precOf(x)
	if x.Sign() == 0 || x.IsInf() {
		return newFloat(prec).Set(x)
	}
	w := prec + guard
	a := newFloat(w).Abs(x)
	e := a.MantExp(nil)
	var z *big.Float
	switch {
	case e > int(w):
		z = logTwice(a, w)
	case e < -int(w):
		z = a
	default:
		// asinh a = log1p(a + a²/(1 + sqrt(1+a²))).
		one := small(1, w)
		sq := newFloat(w).Mul(a, a)
		root := newFloat(w).Add(sq, one)
		root.Sqrt(root)
		sq.Quo(sq, root.Add(root, one))
		z = log1p(sq.Add(sq, a), w)
	}
	return round(withSign(z, x.Signbit()), prec)
}

// Acosh returns the inverse hyperbolic cosine; ok is false for x < 1.
// Acosh(1) = +0, Acosh(+Inf) = +Inf.
func Acosh(x *big.Float) (z *big.Float, ok bool) {
	prec := precOf(x)
	switch {
	case x.Cmp(small(1, 1)) < 0:
		return nil, false
	case x.IsInf():
		return infinity(false, prec), true
	}
	w := prec + guard
	if x.MantExp(nil) > int(w) {
		return round(logTwice(x, w), prec), true
	}
	// With d = x-1, which is exact for x close to 1:
	// acosh x = log1p(d + sqrt(d*(d+2))).
	d := newFloat(w).Sub(x, small(1, w))
	root := newFloat(w).Add(d, small(2, w))
	root.Mul(root, d)
	return round(log1p(d.Add(d, root.Sqrt(root)), w), prec), true
}

// Atanh returns the inverse hyperbolic tangent; ok is false for |x| > 1.
// Atanh(±0) = ±0, Atanh(±1) = ±Inf.
func Atanh(x *big.Float) (z *big.Float, ok bool) {
	prec := precOf(x)
	if x.Sign() == 0 {
		return newFloat(prec).Set(x), true
	}
	w := prec + guard
	a := newFloat(w).Abs(x)
	switch a.Cmp(small(1, 1)) {
	case 1:
		return nil, false
	case 0:
		return infinity(x.Signbit(), prec), true
	}
	// 2 atanh a = log1p(2a/(1-a)).
	q := add(small(1, w), newFloat(w).Neg(a), w)
	q.Quo(a, q)
	q.SetMantExp(q, 1)
	return round(withSign(half(log1p(q, w)), x.Signbit()), prec), true
}

// logTwice returns log 2x to w bits; x may be as large as it gets.
func logTwice(x *big.Float, w uint) *big.Float {
	z := log(x, w)
	return z.Add(z, Ln2(w))
}
