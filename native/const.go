package native

import (
	"fmt"
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Constants are vectors made once in the entry block: LLVM folds the two instructions into a constant, which it then
// keeps in a register or broadcasts from memory as it sees fit. (The splat spelling of a constant needs LLVM 19.)

var quietNaN = math.NaN()

// constant returns the vector that holds the t with the given bits in every lane.
func (e *emitter) constant(t ir.Type, bits uint64) string {
	switch {
	case t == ir.Bool:
		return e.splat("i1", fmt.Sprint(bits))
	case t.IsInteger():
		return e.splat(formatOf(t).llvm, fmt.Sprint(ir.BitsInt(t, bits)))
	}
	return e.splat(formatOf(t).llvm, floatText(t, bits))
}

// number is constant for a value that t holds exactly.
func (e *emitter) number(t ir.Type, x float64) string { return e.constant(t, ir.ConstBits(t, x)) }

// integer returns the vector of integers as wide as t that holds x in every lane.
func (e *emitter) integer(t ir.Type, x int64) string {
	return e.splat(fmt.Sprintf("i%d", formatOf(t).bits), fmt.Sprint(x))
}

func (e *emitter) splat(element, value string) string {
	key := element + " " + value
	if name, ok := e.splats[key]; ok {
		return name
	}
	name := fmt.Sprintf("%%c%d", len(e.splats))
	e.splats[key] = name
	fmt.Fprintf(&e.consts, "  %s.0 = insertelement <%d x %s> poison, %s, i64 0\n", name, e.lanes, element, key)
	fmt.Fprintf(&e.consts, "  %s = shufflevector <%d x %s> %s.0, <%d x %s> poison, <%d x i32> zeroinitializer\n",
		name, e.lanes, element, name, e.lanes, element, e.lanes)
	return name
}

// floatText spells a constant for LLVM: the bits of the double with the same value, for a float as well. A NaN keeps
// its sign and payload.
func floatText(t ir.Type, bits uint64) string {
	if t == ir.Float32 {
		single := uint32(bits)
		if single&0x7fffffff > 0x7f800000 {
			payload := uint64(single&0x7fffff) << (binary64.mantissa - binary32.mantissa)
			bits = uint64(single>>31)<<63 | 0x7ff<<binary64.mantissa | payload
		} else {
			bits = math.Float64bits(float64(math.Float32frombits(single)))
		}
	}
	return fmt.Sprintf("0x%016X", bits)
}
