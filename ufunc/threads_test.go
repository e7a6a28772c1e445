package ufunc_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

// continued takes long enough for a few ten thousand elements to be divided, and little time to compile.
func continued(x, y float32) float32 {
	return x / (y + x/(1+y/(x+y/(2+x/(y+x/(3+y/(x+y/(4+x/(y+x/(5+y/x))))))))))
}

// sameBits compares results, NaN payloads apart.
func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if !same(got[i], want[i]) {
			t.Fatalf("%s: element %d of %d is %v on several threads and %v on one", what, i, len(want), got[i], want[i])
		}
	}
}

// Typed kernels: every element has the bits that it has on one thread, at all lengths, in place, and where the slices overlap.
func TestThreadsTyped(t *testing.T) {
	one := ufunc.Vectorize2[float32](continued, ufunc.Strict())
	rng := rand.New(rand.NewPCG(5, 6))
	for _, threads := range []int{0, 3} {
		many := ufunc.Vectorize2[float32](continued, ufunc.Strict(), ufunc.Threads(threads))
		for _, n := range []int{0, 1, 17, 5000, 16384, 20001, 99_999} {
			x, y, want := randomBits(rng, n), randomBits(rng, n), make([]float32, n)
			got, check := guarded(n)
			one(x, y, want)
			many(x, y, got)
			if err := check(); err != nil {
				t.Fatal(err)
			}
			sameBits(t, fmt.Sprint(threads, " threads"), got, want)
			in := slices.Clone(x)
			many(in, y, in)
			sameBits(t, "in place", in, want)
			shifted := append(slices.Clone(x), 0, 0, 0)
			many(shifted[:n], y, shifted[3:])
			sameBits(t, "overlapping", shifted[3:], want)
		}
	}
}

// Operands of two dimensions of every kind, with strides of either sign, broadcast along rows, columns or both.
func TestThreadsShapes(t *testing.T) {
	one := ufunc.Vectorize(continued, ufunc.Float32, 2, ufunc.Strict()).Kernel()
	many := ufunc.Vectorize(continued, ufunc.Float32, 2, ufunc.Strict(), ufunc.Threads(3)).Kernel()
	rng := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		// Few long rows, many short ones, and a single one.
		rows := []int{1, 2, 3, 40, 3000}[rng.IntN(5)]
		cols := 1 + rng.IntN(60_000/rows)
		matrix := func() any {
			stride := cols + rng.IntN(4)
			return blas32.General{Rows: rows, Cols: cols, Stride: stride, Data: randomBits(rng, (rows-1)*stride+cols)}
		}
		inputs := [2]any{}
		for i := range inputs {
			switch rng.IntN(4) {
			case 0:
				inputs[i] = float32(rng.NormFloat64())
			case 1:
				inc := []int{1, 2, -1, -3}[rng.IntN(4)]
				inputs[i] = blas32.Vector{N: cols, Inc: inc, Data: randomBits(rng, (cols-1)*max(inc, -inc)+1)}
			case 2:
				inputs[i] = blas32.General{Rows: rows, Cols: 1, Stride: 2, Data: randomBits(rng, 2*rows-1)}
			default:
				inputs[i] = matrix()
			}
		}
		stride := cols + rng.IntN(3)
		memory := randomBits(rng, (rows-1)*stride+cols) // what is between the rows must stay
		a := blas32.General{Rows: rows, Cols: cols, Stride: stride, Data: memory}
		b := a
		b.Data = slices.Clone(memory)
		if rng.IntN(3) == 0 {
			inputs[1] = nil // in place
		}
		for _, run := range []struct {
			k   *ufunc.Kernel
			out blas32.General
		}{{one, a}, {many, b}} {
			y := inputs[1]
			if y == nil {
				y = run.out
			}
			if err := run.k.Call(inputs[0], y, run.out); err != nil {
				t.Fatal(err)
			}
		}
		sameBits(t, fmt.Sprintf("%dx%d, %T and %T", rows, cols, inputs[0], inputs[1]), b.Data, a.Data)
	}
}

// One kernel of several threads, called by many goroutines at once.
func TestThreadsTogether(t *testing.T) {
	one := ufunc.Vectorize2[float32](continued, ufunc.Strict())
	boxed := ufunc.Vectorize(continued, ufunc.Float32, 1, ufunc.Strict(), ufunc.Threads(0))
	typed := ufunc.Vectorize2[float32](continued, ufunc.Strict(), ufunc.Threads(0))
	const n = 30_000
	rng := rand.New(rand.NewPCG(9, 10))
	x, y, want := randomBits(rng, n), randomBits(rng, n), make([]float32, n)
	one(x, y, want)
	together(t, func(g int) error {
		out := make([]float32, n)
		for round := range 4 {
			clear(out)
			if m := n - g - round; round%2 == 0 {
				boxed(x[:m], y[:m], out[:m])
			} else {
				typed(x[:m], y[:m], out[:m])
			}
			for i := range n - g - round {
				if !same(out[i], want[i]) {
					return fmt.Errorf("round %d, element %d: %v, want %v", round, i, out[i], want[i])
				}
			}
		}
		return nil
	})
}

var nestedInner = sync.OnceValue(func() func(x, y, out []float32) {
	return ufunc.Vectorize2[float32](continued, ufunc.Strict(), ufunc.Threads(4))
})

// nested calls a kernel of several threads, from wherever it is called itself.
func nested(x float32) float32 {
	in, out := make([]float32, 20_000), make([]float32, 20_000)
	for i := range in {
		in[i] = x
	}
	nestedInner()(in, in, out)
	return out[len(out)-1]
}

// Calls on several threads within calls on several threads, from several goroutines, end with the right results, on one processor too, and
// leave no more goroutines than there are processors (case C68).
func TestThreadsNested(t *testing.T) {
	one := ufunc.Vectorize2[float32](continued, ufunc.Strict())
	outer := ufunc.Vectorize(nested, ufunc.Float32, 1, ufunc.Threads(4), ufunc.Source(fstest.MapFS{})) // calls nested itself
	in, want, out := make([]float32, 8), make([]float32, 8), make([]float32, 8)
	for i := range in {
		in[i] = float32(i) + 0.5
	}
	one(in, in, want)
	outer(in, out) // made before goroutines are counted
	processors := runtime.GOMAXPROCS(0)
	before := runtime.NumGoroutine()
	for _, n := range []int{1, processors} {
		runtime.GOMAXPROCS(n)
		together(t, func(int) error {
			out := make([]float32, len(in))
			outer(in, out)
			if !slices.Equal(out, want) {
				return fmt.Errorf("%v on %d processors, want %v", out, n, want)
			}
			return nil
		})
	}
	more := 0
	for range 10_000 { // a goroutine that is done is still counted until it has ended
		if more = runtime.NumGoroutine() - before; more <= processors {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines are left on %d processors", more, processors)
}

// Bad numbers of threads are refused.
func TestThreadsNegative(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Threads(-1) was taken")
		}
	}()
	ufunc.Vectorize1[float32](func(x float32) float32 { return x }, ufunc.Threads(-1))
}
