package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// needsFMA are forms that mean nothing without a fused multiply-add: they take
// the errors of products by it.
var needsFMA = map[string]bool{"pow-float64-9": true, "log-float32-table-4": true}

// samplePair draws the arguments of hypot or pow for a type given by its
// largest exponent and its number of fraction bits.
func samplePair(r *rand.Rand, fn string, emax, frac int) (x, y float64) {
	low := -emax - frac + 1
	number := func(lo, hi int) float64 {
		v := math.Ldexp(1+math.Floor(math.Ldexp(r.Float64(), frac))*math.Ldexp(1, -frac), lo+r.IntN(hi-lo+1))
		if r.IntN(2) == 0 {
			v = -v
		}
		return v
	}
	if fn == "hypot" {
		switch r.IntN(3) {
		case 0:
			return number(low, emax), number(low, emax)
		case 1:
			e := low + r.IntN(emax-low+1)
			return number(e, min(e+frac/2, emax)), number(e, min(e+frac/2, emax))
		}
		return number(-2, 2), number(-2, 2)
	}
	// The exponent decides where the result lies: log2 of it is about t.
	switch r.IntN(4) {
	case 0:
		x = number(low, emax)
	case 1:
		x = 1 + number(-frac, -1)
	case 2:
		x = math.Sqrt2 * (1 + number(-frac, -3)) * math.Ldexp(1, r.IntN(7)-3)
	default:
		x = number(-3, 3)
	}
	if r.IntN(8) == 0 {
		return x, float64(r.IntN(200) - 100)
	}
	x = math.Abs(x)
	t := (r.Float64()*2.02 - 1.01) * float64(emax+frac/2)
	switch r.IntN(4) {
	case 0:
		t = -float64(emax) - r.Float64()*float64(frac+2)
	case 1:
		t = float64(emax) + 1 - math.Ldexp(r.Float64(), -r.IntN(20))
	}
	y = t / math.Log2(x)
	if math.IsInf(y, 0) || math.Abs(y) > math.Ldexp(1, emax) || r.IntN(6) == 0 {
		y = number(-3, 3)
	}
	return x, y
}

func (t truth) pair(fn string) func(x, y float64) (dd, int) {
	if fn == "hypot" {
		return t.hypot
	}
	return func(x, y float64) (dd, int) {
		v, k := t.pow(x, y)
		switch {
		case y != math.Trunc(y) && x < 0:
			return dd{math.NaN(), 0}, 0
		case x < 0 && math.Mod(y, 2) != 0:
			return v.neg(), k
		}
		return v, k
	}
}

func TestPairs(t *testing.T) {
	tr := newTruth()
	for _, l := range laws(t) {
		if l.fn != "hypot" && l.fn != "pow" {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			points, emax, frac := 1<<20, 1023, 52
			if l.typ == "float32" {
				points, emax, frac = 1<<20, 127, 23
			}
			run, ops := compileLaw(t, l, fused)
			run2, _ := compileLaw(t, l, unfused)
			r := rand.New(rand.NewPCG(21, 22))
			want := tr.pair(l.fn)
			var w tally
			x, y := make([]float64, blockLen), make([]float64, blockLen)
			for range points / blockLen {
				for i := range x {
					x[i], y[i] = samplePair(r, l.fn, emax, frac)
					x[i], y[i] = rounds(l.typ, x[i]), rounds(l.typ, y[i])
				}
				z := [2][]float64{run(x, y), run2(x, y)}
				for i := range x {
					v, k := want(x[i], y[i])
					for j := range z {
						e := 0.0
						switch {
						case v.hi != v.hi:
							if z[j][i] == z[j][i] {
								e = math.Inf(1)
							}
						case l.typ == "float32":
							e = err32(float32(z[j][i]), math.Ldexp(v.hi, k))
						default:
							e = err64(z[j][i], v, k)
						}
						if !(e <= w[j].ulp) {
							w[j].ulp, w[j].at = e, x[i]
							if e > max(4, l.bound) && !(j == 1 && needsFMA[l.name]) {
								t.Logf("%s(%x, %x) = %x: %v ulp", l.fn, x[i], y[i], z[j][i], e)
							}
						}
					}
				}
			}
			w.judge(t, l, ops)
		})
	}
}
