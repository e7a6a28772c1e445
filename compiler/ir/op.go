package ir

import "fmt"

// Op names an operation. Its row in the table says everything about its shape; its meaning is that of IEEE 754 with one
// rounding to nearest, ties to even, unless the row says otherwise.
type Op uint8

// The operations.
const (
	OpInvalid Op = iota

	// Leaves.
	Param // parameter number Imm
	Const // the value whose bits are Imm, exactly as its type holds it
	Real  // the exact real number Reals[Imm], rounded to the type where the program is emitted

	// Ring and field. Those of integers wrap around; their quotient is truncated, and dividing by zero is a fault.
	Add
	Sub
	Mul
	Div
	Rem // of integers alone: what is left by Div, with the sign of the first operand
	Neg
	FMA // a*b + c, rounded once
	Sqrt

	// Sign.
	Abs
	Copysign // magnitude of the first operand, sign bit of the second

	// Order, as Go's min and max: NaN if an operand is NaN, and -0 < +0.
	Min
	Max
	MinMag // the operand of smaller magnitude; of equal ones the lesser, of a NaN and a number the number

	// Integers, with the sign of the operand where they are zero.
	Floor // towards -Inf
	Ceil  // towards +Inf
	Trunc // towards zero
	Rint  // to the nearest, ties to even

	// Bits of integers; the logic of bools. Operands and result have one type.
	And
	Or
	Xor
	AndNot // a &^ b
	Not
	Shl        // the count is taken as unsigned; one of at least the width shifts every bit out
	Shr        // arithmetic for signed types
	RotateLeft // by a count modulo the width
	Reverse    // the bits in reverse order
	ReverseBytes
	OnesCount    // how many bits are set
	LeadingZeros // the width for 0, as that of TrailingZeros
	TrailingZeros

	// Scaling by powers of two.
	Ldexp // x·2^⌊k⌋ rounded once; for an infinite k the IEEE product of x and 2^k
	Logb  // ⌊log2|x|⌋ of the value (subnormals included); -Inf at 0, +Inf at ±Inf, NaN at NaN
	Mant  // |x|·2^-logb(x), in [1, 2); 1 at 0 and ±Inf, NaN at NaN

	// Elementary functions: correctly rounded in float32, package math's in float64.
	Exp
	Expm1
	Log
	Tanh
	Pow

	// Comparisons, false on NaN except Ne; and the choice made by one.
	Lt
	Le
	Eq
	Ne
	Select // first operand ? second : third

	// Convert is to the node's type: exact when a float widens, one rounding when it narrows. Integers wrap around; a float
	// becomes an integer as Type.FromFloat says; a bool becomes 0 or 1.
	Convert

	Lookup // the entry of the function's Tables[Imm] that bits of the operand choose; see Table

	// Loops: see Builder.Loop.
	Empty  // the tuple of nothing
	Append // a tuple and one more value
	Loop   // runs Bodies[Imm] on the tuple of its variables
	Proj   // variable Imm of a loop that has ended

	// Operations that users define: the function's Defs[Imm], applied to one, two or three operands.
	Call1
	Call2
	Call3

	NumOps = iota
)

// Shape is the type rule of an operation.
type Shape uint8

// The shapes. F stands for any floating-point type, I for any integer type, N for either, T for any type.
const (
	ShapeLeaf    Shape = iota // () -> T
	ShapeFloat                // (F, ...) -> F
	ShapeNumber               // (N, ...) -> N
	ShapeInteger              // (I, ...) -> I
	ShapeBits                 // (T, ...) -> T for integers and bool
	ShapeCompare              // (N, N) -> bool
	ShapeSelect               // (bool, T, T) -> T
	ShapeConvert              // (T) -> N, or Float32 to a stored type
	ShapeLoop                 // tuples: () -> tuple, (tuple, T) -> tuple, (tuple) -> tuple, (tuple) -> T
)

// Info is an operation's row.
type Info struct {
	Name        string // in the text form and in error messages
	Arity       int    // number of operands
	Shape       Shape
	Commutative bool   // exchanging the first two operands changes no bit (NaN payloads apart)
	Symbol      string // Go's operator or "": how rules and reports spell it
	Function    bool   // no machine has it as an instruction; lowering must find a form
}

