// Package bigfloat evaluates elementary functions, the error function and
// constants on math/big floating-point numbers.
//
// In: *big.Float arguments, which are never modified. Out: a new *big.Float
// within 2 units in the last place of the exact value, of the precision of the
// argument, or of the larger precision of two. A precision of 0 (the zero value
// of big.Float) counts as 64 bits. No function panics: results at zeros and
// infinities are those of IEEE 754, and a function with a hole in its domain
// reports it by ok = false and a nil result. Results outside the exponent range
// of big.Float become 0 or an infinity.
//
// The bound of 2 units is relative everywhere, also next to zeros of a function
// (sine near multiples of π, logarithm near 1) and far out in its tail (Erfc).
//
// The functions know nothing about float32, float64 or rounding modes: they
// round to nearest even. The only state is three constants, each computed once.
//
// Methods: two fixed-point Taylor series with argument doubling, e^r - 1 and
// sin r together with 1 - cos r; logarithm and arctangent by one step from their
// float64 values, which leaves a short atanh or atan series in about 2^-52
// (R. Brent and P. Zimmermann, Modern Computer Arithmetic, Cambridge 2010,
// chapter 4); erfc by the trapezoidal rule (C. Chiarella and A. Reichel, On the
// evaluation of integrals related to the error function, Math. Comp. 22, 1968).
package bigfloat

import "math/big"

const (
	// guard is the number of extra bits carried inside every function. Each but
	// [PowInt] loses well below 32 of them up to 2^20 bits of precision.
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

// precOf2 is the precision of a function of two arguments.
func precOf2(x, y *big.Float) uint { return max(precOf(x), precOf(y)) }

func newFloat(prec uint) *big.Float { return new(big.Float).SetPrec(prec) }

func small(v int64, prec uint) *big.Float { return newFloat(prec).SetInt64(v) }

func infinity(negative bool, prec uint) *big.Float { return newFloat(prec).SetInf(negative) }

func round(z *big.Float, prec uint) *big.Float { return z.SetPrec(prec) }

// withSign sets the sign of z >= 0.
func withSign(z *big.Float, negative bool) *big.Float {
	if negative {
		z.Neg(z)
	}
	return z
}

// add returns x + y to w bits. The sums of big.Float take as much room as the
// exponents of the summands differ, so one too small to count is left out.
func add(x, y *big.Float, w uint) *big.Float {
	if x.Sign() != 0 && y.Sign() != 0 && !x.IsInf() && !y.IsInf() {
		switch d := x.MantExp(nil) - y.MantExp(nil); {
		case d > int(w)+2:
			return newFloat(w).Set(x)
		case -d > int(w)+2:
			return newFloat(w).Set(y)
		}
	}
	return newFloat(w).Add(x, y)
}

// approx returns x to float64. The method of big.Float takes a number with the
// least exponent, big.MinExp, for an infinity.
func approx(x *big.Float) float64 {
	if x.Sign() != 0 && x.MantExp(nil) < -2000 {
		return 0
	}
	f, _ := x.Float64()
	return f
}

// half halves z in place.
func half(z *big.Float) *big.Float { return z.SetMantExp(z, -1) }

// square returns x² exactly, whatever its exponent permits.
func square(x *big.Float) *big.Float { return newFloat(2*precOf(x)).Mul(x, x) }

// oneMinusSquare returns 1 - x² to w bits, relative, for |x| <= 1.
func oneMinusSquare(x *big.Float, w uint) *big.Float {
	one := small(1, w)
	z := add(one, x, w)
	return z.Mul(z, add(one, newFloat(w).Neg(x), w))
}

// reciprocal returns 1/x, with 1/±0 = ±Inf.
func reciprocal(x *big.Float) *big.Float {
	return newFloat(x.Prec()).Quo(small(1, x.Prec()), x)
}
