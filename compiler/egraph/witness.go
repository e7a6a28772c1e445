package egraph

// Witness is a term made of nodes, by which a pass shows what it has read out of the classes or added to them. A proof then
// says that the pass made one term of the other, and leaves what else is equal to their parts to the rules that said so.
type Witness struct {
	Class    ClassID
	id       NodeID
	operands []*Witness // nil for an atom
}

// Records reports whether unions are recorded. Where they are not, witnesses are of no use.
func (g *Graph) Records() bool { return g.history != nil }

// Atom is a class that a pass does not look into.
func (g *Graph) Atom(c ClassID) *Witness {
	id := NodeID(g.Find(c))
	if g.classes[id].constant != 0 {
		id = g.constantNode(c)
	}
	return &Witness{Class: c, id: id}
}

// Witness is node n, which is added if need be, on operands in n's classes.
func (g *Graph) Witness(n Node, operands ...*Witness) *Witness {
	id := g.add(n)
	return &Witness{ClassID(id), id, operands}
}

// UnionTerms is Union of the classes of two witnesses, inside a pass.
func (g *Graph) UnionTerms(from, to *Witness) bool {
	if g.Find(from.Class) == g.Find(to.Class) {
		return false
	}
	g.checkClaim(from.id, to.id, g.stage)
	h := g.history
	h.witnesses = append(h.witnesses, [2]*Witness{from, to})
	h.link(record{kind: shown, from: from.id, to: to.id, reason: g.stage, ids: uint32(len(h.witnesses) - 1)})
	return g.union(from.Class, to.Class, g.stage)
}

// shown is the instance of a witness; its root is the last part.
func (p *prover) shown(w *Witness) instance {
	var out instance
	number := map[*Witness]int{}
	var visit func(w *Witness) int
	visit = func(w *Witness) int {
		if i, ok := number[w]; ok {
			return i
		}
		var operands []int
		for _, o := range w.operands {
			operands = append(operands, visit(o))
		}
		i := len(out)
		out = append(out, part{})
		out.set(p, i, p.h.born[w.id], w.id, operands)
		number[w] = i
		return i
	}
	visit(w)
	return out
}
