package ufunc

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactFMA rounds x*y + z once, by wide arithmetic; finite operands only, and no zero result.
func exactFMA(x, y, z float32) (float32, bool) {
	const prec = 1000 // bits: exponents of the terms differ by less than 700
	wide := func(a float32) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(float64(a)) }
	p := new(big.Float).SetPrec(prec).Mul(wide(x), wide(y))
	s := new(big.Float).SetPrec(prec).Add(p, wide(z))
	r, _ := s.Float32()
	return r, s.Sign() != 0
}

func TestFMA32(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	twice := 0 // how often narrowing math.FMA would have been wrong
	for i := range 400_000 {
		x := math.Float32frombits(rng.Uint32())
		y := math.Float32frombits(rng.Uint32())
		z := math.Float32frombits(rng.Uint32())
		if i%2 == 0 { // close exponents, few bits: ties and near-ties are frequent
			x, y = float32(1+rng.IntN(1<<13)), float32(1+rng.IntN(1<<13))
			z = float32(math.Ldexp(float64(rng.IntN(1<<24)+1<<23), rng.IntN(80)-40)) * float32(1-2*rng.IntN(2))
			if i%4 == 0 { // z is odd, p half an ulp of it less 2^-46 of itself: in float64 the sum is a tie
				r := float32(rng.IntN(4)) * 0x1p-23
				x, y, z = 0x1p-12*(1+r), 0x1p-12*(1-r), 1+0x1p-23*float32(rng.IntN(4))
			}
		}
		if x-x != 0 || y-y != 0 || z-z != 0 {
			continue
		}
		want, ok := exactFMA(x, y, z)
		if !ok {
			continue
		}
		if got := FMA(x, y, z); got != want {
			t.Fatalf("FMA(%x, %x, %x) = %x, want %x", x, y, z, got, want)
		}
		if float32(math.FMA(float64(x), float64(y), float64(z))) != want {
			twice++
		}
	}
	if twice == 0 {
		t.Error("no case distinguishes rounding to odd from rounding twice")
	}
}

func TestFMASpecial(t *testing.T) {
	inf, nan, zero := float32(math.Inf(1)), float32(math.NaN()), float32(0)
	neg := float32(math.Copysign(0, -1))
	for _, x := range []float32{0, neg, 1, -1, inf, -inf, nan, math.MaxFloat32, math.SmallestNonzeroFloat32} {
		for _, y := range []float32{0, neg, 1, -2, inf, nan, math.MaxFloat32, math.SmallestNonzeroFloat32} {
			for _, z := range []float32{0, neg, 1, inf, -inf, nan, -math.MaxFloat32} {
				// float64 has the same special cases, and these products and sums are far from ties.
				want := float32(math.FMA(float64(x), float64(y), float64(z)))
				if got := FMA(x, y, z); math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
					t.Errorf("FMA(%g, %g, %g) = %g, want %g", x, y, z, got, want)
				}
			}
		}
	}
	if got := FMA(zero, 1, neg); math.Float32bits(got) != 0 {
		t.Errorf("0*1 + -0 = %g, want 0", got)
	}
}

// The functions are package math's, rounded to the type; a named type keeps its name.
func TestFunctions(t *testing.T) {
	type celsius float32
	zeros := [2]float64{0, math.Copysign(0, -1)}
	one := []struct {
		name string
		f32  func(float32) float32
		f64  func(float64) float64
		std  func(float64) float64
	}{
		{"Abs", Abs[float32], Abs[float64], math.Abs},
		{"Acos", Acos[float32], Acos[float64], math.Acos},
		{"Acosh", Acosh[float32], Acosh[float64], math.Acosh},
		{"Asin", Asin[float32], Asin[float64], math.Asin},
		{"Asinh", Asinh[float32], Asinh[float64], math.Asinh},
		{"Atan", Atan[float32], Atan[float64], math.Atan},
		{"Atanh", Atanh[float32], Atanh[float64], math.Atanh},
		{"Cbrt", Cbrt[float32], Cbrt[float64], math.Cbrt},
		{"Ceil", Ceil[float32], Ceil[float64], math.Ceil},
		{"Cos", Cos[float32], Cos[float64], math.Cos},
		{"Cosh", Cosh[float32], Cosh[float64], math.Cosh},
		{"Erf", Erf[float32], Erf[float64], math.Erf},
		{"Erfc", Erfc[float32], Erfc[float64], math.Erfc},
		{"Exp2", Exp2[float32], Exp2[float64], math.Exp2},
		{"Floor", Floor[float32], Floor[float64], math.Floor},
		{"Log10", Log10[float32], Log10[float64], math.Log10},
		{"Log1p", Log1p[float32], Log1p[float64], math.Log1p},
		{"Log2", Log2[float32], Log2[float64], math.Log2},
		{"Sin", Sin[float32], Sin[float64], math.Sin},
		{"Sinh", Sinh[float32], Sinh[float64], math.Sinh},
		{"Tan", Tan[float32], Tan[float64], math.Tan},
		{"Exp", Exp[float32], Exp[float64], math.Exp},
		{"Expm1", Expm1[float32], Expm1[float64], math.Expm1},
		{"Log", Log[float32], Log[float64], math.Log},
		{"Logb", Logb[float32], Logb[float64], math.Logb},
		{"RoundToEven", RoundToEven[float32], RoundToEven[float64], math.RoundToEven},
		{"Sqrt", Sqrt[float32], Sqrt[float64], math.Sqrt},
		{"Trunc", Trunc[float32], Trunc[float64], math.Trunc},
		{"Tanh", Tanh[float32], Tanh[float64], math.Tanh},
	}
	for _, tt := range one {
		for _, x := range []float64{0, math.Copysign(0, -1), 0.5, 1.5, -2.5, 3e-5, 80, math.Inf(1), math.Inf(-1), math.NaN()} {
			if got, want := tt.f64(x), tt.std(x); math.Float64bits(got) != math.Float64bits(want) && got == got {
				t.Errorf("%s(%g) = %g, want %g", tt.name, x, got, want)
			}
			y := float32(x)
			if got, want := tt.f32(y), float32(tt.std(float64(y))); math.Float32bits(got) != math.Float32bits(want) && got == got {
				t.Errorf("%s(%g) = %g, want %g", tt.name, y, got, want)
			}
		}
	}
	if got, want := Log(math.SmallestNonzeroFloat64), -1074*math.Ln2; got != want {
		t.Errorf("Log(2^-1074) = %g, want %g", got, want)
	}
	if got := Pow[celsius](2, 10); got != 1024 {
		t.Errorf("Pow(2, 10) = %v", got)
	}
	if low, high := Min(zeros[0], zeros[1]), Max(zeros[1], zeros[0]); !math.Signbit(low) || math.Signbit(high) {
		t.Errorf("Min and Max of zeros are %g and %g", low, high)
	}
	if low, high := Min(math.Inf(-1), math.NaN()), Max[celsius](1, -2); low == low || high != 1 {
		t.Errorf("Min(-Inf, NaN) = %g, Max(1, -2) = %v", low, high)
	}
	if got := Copysign(3.0, math.Copysign(0, -1)); got != -3 {
		t.Errorf("Copysign(3, -0) = %v", got)
	}
	if got := FMA(1+0x1p-52, 1-0x1p-52, -1.0); got != -0x1p-104 {
		t.Errorf("FMA in float64 = %g", got)
	}
}
