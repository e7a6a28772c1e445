package main

import (
	"fmt"
	"math"
	"math/big"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

// ratioFit returns c1 ... cn with f(x) = x + x*(c1 z + ... + cn z^n), z = x²,
// for |x| up to bound, relative error.
func ratioFit(f func(*big.Float) *big.Float, n int, bound float64, format minimax.Format) ([]string, error) {
	return fitLong(minimax.Problem{
		F: f, A: number(0), B: number(bound), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 1, Coef: number(1)}}, Exponents: odd(3, 2*n+1),
	}, format)
}

// halfPi returns two numbers of the format whose product is π/2 to nearly twice
// its digits: one fma then adds π/2 without the error of rounding it.
func halfPi(format minimax.Format) (string, string) {
	bits := uint(53)
	if format == minimax.Float32 {
		bits = 24
	}
	target := scaled(pi(), -1)
	var best *big.Float
	var a, b string
	for i := range 4000 {
		// The first factor lies just below 1.
		first := number(0).Sub(number(1), scaled(number(float64(i+1)), -int(bits)))
		second := number(0).Quo(target, first)
		second.SetPrec(bits)
		off := number(0).Mul(first, second)
		off.Abs(off.Sub(off, target))
		if best == nil || off.Cmp(best) < 0 {
			best, a, b = off, rounded(first, format), rounded(second, format)
		}
	}
	return a, b
}

// atanForm: atan(a) is π/2 - atan(1/a) for a > 1.
func atanForm(t typ, n int) (rule, error) {
	q, err := ratioFit(bigfloat.Atan, n, 1, t.format)
	if err != nil {
		return rule{}, err
	}
	first, second := halfPi(t.format)
	return rule{
		name: fmt.Sprintf("atan-%s-%d", t.name, 2*n+1), call: "atan(x)",
		body: "copysign(fma(select(a > 1, " + first + ", 0), " + second + ", p), x)",
		with: []string{
			"a = abs(x)",
			"r = select(a > 1, -1, a)/select(a > 1, a, 1)",
			"z = r*r",
			"p = fma(r*z, " + horner("z", q) + ", r)",
		},
		typ: t.name, domain: everywhere,
	}, nil
}

// coarseAtan keeps an absolute error only; n is the degree in z.
func coarseAtan(n int) (rule, error) {
	q, err := fit(minimax.Problem{F: bigfloat.Atan, A: number(0), B: number(1), Exponents: odd(1, 2*n+1)}, minimax.Float32)
	if err != nil {
		return rule{}, err
	}
	return rule{
		name: fmt.Sprintf("atan-float32-coarse-%d", 2*n+1), call: "atan(x)",
		body: "copysign(fma(r, " + horner("z", q) + ", select(a > 1, " + rounded(scaled(pi(), -1), minimax.Float32) + ", 0)), x)",
		with: []string{
			"a = abs(x)",
			"r = select(a > 1, -1, a)/select(a > 1, a, 1)",
			"z = r*r",
		},
		typ: "float32", domain: everywhere,
	}, nil
}

// atan2Form turns by quarters: b is the number of quarter turns to add to the
// arc of r, which is the quotient of the smaller by the larger coordinate. Equal
// ones, among them two zeros and two infinities, have their quotients put in.
func atan2Form(t typ, n int) (rule, error) {
	q, err := ratioFit(bigfloat.Atan, n, 1, t.format)
	if err != nil {
		return rule{}, err
	}
	first, second := halfPi(t.format)
	return rule{
		name: fmt.Sprintf("atan2-%s-%d", t.name, 2*n+1), call: "atan2(y, x)",
		body: "copysign(fma(b*" + first + ", " + second + ", p), y)",
		with: []string{
			"a = abs(y)",
			"c = abs(x)",
			"s = copysign(1, x)",
			"b = select(a > c, 1, 1 - s)",
			"d = select(a > c, -x, a)/select(a > c, a, x)",
			"r = select(a == c, copysign(select(a == 0, 0, 1), x), d)",
			"z = r*r",
			"p = fma(r*z, " + horner("z", q) + ", r)",
		},
		typ: t.name, domain: everywhere,
	}, nil
}

// arc gives the bindings that asin and acos have in common: above the joint both
// work with z = (1-|x|)/2 and its root, below with x².
func arc(t typ, n int, joint float64) ([]string, error) {
	q, err := ratioFit(asin, n, max(joint, math.Sqrt((1-joint)/2)), t.format)
	if err != nil {
		return nil, err
	}
	return []string{
		"a = abs(x)",
		"h = fma(a, -0.5, 0.5)",
		fmt.Sprintf("z = select(a > %v, h, a*a)", joint),
		fmt.Sprintf("r = select(a > %v, sqrt(h), a)", joint),
		"q = " + horner("z", q),
	}, nil
}

// asinForm is π/2 - 2 asin(r) above the joint, which lies where r < 1/2 and the
// subtrahend is below 1: their roundings count half there.
func asinForm(t typ, n int) (rule, error) {
	with, err := arc(t, n, 0.5625)
	if err != nil {
		return rule{}, err
	}
	first, second := halfPi(t.format)
	return rule{
		name: fmt.Sprintf("asin-%s-%d", t.name, 2*n+1), call: "asin(x)",
		body: "copysign(fma(select(a > 0.5625, " + first + ", 0), " + second + ", fma(f*r*z, q, f*r)), x)",
		with: append(with, "f = select(a > 0.5625, -2, 1)"),
		typ:  t.name, domain: everywhere,
	}, nil
}

func acosForm(t typ, n int) (rule, error) {
	with, err := arc(t, n, 0.5)
	if err != nil {
		return rule{}, err
	}
	first, second := halfPi(t.format)
	return rule{
		name: fmt.Sprintf("acos-%s-%d", t.name, 2*n+1), call: "acos(x)",
		body: "fma(b*" + first + ", " + second + ", copysign(fma(f*r*z, q, f*r), f*x))",
		with: append(with,
			"f = select(a > 0.5, 2, -1)",
			"b = select(a > 0.5, select(x < 0, 2, 0), 1)"),
		typ: t.name, domain: everywhere,
	}, nil
}

// inverse gives all forms of asin, acos, atan and atan2.
func inverse() ([]rule, error) {
	var out []rule
	for _, m := range []struct {
		within string
		make   func() (rule, error)
	}{
		{"2 ulp", func() (rule, error) { return atanForm(f32, 8) }},
		{"3 ulp", func() (rule, error) { return atanForm(f32, 7) }},
		{"1.5e-5 abs", func() (rule, error) { return coarseAtan(4) }},
		{"7e-4 abs", func() (rule, error) { return coarseAtan(2) }},
		{"2 ulp", func() (rule, error) { return atan2Form(f32, 8) }},
		{"2 ulp", func() (rule, error) { return asinForm(f32, 5) }},
		{"2 ulp", func() (rule, error) { return acosForm(f32, 5) }},
		{"2 ulp", func() (rule, error) { return atanForm(f64, 20) }},
		{"2 ulp", func() (rule, error) { return atan2Form(f64, 20) }},
		{"2 ulp", func() (rule, error) { return asinForm(f64, 14) }},
		{"1.5 ulp", func() (rule, error) { return acosForm(f64, 13) }},
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
