package bigfloat

import "math/big"

// inverse is a term of a Machin-like formula: coef * atan(1/n) or
// coef * atanh(1/n).
type inverse struct{ coef, n int64 }

// Pi returns π to prec bits.
func Pi(prec uint) *big.Float {
	// Machin's formula: π/4 = 4 atan(1/5) - atan(1/239).
	return machin([]inverse{{16, 5}, {-4, 239}}, true, constPrec(prec))
}

// Ln2 returns the natural logarithm of 2 to prec bits.
func Ln2(prec uint) *big.Float {
	// ln 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749).
	return machin([]inverse{{18, 26}, {-2, 4801}, {8, 8749}}, false, constPrec(prec))
}

// Log2e returns 1/ln 2 to prec bits.
func Log2e(prec uint) *big.Float {
	prec = constPrec(prec)
	return round(reciprocal(Ln2(prec+guard)), prec)
}

func constPrec(prec uint) uint {
	if prec == 0 {
		return defaultPrec
	}
	return prec
}

// machin sums coef*atan(1/n) (alternating) or coef*atanh(1/n) in fixed point
// with prec+guard fraction bits; each term is off by less than one unit there.
func machin(terms []inverse, alternating bool, prec uint) *big.Float {
	sum := new(big.Int)
	for _, t := range terms {
		power := new(big.Int).Lsh(big.NewInt(t.coef), prec+guard)
		power.Quo(power, big.NewInt(t.n))
		square := big.NewInt(t.n * t.n)
		term := new(big.Int)
		for k := int64(1); power.Sign() != 0; k += 2 {
			term.Quo(power, big.NewInt(k))
			if alternating && k%4 == 3 {
				sum.Sub(sum, term)
			} else {
				sum.Add(sum, term)
			}
			power.Quo(power, square)
		}
	}
	z := newFloat(prec).SetInt(sum)
	return z.SetMantExp(z, -int(prec+guard))
}
