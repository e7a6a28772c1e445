package extract

import (
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// emit writes the chosen nodes as a function in its compact form.
func (p *problem) emit(choice []int32, params []ir.Parameter, name string) (*ir.Func, error) {
	f := &ir.Func{Name: name, Params: params}
	for i, q := range params {
		f.Nodes = append(f.Nodes, ir.Node{Op: ir.Param, Type: q.Type, Imm: uint64(i)})
	}
	values := make([]ir.Value, len(p.classes))
	done := make([]bool, len(p.classes))
	stack := slices.Clone(p.roots)
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		if done[c] {
			stack = stack[:len(stack)-1]
			continue
		}
		cand := &p.candidates[choice[c]]
		height := len(stack)
		for _, a := range cand.operands() {
			if !done[a] {
				stack = append(stack, a)
			}
		}
		if len(stack) > height {
			continue
		}
		done[c] = true
		n := cand.node
		if n.Op == ir.Param {
			if int(n.Imm) >= len(params) || params[n.Imm].Type != n.Type {
				return nil, fmt.Errorf("extract: the graph uses parameter %d of type %v, which is not among the %d given", n.Imm, n.Type, len(params))
			}
			values[c] = ir.Value(n.Imm)
			continue
		}
		m := ir.Node{Op: n.Op, Type: n.Type, Pin: n.Pin, Imm: p.g.ImmIn(f, n)}
		for i, a := range n.Operands() {
			m.Args[i] = values[p.local[p.g.Find(a)]]
		}
		if n.Op == ir.Const || n.Op == ir.Real {
			m = p.g.Value(n).Node(f, n.Type)
		}
		values[c] = ir.Value(len(f.Nodes))
		f.Nodes = append(f.Nodes, m)
	}
	for _, r := range p.roots {
		f.Results = append(f.Results, values[r])
	}
	return f.Compact(), nil
}
