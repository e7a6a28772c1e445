package interp

import (
	"errors"
	"fmt"
	"sync"

	"github.com/go-yolk/yolk/compiler/ir"
)

// The errors that Run wraps.
var (
	ErrColumns = errors.New("interp: operands do not fit")      // nothing has been written
	ErrDivide  = errors.New("interp: integer division by zero") // results are undefined
	ErrEndless = errors.New("interp: a loop goes on and on")    // EvalUpTo
)

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
	slots   [ir.NumTypes]int // how many, by class
	consts  []constant
	regs    []slot // slots that need memory of their own
	frames  sync.Pool
}

// slot names a vector: a parameter's block, a constant spread over a block, or a register.
type slot struct {
	typ   ir.Type
	index int // among those of its class
}

// class is the type of the vectors that hold values of type t: all integers are int64, wrapped to their type, and
// so are the bits of the stored types.
func class(t ir.Type) ir.Type {
	if t.IsInteger() || t.Stored() {
		return ir.Int64
	}
	return t
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
	f32  []float32
	f64  []float64
	bool []bool
	ints []int64
}

// frame is the scratch memory of one running call.
type frame struct {
	f32  [][]float32
	f64  [][]float64
	bool [][]bool
	ints [][]int64
	args [ir.MaxArity]float64 // of a call
	zero bool                 // an integer was divided by zero

	loops   []*loopFrame
	fuel    *int    // runs of loop bodies that are left; nil: any number
	endless []int32 // lanes for which that was not enough
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
		ints: make([][]int64, p.slots[ir.Int64]),
	}
	for _, c := range p.consts {
		switch class(c.typ) {
		case ir.Float32:
			fr.f32[c.index] = c.f32
		case ir.Float64:
			fr.f64[c.index] = c.f64
		case ir.Bool:
			fr.bool[c.index] = c.bool
		case ir.Int64:
			fr.ints[c.index] = c.ints
		}
	}
	for _, s := range p.params {
		if class(s.typ) == ir.Int64 { // whose elements are widened
			fr.ints[s.index] = make([]int64, blockLen)
		}
	}
	for _, r := range p.regs {
		switch class(r.typ) {
		case ir.Float32:
			fr.f32[r.index] = make([]float32, blockLen)
		case ir.Float64:
			fr.f64[r.index] = make([]float64, blockLen)
		case ir.Bool:
			fr.bool[r.index] = make([]bool, blockLen)
		case ir.Int64:
			fr.ints[r.index] = make([]int64, blockLen)
		}
	}
	for _, c := range p.loops {
		fr.loops = append(fr.loops, c.newFrame())
	}
	return fr
}

// Run computes the function on the first n elements of the columns: in by parameter, out by result. Every operation
// rounds once in its type; a NaN result is the quiet NaN. An out column may be exactly an in column; columns that
// overlap in any other way give undefined values. The error wraps ErrColumns or ErrDivide.
//
// A loop that does not end for an element runs on, as in Go; RunUpTo gives up.
func (p *Program) Run(n int, in, out []Column) error {
	_, err := p.RunUpTo(0, n, in, out)
	return err
}

// RunUpTo is Run, but that the bodies of loops run at most limit times in all for a block of 512 elements; 0 is no limit. It lists the
// elements that were in a loop then, each at least once. Their results mean nothing.
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
	fr.fuel, fr.zero = nil, false
	for lo := 0; lo < n; lo += blockLen {
		if limit > 0 {
			fuel := limit
			fr.fuel = &fuel
		}
		fr.endless = fr.endless[:0]
		p.block(fr, in, out, lo, min(lo+blockLen, n))
		for _, i := range fr.endless {
			endless = append(endless, lo+int(i))
		}
	}
	for _, s := range p.params { // hold on to none of the caller's memory
		switch s.typ {
		case ir.Float32:
			fr.f32[s.index] = nil
		case ir.Float64:
			fr.f64[s.index] = nil
		case ir.Bool:
			fr.bool[s.index] = nil
		}
	}
	zero := fr.zero
	p.frames.Put(fr)
	if zero {
		return endless, fmt.Errorf("%w: %s", ErrDivide, p.name)
	}
	return endless, nil
}

