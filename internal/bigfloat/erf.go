package bigfloat

import (
	"math"
	"math/big"
)

// erfSplit separates the Taylor series of erf from the integral of erfc. The sum
// cancels few bits below it: erfc(2) is 2^-7.7, its largest term 2^2.4.
const erfSplit = 2

// Erf returns the error function 2/sqrt(π) ∫_0^x e^(-t²) dt: Erf(±0) = ±0,
// Erf(±Inf) = ±1.
func Erf(x *big.Float) *big.Float {
	prec := precOf(x)
	z := erf(newFloat(prec).Abs(x), prec+guard)
	return round(withSign(z, x.Signbit()), prec)
}

// Erfc returns 1 - erf(x), to full relative accuracy also where it is tiny:
// Erfc(±0) = 1, Erfc(-Inf) = 2, Erfc(+Inf) = 0.
func Erfc(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + guard
	if x.Cmp(small(erfSplit, 2)) >= 0 {
		return round(erfcIntegral(x, w), prec)
	}
	z := withSign(erf(newFloat(prec).Abs(x), w), x.Signbit())
	return round(add(small(1, w), z.Neg(z), w), prec)
}

// erf returns erf x to w bits, relative, for x >= 0.
func erf(x *big.Float, w uint) *big.Float {
	f := approx(x)
	if f < erfSplit {
		return erfSeries(x, w)
	}
	z := small(1, w)
	// erfc x < e^(-x²) is wanted to 2^-w, absolute.
	if bits := float64(w) - f*f*math.Log2E; bits > 0 {
		z.Sub(z, erfcIntegral(x, guard+uint(bits)))
	}
	return z
}

// erfSeries returns erf x to w bits, relative, for 0 <= x < erfSplit.
func erfSeries(x *big.Float, w uint) *big.Float {
	// erf x = 2x/sqrt(π) * sum (-x²)^n/(n!*(2n+1)); the sum is above 0.4.
	sq := toFixed(square(x), w)
	power := new(big.Int).Lsh(big.NewInt(1), w)
	sum := new(big.Int).Set(power)
	var t, term, div big.Int
	for n := int64(1); ; n++ {
		t.Mul(power, sq)
		power.Quo(t.Rsh(&t, w), div.SetInt64(n))
		if power.Sign() == 0 {
			break
		}
		term.Quo(power, div.SetInt64(2*n+1))
		if n%2 != 0 {
			sum.Sub(sum, &term)
		} else {
			sum.Add(sum, &term)
		}
	}
	z := fromFixed(sum, w, w)
	root := Pi(w)
	z.Quo(z, root.Sqrt(root))
	z.Mul(z, x)
	return z.SetMantExp(z, 1)
}

// erfcIntegral returns erfc x to w bits, relative, for x >= erfSplit.
//
// erfc x = 2x e^(-x²)/π ∫_0^∞ e^(-t²)/(t²+x²) dt by the trapezoidal rule of step
// h, which is off by about e^(-(π/h)²), relative, once the pole at t = ix is
// accounted for; where it lies beyond height π/h it must not be.
func erfcIntegral(x *big.Float, w uint) *big.Float {
	sq := square(x)
	front := exp(newFloat(sq.Prec()).Neg(sq), w)
	if front.Sign() == 0 {
		return front
	}
	// h = step/1024 with (π/h)² >= w ln 2, rounded down.
	step := int64(math.Pi / math.Sqrt(float64(w)*math.Ln2) * 1024)
	step2 := big.NewInt(step * step)

	// q = e^(-h²), weight = q^(k²), ratio = q^(2k-1), all in units of 2^-w.
	h2 := small(-step*step, 64)
	h2.SetMantExp(h2, -20)
	unit := new(big.Int).Lsh(big.NewInt(1), w)
	ratio := toFixed(expm1Series(h2, w), w)
	ratio.Add(ratio, unit)
	weight := new(big.Int).Set(ratio)
	var q2, t, den big.Int
	q2.Mul(ratio, ratio)
	q2.Rsh(&q2, w)

	// sum = 1 + 2 sum_k weight*X/(X + (kh)²) with X = x², all scaled by the power
	// of two that brings X to [1/4, 1).
	scale := 2 * x.MantExp(nil)
	X := toFixed(newFloat(w).SetMantExp(sq, -scale), w)
	sum := new(big.Int)
	for k := int64(1); weight.Sign() != 0; k++ {
		den.Mul(step2, t.SetInt64(k*k))
		if shift := int(w) - 20 - scale; shift >= 0 {
			den.Lsh(&den, uint(shift))
		} else {
			den.Rsh(&den, uint(-shift))
		}
		den.Add(&den, X)
		t.Mul(weight, X)
		t.Quo(&t, &den)
		sum.Add(sum, &t)

		t.Mul(ratio, &q2)
		ratio.Rsh(&t, w)
		t.Mul(weight, ratio)
		weight.Rsh(&t, w)
	}
	sum.Lsh(sum, 1)
	z := fromFixed(sum.Add(sum, unit), w, w)
	// h e^(-x²)/(π x) * sum
	h := small(step, w)
	h.SetMantExp(h, -10)
	z.Mul(z, h)
	den2 := Pi(w)
	z.Quo(z, newFloat(w).Mul(den2, x))
	z.Mul(z, front)

	// The pole: -2/(e^(2πx/h) - 1).
	den2.Quo(den2, h)
	if x.Cmp(den2) < 0 {
		den2.Mul(den2, x)
		e := expm1(den2.SetMantExp(den2, 1), w)
		z.Sub(z, e.Quo(small(2, w), e))
	}
	return z
}
