package ufunc

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// WithIdentity says that v, a number, is the identity of a kernel of two inputs: what an empty [Kernel.Reduce] gives.
func WithIdentity(v any) Option { return func(c *config) { c.neutral = v } }

// ReduceOption says how to reduce.
type ReduceOption func(*reduction)

type reduction struct {
	axes    []int // nil: all
	keep    bool
	initial any
	only    any
}

// Over reduces over the given axes instead of all; negative ones count from the last.
func Over(axes ...int) ReduceOption { return func(r *reduction) { r.axes = append([]int{}, axes...) } }

// KeepDims leaves reduced axes in the shape of the output, with size 1.
func KeepDims() ReduceOption { return func(r *reduction) { r.keep = true } }

// Initial is one more operand, before all others.
func Initial(v any) ReduceOption { return func(r *reduction) { r.initial = v } }

// Only takes the elements where a mask of bools holds; it is broadcast. The kernel needs an identity.
func Only(mask any) ReduceOption { return func(r *reduction) { r.only = mask } }

// Reduce folds a kernel of two inputs, which must be associative, over axes of an array:
//
//	out = k(k(in[0], in[1]), k(in[2], in[3])) ...
//
// Where the kernel is an addition, a multiplication, a maximum, a minimum or an operation of bits, elements are folded in vectors: in blocks of 1024
// elements of 4 bytes element i goes into one of 64 partial results, i modulo 64, then the upper half of these into the lower one until one is left, and
// the results of the blocks are folded likewise (in all types 256 bytes of partial results, and 16 elements for each). Stored floats are folded as float32 and rounded once.
// Any other kernel keeps its operands in order: pairs are folded first, then pairs of these, and so on, each rounded to the type of the elements.
// Both ways the order depends on the number of elements along an axis alone, and a sum of n floats is off by a small multiple of log2(n) roundings. Several axes
// are folded from the last to the first. out has the shape of in without the axes (see [KeepDims]); where no axis is left it may have one element. Nothing is the identity ([WithIdentity]),
// or the [Initial] element, and an error that wraps ErrShape if there is neither.
func (k *Kernel) Reduce(in, out any, opts ...ReduceOption) error {
	var r reduction
	for _, o := range opts {
		o(&r)
	}
	e, x, y, axes, err := k.along(in, out, r.axes)
	if err != nil {
		return err
	}
	k, e, err = k.widened(e)
	if err != nil {
		return err
	}
	if x, err = converted(x, k.sig.Types[0]); err != nil {
		return err
	}
	if x, err = k.reduced(e, &r, x, axes); err != nil {
		return err
	}
	return k.write(y, x)
}

// widened is the kernel to fold with, and its code: k, or the one over float32 where elements are stored floats, which are rounded once.
func (k *Kernel) widened(e *executor) (*Kernel, *executor, error) {
	w := k.folder(e).wide
	if w == nil {
		return k, e, nil
	}
	e, err := w.get(context.Background())
	return w, e, err
}

// converted is x in type t, which is x's, or stores it, or is stored by it.
func converted(x operand.Operand, t DType) (operand.Operand, error) {
	if x.DType() == t {
		return x, nil
	}
	y, err := operand.New(t, x.Shape())
	if err == nil {
		err = operand.Convert(y, x)
	}
	return y, err
}

// write sets an output to a result.
func (k *Kernel) write(y, x operand.Operand) error {
	if len(x.Shape()) == 0 && slices.Equal(y.Shape(), []int{1}) {
		y = y.Drop(0)
	}
	if err := k.hasShape(y, x.Shape()); err != nil {
		return err
	}
	x, err := converted(x, y.DType())
	if err != nil {
		return err
	}
	return operand.Copy(y, x, nil)
}

// reduced is the reduction of x over axes.
func (k *Kernel) reduced(e *executor, r *reduction, x operand.Operand, axes []int) (_ operand.Operand, err error) {
	if r.only != nil {
		if x, err = k.chosen(x, r.only); err != nil {
			return x, err
		}
	}
	start := k.config.neutral
	if start == nil {
		start = r.initial
	}
	combine := r.initial != nil
	for _, axis := range axes {
		if x.Shape()[axis] == 0 {
			combine = combine && k.config.neutral != nil
			x, err = k.filled(x, axis, start)
		} else {
			x, err = k.fold(e, x, axis)
		}
		if err != nil {
			return x, err
		}
	}
	if combine {
		first, err := operand.Scalar(x.DType(), r.initial)
		if err != nil {
			return x, fmt.Errorf("%s: Initial: %w", k.name, err)
		}
		z, err := operand.New(x.DType(), x.Shape())
		if err != nil {
			return x, err
		}
		if err := k.apply(e, first, x, z); err != nil {
			return x, err
		}
		x = z
	}
	if !r.keep {
		for _, axis := range axes {
			x = x.Drop(axis)
		}
	}
	return x, nil
}

// axes lists the axes to fold, last first.
func (k *Kernel) axes(asked []int, dims int) ([]int, error) {
	var axes []int
	for axis := dims - 1; axis >= 0; axis-- {
		if asked == nil {
			axes = append(axes, axis)
		}
	}
	for _, a := range asked {
		axis := a
		if axis < 0 {
			axis += dims
		}
		if axis < 0 || axis >= dims || slices.Contains(axes, axis) {
			return nil, fmt.Errorf("%w: %s: axis %d of %d dimensions is not there, or twice", ErrShape, k.name, a, dims)
		}
		axes = append(axes, axis)
	}
	slices.Sort(axes)
	slices.Reverse(axes)
	return axes, nil
}

// chosen is x with the identity where the mask does not hold.
func (k *Kernel) chosen(x operand.Operand, mask any) (operand.Operand, error) {
	m, err := describe(mask, false)
	if err == nil && m.DType() != Bool {
		err = fmt.Errorf("%w: a mask holds bools, not %s", ErrDType, m.DType().GoName())
	}
	if err != nil {
		return x, fmt.Errorf("%s: %w", k.name, err)
	}
	if k.config.neutral == nil {
		return x, fmt.Errorf("%w: %s has no identity to stand for what a mask leaves out", ErrShape, k.name)
	}
	identity, err := operand.Scalar(x.DType(), k.config.neutral)
	if err != nil {
		return x, fmt.Errorf("%s: WithIdentity: %w", k.name, err)
	}
	z, err := operand.New(x.DType(), x.Shape())
	if err != nil {
		return x, err
	}
	if err := operand.Copy(z, identity, nil); err != nil {
		return x, err
	}
	return z, operand.Copy(z, x, &m)
}

// filled is the reduction of an empty axis.
func (k *Kernel) filled(x operand.Operand, axis int, value any) (operand.Operand, error) {
	if value == nil {
		return x, fmt.Errorf("%w: %s has no identity for a reduction of nothing", ErrShape, k.name)
	}
	scalar, err := operand.Scalar(x.DType(), value)
	if err != nil {
		return x, fmt.Errorf("%s: %w", k.name, err)
	}
	shape := slices.Clone(x.Shape())
	shape[axis] = 1
	z, err := operand.New(x.DType(), shape)
	if err != nil {
		return x, err
	}
	return z, operand.Copy(z, scalar, nil)
}
