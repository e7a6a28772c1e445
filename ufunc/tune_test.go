package ufunc_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

func tunable(x float32) float32 { return x / (1 + ufunc.Exp(-x)) }

// A tuned kernel keeps its contract, is the program that its report shows, and was the fastest that was tried.
func TestTune(t *testing.T) {
	t.Setenv("YOLK_CACHE", t.TempDir())
	k := ufunc.Vectorize(tunable, ufunc.Float32, 1, ufunc.Tune(), ufunc.Name("tuned silu")).Kernel()
	needNative(t, k)
	r := k.Report()
	chosen, fastest := -1, 0
	candidates := map[int]bool{}
	for i, trial := range r.Trials {
		if trial.Nanoseconds <= 0 {
			t.Errorf("trial %d took no time: %+v", i, trial)
		}
		if trial.Nanoseconds < r.Trials[fastest].Nanoseconds {
			fastest = i
		}
		if trial.Chosen {
			if chosen >= 0 {
				t.Errorf("two trials were chosen")
			}
			chosen = i
		}
		candidates[trial.Candidate] = true
	}
	if chosen < 0 || r.Trials[chosen].Nanoseconds != r.Trials[fastest].Nanoseconds {
		t.Fatalf("the fastest trial was not chosen: %+v", r.Trials)
	}
	if len(candidates) < 2 || len(r.Trials) < len(candidates)+2 {
		t.Errorf("%d trials of %d candidates are too few for a choice", len(r.Trials), len(candidates))
	}
	if uint64(r.CostAfter) != r.Trials[chosen].Cost {
		t.Errorf("the program costs %d, the chosen trial %d", r.CostAfter, r.Trials[chosen].Cost)
	}
	if text := r.String(); !strings.Contains(text, "chosen") {
		t.Errorf("the report does not show the trials:\n%s", text)
	}
	x := randomBits(rand.New(rand.NewPCG(1, 2)), 5000)
	out := make([]float32, len(x))
	if err := k.Call(x, out); err != nil {
		t.Fatal(err)
	}
	sameBits(t, "tuned", out, reference(t, k)(x))
	var w strings.Builder
	check := ufunc.Vectorize(tunable, ufunc.Float32, 1, ufunc.Tune(), ufunc.Name("tuned silu"), ufunc.ReportTo(&w)).Kernel()
	if err := check.Check(x); err != nil {
		t.Error(err)
	}
}

// The choice is kept with the code: a kernel from the cache is the one that was chosen, without new trials.
func TestTuneIsCached(t *testing.T) {
	dir := t.TempDir()
	var first *ufunc.Report
	for _, name := range []string{dir, dir + "/."} { // another name, or the process would know the kernel
		t.Setenv("YOLK_CACHE", name)
		k := ufunc.Vectorize(tunable, ufunc.Float32, 1, ufunc.Tune(), ufunc.Name("tuned")).Kernel()
		needNative(t, k)
		r := k.Report()
		if first == nil {
			first = r
			continue
		}
		if len(r.Trials) != len(first.Trials) {
			t.Fatalf("%s: %d trials, not %d", name, len(r.Trials), len(first.Trials))
		}
		for i := range r.Trials {
			if r.Trials[i] != first.Trials[i] {
				t.Errorf("%s: trial %d is %+v, not %+v", name, i, r.Trials[i], first.Trials[i])
			}
		}
		if len(r.Made) == 0 {
			t.Errorf("%s: it was made again: %s", name, r.Reason)
		}
		if r.IROut != first.IROut || r.LLVM != first.LLVM {
			t.Errorf("%s: it shows another program", name)
		}
	}
}
