package operand

import (
	"iter"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
)

// A Block is a run of elements with one contiguous column per operand.
type Block struct {
	Len     int // elements of every column
	columns []column
}

type column struct {
	dtype ir.Type
	data  unsafe.Pointer
	own   []uint64 // room for a copy; 64-bit words are aligned for every type
}

func (b *Block) release() {
	for i := range b.columns {
		b.columns[i].data = nil
	}
}

// Float32 is the column of operand i, which must hold float32.
func (b *Block) Float32(i int) []float32 {
	return unsafe.Slice((*float32)(b.column(i, ir.Float32)), b.Len)
}

// Float64 is the column of operand i, which must hold float64.
func (b *Block) Float64(i int) []float64 {
	return unsafe.Slice((*float64)(b.column(i, ir.Float64)), b.Len)
}

// Bool is the column of operand i, which must hold bool.
func (b *Block) Bool(i int) []bool {
	return unsafe.Slice((*bool)(b.column(i, ir.Bool)), b.Len)
}

// Ints is the column of operand i, which must hold integers or a stored type: a slice of the integer type, of uint16 for the bits of
// a stored type.
func (b *Block) Ints(i int) any {
	t := b.columns[i].dtype
	return Elements(t, b.column(i, t), b.Len)
}

// Elements is memory as a slice of its element type; that of a stored type is []uint16.
func Elements(t ir.Type, p unsafe.Pointer, n int) any {
	switch t {
	case ir.Bool:
		return unsafe.Slice((*bool)(p), n)
	case ir.Float32:
		return unsafe.Slice((*float32)(p), n)
	case ir.Float64:
		return unsafe.Slice((*float64)(p), n)
	case ir.Int8:
		return unsafe.Slice((*int8)(p), n)
	case ir.Int16:
		return unsafe.Slice((*int16)(p), n)
	case ir.Int32:
		return unsafe.Slice((*int32)(p), n)
	case ir.Int64:
		return unsafe.Slice((*int64)(p), n)
	case ir.Uint8:
		return unsafe.Slice((*uint8)(p), n)
	case ir.Uint32:
		return unsafe.Slice((*uint32)(p), n)
	case ir.Uint64:
		return unsafe.Slice((*uint64)(p), n)
	}
	return unsafe.Slice((*uint16)(p), n)
}

func (b *Block) column(i int, t ir.Type) unsafe.Pointer {
	if b.columns[i].dtype != t {
		panic("operand: column " + b.columns[i].dtype.GoName() + " read as " + t.GoName())
	}
	return b.columns[i].data
}

// Walk calls f for blocks of at most size > 0 elements, in order, until it returns
// an error. The columns of the inputs are filled in; f writes every element of the
// columns of the outputs, which then go to the outputs unless f failed. Columns are
// the operands' own memory where that is contiguous, so inputs must not be written;
// no output column shares memory with another column. Nothing of a block may be
// kept.
func (p *Plan) Walk(size int, f func(*Block) error) error {
	b := &p.block
	if len(b.columns) < len(p.ops) {
		b.columns = make([]column, len(p.ops))
	}
	for first := 0; first < p.size; first += size {
		b.Len = min(size, p.size-first)
		for i := range p.ops {
			p.open(&b.columns[i], i, first, b.Len)
		}
		if err := f(b); err != nil {
			return err
		}
		for i := p.inputs; i < len(p.ops); i++ {
			c := &b.columns[i]
			if p.masked {
				for k, chosen := range b.Bool(p.inputs - 1) {
					if chosen {
						p.ops[i].scatter(unsafe.Add(c.data, k*p.ops[i].size), first+k, 1)
					}
				}
			} else if len(c.own) > 0 && c.data == unsafe.Pointer(&c.own[0]) {
				p.ops[i].scatter(c.data, first, b.Len)
			}
		}
	}
	return nil
}

