package main

import (
	"math"
	"testing"
)

// err32 is the error of got in float32 ulp at the true value.
func err32(got float32, want float64) float64 {
	g := float64(got)
	switch {
	case math.IsNaN(want) || math.IsNaN(g):
		if math.IsNaN(want) && math.IsNaN(g) {
			return 0
		}
		return math.Inf(1)
	case g == want:
		return 0
	}
	// Overflow counts as 2^128 on both sides.
	const top = 0x1p128
	g, want = max(-top, min(g, top)), max(-top, min(want, top))
	exp := int(math.Float64bits(want)>>52&0x7ff) - 1023
	exp = min(max(exp, -126), 127)
	return math.Abs(g-want) * math.Float64frombits(uint64(23-exp+1023)<<52)
}

// err64 is the error of got in float64 ulp at the true value, want * 2^k.
func err64(got float64, want dd, k int) float64 {
	if got != got || want.hi != want.hi {
		return math.Inf(1)
	}
	exp := math.Ilogb(want.hi)
	if mant, _ := math.Frexp(math.Abs(want.hi)); mant == 0.5 && (want.lo < 0) == (want.hi > 0) && want.lo != 0 {
		exp-- // the true value lies just below the power of two
	}
	// Overflow counts as 2^1024 on both sides.
	if exp+k > 1023 {
		want, exp = dd{math.Copysign(math.Ldexp(1, 1024-k), want.hi), 0}, 1023-k
	}
	scaled := math.Ldexp(got, -k)
	if math.IsInf(got, 0) {
		scaled = math.Copysign(math.Ldexp(1, 1024-k), got)
	}
	return math.Abs(math.Ldexp((scaled-want.hi)-want.lo, 52-max(exp, -1022-k)))
}

// A tally holds the worst error of a form with and without fma.
type tally [2]struct{ ulp, at float64 }

func (w *tally) note(j int, ulp, at float64) {
	if !(ulp <= w[j].ulp) {
		w[j].ulp, w[j].at = ulp, at
	}
}

// judge compares with the bound; without fma the forms only promise the default
// contract.
func (w *tally) judge(t *testing.T, l law, ops int) {
	t.Helper()
	for j, limit := range []float64{l.bound, max(4, l.bound)} {
		name := []string{"fused", "unfused"}[j]
		t.Logf("%s %s: %.4f ulp at %x, %d operations", l.name, name, w[j].ulp, w[j].at, ops)
		if !(w[j].ulp <= limit) && !(j == 1 && needsFMA[l.name]) {
			t.Errorf("%s %s: %.4f ulp at %x, want at most %v", l.name, name, w[j].ulp, w[j].at, limit)
		}
	}
}
