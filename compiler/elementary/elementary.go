// Package elementary is the table of functions that yolk knows beyond the operations of ir: one row each, with the function's
// meaning in float64 and over the reals and its range. A row is an ir.Def, as users write them for operations of their own;
// rules lower them to machine operations.
//
// The package holds meanings only. It knows no rule, no approximation, no cost and no machine. Special values are those of
// package math (C99, annex F); the high-precision meanings are package bigfloat's, the quick ones package double's.
package elementary

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/internal/double"
)

// The functions. What package math loses is in the last column: an absolute error near a zero that it does not know of.
var (
	Exp2  = one("exp2", math.Exp2, always(bigfloat.Exp2), double.Exp2, nonNegative, nil)
	Log2  = one("log2", math.Log2, bigfloat.Log2, double.Log2, nil, absolute(1))
	Log10 = one("log10", math.Log10, bigfloat.Log10, double.Log10, nil, absolute(1))
	Log1p = one("log1p", math.Log1p, bigfloat.Log1p, double.Log1p, increasing(math.Log1p), nil)

	Cbrt  = one("cbrt", math.Cbrt, always(bigfloat.Cbrt), double.Cbrt, increasing(math.Cbrt), nil)
	Rsqrt = one("rsqrt", rsqrt, bigfloat.Rsqrt, double.Rsqrt, positive, nil)
	Hypot = two("hypot", math.Hypot, func(x, y *big.Float) (*big.Float, bool) { return bigfloat.Hypot(x, y), true }, double.Hypot, nonNegative)

	Sin  = one("sin", math.Sin, bigfloat.Sin, double.Sin, within(-1, 1), absolute(1))
	Cos  = one("cos", math.Cos, bigfloat.Cos, double.Cos, within(-1, 1), absolute(1))
	Tan  = one("tan", math.Tan, bigfloat.Tan, double.Tan, nil, func(_ []float64, y float64) float64 { return (1 + y*y) * loss })
	Asin = one("asin", math.Asin, bigfloat.Asin, double.Asin, within(-math.Pi/2, math.Pi/2), nearOne)
	Acos = one("acos", math.Acos, bigfloat.Acos, double.Acos, within(0, math.Pi), nearOne)
	Atan = one("atan", math.Atan, always(bigfloat.Atan), double.Atan, within(-math.Pi/2, math.Pi/2), nil)
	// Atan2 takes y, then x, as package math does.
	Atan2 = two("atan2", atan2, func(y, x *big.Float) (*big.Float, bool) { return bigfloat.Atan2(y, x), true }, double.Atan2, within(-math.Pi, math.Pi))

	Sinh  = one("sinh", math.Sinh, always(bigfloat.Sinh), double.Sinh, increasing(math.Sinh), nil)
	Cosh  = one("cosh", math.Cosh, always(bigfloat.Cosh), double.Cosh, atLeast1, nil)
	Asinh = one("asinh", math.Asinh, always(bigfloat.Asinh), double.Asinh, increasing(math.Asinh), nil)
	Acosh = one("acosh", math.Acosh, bigfloat.Acosh, double.Acosh, nonNegative, nil)
	Atanh = one("atanh", math.Atanh, bigfloat.Atanh, double.Atanh, nil, nil)

	Erf  = one("erf", math.Erf, always(bigfloat.Erf), double.Erf, within(-1, 1), nil)
	Erfc = one("erfc", math.Erfc, always(bigfloat.Erfc), double.Erfc, within(0, 2), nil)
)

// loss is what package math may lose in absolute terms at results near 1: some ulp of 1, with room.
const loss = 0x1p-49

func absolute(scale float64) func([]float64, float64) float64 {
	return func([]float64, float64) float64 { return scale * loss }
}

// nearOne is the loss of 1 - x² under a square root: package math takes asin and acos through it.
func nearOne(x []float64, _ float64) float64 {
	return loss * (1 + 1/math.Sqrt(math.Abs(1-x[0]*x[0])+0x1p-53))
}

