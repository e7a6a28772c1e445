package bigfloat

import "math/big"

// Sinh returns the hyperbolic sine: Sinh(±0) = ±0, Sinh(±Inf) = ±Inf.
func Sinh(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + guard
	a := newFloat(precOf(x)).Abs(x)
	if z, ok := farHyperbolic(a, w); ok {
		return round(withSign(z, x.Signbit()), prec)
	}
	// With e = expm1(|x|): 2 sinh |x| = e + e/(1+e).
	e := expm1(a, w)
	z := add(e, small(1, w), w)
	z.Add(e, z.Quo(e, z))
	return round(withSign(half(z), x.Signbit()), prec)
}

// Cosh returns the hyperbolic cosine: Cosh(±0) = 1, Cosh(±Inf) = +Inf.
func Cosh(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + guard
	a := newFloat(precOf(x)).Abs(x)
	if z, ok := farHyperbolic(a, w); ok {
		return round(z, prec)
	}
	e := exp(a, w)
	return round(half(e.Add(e, reciprocal(e))), prec)
}

// Tanh returns the hyperbolic tangent: Tanh(±0) = ±0, Tanh(±Inf) = ±1.
func Tanh(x *big.Float) *big.Float {
	prec := precOf(x)
	if x.Sign() == 0 {
		return newFloat(prec).Set(x)
	}
	w := prec + guard
	twice := newFloat(w).Abs(x)
	twice.SetMantExp(twice, 1)
	// tanh |x| = -t/(2+t) with t = e^(-2|x|) - 1, which cannot overflow.
	t := expm1(twice.Neg(twice), w)
	z := newFloat(w).Quo(t, add(t, small(2, w), w))
	return round(withSign(z.Neg(z), x.Signbit()), prec)
}

// farHyperbolic gives sinh a and cosh a for a >= 0 where both are e^a/2 to w
// bits. That may be finite where e^a is not.
func farHyperbolic(a *big.Float, w uint) (*big.Float, bool) {
	// e^-2a < 2^-w for a > w/2.
	if a.Cmp(small(int64(w/2), 64)) <= 0 {
		return nil, false
	}
	if z, ok := farExp(a, w); ok {
		return z, true
	}
	k, e := reduceExpm1(a, w)
	e.Add(e, small(1, w))
	return e.SetMantExp(e, k-1), true
}
