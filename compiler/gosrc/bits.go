package gosrc

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

const bitsPath = "math/bits"

// bitFunction is a family of functions of package math/bits, one for each width.
type bitFunction struct {
	signature string // with T for the unsigned type of the width
	least     int    // the shortest width
	emit      func(t *translator, e ast.Node, x []ir.Value) []ir.Value
}

// bitFunctions are the families that a kernel may call. Div and Rem panic where a quotient does not fit.
var bitFunctions = map[string]bitFunction{
	"Add":           {"(x, y, carry T) (sum, carryOut T)", 32, addCarry},
	"Len":           {"(x T) int", 8, length},
	"LeadingZeros":  {"(x T) int", 8, counting(ir.LeadingZeros)},
	"Mul":           {"(x, y T) (hi, lo T)", 32, fullProduct},
	"OnesCount":     {"(x T) int", 8, counting(ir.OnesCount)},
	"Reverse":       {"(x T) T", 8, moving(ir.Reverse)},
	"ReverseBytes":  {"(x T) T", 16, moving(ir.ReverseBytes)},
	"RotateLeft":    {"(x T, k int) T", 8, rotation},
	"Sub":           {"(x, y, borrow T) (diff, borrowOut T)", 32, subBorrow},
	"TrailingZeros": {"(x T) int", 8, counting(ir.TrailingZeros)},
}

// supportedBits tells users which functions there are.
var supportedBits = "of package math/bits only " + strings.Join(slices.Sorted(maps.Keys(bitFunctions)), ", ") + " and UintSize are known; write x / y and x % y instead of Div and Rem"

// family is the name of a function without its width.
func family(name string) string { return strings.TrimRight(name, "0123456789") }

// bitsText is the package as types only.
func bitsText() string {
	var b strings.Builder
	b.WriteString("package bits\nconst UintSize = 64\n")
	for name, f := range bitFunctions {
		for _, width := range []string{"", "8", "16", "32", "64"} {
			if n, err := strconv.Atoi(width); err == nil && n < f.least {
				continue
			}
			fmt.Fprintf(&b, "func %s%s%s\n", name, width, strings.ReplaceAll(f.signature, "T", "uint"+width))
		}
	}
	return b.String()
}

// bits translates a call of a function of package math/bits.
func (t *translator) bits(fr *frame, e *ast.CallExpr, fn *types.Func) []value {
	params := vars(fn.Signature().Params())
	args := t.list(fr, e, e.Args, len(params))
	for i, p := range params {
		if t.b.Type(args[i]) != t.kind(fr, p.Type()) {
			t.explain(e)
		}
	}
	var values []value
	for _, v := range bitFunctions[family(fn.Name())].emit(t, e, args) {
		values = append(values, value{v})
	}
	return values
}

func width(t *translator, x ir.Value) int64 { return int64(8 * t.b.Type(x).Size()) }

// counting is an operation whose result is an int.
func counting(op ir.Op) func(*translator, ast.Node, []ir.Value) []ir.Value {
	return func(t *translator, e ast.Node, x []ir.Value) []ir.Value {
		return []ir.Value{t.resize(e, ir.Int64, t.emit(e, op, x[0]))}
	}
}

func moving(op ir.Op) func(*translator, ast.Node, []ir.Value) []ir.Value {
	return func(t *translator, e ast.Node, x []ir.Value) []ir.Value { return []ir.Value{t.emit(e, op, x...)} }
}

// length is the width without the leading zeros.
func length(t *translator, e ast.Node, x []ir.Value) []ir.Value {
	n := t.emit(e, ir.Sub, t.b.Int(t.b.Type(x[0]), width(t, x[0])), t.emit(e, ir.LeadingZeros, x[0]))
	return []ir.Value{t.resize(e, ir.Int64, n)}
}

// rotation takes the count modulo the width, which divides the number of values of the type.
func rotation(t *translator, e ast.Node, x []ir.Value) []ir.Value {
	return []ir.Value{t.emit(e, ir.RotateLeft, x[0], t.resize(e, t.b.Type(x[0]), x[1]))}
}

// addCarry has a carry where both operands have the upper bit, or one has it and the sum does not.
func addCarry(t *translator, e ast.Node, x []ir.Value) []ir.Value {
	a, b := x[0], x[1]
	sum := t.emit(e, ir.Add, t.emit(e, ir.Add, a, b), x[2])
	carry := t.emit(e, ir.Or, t.emit(e, ir.And, a, b), t.emit(e, ir.AndNot, t.emit(e, ir.Or, a, b), sum))
	return []ir.Value{sum, t.upperBit(e, carry)}
}

// subBorrow borrows where the upper bit of the second operand alone is set, or the upper bits are equal and the difference has it.
func subBorrow(t *translator, e ast.Node, x []ir.Value) []ir.Value {
	a, b := x[0], x[1]
	difference := t.emit(e, ir.Sub, t.emit(e, ir.Sub, a, b), x[2])
	borrow := t.emit(e, ir.Or, t.emit(e, ir.AndNot, b, a), t.emit(e, ir.AndNot, difference, t.emit(e, ir.Xor, a, b)))
	return []ir.Value{difference, t.upperBit(e, borrow)}
}

func (t *translator) upperBit(e ast.Node, x ir.Value) ir.Value {
	return t.emit(e, ir.Shr, x, t.b.Int(t.b.Type(x), width(t, x)-1))
}

// fullProduct is a product of 32 bits in 64, and one of 64 in halves (Knuth, The Art of Computer Programming 4.3.1, algorithm M).
func fullProduct(t *translator, e ast.Node, x []ir.Value) []ir.Value {
	half := t.b.Int(ir.Uint64, 32)
	high := func(v ir.Value) ir.Value { return t.emit(e, ir.Shr, v, half) }
	mul := func(a, b ir.Value) ir.Value { return t.emit(e, ir.Mul, a, b) }
	add := func(a, b ir.Value) ir.Value { return t.emit(e, ir.Add, a, b) }
	if k := t.b.Type(x[0]); k != ir.Uint64 {
		p := mul(t.resize(e, ir.Uint64, x[0]), t.resize(e, ir.Uint64, x[1]))
		return []ir.Value{t.resize(e, k, high(p)), t.resize(e, k, p)}
	}
	low := func(v ir.Value) ir.Value { return t.emit(e, ir.And, v, t.b.Int(ir.Uint64, 1<<32-1)) }
	a, b := x[0], x[1]
	mid := add(mul(high(a), low(b)), high(mul(low(a), low(b))))
	other := add(mul(low(a), high(b)), low(mid))
	return []ir.Value{add(add(mul(high(a), high(b)), high(mid)), high(other)), mul(a, b)}
}

// resize converts an integer to a type of numbers. What it was converted from before is converted instead where that is the same: vectors have as
// many lanes as their widest numbers leave room for, and Go's functions of bits count in int.
func (t *translator) resize(e ast.Node, k ir.Type, v ir.Value) ir.Value {
	for t.b.Node(v).Op == ir.Convert {
		x := t.b.Node(v).Args[0]
		from, to := t.b.Type(x), t.b.Type(v)
		same := from.IsInteger() && to.IsInteger() && (holds(to, from) || k.IsInteger() && to.Size() >= k.Size())
		if !same {
			break
		}
		v = x
	}
	if t.b.Type(v) == k {
		return v
	}
	return t.record(e, ir.Convert, k, v)
}

// holds reports whether one type of integers has all values of another.
func holds(big, small ir.Type) bool {
	return big == small || big.Size() > small.Size() && (big.IsSigned() || !small.IsSigned())
}
