package ufunc_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

// pairs draws operands of a division with a remainder: any bits, so that quotients reach 2^277 in float32 and 2^2098 in float64; operands
// of one size; multiples and halves of the divisor, a bit to either side.
func pairs[T ufunc.Float](rng *rand.Rand, n int, bits func() T, next func(x T, up bool) T) (x, y []T) {
	x, y = make([]T, n), make([]T, n)
	specials := []T{0, T(math.Copysign(0, -1)), 1, -1, 2, 3, -3, 0.5, T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN())}
	for i := range x {
		x[i], y[i] = bits(), bits()
		switch i % 4 {
		case 0:
			if i < 4*len(specials)*len(specials) {
				x[i], y[i] = specials[i/4%len(specials)], specials[i/4/len(specials)]
			}
		case 1:
			x[i] = y[i] * T(rng.IntN(2000)) / 2
			if k := rng.IntN(3); k > 0 && x[i]-x[i] == 0 {
				x[i] = next(x[i], k == 1)
			}
		case 2:
			x[i], y[i] = T(rng.NormFloat64()*1000), T(rng.NormFloat64())
		}
	}
	return x, y
}

// Mod and Remainder are exact, on every target that the host can run.
func TestModulus(t *testing.T) {
	mod32 := func(x, y float32) float32 { return ufunc.Mod(x, y) }
	remainder32 := func(x, y float32) float32 { return ufunc.Remainder(x, y) }
	mod64 := func(x, y float64) float64 { return ufunc.Mod(x, y) }
	remainder64 := func(x, y float64) float64 { return ufunc.Remainder(x, y) }
	const n = 1 << 20
	rng := rand.New(rand.NewPCG(21, 22))
	x32, y32 := pairs(rng, n, func() float32 { return math.Float32frombits(rng.Uint32()) }, func(x float32, up bool) float32 {
		if up {
			return math.Nextafter32(x, math.MaxFloat32)
		}
		return math.Nextafter32(x, -math.MaxFloat32)
	})
	x32[0], y32[0] = 3e38, 1e-45
	x64, y64 := pairs(rng, n, func() float64 { return math.Float64frombits(rng.Uint64()) }, func(x float64, up bool) float64 {
		if up {
			return math.Nextafter(x, math.MaxFloat64)
		}
		return math.Nextafter(x, -math.MaxFloat64)
	})
	x64[0], y64[0] = math.MaxFloat64, 0x1.8p-1073
	out32, out64 := make([]float32, n), make([]float64, n)
	// What package math takes long for is compared at every 16th point.
	check32 := func(name string, fn func(x, y float32) float32, exact func(x, y float64) float64) {
		ufunc.Vectorize2[float32](fn)(x32, y32, out32)
		for i := 0; i < n; i += 1 + 15*(i&1) {
			want := float32(exact(float64(x32[i]), float64(y32[i])))
			if !same(out32[i], want) {
				t.Fatalf("%s(%x, %x) = %x, want %x", name, x32[i], y32[i], out32[i], want)
			}
		}
	}
	check64 := func(name string, fn func(x, y float64) float64, exact func(x, y float64) float64) {
		ufunc.Vectorize2[float64](fn)(x64, y64, out64)
		for i := 0; i < n; i += 1 + 15*(i&1) {
			want := exact(x64[i], y64[i])
			if math.Float64bits(out64[i]) != math.Float64bits(want) && (want == want || out64[i] == out64[i]) {
				t.Fatalf("%s(%x, %x) = %x, want %x", name, x64[i], y64[i], out64[i], want)
			}
		}
	}
	check32("Mod", mod32, math.Mod)
	check32("Remainder", remainder32, math.Remainder)
	check64("Mod", mod64, math.Mod)
	check64("Remainder", remainder64, math.Remainder)
}
