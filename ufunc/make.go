package ufunc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

// optLevel is clang's. -O1 gives the same code as -O3 for straight-line vector loops, in less time; scheduling and register
// allocation are all that is left to do.
const optLevel = 1

// errStrict says why a strict kernel is interpreted.
var errStrict = errors.New("ufunc: Strict: only the interpreter has the bits of the library functions as written")

// alone is what a shared library of one kernel exports.
var alone = native.Symbols{Kernel: "yolk_kernel"}

// executor is a kernel's code: native, or interpreted by program, which is the same program and gives the same bits.
type executor struct {
	native  *jit.Kernel
	program *interp.Program // nil if the code is native and comes from the cache
	reason  string          // why this executor runs
	lasting bool            // trying again would give the same

	target  native.Target
	object  jit.Object
	symbols native.Symbols // in the object
	stages  []stage        // of this process, but for the front end's
	elapsed time.Duration  // from the call that wanted the code to the code, with the front end

	trials   []Trial // of Tune
	pace     sync.Once
	estimate float64 // see nanoseconds

	summary func() (*Report, error)       // what was to be said when the code was made, without the texts that take long
	run     func() (*compiler.Run, error) // the compiler's, made again where the code comes from the cache
}

// make makes the kernel's code, or takes it from the cache.
func (k *Kernel) make(ctx context.Context) (*executor, error) {
	if k.goFunc != nil {
		return k.makeDirect(ctx)
	}
	start := time.Now()
	target, noTarget := k.target()
	e, err := k.shipOrMake(ctx, target, noTarget)
	if err != nil {
		return nil, err
	}
	e.elapsed = time.Since(start) + k.frontend.Duration
	return e, nil
}

// shipOrMake prefers code that was compiled ahead of time, if it is what would be made now. If only the rules have changed since then, it is
// still right, and better than none.
func (k *Kernel) shipOrMake(ctx context.Context, target native.Target, noTarget error) (*executor, error) {
	a, err := embedded.find(k)
	if err != nil {
		return nil, err
	}
	if a == nil || noTarget != nil || k.config.check {
		return k.findOrMake(ctx, target, noTarget)
	}
	stale := k.stale(a)
	if stale != nil {
		process.notice("yolk does not use a kernel that was compiled ahead of time", k.name, stale)
		e, err := k.findOrMake(ctx, target, noTarget)
		if nameless(k.input) != a.Input || err != nil || e.native != nil {
			return e, err
		}
	}
	e, err := k.ship(a, target)
	switch {
	case err != nil:
		process.notice("yolk does not use a kernel that was compiled ahead of time", k.name, err)
		fallthrough
	case e == nil:
		return k.findOrMake(ctx, target, noTarget)
	case stale != nil:
		e.reason += fmt.Sprintf(", although %v", stale)
	}
	return e, nil
}

func (k *Kernel) findOrMake(ctx context.Context, target native.Target, noTarget error) (*executor, error) {
	s := k.shelf(target)
	if s == nil || noTarget != nil {
		return k.compile(ctx, target, noTarget, nil)
	}
	if e := s.load(k, target); e != nil {
		return e, nil
	}
	// Whoever is first makes it; the others wait and find it.
	unlock, waited, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if waited {
		if e := s.load(k, target); e != nil {
			return e, nil
		}
	}
	return k.compile(ctx, target, nil, s)
}

// optimise takes the function through the compiler's stages. likely may be nil.
func (k *Kernel) optimise(ctx context.Context, target native.Target, likely func(*ir.Func)) (*compiler.Run, error) {
	costs, price := k.config.costs, compiler.Price(nil)
	if costs == nil {
		machine := target
		if k.config.portable {
			machine = native.Targets()[0] // what every target has
		}
		costs, price = machine.Costs(), machine.Price
	}
	licences := k.config.licences
	if k.config.strict {
		licences &= ir.ApproxFunc
	}
	set := k.config.rules
	if costs[ir.FMA][Float32] == ir.InfiniteCost {
		set = rules.Union(set, rules.Machine)
	}
	alternatives := 0
	if k.config.tune {
		alternatives = tunedCandidates - 1
	}
	laws, ring := set.Relevant(k.input).Ring()
	return compiler.Optimise(ctx, k.input, compiler.Config{
		Rules:     laws.Rewrites(),
		Ring:      ring,
		Costs:     costs,
		Price:     price,
		Licences:  licences,
		Tolerance: k.config.tolerance,
		Limits:    compiler.DefaultLimits,
		Pieces:    compiler.DefaultPieces,
		Check:     k.config.check,

		Alternatives: alternatives,

		Likely: likely,
		Now:    time.Now,
	})
}

