package ufunc

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
)

// build turns a program into native code, beside other work: it finds a compiler from the beginning on, and compiles from when a program is known.
type build struct {
	ctx    context.Context
	dims   int
	masked bool
	target native.Target
	clang  func() (*jit.Clang, error)
	found  stage // of the search for the compiler

	ahead    func() *jit.Ahead // a compiler that waits for the first program, nil where there is none
	expected jit.BuildOptions  // what it has been started with
	cancel   context.CancelFunc

	wg    sync.WaitGroup
	begun *translation
}

// translation is one program on its way to a relocatable object.
type translation struct {
	program     *ir.Func
	first       bool
	done        chan struct{}
	cancel      context.CancelFunc
	ll          string
	relocatable []byte
	stages      []stage
	err         error
}

// emitted is a program's LLVM module.
func emitted(f *ir.Func, dims int, t native.Target, names native.Symbols, masked bool) (string, error) {
	if masked {
		return native.EmitMasked(f, dims, t, names)
	}
	return native.EmitAs(f, dims, t, names)
}

// newBuild begins with what need not know the program: like is one that has loops if it will have.
func newBuild(ctx context.Context, dims int, like *ir.Func, target native.Target, s *shelf) *build {
	ctx, cancel := context.WithCancel(ctx)
	b := &build{ctx: ctx, dims: dims, target: target, expected: compileOptions(target, like), cancel: cancel}
	b.clang = sync.OnceValues(func() (clang *jit.Clang, err error) {
		b.found, err = timed("find clang", func() (before, after string, err error) {
			if s != nil {
				clang, _ = foundClang(s.store)
			}
			if clang == nil {
				if clang, err = jit.FindClang(ctx, process.env); err != nil {
					return "", "", err
				}
				if s != nil {
					keepClang(s.store, clang)
				}
			}
			return "", clang.String(), nil
		})
		return clang, err
	})
	b.ahead = sync.OnceValue(func() *jit.Ahead {
		clang, err := b.clang()
		if err != nil {
			return nil
		}
		return clang.Ahead(ctx, b.expected)
	})
	b.wg.Go(func() {
		if a := b.ahead(); a != nil {
			a.Wait()
		}
	})
	return b
}

// end stops what b has started, as far as it still runs.
func (b *build) end() {
	b.cancel()
	b.wg.Wait()
}

// timed runs a stage.
func timed(name string, do func() (before, after string, err error)) (stage, error) {
	start := time.Now()
	before, after, err := do()
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return stage{Name: name, Duration: time.Since(start), Before: before, After: after}, err
}

func size(bytes int) string { return fmt.Sprintf("%d bytes", bytes) }

// begin compiles a program in the background, instead of any other.
func (b *build) begin(program *ir.Func) {
	if b.begun != nil {
		b.begun.cancel()
	}
	ctx, cancel := context.WithCancel(b.ctx)
	t := &translation{program: program, first: b.begun == nil, done: make(chan struct{}), cancel: cancel}
	b.begun = t
	b.wg.Go(func() {
		defer cancel()
		defer close(t.done)
		t.err = b.translate(ctx, t)
	})
}

func (b *build) translate(ctx context.Context, t *translation) error {
	s, err := timed("codegen", func() (before, after string, err error) {
		t.ll, err = emitted(t.program, b.dims, b.target, alone, b.masked)
		return fmt.Sprintf("%d nodes", len(t.program.Nodes)), size(len(t.ll)) + " of LLVM IR", err
	})
	if err != nil {
		return err
	}
	t.stages = append(t.stages, s)
	clang, err := b.clang()
	if err != nil {
		return err
	}
	t.stages = append(t.stages, b.found)
	if s, err = timed("clang", func() (before, after string, err error) {
		if o := compileOptions(b.target, t.program); t.first && o == b.expected {
			t.relocatable, err = b.ahead().Compile(ctx, t.ll)
		} else {
			t.relocatable, err = clang.Compile(ctx, t.ll, o)
		}
		return size(len(t.ll)), size(len(t.relocatable)), err
	}); err != nil {
		return err
	}
	t.stages = append(t.stages, s)
	return nil
}

// compileOptions are those for a program, compiled now or ahead of time.
func compileOptions(t native.Target, program *ir.Func) jit.BuildOptions {
	o := linkOptions(t)
	o.Passes = len(program.Bodies) > 0
	return o
}

func linkOptions(t native.Target) jit.BuildOptions {
	return jit.BuildOptions{Target: t.Triple, Level: optLevel}
}

// finish waits for the program's translation, begins it if it is another one than was likely, links it and loads it into e.
func (b *build) finish(e *executor, program *ir.Func) error {
	if b.begun == nil || b.begun.program.String() != program.String() {
		b.begin(program)
	}
	t := b.begun
	<-t.done
	if t.err != nil {
		return t.err
	}
	e.stages = append(e.stages, t.stages...)
	clang, err := b.clang()
	if err != nil {
		return err
	}
	s, err := timed("link", func() (before, after string, err error) {
		e.object, err = clang.Link(b.ctx, t.relocatable, linkOptions(b.target))
		return size(len(t.relocatable)), size(len(e.object.Code)), err
	})
	if err != nil {
		return err
	}
	e.stages = append(e.stages, s)
	if err := e.load(); err != nil {
		return err
	}
	e.reason = "compiled by " + clang.String()
	return nil
}

// load maps the object.
func (e *executor) load() error {
	s, err := timed("load", func() (before, after string, err error) {
		e.native, err = jit.Load(e.object, e.symbols.Kernel)
		return size(len(e.object.Code)), "native code", err
	})
	if err == nil {
		e.stages = append(e.stages, s)
	}
	return err
}
