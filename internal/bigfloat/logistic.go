package bigfloat

import "math/big"

// Sigmoid returns the logistic function 1/(1 + e^-x): Sigmoid(±0) = 1/2,
// Sigmoid(-Inf) = 0, Sigmoid(+Inf) = 1.
func Sigmoid(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + guard
	num, den := small(1, w), decay(x, w)
	if x.Signbit() {
		num = den
	}
	return round(newFloat(w).Quo(num, add(den, small(1, w), w)), prec)
}

// Softplus returns log(1 + e^x), which overflows nowhere: Softplus(±0) = log 2,
// Softplus(-Inf) = 0, Softplus(+Inf) = +Inf.
func Softplus(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + guard
	z := log1p(decay(x, w), w)
	if !x.Signbit() {
		z = add(z, x, w)
	}
	return round(z, prec)
}

// decay returns e^-|x| to w bits.
func decay(x *big.Float, w uint) *big.Float {
	a := newFloat(precOf(x)).Abs(x)
	return exp(a.Neg(a), w)
}
