package main

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

// This file makes the forms of float32 that look up what would be the first
// terms of a longer polynomial.

// A sum with magic32 and 2^-b rounds to a multiple of 2^-b, whose last bits
// are then those of the sum.
func magic32(b int) string { return literal(math.Ldexp(0x1.8p23, -b), minimax.Float32) }

// lookup prints a look-up in the table of f at n points, rounded to float32.
func lookup(index string, n int, f func(i int) *big.Float) string {
	entries := make([]string, n)
	for i := range entries {
		entries[i] = entry(f(i))
	}
	return "lookup(" + index + ", " + strings.Join(entries, ", ") + ")"
}

// entry prints a number rounded to float32.
func entry(x *big.Float) string {
	v, _ := x.Float32()
	if v == 0 {
		return "0"
	}
	return literal(float64(v), minimax.Float32)
}

// powersOf2 is the table of c 2^(i/2^b + up).
func powersOf2(index string, b, up int, c *big.Float) string {
	return lookup(index, 1<<b, func(i int) *big.Float {
		y := bigfloat.Exp2(number(math.Ldexp(float64(i), -b)))
		return y.SetMantExp(y.Mul(y, c), up)
	})
}

// nearPower is the bound of what is left of x after the nearest multiple of
// ln2/2^b, with room for the roundings of the reduction.
func nearPower(b int) float64 { return math.Ldexp(math.Ln2, -b-1) * (1 + 0x1p-10) }

// tableReduce gives the bindings from x (a name) to s, whose last b bits are an
// index, to k = x/ln2 in multiples of 2^-b and to r, x = k ln2 + r. k may be
// infinite or NaN, r is always small: what overflows or is NaN comes from k.
func tableReduce(x string, b int) []string {
	high, low := splitOf(bigfloat.Ln2(prec), minimax.Float32, uint(8+b))
	return []string{
		fmt.Sprintf("s = pin(fma(%s, %s, %s))", x, rounded(bigfloat.Log2e(prec), minimax.Float32), magic32(b)),
		fmt.Sprintf("k = pin(s - %s)", magic32(b)),
		fmt.Sprintf("r = minmag(fma(k, -%s, fma(k, -%s, %s)), 0.5)", low, high, x),
	}
}

// unitFitted returns f = C (1 + c1 r + ... + cn r^n) for |r| up to bound, as
// best fits: C, which goes into a table, and the rounded coefficients.
func unitFitted(f func(*big.Float) *big.Float, bound float64, degree int, format minimax.Format) (*big.Float, []string, error) {
	p := minimax.Problem{
		F: f, A: number(-bound), B: number(bound), Weight: minimax.Relative, Exponents: powers(0, degree), Prec: prec,
	}
	a, err := p.Solve()
	if err != nil {
		return nil, nil, err
	}
	c := a.Terms[0].Coef
	q, err := fit(minimax.Problem{
		F: func(r *big.Float) *big.Float { y := f(r); return y.Quo(y, c) },
		A: number(-bound), B: number(bound), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 0, Coef: number(1)}}, Exponents: powers(1, degree),
	}, format)
	return c, q, err
}

// expTable is 2^⌊k⌋ T exp(r), T = 2^(fraction of k), the last factor 1 and a
// polynomial without constant term, whose rounding counts little.
func expTable(t typ, degree int) (string, []string, error) {
	b := tableBits[degree]
	return powerTable(tableReduce("x", b), bigfloat.Exp, nearPower(b), t, degree)
}

// exp2Table likewise; its reduction is exact.
func exp2Table(t typ, degree int) (string, []string, error) {
	b := tableBits[degree]
	return powerTable([]string{
		"s = pin(x + " + magic32(b) + ")",
		"k = pin(s - " + magic32(b) + ")",
		"r = minmag(pin(x - k), 0.5)",
	}, bigfloat.Exp2, math.Ldexp(0.5, -b), t, degree)
}

// scaledTable is exp2Table of x log2(e). The product may join the constants that
// x is made of; that it is rounded costs as many ulp as x is large.
func scaledTable(t typ, degree int) (string, []string, error) {
	body, with, err := exp2Table(t, degree)
	for i := range with {
		with[i] = strings.NewReplacer("(x ", "(z ").Replace(with[i])
	}
	return body, append([]string{"z = x*" + rounded(bigfloat.Log2e(prec), t.format)}, with...), err
}

// tableBits are the bits of the index, by degree.
var tableBits = map[int]int{2: 5, 3: 4}

func powerTable(reduction []string, f func(*big.Float) *big.Float, bound float64, t typ, degree int) (string, []string, error) {
	c, q, err := unitFitted(f, bound, degree, t.format)
	if err != nil {
		return "", nil, err
	}
	return "ldexp(fma(t, r*p, t), k)", append(reduction,
		"t = "+powersOf2("s", tableBits[degree], 0, c),
		"p = "+horner("r", q)), nil
}

