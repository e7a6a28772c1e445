package egraph

import (
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// opcode is what an instruction of the matching machine does (de Moura and Bjørner 2007).
type opcode uint8

const (
	bind    opcode = iota // for every node with op in class reg: load its operands into the registers from arg on
	compare               // fail unless registers reg and arg hold the same class
	lookup                // fail unless class reg is the constant
)

type instruction struct {
	code     opcode
	op       ir.Op
	typ      ir.Type // of a Convert
	imm      uint32  // of a call or lookup: the number of the definition or table
	reg, arg int
	constant typedConstant
}

// typedConstant is a pattern's constant as an index into the pool, which for special values depends on the type.
type typedConstant struct{ f32, f64 uint32 }

func (c typedConstant) of(t ir.Type) uint32 {
	if t == ir.Float32 {
		return c.f32
	}
	return c.f64
}

// program is one direction of a rewrite, ready to run on one graph.
type program struct {
	rule     *Rewrite
	backward bool // from the right side to the left
	reason   Reason
	root     ir.Op
	code     []instruction
	regs     int
	vars     []int  // register of every variable of rule.Vars; -1 if the source does not bind it
	keep     []int  // registers that a match records: vars, and if unions are recorded those of the source's nodes
	unpinned bool   // pinned nodes do not match
	searched uint32 // value of the clock when all matches were last found and applied; 0 if they were not
	target   []targetNode
	found    matches
}

// targetNode is a node of the side that a match is rewritten to.
type targetNode struct {
	PatternNode
	constant typedConstant
	imm      uint32 // of a call or lookup: the number of the definition or table
}

// matches is a list of matches in flat buffers: match i has root roots[i], float type types[i] and the classes
// kept[i*len(keep):][:len(keep)], which begin with those of rule.Vars.
type matches struct {
	roots     []ClassID
	types     []ir.Type
	kept      []ClassID
	truncated bool // the limit was reached
}

func (m *matches) reset() {
	m.roots, m.types, m.kept, m.truncated = m.roots[:0], m.types[:0], m.kept[:0], false
}

// directions returns the directions in which a rewrite can be applied. Their code is made when they are first searched
// for: a graph holds few of the operations that the laws are about.
func directions(r *Rewrite, reason Reason) []*program {
	var out []*program
	for _, backward := range []bool{false, true} {
		if backward && (r.Kind != Identity || mirrored(r)) {
			break
		}
		p := &program{rule: r, backward: backward, reason: reason}
		source, target := p.sides()
		p.root = source.Nodes[source.Root()].Op
		// A node of the target is not pinned unless the rule says so, and must not set a pinned one free.
		p.unpinned = r.Licence != 0 || !target.Nodes[target.Root()].leaf()
		if p.root != ir.OpInvalid && !p.root.Leaf() && binds(source, target) && !trivial(source, target) {
			out = append(out, p)
		}
	}
	return out
}

// sides returns what is looked for and what it is rewritten to.
func (p *program) sides() (source, target *Pattern) {
	if p.backward {
		return p.rule.RHS, p.rule.LHS
	}
	return p.rule.LHS, p.rule.RHS
}

// binds reports whether source has every variable of target.
func binds(source, target *Pattern) bool {
	for _, n := range target.Nodes {
		if n.Op == ir.OpInvalid && !slices.ContainsFunc(source.Nodes, func(m PatternNode) bool { return m.Op == n.Op && m.Var == n.Var }) {
			return false
		}
	}
	return true
}

// compile makes the code of a direction.
func (g *Graph) compile(p *program) {
	source, target := p.sides()
	p.regs, p.vars = 1, make([]int, len(p.rule.Vars))
	for v := range p.vars {
		p.vars[v] = -1
	}
	// Registers are filled breadth first, so everything that can fail without a choice comes before the next choice.
	registers := make([]int, len(source.Nodes))
	for i := range registers {
		registers[i] = -1
	}
	leaves := make([]int, len(source.Nodes))
	type todo struct{ node, reg int }
	queue := []todo{{source.Root(), 0}}
	var binds []todo
	for len(queue) > 0 || len(binds) > 0 {
		if len(queue) == 0 {
			b := binds[0]
			binds = binds[1:]
			n := source.Nodes[b.node]
			p.code = append(p.code, instruction{code: bind, op: n.Op, typ: n.Type, imm: g.patternImm(n), reg: b.reg, arg: p.regs})
			for i := range int(arity[n.Op]) {
				queue = append(queue, todo{n.Args[i], p.regs + i})
			}
			p.regs += int(arity[n.Op])
			continue
		}
		t := queue[0]
		queue = queue[1:]
		n := source.Nodes[t.node]
		known := registers[t.node]
		if n.Op == ir.OpInvalid {
			known = p.vars[n.Var]
		}
		switch {
		case known >= 0:
			p.code = append(p.code, instruction{code: compare, reg: known, arg: t.reg})
		case n.Op == ir.OpInvalid:
			p.vars[n.Var] = t.reg
		case n.Op.Leaf():
			p.code = append(p.code, instruction{code: lookup, reg: t.reg, constant: g.typedConstant(n)})
			leaves[t.node] = t.reg
		default:
			registers[t.node] = t.reg
			binds = append(binds, t)
		}
	}
	for _, n := range target.Nodes {
		tn := targetNode{PatternNode: n, imm: g.patternImm(n)}
		if n.Op.Leaf() {
			tn.constant = g.typedConstant(n)
		}
		p.target = append(p.target, tn)
	}
	p.keep = slices.Clone(p.vars)
	if g.history != nil {
		for i, n := range source.Nodes {
			switch {
			case n.Op == ir.OpInvalid:
				p.keep = append(p.keep, p.vars[n.Var])
			case n.Op.Leaf():
				p.keep = append(p.keep, leaves[i])
			default:
				p.keep = append(p.keep, registers[i])
			}
		}
	}
}

// patternImm is the Imm of the nodes that a pattern's operation stands for.
func (g *Graph) patternImm(n PatternNode) uint32 {
	switch {
	case n.Op.Call():
		return g.define(n.Def)
	case n.Op == ir.Lookup:
		return g.tabulate(n.Table)
	}
	return 0
}

// typedConstant enters a pattern's constant into the pool; it makes no node.
func (g *Graph) typedConstant(n PatternNode) typedConstant {
	of := func(t ir.Type) uint32 {
		if n.Op == ir.Real {
			return g.pool.intern(t, Constant{Real: n.Value})
		}
		return g.pool.intern(t, Constant{Bits: ir.ConstBits(t, n.Const)})
	}
	return typedConstant{of(ir.Float32), of(ir.Float64)}
}
