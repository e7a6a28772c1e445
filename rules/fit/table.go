package fit

import (
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/compiler/piecewise"
)

// tablePieces are the numbers of pieces of forms with look-ups.
var tablePieces = []int{8, 16, 32}

// Forms finds the cheapest form with selects, and where they take fewer operations one with look-ups in tables, where the
// pieces are of equal width and many cost no more than a few, and a rational function. What look-ups and a division cost is
// the machine's affair. If there is none, the error is that of Solve.
func (p Problem) Forms() ([]*Form, error) {
	best, err := p.Solve()
	var forms []*Form
	if err == nil {
		forms = append(forms, best)
	}
	if f := p.table(best); f != nil {
		forms = append(forms, f)
	}
	if f := p.rational(forms); f != nil {
		forms = append(forms, f)
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
		f := &Form{Problem: p, Arithmetic: p.Type, Pieces: t.Pieces, Degree: t.Degree, Ops: b.Func().Arithmetic(), joints: t.Joints(), program: b.Func()}
		if best == nil || f.Ops < best.Ops {
			forms = append(forms, f)
		}
	}
	slices.SortStableFunc(forms, func(a, b *Form) int { return a.Ops - b.Ops })
	for _, f := range forms {
		if s.keeps(f) {
			return f
		}
	}
	return nil
}

// keeps reports whether a form that is a program keeps the tolerance.
func (s *solver) keeps(f *Form) bool {
	var err error
	if f.run, err = interp.Compile(f.program); err != nil {
		return false
	}
	at, err := s.certify(f)
	return err == nil && at == nil && s.rightAtZero(f)
}
