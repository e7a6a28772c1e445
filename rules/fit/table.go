package fit

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/compiler/piecewise"
)

// tablePieces are the numbers of pieces of forms with look-ups.
var tablePieces = []int{8, 16, 32}

// Forms finds the cheapest form with selects, and one with look-ups in tables where that takes fewer operations: there the
// pieces are of equal width, and many cost no more than a few. What a look-up costs is the machine's affair. If there is
// neither, the error is that of Solve.
func (p Problem) Forms() ([]*Form, error) {
	best, err := p.Solve()
	var forms []*Form
	if err == nil {
		forms = append(forms, best)
	}
	if table := p.table(best); table != nil {
		forms = append(forms, table)
	}
	if len(forms) > 0 {
		return forms, nil
	}
	return nil, err
}

// table returns the cheapest form with look-ups that takes fewer operations than best, which may be nil; nil if there is none.
func (p Problem) table(best *Form) *Form {
	s, _, err := p.prepare()
	if err != nil {
		return nil
	}
	s.arithmetic = p.Type
	const slack = 1e-9 // of a node beyond an end of the interval
	wide := piecewise.Problem{
		F: func(x, _ float64) (hi, lo float64, ok bool) {
			if x < p.Lo-slack*math.Abs(p.Lo) || x > p.Hi+slack*math.Abs(p.Hi) {
				return 0, 0, false
			}
			y := p.F(min(max(x, p.Lo), p.Hi))
			return y, 0, p.usable(y)
		},
		Type: p.Type, Lo: s.grid[0].x, Hi: s.end, Pieces: tablePieces,
		Allowed: func(xs []float64) []float64 {
			out := make([]float64, len(xs))
			for i, x := range xs {
				out[i] = p.allowed(p.F(min(max(x, p.Lo), p.Hi)), measured)
			}
			return out
		},
		Has: func(ir.Op) bool { return true },
	}
	var forms []*Form
	for _, t := range wide.Forms() {
		b := ir.NewBuilder("form")
		b.Return(t.Build(b, b.Param("x", p.Type, ir.Between(p.Lo, p.Hi))))
		f := &Form{Problem: p, Arithmetic: p.Type, Pieces: t.Pieces, Degree: t.Degree, Ops: b.Func().Arithmetic(), table: t, program: b.Func()}
		if best == nil || f.Ops < best.Ops {
			forms = append(forms, f)
		}
	}
	slices.SortStableFunc(forms, func(a, b *Form) int { return a.Ops - b.Ops })
	for _, f := range forms {
		program, err := interp.Compile(f.program)
		if err != nil {
			return nil
		}
		f.run = program
		if at, err := s.certify(f); err == nil && at == nil && s.rightAtZero(f) {
			return f
		}
	}
	return nil
}

// eval is the table's value at x.
func (f *Form) eval(x float64) float64 {
	var out [1]uint64
	f.run.Eval([]uint64{ir.ConstBits(f.Type, x)}, out[:])
	return ir.BitsFloat(f.Type, out[0])
}

// tableLaw is Law for a form with look-ups: every operation of its program has a name.
func (f *Form) tableLaw(name, op string) string {
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
