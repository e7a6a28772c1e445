package compiler

import "github.com/go-yolk/yolk/compiler/ir"

// widened returns p with all of its float32 arithmetic in float64 and the results rounded once: over the reals the same
// function. It reports false where there is nothing to widen: also for a function of one parameter alone, whose own forms are wide
// where that pays, and know where rounding the wide function once is not enough.
func widened(p *ir.Func) (*ir.Func, bool) {
	b := ir.NewBuilder(p.Name)
	any := false
	remap := make([]ir.Value, len(p.Nodes))
	for _, q := range p.Params {
		b.Param(q.Name, q.Type, q.Fact)
	}
	wide := func(v ir.Value) ir.Value {
		if b.Type(v) == ir.Float32 {
			return must(b.Emit(ir.Convert, ir.Float64, v))
		}
		return v
	}
	for i, n := range p.Nodes {
		if n.Type == ir.Float32 && !n.Op.Leaf() && !(n.Op.Info().Function && n.Op.Info().Arity == 1 && p.Nodes[n.Args[0]].Op == ir.Param) {
			any = true
		}
		switch n.Op {
		case ir.Param:
			remap[i] = wide(ir.Value(n.Imm))
		case ir.Const:
			remap[i] = b.Const(ir.Float64, ir.BitsFloat(n.Type, n.Imm))
		case ir.Real:
			remap[i] = b.Real(ir.Float64, p.Reals[n.Imm])
		case ir.Convert:
			remap[i] = remap[n.Args[0]] // the identity over the reals
		default:
			args := make([]ir.Value, 0, ir.MaxArity)
			for _, a := range n.Operands() {
				args = append(args, remap[a])
			}
			if d := p.Def(n); d != nil {
				remap[i] = must(b.Call(d, args...))
			} else if p.Table(n) != nil {
				return nil, false // the bits that choose are those of its type
			} else {
				remap[i] = b.Must(n.Op, args...)
			}
		}
	}
	for _, r := range p.Results {
		v := remap[r]
		if p.Nodes[r].Type == ir.Float32 && b.Type(v) == ir.Float64 {
			v = must(b.Emit(ir.Convert, ir.Float32, v))
		}
		b.Return(v)
	}
	return b.Func(), any
}

// must is for operations whose operands a verified function has had before.
func must(v ir.Value, err error) ir.Value {
	if err != nil {
		panic(err)
	}
	return v
}
