package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

// A typ is what the forms of one type share.
type typ struct {
	name   string
	format minimax.Format
	// kBits is the size of the largest |k| in x = k ln 2 + f.
	kBits uint
	// root is sqrt(2).
	root string

	// expLow is where exp is 0 after rounding to nearest, expHigh where it has
	// overflowed, kMax the k at which that begins; exp2Low is where exp2 is 0.
	expLow, expHigh, kMax, exp2Low string
	// expm1Low is where expm1 is -1; tiny where expm1(x) is x.
	expm1Low, tiny string
	// tanhLow is the -2|x| where tanh is 1 to half an ulp and more.
	tanhLow string
	// sinhMax is the k at which sinh overflows; sinh(x) is x below sinhTiny.
	sinhMax, sinhTiny string
	// large is where 1 is nothing to x², which is finite.
	large string
	// squareLow and squareHigh are where squares of arguments, doubled, are
	// normal numbers; grow and shrink scale the arguments beyond into that range.
	squareLow, squareHigh, grow, ungrow, shrink, unshrink string
	// below residueLow the rounding error of a square is subnormal; residueGrow
	// scales out of there and residueRoot is its root.
	residueLow, residueGrow, residueRoot string
}

var (
	f32 = typ{
		name: "float32", format: minimax.Float32, kBits: 8, root: "0x1.6a09e6p0",
		expLow: "-104", expHigh: "89", kMax: "128", exp2Low: "-151", expm1Low: "-18", tiny: "0x1p-25", tanhLow: "-20",
		sinhMax: "129", sinhTiny: "0x1p-14", large: "0x1p30",
		squareLow: "0x1p-62", squareHigh: "0x1p62", grow: "0x1p87", ungrow: "0x1p-87", shrink: "0x1p-66", unshrink: "0x1p66",
		residueLow: "0x1p-100", residueGrow: "0x1p50", residueRoot: "0x1p25",
	}
	f64 = typ{
		name: "float64", format: minimax.Float64, kBits: 11, root: "0x1.6a09e667f3bcdp0",
		expLow: "-746", expHigh: "710", kMax: "1024", exp2Low: "-1076", expm1Low: "-38", tiny: "0x1p-54", tanhLow: "-40",
		sinhMax: "1025", sinhTiny: "0x1p-28", large: "0x1p60",
		squareLow: "0x1p-510", squareHigh: "0x1p510", grow: "0x1p563", ungrow: "0x1p-563", shrink: "0x1p-514", unshrink: "0x1p514",
		residueLow: "0x1p-960", residueGrow: "0x1p110", residueRoot: "0x1p55",
	}
)

// A tier is one form of a function: more degrees, less error.
type tier struct {
	fn   string
	make func(t typ, degree int) (body string, with []string, err error)
	t    typ
	// degree of the polynomial, or a variant.
	degree int
	// domain is "all", or a condition on x that then is part of the name.
	domain string
	// within is the bound promised, in ulp, fma being one operation.
	within string
}

// The variants of forms without a polynomial of their own.
const (
	only    = -iota // there is no other
	rough           // cheap
	stepped         // with a step that makes the roundings good
	wide            // in float64, rounded once
	split9          // degree 9, factors split for want of fma
)

var variants = map[int]string{rough: "-rough", stepped: "-stepped", wide: "-wide", split9: "-9-split"}

// The domains.
const (
	all      = "all"
	negative = "x <= 0"
	unit     = "0 <= x && x <= 1"
)

// suffixes are what narrower domains add to the name of a form.
var suffixes = map[string]string{negative: "-neg", unit: "-unit"}

// basicTiers are the forms of exp, expm1, tanh and log, each function's best
// first. tanh has more in the family of its own.
var basicTiers = []tier{
	{"exp", expForm, f32, 6, all, "1"},
	{"exp", expForm, f32, 5, all, "2.25"},
	{"expm1", expm1Form, f32, 6, all, "2"},
	{"expm1", negExpm1Form, f32, 6, negative, "2"},
	{"tanh", tanhForm, f32, 6, all, "3"},
	{"log", logForm, f32, 9, all, "2"},
	{"log", logForm, f32, 8, all, "4"},
	{"exp", expForm, f64, 11, all, "1"},
	{"exp", expForm, f64, 10, all, "3"},
	{"expm1", expm1Form, f64, 12, all, "2"},
	{"expm1", expm1Form, f64, 11, all, "2"},
	{"expm1", negExpm1Form, f64, 11, negative, "2"},
	{"tanh", tanhForm, f64, 11, all, "3"},
	{"log", ratioLogForm, f64, 7, all, "1"},
	{"log", ratioLogForm, f64, 6, all, "3"},
	{"log", splitLogForm, f64, 20, all, "2"},
}

func basic() ([]rule, error) { return rulesOf(basicTiers) }

// rule computes the form.
func (t tier) rule() (rule, error) {
	body, with, err := t.make(t.t, t.degree)
	if err != nil {
		return rule{}, fmt.Errorf("%s for %s, degree %d: %w", t.fn, t.t.name, t.degree, err)
	}
	r := rule{
		name: strings.ReplaceAll(t.fn, "_", "-") + "-" + t.t.name, call: t.fn + "(x)", body: body, with: with,
		typ: t.t.name, domain: everywhere, within: t.within + " ulp",
	}
	if t.degree > 0 {
		r.name += "-" + strconv.Itoa(t.degree)
	} else {
		r.name += variants[t.degree]
	}
	if suffix, ok := suffixes[t.domain]; ok {
		r.name += suffix
		r.domain = "on " + t.domain
	}
	if t.fn == "hypot" || t.fn == "pow" {
		r.call = t.fn + "(x, y)"
	}
	return r, nil
}

