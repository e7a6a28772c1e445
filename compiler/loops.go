package compiler

import (
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// What is done to loops and choices before algebra begins. None of it changes a bit of what is computed.

// The size of what a loop may become when it is unrolled.
const (
	maxUnrolled     = 64  // rounds
	maxUnrolledSize = 512 // nodes in all
)

// simplified returns f with constant conditions decided, small loops of constant trip count unrolled, work that does not change taken out
// of the others, and variables that nothing needs left out.
func simplified(f *ir.Func) *ir.Func {
	s := newSimplifier(f.Name)
	for _, p := range f.Params {
		s.b.Param(p.Name, p.Type, p.Fact)
	}
	args := make([]ir.Value, len(f.Params))
	for i := range args {
		args[i] = ir.Value(i)
	}
	for _, r := range s.inline(f, args) {
		s.b.Return(r)
	}
	g := s.b.Func().Compact()
	if g.String() == f.Compact().String() {
		return f
	}
	return g
}

// simplifier builds a function and folds what it can in the types of the operations.
type simplifier struct {
	b    *ir.Builder
	size int // nodes that unrolling has added
}

func newSimplifier(name string) *simplifier { return &simplifier{b: ir.NewBuilder(name)} }

// inline adds f for the given parameters and returns its results.
func (s *simplifier) inline(f *ir.Func, params []ir.Value) []ir.Value {
	remap := make([]ir.Value, len(f.Nodes))
	loops := map[ir.Value][]ir.Value{}
	for i, n := range f.Nodes {
		switch n.Op {
		case ir.Param:
			remap[i] = params[n.Imm]
		case ir.Empty, ir.Append:
		case ir.Loop:
			var args []ir.Value
			for _, a := range f.Elements(n.Args[0]) {
				args = append(args, remap[a])
			}
			loops[ir.Value(i)] = s.loop(f.Body(n), args, usedVariables(f, ir.Value(i)))
		case ir.Proj:
			remap[i] = loops[n.Args[0]][n.Imm]
		default:
			remap[i] = s.node(f, n, remap)
		}
	}
	results := make([]ir.Value, len(f.Results))
	for i, r := range f.Results {
		results[i] = remap[r]
	}
	return results
}

// usedVariables are the variables of a loop whose last values are used.
func usedVariables(f *ir.Func, loop ir.Value) []bool {
	used := make([]bool, len(f.Body(f.Nodes[loop]).Params))
	for _, n := range f.Nodes {
		if n.Op == ir.Proj && n.Args[0] == loop {
			used[n.Imm] = true
		}
	}
	return used
}

// constant is the bits of a Const.
func (s *simplifier) constant(v ir.Value) (uint64, bool) {
	n := s.b.Node(v)
	return n.Imm, n.Op == ir.Const
}

// node adds a node, unless it is constant or one of its operands. Sums and products of floats are left to algebra, which folds them better.
func (s *simplifier) node(f *ir.Func, n ir.Node, remap []ir.Value) ir.Value {
	operands := n.Operands()
	if n.Op == ir.Select {
		cond, yes, no := remap[operands[0]], remap[operands[1]], remap[operands[2]]
		if c, ok := s.constant(cond); ok {
			if c != 0 {
				return yes
			}
			return no
		}
		if yes == no {
			return yes
		}
	}
	if n.Type == ir.Bool && (n.Op == ir.And || n.Op == ir.Or) {
		for i := range 2 {
			if c, ok := s.constant(remap[operands[i]]); ok {
				if (c != 0) == (n.Op == ir.And) {
					return remap[operands[1-i]]
				}
				return remap[operands[i]]
			}
		}
	}
	if n.Op == ir.Not {
		if m := s.b.Node(remap[operands[0]]); m.Op == ir.Not {
			return m.Args[0]
		}
	}
	if v, ok := s.fold(f, n, remap); ok {
		return v
	}
	return s.b.Copy(f, n, n.Through(remap)...)
}

func (s *simplifier) fold(f *ir.Func, n ir.Node, remap []ir.Value) (ir.Value, bool) {
	if len(n.Operands()) == 0 || n.Type.IsFloat() {
		return 0, false
	}
	var types []ir.Type
	var args []uint64
	for _, a := range n.Operands() {
		bits, ok := s.constant(remap[a])
		if !ok {
			return 0, false
		}
		args, types = append(args, bits), append(types, s.b.Type(remap[a]))
	}
	bits, ok := interp.FoldNode(n, types, args)
	if !ok {
		return 0, false
	}
	return s.literal(n.Type, bits), true
}

func (s *simplifier) literal(t ir.Type, bits uint64) ir.Value {
	if t.IsInteger() {
		return s.b.Int(t, ir.BitsInt(t, bits))
	}
	return s.b.Const(t, ir.BitsFloat(t, bits))
}

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
		inner.b.Param(p.Name, p.Type, p.Fact)
	}
	var hoisted []hoistedNode
	for _, h := range invariants {
		if t.live[h.node] && s.b.Node(h.value).Op != ir.Const {
			hoisted = append(hoisted, h)
		}
	}
	for _, h := range hoisted {
		inner.b.Param("invariant", s.b.Type(h.value), ir.Unknown)
	}
	remap := make([]ir.Value, len(body.Nodes))
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
	loops := map[ir.Value][]ir.Value{}
	for i, n := range body.Nodes {
		if v, ok := given[ir.Value(i)]; ok {
			remap[i] = v
			continue
		}
		switch n.Op {
		case ir.Param:
			remap[i] = params[n.Imm]
		case ir.Empty, ir.Append:
		case ir.Loop:
			var list []ir.Value
			for _, a := range body.Elements(n.Args[0]) {
				list = append(list, remap[a])
			}
			loops[ir.Value(i)] = inner.loop(body.Body(n), list, usedVariables(body, ir.Value(i)))
		case ir.Proj:
			remap[i] = loops[n.Args[0]][n.Imm]
		default:
			remap[i] = inner.node(body, n, remap)
		}
	}
	again := remap[body.Results[0]]
	inner.b.Return(again)
	for _, v := range t.keep {
		next := remap[body.Results[v+1]]
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
		if rounds == maxUnrolled || trial.size > maxUnrolledSize*8 {
			return nil, false
		}
		results := trial.inline(body, vars)
		c, ok := trial.constant(results[0])
		if !ok {
			return nil, false
		}
		again, vars = c != 0, results[1:]
	}
	size := trial.b.Func().MapBodies(func(f *ir.Func) *ir.Func { return f })
	size.Results = vars
	if n := size.Compact().Arithmetic(); n > maxUnrolledSize {
		return nil, false
	}
	s.size = trial.size
	return s.inline(size, args), true
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
		n := body.Nodes[body.Results[v+1]]
		t.fixed[v] = n.Op == ir.Param && int(n.Imm) == v
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

