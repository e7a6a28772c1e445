package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sampleWide draws an argument in the domain of fn with a finite, nonzero
// argument: by random bits, near the zeros and the poles of the function, at the
// joints of the reduction, near the ends of the range.
func sampleWide(r *rand.Rand, fn string) float64 {
	sign := float64(1 - 2*r.IntN(2))
	which := r.IntN(4)
	bits := func() float64 { return math.Float64frombits(1 + r.Uint64N(0x7ff<<52-1)) } // positive, subnormals too
	tail := func(n int) float64 { return math.Ldexp(1+r.Float64(), -r.IntN(n)) }
	switch fn {
	case "exp", "expm1", "tanh", "log":
		return sample64(r, fn)
	case "exp2":
		switch which {
		case 0:
			return sign * tail(60)
		case 1:
			return -1080 + 2110*r.Float64()
		case 2:
			return float64(r.IntN(2100)-1075) + 0.5 + sign*tail(45)
		}
		return -1020 - 60*r.Float64()
	case "log2", "log10":
		return sample64(r, "log")
	case "log1p":
		switch which {
		case 0:
			return min(bits(), math.MaxFloat64)
		case 1:
			return sign * min(tail(1060), 0.999)
		case 2: // 1+x = 2^k sqrt(2)
			return math.Ldexp(math.Sqrt2*(1+sign*tail(50)/4), r.IntN(120)-52) - 1
		}
		return -1 + tail(53)/2
	case "sinh", "cosh":
		switch which {
		case 0:
			return sign * tail(1070)
		case 1:
			return sign * 711 * r.Float64()
		case 2:
			return sign * ((float64(r.IntN(1025))+0.5)*math.Ln2 + sign*tail(40))
		}
		return sign * 3 * r.Float64()
	case "asinh":
		switch which {
		case 0:
			return sign * bits()
		case 1:
			return sign * tail(60)
		case 2:
			return sign * math.Ldexp(1+r.Float64(), 50+r.IntN(20))
		}
		return sign * 8 * r.Float64()
	case "acosh":
		switch which {
		case 0:
			return 1 + bits()
		case 1:
			return 1 + tail(52)
		case 2:
			return math.Ldexp(1+r.Float64(), 50+r.IntN(20))
		}
		return 1 + 8*r.Float64()
	case "atanh":
		switch which {
		case 0:
			return sign * (1 - tail(53)/2)
		case 1:
			return sign * tail(1000) / 2
		}
		return sign * r.Float64()
	case "rsqrt":
		return bits()
	case "cbrt":
		if which == 0 {
			return sign * 8 * r.Float64()
		}
		return sign * bits()
	}
	panic("no sample for " + fn)
}

// truthfully names the functions that have a double-double truth here.
var truthfully = map[string]bool{
	"exp": true, "expm1": true, "log": true,
	"exp2": true, "log2": true, "log10": true, "log1p": true, "sinh": true, "cosh": true, "tanh": true,
	"asinh": true, "acosh": true, "atanh": true, "rsqrt": true, "cbrt": true,
}

func TestLaws64(t *testing.T) {
	const points = 1 << 20
	tr := newTruth()
	for _, l := range laws(t) {
		if l.typ != "float64" || len(l.params) != 1 || !truthfully[l.fn] {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			run, ops := compileLaw(t, l, fused)
			run2, _ := compileLaw(t, l, unfused)
			var w tally
			r := rand.New(rand.NewPCG(19, 20))
			want := tr.wide(l.fn)
			x := make([]float64, blockLen)
			for range points / blockLen {
				for i := range x {
					x[i] = sampleWide(r, l.fn)
					for !l.domain(x[i]) {
						x[i] = sampleWide(r, l.fn)
					}
				}
				y := [2][]float64{run(x), run2(x)}
				for i := range x {
					v, k := want(x[i])
					for j := range y {
						w.note(j, err64(y[j][i], v, k), x[i])
					}
				}
			}
			w.judge(t, l, ops)
		})
	}
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
