package ufunc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/compiler/trace"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// RowKernel is a function over rows, the last axis of its operands: elements of a row are computed from the elements at the same place and
// from sums, means and extremes of the row. It is safe for concurrent use.
type RowKernel struct {
	name   string
	config *config
	sig    operand.Signature
	stages []trace.Stage

	prepare sync.Mutex
	made    atomic.Pointer[rowExecutor]
}

// rowExecutor is the code of a RowKernel: native, or programs for the interpreter.
type rowExecutor struct {
	native   *jit.Kernel
	programs []*interp.Program
	reason   string
}

// VectorizeRows makes a kernel over rows of fn, a traced function of Values in which RowSum, RowMean, RowMax and RowMin are the
// numbers of those names for the row of an element:
//
//	softmax := ufunc.VectorizeRows(func(x ufunc.Value) ufunc.Value {
//		e := x.Sub(x.RowMax()).Exp()
//		return e.Div(e.RowSum())
//	}, ufunc.Float32)
//	softmax(in, out) // of any dimensions; the last is that of rows
//
// It is one native kernel that passes over a row once for every reduction inside another, and once for the outputs, while the row is in the cache. A row's
// sums are taken in 64 parts (32 in float64), whatever the machine, the strides and the number of rows. Each pass keeps the
// accuracy contract of the options by itself. Operands are those of [Kernel.Call]; inputs are broadcast to the shape of the outputs. fn and the options are
// checked now, and what is wrong with them is a panic; the function that is returned panics as [Func] does.
func VectorizeRows(fn any, dtype DType, opts ...Option) func(operands ...any) {
	k, err := newRowKernel(fn, dtype, opts)
	if err != nil {
		panic(err)
	}
	return func(operands ...any) {
		if err := k.Call(operands...); err != nil {
			panic(err)
		}
	}
}

// CompileRows is VectorizeRows with errors instead of panics; the code is made before it returns.
func CompileRows(ctx context.Context, fn any, dtype DType, opts ...Option) (*RowKernel, error) {
	k, err := newRowKernel(fn, dtype, opts)
	if err != nil {
		return nil, err
	}
	_, err = k.get(ctx)
	return k, err
}

func newRowKernel(fn any, dtype DType, opts []Option) (*RowKernel, error) {
	c, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	if err := checkFunction(fn); err != nil {
		return nil, err
	}
	k := &RowKernel{name: cmp.Or(c.name, funcName(fn)), config: c}
	if k.stages, err = trace.TraceRows(k.name, fn, dtype); err != nil {
		return nil, err
	}
	outputs := len(k.stages[len(k.stages)-1].Func.Results)
	k.sig = operand.Signature{Inputs: reflect.TypeOf(fn).NumIn(), Dims: operand.MaxDims}
	for range k.sig.Inputs + outputs {
		k.sig.Types = append(k.sig.Types, dtype)
	}
	return k, nil
}

// Executor says what runs the kernel, and why.
func (k *RowKernel) Executor() (name, reason string) {
	e, err := k.get(context.Background())
	switch {
	case err != nil:
		return "", err.Error()
	case e.native == nil:
		return "interpreter", e.reason
	}
	return "native", e.reason
}

func (k *RowKernel) get(ctx context.Context) (*rowExecutor, error) {
	if e := k.made.Load(); e != nil {
		return e, nil
	}
	k.prepare.Lock()
	defer k.prepare.Unlock()
	if e := k.made.Load(); e != nil {
		return e, nil
	}
	e, err := k.make(ctx)
	if err != nil {
		return nil, fmt.Errorf("ufunc: %s: %w", k.name, err)
	}
	k.made.Store(e)
	return e, nil
}

