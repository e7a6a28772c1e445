package ufunc

import (
	"math"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Float is what the functions of plain kernels are generic over.
type Float interface{ ~float32 | ~float64 }

// Abs is |x|.
func Abs[T Float](x T) T { return T(math.Abs(float64(x))) }

// Ceil is the least integer that is at least x.
func Ceil[T Float](x T) T { return T(math.Ceil(float64(x))) }

// Copysign has the magnitude of x and the sign bit of y.
func Copysign[T Float](x, y T) T { return T(math.Copysign(float64(x), float64(y))) }

// Exp is e^x, within an ulp; in float32 it is correctly rounded but for about one argument in 2^29.
func Exp[T Float](x T) T { return T(math.Exp(float64(x))) }

// Expm1 is e^x - 1, accurate also near zero; rounded like Exp.
func Expm1[T Float](x T) T { return T(math.Expm1(float64(x))) }

// Floor is the greatest integer that is at most x.
func Floor[T Float](x T) T { return T(math.Floor(float64(x))) }

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
	if isFloat32[T]() {
		return T(interp.Log32(float32(x)))
	}
	return T(interp.Log(float64(x)))
}

// Logb is the binary exponent of x: the integer k with 2^k <= |x| < 2^(k+1); -Inf at zero, +Inf at infinities.
func Logb[T Float](x T) T { return T(math.Logb(float64(x))) }

// Max is the greater of x and y: NaN if either is NaN, as the builtin function's, and -0 < +0.
func Max[T Float](x, y T) T { return max(x, y) }

// Min is the lesser of x and y: NaN if either is NaN, as the builtin function's, and -0 < +0.
func Min[T Float](x, y T) T { return min(x, y) }

// Pow is x^y, with the special cases of math.Pow. In float32 it is correctly rounded but for few arguments.
func Pow[T Float](x, y T) T { return T(math.Pow(float64(x), float64(y))) }

// RoundToEven is the integer nearest to x, ties to even.
func RoundToEven[T Float](x T) T { return T(math.RoundToEven(float64(x))) }

// Sqrt is the square root of x, correctly rounded.
func Sqrt[T Float](x T) T { return T(math.Sqrt(float64(x))) }

// Tanh is the hyperbolic tangent of x; rounded like Exp.
func Tanh[T Float](x T) T { return T(math.Tanh(float64(x))) }

// Trunc is the integer part of x.
func Trunc[T Float](x T) T { return T(math.Trunc(float64(x))) }

// The functions below are package math's, rounded to the type.

// Acos is the arc cosine of x.
func Acos[T Float](x T) T { return settled(elementary.Acos, x, math.Acos(float64(x))) }

// Acosh is the inverse hyperbolic cosine of x.
func Acosh[T Float](x T) T { return settled(elementary.Acosh, x, math.Acosh(float64(x))) }

// Asin is the arc sine of x.
func Asin[T Float](x T) T { return settled(elementary.Asin, x, math.Asin(float64(x))) }

// Asinh is the inverse hyperbolic sine of x.
func Asinh[T Float](x T) T { return settled(elementary.Asinh, x, math.Asinh(float64(x))) }

// Atan is the arc tangent of x.
func Atan[T Float](x T) T { return settled(elementary.Atan, x, math.Atan(float64(x))) }

// Atanh is the inverse hyperbolic tangent of x.
func Atanh[T Float](x T) T { return settled(elementary.Atanh, x, math.Atanh(float64(x))) }

// Cbrt is the cube root of x.
func Cbrt[T Float](x T) T { return settled(elementary.Cbrt, x, math.Cbrt(float64(x))) }

// Cos is the cosine of x, in radians.
func Cos[T Float](x T) T { return settled(elementary.Cos, x, math.Cos(float64(x))) }

// Cosh is the hyperbolic cosine of x.
func Cosh[T Float](x T) T { return settled(elementary.Cosh, x, math.Cosh(float64(x))) }

// Erf is the error function of x.
func Erf[T Float](x T) T { return settled(elementary.Erf, x, math.Erf(float64(x))) }

// Erfc is 1 - erf(x), accurate also in its tail.
func Erfc[T Float](x T) T { return settled(elementary.Erfc, x, math.Erfc(float64(x))) }

// Exp2 is 2^x.
func Exp2[T Float](x T) T { return settled(elementary.Exp2, x, math.Exp2(float64(x))) }

