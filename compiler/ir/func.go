package ir

import (
	"fmt"
	"math"
	"math/big"
)

// Value names the result of a node by its index in Func.Nodes.
type Value uint32

// RealPrec is the precision, in bits, that exact constants are carried with. Three times float64's, so that a
// chain of foldings is still exact where it is rounded to the type.
const RealPrec = 192

// Node is one operation. Nodes are comparable: two equal nodes of one function compute the same value.
type Node struct {
	Op   Op
	Type Type // of the result
	Pin  bool // the rounding of this node is meant: nothing is reassociated or contracted across it
	Args [3]Value
	Imm  uint64 // Param: index; Const: bits; Real: index into Reals; Call1 to Call3: index into Defs; Loop: into Bodies; Proj: variable; Lookup: index into Tables; otherwise 0
}

// Operands returns the used part of n.Args.
func (n *Node) Operands() []Value { return n.Args[:n.Op.Info().Arity] }

// Through lists the operands as a table of values maps them.
func (n *Node) Through(remap []Value) []Value {
	var args []Value
	for _, a := range n.Operands() {
		args = append(args, remap[a])
	}
	return args
}

// Parameter is an input of a function.
type Parameter struct {
	Name string
	Type Type
	Fact Fact // its declared domain
}

// Func is a function: the λ of an RVSDG.
type Func struct {
	Name    string // as the user knows it; printed quoted, never used as a symbol
	Params  []Parameter
	Nodes   []Node // operands come before their uses
	Reals   []*big.Float
	Defs    []*Def   // of the calls
	Bodies  []*Func  // of the loops
	Tables  []*Table // of the lookups, no two equal
	Results []Value
}

// ConstBits returns the bits of x rounded to type t, as Const holds them. Every NaN becomes the quiet one. An integer is
// made as FromFloat says; a bool is whether x is not 0.
func ConstBits(t Type, x float64) uint64 {
	switch {
	case t == Float32:
		if x != x {
			return 0x7fc00000
		}
		return uint64(math.Float32bits(float32(x)))
	case t.IsInteger():
		return IntBits(t, t.FromFloat(x))
	case t == Bool:
		if x != 0 {
			return 1
		}
		return 0
	}
	if x != x {
		return 0x7ff8000000000000
	}
	return math.Float64bits(x)
}

// BitsFloat is the inverse of ConstBits: the value of a Const as a float64, exactly but for integers beyond 2^53.
func BitsFloat(t Type, bits uint64) float64 {
	switch {
	case t == Float32:
		return float64(math.Float32frombits(uint32(bits)))
	case t.IsSigned():
		return float64(BitsInt(t, bits))
	case t.IsInteger():
		return float64(uint64(BitsInt(t, bits)))
	case t == Bool:
		return float64(bits & 1)
	}
	return math.Float64frombits(bits)
}

// IntBits returns the bits of x wrapped to the integer type t, as Const holds them: none above t's width.
func IntBits(t Type, x int64) uint64 {
	shift := 64 - 8*t.Size()
	return uint64(x) << shift >> shift
}

// BitsInt is the inverse of IntBits; the values of Uint64 from 2^63 on come out as negative.
func BitsInt(t Type, bits uint64) int64 { return t.Wrap(int64(bits)) }

// RoundReal rounds an exact constant once to type t (to nearest, ties to even; overflow gives an infinity) and returns the bits.
func RoundReal(t Type, x *big.Float) uint64 {
	if t == Float32 {
		f, _ := x.Float32()
		return uint64(math.Float32bits(f))
	}
	f, _ := x.Float64()
	return math.Float64bits(f)
}

// ConstValue reports the value of node v if it is a constant of any kind, as its type rounds it.
func (f *Func) ConstValue(v Value) (float64, bool) {
	n := f.Nodes[v]
	switch n.Op {
	case Const:
		return BitsFloat(n.Type, n.Imm), true
	case Real:
		return BitsFloat(n.Type, RoundReal(n.Type, f.Reals[n.Imm])), true
	}
	return 0, false
}

// Arithmetic counts the nodes that compute something, in the bodies of loops too: everything but leaves and tuples.
func (f *Func) Arithmetic() int {
	return f.count(func(n Node) bool { return !n.Op.Leaf() && n.Op.Info().Shape != ShapeLoop })
}

// Count returns how many nodes have operation op, in the bodies of loops too.
func (f *Func) Count(op Op) int { return f.count(func(n Node) bool { return n.Op == op }) }

func (f *Func) count(counts func(Node) bool) int {
	count := 0
	for g := range f.All {
		for _, n := range g.Nodes {
			if counts(n) {
				count++
			}
		}
	}
	return count
}

// Rounded returns f with every Real replaced by the Const that its type rounds it to: the program as it is emitted.
func (f *Func) Rounded() *Func {
	f = f.MapBodies((*Func).Rounded)
	b := NewBuilder(f.Name)
	remap := make([]Value, len(f.Nodes))
	for _, p := range f.Params {
		b.Param(p.Name, p.Type, p.Fact)
	}
	for i, n := range f.Nodes {
		if n.Op == Real {
			n.Op, n.Imm = Const, RoundReal(n.Type, f.Reals[n.Imm])
		}
		remap[i] = b.copyNode(f, n, remap)
	}
	for _, r := range f.Results {
		b.Return(remap[r])
	}
	return b.Func()
}

// Compact returns f without the nodes that no result needs, numbered in the order in which a depth-first walk from the
// results first completes them. Parameters stay, in order. Equal functions have equal compact forms.
func (f *Func) Compact() *Func {
	f = f.MapBodies((*Func).Compact)
	b := NewBuilder(f.Name)
	for _, p := range f.Params {
		b.Param(p.Name, p.Type, p.Fact)
	}
	remap := make([]Value, len(f.Nodes))
	done := make([]bool, len(f.Nodes))
	var stack []Value
	for _, r := range f.Results {
		stack = append(stack, r)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			if done[v] {
				stack = stack[:len(stack)-1]
				continue
			}
			n := f.Nodes[v]
			ready := true
			args := n.Operands()
			for i := len(args) - 1; i >= 0; i-- {
				if !done[args[i]] {
					stack = append(stack, args[i])
					ready = false
				}
			}
			if !ready {
				continue
			}
			stack = stack[:len(stack)-1]
			done[v] = true
			if n.Op == Real {
				remap[v] = b.Real(n.Type, f.Reals[n.Imm])
			} else {
				remap[v] = b.copyNode(f, n, remap)
			}
		}
	}
	for _, r := range f.Results {
		b.Return(remap[r])
	}
	return b.Func()
}

// WithFacts returns a copy of f whose parameters carry the given facts.
func (f *Func) WithFacts(facts []Fact) (*Func, error) {
	if len(facts) != len(f.Params) {
		return nil, fmt.Errorf("ir: %d facts for the %d parameters of %s", len(facts), len(f.Params), f.Name)
	}
	g := *f
	g.Params = append([]Parameter(nil), f.Params...)
	for i := range g.Params {
		g.Params[i].Fact = facts[i]
	}
	return &g, nil
}
