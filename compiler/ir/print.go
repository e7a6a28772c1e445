package ir

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxDecimalExp bounds the binary exponent of exact constants that are also shown in decimal: the digits of 2^e take time
// and memory in proportion to e, and e may be as large as 2^31.
const maxDecimalExp = 1 << 14

// String writes the canonical text form; Parse reads it back to an equal function. A line is
//
//	v3 = mul f32 v1 v2        an operation; "mul.pin" if it is pinned
//	v4 = const f32 0x1p-01    hexadecimal, inf, -inf, or nan(bits); the decimal follows as a comment
//	v4 = const i32 -5         integers are decimal, bools are true and false
//	v5 = real f32 0x.8p+0     an exact constant, binary exponent
//	v6 = call1 f32 "j0" v5    a user's operation
//	v7 = loop tuple v4 {      a loop; the lines of its body's function follow, then }
//	v8 = proj f32 v7 1        the last value of its variable 1
//	v9 = lookup f32 t0 v6     an entry of a table, which a line before the nodes holds: t0 = table 19 0x1p+00 0x1p+01
func (f *Func) String() string {
	var b strings.Builder
	f.write(&b, "")
	return b.String()
}

func (f *Func) write(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%sfunc %s(", indent, strconv.Quote(f.Name))
	for i, p := range f.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%s %v", strconv.Quote(p.Name), p.Type)
		if p.Fact != Unknown {
			fmt.Fprintf(b, " in %v", p.Fact)
		}
	}
	b.WriteString(") {\n")
	outer := indent
	indent += "\t"
	for i, t := range f.Tables {
		fmt.Fprintf(b, "%st%d = table %d", indent, i, t.Shift)
		for _, x := range t.Entries {
			fmt.Fprintf(b, " %s", constText(Float64, ConstBits(Float64, x)))
		}
		b.WriteByte('\n')
	}
	for i, n := range f.Nodes {
		fmt.Fprintf(b, "%sv%d = %s", indent, i, n.Op)
		if n.Pin {
			b.WriteString(".pin")
		}
		fmt.Fprintf(b, " %v", n.Type)
		switch n.Op {
		case Call1, Call2, Call3:
			fmt.Fprintf(b, " %s", strconv.Quote(f.Defs[n.Imm].Name))
		case Lookup:
			fmt.Fprintf(b, " t%d", n.Imm)
		case Param:
			fmt.Fprintf(b, " %s", strconv.Quote(f.Params[n.Imm].Name))
		case Const:
			fmt.Fprintf(b, " %s", constText(n.Type, n.Imm))
			if x := BitsFloat(n.Type, n.Imm); n.Type.IsFloat() && x == x && !math.IsInf(x, 0) {
				bits := 64
				if n.Type == Float32 {
					bits = 32
				}
				fmt.Fprintf(b, " # %s", strconv.FormatFloat(x, 'g', -1, bits))
			}
		case Real:
			x := f.Reals[n.Imm]
			fmt.Fprintf(b, " %s", x.Text('p', 0))
			if e := x.MantExp(nil); -maxDecimalExp <= e && e <= maxDecimalExp {
				fmt.Fprintf(b, " # %s", x.Text('g', 10))
			}
		}
		for _, a := range n.Operands() {
			fmt.Fprintf(b, " v%d", a)
		}
		switch n.Op {
		case Loop:
			b.WriteString(" {\n")
			f.Bodies[n.Imm].write(b, indent+"\t")
			b.WriteString(indent + "}")
		case Proj:
			fmt.Fprintf(b, " %d", n.Imm)
		}
		b.WriteByte('\n')
	}
	b.WriteString(indent + "return")
	for _, r := range f.Results {
		fmt.Fprintf(b, " v%d", r)
	}
	b.WriteString("\n" + outer + "}\n")
}

func constText(t Type, bits uint64) string {
	x := BitsFloat(t, bits)
	switch {
	case t == Bool:
		return strconv.FormatBool(bits != 0)
	case t.IsSigned():
		return strconv.FormatInt(BitsInt(t, bits), 10)
	case t.IsInteger():
		return strconv.FormatUint(bits, 10)
	case x != x:
		return fmt.Sprintf("nan(%#x)", bits)
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case t == Float32:
		return strconv.FormatFloat(x, 'x', -1, 32)
	}
	return strconv.FormatFloat(x, 'x', -1, 64)
}
