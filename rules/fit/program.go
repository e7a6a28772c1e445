package fit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// eval is the program's value at x.
func (f *Form) eval(x float64) float64 {
	var out [1]uint64
	f.run.Eval([]uint64{ir.ConstBits(f.Type, x)}, out[:])
	return ir.BitsFloat(f.Type, out[0])
}

// programLaw is Law for a form that is a program: every operation has a name.
func (f *Form) programLaw(name, op string) string {
	p := f.program
	texts := make([]string, len(p.Nodes))
	var with []string
	for i, n := range p.Nodes {
		switch n.Op {
		case ir.Param:
			texts[i] = "x"
			continue
		case ir.Const:
			if texts[i] = number(ir.BitsFloat(n.Type, n.Imm)); texts[i][0] == '-' {
				texts[i] = "(" + texts[i] + ")"
			}
			continue
		}
		var args []string
		for _, a := range n.Operands() {
			args = append(args, texts[a])
		}
		if t := p.Table(n); t != nil {
			for _, x := range t.Entries {
				args = append(args, number(x))
			}
		}
		info := n.Op.Info()
		text := ""
		switch {
		case info.Symbol == "":
			text = fmt.Sprintf("%s(%s)", info.Name, strings.Join(args, ", "))
		case info.Arity == 1:
			text = info.Symbol + args[0]
		default:
			text = args[0] + info.Symbol + args[1]
		}
		if n.Pin && n.Op != ir.FMA { // an fma is meant in any case
			text = "pin(" + text + ")"
		}
		switch {
		case ir.Value(i) == p.Results[0], info.Shape == ir.ShapeCompare:
			texts[i] = text
		default:
			texts[i] = fmt.Sprint("v", i)
			with = append(with, texts[i]+" = "+text)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s(x) ~> %s\n", name, op, texts[p.Results[0]])
	for i, d := range with {
		lead, end := "     ", ";"
		if i == 0 {
			lead = "with "
		}
		if i == len(with)-1 {
			end = ""
		}
		fmt.Fprintf(&b, "  %s%s%s\n", lead, d, end)
	}
	fmt.Fprintf(&b, "  for %s on %s <= x && x <= %s within %s %s ! afn\n", typeName(f.Type), number(f.Lo), number(f.Hi),
		strconv.FormatFloat(f.Tolerance.Value, 'g', -1, 64), unit(f.Tolerance.Unit))
	return b.String()
}
