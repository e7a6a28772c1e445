package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// arguments draws operands that reach every part of a function's domain.
func arguments(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		switch rng.IntN(4) {
		case 0:
			x[i] = rng.NormFloat64()
		case 1:
			x[i] = 1 + rng.NormFloat64()*math.Exp(-20*rng.Float64())
		case 2:
			x[i] = rng.NormFloat64() * 20
		default:
			x[i] = rng.NormFloat64() * math.Exp(rng.NormFloat64()*10)
		}
	}
	return x
}

// Every row: the float64 meaning is that of the reals within a few ulp, a result is missing in both or in none, and the
// range holds.
func TestRows(t *testing.T) {
	names := map[string]bool{}
	for _, d := range Defs() {
		t.Run(d.Name, func(t *testing.T) {
			if err := d.Check(); err != nil || names[d.Name] {
				t.Fatalf("%v; a second row: %v", err, names[d.Name])
			}
			names[d.Name] = true
			rng := rand.New(rand.NewPCG(5, 7))
			compared := 0
			for range 3000 {
				x := arguments(rng, d.Arity)
				args, facts := make([]*big.Float, d.Arity), make([]ir.Fact, d.Arity)
				for i := range x {
					args[i] = new(big.Float).SetPrec(256).SetFloat64(x[i])
					a, b := x[i]-rng.ExpFloat64(), x[i]+rng.ExpFloat64()
					facts[i] = ir.Between(a, b)
				}
				y := d.Eval(x)
				z := d.Real(args)
				if z == nil || z.IsInf() {
					if y == y && !math.IsInf(y, 0) {
						t.Fatalf("%v: %g in float64, nothing over the reals", x, y)
					}
					continue
				}
				want, _ := z.Float64()
				compared++
				loss := 8 * math.Max(math.Abs(want)*0x1p-52, 0x1p-1074)
				if d.Error != nil {
					loss += d.Error(x, y)
				}
				if y != want && !(math.Abs(y-want) <= loss) {
					t.Fatalf("%v: %g in float64, %g over the reals", x, y, want)
				}
				if f := d.Range(facts); !(f.Lo <= want && want <= f.Hi) || f.NonZero && want == 0 {
					t.Fatalf("%v: %g is outside of %v", x, want, f)
				}
			}
			if compared < 500 {
				t.Errorf("only %d points compared", compared)
			}
		})
	}
}

func TestSpecials(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	negZero := math.Copysign(0, -1)
	for _, test := range []struct {
		d    *ir.Def
		x    []float64
		want float64
	}{
		{Exp2, []float64{-inf}, 0}, {Exp2, []float64{inf}, inf}, {Log2, []float64{negZero}, -inf}, {Log2, []float64{-1}, nan},
		{Log10, []float64{0}, -inf}, {Log1p, []float64{-1}, -inf}, {Log1p, []float64{negZero}, negZero}, {Log1p, []float64{-2}, nan},
		{Cbrt, []float64{negZero}, negZero}, {Rsqrt, []float64{0}, inf}, {Rsqrt, []float64{inf}, 0}, {Rsqrt, []float64{-1}, nan},
		{Hypot, []float64{inf, nan}, inf}, {Sin, []float64{inf}, nan}, {Sin, []float64{negZero}, negZero}, {Cos, []float64{-inf}, nan},
		{Tan, []float64{negZero}, negZero}, {Asin, []float64{2}, nan}, {Acos, []float64{1}, 0}, {Atan, []float64{-inf}, -math.Pi / 2},
		{Atan2, []float64{0, negZero}, math.Pi}, {Atan2, []float64{negZero, -1}, -math.Pi}, {Atan2, []float64{inf, -inf}, 3 * math.Pi / 4},
		{Sinh, []float64{negZero}, negZero}, {Cosh, []float64{-inf}, inf}, {Asinh, []float64{-inf}, -inf}, {Acosh, []float64{0.5}, nan},
		{Sigmoid, []float64{-inf}, 0}, {Sigmoid, []float64{inf}, 1}, {Silu, []float64{-inf}, negZero}, {Silu, []float64{negZero}, negZero},
		{Silu, []float64{inf}, inf}, {Softplus, []float64{-inf}, 0}, {Softplus, []float64{inf}, inf}, {Gelu, []float64{-inf}, negZero},
		{Gelu, []float64{inf}, inf}, {Gelu, []float64{nan}, nan}, {Gelu, []float64{negZero}, negZero}, {GeluTanh, []float64{-inf}, negZero},
		{GeluTanh, []float64{inf}, inf}, {GeluTanh, []float64{nan}, nan}, {Mish, []float64{-inf}, negZero}, {Mish, []float64{inf}, inf},
		{Mish, []float64{nan}, nan}, {Elu, []float64{-inf}, -1}, {Elu, []float64{negZero}, negZero}, {Elu, []float64{inf}, inf},
		{Elu, []float64{nan}, nan}, {Selu, []float64{negZero}, negZero}, {Selu, []float64{-inf}, -seluScale * seluAlpha},
		{Sign, []float64{negZero}, negZero}, {Sign, []float64{-inf}, -1}, {Sign, []float64{nan}, nan}, {Fmod, []float64{-4, 2}, negZero},
		{Fmod, []float64{-5, inf}, -5}, {Fmod, []float64{1, 0}, nan}, {Fmod, []float64{inf, 2}, nan}, {Remainder, []float64{5, 2}, 1},
		{Remainder, []float64{3, 2}, -1}, {Remainder, []float64{negZero, 2}, negZero},
		{Atanh, []float64{1}, inf}, {Erf, []float64{-inf}, -1}, {Erfc, []float64{inf}, 0}, {Erfc, []float64{nan}, nan},
	} {
		got := test.d.Eval(test.x)
		if math.Float64bits(got) != math.Float64bits(test.want) && !(got != got && test.want != test.want) {
			t.Errorf("%s%v = %g, want %g", test.d.Name, test.x, got, test.want)
		}
	}
}
