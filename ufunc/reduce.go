package ufunc

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/jit"
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

// binary checks that k can fold elements of one type, and returns its code.
func (k *Kernel) binary() (*executor, error) {
	t := k.sig.Types
	if k.sig.Inputs != 2 || len(t) != 3 || t[0] != t[1] || t[1] != t[2] {
		return nil, fmt.Errorf("%w: %s is not a function of two elements to one of the same type", ErrUnsupported, k.name)
	}
	return k.get(context.Background())
}

// operand describes a value, an Array too, and checks that its elements are the kernel's.
func (k *Kernel) operand(v any, output bool) (operand.Operand, error) {
	var o operand.Operand
	var err error
	if a, ok := v.(describer); ok {
		o, err = a.describe(output)
	} else {
		o, err = operand.Describe(v, output)
	}
	if err == nil && o.DType() != k.sig.Types[0] {
		err = fmt.Errorf("%w: %v holds %s, but the kernel takes %s", ErrDType, &o, o.DType().GoName(), k.sig.Types[0].GoName())
	}
	if err != nil {
		return o, fmt.Errorf("%s: %w", k.name, err)
	}
	return o, nil
}

// apply calls the kernel on described operands.
func (k *Kernel) apply(e *executor, operands ...operand.Operand) error {
	plan := k.plans.Get().(*operand.Plan)
	if !jit.RaceEnabled {
		defer k.plans.Put(plan)
	}
	if err := plan.BindOperands(&k.sig, operands); err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	defer plan.Release()
	return k.execute(e, plan)
}

