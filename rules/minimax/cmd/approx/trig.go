package main

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

func pi() *big.Float { return bigfloat.Pi(prec) }

// scaled is x * 2^n.
func scaled(x *big.Float, n int) *big.Float { return number(0).SetMantExp(x, n) }

// parts returns x as a sum of numbers of the given bits, all but the last
// truncated, so that all have the sign of x.
func parts(x *big.Float, format minimax.Format, bits ...uint) []string {
	rest := new(big.Float).Set(x)
	var out []string
	for i, n := range bits {
		p := new(big.Float).SetMode(big.ToZero).SetPrec(n)
		if i == len(bits)-1 {
			p.SetMode(big.ToNearestEven)
		}
		p.Set(rest)
		rest.Sub(rest, p)
		out = append(out, rounded(p, format))
	}
	return out
}

// odd returns first, first+2, ..., last.
func odd(first, last int) []int {
	var out []int
	for e := first; e <= last; e += 2 {
		out = append(out, e)
	}
	return out
}

// sinFit returns the coefficients of r^3, r^5 ... r^degree in sin(r) for |r| up
// to bound, relative error.
func sinFit(degree int, bound float64, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: sin, A: number(0), B: number(bound), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 1, Coef: number(1)}}, Exponents: odd(3, degree),
	}, format)
}

// cosFit returns the coefficients of r^4 ... r^degree in cos(r) after 1 - r²/2.
func cosFit(degree int, bound float64, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: cos, A: number(0), B: number(bound), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 0, Coef: number(1)}, {Exp: 2, Coef: number(-0.5)}}, Exponents: odd(4, degree),
	}, format)
}

// The bounds of the argument that is left of x by multiples of π or π/2: with
// the rounding of the quotient, which in float32 is up to 2^16 and off by up to
// 2^-8.3, and for float64 with what the whole-line reduction leaves out of it.
const (
	halfPi32    = 1.5808
	halfPi64    = 1.57081
	quarterPi32 = 0.7904
	quarterPi64 = 0.78543
)

// takeOff32 is x - m*unit by one fma for each part of the unit, the first of
// which is exact.
func takeOff32(m string, unit *big.Float, n int) string {
	r := "x"
	for _, p := range parts(unit, minimax.Float32, []uint{24, 24, 24}[:n]...) {
		r = fmt.Sprintf("fma(%s, -%s, %s)", m, p, r)
	}
	return "r = " + r
}

// reduceHalf32 gives the bindings for sin or cos by x = nπ + r; t is r or -r. The
// addend 0 makes n = +0 for x = -0, which then keeps its sign.
func reduceHalf32(fn string, n int) []string {
	inv := rounded(number(0).Quo(number(1), pi()), minimax.Float32)
	if fn == "cos" {
		// cos(x) = -(-1)^n sin(x - (n+1/2)π).
		return []string{
			"n = rint(fma(x, " + inv + ", -0.5))",
			"m = n + 0.5",
			takeOff32("m", pi(), n),
			"t = select(rint(0.5*n) == 0.5*n, -r, r)",
			"z = r*r",
		}
	}
	return []string{
		"n = rint(fma(x, " + inv + ", 0))",
		takeOff32("n", pi(), n),
		"t = select(rint(0.5*n) == 0.5*n, r, -r)",
		"z = r*r",
	}
}

// halfTurn32 gives sin or cos by multiples of π. The addend 0 of w keeps the
// sign of t = -0, where a plain product would be -0.
func halfTurn32(fn string, degree int) (rule, error) {
	q, err := sinFit(degree, halfPi32, minimax.Float32)
	if err != nil {
		return rule{}, err
	}
	return rule{
		name: fmt.Sprintf("%s-float32-%d", fn, degree), call: fn + "(x)", body: "fma(w, t, t)",
		with: append(reduceHalf32(fn, 3), "w = fma(z, "+horner("z", q)+", 0)"),
		typ:  "float32", domain: "on abs(x) <= 0x1p17",
	}, nil
}

// coarse32 is halfTurn32 with an absolute error only.
func coarse32(fn string, degree int) (rule, error) {
	q, err := fit(minimax.Problem{F: sin, A: number(0), B: number(halfPi32), Exponents: odd(1, degree)}, minimax.Float32)
	if err != nil {
		return rule{}, err
	}
	return rule{
		name: fmt.Sprintf("%s-float32-coarse-%d", fn, degree), call: fn + "(x)", body: "t*" + horner("z", q),
		with: reduceHalf32(fn, 2),
		typ:  "float32", domain: "on abs(x) <= 0x1p17",
	}, nil
}

