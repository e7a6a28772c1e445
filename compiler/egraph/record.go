package egraph

import (
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// history remembers why classes are equal: the proof forest of Nieuwenhuis and Oliveras (2005). Its trees are the classes;
// an edge is a record. A record is justified by records before it only, so explanations end.
type history struct {
	born      []Node   // every node as it was added; its operands are the nodes that represented the classes then
	next      []NodeID // next node on the way to the root of the tree; a root is its own
	why       []uint32 // record of the edge to next
	records   []record
	ids       []NodeID      // of records
	witnesses [][2]*Witness // of records
	values    [][]Sample    // by node, if there are Samples: its values, computed from those of its operands' classes
	class     [][]Sample    // by class, if there are Samples: what is known together
}

// record is one union of two trees: from and to are the nodes that are equal.
type record struct {
	kind     recordKind
	backward bool // of a rewrite: its left side is the target
	from, to NodeID
	reason   Reason
	ids      uint32 // first of its ids
}

type recordKind uint8

const (
	claimed   recordKind = iota // by a pass or the caller
	shown                       // by a pass, from the first to the second of witnesses[ids]
	rewritten                   // by a rewrite; ids are the nodes of the source, then those of the target, from and to the last of each
	congruent                   // one operation on equal operands
	computed                    // from is an operation on constants; ids are the constants, by operand
)

// Record makes the graph remember the reason of every union from now on, so that Explain can answer. It must be called
// before the first node is added. It changes nothing else about the graph.
func (g *Graph) Record() {
	if len(g.nodes) > 0 {
		panic("egraph: Record of a graph that is not empty")
	}
	g.history = &history{}
}

// born remembers a node that is new.
func (g *Graph) born(n Node) {
	h := g.history
	id := NodeID(len(h.born))
	h.born = append(h.born, n)
	h.next = append(h.next, id)
	h.why = append(h.why, 0)
	if g.analysis.Samples != nil {
		v := g.sample(n)
		h.values = append(h.values, v)
		h.class = append(h.class, v)
	}
}

// link makes r's nodes one tree. The shorter way to a root is turned round.
func (h *history) link(r record) {
	a, b := r.from, r.to
	for x, y := a, b; ; x, y = h.next[x], h.next[y] {
		if h.next[x] == x {
			break
		}
		if h.next[y] == y {
			a, b = b, a
			break
		}
	}
	edge := uint32(len(h.records))
	h.records = append(h.records, r)
	for at, to := a, b; ; {
		next, why := h.next[at], h.why[at]
		h.next[at], h.why[at] = to, edge
		if next == at {
			return
		}
		at, to, edge = next, at, why
	}
}

func (g *Graph) recordClaim(a, b NodeID, reason Reason) {
	if g.history != nil {
		g.checkClaim(a, b, reason)
		g.history.link(record{kind: claimed, from: a, to: b, reason: reason})
	}
}

func (g *Graph) recordCongruence(a, b NodeID) {
	if g.history != nil {
		g.history.link(record{kind: congruent, from: a, to: b})
	}
}

// recordFolding records that node id, whose operands are constants, is the constant k.
func (g *Graph) recordFolding(id, k NodeID) {
	h := g.history
	if h == nil {
		return
	}
	r := record{kind: computed, from: id, to: k, reason: folded, ids: uint32(len(h.ids))}
	n := h.born[id]
	for _, a := range n.Operands() {
		h.ids = append(h.ids, g.constantNode(a))
	}
	h.link(r)
}

// constantNode is the node of a class's constant.
func (g *Graph) constantNode(c ClassID) NodeID {
	c = g.Find(c)
	id, ok := g.memo.find(g.nodes, g.pooled(g.nodes[c].Type, g.classes[c].constant-1))
	if !ok {
		panic("egraph: a constant has no node")
	}
	return id
}

// recordMatch records a match whose target has been made and whose sides are not yet one class. regs are the classes of
// the source's nodes, and target the nodes of the target's.
func (g *Graph) recordMatch(p *program, regs []ClassID, target []NodeID) {
	h := g.history
	r := record{kind: rewritten, to: target[len(target)-1], backward: p.backward, reason: p.reason, ids: uint32(len(h.ids))}
	source, _ := p.sides()
	for i := range source.Nodes {
		h.ids = append(h.ids, g.matched(p, source, i, regs))
	}
	r.from = h.ids[len(h.ids)-1]
	h.ids = append(h.ids, target...)
	g.checkMatch(r.from, r.to, p.target[len(p.target)-1].Op == ir.OpInvalid, p.reason)
	h.link(r)
}

// matched finds the node that node i of the source has matched. Until the graph is rebuilt, the hash table knows nodes
// by the classes that represented their operands when it was searched.
func (g *Graph) matched(p *program, source *Pattern, i int, regs []ClassID) NodeID {
	n := source.Nodes[i]
	c := regs[i]
	switch {
	case n.Op == ir.OpInvalid:
		return NodeID(c)
	case n.Op.Leaf():
		return g.constantNode(c)
	}
	key := Node{Op: n.Op, Type: g.nodes[c].Type, Imm: g.patternImm(n)}
	for j := range key.Operands() {
		key.Args[j] = regs[n.Args[j]]
	}
	if commutative[n.Op] {
		slices.Sort(key.Args[:2])
	}
	for _, key.Pin = range []bool{false, true} {
		if id, ok := g.memo.find(g.nodes, key); ok && g.Find(ClassID(id)) == g.Find(c) {
			return id
		}
	}
	panic("egraph: a match is not in the graph")
}
