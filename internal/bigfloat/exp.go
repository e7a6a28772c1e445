package bigfloat

import (
	"math"
	"math/big"
)

// maxArgExp bounds the binary exponent of arguments that are worth reducing:
// beyond |x| = 2^33 every exponential is outside big.Float's 32-bit exponent.
const maxArgExp = 33

// Exp returns e^x: Exp(±0) = 1, Exp(-Inf) = 0, Exp(+Inf) = +Inf.
func Exp(x *big.Float) *big.Float {
	prec := precOf(x)
	if z, ok := farExp(x, prec); ok {
		return z
	}
	k, e := reduceExpm1(x, prec+guard)
	e.Add(e, small(1, prec+guard))
	return round(e.SetMantExp(e, k), prec)
}

// Expm1 returns e^x - 1 without cancellation near 0: Expm1(±0) = ±0,
// Expm1(-Inf) = -1, Expm1(+Inf) = +Inf.
func Expm1(x *big.Float) *big.Float {
	prec := precOf(x)
	// e^x - 1 = x*(1 + x/2 + ...): x itself is close enough below 2^-prec, and
	// scaling it down could leave the exponent range.
	if x.Sign() == 0 || x.MantExp(nil) < -int(prec) && !x.IsInf() {
		return newFloat(prec).Set(x)
	}
	if z, ok := farExp(x, prec); ok {
		if z.Sign() == 0 {
			return z.SetInt64(-1)
		}
		return z
	}
	return round(expm1(x, prec+guard), prec)
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
	t := Expm1(twice.Neg(twice))
	z := newFloat(w).Quo(t, newFloat(w).Add(t, small(2, w)))
	if !x.Signbit() {
		z.Neg(z)
	}
	return round(z, prec)
}

// farExp gives e^x where it needs no arithmetic: at infinities and where the
// result leaves the exponent range.
func farExp(x *big.Float, prec uint) (*big.Float, bool) {
	if !x.IsInf() && x.MantExp(nil) <= maxArgExp {
		return nil, false
	}
	z := newFloat(prec)
	if !x.Signbit() {
		z.SetInf(false)
	}
	return z, true
}

// expm1 returns e^x - 1 to w bits for x that farExp leaves over.
func expm1(x *big.Float, w uint) *big.Float {
	k, e := reduceExpm1(x, w)
	if k == 0 {
		return e
	}
	// 2^k*(1+e) - 1 cancels at most two bits, since |k ln 2 + log(1+e)| > 0.34.
	one := small(1, w)
	e.Add(e, one)
	e.SetMantExp(e, k)
	return e.Sub(e, one)
}

// reduceExpm1 returns k and e with exp(x) = 2^k * (1 + e), -0.3 < e < 0.42;
// k is 0 for |x| < 0.34, so that e is then exp(x) - 1 to full relative
// accuracy.
func reduceExpm1(x *big.Float, w uint) (int, *big.Float) {
	r := newFloat(w).Set(x)
	k := 0
	if f, _ := x.Float64(); math.Abs(f) >= 0.34 {
		k = int(math.Round(f * math.Log2E))
		// Subtracting k ln 2 cancels as many bits as x has before the point.
		p := w + maxArgExp
		r = newFloat(p).Set(x)
		r.Sub(r, newFloat(p).Mul(small(int64(k), p), Ln2(p)))
		r.SetPrec(w)
	}
	if r.Sign() == 0 {
		return k, r
	}

	// Halve j times, sum the series, double j times by
	// expm1(2y) = expm1(y)*(2 + expm1(y)). j of about sqrt(w) balances both.
	j := int(math.Sqrt(float64(w)))
	p := w + uint(j)
	y := newFloat(p).SetMantExp(r, -j)
	sum := newFloat(p).Set(y)
	term := newFloat(p).Set(y)
	for n := int64(2); ; n++ {
		term.Mul(term, y)
		term.Quo(term, small(n, p))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-int(p) {
			break
		}
		sum.Add(sum, term)
	}
	two := small(2, p)
	for range j {
		sum.Mul(sum, newFloat(p).Add(sum, two))
	}
	return k, sum.SetPrec(w)
}
