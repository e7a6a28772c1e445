package bigfloat

import (
	"math"
	"math/big"
)

// The series run on integers that count units of 2^-p. Arguments below 2^-e get
// p = w + e + ..., so that results keep w significant bits.

// toFixed returns x*2^p, truncated; x*2^p must be of a size worth storing.
func toFixed(x *big.Float, p uint) *big.Int {
	z, _ := new(big.Float).SetMantExp(x, int(p)).Int(nil)
	return z
}

// fromFixed returns i*2^-p to w bits.
func fromFixed(i *big.Int, p, w uint) *big.Float {
	z := newFloat(w).SetInt(i)
	return z.SetMantExp(z, -int(p))
}

// halvings returns how often to halve an argument below 2^-e before a series:
// to about 2^-sqrt(w), which balances terms and doublings.
func halvings(e, w uint) uint {
	j := uint(math.Sqrt(float64(w)))
	if j <= e {
		return 0
	}
	return j - e
}

// leading returns e with |x| < 2^-e, and whether x stands for f(x) to w bits
// in every f(x) = x + O(x²). |x| must be below 1.
func leading(x *big.Float, w uint) (e uint, ok bool) {
	if x.Sign() == 0 {
		return 0, true
	}
	e = uint(-x.MantExp(nil))
	return e, e > w
}

// expm1Series returns e^r - 1 to w bits, relative, for |r| < 1/2.
func expm1Series(r *big.Float, w uint) *big.Float {
	e, ok := leading(r, w)
	if ok {
		return newFloat(w).Set(r)
	}
	j := halvings(e, w)
	p := w + e + j
	y := toFixed(r, p-j) // r/2^j in units of 2^-p
	sum := new(big.Int).Set(y)
	term := new(big.Int).Set(y)
	var t, div big.Int
	for n := int64(2); ; n++ {
		t.Mul(term, y)
		term.Quo(t.Rsh(&t, p), div.SetInt64(n))
		if term.Sign() == 0 {
			break
		}
		sum.Add(sum, term)
	}
	// expm1(2y) = expm1(y)*(2 + expm1(y)).
	two := new(big.Int).Lsh(big.NewInt(2), p)
	var f big.Int
	for range j {
		f.Add(sum, two)
		t.Mul(sum, &f)
		sum.Rsh(&t, p)
	}
	return fromFixed(sum, p, w)
}

// sinCosSeries returns sin r and cos r to w bits, relative, for |r| < 1.
func sinCosSeries(r *big.Float, w uint) (sin, cos *big.Float) {
	e, ok := leading(r, w)
	if ok {
		return newFloat(w).Set(r), small(1, w)
	}
	// s and u are sin and 1-cos of r/2^j. A doubling takes the error of u times
	// four, hence 2j.
	j := halvings(e, w)
	p := w + e + 2*j
	y := toFixed(r, p-j)
	s := new(big.Int).Set(y)
	u := new(big.Int)
	term := new(big.Int).Set(y)
	var t, div big.Int
	for n := int64(2); ; n++ {
		t.Mul(term, y)
		term.Quo(t.Rsh(&t, p), div.SetInt64(n))
		if term.Sign() == 0 {
			break
		}
		switch n % 4 {
		case 0:
			u.Sub(u, term)
		case 1:
			s.Add(s, term)
		case 2:
			u.Add(u, term)
		case 3:
			s.Sub(s, term)
		}
	}
	// sin 2y = 2 s (1-u) and 1 - cos 2y = 2u (2-u).
	one := new(big.Int).Lsh(big.NewInt(1), p)
	var f big.Int
	for range j {
		t.Mul(s, f.Sub(one, u))
		s.Rsh(&t, p-1)
		f.Add(&f, one)
		t.Mul(u, &f)
		u.Rsh(&t, p-1)
	}
	return fromFixed(s, p, w), fromFixed(one.Sub(one, u), p, w)
}

// oddSeries returns x + x³/3 + x⁵/5 + ... = atanh x, or with alternating signs
// atan x, to w bits, relative, for |x| < 1/2. It is meant for |x| below 2^-20.
func oddSeries(x *big.Float, alternating bool, w uint) *big.Float {
	e, ok := leading(x, w)
	if ok {
		return newFloat(w).Set(x)
	}
	p := w + e
	power := toFixed(x, p)
	sum := new(big.Int).Set(power)
	var t, term, div big.Int
	sq := new(big.Int).Mul(power, power)
	sq.Rsh(sq, p)
	for k := int64(3); ; k += 2 {
		t.Mul(power, sq)
		power.Rsh(&t, p)
		term.Quo(power, div.SetInt64(k))
		if term.Sign() == 0 {
			break
		}
		if alternating && k%4 == 3 {
			sum.Sub(sum, &term)
		} else {
			sum.Add(sum, &term)
		}
	}
	return fromFixed(sum, p, w)
}
