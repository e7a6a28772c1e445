// Package bigfloat evaluates elementary functions and constants on
// math/big floating-point numbers.
//
// In: a *big.Float, which is never modified. Out: a new *big.Float of the same
// precision, within 2 units in the last place of the exact value. A precision
// of 0 (the zero value of big.Float) counts as 64 bits. No function panics:
// results at zeros and infinities are those of IEEE 754, and the one function
// with a hole in its domain, [Log], reports it. Results outside the exponent
// range of big.Float become 0 or an infinity.
//
// The functions know nothing about float32, float64 or rounding modes: they
// round to nearest even. There is no cache and no state.
//
// Methods: argument reduction by ln 2, Taylor series of expm1 with the
// doubling rule, Halley's iteration for log (R. Brent and P. Zimmermann,
// Modern Computer Arithmetic, Cambridge 2010, chapter 4).
package bigfloat

import "math/big"

const (
	// guard is the number of extra bits carried inside every function. Each
	// loses well below 32 of them up to 2^20 bits of precision.
	guard = 64
	// defaultPrec stands in for the precision of the zero value of big.Float.
	defaultPrec = 64
)

func precOf(x *big.Float) uint {
	if p := x.Prec(); p != 0 {
		return p
	}
	return defaultPrec
}

func newFloat(prec uint) *big.Float { return new(big.Float).SetPrec(prec) }

func small(v int64, prec uint) *big.Float { return newFloat(prec).SetInt64(v) }

func round(z *big.Float, prec uint) *big.Float { return z.SetPrec(prec) }

// Pow returns x to the integer power n. Pow(x, 0) is 1 for every x, and
// Pow(±0, n) is an infinity for n < 0, negative only for -0 and odd n.
func Pow(x *big.Float, n int64) *big.Float {
	prec := precOf(x)
	if n == 0 {
		return small(1, prec)
	}
	negative := x.Signbit() && n%2 != 0
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
	if negative {
		z.Neg(z)
	}
	return round(z, prec)
}

// reciprocal returns 1/x for x >= 0, with 1/0 = +Inf.
func reciprocal(x *big.Float) *big.Float {
	return newFloat(x.Prec()).Quo(small(1, x.Prec()), x)
}
