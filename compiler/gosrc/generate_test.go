package gosrc

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// author writes random Go functions of the language of kernels. They end, whatever they are given, and leave nothing to the machine:
// floats become integers only in the integer's range, and the sign of a NaN is not looked at.
type author struct {
	r         *rand.Rand
	b         strings.Builder
	faults    bool // integers may be divided by zero
	functions bool // functions of package math that no machine has
	indent    int
	names     int
	scope     []variable
	loops     []*generatedLoop
	results   []ir.Type
	budget    int // statements left
	inSwitch  int
}

type variable struct {
	name  string
	typ   ir.Type
	array int // its length, 0 for a scalar
	fixed bool
}

type generatedLoop struct {
	label string
	used  bool
}

var scalarTypes = []ir.Type{
	ir.Float32, ir.Float64, ir.Float32, ir.Float64, ir.Int8, ir.Int16, ir.Int32, ir.Int64, ir.Uint8, ir.Uint16, ir.Uint32, ir.Uint64, ir.Bool, ir.Int32,
}

// prelude is what the functions may call.
const prelude = `package main

import (
	"math"
	"math/bits"
)

var _, _ = math.Pi, bits.UintSize

var table = [8]float32{0.5, -1.25, 3, 1e10, -0.0078125, 7, 0.1, -100}
var primes = []int64{2, 3, 5, 7, 11, 13, 17, 19}

func toInt(x float64) int32 {
	if x > -1e9 && x < 1e9 {
		return int32(x)
	}
	return 0
}

func toByte(x float32) (y uint8) {
	if x >= 0 && x < 256 {
		y = uint8(x)
	}
	return
}

func quotient[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](x, y T) (T, T) {
	if y == 0 {
		return 0, x
	}
	return x / y, x % y
}

func add32(x, y, z uint32) uint32 {
	sum, carry := bits.Add32(x, y, z&1)
	return sum ^ carry<<7
}

func sub32(x, y, z uint32) uint32 {
	difference, borrow := bits.Sub32(x, y, z&1)
	return difference ^ borrow<<7
}

func mul32(x, y, z uint32) uint32 {
	hi, lo := bits.Mul32(x, y)
	return hi ^ lo*z
}

func add64(x, y, z uint64) uint64 {
	sum, carry := bits.Add64(x, y, z&1)
	return sum ^ carry<<7
}

func sub64(x, y, z uint64) uint64 {
	difference, borrow := bits.Sub64(x, y, z&1)
	return difference ^ borrow<<7
}

func mul64(x, y, z uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	return hi ^ lo*z
}

func clamp[T float32 | float64](x, lo, hi T) T {
	switch {
	case x < lo:
		return lo
	case x > hi:
		return hi
	}
	return x
}

func sumTo(n int32) (s int32) {
	for i := range n {
		if i > 20 {
			break
		}
		s += i * i
	}
	return s
}

func rotate(v [4]int32, k uint8) [4]int32 {
	for range k & 3 {
		v[0], v[1], v[2], v[3] = v[1], v[2], v[3], v[0]
	}
	return v
}
`

func (g *author) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

func (g *author) chance(n int) bool { return g.r.IntN(n) == 0 }

