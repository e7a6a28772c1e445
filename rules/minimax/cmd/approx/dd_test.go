package main

import (
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-yolk/yolk/internal/bigfloat"
)

// This file extends the double-double truth by the functions of the families.
// A result is value * 2^k.

func (a dd) sub(b dd) dd { return a.add(b.neg()) }

func single(x float64) dd { return dd{x, 0} }

// sqrt serves a >= 0 away from the ends of the range.
func (a dd) sqrt() dd {
	if a.hi == 0 {
		return a
	}
	s := math.Sqrt(a.hi)
	// Newton: s + (a - s²)/2s.
	r := a.sub(single(s).mul(single(s)))
	return twoSum(s, r.hi/(2*s))
}

// expm1Of is truth.expm1 of a double-double: |a| < 1e4.
func (t truth) expm1Of(a dd) (dd, int) {
	k, e := t.reduced(a)
	if k == 0 {
		return e, 0
	}
	e = e.add(single(1))
	if k < 200 {
		return e.scale(math.Ldexp(1, int(k))).sub(single(1)), 0
	}
	return e, int(k)
}

// log1pOf is log(1+a) for 1+a > 0, a finite.
func (t truth) log1pOf(a dd) dd {
	if math.Abs(a.hi) < 0x1p-120 {
		return a // to 2^-120, where products of subnormals lose more
	}
	k := 0.0
	if !(math.Abs(a.hi) < 0.4) {
		u := a.add(single(1))
		k = float64(math.Ilogb(u.hi))
		s := math.Ldexp(1, -int(k))
		a = u.scale(s).sub(single(1))
	}
	y := math.Log1p(a.hi)
	q, _ := t.expm1(-y)
	d := a.add(q).add(a.mul(q))
	return t.kln2(k).add(single(y).add(logSmall(d)))
}

func (t truth) exp2(x float64) (dd, int) {
	k := math.RoundToEven(x)
	e, _ := t.expm1Of(single(x - k).mul(t.kln2(1)))
	return e.add(single(1)), int(k)
}

func (t truth) log2(x float64) (dd, int) {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	v, _ := t.log(m)
	return v.quo(t.kln2(1)).add(single(float64(k))), 0
}

func (t truth) log10(x float64) (dd, int) {
	v, _ := t.log(x)
	ten, _ := t.log(10)
	return v.quo(ten), 0
}

func (t truth) log1p(x float64) (dd, int) { return t.log1pOf(single(x)), 0 }

// waves returns sinh or cosh.
func (t truth) waves(x float64, cosh bool) (dd, int) {
	if math.Abs(x) < 0x1p-120 && !cosh {
		return single(x), 0
	}
	e, k := t.expm1Of(single(math.Abs(x)))
	if k != 0 { // beyond 2^200 exp(-x) is nothing
		if x < 0 && !cosh {
			e = e.neg()
		}
		return e, k - 1
	}
	// sinh = (e + e/(1+e))/2, cosh = 1 + e²/2(1+e).
	u := e.add(single(1))
	if cosh {
		return e.mul(e).quo(u).scale(0.5).add(single(1)), 0
	}
	v := e.add(e.quo(u)).scale(0.5)
	if x < 0 {
		v = v.neg()
	}
	return v, 0
}

func (t truth) sinh(x float64) (dd, int) { return t.waves(x, false) }
func (t truth) cosh(x float64) (dd, int) { return t.waves(x, true) }

func odds(f func(a float64) dd) func(float64) (dd, int) {
	return func(x float64) (dd, int) {
		v := f(math.Abs(x))
		if math.Signbit(x) {
			v = v.neg()
		}
		return v, 0
	}
}

func (t truth) asinh(a float64) dd {
	if a > 0x1p60 {
		v, _ := t.log(a)
		return v.add(t.kln2(1))
	}
	q := single(a).mul(single(a))
	d := q.quo(q.add(single(1)).sqrt().add(single(1)))
	return t.log1pOf(single(a).add(d))
}

func (t truth) acosh(x float64) (dd, int) {
	if x > 0x1p60 {
		v, _ := t.log(x)
		return v.add(t.kln2(1)), 0
	}
	u := twoSum(x, -1)
	return t.log1pOf(u.add(u.mul(u.add(single(2))).sqrt())), 0
}

func (t truth) atanh(a float64) dd {
	return t.log1pOf(single(2 * a).quo(twoSum(1, -a))).scale(0.5)
}

// cbrt takes a Newton step from math.Cbrt, of which the error is below 2^-52.
func (t truth) cbrt(a float64) dd {
	k := math.Floor(math.Logb(a) / 3)
	m := math.Ldexp(a, -3*int(k))
	y := math.Cbrt(m)
	s := single(y)
	r := single(m).sub(s.mul(s).mul(s))
	v := s.add(single(r.hi / (3 * y * y)))
	return v.scale(math.Ldexp(1, int(k)))
}

