package interp

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/double"
)

// Wide evaluates a function over the reals. It is immutable and safe for concurrent use.
//
// Parameters and Const are the numbers they hold, Real is exact, Pin means nothing, Convert is the identity, and Rint,
// Floor, Ldexp, Logb, Mant and their like are the real functions of those names. Operands that are infinite or NaN, results where a formula
// has none (1/0, log(-1)), and the sign of an exact zero are as IEEE 754 and package math have them. A user's operation is what
// its ir.Def says: Real where that is given, otherwise Eval up to an ulp of float64, so that a Value's Err may be large.
type Wide struct {
	f      *ir.Func
	fixed  []bool   // nodes that depend on no parameter
	leaves []number // of those
	kept   sync.Map // balls -> []ball, of those
	bodies []*Wide  // of the loops
	coarse bool     // a user's operation is known by Eval alone: more precision does not help
	pool   sync.Pool
}

// Value is the real number Hi+Lo, known up to Err: |Hi+Lo - truth| <= Err.
//
// NaN in Hi with Err 0 says that there is no real value, ±Inf with Err 0 that there is a pole or an infinite operand. A finite real
// beyond float64 is ±Inf with Err = +Inf. A bool is 1 or 0.
type Value struct{ Hi, Lo, Err float64 }

// Float64 is the value rounded to float64.
func (v Value) Float64() float64 { return v.Hi }

// NewWide prepares f, which may be any function that ir.Verify accepts.
func NewWide(f *ir.Func) (*Wide, error) {
	if err := ir.Verify(f); err != nil {
		return nil, fmt.Errorf("interp: %w", err)
	}
	return newWide(f.Compact()), nil
}

func newWide(f *ir.Func) *Wide {
	w := &Wide{f: f, fixed: make([]bool, len(f.Nodes)), leaves: make([]number, len(f.Nodes))}
	for _, d := range f.Defs {
		w.coarse = w.coarse || d.Real == nil
	}
	for _, body := range f.Bodies {
		inner := newWide(body)
		w.bodies, w.coarse = append(w.bodies, inner), w.coarse || inner.coarse
	}
	s := &numbers{v: w.leaves}
	for i, n := range f.Nodes {
		switch n.Op {
		case ir.Const:
			w.fixed[i], w.leaves[i] = true, exactly(ir.BitsFloat(n.Type, n.Imm))
		case ir.Real:
			w.fixed[i], w.leaves[i] = true, realNumber(f.Reals[n.Imm])
		case ir.Param, ir.Empty, ir.Append, ir.Loop, ir.Proj:
		default:
			fixed := true
			for _, a := range n.Operands() {
				fixed = fixed && w.fixed[a]
			}
			if fixed {
				w.leaves[i] = w.node(i, s)
			}
			w.fixed[i] = fixed
		}
	}
	w.pool.New = func() any { return w.numbers(new(int)) }
	return w
}

// realNumber is an exact constant as a number: exact if it fits, unknown if float64 cannot hold its size.
func realNumber(x *big.Float) number {
	hi, _ := x.Float64()
	rest := new(big.Float).SetPrec(ir.RealPrec+64).Sub(x, big.NewFloat(hi))
	lo, acc := rest.Float64()
	v := number{hi: hi, lo: lo}
	switch {
	case !v.ordinary():
		return unknown
	case acc != big.Exact:
		return inexact(v.dd(), math.Abs(lo)*0x1p-53)
	}
	return v
}

// The error that Eval tries to stay below, relative to the value or absolute, whichever is larger: 2^-26 ulp of float32
// and 2^-17 ulp of float64, and as much of the smallest subnormal. For float64 subnormals Value's own resolution is the
// limit.
const (
	relError32, absError32 = 0x1p-50, 0x1p-199
	relError64, absError64 = 0x1p-70, 0x1p-1074
)

// minPrec and maxPrec are the precisions, in bits, of the first and last attempt in ball arithmetic.
const minPrec, maxPrec = 256, 4096

// Eval computes the function at one point: in by parameter, out by result. It panics if the counts do not fit. Where
// 4096 bits do not settle a value its Err is what was reached, +Inf with a NaN in Hi if nothing is known. A comparison
// that they do not decide is one of equals, and a jump (Rint, Floor, Logb) that may be on either side is where it seems to be.
func (w *Wide) Eval(in []float64, out []Value) { w.EvalUpTo(maxPrec, in, out) }

