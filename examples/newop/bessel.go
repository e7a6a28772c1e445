package main

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/rules/minimax"
	"github.com/go-yolk/yolk/ufunc"
)

// J0 is the Bessel function of the first kind of order 0. Machines have no instruction for it and yolk has no form: the
// rules of this program make one, for abs(x) <= 8.
func J0[T ufunc.Float](x T) T { return T(math.J0(float64(x))) }

var j0 = ufunc.NewOp(ufunc.OpSpec{
	Name: "j0",
	Func: J0[float64],
	Real: func(x []*big.Float) *big.Float {
		const far = 64 // the series takes as many extra bits as terms, about 3|x|
		size, _ := new(big.Float).Abs(x[0]).Float64()
		if size > far {
			return nil
		}
		prec := x[0].Prec() + uint(3*size) + 64
		t := new(big.Float).SetPrec(prec)
		return besselSeries(t.Mul(x[0], x[0]), prec)
	},
	// The first minimum is at x = 3.8317.
	Range: func([]ufunc.Fact) ufunc.Fact { return ufunc.Fact{Lo: -0.40276, Hi: 1} },
	Cost:  100,
})

// besselSeries is J0 of the square root of t: the sum of (-t/4)^k/(k!)² (NIST Digital Library of Mathematical Functions,
// equation 10.2.2). Where the sum cancels, near a zero of J0, it is made again with more bits.
func besselSeries(t *big.Float, prec uint) *big.Float {
	const slack = 32
	minusQuarter := new(big.Float).SetPrec(prec).Quo(t, big.NewFloat(-4))
	sum, term := new(big.Float).SetPrec(prec).SetInt64(1), new(big.Float).SetPrec(prec).SetInt64(1)
	for k := int64(1); term.Sign() != 0 && term.MantExp(nil) > -int(prec); k++ {
		term.Mul(term, minusQuarter)
		term.Quo(term, new(big.Float).SetInt64(k*k))
		sum.Add(sum, term)
	}
	if lost := -sum.MantExp(nil); sum.Sign() != 0 && lost > slack && t.Prec() == prec {
		return besselSeries(t, prec+uint(lost))
	}
	return sum
}

// besselRules are laws of J0, and its form: a polynomial in u = x²/32 - 1, which runs from -1 to 1. J0 is even, and as a
// function of x² so smooth that degree 10 does.
func besselRules() (rules.Set, error) {
	const degree, prec = 10, 160
	real := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
	p := minimax.Problem{
		F: func(u *big.Float) *big.Float {
			t := new(big.Float).SetPrec(prec).Add(u, real(1))
			return besselSeries(t.Mul(t, real(32)), prec)
		},
		A: real(-1), B: real(1), Prec: prec,
	}
	for i := range degree + 1 {
		p.Exponents = append(p.Exponents, i)
	}
	a, err := p.Round(minimax.Float32, minimax.HighestFirst)
	if err != nil {
		return rules.Set{}, err
	}
	bound, _ := a.Error.Float64()
	bound += 6e-7 // rounding in float32 on the way, as measured
	horner := coefficient(a.Terms[degree])
	for i := degree - 1; i >= 0; i-- {
		horner = fmt.Sprintf("fma(u, %s, %s)", horner, coefficient(a.Terms[i]))
	}
	text := fmt.Sprintf(`
j0-negated:  j0(-x)      => j0(x)
j0-abs:      j0(abs(x))  => j0(x)
j0-10:       j0(x)       ~> %s
             with u = fma(x*x, 0.03125, -1)
             for float32 on abs(x) <= 8 within %.1e abs ! afn
`, horner, bound)
	return rules.Parse("bessel.rules", strings.TrimPrefix(text, "\n"), j0.Def())
}

func coefficient(t minimax.Term) string {
	c, _ := t.Coef.Float32()
	return strconv.FormatFloat(float64(c), 'x', -1, 32)
}
