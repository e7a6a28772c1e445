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
