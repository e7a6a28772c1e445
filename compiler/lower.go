package compiler

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// choices is how many forms the functions of p have, at most; 1 if there is none.
func (f *forms) choices(p *ir.Func) int {
	most := 1
	for _, n := range p.Nodes {
		if n.Op.Info().Function {
			most = max(most, len(f.of(formKey{operationOf(p, n), n.Type})))
		}
	}
	return most
}

// pick chooses among the admissible forms of a function, cheapest first; nil leaves the function.
type pick func(fn operation, ok []*form) *form

// nth takes every function's k-th form; beyond the last it is the last.
func nth(k int) pick { return func(_ operation, ok []*form) *form { return ok[min(k, len(ok)-1)] } }

// only takes the form of a name alone.
func only(name string) pick {
	return func(_ operation, ok []*form) *form {
		if i := slices.IndexFunc(ok, func(m *form) bool { return m.Name == name }); i >= 0 {
			return ok[i]
		}
		return nil
	}
}

// maxLevels bounds how deep forms may hold functions: tanh through expm1 is two levels.
const maxLevels = 8

// replace puts forms in the place of the functions of p.
func (f *forms) replace(p *ir.Func, choose pick) (*ir.Func, *lowering, error) {
	l := &lowering{forms: f, pick: choose, b: ir.NewBuilder(p.Name), replaced: map[ir.Node]ir.Cost{}}
	out, err := l.run(p)
	return out, l, err
}

// lower saturates a program whose functions have been replaced and extracts the cheapest program, which may hold functions
// of the forms' bodies, replaced by their forms number inner; it goes on until none is left.
func (f *forms) lower(p *ir.Func, names []string, inner int, granted ir.Licence, c Config) (*Candidate, error) {
	out := &Candidate{granted: granted}
	for range maxLevels {
		for _, name := range names {
			if !slices.Contains(out.Forms, name) {
				out.Forms = append(out.Forms, name)
			}
		}
		g, roots := c.graph(p, granted, false)
		out.Saturation = saturateGraph(g, roots, c, granted)
		err := g.Err()
		if err != nil {
			return nil, err
		}
		out.Func, _, err = extract.Best(g, roots, p.Params, p.Name, f)
		if err = cmp.Or(err, f.err); err != nil {
			return nil, err
		}
		out.levels = append(out.levels, level{names, p, out.Func})
		left := functions(out.Func)
		if len(left) == 0 {
			out.Cost = f.price(out.Func)
			return out, nil
		}
		var l *lowering
		if p, l, err = f.replace(out.Func, nth(inner)); err != nil {
			return nil, err
		}
		names = l.names
		if slices.Equal(functions(p), left) && p.String() == out.Func.String() {
			return nil, noForm(left)
		}
	}
	return nil, fmt.Errorf("%w: forms still hold functions after %d levels", extract.ErrNoForm, maxLevels)
}

// functions lists the functions that are left in p, each once, in the order of their first use.
func functions(p *ir.Func) []operation {
	var fns []operation
	for _, n := range p.Nodes {
		if fn := operationOf(p, n); n.Op.Info().Function && !slices.Contains(fns, fn) {
			fns = append(fns, fn)
		}
	}
	return fns
}

func noForm(fns []operation) error {
	e := &extract.NoFormError{}
	for _, fn := range fns {
		if fn.def != nil {
			e.Defs = append(e.Defs, fn.def)
		} else {
			e.Ops = append(e.Ops, fn.op)
		}
	}
	slices.Sort(e.Ops)
	return e
}

// lowering copies a function and puts forms in the place of its library functions.
type lowering struct {
	*forms
	pick     pick
	b        *ir.Builder
	facts    []ir.Fact           // of the new values
	names    []string            // of the forms used, each once
	replaced map[ir.Node]ir.Cost // of the functions that were replaced: what a form's body costs once it has been saturated
}

