package ufunc

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
)

// Tune chooses by the clock: of the cheapest certified candidates, in loops that compute different numbers of vectors at once, the
// one that is fastest on this machine is kept. Making the kernel then takes a second or two instead of some 100 ms, once: the
// choice is cached like any other. [Report] shows what was tried.
//
// Every candidate keeps the contract, but they differ in bits. With Tune the bits of a kernel may therefore change from
// machine to machine and, until one choice is cached, from run to run. A kernel that is not compiled for the machine that it is
// made on is not tuned.
func Tune() Option { return func(c *config) { c.tune = true } }

// Trial is one version of a kernel that [Tune] has timed.
type Trial struct {
	Candidate   int     // among those that keep the contract, from cheap to dear; 0 is what runs without Tune
	Cost        uint64  // of the candidate
	Interleave  int     // vectors that the main loop computes at once; 0: as many as the target's rule says
	Nanoseconds float64 // of an element, in the first-level cache
	Chosen      bool
}

// What Tune tries: candidates as they come, then the best of them with each interleaving.
const (
	tunedCandidates = 6
	tunedFinalists  = 2
)

var tunedInterleaves = []int{1, 2, 3, 4, 6, 8}

// How a trial is timed.
const (
	tuneElements = 4096
	tuneSample   = 100 * time.Microsecond
	tuneRounds   = 11
)

// tune compiles and times versions of the kernel. It makes the fastest the run's result and returns its target.
func (k *Kernel) tune(ctx context.Context, run *compiler.Run, b *build) (native.Target, []Trial, error) {
	if len(run.Accepted) == 0 { // a function in parts
		run.Accepted = []*compiler.Candidate{run.Chosen}
	}
	in := k.tuneInput()
	var trials []Trial
	var kernels []*jit.Kernel
	texts := map[string]bool{}
	add := func(candidate, interleave int) error {
		t := b.target
		t.Interleave = interleave
		if len(run.Accepted) > 1 {
			run.Choose(run.Accepted[candidate])
		}
		native, text, err := b.version(ctx, run.Output, t)
		if err != nil || texts[text] {
			return err
		}
		texts[text] = true
		trials = append(trials, Trial{Candidate: candidate, Cost: uint64(run.CostAfter), Interleave: interleave})
		kernels = append(kernels, native)
		return nil
	}
	for c := range run.Accepted {
		if err := add(c, 0); err != nil {
			return b.target, nil, err
		}
	}
	in.time(trials, kernels)
	first := slices.SortedFunc(slices.Values(trials), faster)
	for _, t := range first[:min(tunedFinalists, len(first))] {
		for _, u := range tunedInterleaves {
			if err := add(t.Candidate, u); err != nil {
				return b.target, nil, err
			}
		}
	}
	in.time(trials, kernels)
	best := 0
	for i := range trials {
		if faster(trials[i], trials[best]) < 0 {
			best = i
		}
	}
	trials[best].Chosen = true
	k.choose(run, trials)
	b.target.Interleave = trials[best].Interleave
	return b.target, trials, nil
}

// tuned is a stage of making a kernel.
func (e *executor) tuned(ctx context.Context, k *Kernel, run *compiler.Run, b *build) error {
	s, err := timed("tune", func() (before, after string, err error) {
		e.target, e.trials, err = k.tune(ctx, run, b)
		return fmt.Sprintf("%d candidates", len(run.Accepted)), fmt.Sprintf("%d versions", len(e.trials)), err
	})
	if err != nil {
		return err
	}
	e.stages = append(e.stages, s)
	e.program, err = interp.Compile(run.Output)
	return err
}

func faster(a, b Trial) int {
	if a.Nanoseconds < b.Nanoseconds {
		return -1
	}
	return 1
}