// open points c to n elements of operand i.
func (p *Plan) open(c *column, i, first, n int) {
	o := &p.ops[i]
	c.dtype = o.dtype
	inner := o.dims - 1
	off, idx := o.offset(first)
	if o.stride[inner] == o.size && idx[inner]+n <= o.count[inner] && !o.alias && !(p.masked && i >= p.inputs) {
		c.data = unsafe.Add(o.base, off)
		return
	}
	if words := (n*o.size + 7) / 8; len(c.own) < words {
		c.own = make([]uint64, words)
	}
	c.data = unsafe.Pointer(&c.own[0])
	if i < p.inputs {
		o.gather(c.data, first, n)
	}
}

// Values copies the elements of operand i, as float64, in the order of the loops: an input that is broadcast has one value
// for every element of the output.
func (p *Plan) Values(i int) []float64 {
	values := make([]float64, p.size)
	if p.size == 0 {
		return values
	}
	o := &p.ops[i]
	words := make([]uint64, (p.size*o.size+7)/8)
	o.gather(unsafe.Pointer(&words[0]), 0, p.size)
	switch o.dtype {
	case ir.Bool:
		for k, x := range Elements(o.dtype, unsafe.Pointer(&words[0]), p.size).([]bool) {
			if x {
				values[k] = 1
			}
		}
	case ir.Float32:
		widen(values, o, words, func(x float32) float64 { return float64(x) })
	case ir.Float64:
		widen(values, o, words, func(x float64) float64 { return x })
	case ir.Int8:
		widen(values, o, words, func(x int8) float64 { return float64(x) })
	case ir.Int16:
		widen(values, o, words, func(x int16) float64 { return float64(x) })
	case ir.Int32:
		widen(values, o, words, func(x int32) float64 { return float64(x) })
	case ir.Int64:
		widen(values, o, words, func(x int64) float64 { return float64(x) })
	case ir.Uint8:
		widen(values, o, words, func(x uint8) float64 { return float64(x) })
	case ir.Uint16:
		widen(values, o, words, func(x uint16) float64 { return float64(x) })
	case ir.Uint32:
		widen(values, o, words, func(x uint32) float64 { return float64(x) })
	case ir.Uint64:
		widen(values, o, words, func(x uint64) float64 { return float64(x) })
	default:
		widen(values, o, words, func(x uint16) float64 { return float64(ir.Unstore(o.dtype, x)) })
	}
	return values
}

func widen[T any](values []float64, o *Operand, words []uint64, f func(T) float64) {
	for k, x := range Elements(o.dtype, unsafe.Pointer(&words[0]), len(values)).([]T) {
		values[k] = f(x)
	}
}

// ReadRanges yields the memory a native kernel reads, as first byte and length in
// bytes: every byte of the inputs and none between their elements.
func (p *Plan) ReadRanges() iter.Seq2[unsafe.Pointer, int] {
	return ranges(p.ops[:p.inputs], p.size)
}

// WriteRanges yields the memory a native kernel writes.
func (p *Plan) WriteRanges() iter.Seq2[unsafe.Pointer, int] {
	if p.masked && p.size > 0 {
		return p.chosenRanges
	}
	return ranges(p.ops[p.inputs:], p.size)
}

// chosenRanges yields the elements of the outputs that the mask chooses.
func (p *Plan) chosenRanges(yield func(unsafe.Pointer, int) bool) {
	chosen := make([]bool, p.size)
	p.ops[p.inputs-1].gather(unsafe.Pointer(&chosen[0]), 0, p.size)
	for i := p.inputs; i < len(p.ops); i++ {
		o := &p.ops[i]
		stride, k := o.stride[o.dims-1], 0
		for at, n := range o.rows(0, p.size) {
			for j := range n {
				if chosen[k+j] && !yield(unsafe.Add(at, j*stride), o.size) {
					return
				}
			}
			k += n
		}
	}
}

func ranges(ops []Operand, size int) iter.Seq2[unsafe.Pointer, int] {
	return func(yield func(unsafe.Pointer, int) bool) {
		if size == 0 {
			return
		}
		for i := range ops {
			d := ops[i].distinct()
			stride := d.stride[d.dims-1]
			for at, n := range d.rows(0, d.len()) {
				if stride == d.size {
					if !yield(at, n*d.size) {
						return
					}
					continue
				}
				for k := range n {
					if !yield(unsafe.Add(at, k*stride), d.size) {
						return
					}
				}
			}
		}
	}
}
