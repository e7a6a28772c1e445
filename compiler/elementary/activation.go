package elementary

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/internal/double"
)

// Activation functions of neural networks, each in the form that loses nothing on either side of zero. At the infinities they have
// their limits, where x times a probability would be NaN.
var (
	Sigmoid  = one("sigmoid", sigmoid, always(bigfloat.Sigmoid), double.Sigmoid, within(0, 1), few)
	Silu     = one("silu", silu, always(bigfloat.Silu), double.Silu, atLeast(-0.2784645427610738), few)
	Softplus = one("softplus", softplus, always(bigfloat.Softplus), double.Softplus, nonNegative, few)
	Mish     = one("mish", mish, always(bigfloat.Mish), double.Mish, atLeast(-0.3088403481256), few)
	// Gelu is x Φ(x), Φ being the normal distribution function; GeluTanh its approximation by tanh.
	Gelu     = one("gelu", gelu, always(bigfloat.Gelu), double.Gelu, atLeast(-0.1699712074), few)
	GeluTanh = one("gelu_tanh", geluTanh, always(bigfloat.GeluTanh), double.GeluTanh, atLeast(-0.1700407506), few)
	Elu      = one("elu", elu, always(bigfloat.Elu), double.Elu, increasing(elu), few)
	// Selu has the constants of Klambauer et al., Self-Normalizing Neural Networks, 2017.
	Selu = one("selu", selu, always(bigfloat.Selu), nil, increasing(selu), few)
)

// few is what the products and quotients of the activation functions lose: some ulp, or some of the smallest subnormals.
func few(_ []float64, y float64) float64 { return math.Abs(y)*0x1p-49 + 0x1p-1067 }

func atLeast(lo float64) func([]ir.Fact) ir.Fact {
	return func([]ir.Fact) ir.Fact { return ir.Fact{Lo: lo, Hi: math.Inf(1)} }
}

func sigmoid(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// scaledSigmoid is x·sigmoid(v + low), low a small correction, without the loss of a subnormal exponential.
func scaledSigmoid(x, v, low float64) float64 {
	switch {
	case v < -1600: // e^v is 0 whatever x is
		return math.Copysign(0, x)
	case v < 0:
		h := math.Exp(v / 2)
		return x * h / (1 + h*h) * h * (1 + low)
	}
	return x / (1 + math.Exp(-v)*(1-low))
}

func silu(x float64) float64 { return scaledSigmoid(x, x, 0) }

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// mish is x·n/(n + 2), n = t² + 2t, t = e^x.
func mish(x float64) float64 {
	switch {
	case x < -1600:
		return math.Copysign(0, x)
	case x < -40:
		h := math.Exp(x / 2)
		return x * h * h
	case x < 0:
		t := math.Exp(x)
		n := t * (t + 2)
		return x * (n / (n + 2))
	}
	d := math.Exp(-x)
	n := 1 + 2*d
	return x * (n / (n + 2*d*d))
}

// 1/sqrt(2) in two parts.
const (
	rsqrt2High = 0x1.6a09e667f3bcdp-1
	rsqrt2Low  = -0x1.bdd3413b26456p-55
)

// gelu is x/2·erfc(y), y = -x/sqrt(2), whose rounding error the derivative of erfc makes good.
func gelu(x float64) float64 {
	if x < -40 {
		return math.Copysign(0, x)
	}
	y := -x * rsqrt2High
	low := math.FMA(-x, rsqrt2High, -y) - x*rsqrt2Low
	q := math.Erfc(y)
	if y > 0 {
		q -= low * (2 / math.SqrtPi) * math.Exp(-y*y)
	}
	return 0.5 * x * q
}

// sqrt(8/π) and 0.044715 sqrt(8/π) in two parts each.
const (
	tanhC1High, tanhC1Low = 0x1.9884533d43651p+0, -0x1.cbc0d30ebfd15p-54
	tanhC3High, tanhC3Low = 0x1.2444f2a4d8b4bp-4, -0x1.6c843a29d1c70p-61
)

// geluTanh is x·sigmoid(2u), 2u = x·(c1 + c3·x²) in two parts.
func geluTanh(x float64) float64 {
	if math.Abs(x) > 40 {
		return scaledSigmoid(x, x*2000, 0)
	}
	z := x * x
	zl := math.FMA(x, x, -z)
	t := tanhC3High * z
	tl := math.FMA(tanhC3High, z, -t) + tanhC3Low*z + tanhC3High*zl + tanhC1Low
	s := tanhC1High + t
	sl := t - (s - tanhC1High) + tl // exact where t < c1; otherwise the error is far below
	if t > tanhC1High {
		sl = tanhC1High - (s - t) + tl
	}
	v := x * s
	return scaledSigmoid(x, v, math.FMA(x, s, -v)+x*sl)
}

func elu(x float64) float64 {
	if x > 0 {
		return x
	}
	return math.Expm1(x)
}

const (
	seluScale = 1.0507009873554804934193349852946
	seluAlpha = 1.6732632423543772848170429916717
)

func selu(x float64) float64 {
	if x > 0 {
		return seluScale * x
	}
	return seluScale * seluAlpha * math.Expm1(x)
}