// Defs lists all functions, in the order of the table.
func Defs() []*ir.Def {
	return []*ir.Def{
		Exp2, Log2, Log10, Log1p, Cbrt, Rsqrt, Hypot, Sin, Cos, Tan, Asin, Acos, Atan, Atan2,
		Sinh, Cosh, Asinh, Acosh, Atanh, Erf, Erfc,
		Sigmoid, Silu, Softplus, Gelu, GeluTanh, Mish, Elu, Selu, Fmod, Remainder, Sign,
	}
}

// one makes the row of a function of one operand. real reports false where there is no real value, and near is its quick form or nil; loss is ir.Def's Error,
// beyond an ulp.
func one(name string, eval func(float64) float64, real func(*big.Float) (*big.Float, bool), near func(double.Double) (double.Double, float64, bool),
	fact func([]ir.Fact) ir.Fact, loss func([]float64, float64) float64) *ir.Def {
	d := &ir.Def{
		Name: name, Arity: 1, Fact: fact, Error: loss,
		Eval: func(x []float64) float64 { return eval(x[0]) },
		Real: func(x []*big.Float) *big.Float {
			if y, ok := real(x[0]); ok {
				return y
			}
			return nil
		},
	}
	if near != nil {
		d.Near = func(x []double.Double) (double.Double, float64, bool) { return near(x[0]) }
	}
	return d
}

// two is one for two operands.
func two(name string, eval func(x, y float64) float64, real func(x, y *big.Float) (*big.Float, bool),
	near func(x, y double.Double) (double.Double, float64, bool), fact func([]ir.Fact) ir.Fact) *ir.Def {
	d := &ir.Def{
		Name: name, Arity: 2, Fact: fact,
		Eval: func(x []float64) float64 { return eval(x[0], x[1]) },
		Real: func(x []*big.Float) *big.Float {
			if y, ok := real(x[0], x[1]); ok {
				return y
			}
			return nil
		},
	}
	if near != nil {
		d.Near = func(x []double.Double) (double.Double, float64, bool) { return near(x[0], x[1]) }
	}
	return d
}

func always(f func(*big.Float) *big.Float) func(*big.Float) (*big.Float, bool) {
	return func(x *big.Float) (*big.Float, bool) { return f(x), true }
}

// The ranges. Bounds that are no float64 are rounded outwards by an ulp.

func positive([]ir.Fact) ir.Fact { return ir.Fact{Lo: 0, Hi: math.Inf(1), NonZero: true} }

func nonNegative([]ir.Fact) ir.Fact { return ir.Fact{Lo: 0, Hi: math.Inf(1)} }

func atLeast1([]ir.Fact) ir.Fact { return ir.Between(1, math.Inf(1)) }

func within(lo, hi float64) func([]ir.Fact) ir.Fact {
	fact := ir.Between(math.Nextafter(lo, math.Inf(-1)), math.Nextafter(hi, math.Inf(1)))
	if lo == 0 || lo == -1 {
		fact.Lo = lo
	}
	if hi == 1 || hi == 2 {
		fact.Hi = hi
	}
	return func([]ir.Fact) ir.Fact { return fact }
}

// slack covers the error of package math, which is below an ulp or two.
const slack = 1 + 0x1p-50

// increasing bounds an odd or otherwise increasing function by its values at the ends.
func increasing(f func(float64) float64) func([]ir.Fact) ir.Fact {
	return func(x []ir.Fact) ir.Fact {
		lo, hi := f(x[0].Lo), f(x[0].Hi)
		if lo != lo { // the function is not defined there
			lo = math.Inf(-1)
		}
		if hi != hi {
			return ir.Unknown
		}
		return ir.Fact{Lo: outwards(lo, -1), Hi: outwards(hi, 1), NonZero: x[0].NonZero}
	}
}

func outwards(x, sign float64) float64 {
	if x*sign > 0 {
		x *= slack
	} else {
		x /= slack
	}
	if x == 0 {
		return x
	}
	return math.Nextafter(x, math.Inf(int(sign)))
}

// rsqrt is 1/sqrt(x); +Inf at +0 and -Inf at -0, as IEEE 754-2019 has it.
func rsqrt(x float64) float64 { return 1 / math.Sqrt(x) }

// atan2 has the sign of y, which math.Atan2 loses where y/x underflows.
func atan2(y, x float64) float64 {
	z := math.Atan2(y, x)
	if z == z {
		z = math.Copysign(z, y)
	}
	return z
}
