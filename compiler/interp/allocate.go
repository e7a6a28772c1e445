package interp

import (
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// allocate turns a compact function into instructions over slots. Parameters and constants have slots of their own;
// everything else shares registers: a register is free after the last use of its value, and the instruction of that
// last use may already write to it.
func allocate(f *ir.Func) *Program {
	p := &Program{name: f.Name}
	fresh := func(t ir.Type) slot {
		s := slot{t, p.slots[class(t)]}
		p.slots[class(t)]++
		return s
	}

	// lastUse is the index of the last node that reads a value; a result is read after the end.
	lastUse := make([]int, len(f.Nodes))
	for i, n := range f.Nodes {
		reads := n.Operands()
		switch n.Op {
		case ir.Append: // its loop reads the value
			continue
		case ir.Loop:
			reads = f.Elements(n.Args[0])
		}
		for _, a := range reads {
			lastUse[a] = i
		}
	}
	for _, r := range f.Results {
		lastUse[r] = len(f.Nodes)
	}

	var free [ir.NumTypes][]slot
	take := func(t ir.Type) slot {
		c := class(t)
		if n := len(free[c]); n > 0 {
			s := slot{t, free[c][n-1].index}
			free[c] = free[c][:n-1]
			return s
		}
		s := fresh(t)
		p.regs = append(p.regs, s)
		return s
	}

	at := make([]slot, len(f.Nodes))
	release := func(a ir.Value, i int) {
		// What a loop made is kept: its values appear before the nodes that stand for them.
		if op := f.Nodes[a].Op; lastUse[a] == i && !op.Leaf() && op != ir.Proj {
			free[f.Nodes[a].Type] = append(free[f.Nodes[a].Type], at[a])
			lastUse[a] = -1 // an operand that is used twice is freed once
		}
	}
	made := map[ir.Value]*loopCode{}
	for i, n := range f.Nodes {
		switch n.Op {
		case ir.Param:
			at[i] = fresh(n.Type)
			p.params = append(p.params, at[i])
			p.names = append(p.names, f.Params[n.Imm].Name)
		case ir.Const:
			at[i] = fresh(n.Type)
			p.consts = append(p.consts, spread(at[i], n.Imm))
		case ir.Empty, ir.Append:
		case ir.Loop:
			c := &loopCode{body: allocate(f.Body(n))}
			for _, a := range f.Elements(n.Args[0]) {
				c.args, c.typ = append(c.args, at[a]), append(c.typ, f.Nodes[a].Type)
			}
			for _, a := range f.Elements(n.Args[0]) {
				release(a, i)
			}
			for _, t := range c.typ {
				c.dst = append(c.dst, take(t))
			}
			made[ir.Value(i)] = c
			p.code = append(p.code, instr{op: ir.Loop, loop: len(p.loops)})
			p.loops = append(p.loops, c)
		case ir.Proj:
			at[i] = made[n.Args[0]].dst[n.Imm]
		default:
			in := instr{op: n.Op, def: f.Def(n), table: f.Table(n)}
			for j, a := range n.Operands() {
				*[]*slot{&in.a, &in.b, &in.c}[j] = at[a]
				release(a, i)
			}
			at[i] = take(n.Type)
			in.dst = at[i]
			p.code = append(p.code, in)
		}
	}
	for _, r := range f.Results {
		s := at[r]
		if f.Nodes[r].Op == ir.Param {
			// Results are stored one after the other, perhaps over this parameter: move it out of the way.
			s = fresh(s.typ)
			p.regs = append(p.regs, s)
			p.code = append(p.code, instr{op: ir.Convert, dst: s, a: at[r]})
		}
		p.results = append(p.results, s)
	}
	return p
}

// spread fills a block with the constant whose bits are given.
func spread(s slot, bits uint64) constant {
	c := constant{slot: s}
	switch class(s.typ) {
	case ir.Float32:
		c.f32 = slices.Repeat([]float32{math.Float32frombits(uint32(bits))}, blockLen)
	case ir.Float64:
		c.f64 = slices.Repeat([]float64{math.Float64frombits(bits)}, blockLen)
	case ir.Bool:
		c.bool = slices.Repeat([]bool{bits != 0}, blockLen)
	default:
		c.ints = slices.Repeat([]int64{ir.BitsInt(s.typ, bits)}, blockLen)
	}
	return c
}
