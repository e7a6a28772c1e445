package double

import "math"

// actErr is the relative error of the activation functions.
const actErr = 0x1p-92

// half of sqrt(2), and sqrt(8/π) and 0.044715·sqrt(8/π).
var (
	rsqrt2  = Double{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55}
	tanhC1  = twoRsqrtPi.Mul(rsqrt2).Scale(2)
	decimal = Double{44715, 0}.Div(Double{1e6, 0})
	tanhC3  = tanhC1.Mul(decimal)
)

// Sigmoid is 1/(1 + e^-x).
func Sigmoid(x Double) (y Double, err float64, ok bool) {
	switch {
	case x.tiny():
		return beside(Double{0.5, 0}, 0.25, x.Hi)
	case x.Hi > maxExp:
		return Double{1, 0}.within(tinyErr)
	}
	if !between(nearest, x, maxExp) {
		return none.within(0)
	}
	return sigmoid(x).within(actErr)
}

// half of a tiny x: what x·Φ(x) and its like come to.
func (a Double) half() (Double, float64, bool) {
	if math.Abs(a.Hi) < 0x1p-1000 {
		return none.within(0) // it may lose a bit
	}
	return a.Scale(0.5).within(tinyErr)
}

func sigmoid(x Double) Double { return Double{1, 0}.Div(x.neg().Exp().AddFloat(1)) }

// Silu is x·sigmoid(x).
func Silu(x Double) (y Double, err float64, ok bool) {
	switch {
	case x.tiny():
		return x.half()
	case x.Hi > maxExp:
		return x.within(tinyErr)
	}
	if !between(nearest, x, maxExp) {
		return none.within(0)
	}
	return x.Mul(sigmoid(x)).within(actErr)
}

// Softplus is log(1 + e^x).
func Softplus(x Double) (y Double, err float64, ok bool) {
	switch {
	case x.tiny():
		return beside(Double{ln2Hi, ln2Mid}, 0.5, x.Hi)
	case x.Hi > maxExp:
		return x.within(tinyErr)
	}
	if !between(nearest, x, maxExp) {
		return none.within(0)
	}
	y = log1p(x.abs().neg().Exp())
	if x.Hi > 0 {
		y = y.Add(x)
	}
	return y.within(actErr)
}

// Mish is x·n/(n + 2), n = e^x·(e^x + 2).
func Mish(x Double) (y Double, err float64, ok bool) {
	if !between(nearest, x, maxExp/2) {
		return none.within(0)
	}
	e := x.Exp()
	n := e.Mul(e.AddFloat(2))
	return x.Mul(n.Div(n.AddFloat(2))).within(actErr)
}

// Gelu is x/2·erfc(-x/sqrt(2)).
func Gelu(x Double) (y Double, err float64, ok bool) {
	switch {
	case x.tiny():
		return x.half()
	case x.Hi > farErfc:
		return x.within(tinyErr / 2)
	}
	if !between(nearest, x, farErfc) {
		return none.within(0)
	}
	q, e, ok := Erfc(x.Mul(rsqrt2).neg())
	y = x.Mul(q).Scale(0.5)
	return y, math.Abs(x.Hi)*e + math.Abs(y.Hi)*actErr, ok
}

// GeluTanh is x·sigmoid(x·(c1 + c3·x²)), c1 = sqrt(8/π), c3 = 0.044715·c1.
func GeluTanh(x Double) (y Double, err float64, ok bool) {
	switch {
	case x.tiny():
		return x.half()
	case x.Hi > 20:
		return x.within(tinyErr)
	}
	if !between(nearest, x, 20) {
		return none.within(0)
	}
	return x.Mul(sigmoid(x.Mul(tanhC1.Add(tanhC3.Mul(x).Mul(x))))).within(actErr)
}

// Elu is x above 0 and e^x - 1 below.
func Elu(x Double) (y Double, err float64, ok bool) {
	switch {
	case x.Hi > 0:
		return x, 0, true
	case x.tiny():
		return x.within(tinyErr)
	case x.Hi < -maxExp:
		return Double{-1, 0}.within(tinyErr)
	case !between(nearest, x, maxExp):
		return none.within(0)
	case x.Hi > -0.34:
		return Expm1Reduced(x).within(actErr)
	}
	return x.Exp().AddFloat(-1).within(actErr)
}
