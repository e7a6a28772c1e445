// Package minimax makes polynomial and rational approximations of smallest
// maximum error and knows the error they have.
//
// In: a [Problem], that is a function evaluated on math/big numbers, a closed
// interval, a weight and the powers that may be used, above and below the line.
// Out: an [Approximation], the coefficients and the largest weighted error,
// measured. Coefficients come either unrounded ([Problem.Solve]) or as float32
// or float64 numbers ([Problem.Round]), in which case the error is that of the
// approximation with rounded coefficients, evaluated without further rounding.
//
// The package knows nothing about rules, about how an approximation is
// evaluated, or about the rounding errors of that evaluation. It is pure and
// deterministic.
//
// Methods: the second algorithm of E. Remez (Sur la détermination des polynômes
// d'approximation de degré donnée, 1934) with exchange of all reference points;
// for rationals each exchange is an eigenvalue problem (R. Pachón, Algorithms
// for polynomial and rational approximation, thesis, Oxford 2010, chapter 4;
// the theory is N. I. Achieser's); rounding one coefficient at a time, a simple
// stand-in for the lattice reduction of N. Brisebarre and S. Chevillard
// (Efficient polynomial L∞-approximations, ARITH 2007).
package minimax

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// Errors returned, wrapped, by this package.
var (
	// ErrProblem marks a Problem that makes no sense as stated.
	ErrProblem = errors.New("minimax: bad problem")
	// ErrConverge marks a Problem on which the exchange did not settle, most
	// often because its powers are no Chebyshev system on the interval, or
	// because a rational with fewer powers is as good (a degenerate case).
	ErrConverge = errors.New("minimax: no convergence")
	// ErrPole marks a Problem whose denominators have zeros on the interval.
	ErrPole = errors.New("minimax: pole on the interval")
)

// A Term is Coef * x^Exp.
type Term struct {
	Exp  int
	Coef *big.Float
}

// A Weight turns an absolute error at x, where the target is fx, into the error
// to be made small by multiplying it. It must be positive and may be infinite
// only where the error is to be zero. Nil means the absolute error.
type Weight func(x, fx *big.Float) *big.Float

// Relative is the weight of the relative error, 1/|f(x)|.
func Relative(_, fx *big.Float) *big.Float {
	w := new(big.Float).SetPrec(fx.Prec())
	return w.Quo(w.SetInt64(1), new(big.Float).Abs(fx))
}

// A Problem asks for the polynomial, or the rational function, closest to F on
// [A, B].
type Problem struct {
	// F is the target, evaluated to about the precision of its argument. It
	// must be finite and continuous on [A, B].
	F    func(x *big.Float) *big.Float
	A, B *big.Float
	// Weight applies to the error; nil means absolute error.
	Weight Weight
	// Fixed terms are part of the polynomial and are not changed.
	Fixed []Term
	// Exponents are the powers whose coefficients are wanted, ascending. They
	// must form a Chebyshev system on [A, B]: consecutive ones always do, others
	// only where the interval does not contain 0 inside.
	Exponents []int
	// Denominator holds the powers of the denominator besides 1, whose
	// coefficient is 1; none asks for a polynomial. They ascend in equal steps
	// from 0, those of the numerator in the same steps from anywhere: the
	// rational is x^a P(x^b)/Q(x^b). There are no fixed terms then.
	Denominator []int
	// Prec is the precision of all arithmetic in bits. It has to cover the
	// accuracy wanted plus the digits that F minus Fixed loses by cancellation.
	Prec uint
}

// An Approximation is a polynomial, or the quotient of two, with its error.
type Approximation struct {
	// Terms holds the fixed terms and the computed ones by ascending power.
	Terms []Term
	// Denominator holds the terms below the line, the first of them 1; nil if
	// there is no line.
	Denominator []Term
	// Error is the largest weighted error found, attained at At.
	Error, At *big.Float
}

func (p *Problem) check() error {
	switch {
	case p.F == nil:
		return fmt.Errorf("%w: no function", ErrProblem)
	case p.Prec < 32:
		return fmt.Errorf("%w: precision of %d bits, want at least 32", ErrProblem, p.Prec)
	case p.A == nil || p.B == nil || p.A.IsInf() || p.B.IsInf() || p.A.Cmp(p.B) >= 0:
		return fmt.Errorf("%w: [%v, %v] is no interval", ErrProblem, p.A, p.B)
	}
	for i, e := range p.Exponents {
		if e < 0 || i > 0 && e <= p.Exponents[i-1] {
			return fmt.Errorf("%w: exponents %v are not ascending from 0 or more", ErrProblem, p.Exponents)
		}
	}
	for _, t := range p.Fixed {
		if t.Exp < 0 || t.Coef == nil || t.Coef.IsInf() {
			return fmt.Errorf("%w: fixed term of power %d", ErrProblem, t.Exp)
		}
		if slices.Contains(p.Exponents, t.Exp) {
			return fmt.Errorf("%w: power %d is both fixed and wanted", ErrProblem, t.Exp)
		}
	}
	if len(p.Denominator) > 0 {
		return p.checkRational()
	}
	return nil
}

// with returns the approximation made of the fixed terms and coefs, unmeasured.
func (p *Problem) with(coefs []*big.Float) (terms, denominator []Term) {
	terms = slices.Clone(p.Fixed)
	for i, e := range p.Exponents {
		terms = append(terms, Term{e, coefs[i]})
	}
	slices.SortStableFunc(terms, func(a, b Term) int { return a.Exp - b.Exp })
	for i, e := range p.Denominator {
		if i == 0 {
			denominator = []Term{{0, big.NewFloat(1)}}
		}
		denominator = append(denominator, Term{e, coefs[len(p.Exponents)+i]})
	}
	return terms, denominator
}

// Measure returns the largest weighted error of a polynomial, or of a quotient
// of two where denominator is not nil, on [A, B] and a point where it is
// attained: on a grid much denser than the extrema lie, then refined around each
// local maximum. The error is infinite if the denominator has a zero there.
func (p *Problem) Measure(terms, denominator []Term) (Approximation, error) {
	if err := p.check(); err != nil {
		return Approximation{}, err
	}
	s, err := newSolver(p, 4*gridPerTerm)
	if err != nil {
		return Approximation{}, err
	}
	return s.measure(terms, denominator), nil
}

// Solve returns the best approximation, its coefficients to Prec bits.
func (p *Problem) Solve() (Approximation, error) {
	if err := p.check(); err != nil {
		return Approximation{}, err
	}
	s, err := newSolver(p, gridPerTerm)
	if err != nil {
		return Approximation{}, err
	}
	coefs, err := s.remez()
	if err != nil {
		return Approximation{}, err
	}
	return s.measure(p.with(coefs)), nil
}
