package ufunc_test

import (
	"fmt"
	"slices"
	"unsafe"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/go-yolk/yolk/ufunc"
)

// band is the length in bytes of the guard bands, a vector of the widest machine on each side.
const band = 64

// buffer is memory between two guard bands. One of them may be missing, and then a page that cannot be touched is in its place.
type buffer struct {
	mem  []byte
	from int // where the memory between the bands starts
	size int
}

// newBuffer makes a buffer of so many bytes, aligned for all elements.
func newBuffer(_ *rapid.T, size int) buffer {
	words := make([]uint64, (size+2*band+7)/8)
	return buffer{unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words)), band, size}
}

// all is the memory with its bands.
func (b buffer) all() []byte { return b.mem }

// data is what lies between the bands.
func (b buffer) data() []byte { return b.mem[b.from : b.from+b.size : b.from+b.size] }

type bufferList []buffer

func (l bufferList) copied() bufferList {
	c := slices.Clone(l)
	for i := range c {
		c[i].mem = slices.Clone(c[i].mem)
	}
	return c
}

// load is an element of a view in the common shape.
func (l bufferList) load(v drawnView, at []int) float64 {
	if v.scalar {
		return v.number
	}
	return loadNumber(v.typ, l[v.buffer].data()[v.place(at)*v.typ.Size():])
}

func (l bufferList) store(v drawnView, at []int, x float64) {
	storeNumber(v.typ, l[v.buffer].data()[v.place(at)*v.typ.Size():], x)
}

func loadNumber(typ ufunc.DType, b []byte) float64 {
	p := unsafe.Pointer(&b[0])
	switch typ {
	case ufunc.Bool, ufunc.Uint8:
		return float64(*(*uint8)(p))
	case ufunc.Int16:
		return float64(*(*int16)(p))
	case ufunc.Float16:
		return float64((*(*ufunc.F16)(p)).Float32())
	case ufunc.BFloat16:
		return float64((*(*ufunc.BF16)(p)).Float32())
	case ufunc.Float32:
		return float64(*(*float32)(p))
	}
	return *(*float64)(p)
}

// storeNumber stores a whole number; integers wrap around.
func storeNumber(typ ufunc.DType, b []byte, x float64) {
	p := unsafe.Pointer(&b[0])
	switch typ {
	case ufunc.Bool, ufunc.Uint8:
		*(*uint8)(p) = uint8(int64(x))
	case ufunc.Int16:
		*(*int16)(p) = int16(int64(x))
	case ufunc.Float16:
		*(*ufunc.F16)(p) = ufunc.ToF16(float32(x))
	case ufunc.BFloat16:
		*(*ufunc.BF16)(p) = ufunc.ToBF16(float32(x))
	case ufunc.Float32:
		*(*float32)(p) = float32(x)
	default:
		*(*float64)(p) = x
	}
}

// drawnView is an operand: elements of a buffer, or a scalar. Offset and strides count elements.
type drawnView struct {
	typ           ufunc.DType
	shape, stride []int
	offset        int
	buffer        int
	output        bool
	scalar        bool
	number        float64
	gonum         bool // as gonum's type, if there is one
}

// place is the element of the buffer at an index of a shape that the view is broadcast to.
func (v drawnView) place(at []int) int {
	p := v.offset
	for k, n := range v.shape {
		if n != 1 {
			p += at[len(at)-len(v.shape)+k] * v.stride[k]
		}
	}
	return p
}

func (v drawnView) String() string {
	if v.scalar {
		return fmt.Sprintf("%v %v", v.typ, v.number)
	}
	return fmt.Sprintf("%v %v by %v from %d of buffer %d, output %t, gonum %t", v.typ, v.shape, v.stride, v.offset, v.buffer, v.output, v.gonum)
}

// extent is how far elements lie below and above the first one.
func (v drawnView) extent() (lo, hi int) {
	for k, n := range v.shape {
		if n == 0 {
			return 0, -1
		}
		lo, hi = lo+min(0, (n-1)*v.stride[k]), hi+max(0, (n-1)*v.stride[k])
	}
	return lo, hi
}

// memory is what a call works on: views of buffers, and the buffers before, now and as they should be after it.
type memory struct {
	views    []drawnView
	buffers  bufferList
	start    bufferList
	expected bufferList
	maskAt   int                               // the place of the mask among the operands
	make     func(t *rapid.T, size int) buffer // newBuffer, if it is nil
}

func (m *memory) copied() bufferList { return m.buffers.copied() }

// oneIn is true rarely, and not at all in the simplest cases.
func oneIn(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(t, label) == n-1
}