// quarters gives the bindings from k, an integer, to q, which is 0 for even
// multiples of a turn, 1 for odd quarters, 4 for half turns.
func quarters() []string {
	return []string{"j = fma(rint(0.25*k), -4, k)", "q = j*j"}
}

// turn puts the sine s and the cosine c of the rest together; k is the number
// of quarter turns.
var turn = map[string]string{
	"sin": "select(q == 1, j*c, fma(q, -0.5, 1)*s)",
	"cos": "select(q == 1, -j*s, fma(q, -0.5, 1)*c)",
	"tan": "select(q == 1, -c, s)/select(q == 1, s, c)",
}

// kernel32 gives the bindings from r, |r| <= π/4, to s and c in float32.
func kernel32(sinDegree, cosDegree int) ([]string, error) {
	s, err := sinFit(sinDegree, quarterPi32, minimax.Float32)
	if err != nil {
		return nil, err
	}
	c, err := cosFit(cosDegree, quarterPi32, minimax.Float32)
	if err != nil {
		return nil, err
	}
	return []string{
		"z = r*r",
		"w = fma(z, " + horner("z", s) + ", 0)",
		"s = fma(w, r, r)",
		"c = fma(z, fma(z, " + horner("z", c) + ", -0.5), 1)",
	}, nil
}

// quarterTurn32 gives sin, cos or tan by x = kπ/2 + r. All three have the
// reduction and both kernels in common.
func quarterTurn32(fn string) (rule, error) {
	kernel, err := kernel32(7, 8)
	if err != nil {
		return rule{}, err
	}
	half := scaled(pi(), -1)
	with := []string{
		"k = rint(fma(x, " + rounded(number(0).Quo(number(1), half), minimax.Float32) + ", 0))",
		takeOff32("k", half, 3),
	}
	with = append(append(with, kernel...), quarters()...)
	return rule{
		name: fn + "-float32-7-8", call: fn + "(x)", body: turn[fn], with: with,
		typ: "float32", domain: "on abs(x) <= 0x1p16",
	}, nil
}

// turnKernel gives the bindings from r in turns, |r| <= 1/8, to s and c in
// float64, good to float32.
func turnKernel(sinDegree, cosDegree int) ([]string, error) {
	twoPi := scaled(pi(), 1)
	ofTurns := func(f func(*big.Float) *big.Float) func(*big.Float) *big.Float {
		return func(x *big.Float) *big.Float { return f(number(0).Mul(x, twoPi)) }
	}
	s, err := fit(minimax.Problem{
		F: ofTurns(sin), A: number(0), B: number(0.12501), Weight: minimax.Relative, Exponents: odd(1, sinDegree),
	}, minimax.Float64)
	if err != nil {
		return nil, err
	}
	c, err := fit(minimax.Problem{
		F: ofTurns(cos), A: number(0), B: number(0.12501), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 0, Coef: number(1)}}, Exponents: odd(2, cosDegree),
	}, minimax.Float64)
	if err != nil {
		return nil, err
	}
	return []string{
		"z = r*r",
		"s = r*" + horner("z", s),
		"c = " + horner("z", append([]string{"1"}, c...)),
	}, nil
}

// kernel64 gives the bindings from h - l, |h| <= π/4, |l| some units in the
// last place of h, to its sine s and cosine c in float64. The sign of l keeps
// that of a zero h.
func kernel64(sinDegree, cosDegree int) ([]string, error) {
	s, err := sinFit(sinDegree, quarterPi64, minimax.Float64)
	if err != nil {
		return nil, err
	}
	c, err := cosFit(cosDegree, quarterPi64, minimax.Float64)
	if err != nil {
		return nil, err
	}
	for i := range s {
		s[i] = negated(s[i])
	}
	return []string{
		"z = h*h",
		"v = 0.5*z",
		"w = pin(1 - v)",
		"s = pin(h - fma(h*z, " + horner("z", s) + ", l*w))",
		"c = pin(w + fma(z*z, " + horner("z", c) + ", fma(h, l, pin(1 - w) - v)))",
	}, nil
}

// negated changes the sign of a literal.
func negated(s string) string {
	if t, ok := strings.CutPrefix(s, "-"); ok {
		return t
	}
	return "-" + s
}

// takeOff64 gives the bindings from x and k to h - l = x - k*unit, k of at most
// 31 bits. The first difference is exact, the second's error is taken along.
func takeOff64(k string, unit *big.Float) []string {
	p := parts(unit, minimax.Float64, 53, 53, 53)
	return []string{
		fmt.Sprintf("r = fma(%s, -%s, x)", k, p[0]),
		fmt.Sprintf("g = pin(%s*%s)", k, p[1]),
		"h = pin(r - g)",
		fmt.Sprintf("l = fma(%s, %s, pin(fma(%s, %s, -g) - pin(pin(r - h) - g)))", k, p[2], k, p[1]),
	}
}

