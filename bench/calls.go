//go:build linux

package main

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/go-yolk/yolk/ufunc"
	"github.com/viterin/vek/vek32"
)

// fact is one figure about calls.
type fact struct {
	Group  string // calls, threads or tune
	What   string
	Value  float64
	Unit   string
	Wanted string // what it is held against
}

const laneCount = 16 // of the widest vector

// callFacts measures what a call costs besides its work.
func callFacts(rounds int) []fact {
	typed := ufunc.Vectorize1[float32](gelu, ufunc.MustNative())
	boxed := ufunc.Vectorize(gelu, ufunc.Float32, 1, ufunc.MustNative())
	add1 := ufunc.Vectorize1[float32](func(x float32) float32 { return x + 1 }, ufunc.MustNative())
	in, out := make([]float32, 256), make([]float32, 256)
	for i := range in {
		in[i] = float32(i%12) - 6
	}
	one, oneOut := in[:1], out[:1]
	boxed(one, oneOut)
	typed(one, oneOut)
	add1(one, oneOut)
	times := turns(rounds, []func(){
		func() { typed(one, oneOut) },
		func() { boxed(one, oneOut) },
		func() { add1(one, oneOut) },
		func() { vek32.Exp_Into(oneOut, one) },
		func() { geluLoop(one, oneOut) },
	})
	facts := []fact{
		{"", "Vectorize1 of gelu, one element", times[0], "ns", "at most 40"},
		{"", "Vectorize1, allocations", testing.AllocsPerRun(1000, func() { typed(one, oneOut) }), "a call", "0"},
		{"", "Func of gelu, one element", times[1], "ns", "at most 200"},
		{"", "Func, allocations", testing.AllocsPerRun(1000, func() { boxed(one, oneOut) }), "a call", ""},
		{"", "Vectorize1 of x+1, one element", times[2], "ns", ""},
		{"", "vek's Exp, one element", times[3], "ns", ""},
		{"", "Go loop of gelu, one element", times[4], "ns", ""},
	}
	for _, k := range []struct {
		name string
		f    func(in, out []float32)
	}{{"gelu", typed}, {"exp", ufunc.Vectorize1[float32](exp, ufunc.MustNative())}, {"x+1", add1}} {
		excess, at := worstLength(rounds, k.f, in, out)
		facts = append(facts, fact{"", fmt.Sprintf("%s, lengths 1 to 130: worst excess over the next multiple of %d (length %d)", k.name, laneCount, at), excess, "ns", "at most 5"})
	}
	facts = append(facts, fact{"", "plain Go float code right after a kernel, time relative to without", afterKernel(rounds, typed, in, out), "", "1.0"})
	least := leastLength(rounds, typed, geluLoop, in, out)
	return append(facts, fact{"", "gelu: shortest length at which the kernel is faster than the Go loop", float64(least), "elements", ""})
}

func geluLoop(in, out []float32) {
	for i, x := range in {
		out[i] = 0.5 * x * (1 + float32(math.Tanh(float64(sqrt2pi*(x+0.044715*x*x*x)))))
	}
}

// turns times functions in turns, many calls a sample, and returns the median of each, in nanoseconds a call.
func turns(rounds int, fs []func()) []float64 {
	const calls = 10_000
	samples := make([][]float64, len(fs))
	for range rounds {
		for i, f := range fs {
			start := time.Now()
			for range calls {
				f()
			}
			samples[i] = append(samples[i], float64(time.Since(start))/calls)
		}
	}
	var medians []float64
	for _, s := range samples {
		medians = append(medians, median(s))
	}
	return medians
}

// worstLength is by how much any length up to 130 takes longer than the next multiple of a vector.
func worstLength(rounds int, f func(in, out []float32), in, out []float32) (excess float64, at int) {
	const longest = 144
	fs := make([]func(), longest)
	for n := 1; n <= longest; n++ {
		fs[n-1] = func() { f(in[:n], out[:n]) }
	}
	t := turns(rounds, fs)
	excess = math.Inf(-1)
	for n := 1; n <= 130; n++ {
		whole := (n + laneCount - 1) / laneCount * laneCount
		if e := t[n-1] - t[whole-1]; e > excess {
			excess, at = e, n
		}
	}
	return excess, at
}