func pickOf[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func (g *author) name() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

// function writes a function and returns its parameters and results.
func (g *author) function(name string) (params, results []ir.Type) {
	g.scope, g.names, g.loops, g.inSwitch = nil, 0, nil, 0
	g.budget = 4 + g.r.IntN(14)
	var list []string
	for range 1 + g.r.IntN(3) {
		t := pickOf(g.r, scalarTypes)
		v := variable{name: g.name(), typ: t}
		params = append(params, t)
		g.scope = append(g.scope, v)
		list = append(list, v.name+" "+t.GoName())
	}
	named := g.chance(3)
	var out []string
	var values []variable
	for range 1 + g.r.IntN(2) {
		t := pickOf(g.r, scalarTypes)
		results = append(results, t)
		if named {
			v := variable{name: g.name(), typ: t}
			values = append(values, v)
			out = append(out, v.name+" "+t.GoName())
		} else {
			out = append(out, t.GoName())
		}
	}
	g.results = results
	g.scope = append(g.scope, values...)
	g.line("func %s(%s) (%s) {", name, strings.Join(list, ", "), strings.Join(out, ", "))
	g.indent++
	g.block(0)
	if named && g.chance(2) {
		g.line("return")
	} else {
		g.giveBack()
	}
	g.indent--
	g.line("}\n")
	return params, results
}

func (g *author) giveBack() {
	var list []string
	for _, t := range g.results {
		list = append(list, g.expr(t, 3))
	}
	g.line("return %s", strings.Join(list, ", "))
}

// block writes statements in a scope of their own, without braces.
func (g *author) block(depth int) {
	outer := len(g.scope)
	for range 1 + g.r.IntN(5) {
		if g.budget <= 0 {
			break
		}
		g.budget--
		if !g.statement(depth) {
			break
		}
	}
	g.scope = g.scope[:outer]
}

// statement reports whether another one may follow.
func (g *author) statement(depth int) bool {
	kind := g.r.IntN(20)
	if depth >= 3 && kind >= 9 {
		kind = g.r.IntN(9)
	}
	switch {
	case kind < 3:
		g.declare()
	case kind < 8:
		g.assign()
	case kind == 8:
		switch {
		case len(g.loops) > 0 && g.chance(2):
			l := pickOf(g.r, g.loops)
			word := pickOf(g.r, []string{"break", "continue"})
			if l == g.loops[len(g.loops)-1] && g.chance(2) && !(word == "break" && g.inSwitch > 0) {
				g.line("%s", word)
			} else {
				l.used = true
				g.line("%s %s", word, l.label)
			}
			return false
		case depth > 0 && g.chance(2):
			g.giveBack()
			return false
		}
		g.declare()
	case kind < 13:
		g.ifElse(depth)
	case kind < 17:
		g.loop(depth)
	case kind < 19:
		g.switchOf(depth)
	default:
		g.line("{")
		g.nested(depth)
		g.line("}")
	}
	return true
}

func (g *author) nested(depth int) {
	g.indent++
	g.block(depth + 1)
	g.indent--
}

func (g *author) declare() {
	t := pickOf(g.r, scalarTypes)
	v := variable{name: g.name(), typ: t}
	switch g.r.IntN(5) {
	case 0:
		g.line("var %s %s", v.name, t.GoName())
	case 1:
		v.array, v.typ = 4, pickOf(g.r, []ir.Type{ir.Int32, ir.Float32, ir.Uint8})
		var list []string
		for range g.r.IntN(5) {
			list = append(list, g.expr(v.typ, 2))
		}
		g.line("%s := [4]%s{%s}", v.name, v.typ.GoName(), strings.Join(list, ", "))
	case 2:
		if t.IsInteger() {
			w := variable{name: g.name(), typ: t}
			g.line("%s, %s := quotient(%s, %s)", v.name, w.name, g.variable(t), g.expr(t, 2))
			g.line("_, _ = %s, %s", v.name, w.name)
			g.scope = append(g.scope, v, w)
			return
		}
		fallthrough
	default:
		g.line("%s := %s(%s)", v.name, t.GoName(), g.expr(t, 3))
	}
	g.line("_ = %s", v.name)
	g.scope = append(g.scope, v)
}

// assign writes to a variable.
func (g *author) assign() {
	var list []variable
	for _, v := range g.scope {
		if !v.fixed {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		g.declare()
		return
	}
	v := pickOf(g.r, list)
	if v.array > 0 {
		switch {
		case v.typ == ir.Int32 && g.chance(4):
			g.line("%s = rotate(%s, %s)", v.name, v.name, g.expr(ir.Uint8, 2))
		case g.chance(3):
			g.line("%s[%d], %s[%d] = %s[%s], %s", v.name, g.r.IntN(4), v.name, g.r.IntN(4), v.name, g.index(4), g.expr(v.typ, 2))
		default:
			g.line("%s[%s] = %s", v.name, g.index(4), g.expr(v.typ, 3))
		}
		return
	}
	switch w := pickOf(g.r, list); {
	case w.typ == v.typ && w.array == 0 && w.name != v.name && g.chance(3):
		g.line("%s, %s = %s, %s", v.name, w.name, w.name, g.expr(v.typ, 2))
	case v.typ != ir.Bool && g.chance(6):
		g.line("%s%s", v.name, pickOf(g.r, []string{"++", "--"}))
	case v.typ.IsInteger() && g.chance(3):
		op := pickOf(g.r, []string{"+", "-", "*", "&", "|", "^", "&^"})
		g.line("%s %s= %s", v.name, op, g.expr(v.typ, 2))
	case v.typ.IsFloat() && g.chance(3):
		g.line("%s %s= %s", v.name, pickOf(g.r, []string{"+", "-", "*", "/"}), g.expr(v.typ, 2))
	default:
		g.line("%s = %s", v.name, g.expr(v.typ, 3))
	}
}

func (g *author) ifElse(depth int) {
	if g.chance(4) {
		t := pickOf(g.r, scalarTypes[:8])
		v := variable{name: g.name(), typ: t}
		g.line("if %s := %s(%s); %s < %s {", v.name, t.GoName(), g.expr(t, 2), v.name, g.expr(t, 1))
		outer := len(g.scope)
		g.scope = append(g.scope, v)
		g.nested(depth)
		g.scope = g.scope[:outer]
	} else {
		g.line("if %s {", g.expr(ir.Bool, 3))
		g.nested(depth)
	}
	for g.chance(4) {
		g.line("} else if %s {", g.expr(ir.Bool, 2))
		g.nested(depth)
	}
	if g.chance(2) {
		g.line("} else {")
		g.nested(depth)
	}
	g.line("}")
}

// loop writes a loop of any form. Its text is made before it is known whether the label is used.
func (g *author) loop(depth int) {
	l := &generatedLoop{label: fmt.Sprintf("L%d", g.names)}
	g.names++
	i := variable{name: g.name(), typ: pickOf(g.r, []ir.Type{ir.Int64, ir.Int32, ir.Uint8, ir.Int8}), fixed: true}
	outer, text, inSwitch := len(g.scope), g.b.String(), g.inSwitch
	g.b.Reset()
	g.inSwitch = 0
	n := 1 + g.r.IntN(5)
	first := ""
	switch g.r.IntN(6) {
	case 0:
		g.line("for %s := %s(0); %s < %d; %s++ {", i.name, i.typ.GoName(), i.name, n, i.name)
	case 1:
		i.typ = ir.Int32
		g.line("for %s := int32(%d); %s >= 0 && %s; %s-- {", i.name, n, i.name, g.expr(ir.Bool, 2), i.name)
	case 2:
		first = fmt.Sprintf("if %s++; %s > %d {\nbreak\n}", i.name, i.name, n)
		g.line("%s := %s(0)", i.name, i.typ.GoName())
		g.line("_ = %s", i.name)
		if g.chance(2) {
			g.line("for %s {", g.expr(ir.Bool, 2))
		} else {
			g.line("for {")
		}
	case 3:
		if g.chance(2) {
			g.line("for %s := range %s(%d) {", i.name, i.typ.GoName(), n)
		} else {
			g.line("for %s := range %s & 7 {", i.name, g.variable(i.typ))
		}
	case 4:
		array := g.array()
		w := variable{name: g.name(), typ: array.typ}
		g.line("for %s, %s := range %s {", i.name, w.name, array.name)
		g.scope = append(g.scope, w)
		first = fmt.Sprintf("_, _ = %s, %s", i.name, w.name)
		i.typ = ir.Invalid // an int, which is another type than int64
	default:
		g.line("for range %d {", n)
		i.typ = ir.Invalid
	}
	if i.typ != ir.Invalid {
		if first == "" {
			first = "_ = " + i.name
		}
		g.scope = append(g.scope, i)
	}
	g.loops = append(g.loops, l)
	if first != "" {
		g.line("%s", first)
	}
	g.nested(depth)
	g.line("}")
	g.loops = g.loops[:len(g.loops)-1]
	g.scope, g.inSwitch = g.scope[:outer], inSwitch
	body := g.b.String()
	g.b.Reset()
	g.b.WriteString(text)
	if l.used { // the label stands before the for
		at := strings.Index(body, "for ")
		body = body[:at] + l.label + ":\n" + body[at:]
	}
	g.b.WriteString("{\n" + body + "}\n")
}

func (g *author) switchOf(depth int) {
	g.inSwitch++
	t := pickOf(g.r, []ir.Type{ir.Int32, ir.Uint8, ir.Invalid, ir.Invalid, ir.Float32})
	if t == ir.Invalid {
		g.line("switch {")
	} else {
		g.line("switch %s {", g.variable(t))
	}
	n := 1 + g.r.IntN(4)
	byDefault := g.r.IntN(2 * n)
	for i := range n {
		switch {
		case i == byDefault:
			g.line("default:")
		case t == ir.Invalid:
			g.line("case %s:", g.expr(ir.Bool, 2))
		case g.chance(2):
			g.line("case %d, %s:", i, g.variable(t))
		default:
			g.line("case %d, %d:", i, 10+i)
		}
		g.nested(depth)
		if i < n-1 && g.chance(5) {
			g.line("fallthrough")
		}
	}
	g.line("}")
	g.inSwitch--
}

// array is one in scope, or a table of the package.
func (g *author) array() variable {
	list := []variable{{name: "table", typ: ir.Float32, array: 8}, {name: "primes", typ: ir.Int64, array: 8}}
	for _, v := range g.scope {
		if v.array > 0 && v.typ != ir.Invalid {
			list = append(list, v)
		}
	}
	return pickOf(g.r, list)
}

// index is an index into n elements, a power of two.
func (g *author) index(n int) string {
	switch g.r.IntN(3) {
	case 0:
		return fmt.Sprint(g.r.IntN(n))
	case 1:
		return fmt.Sprintf("%s & %d", g.variable(pickOf(g.r, []ir.Type{ir.Int32, ir.Uint8, ir.Int64})), n-1)
	}
	return fmt.Sprintf("%s %% %d", g.variable(pickOf(g.r, []ir.Type{ir.Uint32, ir.Uint8, ir.Uint64})), n)
}

// variable is one of type t, or a conversion or constant that is not constant to Go.
func (g *author) variable(t ir.Type) string {
	var same, numbers []variable
	for _, v := range g.scope {
		if v.array == 0 && v.typ == t {
			same = append(same, v)
		}
		if v.array == 0 && v.typ.IsNumber() {
			numbers = append(numbers, v)
		}
	}
	if len(same) > 0 && !g.chance(12) {
		return pickOf(g.r, same).name
	}
	var from *variable
	if len(numbers) > 0 {
		from = &numbers[g.r.IntN(len(numbers))]
	}
	switch {
	case from == nil && t.IsFloat():
		return t.GoName() + "(table[" + fmt.Sprint(g.r.IntN(8)) + "])"
	case from == nil && t == ir.Bool:
		return "(table[1] < 0)"
	case from == nil:
		return t.GoName() + "(primes[" + fmt.Sprint(g.r.IntN(8)) + "])"
	case t == ir.Bool:
		return fmt.Sprintf("(%s %s %s)", from.name, pickOf(g.r, []string{"<", "<=", "==", "!=", ">", ">="}), g.constant(from.typ))
	case t.IsInteger() && from.typ.IsFloat():
		if g.chance(2) {
			return fmt.Sprintf("%s(toInt(float64(%s)))", t.GoName(), from.name)
		}
		return fmt.Sprintf("%s(toByte(float32(%s)))", t.GoName(), from.name)
	}
	return fmt.Sprintf("%s(%s)", t.GoName(), from.name)
}

func (g *author) constant(t ir.Type) string {
	switch {
	case t == ir.Bool:
		return pickOf(g.r, []string{"true", "false"})
	case t.IsFloat():
		return pickOf(g.r, []string{"0", "1", "2.5", "-1", "0.1", "1e10", "-3.25", "1e-20", "100"})
	case t.IsSigned():
		return pickOf(g.r, []string{"0", "1", "2", "-1", "7", "-100", "100", "3"})
	}
	return pickOf(g.r, []string{"0", "1", "2", "7", "200", "100", "3"})
}

// expr is an expression of type t that is not constant to Go but at depth 0.
func (g *author) expr(t ir.Type, depth int) string {
	if depth == 0 {
		if g.chance(3) {
			return g.constant(t)
		}
		return g.variable(t)
	}
	x := func() string { return g.nonConstant(t, depth-1) }
	y := func() string { return g.expr(t, depth-1) }
	switch {
	case t == ir.Bool:
		switch g.r.IntN(6) {
		case 0:
			return fmt.Sprintf("(%s && %s)", x(), y())
		case 1:
			return fmt.Sprintf("(%s || %s)", x(), y())
		case 2:
			return "!" + x()
		case 3:
			return fmt.Sprintf("(%s %s %s)", x(), pickOf(g.r, []string{"==", "!="}), y())
		case 4:
			if g.chance(3) {
				return fmt.Sprintf("math.IsNaN(float64(%s))", g.nonConstant(ir.Float64, depth-1))
			}
			if g.chance(3) {
				return fmt.Sprintf("math.IsInf(float64(%s), %d)", g.nonConstant(ir.Float64, depth-1), g.r.IntN(3)-1)
			}
		}
		u := pickOf(g.r, scalarTypes[:12])
		return fmt.Sprintf("(%s %s %s)", g.nonConstant(u, depth-1), pickOf(g.r, []string{"<", "<=", "==", "!=", ">", ">="}), g.expr(u, depth-1))
	case t.IsFloat():
		switch g.r.IntN(10) {
		case 0:
			return "-(" + x() + ")"
		case 1:
			return fmt.Sprintf("%s(%s, %s)", pickOf(g.r, []string{"min", "max"}), x(), y())
		case 2:
			return fmt.Sprintf("clamp(%s, %s, %s)", x(), g.variable(t), g.variable(t))
		case 3:
			f := pickOf(g.r, []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc", "RoundToEven"})
			if g.functions && g.chance(3) {
				f = pickOf(g.r, []string{"Exp", "Tanh", "Expm1"})
			}
			return fmt.Sprintf("%s(math.%s(float64(%s)))", t.GoName(), f, x())
		case 4:
			return t.GoName() + "(" + g.variable(pickOf(g.r, scalarTypes[:12])) + ")"
		case 5:
			if t == ir.Float32 {
				return fmt.Sprintf("table[%s]", g.index(8))
			}
		}
		return fmt.Sprintf("(%s %s %s)", x(), pickOf(g.r, []string{"+", "-", "*", "/"}), y())
	}
	switch g.r.IntN(15) {
	case 0:
		return pickOf(g.r, []string{"-", "^"}) + "(" + x() + ")"
	case 1:
		return fmt.Sprintf("%s(%s, %s)", pickOf(g.r, []string{"min", "max"}), x(), y())
	case 2:
		return fmt.Sprintf("(%s %s (%s))", x(), pickOf(g.r, []string{"<<", ">>"}), g.nonConstant(pickOf(g.r, []ir.Type{ir.Uint8, ir.Uint32, ir.Uint64}), depth-1))
	case 3:
		return fmt.Sprintf("(%s %s %d)", x(), pickOf(g.r, []string{"<<", ">>"}), g.r.IntN(9))
	case 4:
		op := pickOf(g.r, []string{"/", "%"})
		if g.faults && g.chance(6) {
			return fmt.Sprintf("(%s %s %s)", x(), op, g.variable(t))
		}
		return fmt.Sprintf("(%s %s (%s | 1))", x(), op, g.variable(t))
	case 5:
		if t == ir.Int32 {
			return fmt.Sprintf("sumTo(%s)", x())
		}
		if t == ir.Int64 {
			return fmt.Sprintf("primes[%s]", g.index(8))
		}
	case 7:
		width := 8 * t.Size()
		u := fmt.Sprintf("uint%d", width)
		f := fmt.Sprint(pickOf(g.r, []string{"OnesCount", "LeadingZeros", "TrailingZeros", "Len", "Reverse", "RotateLeft", "ReverseBytes"}), width)
		switch {
		case f == "ReverseBytes8":
			f = "Reverse8"
		case strings.HasPrefix(f, "Rotate"):
			return fmt.Sprintf("%s(bits.%s(%s(%s), int(%s)))", t.GoName(), f, u, x(), g.nonConstant(pickOf(g.r, scalarTypes[4:12]), depth-1))
		}
		return fmt.Sprintf("%s(bits.%s(%s(%s)))", t.GoName(), f, u, x())
	case 8:
		if t == ir.Uint32 || t == ir.Uint64 {
			f := fmt.Sprint(pickOf(g.r, []string{"add", "sub", "mul"}), 8*t.Size())
			return fmt.Sprintf("%s(%s, %s, %s)", f, x(), g.variable(t), g.variable(t))
		}
	case 6:
		u := pickOf(g.r, scalarTypes[4:12])
		return fmt.Sprintf("%s(%s)", t.GoName(), g.nonConstant(u, depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", x(), pickOf(g.r, []string{"+", "-", "*", "&", "|", "^", "&^"}), y())
}

// nonConstant is expr where Go must not see a constant.
func (g *author) nonConstant(t ir.Type, depth int) string {
	if depth == 0 {
		return g.variable(t)
	}
	return g.expr(t, depth)
}
