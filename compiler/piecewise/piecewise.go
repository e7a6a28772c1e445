package piecewise

import (
	"fmt"
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// A Problem asks for forms of F.
type Problem struct {
	// F is the function as hi + lo, to 2^-48 of its value or to within err, whichever is easier. It reports false where it has
	// no finite value or does not know it as well.
	F      func(x, err float64) (hi, lo float64, ok bool)
	Type   ir.Type // Float32 or Float64
	Lo, Hi float64 // the domain, numbers of the type or infinite
	// Anywhere says that F may be asked outside of the domain, for a line that it approaches.
	Anywhere bool
	// Allowed gives the largest absolute error allowed at each point.
	Allowed func(x []float64) []float64
	// Pieces are the numbers of pieces to try: powers of two, or 1 for a polynomial alone.
	Pieces []int
	// Has reports what the machine has of FMA, MinMag and Lookup.
	Has func(op ir.Op) bool
}

// A Form is a piecewise polynomial that has passed its estimate.
type Form struct {
	Pieces, Degree int

	typ   ir.Type
	has   func(op ir.Op) bool
	shape shape
	grid  grid
	coefs [][]float64 // by power, by entry
	// negative says that the polynomial is not positive everywhere.
	negative bool
}

// Name says what the form is made of, for reports.
func (f *Form) Name() string {
	return fmt.Sprintf("pieces-%s-%dx%d", f.shape.name(), f.Pieces, f.Degree)
}

// The degrees that are worth trying, and the one that is interpolated and economised from.
func (p *Problem) degrees() (most, from int) {
	if p.Type == ir.Float32 {
		return 7, 9
	}
	return 12, 15
}

// Parts of the allowed error that may be used up: by the distance from a line beyond the last piece, and by the polynomial
// before its coefficients are rounded. Rounding errors come on top.
const (
	lineShare       = 0.5
	polynomialShare = 0.75
)

// Forms returns, for every shape that the function has and every number of pieces, the form of least degree that passes its
// estimate and the next one, in case that rounding errors decide.
func (p *Problem) Forms() []*Form {
	var forms []*Form
	for _, s := range p.shapes() {
		for _, n := range p.Pieces {
			if n > 1 && !p.Has(ir.Lookup) {
				continue
			}
			g, ok := p.grid(s, n)
			if !ok {
				continue
			}
			forms = append(forms, p.fit(s, g)...)
		}
	}
	return forms
}

func (p *Problem) round(x float64) float64 { return ir.BitsFloat(p.Type, ir.ConstBits(p.Type, x)) }

// value is F as a dd.
func (p *Problem) value(x float64) (dd, bool) { return p.near(x, 0) }

// near is F to within err.
func (p *Problem) near(x, err float64) (dd, bool) {
	if !p.Anywhere && !p.inside(x) {
		return dd{}, false
	}
	hi, lo, ok := p.F(x, err)
	return dd{hi, lo}, ok && !math.IsInf(hi, 0) && hi == hi
}

// inside reports whether x belongs to the domain.
func (p *Problem) inside(x float64) bool { return p.Lo <= x && x <= p.Hi }
