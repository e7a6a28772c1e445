package native

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// arithmetic holds the operations that are one LLVM instruction.
var arithmetic = map[ir.Op]string{ir.Add: "fadd", ir.Sub: "fsub", ir.Mul: "fmul", ir.Div: "fdiv", ir.Neg: "fneg"}

// comparison holds LLVM's predicates. Ordered ones are false on NaN; une is true.
var comparison = map[ir.Op]string{ir.Lt: "olt", ir.Le: "ole", ir.Eq: "oeq", ir.Ne: "une"}

// intrinsic holds the operations that are one overloaded intrinsic, and on every target one or two instructions.
// roundeven and not rint: it does not depend on the rounding mode.
var intrinsic = map[ir.Op]string{
	ir.Sqrt: "sqrt", ir.Abs: "fabs", ir.Copysign: "copysign", ir.FMA: "fma",
	ir.Floor: "floor", ir.Ceil: "ceil", ir.Trunc: "trunc", ir.Rint: "roundeven",
}

// lower emits node n whose operands are the vectors args, and returns the vector of its results.
func (e *emitter) lower(n ir.Node, args []string) string {
	switch operands := e.f.Nodes[n.Args[0]].Type; {
	case n.Op == ir.Convert:
		return e.convert(operands, n.Type, args[0])
	case n.Op == ir.Select:
	case n.Type.IsInteger() || n.Type == ir.Bool && !operands.IsFloat():
		return e.discrete(n.Op, operands, args)
	}
	switch n.Op {
	case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg:
		return e.op(arithmetic[n.Op], n.Type, args...)
	case ir.Sqrt, ir.Abs, ir.Copysign, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.FMA:
		return e.call(intrinsic[n.Op], n.Type, args...)
	case ir.Min, ir.Max:
		if e.t.Minimum {
			return e.call(n.Op.String()+"imum", n.Type, args...)
		}
		return e.extremum(n.Op, n.Type, args[0], args[1])
	case ir.Lt, ir.Le, ir.Eq, ir.Ne:
		return e.compare(comparison[n.Op], e.f.Nodes[n.Args[0]].Type, args[0], args[1])
	case ir.Select:
		return e.choose(n.Type, args[0], args[1], args[2])
	case ir.MinMag:
		return e.minMag(n, args[0], args[1])
	case ir.Lookup:
		return e.lookup(n, args[0])
	case ir.Ldexp:
		if e.t.AVX512 {
			return e.scalef(n.Type, args[0], args[1], e.known[n.Args[0]], e.known[n.Args[1]])
		}
		return e.ldexp(n.Type, args[0], args[1], e.known[n.Args[1]])
	case ir.Logb:
		if e.t.AVX512 {
			return e.getexp(n.Type, args[0])
		}
		return e.logb(n.Type, args[0])
	case ir.Mant:
		if e.t.AVX512 {
			return e.getmant(n.Type, args[0])
		}
		return e.mant(n.Type, args[0])
	}
	panic(fmt.Sprintf("native: %v passed the check", n.Op))
}

// op emits an instruction whose operands and result are vectors of t.
func (e *emitter) op(name string, t ir.Type, args ...string) string {
	return e.value("%s %s %s", name, e.vector(t), strings.Join(args, ", "))
}

// bitop emits an instruction on the bit patterns of t.
func (e *emitter) bitop(name string, t ir.Type, a, b string) string {
	return e.value("%s %s %s, %s", name, e.integers(t), a, b)
}

func (e *emitter) toBits(t ir.Type, x string) string {
	return e.value("bitcast %s %s to %s", e.vector(t), x, e.integers(t))
}

func (e *emitter) fromBits(t ir.Type, x string) string {
	return e.value("bitcast %s %s to %s", e.integers(t), x, e.vector(t))
}

// call emits an overloaded intrinsic on vectors of t.
func (e *emitter) call(name string, t ir.Type, args ...string) string {
	typed := make([]string, len(args))
	for i, a := range args {
		typed[i] = e.vector(t) + " " + a
	}
	return e.invoke(e.vector(t), fmt.Sprintf("llvm.%s.%s", name, e.suffix(t)), typed...)
}

// invoke emits a call; every argument is a type and a value. It declares the callee.
func (e *emitter) invoke(result, name string, args ...string) string {
	e.declare(result, name, args)
	return e.value("call %s @%s(%s)", result, name, strings.Join(args, ", "))
}

