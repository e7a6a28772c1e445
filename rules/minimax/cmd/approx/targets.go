package main

import (
	"math/big"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

func square(x *big.Float) *big.Float { return number(0).Mul(x, x) }

// rootPi is the square root of π.
func rootPi() *big.Float { p := pi(); return p.Sqrt(p) }

// total is a function that has a value wherever it is fitted.
func total(f func(*big.Float) (*big.Float, bool)) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float { y, _ := f(x); return y }
}

var (
	sin  = total(bigfloat.Sin)
	cos  = total(bigfloat.Cos)
	asin = total(bigfloat.Asin)
)

// erfcx is exp(x²) erfc(x) for x >= 0.
func erfcx(x *big.Float) *big.Float {
	y := bigfloat.Erfc(x)
	return y.Mul(y, bigfloat.Exp(square(x)))
}

// fitAround is fit for intervals with 0 inside: the highest coefficient is
// rounded first, since without the lower ones the powers are no Chebyshev
// system there.
func fitAround(p minimax.Problem, format minimax.Format) ([]string, error) {
	p.Prec = prec
	a, err := p.Round(format, minimax.HighestFirst)
	if err != nil {
		return nil, err
	}
	return literals(a.Terms, format), nil
}

// fitOnce rounds all coefficients at once. In float64 that costs little where
// the terms fall fast, and the many coefficients would be solved for as often.
func fitOnce(p minimax.Problem, format minimax.Format) ([]string, error) {
	p.Prec = prec
	a, err := p.Solve()
	if err != nil {
		return nil, err
	}
	return literals(a.Terms[len(p.Fixed):], format), nil
}

// fitLong is fit for few coefficients, fitOnce for many.
func fitLong(p minimax.Problem, format minimax.Format) ([]string, error) {
	if format == minimax.Float64 {
		return fitOnce(p, format)
	}
	return fit(p, format)
}

func literals(terms []minimax.Term, format minimax.Format) []string {
	var out []string
	for _, t := range terms {
		out = append(out, rounded(t.Coef, format))
	}
	return out
}