// sigmoidTable is s/(s + exp(-r)), s = 2^k. Both are scaled by 2^24, or s
// would be subnormal before the result is. Beyond 60 the result is 1.
func sigmoidTable(t typ, degree int) (string, []string, error) {
	const b, up = 5, 24
	bound := nearPower(b)
	q, err := fit(minimax.Problem{
		F: func(r *big.Float) *big.Float {
			y := bigfloat.Exp(number(0).Neg(r))
			return y.SetMantExp(y, up)
		},
		A: number(-bound), B: number(bound), Weight: minimax.Relative, Exponents: powers(0, degree),
	}, t.format)
	if err != nil {
		return "", nil, err
	}
	with := append([]string{"c = select(60 < x, 60, x)"}, tableReduce("c", b)...)
	return "t/pin(t + q)", append(with, "q = "+horner("r", q), "t = ldexp("+powersOf2("s", b, up, number(1))+", k)"), nil
}

// scaledSigmoid is 1/(1 + 2^z), z = -x log2(e), with the error of scaledTable.
// What overflows gives 0.
func scaledSigmoid(t typ, degree int) (string, []string, error) {
	b := tableBits[degree]
	c, q, err := unitFitted(bigfloat.Exp2, math.Ldexp(0.5, -b), degree, t.format)
	if err != nil {
		return "", nil, err
	}
	return "1/fma(t, p, 1)", []string{
		"z = x*-" + rounded(bigfloat.Log2e(prec), t.format),
		"s = pin(z + " + magic32(b) + ")",
		"k = pin(s - " + magic32(b) + ")",
		"r = minmag(pin(z - k), 0.5)",
		"t = ldexp(" + powersOf2("s", b, 0, c) + ", k)",
		"p = " + horner("r", append([]string{"1"}, q...)),
	}, nil
}

// tanhTable is the addition theorem for |x| = j/2 + d, (T E + d)/(E + T d) with
// T = tanh(j/2) and E = d coth d; degree is that of E in d².
func tanhTable(t typ, degree int) (string, []string, error) {
	const limit = 9.2 // tanh is 1 to half an ulp from 9.02 on
	q, err := fit(minimax.Problem{
		F: func(z *big.Float) *big.Float {
			if z.Sign() == 0 {
				return number(1)
			}
			d := number(0).Sqrt(z)
			return d.Quo(d, bigfloat.Tanh(d))
		},
		A: number(0), B: number(1.0 / 16), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 0, Coef: number(1)}}, Exponents: powers(1, degree),
	}, t.format)
	if err != nil {
		return "", nil, err
	}
	return "copysign(fma(t, e, d)/fma(t, d, e), x)", []string{
		fmt.Sprintf("a = select(%v < abs(x), %v, abs(x))", entry(number(limit)), entry(number(limit))),
		"s = pin(a + " + magic32(1) + ")",
		"d = pin(a - pin(s - " + magic32(1) + "))",
		"t = " + lookup("s", 32, func(i int) *big.Float { return bigfloat.Tanh(number(float64(i) / 2)) }),
		"z = d*d",
		"e = " + horner("z", append([]string{"1"}, q...)),
	}, nil
}

// logTable is e ln2 + log(c) + log1p(r), x = 2^e m, r = m/c - 1, where the
// leading bits of m choose c. In the first piece c is 1 and in the last 2, so
// that logarithms of numbers near 1 keep their relative error.
func logTable(t typ, degree int) (string, []string, error) {
	const b = 4
	q, err := log1pFitOn(-0x1p-5, 0x1p-4, degree, t.format)
	if err != nil {
		return "", nil, err
	}
	inverse := func(i int) *big.Float {
		switch i {
		case 0:
			return number(1)
		case 1<<b - 1:
			return number(0.5)
		}
		return niceLog(1 / (1 + (float64(i)+0.5)/(1<<b)))
	}
	logarithm := func(i int) *big.Float {
		y, _ := bigfloat.Log(inverse(i))
		return y.Neg(y)
	}
	return "select(x < 0, nan, y)", []string{
		"m = mant(x)",
		"r = fma(m, " + lookup("m >> 19", 1<<b, inverse) + ", -1)",
		"c = fma(logb(x), " + rounded(bigfloat.Ln2(prec), t.format) + ", " + lookup("m >> 19", 1<<b, logarithm) + ")",
		"p = " + horner("r", q),
		"y = fma(r*r, p, pin(c + r))",
	}, nil
}

// niceLog is the float32 near x whose logarithm is nearest to a float32.
func niceLog(x float64) *big.Float {
	v, best, least := float32(x), float32(x), math.Inf(1)
	for range 4000 {
		y, _ := bigfloat.Log(number(float64(v)))
		f, _ := y.Float32()
		off, _ := number(0).Sub(y, number(float64(f))).Float64()
		if off = math.Abs(off); off < least {
			best, least = v, off
		}
		v = math.Nextafter32(v, 0)
	}
	return number(float64(best))
}

