package main

import (
	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

var hyperbolicTiers = []tier{
	{"sinh", sinhForm, f32, 7, all, "1.5"},
	{"sinh", sinhForm, f32, 5, all, "4"},
	{"sinh", sinhForm, f32, 3, all, "2500"},
	{"cosh", coshForm, f32, 7, all, "1.5"},
	{"cosh", coshForm, f32, 5, all, "3"},
	{"cosh", coshForm, f32, 3, all, "2000"},
	{"asinh", asinhForm, f32, 10, all, "2"},
	{"asinh", asinhForm, f32, 9, all, "2.5"},
	{"asinh", asinhForm, f32, 5, all, "1100"},
	{"acosh", acoshForm, f32, 10, all, "2"},
	{"acosh", acoshForm, f32, 9, all, "2.5"},
	{"acosh", acoshForm, f32, 5, all, "1100"},
	{"atanh", tightAtanhForm, f32, 10, all, "2"},
	{"atanh", atanhForm, f32, 9, all, "2.5"},
	{"atanh", atanhForm, f32, 5, all, "1100"},
	{"tanh", tightTanhForm, f32, 7, all, "1.25"},
	{"tanh", tightTanhForm, f64, 12, all, "1.25"},
	{"sinh", sinhForm, f64, 11, all, "2"},
	{"cosh", coshForm, f64, 11, all, "1.5"},
	{"asinh", asinhForm, f64, 7, all, "1.75"},
	{"acosh", acoshForm, f64, 7, all, "2"},
	{"atanh", atanhForm, f64, 7, all, "2"},
}

// hyperbola gives the bindings from x to a = |x| and its parts: a = k ln 2 + f,
// odd = sinh f, even = cosh f - 1, and cosh and sinh of k ln 2, halved, since
// they overflow before the result does. The polynomials have positive
// coefficients only, so that beyond the largest k everything grows.
func hyperbola(t typ, degree int) ([]string, error) {
	odd, err := sinhFit(degree, t.format)
	if err != nil {
		return nil, err
	}
	even, err := coshFit(degree-1, t.format)
	if err != nil {
		return nil, err
	}
	high, low := split(t.format, t.kBits)
	return []string{
		"a = abs(x)",
		"n = rint(a*" + rounded(bigfloat.Log2e(prec), t.format) + ")",
		"k = select(n < " + t.sinhMax + ", n, " + t.sinhMax + ")",
		"f = fma(k, -" + low + ", fma(k, -" + high + ", a))",
		"z = f*f",
		"o = fma(f*z, " + horner("z", odd) + ", f)",
		"g = z*" + horner("z", even),
		"s = ldexp(0.25, k)",
		"w = ldexp(0.25, -k)",
		"c = pin(s + w)",
		"d = pin(s - w)",
	}, nil
}

func sinhForm(t typ, degree int) (string, []string, error) {
	with, err := hyperbola(t, degree)
	with = append(with, "r = pin(d + pin(fma(o, c, g*d) + pin(pin(s - d) - w)))")
	return "copysign(select(a < " + t.sinhTiny + ", a, r + r), x)", with, err
}

func coshForm(t typ, degree int) (string, []string, error) {
	with, err := hyperbola(t, degree)
	with = append(with, "r = pin(s + pin(w + fma(o, d, g*c)))")
	return "r + r", with, err
}

// tightTanhForm is -t/(2+t), t = expm1(-2|x|), with the roundings of t, of the
// denominator and of the quotient made good.
func tightTanhForm(t typ, degree int) (string, []string, error) {
	q, err := expm1Fit(degree, t.format)
	if err != nil {
		return "", nil, err
	}
	with := append([]string{"y = -2*abs(x)"}, reduce("y", t.tanhLow, "0", t)...)
	return "copysign(z, x)", append(with,
		// q0 + q1 = expm1(f)
		"g = pin(f*f*"+horner("f", q)+")",
		"q0 = pin(f + g)",
		"q1 = pin(g - pin(q0 - f))",
		// t + l = expm1(y)
		"s = ldexp(1, k)",
		"w = pin(s - 1)",
		"t = fma(s, q0, w)",
		"l = fma(s, q1, fma(s, q0, pin(pin(w - t) + pin(s - pin(w + 1)))))",
		// d + e = 2 + t + l
		"d = pin(2 + t)",
		"e = pin(t - pin(d - 2)) + l",
		"i = 1/d",
		"u = pin(t*i)",
		"z = fma(fma(-u, d, t) + fma(-u, e, l), i, u)"), nil
}

// asinhForm is log1p(v), v = a + a²/(1 + sqrt(1 + a²)), and log(2a) for large a.
func asinhForm(t typ, degree int) (string, []string, error) {
	with, err := log1pOfSum("a", "b", "a", t, degree)
	return "copysign(y, x)", append([]string{
		"a = abs(x)",
		"q = a*a",
		"b = pin(q/(1 + sqrt(1 + q)))",
	}, with...), err
}

// acoshForm is log1p(v), v = t + sqrt(2t + t²), t = x - 1, and log(2x) for large
// x.
func acoshForm(t typ, degree int) (string, []string, error) {
	with, err := log1pOfSum("a", "b", "x", t, degree)
	return "select(x < 1, nan, y)", append([]string{
		"b = pin(x - 1)",
		"a = pin(sqrt(fma(b, b, b + b)))",
	}, with...), err
}

// log1pOfSum gives the bindings from a >= b >= 0 (names) to y = log(1 + a + b),
// which is log(2x) for large x. The best forms keep the rounding error of the sum.
func log1pOfSum(a, b, x string, t typ, degree int) ([]string, error) {
	small := x + " < " + t.large
	with := []string{"v = select(" + small + ", pin(" + a + " + " + b + "), " + x + ")"}
	low := ""
	if t.format == minimax.Float64 || degree > 9 {
		low = "select(" + small + ", pin(" + b + " - pin(v - " + a + ")), 0)"
	}
	log, err := log1pOf("v", low, " + select("+small+", 0, 1)", t, degree)
	return append(with, log...), err
}

// atanhForm is log1p(v)/2, v = 2a/(1-a).
func atanhForm(t typ, degree int) (string, []string, error) {
	with := []string{
		"a = abs(x)",
		"v = (a + a)/pin(1 - a)",
	}
	log, err := log1pOf("v", "", "", t, degree)
	return "copysign(select(a > 1, nan, 0.5*y), x)", append(with, log...), err
}

// tightAtanhForm makes good the roundings of the difference and of the quotient,
// which is not a number at a = 1.
func tightAtanhForm(t typ, degree int) (string, []string, error) {
	with := []string{
		"a = abs(x)",
		"b = a + a",
		"c = pin(1 - a)",
		"i = 1/c",
		"q = pin(b*i)",
		"v = fma(fma(-q, pin(pin(1 - c) - a), fma(-q, c, b)), i, q)",
	}
	log, err := log1pOf("v", "", "", t, degree)
	return "copysign(select(a < 1, 0.5*y, select(a == 1, inf, nan)), x)", append(with, log...), err
}

func hyperbolics() ([]rule, error) { return rulesOf(hyperbolicTiers) }
