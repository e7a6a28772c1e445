package egraph

import (
	"fmt"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Explain says why two nodes are equal. The terms are those that the nodes stood for when they were added. It reports false
// if they are not equal. It panics if the graph does not Record.
func (g *Graph) Explain(a, b NodeID) (*Proof, bool) {
	p := newProver(g)
	if g.Find(ClassID(a)) != g.Find(ClassID(b)) {
		return nil, false
	}
	p.proof.From, p.proof.To = p.term(a), p.term(b)
	p.chain(a, b, 0)
	return p.proof, true
}

// ExplainFuncs says why result number i of two functions is equal. Both are added to the graph, which must know them to be
// equal; it panics if the graph does not Record.
func (g *Graph) ExplainFuncs(from, to *ir.Func, i int) (*Proof, error) {
	fromIDs, toIDs := g.addFunc(from), g.addFunc(to)
	g.Rebuild()
	p := newProver(g)
	a, b := fromIDs[from.Results[i]], toIDs[to.Results[i]]
	if g.Find(ClassID(a)) != g.Find(ClassID(b)) {
		return nil, fmt.Errorf("egraph: the graph does not know that result %d of %q and of %q are equal", i, from.Name, to.Name)
	}
	for _, q := range from.Params {
		p.proof.params = append(p.proof.params, q.Name)
	}
	x, y := p.function(from, fromIDs), p.function(to, toIDs)
	fromRoot, toRoot := int(from.Results[i]), int(to.Results[i])
	p.proof.From, p.proof.To = x[fromRoot].term, y[toRoot].term
	now := uint32(len(g.history.records))
	p.ground(x, fromRoot, now, 0, false)
	p.chain(a, b, 0)
	p.ground(y, toRoot, now, 0, true)
	return p.proof, nil
}

// text writes the term of a node.
func (g *Graph) text(id NodeID) string {
	p := newProver(g)
	return p.proof.Text(p.term(id))
}

// prover writes a proof.
type prover struct {
	g      *Graph
	h      *history
	proof  *Proof
	number map[Term]int
	ofNode []int           // 1 + index of the term of a node, or 0
	stated map[[2]int]bool // pairs of terms, in ascending order, that an earlier lemma has shown to be equal
}

func newProver(g *Graph) *prover {
	if g.history == nil {
		panic("egraph: Explain of a graph that does not Record")
	}
	return &prover{
		g: g, h: g.history, proof: &Proof{g: g}, number: map[Term]int{},
		ofNode: make([]int, len(g.nodes)), stated: map[[2]int]bool{},
	}
}

// intern numbers a term. The operands of a commutative operation have no order: the first that was met is kept.
func (p *prover) intern(t Term) int {
	i, ok := p.number[t]
	if !ok && commutative[t.Op] {
		swapped := t
		swapped.Args[0], swapped.Args[1] = t.Args[1], t.Args[0]
		i, ok = p.number[swapped]
	}
	if !ok {
		i = len(p.proof.Terms)
		p.proof.Terms = append(p.proof.Terms, t)
		p.number[t] = i
	}
	return i
}

// term is the term that a node stood for when it was added.
func (p *prover) term(root NodeID) int {
	stack := []NodeID{root}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		n := p.h.born[id]
		t := Term{Op: n.Op, Type: n.Type, Pin: n.Pin, Imm: n.Imm}
		ready := true
		for i, a := range n.Operands() {
			if p.ofNode[a] == 0 {
				stack = append(stack, NodeID(a))
				ready = false
				continue
			}
			t.Args[i] = p.ofNode[a] - 1
		}
		if ready {
			p.ofNode[id] = p.intern(t) + 1
			stack = stack[:len(stack)-1]
		}
	}
	return p.ofNode[root] - 1
}

// instance is a term made of nodes: each of its parts has a term and the node that this is equal to. Variables and leaves
// are their nodes.
type instance []part

type part struct {
	term     int
	node     NodeID
	operands []int // parts; nil for a variable and a leaf
}

// function is a function whose nodes have been added as ids.
func (p *prover) function(f *ir.Func, ids []NodeID) instance {
	out := make(instance, len(f.Nodes))
	for i, n := range f.Nodes {
		imm := uint32(0)
		if !n.Op.Leaf() {
			imm = p.g.adopt(f, n)
		}
		var operands []int
		for _, a := range n.Operands() {
			operands = append(operands, int(a))
		}
		out.set(p, i, Node{Op: n.Op, Type: n.Type, Pin: n.Pin, Imm: imm}, ids[i], operands)
	}
	return out
}

// side is one side of a rewrite, whose nodes are ids.
func (p *prover) side(of *Pattern, ids []NodeID) instance {
	out := make(instance, len(of.Nodes))
	for i, n := range of.Nodes {
		b := p.h.born[ids[i]]
		out.set(p, i, b, ids[i], n.Args[:arity[n.Op]])
	}
	return out
}

// set makes part i an operation like that of n.
func (x instance) set(p *prover, i int, n Node, id NodeID, operands []int) {
	x[i] = part{node: id}
	if len(operands) == 0 {
		x[i].term = p.term(id)
		return
	}
	t := Term{Op: n.Op, Type: n.Type, Pin: n.Pin, Imm: n.Imm}
	for j, a := range operands {
		t.Args[j] = x[a].term
	}
	x[i].term, x[i].operands = p.intern(t), operands
}

