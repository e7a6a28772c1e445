package ufunc

import (
	"math"
	"unsafe"
)

// Float is what the functions of plain kernels are generic over.
type Float interface{ ~float32 | ~float64 }

// Abs is |x|.
func Abs[T Float](x T) T { return T(math.Abs(float64(x))) }

// Copysign has the magnitude of x and the sign bit of y.
func Copysign[T Float](x, y T) T { return T(math.Copysign(float64(x), float64(y))) }

// Exp is e^x, within an ulp; in float32 it is correctly rounded but for about one argument in 2^29.
func Exp[T Float](x T) T { return T(math.Exp(float64(x))) }

// Expm1 is e^x - 1, accurate also near zero; rounded like Exp.
func Expm1[T Float](x T) T { return T(math.Expm1(float64(x))) }

// FMA is x*y + z, rounded once.
func FMA[T Float](x, y, z T) T {
	if unsafe.Sizeof(x) == 8 {
		return T(math.FMA(float64(x), float64(y), float64(z)))
	}
	// The product is exact. Rounding the sum to odd keeps what the last rounding, to 24 bits, has to know about the lost part
	// (Boldo and Melquiond 2008).
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	if s-s != 0 { // infinite or NaN
		return T(s)
	}
	t := s - p
	lost := (p - (s - t)) + (c - t) // Knuth's two-sum
	bits := math.Float64bits(s)
	if lost != 0 && bits&1 == 0 {
		if (lost > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
	}
	return T(math.Float64frombits(bits))
}

// Log is the natural logarithm of x; rounded like Exp, also for float64 subnormals, where math.Log is wrong on amd64.
func Log[T Float](x T) T {
	const smallestNormal, shift = 0x1p-1022, 54 // the shift makes every subnormal normal
	y := float64(x)
	if 0 < y && y < smallestNormal {
		return T(math.Log(y*(1<<shift)) - shift*math.Ln2)
	}
	return T(math.Log(y))
}

// Logb is the binary exponent of x: the integer k with 2^k <= |x| < 2^(k+1); -Inf at zero, +Inf at infinities.
func Logb[T Float](x T) T { return T(math.Logb(float64(x))) }

// Pow is x^y, with the special cases of math.Pow. In float32 it is correctly rounded but for few arguments.
func Pow[T Float](x, y T) T { return T(math.Pow(float64(x), float64(y))) }

// RoundToEven is the integer nearest to x, ties to even.
func RoundToEven[T Float](x T) T { return T(math.RoundToEven(float64(x))) }

// Sqrt is the square root of x, correctly rounded.
func Sqrt[T Float](x T) T { return T(math.Sqrt(float64(x))) }

// Tanh is the hyperbolic tangent of x; rounded like Exp.
func Tanh[T Float](x T) T { return T(math.Tanh(float64(x))) }