// block runs the code on elements lo to hi.
func (p *Program) block(fr *frame, in, out []Column, lo, hi int) {
	for i, s := range p.params {
		switch s.typ {
		case ir.Float32:
			fr.f32[s.index] = in[i].F32[lo:hi]
		case ir.Float64:
			fr.f64[s.index] = in[i].F64[lo:hi]
		case ir.Bool:
			fr.bool[s.index] = in[i].Bool[lo:hi]
		default:
			in[i].load(fr.ints[s.index][:hi-lo], lo)
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
		default:
			out[i].store(fr.ints[s.index][:hi-lo], lo)
		}
	}
}

// step runs one instruction on n elements.
func (p *Program) step(fr *frame, in *instr, n int) {
	switch in.op.Info().Shape {
	case ir.ShapeCompare:
		d := fr.bool[in.dst.index][:n]
		switch {
		case in.a.typ == ir.Float32:
			compare(in.op, d, fr.f32[in.a.index], fr.f32[in.b.index])
		case in.a.typ == ir.Float64:
			compare(in.op, d, fr.f64[in.a.index], fr.f64[in.b.index])
		default:
			compareInts(in.op, in.a.typ, d, fr.ints[in.a.index], fr.ints[in.b.index])
		}
	case ir.ShapeSelect:
		cond := fr.bool[in.a.index]
		switch class(in.dst.typ) {
		case ir.Float32:
			choose(fr.f32[in.dst.index][:n], cond, fr.f32[in.b.index], fr.f32[in.c.index])
		case ir.Float64:
			choose(fr.f64[in.dst.index][:n], cond, fr.f64[in.b.index], fr.f64[in.c.index])
		case ir.Bool:
			choose(fr.bool[in.dst.index][:n], cond, fr.bool[in.b.index], fr.bool[in.c.index])
		default:
			choose(fr.ints[in.dst.index][:n], cond, fr.ints[in.b.index], fr.ints[in.c.index])
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
			call(in.def.Float32, args, fr.f32[in.dst.index][:n], fr.f32[in.a.index], fr.f32[in.b.index], fr.f32[in.c.index])
		case in.def != nil:
			call(in.def.Eval, args, fr.f64[in.dst.index][:n], fr.f64[in.a.index], fr.f64[in.b.index], fr.f64[in.c.index])
		case in.dst.typ == ir.Float32:
			arith(in.op, fr.f32[in.dst.index][:n], fr.f32[in.a.index], fr.f32[in.b.index], fr.f32[in.c.index])
		case in.dst.typ == ir.Float64:
			arith(in.op, fr.f64[in.dst.index][:n], fr.f64[in.a.index], fr.f64[in.b.index], fr.f64[in.c.index])
		case in.dst.typ == ir.Bool:
			logic(in.op, fr.bool[in.dst.index][:n], fr.bool[in.a.index], fr.bool[in.b.index])
		default:
			zero := arithInts(in.op, in.dst.typ, fr.ints[in.dst.index][:n], fr.ints[in.a.index], fr.ints[in.b.index])
			fr.zero = fr.zero || zero
		}
	}
}

// Eval runs the function at one point. The operands are bits as ir.ConstBits makes them, a bool is 0 or 1, a stored type
// has its own bits. The error wraps ErrDivide. It panics if the counts do not fit.
func (p *Program) Eval(in, out []uint64) error { return p.EvalUpTo(0, in, out) }

// EvalUpTo is Eval, but that the bodies of loops run at most limit times in all, 0 being no limit. If that is not enough the error wraps
// ErrEndless.
func (p *Program) EvalUpTo(limit int, in, out []uint64) error {
	if len(in) != len(p.params) || len(out) != len(p.results) {
		panic(fmt.Sprintf("interp: %s takes %d inputs and %d outputs, not %d and %d",
			p.name, len(p.params), len(p.results), len(in), len(out)))
	}
	columns := make([]Column, len(in)+len(out))
	args, rets := columns[:len(in)], columns[len(in):]
	for i, s := range p.params {
		args[i] = MakeColumn(s.typ, 1)
		args[i].Set(0, in[i])
	}
	for i, s := range p.results {
		rets[i] = MakeColumn(s.typ, 1)
	}
	endless, err := p.RunUpTo(limit, 1, args, rets)
	switch {
	case errors.Is(err, ErrDivide):
		return err
	case err != nil:
		panic(err) // the columns were made to fit
	case len(endless) > 0:
		return fmt.Errorf("%w: %s", ErrEndless, p.name)
	}
	for i := range rets {
		out[i] = rets[i].Bits(0)
	}
	return nil
}