// ground writes the step from a part of an instance to its node, or back, if they are different terms. It uses only what
// was known before record number before.
func (p *prover) ground(x instance, i int, before uint32, depth int, back bool) {
	to := p.term(x[i].node)
	from := x[i].term
	if from == to {
		return
	}
	if !p.stated[normal(from, to)] {
		b := p.h.born[x[i].node]
		args := x[i].operands
		a0, a1 := 0, 1
		if commutative[b.Op] && !(p.equal(x[args[0]].node, NodeID(b.Args[0]), before) && p.equal(x[args[1]].node, NodeID(b.Args[1]), before)) {
			a0, a1 = 1, 0
		}
		for j, a := range args {
			target := b.Args[j]
			if j == 0 {
				target = b.Args[a0]
			} else if j == 1 {
				target = b.Args[a1]
			}
			if pair := normal(x[a].term, p.term(NodeID(target))); pair[0] != pair[1] && !p.stated[pair] {
				if back {
					p.chain(NodeID(target), x[a].node, depth+1)
					p.ground(x, a, before, depth+1, true)
				} else {
					p.ground(x, a, before, depth+1, false)
					p.chain(x[a].node, NodeID(target), depth+1)
				}
				p.stated[pair] = true
			}
		}
	}
	p.emit(Step{Kind: ByCongruence, From: from, To: to, Depth: depth}, back)
}

func (p *prover) emit(s Step, back bool) {
	if back {
		s.From, s.To = s.To, s.From
		s.Reversed = !s.Reversed
	}
	if s.Kind != ByRewrite {
		s.Reversed = false
	}
	p.stated[normal(s.From, s.To)] = true
	p.proof.Steps = append(p.proof.Steps, s)
}

// equal reports whether two nodes were equal before a record.
func (p *prover) equal(a, b NodeID, before uint32) bool {
	if p.g.Find(ClassID(a)) != p.g.Find(ClassID(b)) {
		return false
	}
	for _, h := range p.path(a, b) {
		if h.record >= before {
			return false
		}
	}
	return true
}

// path lists the records between two nodes of one tree, each with the direction in which it is read.
func (p *prover) path(a, b NodeID) []hop {
	h := p.h
	depth := func(x NodeID) (d int) {
		for ; h.next[x] != x; x = h.next[x] {
			d++
		}
		return d
	}
	var up, down []hop
	climb := func(x NodeID, to *[]hop) NodeID {
		r := h.why[x]
		*to = append(*to, hop{r, h.records[r].from != x})
		return h.next[x]
	}
	for da, db := depth(a), depth(b); a != b; {
		if da >= db {
			a, da = climb(a, &up), da-1
		} else {
			b, db = climb(b, &down), db-1
		}
	}
	for i := len(down) - 1; i >= 0; i-- {
		up = append(up, hop{down[i].record, !down[i].back})
	}
	return up
}

type hop struct {
	record uint32
	back   bool // from the record's to to its from
}

// chain writes the steps from a node to an equal one.
func (p *prover) chain(a, b NodeID, depth int) {
	for _, h := range p.path(a, b) {
		p.hop(h, depth)
	}
}

// hop writes what a record says.
func (p *prover) hop(h hop, depth int) {
	r := p.h.records[h.record]
	from, to := p.term(r.from), p.term(r.to)
	switch r.kind {
	case claimed:
		s := p.g.stepOf(ByPass, r.reason)
		s.From, s.To, s.Depth = from, to, depth
		p.emit(s, h.back)
	case shown:
		w := p.h.witnesses[r.ids]
		x, y := p.shown(w[0]), p.shown(w[1])
		p.instances(x, y, p.g.stepOf(ByPass, r.reason), h, depth)
	case congruent:
		if from != to {
			p.ground(p.node(r.from, p.h.born[r.from].Args, r.to), 0, h.record, depth, h.back)
		}
	case computed:
		n := p.h.born[r.from]
		var constants [3]ClassID
		for i := range n.Operands() {
			constants[i] = ClassID(p.h.ids[int(r.ids)+i])
		}
		x := p.node(r.from, constants, r.from)
		if h.back {
			p.emit(Step{Kind: ByFolding, From: x[0].term, To: to, Depth: depth}, true)
			p.ground(x, 0, h.record, depth, false)
		} else {
			p.ground(x, 0, h.record, depth, true)
			p.emit(Step{Kind: ByFolding, From: x[0].term, To: to, Depth: depth}, false)
		}
	case rewritten:
		s := p.g.stepOf(ByRewrite, r.reason)
		source, target := s.rewrite.LHS, s.rewrite.RHS
		if r.backward {
			source, target = target, source
		}
		ids := p.h.ids[r.ids:]
		x, y := p.side(source, ids[:len(source.Nodes)]), p.side(target, ids[len(source.Nodes):][:len(target.Nodes)])
		s.Reversed = r.backward
		p.instances(x, y, s, h, depth)
	}
}

// instances writes the step s, by which the root of x is that of y, with what leads to it and on from it.
func (p *prover) instances(x, y instance, s Step, h hop, depth int) {
	i, j := len(x)-1, len(y)-1
	s.From, s.To, s.Depth = x[i].term, y[j].term, depth
	if h.back {
		p.ground(y, j, h.record, depth, true)
		p.emit(s, true)
		p.ground(x, i, h.record, depth, false)
	} else {
		p.ground(x, i, h.record, depth, true)
		p.emit(s, false)
		p.ground(y, j, h.record, depth, false)
	}
}

// node is the instance of node id's operation on args; it is equal to node to.
func (p *prover) node(id NodeID, args [3]ClassID, to NodeID) instance {
	n := p.h.born[id]
	out := make(instance, 1+arity[n.Op])
	var operands []int
	for i := range int(arity[n.Op]) {
		a := NodeID(args[i])
		out[1+i] = part{term: p.term(a), node: a}
		operands = append(operands, 1+i)
	}
	out.set(p, 0, n, to, operands)
	return out
}
