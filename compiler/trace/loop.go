package trace

import (
	"fmt"

	"github.com/go-yolk/yolk/compiler/ir"
)

// loop is what a While node runs.
type loop struct {
	run  *run    // of its variables
	vars []*node // parameters; those beyond given are Values from outside that cond or body use
	cond *node
	next []*node // by variable
}

// While is the loop
//
//	vars := first
//	for cond(vars) {
//		vars = body(vars)
//	}
//	return vars
//
// for every element. cond and body are run once, on Values that stand for the variables, and may use Values from outside of
// the loop. body returns as many Values as it is given, of the same types; a constant among first has the kernel's type. For an element where
// cond never fails the kernel does not end.
func While(cond func(vars []Value) Value, body func(vars []Value) []Value, first ...Value) []Value {
	pc := callers()
	l := &loop{run: &run{}}
	vars := make([]Value, len(first))
	var outer *run
	for i, v := range first {
		if v.n != nil && outer == nil {
			outer = v.n.run
		}
		vars[i] = l.variable(i, pc)
	}
	results := make([]Value, len(first))
	given := append([]Value(nil), vars...)
	c := cond(given)
	next := body(append([]Value(nil), vars...))
	if len(next) != len(first) || len(first) == 0 {
		for i := range results { // reported where the results are used
			results[i] = Value{n: &node{op: ir.Proj, method: "While", pc: pc, run: outer, fault: fmt.Sprintf("the body of While returns %d Values, not %d", len(next), len(first))}}
		}
		return results
	}
	inside := &closing{loop: l, memo: map[*node]*node{}, uses: map[*node]bool{}}
	l.cond = inside.close(c.n)
	for _, v := range next {
		l.next = append(l.next, inside.close(v.n))
	}
	tuple := &node{op: ir.Empty, method: "While", pc: pc}
	begin := func(n *node) {
		tuple = &node{op: ir.Append, method: "While", pc: pc, args: [3]*node{tuple, n}, run: outer}
	}
	for _, v := range first {
		begin(v.n)
	}
	for _, n := range inside.free {
		if outer == nil {
			outer = n.run
		}
		begin(n)
	}
	whole := &node{op: ir.Loop, method: "While", pc: pc, args: [3]*node{tuple}, loop: l, run: outer}
	for i := range results {
		results[i] = Value{n: &node{op: ir.Proj, method: "While", pc: pc, args: [3]*node{whole}, n: i, run: outer}}
		if outer != nil {
			outer.count()
		}
	}
	return results
}

func (l *loop) variable(i int, pc [2]uintptr) Value {
	n := &node{op: ir.Param, n: i, run: l.run, method: "While", pc: pc}
	l.vars = append(l.vars, n)
	return Value{n: n}
}

// closing makes variables of what a loop uses from outside: the largest expressions that do not depend on its own variables.
type closing struct {
	*loop
	memo map[*node]*node
	uses map[*node]bool // whether a node depends on the loop's variables; present once known
	free []*node
}

// depends reports whether n depends on the variables of the loop, and whether on any parameter.
func (c *closing) depends(n *node) bool {
	if n == nil {
		return false
	}
	if d, ok := c.uses[n]; ok {
		return d
	}
	d := n.op == ir.Param && n.run == c.run
	for _, a := range n.args {
		d = c.depends(a) || d
	}
	c.uses[n] = d
	return d
}

// close copies n with what comes from outside replaced by variables. Constants are copied as they are.
func (c *closing) close(n *node) *node {
	if n == nil || n.run == nil && !c.depends(n) {
		return n
	}
	if m, ok := c.memo[n]; ok {
		return m
	}
	var m *node
	switch {
	case !c.depends(n):
		m = c.variable(len(c.vars), n.pc).n
		c.free = append(c.free, n)
	case n.op == ir.Param:
		m = n
	default:
		clone := *n
		for i, a := range n.args {
			clone.args[i] = c.close(a)
		}
		clone.run = c.run
		m = &clone
	}
	c.memo[n] = m
	return m
}

// inferLoop is infer for the nodes that While makes.
func (p *program) inferLoop(e *entry, fault func(format string, args ...any) error) error {
	n := e.n
	e.typ = ir.Tuple
	switch n.op {
	case ir.Append:
		e.operand = p.settledType(p.order[e.args[1]].typ)
	case ir.Proj:
		e.typ = p.order[e.args[0]].n.loop.vars[n.n].typ
	case ir.Loop:
		i := len(n.loop.vars) - 1
		for at := e.args[0]; p.order[at].n.op == ir.Append; at = p.order[at].args[0] {
			n.loop.vars[i].typ = p.settled(&p.order[p.order[at].args[1]])
			i--
		}
		if n.loop.cond == nil {
			return fault("the condition of While is the zero Value")
		}
	}
	return nil
}

// emitLoop makes a loop and returns one of its values, which come last.
func (p *program) emitLoop(b *ir.Builder, e *entry) (ir.Value, error) {
	body, err := p.body(e.n.loop, e.n.pc)
	if err != nil {
		return 0, err
	}
	args := make([]ir.Value, len(e.n.loop.vars))
	i := len(args) - 1
	for at := e.args[0]; p.order[at].n.op == ir.Append; at = p.order[at].args[0] {
		first := &p.order[p.order[at].args[1]]
		args[i] = first.val[p.settled(first)]
		i--
	}
	results, err := b.Loop(body, args...)
	if err != nil {
		return 0, err
	}
	if p.loops == nil {
		p.loops = map[*node][]ir.Value{}
	}
	p.loops[e.n] = results
	return results[len(results)-1], nil
}

// body makes the body of a loop, whose variables have their types.
func (p *program) body(l *loop, pc [2]uintptr) (*ir.Func, error) {
	inner := &program{run: l.run, dtype: p.dtype, fn: pc}
	for i, v := range l.vars {
		inner.params = append(inner.params, ir.Parameter{Name: fmt.Sprintf("v%d", i), Type: v.typ, Fact: ir.Unknown})
	}
	if err := inner.build("While", append([]*node{l.cond}, l.next...)); err != nil {
		return nil, err
	}
	b := ir.NewBuilder("While")
	args := make([]ir.Value, len(l.vars))
	for i, q := range inner.params {
		args[i] = b.Param(q.Name, q.Type, q.Fact)
	}
	results := b.Inline(inner.f, args...)
	if b.Type(results[0]) != ir.Bool {
		return nil, fmt.Errorf("the condition of While is a %s; compare it, as by x.Less(y)", b.Type(results[0]).GoName())
	}
	b.Return(results[0])
	for i := range args {
		next := args[i]
		if i < len(l.next) {
			next = results[1+i]
			if have, want := b.Type(next), b.Type(args[i]); have != want {
				return nil, fmt.Errorf("variable %d of While begins as %s and goes on as %s; convert it", i, want.GoName(), have.GoName())
			}
			next = b.Must(ir.Select, results[0], next, args[i])
		}
		b.Return(next)
	}
	return b.Func().Compact(), nil
}
