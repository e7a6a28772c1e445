package egraph

import (
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
	firing   int // index into Stats.Firings
	reason   Reason
	root     ir.Op
	code     []instruction
	regs     int
	vars     []int // register of every variable of rule.Vars; -1 if the source does not bind it
	unpinned bool  // pinned nodes do not match
	target   []targetNode
	found    matches
}

// targetNode is a node of the side that a match is rewritten to.
type targetNode struct {
	PatternNode
	constant typedConstant
}

// matches is a list of matches in flat buffers: match i has root roots[i], float type types[i] and the classes
// vars[i*len(rule.Vars):][:len(rule.Vars)].
type matches struct {
	roots     []ClassID
	types     []ir.Type
	vars      []ClassID
	truncated bool // the limit was reached
}

func (m *matches) reset() {
	m.roots, m.types, m.vars, m.truncated = m.roots[:0], m.types[:0], m.vars[:0], false
}

// compilePrograms compiles the directions in which a rewrite can be applied.
func (g *Graph) compilePrograms(r *Rewrite, firing int, reason Reason) []*program {
	var out []*program
	sides := [][2]*Pattern{{r.LHS, r.RHS}}
	if r.Kind == Identity {
		sides = append(sides, [2]*Pattern{r.RHS, r.LHS})
	}
	for _, s := range sides {
		if p := g.compile(r, s[0], s[1]); p != nil {
			p.firing, p.reason = firing, reason
			out = append(out, p)
		}
	}
	return out
}

// compile returns nil if source is no operation or does not bind every variable of target.
func (g *Graph) compile(r *Rewrite, source, target *Pattern) *program {
	root := source.Nodes[source.Root()]
	if root.Op == ir.OpInvalid || root.Op.Leaf() {
		return nil
	}
	p := &program{rule: r, root: root.Op, regs: 1, vars: make([]int, len(r.Vars)), unpinned: r.Licence != 0}
	for v := range p.vars {
		p.vars[v] = -1
	}
	// Registers are filled breadth first, so everything that can fail without a choice comes before the next choice.
	registers := make([]int, len(source.Nodes))
	for i := range registers {
		registers[i] = -1
	}
	type todo struct{ node, reg int }
	queue := []todo{{source.Root(), 0}}
	var binds []todo
	for len(queue) > 0 || len(binds) > 0 {
		if len(queue) == 0 {
			b := binds[0]
			binds = binds[1:]
			n := source.Nodes[b.node]
			p.code = append(p.code, instruction{code: bind, op: n.Op, typ: n.Type, reg: b.reg, arg: p.regs})
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
		default:
			registers[t.node] = t.reg
			binds = append(binds, t)
		}
	}
	for _, n := range target.Nodes {
		if n.Op == ir.OpInvalid && p.vars[n.Var] < 0 {
			return nil
		}
		tn := targetNode{PatternNode: n}
		if n.Op.Leaf() {
			tn.constant = g.typedConstant(n)
		}
		p.target = append(p.target, tn)
	}
	return p
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
