package main

import (
	"fmt"
	"math/big"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

var powerTiers = []tier{
	{"pow", widePowForm, f32, wide, all, "0.51"},
	{"pow", binaryPowForm, f32, rough, all, "150"},
	{"pow", powForm, f64, 9, all, "1"},
	{"pow", splitPowForm, f64, split9, all, "1.25"},
}

func generalPowers() ([]rule, error) { return rulesOf(powerTiers) }

// powBase gives the bindings from x and y to z, the base that is left for the
// exponential of y log z: 1 for y = 0, which makes the result 1; |x| for an
// integer y and for infinite x; else x, of which a negative one has no
// logarithm.
func powBase() []string {
	return []string{
		"a = abs(x)",
		"o = rint(y)",
		"z = select(y == 0, 1, select(o == y, a, select(a < inf, x, a)))",
	}
}

// powSign gives t the sign of x if y is odd.
const powSign = "select(o == y, select(rint(h) == h, t, copysign(t, x)), t)"

// widePowForm has 1 to any power, and -1 to an infinite one, at z = 1.
func widePowForm(typ, int) (string, []string, error) {
	return powSign, append(powBase(),
		"l = float64(y)*log(float64(z))",
		"t = float32(exp(select(z == 1, 0, l)))",
		"h = 0.5*y"), nil
}

// binaryPowForm does the same in float32 alone, by powers of 2.
func binaryPowForm(typ, int) (string, []string, error) {
	return powSign, append(powBase(),
		"l = y*log2(z)",
		"t = exp2(select(z == 1, 0, l))",
		"h = 0.5*y"), nil
}

// atanhTail returns the coefficients of z³ ... z^degree in atanh(s)/s - 1 after
// z/3 + z²/5, z = s², for z as in atanhFit; absolute error.
func atanhTail(degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: func(z *big.Float) *big.Float {
			if z.Sign() == 0 {
				return number(0)
			}
			s := number(0).Sqrt(z)
			y, _ := bigfloat.Atanh(s)
			return y.Sub(y.Quo(y, s), number(1))
		},
		A: number(0), B: number(0.02944),
		Fixed:     []minimax.Term{{Exp: 1, Coef: reciprocal(3)}, {Exp: 2, Coef: reciprocal(5)}},
		Exponents: powers(3, degree),
	}, format)
}

func reciprocal(n float64) *big.Float { return number(0).Quo(number(1), number(n)) }

// errorOf gives the rounding error of p, the product of a and b (names all), and
// the bindings that it needs.
type errorOf func(a, b, p string) (with []string, err string)

func byFMA(a, b, p string) ([]string, string) { return nil, "fma(" + a + ", " + b + ", -" + p + ")" }

// bySplitting is T. J. Dekker's product, for machines without fma: halves of
// factors have exact products. It splits no factor twice and serves those below
// 2^996.
func bySplitting() errorOf {
	done := map[string]bool{}
	return func(a, b, p string) (with []string, err string) {
		for _, v := range []string{a, b} {
			if !done[v] {
				done[v] = true
				with = append(with,
					fmt.Sprintf("%[1]sc = pin(%[1]s*134217729)", v), // 2^27 + 1
					fmt.Sprintf("%[1]sh = pin(%[1]sc - pin(%[1]sc - %[1]s))", v),
					fmt.Sprintf("%[1]sl = pin(%[1]s - %[1]sh)", v))
			}
		}
		return with, fmt.Sprintf("pin(pin(pin(pin(pin(%[1]sh*%[2]sh) - %[3]s) + pin(%[1]sh*%[2]sl)) + pin(%[1]sl*%[2]sh)) + pin(%[1]sl*%[2]sl))", a, b, p)
	}
}

// powForm is exp(y log z) with the logarithm as an unevaluated sum g0 + g1,
// good to about 2^-68: log(1+r) = 2s(1 + s²/3 + ...), s = r/(2+r), where s and
// the first terms are sums too. Every pinned sum is a fast two-sum; the low
// parts of infinite sums are NaN and left out.
func powForm(t typ, degree int) (string, []string, error) { return powBy(true, t, degree) }

// splitPowForm is powForm without fma.
func splitPowForm(t typ, _ int) (string, []string, error) { return powBy(false, t, 9) }