// pinned returns f with everything as written that decides which way a computation goes: the operands of comparisons, the first values of
// loops, and their bodies. Rounding that moved there could change the path.
func pinned(f *ir.Func) *ir.Func {
	return pin(f, false)
}

func pin(f *ir.Func, all bool) *ir.Func {
	if !all && len(f.Bodies) == 0 && !compares(f) {
		return f
	}
	g := *f.MapBodies(func(body *ir.Func) *ir.Func { return pin(body, true) })
	g.Nodes = append([]ir.Node(nil), f.Nodes...)
	decides := make([]bool, len(f.Nodes))
	for i := len(f.Nodes) - 1; i >= 0; i-- {
		n := &g.Nodes[i]
		for _, a := range n.Operands() {
			decides[a] = decides[a] || decides[i] || n.Op == ir.Append || n.Op.Info().Shape == ir.ShapeCompare ||
				n.Op == ir.Convert && n.Type.IsInteger()
		}
		if (all || decides[i]) && n.Type.IsFloat() && !n.Op.Leaf() && n.Op.Info().Shape != ir.ShapeLoop && n.Op.Info().Shape != ir.ShapeSelect {
			n.Pin = true
		}
	}
	b := ir.NewBuilder(f.Name) // equal nodes may have become one
	for _, p := range g.Params {
		b.Param(p.Name, p.Type, p.Fact)
	}
	args := make([]ir.Value, len(g.Params))
	for i := range args {
		args[i] = ir.Value(i)
	}
	for _, r := range b.Inline(&g, args...) {
		b.Return(r)
	}
	return b.Func()
}

// compares reports whether f has a comparison of something that was computed.
func compares(f *ir.Func) bool {
	for _, n := range f.Nodes {
		if n.Op.Info().Shape != ir.ShapeCompare {
			continue
		}
		for _, a := range n.Args[:2] {
			if !f.Nodes[a].Op.Leaf() {
				return true
			}
		}
	}
	return false
}

// assumedTrips is how often a loop of which nothing is known goes round, in costs.
const assumedTrips = 16

// trips estimates how often a loop goes round: as often as a counter that begins as a constant takes to a constant.
func trips(f *ir.Func, n ir.Node) ir.Cost {
	body, args := f.Body(n), f.Elements(n.Args[0])
	most := ir.Cost(0)
	var look func(v ir.Value)
	look = func(v ir.Value) {
		c := body.Nodes[v]
		if c.Op == ir.And {
			look(c.Args[0])
			look(c.Args[1])
		}
		if c.Op != ir.Lt && c.Op != ir.Le {
			return
		}
		x, end := body.Nodes[c.Args[0]], body.Nodes[c.Args[1]]
		if x.Op == ir.Add && body.Nodes[x.Args[0]].Op == ir.Param {
			x = body.Nodes[x.Args[0]]
		}
		if x.Op != ir.Param || end.Op != ir.Const {
			return
		}
		first := f.Nodes[args[x.Imm]]
		if first.Op != ir.Const {
			return
		}
		if d := ir.BitsFloat(end.Type, end.Imm) - ir.BitsFloat(first.Type, first.Imm); d >= 1 && d <= 1<<16 {
			most = ir.Cost(d)
		}
	}
	look(body.Results[0])
	if most == 0 {
		return assumedTrips
	}
	return min(most, 1<<16)
}

// loopCosts is what the loops of f cost, each round what cost says of the body.
func loopCosts(f *ir.Func, cost func(*ir.Func) ir.Cost) ir.Cost {
	var sum ir.Cost
	for _, n := range f.Nodes {
		if n.Op != ir.Loop {
			continue
		}
		round := cost(f.Body(n))
		if times := uint64(round) * uint64(trips(f, n)); times < uint64(ir.InfiniteCost) {
			sum = sum.Plus(ir.Cost(times))
		} else {
			sum = ir.InfiniteCost
		}
	}
	return sum
}
