package fit

import (
	"fmt"
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
	return f.lawText(name, op, texts[p.Results[0]], with)
}
