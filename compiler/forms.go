package compiler

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/ir"
)

// forms are the approximations that a run may use, by function and type, and the model of what a function costs while
// algebra is done: its cheapest admissible form.
type forms struct {
	byOp  map[formKey][]*form // cheapest first
	table *ir.CostTable       // functions at their cheapest form, wherever that is admissible
	costs *ir.CostTable       // as given
}

type formKey struct {
	op  ir.Op
	typ ir.Type
}

type form struct {
	*egraph.Rewrite
	key  formKey
	cost ir.Cost
}

// newForms collects the approximations whose licences are granted. A form's cost is that of its body as the compiler would
// make it, functions in it at their own cheapest form.
func newForms(c Config) (*forms, error) {
	f := &forms{byOp: map[formKey][]*form{}, costs: c.Costs, table: new(ir.CostTable)}
	*f.table = *c.Costs
	var all []*form
	for _, w := range c.Rules {
		if w.Kind != egraph.Approximation || !c.Licences.Has(w.Licence|ir.ApproxFunc) {
			continue
		}
		for _, t := range []ir.Type{ir.Float32, ir.Float64} {
			if w.Type == ir.Invalid || w.Type == t {
				m := &form{Rewrite: w, key: formKey{w.LHS.Nodes[w.LHS.Root()].Op, t}, cost: ir.InfiniteCost}
				f.byOp[m.key] = append(f.byOp[m.key], m)
				all = append(all, m)
			}
		}
	}
	// A form may hold functions that have forms themselves: each round settles one level, and costs only fall.
	for changed := true; changed; {
		changed = false
		for _, m := range all {
			cost, err := f.bodyCost(m, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", m.Pos, m.Name, err)
			}
			if cost < m.cost {
				m.cost, changed = cost, true
				f.table[m.key.op][m.key.typ] = min(cost, f.table[m.key.op][m.key.typ])
			}
		}
	}
	for _, list := range f.byOp {
		slices.SortStableFunc(list, func(a, b *form) int { return cmp.Compare(a.cost, b.cost) })
	}
	return f, nil
}

// bodyCost is the cost of a form's body for operands of which nothing is known. Only where the body holds functions does
// it take a saturation to find out.
func (f *forms) bodyCost(m *form, c Config) (ir.Cost, error) {
	l := &lowering{forms: f, b: ir.NewBuilder(m.Name)}
	args := make([]ir.Value, m.key.op.Info().Arity)
	for i := range args {
		args[i] = l.b.Param(strconv.Itoa(i), m.key.typ, ir.Unknown)
		l.record(args[i], ir.Unknown)
	}
	v, err := l.form(m, m.key.typ, args)
	if err != nil {
		return 0, err
	}
	l.b.Return(v)
	body := l.b.Func()
	if len(functions(body)) == 0 {
		return extract.DAGCost(body, f.costs), nil
	}
	g := egraph.New(analysis(c.Licences))
	roots := g.AddFunc(body)
	g.Rebuild()
	saturateGraph(g, roots, c, c.Licences)
	if err := g.Err(); err != nil {
		return 0, err
	}
	_, cost, err := extract.Best(g, roots, body.Params, body.Name, f)
	if errors.Is(err, extract.ErrNoForm) {
		return ir.InfiniteCost, nil
	}
	return cost, err
}

// admissible lists the forms that may stand for op at operands of which the facts are known, cheapest first.
func (f *forms) admissible(op ir.Op, t ir.Type, args []ir.Fact) []*form {
	var ok []*form
	for _, m := range f.byOp[formKey{op, t}] {
		if m.Guard == nil || m.Guard(bindFacts(m.Rewrite, args)) == egraph.Yes {
			ok = append(ok, m)
		}
	}
	return ok
}

// bindFacts orders the operands' facts as the rule's variables. The left side of a form is a function of variables.
func bindFacts(w *egraph.Rewrite, args []ir.Fact) []ir.Fact {
	vars := make([]ir.Fact, len(w.Vars))
	for i := range vars {
		vars[i] = ir.Unknown
	}
	root := w.LHS.Nodes[w.LHS.Root()]
	for i, a := range args {
		if n := w.LHS.Nodes[root.Args[i]]; n.Op == ir.OpInvalid {
			vars[n.Var] = a
		}
	}
	return vars
}

// Cost is the model of the algebra stage (extract.Model).
func (f *forms) Cost(g *egraph.Graph, n egraph.Node) ir.Cost {
	cost := f.costs[n.Op][n.Type]
	if !n.Op.Info().Function {
		return cost
	}
	facts := make([]ir.Fact, n.Op.Info().Arity)
	for i := range facts {
		facts[i] = g.Fact(n.Args[i])
	}
	if ok := f.admissible(n.Op, n.Type, facts); len(ok) > 0 {
		cost = min(cost, ok[0].cost)
	}
	return cost
}
