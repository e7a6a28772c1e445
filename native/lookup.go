package native

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// lookup chooses the entries of a table by permutations of registers: one instruction permutes what a register holds, or
// two with AVX-512, and the next bits of the number choose between such. Where no permutation has elements as wide, the
// entries are loaded one by one.
func (e *emitter) lookup(n ir.Node, x string) string {
	t, table := n.Type, e.f.Table(n)
	if e.known[n.Args[0]].nan && exposed(e.f, n, n.Args[0]) {
		x = e.choose(t, e.compare("ord", t, x, x), x, e.constant(t, ir.ConstBits(t, quietNaN)))
	}
	number := e.toBits(t, x)
	if table.Shift > 0 {
		number = e.bitop("lshr", t, number, e.integer(t, int64(table.Shift)))
	}
	switch {
	case e.t.AVX512 && e.lanes >= 8:
		return e.chosen(t, number, table.Entries, 2*e.lanes, e.permute2)
	case e.t.AVX2 && e.lanes == 8 && t == ir.Float32:
		return e.chosen(t, number, table.Entries, e.lanes, e.permute)
	case e.t.TBL && e.lanes == 4 && t == ir.Float32:
		return e.chosen(t, number, table.Entries, 16, e.bytes)
	}
	return e.loaded(t, number, table.Entries)
}

// chosen is the entry of the given number, modulo their count, where each call of permute knows some of them.
func (e *emitter) chosen(t ir.Type, number string, entries []float64, some int, permute func(t ir.Type, number string, entries []float64) string) string {
	if len(entries) <= some {
		return permute(t, number, entries)
	}
	half := len(entries) / 2
	// The bit that chooses becomes the sign.
	sign := e.bitop("shl", t, number, e.integer(t, int64(formatOf(t).bits-bits.Len(uint(half)))))
	upper := e.value("icmp slt %s %s, zeroinitializer", e.integers(t), sign)
	a, b := e.chosen(t, number, entries[half:], some, permute), e.chosen(t, number, entries[:half], some, permute)
	return e.choose(t, upper, a, b)
}

// table is a register of entries, which are repeated to fill it.
func (e *emitter) table(t ir.Type, entries []float64) string {
	list := make([]string, e.lanes)
	for i := range list {
		list[i] = formatOf(t).llvm + " " + floatText(t, ir.ConstBits(t, entries[i%len(entries)]))
	}
	return fmt.Sprintf("%s <%s>", e.vector(t), strings.Join(list, ", "))
}

// permute2 is a permutation of one register or two. The instructions ignore the bits of the number that they do not need.
func (e *emitter) permute2(t ir.Type, number string, entries []float64) string {
	single, double, packed := "sf", "ps", formatOf(t).bits*e.lanes
	if t == ir.Float64 {
		single, double = "df", "pd"
	}
	switch {
	case len(entries) <= e.lanes && packed == 256:
		return e.permute(t, number, entries)
	case len(entries) <= e.lanes:
		number = e.integers(t) + " " + number
		return e.invoke(e.vector(t), fmt.Sprintf("llvm.x86.avx512.permvar.%s.%d", single, packed), e.table(t, entries), number)
	}
	number = e.integers(t) + " " + number
	return e.invoke(e.vector(t), fmt.Sprintf("llvm.x86.avx512.vpermi2var.%s.%d", double, packed),
		e.table(t, entries[:e.lanes]), number, e.table(t, entries[e.lanes:]))
}

// permute is a permutation of one register of eight float32.
func (e *emitter) permute(t ir.Type, number string, entries []float64) string {
	return e.invoke(e.vector(t), "llvm.x86.avx2.permps", e.table(t, entries), e.integers(t)+" "+number)
}

// bytes is a permutation of the bytes of up to four registers: those of entry i are 4i to 4i+3.
func (e *emitter) bytes(t ir.Type, number string, entries []float64) string {
	number = e.bitop("and", t, number, e.integer(t, int64(len(entries)-1)))
	first := e.bitop("mul", t, number, e.integer(t, 0x04040404))
	const register = "<16 x i8>"
	cast := func(x string) string { return register + " " + e.value("bitcast %s to %s", x, register) }
	var args []string
	for i := 0; i < max(len(entries), e.lanes); i += e.lanes {
		args = append(args, cast(e.table(t, entries[i:])))
	}
	number = cast(e.integers(t) + " " + e.bitop("add", t, first, e.integer(t, 0x03020100)))
	chosen := e.invoke(register, fmt.Sprintf("llvm.aarch64.neon.tbl%d.v16i8", len(args)), append(args, number)...)
	return e.value("bitcast %s %s to %s", register, chosen, e.vector(t))
}