// drawShape draws a shape of up to so many dimensions, and some 500 elements: zeros and ones among the sizes, and lengths of vectors with their tails.
func drawShape(t *rapid.T, dims int) []int {
	shape := rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 3, 4, 5, 0}), 0, dims).Draw(t, "shape")
	if len(shape) > 0 && len(shape) <= 2 && oneIn(t, 3, "long") {
		shape[len(shape)-1] = rapid.IntRange(6, 140).Draw(t, "length")
	}
	return shape
}

// drawStretched draws a shape that is broadcast to another one.
func drawStretched(t *rapid.T, shape []int) []int {
	s := slices.Clone(shape)
	if oneIn(t, 3, "stretched") {
		for k := range s {
			if rapid.Bool().Draw(t, "size 1") {
				s[k] = 1
			}
		}
		s = s[rapid.IntRange(0, len(s)).Draw(t, "fewer dimensions"):]
	}
	return s
}

// draw draws a view of a shape and its place among the buffers.
func (m *memory) draw(t *rapid.T, typ ufunc.DType, shape []int, output bool) int {
	v := drawnView{typ: typ, shape: shape, output: output, buffer: len(m.views), gonum: rapid.Bool().Draw(t, "gonum")}
	var others []int // of the same type
	for i, o := range m.views {
		if o.typ == typ && !o.scalar {
			others = append(others, i)
		}
	}
	if !output && len(shape) == 0 && rapid.Bool().Draw(t, "scalar") {
		v.scalar, v.number = true, number(typ, rapid.IntRange(0, 22).Draw(t, "number"))
		m.views = append(m.views, v)
		return len(m.views) - 1
	}
	// Most strides are those of contiguous arrays, or of parts of larger ones with axes in any order; some are anything.
	v.stride = make([]int, len(shape))
	switch layout := rapid.IntRange(0, 5).Draw(t, "layout"); {
	case layout == 5:
		for k := range v.stride {
			v.stride[k] = rapid.IntRange(-7, 7).Draw(t, "stride")
		}
	default:
		order := make([]int, len(shape))
		for k := range order {
			order[k] = len(shape) - 1 - k
		}
		if layout >= 3 {
			order = rapid.Permutation(order).Draw(t, "axes")
		}
		step := 1
		if layout >= 2 {
			step = rapid.IntRange(1, 3).Draw(t, "step")
		}
		for _, k := range order {
			v.stride[k] = step
			if layout >= 3 && rapid.Bool().Draw(t, "backwards") {
				v.stride[k] = -step
			}
			step *= max(1, shape[k])
			if layout >= 1 {
				step += rapid.IntRange(0, 3).Draw(t, "padding")
			}
		}
	}
	v.offset = rapid.IntRange(0, 3).Draw(t, "offset") // from the start of the buffer to the lowest element
	if len(others) > 0 && rapid.Bool().Draw(t, "share") {
		o := m.views[rapid.SampledFrom(others).Draw(t, "with")]
		v.buffer = o.buffer
		v.offset += rapid.IntRange(0, 20).Draw(t, "shift")
		if slices.Equal(o.shape, shape) && rapid.Bool().Draw(t, "alias") {
			v.stride, v.offset = slices.Clone(o.stride), o.offset
			if oneIn(t, 3, "partial") {
				v.offset += rapid.IntRange(0, 3).Draw(t, "by")
			}
		}
	}
	m.views = append(m.views, v)
	return len(m.views) - 1
}

// number is a small whole one.
func number(typ ufunc.DType, i int) float64 {
	x := (i*7+3)%23 - 11
	switch typ {
	case ufunc.Bool:
		return truth(x%3 == 0)
	case ufunc.Uint8:
		return float64(max(x, -x))
	}
	return float64(x)
}

// allocate makes the buffers: as long as their views need, or a little longer.
func (m *memory) allocate(t *rapid.T) {
	sizes := make([]int, len(m.views))
	for i := range m.views {
		v := &m.views[i]
		if v.scalar {
			continue
		}
		lo, hi := v.extent()
		sizes[v.buffer] = max(sizes[v.buffer], v.offset-lo+hi+1)
	}
	for i, n := range sizes {
		if n > 0 {
			sizes[i] += rapid.IntRange(0, 2).Draw(t, "slack")
		}
	}
	for i := range m.views {
		v := &m.views[i]
		make := newBuffer
		if m.make != nil {
			make = m.make
		}
		g := make(t, sizes[i]*v.typ.Size())
		for k := range g.all() {
			g.all()[k] = byte(0xa5 + 31*k)
		}
		for k := range sizes[i] {
			storeNumber(v.typ, g.data()[k*v.typ.Size():], number(v.typ, k+5*i))
		}
		m.buffers = append(m.buffers, g)
		if !v.scalar {
			lo, _ := v.extent()
			v.offset -= lo
		}
	}
	m.maskAt = rapid.IntRange(0, 7).Draw(t, "place of the mask")
	m.start, m.expected = m.copied(), m.copied()
}

