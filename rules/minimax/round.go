package minimax

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// A Format is a binary floating-point type of the coefficients.
type Format int

// The formats of coefficients.
const (
	Float32 Format = iota
	Float64
)

// round returns the number of the format nearest to c.
func (f Format) round(c *big.Float) *big.Float {
	if f == Float32 {
		v, _ := c.Float32()
		return new(big.Float).SetPrec(24).SetFloat64(float64(v))
	}
	v, _ := c.Float64()
	return big.NewFloat(v)
}

// next returns the neighbour of c, a number of the format.
func (f Format) next(c *big.Float, up bool) *big.Float {
	to := math.Inf(-1)
	if up {
		to = math.Inf(1)
	}
	v, _ := c.Float64()
	if f == Float32 {
		return f.round(big.NewFloat(float64(math.Nextafter32(float32(v), float32(to)))))
	}
	return big.NewFloat(math.Nextafter(v, to))
}

// An Order says which coefficient is rounded first.
type Order int

// The orders of rounding. LowestFirst suits a relative error, where the low
// coefficients carry it and the high ones have freedom to make up for them.
const (
	LowestFirst Order = iota
	HighestFirst
)

// Round solves the problem, then rounds one coefficient after the other to the
// format, each time solving again for those that are left. The Fixed terms are
// taken as they are. Of a rational the denominator is rounded first, all of it,
// and then chosen among the neighbours. The error is that of the approximation
// with all coefficients rounded, evaluated without rounding.
func (p *Problem) Round(format Format, order Order) (Approximation, error) {
	if err := p.check(); err != nil {
		return Approximation{}, err
	}
	if len(p.Denominator) > 0 {
		return p.roundRational(format, order, neighbourPasses)
	}
	left := *p
	s, err := newSolver(&left, gridPerTerm)
	if err != nil {
		return Approximation{}, err
	}
	for len(left.Exponents) > 0 {
		coefs, err := s.on(&left).remez()
		if err != nil {
			return Approximation{}, fmt.Errorf("rounding with powers %v left: %w", left.Exponents, err)
		}
		i := 0
		if order == HighestFirst {
			i = len(coefs) - 1
		}
		fixed := Term{left.Exponents[i], format.round(coefs[i])}
		if fixed.Coef.IsInf() {
			return Approximation{}, fmt.Errorf("%w: coefficient of power %d overflows", ErrProblem, fixed.Exp)
		}
		left.Fixed = append(slices.Clone(left.Fixed), fixed)
		left.Exponents = slices.Delete(slices.Clone(left.Exponents), i, i+1)
	}
	return p.Measure(left.with(nil))
}

// neighbourPasses bounds how often the neighbours of the coefficients of a denominator are tried.
const neighbourPasses = 8

// RoundOnce is Round without a look at the neighbours of a denominator's coefficients, which takes most of the time.
func (p *Problem) RoundOnce(format Format, order Order) (Approximation, error) {
	if err := p.check(); err != nil {
		return Approximation{}, err
	}
	if len(p.Denominator) > 0 {
		return p.roundRational(format, order, 0)
	}
	return p.Round(format, order)
}