// loaded reads the entries from memory, lane by lane.
func (e *emitter) loaded(t ir.Type, number string, entries []float64) string {
	f := formatOf(t)
	list := make([]string, len(entries))
	for i, x := range entries {
		list[i] = f.llvm + " " + floatText(t, ir.ConstBits(t, x))
	}
	data := fmt.Sprintf("[%d x %s] [%s]", len(entries), f.llvm, strings.Join(list, ", "))
	name, ok := e.tables[data]
	if !ok {
		name = fmt.Sprintf("@table%d", len(e.tables))
		e.tables[data] = name
		e.declared[fmt.Sprintf("%s = private unnamed_addr constant %s, align %d", name, data, f.size())] = true
	}
	number = e.bitop("and", t, number, e.integer(t, int64(len(entries)-1)))
	out := "poison"
	for lane := range e.lanes {
		i := e.value("extractelement %s %s, i64 %d", e.integers(t), number, lane)
		at := e.value("getelementptr %s, ptr %s, i%d %s", f.llvm, name, f.bits, i)
		entry := e.value("load %s, ptr %s, align %d", f.llvm, at, f.size())
		out = e.value("insertelement %s %s, %s %s, i64 %d", e.vector(t), out, f.llvm, entry, lane)
	}
	return out
}

// signed reports whether a node is the product of a number and an entry of a table of 1 and -1. Its sign is changed then by the
// bit that chooses; a NaN stays one.
func signed(f *ir.Func, n ir.Node) (x ir.Value, sign ir.Node, ok bool) {
	if n.Op != ir.Mul {
		return 0, sign, false
	}
	for i, a := range n.Args[:2] {
		t := f.Table(f.Nodes[a])
		if t != nil && len(t.Entries) == 2 && math.Abs(t.Entries[0]) == 1 && t.Entries[1] == -t.Entries[0] && quiets[f.Nodes[n.Args[1-i]].Op] {
			return n.Args[1-i], f.Nodes[a], true
		}
	}
	return 0, sign, false
}

// flip is the product of signed.
func (e *emitter) flip(t ir.Type, x, number string, table *ir.Table) string {
	bit := e.toBits(t, number)
	if left := formatOf(t).bits - 1 - int(table.Shift); left > 0 {
		bit = e.bitop("shl", t, bit, e.integer(t, int64(left)))
	}
	// What is below the sign bit is shifted out, or is masked.
	if table.Shift > 0 {
		bit = e.bitop("and", t, bit, e.integer(t, math.MinInt64>>(64-formatOf(t).bits)))
	}
	out := e.bitop("xor", t, e.toBits(t, x), bit)
	if table.Entries[0] < 0 {
		out = e.bitop("xor", t, out, e.integer(t, math.MinInt64>>(64-formatOf(t).bits)))
	}
	return e.fromBits(t, out)
}

// exposed reports whether a result may show what a node makes of a NaN in one of its operands. It does not if everything that
// the node goes into is NaN too, wherever the operand is.
func exposed(f *ir.Func, node ir.Node, operand ir.Value) bool {
	nan := make([]bool, len(f.Nodes))   // wherever the operand is NaN
	shown := make([]bool, len(f.Nodes)) // what the node makes of it
	nan[operand] = true
	for i, n := range f.Nodes {
		for _, a := range n.Operands() {
			shown[i] = shown[i] || shown[a]
		}
		shown[i] = shown[i] || n == node
		switch n.Op {
		case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.FMA, ir.Sqrt, ir.Abs, ir.Min, ir.Max, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint,
			ir.Ldexp, ir.Logb, ir.Mant, ir.Convert:
			for _, a := range n.Operands() {
				nan[i] = nan[i] || nan[a]
			}
		case ir.Copysign:
			nan[i] = nan[i] || nan[n.Args[0]]
		case ir.MinMag:
			nan[i] = nan[i] || nan[n.Args[0]] && nan[n.Args[1]]
		case ir.Select:
			yes, no := nan[n.Args[1]], nan[n.Args[2]]
			if c := f.Nodes[n.Args[0]]; c.Op.Info().Shape == ir.ShapeCompare && (nan[c.Args[0]] || nan[c.Args[1]]) {
				// The comparison is decided: false, but for the one that is true.
				if yes = yes && c.Op == ir.Ne || no && c.Op != ir.Ne; yes {
					no = true
				}
			}
			nan[i] = nan[i] || yes && no
		}
		shown[i] = shown[i] && !nan[i]
	}
	for _, r := range f.Results {
		if shown[r] {
			return true
		}
	}
	return false
}
