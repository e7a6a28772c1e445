package ir

import (
	"fmt"
	"go/token"
	"math/big"
	"slices"

	"github.com/go-yolk/yolk/internal/double"
)

// MaxArity is the largest number of operands of an operation.
const MaxArity = 3

// Def is an operation that its user has defined: the meaning of a Call. It is plain data that travels with the functions and
// rules that use it; the pointer is its identity. All operands and the result have one floating-point type. The functions
// must be pure and safe for concurrent use, and must not keep or change args.
type Def struct {
	Name  string // a Go identifier; in rules, the text form and error messages
	Arity int    // 1 to MaxArity
	// Eval is the meaning, to about an ulp of operands and result. In float32 it is Eval's value for the widened operands,
	// rounded once, or Real's where Eval's is next to a tie (see Float32). Where Eval is NaN there is no real value; infinities, NaN operands and signs of zero are as Eval has them.
	Eval func(args []float64) float64
	// Error bounds how far y, Eval's value at args, is from the real one; nil: an ulp of float64. Only a function with a Real
	// has use for it.
	Error func(args []float64, y float64) float64
	// Real is the meaning to high precision, or nil: then Eval's value is the truth, up to an ulp of float64. The operands are
	// finite, of one precision p, and Real's own; the result must be good to p-RealSlack bits, relative to itself. A nil
	// result says that there is no finite real value, or that Real does not know or would take too long; Eval decides.
	Real func(args []*big.Float) *big.Float
	// Near is the meaning at operands that are known exactly, to double-double precision, and a bound of its error; nil or false where
	// that is not to be had: Real decides. The operands are finite, and none is zero.
	Near func(args []double.Double) (y double.Double, err float64, ok bool)
	// Fact bounds the real value of the result by what is known about the operands; nil knows nothing.
	Fact func(args []Fact) Fact
	// Cost is what the operation costs in models that have a price for functions; 0 is the model's own. No machine has it:
	// there its forms decide.
	Cost Cost
	// Laws is what its maker keeps with it for whoever lowers it. The compiler does not look at it.
	Laws any
}

// RealSlack is how many bits of its operands' precision Def.Real may lose.
const RealSlack = 32

// nextToTie is how near to a tie, relative to itself, Eval's value has to be for Real to decide how it rounds: 4 ulp of float64.
const nextToTie = 0x1p-50

// float32RealPrec is the precision at which Real decides: x + cx² is next to a tie for float32 x down to 2^-149.
const float32RealPrec = 256

// NextToTie reports whether y is so near to a tie between two float32 that a function good to 4 ulp of float64 does not tell how to round.
func NextToTie(y float64) bool {
	e := y * nextToTie
	return float32(y-e) != float32(y+e) && y == y
}

// Float32 is the meaning in float32, correctly rounded where Eval is good to 4 ulp and Real knows better. The operands are float32.
func (d *Def) Float32(args []float64) float32 {
	y := d.Eval(args)
	rounded := float32(y)
	if d.Real == nil || !NextToTie(y) {
		return rounded
	}
	var own [MaxArity]*big.Float // on the heap only here
	for i, x := range args {
		if x-x != 0 {
			return rounded
		}
		own[i] = new(big.Float).SetPrec(float32RealPrec).SetFloat64(x)
	}
	real := d.Real(own[:len(args)])
	if real == nil {
		return rounded
	}
	z, _ := real.Float32()
	return z
}

// Check reports what is wrong with a definition.
func (d *Def) Check() error {
	switch {
	case d == nil:
		return fmt.Errorf("ir: a nil definition")
	case !token.IsIdentifier(d.Name):
		return fmt.Errorf("ir: %q cannot name an operation", d.Name)
	case d.Arity < 1 || d.Arity > MaxArity:
		return fmt.Errorf("ir: operation %s takes %d operands, not 1 to %d", d.Name, d.Arity, MaxArity)
	case d.Eval == nil:
		return fmt.Errorf("ir: operation %s has no meaning", d.Name)
	}
	if op, err := ParseOp(d.Name); err == nil {
		return fmt.Errorf("ir: the operation %v exists already", op)
	}
	return nil
}

// Op is the operation that calls d: Call1 to Call3.
func (d *Def) Op() Op {
	if d == nil || d.Arity < 1 || d.Arity > MaxArity {
		return OpInvalid
	}
	return Call1 + Op(d.Arity-1)
}

// Range is Fact where there is one, and Unknown where there is none or it contradicts itself.
func (d *Def) Range(args []Fact) Fact {
	if d.Fact == nil {
		return Unknown
	}
	f := d.Fact(args)
	if !(f.Lo <= f.Hi) {
		return Unknown
	}
	f.NonZero = f.NonZero || f.Lo > 0 || f.Hi < 0
	return f
}

// Call reports whether op is a call of a user's operation; the node's Imm says which.
func (op Op) Call() bool { return Call1 <= op && op <= Call3 }

// Def is the operation that a node of f calls, nil if it is no call.
func (f *Func) Def(n Node) *Def {
	if !n.Op.Call() {
		return nil
	}
	return f.Defs[n.Imm]
}

// OpName is the name of a node's operation, that of the definition for a call.
func (f *Func) OpName(n Node) string {
	if d := f.Def(n); d != nil {
		return d.Name
	}
	return n.Op.String()
}

// Call adds a call of d.
func (b *Builder) Call(d *Def, args ...Value) (Value, error) { return b.call(d, false, args) }

// CallPinned is Call for a node whose rounding is meant.
func (b *Builder) CallPinned(d *Def, args ...Value) (Value, error) { return b.call(d, true, args) }

func (b *Builder) call(d *Def, pin bool, args []Value) (Value, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	n := Node{Op: d.Op(), Pin: pin}
	if len(args) != d.Arity {
		return 0, fmt.Errorf("ir: %s takes %d operands, not %d", d.Name, d.Arity, len(args))
	}
	i := slices.IndexFunc(b.f.Defs, func(e *Def) bool { return e.Name == d.Name })
	if i >= 0 && b.f.Defs[i] != d {
		return 0, fmt.Errorf("ir: two operations are called %s", d.Name)
	}
	n, err := b.typed(n, Invalid, args)
	if err != nil {
		return 0, err
	}
	n.Imm = b.f.Define(d)
	return b.add(n), nil
}

// Define returns the index of d in f.Defs, which it enters if need be.
func (f *Func) Define(d *Def) uint64 {
	i := slices.Index(f.Defs, d)
	if i < 0 {
		i = len(f.Defs)
		f.Defs = append(f.Defs, d)
	}
	return uint64(i)
}

// verifyDefs checks the definitions of f.
func verifyDefs(f *Func) error {
	for i, d := range f.Defs {
		if err := d.Check(); err != nil {
			return fmt.Errorf("%w %q: %w", ErrInvalid, f.Name, err)
		}
		if slices.ContainsFunc(f.Defs[:i], func(e *Def) bool { return e.Name == d.Name }) {
			return fmt.Errorf("%w %q: two operations are called %s", ErrInvalid, f.Name, d.Name)
		}
	}
	return nil
}
