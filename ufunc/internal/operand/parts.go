package operand

import "unsafe"

// Parts is the argument block of a call divided into calls of the same kernel: the iterations of one loop are dealt out.
// The zero Parts is ready for Divide, and dividing again reuses its storage. Afterwards it may be read by many goroutines.
type Parts struct {
	data   []unsafe.Pointer
	count  []int64
	stride []int64
	loop   int   // the one that is divided
	step   int64 // its iterations in a part
}

// together is the number of iterations of an innermost loop that stay together: whole vectors and whole cache lines for every
// operand.
const together = 256

// Divide takes an argument block, as from [Plan.Args], none of whose counts is 0, and divides it into at most n > 0 parts of
// nearly equal size. It copies the block.
func (p *Parts) Divide(data []unsafe.Pointer, count, stride []int64, n int) {
	p.data = append(p.data[:0], data...)
	p.count = append(p.count[:0], count...)
	p.stride = append(p.stride[:0], stride...)
	// The outermost loop that is long enough has the longest rows; otherwise the longest loop makes the most parts.
	p.loop = 0
	for k, c := range count {
		if c >= 4*int64(n) {
			p.loop = k
			break
		}
		if c > count[p.loop] {
			p.loop = k
		}
	}
	p.step = (count[p.loop] + int64(n) - 1) / int64(n)
	if p.loop == len(count)-1 {
		p.step = (p.step + together - 1) / together * together
	}
}

// Len is the number of parts.
func (p *Parts) Len() int { return int((p.count[p.loop] + p.step - 1) / p.step) }

// Release lets go of the operands' memory.
func (p *Parts) Release() { clear(p.data) }

// Args appends the pointers and counts of a part to data and count; strides are those of the whole.
func (p *Parts) Args(part int, data []unsafe.Pointer, count []int64) ([]unsafe.Pointer, []int64, []int64) {
	first := int64(part) * p.step
	for o, at := range p.data {
		data = append(data, unsafe.Add(at, first*p.stride[o*len(p.count)+p.loop]))
	}
	count = append(count, p.count...)
	count[p.loop] = min(p.step, p.count[p.loop]-first)
	return data, count, p.stride
}