func (t truth) rsqrt(x float64) (dd, int) {
	k := math.Floor(math.Logb(x) / 2)
	m := math.Ldexp(x, -2*int(k))
	return single(1).quo(single(m).sqrt()), -int(k)
}

func (t truth) hypot(x, y float64) (dd, int) {
	k := int(math.Logb(max(math.Abs(x), math.Abs(y))))
	a, b := single(math.Ldexp(x, -k)), single(math.Ldexp(y, -k))
	return a.mul(a).add(b.mul(b)).sqrt(), k
}

// pow is |x|^y for finite non-zero x and a result that is not far outside the
// range.
func (t truth) pow(x, y float64) (dd, int) {
	l, _ := t.log(math.Abs(x))
	p := l.mul(single(y))
	if p.hi > 800 || !(p.hi > -800) {
		return dd{0x1p-1000, 0}, map[bool]int{true: 4000, false: -4000}[p.hi > 0]
	}
	k, e := t.reduced(p)
	return e.add(single(1)), int(k)
}

// wide is the truth of the functions of one argument.
func (t truth) wide(fn string) func(float64) (dd, int) {
	f := map[string]func(float64) (dd, int){
		"exp2": t.exp2, "log2": t.log2, "log10": t.log10, "log1p": t.log1p,
		"sinh": t.sinh, "cosh": t.cosh, "acosh": t.acosh, "rsqrt": t.rsqrt,
		"asinh": odds(t.asinh), "atanh": odds(t.atanh), "cbrt": odds(t.cbrt),
	}[fn]
	if f == nil {
		f = t.of(fn)
	}
	return f
}

// sure drops the report of a bigfloat function that there is no value.
func sure(f func(*big.Float) (*big.Float, bool)) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float { y, _ := f(x); return y }
}

var bigWide = map[string]func(*big.Float) *big.Float{
	"exp2": bigfloat.Exp2, "log2": sure(bigfloat.Log2), "log10": sure(bigfloat.Log10), "log1p": sure(bigfloat.Log1p),
	"sinh": bigfloat.Sinh, "cosh": bigfloat.Cosh, "asinh": bigfloat.Asinh, "acosh": sure(bigfloat.Acosh), "atanh": sure(bigfloat.Atanh),
	"rsqrt": sure(bigfloat.Rsqrt), "cbrt": bigfloat.Cbrt,
}

// TestWideTruth checks these functions with bigfloat.
func TestWideTruth(t *testing.T) {
	tr := newTruth()
	for _, fn := range slices.Sorted(maps.Keys(bigWide)) {
		t.Run(fn, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(17, 18))
			want := tr.wide(fn)
			var most float64
			for range 2000 {
				x := sampleWide(r, fn)
				got, k := want(x)
				e := relative(got, k, bigWide[fn](new(big.Float).SetPrec(200).SetFloat64(x)))
				if math.Abs(x) < 0x1p-950 { // the low part is subnormal
					continue
				}
				most = max(most, e)
				if e > 0x1p-85 {
					t.Fatalf("%s(%x) is off by %g", fn, x, e)
				}
			}
			t.Logf("relative error at most %.3g", most)
		})
	}
}

// TestPairTruth does so for two arguments.
func TestPairTruth(t *testing.T) {
	tr := newTruth()
	big200 := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	for _, fn := range []string{"hypot", "pow"} {
		r := rand.New(rand.NewPCG(23, 24))
		var most float64
		for range 2000 {
			x, y := samplePair(r, fn, 1023, 52)
			got, k := tr.pair(fn)(x, y)
			want := bigfloat.Hypot(big200(x), big200(y))
			if fn == "pow" {
				var ok bool
				if want, ok = bigfloat.Pow(big200(x), big200(y)); ok != (got.hi == got.hi) {
					t.Fatalf("pow(%x, %x): %v, %v", x, y, got, want)
				}
				if !ok || k == 4000 || k == -4000 {
					continue
				}
			}
			e := relative(got, k, want)
			most = max(most, e)
			if e > 0x1p-85 {
				t.Fatalf("%s(%x, %x) is off by %g", fn, x, y, e)
			}
		}
		t.Logf("%s: relative error at most %.3g", fn, most)
	}
}

// relative is the relative error of got * 2^k.
func relative(got dd, k int, want *big.Float) float64 {
	g := new(big.Float).SetPrec(200).SetFloat64(got.hi)
	g.Add(g, new(big.Float).SetFloat64(got.lo))
	g.SetMantExp(g, k)
	if want.Sign() == 0 {
		return math.Abs(got.hi)
	}
	w := new(big.Float).SetPrec(200).Set(want)
	e, _ := g.Quo(g.Sub(g, w), w).Float64()
	return math.Abs(e)
}
