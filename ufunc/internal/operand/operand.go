package operand

import (
	"fmt"
	"strconv"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
)

// An Element is what memory may hold.
type Element interface {
	bool | float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | ir.F16 | ir.BF16
}

// An Operand is a described input or output: an element type, a shape and the
// memory behind it, which it keeps alive.
type Operand struct {
	nest  // the shape with strides; not yet broadcast
	dtype ir.Type
	kind  string // Go type, for messages
	value uint64 // of a scalar: its bits, in the bytes of the element's size that come first in memory
	alias bool   // of an output in a plan: an input is in the same place
}

// DType is the type of the elements.
func (o *Operand) DType() ir.Type { return o.dtype }

// Shape is the number of elements along each dimension; a scalar has none.
// The slice is part of o.
func (o *Operand) Shape() []int { return o.count[:o.dims] }

// String gives the Go type and the shape, like "blas32.Vector, length 5".
func (o *Operand) String() string {
	s := o.shape()
	if s == "" {
		return o.kind
	}
	return o.kind + ", " + s
}

// shape reads "", "length 5", "3x2".
func (o *Operand) shape() string {
	var b []byte
	if o.dims == 1 {
		b = append(b, "length "...)
	}
	for k, n := range o.count[:o.dims] {
		if k > 0 {
			b = append(b, 'x')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(b)
}

// A role says which operand a message is about.
type role struct {
	output bool
	pos    int // from 1; 0 if not known
}

func (r role) String() string {
	s := "input"
	if r.output {
		s = "output"
	}
	if r.pos == 0 {
		return s
	}
	return s + " " + strconv.Itoa(r.pos)
}

// View describes a part of data: element (i, j, ...) is at
// data[offset + i*stride[0] + j*stride[1] + ...]. Strides count elements, have
// either sign, and may be 0 in an input. An empty view has no need of data.
//
// It returns ErrShape if the view has a negative size, more than MaxDims
// dimensions or does not lie inside data, ErrOverlap if an output view holds an
// element twice, and ErrOperand if data is not aligned to its elements.
func View[T Element](data []T, offset int, shape, stride []int, output bool) (Operand, error) {
	var o Operand
	err := view(&o, "view", data, offset, shape, stride, role{output: output})
	return o, err
}

func view[T Element](o *Operand, kind string, data []T, offset int, shape, stride []int, r role) error {
	o.kind, o.dtype, o.size = kind, typeOf[T](), int(unsafe.Sizeof(*new(T)))
	// Messages take o.String() and not o, which would move every operand to the heap.
	if len(shape) != len(stride) || len(shape) > MaxDims {
		return fmt.Errorf("%w: %v (%s) has %d sizes and %d strides; both must be the same number, at most %d",
			ErrShape, r, kind, len(shape), len(stride), MaxDims)
	}
	o.dims = copy(o.count[:], shape)
	for _, n := range o.Shape() {
		if n < 0 {
			return fmt.Errorf("%w: %v (%v) has a negative size", ErrShape, r, o.String())
		}
	}
	if o.empty() {
		return nil
	}
	inside := 0 <= offset && offset < len(data)
	lo, hi := offset, offset
	for k, n := range o.Shape() {
		if n == 1 {
			continue
		}
		if inside = inside && fits(n, stride[k], len(data)); !inside {
			break
		}
		o.stride[k] = stride[k] * o.size
		lo += min((n-1)*stride[k], 0)
		hi += max((n-1)*stride[k], 0)
	}
	if !inside || lo < 0 || hi >= len(data) {
		return fmt.Errorf("%w: %v (%v) with stride %s does not fit in its data, which has length %d",
			ErrShape, r, o.String(), join(stride), len(data))
	}
	o.base = unsafe.Pointer(&data[offset])
	if align := unsafe.Alignof(data[0]); uintptr(o.base)%align != 0 {
		return fmt.Errorf("%w: %v (%v) is not aligned to %d bytes", ErrOperand, r, o.String(), align)
	}
	if r.output && o.repeats() {
		return fmt.Errorf("%w: %v (%v) with stride %s holds an element twice", ErrOverlap, r, o.String(), join(stride))
	}
	return nil
}

// fits reports whether n > 0 elements that are inc apart can lie among length elements.
func fits(n, inc, length int) bool {
	abs := uint(inc)
	if inc < 0 {
		abs = -abs
	}
	return length > 0 && (abs == 0 || uint(n-1) <= uint(length-1)/abs)
}

// join reads "2", "(5, 1)".
func join(list []int) string {
	if len(list) == 1 {
		return strconv.Itoa(list[0])
	}
	b := []byte{'('}
	for k, n := range list {
		if k > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ')'))
}

func typeOf[T Element]() ir.Type {
	switch any(*new(T)).(type) {
	case bool:
		return ir.Bool
	case float32:
		return ir.Float32
	case float64:
		return ir.Float64
	case int8:
		return ir.Int8
	case int16:
		return ir.Int16
	case int32:
		return ir.Int32
	case int64:
		return ir.Int64
	case uint8:
		return ir.Uint8
	case uint16:
		return ir.Uint16
	case uint32:
		return ir.Uint32
	case uint64:
		return ir.Uint64
	case ir.F16:
		return ir.Float16
	}
	return ir.BFloat16
}
