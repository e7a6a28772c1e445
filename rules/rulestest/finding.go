package rulestest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Reason says what is wrong with a law.
type Reason string

// The reasons.
const (
	Unequal    Reason = "the sides differ"                               // no licence excuses it
	Undefined  Reason = "the right side has no value where the left has" // over the reals
	Licences   Reason = "other licences are needed than declared"
	Inexact    Reason = "the error exceeds the bound"
	Special    Reason = "a wrong result at a special value"
	NeverFires Reason = "the law can never fire"
	Unchecked  Reason = "the law cannot be checked"
	Outside    Reason = "a value outside of what the operation's fact says"
)

// Finding is one thing that is wrong with one law.
type Finding struct {
	Rule   string
	Pos    string // file:line
	Reason Reason
	Detail string   // what was expected, in words
	Type   ir.Type  // that the law was checked in
	Vars   []string // names of the variables
	Args   []uint64 // their values in the counterexample, as ir.ConstBits; empty if there is none
	Left   float64  // value of the left side there: as computed, or the truth
	Right  float64  // value of the right side there
}

// String writes the finding on one line, values as hexadecimal floats.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s: %s", f.Pos, f.Rule, f.Reason, f.Detail)
	if len(f.Args) == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, " (%v", f.Type)
	for i, bits := range f.Args {
		fmt.Fprintf(&b, ", %s = %s", f.Vars[i], hex(f.Type, ir.BitsFloat(f.Type, bits)))
	}
	fmt.Fprintf(&b, ": left %s, right %s)", hex(ir.Float64, f.Left), hex(ir.Float64, f.Right))
	return b.String()
}

func hex(t ir.Type, x float64) string { return strconv.FormatFloat(x, 'x', -1, 8*t.Size()) }
