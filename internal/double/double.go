// Package double is arithmetic and elementary functions in double-double: numbers of about 106 bits.
//
// A function takes and gives unevaluated sums of two float64 and says how far off its result may be. What it cannot do to
// nearly full precision, such as operands that are zero, no numbers or far from 1, it does not do at all. The package knows
// no program: it is what package interp and the meanings of operations compute with.
//
// The algorithms of the arithmetic are those of Joldes, Muller and Popescu, Tight and rigorous error bounds for basic
// building blocks of double-word arithmetic, ACM TOMS 44, 2017.
package double

import "math"

// Double is an unevaluated sum of two float64, |Lo| at most half an ulp of Hi: about 106 bits. The bounds quoted below hold
// while nothing overflows and no product falls below 2^-969.
type Double struct{ Hi, Lo float64 }

// TwoSum returns s = fl(a+b) and a+b-s, exactly (Knuth).
func TwoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// QuickTwoSum is TwoSum for |a| >= |b| or a = 0 (Dekker).
func QuickTwoSum(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}

// TwoProd returns p = fl(a*b) and a*b-p, exactly.
func TwoProd(a, b float64) (p, e float64) {
	p = float64(a * b)
	return p, math.FMA(a, b, -p)
}

// Add is accurate to 3·2^-106, relative (AccurateDWPlusDW).
func (a Double) Add(b Double) Double {
	sh, sl := TwoSum(a.Hi, b.Hi)
	th, tl := TwoSum(a.Lo, b.Lo)
	vh, vl := QuickTwoSum(sh, sl+th)
	hi, lo := QuickTwoSum(vh, tl+vl)
	return Double{hi, lo}
}

func (a Double) AddFloat(b float64) Double {
	sh, sl := TwoSum(a.Hi, b)
	hi, lo := QuickTwoSum(sh, a.Lo+sl)
	return Double{hi, lo}
}

// Mul is accurate to 5·2^-106, relative (DWTimesDW2).
func (a Double) Mul(b Double) Double {
	p, e := TwoProd(a.Hi, b.Hi)
	hi, lo := QuickTwoSum(p, e+math.FMA(a.Hi, b.Lo, float64(a.Lo*b.Hi)))
	return Double{hi, lo}
}

func (a Double) MulFloat(b float64) Double {
	p, e := TwoProd(a.Hi, b)
	hi, lo := QuickTwoSum(p, math.FMA(a.Lo, b, e))
	return Double{hi, lo}
}

// Div is accurate to 15·2^-106, relative (DWDivDW2).
func (a Double) Div(b Double) Double {
	q := a.Hi / b.Hi
	r := b.MulFloat(q)
	hi, lo := QuickTwoSum(q, ((a.Hi-r.Hi)+(a.Lo-r.Lo))/b.Hi)
	return Double{hi, lo}
}

// Scale multiplies by a power of two, exactly.
func (a Double) Scale(pow2 float64) Double { return Double{a.Hi * pow2, a.Lo * pow2} }

// The logarithm of 2 in three parts, to 2^-165.
const (
	ln2Hi  = 0x1.62e42fefa39efp-1
	ln2Mid = 0x1.abc9e3b39803fp-56
	ln2Lo  = 0x1.7b57a079a1934p-111
)

// Ln2Times is k·ln 2 for an integer |k| < 2^53, to 2^-104, relative.
func Ln2Times(k float64) Double {
	p, e := TwoProd(k, ln2Hi)
	hi, lo := QuickTwoSum(p, math.FMA(k, ln2Mid, e))
	return Double{hi, lo}
}

// reduceExp returns k and r with x = k·ln 2 + r, |r| < 0.35, for |x| < 2^11; k = 0 and r = x for |x| < 0.34. The error
// of r is below 2^-105.
func reduceExp(x Double) (k int, r Double) {
	if math.Abs(x.Hi) < 0.34 {
		return 0, x
	}
	n := math.RoundToEven(x.Hi * math.Log2E)
	p, e := TwoProd(n, ln2Hi)
	q, f := TwoProd(n, ln2Mid)
	r = Double{x.Hi - p, 0}.Add(Double{x.Lo, 0}) // x.Hi - p is exact: they are within a factor of two
	r = r.Add(Double{-e, 0}).Add(Double{-q, -(f + n*ln2Lo)})
	return int(n), r
}

// expSteps is how often reduced arguments are halved for exp: 2^-10.5 is then their bound.
const expSteps = 9

