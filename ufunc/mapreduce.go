package ufunc

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

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
	if k, e, err = k.widened(e); err != nil {
		return err
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
		block := k.blockOf(k.folder(e))
		folded := slices.Clone(shape)
		folded[axis] = (n + block - 1) / block
		blocks, err := operand.New(k.sig.Types[0], folded)
		if err != nil {
			return err
		}
		for from := 0; from < n; from += foldBlock { // a multiple of block
			size := min(foldBlock, n-from)
			part := slices.Clone(shape)
			part[axis] = size
			mapped, err := operand.New(y.DType(), part)
			if err != nil {
				return err
			}
			all := make([]operand.Operand, 0, len(ops)+1)
			for _, o := range ops {
				all = append(all, o.Part(axis, from, size, 1))
			}
			if err := m.apply(code, append(all, mapped)...); err != nil {
				return err
			}
			if mapped, err = converted(mapped, k.sig.Types[0]); err != nil {
				return err
			}
			if err := k.leaves(e, mapped, axis, blocks.Part(axis, from/block, (size+block-1)/block, 1)); err != nil {
				return err
			}
		}
		if result, err = k.fold(e, blocks, axis); err != nil {
			return err
		}
	}
	return k.write(y, result.Drop(axis))
}
