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
	return round(exp(x, prec+guard), prec)
}

// Exp2 returns 2^x, exactly for an integer x: Exp2(±0) = 1, Exp2(-Inf) = 0,
// Exp2(+Inf) = +Inf.
func Exp2(x *big.Float) *big.Float {
	prec := precOf(x)
	if z, ok := farExp(x, prec); ok {
		return z
	}
	w := prec + guard
	f := approx(x)
	k := math.RoundToEven(f)
	r := add(x, newFloat(53).SetFloat64(-k), w+maxArgExp)
	e := expm1Series(r.Mul(r, Ln2(w)), w)
	e = add(e, small(1, w), w)
	return round(e.SetMantExp(e, int(k)), prec)
}

// Expm1 returns e^x - 1 without cancellation near 0: Expm1(±0) = ±0,
// Expm1(-Inf) = -1, Expm1(+Inf) = +Inf.
func Expm1(x *big.Float) *big.Float {
	prec := precOf(x)
	return round(expm1(x, prec+guard), prec)
}

// farExp gives b^x, b = 2 or e, where it needs no arithmetic: at infinities and
// where the result leaves the exponent range.
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

// exp returns e^x to w bits.
func exp(x *big.Float, w uint) *big.Float {
	if z, ok := farExp(x, w); ok {
		return z
	}
	k, e := reduceExpm1(x, w)
	e = add(e, small(1, w), w)
	return e.SetMantExp(e, k)
}

// expm1 returns e^x - 1 to w bits, relative.
func expm1(x *big.Float, w uint) *big.Float {
	if x.Sign() == 0 {
		return newFloat(w).Set(x)
	}
	if z, ok := farExp(x, w); ok {
		if z.Sign() == 0 {
			return z.SetInt64(-1)
		}
		return z
	}
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

// reduceExpm1 returns k and e with exp(x) = 2^k * (1 + e), -0.3 < e < 0.42, for
// x that farExp leaves over; k is 0 for |x| < 0.34, so that e is then exp(x) - 1
// to full relative accuracy.
func reduceExpm1(x *big.Float, w uint) (int, *big.Float) {
	f := approx(x)
	if math.Abs(f) < 0.34 {
		return 0, expm1Series(x, w)
	}
	k := int(math.Round(f * math.Log2E))
	// Subtracting k ln 2 cancels as many bits as x has before the point.
	p := w + uint(max(0, x.MantExp(nil)))
	r := small(int64(k), p)
	r.Mul(r, Ln2(p))
	return k, expm1Series(r.Sub(newFloat(p).Set(x), r), w)
}
