package bigfloat

import "math/big"

// Silu returns x/(1 + e^-x): Silu(-Inf) = -0, the limit, and Silu(+Inf) = +Inf.
func Silu(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + guard
	z, done := farActivation(x, prec)
	if done {
		return z
	}
	num, den := small(1, w), decay(x, w)
	if x.Signbit() {
		num = den
	}
	q := newFloat(w).Quo(num, add(den, small(1, w), w))
	return round(q.Mul(q, newFloat(w).Set(x)), prec)
}

// Mish returns x tanh(log(1 + e^x)), which is x (t² + 2t)/(t² + 2t + 2) with t = e^x: Mish(-Inf) = -0, Mish(+Inf) = +Inf.
func Mish(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + guard
	z, done := farActivation(x, prec)
	if done {
		return z
	}
	// In d = e^-|x|: for x < 0 t = d, for x > 0 both parts are divided by t².
	d := decay(x, w)
	two := small(2, w)
	var num, den *big.Float
	if x.Signbit() {
		num = newFloat(w).Mul(d, add(d, two, w))
		den = add(num, two, w)
	} else {
		num = add(small(1, w), newFloat(w).Mul(two, d), w)
		d.Mul(d, d)
		den = add(num, d.Mul(d, two), w)
	}
	q := num.Quo(num, den)
	return round(q.Mul(q, newFloat(w).Set(x)), prec)
}

// Gelu returns x Φ(x), Φ being the normal distribution function: Gelu(-Inf) = -0, Gelu(+Inf) = +Inf.
func Gelu(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + 2*guard
	z, done := farActivation(x, prec)
	if done {
		return z
	}
	root := newFloat(w).Sqrt(small(2, w))
	y := newFloat(w).Quo(newFloat(w).Neg(x), root)
	q := Erfc(y)
	q.Mul(q, newFloat(w).Set(x))
	return round(half(q), prec)
}

// GeluTanh returns x (1 + tanh(sqrt(2/π) (x + 0.044715 x³)))/2: GeluTanh(-Inf) = -0, GeluTanh(+Inf) = +Inf.
func GeluTanh(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + 2*guard
	z, done := farActivation(x, prec)
	if done {
		return z
	}
	// Twice the argument of tanh, x (c + 0.044715 c x²) with c = sqrt(8/π); what is beyond all exponents may be cut off.
	c := newFloat(w).Quo(small(8, w), Pi(w))
	c.Sqrt(c)
	k := newFloat(w).Quo(small(44715, w), small(1000000, w))
	u := newFloat(w).Mul(x, x)
	u.Mul(u, k)
	u.Add(u, small(1, w))
	u.Mul(u, c)
	u.Mul(u, newFloat(w).Set(x))
	q := Sigmoid(u)
	return round(q.Mul(q, newFloat(w).Set(x)), prec)
}

// farActivation is what x times a probability is at zero and the infinities.
func farActivation(x *big.Float, prec uint) (*big.Float, bool) {
	switch {
	case x.Sign() == 0:
		return round(newFloat(prec).Set(x), prec), true
	case x.IsInf() && x.Signbit():
		return newFloat(prec).Neg(newFloat(prec)), true
	case x.IsInf():
		return infinity(false, prec), true
	}
	return nil, false
}

// Elu returns x above 0 and e^x - 1 below: Elu(±0) = ±0, Elu(-Inf) = -1.
func Elu(x *big.Float) *big.Float {
	if !x.Signbit() {
		return round(newFloat(precOf(x)).Set(x), precOf(x))
	}
	return Expm1(x)
}

// Selu returns λx above 0 and λα(e^x - 1) below, where λ and α are the constants of G. Klambauer et al., Self-Normalizing
// Neural Networks, 2017.
func Selu(x *big.Float) *big.Float {
	prec := precOf(x)
	w := prec + guard
	z := newFloat(w).Mul(number(seluScale, w), newFloat(w).Set(x))
	if x.Signbit() {
		z.Mul(number(seluScale, w), number(seluAlpha, w))
		z.Mul(z, Expm1(newFloat(w).Set(x)))
	}
	return round(z, prec)
}

const (
	seluScale = "1.0507009873554804934193349852946"
	seluAlpha = "1.6732632423543772848170429916717"
)

func number(decimal string, w uint) *big.Float {
	x, _, err := big.ParseFloat(decimal, 10, w, big.ToNearestEven)
	if err != nil {
		panic(err) // a constant of this file
	}
	return x
}
