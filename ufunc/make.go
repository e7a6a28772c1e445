package ufunc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
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

// process is what a process finds out once: the compilers and their versions, and that falling back has been said.
var process = struct {
	env    *jit.Env
	notice sync.Once
}{env: jit.NewEnv(nil)}

// optLevel is clang's. -O1 gives the same code as -O3 for straight-line vector loops, in less time; scheduling and register
// allocation are all that is left to do.
const optLevel = 1

// errStrict says why a strict kernel is interpreted.
var errStrict = errors.New("ufunc: Strict: only the interpreter has the bits of the library functions as written")

// symbol is the kernel's entry in the shared library.
const symbol = "yolk_kernel"

// make takes the kernel's function through the pipeline: the compiler's stages, then code generation, clang, link, load.
func (k *Kernel) make(ctx context.Context) (*executor, error) {
	target, noTarget := k.target()
	costs := k.config.costs
	if costs == nil {
		costs = target.Costs()
		if k.config.portable {
			costs = native.Targets()[0].Costs() // what every target has
		}
	}
	licences := k.config.licences
	if k.config.strict {
		licences &= ir.ApproxFunc
	}
	set := k.config.rules
	if costs[ir.FMA][Float32] == ir.InfiniteCost {
		set = rules.Union(set, rules.Machine)
	}
	laws, ring := set.Ring()
	run, err := compiler.Optimise(ctx, k.input, compiler.Config{
		Rules:     laws.Rewrites(),
		Ring:      ring,
		Costs:     costs,
		Licences:  licences,
		Tolerance: k.config.tolerance,
		Limits:    compiler.DefaultLimits,
		Check:     k.config.check,
		Now:       time.Now,
	})
	if k.config.strict && (errors.Is(err, compiler.ErrAccuracy) || errors.Is(err, extract.ErrNoForm)) && run.KeepInput() == nil {
		noTarget = fmt.Errorf("%w: %w", errStrict, err)
	} else if err != nil {
		return nil, explainFitted(err)
	}
	e := &executor{run: run, target: target.Name}
	if e.program, err = interp.Compile(run.Output); err != nil {
		return nil, err
	}
	err = noTarget
	if err == nil {
		err = e.build(ctx, k, target)
	}
	if err == nil {
		return e, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if k.config.mustNative || errors.Is(err, ErrTarget) {
		return nil, err
	}
	e.native, e.reason = nil, err.Error()
	process.notice.Do(func() {
		slog.Default().Warn("yolk runs kernels on its interpreter, which is slow", "kernel", k.name, "because", err)
	})
	return e, nil
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

// build generates, compiles, links and loads the chosen program.
func (e *executor) build(ctx context.Context, k *Kernel, target native.Target) error {
	var clang *jit.Clang
	var relocatable []byte
	options := jit.BuildOptions{Target: target.Triple, Level: optLevel}
	steps := []struct {
		name string
		do   func() (before, after string, err error)
	}{
		{"codegen", func() (before, after string, err error) {
			e.ll, err = native.Emit(e.run.Output, k.sig.Dims, target)
			return fmt.Sprintf("%d nodes", len(e.run.Output.Nodes)), size(len(e.ll)) + " of LLVM IR", err
		}},
		{"find clang", func() (before, after string, err error) {
			if clang, err = jit.FindClang(ctx, process.env); err != nil {
				return "", "", err
			}
			return "", clang.String(), nil
		}},
		{"clang", func() (before, after string, err error) {
			relocatable, err = clang.Compile(ctx, e.ll, options)
			return size(len(e.ll)), size(len(relocatable)), err
		}},
		{"link", func() (before, after string, err error) {
			e.object, err = clang.Link(ctx, relocatable, options)
			return size(len(relocatable)), size(len(e.object.Code)), err
		}},
		{"load", func() (before, after string, err error) {
			e.native, err = jit.Load(e.object, symbol)
			return size(len(e.object.Code)), "native code", err
		}},
	}
	for _, s := range steps {
		start := time.Now()
		before, after, err := s.do()
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		e.stages = append(e.stages, stage{Name: s.name, Duration: time.Since(start), Before: before, After: after})
	}
	e.reason = "compiled by " + clang.String()
	return nil
}

func size(bytes int) string { return fmt.Sprintf("%d bytes", bytes) }

// stages lists the pipeline's stages in order, front end first.
func (k *Kernel) stages(e *executor) []stage {
	all := []stage{k.frontend}
	for _, s := range e.run.Stages {
		all = append(all, stage(s))
	}
	return append(all, e.stages...)
}

// executorName says what runs the kernel.
func (e *executor) executorName() string {
	if e.native != nil {
		return cmp.Or(e.target, "native")
	}
	return "interpreter"
}