var infos = [NumOps]Info{
	Param:         {Name: "param", Shape: ShapeLeaf},
	Const:         {Name: "const", Shape: ShapeLeaf},
	Real:          {Name: "real", Shape: ShapeLeaf},
	Add:           {Name: "add", Arity: 2, Shape: ShapeNumber, Commutative: true, Symbol: "+"},
	Sub:           {Name: "sub", Arity: 2, Shape: ShapeNumber, Symbol: "-"},
	Mul:           {Name: "mul", Arity: 2, Shape: ShapeNumber, Commutative: true, Symbol: "*"},
	Div:           {Name: "div", Arity: 2, Shape: ShapeNumber, Symbol: "/"},
	Rem:           {Name: "rem", Arity: 2, Shape: ShapeInteger, Symbol: "%"},
	Neg:           {Name: "neg", Arity: 1, Shape: ShapeNumber, Symbol: "-"},
	FMA:           {Name: "fma", Arity: 3, Shape: ShapeFloat, Commutative: true},
	Sqrt:          {Name: "sqrt", Arity: 1, Shape: ShapeFloat},
	Abs:           {Name: "abs", Arity: 1, Shape: ShapeNumber},
	Copysign:      {Name: "copysign", Arity: 2, Shape: ShapeFloat},
	Min:           {Name: "min", Arity: 2, Shape: ShapeNumber, Commutative: true},
	Max:           {Name: "max", Arity: 2, Shape: ShapeNumber, Commutative: true},
	MinMag:        {Name: "minmag", Arity: 2, Shape: ShapeFloat, Commutative: true},
	Floor:         {Name: "floor", Arity: 1, Shape: ShapeFloat},
	Ceil:          {Name: "ceil", Arity: 1, Shape: ShapeFloat},
	Trunc:         {Name: "trunc", Arity: 1, Shape: ShapeFloat},
	Rint:          {Name: "rint", Arity: 1, Shape: ShapeFloat},
	And:           {Name: "and", Arity: 2, Shape: ShapeBits, Commutative: true, Symbol: "&"},
	Or:            {Name: "or", Arity: 2, Shape: ShapeBits, Commutative: true, Symbol: "|"},
	Xor:           {Name: "xor", Arity: 2, Shape: ShapeBits, Commutative: true, Symbol: "^"},
	AndNot:        {Name: "andnot", Arity: 2, Shape: ShapeBits, Symbol: "&^"},
	Not:           {Name: "not", Arity: 1, Shape: ShapeBits, Symbol: "^"},
	Shl:           {Name: "shl", Arity: 2, Shape: ShapeInteger, Symbol: "<<"},
	Shr:           {Name: "shr", Arity: 2, Shape: ShapeInteger, Symbol: ">>"},
	RotateLeft:    {Name: "rotateleft", Arity: 2, Shape: ShapeInteger},
	Reverse:       {Name: "reverse", Arity: 1, Shape: ShapeInteger},
	ReverseBytes:  {Name: "reversebytes", Arity: 1, Shape: ShapeInteger},
	OnesCount:     {Name: "onescount", Arity: 1, Shape: ShapeInteger},
	LeadingZeros:  {Name: "leadingzeros", Arity: 1, Shape: ShapeInteger},
	TrailingZeros: {Name: "trailingzeros", Arity: 1, Shape: ShapeInteger},
	Ldexp:         {Name: "ldexp", Arity: 2, Shape: ShapeFloat},
	Logb:          {Name: "logb", Arity: 1, Shape: ShapeFloat},
	Mant:          {Name: "mant", Arity: 1, Shape: ShapeFloat},
	Exp:           {Name: "exp", Arity: 1, Shape: ShapeFloat, Function: true},
	Expm1:         {Name: "expm1", Arity: 1, Shape: ShapeFloat, Function: true},
	Log:           {Name: "log", Arity: 1, Shape: ShapeFloat, Function: true},
	Tanh:          {Name: "tanh", Arity: 1, Shape: ShapeFloat, Function: true},
	Pow:           {Name: "pow", Arity: 2, Shape: ShapeFloat, Function: true},
	Lt:            {Name: "lt", Arity: 2, Shape: ShapeCompare, Symbol: "<"},
	Le:            {Name: "le", Arity: 2, Shape: ShapeCompare, Symbol: "<="},
	Eq:            {Name: "eq", Arity: 2, Shape: ShapeCompare, Commutative: true, Symbol: "=="},
	Ne:            {Name: "ne", Arity: 2, Shape: ShapeCompare, Commutative: true, Symbol: "!="},
	Select:        {Name: "select", Arity: 3, Shape: ShapeSelect},
	Convert:       {Name: "convert", Arity: 1, Shape: ShapeConvert},
	Lookup:        {Name: "lookup", Arity: 1, Shape: ShapeFloat},
	Empty:         {Name: "empty", Shape: ShapeLoop},
	Append:        {Name: "append", Arity: 2, Shape: ShapeLoop},
	Loop:          {Name: "loop", Arity: 1, Shape: ShapeLoop},
	Proj:          {Name: "proj", Arity: 1, Shape: ShapeLoop},
	Call1:         {Name: "call1", Arity: 1, Shape: ShapeFloat, Function: true},
	Call2:         {Name: "call2", Arity: 2, Shape: ShapeFloat, Function: true},
	Call3:         {Name: "call3", Arity: 3, Shape: ShapeFloat, Function: true},
}

