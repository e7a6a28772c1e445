package bigfloat

import "math/big"

// PowInt returns x to the integer power n. PowInt(x, 0) is 1 for every x, and
// PowInt(±0, n) is an infinity for n < 0, negative only for -0 and odd n. It is cheaper
// than [Pow] for small n; the product of |n| factors loses log2 |n| bits, for which
// the guard bits just suffice.
func PowInt(x *big.Float, n int64) *big.Float {
	prec := precOf(x)
	if n == 0 {
		return small(1, prec)
	}
	m := uint64(n)
	if n < 0 {
		m = -m
	}
	// The exponent of x^m may leave the range that 1/x^m still has, so the
	// reciprocal is taken first.
	w := prec + guard
	base := newFloat(w).Abs(x)
	if n < 0 {
		base = reciprocal(base)
	}
	z := small(1, w)
	for {
		if m&1 != 0 {
			z.Mul(z, base)
		}
		if m >>= 1; m == 0 {
			break
		}
		base.Mul(base, base)
	}
	return round(withSign(z, x.Signbit() && n%2 != 0), prec)
}

// Pow returns x to the power y; ok is false for finite x < 0 and finite y that
// is not an integer. It is exact wherever the result fits. As in IEEE 754:
//
//	Pow(x, ±0) = 1 for every x and Pow(1, y) = 1 for every y
//	Pow(-1, ±Inf) = 1
//	Pow(x, ±Inf) is 0 or +Inf, by |x| and the sign of y
//	Pow(±0, y), Pow(±Inf, y) are 0 or +Inf, with the sign of x for odd integers y
func Pow(x, y *big.Float) (z *big.Float, ok bool) {
	prec := precOf2(x, y)
	one := small(1, 1)
	if y.Sign() == 0 || x.Cmp(one) == 0 {
		return small(1, prec), true
	}
	a := newFloat(precOf(x)).Abs(x)
	unit := a.Cmp(one)
	negative := x.Signbit() && odd(y)
	switch {
	case unit == 0 && y.IsInf():
		return small(1, prec), true
	case x.Sign() == 0 || x.IsInf() || y.IsInf():
		z = newFloat(prec)
		if (unit > 0) == (y.Sign() > 0) {
			z.SetInf(false)
		}
		return withSign(z, negative), true
	case x.Sign() < 0 && !y.IsInt():
		return nil, false
	}
	// The exponential turns the absolute error of y*log|x| into a relative one.
	w := prec + guard
	p := w + maxArgExp
	t := log(a, p)
	return round(withSign(exp(t.Mul(t, y), w), negative), prec), true
}

// odd reports whether y is an odd integer.
func odd(y *big.Float) bool {
	// The last bit of the significand has the weight 2^(exponent - MinPrec).
	return y.Sign() != 0 && !y.IsInf() && y.MantExp(nil) == int(y.MinPrec())
}
