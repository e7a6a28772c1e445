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

	// Ring and field.
	Add
	Sub
	Mul
	Div
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

	Convert // to the node's type: exact when it widens, one rounding when it narrows

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

// The shapes. T stands for any floating-point type.
const (
	ShapeLeaf    Shape = iota // () -> T
	ShapeFloat                // (T, ...) -> T
	ShapeCompare              // (T, T) -> bool
	ShapeSelect               // (bool, T, T) -> T
	ShapeConvert              // (T) -> U
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
	Param:    {Name: "param", Shape: ShapeLeaf},
	Const:    {Name: "const", Shape: ShapeLeaf},
	Real:     {Name: "real", Shape: ShapeLeaf},
	Add:      {Name: "add", Arity: 2, Shape: ShapeFloat, Commutative: true, Symbol: "+"},
	Sub:      {Name: "sub", Arity: 2, Shape: ShapeFloat, Symbol: "-"},
	Mul:      {Name: "mul", Arity: 2, Shape: ShapeFloat, Commutative: true, Symbol: "*"},
	Div:      {Name: "div", Arity: 2, Shape: ShapeFloat, Symbol: "/"},
	Neg:      {Name: "neg", Arity: 1, Shape: ShapeFloat, Symbol: "-"},
	FMA:      {Name: "fma", Arity: 3, Shape: ShapeFloat, Commutative: true},
	Sqrt:     {Name: "sqrt", Arity: 1, Shape: ShapeFloat},
	Abs:      {Name: "abs", Arity: 1, Shape: ShapeFloat},
	Copysign: {Name: "copysign", Arity: 2, Shape: ShapeFloat},
	Min:      {Name: "min", Arity: 2, Shape: ShapeFloat, Commutative: true},
	Max:      {Name: "max", Arity: 2, Shape: ShapeFloat, Commutative: true},
	MinMag:   {Name: "minmag", Arity: 2, Shape: ShapeFloat, Commutative: true},
	Floor:    {Name: "floor", Arity: 1, Shape: ShapeFloat},
	Ceil:     {Name: "ceil", Arity: 1, Shape: ShapeFloat},
	Trunc:    {Name: "trunc", Arity: 1, Shape: ShapeFloat},
	Rint:     {Name: "rint", Arity: 1, Shape: ShapeFloat},
	Ldexp:    {Name: "ldexp", Arity: 2, Shape: ShapeFloat},
	Logb:     {Name: "logb", Arity: 1, Shape: ShapeFloat},
	Mant:     {Name: "mant", Arity: 1, Shape: ShapeFloat},
	Exp:      {Name: "exp", Arity: 1, Shape: ShapeFloat, Function: true},
	Expm1:    {Name: "expm1", Arity: 1, Shape: ShapeFloat, Function: true},
	Log:      {Name: "log", Arity: 1, Shape: ShapeFloat, Function: true},
	Tanh:     {Name: "tanh", Arity: 1, Shape: ShapeFloat, Function: true},
	Pow:      {Name: "pow", Arity: 2, Shape: ShapeFloat, Function: true},
	Lt:       {Name: "lt", Arity: 2, Shape: ShapeCompare, Symbol: "<"},
	Le:       {Name: "le", Arity: 2, Shape: ShapeCompare, Symbol: "<="},
	Eq:       {Name: "eq", Arity: 2, Shape: ShapeCompare, Commutative: true, Symbol: "=="},
	Ne:       {Name: "ne", Arity: 2, Shape: ShapeCompare, Commutative: true, Symbol: "!="},
	Select:   {Name: "select", Arity: 3, Shape: ShapeSelect},
	Convert:  {Name: "convert", Arity: 1, Shape: ShapeConvert},
	Lookup:   {Name: "lookup", Arity: 1, Shape: ShapeFloat},
	Empty:    {Name: "empty", Shape: ShapeLoop},
	Append:   {Name: "append", Arity: 2, Shape: ShapeLoop},
	Loop:     {Name: "loop", Arity: 1, Shape: ShapeLoop},
	Proj:     {Name: "proj", Arity: 1, Shape: ShapeLoop},
	Call1:    {Name: "call1", Arity: 1, Shape: ShapeFloat, Function: true},
	Call2:    {Name: "call2", Arity: 2, Shape: ShapeFloat, Function: true},
	Call3:    {Name: "call3", Arity: 3, Shape: ShapeFloat, Function: true},
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
	floats := args
	if info.Shape == ShapeSelect {
		if args[0] != Bool {
			return Invalid, fmt.Errorf("ir: %v needs a bool condition, not %v", op, args[0])
		}
		floats = args[1:]
	}
	for _, t := range floats {
		if !t.IsFloat() {
			return Invalid, fmt.Errorf("ir: %v needs floating-point operands, not %v", op, t)
		}
		if t != floats[0] {
			return Invalid, fmt.Errorf("ir: %v of %v and %v: the types differ, convert one of them", op, floats[0], t)
		}
	}
	result := want
	switch info.Shape {
	case ShapeFloat, ShapeSelect:
		result = floats[0]
	case ShapeCompare:
		result = Bool
	default:
		if !want.IsFloat() {
			return Invalid, fmt.Errorf("ir: %v cannot make a value of type %v", op, want)
		}
	}
	if want != Invalid && want != result {
		return Invalid, fmt.Errorf("ir: %v of %v makes %v, not %v", op, floats[0], result, want)
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
