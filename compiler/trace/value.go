package trace

import (
	"runtime"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Value is a scalar of the traced function: a parameter, a constant, or an operation on other Values. Values are
// immutable and may be shared. The zero Value stands for nothing: using it is an error of Trace, not a crash.
//
// Operations do not fail where they are written; Trace reports what is wrong with the line of the call.
type Value struct {
	_ [0]func() // == would compare identities, not numbers
	n *node
}

// node is one node of the expression graph.
type node struct {
	op     ir.Op
	typ    ir.Type    // Param: the type; Convert: the target
	flip   bool       // the operands enter the operation in reverse order: a > b is b < a
	args   [3]*node   // nil: the zero Value
	x      float64    // Const
	n      int        // Param: the index; Pow: the exponent; a call: how many operands were given
	def    *ir.Def    // of a call
	loop   *loop      // of a Loop
	fault  string     // what is wrong with it
	row    RowOp      // of a reduction of a row; its op is OpInvalid
	run    *run       // the run whose parameter the node depends on; nil for constants
	method string     // what the user called
	pc     [2]uintptr // the call and its caller
}

// Const is the constant x. It takes the type of the operand that it meets, or the kernel's where nothing else decides.
// Operations on constants alone stay operations: they are folded exactly, later.
func Const(x float64) Value {
	return Value{n: &node{op: ir.Const, method: "Const", x: x, pc: callers()}}
}

// Where is a where cond holds and b elsewhere. Both are evaluated.
func Where(cond, a, b Value) Value { return operate("Where", ir.Select, callers(), cond, a, b) }

// Add is v + y.
func (v Value) Add(y Value) Value { return operate("Add", ir.Add, callers(), v, y) }

// Sub is v - y.
func (v Value) Sub(y Value) Value { return operate("Sub", ir.Sub, callers(), v, y) }

// Mul is v * y.
func (v Value) Mul(y Value) Value { return operate("Mul", ir.Mul, callers(), v, y) }

// Div is v / y. An integer quotient is truncated; dividing an integer by zero is a fault of the call, also in the branch of a Where that is
// not chosen: make the divisor 1 there.
func (v Value) Div(y Value) Value { return operate("Div", ir.Div, callers(), v, y) }

// Neg is -v.
func (v Value) Neg() Value { return operate("Neg", ir.Neg, callers(), v) }

// Abs is |v|.
func (v Value) Abs() Value { return operate("Abs", ir.Abs, callers(), v) }

// Copysign has the magnitude of v and the sign bit of y.
func (v Value) Copysign(y Value) Value { return operate("Copysign", ir.Copysign, callers(), v, y) }

// Min is the lesser of v and y: NaN if either is NaN, and -0 < +0.
func (v Value) Min(y Value) Value { return operate("Min", ir.Min, callers(), v, y) }

// Max is the greater of v and y: NaN if either is NaN, and -0 < +0.
func (v Value) Max(y Value) Value { return operate("Max", ir.Max, callers(), v, y) }

// Floor is the greatest integer that is at most v.
func (v Value) Floor() Value { return operate("Floor", ir.Floor, callers(), v) }

// Ceil is the least integer that is at least v.
func (v Value) Ceil() Value { return operate("Ceil", ir.Ceil, callers(), v) }

// Trunc is the integer part of v.
func (v Value) Trunc() Value { return operate("Trunc", ir.Trunc, callers(), v) }

// RoundToEven is the integer nearest to v, ties to even.
func (v Value) RoundToEven() Value { return operate("RoundToEven", ir.Rint, callers(), v) }

// Logb is the binary exponent of v: the integer k with 2^k <= |v| < 2^(k+1); -Inf at zero, +Inf at infinities.
func (v Value) Logb() Value { return operate("Logb", ir.Logb, callers(), v) }

// FMA is v*y + z, rounded once.
func (v Value) FMA(y, z Value) Value { return operate("FMA", ir.FMA, callers(), v, y, z) }

// Sqrt is the square root of v.
func (v Value) Sqrt() Value { return operate("Sqrt", ir.Sqrt, callers(), v) }

// Exp is e to the power of v.
func (v Value) Exp() Value { return operate("Exp", ir.Exp, callers(), v) }

// Expm1 is e to the power of v, minus 1.
func (v Value) Expm1() Value { return operate("Expm1", ir.Expm1, callers(), v) }

// Log is the natural logarithm of v.
func (v Value) Log() Value { return operate("Log", ir.Log, callers(), v) }

// Tanh is the hyperbolic tangent of v.
func (v Value) Tanh() Value { return operate("Tanh", ir.Tanh, callers(), v) }

// Rem is what is left of v by division by y, with the sign of v, as Go's %: of integers alone.
func (v Value) Rem(y Value) Value { return operate("Rem", ir.Rem, callers(), v, y) }

// And is the bitwise and of integers, or the logical one of bools.
func (v Value) And(y Value) Value { return operate("And", ir.And, callers(), v, y) }

// Or is the bitwise or of integers, or the logical one of bools.
func (v Value) Or(y Value) Value { return operate("Or", ir.Or, callers(), v, y) }

// Xor is the bitwise exclusive or of integers, or the logical one of bools.
func (v Value) Xor(y Value) Value { return operate("Xor", ir.Xor, callers(), v, y) }

// AndNot is v &^ y of integers or bools.
func (v Value) AndNot(y Value) Value { return operate("AndNot", ir.AndNot, callers(), v, y) }

// Not is the complement of an integer, or of a bool.
func (v Value) Not() Value { return operate("Not", ir.Not, callers(), v) }

// Shl is v << y for integers of one type. The count is taken as unsigned: one of at least v's width, as a negative one is, gives 0.
func (v Value) Shl(y Value) Value { return operate("Shl", ir.Shl, callers(), v, y) }

// Shr is v >> y for integers of one type, arithmetic where it is signed. The count is taken as in Shl.
func (v Value) Shr(y Value) Value { return operate("Shr", ir.Shr, callers(), v, y) }

// Pow is v to the power of n. Trace refuses an n that v's type cannot hold exactly (above 2^24 in float32, 2^53 in
// float64, unless it has enough trailing zeros): rounding it would change whether it is odd. Powers of integers wrap around, and
// Trace refuses a negative n for them.
func (v Value) Pow(n int) Value {
	p := operate("Pow", ir.Pow, callers(), v)
	p.n.n = n
	return p
}

// Less is v < y, a bool for Where.
func (v Value) Less(y Value) Value { return operate("Less", ir.Lt, callers(), v, y) }

// LessEq is v <= y.
func (v Value) LessEq(y Value) Value { return operate("LessEq", ir.Le, callers(), v, y) }

// Equal is v == y: false if either is NaN.
func (v Value) Equal(y Value) Value { return operate("Equal", ir.Eq, callers(), v, y) }

// NotEqual is v != y: true if either is NaN.
func (v Value) NotEqual(y Value) Value { return operate("NotEqual", ir.Ne, callers(), v, y) }

// Greater is v > y.
func (v Value) Greater(y Value) Value { return flipped(operate("Greater", ir.Lt, callers(), v, y)) }

// GreaterEq is v >= y.
func (v Value) GreaterEq(y Value) Value { return flipped(operate("GreaterEq", ir.Le, callers(), v, y)) }

// Convert is v as type t, a float or an integer. A conversion to the type that v has keeps its value and pins it: as in
// Go, no rounding moves across an explicit conversion. Integers wrap around, and a bool becomes 0 or 1. A float becomes an integer towards
// zero; one that the integer type cannot hold becomes the nearest that it can, and NaN becomes 0.
func (v Value) Convert(t ir.Type) Value {
	c := operate("Convert", ir.Convert, callers(), v)
	c.n.typ = t
	return c
}

// Call is the user's operation f of the operands.
func Call(f *ir.Def, operands ...Value) Value {
	name := "Call"
	if f.Check() == nil {
		name = f.Name
	}
	v := operate(name, f.Op(), callers(), operands[:min(len(operands), ir.MaxArity)]...)
	v.n.def, v.n.n = f, len(operands)
	return v
}

// callers records who called the exported function or method that calls it.
func callers() (pc [2]uintptr) {
	runtime.Callers(3, pc[:]) // skip Callers, callers and the method
	return pc
}

// operate makes a node, and counts it in the run that it belongs to.
func operate(method string, op ir.Op, pc [2]uintptr, operands ...Value) Value {
	n := &node{op: op, method: method, pc: pc}
	for i, v := range operands {
		n.args[i] = v.n
		if v.n != nil && n.run == nil {
			n.run = v.n.run
		}
	}
	if n.run != nil {
		n.run.count()
	}
	return Value{n: n}
}

func flipped(v Value) Value {
	v.n.flip = true
	return v
}
