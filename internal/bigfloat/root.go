package bigfloat

import (
	"math"
	"math/big"
)

// Cbrt returns the cube root: Cbrt(±0) = ±0, Cbrt(±Inf) = ±Inf.
func Cbrt(x *big.Float) *big.Float {
	prec := precOf(x)
	if x.Sign() == 0 || x.IsInf() {
		return newFloat(prec).Set(x)
	}
	w := prec + guard
	// |x| = m * 2^(3q) with m in [1/2, 4).
	m := newFloat(w).Abs(x)
	k := m.MantExp(m)
	q := k / 3
	if k%3 < 0 {
		q--
	}
	m.SetMantExp(m, k-3*q)
	// Newton for m^(-1/3), free of divisions by anything but 3:
	// r += r*(1 - m*r³)/3 doubles the correct bits.
	f := approx(m)
	r := newFloat(w).SetFloat64(1 / math.Cbrt(f))
	for bits := uint(50); bits < w; bits *= 2 {
		p := min(2*bits+guard, w)
		r.SetPrec(p)
		t := newFloat(p).Mul(r, r)
		t.Mul(t, r)
		t.Mul(t, m)
		t.Sub(small(1, p), t)
		t.Quo(t, small(3, 2))
		r.Add(r, t.Mul(t, r))
	}
	m.Mul(m, r)
	m.Mul(m, r)
	return round(withSign(m.SetMantExp(m, q), x.Signbit()), prec)
}

// Rsqrt returns 1/sqrt(x); ok is false for x < 0. Rsqrt(±0) = ±Inf,
// Rsqrt(+Inf) = +0.
func Rsqrt(x *big.Float) (z *big.Float, ok bool) {
	if x.Sign() < 0 {
		return nil, false
	}
	prec := precOf(x)
	root := newFloat(prec + guard).Sqrt(x)
	return round(reciprocal(root), prec), true
}

// Hypot returns sqrt(x² + y²), which overflows only where the result does. An
// infinite argument gives +Inf.
func Hypot(x, y *big.Float) *big.Float {
	prec := precOf2(x, y)
	w := prec + guard
	a, b := newFloat(w).Abs(x), newFloat(w).Abs(y)
	if a.Cmp(b) < 0 {
		a, b = b, a
	}
	// Bring a to [1/2, 1): the square of b may then underflow only where it
	// does not count.
	e := a.MantExp(nil)
	if a.IsInf() || b.Sign() == 0 || e-b.MantExp(nil) > int(w) {
		return round(a, prec)
	}
	a.SetMantExp(a, -e)
	b.SetMantExp(b, -e)
	a.Mul(a, a)
	a.Add(a, b.Mul(b, b))
	a.Sqrt(a)
	return round(a.SetMantExp(a, e), prec)
}
