package egraph

import (
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// trivial reports whether two patterns differ at most in the order of operands of commutative operations, which the graph
// does not tell apart.
func trivial(source, target *Pattern) bool {
	if source.Nodes[source.Root()].Op != target.Nodes[target.Root()].Op {
		return false
	}
	var r renaming
	for _, n := range source.Nodes {
		if n.Op == ir.OpInvalid {
			r = append(r, [2]int{n.Var, n.Var})
		}
	}
	return r.pair(source, source.Root(), target, target.Root(), func(renaming) bool { return true })
}

// mirrored reports whether a law read from right to left is the law itself with other names for its variables, as
// associativity of a commutative operation is.
func mirrored(r *Rewrite) bool {
	if r.LHS.Nodes[r.LHS.Root()].Op != r.RHS.Nodes[r.RHS.Root()].Op {
		return false
	}
	return renaming{}.pair(r.LHS, r.LHS.Root(), r.RHS, r.RHS.Root(), func(names renaming) bool {
		return names.pair(r.RHS, r.RHS.Root(), r.LHS, r.LHS.Root(), func(renaming) bool { return r.Guard == nil })
	})
}

// renaming is a bijection of variables.
type renaming [][2]int

// pair calls then with every extension of r that turns node i of p into node j of q, until it says yes.
func (r renaming) pair(p *Pattern, i int, q *Pattern, j int, then func(renaming) bool) bool {
	n, m := p.Nodes[i], q.Nodes[j]
	if n.Op != m.Op || n.Type != m.Type || n.Pin != m.Pin || n.Def != m.Def {
		return false
	}
	switch n.Op {
	case ir.OpInvalid:
		for _, v := range r {
			if v[0] == n.Var || v[1] == m.Var {
				return v == [2]int{n.Var, m.Var} && then(r)
			}
		}
		return then(append(slices.Clone(r), [2]int{n.Var, m.Var}))
	case ir.Real:
		return n.Value.Cmp(m.Value) == 0 && then(r)
	case ir.Const:
		return ir.ConstBits(ir.Float64, n.Const) == ir.ConstBits(ir.Float64, m.Const) && then(r)
	}
	a, b := n.Args[:arity[n.Op]], m.Args
	if r.pairAll(p, a, q, b[:], then) {
		return true
	}
	b[0], b[1] = b[1], b[0]
	return commutative[n.Op] && r.pairAll(p, a, q, b[:], then)
}

func (r renaming) pairAll(p *Pattern, a []int, q *Pattern, b []int, then func(renaming) bool) bool {
	if len(a) == 0 {
		return then(r)
	}
	return r.pair(p, a[0], q, b[0], func(r renaming) bool { return r.pairAll(p, a[1:], q, b[1:], then) })
}
