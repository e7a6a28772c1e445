package double

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/internal/bigfloat"
)

// π/2 in three parts, to 2^-163.
const (
	halfPiHi  = 0x1.921fb54442d18p+0
	halfPiMid = 0x1.1a62633145c07p-54
	halfPiLo  = -0x1.f1976b7ed8fbcp-110
)

// maxAngle bounds the angles that are reduced in double-double: their quotients by π/2 take 20 bits.
const maxAngle = 1 << 20

// farthest and nearest bound the operands of what divides, squares and multiplies them.
const farthest, nearest = 0x1p300, 0x1p-300

// tiny reports whether x² is beyond all precision relative to 1: functions are as good as linear.
func (a Double) tiny() bool { return math.Abs(a.Hi) < 0x1p-200 }

// tinyErr bounds what the tangent at 0 is off by, relative.
const tinyErr = 0x1p-190

// beside is c + slope·x for a tiny x.
func beside(c Double, slope, x float64) (Double, float64, bool) {
	hi, lo := QuickTwoSum(c.Hi, c.Lo+slope*x)
	return Double{hi, lo}, math.Abs(c.Hi) * 0x1p-104, true
}

func between(lo float64, x Double, hi float64) bool {
	return lo <= math.Abs(x.Hi) && math.Abs(x.Hi) <= hi
}

// inverseFactorial is 1/k!.
var inverseFactorial = func() (c [16]Double) {
	f := 1.0 // exact up to 18!
	for k := range c {
		c[k] = Double{1, 0}.Div(Double{f, 0})
		f *= float64(k + 1)
	}
	return c
}()

// reduceHalfPi returns n mod 4 and r = x - n·π/2, |r| below π/4 and a bit, and the error of r.
func reduceHalfPi(x Double) (quadrant int, r Double, err float64) {
	switch a := math.Abs(x.Hi); {
	case a < math.Pi/4:
		return 0, x, 0
	case a > maxAngle:
		return reduceFar(x)
	}
	n := math.RoundToEven(x.Hi * (2 / math.Pi))
	p, e := TwoProd(n, halfPiHi)
	q, f := TwoProd(n, halfPiMid)
	r = Double{x.Hi - p, 0}.Add(Double{x.Lo, 0}) // x.Hi - p is exact: they are within a factor of two
	r = r.Add(Double{-e, 0}).Add(Double{-q, -(f + n*halfPiLo)})
	return int(n) & 3, r, math.Abs(n)*0x1p-155 + math.Abs(r.Hi)*0x1p-103
}

// reduceFar is reduceHalfPi for large angles, which need as many more bits of π as they are large.
func reduceFar(x Double) (quadrant int, r Double, err float64) {
	exponent := math.Ilogb(x.Hi)
	wide := func(hi, lo float64) *big.Float {
		z := new(big.Float).SetPrec(uint(exponent) + 128).SetFloat64(hi)
		return z.Add(z, new(big.Float).SetFloat64(lo))
	}
	q, rest := bigfloat.ReduceHalfPi(wide(x.Hi, x.Lo), 128)
	r.Hi, _ = rest.Float64()
	r.Lo, _ = rest.Sub(rest, new(big.Float).SetFloat64(r.Hi)).Float64()
	return int(q), r, math.Abs(r.Hi) * 0x1p-103
}