// compile takes the kernel's function through the pipeline: the compiler's stages, then code generation, clang, link, load. clang begins
// while the program that will probably be chosen is still being measured. The code is kept on the shelf, if there is one.
func (k *Kernel) compile(ctx context.Context, target native.Target, noTarget error, s *shelf) (*executor, error) {
	var b *build
	if noTarget == nil {
		b = newBuild(ctx, k.sig.Dims, k.input, target, s)
		b.masked = k.sig.Masked
		defer b.end()
	}
	var likely func(*ir.Func)
	if b != nil && !k.config.tune {
		likely = b.begin
	}
	run, err := k.optimise(ctx, target, likely)
	if k.onlyInterpreted(run, err) {
		noTarget = fmt.Errorf("%w: %w", errStrict, err)
	} else if err != nil {
		return nil, explainFitted(err)
	}
	e := &executor{target: target, symbols: alone, run: func() (*compiler.Run, error) { return run, nil }}
	e.summary = func() (*Report, error) { return k.summary(e, run), nil }
	if e.program, err = interp.Compile(run.Output); err != nil {
		return nil, err
	}
	if err = noTarget; err == nil && k.config.tune {
		err = e.tuned(ctx, k, run, b)
	}
	if err == nil {
		err = b.finish(e, run.Output)
	}
	e.stages = append(stagesOf(run), e.stages...)
	switch {
	case err == nil:
		e.lasting = true
		if s != nil {
			s.keep(k, e, b)
		}
		return e, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case k.config.mustNative || errors.Is(err, ErrTarget):
		return nil, err
	}
	e.native, e.reason = nil, err.Error()
	e.lasting = noTarget != nil || errors.Is(err, jit.ErrNoClang)
	process.notice("yolk runs kernels on its interpreter, which is slow", k.name, err)
	return e, nil
}

// onlyInterpreted reports whether the error of a run means that a strict kernel is left to the interpreter, and makes that the run's result.
func (k *Kernel) onlyInterpreted(run *compiler.Run, err error) bool {
	return k.config.strict && (errors.Is(err, compiler.ErrAccuracy) || errors.Is(err, extract.ErrNoForm)) && run.KeepInput() == nil
}

func stagesOf(run *compiler.Run) []stage {
	var all []stage
	for _, s := range run.Stages {
		all = append(all, stage(s))
	}
	return all
}

// target is the one asked for, or the host's. An error says why its code cannot run here; the target still has costs.
func (k *Kernel) target() (native.Target, error) {
	host, err := native.Host()
	if err != nil {
		host = native.Targets()[0] // the plainest costs
	} else {
		err = jit.Available()
	}
	if k.config.target == "" || k.config.target == host.Name {
		return host, err
	}
	target, lookup := native.Lookup(k.config.target)
	if lookup != nil {
		return host, lookup
	}
	if err != nil {
		return target, err
	}
	if !host.Runs(target) {
		return target, fmt.Errorf("%w: it is %s, the kernel is for %s", ErrTarget, host.Name, target.Name)
	}
	return target.On(runtime.GOOS)
}

// nanoseconds estimates what native code takes for an element on one thread.
func (e *executor) nanoseconds() float64 {
	e.pace.Do(func() {
		if r, err := e.summary(); err == nil {
			e.estimate = r.Nanoseconds
		}
	})
	return e.estimate
}

// executorName says what runs the kernel.
func (e *executor) executorName() string {
	switch {
	case e.native != nil:
		return cmp.Or(e.target.Name, "native")
	case e.program == nil:
		return "the Go function"
	}
	return "interpreter"
}
