package compiler

import (
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// settled simplifies a finished program by the laws that change no bit of it: those without a licence, and those whose
// licence is about special values that cannot occur at the operands and the result. What may occur belongs to the program
// as it is computed, so nothing that moves rounding is applied with them. It returns the program itself where that is no
// dearer.
func (c Config) settled(p Program) Program {
	special := interp.Specials(p.Func)
	every := *p.Func // its graph, with a class for each node
	every.Results = make([]ir.Value, len(p.Func.Nodes))
	for v := range every.Results {
		every.Results[v] = ir.Value(v)
	}
	var classes []egraph.ClassID
	var g *egraph.Graph
	free := func(need ir.Licence, class egraph.ClassID) bool {
		for v, other := range classes {
			if g.Find(other) == g.Find(class) && special[v].Free(need) {
				return true
			}
		}
		return false
	}
	a := analysis(0)
	a.Excused = func(need ir.Licence, root egraph.ClassID, vars []egraph.ClassID) bool {
		if !free(need, root) {
			return false
		}
		for _, v := range vars {
			if !free(need, v) {
				return false
			}
		}
		return true
	}
	g = egraph.New(a)
	classes = g.AddFunc(&every)
	g.Rebuild()
	var laws []*egraph.Rewrite
	for _, w := range c.Rules {
		if w.Kind != egraph.Approximation && egraph.SpecialLicences.Has(w.Licence) {
			laws = append(laws, w)
		}
	}
	roots := make([]egraph.ClassID, len(p.Func.Results))
	for i, r := range p.Func.Results {
		roots[i] = classes[r]
	}
	egraph.Saturate(g, roots, laws, nil, c.Limits)
	if g.Err() != nil {
		return p // what it was made of has been checked already
	}
	f, cost, err := extract.Best(g, roots, p.Func.Params, p.Func.Name, extract.NewTable(c.Costs))
	if err != nil || cost >= extract.DAGCost(p.Func, c.Costs) {
		return p
	}
	if c.Price != nil {
		cost = c.Price(f, func(ir.Node) ir.Cost { return ir.InfiniteCost }) // finished: no function is left
	}
	return Program{f, cost}
}
