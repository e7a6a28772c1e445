package interp

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/internal/double"
)

// The operations whose rounding takes thought, one element at a time. Conversions around products keep a compiler from
// contracting them.

type float interface{ float32 | float64 }

// fma32 is a*b + c rounded once. The product is exact in float64. Its sum with c is rounded to odd (Boldo, Melquiond
// 2008), so that narrowing it afterwards rounds as if for the first time.
func fma32(a, b, c float32) float32 {
	p, z := float64(float64(a)*float64(b)), float64(c)
	s, e := double.TwoSum(p, z)
	if e != 0 && s-s == 0 {
		// Truncate towards zero, then set the last bit: what is cut off lies on e's side of s.
		bits := math.Float64bits(s)
		bits -= (bits ^ math.Float64bits(e)) >> 63
		s = math.Float64frombits(bits | 1)
	}
	return float32(s)
}

// ldexp32 is x·2^⌊k⌋ rounded once.
func ldexp32(x, k float32) float32 {
	// 2^±400 is beyond every float32, and products with it are exact in float64.
	const limit = 400
	n := math.Floor(float64(k))
	if !(-limit <= n && n <= limit) {
		if n-n != 0 { // NaN or infinite
			return float32(Ldexp(float64(x), n))
		}
		n = math.Copysign(limit, n)
	}
	return float32(float64(x) * math.Float64frombits(uint64(1023+int64(n))<<52))
}

// Ldexp is x·2^⌊k⌋ rounded once.
func Ldexp(x, k float64) float64 {
	switch {
	case k != k:
		return k
	case math.IsInf(k, 0):
		return x * math.Exp2(k)
	}
	// The product with a normal power of two is the operation itself. 2^±2200 is beyond every float64.
	n := int(max(-2200, min(2200, math.Floor(k))))
	if -1022 <= n && n <= 1023 {
		return x * math.Float64frombits(uint64(1023+n)<<52)
	}
	return math.Ldexp(x, n)
}

// mant is |x|·2^-logb(x), in [1, 2); 1 at 0 and ±Inf.
func mant(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) {
		return 1
	}
	f, _ := math.Frexp(math.Abs(x)) // in [1/2, 1), NaN stays
	return 2 * f
}

// logDef is log as a definition.
var logDef = &ir.Def{
	Name: "log", Arity: 1,
	Eval: func(x []float64) float64 { return Log(x[0]) },
	Real: func(x []*big.Float) *big.Float {
		if y, ok := bigfloat.Log(x[0]); ok {
			return y
		}
		return nil
	},
}

// Log32 is log correctly rounded, which the float64 value rounded once is not everywhere. Exp, expm1 and tanh are.
func Log32(x float32) float32 {
	y := Log(float64(x))
	if ir.NextToTie(y) {
		return logDef.Float32([]float64{float64(x)})
	}
	return float32(y)
}

// Log is math.Log made right for subnormals, which the assembly of some machines gets wrong.
func Log(x float64) float64 {
	const smallestNormal, shift = 0x1p-1022, 54
	if 0 < x && x < smallestNormal {
		return math.Log(x*(1<<shift)) - shift*math.Ln2
	}
	return math.Log(x)
}
