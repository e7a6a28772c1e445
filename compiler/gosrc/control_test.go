package gosrc

import (
	"math"
	"testing"
)

func clampTo(x, lo, hi float32) float32 {
	if x < lo {
		return lo
	} else if x > hi {
		return hi
	}
	return x
}

func newtonRoot(x float64) (root float64, steps int32) {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.NaN(), -1
	}
	y := x
	for steps = 0; steps < 100; steps++ {
		next := 0.5 * (y + x/y)
		if math.Abs(next-y) <= 1e-12*next {
			return next, steps
		}
		y = next
	}
	return y, steps
}

func mandelbrot(cx, cy float32) int32 {
	var x, y float32
	for n := range int32(64) {
		x2, y2 := x*x, y*y
		if x2+y2 > 4 {
			return n
		}
		x, y = x2-y2+cx, 2*x*y+cy
	}
	return 64
}

func collatz(n uint16) (steps uint32) {
	if n == 0 {
		return 0
	}
	for m := uint64(n); m != 1; steps++ {
		if m%2 == 0 {
			m /= 2
			continue
		}
		m = 3*m + 1
	}
	return
}

func gcd(a, b int32) int32 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func classify(x int8) float32 {
	var y float32
	switch k := x % 7; k {
	case 0, 1:
		y = 10
	case 2:
		y = 1
		fallthrough
	case 3:
		y += 2
	case 4:
		if x > 50 {
			break
		}
		return -5
	default:
		y = 7
	}
	switch {
	case y > 5:
		y *= 2
	case y > 2, x > 100:
		y--
	}
	return y
}

func labels(n uint8) int32 {
	sum := int32(0)
outer:
	for i := int32(0); i < 10; i++ {
		for j := range i + 1 {
			switch {
			case j*i == int32(n):
				break outer
			case i+j == int32(n)/2:
				continue outer
			case j == 7:
				if i == 8 {
					break
				}
				sum += 1000
			}
			if j > 8 {
				break
			}
			sum += j
		}
		sum += 100
	}
	return sum
}

var (
	weights = [5]float32{0.5, 1.5, -2, 3, 0.25}
	steps   = []float64{1, 2, 4, 8}
	matrix  = [2][2]float32{{1, 2}, {3, 4}}
)

func horner(x float32) float32 {
	y := float32(0)
	for i := len(weights) - 1; i >= 0; i-- {
		y = y*x + weights[i]
	}
	return y
}

func tables(x float32, i uint8) (float64, float32) {
	sum := 0.
	for k, s := range steps {
		sum += s * float64(k)
	}
	for _, w := range weights {
		sum -= float64(w)
	}
	return sum*float64(x) + steps[i&3], weights[i%5] + matrix[i&1][i>>7]
}

func sorted(a, b, c, d float32) (float32, float32, float32, float32) {
	v := [4]float32{a, b, c, d}
	for i := 1; i < len(v); i++ {
		for j := i; j > 0; j-- {
			if v[j-1] <= v[j] {
				break
			}
			v[j-1], v[j] = v[j], v[j-1]
		}
	}
	return v[0], v[1], v[2], v[3]
}

func counts(x uint32) (ones, longest uint8) {
	var run uint8
	for range 32 {
		if x&1 == 0 {
			run = 0
		} else {
			ones++
			run++
			longest = max(longest, run)
		}
		x >>= 1
	}
	return
}

func mean[T float32 | float64](x, y T) T {
	if x > y {
		return mean2(y, x)
	}
	return mean2(x, y)
}

func mean2[T float32 | float64](lo, hi T) T {
	for i := 0; ; i++ {
		if lo >= hi || i > 20 {
			break
		}
		lo, hi = (lo+hi)/2, hi-(hi-lo)/3
	}
	return lo
}

func rotate(v [3]float32, n int) [3]float32 {
	for range n {
		v = [3]float32{v[1], v[2], v[0]}
	}
	return v
}

func usesArrays(x, y, z float32, n uint8) float32 {
	v := rotate([3]float32{x, y, z}, int(n%4))
	w := v
	w[1] = 0
	w[n%3] += 1
	if v == w || [2]float32{x, y} != [2]float32{v[1], v[0]} {
		return x
	}
	for {
		break
	}
	return v[0] + 10*w[1] + 100*w[2]
}

func shadowed(x int32) int32 {
	y := x
	if y := x * 2; y > 10 {
		x = y + 1
		if z := y; z > 100 {
			y = z
			return y
		}
	} else if x := 3; y < -5 {
		return int32(x)
	}
	{
		y := y + 1
		x += y
	}
	return x + y
}

func deadArm(x int32) int32 {
	for {
		if x > 0 {
			return x
		}
		if x == 0 {
			break
		}
		x += 3
		if x < -1000 {
			return -1
		}
	}
	return 100 / (x + 1)
}

var controls = map[string]any{
	"clampTo": clampTo, "newtonRoot": newtonRoot, "mandelbrot": mandelbrot, "collatz": collatz, "gcd": gcd, "classify": classify,
	"labels": labels, "horner": horner, "tables": tables, "sorted": sorted, "counts": counts, "mean32": mean[float32], "mean64": mean[float64],
	"usesArrays": usesArrays, "shadowed": shadowed, "deadArm": deadArm,
}

// Programs of functions with branches, loops and arrays are what Go computes.
func TestControlFlow(t *testing.T) {
	for name, fn := range controls {
		t.Run(name, func(t *testing.T) {
			f, err := Load(fn, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := Compare(f, fn, evaluator(t, f)); err != nil {
				t.Errorf("%v\n%v", err, f)
			}
		})
	}
}
