package ufunc

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// binary checks that k can fold elements of one type, and returns its code.
func (k *Kernel) binary() (*executor, error) {
	t := k.sig.Types
	if k.sig.Inputs != 2 || len(t) != 3 || t[0] != t[1] || t[1] != t[2] {
		return nil, fmt.Errorf("%w: %s is not a function of two elements to one of the same type", ErrUnsupported, k.name)
	}
	return k.get(context.Background())
}

// describe describes a value, an Array too.
func describe(v any, output bool) (operand.Operand, error) {
	if a, ok := v.(describer); ok {
		return a.describe(output)
	}
	return operand.Describe(v, output)
}

// operand describes a value and checks that its elements are the kernel's.
func (k *Kernel) operand(v any, output bool) (operand.Operand, error) {
	o, err := describe(v, output)
	if err == nil && o.DType() != k.sig.Types[0] {
		err = fmt.Errorf("%w: %v holds %s, but the kernel takes %s", ErrDType, &o, o.DType().GoName(), k.sig.Types[0].GoName())
	}
	if err != nil {
		return o, fmt.Errorf("%s: %w", k.name, err)
	}
	return o, nil
}

// folding is what methods along axes begin with: the kernel's code, the operands, and the axes, last first.
func (k *Kernel) folding(in, out any, asked []int) (e *executor, x, y operand.Operand, axes []int, err error) {
	if e, err = k.binary(); err != nil {
		return
	}
	if x, err = k.operand(in, false); err != nil {
		return
	}
	if y, err = k.operand(out, true); err != nil {
		return
	}
	axes, err = k.axes(asked, len(x.Shape()))
	return
}

// hasShape checks the shape of an output.
func (k *Kernel) hasShape(y operand.Operand, want []int) error {
	if !slices.Equal(y.Shape(), want) {
		return fmt.Errorf("%w: %s: the output has shape %v, the result %v", ErrShape, k.name, y.Shape(), want)
	}
	return nil
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
