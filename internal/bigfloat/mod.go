package bigfloat

import "math/big"

// maxShift bounds the difference of exponents that Mod and Remainder divide through.
const maxShift = 1 << 16

// Mod returns x - y trunc(x/y), exactly but for the last rounding, with the sign of x. It is false where there is none (y = 0, x
// infinite), and where the exponents are too far apart.
func Mod(x, y *big.Float) (z *big.Float, ok bool) { return remainder(x, y, false) }

// Remainder returns x - y n, where n is the integer nearest to x/y, ties to even; a zero has the sign of x. It is false as Mod is.
func Remainder(x, y *big.Float) (z *big.Float, ok bool) { return remainder(x, y, true) }

func remainder(x, y *big.Float, nearest bool) (*big.Float, bool) {
	prec := precOf2(x, y)
	switch {
	case x.IsInf() || y.Sign() == 0:
		return nil, false
	case y.IsInf() || x.Sign() == 0:
		return round(newFloat(prec).Set(x), prec), true
	}
	// Both as integers in units of 2^unit.
	unit := min(x.MantExp(nil)-int(x.MinPrec()), y.MantExp(nil)-int(y.MinPrec()))
	if max(x.MantExp(nil), y.MantExp(nil))-unit > maxShift {
		return nil, false
	}
	integer := func(v *big.Float) *big.Int {
		i, _ := newFloat(v.Prec()).SetMantExp(v, -unit).Int(nil)
		return i
	}
	a, b := integer(x), integer(y)
	b.Abs(b)
	q, r := new(big.Int).QuoRem(a, b, new(big.Int)) // r has the sign of x
	if nearest {
		twice := new(big.Int).Abs(r)
		if c := twice.Lsh(twice, 1).Cmp(b); c > 0 || c == 0 && q.Bit(0) != 0 {
			if x.Signbit() {
				r.Add(r, b)
			} else {
				r.Sub(r, b)
			}
		}
	}
	z := newFloat(uint(max(r.BitLen(), 2))).SetInt(r)
	z.SetMantExp(z, unit)
	if z.Sign() == 0 && x.Signbit() {
		z.Neg(z)
	}
	return round(z, prec), true
}