// choose makes the chosen trial's candidate the result of a run that has as many alternatives, and returns its interleaving.
func (k *Kernel) choose(run *compiler.Run, trials []Trial) (interleave int) {
	for _, t := range trials {
		if !t.Chosen {
			continue
		}
		if t.Candidate < len(run.Accepted) && len(run.Accepted) > 1 {
			run.Choose(run.Accepted[t.Candidate])
		}
		return t.Interleave
	}
	return 0
}

// version compiles and loads a program for a target.
func (b *build) version(ctx context.Context, program *ir.Func, t native.Target) (*jit.Kernel, string, error) {
	text, err := native.EmitAs(program, b.dims, t, alone)
	if err != nil {
		return nil, "", err
	}
	clang, err := b.clang()
	if err != nil {
		return nil, "", err
	}
	object, err := clang.Build(ctx, text, compileOptions(t, program))
	if err != nil {
		return nil, "", err
	}
	made, err := jit.Load(object, alone.Kernel)
	return made, text, err
}

// tuneInput is operands of tuneElements each, in the domains of the inputs.
type tuneInput struct {
	data          []unsafe.Pointer
	count, stride []int64
}

func (k *Kernel) tuneInput() *tuneInput {
	in := new(tuneInput)
	rng := rand.New(rand.NewPCG(1, 2))
	for d := range k.sig.Dims {
		in.count = append(in.count, 1)
		if d == k.sig.Dims-1 {
			in.count[d] = tuneElements
		}
	}
	for o, t := range k.sig.Types {
		memory := make([]uint64, tuneElements)
		at := unsafe.Pointer(&memory[0])
		lo, hi := 0.0, 0.0
		if o < k.sig.Inputs {
			lo, hi = tuneInterval(k.input.Params[o].Fact)
		}
		for i := range tuneElements {
			x := lo + (hi-lo)*rng.Float64()
			switch p := unsafe.Add(at, i*t.Size()); {
			case t == Float32:
				*(*float32)(p) = float32(x)
			case t == Float64:
				*(*float64)(p) = x
			default:
				*(*byte)(p) = 1 // nothing that integer code does depends on values, but for division by zero
			}
		}
		in.data = append(in.data, at)
		for d := range k.sig.Dims {
			in.stride = append(in.stride, 0)
			if d == k.sig.Dims-1 {
				in.stride[len(in.stride)-1] = int64(t.Size())
			}
		}
	}
	return in
}

// tuneInterval is where inputs are drawn from: the part of their domain in [-6, 6], where functions are interesting, or what is
// nearest to it.
func tuneInterval(f ir.Fact) (lo, hi float64) {
	lo, hi = max(f.Lo, -6), min(f.Hi, 6)
	if lo > hi {
		if lo > 6 {
			return lo, min(f.Hi, 2*lo)
		}
		return max(f.Lo, 2*hi), hi
	}
	return lo, hi
}

// time runs all trials in turns and gives each the median of its samples.
func (in *tuneInput) time(trials []Trial, kernels []*jit.Kernel) {
	samples := make([][]float64, len(trials))
	for range tuneRounds {
		for i, native := range kernels {
			reps := 1
			for {
				start := time.Now()
				for range reps {
					native.Call(&jit.Args{Data: &in.data[0], Count: &in.count[0], Stride: &in.stride[0]})
				}
				if d := time.Since(start); d >= tuneSample || reps >= 1<<20 {
					samples[i] = append(samples[i], float64(d)/float64(reps)/tuneElements)
					break
				}
				reps *= 2
			}
		}
	}
	for i, s := range samples {
		slices.Sort(s)
		trials[i].Nanoseconds = math.Round(1e5*s[len(s)/2]) / 1e5
	}
	runtime.KeepAlive(in)
}

// text is a line of a report.
func (t Trial) text() string {
	interleave := "by rule"
	if t.Interleave > 0 {
		interleave = fmt.Sprint(t.Interleave)
	}
	chosen := ""
	if t.Chosen {
		chosen = "chosen"
	}
	return fmt.Sprintf("%d\t%d\t%s\t%.4f\t%s", t.Candidate, t.Cost, interleave, t.Nanoseconds, chosen)
}
