package compiler

import (
	"github.com/go-yolk/yolk/compiler/ir"
)

// pinned returns f with everything as written that decides which way a computation goes: the operands of comparisons, the first values of
// loops, and their bodies. Rounding that moved there could change the path.
func pinned(f *ir.Func) *ir.Func {
	return pin(f, false)
}

func pin(f *ir.Func, all bool) *ir.Func {
	if !all && len(f.Bodies) == 0 && !compares(f) {
		return f
	}
	g := *f.MapBodies(func(body *ir.Func) *ir.Func { return pin(body, true) })
	g.Nodes = append([]ir.Node(nil), f.Nodes...)
	decides := make([]bool, len(f.Nodes))
	for i := len(f.Nodes) - 1; i >= 0; i-- {
		n := &g.Nodes[i]
		for _, a := range n.Operands() {
			decides[a] = decides[a] || decides[i] || n.Op == ir.Append || n.Op.Info().Shape == ir.ShapeCompare ||
				n.Op == ir.Convert && n.Type.IsInteger()
		}
		if (all || decides[i]) && n.Type.IsFloat() && !n.Op.Leaf() && n.Op.Info().Shape != ir.ShapeLoop && n.Op.Info().Shape != ir.ShapeSelect {
			n.Pin = true
		}
	}
	b := ir.NewBuilder(f.Name) // equal nodes may have become one
	for _, p := range g.Params {
		b.Param(p.Name, p.Type, p.Fact)
	}
	args := make([]ir.Value, len(g.Params))
	for i := range args {
		args[i] = ir.Value(i)
	}
	for _, r := range b.Inline(&g, args...) {
		b.Return(r)
	}
	return b.Func()
}

// compares reports whether f has a comparison of something that was computed.
func compares(f *ir.Func) bool {
	for _, n := range f.Nodes {
		if n.Op.Info().Shape != ir.ShapeCompare {
			continue
		}
		for _, a := range n.Args[:2] {
			if !f.Nodes[a].Op.Leaf() {
				return true
			}
		}
	}
	return false
}
