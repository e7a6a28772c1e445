package interp

import "math"

// dd is an unevaluated sum of two float64, |lo| at most half an ulp of hi: about 106 bits. The bounds quoted below hold
// while nothing overflows and no product falls below 2^-969.
type dd struct{ hi, lo float64 }

// twoSum returns s = fl(a+b) and a+b-s, exactly (Knuth).
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// quickTwoSum is twoSum for |a| >= |b| or a = 0 (Dekker).
func quickTwoSum(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}

// twoProd returns p = fl(a*b) and a*b-p, exactly.
func twoProd(a, b float64) (p, e float64) {
	p = float64(a * b)
	return p, math.FMA(a, b, -p)
}

// add is accurate to 3·2^-106, relative (AccurateDWPlusDW).
func (a dd) add(b dd) dd {
	sh, sl := twoSum(a.hi, b.hi)
	th, tl := twoSum(a.lo, b.lo)
	vh, vl := quickTwoSum(sh, sl+th)
	hi, lo := quickTwoSum(vh, tl+vl)
	return dd{hi, lo}
}

func (a dd) addFloat(b float64) dd {
	sh, sl := twoSum(a.hi, b)
	hi, lo := quickTwoSum(sh, a.lo+sl)
	return dd{hi, lo}
}

// mul is accurate to 5·2^-106, relative (DWTimesDW2).
func (a dd) mul(b dd) dd {
	p, e := twoProd(a.hi, b.hi)
	hi, lo := quickTwoSum(p, e+math.FMA(a.hi, b.lo, float64(a.lo*b.hi)))
	return dd{hi, lo}
}

func (a dd) mulFloat(b float64) dd {
	p, e := twoProd(a.hi, b)
	hi, lo := quickTwoSum(p, math.FMA(a.lo, b, e))
	return dd{hi, lo}
}

// div is accurate to 15·2^-106, relative (DWDivDW2).
func (a dd) div(b dd) dd {
	q := a.hi / b.hi
	r := b.mulFloat(q)
	hi, lo := quickTwoSum(q, ((a.hi-r.hi)+(a.lo-r.lo))/b.hi)
	return dd{hi, lo}
}

// scale multiplies by a power of two, exactly.
func (a dd) scale(pow2 float64) dd { return dd{a.hi * pow2, a.lo * pow2} }

// The logarithm of 2 in three parts, to 2^-165.
const (
	ln2Hi  = 0x1.62e42fefa39efp-1
	ln2Mid = 0x1.abc9e3b39803fp-56
	ln2Lo  = 0x1.7b57a079a1934p-111
)

// ln2Times is k·ln 2 for an integer |k| < 2^53, to 2^-104, relative.
func ln2Times(k float64) dd {
	p, e := twoProd(k, ln2Hi)
	hi, lo := quickTwoSum(p, math.FMA(k, ln2Mid, e))
	return dd{hi, lo}
}

// reduceExp returns k and r with x = k·ln 2 + r, |r| < 0.35, for |x| < 2^11; k = 0 and r = x for |x| < 0.34. The error
// of r is below 2^-105.
func reduceExp(x dd) (k int, r dd) {
	if math.Abs(x.hi) < 0.34 {
		return 0, x
	}
	n := math.RoundToEven(x.hi * math.Log2E)
	p, e := twoProd(n, ln2Hi)
	q, f := twoProd(n, ln2Mid)
	r = dd{x.hi - p, 0}.add(dd{x.lo, 0}) // x.hi - p is exact: they are within a factor of two
	r = r.add(dd{-e, 0}).add(dd{-q, -(f + n*ln2Lo)})
	return int(n), r
}

// expSteps is how often reduced arguments are halved for exp: 2^-10.5 is then their bound.
const expSteps = 9

