package compiler

import (
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// What is done to loops and choices before algebra begins. None of it changes a bit of what is computed.

// The size of what a loop may become when it is unrolled.
const (
	maxUnrolled     = 64                  // rounds
	maxUnrolledSize = 512                 // nodes in all, of what is left when constants have been folded
	maxTrialSize    = 8 * maxUnrolledSize // nodes, before that
)

// loop adds a loop, unrolled if its end is known, and returns its variables.
func (s *simplifier) loop(body *ir.Func, args []ir.Value, used []bool) []ir.Value {
	if results, ok := s.unrolled(body, args); ok {
		return results
	}
	inner := newSimplifier(body.Name)
	inner.size = s.size
	t := trimming{body: body, args: args, used: used}
	invariants := s.invariants(&t)
	t.trim(s)
	for _, v := range t.keep {
		p := body.Params[v]
		if t.fixed[v] {
			p.Fact = s.fact(args[v])
		}
		inner.b.Param(p.Name, p.Type, p.Fact)
	}
	var hoisted []hoistedNode
	for _, h := range invariants {
		if t.live[h.node] && s.b.Node(h.value).Op != ir.Const {
			hoisted = append(hoisted, h)
		}
	}
	for _, h := range hoisted {
		inner.b.Param("invariant", s.b.Type(h.value), s.fact(h.value))
	}
	params := make([]ir.Value, len(body.Params))
	for i, v := range t.keep {
		params[v] = ir.Value(i)
	}
	for v, c := range t.constants {
		params[v] = inner.literal(c.Type, c.Imm)
	}
	given := map[ir.Value]ir.Value{}
	for i, h := range hoisted {
		given[h.node] = ir.Value(len(t.keep) + i)
	}
	for _, h := range invariants {
		if n := s.b.Node(h.value); n.Op == ir.Const {
			given[h.node] = inner.literal(n.Type, n.Imm)
		}
	}
	nexts := inner.inlineWith(body, params, given)
	again := nexts[0]
	inner.b.Return(again)
	for _, v := range t.keep {
		next := nexts[v+1]
		if !used[v] { // what a lane has that leaves is not looked at
			next = inner.assuming(again, next)
		}
		inner.b.Return(next)
	}
	for i := range hoisted {
		inner.b.Return(ir.Value(len(t.keep) + i))
	}
	first := make([]ir.Value, 0, len(t.keep)+len(hoisted))
	for _, v := range t.keep {
		first = append(first, args[v])
	}
	for _, h := range hoisted {
		first = append(first, h.value)
	}
	last, err := s.b.Loop(inner.b.Func().Compact(), first...)
	if err != nil {
		panic(err) // made of a verified loop
	}
	results := make([]ir.Value, len(args))
	copy(results, args) // what does not change
	for i, v := range t.keep {
		results[v] = last[i]
	}
	return results
}

// fact is what is known of a value that the operands' facts say.
func (s *simplifier) fact(v ir.Value) ir.Fact {
	if fact, ok := s.facts[v]; ok {
		return fact
	}
	fact, n := ir.Unknown, s.b.Node(v)
	switch {
	case n.Op == ir.Param:
		fact = s.b.Func().Params[n.Imm].Fact
	case n.Op == ir.Const && n.Type.IsFloat():
		fact = constFact(ir.BitsFloat(n.Type, n.Imm))
	case n.Op.Leaf() || n.Op.Call() || n.Op == ir.Lookup || n.Op.Info().Shape == ir.ShapeLoop || !n.Type.IsFloat():
	default:
		var facts []ir.Fact
		for _, a := range n.Operands() {
			facts = append(facts, s.fact(a))
		}
		if n.Op != ir.Convert || s.b.Type(n.Args[0]).IsFloat() {
			fact = interp.Transfer(n.Op, n.Type, facts)
		}
	}
	s.facts[v] = fact
	return fact
}

// unrolled adds the rounds of a loop one after the other, if it is known for each whether it is the last.
func (s *simplifier) unrolled(body *ir.Func, args []ir.Value) ([]ir.Value, bool) {
	// A trial in a function of its own finds out; most loops fail in the first round.
	trial := newSimplifier("trial")
	trial.size = s.size
	vars := make([]ir.Value, len(args))
	for _, p := range body.Params {
		trial.b.Param(p.Name, p.Type, ir.Unknown)
	}
	for i, a := range args {
		vars[i] = ir.Value(i)
		if bits, ok := s.constant(a); ok {
			vars[i] = trial.literal(s.b.Type(a), bits)
		}
	}
	rounds := 0
	for again := true; again; rounds++ {
		trial.size += len(body.Nodes)
		if rounds == maxUnrolled || trial.size > maxTrialSize {
			return nil, false
		}
		results := trial.inline(body, vars)
		c, ok := trial.constant(results[0])
		if !ok {
			return nil, false
		}
		again, vars = c != 0, results[1:]
	}
	rolledOut := trial.b.Func()
	rolledOut.Results = vars
	if rolledOut.Compact().Arithmetic() > maxUnrolledSize {
		return nil, false
	}
	s.size = trial.size
	return s.inline(rolledOut, args), true
}

// assuming returns what v is where cond holds.
func (s *simplifier) assuming(cond, v ir.Value) ir.Value {
	for {
		n := s.b.Node(v)
		if n.Op != ir.Select {
			return v
		}
		switch c := n.Args[0]; {
		case s.implies(cond, c):
			v = n.Args[1]
		case s.b.Node(c).Op == ir.Not && s.implies(cond, s.b.Node(c).Args[0]), s.refutes(cond, c):
			v = n.Args[2]
		default:
			return v
		}
	}
}

// implies reports whether c is one of the conditions whose conjunction cond is.
func (s *simplifier) implies(cond, c ir.Value) bool {
	if cond == c {
		return true
	}
	n := s.b.Node(cond)
	return n.Op == ir.And && n.Type == ir.Bool && (s.implies(n.Args[0], c) || s.implies(n.Args[1], c))
}

// refutes reports whether the negation of c is one of those conditions.
func (s *simplifier) refutes(cond, c ir.Value) bool {
	n := s.b.Node(cond)
	if n.Op == ir.Not {
		return n.Args[0] == c
	}
	return n.Op == ir.And && n.Type == ir.Bool && (s.refutes(n.Args[0], c) || s.refutes(n.Args[1], c))
}

// trimming sorts out the variables of a loop.
type trimming struct {
	body *ir.Func
	args []ir.Value
	used []bool

	keep      []int // in order
	constants map[int]ir.Node
	fixed     []bool // never change
	invariant []bool // nodes that do not either
	live      []bool // nodes that are needed in the loop
}

func (t *trimming) trim(s *simplifier) {
	body := t.body
	t.constants = map[int]ir.Node{}
	// A variable is needed if its last value is, or if it takes part in whether to go on or in another one that is needed.
	needed := make([]bool, len(t.args))
	nodes := make([]bool, len(body.Nodes))
	t.live = nodes
	var need func(v ir.Value)
	need = func(v ir.Value) {
		if nodes[v] {
			return
		}
		nodes[v] = true
		n := body.Nodes[v]
		if t.invariant[v] && !n.Op.Leaf() {
			return // and is computed before the loop
		}
		if n.Op == ir.Param && !needed[n.Imm] {
			needed[n.Imm] = true
			need(body.Results[n.Imm+1])
		}
		for _, a := range n.Operands() {
			need(a)
		}
	}
	need(body.Results[0])
	for v, used := range t.used {
		if used && !t.fixed[v] {
			needed[v] = true
			need(body.Results[v+1])
		}
	}
	for v := range t.args {
		n := s.b.Node(t.args[v])
		switch {
		case !needed[v]:
		case t.fixed[v] && n.Op == ir.Const:
			t.constants[v] = n
		default:
			t.keep = append(t.keep, v)
		}
	}
	for v := range t.args { // parameters that only dead nodes read
		if _, ok := t.constants[v]; !needed[v] && !ok {
			t.constants[v] = ir.Node{Op: ir.Const, Type: body.Params[v].Type}
		}
	}
	if len(t.keep) == 0 { // a loop has a variable
		t.keep = []int{0}
		delete(t.constants, 0)
	}
}

// hoistedNode is a node of a body that is computed before the loop.
type hoistedNode struct{ node, value ir.Value }

// invariants computes before the loop what does not change in it, as far as it cannot fault, and lists the nodes.
func (s *simplifier) invariants(t *trimming) []hoistedNode {
	body := t.body
	t.fixed, t.invariant = make([]bool, len(t.args)), make([]bool, len(body.Nodes))
	for v := range t.args {
		t.fixed[v] = body.Fixed(ir.Value(v))
	}
	var list []hoistedNode
	remap := make([]ir.Value, len(body.Nodes))
	for i, n := range body.Nodes {
		switch {
		case n.Op == ir.Param:
			t.invariant[i] = t.fixed[n.Imm]
			remap[i] = t.args[n.Imm]
		case n.Op == ir.Const || n.Op == ir.Real:
			t.invariant[i] = true
			remap[i] = s.b.Copy(body, n, n.Through(remap)...)
		case n.Op.Info().Shape == ir.ShapeLoop || n.Type.IsInteger() && (n.Op == ir.Div || n.Op == ir.Rem):
		default:
			all := true
			for _, a := range n.Operands() {
				all = all && t.invariant[a]
			}
			if t.invariant[i] = all; all {
				remap[i] = s.node(body, n, remap)
				list = append(list, hoistedNode{ir.Value(i), remap[i]})
			}
		}
	}
	return list
}
