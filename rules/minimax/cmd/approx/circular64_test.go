package main

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/internal/bigfloat"
)

// circle is the double-double truth of the functions in circular. A result is
// value * 2^k.
type circle struct {
	truth
	halfPi   *big.Float // to 1400 bits: any float64 modulo π/2 to 200 bits
	quarters *big.Float // 2/π, likewise
	pi       dd
	twoRoot  dd   // 2/sqrt(π)
	inverses []dd // 1/n
}

func newCircle() *circle {
	const bits = 1400
	c := &circle{truth: newTruth(), halfPi: scaledPi(bits, -1), pi: toDD(bigfloat.Pi(300))}
	c.quarters = new(big.Float).Quo(new(big.Float).SetPrec(bits).SetInt64(1), c.halfPi)
	two := rootPi()
	c.twoRoot = toDD(two.Quo(number(2), two))
	for n := range 200 {
		c.inverses = append(c.inverses, toDD(new(big.Float).SetPrec(200).Quo(big.NewFloat(1), big.NewFloat(float64(max(n, 1))))))
	}
	return c
}

// reduce returns x = k π/2 + r, k modulo 4.
func (c *circle) reduce(x float64) (int, dd) {
	if math.Abs(x) < 0.78 {
		return 0, single(x)
	}
	v := new(big.Float).SetPrec(1400).SetFloat64(x)
	q := new(big.Float).Mul(v, c.quarters)
	half := big.NewFloat(math.Copysign(0.5, x))
	n, _ := q.Add(q, half).Int(nil)
	q.SetInt(n)
	v.Sub(v, q.Mul(q, c.halfPi))
	return int(new(big.Int).And(n, big.NewInt(3)).Int64()), toDD(v)
}

// sincos sums both series for |r| < 0.8.
func (c *circle) sincos(r dd) (s, co dd) {
	z := r.mul(r).neg()
	s, co = r, single(1)
	ts, tc := r, single(1)
	for n := 2; n < 40; n += 2 {
		tc = tc.mul(z).mul(c.inverses[n-1]).mul(c.inverses[n])
		ts = ts.mul(z).mul(c.inverses[n]).mul(c.inverses[n+1])
		s, co = s.add(ts), co.add(tc)
		if math.Abs(tc.hi) < 0x1p-115 {
			break
		}
	}
	return s, co
}

func (c *circle) trig(fn string, x float64) (dd, int) {
	if math.Abs(x) < 0x1p-100 && fn != "cos" {
		return single(x), 0
	}
	k, r := c.reduce(x)
	s, co := c.sincos(r)
	if fn == "cos" {
		k = (k + 1) % 4
	}
	odd := k%2 == 1
	v := s
	if odd {
		v = co
	}
	if fn == "tan" {
		v = s.quo(co)
		if odd {
			v = co.quo(s).neg()
		}
		return v, 0
	}
	if k >= 2 {
		v = v.neg()
	}
	return v, 0
}

// atanOf takes one step of addition from math.Atan, 0 <= a <= 1.
func (c *circle) atanOf(a dd) dd {
	y := math.Atan(a.hi)
	s, co := c.sincos(single(y))
	return single(y).add(a.mul(co).sub(s).quo(co.add(a.mul(s))))
}

func (c *circle) atan2(y, x float64) (dd, int) {
	p, q := math.Abs(y), math.Abs(x)
	mp, ep := math.Frexp(p)
	mq, eq := math.Frexp(q)
	if p <= q {
		a, k := single(mp).quo(single(mq)), ep-eq
		if k < -200 {
			if x > 0 {
				return withSign(a, y), k
			}
			return withSign(c.pi, y), 0
		}
		a = c.atanOf(a.scale(math.Ldexp(1, k)))
		if x < 0 {
			a = c.pi.sub(a)
		}
		return withSign(a, y), 0
	}
	k := max(eq-ep, -300)
	a := c.atanOf(single(mq).quo(single(mp)).scale(math.Ldexp(1, k)))
	if x > 0 {
		a = a.neg()
	}
	return withSign(c.pi.scale(0.5).add(a), y), 0
}

func withSign(a dd, x float64) dd {
	if math.Signbit(x) {
		return a.neg()
	}
	return a
}

// asinOf likewise, for 0 <= a <= 0.71.
func (c *circle) asinOf(a dd) dd {
	y := math.Asin(a.hi)
	s, co := c.sincos(single(y))
	return single(y).add(a.sub(s).quo(co))
}

