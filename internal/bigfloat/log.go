package bigfloat

import (
	"math"
	"math/big"
)

// Log returns the natural logarithm; ok is false for x < 0, where it has no
// value (the result is then nil). Log(±0) = -Inf, Log(1) = +0,
// Log(+Inf) = +Inf.
func Log(x *big.Float) (z *big.Float, ok bool) {
	prec := precOf(x)
	switch {
	case x.Sign() == 0:
		return newFloat(prec).SetInf(true), true
	case x.Sign() < 0:
		return nil, false
	case x.IsInf():
		return newFloat(prec).SetInf(false), true
	}

	// x = 2^k * m with m in [0.7, 1.4); m - 1 is exact or, for k != 0, need
	// not be.
	w := prec + guard
	m := newFloat(w)
	k := x.MantExp(m)
	if f, _ := m.Float64(); f < 0.7 {
		m.SetMantExp(m, 1)
		k--
	}
	y := log1p(m.Sub(m, small(1, w)), w)
	if k != 0 {
		y.Add(y, newFloat(w).Mul(small(int64(k), w), Ln2(w)))
	}
	return round(y, prec), true
}

// log1p returns log(1+d) to w bits, relative, for -0.3 <= d < 0.4.
func log1p(d *big.Float, w uint) *big.Float {
	if d.Sign() == 0 {
		return newFloat(w)
	}
	// The start is good to about 2^-50: d - d²/2 for small d, float64 above.
	y := newFloat(w).Mul(d, d)
	y.SetMantExp(y, -1)
	y.Sub(d, y)
	if d.MantExp(nil) > -25 {
		f, _ := d.Float64()
		y.SetFloat64(math.Log1p(f))
	}
	// Halley: y += 2(d-E)/(2+d+E), E = expm1(y), triples the correct bits.
	two := small(2, w)
	for bits := uint(50); ; bits *= 3 {
		e := expm1(y, w)
		step := newFloat(w).Sub(d, e)
		e.Add(e, d)
		e.Add(e, two)
		step.Quo(step, e)
		y.Add(y, step.SetMantExp(step, 1))
		if bits*3 >= w {
			return y
		}
	}
}
