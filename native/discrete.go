package native

import (
	"fmt"
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Integers, bools and conversions.

// plain holds the operations of integers that are one LLVM instruction, the same for signed and unsigned types; those of
// bits are bools' too.
var plain = map[ir.Op]string{ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul", ir.And: "and", ir.Or: "or", ir.Xor: "xor"}

// order holds LLVM's predicates of integers, without the letter for signedness.
var order = map[ir.Op]string{ir.Lt: "lt", ir.Le: "le"}

var zeros = map[ir.Op]string{ir.LeadingZeros: "ctlz", ir.TrailingZeros: "cttz"}

// discrete emits an operation whose operands are integers or bools of type t.
func (e *emitter) discrete(op ir.Op, t ir.Type, args []string) string {
	sign := "u"
	if t.IsSigned() {
		sign = "s"
	}
	ones := e.ones(t)
	switch op {
	case ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor:
		return e.op(plain[op], t, args...)
	case ir.AndNot:
		return e.op("and", t, args[0], e.op("xor", t, args[1], ones))
	case ir.Not:
		return e.op("xor", t, args[0], ones)
	case ir.Neg:
		return e.op("sub", t, "zeroinitializer", args[0])
	case ir.Abs:
		if !t.IsSigned() {
			return args[0]
		}
		return e.invoke(e.vector(t), "llvm.abs."+e.suffix(t), e.vector(t)+" "+args[0], "i1 false")
	case ir.Min, ir.Max:
		return e.call(sign+op.String(), t, args...)
	case ir.Shl, ir.Shr:
		return e.shift(op, t, args[0], args[1])
	case ir.RotateLeft:
		return e.call("fshl", t, args[0], args[0], args[1])
	case ir.Reverse:
		return e.call("bitreverse", t, args[0])
	case ir.ReverseBytes:
		if t.Size() == 1 {
			return args[0]
		}
		return e.call("bswap", t, args[0])
	case ir.OnesCount:
		return e.call("ctpop", t, args[0])
	case ir.LeadingZeros, ir.TrailingZeros:
		const zeroIsKnown = "i1 false" // the result for 0 is the width
		return e.invoke(e.vector(t), fmt.Sprintf("llvm.%s.%s", zeros[op], e.suffix(t)), e.vector(t)+" "+args[0], zeroIsKnown)
	case ir.Div, ir.Rem:
		return e.divide(op, t, args[0], args[1])
	case ir.Lt, ir.Le:
		return e.integerCompare(sign+order[op], t, args[0], args[1])
	case ir.Eq, ir.Ne:
		return e.integerCompare(op.String(), t, args[0], args[1])
	}
	panic(fmt.Sprintf("native: %v of %v passed the check", op, t))
}

// ones is the vector of all bits set.
func (e *emitter) ones(t ir.Type) string {
	if t == ir.Bool {
		return e.constant(t, 1)
	}
	return e.integer(t, -1)
}

func (e *emitter) integerCompare(predicate string, t ir.Type, a, b string) string {
	return e.value("icmp %s %s %s, %s", predicate, e.vector(t), a, b)
}

// shift makes LLVM's shifts total: a count of the width or more shifts every bit out.
func (e *emitter) shift(op ir.Op, t ir.Type, x, count string) string {
	width := int64(8 * t.Size())
	if op == ir.Shr && t.IsSigned() {
		return e.op("ashr", t, x, e.call("umin", t, count, e.integer(t, width-1)))
	}
	name := "shl"
	if op == ir.Shr {
		name = "lshr"
	}
	inside := e.integerCompare("ult", t, count, e.integer(t, width))
	return e.choose(t, inside, e.op(name, t, x, count), "zeroinitializer")
}

// divide is Div or Rem. A zero divisor is reported and becomes 1, and so does -1, whose quotient is the negated dividend. Quotients
// of up to 32 bits are taken in a float type that holds both operands and twice as many bits: rounding such a quotient never takes
// it to the next integer. There is no vector instruction for 64 bits.
func (e *emitter) divide(op ir.Op, t ir.Type, x, y string) string {
	zero := e.integerCompare("eq", t, y, "zeroinitializer")
	if e.active != nil {
		e.fault(e.anyLane(e.op("and", ir.Bool, zero, e.active[e.at])))
	} else {
		e.fault(e.anyLane(zero))
	}
	one, unsafe, negated := e.integer(t, 1), zero, ""
	if t.IsSigned() {
		negated = e.integerCompare("eq", t, y, e.integer(t, -1))
		unsafe = e.op("or", ir.Bool, zero, negated)
	}
	divisor := e.choose(t, unsafe, one, y)
	var quotient string
	switch {
	case t.Size() == 8 && t.IsSigned():
		quotient = e.op("sdiv", t, x, divisor)
	case t.Size() == 8:
		quotient = e.op("udiv", t, x, divisor)
	default:
		f := ir.Float32
		if t.Size() == 4 {
			f = ir.Float64
		}
		quotient = e.truncate(f, t, e.op("fdiv", f, e.convert(t, f, x), e.convert(t, f, divisor)))
	}
	if op == ir.Rem {
		return e.op("sub", t, x, e.op("mul", t, quotient, divisor)) // 0 for the divisor 1
	}
	if t.IsSigned() {
		quotient = e.choose(t, negated, e.op("sub", t, "zeroinitializer", x), quotient)
	}
	return quotient
}

// anyLane is 1 if a lane of a mask is set, otherwise 0.
func (e *emitter) anyLane(mask string) string {
	bits := e.value("bitcast %s %s to i%d", e.vector(ir.Bool), mask, e.lanes)
	return e.value("zext i1 %s to i32", e.value("icmp ne i%d %s, 0", e.lanes, bits))
}

// change emits a conversion instruction.
func (e *emitter) change(name string, from, to ir.Type, x string) string {
	return e.value("%s %s %s to %s", name, e.vector(from), x, e.vector(to))
}

func (e *emitter) convert(from, to ir.Type, x string) string {
	switch {
	case from == to:
		return x
	case from.Stored():
		return e.unstore(from, x)
	case to.Stored():
		return e.store(to, x)
	case from.IsFloat() && to == ir.Float64:
		return e.change("fpext", from, to, x)
	case from.IsFloat() && to == ir.Float32:
		return e.change("fptrunc", from, to, x)
	case from.IsFloat():
		return e.saturate(from, to, x)
	case to.IsFloat() && from.IsSigned():
		return e.change("sitofp", from, to, x)
	case to.IsFloat():
		return e.change("uitofp", from, to, x)
	case from == ir.Bool:
		return e.change("zext", from, to, x)
	case from.Size() > to.Size():
		return e.change("trunc", from, to, x)
	case from.Size() == to.Size():
		return x
	case from.IsSigned():
		return e.change("sext", from, to, x)
	}
	return e.change("zext", from, to, x)
}

// truncate converts floats that the integer type holds.
func (e *emitter) truncate(from, to ir.Type, x string) string {
	if to.IsSigned() {
		return e.change("fptosi", from, to, x)
	}
	return e.change("fptoui", from, to, x)
}

// saturate is the conversion of ir.Type.FromFloat. Lanes out of range are undefined after the instruction, and replaced.
func (e *emitter) saturate(from, to ir.Type, x string) string {
	bits := 8 * to.Size()
	lo, hi, least, greatest := 0., math.Ldexp(1, bits), int64(0), int64(-1)
	if to.IsSigned() {
		lo, hi = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
		least, greatest = math.MinInt64>>(64-bits), math.MaxInt64>>(64-bits)
	}
	y := e.truncate(from, to, x)
	y = e.choose(to, e.compare("olt", from, x, e.number(from, lo)), e.integer(to, least), y)
	y = e.choose(to, e.compare("oge", from, x, e.number(from, hi)), e.integer(to, to.Wrap(greatest)), y)
	return e.choose(to, e.compare("uno", from, x, x), "zeroinitializer", y)
}