// sinCos returns sine and cosine, and the absolute error of both; beside it their relative error is 2^-99.
func sinCos(x Double) (sin, cos Double, err float64, ok bool) {
	if !(math.Abs(x.Hi) >= nearest && math.Abs(x.Hi) <= math.MaxFloat64) {
		return sin, cos, 0, false
	}
	quadrant, r, err := reduceHalfPi(x)
	// The series up to r^27/27!, which leaves 2^-113. Terms from the sixteenth power on are below 2^-53 of the rest.
	z := r.Mul(r)
	t := z.Hi
	tail := (((((t/702-1)*t/600+1)*t/506-1)*t/420+1)*t/342 - 1) * t / 272 // r^17/17!·… over r^15/15!
	s := inverseFactorial[15].Add(inverseFactorial[15].MulFloat(tail))
	s = s.Mul(z).Add(inverseFactorial[13].neg()).neg()
	for k := 11; k >= 3; k -= 2 {
		s = inverseFactorial[k].Add(s.Mul(z).neg())
	}
	sin = r.Add(s.Mul(z).Mul(r).neg())
	tail = (((((t/650-1)*t/552+1)*t/462-1)*t/380+1)*t/306 - 1) * t / 240 // r^16/16!·… over r^14/14!
	c := inverseFactorial[14].Add(inverseFactorial[14].MulFloat(tail))
	c = inverseFactorial[12].Add(c.Mul(z).neg())
	for k := 10; k >= 2; k -= 2 {
		c = inverseFactorial[k].Add(c.Mul(z).neg())
	}
	cos = c.Mul(z).neg().AddFloat(1)
	if quadrant&1 != 0 {
		sin, cos = cos, sin.neg()
	}
	if quadrant&2 != 0 {
		sin, cos = sin.neg(), cos.neg()
	}
	return sin, cos, err, true
}

func (a Double) neg() Double { return Double{-a.Hi, -a.Lo} }

// trigErr is the relative error of the functions here.
const trigErr = 0x1p-97

// Sin is the sine.
func Sin(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return x.within(tinyErr)
	}
	s, _, err, ok := sinCos(x)
	return s, err + math.Abs(s.Hi)*trigErr, ok
}

// Cos is the cosine.
func Cos(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return Double{1, 0}.within(tinyErr)
	}
	_, c, err, ok := sinCos(x)
	return c, err + math.Abs(c.Hi)*trigErr, ok
}

// Tan is the tangent.
func Tan(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return x.within(tinyErr)
	}
	s, c, err, ok := sinCos(x)
	if !ok {
		return y, 0, false
	}
	y = s.Div(c)
	return y, 2*err*(1+y.Hi*y.Hi) + math.Abs(y.Hi)*trigErr, true
}

// Atan2 is the angle of the point (x, y): one correction of the float64 one, whose second-order term is beyond 2^-150.
func Atan2(y, x Double) (a Double, err float64, ok bool) {
	if !between(nearest, y, farthest) || !between(nearest, x, farthest) {
		return a, 0, false
	}
	// Of one scale, so that nothing underflows.
	_, e := math.Frexp(max(math.Abs(x.Hi), math.Abs(y.Hi)))
	x, y = x.Scale(math.Ldexp(1, -e)), y.Scale(math.Ldexp(1, -e))
	a0 := math.Atan2(y.Hi, x.Hi)
	s, c, _, ok := sinCos(Double{a0, 0})
	if !ok || math.Abs(y.Hi) < nearest || math.Abs(x.Hi) < nearest {
		return a, 0, false
	}
	d := y.Mul(c).Add(x.Mul(s).neg()).Div(x.Mul(c).Add(y.Mul(s)))
	a = d.AddFloat(a0)
	return a, math.Abs(a.Hi) * trigErr, true
}

// Atan is the arc tangent.
func Atan(x Double) (y Double, err float64, ok bool) {
	switch {
	case x.tiny():
		return x.within(tinyErr)
	case math.Abs(x.Hi) > farthest:
		return beside(Double{halfPiHi, halfPiMid}.withSign(x), -1, 1/x.Hi)
	}
	return Atan2(x, Double{1, 0})
}

// Asin is the arc sine of |x| < 1.
func Asin(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return x.within(tinyErr)
	}
	c := Double{1, 0}.Add(x.neg()).Mul(x.AddFloat(1))
	if !(c.Hi > 0) {
		return y, 0, false
	}
	return Atan2(x, c.Sqrt())
}

// Acos is the arc cosine of |x| < 1.
func Acos(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return beside(Double{halfPiHi, halfPiMid}, -1, x.Hi)
	}
	s := Double{1, 0}.Add(x.neg()).Mul(x.AddFloat(1))
	if !(s.Hi > 0) {
		return y, 0, false
	}
	return Atan2(s.Sqrt(), x)
}
