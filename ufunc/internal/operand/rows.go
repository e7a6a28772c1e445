package operand

import (
	"fmt"
	"slices"
	"unsafe"
)

// Rows are operands of a kernel over rows: all broadcast to one shape, whose last axis is a row, and each with rows in one piece.
type Rows struct {
	ops     []Operand
	inputs  int
	out     []Operand // where temporary outputs go, by position among the outputs
	through []bool
}

// NewRows broadcasts inputs to the common shape of the outputs and copies what is in the way: rows that are not contiguous, and inputs that overlap an output
// in any way but row on row. It returns ErrShape if there is no row or shapes do not fit.
func NewRows(sig *Signature, ops []Operand) (*Rows, error) {
	if err := sig.checkCount(len(ops)); err != nil {
		return nil, err
	}
	shape := ops[sig.Inputs].Shape()
	if len(shape) == 0 {
		return nil, fmt.Errorf("%w: %v has no dimension, and no row", ErrShape, sig.role(sig.Inputs))
	}
	for i := range ops {
		if ops[i].dtype != sig.Types[i] {
			return nil, ops[i].checkKernel(sig.Types[i], MaxDims, sig.role(i))
		}
	}
	common, err := sig.common(ops)
	if err != nil {
		return nil, err
	}
	r := &Rows{inputs: sig.Inputs}
	for i, o := range ops {
		if i >= sig.Inputs && !slices.Equal(o.Shape(), common.Shape()) {
			return nil, fmt.Errorf("%w: %v (%v) would have to be stretched to %s, the shape of the operands together",
				ErrShape, sig.role(i), &o, common.shape())
		}
		if o.isScalar() {
			value := o
			if o, err = New(value.dtype, []int{1}); err != nil {
				return nil, err
			}
			if err := Copy(o, value, nil); err != nil {
				return nil, err
			}
		}
		r.ops = append(r.ops, o.stretched(common.Shape()))
	}
	if r.ops[0].empty() {
		return r, nil
	}
	last := len(shape) - 1
	for i := range r.ops {
		o := &r.ops[i]
		contiguous := o.count[last] == 1 || o.stride[last] == o.size
		if i >= r.inputs {
			r.out, r.through = append(r.out, *o), append(r.through, !contiguous)
			for j := r.inputs; j < i; j++ {
				if intersects(&r.out[j-r.inputs].nest, &o.nest) {
					return nil, fmt.Errorf("%w: %v (%v) and %v (%v) overlap", ErrOverlap, sig.role(j), &ops[j], sig.role(i), &ops[i])
				}
			}
		}
		overlaps := false
		for j := r.inputs; i < r.inputs && j < len(r.ops); j++ {
			overlaps = overlaps || !coincides(&o.nest, &r.ops[j].nest) && intersects(&o.nest, &r.ops[j].nest)
		}
		if contiguous && !overlaps {
			continue
		}
		fresh, err := New(o.dtype, o.Shape())
		if err != nil {
			return nil, err
		}
		if i < r.inputs {
			if err := Copy(fresh, *o, nil); err != nil {
				return nil, err
			}
		}
		r.ops[i] = fresh
	}
	return r, nil
}

// stretched is o broadcast to a shape that it fits.
func (o Operand) stretched(shape []int) Operand {
	pad := len(shape) - o.dims
	v := nest{base: o.base, size: o.size}
	for d, n := range shape {
		if d >= pad && o.count[d-pad] == n {
			v.push(n, o.stride[d-pad])
		} else {
			v.push(n, 0)
		}
	}
	o.nest = v
	return o
}

// Each calls f for every group of rows: the first element of every operand, the number of rows and of elements in one, and the byte
// strides, of rows and of elements, by operand.
func (r *Rows) Each(f func(data []unsafe.Pointer, rows, n int, stride []int64) error) error {
	first := &r.ops[0]
	if first.empty() {
		return nil
	}
	last := first.dims - 1
	rows, outer := 1, 1
	if last > 0 {
		rows = first.count[last-1]
	}
	for _, n := range first.count[:max(0, last-1)] {
		outer *= n
	}
	data, stride := make([]unsafe.Pointer, len(r.ops)), make([]int64, 0, 2*len(r.ops))
	for i := range r.ops {
		o := &r.ops[i]
		row := 0
		if last > 0 {
			row = o.stride[last-1]
		}
		stride = append(stride, int64(row), int64(o.size))
	}
	for g := range outer {
		for i := range r.ops {
			o := &r.ops[i]
			at, rest := 0, g
			for k := last - 2; k >= 0; k-- {
				at += rest % o.count[k] * o.stride[k]
				rest /= o.count[k]
			}
			data[i] = unsafe.Add(o.base, at)
		}
		if err := f(data, rows, first.count[last], stride); err != nil {
			return err
		}
	}
	for i, through := range r.through {
		if through {
			if err := Copy(r.out[i], r.ops[r.inputs+i], nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// Ranges yields the memory that is read, or written, as Plan.ReadRanges does.
func (r *Rows) Ranges(f func(p unsafe.Pointer, n int, write bool)) {
	for i := range r.ops {
		if r.ops[i].empty() {
			return
		}
		d := r.ops[i].distinct()
		for at, n := range d.rows(0, d.len()) {
			f(at, n*d.size, i >= r.inputs)
		}
	}
}
