package operand

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Describe makes an operand of a Go value:
//
//	[]float32, []int8, []bool, ...  length n
//	blas32.Vector, blas64.Vector    length N; with a negative Inc the first element is the last in memory, as in gonum
//	blas32.General, blas64.General  Rows x Cols; the last row needs no padding
//	*mat.VecDense, *mat.Dense       as their raw form
//	any other mat.Matrix            as a copy; inputs only
//	float32, int8, bool, ...        no dimension; inputs only
//	Operand                         as it is
//
// It returns ErrOperand for any other type, a nil pointer, a scalar as output and
// misaligned memory; ErrShape for sizes, increments and strides that are negative
// or do not fit the data, and for an Inc of 0 in an input of more than one element (gonum
// refuses it too: it is a forgotten field more often than a broadcast, which a
// scalar says better); ErrOverlap for an Inc of 0 in such an output.
func Describe(v any, output bool) (Operand, error) {
	var o Operand
	err := describe(&o, v, role{output: output})
	return o, err
}

func describe(o *Operand, v any, r role) error {
	switch v := v.(type) {
	case []float32:
		return view(o, "[]float32", v, 0, []int{len(v)}, []int{1}, r)
	case []float64:
		return view(o, "[]float64", v, 0, []int{len(v)}, []int{1}, r)
	case []bool:
		return view(o, "[]bool", v, 0, []int{len(v)}, []int{1}, r)
	case []int8:
		return view(o, "[]int8", v, 0, []int{len(v)}, []int{1}, r)
	case []int16:
		return view(o, "[]int16", v, 0, []int{len(v)}, []int{1}, r)
	case []int32:
		return view(o, "[]int32", v, 0, []int{len(v)}, []int{1}, r)
	case []int64:
		return view(o, "[]int64", v, 0, []int{len(v)}, []int{1}, r)
	case []uint8:
		return view(o, "[]uint8", v, 0, []int{len(v)}, []int{1}, r)
	case []uint16:
		return view(o, "[]uint16", v, 0, []int{len(v)}, []int{1}, r)
	case []uint32:
		return view(o, "[]uint32", v, 0, []int{len(v)}, []int{1}, r)
	case []uint64:
		return view(o, "[]uint64", v, 0, []int{len(v)}, []int{1}, r)
	case []ir.F16:
		return view(o, "[]ufunc.F16", v, 0, []int{len(v)}, []int{1}, r)
	case []ir.BF16:
		return view(o, "[]ufunc.BF16", v, 0, []int{len(v)}, []int{1}, r)
	case Operand:
		*o = v
		if r.output && !o.empty() && o.repeats() {
			return fmt.Errorf("%w: %v (%v) holds an element twice", ErrOverlap, r, o.String())
		}
		return nil
	case blas32.Vector:
		return vector(o, "blas32.Vector", v.Data, v.N, v.Inc, r)
	case blas64.Vector:
		return vector(o, "blas64.Vector", v.Data, v.N, v.Inc, r)
	case blas32.General:
		return general(o, "blas32.General", v.Data, v.Rows, v.Cols, v.Stride, r)
	case blas64.General:
		return general(o, "blas64.General", v.Data, v.Rows, v.Cols, v.Stride, r)
	case *mat.VecDense:
		if v != nil {
			raw := v.RawVector()
			return vector(o, "*mat.VecDense", raw.Data, raw.N, raw.Inc, r)
		}
	case *mat.Dense:
		if v != nil {
			raw := v.RawMatrix()
			return general(o, "*mat.Dense", raw.Data, raw.Rows, raw.Cols, raw.Stride, r)
		}
	case float32:
		return scalar(o, "float32", v, r)
	case float64:
		return scalar(o, "float64", v, r)
	case bool:
		return scalar(o, "bool", v, r)
	case int8:
		return scalar(o, "int8", v, r)
	case int16:
		return scalar(o, "int16", v, r)
	case int32:
		return scalar(o, "int32", v, r)
	case int64:
		return scalar(o, "int64", v, r)
	case uint8:
		return scalar(o, "uint8", v, r)
	case uint16:
		return scalar(o, "uint16", v, r)
	case uint32:
		return scalar(o, "uint32", v, r)
	case uint64:
		return scalar(o, "uint64", v, r)
	case ir.F16:
		return scalar(o, "ufunc.F16", v, r)
	case ir.BF16:
		return scalar(o, "ufunc.BF16", v, r)
	case mat.Matrix:
		if rv := reflect.ValueOf(v); rv.Kind() != reflect.Pointer || !rv.IsNil() {
			return matrix(o, v, r)
		}
	}
	return unsupported(v, r)
}