// rulesOf makes the rules of tiers.
func rulesOf(tiers []tier) ([]rule, error) {
	var out []rule
	for _, t := range tiers {
		r, err := t.rule()
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// reduce gives the bindings from x (an expression) to k and f, x = k ln 2 + f.
// The clamp from below keeps NaN; the clamp of k from above turns NaN into kMax,
// as ldexp wants, while f stays NaN.
func reduce(x, low, kMax string, t typ) []string {
	high, lo := split(t.format, t.kBits)
	return []string{
		fmt.Sprintf("c = select(%s < %s, %s, %s)", x, low, low, x),
		"n = rint(c*" + rounded(bigfloat.Log2e(prec), t.format) + ")",
		fmt.Sprintf("k = select(n < %s, n, %s)", kMax, kMax),
		fmt.Sprintf("f = fma(k, -%s, fma(k, -%s, c))", lo, high),
	}
}

func expForm(t typ, degree int) (string, []string, error) {
	q, err := expFit(degree, t.format)
	if err != nil {
		return "", nil, err
	}
	with := append(reduce("x", t.expLow, t.kMax, t),
		"p = "+horner("f", append([]string{"1"}, q...)))
	return "ldexp(p, k)", with, nil
}

// expm1Form works with half the result, since 2^k overflows before it does.
func expm1Form(t typ, degree int) (string, []string, error) {
	q, err := expm1Fit(degree, t.format)
	if err != nil {
		return "", nil, err
	}
	with := append(reduce("x", t.expm1Low, t.kMax, t),
		"t = fma(f*f, "+horner("f", q)+", f)",
		"s = ldexp(0.5, k)",
		"r = fma(s, t, s - 0.5)")
	return "select(abs(x) < " + t.tiny + ", x, r + r)", with, nil
}

// negExpm1Form serves x <= 0, where nothing overflows. -0 loses its sign on the
// way and gets it back at the end.
func negExpm1Form(t typ, degree int) (string, []string, error) {
	with, err := negExpm1("x", t, degree)
	return "copysign(t, x)", with, err
}

// negExpm1 gives the bindings from x <= 0 (an expression) to t = expm1(x).
func negExpm1(x string, t typ, degree int) ([]string, error) {
	q, err := expm1Fit(degree, t.format)
	if err != nil {
		return nil, err
	}
	return append(reduce(x, t.expm1Low, "0", t),
		"q = fma(f*f, "+horner("f", q)+", f)",
		"s = ldexp(1, k)",
		"t = fma(s, q, s - 1)"), nil
}

// tanhForm is -t/(2+t) with t = expm1(-2|x|).
func tanhForm(t typ, degree int) (string, []string, error) {
	with, err := negExpm1("y", t, degree)
	return "copysign(-t/(2 + t), x)", append([]string{"y = -2*abs(x)"}, with...), err
}

// fraction gives the bindings from x to e and r, |x| = 2^e * (1 + r), 1 + r in
// [sqrt(1/2), sqrt(2)].
func fraction(t typ) []string {
	return []string{
		"m = mant(x)",
		"e = logb(x) + select(m > " + t.root + ", 1, 0)",
		"r = fma(m, select(m > " + t.root + ", 0.5, 1), -1)",
	}
}

// logForm multiplies e by ln 2 rounded to the type. That is off by only 2^-28
// for float32; float64 needs a low part.
func logForm(t typ, degree int) (string, []string, error) {
	q, err := log1pFit(degree, t.format)
	if err != nil {
		return "", nil, err
	}
	with := append(fraction(t),
		"p = fma(r*r, "+horner("r", q)+", r)",
		"y = fma(e, "+rounded(bigfloat.Ln2(prec), t.format)+", p)")
	return "select(x < 0, nan, y)", with, nil
}

// splitLogForm is logForm with ln 2 in two parts.
func splitLogForm(t typ, degree int) (string, []string, error) {
	q, err := log1pFit(degree, t.format)
	if err != nil {
		return "", nil, err
	}
	high, low := split(t.format, t.kBits)
	with := append(fraction(t),
		"p = fma(r*r, "+horner("r", q)+", fma(e, "+low+", r))",
		"y = fma(e, "+high+", p)")
	return "select(x < 0, nan, y)", with, nil
}

// ratioLogForm has half the multiplications and a division; degree is in s².
func ratioLogForm(t typ, degree int) (string, []string, error) {
	q, err := atanhFit(degree, t.format)
	if err != nil {
		return "", nil, err
	}
	high, low := split(t.format, t.kBits)
	with := append(fraction(t),
		"s = r/(2 + r)",
		"z = s*s",
		"h = 0.5*r*r",
		"g = s*fma(z, "+horner("z", q)+", h)",
		"y = fma(e, "+high+", pin(r - pin(h - fma(e, "+low+", g))))")
	return "select(x < 0, nan, y)", with, nil
}
