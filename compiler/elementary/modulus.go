package elementary

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/bigfloat"
)

// Exact functions: division with a remainder and the sign.
var (
	// Fmod is x - y·trunc(x/y), Remainder x - y·n with the integer n nearest to x/y, ties to even. Both are exact, have the sign of
	// x where they are zero, and are NaN where x is infinite or y is zero.
	Fmod      = two("fmod", math.Mod, bigfloat.Mod, nil, modulus(1))
	Remainder = two("remainder", math.Remainder, bigfloat.Remainder, nil, modulus(0.5))
	// Sign is -1 or 1, and x itself where that is a zero or NaN.
	Sign = one("sign", sign, func(x *big.Float) (*big.Float, bool) {
		return new(big.Float).SetPrec(x.Prec()).SetInt64(int64(x.Sign())), true
	}, nil, signRange, nil)
)

func sign(x float64) float64 {
	if x > 0 || x < 0 {
		return math.Copysign(1, x)
	}
	return x
}

func signRange(x []ir.Fact) ir.Fact {
	f := ir.Fact{Lo: -1, Hi: 1, Integer: true, NonZero: x[0].NonZero}
	if x[0].Lo >= 0 {
		f.Lo = 0
	}
	if x[0].Hi <= 0 {
		f.Hi = 0
	}
	if x[0].Lo > 0 {
		f.Lo = 1
	}
	if x[0].Hi < 0 {
		f.Hi = -1
	}
	return f
}

// modulus bounds a remainder by that part of |y| and by |x|; one that is not rounded to nearest has the sign of x.
func modulus(part float64) func([]ir.Fact) ir.Fact {
	return func(x []ir.Fact) ir.Fact {
		size := func(f ir.Fact) float64 { return math.Max(math.Abs(f.Lo), math.Abs(f.Hi)) }
		m := math.Min(size(x[0]), size(x[1])*part)
		if m == 0 && part < 1 {
			m = math.SmallestNonzeroFloat64
		}
		f := ir.Fact{Lo: -m, Hi: m, Integer: x[0].Integer && x[1].Integer}
		if part == 1 {
			if x[0].Lo >= 0 {
				f.Lo = 0
			}
			if x[0].Hi <= 0 {
				f.Hi = 0
			}
		}
		return f
	}
}