func powBy(fused bool, t typ, degree int) (string, []string, error) {
	var err errorOf = byFMA
	if !fused {
		err = bySplitting()
	}
	tail, fault := atanhTail(degree, t.format)
	if fault != nil {
		return "", nil, fault
	}
	q, fault := expm1Fit(11, t.format)
	if fault != nil {
		return "", nil, fault
	}
	thirdHigh, thirdLow := twoParts(reciprocal(3), t.format)
	fifthHigh, fifthLow := twoParts(reciprocal(5), t.format)
	high, low := split(t.format, t.kBits)
	with := powBase()
	add := func(bindings ...string) { with = append(with, bindings...) }
	// product adds p = a*b and returns its error.
	product := func(p, a, b string) string {
		add(p + " = pin(" + a + "*" + b + ")")
		bindings, e := err(a, b, p)
		add(bindings...)
		return e
	}
	add("m = mant(z)",
		"e = logb(z) + select(m > "+t.root+", 1, 0)",
		"r = fma(m, select(m > "+t.root+", 0.5, 1), -1)",
		// s0 + s1 = r/(2 + r)
		"d0 = pin(2 + r)",
		"d1 = pin(r - pin(d0 - 2))",
		"i = 1/d0",
		"s0 = pin(r*i)")
	rest := "fma(-s0, d0, r)"
	if !fused {
		rest = "pin(pin(r - s2) - " + product("s2", "s0", "d0") + ")"
	}
	add("s1 = fma(-s0, d1, " + rest + ")*i")
	// v0 + v1 = s²
	e := product("v0", "s0", "s0")
	add("v1 = fma(s0 + s0, s1, "+e+")",
		// a0 + a1 = 1/5 + s²/7 + ..., b0 + b1 = 1/3 + s²(a0 + a1), p0 + p1 =
		// atanh(s)/s - 1 = s²(b0 + b1)
		"a2 = pin(v0*"+horner("v0", tail)+")",
		"a0 = pin("+fifthHigh+" + a2)",
		"a1 = pin(a2 - pin(a0 - "+fifthHigh+")) + "+fifthLow)
	e = product("b2", "v0", "a0")
	add("b3 = "+e+" + fma(v0, a1, v1*a0)",
		"b0 = pin("+thirdHigh+" + b2)",
		"b1 = pin(b2 - pin(b0 - "+thirdHigh+")) + (b3 + "+thirdLow+")")
	e = product("p0", "v0", "b0")
	add("p1 = " + e + " + fma(v0, b1, v1*b0)")
	// c0 + c1 = 2(s0 + s1)(p0 + p1) + 2 s1, with b = 2 s0
	add("b = s0 + s0")
	e = product("c0", "b", "p0")
	add("c1 = fma(b, p1, "+e+") + fma(s1 + s1, p0, s1 + s1)",
		"l0 = pin(b + c0)",
		"l1 = pin(c0 - pin(l0 - b)) + c1",
		// g0 + g1 = log z
		"k0 = pin(e*"+high+")",
		"g0 = pin(k0 + l0)",
		"g1 = pin(l0 - pin(g0 - k0)) + fma(e, "+low+", l1)")
	// w0 + w1 = y log z, 0 for z = 1.
	exponent := "y"
	if !fused {
		// Beyond 2^70 all that counts is the sign.
		exponent = "select(y < -0x1p70, -0x1p70, select(y > 0x1p70, 0x1p70, y))"
	}
	add("n = select(z == 1, 0, select(z < 0, nan, " + exponent + "))")
	e = product("w0", "n", "g0")
	add("w1 = fma(n, g1, "+e+")",
		"x0 = select(w0 < "+t.expLow+", "+t.expLow+", select(w0 > "+t.expHigh+", "+t.expHigh+", w0))",
		"x1 = select(x0 == w0, w1, 0)",
		// f0 + f1 = x0 + x1 - k ln 2
		"k = rint(x0*"+rounded(bigfloat.Log2e(prec), t.format)+")",
		"j0 = fma(k, -"+high+", x0)",
		"j1 = fma(k, -"+low+", x1)",
		"f0 = pin(j0 + j1)",
		"f1 = pin(j1 - pin(f0 - j0))",
		"q = fma(f0*f0, "+horner("f0", q)+", f1)",
		"u0 = pin(1 + f0)",
		"t = ldexp(pin(u0 + pin(pin(f0 - pin(u0 - 1)) + q)), k)",
		"h = 0.5*y")
	return powSign, with, nil
}
