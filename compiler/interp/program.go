package interp

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrColumns is wrapped by every error of Run: the operands do not fit the function.
var ErrColumns = errors.New("interp: operands do not fit")

// blockLen is how many elements an instruction works on before the next one runs: 2 KiB of float32, so that the
// registers of a typical kernel stay in the first-level cache and the cost of decoding is spread thin.
const blockLen = 512

// Program is a function ready to run. It is immutable and safe for concurrent use.
type Program struct {
	name    string
	params  []slot // where each parameter's column is seen
	names   []string
	results []slot
	code    []instr
	loops   []*loopCode
	slots   [ir.Float64 + 1]int // how many, by type
	consts  []constant
	regs    []slot // slots that need memory of their own
	frames  sync.Pool
}

// slot names a vector: a parameter's block, a constant spread over a block, or a register.
type slot struct {
	typ   ir.Type
	index int
}

type instr struct {
	op      ir.Op
	def     *ir.Def   // of a call
	table   *ir.Table // of a lookup
	dst     slot
	a, b, c slot
	loop    int // which of the program's loops
}

// constant is a read-only block that all frames share.
type constant struct {
	slot
	f32 []float32
	f64 []float64
}

// frame is the scratch memory of one running call.
type frame struct {
	f32  [][]float32
	f64  [][]float64
	bool [][]bool
	args [ir.MaxArity]float64 // of a call

	loops   []*loopFrame
	limit   int     // of a loop's runs, 0: none
	endless []int32 // lanes that reached it
}

// Column is one operand: the slice of its type is set, the others are nil.
type Column struct {
	F32  []float32
	F64  []float64
	Bool []bool
}

// Compile prepares f for execution. Any function that ir.Verify accepts will do; a Real is rounded to its type.
func Compile(f *ir.Func) (*Program, error) {
	if err := ir.Verify(f); err != nil {
		return nil, fmt.Errorf("interp: %w", err)
	}
	p := allocate(f.Rounded().Compact())
	p.frames.New = func() any { return p.newFrame() }
	return p, nil
}

func (p *Program) newFrame() *frame {
	fr := &frame{
		f32:  make([][]float32, p.slots[ir.Float32]),
		f64:  make([][]float64, p.slots[ir.Float64]),
		bool: make([][]bool, p.slots[ir.Bool]),
	}
	for _, c := range p.consts {
		if c.typ == ir.Float32 {
			fr.f32[c.index] = c.f32
		} else {
			fr.f64[c.index] = c.f64
		}
	}
	for _, r := range p.regs {
		switch r.typ {
		case ir.Float32:
			fr.f32[r.index] = make([]float32, blockLen)
		case ir.Float64:
			fr.f64[r.index] = make([]float64, blockLen)
		case ir.Bool:
			fr.bool[r.index] = make([]bool, blockLen)
		}
	}
	for _, c := range p.loops {
		fr.loops = append(fr.loops, c.newFrame())
	}
	return fr
}

// Run computes the function on the first n elements of the columns: in by parameter, out by result. Every operation
// rounds once in its type; a NaN result is the quiet NaN. An out column may be exactly an in column; columns that
// overlap in any other way give undefined values. The error wraps ErrColumns and nothing has been written then.
//
// A loop that does not end for an element runs on, as in Go; RunUpTo gives up.
func (p *Program) Run(n int, in, out []Column) error {
	_, err := p.RunUpTo(0, n, in, out)
	return err
}

// RunUpTo is Run, but that a loop's body runs at most limit times for an element each time that the loop is entered; 0 is no
// limit. It lists the elements where that was not enough, each at least once. Their results mean nothing.
func (p *Program) RunUpTo(limit, n int, in, out []Column) (endless []int, err error) {
	if n < 0 {
		return nil, fmt.Errorf("%w: %s: %d elements", ErrColumns, p.name, n)
	}
	if len(in) != len(p.params) || len(out) != len(p.results) {
		return nil, fmt.Errorf("%w: %s takes %d inputs and %d outputs, not %d and %d",
			ErrColumns, p.name, len(p.params), len(p.results), len(in), len(out))
	}
	for i, c := range in {
		if err := c.fits(p.params[i].typ, n); err != nil {
			return nil, fmt.Errorf("%w: %s: input %d (%s): %v", ErrColumns, p.name, i, p.names[i], err)
		}
	}
	for i, c := range out {
		if err := c.fits(p.results[i].typ, n); err != nil {
			return nil, fmt.Errorf("%w: %s: output %d: %v", ErrColumns, p.name, i, err)
		}
	}
	fr := p.frames.Get().(*frame)
	fr.limit = limit
	for lo := 0; lo < n; lo += blockLen {
		fr.endless = fr.endless[:0]
		p.block(fr, in, out, lo, min(lo+blockLen, n))
		for _, i := range fr.endless {
			endless = append(endless, lo+int(i))
		}
	}
	for _, s := range p.params { // hold on to none of the caller's memory
		if s.typ == ir.Float32 {
			fr.f32[s.index] = nil
		} else {
			fr.f64[s.index] = nil
		}
	}
	p.frames.Put(fr)
	return endless, nil
}