func (c *circle) asin(x float64) (dd, int) {
	a := math.Abs(x)
	if a < 0x1p-100 {
		return single(x), 0
	}
	if a <= 0.5 {
		return withSign(c.asinOf(single(a)), x), 0
	}
	v := c.asinOf(twoSum(1, -a).scale(0.5).sqrt()).scale(2)
	return withSign(c.pi.scale(0.5).sub(v), x), 0
}

func (c *circle) acos(x float64) (dd, int) {
	if math.Abs(x) <= 0.5 {
		v, _ := c.asin(x)
		return c.pi.scale(0.5).sub(v), 0
	}
	v := c.asinOf(twoSum(1, -math.Abs(x)).scale(0.5).sqrt()).scale(2)
	if x < 0 {
		v = c.pi.sub(v)
	}
	return v, 0
}

// expNeg is exp(-x²).
func (c *circle) expNeg(x float64) (dd, int) {
	k, e := c.reduced(single(x).mul(single(x)).neg())
	return e.add(single(1)), int(k)
}

// erf serves |x| < 6: exp(-x²) times a series of positive terms.
func (c *circle) erf(x float64) (dd, int) {
	if math.Abs(x) < 0x1p-100 {
		m, k := math.Frexp(x)
		return c.twoRoot.mul(single(m)), k
	}
	z := single(x).mul(single(x)).scale(2)
	t, s := single(x), single(x)
	for n := 3; math.Abs(t.hi) > 0x1p-115*math.Abs(s.hi); n += 2 {
		t = t.mul(z).quo(single(float64(n)))
		s = s.add(t)
	}
	e, k := c.expNeg(x)
	return s.mul(e).mul(c.twoRoot).scale(math.Ldexp(1, k)), 0
}

func (c *circle) erfc(x float64) (dd, int) {
	if x < 2 {
		v, k := c.erf(max(x, -6))
		return single(1).sub(v.scale(math.Ldexp(1, max(k, -300)))), 0
	}
	f := single(x)
	for n := int(math.Pow(110*math.Ln2/(2*x), 2)/2) + 40; n > 0; n-- {
		f = single(x).add(single(float64(n) / 2).quo(f))
	}
	e, k := c.expNeg(x)
	return e.mul(c.twoRoot).scale(0.5).quo(f), k
}

func (c *circle) wide(fn string) func(float64) (dd, int) {
	switch fn {
	case "asin":
		return c.asin
	case "acos":
		return c.acos
	case "atan":
		return func(x float64) (dd, int) { return c.atan2(x, 1) }
	case "erf":
		return c.erf
	case "erfc":
		return c.erfc
	}
	return func(x float64) (dd, int) { return c.trig(fn, x) }
}

// TestCircularTruth checks with the series in math/big, and with the reduction
// of known hard cases.
func TestCircularTruth(t *testing.T) {
	c := newCircle()
	r := rand.New(rand.NewPCG(31, 32))
	complement := func(x *big.Float) *big.Float { y := asin(x); return y.Sub(scaled(pi(), -1), y) }
	for _, tt := range []struct {
		fn  string
		f   func(*big.Float) *big.Float
		top float64
	}{
		{"sin", sin, 3}, {"cos", cos, 1.5}, {"atan", bigfloat.Atan, 2}, {"asin", asin, 1}, {"acos", complement, 1}, {"erf", bigfloat.Erf, 5}, {"erfc", bigfloat.Erfc, 27},
	} {
		want := c.wide(tt.fn)
		var most float64
		for range 300 {
			x := r.Float64() * math.Ldexp(tt.top, -r.IntN(3)*r.IntN(20))
			got, k := want(x)
			e := relative(got, k, tt.f(number(x)))
			if most = max(most, e); e > 0x1p-90 {
				t.Fatalf("%s(%x) is off by %g", tt.fn, x, e)
			}
		}
		t.Logf("%s: relative error at most %.3g", tt.fn, most)
	}
	// The first is the float64 closest to a multiple of π/2 (J.-M. Muller et al.,
	// Handbook of Floating-Point Arithmetic).
	for _, x := range []float64{math.Ldexp(6381956970095103, 797), 1e22, 3.4e38, -1e300, math.MaxFloat64} {
		for fn, f := range map[string]func(*big.Float) *big.Float{"sin": sin, "cos": cos} {
			got, k := c.trig(fn, x)
			if e := relative(got, k, f(number(x))); e > 0x1p-90 {
				t.Errorf("%s(%g) is off by %g", fn, x, e)
			}
		}
	}
}

