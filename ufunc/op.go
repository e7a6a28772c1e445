package ufunc

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/go-yolk/yolk/compiler/gosrc"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/compiler/trace"
	"github.com/go-yolk/yolk/rules"
)

// ErrOp is wrapped by what [NewOp] panics with, and by the errors about operations that do not fit together.
var ErrOp = errors.New("ufunc: not an operation")

// Fact is what is known about a real value: bounds, and whether it is an integer and never zero.
type Fact = ir.Fact

// OpSpec says what an operation is. Operands and result are of one type, float32 or float64. All functions must be pure and
// safe for concurrent use.
type OpSpec struct {
	// Name is what rules and reports call it: lower-case letters, digits and _, and no name that yolk has already.
	Name string
	// Func is the meaning: a func(float64) float64 or one of two or three operands, or such an instance of a generic function.
	// In float32 its result is rounded once. Plain kernels use the operation by calling this function, for which it
	// must be declared at package level; a generic one must be T(f(float64(x))) for an f of float64.
	Func any
	// Real is the meaning to high precision, or nil, when Func's results are the truth. Its operands are finite, its own, and
	// all have one precision; its result must be as good, relative to itself, but for 32 bits. Nil, or the panic big.ErrNaN,
	// says that there is no real value, or that Real does not know.
	Real func(x []*big.Float) *big.Float
	// Range bounds the result by what is known about the operands, or is nil.
	Range func(x []Fact) Fact
	// Cost is what the operation costs in models that have a price for functions, such as [DemoCosts]; 0 leaves it to the
	// model. On machines the rules decide: an operation costs what its cheapest form costs.
	Cost uint32
}

// Op is an operation that a user has defined. Traced kernels apply it with [Op.Of]; plain ones call its Go function, with
// the option [Ops]; rules name it (see [Op.Def]). A kernel that uses it needs rules that lower it ([Rules]): an
// approximation (~>), or an identity with what has a form.
type Op struct {
	def *ir.Def
	fn  any
}

// NewOp defines an operation. It panics with an error that wraps [ErrOp] if the specification makes none, so that package
// variables may hold operations.
func NewOp(s OpSpec) *Op {
	o, err := newOp(s)
	if err != nil {
		panic(fmt.Errorf("%w: %w", ErrOp, err))
	}
	return o
}

func newOp(s OpSpec) (*Op, error) {
	d := &ir.Def{Name: s.Name, Real: withoutNaN(s.Real), Fact: s.Range, Cost: ir.Cost(s.Cost)}
	switch f := s.Func.(type) {
	case func(float64) float64:
		if d.Arity = 1; f != nil {
			d.Eval = func(x []float64) float64 { return f(x[0]) }
		}
	case func(x, y float64) float64:
		if d.Arity = 2; f != nil {
			d.Eval = func(x []float64) float64 { return f(x[0], x[1]) }
		}
	case func(x, y, z float64) float64:
		if d.Arity = 3; f != nil {
			d.Eval = func(x []float64) float64 { return f(x[0], x[1], x[2]) }
		}
	default:
		return nil, fmt.Errorf("the Func of %q is %T; want func(float64) float64, or one of two or three operands", s.Name, s.Func)
	}
	if _, err := rules.Parse(s.Name, "", d); err != nil { // knows which names there are
		return nil, err
	}
	return &Op{def: d, fn: s.Func}, nil
}

// withoutNaN makes "no real value" of the panic by which math/big says that.
func withoutNaN(f func(x []*big.Float) *big.Float) func(x []*big.Float) *big.Float {
	if f == nil {
		return nil
	}
	return func(x []*big.Float) (y *big.Float) {
		defer func() {
			switch r := recover().(type) {
			case nil:
			case big.ErrNaN:
				y = nil
			default:
				panic(r)
			}
		}()
		return f(x)
	}
}

// Def is the definition as rules take it: rules.Parse(file, text, op.Def()).
func (o *Op) Def() *ir.Def { return o.def }

// Of applies the operation in a traced function. What is wrong with the operands is reported by what traces, with the line of
// the call.
func (o *Op) Of(operands ...Value) Value {
	if o == nil {
		return trace.Call(nil, operands...)
	}
	return trace.Call(o.def, operands...)
}

// Ops makes operations known to a plain kernel: a call of an operation's Go function is the operation, whatever the body of the function.
func Ops(ops ...*Op) Option {
	return func(c *config) {
		for _, o := range ops {
			if o == nil || o.def == nil {
				c.fault("%w: Ops of an operation that NewOp has not made", ErrOp)
				continue
			}
			c.ops = append(c.ops, o)
		}
	}
}

// calls binds the operations for the front end.
func (c *config) calls() []gosrc.Call {
	var calls []gosrc.Call
	for _, o := range c.ops {
		calls = append(calls, gosrc.Call{Func: o.fn, Def: o.def})
	}
	return calls
}

// oneMeaning checks that no two operations of a kernel and its rules share a name: rules for the one would never meet the other.
func (c *config) oneMeaning(f *ir.Func) error {
	if len(c.ops) == 0 && elementaryOnly(f.AllDefs()) && c.rules.ID() != "" {
		return nil // there are no operations of the program's own. This does not read the rules
	}
	defs := f.AllDefs()
	for _, o := range c.ops {
		defs = append(defs, o.def)
	}
	byName := map[string]*ir.Def{}
	for _, d := range append(defs, c.rules.Defs()...) {
		if had := byName[d.Name]; had != nil && had != d {
			return fmt.Errorf("%w: two operations are called %s; kernel and rules must share one", ErrOp, d.Name)
		}
		byName[d.Name] = d
	}
	return nil
}
