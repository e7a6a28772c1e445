package egraph

import (
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// index is the readable form of a clean graph.
type index struct {
	view  []Node // all visible nodes by class, each class in the order of Node.Compare
	start []uint32
	roots []ClassID // representatives, ascending
	byOp  [ir.NumOps][]ClassID
	uses  []uint32
}

func (x *index) class(c ClassID) []Node { return x.view[x.start[c]:x.start[c+1]:x.start[c+1]] }

// Rebuild restores congruence after unions, carries facts and constants upwards, and makes the classes readable.
func (g *Graph) Rebuild() {
	for len(g.pending) > 0 || len(g.changed) > 0 {
		if last := len(g.pending) - 1; last >= 0 {
			w := g.pending[last]
			g.pending = g.pending[:last]
			g.repair(w.item, w.reason)
			continue
		}
		last := len(g.changed) - 1
		w := g.changed[last]
		g.changed = g.changed[:last]
		g.updateUses(g.Find(w.item), w.reason)
	}
	if g.clean && g.indexed == len(g.nodes) {
		return
	}
	g.clean = true
	g.indexed = len(g.nodes)
	g.buildIndex()
}

// repair makes a node canonical again. If it is now equal to another node, that one stands for both.
func (g *Graph) repair(id NodeID, reason Reason) {
	n := g.nodes[id]
	if !n.live() {
		return
	}
	key := g.canonical(n)
	if key == n {
		return
	}
	// Ask before writing the key: an old entry of id would answer for an equal node further along.
	if other, ok := g.memo.find(g.nodes, key); ok {
		g.nodes[id] = Node{Type: n.Type}
		g.live--
		if g.Find(ClassID(id)) != g.Find(ClassID(other)) {
			g.recordCongruence(id, other)
			g.union(ClassID(id), ClassID(other), reason)
		}
		return
	}
	g.nodes[id] = key
	g.memo.put(g.nodes, id)
}

// updateUses analyses all nodes that have c as an operand. Nodes that it adds to the ring of c need no analysis.
func (g *Graph) updateUses(c ClassID, reason Reason) {
	last := g.classes[c].tail
	if last == noEdge {
		return
	}
	for e := g.edges[last]; ; e = g.edges[e] {
		if id := NodeID(e / 3); g.nodes[id].live() {
			g.update(id, reason)
		}
		if e == last {
			return
		}
	}
}

func (g *Graph) buildIndex() {
	x := &g.index
	n := len(g.nodes)
	x.start = resize(x.start, n+1)
	x.uses = resize(x.uses, n)
	total := 0
	for id := range g.nodes {
		if c, ok := g.visible(id); ok {
			x.start[c]++
			total++
		}
	}
	end := uint32(0)
	for c := range x.start {
		end += x.start[c]
		x.start[c] = end
	}
	x.view = slices.Grow(x.view[:0], total)[:total]
	for id := n - 1; id >= 0; id-- {
		if c, ok := g.visible(id); ok {
			x.start[c]--
			x.view[x.start[c]] = g.nodes[id]
		}
	}
	x.roots = x.roots[:0]
	for op := range x.byOp {
		x.byOp[op] = x.byOp[op][:0]
	}
	for c := range ClassID(n) {
		nodes := x.class(c)
		if len(nodes) == 0 {
			continue
		}
		x.roots = append(x.roots, c)
		if len(nodes) > 1 {
			slices.SortFunc(nodes, func(a, b Node) int { return a.Compare(&b) })
		}
		for i := range nodes {
			n := &nodes[i]
			if i == 0 || nodes[i-1].Op != n.Op {
				x.byOp[n.Op] = append(x.byOp[n.Op], c)
			}
			for j, a := range n.Operands() {
				if !slices.Contains(n.Args[:j], a) {
					x.uses[a]++
				}
			}
		}
	}
}

// visible returns the class of node id, unless the node is dead or its class has a constant and the node is another.
func (g *Graph) visible(id int) (ClassID, bool) {
	n := &g.nodes[id]
	if !n.live() {
		return 0, false
	}
	c := g.Find(ClassID(id))
	k := g.classes[c].constant
	return c, k == 0 || n.constant() && n.Imm == k-1
}

// resize returns a slice of n zeros, in the same memory if it is large enough.
func resize(s []uint32, n int) []uint32 {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}