// nearMultiples returns numbers m * 2^e, m of at most bits bits, closest to
// multiples of π/2: the last denominators of the continued fraction of 2^e*2/π.
func (c *circle) nearMultiples(bits, low, high int) []float64 {
	var out []float64
	limit := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	for e := low; e <= high; e++ {
		a := new(big.Float).SetMantExp(c.quarters, e)
		p, q := big.NewInt(0), big.NewInt(1) // denominators
		var last []*big.Int
		for {
			n, _ := a.Int(nil)
			next := new(big.Int).Add(p, new(big.Int).Mul(n, q))
			if len(last) == 0 {
				next.SetInt64(1)
				p.SetInt64(0)
			}
			if next.Cmp(limit) >= 0 {
				break
			}
			last = append(last, next)
			if len(last) > 1 {
				p = q
			}
			q = next
			a.Sub(a, new(big.Float).SetInt(n))
			if a.Sign() == 0 {
				break
			}
			a.Quo(new(big.Float).SetPrec(1400).SetInt64(1), a)
		}
		for _, m := range last[max(0, len(last)-3):] {
			v, _ := new(big.Float).SetInt(m).Float64()
			out = append(out, math.Ldexp(v, e))
		}
	}
	return out
}

// sampleCircular draws a finite argument: by random bits, by size, at joints
// and near the ends of the domain.
func sampleCircular(r *rand.Rand, fn string) float64 {
	sign := float64(1 - 2*r.IntN(2))
	tail := func(n int) float64 { return math.Ldexp(1+r.Float64(), -1-r.IntN(n)) }
	bits := func() float64 { return sign * math.Float64frombits(1+r.Uint64N(0x7ff<<52-1)) }
	which := r.IntN(4)
	switch fn {
	case "asin", "acos":
		switch which {
		case 0:
			return sign * tail(70)
		case 1:
			return sign * (1 - tail(53)/2)
		case 2:
			return sign * (0.5 + tail(53)/4)
		}
		return sign * r.Float64()
	case "atan":
		switch which {
		case 0:
			return bits()
		case 1:
			return sign * (1 + (r.Float64()-0.5)*tail(50))
		}
		return sign * math.Exp((r.Float64()-0.5)*20)
	case "erf":
		switch which {
		case 0:
			return sign * min(math.Abs(bits()), tail(40))
		case 1:
			return sign * (1 + (r.Float64()-0.5)*tail(50))
		}
		return sign * r.Float64() * 6
	case "erfc":
		switch which {
		case 0:
			return sign * tail(70)
		case 1:
			return 26 + 1.3*r.Float64()
		case 2:
			return sign * r.Float64() * 6
		}
		return 27.3 * r.Float64()
	}
	switch which {
	case 0:
		return bits()
	case 1:
		k := math.Floor(math.Ldexp(r.Float64(), r.IntN(40)))
		return sign * (k + 0.5*float64(r.IntN(2))) * (math.Pi / 2) * (1 + tail(53)*float64(r.IntN(2)))
	case 2:
		return sign * math.Ldexp(r.Float64(), r.IntN(60)-20)
	}
	return sign * math.Ldexp(r.Float64(), 30)
}

func TestCircularForms64(t *testing.T) {
	const points = 1 << 20
	c := newCircle()
	hard := c.nearMultiples(53, -52, 971)
	for _, l := range laws(t) {
		if !circular[l.fn] || l.typ != "float64" || len(l.params) != 1 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			w := compileTwin(t, l)
			r := rand.New(rand.NewPCG(33, 34))
			want := c.wide(l.fn)
			value, exp := make([]dd, blockLen), make([]int, blockLen)
			add, flush := w.blocks(func(x []float64) {
				for i, v := range x {
					value[i], exp[i] = want(v)
				}
				w.measure(func(i int, got float64) float64 { return err64(got, value[i], exp[i]) }, x)
			})
			for range points {
				add(sampleCircular(r, l.fn))
			}
			if l.fn == "sin" || l.fn == "cos" || l.fn == "tan" {
				for _, v := range hard {
					add(v)
					add(-v)
				}
			}
			flush()
			w.check(t)
		})
	}
}
