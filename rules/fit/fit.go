// Package fit makes forms of functions that are known only by their values.
//
// In: a [Problem], that is a Go function of one variable, a finite interval, a
// type and a tolerance. Out: a [Form], the cheapest piecewise polynomial found
// whose error keeps the tolerance, measured in the arithmetic of the type on a
// dense sample, as a law (~>) in the notation of package rules. What cannot be
// done is refused with an [Error] that names the best form reached.
//
// One polynomial serves all pieces: its coefficients, and the point that its
// powers are of, are chosen by selects on the argument. n pieces of degree d
// cost n-1 comparisons, up to (n-1)(d+2) selects and d+1 operations. So many
// pieces are dear, and the search weighs degrees against pieces. Where float32
// is too coarse for the evaluation, it is done in float64 and rounded.
//
// With look-ups in tables (package piecewise) the pieces are of equal width, and 16 of them take no more than one but for the
// index; a quotient of two polynomials often does with one piece (package minimax). Such forms stand beside that with selects, for
// the machine to choose ([Problem.Forms]).
//
// The interval is bisected where the error is largest, beginning with the whole
// of it and with its parts between the zeros of the function; of an even or odd
// function half of the interval may do. The polynomials interpolate at
// Chebyshev's points, which is within a small factor of the best; where that
// factor decides, package minimax makes the best. Where errors are relative the
// zeros of the function are factored out, so that they stay zeros; where errors
// are absolute only one at 0 has to stay, or is put in by a select.
//
// The function is evaluated some 50 000 to 500 000 times. Its values are the
// truth. They are float64 numbers with an error of their own, and no form can be
// shown to be closer to the function than that. A sample sees no feature that
// falls between its points.
//
// The package is pure and deterministic: the same values give the same law. It
// knows nothing of kernels and of how laws are parsed.
//
// Methods: interpolation at Chebyshev points (L. N. Trefethen, Approximation
// Theory and Approximation Practice, 2013); Remez' exchange, in package minimax.
package fit

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrFit is wrapped by every error of this package.
var ErrFit = errors.New("fit: no form")

// A Problem asks for a form of F on [Lo, Hi].
type Problem struct {
	F         func(float64) float64 // pure; finite on the interval
	Lo, Hi    float64               // finite
	Type      ir.Type               // Float32 or Float64, of the argument, the arithmetic and the result
	Tolerance egraph.Bound          // or half an ulp of Type, where that is larger
}

// A Form is an approximation and its certificate.
type Form struct {
	Problem
	Arithmetic     ir.Type // Float64 for a float32 that needs it; the result is then rounded
	Pieces, Degree int
	Over           int     // degree of the denominator of a rational function, else 0
	Ops            int     // operations: sums, products, comparisons, selects and conversions; in float64 for a float32 each counts twice
	Error          float64 // the largest error measured, in the unit of the tolerance, where that is more than half an ulp
	At             float64 // the argument of it
	Points         int     // how many arguments were tried

	program *ir.Func // nil: selects choose among the pieces
	run     *interp.Program
	joints  []float64 // of the program, besides 0

	pieces []piece
	scale  float64
	fold   symmetry // the pieces are for |x|
	zero   bool     // a select gives the zero at 0
}

// symmetry is that of a function on an interval around 0.
type symmetry int

const (
	odd  symmetry = -1
	none symmetry = 0
	even symmetry = 1
)

// String is a line for reports.
func (f *Form) String() string {
	name := typeName(f.Type)
	if f.Arithmetic != f.Type {
		name += " by way of " + typeName(f.Arithmetic)
	}
	look := ""
	switch {
	case f.Over > 0:
		look = fmt.Sprintf(" over degree %d", f.Over)
	case f.program != nil:
		look = " in tables"
	}
	return fmt.Sprintf("%s: %s of degree %d%s, %d operations: max %.3g %v at %v (sampled, %d points), asked %g %[7]v",
		name, count(f.Pieces), f.Degree, look, f.Ops, f.Error, unit(f.Tolerance.Unit), f.At, f.Points, f.Tolerance.Value)
}

func count(pieces int) string {
	if pieces == 1 {
		return "1 piece"
	}
	return fmt.Sprintf("%d pieces", pieces)
}

