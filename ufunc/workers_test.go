package ufunc

import (
	"context"
	"runtime"
	"testing"

	"github.com/go-yolk/yolk/jit"
)

// Long calls are divided and short ones are not, as the option says; dividing allocates nothing.
func TestWorkers(t *testing.T) {
	before := runtime.GOMAXPROCS(4)
	defer runtime.GOMAXPROCS(before)
	f := func(x float32) float32 { return x / (1 + x/(2+x/(3+x/(4+x/(5+x))))) }
	for _, c := range []struct {
		option Option
		want   int
	}{{Threads(0), 4}, {Threads(1), 1}, {Threads(3), 3}, {Threads(99), 4}, {func(*config) {}, 1}} {
		k, err := newKernel(f, Float32, 1, []Option{Strict(), c.option})
		if err != nil {
			t.Fatal(err)
		}
		e, err := k.get(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if e.native == nil {
			t.Skip(e.reason)
		}
		if got := k.workers(e, 1_000_000); got != c.want {
			t.Errorf("a long call has %d threads, not %d", got, c.want)
		}
		if got := k.workers(e, 1000); got != 1 {
			t.Errorf("a short call has %d threads", got)
		}
	}
	if jit.RaceEnabled {
		return // the detector allocates
	}
	g := Vectorize1[float32](f, Strict(), Threads(0))
	in, out := make([]float32, 200_000), make([]float32, 200_000)
	g(in, out)
	if n := testing.AllocsPerRun(50, func() { g(in, out) }); n >= 1 {
		t.Errorf("%v allocations in a call", n)
	}
}
