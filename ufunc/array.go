package ufunc

import (
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// Element is the Go types of the elements of an [Array].
type Element interface {
	bool | float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | F16 | BF16
}

// Array is a view of a slice as an n-dimensional array: element (i, j, ...) is
//
//	data[offset + i*stride[0] + j*stride[1] + ...]
//
// Strides count elements and have either sign. Views share the slice and copy nothing. The methods that make views panic with an
// error that wraps [ErrShape] where there is none.
type Array[T Element] struct {
	data          []T
	offset        int
	shape, stride []int
}

// NewArray is data as an array of the given shape, last index fastest. The sizes must multiply to len(data).
func NewArray[T Element](data []T, shape ...int) Array[T] {
	a := Array[T]{data: data, shape: slices.Clone(shape), stride: contiguous(shape)}
	if n := elements(shape); n != len(data) {
		panic(fmt.Errorf("%w: an Array of shape %v has %d elements, its data %d", ErrShape, shape, n, len(data)))
	}
	return a
}

// StridedArray is the array of the given shape whose element (i, j, ...) is data[offset + i*stride[0] + j*stride[1] + ...].
func StridedArray[T Element](data []T, offset int, shape, stride []int) Array[T] {
	a := Array[T]{data, offset, slices.Clone(shape), slices.Clone(stride)}
	if _, err := a.describe(false); err != nil {
		panic(err)
	}
	return a
}

// elements is the number of elements, or -1 for a negative size.
func elements(shape []int) int {
	n := 1
	for _, s := range shape {
		if s < 0 {
			return -1
		}
		n *= s
	}
	return n
}

// contiguous are the strides of an array whose last index is fastest.
func contiguous(shape []int) []int {
	stride := make([]int, len(shape))
	step := 1
	for k := len(shape) - 1; k >= 0; k-- {
		stride[k] = step
		step *= shape[k]
	}
	return stride
}

// describe is the array as an operand.
func (a Array[T]) describe(output bool) (operand.Operand, error) {
	return operand.View(a.data, a.offset, a.shape, a.stride, output)
}

// describer is an Array of any type.
type describer interface {
	describe(output bool) (operand.Operand, error)
}

// Shape returns the sizes.
func (a Array[T]) Shape() []int { return slices.Clone(a.shape) }

// Strides returns the strides, in elements.
func (a Array[T]) Strides() []int { return slices.Clone(a.stride) }

// Len is the number of elements.
func (a Array[T]) Len() int { return elements(a.shape) }

// index is the place of an element.
func (a Array[T]) index(i []int) int {
	if len(i) != len(a.shape) {
		panic(fmt.Errorf("%w: %d indices into an Array of shape %v", ErrShape, len(i), a.shape))
	}
	at := a.offset
	for k, x := range i {
		if x < 0 || x >= a.shape[k] {
			panic(fmt.Errorf("%w: index %d is out of range along axis %d of an Array of shape %v", ErrShape, x, k, a.shape))
		}
		at += x * a.stride[k]
	}
	return at
}

// At is the element at the given indices.
func (a Array[T]) At(i ...int) T { return a.data[a.index(i)] }

// Set changes the element at the given indices.
func (a Array[T]) Set(x T, i ...int) { a.data[a.index(i)] = x }

// Values copies the elements, last index fastest.
func (a Array[T]) Values() []T {
	values := make([]T, 0, a.Len())
	at := make([]int, len(a.shape))
	for range a.Len() {
		values = append(values, a.data[a.index(at)])
		for k := len(at) - 1; k >= 0; k-- {
			if at[k]++; at[k] < a.shape[k] {
				break
			}
			at[k] = 0
		}
	}
	return values
}

// Reshape is the array with other sizes and the same elements in the same order. One size may be -1: it is what is left. It panics where
// that takes a copy, which [Array.Values] makes.
func (a Array[T]) Reshape(shape ...int) Array[T] {
	shape = slices.Clone(shape)
	n := a.Len()
	if k := slices.Index(shape, -1); k >= 0 {
		shape[k] = 1
		if rest := elements(shape); rest > 0 {
			shape[k] = n / rest
		}
	}
	if elements(shape) != n {
		panic(fmt.Errorf("%w: an Array of shape %v cannot have shape %v", ErrShape, a.shape, shape))
	}
	b := Array[T]{a.data, a.offset, shape, contiguous(shape)}
	if n == 0 {
		return b
	}
	stride, ok := reshaped(a.shape, a.stride, shape)
	if !ok {
		panic(fmt.Errorf("%w: an Array of shape %v with strides %v has no view of shape %v", ErrShape, a.shape, a.stride, shape))
	}
	b.stride = stride
	return b
}

// reshaped finds strides for another shape of as many elements: dimensions are taken together, on both sides, until their sizes agree, and
// those of the old side must follow each other in memory (NumPy's _attempt_nocopy_reshape).
func reshaped(shape, stride, want []int) ([]int, bool) {
	var olds, steps []int // without dimensions of size 1, whose strides mean nothing
	for k, n := range shape {
		if n != 1 {
			olds, steps = append(olds, n), append(steps, stride[k])
		}
	}
	result := contiguous(want)
	for i, j := 0, 0; i < len(olds); {
		oldEnd, newEnd := i+1, j+1
		oldSize, newSize := olds[i], want[j]
		for oldSize != newSize {
			if oldSize < newSize {
				oldSize *= olds[oldEnd]
				oldEnd++
			} else {
				newSize *= want[newEnd]
				newEnd++
			}
		}
		for k := i; k < oldEnd-1; k++ {
			if steps[k] != steps[k+1]*olds[k+1] {
				return nil, false
			}
		}
		step := steps[oldEnd-1]
		for k := newEnd - 1; k >= j; k-- {
			result[k] = step
			step *= want[k]
		}
		i, j = oldEnd, newEnd
	}
	return result, true
}

// Transpose is the array with its axes in another order: axis k of the result is axis axes[k]. No axes means the reverse order.
func (a Array[T]) Transpose(axes ...int) Array[T] {
	if len(axes) == 0 {
		for k := len(a.shape) - 1; k >= 0; k-- {
			axes = append(axes, k)
		}
	}
	b := Array[T]{data: a.data, offset: a.offset}
	seen := make([]bool, len(a.shape))
	for _, k := range axes {
		if k < 0 || k >= len(seen) || seen[k] || len(axes) != len(seen) {
			panic(fmt.Errorf("%w: %v does not order the axes of an Array of shape %v", ErrShape, axes, a.shape))
		}
		seen[k] = true
		b.shape, b.stride = append(b.shape, a.shape[k]), append(b.stride, a.stride[k])
	}
	return b
}

// Slice is the part of the array whose index along an axis is from, from+step, ... as long as it is before to, as a[from:to:step] in
// NumPy: a negative from or to counts from the end, and what is out of range is cut off. Everything in reverse is Slice(axis, -1, -n-1, -1) for n
// elements.
func (a Array[T]) Slice(axis, from, to, step int) Array[T] {
	if axis < 0 || axis >= len(a.shape) || step == 0 {
		panic(fmt.Errorf("%w: no slice with step %d along axis %d of an Array of shape %v", ErrShape, step, axis, a.shape))
	}
	n := a.shape[axis]
	clip := func(i int) int {
		if i < 0 {
			i += n
		}
		if step < 0 {
			return min(max(i, -1), n-1)
		}
		return min(max(i, 0), n)
	}
	from, to = clip(from), clip(to)
	count := 0
	if step > 0 && to > from {
		count = (to - from + step - 1) / step
	} else if step < 0 && to < from {
		count = (from - to - step - 1) / -step
	}
	b := Array[T]{a.data, a.offset, slices.Clone(a.shape), slices.Clone(a.stride)}
	if count > 0 {
		b.offset += from * a.stride[axis]
	}
	b.shape[axis], b.stride[axis] = count, step*a.stride[axis]
	return b
}

// Index is the array at one index of an axis, which it no longer has.
func (a Array[T]) Index(axis, i int) Array[T] {
	if axis < 0 || axis >= len(a.shape) || i < -a.shape[axis] || i >= a.shape[axis] {
		panic(fmt.Errorf("%w: no index %d along axis %d of an Array of shape %v", ErrShape, i, axis, a.shape))
	}
	if i < 0 {
		i += a.shape[axis]
	}
	b := Array[T]{a.data, a.offset + i*a.stride[axis], slices.Clone(a.shape), slices.Clone(a.stride)}
	b.shape, b.stride = slices.Delete(b.shape, axis, axis+1), slices.Delete(b.stride, axis, axis+1)
	return b
}

// Broadcast is the array repeated to a shape by NumPy's rules, without copying: it can be an input, and an output only if nothing is
// repeated.
func (a Array[T]) Broadcast(shape ...int) Array[T] {
	b := Array[T]{a.data, a.offset, slices.Clone(shape), make([]int, len(shape))}
	pad := len(shape) - len(a.shape)
	for k := range shape {
		switch {
		case pad < 0 || shape[k] < 0 || k >= pad && a.shape[k-pad] != shape[k] && a.shape[k-pad] != 1:
			panic(fmt.Errorf("%w: an Array of shape %v does not broadcast to %v", ErrShape, a.shape, shape))
		case k >= pad && a.shape[k-pad] == shape[k]:
			b.stride[k] = a.stride[k-pad]
		}
	}
	if pad < 0 {
		panic(fmt.Errorf("%w: an Array of shape %v does not broadcast to %v", ErrShape, a.shape, shape))
	}
	return b
}
