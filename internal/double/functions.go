package double

import "math"

// funcErr is the relative error of the functions here, where they say nothing else.
const funcErr = 0x1p-94

func (a Double) within(rel float64) (Double, float64, bool) {
	if a.Hi-a.Hi != 0 {
		return a, 0, false
	}
	return a, math.Abs(a.Hi) * rel, true
}

var none = Double{math.NaN(), 0}

// The logarithms of 2 and of 10, inverted.
var (
	log2E  = Double{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}
	log10E = Double{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}
)

// Exp2 is 2^x for |x| < 1000.
func Exp2(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return beside(Double{1, 0}, math.Ln2, x.Hi)
	}
	if !between(nearest, x, 1000) {
		return none.within(0)
	}
	k := math.RoundToEven(x.Hi)
	return x.AddFloat(-k).Mul(Double{ln2Hi, ln2Mid}).Exp().Scale(math.Ldexp(1, int(k))).within(funcErr)
}

func (a Double) positive() bool { return a.Hi >= 0x1p-900 && a.Hi <= 0x1p900 }

// Log2 is the binary logarithm.
func Log2(x Double) (y Double, err float64, ok bool) {
	if !x.positive() {
		return none.within(0)
	}
	return x.Log().Mul(log2E).within(funcErr)
}

// Log10 is the decimal logarithm.
func Log10(x Double) (y Double, err float64, ok bool) {
	if !x.positive() {
		return none.within(0)
	}
	return x.Log().Mul(log10E).within(funcErr)
}

// Log1p is log(1 + x).
func Log1p(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return x.within(tinyErr)
	}
	if !between(nearest, x, farthest) || !(x.Hi > -1) {
		return none.within(0)
	}
	return log1p(x).within(funcErr)
}

func log1p(x Double) Double {
	if math.Abs(x.Hi) < 1.0/32 {
		return logSeries(x)
	}
	return x.AddFloat(1).Log()
}

// Cbrt is the cube root: one Newton step.
func Cbrt(x Double) (y Double, err float64, ok bool) {
	if !between(0x1p-900, x, 0x1p900) {
		return none.within(0)
	}
	k := math.Ilogb(x.Hi) / 3
	x = x.Scale(math.Ldexp(1, -3*k))
	c := Double{math.Cbrt(x.Hi), 0}
	square := c.Mul(c)
	// The error of a float64 root is an ulp or so, its square 2^-102.
	return c.Add(x.Add(square.Mul(c).neg()).Div(square.MulFloat(3))).Scale(math.Ldexp(1, k)).within(funcErr)
}

// Rsqrt is 1/sqrt(x).
func Rsqrt(x Double) (y Double, err float64, ok bool) {
	if !x.positive() {
		return none.within(0)
	}
	return Double{1, 0}.Div(x.Sqrt()).within(funcErr)
}

// Hypot is sqrt(x² + y²).
func Hypot(x, y Double) (z Double, err float64, ok bool) {
	if !between(nearest, x, farthest) || !between(nearest, y, farthest) {
		return none.within(0)
	}
	return x.Mul(x).Add(y.Mul(y)).Sqrt().within(funcErr)
}

// maxExp bounds the arguments of exponentials.
const maxExp = 650

// Sinh is the hyperbolic sine.
func Sinh(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return x.within(tinyErr)
	}
	switch {
	case !between(nearest, x, maxExp):
		return none.within(0)
	case math.Abs(x.Hi) < 0.34:
		e := Expm1Reduced(x)
		return e.Add(e.Div(e.AddFloat(1))).Scale(0.5).within(funcErr)
	}
	e := x.Exp()
	return e.Add(Double{1, 0}.Div(e).neg()).Scale(0.5).within(funcErr)
}

// Cosh is the hyperbolic cosine.
func Cosh(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return Double{1, 0}.within(tinyErr)
	}
	if !between(nearest, x, maxExp) {
		return none.within(0)
	}
	e := x.Exp()
	return e.Add(Double{1, 0}.Div(e)).Scale(0.5).within(funcErr)
}

// farSquare is from where on x² + 1 is x² to all precision.
const farSquare = 0x1p150

// Asinh is the inverse hyperbolic sine.
func Asinh(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return x.within(tinyErr)
	}
	if !between(nearest, x, 0x1p900) {
		return none.within(0)
	}
	a := x.abs()
	if a.Hi > farSquare {
		return a.Log().Add(Double{ln2Hi, ln2Mid}).withSign(x).within(funcErr)
	}
	square := a.Mul(a)
	r := square.AddFloat(1).Sqrt()
	y = log1p(a.Add(square.Div(r.AddFloat(1))))
	return y.withSign(x).within(funcErr)
}

// Acosh is the inverse hyperbolic cosine of x > 1.
func Acosh(x Double) (y Double, err float64, ok bool) {
	t := x.AddFloat(-1)
	if !t.positive() {
		return none.within(0)
	}
	if x.Hi > farSquare {
		return x.Log().Add(Double{ln2Hi, ln2Mid}).within(funcErr)
	}
	return log1p(t.Add(t.Mul(t.AddFloat(2)).Sqrt())).within(funcErr)
}

// Atanh is the inverse hyperbolic tangent of |x| < 1.
func Atanh(x Double) (y Double, err float64, ok bool) {
	if x.tiny() {
		return x.within(tinyErr)
	}
	a := x.abs()
	left := Double{1, 0}.Add(a.neg())
	if !between(nearest, x, 1) || !(left.Hi > 0) {
		return none.within(0)
	}
	return log1p(a.Scale(2).Div(left)).Scale(0.5).withSign(x).within(funcErr)
}

func (a Double) abs() Double { return a.withSign(Double{1, 0}) }

// withSign has the sign of b.
func (a Double) withSign(b Double) Double {
	if math.Signbit(a.Hi) != math.Signbit(b.Hi) {
		return a.neg()
	}
	return a
}
