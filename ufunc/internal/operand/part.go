package operand

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Part is every step-th element along an axis, count of them, the first at index from; they must exist. Step is positive.
func (o Operand) Part(axis, from, count, step int) Operand {
	if count > 0 {
		o.base = unsafe.Add(o.base, from*o.stride[axis])
	}
	o.count[axis] = count
	o.stride[axis] *= step
	if count == 1 {
		o.stride[axis] = 0
	}
	return o
}

// Drop takes away an axis of size 1.
func (o Operand) Drop(axis int) Operand {
	copy(o.count[axis:], o.count[axis+1:o.dims])
	copy(o.stride[axis:], o.stride[axis+1:o.dims])
	o.dims--
	o.count[o.dims], o.stride[o.dims] = 0, 0
	return o
}

// Extend adds n axes of size 1 at the end. It returns ErrShape if these are too many. A scalar stays one: it has no memory to stretch, and fits any shape.
func (o Operand) Extend(n int) (Operand, error) {
	if o.isScalar() {
		return o, nil
	}
	if o.dims+n > MaxDims {
		return o, fmt.Errorf("%w: %d dimensions, at most %d", ErrShape, o.dims+n, MaxDims)
	}
	for range n {
		o.count[o.dims], o.stride[o.dims] = 1, 0
		o.dims++
	}
	return o, nil
}

// Broadcast stretches inputs to their common shape, and returns it.
func (s *Signature) Broadcast(inputs []Operand) ([]Operand, []int, error) {
	common, err := s.common(inputs)
	if err != nil {
		return nil, nil, err
	}
	shape := slices.Clone(common.Shape())
	stretched := make([]Operand, len(inputs))
	for i, o := range inputs {
		if o.isScalar() { // which has no memory to be stretched
			value := o
			if o, err = New(value.dtype, nil); err != nil {
				return nil, nil, err
			}
			if err := Copy(o, value, nil); err != nil {
				return nil, nil, err
			}
		}
		stretched[i] = o.stretched(shape)
	}
	return stretched, shape, nil
}

// Scalar is a number of any Go type as a scalar of type t; it must be one of t.
func Scalar(t ir.Type, v any) (Operand, error) {
	o := Operand{nest: nest{size: t.Size()}, dtype: t, kind: t.GoName()}
	rv := reflect.ValueOf(v)
	var bits uint64
	ok := true
	switch {
	case rv.CanInt() && t.IsInteger():
		bits = ir.IntBits(t, rv.Int())
		ok = ir.BitsInt(t, bits) == rv.Int() && (t != ir.Uint64 || rv.Int() >= 0)
	case rv.CanUint() && t.IsInteger():
		bits = ir.IntBits(t, int64(rv.Uint()))
		ok = uint64(ir.BitsInt(t, bits)) == rv.Uint() && (t != ir.Int64 || ir.BitsInt(t, bits) >= 0)
	case rv.Kind() == reflect.Bool && t == ir.Bool:
		if rv.Bool() {
			bits = 1
		}
	case rv.CanInt() || rv.CanFloat():
		x := 0.
		if rv.CanInt() {
			x = float64(rv.Int())
		} else {
			x = rv.Float()
		}
		if t.Stored() {
			bits = uint64(ir.Store(t, float32(x)))
		} else {
			bits = ir.ConstBits(t, x)
			ok = t.IsFloat() || ir.BitsFloat(t, bits) == x
		}
	default:
		ok = false
	}
	if !ok {
		return o, fmt.Errorf("%w: %v is no %s", ErrDType, v, t.GoName())
	}
	switch t.Size() { // in the bytes that come first in memory
	case 1:
		*(*uint8)(unsafe.Pointer(&o.value)) = uint8(bits)
	case 2:
		*(*uint16)(unsafe.Pointer(&o.value)) = uint16(bits)
	case 4:
		*(*uint32)(unsafe.Pointer(&o.value)) = uint32(bits)
	default:
		o.value = bits
	}
	return o, nil
}

// copyBlock is how many elements Copy takes at a time.
const copyBlock = 2048

// Copy sets the elements of an output to those of an input of the same type, which is broadcast; where, if it is not nil, is an
// input of bools that says which elements, and the others are not touched.
func Copy(out, in Operand, where *Operand) error {
	sig := Signature{Types: []ir.Type{in.dtype, out.dtype}, Inputs: 1, Dims: MaxDims}
	operands := []Operand{in, out}
	if where != nil {
		sig = Signature{Types: []ir.Type{in.dtype, ir.Bool, out.dtype}, Inputs: 2, Dims: MaxDims}
		operands = []Operand{in, *where, out}
	}
	var p Plan
	if err := p.BindOperands(&sig, operands); err != nil {
		return err
	}
	defer p.Release()
	last := len(operands) - 1
	if where == nil {
		return p.Walk(copyBlock, func(b *Block) error {
			size := b.Len * out.size
			copy(unsafe.Slice((*byte)(b.columns[last].data), size), unsafe.Slice((*byte)(b.columns[0].data), size))
			return nil
		})
	}
	o := &p.ops[last].nest
	for first := 0; first < p.size; first += copyBlock {
		n := min(copyBlock, p.size-first)
		values, chosen := make([]uint64, (n*out.size+7)/8), make([]bool, n)
		p.ops[0].gather(unsafe.Pointer(&values[0]), first, n)
		p.ops[1].gather(unsafe.Pointer(&chosen[0]), first, n)
		for i, c := range chosen {
			if c {
				o.scatter(unsafe.Add(unsafe.Pointer(&values[0]), i*out.size), first+i, 1)
			}
		}
	}
	return nil
}

