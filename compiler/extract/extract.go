// Package extract chooses one node per class of an e-graph, such that the chosen program is cheapest.
//
// In go a clean egraph.Graph, the classes of the results and a Model; out comes an ir.Func and its cost. A class that is
// used twice is paid once (DAG cost), which makes the problem NP-hard (Stepp 2011): the better of two greedy choices is
// improved by local moves and, if the graph is small, by branch and bound. Classes may be cyclic, the program never is.
// The package never adds nodes and knows no machine and no rule; all costs come from the Model.
//
// The order among programs is their cost; of equally cheap ones the first that is found wins, in the order of the classes
// from the roots and of egraph.Node.Compare. So the same graph gives the same program.
package extract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Model prices the nodes. A cost of 0 counts as 1, or cycles would be free; ir.InfiniteCost forbids a node.
type Model interface {
	Cost(g *egraph.Graph, n egraph.Node) ir.Cost
}

// Table is the Model that knows only an operation, or the definition that it calls, and the type of its result. Exact constants cost what constants cost.
type Table struct {
	costs *ir.CostTable
}

// NewTable returns the model of a table of costs.
func NewTable(costs *ir.CostTable) Table { return Table{costs} }

// Cost returns the table's entry, at least 1.
func (t Table) Cost(g *egraph.Graph, n egraph.Node) ir.Cost { return t.cost(n.Op, n.Type, g.Def(n)) }

// OfNode is Cost for a node of a function.
func (t Table) OfNode(f *ir.Func, n ir.Node) ir.Cost { return t.cost(n.Op, n.Type, f.Def(n)) }

func (t Table) cost(op ir.Op, typ ir.Type, d *ir.Def) ir.Cost {
	if op == ir.Real {
		op = ir.Const
	}
	return max(1, t.costs.Of(op, typ, d))
}

// ErrNoForm is wrapped by every NoFormError.
var ErrNoForm = errors.New("extract: no finite form")

// NoFormError says that every program for a root needs an operation of infinite cost.
type NoFormError struct {
	Ops  []ir.Op   // in the order of ir's table
	Defs []*ir.Def // of users' operations
}

// Error lists the operations.
func (e *NoFormError) Error() string {
	var names []string
	for _, op := range e.Ops {
		names = append(names, op.String())
	}
	for _, d := range e.Defs {
		names = append(names, d.Name)
	}
	verb := "has"
	if len(names) > 1 {
		verb = "have"
	}
	return fmt.Sprintf("%v: %s %s infinite cost", ErrNoForm, strings.Join(names, ", "), verb)
}

// Unwrap returns ErrNoForm.
func (e *NoFormError) Unwrap() error { return ErrNoForm }

// Best returns the cheapest program it can find that computes the roots, and its DAG cost. params are the parameters of
// the functions that were added to the graph, by index. If a root has no finite form the error is a *NoFormError.
func Best(g *egraph.Graph, roots []egraph.ClassID, params []ir.Parameter, name string, m Model) (*ir.Func, ir.Cost, error) {
	p := newProblem(g, roots, m)
	s := newSolver(p)
	if !s.solve() {
		return nil, ir.InfiniteCost, p.noForm()
	}
	f, err := p.emit(s.choice, params, name)
	return f, costOf(s.cost), err
}

// DAGCost is the cost of a function under a table, work that is used twice counted once. Nodes that no result needs are free.
func DAGCost(f *ir.Func, t *ir.CostTable) ir.Cost {
	table := NewTable(t)
	return SumCost(f, func(n ir.Node) ir.Cost { return table.OfNode(f, n) })
}

// SumCost is DAGCost for a model that is a function of a node.
func SumCost(f *ir.Func, cost func(n ir.Node) ir.Cost) ir.Cost {
	needed := make([]bool, len(f.Nodes))
	for _, r := range f.Results {
		needed[r] = true
	}
	var sum ir.Cost
	for i := len(f.Nodes) - 1; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		n := &f.Nodes[i]
		sum = sum.Plus(cost(*n))
		for _, a := range n.Operands() {
			needed[a] = true
		}
	}
	return sum
}

// TreeCost is the cost of a function if nothing were shared.
func TreeCost(f *ir.Func, t *ir.CostTable) ir.Cost {
	table := NewTable(t)
	costs := make([]ir.Cost, len(f.Nodes))
	for i := range f.Nodes {
		n := &f.Nodes[i]
		costs[i] = table.OfNode(f, *n)
		for _, a := range n.Operands() {
			costs[i] = costs[i].Plus(costs[a])
		}
	}
	var sum ir.Cost
	for _, r := range f.Results {
		sum = sum.Plus(costs[r])
	}
	return sum
}
