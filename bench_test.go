package yolk_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/ufunc"
)

func gelu(x float32) float32 {
	c := ufunc.Sqrt(float32(2 / math.Pi))
	return 0.5 * x * (1 + ufunc.Tanh(c*(x+0.044715*x*x*x)))
}

func geluLoop(in, out []float32) {
	const c = 0.7978845608028654 // sqrt(2/π)
	for i, x := range in {
		out[i] = 0.5 * x * (1 + float32(math.Tanh(float64(c*(x+0.044715*x*x*x)))))
	}
}

// Benchmark runs whole calls, gelu/n=.../impl=..., against the plain Go loop. Bytes are those read and written once.
func Benchmark(b *testing.B) {
	copied := func(in, out []float32) { copy(out, in) }
	impls := []struct {
		name string
		run  func(in, out []float32)
	}{
		{"go", geluLoop},
		{"copy", copied},
		{"unoptimised", ufunc.Vectorize1[float32](gelu, ufunc.Rules(rules.Functions))},
		{"yolk", ufunc.Vectorize1[float32](gelu)},
		{"yolk-1e-6", ufunc.Vectorize1[float32](gelu, ufunc.Domain(0, 1), ufunc.WithinRel(1e-6))},
	}
	for _, n := range []int{1, 1000, 4096, 300_000, 16_777_216} {
		rng := rand.New(rand.NewPCG(1, 2))
		in, out := make([]float32, n), make([]float32, n)
		for i := range in {
			in[i] = rng.Float32()
		}
		for _, impl := range impls {
			b.Run(fmt.Sprintf("gelu/n=%d/impl=%s", n, impl.name), func(b *testing.B) {
				impl.run(in, out) // makes the kernel
				b.SetBytes(int64(8 * n))
				b.ReportAllocs()
				for b.Loop() {
					impl.run(in, out)
				}
			})
		}
	}
}
