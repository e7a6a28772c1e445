package ufunc_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

// Faults that other vector libraries have had, each as a whole kind.

var (
	inf = float32(math.Inf(1))
	nan = float32(math.NaN())
)

// C09: special values come out the same in vectors and tails, alone and beside ordinary ones.
func TestSpecialsAtEveryPosition(t *testing.T) {
	specials := []float32{nan, inf, -inf, 0, float32(math.Copysign(0, -1)), -2, 1e17, 1e-45, -1e-45, math.MaxFloat32, -math.MaxFloat32}
	for _, test := range []struct {
		name string
		fn   func(float32) float32
		want []float32 // nil: what a kernel over one element gives
	}{
		{"log", log32, []float32{nan, inf, nan, -inf, -inf, nan, 39.1439468}},
		{"exp", exp32, []float32{nan, inf, 0, 1, 1, 0.135335283, inf}},
		{"expm1", expm132, []float32{nan, inf, -1, 0, float32(math.Copysign(0, -1))}},
		{"tanh", tanh32, []float32{nan, 1, -1, 0, float32(math.Copysign(0, -1))}},
		{"sqrt", sqrt32, []float32{nan, inf, nan, 0, float32(math.Copysign(0, -1)), nan}},
		{"pow(x, -2)", powm2, []float32{nan, 0, 0, inf, inf, 0.25}},
		{"gelu", gelu, []float32{nan, inf}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := ufunc.Vectorize1[float32](test.fn)
			ordinary := make([]float32, 1)
			f([]float32{1.121}, ordinary)
			for k, x := range specials {
				want := make([]float32, 1)
				f([]float32{x}, want)
				if k < len(test.want) && !same(want[0], test.want[k]) && math.Abs(float64(want[0]-test.want[k])) > 4*spacing(float64(test.want[k])) {
					t.Errorf("%s(%g) = %g, want %g", test.name, x, want[0], test.want[k])
				}
				for _, n := range []int{5, 16, 33, 67} {
					for at := -1; at < n; at++ { // -1: everywhere
						in, out := make([]float32, n), make([]float32, n)
						for i := range in {
							in[i] = 1.121
							if at < 0 || i == at {
								in[i] = x
							}
						}
						f(in, out)
						for i, got := range out {
							w := ordinary[0]
							if at < 0 || i == at {
								w = want[0]
							}
							if !same(got, w) {
								t.Fatalf("%s, n = %d, %g at %d: element %d is %g, want %g", test.name, n, x, at, i, got, w)
							}
						}
					}
				}
			}
		})
	}
}

// C11: kernels neither turn on flush-to-zero for the program nor depend on it.
func TestSubnormalsStay(t *testing.T) {
	half := func(bits uint32) uint32 { return math.Float32bits(math.Float32frombits(bits) * 0.5) }
	check := func(when string) {
		t.Helper()
		var wg sync.WaitGroup
		for range 400 {
			wg.Go(func() {
				for range 50 {
					if got := half(0x00800000); got != 0x00400000 {
						t.Errorf("%s: half of the smallest normal number is %08x", when, got)
						return
					}
					runtime.Gosched()
				}
			})
		}
		wg.Wait()
	}
	check("before")
	licences := ufunc.Allow(ufunc.NoNaN | ufunc.NoInf | ufunc.NoSignZero)
	for _, opts := range [][]option{nil, {licences}} {
		f := ufunc.Vectorize1[float32](func(x float32) float32 { return x * 0.5 }, opts...)
		check("after Vectorize")
		in, out := make([]float32, 67), make([]float32, 67)
		for i := range in {
			in[i] = math.Float32frombits(0x00800000)
		}
		f(in, out)
		for i, y := range out {
			if math.Float32bits(y) != 0x00400000 {
				t.Fatalf("element %d: the kernel flushes to %08x", i, math.Float32bits(y))
			}
		}
		check("after the call")
	}
}

