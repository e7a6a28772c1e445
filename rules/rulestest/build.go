package rulestest

import (
	"fmt"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// side is one side of a law as a program.
type side struct {
	fn      *ir.Func
	program *interp.Program
	wide    *interp.Wide
}

// newSide makes the function of all the law's variables that a pattern denotes in type t.
// A variable that is a condition becomes the comparison of a parameter with zero, since a parameter is a number.
func newSide(r *egraph.Rewrite, p *egraph.Pattern, t ir.Type) (*side, error) {
	b := ir.NewBuilder(r.Name)
	params := make([]ir.Value, len(r.Vars))
	for i, name := range r.Vars {
		params[i] = b.Param(name, t, ir.Unknown)
	}
	for _, n := range p.Nodes {
		if n.Op == ir.Select && p.Nodes[n.Args[0]].Op == ir.OpInvalid {
			v := p.Nodes[n.Args[0]].Var
			params[v] = condition(b, r, v, t)
		}
	}
	values := make([]ir.Value, len(p.Nodes))
	for i, n := range p.Nodes {
		leafType := t
		if n.Type != ir.Invalid {
			leafType = n.Type
		}
		switch n.Op {
		case ir.OpInvalid:
			values[i] = params[n.Var]
		case ir.Real:
			values[i] = b.Real(leafType, n.Value)
		case ir.Const:
			values[i] = b.Const(leafType, n.Const)
		default:
			operands := make([]ir.Value, n.Op.Info().Arity)
			for j := range operands {
				operands[j] = values[n.Args[j]]
			}
			v, err := emit(b, n, operands)
			if err != nil {
				return nil, err
			}
			values[i] = v
		}
	}
	b.Return(values[p.Root()])
	s := &side{fn: b.Func()}
	if err := ir.Verify(s.fn); err != nil {
		return nil, err
	}
	var err error
	if s.program, err = interp.Compile(s.fn); err != nil {
		return nil, fmt.Errorf("rulestest: %w", err)
	}
	return s, nil
}

// condition is a parameter that is not zero. Facts decide != only to be true and < only to be false, since NaN has to agree:
// the guard says which of the two spellings can be decided.
func condition(b *ir.Builder, r *egraph.Rewrite, v int, t ir.Type) ir.Value {
	zero := b.Const(t, 0)
	if r.Guard != nil {
		facts := make([]ir.Fact, len(r.Vars))
		for i := range facts {
			facts[i] = ir.Unknown
		}
		facts[v] = ir.Exactly(0)
		if r.Guard(facts) == egraph.Yes {
			return b.Must(ir.Lt, zero, b.Must(ir.Abs, ir.Value(v)))
		}
	}
	return b.Must(ir.Ne, ir.Value(v), zero)
}

func emit(b *ir.Builder, n egraph.PatternNode, operands []ir.Value) (ir.Value, error) {
	switch {
	case n.Def != nil && n.Pin:
		return b.CallPinned(n.Def, operands...)
	case n.Table != nil:
		return b.Lookup(n.Table, operands[0])
	case n.Def != nil:
		return b.Call(n.Def, operands...)
	case n.Pin:
		return b.EmitPinned(n.Op, n.Type, operands...)
	}
	return b.Emit(n.Op, n.Type, operands...)
}

// points are arguments, one column for each variable, as ir.ConstBits.
type points [][]uint64

func (p points) len() int {
	if len(p) == 0 {
		return 1 // a law without variables has one point
	}
	return len(p[0])
}

func (p points) at(i int) []uint64 {
	args := make([]uint64, len(p))
	for v := range p {
		args[v] = p[v][i]
	}
	return args
}

// run evaluates the side as a program does, by bits; a bool is 0 or 1.
func (s *side) run(p points) ([]uint64, error) {
	in := make([]interp.Column, len(p))
	for v := range p {
		in[v] = column(s.fn.Params[v].Type, p[v])
	}
	n, t := p.len(), s.resultType()
	out := interp.Column{}
	bits := make([]uint64, n)
	switch t {
	case ir.Bool:
		out.Bool = make([]bool, n)
	default:
		out = column(t, bits)
	}
	if err := s.program.Run(n, in, []interp.Column{out}); err != nil {
		return nil, fmt.Errorf("rulestest: %w", err)
	}
	for i := range bits {
		switch t {
		case ir.Float32:
			bits[i] = ir.ConstBits(t, float64(out.F32[i]))
		case ir.Float64:
			bits[i] = ir.ConstBits(t, out.F64[i])
		default:
			if out.Bool[i] {
				bits[i] = 1
			}
		}
	}
	return bits, nil
}

func (s *side) resultType() ir.Type { return s.fn.Nodes[s.fn.Results[0]].Type }

func column(t ir.Type, bits []uint64) interp.Column {
	var c interp.Column
	for _, b := range bits {
		if t == ir.Float32 {
			c.F32 = append(c.F32, float32(ir.BitsFloat(t, b)))
		} else {
			c.F64 = append(c.F64, ir.BitsFloat(t, b))
		}
	}
	return c
}

// truth evaluates the side over the reals.
func (s *side) truth(args []uint64) (interp.Value, error) {
	if s.wide == nil {
		var err error
		if s.wide, err = interp.NewWide(s.fn); err != nil {
			return interp.Value{}, fmt.Errorf("rulestest: %w", err)
		}
	}
	in := make([]float64, len(args))
	for v, bits := range args {
		in[v] = ir.BitsFloat(s.fn.Params[v].Type, bits)
	}
	var out [1]interp.Value
	s.wide.Eval(in, out[:])
	return out[0], nil
}

// value is a result as a float64.
func value(t ir.Type, bits uint64) float64 {
	if t == ir.Bool {
		return float64(bits)
	}
	return ir.BitsFloat(t, bits)
}
