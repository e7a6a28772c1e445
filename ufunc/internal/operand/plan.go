package operand

import (
	"fmt"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
)

// A Signature is what a kernel takes.
type Signature struct {
	Types  []ir.Type // of the operands: inputs in order, then at least one output
	Inputs int       // how many of them are inputs
	Dims   int       // loops of the kernel, 1 to MaxDims
	Masked bool      // the last input is a mask of the elements that are computed; no other one of an output is touched
}

func (s *Signature) role(i int) role {
	if i >= s.Inputs {
		return role{true, i - s.Inputs + 1}
	}
	return role{false, i + 1}
}

// A Plan is one call of a kernel: loops over the memory of its operands. The zero
// Plan is ready for Bind; binding again reuses its storage, so a pool of plans
// makes calls free of allocations. It serves one goroutine at a time and must not
// be copied while it is bound, since it may point into itself.
type Plan struct {
	ops    []Operand // all with the same counts; inputs first
	inputs int
	masked bool
	size   int // elements of an output

	data   []unsafe.Pointer
	count  []int64
	stride []int64

	block Block
}

// Bind plans a call with the given values, each of a kind that [Describe] takes.
//
// Inputs are broadcast against each other and to the outputs by NumPy's rules: shapes
// are aligned at their last dimension, and a dimension of size 1, or missing, is
// repeated. An output must have exactly the common shape. An input that overlaps an
// output in any way but element on element is copied now, so the result is what
// copies of all inputs would give.
//
// It returns the errors of Describe, ErrCount, ErrDType if an element type is not
// the kernel's (nothing is converted), ErrShape if shapes do not fit together or
// have more dimensions than the kernel has loops, and ErrOverlap if two outputs
// have an element in common. The plan then holds nothing.
func (p *Plan) Bind(sig *Signature, values []any) error {
	p.Release()
	if err := sig.checkCount(len(values)); err != nil {
		return err
	}
	p.reserve(len(values))
	for i, v := range values {
		if err := describe(&p.ops[i], v, sig.role(i)); err != nil {
			p.Release()
			return err
		}
	}
	return p.lay(sig)
}

// BindOperands is Bind for operands that have been described.
func (p *Plan) BindOperands(sig *Signature, operands []Operand) error {
	p.Release()
	if err := sig.checkCount(len(operands)); err != nil {
		return err
	}
	p.reserve(len(operands))
	copy(p.ops, operands)
	return p.lay(sig)
}

// Release lets go of the operands' memory. What Args returned is no longer valid.
func (p *Plan) Release() {
	clear(p.ops)
	clear(p.data)
	p.block.release()
	p.ops, p.data, p.inputs, p.size = p.ops[:0], p.data[:0], 0, 0
}

func (p *Plan) reserve(n int) {
	if cap(p.ops) < n {
		p.ops = make([]Operand, n)
	}
	p.ops = p.ops[:n]
}

func (s *Signature) checkCount(n int) error {
	if n == len(s.Types) {
		return nil
	}
	return fmt.Errorf("%w: %d given, but the kernel takes %d, inputs first: %d in and %d out",
		ErrCount, n, len(s.Types), s.Inputs, len(s.Types)-s.Inputs)
}

// lay does all that follows description.
func (p *Plan) lay(sig *Signature) (err error) {
	defer func() {
		if err != nil {
			p.Release()
		}
	}()
	p.inputs, p.masked = sig.Inputs, sig.Masked
	for i := range p.ops {
		o := &p.ops[i]
		if err := o.checkKernel(sig.Types[i], sig.Dims, sig.role(i)); err != nil {
			return err
		}
		if o.isScalar() {
			o.base = unsafe.Pointer(&o.value)
		}
	}
	if err := p.broadcast(sig); err != nil {
		return err
	}
	if p.ops[p.inputs].empty() {
		p.size = 0
	} else {
		if err := p.separate(sig); err != nil {
			return err
		}
		p.size = p.ops[p.inputs].len()
		p.merge()
	}
	p.fill(sig.Dims)
	return nil
}

