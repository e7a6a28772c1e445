package ufunc_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

const goroutines = 64

// together runs f in many goroutines that start at the same time, and reports their errors.
func together(t *testing.T, f func(g int) error) {
	t.Helper()
	start := make(chan struct{})
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			<-start
			if err := f(g); err != nil {
				t.Errorf("goroutine %d: %v", g, err)
			}
		})
	}
	close(start)
	wg.Wait()
}

// lockedBuffer is a bytes.Buffer for many writers.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// The first use by many goroutines at once makes the code once, and all of them get right results.
func TestFirstUseTogether(t *testing.T) {
	var w lockedBuffer
	f := ufunc.Vectorize(func(x float32) float32 { return 2 * x }, ufunc.Float32, 1, ufunc.ReportTo(&w))
	typed := ufunc.Vectorize1[float32](func(x float32) float32 { return 2 * x }, ufunc.ReportTo(&w))
	var reports atomic.Int32
	together(t, func(g int) error {
		in, out, again := make([]float32, g+1), make([]float32, g+1), make([]float32, g+1)
		for i := range in {
			in[i] = float32(g * i)
		}
		if g%8 == 0 {
			if r := f.Kernel().Report(); r.IROut != "" {
				reports.Add(1)
			}
		}
		f(in, out)
		typed(in, again)
		for i := range in {
			if out[i] != 2*in[i] || again[i] != 2*in[i] {
				return fmt.Errorf("element %d: %v and %v, want %v", i, out[i], again[i], 2*in[i])
			}
		}
		return nil
	})
	if n := strings.Count(w.buf.String(), "optimised:"); n != 2 {
		t.Errorf("the code of two kernels was made %d times", n)
	}
	if n := reports.Load(); n != goroutines/8 {
		t.Errorf("%d good reports of %d", n, goroutines/8)
	}
}

// C65: one kernel called by many goroutines on buffers of their own, of every length up to many blocks of the interpreter; TestThreadsTogether has
// kernels of several threads.
func TestCallsTogether(t *testing.T) {
	boxed := ufunc.Vectorize(func(x, y float32) float32 { return x - 2*y }, ufunc.Float32, 1, ufunc.Domain(-1e6, 1e6))
	typed := ufunc.Vectorize2[float32](func(x, y float32) float32 { return x - 2*y }, ufunc.Domain(-1e6, 1e6))
	together(t, func(g int) error {
		n := 1 + 200_000*g*g*g/((goroutines-1)*(goroutines-1)*(goroutines-1)) // most of them short
		x, y, out := make([]float32, n), make([]float32, n), make([]float32, n)
		for round := range 20 {
			for i := range n {
				x[i], y[i] = float32(i+round), float32(g)
			}
			if round%2 == 0 {
				boxed(x, y, out)
			} else {
				typed(x, y, out)
			}
			boxed(x, float32(g), x) // in place and with a scalar, which both need plans
			for i := range n {
				want := float32(i + round - 2*g)
				if out[i] != want || x[i] != want {
					return fmt.Errorf("n = %d, round %d, element %d: %v and %v, want %v", n, round, i, out[i], x[i], want)
				}
			}
		}
		return nil
	})
}

// Many goroutines make kernels of the same and of different functions at once.
func TestVectorizeTogether(t *testing.T) {
	together(t, func(g int) error {
		c := float64(g % 4)
		f := ufunc.Vectorize1[float32](func(x ufunc.Value) ufunc.Value { return x.Mul(ufunc.Const(c)) })
		if g >= 8 { // the front end alone: code for a few is enough
			return nil
		}
		out := []float32{0, 0, 0}
		f([]float32{1, 2, 3}, out)
		if out[2] != float32(3*c) {
			return fmt.Errorf("3*%v = %v", c, out[2])
		}
		return nil
	})
}

// C106: operands that are local arrays of a goroutine whose stack is about to grow, far down, are where the stack is when native code runs.
func TestOperandsOnGrowingStacks(t *testing.T) {
	double := ufunc.Vectorize1[float32](func(x ufunc.Value) ufunc.Value { return x.Add(x) })
	rounds := 400
	if testing.Short() {
		rounds = 40
	}
	var down func(depth int) error
	down = func(depth int) error {
		var in, out [64]float32
		for i := range in {
			in[i] = float32(depth + i)
		}
		if depth > 0 {
			if err := down(depth - 1); err != nil {
				return err
			}
			if depth%100 != 0 {
				return nil
			}
		}
		double(in[:], out[:])
		for i, y := range out {
			if y != 2*float32(depth+i) {
				return fmt.Errorf("at depth %d: %v, want %v", depth, out, in)
			}
		}
		return nil
	}
	for round := range rounds {
		done := make(chan error)
		go func() { done <- down(2000) }()
		if round%8 == 0 {
			runtime.GC()
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}
