package main

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/internal/bigfloat"
)

// A dd is the unevaluated sum hi + lo, |lo| <= ulp(hi)/2: about 104 bits. It is
// the truth for float64, far faster than math/big, by which it is checked.
type dd struct{ hi, lo float64 }

func twoSum(a, b float64) dd {
	s := a + b
	v := s - a
	return dd{s, (a - (s - v)) + (b - v)}
}

func (a dd) add(b dd) dd {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = twoSum(s.hi, s.lo+t.hi)
	return twoSum(s.hi, s.lo+t.lo)
}

func (a dd) mul(b dd) dd {
	p := a.hi * b.hi
	e := math.FMA(a.hi, b.hi, -p) + (a.hi*b.lo + a.lo*b.hi)
	return twoSum(p, e)
}

func (a dd) scale(s float64) dd { return dd{a.hi * s, a.lo * s} } // s a power of 2

func (a dd) neg() dd { return dd{-a.hi, -a.lo} }

func (a dd) quo(b dd) dd {
	q := a.hi / b.hi
	r := a.add(b.mul(dd{q, 0}).neg())
	q2 := r.hi / b.hi
	r = r.add(b.mul(dd{q2, 0}).neg())
	return twoSum(q, q2).add(dd{r.hi / b.hi, 0})
}

func toDD(x *big.Float) dd {
	hi, _ := x.Float64()
	lo, _ := new(big.Float).Sub(x, big.NewFloat(hi)).Float64()
	return dd{hi, lo}
}

// truth holds constants of the reference functions.
type truth struct {
	ln2 [3]float64 // sum is ln 2 to 150 bits; integers of 11 bits times the first two are exact
	inv []dd       // 1/n
}

func newTruth() truth {
	var t truth
	rest := bigfloat.Ln2(300)
	for i := range t.ln2 {
		h := new(big.Float).SetPrec(42).Set(rest)
		if i == 2 {
			h.SetPrec(53).Set(rest)
		}
		t.ln2[i], _ = h.Float64()
		rest.Sub(rest, h)
	}
	for n := range 16 {
		t.inv = append(t.inv, toDD(new(big.Float).SetPrec(200).Quo(big.NewFloat(1), big.NewFloat(float64(max(n, 1))))))
	}
	return t
}

// kln2 is k ln 2.
func (t truth) kln2(k float64) dd {
	return twoSum(k*t.ln2[0], k*t.ln2[1]).add(dd{k * t.ln2[2], 0})
}

// reduced returns k and expm1(x - k ln 2).
func (t truth) reduced(x dd) (k float64, e dd) {
	if math.Abs(x.hi) > 0.34 {
		k = math.RoundToEven(x.hi * math.Log2E)
	}
	f := x.add(t.kln2(k).neg()).scale(0x1p-5)
	e = f
	term := f
	for n := 2; n < len(t.inv) && math.Abs(term.hi) > 0x1p-110*math.Abs(f.hi); n++ {
		term = term.mul(f).mul(t.inv[n])
		e = e.add(term)
	}
	for range 5 {
		e = e.mul(e.add(dd{2, 0}))
	}
	return k, e
}

// exp returns e^x as a scaled number: value * 2^k.
func (t truth) exp(x float64) (dd, int) {
	k, e := t.reduced(dd{x, 0})
	return e.add(dd{1, 0}), int(k)
}

// expm1 likewise. It serves |x| < 1e4.
func (t truth) expm1(x float64) (dd, int) {
	k, e := t.reduced(dd{x, 0})
	if k == 0 {
		return e, 0
	}
	e = e.add(dd{1, 0})
	if k < 200 {
		return e.scale(math.Ldexp(1, int(k))).add(dd{-1, 0}), 0
	}
	return e, int(k)
}

func (t truth) tanh(x float64) (dd, int) {
	v, _ := t.expm1(-2 * min(math.Abs(x), 100))
	v = v.neg().quo(v.add(dd{2, 0}))
	if x < 0 {
		v = v.neg()
	}
	return v, 0
}

// log is one Newton step from math.Log in double-double.
func (t truth) log(x float64) (dd, int) {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	// m = e^y (1+d) with q = expm1(-y): d = (m-1) + q + (m-1)q, the large parts
	// cancelling without loss.
	y := math.Log1p(m - 1)
	q, _ := t.expm1(-y)
	r := dd{m - 1, 0}
	d := r.add(q).add(r.mul(q))
	return t.kln2(float64(k)).add(dd{y, 0}.add(logSmall(d))), 0
}

// logSmall is log(1+d) for |d| < 2^-50.
func logSmall(d dd) dd { return d.add(d.mul(d).scale(-0.5)) }

func (t truth) of(fn string) func(float64) (dd, int) {
	return map[string]func(float64) (dd, int){"exp": t.exp, "expm1": t.expm1, "tanh": t.tanh, "log": t.log}[fn]
}

var bigTruth = map[string]func(*big.Float) *big.Float{
	"exp": bigfloat.Exp, "expm1": bigfloat.Expm1, "tanh": bigfloat.Tanh,
	"log": func(x *big.Float) *big.Float { y, _ := bigfloat.Log(x); return y },
}

// TestTruth checks the double-double functions with bigfloat.
func TestTruth(t *testing.T) {
	tr := newTruth()
	r := rand.New(rand.NewPCG(7, 8))
	for _, fn := range []string{"exp", "expm1", "tanh", "log"} {
		var most float64
		for range 3000 {
			x := (r.Float64() - 0.5) * math.Ldexp(1, r.IntN(40)-30)
			switch {
			case fn == "log" && r.IntN(2) == 0:
				x = 1 + x*0x1p-10
			case fn == "log":
				x = math.Ldexp(1+r.Float64(), r.IntN(2000)-1022)
			case r.IntN(2) == 0 && fn != "tanh":
				x = (r.Float64() - 0.5) * 1400
			}
			got, k := tr.of(fn)(x)
			want := bigTruth[fn](new(big.Float).SetPrec(200).SetFloat64(x))
			g := new(big.Float).SetPrec(200).SetFloat64(got.hi)
			g.Add(g, new(big.Float).SetFloat64(got.lo))
			g.SetMantExp(g, k)
			if want.Sign() == 0 {
				continue
			}
			g.Quo(g.Sub(g, want), want)
			e, _ := g.Float64()
			most = max(most, math.Abs(e))
			if math.Abs(e) > 0x1p-85 {
				t.Fatalf("%s(%x) is off by %g", fn, x, e)
			}
		}
		t.Logf("%s: relative error at most %.3g", fn, most)
	}
}