func (o *Operand) checkKernel(t ir.Type, dims int, r role) error {
	switch {
	case o.dtype != t && o.isScalar():
		return fmt.Errorf("%w: %v is a %s, but the kernel takes %s: write %[4]s(%s)",
			ErrDType, r, o.kind, t.GoName(), o.scalarText())
	case o.dtype != t:
		return fmt.Errorf("%w: %v (%v) holds %s, but the kernel takes %s: convert it first",
			ErrDType, r, o, o.dtype.GoName(), t.GoName())
	case o.dims > dims:
		return fmt.Errorf("%w: %v (%v) has %d dimensions, but the kernel walks %d", ErrShape, r, o, o.dims, dims)
	}
	return nil
}

// common is the shape that all operands broadcast to; only its shape is used.
func (s *Signature) common(ops []Operand) (common Operand, err error) {
	for i := range ops {
		common.dims = max(common.dims, ops[i].dims)
	}
	var from [MaxDims]int // the operand that a size comes from
	for k := range common.dims {
		common.count[k] = 1
	}
	for i := range ops {
		o := &ops[i]
		for k, n := range o.Shape() {
			d := k + common.dims - o.dims
			switch c := common.count[d]; {
			case n == c || n == 1:
			case c == 1:
				common.count[d], from[d] = n, i
			default:
				j := from[d]
				return common, fmt.Errorf("%w: %v (%v) and %v (%v) differ", ErrShape,
					s.role(j), &ops[j], s.role(i), o)
			}
		}
	}
	return common, nil
}

// Outputs makes outputs of zeros, contiguous, of the shape that the described inputs broadcast to. It returns ErrCount if
// there are not as many inputs as the kernel takes, and ErrShape if they do not broadcast.
func (s *Signature) Outputs(inputs []Operand) ([]Operand, error) {
	if len(inputs) != s.Inputs {
		return nil, fmt.Errorf("%w: %d inputs, but the kernel takes %d", ErrCount, len(inputs), s.Inputs)
	}
	common, err := s.common(inputs)
	if err != nil {
		return nil, err
	}
	shape := common.Shape()
	outputs := make([]Operand, len(s.Types)-s.Inputs)
	for i := range outputs {
		outputs[i], err = New(s.Types[s.Inputs+i], shape)
		if err != nil {
			return nil, err
		}
	}
	return outputs, nil
}

// New makes an output of zeros, contiguous.
func New(t ir.Type, shape []int) (Operand, error) {
	var o Operand
	stride, size := make([]int, len(shape)), 1
	for k := len(shape) - 1; k >= 0; k-- {
		stride[k] = size
		size *= shape[k]
	}
	words := make([]uint64, (size*t.Size()+7)/8+1) // one more: an empty output has memory too
	var err error
	switch t.Size() {
	case 1:
		err = view(&o, "view", unsafe.Slice((*uint8)(unsafe.Pointer(&words[0])), size), 0, shape, stride, role{output: true})
	case 2:
		err = view(&o, "view", unsafe.Slice((*uint16)(unsafe.Pointer(&words[0])), size), 0, shape, stride, role{output: true})
	case 4:
		err = view(&o, "view", unsafe.Slice((*uint32)(unsafe.Pointer(&words[0])), size), 0, shape, stride, role{output: true})
	default:
		err = view(&o, "view", words[:size], 0, shape, stride, role{output: true})
	}
	o.dtype = t
	return o, err
}

// broadcast gives every operand the common shape, and scalars one loop.
func (p *Plan) broadcast(sig *Signature) error {
	common, err := sig.common(p.ops)
	if err != nil {
		return err
	}
	for i := range p.ops {
		o := &p.ops[i]
		pad := common.dims - o.dims
		same := true
		v := nest{base: o.base, size: o.size}
		for d, n := range common.Shape() {
			if d >= pad && o.count[d-pad] == n {
				v.push(n, o.stride[d-pad])
			} else {
				v.push(n, 0)
				same = false
			}
		}
		if i >= p.inputs && !same {
			return fmt.Errorf("%w: %v (%v) would have to be stretched to %s, the shape of the operands together",
				ErrShape, sig.role(i), o, common.shape())
		}
		if v.dims == 0 {
			v.push(1, v.size)
		}
		o.nest = v
	}
	return nil
}