// erfTable has a polynomial of its own on each of the pieces of |x|, whose
// centres are the multiples of width.
func erfTable(t typ, degree int) (string, []string, error) {
	const pieces, end = 16, 3.95 // erf is 1 to half an ulp from 3.92 on
	scale := math.Floor((pieces-1)/end*64) / 64
	coefs := make([][]*big.Float, degree+1)
	for i := range pieces {
		at := number(float64(i))
		p := minimax.Problem{
			F: func(d *big.Float) *big.Float {
				x := number(0).Add(at, d)
				return bigfloat.Erf(x.Quo(x, number(scale)))
			},
			A: number(-0.5), B: number(0.5), Exponents: powers(0, degree), Prec: prec,
		}
		if i == 0 { // an odd function with a small relative error
			p.A, p.Weight, p.Exponents = number(0), minimax.Relative, powers(1, degree)
		}
		a, err := p.Round(t.format, minimax.LowestFirst)
		if err != nil {
			return "", nil, err
		}
		if i == 0 {
			a.Terms = append([]minimax.Term{{Exp: 0, Coef: number(0)}}, a.Terms...)
		}
		for k, term := range a.Terms {
			coefs[k] = append(coefs[k], term.Coef)
		}
	}
	tables := make([]string, degree+1)
	for k, list := range coefs {
		tables[k] = lookup("s", pieces, func(i int) *big.Float { return list[i] })
	}
	return "copysign(y, x)", []string{
		fmt.Sprintf("a = select(%s < abs(x), %s, abs(x))", entry(number(end)), entry(number(end))),
		fmt.Sprintf("s = pin(fma(a, %v, %s))", scale, magic32(0)),
		fmt.Sprintf("d = fma(a, %v, -pin(s - %s))", scale, magic32(0)),
		"y = " + horner("d", tables),
	}, nil
}

// turnTable is sin or cos by multiples of π up to 2^17, the sign by a table of
// two, and beyond by line32, which is for whoever emits it to keep aside.
func turnTable(fn string, degree int) (rule, error) {
	q, err := sinFit(degree, halfPi32, minimax.Float32)
	if err != nil {
		return rule{}, err
	}
	line, err := line32(fn)
	if err != nil {
		return rule{}, err
	}
	inv := rounded(number(0).Quo(number(1), pi()), minimax.Float32)
	with := []string{
		"i = pin(fma(x, " + inv + ", " + magic32(0) + "))",
		"n = pin(i - " + magic32(0) + ")",
		strings.Replace(takeOff32("n", pi(), 3), "r = ", "u = ", 1),
		"t = u*lookup(i, 1, -1)",
	}
	if fn == "cos" { // as in reduceHalf32
		with = []string{
			"i = pin(fma(x, " + inv + ", -0.5) + " + magic32(0) + ")",
			"n = pin(i - " + magic32(0) + ")",
			"m = n + 0.5",
			strings.Replace(takeOff32("m", pi(), 3), "r = ", "u = ", 1),
			"t = u*lookup(i, -1, 1)",
		}
	}
	with = append(with, "v = u*u", "w = fma(v, "+horner("v", q)+", 0)")
	return rule{
		name: fmt.Sprintf("%s-float32-table-%d", fn, degree), call: fn + "(x)",
		body: "select(0x1p17 < abs(x), " + line.body + ", fma(w, t, t))",
		with: append(with, line.with...), typ: "float32", domain: everywhere, within: "2.5 ulp",
	}, nil
}

// tableTiers are the forms with tables.
var tableTiers = []tier{
	{"exp", expTable, f32, 2, all, "1.75"},
	{"exp", expTable, f32, 3, all, "1"},
	{"exp", scaledTable, f32, 2, all, "90"},
	{"exp", scaledTable, f32, 3, all, "90"},
	{"exp2", exp2Table, f32, 2, all, "1.75"},
	{"exp2", exp2Table, f32, 3, all, "1"},
	{"sigmoid", sigmoidTable, f32, 2, all, "3.6"},
	{"sigmoid", scaledSigmoid, f32, 2, all, ""},
	{"sigmoid", scaledSigmoid, f32, 3, all, ""},
	{"tanh", tanhTable, f32, 2, all, "3.5"},
	{"log", logTable, f32, 4, all, "3"},
	{"erf", erfTable, f32, 5, all, "2.5"},
}

func tables() ([]rule, error) {
	list, err := rulesOf(tableTiers)
	for i := range list {
		kind := "float32-table"
		if strings.HasPrefix(list[i].with[0], "z = x*") {
			kind = "float32-scaled-table"
		}
		list[i].name = strings.Replace(list[i].name, "float32", kind, 1)
		if strings.HasPrefix(list[i].name, "sigmoid-float32-scaled") { // it overflows on the way to the smallest results
			list[i].within = "2e-7 abs"
		}
	}
	for _, fn := range []string{"sin", "cos"} {
		r, wrong := turnTable(fn, 9)
		err = cmp.Or(err, wrong)
		list = append(list, r)
	}
	return list, err
}
