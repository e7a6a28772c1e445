package main

import (
	"fmt"
	"math/big"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

var rootTiers = []tier{
	{"rsqrt", rsqrtForm, f32, only, all, "1.6"},
	{"rsqrt", rsqrtStepForm, f32, stepped, all, "0.55"},
	{"rsqrt", rsqrtForm, f64, only, all, "1.6"},
	{"rsqrt", rsqrtStepForm, f64, stepped, all, "0.55"},
	{"cbrt", cbrtForm, f32, 4, all, "1"},
	{"cbrt", roughCbrtForm, f32, 3, all, "9000"},
	{"cbrt", cbrtForm, f64, 4, all, "1"},
	{"hypot", wideHypotForm, f32, wide, all, "0.51"},
	{"hypot", hypotForm, f32, only, all, "1"},
	{"hypot", hypotForm, f64, only, all, "1"},
}

func roots() ([]rule, error) { return rulesOf(rootTiers) }

func rsqrtForm(typ, int) (string, []string, error) { return "1/sqrt(x)", nil, nil }

// rsqrtStepForm makes good the roundings of the root and of the quotient, with
// small arguments scaled, for which what the root leaves would underflow. At 0
// and infinity there is nothing to make good, and the sum is NaN.
func rsqrtStepForm(t typ, _ int) (string, []string, error) {
	choose := func(scale string) string { return fmt.Sprintf("select(x < %s, %s, 1)", t.residueLow, scale) }
	return "c*select(t == t, t, y)", []string{
		"z = pin(x*" + choose(t.residueGrow) + ")",
		"c = " + choose(t.residueRoot),
		"s = sqrt(z)",
		"y = 1/s",
		"d = fma(-s, s, z)",
		"t = fma(y, fma(-0.5*pin(d*y), y, fma(-s, y, 1)), y)",
	}, nil
}

// invCbrtFit returns the coefficients of m^(-1/3) on [1, 2], relative error.
func invCbrtFit(degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: func(m *big.Float) *big.Float { return number(0).Quo(number(1), bigfloat.Cbrt(m)) },
		A: number(1), B: number(2), Weight: minimax.Relative, Exponents: powers(0, degree),
	}, format)
}

// third gives the bindings from x to j and z, |x| = 8^j z with z in [1/2, 4),
// and to u, near the inverse cube root of z. At 0 and infinities z is 1.
func third(t typ, degree int) ([]string, error) {
	q, err := invCbrtFit(degree, t.format)
	if err != nil {
		return nil, err
	}
	root := bigfloat.Cbrt(number(2))
	return []string{
		"m = mant(x)",
		"e = logb(x)",
		"j = rint(e*" + rounded(reciprocal(3), t.format) + ")",
		"d = fma(j, -3, e)",
		"z = m*select(d < 0, 0.5, select(d > 0, 2, 1))",
		fmt.Sprintf("u = %s*select(d < 0, %s, select(d > 0, %s, 1))", horner("m", q),
			rounded(root, t.format), rounded(number(0).Quo(number(1), root), t.format)),
	}, nil
}

// cbrtForm takes y = z u² and a step of Newton's for y³ = z, which needs no
// division, 1/y² being u². In float64 a step of Halley's betters u before.
func cbrtForm(t typ, degree int) (string, []string, error) {
	with, err := third(t, degree)
	oneThird := rounded(reciprocal(3), t.format)
	u := "u"
	if t.format == minimax.Float64 {
		ninths := rounded(number(0).Quo(number(2), number(9)), t.format)
		with = append(with,
			"b = fma(-(z*u), u*u, 1)",
			fmt.Sprintf("v = fma(u*b, fma(b, %s, %s), u)", ninths, oneThird))
		u = "v"
	}
	with = append(with,
		fmt.Sprintf("t = %s*%[1]s", u),
		"y = pin(z*t)",
		"r = fma(-pin(y*y), y, z)",
		"w = fma(r, t*"+oneThird+", y)")
	return "copysign(ldexp(w, j), x)", with, err
}

// roughCbrtForm leaves the steps out.
func roughCbrtForm(t typ, degree int) (string, []string, error) {
	with, err := third(t, degree)
	return "copysign(ldexp(z*u*u, j), x)", with, err
}

// hypotForm scales both arguments where squares overflow or lose bits. The
// products are pinned, or the square of the scale might be taken out.
func hypotForm(t typ, _ int) (string, []string, error) {
	choose := func(high, low string) string {
		return fmt.Sprintf("select(m > %s, %s, select(m < %s, %s, 1))", t.squareHigh, high, t.squareLow, low)
	}
	return "select(a == inf, inf, select(b == inf, inf, r))", []string{
		"a = abs(x)",
		"b = abs(y)",
		"m = select(a < b, b, a)",
		"n = select(a < b, a, b)",
		"c = " + choose(t.shrink, t.grow),
		"d = " + choose(t.unshrink, t.ungrow),
		"u = pin(m*c)",
		"v = pin(n*c)",
		"r = sqrt(fma(u, u, v*v))*d",
	}, nil
}

// wideHypotForm has room for the squares, which are exact.
func wideHypotForm(typ, int) (string, []string, error) {
	return "select(abs(x) == inf, inf, select(abs(y) == inf, inf, r))", []string{
		"u = float64(x)",
		"v = float64(y)",
		"r = float32(sqrt(fma(u, u, v*v)))",
	}, nil
}