// An Error says why there is no form, and what came closest.
type Error struct {
	Problem
	Reason string  // what is wrong with the function, or with the request
	At     float64 // where
	// The form with the smallest error that the limits allow; Pieces is 0 if the search was not begun.
	Pieces, Degree int
	Reached        float64 // its error at At, in the unit of the tolerance
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v for %s within %g %v on [%g, %g]", ErrFit, typeName(e.Type), e.Tolerance.Value, unit(e.Tolerance.Unit), e.Lo, e.Hi)
	if e.Pieces > 0 {
		fmt.Fprintf(&b, ": the best is %s of degree %d with an error of %.3g %v at %v", count(e.Pieces), e.Degree, e.Reached, unit(e.Tolerance.Unit), e.At)
	}
	if e.Reason != "" {
		fmt.Fprintf(&b, ": %s", e.Reason)
	}
	return b.String()
}

// Unwrap returns ErrFit.
func (e *Error) Unwrap() error { return ErrFit }

func typeName(t ir.Type) string {
	if t == ir.Float32 {
		return "float32"
	}
	return "float64"
}

func unit(u egraph.BoundUnit) string {
	return [...]string{egraph.ULP: "ulp", egraph.Abs: "abs", egraph.Rel: "rel"}[u]
}

// Parts of the tolerance that the errors of a form may use up on the points that it is made for, on a dense sample, and the
// whole, which it promises. A kernel that asks for as much as the form promises accepts 0.9 of it.
const (
	fitted   = 0.7
	measured = 0.8
)

// asked is the tolerance as an absolute error at a value of F.
func (p *Problem) asked(y float64) float64 {
	switch p.Tolerance.Unit {
	case egraph.ULP:
		return p.Tolerance.Value * p.ulp(y)
	case egraph.Rel:
		return p.Tolerance.Value * math.Abs(y)
	}
	return p.Tolerance.Value
}

// allowed is the largest error at a value of F, where a part of the tolerance may be used.
func (p *Problem) allowed(y, part float64) float64 {
	return max(part*p.asked(y), p.ulp(y)/2, math.SmallestNonzeroFloat64) // half the smallest float64 is none
}

// ulp is the spacing of the type at y.
func (p *Problem) ulp(y float64) float64 { return interp.ULP(p.Type, interp.Value{Hi: y}) }

// inUnit is an error at a value of F in the unit of the tolerance.
func (p *Problem) inUnit(err, y float64) float64 {
	switch {
	case err == 0:
		return 0
	case p.Tolerance.Unit == egraph.ULP:
		return err / p.ulp(y)
	case p.Tolerance.Unit == egraph.Rel:
		return err / math.Abs(y)
	}
	return err
}

// round returns the number of the problem's type nearest to x.
func (p *Problem) round(x float64) float64 { return roundTo(p.Type, x) }

func roundTo(t ir.Type, x float64) float64 {
	if t == ir.Float32 {
		return float64(float32(x))
	}
	return x
}

// next returns the neighbour of x in the problem's type, in the direction of to.
func (p *Problem) next(x, to float64) float64 {
	if p.Type == ir.Float32 {
		return float64(math.Nextafter32(float32(x), float32(to)))
	}
	return math.Nextafter(x, to)
}

// usable reports whether y is a value that the type holds.
func (p *Problem) usable(y float64) bool { return math.Abs(p.round(y)) <= math.MaxFloat64 }

func (p *Problem) refuse(at float64, format string, args ...any) *Error {
	return &Error{Problem: *p, At: at, Reason: fmt.Sprintf(format, args...)}
}

func (p *Problem) check() error {
	switch {
	case p.F == nil:
		return fmt.Errorf("%w: no function", ErrFit)
	case p.Type != ir.Float32 && p.Type != ir.Float64:
		return fmt.Errorf("%w: want float32 or float64, not %v", ErrFit, p.Type)
	case !(p.Tolerance.Value > 0 && p.Tolerance.Value <= math.MaxFloat64) || p.Tolerance.Unit > egraph.Rel:
		return fmt.Errorf("%w: a tolerance must be positive and finite, not %v", ErrFit, p.Tolerance.Value)
	case !(p.Lo < p.Hi) || !p.usable(p.Lo) || !p.usable(p.Hi) || p.Hi-p.Lo > math.MaxFloat64:
		return fmt.Errorf("%w: [%g, %g] is no finite interval of %s numbers", ErrFit, p.Lo, p.Hi, typeName(p.Type))
	}
	return nil
}