// halfTurn64 gives sin or cos by x = nπ + h - l.
func halfTurn64(fn string, degree int) (rule, error) {
	q, err := sinFit(degree, halfPi64, minimax.Float64)
	if err != nil {
		return rule{}, err
	}
	for i := range q {
		q[i] = negated(q[i])
	}
	unit := bigfloat.Pi(400)
	inv := rounded(number(0).Quo(number(1), unit), minimax.Float64)
	with, m := []string{"n = rint(fma(x, " + inv + ", 0))"}, "n"
	body := "select(rint(0.5*n) == 0.5*n, s, -s)"
	if fn == "cos" {
		with, m = []string{"n = rint(fma(x, " + inv + ", -0.5))", "m = n + 0.5"}, "m"
		body = "select(rint(0.5*n) == 0.5*n, -s, s)"
	}
	with = append(append(with, takeOff64(m, unit)...),
		"z = h*h",
		"s = pin(h - fma(h*z, "+horner("z", q)+", l*fma(z, -0.5, 1)))")
	return rule{
		name: fmt.Sprintf("%s-float64-%d", fn, degree), call: fn + "(x)", body: body, with: with,
		typ: "float64", domain: "on abs(x) <= 0x1p30",
	}, nil
}

// quarterTurn64 gives sin, cos or tan by x = kπ/2 + h - l.
func quarterTurn64(fn string) (rule, error) {
	kernel, err := kernel64(13, 14)
	if err != nil {
		return rule{}, err
	}
	half := scaledPi(400, -1)
	inv := rounded(number(0).Quo(number(1), half), minimax.Float64)
	with := append([]string{"k = rint(fma(x, " + inv + ", 0))"}, takeOff64("k", half)...)
	with = append(append(with, kernel...), quarters()...)
	return rule{
		name: fn + "-float64-13-14", call: fn + "(x)", body: turn[fn], with: with,
		typ: "float64", domain: "on abs(x) <= 0x1p30",
	}, nil
}

// trigonometry gives all forms of sin, cos, tan and their inverses.
func trigonometry() ([]rule, error) {
	var out []rule
	for _, m := range []struct {
		within string
		make   func() (rule, error)
	}{
		{"2.5 ulp", func() (rule, error) { return halfTurn32("sin", 9) }},
		{"2.5 ulp", func() (rule, error) { return halfTurn32("cos", 9) }},
		{"1e-6 abs", func() (rule, error) { return coarse32("sin", 7) }},
		{"1e-4 abs", func() (rule, error) { return coarse32("sin", 5) }},
		{"1e-6 abs", func() (rule, error) { return coarse32("cos", 7) }},
		{"1e-4 abs", func() (rule, error) { return coarse32("cos", 5) }},
		{"2 ulp", func() (rule, error) { return quarterTurn32("sin") }},
		{"2 ulp", func() (rule, error) { return quarterTurn32("cos") }},
		{"4 ulp", func() (rule, error) { return quarterTurn32("tan") }},
		{"0.6 ulp", func() (rule, error) { return line32("sin") }},
		{"0.6 ulp", func() (rule, error) { return line32("cos") }},
		{"0.6 ulp", func() (rule, error) { return line32("tan") }},
		{"2 ulp", func() (rule, error) { return halfTurn64("sin", 17) }},
		{"2 ulp", func() (rule, error) { return halfTurn64("cos", 17) }},
		{"1 ulp", func() (rule, error) { return quarterTurn64("sin") }},
		{"1 ulp", func() (rule, error) { return quarterTurn64("cos") }},
		{"2.5 ulp", func() (rule, error) { return quarterTurn64("tan") }},
		{"1 ulp", func() (rule, error) { return line64("sin", true) }},
		{"1 ulp", func() (rule, error) { return line64("cos", true) }},
		{"2.5 ulp", func() (rule, error) { return line64("tan", true) }},
		{"1 ulp", func() (rule, error) { return line64("sin", false) }},
		{"1 ulp", func() (rule, error) { return line64("cos", false) }},
		{"2.5 ulp", func() (rule, error) { return line64("tan", false) }},
	} {
		r, err := m.make()
		if err != nil {
			return nil, err
		}
		r.within = m.within
		out = append(out, r)
	}
	more, err := inverse()
	return append(out, more...), err
}