// C13: comparisons with NaN and infinity are not optimised away.
func TestNaNTestsStay(t *testing.T) {
	c := ufunc.Const
	for _, test := range []struct {
		name string
		fn   func(ufunc.Value) ufunc.Value
		want [4]float32 // at NaN, +Inf, -Inf, 1
	}{
		{"where(x != x, 0, x)", func(x ufunc.Value) ufunc.Value { return ufunc.Where(x.NotEqual(x), c(0), x) }, [4]float32{0, inf, -inf, 1}},
		{"where(x == x, x, 0)", func(x ufunc.Value) ufunc.Value { return ufunc.Where(x.Equal(x), x, c(0)) }, [4]float32{0, inf, -inf, 1}},
		{"where(x == inf, 1, 2)", func(x ufunc.Value) ufunc.Value { return ufunc.Where(x.Equal(c(math.Inf(1))), c(1), c(2)) }, [4]float32{2, 1, 2, 2}},
		{"where(|x| < inf, 1, 0)", func(x ufunc.Value) ufunc.Value { return ufunc.Where(x.Abs().Less(c(math.Inf(1))), c(1), c(0)) }, [4]float32{0, 0, 0, 1}},
		{"where(x - x == 0, 1, 0)", func(x ufunc.Value) ufunc.Value { return ufunc.Where(x.Sub(x).Equal(c(0)), c(1), c(0)) }, [4]float32{0, 0, 0, 1}},
		{"where(x <= x, 1, 0)", func(x ufunc.Value) ufunc.Value { return ufunc.Where(x.LessEq(x), c(1), c(0)) }, [4]float32{0, 1, 1, 1}},
		{"where(x > NaN, 1, 2)", func(x ufunc.Value) ufunc.Value { return ufunc.Where(x.Greater(c(math.NaN())), c(1), c(2)) }, [4]float32{2, 2, 2, 2}},
		{"where(x != NaN, 1, 2)", func(x ufunc.Value) ufunc.Value { return ufunc.Where(x.NotEqual(c(math.NaN())), c(1), c(2)) }, [4]float32{1, 1, 1, 1}},
		{"x + 0/0", func(x ufunc.Value) ufunc.Value { return x.Add(c(0).Div(c(0))) }, [4]float32{nan, nan, nan, nan}},
		{"x * NaN", func(x ufunc.Value) ufunc.Value { return x.Mul(c(math.NaN())) }, [4]float32{nan, nan, nan, nan}},
		{"x + (inf - inf)", func(x ufunc.Value) ufunc.Value { return x.Add(c(math.Inf(1)).Sub(c(math.Inf(1)))) }, [4]float32{nan, nan, nan, nan}},
		{"x - x", func(x ufunc.Value) ufunc.Value { return x.Sub(x) }, [4]float32{nan, nan, nan, 0}},
		{"x * 0", func(x ufunc.Value) ufunc.Value { return x.Mul(c(0)) }, [4]float32{nan, nan, nan, 0}},
		{"x / x", func(x ufunc.Value) ufunc.Value { return x.Div(x) }, [4]float32{nan, nan, nan, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := ufunc.Vectorize1[float32](test.fn)
			for n := 4; n <= 36; n += 16 {
				in, out := make([]float32, n), make([]float32, n)
				for i := range in {
					in[i] = [4]float32{nan, inf, -inf, 1}[i%4]
				}
				f(in, out)
				for i, got := range out {
					want := test.want[i%4]
					// At infinite inputs a NaN of the formula may be a limit (C05): x - x, x*0, x/x.
					if want != want && math.IsInf(float64(in[i]), 0) && (test.name == "x - x" || test.name == "x * 0" || test.name == "x / x") {
						continue
					}
					if !same(got, want) {
						t.Fatalf("n = %d: %g at x = %g, want %g", n, got, in[i], want)
					}
				}
			}
		})
	}
}

