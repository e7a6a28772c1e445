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

func (b *Block) column(i int, t ir.Type) unsafe.Pointer {
	if b.columns[i].dtype != t {
		panic("operand: column " + goName(b.columns[i].dtype) + " read as " + goName(t))
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
			if len(c.own) > 0 && c.data == unsafe.Pointer(&c.own[0]) {
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
	if o.stride[inner] == o.size && idx[inner]+n <= o.count[inner] && !o.alias {
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
	switch o := &p.ops[i]; {
	case p.size == 0:
	case o.dtype == ir.Float32:
		narrow := make([]float32, p.size)
		o.gather(unsafe.Pointer(&narrow[0]), 0, p.size)
		for k, x := range narrow {
			values[k] = float64(x)
		}
	default:
		o.gather(unsafe.Pointer(&values[0]), 0, p.size)
	}
	return values
}

// ReadRanges yields the memory a native kernel reads, as first byte and length in
// bytes: every byte of the inputs and none between their elements.
func (p *Plan) ReadRanges() iter.Seq2[unsafe.Pointer, int] {
	return ranges(p.ops[:p.inputs], p.size)
}

// WriteRanges yields the memory a native kernel writes.
func (p *Plan) WriteRanges() iter.Seq2[unsafe.Pointer, int] {
	return ranges(p.ops[p.inputs:], p.size)
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
