package bigfloat

import (
	"math/big"
	"sync"
)

// onceBits is the precision at which a constant is computed once and kept: π
// for 200 bits of the sine of any float64 (1024 + 200 + guards) and as much
// again. More bits are computed at every call.
const onceBits = 2560

// inverse is a term of a Machin-like formula: coef * atan(1/n) or
// coef * atanh(1/n).
type inverse struct{ coef, n int64 }

// machin is a constant given by a Machin-like formula.
type machin struct {
	terms       []inverse
	alternating bool // atan, not atanh
	once        func() *big.Float
}

func newMachin(alternating bool, terms ...inverse) machin {
	m := machin{terms: terms, alternating: alternating}
	m.once = sync.OnceValue(func() *big.Float { return m.sum(onceBits) })
	return m
}

var (
	// Machin: π = 16 atan(1/5) - 4 atan(1/239).
	pi = newMachin(true, inverse{16, 5}, inverse{-4, 239})
	// ln 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749).
	ln2 = newMachin(false, inverse{18, 26}, inverse{-2, 4801}, inverse{8, 8749})
	// ln 10 = 46 atanh(1/31) + 34 atanh(1/49) + 20 atanh(1/161): the three are
	// half the logarithms of 32/30, 50/48 and 162/160, products of 2, 3 and 5.
	ln10 = newMachin(false, inverse{46, 31}, inverse{34, 49}, inverse{20, 161})
)

// Pi returns π to prec bits.
func Pi(prec uint) *big.Float { return pi.to(constPrec(prec)) }

// Ln2 returns the natural logarithm of 2 to prec bits.
func Ln2(prec uint) *big.Float { return ln2.to(constPrec(prec)) }

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

// to returns the constant to prec bits.
func (m *machin) to(prec uint) *big.Float {
	if prec+guard <= onceBits {
		return newFloat(prec).Set(m.once())
	}
	return m.sum(prec)
}

// sum adds coef*atan(1/n) or coef*atanh(1/n) in fixed point with prec+guard
// fraction bits; each term is off by less than one unit there.
func (m *machin) sum(prec uint) *big.Float {
	sum := new(big.Int)
	for _, t := range m.terms {
		power := new(big.Int).Lsh(big.NewInt(t.coef), prec+guard)
		power.Quo(power, big.NewInt(t.n))
		square := big.NewInt(t.n * t.n)
		var term, div big.Int
		for k := int64(1); power.Sign() != 0; k += 2 {
			term.Quo(power, div.SetInt64(k))
			if m.alternating && k%4 == 3 {
				sum.Sub(sum, &term)
			} else {
				sum.Add(sum, &term)
			}
			power.Quo(power, square)
		}
	}
	return fromFixed(sum, prec+guard, prec)
}