// scalar is float code of Go, which uses the lower parts of the vector registers.
//
//go:noinline
func scalar(x float32) float32 {
	for range 200 {
		x = x*0.99 + float32(math.Sqrt(float64(x*x+1)))*0.01
	}
	return x
}

// afterKernel compares scalar code right after a kernel with scalar code after a plain loop.
func afterKernel(rounds int, kernel func(in, out []float32), in, out []float32) float64 {
	var with, without []float64
	for range 100 * rounds {
		kernel(in, out)
		start := time.Now()
		scalar(in[0])
		with = append(with, float64(time.Since(start)))
		geluLoop(in[:4], out[:4])
		start = time.Now()
		scalar(in[0])
		without = append(without, float64(time.Since(start)))
	}
	return median(with) / median(without)
}

// leastLength is the shortest length from which on f is faster than g.
func leastLength(rounds int, f, g func(in, out []float32), in, out []float32) int {
	least := 0
	for n := 32; n >= 1; n-- {
		t := turns(rounds, []func(){func() { f(in[:n], out[:n]) }, func() { g(in[:n], out[:n]) }})
		if t[0] >= t[1] {
			break
		}
		least = n
	}
	return least
}

// threadFacts compares a kernel on two threads with one, in calls one after another and in calls that come alone, and with a
// copy on two threads.
func threadFacts(rounds int) []fact {
	copyTwo, err := copiesOfTwo()
	if err != nil {
		fmt.Fprintln(os.Stderr, "two threads of memcpy:", err)
	}
	one := ufunc.Vectorize1[float32](gelu, ufunc.MustNative())
	two := ufunc.Vectorize1[float32](gelu, ufunc.MustNative(), ufunc.Threads(2))
	var facts []fact
	for _, n := range []int{1000, 30_000, 100_000, 300_000, 1_000_000, 16_777_216} {
		in, out := make([]float32, n), make([]float32, n)
		for i := range in {
			in[i] = float32(i%1200)/100 - 6
		}
		reps := max(1, 30_000_000/n)
		series := func(f func(in, out []float32)) float64 {
			for range min(reps, 30) { // the other thread comes
				f(in, out)
			}
			start := time.Now()
			for range reps {
				f(in, out)
			}
			return float64(time.Since(start)) / float64(reps)
		}
		alone := func(f func(in, out []float32)) float64 {
			time.Sleep(2 * time.Millisecond) // the other thread goes
			start := time.Now()
			f(in, out)
			return float64(time.Since(start))
		}
		var together, apart, copied []float64
		for range rounds {
			took := series(two)
			together = append(together, series(one)/took)
			if copyTwo != nil {
				copied = append(copied, float64(copyTwo(in, out, reps))/float64(reps)/took)
			}
			apart = append(apart, alone(one)/alone(two))
		}
		wanted := ""
		if n == 300_000 {
			wanted = "1.75"
		}
		facts = append(facts,
			fact{"", fmt.Sprintf("two threads, gelu over %s elements, calls one after another: times as fast as one", spaced(n)), median(together), "", wanted},
			fact{"", fmt.Sprintf("two threads, gelu over %s elements, calls that come alone: times as fast as one", spaced(n)), median(apart), "", ""})
		if n >= 300_000 && copied != nil {
			wanted = ""
			if n > 10_000_000 {
				wanted = "1"
			}
			facts = append(facts, fact{"", fmt.Sprintf("two threads, gelu over %s elements, calls one after another: times as fast as two threads of memcpy", spaced(n)), median(copied), "", wanted})
		}
	}
	return facts
}

func printFacts(facts []fact) {
	for _, f := range facts {
		fmt.Printf("%-110s %s %s", f.What, digits(f.Value), f.Unit)
		if f.Wanted != "" {
			fmt.Printf(" (wanted: %s)", f.Wanted)
		}
		fmt.Println()
	}
}
