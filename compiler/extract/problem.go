package extract

import (
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// problem is the part of a graph that the roots reach, with dense numbers for classes and candidates.
type problem struct {
	g          *egraph.Graph
	roots      []int32
	classes    []egraph.ClassID // breadth first from the roots
	local      []int32          // class number by ClassID, -1 if the roots do not reach it
	candidates []candidate      // by class
	first      []int32          // candidates of class c are first[c] to first[c+1]
	users      [][]int32        // candidates that have the class as an operand
}

// candidate is a node that its class may choose.
type candidate struct {
	node  egraph.Node
	class int32
	args  [3]int32 // different operands
	arity uint8
	cost  uint64 // infinite: never chosen
}

const infinite = math.MaxUint64

func (c *candidate) operands() []int32 { return c.args[:c.arity] }

// of returns the candidates of class c by number.
func (p *problem) of(c int32) (from, to int32) { return p.first[c], p.first[c+1] }

func newProblem(g *egraph.Graph, roots []egraph.ClassID, m Model) *problem {
	p := &problem{g: g, local: slices.Repeat([]int32{-1}, g.NumIDs())}
	number := func(c egraph.ClassID) int32 {
		c = g.Find(c)
		if p.local[c] < 0 {
			p.local[c] = int32(len(p.classes))
			p.classes = append(p.classes, c)
		}
		return p.local[c]
	}
	for _, r := range roots {
		p.roots = append(p.roots, number(r))
	}
	for c := int32(0); int(c) < len(p.classes); c++ {
		p.first = append(p.first, int32(len(p.candidates)))
		for _, n := range g.Class(p.classes[c]) {
			cand := candidate{node: n, class: c, cost: infinite}
			// A cost of 0 would make cycles free.
			if cost := m.Cost(g, n); cost != ir.InfiniteCost {
				cand.cost = uint64(max(1, cost))
			}
			for _, a := range n.Operands() {
				i := number(a)
				if i == c {
					cand.cost = infinite // never the cheapest: it contains a smaller form of itself
				}
				if !slices.Contains(cand.operands(), i) {
					cand.args[cand.arity] = i
					cand.arity++
				}
			}
			p.candidates = append(p.candidates, cand)
		}
	}
	p.first = append(p.first, int32(len(p.candidates)))
	p.users = make([][]int32, len(p.classes))
	for i := range p.candidates {
		for _, a := range p.candidates[i].operands() {
			p.users[a] = append(p.users[a], int32(i))
		}
	}
	return p
}

// noForm finds what blocks the roots: the operations of infinite cost in classes without a finite form.
func (p *problem) noForm() error {
	s := newSolver(p)
	s.tree()
	e := &NoFormError{}
	blocked := func(n egraph.Node) {
		if d := p.g.Def(n); d != nil && !slices.Contains(e.Defs, d) {
			e.Defs = append(e.Defs, d)
		} else if d == nil && !slices.Contains(e.Ops, n.Op) {
			e.Ops = append(e.Ops, n.Op)
		}
	}
	seen := make([]bool, len(p.classes))
	stack := slices.Clone(p.roots)
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[c] || s.choice[c] >= 0 {
			continue
		}
		seen[c] = true
		for i, to := p.of(c); i < to; i++ {
			cand := &p.candidates[i]
			if cand.cost == infinite && !slices.Contains(cand.operands(), c) {
				blocked(cand.node)
			}
			stack = append(stack, cand.operands()...)
		}
	}
	slices.Sort(e.Ops)
	return e
}

// costOf returns a sum as a Cost; one that does not fit is infinite.
func costOf(sum uint64) ir.Cost {
	if sum >= uint64(ir.InfiniteCost) {
		return ir.InfiniteCost
	}
	return ir.Cost(sum)
}
