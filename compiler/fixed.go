package compiler

import (
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// A part of a loop's body costs what a round of it costs. What does not change from round to round is taken out of the loop once the body
// has been put together, so that it costs its share of a round.

// once is the share of a round that a cost is which is paid before the loop.
func (c Config) once(cost ir.Cost) ir.Cost {
	if cost == ir.InfiniteCost || c.rounds <= 1 {
		return cost
	}
	return max(1, cost/c.rounds)
}

// weighs reports whether anything is the same in every round.
func (c Config) weighs() bool { return c.rounds > 1 && slices.Contains(c.fixed, true) }

// fixedClasses lists the classes of a graph, by id, that some program computes of fixed parameters and constants alone.
func (f *forms) fixedClasses(g *egraph.Graph) []bool {
	if f.graph == g && len(f.classes) == g.NumIDs() {
		return f.classes
	}
	f.graph, f.classes = g, make([]bool, g.NumIDs())
	for more := true; more; {
		more = false
		for c := range g.Classes() {
			if !f.classes[c] && slices.ContainsFunc(g.Class(c), func(n egraph.Node) bool { return f.fixedNode(g, n) }) {
				f.classes[c], more = true, true
			}
		}
	}
	return f.classes
}

func (f *forms) fixedNode(g *egraph.Graph, n egraph.Node) bool {
	if n.Op == ir.Param {
		return f.config.fixed[n.Imm]
	}
	return !slices.ContainsFunc(n.Operands(), func(a egraph.ClassID) bool { return !f.classes[g.Find(a)] })
}

// split divides a program, without renumbering its values, into what is computed in every round and what is computed before.
func (c Config) split(p *ir.Func) (every, before *ir.Func) {
	fixed := make([]bool, len(p.Nodes))
	for i, n := range p.Nodes {
		if n.Op == ir.Param {
			fixed[i] = c.fixed[n.Imm]
			continue
		}
		fixed[i] = !slices.ContainsFunc(n.Operands(), func(a ir.Value) bool { return !fixed[a] })
	}
	every, before = &ir.Func{}, &ir.Func{}
	*every, *before = *p, *p
	every.Nodes, every.Params, before.Results = slices.Clone(p.Nodes), slices.Clone(p.Params), nil
	for i, n := range p.Nodes {
		if fixed[i] && !n.Op.Leaf() {
			every.Nodes[i] = ir.Node{Op: ir.Param, Type: n.Type, Imm: uint64(len(every.Params))}
			every.Params = append(every.Params, ir.Parameter{Type: n.Type, Fact: ir.Unknown})
			before.Results = append(before.Results, ir.Value(i))
		}
	}
	return every, before
}
