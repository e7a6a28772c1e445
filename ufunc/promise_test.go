package ufunc_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/ufunc"
)

// Correctly rounded kernels are off by half an ulp at most, also where the function cancels as written.
func TestCorrectlyRounded(t *testing.T) {
	for _, test := range []struct {
		name string
		fn   func(float32) float32
	}{{"exp", exp32}, {"tanh", tanh32}, {"log", log32}, {"expm1", expm132}, {"gelu", gelu}, {"silu", silu[float32]}} {
		t.Run(test.name, func(t *testing.T) {
			k := ufunc.Vectorize(test.fn, ufunc.Float32, 1, ufunc.CorrectlyRounded()).Kernel()
			r := k.Report()
			if r.IROut == "" {
				t.Fatal(r.Reason)
			}
			if r.Certificate.MaxULP > 0.5 || !strings.Contains(r.IROut, "f64") {
				t.Errorf("%v\n%s", r.Certificate, r.IROut)
			}
		})
	}
}

// Strict kernels have the bits of the Go function, in float32 and, without library functions, in float64.
func TestStrict(t *testing.T) {
	twoSum := func(a, b float64) float64 { // the error of a + b: nothing is left of it over the reals
		s := a + b
		return (a - (s - (s - a))) + (b - (s - a))
	}
	t.Run("gelu", func(t *testing.T) {
		f := ufunc.Vectorize1[float32](gelu, ufunc.Strict())
		x := randomBits(rand.New(rand.NewPCG(9, 9)), 20_000)
		y := make([]float32, len(x))
		f(x, y)
		for i := range x {
			if want := gelu(x[i]); !same(y[i], want) {
				t.Fatalf("gelu(%x) = %x, Go gives %x", x[i], y[i], want)
			}
		}
	})
	t.Run("two-sum", func(t *testing.T) {
		f := ufunc.Vectorize2[float64](twoSum, ufunc.Strict())
		rng := rand.New(rand.NewPCG(10, 10))
		a, b, e := make([]float64, 1000), make([]float64, 1000), make([]float64, 1000)
		for i := range a {
			a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()*math.Exp(rng.NormFloat64()*10)
		}
		f(a, b, e)
		for i := range a {
			if want := twoSum(a[i], b[i]); e[i] != want {
				t.Fatalf("%g, %g: %g, Go gives %g", a[i], b[i], e[i], want)
			}
		}
	})
	t.Run("a float64 function is the interpreter's", func(t *testing.T) {
		k := ufunc.Vectorize(func(x float64) float64 { return math.Exp(x) + 1 }, ufunc.Float64, 1, ufunc.Strict()).Kernel()
		x, y := []float64{0.5, -700, 1e3}, make([]float64, 3)
		if err := k.Call(x, y); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			if want := math.Exp(x[i]) + 1; y[i] != want {
				t.Errorf("%g: %g, Go gives %g", x[i], y[i], want)
			}
		}
		if r := k.Report(); r.Executor != "interpreter" || !strings.Contains(r.Reason, "Strict") {
			t.Errorf("it runs on %s: %s", r.Executor, r.Reason)
		}
	})
}

// A portable kernel is one program on every target.
func TestPortable(t *testing.T) {
	var programs []string
	for _, target := range []string{"x86-64-v2", "x86-64-v3"} {
		r := ufunc.Vectorize(gelu, ufunc.Float32, 1, ufunc.Portable(), ufunc.Target(target)).Kernel().Report()
		if r.IROut == "" {
			t.Fatal(r.Reason)
		}
		if strings.Contains(r.IROut, "fma") {
			t.Errorf("%s: a fused multiply-add\n%s", target, r.IROut)
		}
		programs = append(programs, r.IROut)
	}
	if d := cmp.Diff(programs[0], programs[1]); d != "" || programs[0] == "" {
		t.Errorf("(-v2 +v3)\n%s", d)
	}
}

// C91: rounding that is meant survives under Strict: re-association, overflow on the way, division by a constant.
func TestStrictKeepsRounding(t *testing.T) {
	one := func(fn func(float32) float32, x float32) float32 {
		var y [1]float32
		ufunc.Vectorize1[float32](fn, ufunc.Strict())([]float32{x}, y[:])
		return y[0]
	}
	large := func(x float32) float32 { return (x + 1e8) - 1e8 }
	for x, want := range map[float32]float32{1: 0, 3: 0, 5: 8} {
		if got := one(large, x); got != want {
			t.Errorf("(%g + 1e8) - 1e8 = %g, want %g", x, got, want)
		}
	}
	if got := one(func(x float32) float32 { return x * 1e30 * 1e-30 }, 1e10); !math.IsInf(float64(got), 1) {
		t.Errorf("1e10 * 1e30 * 1e-30 = %g, want +Inf", got)
	}
	if got := one(func(x float32) float32 { return x / 3 * 3 }, 5); got != 5 {
		t.Errorf("5 / 3 * 3 = %g", got)
	}
	two := func(fn func(x, y float32) float32, x, y float32) float32 {
		var z [1]float32
		ufunc.Vectorize2[float32](fn, ufunc.Strict())([]float32{x}, []float32{y}, z[:])
		return z[0]
	}
	lost := func(x, y float32) float32 { return (x - ((x + y) - ((x + y) - x))) + (y - ((x + y) - x)) }
	if got := two(lost, 1, 1e-8); math.Float32bits(got) != 0x322bcc77 {
		t.Errorf("the error of 1 + 1e-8 is %x, want 322bcc77", math.Float32bits(got))
	}
	difference := func(x, y float32) float32 { return (x + y) - x - y }
	if got := two(difference, 1, 1e-8); got != difference(1, 1e-8) {
		t.Errorf("(1 + 1e-8) - 1 - 1e-8 = %g, Go gives %g", got, difference(1, 1e-8))
	}
}
