package ufunc_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/ufunc"
)

// same is equality of bits, NaN payloads apart.
func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// reference runs the program that a kernel runs on the interpreter.
func reference(t *testing.T, k *ufunc.Kernel) func(in ...[]float32) []float32 {
	t.Helper()
	f, err := ir.Parse("report", k.Report().IROut)
	if err != nil {
		t.Fatal(err)
	}
	p, err := interp.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	return func(in ...[]float32) []float32 {
		var columns []interp.Column
		for _, x := range in {
			columns = append(columns, interp.Column{F32: x})
		}
		out := make([]float32, len(in[0]))
		if err := p.Run(len(out), columns, []interp.Column{{F32: out}}); err != nil {
			t.Fatal(err)
		}
		return out
	}
}

func randomBits(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		switch rng.IntN(4) {
		case 0:
			x[i] = float32(rng.NormFloat64() * 4)
		default:
			x[i] = math.Float32frombits(rng.Uint32())
		}
	}
	return x
}

func mixed(x, y float32) float32 { return ufunc.Exp(x)*ufunc.Tanh(y) + x/ufunc.Sqrt(y) - ufunc.Log(x) }

const (
	guard  = 40         // elements before and after every buffer
	canary = 0x7fa5a5a5 // a signalling NaN that no kernel makes
	lanes  = 16         // of the widest vector
)

// guarded returns memory of n elements inside guard bands, and a check that the bands are untouched and that nothing but
// the given elements of the middle has changed.
func guarded(n int) (middle []float32, check func() error) {
	all := make([]float32, n+2*guard)
	for i := range all {
		all[i] = math.Float32frombits(canary)
	}
	return all[guard : guard+n], func() error {
		for i := range all {
			if (i < guard || i >= guard+n) && math.Float32bits(all[i]) != canary {
				return fmt.Errorf("element %d outside of the %d was written", i-guard, n)
			}
		}
		return nil
	}
}

// Native code and interpreter agree bit for bit, at every length and start within a vector, and touch nothing else.
func TestNativeEqualsInterpreter(t *testing.T) {
	f := ufunc.Vectorize(mixed, ufunc.Float32, 1)
	needNative(t, f.Kernel())
	want := reference(t, f.Kernel())
	rng := rand.New(rand.NewPCG(7, 7))
	for n := range 131 {
		for start := range lanes {
			x, y := randomBits(rng, n+start)[start:], randomBits(rng, n+2*start)[2*start:]
			out, check := guarded(n + start)
			f(x, y, out[start:])
			if err := check(); err != nil {
				t.Fatalf("n = %d, start %d: %v", n, start, err)
			}
			for i := range start {
				if math.Float32bits(out[i]) != canary {
					t.Fatalf("n = %d, start %d: element %d before the output was written", n, start, i)
				}
			}
			for i, w := range want(x, y) {
				if got := out[start+i]; !same(got, w) {
					t.Fatalf("n = %d, start %d, element %d: f(%x, %x) = %x, the interpreter gives %x", n, start, i, x[i], y[i], got, w)
				}
			}
		}
	}
}

// The same at strides -3 to 3, on inputs and output.
func TestStridesEqualInterpreter(t *testing.T) {
	f := ufunc.Vectorize(mixed, ufunc.Float32, 1)
	needNative(t, f.Kernel())
	want := reference(t, f.Kernel())
	rng := rand.New(rand.NewPCG(8, 8))
	spread := func(x []float32, inc int) (blas32.Vector, func() error) {
		step := max(inc, -inc, 1)
		data, check := guarded(max(0, (len(x)-1)*step+1))
		v := blas32.Vector{N: len(x), Inc: inc, Data: data}
		for i, e := range x {
			data[at(v, i)] = e
		}
		return v, check
	}
	for _, n := range []int{0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 130} {
		x, y := randomBits(rng, n), randomBits(rng, n)
		for incX := -3; incX <= 3; incX++ {
			for incOut := -3; incOut <= 3; incOut++ {
				incY := 1 + (incX+incOut+6)%3
				if incX == 0 || incOut == 0 {
					continue
				}
				vx, _ := spread(x, incX)
				vy, _ := spread(y, incY)
				out, check := spread(make([]float32, n), incOut)
				before := append([]float32(nil), out.Data...)
				f(vx, vy, out)
				if err := check(); err != nil {
					t.Fatalf("n = %d, strides %d %d %d: %v", n, incX, incY, incOut, err)
				}
				written := make([]bool, len(out.Data))
				for i, w := range want(x, y) {
					written[at(out, i)] = true
					if got := out.Data[at(out, i)]; !same(got, w) {
						t.Fatalf("n = %d, strides %d %d %d, element %d: %x, the interpreter gives %x", n, incX, incY, incOut, i, got, w)
					}
				}
				for i, w := range written {
					if !w && math.Float32bits(out.Data[i]) != math.Float32bits(before[i]) {
						t.Fatalf("n = %d, stride %d: element %d between the outputs was written", n, incOut, i)
					}
				}
			}
		}
	}
}

// at is the index of element i of a vector: a negative increment starts at the far end.
func at(v blas32.Vector, i int) int {
	if v.Inc < 0 {
		return (v.N - 1 - i) * -v.Inc
	}
	return i * v.Inc
}

// The same function compiled in two processes gives the same bytes.
func TestSameBytesInTwoProcesses(t *testing.T) {
	const variable = "YOLK_TEST_PRINT_LLVM"
	text := func() string {
		var b strings.Builder
		for _, f := range []ufunc.Func{
			ufunc.Vectorize(gelu, ufunc.Float32, 1), ufunc.Vectorize(mixed, ufunc.Float32, 2),
			ufunc.Vectorize(demoGelu, ufunc.Float32, 1, demoOptions...),
		} {
			r := f.Kernel().Report()
			b.WriteString(r.IROut + r.LLVM)
		}
		return b.String()
	}
	if os.Getenv(variable) != "" {
		fmt.Print(text())
		os.Exit(0)
	}
	for range 2 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSameBytesInTwoProcesses$")
		cmd.Env = append(os.Environ(), variable+"=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if string(out) != text() {
			t.Error("another process made another program")
		}
	}
}
