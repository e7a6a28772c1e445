package interp

import (
	"fmt"
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Column is one operand: the slice of its type is set, the others are nil.
type Column struct {
	F32  []float32
	F64  []float64
	Bool []bool
	Ints any // []int8 to []uint64; []uint16 for the bits of a stored type
}

// MakeColumn makes a column of n zeros.
func MakeColumn(t ir.Type, n int) Column {
	switch t {
	case ir.Float32:
		return Column{F32: make([]float32, n)}
	case ir.Float64:
		return Column{F64: make([]float64, n)}
	case ir.Bool:
		return Column{Bool: make([]bool, n)}
	case ir.Int8:
		return Column{Ints: make([]int8, n)}
	case ir.Int16:
		return Column{Ints: make([]int16, n)}
	case ir.Int32:
		return Column{Ints: make([]int32, n)}
	case ir.Int64:
		return Column{Ints: make([]int64, n)}
	case ir.Uint8:
		return Column{Ints: make([]uint8, n)}
	case ir.Uint16, ir.Float16, ir.BFloat16:
		return Column{Ints: make([]uint16, n)}
	case ir.Uint32:
		return Column{Ints: make([]uint32, n)}
	case ir.Uint64:
		return Column{Ints: make([]uint64, n)}
	}
	panic("interp: no column of " + t.String())
}

// Slice is the column of elements lo to hi.
func (c Column) Slice(lo, hi int) Column {
	switch s := c.Ints.(type) {
	case []int8:
		return Column{Ints: s[lo:hi]}
	case []int16:
		return Column{Ints: s[lo:hi]}
	case []int32:
		return Column{Ints: s[lo:hi]}
	case []int64:
		return Column{Ints: s[lo:hi]}
	case []uint8:
		return Column{Ints: s[lo:hi]}
	case []uint16:
		return Column{Ints: s[lo:hi]}
	case []uint32:
		return Column{Ints: s[lo:hi]}
	case []uint64:
		return Column{Ints: s[lo:hi]}
	}
	switch {
	case c.F32 != nil:
		return Column{F32: c.F32[lo:hi]}
	case c.F64 != nil:
		return Column{F64: c.F64[lo:hi]}
	}
	return Column{Bool: c.Bool[lo:hi]}
}

// kind is the type of the elements and their number. A column of the bits of a stored type is one of ir.Uint16.
func (c Column) kind() (ir.Type, int) {
	switch s := c.Ints.(type) {
	case []int8:
		return ir.Int8, len(s)
	case []int16:
		return ir.Int16, len(s)
	case []int32:
		return ir.Int32, len(s)
	case []int64:
		return ir.Int64, len(s)
	case []uint8:
		return ir.Uint8, len(s)
	case []uint16:
		return ir.Uint16, len(s)
	case []uint32:
		return ir.Uint32, len(s)
	case []uint64:
		return ir.Uint64, len(s)
	}
	return ir.Invalid, 0
}

func (c Column) fits(t ir.Type, n int) error {
	got, length := ir.Invalid, 0
	ints, k := c.kind()
	if ints == ir.Uint16 && t.Stored() {
		ints = t
	}
	for _, have := range [...]struct {
		t ir.Type
		n int
	}{{ir.Float32, len(c.F32)}, {ir.Float64, len(c.F64)}, {ir.Bool, len(c.Bool)}, {ints, k}} {
		if have.n > 0 && got != ir.Invalid {
			return fmt.Errorf("column of both %v and %v", got, have.t)
		}
		if have.n > 0 {
			got, length = have.t, have.n
		}
	}
	if got != t && got != ir.Invalid {
		return fmt.Errorf("column of %v where %v is wanted", got, t)
	}
	if length < n {
		return fmt.Errorf("column of %d %v where %d elements are wanted", length, t, n)
	}
	return nil
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

func widen[T integer](d []int64, s []T) {
	s = s[:len(d)]
	for i := range d {
		d[i] = int64(s[i])
	}
}

func narrow[T integer](d []T, s []int64) {
	s = s[:len(d)]
	for i := range d {
		d[i] = T(s[i])
	}
}

// load widens the integers from element lo on.
func (c Column) load(d []int64, lo int) {
	switch s := c.Ints.(type) {
	case []int8:
		widen(d, s[lo:])
	case []int16:
		widen(d, s[lo:])
	case []int32:
		widen(d, s[lo:])
	case []int64:
		widen(d, s[lo:])
	case []uint8:
		widen(d, s[lo:])
	case []uint16:
		widen(d, s[lo:])
	case []uint32:
		widen(d, s[lo:])
	case []uint64:
		widen(d, s[lo:])
	}
}

// store is the inverse of load.
func (c Column) store(s []int64, lo int) {
	hi := lo + len(s)
	switch d := c.Ints.(type) {
	case []int8:
		narrow(d[lo:hi], s)
	case []int16:
		narrow(d[lo:hi], s)
	case []int32:
		narrow(d[lo:hi], s)
	case []int64:
		narrow(d[lo:hi], s)
	case []uint8:
		narrow(d[lo:hi], s)
	case []uint16:
		narrow(d[lo:hi], s)
	case []uint32:
		narrow(d[lo:hi], s)
	case []uint64:
		narrow(d[lo:hi], s)
	}
}

// Set sets element i to bits as ir.ConstBits makes them.
func (c Column) Set(i int, bits uint64) {
	switch {
	case c.F32 != nil:
		c.F32[i] = math.Float32frombits(uint32(bits))
	case c.F64 != nil:
		c.F64[i] = math.Float64frombits(bits)
	case c.Bool != nil:
		c.Bool[i] = bits != 0
	default:
		c.store([]int64{int64(bits)}, i)
	}
}

// Bits is the inverse of Set.
func (c Column) Bits(i int) uint64 {
	switch {
	case c.F32 != nil:
		return uint64(math.Float32bits(c.F32[i]))
	case c.F64 != nil:
		return math.Float64bits(c.F64[i])
	case c.Bool != nil:
		return uint64(truth(c.Bool[i]))
	}
	var x [1]int64
	c.load(x[:], i)
	t, _ := c.kind()
	return ir.IntBits(t, x[0])
}
