package bigfloat

import "math/big"

// maxTrigExp bounds the binary exponent of arguments of Sin, Cos and Tan, which
// need as many bits of π: 2^18 is the range of IEEE 754 binary256 and costs
// seconds.
const maxTrigExp = 1 << 18

// Sin returns the sine; ok is false for infinities, which have none, and for
// |x| >= 2^(2^18). Sin(±0) = ±0.
func Sin(x *big.Float) (z *big.Float, ok bool) {
	prec := precOf(x)
	q, s, c, ok := sinCos(x, prec+guard)
	if !ok {
		return nil, false
	}
	if q&1 != 0 {
		s = c
	}
	return round(withSign(s, q&2 != 0), prec), true
}

// Cos returns the cosine; ok is false as for [Sin].
func Cos(x *big.Float) (z *big.Float, ok bool) {
	prec := precOf(x)
	q, s, c, ok := sinCos(x, prec+guard)
	if !ok {
		return nil, false
	}
	if q&1 != 0 {
		c = s
	}
	return round(withSign(c, (q+1)&2 != 0), prec), true
}

// Tan returns the tangent; ok is false as for [Sin]. Tan(±0) = ±0.
func Tan(x *big.Float) (z *big.Float, ok bool) {
	prec := precOf(x)
	q, s, c, ok := sinCos(x, prec+guard)
	if !ok {
		return nil, false
	}
	if q&1 != 0 {
		s, c = c, s.Neg(s)
	}
	return round(s.Quo(s, c), prec), true
}

// sinCos returns q in 0..3 and the sine and cosine of r to w bits, relative,
// with x = (4n + q)*π/2 + r and |r| below π/4 and a bit.
func sinCos(x *big.Float, w uint) (q uint, sin, cos *big.Float, ok bool) {
	if x.IsInf() || x.MantExp(nil) > maxTrigExp {
		return 0, nil, nil, false
	}
	r := x
	if x.Sign() != 0 && x.MantExp(nil) >= 0 {
		q, r = ReduceHalfPi(x, w)
	}
	sin, cos = sinCosSeries(r, w)
	return q, sin, cos, true
}

// ReduceHalfPi returns n mod 4 and r = x - n*π/2 to w bits, relative, where n is
// the integer nearest to x*2/π. x is at least 1/2 in absolute value.
func ReduceHalfPi(x *big.Float, w uint) (uint, *big.Float) {
	e := uint(x.MantExp(nil))
	// The difference cancels e bits, and more when x is close to a multiple of
	// π/2. As none is a multiple, that ends.
	const spare = 16
	for near := uint(spare); ; {
		p := w + e + near
		halfPi := half(Pi(p))
		t := newFloat(e + 32).Set(x)
		t.Quo(t, halfPi)
		n := nearest(t)
		r := newFloat(p).SetInt(n)
		r.Sub(newFloat(max(p, x.Prec())).Set(x), r.Mul(r, halfPi))
		if r.Sign() == 0 {
			near *= 2
			continue
		}
		if lost := -r.MantExp(nil); lost > int(near) {
			near = uint(lost) + spare
			continue
		}
		two := n.Bit(0) | n.Bit(1)<<1 // of the two's complement
		return two, r.SetPrec(w)
	}
}

// nearest returns the integer nearest to t.
func nearest(t *big.Float) *big.Int {
	t.Add(t, withSign(newFloat(2).SetFloat64(0.5), t.Signbit()))
	n, _ := t.Int(nil)
	return n
}
