package compiler

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/ir"
)

// forms are the approximations that a run may use, by function and type, and the model of what a function costs while
// algebra is done: its cheapest admissible form.
type forms struct {
	config Config
	byOp   map[formKey]*choice
	costs  *ir.CostTable // as given

	graph   *egraph.Graph // of which classes are
	classes []bool        // see fixedClasses

	depth int   // of settle
	low   int   // depth of the lowest unsettled choice that was asked for
	err   error // of the first body that could not be priced
}

// choice is the forms of one function. They are priced and put in order when that is first asked for, since a run meets
// few of the functions.
type choice struct {
	forms   []*form // cheapest first, once settled
	settled bool
	depth   int // while it is being settled, from 1 on
}

// operation is one of ir's table, or a user's.
type operation struct {
	op    ir.Op
	def   *ir.Def   // of a call
	table *ir.Table // of a lookup
}

// operationOf is what a node of p does.
func operationOf(p *ir.Func, n ir.Node) operation { return operation{n.Op, p.Def(n), p.Table(n)} }

type formKey struct {
	operation
	typ ir.Type
}

type form struct {
	*egraph.Rewrite
	key  formKey
	cost ir.Cost
}

// newForms collects the approximations whose licences are granted.
func newForms(c Config) *forms {
	f := &forms{config: c, byOp: map[formKey]*choice{}, costs: c.Costs, low: math.MaxInt}
	for _, w := range c.Rules {
		if w.Kind != egraph.Approximation || !c.Licences.Has(w.Licence|ir.ApproxFunc) {
			continue
		}
		for _, t := range []ir.Type{ir.Float32, ir.Float64} {
			if w.Type == ir.Invalid || w.Type == t {
				root := w.LHS.Nodes[w.LHS.Root()]
				m := &form{Rewrite: w, key: formKey{operation{op: root.Op, def: root.Def}, t}, cost: ir.InfiniteCost}
				if f.byOp[m.key] == nil {
					f.byOp[m.key] = &choice{}
				}
				f.byOp[m.key].forms = append(f.byOp[m.key].forms, m)
			}
		}
	}
	return f
}

// roundedULPs is the bound of a float32 form that may be correctly rounded.
const roundedULPs = 0.51

// tooCoarse reports whether a form cannot be right everywhere, whatever a sample says, where correct rounding is asked for, or the bits of
// functions as written, which are correctly rounded. It still says what a function costs beside others.
func (c Config) tooCoarse(w *egraph.Rewrite, t ir.Type) bool {
	return (c.Tolerance.Unit == accuracy.Correct || c.Tolerance.Unit == accuracy.Exact) && t == ir.Float32 && (w.Bound.Unit != egraph.ULP || w.Bound.Value > roundedULPs)
}

// of lists the forms of a function, cheapest first. A form's cost is that of its body as the compiler would make it,
// functions in it at their own cheapest form. While a function is being priced it has no form: no cheapest program for it
// holds the function itself. What was priced on the way from such a function to itself is priced again when asked for.
func (f *forms) of(key formKey) []*form {
	ch := f.byOp[key]
	switch {
	case ch == nil:
		return nil
	case ch.settled:
		return ch.forms
	case ch.depth > 0:
		f.low = min(f.low, ch.depth)
		return nil
	}
	low := f.low
	f.low = math.MaxInt
	f.depth++
	ch.depth = f.depth
	for _, m := range ch.forms {
		cost, err := f.bodyCost(m)
		if err != nil {
			f.err = cmp.Or(f.err, fmt.Errorf("%s: %s: %w", m.Pos, m.Name, err))
			cost = ir.InfiniteCost
		}
		m.cost = cost
	}
	slices.SortStableFunc(ch.forms, func(a, b *form) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.Name, b.Name)) })
	ch.settled = f.low >= ch.depth
	if ch.settled {
		f.low = math.MaxInt
	}
	f.low = min(low, f.low)
	f.depth--
	ch.depth = 0
	return ch.forms
}

// bodyCost is the cost of a form's body for operands of which nothing is known. Only where the body holds functions, which
// may be powers that are none, does it take a saturation to find out.
func (f *forms) bodyCost(m *form) (ir.Cost, error) {
	defer func(rounds ir.Cost) { f.config.rounds = rounds }(f.config.rounds)
	f.config.rounds = 0 // its parameters are not those of the function
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
		return f.price(body), nil
	}
	g, roots := f.config.graph(body, f.config.Licences, false)
	saturateGraph(g, roots, f.config, f.config.Licences)
	if err := g.Err(); err != nil {
		return 0, err
	}
	best, _, err := extract.Best(g, roots, body.Params, body.Name, f)
	switch {
	case errors.Is(err, extract.ErrNoForm):
		return ir.InfiniteCost, nil
	case err != nil:
		return 0, err
	}
	return f.price(best), nil
}

// price is what a program costs, with each library function at its cheapest form, wherever that is admissible.
func (f *forms) price(p *ir.Func) ir.Cost { return f.priceWith(p, nil) }

// priceWith is price where some functions have their form already.
func (f *forms) priceWith(p *ir.Func, replaced map[ir.Node]ir.Cost) ir.Cost {
	table := extract.NewTable(f.costs)
	cost := func(n ir.Node) ir.Cost {
		if cost, ok := replaced[n]; ok {
			return cost
		}
		cost := table.OfNode(p, n)
		for _, m := range f.of(formKey{operationOf(p, n), n.Type}) {
			cost = min(cost, m.cost)
		}
		return cost
	}
	price := f.config.Price
	if price == nil {
		price = extract.SumCost
	}
	if !f.config.weighs() {
		return price(p, cost)
	}
	every, before := f.config.split(p)
	return price(every, cost).Plus(f.config.once(extract.SumCost(before, cost)))
}

// costsOf is what the functions of p cost with their forms number k.
func (f *forms) costsOf(p *ir.Func, k int) map[ir.Node]ir.Cost {
	costs := map[ir.Node]ir.Cost{}
	for _, n := range p.Nodes {
		if list := f.of(formKey{operationOf(p, n), n.Type}); n.Op.Info().Function && len(list) > 0 {
			costs[n] = list[min(k, len(list)-1)].cost
		}
	}
	return costs
}

// admissible lists the forms that may stand for a function at operands of which the facts are known, cheapest first.
func (f *forms) admissible(fn operation, t ir.Type, args []ir.Fact) []*form {
	var ok []*form
	for _, m := range f.of(formKey{fn, t}) {
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
	cost := f.cost(g, n)
	if f.config.weighs() && !n.Op.Leaf() {
		f.fixedClasses(g)
		if f.fixedNode(g, n) {
			cost = f.config.once(cost)
		}
	}
	return cost
}

func (f *forms) cost(g *egraph.Graph, n egraph.Node) ir.Cost {
	def := g.Def(n)
	cost := f.costs.Of(n.Op, n.Type, def)
	if !n.Op.Info().Function {
		return cost
	}
	facts := make([]ir.Fact, n.Op.Info().Arity)
	for i := range facts {
		facts[i] = g.Fact(n.Args[i])
	}
	if ok := f.admissible(operation{op: n.Op, def: def}, n.Type, facts); len(ok) > 0 {
		cost = min(cost, ok[0].cost)
	}
	return cost
}