func (c Column) fits(t ir.Type, n int) error {
	got, length := ir.Invalid, 0
	for _, have := range [...]struct {
		t ir.Type
		n int
	}{{ir.Float32, len(c.F32)}, {ir.Float64, len(c.F64)}, {ir.Bool, len(c.Bool)}} {
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

// block runs the code on elements lo to hi.
func (p *Program) block(fr *frame, in, out []Column, lo, hi int) {
	for i, s := range p.params {
		if s.typ == ir.Float32 {
			fr.f32[s.index] = in[i].F32[lo:hi]
		} else {
			fr.f64[s.index] = in[i].F64[lo:hi]
		}
	}
	for i := range p.code {
		p.step(fr, &p.code[i], hi-lo)
	}
	for i, s := range p.results {
		switch s.typ {
		case ir.Float32:
			deliver(out[i].F32[lo:hi], fr.f32[s.index])
		case ir.Float64:
			deliver(out[i].F64[lo:hi], fr.f64[s.index])
		case ir.Bool:
			copy(out[i].Bool[lo:hi], fr.bool[s.index])
		}
	}
}

// step runs one instruction on n elements.
func (p *Program) step(fr *frame, in *instr, n int) {
	switch in.op.Info().Shape {
	case ir.ShapeCompare:
		d := fr.bool[in.dst.index][:n]
		if in.a.typ == ir.Float32 {
			compare(in.op, d, fr.f32[in.a.index], fr.f32[in.b.index])
		} else {
			compare(in.op, d, fr.f64[in.a.index], fr.f64[in.b.index])
		}
	case ir.ShapeSelect:
		cond := fr.bool[in.a.index]
		if in.dst.typ == ir.Float32 {
			choose(fr.f32[in.dst.index][:n], cond, fr.f32[in.b.index], fr.f32[in.c.index])
		} else {
			choose(fr.f64[in.dst.index][:n], cond, fr.f64[in.b.index], fr.f64[in.c.index])
		}
	case ir.ShapeLoop:
		fr.loop(p.loops[in.loop], fr.loops[in.loop], n)
	case ir.ShapeConvert:
		fr.convert(in.dst, in.a, n)
	default:
		// Slot 0 stands in for operands that the operation does not have.
		switch args := fr.args[:in.op.Info().Arity]; {
		case in.table != nil && in.dst.typ == ir.Float32:
			lookup(in.table, in.dst.typ, fr.f32[in.dst.index][:n], fr.f32[in.a.index])
		case in.table != nil:
			lookup(in.table, in.dst.typ, fr.f64[in.dst.index][:n], fr.f64[in.a.index])
		case in.def != nil && in.dst.typ == ir.Float32:
			call(in.def, args, fr.f32[in.dst.index][:n], fr.f32[in.a.index], fr.f32[in.b.index], fr.f32[in.c.index])
		case in.def != nil:
			call(in.def, args, fr.f64[in.dst.index][:n], fr.f64[in.a.index], fr.f64[in.b.index], fr.f64[in.c.index])
		case in.dst.typ == ir.Float32:
			arith(in.op, fr.f32[in.dst.index][:n], fr.f32[in.a.index], fr.f32[in.b.index], fr.f32[in.c.index])
		default:
			arith(in.op, fr.f64[in.dst.index][:n], fr.f64[in.a.index], fr.f64[in.b.index], fr.f64[in.c.index])
		}
	}
}

func (fr *frame) convert(dst, src slot, n int) {
	switch {
	case dst.typ == ir.Float32 && src.typ == ir.Float32:
		copy(fr.f32[dst.index][:n], fr.f32[src.index])
	case dst.typ == ir.Float32:
		convert(fr.f32[dst.index][:n], fr.f64[src.index])
	case src.typ == ir.Float32:
		convert(fr.f64[dst.index][:n], fr.f32[src.index])
	default:
		copy(fr.f64[dst.index][:n], fr.f64[src.index])
	}
}

// Eval runs the function at one point. The operands are bits as ir.ConstBits makes them, a bool result is 0 or 1. It
// panics if the counts do not fit.
func (p *Program) Eval(in, out []uint64) {
	if len(in) != len(p.params) || len(out) != len(p.results) {
		panic(fmt.Sprintf("interp: %s takes %d inputs and %d outputs, not %d and %d",
			p.name, len(p.params), len(p.results), len(in), len(out)))
	}
	columns := make([]Column, len(in)+len(out))
	args, rets := columns[:len(in)], columns[len(in):]
	for i, s := range p.params {
		args[i] = bitsColumn(s.typ, in[i])
	}
	for i, s := range p.results {
		rets[i] = bitsColumn(s.typ, 0)
	}
	if err := p.Run(1, args, rets); err != nil {
		panic(err) // the columns were made to fit
	}
	for i := range rets {
		out[i] = rets[i].bits()
	}
}

// bitsColumn is a column of one element.
func bitsColumn(t ir.Type, bits uint64) Column {
	switch t {
	case ir.Float32:
		return Column{F32: []float32{math.Float32frombits(uint32(bits))}}
	case ir.Float64:
		return Column{F64: []float64{math.Float64frombits(bits)}}
	}
	return Column{Bool: []bool{bits != 0}}
}

func (c Column) bits() uint64 {
	switch {
	case c.F32 != nil:
		return uint64(math.Float32bits(c.F32[0]))
	case c.F64 != nil:
		return math.Float64bits(c.F64[0])
	case c.Bool[0]:
		return 1
	}
	return 0
}
