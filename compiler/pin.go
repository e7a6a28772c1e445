package compiler

import (
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// pinned returns f with everything as written that decides which way a computation goes: the operands of comparisons, and whatever they
// and the ends of loops depend on, from one round to the next. Rounding that moved there could change the path, and how often a loop
// goes round. If whole is set, the bodies of loops are as written altogether.
func pinned(f *ir.Func, whole bool) *ir.Func {
	if len(f.Bodies) == 0 && !compares(f) {
		return f
	}
	g, _ := pin(f, whole, false, make([]bool, len(f.Results)))
	return g
}

// pin pins what the results that are listed depend on besides, or every operation, and says which parameters decide something.
func pin(f *ir.Func, whole, all bool, results []bool) (*ir.Func, []bool) {
	g := *f
	g.Nodes, g.Bodies = slices.Clone(f.Nodes), nil
	decides := make([]bool, len(f.Nodes))
	for i, r := range f.Results {
		decides[r] = decides[r] || results[i]
	}
	last := map[ir.Value][]bool{} // which of a loop's results decide
	for i := len(f.Nodes) - 1; i >= 0; i-- {
		n := &g.Nodes[i]
		switch n.Op {
		case ir.Empty, ir.Append: // the loop has seen to its variables
			continue
		case ir.Proj:
			if last[n.Args[0]] == nil {
				last[n.Args[0]] = make([]bool, len(f.Body(f.Nodes[n.Args[0]]).Params))
			}
			last[n.Args[0]][n.Imm] = decides[i]
			continue
		case ir.Loop:
			body, first := pinBody(f.Body(*n), whole, last[ir.Value(i)])
			n.Imm = g.AddBody(body)
			for v, a := range f.Elements(n.Args[0]) {
				decides[a] = decides[a] || first[v]
			}
			continue
		}
		for _, a := range n.Operands() {
			decides[a] = decides[a] || decides[i] || n.Op.Info().Shape == ir.ShapeCompare || n.Op == ir.Convert && n.Type.IsInteger()
		}
		if (all || decides[i]) && n.Type.IsFloat() && !n.Op.Leaf() && n.Op != ir.Select {
			n.Pin = true
		}
	}
	b := ir.NewBuilder(f.Name) // equal nodes may have become one
	args := make([]ir.Value, len(g.Params))
	params := make([]bool, len(g.Params))
	for i, p := range g.Params {
		args[i] = b.Param(p.Name, p.Type, p.Fact)
		params[i] = decides[i]
	}
	for _, r := range b.Inline(&g, args...) {
		b.Return(r)
	}
	return b.Func(), params
}

// pinBody pins the body of a loop some of whose last values decide something, and says which variables do: in the round in which a
// variable decides, and in all rounds before.
func pinBody(body *ir.Func, whole bool, last []bool) (*ir.Func, []bool) {
	vars := make([]bool, len(body.Params))
	copy(vars, last)
	for {
		pinned, params := pin(body, whole, whole, append([]bool{true}, vars...))
		more := false
		for v, decides := range params {
			more = more || decides && !vars[v]
			vars[v] = vars[v] || decides
		}
		if !more {
			return pinned, vars
		}
	}
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
