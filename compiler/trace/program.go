package trace

import (
	"fmt"
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// program turns one run's expression graph into an ir.Func, in three sweeps without recursion: types from the leaves up,
// the types at which untyped constants are wanted from the results down, operations from the leaves up.
type program struct {
	run    *run
	dtype  ir.Type
	params []ir.Parameter
	fn     [2]uintptr // the traced function: where mistakes in its results are reported

	rows map[*node]int // reductions of rows that are parameters, with their index

	loops map[*node][]ir.Value // the results of each Loop

	f   *ir.Func
	pos [][2]uintptr // of each node of f: the call that made it first

	order []entry // operands before uses
	index map[*node]int32
}

// entry is what is known about a node.
type entry struct {
	n       *node
	args    [3]int32 // indices into order
	typ     ir.Type  // of the result; Invalid while only untyped constants decide
	operand ir.Type  // of the operands, where it is not the result's: comparisons, conversions
	origin  origin
	need    [ir.NumTypes]bool     // the types that users ask for
	val     [ir.NumTypes]ir.Value // by type
}

// origin says whose parameters a node depends on: a set.
type origin uint8

const (
	ours origin = 1 << iota
	foreign
)

func (p *program) build(name string, results []*node) error {
	p.index = map[*node]int32{}
	for i, r := range results {
		if r == nil {
			return fmt.Errorf("%w: %s: result %d is the zero Value", ErrTrace, position(p.fn), i)
		}
		if err := p.sort(r); err != nil {
			return err
		}
	}
	for i := range p.order {
		if err := p.infer(&p.order[i]); err != nil {
			return err
		}
	}
	for i, r := range results {
		e := &p.order[p.index[r]]
		if e.origin&foreign != 0 {
			return fmt.Errorf("%w: %s: result %d is a Value of another trace, made at %s", ErrTrace, position(p.fn), i, position(r.pc))
		}
		e.need[p.settled(e)] = true
	}
	for i := len(p.order) - 1; i >= 0; i-- {
		p.demand(&p.order[i])
	}
	b := ir.NewBuilder(name)
	for _, param := range p.params {
		b.Param(param.Name, param.Type, param.Fact)
		p.pos = append(p.pos, p.fn)
	}
	for i := range p.order {
		if err := p.emit(b, &p.order[i]); err != nil {
			return err
		}
	}
	for _, r := range results {
		e := &p.order[p.index[r]]
		b.Return(e.val[p.settled(e)])
	}
	p.f = b.Func()
	p.order, p.index = nil, nil
	return nil
}

// settled is e's type; what nothing has decided has the kernel's type.
func (p *program) settled(e *entry) ir.Type { return p.settledType(e.typ) }

func (p *program) settledType(t ir.Type) ir.Type {
	if t == ir.Invalid {
		return p.dtype
	}
	return t
}

// sort appends r and what it depends on to p.order, depth first.
func (p *program) sort(r *node) error {
	const open = -1 // on the stack, operands not done
	stack := []*node{r}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		i, seen := p.index[n]
		if seen && i != open {
			stack = stack[:len(stack)-1]
			continue
		}
		if n.fault != "" {
			return fmt.Errorf("%w: %s: %s", ErrTrace, position(n.pc), n.fault)
		}
		arity := p.arity(n)
		if _, known := p.rows[n]; !seen && n.row != 0 && !known {
			return fmt.Errorf("%w: %s: %s in a function of elements; VectorizeRows makes kernels over rows", ErrTrace, position(n.pc), n.method)
		}
		if !seen && n.row == 0 && (n.op == ir.OpInvalid || n.op.Call()) {
			if err := n.def.Check(); err != nil {
				return fmt.Errorf("%w: %s: %w", ErrTrace, position(n.pc), err)
			}
			if n.n != arity {
				return fmt.Errorf("%w: %s: %s of %d operands, want %d", ErrTrace, position(n.pc), n.method, n.n, arity)
			}
		}
		if !seen {
			p.index[n] = open
			for i := arity - 1; i >= 0; i-- {
				if n.args[i] == nil {
					return fmt.Errorf("%w: %s: operand %d of %s is the zero Value", ErrTrace, position(n.pc), i, n.method)
				}
				if _, seen := p.index[n.args[i]]; !seen {
					stack = append(stack, n.args[i])
				}
			}
			continue
		}
		stack = stack[:len(stack)-1]
		e := entry{n: n}
		for i := range arity {
			e.args[i] = p.index[n.args[i]]
		}
		p.index[n] = int32(len(p.order))
		p.order = append(p.order, e)
	}
	return nil
}

// arity is the number of operands that are Values: the exponent of Pow is not.
func (p *program) arity(n *node) int {
	if n.op == ir.Pow {
		return 1
	}
	return n.op.Info().Arity
}

func (p *program) args(e *entry) []int32 { return e.args[:p.arity(e.n)] }

