package trace

import (
	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/ir"
)

// The functions of package elementary.

// Exp2 is 2 to the power of v.
func (v Value) Exp2() Value { return function("Exp2", elementary.Exp2, callers(), v) }

// Log2 is the binary logarithm of v.
func (v Value) Log2() Value { return function("Log2", elementary.Log2, callers(), v) }

// Log10 is the decimal logarithm of v.
func (v Value) Log10() Value { return function("Log10", elementary.Log10, callers(), v) }

// Log1p is log(1 + v), accurate near 0.
func (v Value) Log1p() Value { return function("Log1p", elementary.Log1p, callers(), v) }

// Cbrt is the cube root of v.
func (v Value) Cbrt() Value { return function("Cbrt", elementary.Cbrt, callers(), v) }

// Rsqrt is 1/sqrt(v).
func (v Value) Rsqrt() Value { return function("Rsqrt", elementary.Rsqrt, callers(), v) }

// Sin is the sine of v, in radians.
func (v Value) Sin() Value { return function("Sin", elementary.Sin, callers(), v) }

// Cos is the cosine of v, in radians.
func (v Value) Cos() Value { return function("Cos", elementary.Cos, callers(), v) }

// Tan is the tangent of v, in radians.
func (v Value) Tan() Value { return function("Tan", elementary.Tan, callers(), v) }

// Asin is the arc sine of v.
func (v Value) Asin() Value { return function("Asin", elementary.Asin, callers(), v) }

// Acos is the arc cosine of v.
func (v Value) Acos() Value { return function("Acos", elementary.Acos, callers(), v) }

// Atan is the arc tangent of v.
func (v Value) Atan() Value { return function("Atan", elementary.Atan, callers(), v) }

// Sinh is the hyperbolic sine of v.
func (v Value) Sinh() Value { return function("Sinh", elementary.Sinh, callers(), v) }

// Cosh is the hyperbolic cosine of v.
func (v Value) Cosh() Value { return function("Cosh", elementary.Cosh, callers(), v) }

// Asinh is the inverse hyperbolic sine of v.
func (v Value) Asinh() Value { return function("Asinh", elementary.Asinh, callers(), v) }

// Acosh is the inverse hyperbolic cosine of v.
func (v Value) Acosh() Value { return function("Acosh", elementary.Acosh, callers(), v) }

// Atanh is the inverse hyperbolic tangent of v.
func (v Value) Atanh() Value { return function("Atanh", elementary.Atanh, callers(), v) }

// Erf is the error function of v.
func (v Value) Erf() Value { return function("Erf", elementary.Erf, callers(), v) }

// Erfc is 1 - erf(v), accurate in its tail.
func (v Value) Erfc() Value { return function("Erfc", elementary.Erfc, callers(), v) }

// Hypot is sqrt(v² + y²), without overflow on the way.
func (v Value) Hypot(y Value) Value { return function("Hypot", elementary.Hypot, callers(), v, y) }

// Atan2 is the angle of the point (x, v), in radians.
func (v Value) Atan2(x Value) Value { return function("Atan2", elementary.Atan2, callers(), v, x) }

// Mod is v - y·trunc(v/y), exactly.
func (v Value) Mod(y Value) Value { return function("Mod", elementary.Fmod, callers(), v, y) }

// Remainder is v - y·n, exactly, with the integer n nearest to v/y, ties to even.
func (v Value) Remainder(y Value) Value {
	return function("Remainder", elementary.Remainder, callers(), v, y)
}

// Ldexp is v·2^k rounded once, for an integer k.
func (v Value) Ldexp(k Value) Value { return operate("Ldexp", ir.Ldexp, callers(), v, k) }

// Sign is -1 or 1 by the sign of v, and v itself where that is a zero or NaN.
func (v Value) Sign() Value { return function("Sign", elementary.Sign, callers(), v) }

// Sigmoid is 1/(1 + exp(-v)).
func (v Value) Sigmoid() Value { return function("Sigmoid", elementary.Sigmoid, callers(), v) }

// Silu is v/(1 + exp(-v)).
func (v Value) Silu() Value { return function("Silu", elementary.Silu, callers(), v) }

// Softplus is log(1 + exp(v)).
func (v Value) Softplus() Value { return function("Softplus", elementary.Softplus, callers(), v) }

// Gelu is v·Φ(v), Φ being the normal distribution function.
func (v Value) Gelu() Value { return function("Gelu", elementary.Gelu, callers(), v) }

// GeluTanh approximates Gelu by tanh.
func (v Value) GeluTanh() Value { return function("GeluTanh", elementary.GeluTanh, callers(), v) }

// Mish is v·tanh(log(1 + exp(v))).
func (v Value) Mish() Value { return function("Mish", elementary.Mish, callers(), v) }

// Elu is v above 0 and exp(v) - 1 below.
func (v Value) Elu() Value { return function("Elu", elementary.Elu, callers(), v) }

// Selu is Elu scaled by the constants of self-normalising networks.
func (v Value) Selu() Value { return function("Selu", elementary.Selu, callers(), v) }

// function makes a node that calls f.
func function(method string, f *ir.Def, pc [2]uintptr, operands ...Value) Value {
	v := operate(method, f.Op(), pc, operands...)
	v.n.def, v.n.n = f, len(operands)
	return v
}