// EvalUpTo is Eval with at most the given precision, in bits, and reports whether every result is settled; below 256 it
// is double-double alone, which takes well under a microsecond for most functions. 4096 bits take milliseconds.
func (w *Wide) EvalUpTo(limit uint, in []float64, out []Value) (settled bool) {
	if len(in) != len(w.f.Params) || len(out) != len(w.f.Results) {
		panic(fmt.Sprintf("interp: %s takes %d inputs and %d outputs, not %d and %d",
			w.f.Name, len(w.f.Params), len(w.f.Results), len(in), len(out)))
	}
	scratch := w.pool.Get().(*numbers)
	v := scratch.v
	for i, x := range in {
		scratch.params[i] = exactly(x)
	}
	*scratch.fuel = wideFuel
	for i := range w.f.Nodes {
		v[i] = w.node(i, scratch)
	}
	settled = true
	for i, r := range w.f.Results {
		out[i] = v[r].value()
		settled = settled && w.settled(r, out[i], v[r].known() && v[r].special())
	}
	w.pool.Put(scratch)
	for prec := uint(minPrec); !settled && prec <= limit; prec *= 2 {
		last := w.coarse || prec == maxPrec
		settled = w.again(balls{prec, last}, in, out) || w.coarse
	}
	return settled
}

// settled reports whether a result is known well enough for its type.
func (w *Wide) settled(r ir.Value, v Value, special bool) bool {
	if special {
		return true
	}
	rel, abs := relError64, absError64
	if w.f.Nodes[r].Type == ir.Float32 {
		rel, abs = relError32, absError32
	}
	if math.IsInf(v.Hi, 0) {
		return true // overflow of float64
	}
	return v.Err <= max(abs, rel*math.Abs(v.Hi))
}

func (w *Wide) node(i int, s *numbers) number {
	if w.fixed[i] {
		return w.leaves[i]
	}
	n, v := &w.f.Nodes[i], s.v
	switch n.Op {
	case ir.Param:
		return s.params[n.Imm]
	case ir.Empty, ir.Append:
		return unknown
	case ir.Loop:
		s.loops[ir.Value(i)] = w.loop(n, s)
		return unknown
	case ir.Proj:
		if results := s.loops[n.Args[0]]; results != nil {
			return results[n.Imm]
		}
		return unknown
	case ir.Call1, ir.Call2, ir.Call3:
		args := make([]number, 0, ir.MaxArity)
		for _, a := range n.Operands() {
			args = append(args, v[a])
		}
		return callNumber(w.f.Defs[n.Imm], args)
	case ir.Lookup:
		return v[n.Args[0]].lookup(w.f.Tables[n.Imm], n.Type)
	}
	return apply(n.Op, &v[n.Args[0]], &v[n.Args[1]], &v[n.Args[2]])
}

// apply evaluates one operation; operands that it does not have are ignored.
func apply(op ir.Op, a, b, c *number) number {
	switch op {
	case ir.Add:
		return a.add(*b)
	case ir.Sub:
		return a.sub(*b)
	case ir.Mul:
		return a.mul(*b)
	case ir.Div:
		return a.div(*b)
	case ir.Neg:
		return a.neg()
	case ir.FMA:
		return a.mul(*b).add(*c)
	case ir.Sqrt:
		return a.sqrt()
	case ir.Abs:
		return a.abs()
	case ir.Copysign:
		return a.copysign(*b)
	case ir.Min:
		return a.min(*b)
	case ir.Max:
		return a.neg().min(b.neg()).neg()
	case ir.MinMag:
		return a.minMag(*b)
	case ir.Floor:
		return a.below()
	case ir.Ceil:
		return a.neg().below().neg()
	case ir.Trunc:
		return a.trunc()
	case ir.Rint:
		return a.rint()
	case ir.Ldexp:
		return a.ldexp(*b)
	case ir.Logb:
		return a.logb()
	case ir.Mant:
		return a.mant()
	case ir.Exp:
		return a.exp()
	case ir.Expm1:
		return a.expm1()
	case ir.Log:
		return a.log()
	case ir.Tanh:
		return a.tanh()
	case ir.Pow:
		return a.pow(*b)
	case ir.Lt, ir.Le, ir.Eq, ir.Ne:
		return a.compare(op, *b)
	case ir.Select:
		switch {
		case !a.known():
			return unknown
		case a.hi != 0:
			return *b
		}
		return *c
	case ir.Convert:
		return *a
	}
	panic("interp: no number for " + op.String())
}