// infer finds the type of e from its operands'.
func (p *program) infer(e *entry) error {
	n := e.n
	fault := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s: %s", ErrTrace, position(n.pc), fmt.Sprintf(format, args...))
	}
	if n.row != 0 {
		e.typ, e.origin = p.dtype, ours
		if n.run != p.run {
			e.origin = foreign
		}
		return nil
	}
	if n.op == ir.Param {
		e.typ, e.origin = n.typ, ours
		if n.run != p.run {
			e.origin = foreign
		}
		return nil
	}
	for _, a := range p.args(e) {
		e.origin |= p.order[a].origin
	}
	if e.origin == ours|foreign {
		for i, a := range p.args(e) {
			if arg := &p.order[a]; arg.origin == foreign {
				return fault("operand %d of %s is a Value of another trace, made at %s", i, n.method, position(arg.n.pc))
			}
		}
	}
	same, shape := p.args(e), n.op.Info().Shape
	if shape == ir.ShapeLoop {
		return p.inferLoop(e, fault)
	}
	if n.op == ir.Select {
		if cond := &p.order[same[0]]; cond.typ != ir.Bool {
			return fault("%s needs a bool, such as x.Less(y) makes, not a %s", n.method, p.settled(cond).GoName())
		}
		same = same[1:]
	}
	var t ir.Type
	for _, a := range same {
		switch u := p.order[a].typ; {
		case u == ir.Bool && shape != ir.ShapeBits && shape != ir.ShapeSelect && shape != ir.ShapeConvert:
			return fault("%s needs numbers, not a bool made by %s at %s", n.method, p.order[a].n.method, position(p.order[a].n.pc))
		case t == ir.Invalid:
			t = u
		case u != ir.Invalid && u != t:
			return fault("%s of %s and %s; convert one of them with Convert", n.method, t.GoName(), u.GoName())
		}
	}
	if n.op == ir.Pow && p.settledType(t).IsInteger() && n.n < 0 {
		return fault("an integer has no power of %d; convert it to a float", n.n)
	}
	switch shape {
	case ir.ShapeCompare:
		if t == ir.Invalid {
			t = p.dtype
		}
		e.typ, e.operand = ir.Bool, t
	case ir.ShapeConvert:
		if !n.typ.IsNumber() {
			return fault("Convert to %v; want a float or an integer, such as ufunc.Float32", n.typ)
		}
		if t == ir.Invalid {
			t = n.typ
		}
		e.typ, e.operand = n.typ, t
	default:
		e.typ = t
	}
	return nil
}

// demand tells e's operands at which types e needs them.
func (p *program) demand(e *entry) {
	for _, a := range p.args(e) {
		arg := &p.order[a]
		switch {
		case arg.typ != ir.Invalid:
			arg.need[arg.typ] = true
		case e.operand != ir.Invalid:
			arg.need[e.operand] = true
		default:
			for t, need := range e.need {
				arg.need[t] = arg.need[t] || need
			}
		}
	}
}

// emit makes e's operation at every type that is needed.
func (p *program) emit(b *ir.Builder, e *entry) error {
	for t := ir.Type(1); t < ir.NumTypes; t++ {
		if !e.need[t] {
			continue
		}
		v, err := p.operation(b, e, t)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrTrace, position(e.n.pc), err)
		}
		e.val[t] = v
		for len(p.pos) <= int(v) {
			p.pos = append(p.pos, e.n.pc)
		}
	}
	return nil
}

func (p *program) operation(b *ir.Builder, e *entry, t ir.Type) (ir.Value, error) {
	n := e.n
	if i, ok := p.rows[n]; ok {
		return ir.Value(i), nil
	}
	switch n.op {
	case ir.Param:
		return ir.Value(n.n), nil // parameters are the first nodes
	case ir.Const:
		x := n.x
		if t == ir.Float32 && math.IsInf(float64(float32(x)), 0) && !math.IsInf(x, 0) {
			return 0, fmt.Errorf("the constant %g overflows float32", x)
		}
		if !t.IsFloat() && ir.BitsFloat(t, ir.ConstBits(t, x)) != x {
			return 0, fmt.Errorf("the constant %g is no %s", x, t.GoName())
		}
		return b.Const(t, n.x), nil
	}
	switch n.op {
	case ir.Empty, ir.Append: // are made with their loop
		return 0, nil
	case ir.Loop:
		return p.emitLoop(b, e)
	case ir.Proj:
		return p.loops[n.args[0]][n.n], nil
	}
	var args []ir.Value
	for _, a := range p.args(e) {
		arg := &p.order[a]
		want := arg.typ
		if want == ir.Invalid {
			want = e.operand
		}
		if want == ir.Invalid {
			want = t
		}
		args = append(args, arg.val[want])
	}
	switch {
	case n.op == ir.Pow && t.IsInteger():
		return power(b, t, args[0], n.n)
	case n.op == ir.Pow:
		if !exactIn(t, n.n) {
			return 0, fmt.Errorf("the exponent %d is not a %s", n.n, t.GoName())
		}
		args = append(args, b.Const(t, float64(n.n)))
	case n.op == ir.Convert:
		if b.Type(args[0]) == n.typ {
			if !n.typ.IsFloat() {
				return args[0], nil
			}
			return b.Pin(args[0]), nil
		}
		return b.Emit(ir.Convert, n.typ, args...)
	case n.op.Call():
		return b.Call(n.def, args...)
	case n.flip:
		args[0], args[1] = args[1], args[0]
	}
	return b.Emit(n.op, ir.Invalid, args...)
}

// power is x to the power of n in an integer type, by squaring.
func power(b *ir.Builder, t ir.Type, x ir.Value, n int) (ir.Value, error) {
	product := b.Int(t, 1)
	for ; n > 0; n >>= 1 {
		var err error
		if n&1 != 0 {
			if product, err = b.Emit(ir.Mul, t, product, x); err != nil {
				return 0, err
			}
		}
		if x, err = b.Emit(ir.Mul, t, x, x); err != nil {
			return 0, err
		}
	}
	return product, nil
}
