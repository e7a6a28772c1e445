package main

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// fma32 rounds a*b + c once. The product is exact in float64; the sum is
// rounded to odd there, which makes the second rounding harmless.
func fma32(a, b, c float32) float32 {
	p, q := float64(a)*float64(b), float64(c)
	s := p + q
	// Two-sum: the error of s, exact.
	v := s - p
	e := (p - (s - v)) + (q - v)
	if bits := math.Float64bits(s); e != 0 && bits&1 == 0 && !math.IsNaN(e) && !math.IsInf(s, 0) {
		// Toward the side where the exact sum lies; the neighbour is odd.
		if (e > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}

// TestFMA32 compares with exact arithmetic; half the cases lie so close to the
// midpoint of two float32 numbers that float64 cannot tell.
func TestFMA32(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	random := func(exps int) float32 {
		return float32(math.Ldexp(float64(r.IntN(1<<24)-1<<23), r.IntN(exps)-exps/2))
	}
	twice := 0
	for i := range 200000 {
		a, b, c := random(120), random(120), random(200)
		if i%2 == 0 {
			// a*b is half an ulp of c and a tiny bit.
			a = float32(1 + math.Ldexp(float64(r.IntN(3)-1), -23))
			b = float32(math.Ldexp(1+math.Ldexp(float64(r.IntN(3)-1), -23), -24))
			c = float32(1 + math.Ldexp(float64(r.IntN(4)), -23))
			b *= float32(math.Ldexp(1, -r.IntN(4)))
		}
		x := func(v float32) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(float64(v)) }
		p := x(a)
		p.Mul(p, x(b))
		want, _ := p.Add(p, x(c)).Float32()
		if got := fma32(a, b, c); got != want {
			t.Fatalf("fma32(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
		if float32(math.FMA(float64(a), float64(b), float64(c))) != want {
			twice++
		}
	}
	if twice == 0 {
		t.Error("no case where rounding twice goes wrong")
	}
	inf := float32(math.Inf(1))
	for _, tt := range []struct{ a, b, c, want float32 }{
		{inf, 0, 1, float32(math.NaN())},
		{inf, 1, -inf, float32(math.NaN())},
		{-0x1p100, 0x1p100, 1, -inf},
		{2, 3, inf, inf},
		{-0x1p-149, 0, 0, 0},
	} {
		if got := fma32(tt.a, tt.b, tt.c); !same(float64(got), float64(tt.want)) {
			t.Errorf("fma32(%v, %v, %v) = %v, want %v", tt.a, tt.b, tt.c, got, tt.want)
		}
	}
}
