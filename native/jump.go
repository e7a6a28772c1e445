package native

import (
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// dearArm is the dear of every target: more than a jump that is predicted wrong takes, which is 15 to 20 cycles on today's cores, so that
// nothing is lost where lanes differ.
const dearArm ir.Cost = 2000

// jump is what choices of one condition need on one of its sides, and nothing else does. It is computed where some lane takes that side.
type jump struct {
	condition ir.Value
	side      int   // 1 or 2, as the operands of Select
	nodes     []int // in order
	choices   []int // in order; the nodes are computed before the first of them
}

// jumps finds the dear arms of a function, and which of them a node is computed in first, by its number from 1. One may lie inside
// another one.
func (e *emitter) jumps(f *ir.Func) (list []*jump, owner []int) {
	owner = make([]int, len(f.Nodes))
	costs := e.t.Costs()
	var all use
	for _, n := range f.Nodes {
		all = all.plus(e.t.uses(f, n, e.lanes, costs))
	}
	if !e.mayJump || all.busiest() < e.t.costs.dear {
		return nil, owner
	}
	users := make([][]int, len(f.Nodes))
	seen := make([]bool, len(f.Nodes)) // by what is no node
	for i, n := range f.Nodes {
		for _, a := range n.Operands() {
			users[a] = append(users[a], i)
		}
	}
	for _, r := range f.Results {
		seen[r] = true
	}
	done := map[[2]int]bool{} // choice and side
	for first, n := range f.Nodes {
		for side := 1; n.Op == ir.Select && side <= 2; side++ {
			if arm := n.Args[side]; done[[2]int{first, side}] || f.Nodes[arm].Op.Leaf() || seen[arm] {
				continue
			}
			j := gather(f, first, side, users, seen)
			var cost use
			for _, v := range j.nodes {
				if owner[v] == 0 {
					cost = cost.plus(e.t.uses(f, f.Nodes[v], e.lanes, costs))
				}
			}
			if cost.busiest() < e.t.costs.dear || slices.ContainsFunc(list, func(inner *jump) bool { return !j.apart(inner) && !j.holds(inner) }) {
				continue
			}
			list = append(list, j)
			for _, v := range j.nodes {
				if owner[v] == 0 {
					owner[v] = len(list)
				}
			}
			for _, c := range j.choices {
				done[[2]int{c, side}] = true
			}
		}
	}
	return list, owner
}

// gather makes the jump that ends before choice first: with all choices of its condition whose arms can be computed there.
func gather(f *ir.Func, first, side int, users [][]int, seen []bool) *jump {
	j := &jump{condition: f.Nodes[first].Args[0], side: side}
	for i := first; i < len(f.Nodes); i++ {
		if n := f.Nodes[i]; n.Op == ir.Select && n.Args[0] == j.condition && n.Type != ir.Bool {
			j.choices = append(j.choices, i)
		}
	}
	for {
		inside := make([]bool, len(f.Nodes))
		// arm reports whether i is a choice that takes v on this side alone.
		arm := func(i, v int) bool {
			n := f.Nodes[i]
			return slices.Contains(j.choices, i) && int(n.Args[side]) == v && int(n.Args[3-side]) != v
		}
		j.nodes = nil
		late := make([]bool, len(f.Nodes)) // inside, but needs what is computed later than first
		for v := len(f.Nodes) - 1; v >= 0; v-- {
			n := f.Nodes[v]
			inside[v] = len(users[v]) > 0 && !seen[v] && !n.Op.Leaf() && n.Op.Info().Shape != ir.ShapeLoop && !faulty(f, n, j) &&
				!slices.ContainsFunc(users[v], func(i int) bool { return !inside[i] && !arm(i, v) })
		}
		for v, n := range f.Nodes {
			if !inside[v] {
				continue
			}
			j.nodes = append(j.nodes, v)
			for _, a := range n.Operands() {
				late[v] = late[v] || late[a] || !inside[a] && int(a) >= first && !f.Nodes[a].Op.Leaf()
			}
		}
		kept := slices.DeleteFunc(slices.Clone(j.choices), func(i int) bool { return late[f.Nodes[i].Args[side]] })
		if len(kept) == len(j.choices) {
			return j
		}
		j.choices = kept
	}
}

// faulty reports whether a division may divide by zero in a lane that does not take the jump's side, which is to be reported.
func faulty(f *ir.Func, n ir.Node, j *jump) bool {
	if !n.Type.IsInteger() || n.Op != ir.Div && n.Op != ir.Rem {
		return false
	}
	for d := f.Nodes[n.Args[1]]; ; {
		switch {
		case d.Op == ir.Const:
			return ir.IntBits(d.Type, ir.BitsInt(d.Type, d.Imm)) == 0
		case d.Op != ir.Select:
			return true
		}
		other := f.Nodes[d.Args[2]]
		if other.Op != ir.Const || other.Imm == 0 {
			return true
		}
		if d.Args[0] == j.condition && j.side == 1 {
			return false
		}
		d = f.Nodes[d.Args[1]]
	}
}

// apart reports whether two jumps have nothing to do with each other.
func (j *jump) apart(k *jump) bool {
	in := func(nodes []int) func(int) bool { return func(v int) bool { return slices.Contains(nodes, v) } }
	return !slices.ContainsFunc(slices.Concat(k.nodes, k.choices), in(j.nodes)) && !slices.ContainsFunc(j.choices, in(k.nodes))
}

// holds reports whether all of k is inside of j.
func (j *jump) holds(k *jump) bool {
	return !slices.ContainsFunc(slices.Concat(k.nodes, k.choices), func(v int) bool { return !slices.Contains(j.nodes, v) })
}

// over emits a jump over what node emits for each of j's own nodes: where no lane of the vectors takes its side. vals are the values of all nodes by
// vector, those that are used after it zero where it was jumped over; emit makes one of them.
func (e *emitter) over(j *jump, vals [][]string, emit func(i, u int) string, node func(i int)) {
	vectors := len(vals[0])
	for _, i := range j.nodes { // what comes from outside belongs there, even comparisons that are used in here first
		for _, a := range e.f.Nodes[i].Operands() {
			if !slices.Contains(j.nodes, int(a)) {
				for u := range vectors {
					emit(int(a), u)
				}
			}
		}
	}
	anyone := ""
	for u := range vectors {
		takes := emit(int(j.condition), u)
		if j.side == 2 {
			takes = e.op("xor", ir.Bool, takes, e.ones(ir.Bool))
		}
		if e.active != nil {
			takes = e.op("and", ir.Bool, takes, e.active[u])
		}
		if anyone != "" {
			takes = e.op("or", ir.Bool, anyone, takes)
		}
		anyone = takes
	}
	name := fmt.Sprintf("arm%d", e.rounds)
	e.rounds++
	before := e.block
	bits := e.value("bitcast %s %s to i%d", e.vector(ir.Bool), anyone, e.lanes)
	e.line("br i1 %s, label %%%s, label %%%s.end", e.value("icmp ne i%d %s, 0", e.lanes, bits), name, name)
	e.label("%s", name)
	for _, i := range j.nodes {
		node(i)
	}
	var arms []int
	for _, c := range j.choices {
		if a := int(e.f.Nodes[c].Args[j.side]); slices.Contains(j.nodes, a) && !slices.Contains(arms, a) {
			arms = append(arms, a)
			for u := range vectors {
				emit(a, u)
			}
		}
	}
	after := e.block
	e.line("br label %%%s.end", name)
	e.label("%s.end", name)
	for _, a := range arms {
		for u := range vectors {
			vals[a][u] = e.value("phi %s [ %s, %%%s ], [ zeroinitializer, %%%s ]", e.vector(e.f.Nodes[a].Type), vals[a][u], after, before)
		}
	}
}
