package main

import (
	"fmt"
	"math/big"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

// erfFit returns c0 ... cn with erf(x) = x + x*(c0 + c1 x² + ...) for |x| up to
// bound, relative error.
func erfFit(n int, bound float64, format minimax.Format) ([]string, error) {
	ratio := func(z *big.Float) *big.Float {
		if z.Sign() == 0 {
			return number(0).Quo(number(2), rootPi())
		}
		x := number(0).Sqrt(z)
		return x.Quo(bigfloat.Erf(x), x)
	}
	return fitLong(minimax.Problem{
		F: func(z *big.Float) *big.Float { return number(0).Sub(ratio(z), number(1)) },
		A: number(0), B: number(bound * bound),
		Weight:    func(z, _ *big.Float) *big.Float { return number(0).Quo(number(1), ratio(z)) },
		Exponents: powers(0, n),
	}, format)
}

// logErfcFit returns the polynomial for log(erfc(x)), a <= x <= b, with a small
// relative error of erf(x) = 1 - exp of it.
func logErfcFit(degree int, a, b float64, format minimax.Format) ([]string, error) {
	return fitLong(minimax.Problem{
		F: func(x *big.Float) *big.Float { y, _ := bigfloat.Log(bigfloat.Erfc(x)); return y },
		A: number(a), B: number(b), Weight: func(x, _ *big.Float) *big.Float {
			c := bigfloat.Erfc(x)
			return c.Quo(c, bigfloat.Erf(x))
		},
		Exponents: powers(0, degree),
	}, format)
}

// erfcxFit returns the coefficients of Q in exp(x²) erfc(x) = t Q(t - mid), t =
// 1/(k + x), for 0 <= x <= top.
func erfcxFit(degree int, k, mid, top float64, format minimax.Format) ([]string, error) {
	p := minimax.Problem{
		F: func(u *big.Float) *big.Float {
			t := number(0).Add(u, number(mid))
			x := number(0).Quo(number(1), t)
			y := erfcx(x.Sub(x, number(k)))
			return y.Quo(y, t)
		},
		A: number(1/(k+top) - mid), B: number(1/k - mid), Weight: minimax.Relative, Exponents: powers(0, degree),
	}
	if format == minimax.Float64 {
		return fitOnce(p, format)
	}
	return fitAround(p, format)
}

// erfForm is an odd polynomial below 1, and above it 1 - exp of a polynomial,
// which is log erfc. Beyond top erf is 1.
func erfForm(t typ, low, high int, top float64) (rule, error) {
	const joint = 1
	q, err := erfFit(low, joint, t.format)
	if err != nil {
		return rule{}, err
	}
	p, err := logErfcFit(high, joint, top, t.format)
	if err != nil {
		return rule{}, err
	}
	return rule{
		name: fmt.Sprintf("erf-%s-%d-%d", t.name, low, high), call: "erf(x)",
		body: "copysign(select(a < 1, v, w), x)",
		with: []string{
			"a = abs(x)",
			"z = a*a",
			"v = fma(a, " + horner("z", q) + ", a)",
			fmt.Sprintf("c = select(a > %v, %v, a)", top, top),
			"w = 1 - exp(" + horner("c", p) + ")",
		},
		typ: t.name, domain: everywhere,
	}, nil
}

// coarseErf32 is 1 - 1/p(|x|)^m, m = 2^squarings, as in formulas 7.1.27 and
// 7.1.28 of Abramowitz and Stegun. It keeps an absolute error only.
func coarseErf32(degree, squarings int) (rule, error) {
	m := float64(int(1) << squarings)
	root := func(x *big.Float) *big.Float {
		for range squarings {
			x.Sqrt(x)
		}
		return x
	}
	p, err := fit(minimax.Problem{
		F: func(x *big.Float) *big.Float {
			y := root(bigfloat.Erfc(x))
			return y.Quo(number(1), y)
		},
		A: number(0), B: number(4),
		Weight: func(x, _ *big.Float) *big.Float {
			y := bigfloat.Erfc(x)
			w := number(0).Mul(y, number(m))
			return w.Mul(w, root(y))
		},
		Fixed: []minimax.Term{{Exp: 0, Coef: number(1)}}, Exponents: powers(1, degree),
	}, minimax.Float32)
	if err != nil {
		return rule{}, err
	}
	with := []string{"a = abs(x)", "p0 = " + horner("a", append([]string{"1"}, p...))}
	for i := range squarings {
		with = append(with, fmt.Sprintf("p%d = p%d*p%d", i+1, i, i))
	}
	return rule{
		name: fmt.Sprintf("erf-float32-coarse-%d", degree), call: "erf(x)",
		body: fmt.Sprintf("copysign(1 - 1/p%d, x)", squarings),
		with: with, typ: "float32", domain: everywhere,
	}, nil
}

// erfcForm is exp(-x²) t Q(t), t = 1/(k + |x|). What the roundings of the square,
// of t and of the last step of Q have cost comes back in one small term; slope is
// the line that d log(t Q)/d log t is close to, the power by which the value
// depends on t. Beyond top erfc underflows.
func erfcForm(t typ, degree int, k, mid, top, clamp float64, slope [2]string, fused bool) (rule, error) {
	q, err := erfcxFit(degree, k, mid, top, t.format)
	if err != nil {
		return rule{}, err
	}
	name := fmt.Sprintf("erfc-%s-%d", t.name, degree)
	with := []string{
		"a = abs(x)",
		fmt.Sprintf("c = select(a > %v, %v, a)", clamp, clamp),
		"h = pin(c*c)",
		fmt.Sprintf("s = pin(%v + c)", k),
		"t = 1/s",
	}
	back, low := "fma(t, s, -1)", "fma(g, b, fma(u, o, pin("+q[0]+" - g)))"
	if !fused {
		name += "-nofma"
		with = append(append(append(with, halves("c")...), halves("s")...), halves("t")...)
		with = append(with, "m = pin(t*s)")
		back, low = "pin(pin(m - 1) + "+residue("t", "s", "m", false)+")", "g*b"
	}
	// e^(-x²) has a tier of its own, as in geluBy.
	decay, err := decayOf("h", "", t, t.dearestExp())
	if err != nil {
		return rule{}, err
	}
	with = append(with,
		"l = "+residue("c", "c", "h", fused),
		fmt.Sprintf("e = fma(t, c - pin(s - %v), %s)", k, back),
		"b = fma(-e, fma(t, "+slope[1]+", "+slope[0]+"), -l)",
		"u = t - "+literal(mid, t.format),
		"o = "+horner("u", q[1:]),
		"g = pin(fma(u, o, "+q[0]+"))",
		"j = "+low)
	with = append(with, decay[:len(decay)-1]...)
	with = append(with, "y = ldexp(fma(t, g, t*j)*p, k)")
	return rule{
		name: name, call: "erfc(x)", body: "select(x < 0, 2 - y, y)", with: with, typ: t.name, domain: everywhere,
	}, nil
}

// erfcDouble32 is erfcForm in float64, where x² and t are good without more ado.
func erfcDouble32(degree int) (rule, error) {
	q, err := erfcxFit(degree, 3, 0.125, 10.1, minimax.Float64)
	if err != nil {
		return rule{}, err
	}
	return rule{
		name: fmt.Sprintf("erfc-float32-double-%d", degree), call: "erfc(x)",
		body: "float32(select(x < 0, 2 - y, y))",
		with: []string{
			"a = abs(x)",
			"c = float64(select(a > 11, 11, a))",
			"t = 1/(3 + c)",
			"u = t - 0.125",
			"y = exp(-c*c)*(t*" + horner("u", q) + ")",
		},
		typ: "float32", domain: everywhere,
	}, nil
}

// errorFunctions gives all forms of erf and erfc.
func errorFunctions() ([]rule, error) {
	var out []rule
	for _, m := range []struct {
		within string
		make   func() (rule, error)
	}{
		{"2 ulp", func() (rule, error) { return erfForm(f32, 6, 5, 4) }},

		{"2 ulp", func() (rule, error) { return erfForm(f32, 5, 5, 4) }},
		{"2.5e-6 abs", func() (rule, error) { return coarseErf32(6, 4) }},
		{"2e-5 abs", func() (rule, error) { return coarseErf32(5, 3) }},
		{"6e-4 abs", func() (rule, error) { return coarseErf32(4, 2) }},
		{"3 ulp", func() (rule, error) {
			return erfcForm(f32, 9, 3, 0.125, 10.1, 11, [2]string{"0.6875", "0x1.fcp2"}, true)
		}},
		{"0.6 ulp", func() (rule, error) { return erfcDouble32(11) }},
		{"1.5 ulp", func() (rule, error) { return erfForm(f64, 11, 17, 6) }},
		{"3.75 ulp", func() (rule, error) {
			return erfcForm(f64, 23, 3, 0.125, 27.3, 28, [2]string{"0.6875", "0x1.fcp2"}, true)
		}},
		{"3.75 ulp", func() (rule, error) {
			return erfcForm(f64, 23, 3, 0.125, 27.3, 28, [2]string{"0.6875", "0x1.fcp2"}, false)
		}},
	} {
		r, err := m.make()
		if err != nil {
			return nil, err
		}
		r.within = m.within
		out = append(out, r)
	}
	return out, nil
}