// make takes every pass through the compiler and puts them together.
func (k *RowKernel) make(ctx context.Context) (*rowExecutor, error) {
	one := &Kernel{config: k.config, function: &function{name: k.name}}
	target, noTarget := one.target()
	e := &rowExecutor{}
	var passes []native.Pass
	for _, s := range k.stages {
		pass := native.Pass{Func: s.Func}
		// A function that only hands on its operands needs no compiler, and has no error.
		if s.Func.Arithmetic() > 0 {
			run, err := (&Kernel{config: k.config, function: &function{name: k.name, input: s.Func}}).optimise(ctx, target, nil)
			if err != nil {
				return nil, err
			}
			pass.Func = run.Output
		}
		for _, op := range s.Reduce {
			pass.Reduce = append(pass.Reduce, rowReductions[op])
		}
		passes = append(passes, pass)
		p, err := interp.Compile(pass.Func)
		if err != nil {
			return nil, err
		}
		e.programs = append(e.programs, p)
	}
	err := noTarget
	if err == nil {
		err = e.build(ctx, passes, k.sig.Inputs, target, !k.config.noCache)
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
	return e, nil
}

var rowReductions = map[trace.RowOp]native.Reduction{
	trace.RowSum: {Op: ir.Add}, trace.RowMean: {Op: ir.Add, Mean: true}, trace.RowMax: {Op: ir.Max}, trace.RowMin: {Op: ir.Min},
}

func (e *rowExecutor) build(ctx context.Context, passes []native.Pass, inputs int, target native.Target, cached bool) error {
	text, err := native.EmitRows(passes, inputs, target, alone)
	if err != nil {
		return err
	}
	e.native, e.reason, err = assemble(ctx, text, target, cached)
	return err
}

// Call runs the kernel over its operands, inputs first, then outputs. It returns the errors of [Kernel.Call].
func (k *RowKernel) Call(operands ...any) error {
	e, err := k.get(context.Background())
	if err != nil {
		return err
	}
	ops := make([]operand.Operand, len(operands))
	for i, v := range operands {
		if a, ok := v.(describer); ok {
			ops[i], err = a.describe(i >= k.sig.Inputs)
		} else {
			ops[i], err = operand.Describe(v, i >= k.sig.Inputs)
		}
		if err != nil {
			return fmt.Errorf("%s: operand %d: %w", k.name, i+1, err)
		}
	}
	rows, err := operand.NewRows(&k.sig, ops)
	if err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	if e.native != nil {
		if jit.RaceEnabled {
			rows.Ranges(func(p unsafe.Pointer, n int, write bool) {
				if write {
					jit.WriteRange(p, n)
				} else {
					jit.ReadRange(p, n)
				}
			})
		}
		err = rows.Each(func(data []unsafe.Pointer, rows, n int, stride []int64) error {
			count := [2]int64{int64(rows), int64(n)}
			e.native.Call(&jit.Args{Data: &data[0], Count: &count[0], Stride: &stride[0]})
			return nil
		})
	} else if k.sig.Types[0] == Float32 {
		err = rows.Each(func(data []unsafe.Pointer, rows, n int, stride []int64) error {
			return interpretRows[float32](k, e, data, rows, n, stride)
		})
	} else {
		err = rows.Each(func(data []unsafe.Pointer, rows, n int, stride []int64) error {
			return interpretRows[float64](k, e, data, rows, n, stride)
		})
	}
	runtime.KeepAlive(ops)
	return err
}

// interpretRows runs the passes on rows, with the order of folding that native.RowPartials states.
func interpretRows[T float32 | float64](k *RowKernel, e *rowExecutor, data []unsafe.Pointer, rows, n int, stride []int64) error {
	column := func(s []T) interp.Column {
		switch s := any(s).(type) {
		case []float32:
			return interp.Column{F32: s}
		case []float64:
			return interp.Column{F64: s}
		}
		return interp.Column{}
	}
	for row := range rows {
		at := func(i int) []T { return unsafe.Slice((*T)(unsafe.Add(data[i], row*int(stride[2*i]))), n) }
		var in []interp.Column
		for i := range k.sig.Inputs {
			in = append(in, column(at(i)))
		}
		for p, program := range e.programs {
			reduce := k.stages[p].Reduce
			var out []interp.Column
			var values [][]T
			for r := range max(len(reduce), len(k.sig.Types)-k.sig.Inputs) {
				if reduce != nil && r == len(reduce) {
					break
				}
				values = append(values, make([]T, n))
				out = append(out, column(values[r]))
			}
			if err := program.Run(n, in, out); err != nil {
				return err
			}
			if reduce == nil {
				for r := range values {
					copy(at(k.sig.Inputs+r), values[r])
				}
				break
			}
			for r, op := range reduce {
				number := foldRow(rowReductions[op], values[r])
				all := make([]T, n)
				for i := range all {
					all[i] = number
				}
				in = append(in, column(all))
			}
		}
	}
	return nil
}

func foldRow[T float32 | float64](red native.Reduction, row []T) T {
	fold := func(x, y T) T { return x + y }
	identity := T(math.Copysign(0, -1)) // which leaves zeros as they are
	inf := T(1)
	for range 2000 { // beyond both types
		inf *= 2
	}
	switch red.Op {
	case ir.Max:
		fold, identity = func(x, y T) T { return max(x, y) }, -inf
	case ir.Min:
		fold, identity = func(x, y T) T { return min(x, y) }, inf
	}
	t := Float64
	if unsafe.Sizeof(identity) == 4 {
		t = Float32
	}
	parts := slices.Repeat([]T{identity}, native.RowPartials(t))
	blocks := slices.Clone(parts)
	whole := (len(row) + len(parts) - 1) / len(parts) * len(parts)
	for i := range whole {
		x := identity
		if i < len(row) {
			x = row[i]
		}
		parts[i%len(parts)] = fold(parts[i%len(parts)], x)
		if i < len(row) && (i+1)%(native.RowSteps*len(parts)) == 0 {
			for j := range parts {
				blocks[j], parts[j] = fold(blocks[j], parts[j]), identity
			}
		}
	}
	for j := range parts {
		parts[j] = fold(blocks[j], parts[j])
	}
	for half := len(parts) / 2; half > 0; half /= 2 {
		for i := range half {
			parts[i] = fold(parts[i], parts[i+half])
		}
	}
	if red.Mean {
		return parts[0] / T(len(row))
	}
	return parts[0]
}