// Neighbours reports whether elements along an axis follow each other in memory.
func (o Operand) Neighbours(axis int) bool { return o.stride[axis] == o.size || o.count[axis] == 1 }

// LastShape is the shape with an axis moved to the end.
func (o Operand) LastShape(axis int) []int {
	shape := slices.Clone(o.Shape())
	return append(slices.Delete(shape, axis, axis+1), o.count[axis])
}

// MoveLast is the array whose last axis takes the place of axis, the others following it.
func (o Operand) MoveLast(axis int) Operand {
	last := o.dims - 1
	count, stride := o.count[last], o.stride[last]
	copy(o.count[axis+1:o.dims], o.count[axis:last])
	copy(o.stride[axis+1:o.dims], o.stride[axis:last])
	o.count[axis], o.stride[axis] = count, stride
	return o
}

// EachRows calls f for rows along an axis, whose elements are neighbours, cut into blocks, and the elements of y that they belong to: in and out
// are the first ones, there are so many rows of n elements, and steps are those in bytes from row to row. y has an element along the axis for each block.
func (o Operand) EachRows(axis, block int, y Operand, f func(in, out unsafe.Pointer, rows, n, inStep, outStep int)) {
	if o.empty() {
		return
	}
	length := o.count[axis]
	whole := length / block * block
	// Rows of one block lie along the axis, or, where that has no more, along the longest of the others.
	rows := axis
	if length <= block {
		for d := range o.dims {
			if d != axis && (rows == axis || o.count[d] > o.count[rows]) {
				rows = d
			}
		}
	}
	outer := 1
	for d := range o.dims {
		if d != axis && d != rows {
			outer *= o.count[d]
		}
	}
	for g := range outer {
		in, out, rest := 0, 0, g
		for d := o.dims - 1; d >= 0; d-- {
			if d != axis && d != rows {
				in, out = in+rest%o.count[d]*o.stride[d], out+rest%o.count[d]*y.stride[d]
				rest /= o.count[d]
			}
		}
		from, to := unsafe.Add(o.base, in), unsafe.Add(y.base, out)
		switch {
		case length <= block && rows == axis:
			f(from, to, 1, length, 0, 0)
		case length <= block:
			f(from, to, o.count[rows], length, o.stride[rows], y.stride[rows])
		default:
			f(from, to, whole/block, block, block*o.size, y.stride[axis])
			if whole < length {
				f(unsafe.Add(from, whole*o.size), unsafe.Add(to, whole/block*y.stride[axis]), 1, length-whole, 0, 0)
			}
		}
	}
}

// Ranges yields the memory that o is, as Plan.ReadRanges does.
func (o Operand) Ranges(f func(p unsafe.Pointer, n int)) {
	if o.empty() {
		return
	}
	d := o.distinct()
	for at, n := range d.rows(0, d.len()) {
		f(at, n*d.size)
	}
}

// Convert sets the elements of an output to those of an input of the same shape: float32 to a stored float, or the reverse.
func Convert(out, in Operand) error {
	sig := Signature{Types: []ir.Type{in.dtype, out.dtype}, Inputs: 1, Dims: MaxDims}
	var p Plan
	if err := p.BindOperands(&sig, []Operand{in, out}); err != nil {
		return err
	}
	defer p.Release()
	wide, stored := make([]float32, copyBlock), make([]uint16, copyBlock)
	for first := 0; first < p.size; first += copyBlock {
		n := min(copyBlock, p.size-first)
		switch {
		case in.dtype == ir.Float32:
			p.ops[0].gather(unsafe.Pointer(&wide[0]), first, n)
			for i, x := range wide[:n] {
				stored[i] = ir.Store(out.dtype, x)
			}
			p.ops[1].scatter(unsafe.Pointer(&stored[0]), first, n)
		default:
			p.ops[0].gather(unsafe.Pointer(&stored[0]), first, n)
			for i, x := range stored[:n] {
				if in.dtype == ir.Float16 {
					wide[i] = ir.F16(x).Float32()
				} else {
					wide[i] = ir.BF16(x).Float32()
				}
			}
			p.ops[1].scatter(unsafe.Pointer(&wide[0]), first, n)
		}
	}
	return nil
}