func (e *emitter) declare(result, name string, args []string) {
	types := make([]string, len(args))
	for i, a := range args {
		types[i], _, _ = strings.Cut(a, " ")
		if end := strings.IndexByte(a, '>'); a[0] == '<' {
			types[i] = a[:end+1]
		}
	}
	e.declared[fmt.Sprintf("declare %s @%s(%s)", result, name, strings.Join(types, ", "))] = true
}

func (e *emitter) compare(predicate string, t ir.Type, a, b string) string {
	return e.value("fcmp %s %s %s, %s", predicate, e.vector(t), a, b)
}

func (e *emitter) choose(t ir.Type, cond, a, b string) string {
	return e.value("select %s %s, %s %s, %s %s", e.vector(ir.Bool), cond, e.vector(t), a, e.vector(t), b)
}

// extremum is min or max by x86's minps or maxps, which are the choice emitted here: the second operand where the operands
// are equal or one is NaN. Taken both ways, the results differ there alone. Then the union of their bits is the lesser of two
// zeros, or NaN; for max, what differs between zeros is taken away again, and -0 - -0 is +0.
func (e *emitter) extremum(op ir.Op, t ir.Type, a, b string) string {
	predicate := "olt"
	if op == ir.Max {
		predicate = "ogt"
	}
	x := e.toBits(t, e.choose(t, e.compare(predicate, t, a, b), a, b))
	y := e.toBits(t, e.choose(t, e.compare(predicate, t, b, a), b, a))
	either := e.fromBits(t, e.bitop("or", t, x, y))
	if op == ir.Min {
		return either
	}
	return e.op("fsub", t, either, e.fromBits(t, e.bitop("xor", t, x, y)))
}

// quiets holds operations whose result is never a signalling NaN. The others here move bits.
var quiets = map[ir.Op]bool{
	ir.Add: true, ir.Sub: true, ir.Mul: true, ir.Div: true, ir.FMA: true, ir.Sqrt: true, ir.Floor: true, ir.Ceil: true,
	ir.Trunc: true, ir.Rint: true, ir.Lookup: true, ir.Real: true,
}

// ranges reports whether vrange can be MinMag. Of a signalling NaN it makes a NaN, and not the other operand: there must be none,
// or no result may show it.
func (e *emitter) ranges(n ir.Node) bool {
	quiet := func(a ir.Value) bool {
		x, ok := e.f.ConstValue(a)
		return quiets[e.f.Nodes[a].Op] || ok && x == x || !exposed(e.f, n, a)
	}
	return e.t.AVX512 && quiet(n.Args[0]) && quiet(n.Args[1])
}

// smaller is vrange, with the sign that the bits 2-3 of the control say.
func (e *emitter) smaller(n ir.Node, sign int, a, b string) string {
	const smallerMagnitude = 2 // bits 0-1
	v := e.vector(n.Type) + " "
	return e.avx512(n.Type, "range", fmt.Sprintf("i%d -1", e.lanes), v+a, v+b,
		fmt.Sprintf("i32 %d", sign|smallerMagnitude), v+"zeroinitializer")
}

// minMag is vrange where that is possible, elsewhere a choice. A constant that is not negative takes no look at equal
// magnitudes, of which the other operand's is the lesser.
func (e *emitter) minMag(n ir.Node, a, b string) string {
	t := n.Type
	if e.ranges(n) {
		const itsOwn = 1 << 2
		return e.smaller(n, itsOwn, a, b)
	}
	if c, ok := e.f.ConstValue(n.Args[0]); ok && c >= 0 && !math.Signbit(c) {
		n.Args[0], n.Args[1], a, b = n.Args[1], n.Args[0], b, a
	}
	x := e.call("fabs", t, a)
	if c, ok := e.f.ConstValue(n.Args[1]); ok && c >= 0 && !math.Signbit(c) {
		return e.choose(t, e.compare("ole", t, x, b), a, b)
	}
	y := e.call("fabs", t, b)
	r := e.choose(t, e.compare("olt", t, x, y), a, b)
	r = e.choose(t, e.compare("uno", t, b, b), a, r)
	lesser := e.fromBits(t, e.bitop("or", t, e.toBits(t, a), e.toBits(t, b)))
	return e.choose(t, e.compare("oeq", t, x, y), lesser, r)
}
