package bigfloat

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// activations are written out here with the other functions, in precision to spare.
var activations = []struct {
	name     string
	f, plain func(x *big.Float) *big.Float
}{
	{"silu", Silu, func(x *big.Float) *big.Float { return times(x, Sigmoid(x)) }},
	{"mish", Mish, func(x *big.Float) *big.Float { return times(x, Tanh(Softplus(x))) }},
	{"gelu", Gelu, func(x *big.Float) *big.Float {
		root := newFloat(x.Prec()).Sqrt(small(2, x.Prec()))
		return half(times(x, Erfc(root.Quo(newFloat(x.Prec()).Neg(x), root))))
	}},
	{"gelu_tanh", GeluTanh, func(x *big.Float) *big.Float {
		c := newFloat(x.Prec()).Quo(small(2, x.Prec()), Pi(x.Prec()))
		c.Sqrt(c)
		cube := times(number("0.044715", x.Prec()), times(x, times(x, x)))
		u := times(c, cube.Add(cube, x))
		t := Tanh(u)
		return half(times(x, t.Add(t, small(1, x.Prec()))))
	}},
	{"elu", Elu, func(x *big.Float) *big.Float {
		if x.Sign() > 0 {
			return newFloat(x.Prec()).Set(x)
		}
		return Expm1(x)
	}},
	{"selu", Selu, func(x *big.Float) *big.Float {
		z := times(number(seluScale, x.Prec()), x)
		if x.Sign() < 0 {
			z = times(number(seluScale, x.Prec()), times(number(seluAlpha, x.Prec()), Expm1(x)))
		}
		return z
	}},
}

func times(x, y *big.Float) *big.Float { return newFloat(x.Prec()).Mul(x, y) }

func TestActivations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range activations {
		for _, prec := range []uint{24, 53, 200} {
			for i := range 200 {
				v := max(-20, min(20, r.NormFloat64()*math.Exp(float64(i%8)-4)))
				x := newFloat(prec).SetFloat64(v)
				const room = 1500 // bits: 1 + tanh cancels e^-2u
				want := f.plain(newFloat(prec + room).Set(x))
				checkULP(t, f.name, x, nil, f.f(x), want, 1)
			}
		}
		for _, x := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)} {
			got, _ := f.f(big.NewFloat(x)).Float64()
			want := x
			switch {
			case x >= 0 || x == 0:
			case f.name == "elu":
				want = -1
			case f.name == "selu":
				want = -1.0507009873554804934193349852946 * 1.6732632423543772848170429916717
			default:
				want = math.Copysign(0, -1)
			}
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("%s(%g) = %g, want %g", f.name, x, got, want)
			}
		}
	}
}

// Mod and Remainder are exact: they agree with package math on float64, whose exponents may be far apart.
func TestRemainders(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	draw := func() float64 {
		x := math.Ldexp(float64(r.Int64N(1<<53)), r.IntN(2000)-1050)
		if r.IntN(2) == 0 {
			x = float64(r.IntN(100)-50) / 4
		}
		return x * float64(1-2*r.IntN(2))
	}
	for range 20000 {
		x, y := draw(), draw()
		for _, f := range []struct {
			name string
			big  func(x, y *big.Float) (*big.Float, bool)
			math func(x, y float64) float64
		}{{"Mod", Mod, math.Mod}, {"Remainder", Remainder, math.Remainder}} {
			want := f.math(x, y)
			z, ok := f.big(big.NewFloat(x), big.NewFloat(y))
			if !ok {
				if want == want {
					t.Fatalf("%s(%g, %g) has no value, want %g", f.name, x, y, want)
				}
				continue
			}
			if got, acc := z.Float64(); acc != big.Exact || math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%s(%g, %g) = %g, want %g", f.name, x, y, got, want)
			}
		}
	}
}
