package main

import (
	"fmt"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

var logarithmTiers = []tier{
	{"log1p", log1pForm, f32, 9, all, "2"},
	{"log1p", log1pForm, f32, 8, all, "4"},
	{"log1p", log1pForm, f32, 5, all, "1100"},
	{"log1p", unitForm, f32, 11, unit, "1.25"},
	{"log1p", unitForm, f32, 7, unit, "30"},
	{"log2", log2Form, f32, 9, all, "1.5"},
	{"log2", log2Form, f32, 8, all, "4"},
	{"log2", log2Form, f32, 5, all, "900"},
	{"log10", log10Form, f32, 9, all, "1.5"},
	{"log10", log10Form, f32, 8, all, "4"},
	{"log10", log10Form, f32, 5, all, "900"},
	{"log1p", log1pForm, f64, 7, all, "1.75"},
	{"log1p", unitRatioForm, f64, 11, unit, "1.5"},
	{"log2", log2RatioForm, f64, 7, all, "1"},
	{"log10", log10RatioForm, f64, 7, all, "1"},
}

// log2Form is log2(1+r) = r + r*T(r): T is below 1, so that its rounding
// counts little.
func log2Form(t typ, degree int) (string, []string, error) {
	q, err := log2Fit(degree, t.format)
	if err != nil {
		return "", nil, err
	}
	with := append(fraction(t),
		"p = fma(r, "+horner("r", q)+", r)",
		// The two terms of e may cancel.
		"y = pin(pin(e) + p)")
	return "select(x < 0, nan, y)", with, nil
}

// log10Form likewise, with r/2.
func log10Form(t typ, degree int) (string, []string, error) {
	q, err := log10Fit(degree, t.format)
	if err != nil {
		return "", nil, err
	}
	high, low := splitOf(log10of2(), t.format, t.kBits)
	with := append(fraction(t),
		"p = fma(r, "+horner("r", q)+", 0.5*r)",
		"y = fma(e, "+high+", fma(e, "+low+", p))")
	return "select(x < 0, nan, y)", with, nil
}

// shifted gives the bindings from v (a name) to e and r with 1 + v = 2^e (1+r),
// r rounded once however v and 1 cancel. At v = -1 and at infinities and NaN r
// is 0, and e, which is infinite or NaN, makes the result.
func shifted(v string, t typ) []string {
	return []string{
		"u = 1 + " + v,
		"m = mant(u)",
		"e = logb(u) + select(m > " + t.root + ", 1, 0)",
		"s = ldexp(1, -e)",
		"r = select(abs(e) < inf, fma(" + v + ", s, pin(s - 1)), 0)",
	}
}

// log1pOf gives the bindings from v (a name) to y = log(1+v), a number even for
// v < -1. Two expressions may be given: a low part of v, and what is added to the
// exponent.
func log1pOf(v, low, add string, t typ, degree int) ([]string, error) {
	with := shifted(v, t)
	if low != "" {
		with = append(with, "l = s*"+low)
	}
	if t.format == minimax.Float64 {
		q, err := atanhFit(degree, t.format)
		if err != nil {
			return nil, err
		}
		return append(with, logOf(q, t, low != "", "e"+add)...), nil
	}
	q, err := log1pFit(degree, t.format)
	if err != nil {
		return nil, err
	}
	p := "p = fma(r*r, " + horner("r", q) + ", r)"
	if low != "" {
		p = "p = pin(r + fma(r*r, " + horner("r", q) + ", " + lowPart + "))"
	}
	return append(with, p, "y = fma(e"+add+", "+rounded(bigfloat.Ln2(prec), t.format)+", p)"), nil
}

// lowPart is what l adds to the logarithm of 1+r: l/(1+r), of which two terms
// do.
const lowPart = "fma(-l, r, l)"

// logOf gives the bindings from r, its low part l if there is one, and e (an
// expression) to y, as ratioLogForm does.
func logOf(q []string, t typ, low bool, e string) []string {
	ln2High, ln2Low := split(t.format, t.kBits)
	g := "g = d*fma(z, " + horner("z", q) + ", h)"
	if low {
		g += " + " + lowPart
	}
	return []string{
		"d = r/(2 + r)",
		"z = d*d",
		"h = 0.5*r*r",
		g,
		"y = fma(" + e + ", " + ln2High + ", pin(r - pin(h - fma(" + e + ", " + ln2Low + ", g))))",
	}
}

func log1pForm(t typ, degree int) (string, []string, error) {
	with, err := log1pOf("x", "", "", t, degree)
	return "copysign(select(x < -1, nan, y), x)", with, err
}

// unitForm is log1p where there is no exponent to take off. It keeps -0, its polynomial being negative.
func unitForm(t typ, degree int) (string, []string, error) { return unitOf("x", t, degree) }

// unitOf is unitForm of a name.
func unitOf(v string, t typ, degree int) (string, []string, error) {
	q, err := unitFit(degree, t.format)
	return fmt.Sprintf("fma(%[1]s*%[1]s, q, %[1]s)", v), []string{"q = " + horner(v, q)}, err
}

// unitRatioForm is ratioLogForm without the exponent, with s up to 1/3.
func unitRatioForm(t typ, degree int) (string, []string, error) { return unitRatioOf("x", t, degree) }

// unitRatioOf is unitRatioForm of a name.
func unitRatioOf(v string, t typ, degree int) (string, []string, error) {
	q, err := atanhFitTo(1.0/9, degree, t.format)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("pin(%s - pin(h - g))", v), []string{
		fmt.Sprintf("s = %[1]s/(2 + %[1]s)", v),
		"z = s*s",
		fmt.Sprintf("h = 0.5*%[1]s*%[1]s", v),
		"g = s*fma(z, " + horner("z", q) + ", h)",
	}, nil
}

// logParts gives the bindings from x to e and to a + b = log(1+r), a rounded
// and b small.
func logParts(t typ, degree int) ([]string, error) {
	q, err := atanhFit(degree, t.format)
	if err != nil {
		return nil, err
	}
	return append(fraction(t),
		"s = r/(2 + r)",
		"z = s*s",
		"h = 0.5*r*r",
		"a = pin(r - h)",
		"b = fma(s, fma(z, "+horner("z", q)+", h), pin(pin(r - a) - h))"), nil
}

func log2RatioForm(t typ, degree int) (string, []string, error) {
	with, err := logParts(t, degree)
	if err != nil {
		return "", nil, err
	}
	high, low := twoParts(bigfloat.Log2e(prec), t.format)
	with = append(with,
		fmt.Sprintf("p = fma(a, %s, fma(a, %s, b*%s))", high, low, high),
		"y = pin(pin(e) + p)")
	return "select(x < 0, nan, y)", with, nil
}

func log10RatioForm(t typ, degree int) (string, []string, error) {
	with, err := logParts(t, degree)
	if err != nil {
		return "", nil, err
	}
	high, low := twoParts(log10e(), t.format)
	h2, l2 := splitOf(log10of2(), t.format, t.kBits)
	with = append(with,
		fmt.Sprintf("p = fma(a, %s, fma(a, %s, fma(e, %s, b*%s)))", high, low, l2, high),
		"y = fma(e, "+h2+", p)")
	return "select(x < 0, nan, y)", with, nil
}

func logarithms() ([]rule, error) { return rulesOf(logarithmTiers) }
