package double

import "math"

// 2/sqrt(π), and the argument from which on the continued fraction is the better way: there it takes cfTerms terms.
var twoRsqrtPi = Double{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56}

const (
	seriesBelow = 3
	cfTerms     = 120
	farErfc     = 25 // beyond it erfc is near the smallest numbers
)

// erfErr is the relative error of erf and erfc, beside what erfc loses as 1 - erf.
const erfErr = 0x1p-92

// Erf is the error function.
func Erf(x Double) (y Double, err float64, ok bool) {
	switch a := x.abs(); {
	case x.tiny() && a.Hi > 0x1p-900:
		return x.Mul(twoRsqrtPi).within(funcErr)
	case a.Hi > farErfc:
		return Double{1, 0}.withSign(x).within(tinyErr)
	case x.tiny():
		return none.within(0)
	case a.Hi < seriesBelow:
		return erfSeries(x).within(erfErr)
	default:
		return erfcFraction(a).neg().AddFloat(1).withSign(x).within(erfErr)
	}
}

// Erfc is the complementary error function.
func Erfc(x Double) (y Double, err float64, ok bool) {
	switch {
	case x.tiny():
		return beside(Double{1, 0}, -2/math.SqrtPi, x.Hi)
	case x.Hi < -farErfc:
		return Double{2, 0}.within(tinyErr)
	case x.Hi > farErfc:
		return none.within(0)
	case math.Abs(x.Hi) < seriesBelow:
		y = erfSeries(x).neg().AddFloat(1)
		return y, erfErr, true
	case x.Hi > 0:
		return erfcFraction(x).within(erfErr)
	default:
		return erfcFraction(x.neg()).neg().AddFloat(2).within(erfErr)
	}
}

// erfSeries is 2/sqrt(π)·exp(-x²)·x·(1 + 2x²/3·(1 + 2x²/5·(1 + …))): nothing in it cancels.
func erfSeries(x Double) Double {
	z := x.Mul(x)
	twice := z.Scale(2)
	sum, term := Double{1, 0}, Double{1, 0}
	for k := 3.0; term.Hi > 0x1p-110*sum.Hi; k += 2 {
		term = term.Mul(twice).Div(Double{k, 0})
		sum = sum.Add(term)
	}
	return twoRsqrtPi.Mul(x).Mul(z.neg().Exp()).Mul(sum)
}

// erfcFraction is exp(-x²)/sqrt(π)/(x + (1/2)/(x + 1/(x + (3/2)/(x + …)))) for x >= 3 (Abramowitz and Stegun, 7.1.14).
func erfcFraction(x Double) Double {
	t := x
	for k := cfTerms; k > 0; k-- {
		t = x.Add(Double{float64(k) / 2, 0}.Div(t))
	}
	return twoRsqrtPi.Scale(0.5).Mul(x.Mul(x).neg().Exp()).Div(t)
}