// C15: powers with negative integral exponents, in both front ends.
func TestNegativePowers(t *testing.T) {
	in := []float32{2, -3, 0, float32(math.Copysign(0, -1)), inf, nan, -inf}
	for _, test := range []struct {
		name string
		fn   any
		want []float32
	}{
		{"pow(x, -2)", func(x ufunc.Value) ufunc.Value { return x.Pow(-2) }, []float32{0.25, 1. / 9, inf, inf, 0, nan, 0}},
		{"pow(x, -2) in Go", powm2, []float32{0.25, 1. / 9, inf, inf, 0, nan, 0}},
		{"pow(x, -1)", func(x ufunc.Value) ufunc.Value { return x.Pow(-1) }, []float32{0.5, -1. / 3, inf, -inf, 0, nan, float32(math.Copysign(0, -1))}},
		{"pow(x, 0)", func(x ufunc.Value) ufunc.Value { return x.Pow(0) }, []float32{1, 1, 1, 1, 1, 1, 1}},
	} {
		out := make([]float32, len(in))
		ufunc.Vectorize(test.fn, ufunc.Float32, 1)(in, out)
		for i, want := range test.want {
			if got := out[i]; !same(got, want) && math.Abs(float64(got-want)) > 4*spacing(float64(want)) {
				t.Errorf("%s at %g: %g, want %g", test.name, in[i], got, want)
			}
		}
	}
}

// C41: input and output that overlap, shifted by any distance, in any kind of memory, give what copies would give.
func TestShiftedOverlap(t *testing.T) {
	const n, far = 40, 40
	fn := func(x float32) float32 { return x + 1 }
	boxed := ufunc.Vectorize(fn, ufunc.Float32, 1)
	typed := ufunc.Vectorize1[float32](fn)
	two := ufunc.Vectorize2[float32](func(x, y float32) float32 { return x + 2*y }, ufunc.Domain(-1e6, 1e6))
	for d := -far; d <= far; d++ {
		for name, call := range map[string]func(buf []float32, a, b int) (want []float32){
			"slices": func(buf []float32, a, b int) []float32 {
				want := plusOne(buf[a : a+n])
				boxed(buf[a:a+n], buf[b:b+n])
				return want
			},
			"typed": func(buf []float32, a, b int) []float32 {
				want := plusOne(buf[a : a+n])
				typed(buf[a:a+n], buf[b:b+n])
				return want
			},
			"backwards": func(buf []float32, a, b int) []float32 {
				want := plusOne(buf[a : a+n])
				for i := range n / 2 {
					want[i], want[n-1-i] = want[n-1-i], want[i]
				}
				boxed(blas32.Vector{N: n, Inc: -1, Data: buf[a : a+n]}, buf[b:b+n])
				return want
			},
			"every second": func(buf []float32, a, b int) []float32 {
				want := append([]float32(nil), buf[b:b+n]...)
				for i := range n / 2 {
					want[2*i] = buf[a+i] + 1
				}
				boxed(buf[a:a+n/2], blas32.Vector{N: n / 2, Inc: 2, Data: buf[b : b+n]})
				return want
			},
			"two inputs": func(buf []float32, a, b int) []float32 {
				want := make([]float32, n)
				for i := range want {
					want[i] = buf[a+i] + 2*buf[b+i]
				}
				two(buf[a:a+n], buf[b:b+n], buf[b:b+n])
				return want
			},
		} {
			buf := make([]float32, 2*far+n)
			for i := range buf {
				buf[i] = float32(i * i)
			}
			before := append([]float32(nil), buf...)
			a, b := far, far+d
			want := call(buf, a, b)
			for i, got := range buf {
				w := before[i]
				if b <= i && i < b+n {
					w = want[i-b]
				}
				if got != w {
					t.Fatalf("%s, shift %d: element %d of the buffer is %v, want %v", name, d, i, got, w)
				}
			}
		}
	}
}

func plusOne(x []float32) []float32 {
	y := make([]float32, len(x))
	for i := range x {
		y[i] = x[i] + 1
	}
	return y
}

