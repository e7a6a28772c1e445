package ir

import (
	"fmt"
	"math/big"
	"slices"
)

// Builder makes a Func. Equal nodes are made once, so work that is written twice is shared.
type Builder struct {
	f    *Func
	memo map[Node]Value
}

// NewBuilder starts a function. Its parameters come first.
func NewBuilder(name string) *Builder {
	return &Builder{f: &Func{Name: name}, memo: map[Node]Value{}}
}

// Param adds the next parameter. It panics if an operation has been added already.
func (b *Builder) Param(name string, t Type, fact Fact) Value {
	if len(b.f.Nodes) != len(b.f.Params) {
		panic("ir: a parameter after the first operation")
	}
	b.f.Params = append(b.f.Params, Parameter{Name: name, Type: t, Fact: fact})
	return b.add(Node{Op: Param, Type: t, Imm: uint64(len(b.f.Params) - 1)})
}

// Const adds the constant x as type t rounds it.
func (b *Builder) Const(t Type, x float64) Value {
	return b.add(Node{Op: Const, Type: t, Imm: ConstBits(t, x)})
}

// Int adds the integer constant x, wrapped to the integer type t.
func (b *Builder) Int(t Type, x int64) Value {
	return b.add(Node{Op: Const, Type: t, Imm: IntBits(t, x)})
}

// Real adds the exact constant x, rounded to RealPrec bits. Zero becomes the Const +0, since a real has no sign of zero.
func (b *Builder) Real(t Type, x *big.Float) Value {
	if x.Sign() == 0 {
		return b.Const(t, 0)
	}
	r := new(big.Float).SetPrec(RealPrec).Set(x)
	i := slices.IndexFunc(b.f.Reals, func(y *big.Float) bool { return y.Cmp(r) == 0 })
	if i < 0 {
		i = len(b.f.Reals)
		b.f.Reals = append(b.f.Reals, r)
	}
	return b.add(Node{Op: Real, Type: t, Imm: uint64(i)})
}

// Emit adds an operation. t may be Invalid where the operation's type rule says what it is.
func (b *Builder) Emit(op Op, t Type, args ...Value) (Value, error) {
	return b.emit(op, t, false, args)
}

// EmitPinned is Emit for a node whose rounding is meant.
func (b *Builder) EmitPinned(op Op, t Type, args ...Value) (Value, error) {
	return b.emit(op, t, true, args)
}

// Pin marks value v as pinned and returns the pinned value; leaves are exact, loops have nothing to round, and stay as they are.
func (b *Builder) Pin(v Value) Value {
	n := b.f.Nodes[v]
	if n.Op.Leaf() || n.Op.Info().Shape == ShapeLoop {
		return v
	}
	n.Pin = true
	return b.add(n)
}

// Must is for callers that have checked the types: it panics where Emit would err.
func (b *Builder) Must(op Op, args ...Value) Value {
	v, err := b.Emit(op, Invalid, args...)
	if err != nil {
		panic(err)
	}
	return v
}

// Node returns the node of a value.
func (b *Builder) Node(v Value) Node { return b.f.Nodes[v] }

// Type returns the type of a value.
func (b *Builder) Type(v Value) Type { return b.f.Nodes[v].Type }

// Return appends a result.
func (b *Builder) Return(v Value) { b.f.Results = append(b.f.Results, v) }

// Func returns the function. The builder must not be used afterwards.
func (b *Builder) Func() *Func { return b.f }

func (b *Builder) emit(op Op, t Type, pin bool, args []Value) (Value, error) {
	if op.Leaf() {
		return 0, fmt.Errorf("ir: %v is not emitted but made by Param, Const or Real", op)
	}
	if op.Call() {
		return 0, fmt.Errorf("ir: %v is not emitted but made by Call", op)
	}
	if op.Info().Shape == ShapeLoop {
		return 0, fmt.Errorf("ir: %v is not emitted but made by Loop", op)
	}
	if op == Lookup {
		return 0, fmt.Errorf("ir: %v is not emitted but made by Lookup", op)
	}
	n, err := b.typed(Node{Op: op, Pin: pin}, t, args)
	if err != nil {
		return 0, err
	}
	return b.add(n), nil
}

// typed gives a node its operands, and the type that they ask for.
func (b *Builder) typed(n Node, t Type, args []Value) (Node, error) {
	types := make([]Type, len(args))
	for i, a := range args {
		if int(a) >= len(b.f.Nodes) {
			return n, fmt.Errorf("ir: operand %d of %v is v%d, which does not exist", i, n.Op, a)
		}
		types[i] = b.f.Nodes[a].Type
	}
	var err error
	if n.Type, err = n.Op.ResultType(t, types...); err != nil {
		return n, err
	}
	copy(n.Args[:], args)
	return n, nil
}

// copyNode adds node n of function f, whose operands have been copied already.
func (b *Builder) copyNode(f *Func, n Node, remap []Value) Value {
	for i := range n.Op.Info().Arity {
		n.Args[i] = remap[n.Args[i]]
	}
	if d := f.Def(n); d != nil {
		n.Imm = b.f.Define(d)
	}
	if body := f.Body(n); body != nil {
		n.Imm = b.f.AddBody(body)
	}
	if t := f.Table(n); t != nil {
		n.Imm = b.f.Tabulate(t)
	}
	return b.add(n)
}

// Copy adds node n of f, which is no parameter, with other operands.
func (b *Builder) Copy(f *Func, n Node, args ...Value) Value {
	if n.Op == Real {
		return b.Real(n.Type, f.Reals[n.Imm])
	}
	remap := make([]Value, len(args))
	for i, a := range args {
		n.Args[i], remap[i] = Value(i), a
	}
	return b.copyNode(f, n, remap)
}

func (b *Builder) add(n Node) Value {
	if v, ok := b.memo[n]; ok {
		return v
	}
	v := Value(len(b.f.Nodes))
	b.f.Nodes = append(b.f.Nodes, n)
	b.memo[n] = v
	return v
}
