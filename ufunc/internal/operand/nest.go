package operand

import (
	"iter"
	"unsafe"
)

// MaxDims is the largest number of dimensions of an operand and of loops of a
// kernel. It bounds fixed arrays, so that describing and planning need no heap.
const MaxDims = 8

// A nest is a set of loops over memory, outermost first: element (i0, i1, ...)
// is at base + i0*stride[0] + i1*stride[1] + ... bytes. A loop of one iteration
// has stride 0, or the element size if it is the only loop. The base may be nil if
// some count is 0.
type nest struct {
	base   unsafe.Pointer
	size   int // of an element, in bytes
	dims   int
	count  [MaxDims]int
	stride [MaxDims]int // bytes
}

// len is the number of iterations. The nest must be known to fit in memory.
func (v *nest) len() int {
	n := 1
	for _, c := range v.count[:v.dims] {
		n *= c
	}
	return n
}

func (v *nest) empty() bool {
	for _, c := range v.count[:v.dims] {
		if c == 0 {
			return true
		}
	}
	return false
}

// extent gives the offsets from base of the lowest byte touched and of the one
// after the highest.
func (v *nest) extent() (lo, hi int) {
	hi = v.size
	for k := range v.dims {
		span := (v.count[k] - 1) * v.stride[k]
		lo += min(span, 0)
		hi += max(span, 0)
	}
	return lo, hi
}

// distinct is v without the loops that stay in place: each element once.
func (v *nest) distinct() nest {
	d := nest{base: v.base, size: v.size}
	for k := range v.dims {
		if v.stride[k] != 0 {
			d.push(v.count[k], v.stride[k])
		}
	}
	if d.dims == 0 {
		d.push(1, v.size)
	}
	return d
}

// push adds an innermost loop.
func (v *nest) push(count, stride int) {
	v.count[v.dims], v.stride[v.dims] = count, stride
	v.dims++
}

// offset is the distance in bytes from base to element number i in loop order,
// and idx its indices.
func (v *nest) offset(i int) (off int, idx [MaxDims]int) {
	for k := v.dims - 1; k >= 0; k-- {
		idx[k] = i % v.count[k]
		i /= v.count[k]
		off += idx[k] * v.stride[k]
	}
	return off, idx
}

// rows yields the pieces of the innermost loop, first element and length, that
// make up the n elements from number first on. v must have at least one loop.
func (v *nest) rows(first, n int) iter.Seq2[unsafe.Pointer, int] {
	return func(yield func(unsafe.Pointer, int) bool) {
		inner := v.dims - 1
		off, idx := v.offset(first)
		for {
			run := min(n, v.count[inner]-idx[inner])
			if !yield(unsafe.Add(v.base, off), run) {
				return
			}
			if n -= run; n == 0 {
				return
			}
			off -= idx[inner] * v.stride[inner]
			idx[inner] = 0
			for k := inner - 1; k >= 0; k-- {
				idx[k]++
				off += v.stride[k]
				if idx[k] < v.count[k] {
					break
				}
				off -= v.count[k] * v.stride[k]
				idx[k] = 0
			}
		}
	}
}

// bits are moved, not numbers: a NaN keeps its payload on every machine.
type bits interface {
	uint8 | uint16 | uint32 | uint64
}

// gather copies the elements from number first on to col.
func (v *nest) gather(col unsafe.Pointer, first, n int) {
	switch v.size {
	case 1:
		gather(v, unsafe.Slice((*uint8)(col), n), first)
	case 2:
		gather(v, unsafe.Slice((*uint16)(col), n), first)
	case 4:
		gather(v, unsafe.Slice((*uint32)(col), n), first)
	default:
		gather(v, unsafe.Slice((*uint64)(col), n), first)
	}
}

// scatter is the inverse of gather.
func (v *nest) scatter(col unsafe.Pointer, first, n int) {
	switch v.size {
	case 1:
		scatter(v, unsafe.Slice((*uint8)(col), n), first)
	case 2:
		scatter(v, unsafe.Slice((*uint16)(col), n), first)
	case 4:
		scatter(v, unsafe.Slice((*uint32)(col), n), first)
	default:
		scatter(v, unsafe.Slice((*uint64)(col), n), first)
	}
}

func gather[T bits](v *nest, col []T, first int) {
	stride := v.stride[v.dims-1]
	for at, n := range v.rows(first, len(col)) {
		if stride == v.size {
			copy(col, unsafe.Slice((*T)(at), n))
		} else {
			for i := range n {
				col[i] = *(*T)(unsafe.Add(at, i*stride))
			}
		}
		col = col[n:]
	}
}

func scatter[T bits](v *nest, col []T, first int) {
	stride := v.stride[v.dims-1]
	for at, n := range v.rows(first, len(col)) {
		if stride == v.size {
			copy(unsafe.Slice((*T)(at), n), col)
		} else {
			for i := range n {
				*(*T)(unsafe.Add(at, i*stride)) = col[i]
			}
		}
		col = col[n:]
	}
}