// value rounds a number to what a Value holds.
func (a number) value() Value {
	if a.far == 0 {
		if a.special() && a.err == 0 {
			return Value{Hi: a.hi}
		}
		return Value{a.hi, a.lo, a.err}
	}
	const (
		overflow  = 709.79 // above log(2^1024)
		underflow = -745.2 // below log(2^-1075)
		shift     = 512
	)
	switch {
	case a.err > 1 && math.Abs(a.hi)-a.err < -underflow:
		return Value{Hi: math.NaN(), Err: math.Inf(1)}
	case a.hi > overflow:
		return Value{Hi: math.Inf(int(a.far)), Err: math.Inf(1)}
	case a.hi < underflow:
		return Value{Hi: math.Copysign(0, a.far), Err: math.SmallestNonzeroFloat64}
	}
	// exp(x) = 2^k·exp(x - k·ln 2), multiplied by 2^k last, where it may be rounded.
	k := shift
	if a.hi < 0 {
		k = -shift
	}
	l := double.Ln2Times(float64(-k))
	v := a.exponent().add(number{hi: l.Hi, lo: l.Lo, err: math.Abs(l.Hi) * 0x1p-103}).exp()
	x := Value{Hi: math.Ldexp(a.far*v.hi, k)}
	if math.IsInf(x.Hi, 0) {
		x.Err = math.Inf(1)
		return x
	}
	rest := a.far*v.lo + (a.far*v.hi - math.Ldexp(x.Hi, -k))
	x.Lo = math.Ldexp(rest, k)
	x.Err = math.Ldexp(v.err+0x1p-52*math.Abs(rest), k) + math.SmallestNonzeroFloat64
	return x
}

// again evaluates in ball arithmetic and reports whether every result is settled.
func (w *Wide) again(c balls, in []float64, out []Value) bool {
	params := make([]ball, len(in))
	for i, x := range in {
		params[i] = c.exactly(x)
	}
	fuel := wideFuel
	v := w.balls(c, params, &fuel).v
	settled := true
	for i, r := range w.f.Results {
		out[i] = v[r].result()
		settled = settled && w.settled(r, out[i], v[r].special)
	}
	return settled
}

func (w *Wide) ball(c balls, i int, s *ballValues, params []ball) ball {
	n, v := &w.f.Nodes[i], s.v
	switch n.Op {
	case ir.Param:
		return params[n.Imm]
	case ir.Empty, ir.Append:
		return ball{}
	case ir.Loop:
		s.loops[ir.Value(i)] = w.ballLoop(c, n, s)
		return ball{}
	case ir.Proj:
		if results := s.loops[n.Args[0]]; results != nil {
			return results[n.Imm]
		}
		return ball{}
	case ir.Const:
		return c.exactly(ir.BitsFloat(n.Type, n.Imm))
	case ir.Real:
		return ball{mid: c.new().Set(w.f.Reals[n.Imm])}
	case ir.Call1, ir.Call2, ir.Call3:
		args := make([]ball, 0, ir.MaxArity)
		for _, a := range n.Operands() {
			args = append(args, v[a])
		}
		return unlessHuge(c.call(w.f.Defs[n.Imm], args), v[:i])
	case ir.Lookup:
		return c.lookup(w.f.Tables[n.Imm], n.Type, v[n.Args[0]])
	case ir.Log:
		return unlessHuge(c.log(v[n.Args[0]]), v[:i])
	}
	return c.apply(n.Op, v[n.Args[0]], v[n.Args[1]], v[n.Args[2]])
}

// unlessHuge is the result of a function that may grow slowly. Where a value on the way to it is beyond what big.Float
// holds, infinity is no answer: log(1 + exp(10^18)) is 10^18.
func unlessHuge(r ball, way []ball) ball {
	if r.special && math.IsInf(r.value, 0) && slices.ContainsFunc(way, func(b ball) bool { return b.huge }) {
		return ball{}
	}
	return r
}