// Log10 is the decimal logarithm of x.
func Log10[T Float](x T) T { return settled(elementary.Log10, x, math.Log10(float64(x))) }

// Log1p is log(1 + x), accurate also near zero.
func Log1p[T Float](x T) T { return settled(elementary.Log1p, x, math.Log1p(float64(x))) }

// Log2 is the binary logarithm of x.
func Log2[T Float](x T) T { return settled(elementary.Log2, x, math.Log2(float64(x))) }

// Sin is the sine of x, in radians.
func Sin[T Float](x T) T { return settled(elementary.Sin, x, math.Sin(float64(x))) }

// Sinh is the hyperbolic sine of x.
func Sinh[T Float](x T) T { return settled(elementary.Sinh, x, math.Sinh(float64(x))) }

// Tan is the tangent of x, in radians.
func Tan[T Float](x T) T { return settled(elementary.Tan, x, math.Tan(float64(x))) }

// Atan2 is the angle of the point (x, y), in radians; note the order of the arguments.
func Atan2[T Float](y, x T) T { return T(math.Atan2(float64(y), float64(x))) }

// Hypot is sqrt(x² + y²), without overflow on the way.
func Hypot[T Float](x, y T) T { return T(math.Hypot(float64(x), float64(y))) }

// Rsqrt is 1/sqrt(x); -Inf at -0, as 1/sqrt(-0) is.
func Rsqrt[T Float](x T) T { return defined(elementary.Rsqrt, x) }

// Mod is x - y*Trunc(x/y), exactly, with the special cases of math.Mod: the sign is x's; NaN where x is infinite or y is 0.
func Mod[T Float](x, y T) T { return T(math.Mod(float64(x), float64(y))) }

// Remainder is x - y*n, exactly, where n is the integer nearest to x/y, ties to even: math.Remainder.
func Remainder[T Float](x, y T) T { return T(math.Remainder(float64(x), float64(y))) }

// The functions below are not in package math. At the infinities those of neural networks have their limits.

// Ldexp is x*2^k rounded once, for an integer k of the type.
func Ldexp[T Float](x, k T) T { return T(interp.Ldexp(float64(x), float64(k))) }

// Sign is -1 or 1 by the sign of x, and x itself where that is a zero or NaN.
func Sign[T Float](x T) T { return defined(elementary.Sign, x) }

// Sigmoid is 1/(1 + e^-x).
func Sigmoid[T Float](x T) T { return defined(elementary.Sigmoid, x) }

// Silu is x/(1 + e^-x), also called swish; -0 at -Inf.
func Silu[T Float](x T) T { return defined(elementary.Silu, x) }

// Softplus is log(1 + e^x), accurate also where e^x overflows or is lost beside 1.
func Softplus[T Float](x T) T { return defined(elementary.Softplus, x) }

// Gelu is x*Φ(x), Φ being the normal distribution function: x/2*(1 + erf(x/√2)); -0 at -Inf.
func Gelu[T Float](x T) T { return defined(elementary.Gelu, x) }

// GeluTanh approximates Gelu by x/2*(1 + tanh(√(2/π)*(x + 0.044715*x³))); -0 at -Inf.
func GeluTanh[T Float](x T) T { return defined(elementary.GeluTanh, x) }

// Mish is x*tanh(log(1 + e^x)); -0 at -Inf.
func Mish[T Float](x T) T { return defined(elementary.Mish, x) }

// Elu is x for x > 0 and e^x - 1 below.
func Elu[T Float](x T) T { return defined(elementary.Elu, x) }

// Selu is λ*x for x > 0 and λ*α*(e^x - 1) below, with the constants of Klambauer et al. (2017).
func Selu[T Float](x T) T { return defined(elementary.Selu, x) }

// defined is a function of package elementary in T.
func defined[T Float](d *ir.Def, x T) T {
	args := []float64{float64(x)}
	if isFloat32[T]() {
		return T(d.Float32(args))
	}
	return T(d.Eval(args))
}

// settled is defined where the float64 value is known.
func settled[T Float](d *ir.Def, x T, y float64) T {
	if isFloat32[T]() && ir.NextToTie(y) {
		return T(d.Float32([]float64{float64(x)}))
	}
	return T(y)
}

func isFloat32[T Float]() bool {
	tiny := T(0x1p-100)
	return tiny*tiny == 0
}