// expm1Reduced is e^r - 1 for |r| <= 0.36, to expErr, relative.
//
// The series of s = r/2^9 up to s^10/10! leaves 2^-115; each doubling expm1(2s) = expm1(s)·(2 + expm1(s)) keeps the
// relative error and adds its own.
func expm1Reduced(r dd) dd {
	s := r.scale(1.0 / (1 << expSteps))
	x := s.hi
	tail := x * (1.0/720 + x*(1.0/5040+x*(1.0/40320+x*(1.0/362880+x*(1.0/3628800)))))
	p := dd{0x1.1111111111111p-7, 0x1.1111111111111p-63}.addFloat(tail) // 1/5! + ...
	p = p.mul(s).add(dd{0x1.5555555555555p-5, 0x1.5555555555555p-59})   // 1/4!
	p = p.mul(s).add(dd{0x1.5555555555555p-3, 0x1.5555555555555p-57})   // 1/3!
	p = p.mul(s).addFloat(0.5)                                          // 1/2!
	p = p.mul(s).mul(s).add(s)
	for range expSteps {
		p = p.mul(p.addFloat(2))
	}
	return p
}

// The bounds of the functions, relative. The tests hold the measured errors below a quarter of them.
const (
	expErr = 0x1p-100
	logErr = 0x1p-98
)

// exp is e^x for |x| <= 700, to expErr.
func (x dd) exp() dd {
	k, r := reduceExp(x)
	e := expm1Reduced(r)
	hi, lo := twoSum(1, e.hi)
	hi, lo = quickTwoSum(hi, lo+e.lo)
	return dd{hi, lo}.scale(math.Ldexp(1, k))
}

// log is the natural logarithm of a normal x > 0, to logErr.
func (x dd) log() dd {
	m, k := math.Frexp(x.hi)
	if m < math.Sqrt2/2 {
		k--
	}
	// Two steps, since the scale of the smallest normal numbers is no float64.
	y := x.scale(math.Ldexp(1, -k/2)).scale(math.Ldexp(1, -(k - k/2))).logNearOne()
	if k != 0 {
		y = ln2Times(float64(k)).add(y)
	}
	return y
}

// logNearOne is the logarithm for 0.7 < x < 1.42.
func (x dd) logNearOne() dd {
	d := x.addFloat(-1) // exact: x.hi - 1 is
	if math.Abs(d.hi) < 1.0/32 {
		// log(1+d) = 2 atanh(s), s = d/(2+d), |s| < 2^-6: the series up to s^19 leaves 2^-120.
		s := d.div(d.addFloat(2))
		z := s.mul(s)
		t := z.hi
		tail := 1.0/13 + t*(1.0/15+t*(1.0/17+t*(1.0/19)))
		p := dd{0x1.745d1745d1746p-4, -0x1.745d1745d1746p-59}.addFloat(t * tail) // 1/11 + ...
		p = p.mul(z).add(dd{0x1.c71c71c71c71cp-4, 0x1.c71c71c71c71cp-58})        // 1/9
		p = p.mul(z).add(dd{0x1.2492492492492p-3, 0x1.2492492492492p-57})        // 1/7
		p = p.mul(z).add(dd{0x1.999999999999ap-3, -0x1.999999999999ap-57})       // 1/5
		p = p.mul(z).add(dd{0x1.5555555555555p-2, 0x1.5555555555555p-56})        // 1/3
		return p.mul(z).mul(s).add(s).scale(2)
	}
	// One correction of a float64 logarithm: y + log(x/e^y), whose last term is 1e-16.
	y := math.Log(x.hi)
	t := dd{-y, 0}.exp().mul(x).addFloat(-1)
	t = t.add(t.mul(t).scale(-0.5))
	return t.addFloat(y)
}

// sqrt is the square root of a positive x, to 2^-102, relative: one Newton step.
func (x dd) sqrt() dd {
	y := math.Sqrt(x.hi)
	p, e := twoProd(y, y)
	hi, lo := quickTwoSum(y, ((x.hi-p)+(x.lo-e))/(2*y))
	return dd{hi, lo}
}