// C44: reversed views of every length, and of an image.
func TestReversed(t *testing.T) {
	f := ufunc.Vectorize(func(x float32) float32 { return x - 0.25 }, ufunc.Float32, 1)
	for n := 1; n <= 40; n++ {
		for inc := 1; inc <= 3; inc++ {
			data := make([]float32, (n-1)*inc+1)
			for i := range data {
				data[i] = float32(i)
			}
			out := make([]float32, n)
			f(blas32.Vector{N: n, Inc: -inc, Data: data}, out)
			for i := range out {
				if want := float32((n-1-i)*inc) - 0.25; out[i] != want {
					t.Fatalf("n = %d, increment %d, element %d: %v, want %v", n, -inc, i, out[i], want)
				}
			}
		}
	}
	data := make([]float32, 300*1000*2)
	for i := range data {
		data[i] = float32(i)
	}
	img := ufunc.NewArray(data, 300, 1000, 2).Slice(0, -1, -301, -1).Index(2, 0)
	out := make([]float32, 300*1000)
	ufunc.Vectorize(func(x float32) float32 { return x - 0.25 }, ufunc.Float32, 2)(img, ufunc.NewArray(out, 300, 1000))
	for i, got := range out {
		if want := float32((299-i/1000)*2000+i%1000*2) - 0.25; got != want {
			t.Fatalf("element %d of the image: %v, want %v", i, got, want)
		}
	}
}

// C46: no alignment beyond that of an element is assumed, by any function. (TestTypedErrors refuses memory between elements.)
func TestAnyAlignment(t *testing.T) {
	for name, fn := range map[string]func(float32) float32{
		"tanh": tanh32, "exp": exp32, "log": log32, "sqrt": sqrt32, "expm1": expm132, "pow3": pow3, "powm2": powm2, "gelu": gelu,
		"log1p": log1p32, "sin": sin32, "cos": cos32, "erf": erf32, "sigmoid": sigmoid32, "silu": silu32, "softplus": softplus32, "gelu_erf": gelu32,
		"mish": mish32, "elu": elu32, "selu": selu32,
	} {
		f := ufunc.Vectorize1[float32](fn)
		const longest = 70
		x, want := make([]float32, longest), make([]float32, longest)
		for i := range x {
			x[i] = float32(i)*0.17 - 3
		}
		f(x, want)
		in, out := make([]float32, longest+16), make([]float32, longest+16)
		for n := 1; n <= longest; n++ {
			for _, from := range []int{1, 2, 3, 5, 15} {
				to := (3*from + n) % 16
				copy(in[from:], x[:n])
				f(in[from:from+n], out[to:to+n])
				for i := range n {
					if !same(out[to+i], want[i]) {
						t.Fatalf("%s, n = %d, from %d to %d, element %d: %x, want %x", name, n, from, to, i, out[to+i], want[i])
					}
				}
			}
		}
	}
}

// A captured constant is part of the kernel, to its last bit, and frozen when the kernel is made.
func TestCapturedConstants(t *testing.T) {
	times := func(c float64) func(ufunc.Value) ufunc.Value {
		return func(x ufunc.Value) ufunc.Value { return x.Mul(ufunc.Const(c)) }
	}
	at := func(f func(in, out []float32), x float32) float32 {
		out := make([]float32, 1)
		f([]float32{x}, out)
		return out[0]
	}
	constants := []float64{2, 3, 2 + 0x1p-22, 0, math.Copysign(0, -1), 1, -1, 0x1p-149, math.MaxFloat32, math.Inf(1), math.NaN(), 16777217, 0.1}
	var kernels []func(in, out []float32)
	for _, c := range constants {
		kernels = append(kernels, ufunc.Vectorize1[float32](times(c)))
	}
	for i, c := range constants {
		if got, want := at(kernels[i], 1), float32(c); !same(got, want) {
			t.Errorf("1 * %g = %x, want %x", c, got, want)
		}
	}

	inner := []func(ufunc.Value) ufunc.Value{ufunc.Value.Neg, ufunc.Value.Abs, func(x ufunc.Value) ufunc.Value { return x.Add(x) }}
	for i, want := range []float32{3, 3, -6} {
		g := inner[i]
		if got := at(ufunc.Vectorize1[float32](func(x ufunc.Value) ufunc.Value { return g(x) }), -3); got != want {
			t.Errorf("captured function %d: %g, want %g", i, got, want)
		}
	}

	k, runs := 2.0, 0
	f := ufunc.Vectorize1[float32](func(x ufunc.Value) ufunc.Value { runs++; return x.Mul(ufunc.Const(k)) })
	traced := runs
	k = 3
	if got := at(f, 1); got != 2 {
		t.Errorf("%g after the captured variable has changed, want 2", got)
	}
	k = 4
	if got := at(f, 1); got != 2 || runs != traced {
		t.Errorf("%g in the second call, %d runs of the function; want 2, %d", got, runs, traced)
	}
	if traced != 2 {
		t.Errorf("the function ran %d times, want 2: once, and once to compare", traced)
	}
}