// separate copies inputs that overlap an output and refuses outputs that overlap.
func (p *Plan) separate(sig *Signature) error {
	for j := p.inputs; j < len(p.ops); j++ {
		out := &p.ops[j]
		for i := p.inputs; i < j; i++ {
			if intersects(&p.ops[i].nest, &out.nest) {
				return fmt.Errorf("%w: %v (%v) and %v (%v) overlap", ErrOverlap,
					sig.role(i), &p.ops[i], sig.role(j), out)
			}
		}
	}
	for i := range p.inputs {
		in := &p.ops[i]
		for j := p.inputs; j < len(p.ops); j++ {
			out := &p.ops[j]
			mask := p.masked && i == p.inputs-1 // which a kernel reads again for every output
			if !mask && coincides(&in.nest, &out.nest) {
				out.alias = true
			} else if intersects(&in.nest, &out.nest) {
				in.detach()
			}
		}
	}
	return nil
}

// detach moves the elements of o to memory of its own.
func (o *Operand) detach() {
	d := o.distinct()
	n := d.len()
	copied := make([]uint64, (n*o.size+7)/8)
	o.base = unsafe.Pointer(&copied[0])
	d.gather(o.base, 0, n)
	step := o.size
	for k := o.dims - 1; k >= 0; k-- {
		if o.stride[k] != 0 {
			o.stride[k] = step
			step *= o.count[k]
		}
	}
}

// merge drops loops of one iteration and joins those that walk every operand like
// one longer loop.
func (p *Plan) merge() {
	w := 0 // loops kept
	for k := range p.ops[0].dims {
		n := p.ops[0].count[k]
		if n == 1 {
			continue
		}
		joined := w > 0
		for i := range p.ops {
			s := &p.ops[i].stride
			joined = joined && s[w-1] == s[k]*n
		}
		for i := range p.ops {
			o := &p.ops[i]
			if joined {
				o.count[w-1] *= n
				o.stride[w-1] = o.stride[k]
			} else {
				o.count[w], o.stride[w] = n, o.stride[k]
			}
		}
		if !joined {
			w++
		}
	}
	for i := range p.ops {
		o := &p.ops[i]
		o.dims = w
		if w == 0 { // a single element is contiguous
			o.push(1, o.size)
		}
	}
}

// fill writes the argument block. Loops that merging saved become outer loops of
// one iteration.
func (p *Plan) fill(dims int) {
	p.count, p.stride = p.count[:0], p.stride[:0]
	pad := dims - p.ops[0].dims
	for range pad {
		p.count = append(p.count, 1)
	}
	for _, n := range p.ops[0].Shape() {
		p.count = append(p.count, int64(n))
	}
	for i := range p.ops {
		o := &p.ops[i]
		p.data = append(p.data, o.base)
		for range pad {
			p.stride = append(p.stride, 0)
		}
		for _, s := range o.nest.stride[:o.dims] {
			p.stride = append(p.stride, int64(s))
		}
	}
}

// Len is the number of elements of an output. If it is 0 there is nothing to do and
// pointers in the argument block may be nil.
func (p *Plan) Len() int { return p.size }

// Args returns the argument block of a native kernel, valid until the plan is bound
// again or released: the first element of every operand, the iterations of each
// loop, outermost first, and for every operand the byte stride of each loop.
//
// Nothing outside the elements of the operands is to be touched. The memory stays
// alive as long as the plan does.
func (p *Plan) Args() (data []unsafe.Pointer, count, stride []int64) {
	return p.data, p.count, p.stride
}
