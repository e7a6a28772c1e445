package egraph

import "github.com/go-yolk/yolk/compiler/ir"

// machine runs programs on a clean, indexed graph. Its buffers are reused.
type machine struct {
	g     *Graph
	limit int // matches per search
	p     *program
	root  ClassID
	reg   []ClassID
	facts []ir.Fact
	since uint32 // value of the clock from which on classes are new
}

// search fills p.found with the matches whose guard says yes and that were not there when p was searched before, ordered
// by root class.
func (m *machine) search(p *program) {
	p.found.reset()
	source, _ := p.sides()
	for _, n := range source.Nodes {
		if !n.leaf() && len(m.g.index.byOp[n.Op]) == 0 {
			return
		}
	}
	if p.code == nil {
		m.g.compile(p)
	}
	m.p, m.since = p, p.searched
	if len(m.reg) < p.regs {
		m.reg = make([]ClassID, p.regs)
	}
	for _, c := range m.g.index.byOp[p.root] {
		m.root = c
		m.reg[0] = c
		if !m.run(0, ir.Invalid) {
			return
		}
	}
}

// run executes the program from pc on; t is the float type of the match, Invalid until an operation has shown it.
// It returns false when the limit of matches is reached.
func (m *machine) run(pc int, t ir.Type) bool {
	for ; pc < len(m.p.code); pc++ {
		in := &m.p.code[pc]
		switch in.code {
		case bind:
			return m.bind(in, pc+1, t)
		case compare:
			if m.reg[in.reg] != m.reg[in.arg] {
				return true
			}
		case lookup:
			c := m.reg[in.reg]
			if t == ir.Invalid {
				t = m.g.nodes[c].Type
			}
			if m.g.nodes[c].Type != t || m.g.classes[c].constant != in.constant.of(t)+1 {
				return true
			}
		}
	}
	return m.match(t)
}

// bind tries the nodes of a class, each in both orders of its operands if the operation is commutative.
func (m *machine) bind(in *instruction, next int, t ir.Type) bool {
	c := m.reg[in.reg]
	typ := m.g.nodes[c].Type
	sh := shape[in.op]
	switch {
	case sh == ir.ShapeConvert:
		if typ != in.typ {
			return true
		}
	case sh == ir.ShapeCompare: // the type is that of its operands
	case t == ir.Invalid:
		t = typ
	case t != typ:
		return true
	}
	args := m.reg[in.arg : in.arg+int(arity[in.op])]
	nodes := m.g.index.class(c)
	for i := range nodes {
		n := &nodes[i]
		if n.Op < in.op || n.Op == in.op && n.Pin && m.p.unpinned {
			continue
		}
		if n.Op > in.op {
			break
		}
		if n.Imm != in.imm {
			continue // another definition's call or another table
		}
		of := t
		if sh == ir.ShapeCompare {
			if typ := m.g.nodes[n.Args[0]].Type; of == ir.Invalid {
				of = typ
			} else if of != typ {
				continue
			}
		}
		copy(args, n.Args[:])
		if !m.run(next, of) {
			return false
		}
		if commutative[in.op] && n.Args[0] != n.Args[1] {
			copy(args, n.Args[:])
			args[0], args[1] = n.Args[1], n.Args[0]
			if !m.run(next, of) {
				return false
			}
		}
	}
	return true
}

// match records the match that the registers hold, if the rewrite is for its type and its guard says yes. A match whose
// classes have all stayed as they were is an old one.
func (m *machine) match(t ir.Type) bool {
	p := m.p
	old := true
	for _, c := range m.reg[:p.regs] {
		if m.g.classes[c].stamp >= m.since {
			old = false
			break
		}
	}
	if old {
		return true
	}
	if t == ir.Invalid { // conversions only
		t = m.g.nodes[m.root].Type
	}
	if p.rule.Type != ir.Invalid && p.rule.Type != t {
		return true
	}
	if p.rule.Guard != nil {
		m.facts = m.facts[:0]
		for _, r := range p.vars {
			fact := ir.Unknown
			if r >= 0 {
				fact = m.g.classes[m.reg[r]].fact
			}
			m.facts = append(m.facts, fact)
		}
		if p.rule.Guard(m.facts) != Yes {
			return true
		}
	}
	if len(p.found.roots) >= m.limit {
		p.found.truncated = true
		return false
	}
	p.found.roots = append(p.found.roots, m.root)
	p.found.types = append(p.found.types, t)
	for _, r := range p.keep {
		c := m.root
		if r >= 0 {
			c = m.reg[r]
		}
		p.found.kept = append(p.found.kept, c)
	}
	return true
}

// instantiate adds the target of a match and appends the node of each of the pattern's nodes to ids. It reports false if
// the types do not fit, which a rule with conversions may find out only here.
func (g *Graph) instantiate(p *program, t ir.Type, vars []ClassID, ids []NodeID) ([]NodeID, bool) {
	base := len(ids)
	for i := range p.target {
		n := &p.target[i]
		var id NodeID
		switch {
		case n.Op == ir.OpInvalid:
			id = NodeID(vars[n.Var])
		case n.Op.Leaf():
			id = g.add(g.pooled(t, n.constant.of(t)))
		default:
			node := Node{Op: n.Op, Type: t, Pin: n.Pin, Imm: n.imm}
			switch shape[n.Op] {
			case ir.ShapeCompare:
				node.Type = ir.Bool
			case ir.ShapeConvert:
				node.Type = n.Type
			}
			for j := range int(arity[n.Op]) {
				a := ids[base+n.Args[j]]
				node.Args[j] = ClassID(a)
				if !g.fits(n.Op, j, g.nodes[a].Type, t) {
					return ids, false
				}
			}
			id = g.add(node)
		}
		ids = append(ids, id)
	}
	return ids, true
}

// fits reports whether operand j of op may have type typ in a match of type t.
func (g *Graph) fits(op ir.Op, j int, typ, t ir.Type) bool {
	switch {
	case shape[op] == ir.ShapeConvert:
		return typ.IsFloat()
	case shape[op] == ir.ShapeSelect && j == 0:
		return typ == ir.Bool
	}
	return typ == t
}