// matrix copies a matrix of any kind.
func matrix(o *Operand, m mat.Matrix, r role) error {
	kind := fmt.Sprintf("%T", m)
	if r.output {
		return fmt.Errorf("%w: %v is a %s, which can only be read; want a *mat.Dense", ErrOperand, r, kind)
	}
	rows, cols := m.Dims()
	data := make([]float64, 0, rows*cols)
	for i := range rows {
		for j := range cols {
			data = append(data, m.At(i, j))
		}
	}
	return view(o, kind, data, 0, []int{rows, cols}, []int{cols, 1}, r)
}

func vector[T Element](o *Operand, kind string, data []T, n, inc int, r role) error {
	offset := 0
	if inc == 0 && n > 1 && !r.output {
		return fmt.Errorf("%w: %v (%s, length %d) has Inc 0; give a scalar to broadcast one value", ErrShape, r, kind, n)
	}
	if inc < 0 && n > 1 && fits(n, inc, len(data)) { // if it does not fit, any offset will show it
		offset = (n - 1) * -inc
	}
	return view(o, kind, data, offset, []int{n}, []int{inc}, r)
}

func general[T Element](o *Operand, kind string, data []T, rows, cols, stride int, r role) error {
	if stride < cols {
		return fmt.Errorf("%w: %v (%s, %dx%d) has Stride %d, less than a row", ErrShape, r, kind, rows, cols, stride)
	}
	return view(o, kind, data, 0, []int{rows, cols}, []int{stride, 1}, r)
}

func scalar[T Element](o *Operand, kind string, v T, r role) error {
	if r.output {
		return fmt.Errorf("%w: %v is a %s; only memory can be written", ErrOperand, r, kind)
	}
	o.kind, o.dtype, o.size = kind, typeOf[T](), int(unsafe.Sizeof(v))
	*(*T)(unsafe.Pointer(&o.value)) = v
	return nil
}

// isScalar reports whether o has its value in itself.
func (o *Operand) isScalar() bool { return o.dims == 0 && o.base == nil }

// scalarText is the value of a scalar as Go source without its type.
func (o *Operand) scalarText() string {
	at := unsafe.Pointer(&o.value)
	if o.dtype.Stored() {
		return fmt.Sprint(ir.Unstore(o.dtype, *(*uint16)(at)))
	}
	return strings.Trim(fmt.Sprint(Elements(o.dtype, at, 1)), "[]")
}

func unsupported(v any, r role) error {
	if v == nil {
		return fmt.Errorf("%w: %v is nil", ErrOperand, r)
	}
	rv := reflect.ValueOf(v)
	switch {
	case rv.Kind() == reflect.Pointer && rv.IsNil():
		return fmt.Errorf("%w: %v is a nil %T", ErrOperand, r, v)
	case rv.CanInt() || rv.CanUint() || rv.CanFloat():
		return fmt.Errorf("%w: %v is the %T %v; write float32(%v) or float64(%v)", ErrOperand, r, v, v, v, v)
	}
	return fmt.Errorf("%w: %v is a %T; give a slice of numbers or bools, a blas32 or blas64 Vector or General, "+
		"a *mat.VecDense or *mat.Dense, a ufunc.Array, or a scalar input", ErrOperand, r, v)
}