// Expm1Reduced is e^r - 1 for |r| <= 0.36, to ExpErr, relative.
//
// The series of s = r/2^9 up to s^10/10! leaves 2^-115; each doubling expm1(2s) = expm1(s)·(2 + expm1(s)) keeps the
// relative error and adds its own.
func Expm1Reduced(r Double) Double {
	s := r.Scale(1.0 / (1 << expSteps))
	x := s.Hi
	tail := x * (1.0/720 + x*(1.0/5040+x*(1.0/40320+x*(1.0/362880+x*(1.0/3628800)))))
	p := Double{0x1.1111111111111p-7, 0x1.1111111111111p-63}.AddFloat(tail) // 1/5! + ...
	p = p.Mul(s).Add(Double{0x1.5555555555555p-5, 0x1.5555555555555p-59})   // 1/4!
	p = p.Mul(s).Add(Double{0x1.5555555555555p-3, 0x1.5555555555555p-57})   // 1/3!
	p = p.Mul(s).AddFloat(0.5)                                              // 1/2!
	p = p.Mul(s).Mul(s).Add(s)
	for range expSteps {
		p = p.Mul(p.AddFloat(2))
	}
	return p
}

// The bounds of the functions, relative. The tests hold the measured errors below a quarter of them.
const (
	ExpErr = 0x1p-100
	LogErr = 0x1p-98
)

// Exp is e^x for |x| <= 700, to ExpErr.
func (x Double) Exp() Double {
	k, r := reduceExp(x)
	e := Expm1Reduced(r)
	hi, lo := TwoSum(1, e.Hi)
	hi, lo = QuickTwoSum(hi, lo+e.Lo)
	return Double{hi, lo}.Scale(math.Ldexp(1, k))
}

// Log is the natural logarithm of a normal x > 0, to LogErr.
func (x Double) Log() Double {
	m, k := math.Frexp(x.Hi)
	if m < math.Sqrt2/2 {
		k--
	}
	// Two steps, since the scale of the smallest normal numbers is no float64.
	y := x.Scale(math.Ldexp(1, -k/2)).Scale(math.Ldexp(1, -(k - k/2))).logNearOne()
	if k != 0 {
		y = Ln2Times(float64(k)).Add(y)
	}
	return y
}

// logNearOne is the logarithm for 0.7 < x < 1.42.
func (x Double) logNearOne() Double {
	d := x.AddFloat(-1) // exact: x.Hi - 1 is
	if math.Abs(d.Hi) < 1.0/32 {
		return logSeries(d)
	}
	// One correction of a float64 logarithm: y + log(x/e^y), whose last term is 1e-16.
	y := math.Log(x.Hi)
	t := Double{-y, 0}.Exp().Mul(x).AddFloat(-1)
	t = t.Add(t.Mul(t).Scale(-0.5))
	return t.AddFloat(y)
}

// logSeries is log(1 + d) for |d| < 1/32.
func logSeries(d Double) Double {
	// log(1+d) = 2 atanh(s), s = d/(2+d), |s| < 2^-6: the series up to s^19 leaves 2^-120.
	s := d.Div(d.AddFloat(2))
	z := s.Mul(s)
	t := z.Hi
	tail := 1.0/13 + t*(1.0/15+t*(1.0/17+t*(1.0/19)))
	p := Double{0x1.745d1745d1746p-4, -0x1.745d1745d1746p-59}.AddFloat(t * tail) // 1/11 + ...
	p = p.Mul(z).Add(Double{0x1.c71c71c71c71cp-4, 0x1.c71c71c71c71cp-58})        // 1/9
	p = p.Mul(z).Add(Double{0x1.2492492492492p-3, 0x1.2492492492492p-57})        // 1/7
	p = p.Mul(z).Add(Double{0x1.999999999999ap-3, -0x1.999999999999ap-57})       // 1/5
	p = p.Mul(z).Add(Double{0x1.5555555555555p-2, 0x1.5555555555555p-56})        // 1/3
	return p.Mul(z).Mul(s).Add(s).Scale(2)
}

// Sqrt is the square root of a positive x, to 2^-102, relative: one Newton step.
func (x Double) Sqrt() Double {
	y := math.Sqrt(x.Hi)
	p, e := TwoProd(y, y)
	hi, lo := QuickTwoSum(y, ((x.Hi-p)+(x.Lo-e))/(2*y))
	return Double{hi, lo}
}