// value is a view as what a user would give to a call.
func (m *memory) value(v drawnView) any {
	switch v.typ {
	case ufunc.Bool:
		return valueOf(m, v, v.number != 0)
	case ufunc.Uint8:
		return valueOf(m, v, uint8(v.number))
	case ufunc.Int16:
		return valueOf(m, v, int16(v.number))
	case ufunc.Float16:
		return valueOf(m, v, ufunc.ToF16(float32(v.number)))
	case ufunc.BFloat16:
		return valueOf(m, v, ufunc.ToBF16(float32(v.number)))
	case ufunc.Float32:
		return valueOf(m, v, float32(v.number))
	}
	return valueOf(m, v, v.number)
}

func valueOf[T ufunc.Element](m *memory, v drawnView, scalar T) any {
	if v.scalar {
		return scalar
	}
	data := m.buffers[v.buffer].data()
	if len(data) == 0 {
		return ufunc.StridedArray[T](nil, 0, v.shape, v.stride)
	}
	all := unsafe.Slice((*T)(unsafe.Pointer(&data[0])), len(data)/v.typ.Size())
	lo, hi := v.extent()
	if v.gonum && hi >= 0 {
		if o := gonumOf(any(all[v.offset+lo:v.offset+hi+1:v.offset+hi+1]), v); o != nil {
			return o
		}
	}
	return ufunc.StridedArray(all, v.offset, v.shape, v.stride)
}

// gonumOf is the slice, vector or matrix that a view with elements is, whose memory is data exactly, or nil.
func gonumOf(data any, v drawnView) any {
	switch {
	case len(v.shape) == 1 && v.stride[0] == 1:
		if x, ok := data.([]float64); ok && v.offset%2 == 0 {
			return mat.NewVecDense(len(x), x)
		}
		return data
	case len(v.shape) == 1 && v.stride[0] != 0:
		switch x := data.(type) {
		case []float32:
			return blas32.Vector{N: v.shape[0], Inc: v.stride[0], Data: x}
		case []float64:
			if v.stride[0] > 0 && v.offset%2 == 0 {
				var dense mat.VecDense
				dense.SetRawVector(blas64.Vector{N: v.shape[0], Inc: v.stride[0], Data: x})
				return &dense
			}
			return blas64.Vector{N: v.shape[0], Inc: v.stride[0], Data: x}
		}
	case len(v.shape) == 2 && (v.stride[1] == 1 || v.shape[1] == 1) && v.stride[0] >= v.shape[1]:
		switch x := data.(type) {
		case []float32:
			return blas32.General{Rows: v.shape[0], Cols: v.shape[1], Stride: v.stride[0], Data: x}
		case []float64:
			g := blas64.General{Rows: v.shape[0], Cols: v.shape[1], Stride: v.stride[0], Data: x}
			if v.offset%2 == 0 {
				var dense mat.Dense
				dense.SetRawMatrix(g)
				return &dense
			}
			return g
		}
	}
	return nil
}

// difference says where a buffer is not as it should be.
func (m *memory) difference(i int) string {
	got, want := m.buffers[i].all(), m.expected[i].all()
	typ := m.views[i].typ
	for k := range got {
		if got[k] != want[k] {
			at := k - m.buffers[i].from
			if at < 0 || at >= m.buffers[i].size {
				return fmt.Sprintf("buffer %d: byte %d of the guard band is %#x, want %#x", i, at, got[k], want[k])
			}
			e := at / typ.Size()
			at = e * typ.Size()
			return fmt.Sprintf("buffer %d: element %d is %v, want %v", i, e, loadNumber(typ, m.buffers[i].data()[at:]), loadNumber(typ, m.expected[i].data()[at:]))
		}
	}
	return ""
}

// broadcastShape is the shape that all views are broadcast to.
func broadcastShape(views []drawnView) (shape []int, ok bool) {
	dims := 0
	for _, v := range views {
		dims = max(dims, len(v.shape))
	}
	shape = slices.Repeat([]int{1}, dims)
	for _, v := range views {
		for k, n := range v.shape {
			d := dims - len(v.shape) + k
			if n != 1 && shape[d] != 1 && n != shape[d] {
				return nil, false
			}
			if n != 1 {
				shape[d] = n
			}
		}
	}
	return shape, true
}