// Reduce folds a kernel of two inputs, which must be associative, over axes of an array:
//
//	out = k(k(in[0], in[1]), k(in[2], in[3])) ...
//
// The operands stay in order, and pairs are folded first, then pairs of these, and so on, so that a sum of n floats is off by some log2(n) roundings.
// The order depends on the number of elements along an axis alone. Several axes are folded from the last to the first. out has the shape of in
// without the axes (see [KeepDims]); where no axis is left it may have one element. Nothing is the identity ([WithIdentity]),
// or the [Initial] element, and an error that wraps ErrShape if there is neither.
func (k *Kernel) Reduce(in, out any, opts ...ReduceOption) error {
	e, err := k.binary()
	if err != nil {
		return err
	}
	var r reduction
	for _, o := range opts {
		o(&r)
	}
	x, err := k.operand(in, false)
	if err != nil {
		return err
	}
	y, err := k.operand(out, true)
	if err != nil {
		return err
	}
	axes, err := k.axes(r.axes, len(x.Shape()))
	if err != nil {
		return err
	}
	if r.only != nil {
		if x, err = k.chosen(x, r.only); err != nil {
			return err
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
			return err
		}
	}
	if combine {
		first, err := operand.Scalar(x.DType(), r.initial)
		if err != nil {
			return fmt.Errorf("%s: Initial: %w", k.name, err)
		}
		z, err := operand.New(x.DType(), x.Shape())
		if err != nil {
			return err
		}
		if err := k.apply(e, first, x, z); err != nil {
			return err
		}
		x = z
	}
	if !r.keep {
		for _, axis := range axes {
			x = x.Drop(axis)
		}
	}
	if len(x.Shape()) == 0 && slices.Equal(y.Shape(), []int{1}) {
		y = y.Drop(0)
	}
	if !slices.Equal(x.Shape(), y.Shape()) {
		return fmt.Errorf("%w: %s: the output has shape %v, the reduction %v", ErrShape, k.name, y.Shape(), x.Shape())
	}
	return operand.Copy(y, x, nil)
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
	var m operand.Operand
	var err error
	if a, ok := mask.(describer); ok {
		m, err = a.describe(false)
	} else {
		m, err = operand.Describe(mask, false)
	}
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

// foldBlock is how many elements along an axis are folded before the next ones are looked at, so that they stay in the cache. A power of two: it does
// not change which elements are paired.
const foldBlock = 1 << 12

// fold reduces a non-empty axis to size 1.
func (k *Kernel) fold(e *executor, x operand.Operand, axis int) (operand.Operand, error) {
	n := x.Shape()[axis]
	if n <= foldBlock {
		return k.tree(e, x, axis)
	}
	shape := slices.Clone(x.Shape())
	shape[axis] = (n + foldBlock - 1) / foldBlock
	blocks, err := operand.New(x.DType(), shape)
	if err != nil {
		return x, err
	}
	for b := range shape[axis] {
		y, err := k.tree(e, x.Part(axis, b*foldBlock, min(foldBlock, n-b*foldBlock), 1), axis)
		if err != nil {
			return x, err
		}
		if err := operand.Copy(blocks.Part(axis, b, 1, 1), y, nil); err != nil {
			return x, err
		}
	}
	return k.fold(e, blocks, axis)
}

// tree folds pairs until one element is left.
func (k *Kernel) tree(e *executor, x operand.Operand, axis int) (operand.Operand, error) {
	var buffers [2]operand.Operand
	for i := 0; x.Shape()[axis] > 1; i++ {
		n := x.Shape()[axis]
		b := &buffers[i%2]
		if i < 2 {
			shape := slices.Clone(x.Shape())
			shape[axis] = (n + 1) / 2
			var err error
			if *b, err = operand.New(x.DType(), shape); err != nil {
				return x, err
			}
		}
		if err := k.apply(e, x.Part(axis, 0, n/2, 2), x.Part(axis, 1, n/2, 2), b.Part(axis, 0, n/2, 1)); err != nil {
			return x, err
		}
		if n%2 == 1 {
			if err := operand.Copy(b.Part(axis, n/2, 1, 1), x.Part(axis, n-1, 1, 1), nil); err != nil {
				return x, err
			}
		}
		x = b.Part(axis, 0, (n+1)/2, 1)
	}
	return x, nil
}

// MapReduce folds the results of another kernel, of one output, along the last axis, without keeping them: of a sum and a product it makes the dot product of
// two vectors, or of rows. The inputs are broadcast against each other; out has their shape without the last axis, or one element where none is
// left. Memory is passed over once, in blocks that stay in the cache; the order of folding is that of [Kernel.Reduce].
func (k *Kernel) MapReduce(f Func, inputs []any, out any) error {
	e, err := k.binary()
	if err != nil {
		return err
	}
	m := f.Kernel()
	if t := m.sig.Types; len(inputs) != m.sig.Inputs || len(t) != m.sig.Inputs+1 || t[m.sig.Inputs] != k.sig.Types[0] {
		return fmt.Errorf("%w: %s does not make one %s of %d inputs", ErrCount, m.name, k.sig.Types[0].GoName(), len(inputs))
	}
	code, err := m.get(context.Background())
	if err != nil {
		return err
	}
	y, err := k.operand(out, true)
	if err != nil {
		return err
	}
	given, err := described(inputs, len(inputs))
	if err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	ops := make([]operand.Operand, len(given))
	for i, v := range given {
		if ops[i], err = operand.Describe(v, false); err != nil {
			return fmt.Errorf("%s: input %d: %w", m.name, i+1, err)
		}
	}
	ops, shape, err := m.sig.Broadcast(ops)
	if err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	if len(shape) == 0 {
		return fmt.Errorf("%w: %s: there is no axis to fold", ErrShape, k.name)
	}
	axis := len(shape) - 1
	n := shape[axis]
	var result operand.Operand
	if n == 0 {
		scalars, err := operand.New(k.sig.Types[0], shape)
		if err != nil {
			return err
		}
		if result, err = k.filled(scalars, axis, k.config.neutral); err != nil {
			return err
		}
	} else {
		folded := slices.Clone(shape)
		folded[axis] = (n + foldBlock - 1) / foldBlock
		blocks, err := operand.New(k.sig.Types[0], folded)
		if err != nil {
			return err
		}
		for b := range folded[axis] {
			size := min(foldBlock, n-b*foldBlock)
			part := slices.Clone(shape)
			part[axis] = size
			mapped, err := operand.New(k.sig.Types[0], part)
			if err != nil {
				return err
			}
			all := make([]operand.Operand, 0, len(ops)+1)
			for _, o := range ops {
				all = append(all, o.Part(axis, b*foldBlock, size, 1))
			}
			if err := m.apply(code, append(all, mapped)...); err != nil {
				return err
			}
			if mapped, err = k.tree(e, mapped, axis); err != nil {
				return err
			}
			if err := operand.Copy(blocks.Part(axis, b, 1, 1), mapped, nil); err != nil {
				return err
			}
		}
		if result, err = k.fold(e, blocks, axis); err != nil {
			return err
		}
	}
	result = result.Drop(axis)
	if axis == 0 && slices.Equal(y.Shape(), []int{1}) {
		y = y.Drop(0)
	}
	if !slices.Equal(result.Shape(), y.Shape()) {
		return fmt.Errorf("%w: %s: the output has shape %v, the reduction %v", ErrShape, k.name, y.Shape(), result.Shape())
	}
	return operand.Copy(y, result, nil)
}

// Accumulate is the running fold along an axis, from the first element on: out[0] = in[0], out[i] = k(out[i-1], in[i]). out has
// the shape of in, and may be in.
func (k *Kernel) Accumulate(in, out any, axis int) error {
	e, err := k.binary()
	if err != nil {
		return err
	}
	x, err := k.operand(in, false)
	if err != nil {
		return err
	}
	y, err := k.operand(out, true)
	if err != nil {
		return err
	}
	axes, err := k.axes([]int{axis}, len(x.Shape()))
	if err != nil {
		return err
	}
	if !slices.Equal(x.Shape(), y.Shape()) {
		return fmt.Errorf("%w: %s: the output has shape %v, the input %v", ErrShape, k.name, y.Shape(), x.Shape())
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
	e, err := k.binary()
	if err != nil {
		return err
	}
	x, err := k.operand(in, false)
	if err != nil {
		return err
	}
	y, err := k.operand(out, true)
	if err != nil {
		return err
	}
	axes, err := k.axes([]int{axis}, len(x.Shape()))
	if err != nil {
		return err
	}
	axis = axes[0]
	shape := slices.Clone(x.Shape())
	n := shape[axis]
	if shape[axis] = len(indices); !slices.Equal(shape, y.Shape()) {
		return fmt.Errorf("%w: %s: the output has shape %v, the reduction %v", ErrShape, k.name, y.Shape(), shape)
	}
	for i, from := range indices {
		if from < 0 || from >= n {
			return fmt.Errorf("%w: %s: index %d of %d elements", ErrShape, k.name, from, n)
		}
		to := n
		if i+1 < len(indices) {
			to = indices[i+1]
		}
		z, err := k.fold(e, x.Part(axis, from, max(1, min(to, n)-from), 1), axis)
		if err != nil {
			return err
		}
		if err := operand.Copy(y.Part(axis, i, 1, 1), z, nil); err != nil {
			return err
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
	for i, at := range indices {
		if at < 0 || at >= to.Shape()[0] {
			return fmt.Errorf("%w: %s: index %d of %d elements", ErrShape, k.name, at, to.Shape()[0])
		}
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