func (l *lowering) run(p *ir.Func) (*ir.Func, error) {
	for _, q := range p.Params {
		l.record(l.b.Param(q.Name, q.Type, q.Fact), q.Fact)
	}
	remap := make([]ir.Value, len(p.Nodes))
	for i, n := range p.Nodes {
		var err error
		switch n.Op {
		case ir.Param:
			remap[i] = ir.Value(n.Imm)
		case ir.Const:
			x := ir.BitsFloat(n.Type, n.Imm)
			remap[i] = l.b.Const(n.Type, x)
			l.record(remap[i], constFact(x))
		case ir.Real:
			remap[i] = l.real(n.Type, p.Reals[n.Imm])
		default:
			args := make([]ir.Value, 0, 3)
			for _, a := range n.Operands() {
				args = append(args, remap[a])
			}
			op := operationOf(p, n)
			remap[i], err = l.function(op, n, args)
			if remap[i] == none && err == nil {
				remap[i], err = l.op(op, n.Type, n.Pin, args)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	for _, v := range p.Results {
		l.b.Return(remap[v])
	}
	return l.b.Func(), nil
}

// record remembers the fact of a value that is new.
func (l *lowering) record(v ir.Value, fact ir.Fact) {
	if int(v) == len(l.facts) {
		l.facts = append(l.facts, fact)
	}
}

func constFact(x float64) ir.Fact {
	if x != x {
		return ir.Unknown
	}
	return ir.Exactly(x)
}

func (l *lowering) real(t ir.Type, x *big.Float) ir.Value {
	v := l.b.Real(t, x)
	lo, _ := new(big.Float).SetPrec(53).SetMode(big.ToNegativeInf).Set(x).Float64()
	hi, _ := new(big.Float).SetPrec(53).SetMode(big.ToPositiveInf).Set(x).Float64()
	fact := ir.Between(lo, hi)
	fact.Integer = x.IsInt()
	l.record(v, fact)
	return v
}

// none is the value of what is no function, or has no form.
const none = ^ir.Value(0)

// function puts the form that is picked in the place of a function.
func (l *lowering) function(fn operation, n ir.Node, args []ir.Value) (ir.Value, error) {
	t := n.Type
	if !fn.op.Info().Function {
		return none, nil
	}
	ok := slices.DeleteFunc(l.admissible(fn, t, l.factsOf(args)), func(m *form) bool { return l.config.tooCoarse(m.Rewrite, t) })
	if len(ok) == 0 {
		return none, nil
	}
	chosen := l.pick(fn, ok)
	if chosen == nil {
		return none, nil
	}
	before := len(l.facts)
	l.replaced[n] = chosen.cost
	v, err := l.form(chosen, t, args)
	if err == nil && int(v) >= before {
		// The form keeps the function's range, up to its error: what is above it may rely on that as it did before.
		if met, ok := l.facts[v].Meet(l.transfer(fn, t, args)); ok {
			l.facts[v] = met
		}
	}
	return v, err
}

// transfer is what is known of an operation's result.
func (l *lowering) transfer(o operation, t ir.Type, args []ir.Value) ir.Fact {
	if o.def != nil {
		return o.def.Range(l.factsOf(args))
	}
	if o.table != nil {
		return o.table.Range()
	}
	return interp.Transfer(o.op, t, l.factsOf(args))
}

func (l *lowering) factsOf(args []ir.Value) []ir.Fact {
	facts := make([]ir.Fact, len(args))
	for i, a := range args {
		facts[i] = l.facts[a]
	}
	return facts
}

func (l *lowering) op(o operation, t ir.Type, pin bool, args []ir.Value) (ir.Value, error) {
	var v ir.Value
	var err error
	switch {
	case o.def != nil && pin:
		v, err = l.b.CallPinned(o.def, args...)
	case o.def != nil:
		v, err = l.b.Call(o.def, args...)
	case o.table != nil:
		v, err = l.b.Lookup(o.table, args[0])
	case pin:
		v, err = l.b.EmitPinned(o.op, t, args...)
	default:
		v, err = l.b.Emit(o.op, t, args...)
	}
	if err == nil {
		l.record(v, l.transfer(o, t, args))
	}
	return v, err
}

// unfused writes a fused multiply-add of a body for a machine without one: two roundings in the same order. Measurement
// decides whether the form bears it.
func (l *lowering) unfused(t ir.Type, args []ir.Value) (ir.Value, error) {
	product, err := l.op(operation{op: ir.Mul}, t, true, args[:2])
	if err != nil {
		return 0, err
	}
	return l.op(operation{op: ir.Add}, t, true, []ir.Value{product, args[2]})
}

// leafType is the type of a constant in a body: that of the function, or another one inside of a conversion.
func leafType(n egraph.PatternNode, t ir.Type) ir.Type {
	if n.Type != ir.Invalid {
		return n.Type
	}
	return t
}

// form writes the body of an approximation. An fma in it is meant, as a Cody-Waite reduction is: it is pinned, or the
// second saturation would merge the high and the low part of a constant.
func (l *lowering) form(m *form, t ir.Type, args []ir.Value) (ir.Value, error) {
	if !slices.Contains(l.names, m.Name) {
		l.names = append(l.names, m.Name)
	}
	root := m.LHS.Nodes[m.LHS.Root()]
	vars := make([]ir.Value, len(m.Vars))
	for i, a := range args {
		vars[m.LHS.Nodes[root.Args[i]].Var] = a
	}
	values := make([]ir.Value, len(m.RHS.Nodes))
	for i, n := range m.RHS.Nodes {
		switch n.Op {
		case ir.OpInvalid:
			values[i] = vars[n.Var]
		case ir.Real:
			values[i] = l.real(leafType(n, t), n.Value)
		case ir.Const:
			values[i] = l.b.Const(leafType(n, t), n.Const)
			l.record(values[i], constFact(n.Const))
		default:
			operands := make([]ir.Value, n.Op.Info().Arity)
			for j := range operands {
				operands[j] = values[n.Args[j]]
			}
			typ := n.Type
			if shape := n.Op.Info().Shape; shape == ir.ShapeFloat || shape == ir.ShapeNumber || n.Op == ir.Select {
				typ = l.b.Type(operands[len(operands)-1])
			}
			var v ir.Value
			var err error
			switch {
			case n.Op == ir.FMA && l.costs[ir.FMA][typ] == ir.InfiniteCost:
				v, err = l.unfused(typ, operands)
			default:
				v, err = l.op(operation{n.Op, n.Def, n.Table}, typ, n.Pin || n.Op == ir.FMA, operands)
			}
			if err != nil {
				return 0, err
			}
			values[i] = v
		}
	}
	return values[m.RHS.Root()], nil
}
