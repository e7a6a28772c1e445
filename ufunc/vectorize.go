package ufunc

import (
	"context"
	"fmt"
	"unsafe"
)

// Func is a kernel as a function: inputs first, then outputs. It panics with the errors that [Kernel.Call] returns.
// Boxing the operands costs some 60 ns and an allocation for each and one for all; [Vectorize1] makes a function that has neither.
type Func func(operands ...any)

// kernelQuery is an operand by which a Func hands out its kernel.
type kernelQuery struct{ k *Kernel }

// Kernel returns the kernel behind f.
func (f Func) Kernel() *Kernel {
	var q kernelQuery
	f(&q)
	return q.k
}

// Vectorize makes a kernel of fn. ndim is the number of dimensions that the kernel's loop walks (1: vectors, 2: matrices);
// operands with fewer dimensions are broadcast by NumPy's rules.
//
// fn is a plain function of scalars (floats, integers of fixed size, bools), or a traced one of Values; dtype is the type of its first
// parameter, for a traced function of all its inputs; for a function of float32 it may be Float16 or BFloat16 as well, which is then what its
// float32 operands are in memory. Laws about real numbers are used between the floats of a function; integers, bools and conversions between
// them and floats are computed as written, and the promise of accuracy holds for each part that lies between them. fn, its source, dtype, ndim and the options are checked now, and what
// is wrong with them is a panic, as in regexp.MustCompile; [Compile] returns it as an error. The code is made at the first
// call, or by [Kernel.Prepare].
func Vectorize(fn any, dtype DType, ndim int, opts ...Option) Func {
	k, err := newKernel(fn, dtype, ndim, opts)
	if err != nil {
		panic(err)
	}
	return func(operands ...any) {
		if len(operands) == 1 {
			if q, ok := operands[0].(*kernelQuery); ok {
				q.k = k
				return
			}
		}
		if err := k.Call(operands...); err != nil {
			panic(err)
		}
	}
}

// Compile is Vectorize with errors instead of panics; the code is made before it returns.
func Compile(ctx context.Context, fn any, dtype DType, ndim int, opts ...Option) (*Kernel, error) {
	k, err := newKernel(fn, dtype, ndim, opts)
	if err != nil {
		return nil, err
	}
	if err := k.Prepare(ctx); err != nil {
		return nil, err
	}
	return k, nil
}

// typed makes the kernel behind a function over slices of T and checks that it has n inputs and one output, all of type T.
func typed[T Number](fn any, n int, opts []Option) *Kernel {
	dtype := dtypeOf[T]()
	k, err := newKernel(fn, dtype, 1, opts)
	if err != nil {
		panic(err)
	}
	if k.sig.Inputs != n || len(k.sig.Types) != n+1 {
		panic(fmt.Errorf("%w: %s has %d inputs and %d outputs, not %d and 1", ErrCount, k.name, k.sig.Inputs, len(k.sig.Types)-k.sig.Inputs, n))
	}
	if got := k.sig.Types[n]; got != dtype { // a traced function may convert
		panic(fmt.Errorf("%w: the result of %s is %s, but its slices hold %s", ErrDType, k.name, got.GoName(), dtype.GoName()))
	}
	return k
}

// dtypeOf is the element type of T.
func dtypeOf[T Number]() DType {
	for _, d := range []struct {
		zero any
		t    DType
	}{
		{float32(0), Float32}, {float64(0), Float64}, {int8(0), Int8}, {int16(0), Int16}, {int32(0), Int32}, {int64(0), Int64},
		{uint8(0), Uint8}, {uint16(0), Uint16}, {uint32(0), Uint32},
	} {
		if any(T(0)) == d.zero {
			return d.t
		}
	}
	return Uint64
}

// run calls a typed kernel over slices.
func run[T Number](k *Kernel, out []T, in ...[]T) {
	for i, s := range in {
		if len(s) != len(out) {
			panic(fmt.Errorf("%w: %s: input %d has length %d, output 1 has length %d", ErrShape, k.name, i+1, len(s), len(out)))
		}
	}
	if len(out) == 0 {
		return
	}
	var data [maxDirect]unsafe.Pointer
	for i, s := range in {
		data[i] = unsafe.Pointer(&s[0])
	}
	data[len(in)] = unsafe.Pointer(&out[0])
	fault, ok := k.direct(k.executor(), &data, len(out), unsafe.Sizeof(out[0]))
	if ok && fault == 0 {
		return
	}
	err := k.fault(fault)
	if !ok {
		operands := make([]any, 0, maxDirect)
		for _, s := range in {
			operands = append(operands, s)
		}
		err = k.Call(append(operands, out)...)
	}
	if err != nil {
		panic(err)
	}
}

// Vectorize1 makes a typed kernel of one input: the loop
//
//	for i := range out { out[i] = fn(in[i]) }
//
// over slices of equal length. A call costs no allocation. out may be in; overlapping slices give what copies would.
// It panics where [Vectorize] does, and the function it returns panics with ErrShape for lengths that differ.
func Vectorize1[T Number, F func(T) T | func(Value) Value](fn F, opts ...Option) func(in, out []T) {
	k := typed[T](fn, 1, opts)
	return func(in, out []T) { run(k, out, in) }
}

// Vectorize2 makes a typed kernel of two inputs: the loop
//
//	for i := range out { out[i] = fn(a[i], b[i]) }
//
// under the conditions of [Vectorize1].
func Vectorize2[T Number, F func(T, T) T | func(Value, Value) Value](fn F, opts ...Option) func(a, b, out []T) {
	k := typed[T](fn, 2, opts)
	return func(a, b, out []T) { run(k, out, a, b) }
}

// Vectorize3 makes a typed kernel of three inputs: the loop
//
//	for i := range out { out[i] = fn(a[i], b[i], c[i]) }
//
// under the conditions of [Vectorize1].
func Vectorize3[T Number, F func(T, T, T) T | func(Value, Value, Value) Value](fn F, opts ...Option) func(a, b, c, out []T) {
	k := typed[T](fn, 3, opts)
	return func(a, b, c, out []T) { run(k, out, a, b, c) }
}
