package ufunc

import (
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// Accumulate is the running fold along an axis, from the first element on: out[0] = in[0], out[i] = k(out[i-1], in[i]). out has
// the shape of in, and may be in.
func (k *Kernel) Accumulate(in, out any, axis int) error {
	e, x, y, axes, err := k.along(in, out, []int{axis})
	if err != nil {
		return err
	}
	if err := k.hasShape(y, x.Shape()); err != nil {
		return err
	}
	if err := operand.Copy(y, x, nil); err != nil {
		return err
	}
	for i := 1; i < x.Shape()[axes[0]]; i++ {
		at := y.Part(axes[0], i, 1, 1)
		if err := k.apply(e, y.Part(axes[0], i-1, 1, 1), at, at); err != nil {
			return err
		}
	}
	return nil
}

// Outer applies a kernel of two inputs to every pair: out[i..., j...] = k(a[i...], b[j...]).
func (k *Kernel) Outer(a, b, out any) error {
	e, err := k.binary()
	if err != nil {
		return err
	}
	x, err := k.operand(a, false)
	if err != nil {
		return err
	}
	y, err := k.operand(b, false)
	if err != nil {
		return err
	}
	z, err := k.operand(out, true)
	if err != nil {
		return err
	}
	if x, err = x.Extend(len(y.Shape())); err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	return k.apply(e, x, y, z)
}

// ReduceAt reduces slices along an axis: out[i] is the reduction of in[indices[i]:indices[i+1]], or to the end for the last
// index; where indices[i] is not below indices[i+1] it is in[indices[i]], as in NumPy.
func (k *Kernel) ReduceAt(in any, indices []int, out any, axis int) error {
	e, x, y, axes, err := k.along(in, out, []int{axis})
	if err != nil {
		return err
	}
	axis = axes[0]
	shape := slices.Clone(x.Shape())
	n := shape[axis]
	shape[axis] = len(indices)
	if err := k.hasShape(y, shape); err != nil {
		return err
	}
	if err := k.inRange(indices, n); err != nil {
		return err
	}
	if k, e, err = k.widened(e); err != nil {
		return err
	}
	if x, err = converted(x, k.sig.Types[0]); err != nil {
		return err
	}
	all, err := operand.New(x.DType(), shape) // out may lie anywhere in in
	if err != nil {
		return err
	}
	for i, from := range indices {
		to := n
		if i+1 < len(indices) {
			to = indices[i+1]
		}
		z, err := k.fold(e, x.Part(axis, from, max(1, min(to, n)-from), 1), axis)
		if err != nil {
			return err
		}
		if err := operand.Copy(all.Part(axis, i, 1, 1), z, nil); err != nil {
			return err
		}
	}
	return k.write(y, all)
}

// inRange checks indices of n elements.
func (k *Kernel) inRange(indices []int, n int) error {
	for _, i := range indices {
		if i < 0 || i >= n {
			return fmt.Errorf("%w: %s: index %d of %d elements", ErrShape, k.name, i, n)
		}
	}
	return nil
}

// At folds b into elements of a vector, one after the other, so that an index may occur more than once: x[indices[i]] = k(x[indices[i]],
// b[i]). b has as many elements as indices, or is a scalar.
func (k *Kernel) At(x any, indices []int, b any) error {
	e, err := k.binary()
	if err != nil {
		return err
	}
	to, err := k.operand(x, true)
	if err != nil {
		return err
	}
	from, err := k.operand(b, false)
	if err != nil {
		return err
	}
	if len(to.Shape()) != 1 || len(from.Shape()) > 1 || len(from.Shape()) == 1 && from.Shape()[0] != len(indices) {
		return fmt.Errorf("%w: %s: a vector, as many elements as indices or a scalar are wanted, not %v and %v", ErrShape, k.name, to.Shape(), from.Shape())
	}
	if err := k.inRange(indices, to.Shape()[0]); err != nil {
		return err
	}
	for i, at := range indices {
		y := from
		if len(from.Shape()) == 1 {
			y = from.Part(0, i, 1, 1)
		}
		element := to.Part(0, at, 1, 1)
		if err := k.apply(e, element, y, element); err != nil {
			return err
		}
	}
	return nil
}