// Info returns the operation's row.
func (op Op) Info() Info {
	if int(op) < len(infos) {
		return infos[op]
	}
	return Info{}
}

// String returns the operation's name.
func (op Op) String() string {
	if name := op.Info().Name; name != "" {
		return name
	}
	return fmt.Sprintf("op(%d)", uint8(op))
}

// Leaf reports whether op has no operands.
func (op Op) Leaf() bool { return op == Param || op == Const || op == Real }

// ParseOp finds an operation by name.
func ParseOp(name string) (Op, error) {
	for op := Op(1); op < NumOps; op++ {
		if infos[op].Name == name {
			return op, nil
		}
	}
	return OpInvalid, fmt.Errorf("ir: unknown operation %q", name)
}

// takes reports whether operands of a shape may have type t.
func (s Shape) takes(t Type) bool {
	switch s {
	case ShapeFloat:
		return t.IsFloat()
	case ShapeInteger:
		return t.IsInteger()
	case ShapeBits:
		return t.IsInteger() || t == Bool
	case ShapeNumber, ShapeCompare:
		return t.IsNumber()
	}
	return s != ShapeLoop && Bool <= t && t < Tuple
}

// Takes reports whether the operands of op, but for the condition of Select, may have type t.
func (op Op) Takes(t Type) bool { return op.Info().Shape.takes(t) }

var wanted = [...]string{
	ShapeFloat: "floating-point", ShapeNumber: "number", ShapeInteger: "integer", ShapeBits: "integer or bool", ShapeCompare: "number",
	ShapeSelect: "valid", ShapeConvert: "valid",
}

// ResultType applies op's type rule to the operand types. A leaf and a conversion have no result type of their own:
// want is checked for them and returned; for the others want may be Invalid, or is checked.
func (op Op) ResultType(want Type, args ...Type) (Type, error) {
	info := op.Info()
	if info.Name == "" {
		return Invalid, fmt.Errorf("ir: %v is not an operation", op)
	}
	if len(args) != info.Arity {
		return Invalid, fmt.Errorf("ir: %v takes %d operands, not %d", op, info.Arity, len(args))
	}
	if info.Shape == ShapeLoop {
		return op.loopType(want, args)
	}
	same := args
	if info.Shape == ShapeSelect {
		if args[0] != Bool {
			return Invalid, fmt.Errorf("ir: %v needs a bool condition, not %v", op, args[0])
		}
		same = args[1:]
	}
	for _, t := range same {
		if !info.Shape.takes(t) {
			return Invalid, fmt.Errorf("ir: %v needs %s operands, not %v", op, wanted[info.Shape], t)
		}
		if t != same[0] {
			return Invalid, fmt.Errorf("ir: %v of %v and %v: the types differ, convert one of them", op, same[0], t)
		}
	}
	result := want
	switch info.Shape {
	case ShapeFloat, ShapeNumber, ShapeInteger, ShapeBits, ShapeSelect:
		result = same[0]
	case ShapeCompare:
		result = Bool
	case ShapeConvert:
		if stored := want.Stored() || args[0].Stored(); !stored && !want.IsNumber() || stored && want != args[0] && want != Float32 && args[0] != Float32 {
			return Invalid, fmt.Errorf("ir: %v cannot make a value of type %v of %v", op, want, args[0])
		}
	default:
		if !(Bool <= want && want < Tuple) || op == Real && !want.IsFloat() || op == Const && want.Stored() {
			return Invalid, fmt.Errorf("ir: %v cannot make a value of type %v", op, want)
		}
	}
	if want != Invalid && want != result {
		return Invalid, fmt.Errorf("ir: %v of %v makes %v, not %v", op, same[0], result, want)
	}
	return result, nil
}

// loopType is ResultType for the nodes of a loop.
func (op Op) loopType(want Type, args []Type) (Type, error) {
	for i, t := range args {
		if (t == Tuple) != (i == 0) {
			return Invalid, fmt.Errorf("ir: operand %d of %v is %v", i, op, t)
		}
	}
	switch {
	case op == Proj && (want == Invalid || want == Tuple):
		return Invalid, fmt.Errorf("ir: %v cannot make a value of type %v", op, want)
	case op != Proj && want != Invalid && want != Tuple:
		return Invalid, fmt.Errorf("ir: %v makes a tuple, not %v", op, want)
	case op != Proj:
		want = Tuple
	}
	return want, nil
}