// Zeros of either sign are different constants, and types are kept.
func TestZeroConstants(t *testing.T) {
	negative := math.Copysign(0, -1)
	c := ufunc.Const
	for _, test := range []struct {
		name string
		fn   func(ufunc.Value) ufunc.Value
		x    float32
		want float32
	}{
		{"x + 0", func(x ufunc.Value) ufunc.Value { return x.Add(c(0)) }, float32(negative), 0},
		{"x + -0", func(x ufunc.Value) ufunc.Value { return x.Add(c(negative)) }, float32(negative), float32(negative)},
		{"x - 0", func(x ufunc.Value) ufunc.Value { return x.Sub(c(0)) }, float32(negative), float32(negative)},
		{"1/(x*0)", func(x ufunc.Value) ufunc.Value { return c(1).Div(x.Mul(c(0))) }, 1, inf},
		{"1/(x*-0)", func(x ufunc.Value) ufunc.Value { return c(1).Div(x.Mul(c(negative))) }, 1, -inf},
		{"both", func(x ufunc.Value) ufunc.Value {
			return ufunc.Where(c(1).Div(x.Mul(c(negative))).Less(c(1).Div(x.Mul(c(0)))), c(1), c(2))
		}, 1, 1},
	} {
		out := make([]float32, 1)
		ufunc.Vectorize1[float32](test.fn)([]float32{test.x}, out)
		if !same(out[0], test.want) {
			t.Errorf("%s at %g is %g, want %g", test.name, test.x, out[0], test.want)
		}
	}
}

// C106: memory moves while calls are made: stacks grow and the collector runs. The kernel must see it where it is.
func TestMovingMemory(t *testing.T) {
	double := ufunc.Vectorize1[float32](func(x float32) float32 { return 2 * x })
	boxed := ufunc.Vectorize(func(x float32) float32 { return 2 * x }, ufunc.Float32, 1)
	double([]float32{1}, make([]float32, 1))
	boxed([]float32{1}, make([]float32, 1))
	stop := make(chan struct{})
	var collector sync.WaitGroup
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	var down func(depth int) error
	down = func(depth int) error {
		if depth > 0 {
			var pad [64]byte
			pad[depth%64] = 1
			defer runtime.KeepAlive(&pad)
			return down(depth - 1)
		}
		var in, out, again [64]float32
		for i := range in {
			in[i] = float32(i)
		}
		double(in[:], out[:])
		boxed(in[:], again[:])
		for i := range out {
			if out[i] != 2*float32(i) || again[i] != out[i] {
				return fmt.Errorf("element %d: %v and %v", i, out[i], again[i])
			}
		}
		return nil
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for k := range 100 {
				done := make(chan error)
				go func() { done <- down(20 * k) }()
				if err := <-done; err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	collector.Wait()
}

// The collector's own check of what it has marked finds nothing wrong while memory moves and many goroutines call kernels.
func TestCheckedCollector(t *testing.T) {
	if os.Getenv("GODEBUG") != "" {
		t.Skip("GODEBUG is set")
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^(TestMovingMemory|TestCallsTogether|TestMixedCallsTogether|TestOrderOfOperands)$")
	cmd.Env = append(os.Environ(), "GODEBUG=gccheckmark=1")
	if text, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(text, []byte("PASS")) {
		t.Errorf("%v\n%s", err, text)
	}
}
