package ufunc

import (
	"unsafe"

	"github.com/go-yolk/yolk/jit"
)

// maxDirect is the largest number of operands of a direct call: three inputs and an output, and what else there is of as many.
const maxDirect = 4

// direct runs native code on n > 0 adjacent elements of each operand, with an argument block on the stack: the short road of the calls that are most
// frequent. It does nothing and returns false where anything is out of the ordinary (overlap, misaligned memory, no native
// code): that is for a plan.
func (k *Kernel) direct(e *executor, data *[maxDirect]unsafe.Pointer, n int, size uintptr) (fault jit.Fault, ok bool) {
	if e.native == nil {
		return 0, false
	}
	operands, inputs := len(k.sig.Types), k.sig.Inputs
	bytes := uintptr(n) * size
	for o := inputs; o < operands; o++ {
		p := uintptr(data[o])
		for i := range o {
			// Distances wrap around, so that one comparison finds overlap on either side.
			q := uintptr(data[i])
			if d := q - p + bytes; d-1 < 2*bytes-1 && (p != q || i >= inputs) {
				return 0, false
			}
		}
	}
	var all uintptr
	for _, p := range data {
		all |= uintptr(p)
	}
	if all%size != 0 {
		return 0, false
	}
	if jit.RaceEnabled {
		for i, p := range data[:operands] {
			if i < inputs {
				jit.ReadRange(p, int(bytes))
			} else {
				jit.WriteRange(p, int(bytes))
			}
		}
	}
	count := [1]int64{int64(n)}
	strides := [maxDirect]int64{int64(size), int64(size), int64(size), int64(size)}
	if k.config.threads != 1 {
		if w := k.workers(e, n); w > 1 {
			return k.divide(e, w, n, data[:operands], count[:], strides[:operands]), true
		}
	}
	return e.native.Call(&jit.Args{Data: &data[0], Count: &count[0], Stride: &strides[0]}), true
}

// slices is direct for operands of any kind: it returns false if they are not slices of the kernel's types and of one length.
func (k *Kernel) slices(e *executor, operands []any) (fault jit.Fault, ok bool) {
	if len(operands) == 0 {
		return 0, false
	}
	switch operands[0].(type) {
	case []float32:
		return directly[float32](k, e, Float32, operands)
	case []float64:
		return directly[float64](k, e, Float64, operands)
	case []int8:
		return directly[int8](k, e, Int8, operands)
	case []int16:
		return directly[int16](k, e, Int16, operands)
	case []int32:
		return directly[int32](k, e, Int32, operands)
	case []int64:
		return directly[int64](k, e, Int64, operands)
	case []uint8:
		return directly[uint8](k, e, Uint8, operands)
	case []uint16:
		return directly[uint16](k, e, Uint16, operands)
	case []uint32:
		return directly[uint32](k, e, Uint32, operands)
	case []uint64:
		return directly[uint64](k, e, Uint64, operands)
	}
	return 0, false
}

// directly is direct for operands of any kind: it returns false if they are not all slices of T, whose
// element type is t, and of the same length.
func directly[T Number](k *Kernel, e *executor, t DType, operands []any) (fault jit.Fault, ok bool) {
	if k.sig.Dims != 1 || len(operands) != len(k.sig.Types) || len(operands) > maxDirect {
		return 0, false
	}
	var data [maxDirect]unsafe.Pointer
	n := 0
	for i, o := range operands {
		s, ok := o.([]T)
		if !ok || len(s) == 0 || i > 0 && len(s) != n || k.sig.Types[i] != t {
			return 0, false
		}
		data[i], n = unsafe.Pointer(&s[0]), len(s)
	}
	return k.direct(e, &data, n, unsafe.Sizeof(T(0)))
}
