package bigfloat

import (
	"math"
	"math/big"
)

// Log returns the natural logarithm; ok is false for x < 0, where it has no
// value. Log(±0) = -Inf, Log(1) = +0, Log(+Inf) = +Inf.
func Log(x *big.Float) (z *big.Float, ok bool) {
	if z, ok, special := specialLog(x); special {
		return z, ok
	}
	prec := precOf(x)
	return round(log(x, prec+guard), prec), true
}

// Log2 returns the logarithm to base 2, exactly for powers of two; ok is false
// for x < 0. Log2(±0) = -Inf, Log2(1) = +0, Log2(+Inf) = +Inf.
func Log2(x *big.Float) (z *big.Float, ok bool) {
	if z, ok, special := specialLog(x); special {
		return z, ok
	}
	prec := precOf(x)
	w := prec + guard
	k, y := reduceLog(x, w)
	y.Quo(y, Ln2(w))
	return round(y.Add(y, small(int64(k), w)), prec), true
}

// Log10 returns the logarithm to base 10; ok is false for x < 0.
// Log10(±0) = -Inf, Log10(1) = +0, Log10(+Inf) = +Inf.
func Log10(x *big.Float) (z *big.Float, ok bool) {
	if z, ok, special := specialLog(x); special {
		return z, ok
	}
	prec := precOf(x)
	w := prec + guard
	y := log(x, w)
	return round(y.Quo(y, ln10.to(w)), prec), true
}

// Log1p returns log(1+x) without cancellation near 0; ok is false for x < -1.
// Log1p(±0) = ±0, Log1p(-1) = -Inf, Log1p(+Inf) = +Inf.
func Log1p(x *big.Float) (z *big.Float, ok bool) {
	prec := precOf(x)
	if x.Sign() == 0 || x.IsInf() && !x.Signbit() {
		return newFloat(prec).Set(x), true
	}
	switch x.Cmp(small(-1, 1)) {
	case 0:
		return infinity(true, prec), true
	case -1:
		return nil, false
	}
	return round(log1p(x, prec+guard), prec), true
}

// specialLog gives the logarithm, to any base, of numbers that are not positive
// and finite.
func specialLog(x *big.Float) (z *big.Float, ok, special bool) {
	switch {
	case x.Sign() == 0:
		return infinity(true, precOf(x)), true, true
	case x.Sign() < 0:
		return nil, false, true
	case x.IsInf():
		return infinity(false, precOf(x)), true, true
	}
	return nil, true, false
}

// log returns log x to w bits, relative, for finite x > 0.
func log(x *big.Float, w uint) *big.Float {
	k, y := reduceLog(x, w)
	if k != 0 {
		n := small(int64(k), w)
		y.Add(y, n.Mul(n, Ln2(w)))
	}
	return y
}

// reduceLog returns k and log m with x = 2^k * m and m in [0.7, 1.4), for
// finite x > 0.
func reduceLog(x *big.Float, w uint) (int, *big.Float) {
	m := newFloat(max(w, x.Prec()))
	k := x.MantExp(m)
	if f := approx(m); f < 0.7 {
		m.SetMantExp(m, 1)
		k--
	}
	// Exact for every m.
	return k, log1pSeries(m.Sub(m, small(1, w)), w)
}

// log1p returns log(1+x) to w bits, relative, for finite x > -1.
func log1p(x *big.Float, w uint) *big.Float {
	if f := approx(x); -0.3 < f && f < 0.4 {
		return log1pSeries(x, w)
	}
	// Exact for x close to -1.
	return log(add(x, small(1, w), w), w)
}

// log1pSeries returns log(1+d) to w bits, relative, for -0.3 <= d < 0.4.
func log1pSeries(d *big.Float, w uint) *big.Float {
	if _, ok := leading(d, w); ok {
		return newFloat(w).Set(d)
	}
	// y is log(1+d) to about 2^-52, or 0 where d is small enough for the series
	// alone. With e = e^-y - 1 the rest is log(1+r), 1+r = (1+d)*(1+e).
	y := newFloat(w)
	r := newFloat(w).Set(d)
	if d.MantExp(nil) > -25 {
		f := approx(d)
		y.SetFloat64(math.Log1p(f))
		e := expm1Series(newFloat(53).Neg(y), w)
		r.Add(r, newFloat(w).Mul(d, e))
		r.Add(r, e)
	}
	// log(1+r) = 2 atanh(r/(2+r)).
	rest := oddSeries(r.Quo(r, newFloat(w).Add(r, small(2, w))), false, w)
	return y.Add(y, rest.SetMantExp(rest, 1))
}
