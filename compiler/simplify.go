package compiler

import (
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// simplified returns f with constant conditions decided, small loops of constant trip count unrolled, work that does not change taken out
// of the others, and variables that nothing needs left out.
func simplified(f *ir.Func) *ir.Func {
	s := newSimplifier(f.Name)
	for _, p := range f.Params {
		s.b.Param(p.Name, p.Type, p.Fact)
	}
	args := make([]ir.Value, len(f.Params))
	for i := range args {
		args[i] = ir.Value(i)
	}
	for _, r := range s.inline(f, args) {
		s.b.Return(r)
	}
	g := s.b.Func().Compact()
	if g.String() == f.Compact().String() {
		return f
	}
	return g
}

// simplifier builds a function and folds what it can in the types of the operations.
type simplifier struct {
	b     *ir.Builder
	size  int                  // nodes that unrolling has added
	facts map[ir.Value]ir.Fact // see fact
}

func newSimplifier(name string) *simplifier {
	return &simplifier{b: ir.NewBuilder(name), facts: map[ir.Value]ir.Fact{}}
}

// inline adds f for the given parameters and returns its results.
func (s *simplifier) inline(f *ir.Func, params []ir.Value) []ir.Value {
	return s.inlineWith(f, params, nil)
}

// inlineWith is inline where some of f's nodes have values already.
func (s *simplifier) inlineWith(f *ir.Func, params []ir.Value, given map[ir.Value]ir.Value) []ir.Value {
	remap := make([]ir.Value, len(f.Nodes))
	loops := map[ir.Value][]ir.Value{}
	for i, n := range f.Nodes {
		if v, ok := given[ir.Value(i)]; ok {
			remap[i] = v
			continue
		}
		switch n.Op {
		case ir.Param:
			remap[i] = params[n.Imm]
		case ir.Empty, ir.Append:
		case ir.Loop:
			var args []ir.Value
			for _, a := range f.Elements(n.Args[0]) {
				args = append(args, remap[a])
			}
			loops[ir.Value(i)] = s.loop(f.Body(n), args, usedVariables(f, ir.Value(i)))
		case ir.Proj:
			remap[i] = loops[n.Args[0]][n.Imm]
		default:
			remap[i] = s.node(f, n, remap)
		}
	}
	results := make([]ir.Value, len(f.Results))
	for i, r := range f.Results {
		results[i] = remap[r]
	}
	return results
}

// usedVariables are the variables of a loop whose last values are used.
func usedVariables(f *ir.Func, loop ir.Value) []bool {
	used := make([]bool, len(f.Body(f.Nodes[loop]).Params))
	for _, n := range f.Nodes {
		if n.Op == ir.Proj && n.Args[0] == loop {
			used[n.Imm] = true
		}
	}
	return used
}

// constant is the bits of a Const.
func (s *simplifier) constant(v ir.Value) (uint64, bool) {
	n := s.b.Node(v)
	return n.Imm, n.Op == ir.Const
}

// node adds a node, unless it is constant or one of its operands. Sums and products of floats are left to algebra, which folds them better.
func (s *simplifier) node(f *ir.Func, n ir.Node, remap []ir.Value) ir.Value {
	operands := n.Operands()
	if n.Op == ir.Select {
		cond, yes, no := remap[operands[0]], remap[operands[1]], remap[operands[2]]
		if c, ok := s.constant(cond); ok {
			if c != 0 {
				return yes
			}
			return no
		}
		if yes == no {
			return yes
		}
	}
	if n.Type == ir.Bool && (n.Op == ir.And || n.Op == ir.Or) {
		for i := range 2 {
			if c, ok := s.constant(remap[operands[i]]); ok {
				if (c != 0) == (n.Op == ir.And) {
					return remap[operands[1-i]]
				}
				return remap[operands[i]]
			}
		}
	}
	if n.Op == ir.Not {
		if m := s.b.Node(remap[operands[0]]); m.Op == ir.Not {
			return m.Args[0]
		}
	}
	if v, ok := s.fold(f, n, remap); ok {
		return v
	}
	return s.b.Copy(f, n, n.Through(remap)...)
}

func (s *simplifier) fold(f *ir.Func, n ir.Node, remap []ir.Value) (ir.Value, bool) {
	if len(n.Operands()) == 0 || n.Type.IsFloat() {
		return 0, false
	}
	var types []ir.Type
	var args []uint64
	for _, a := range n.Operands() {
		bits, ok := s.constant(remap[a])
		if !ok {
			return 0, false
		}
		args, types = append(args, bits), append(types, s.b.Type(remap[a]))
	}
	bits, ok := interp.FoldNode(n, types, args)
	if !ok {
		return 0, false
	}
	return s.literal(n.Type, bits), true
}

func (s *simplifier) literal(t ir.Type, bits uint64) ir.Value {
	if t.IsInteger() {
		return s.b.Int(t, ir.BitsInt(t, bits))
	}
	return s.b.Const(t, ir.BitsFloat(t, bits))
}
