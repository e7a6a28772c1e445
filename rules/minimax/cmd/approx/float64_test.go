package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

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

// sample64 draws an argument for fn: a quarter each by random bits, evenly over
// the finite results, at the joints of the argument reduction, and where the
// result is near the end of the range or the function near its zero.
func sample64(r *rand.Rand, fn string) float64 {
	sign := float64(1 - 2*r.IntN(2))
	which := r.IntN(4)
	if fn == "log" {
		switch which {
		case 0:
			return math.Float64frombits(1 + r.Uint64N(0x7fe<<52)) // every positive binade, subnormals too
		case 1:
			return math.Float64frombits(1 + r.Uint64N(1<<(1+r.IntN(52))))
		case 2:
			return math.Ldexp(math.Sqrt2/2+sign*math.Ldexp(r.Float64(), -r.IntN(50)-3), r.IntN(9)-4)
		}
		return 1 + sign*math.Ldexp(r.Float64(), -1-r.IntN(52))
	}
	switch which {
	case 0:
		return sign * math.Ldexp(1+r.Float64(), r.IntN(70)-60)
	case 1:
		if fn == "tanh" {
			return (r.Float64() - 0.5) * 40
		}
		return -746 + r.Float64()*(746+710)
	case 2:
		joint := (float64(r.IntN(2150)-1075) + 0.5) * math.Ln2
		if fn != "exp" {
			joint = (float64(r.IntN(120)-60) + 0.5) * math.Ln2 / 2
		}
		return joint + sign*math.Ldexp(r.Float64(), -r.IntN(40))
	}
	switch fn {
	case "exp":
		return -746 + 40*r.Float64()
	case "expm1":
		if sign > 0 {
			return 709.78 + r.Float64()*0.01
		}
	}
	return sign * r.Float64() * 1.5
}

func TestFloat64(t *testing.T) {
	const points = 1 << 20
	tr := newTruth()
	for _, f := range forms(t) {
		if f.typ != "float64" {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			fused, unfused := compile(t, f, machine64), compile(t, f, machine64.unfused())
			runs := []func([]float64) []float64{fused.runner(), unfused.runner()}
			var w tally
			r := rand.New(rand.NewPCG(9, 10))
			want := tr.of(f.fn)
			x := make([]float64, blockLen)
			for range points / blockLen {
				for i := range x {
					if x[i] = sample64(r, f.fn); !f.covers(x[i]) {
						x[i] = -x[i]
					}
				}
				y := [2][]float64{runs[0](x), runs[1](x)}
				for i := range x {
					if x[i] < -1e4 || x[i] > 1e4 && f.fn != "log" {
						t.Fatalf("argument %v outside the range of the truth", x[i])
					}
					v, k := want(x[i])
					for j := range y {
						w.note(j, err64(y[j][i], v, k), x[i])
					}
				}
			}
			w.check(t, f, fused.ops, fused.fault+unfused.fault)
		})
	}
}
