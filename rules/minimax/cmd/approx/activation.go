package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

// activationTiers are the activation functions of neural networks.
var activationTiers = []tier{
	{"sigmoid", sigmoidForm, f32, only, all, "3.9"},
	{"silu", siluForm, f32, 6, all, "3.4"},
	{"silu", siluForm, f32, 3, all, "1800"},
	{"softplus", softplusForm, f32, 6, all, "2"},
	{"mish", mishForm, f32, 6, all, "4"},
	{"mish", mishForm, f32, 3, all, "3000"},
	{"gelu", geluForm, f32, 9, all, "3.5"},
	{"gelu_tanh", geluTanhForm, f32, 6, all, "4"},
	{"gelu_tanh", roughGeluTanhForm, f32, 3, all, "3000"},
	{"elu", eluForm, f32, only, all, "1"},
	{"selu", seluForm, f32, only, all, "2"},
	{"sigmoid", sigmoidForm, f64, only, all, "3.75"},
	{"silu", siluForm, f64, 11, all, "2.75"},
	{"softplus", softplusForm, f64, 11, all, "2.5"},
	{"mish", mishForm, f64, 11, all, "4"},
	{"gelu", geluForm, f64, 23, all, "3.75"},
	{"gelu_tanh", geluTanhForm, f64, 11, all, "4"},
	{"elu", eluForm, f64, only, all, "1.25"},
	{"selu", seluForm, f64, only, all, "3"},
}

// splitTiers do without fma what the others need one for. In float32 the wide forms serve.
var splitTiers = []tier{
	{"gelu", splitGeluForm, f64, 23, all, "4"},
	{"gelu_tanh", splitGeluTanhForm, f64, 11, all, "4"},
}

func activations() ([]rule, error) {
	out, err := rulesOf(activationTiers)
	if err != nil {
		return nil, err
	}
	split, err := rulesOf(splitTiers)
	for _, r := range split {
		r.name += "-nofma"
		out = append(out, r)
	}
	return out, err
}

// sigmoidForm divides by 1 + e^-|x|, which does not overflow.
func sigmoidForm(typ, int) (string, []string, error) {
	return "select(x < 0, e, 1)/(1 + e)", []string{"e = exp(-abs(x))"}, nil
}

// dearestExp is the degree of the exponential that loses no more than its own roundings.
func (t typ) dearestExp() int {
	if t.format == minimax.Float32 {
		return 6
	}
	return 11
}

// decayOf gives the bindings from a >= 0, less low, to e^-(a+low) = p 2^k. NaN makes k 0 and p NaN.
func decayOf(a, low string, t typ, degree int) ([]string, error) {
	q, err := expFit(degree, t.format)
	if err != nil {
		return nil, err
	}
	high, rest := split(t.format, t.kBits)
	f := fmt.Sprintf("fma(k, -%s, fma(k, -%s, -%s))", rest, high, a)
	if low != "" {
		f += " - " + low
	}
	return []string{
		"n = rint(-" + a + "*" + rounded(bigfloat.Log2e(prec), t.format) + ")",
		"k = select(n < 0, n, 0)",
		"f = " + f,
		"p = " + horner("f", append([]string{"1"}, q...)),
		"d = ldexp(p, k)",
	}, nil
}

// clampTo gives the bindings from x to c >= -limit and a = min(|x|, limit).
func clampTo(limit string) []string {
	return []string{
		fmt.Sprintf("c = select(x < -%s, -%s, x)", limit, limit),
		"b = abs(c)",
		fmt.Sprintf("a = select(b > %s, %s, b)", limit, limit),
	}
}

// The argument below which x e^x is 0.
func (t typ) decayed() string {
	if t.format == minimax.Float32 {
		return "112"
	}
	return "760"
}

// scaledLast multiplies by 2^k last, and below 0 only: the exponential may be subnormal where the result is not.
const scaledLast = "ldexp(c*%s/%s, select(x < 0, k, 0))"

// siluForm is x e^x/(1 + e^x) below 0 and x/(1 + e^-x) above.
func siluForm(t typ, degree int) (string, []string, error) {
	decay, err := decayOf("a", "", t, degree)
	return fmt.Sprintf(scaledLast, "select(x < 0, p, 1)", "(1 + d)"), append(clampTo(t.decayed()), decay...), err
}

// mishForm is x n/(n + 2), n = t² + 2t, t = e^x; above 0 both parts are divided by t².
func mishForm(t typ, degree int) (string, []string, error) {
	decay, err := decayOf("a", "", t, degree)
	with := append(append(clampTo(t.decayed()), decay...),
		"s = 1 + (d + d)",
		"u = select(x < 0, fma(p, d, p + p), s)",
		"v = select(x < 0, fma(d, 2 + d, 2), fma(d + d, d, s))")
	return fmt.Sprintf(scaledLast, "u", "v"), with, err
}

// softplusForm keeps the larger part out of the logarithm. exp and log1p are written out: left as functions, each would get the cheapest
// tier within the contract, and their errors add up. degree is that of the exponential.
func softplusForm(t typ, degree int) (string, []string, error) {
	limit := strings.TrimPrefix(t.expLow, "-")
	decay, err := decayOf("a", "", t, degree)
	if err != nil {
		return "", nil, err
	}
	log1p, logDegree := unitOf, map[int]int{6: 11, 3: 4}[degree]
	if t.format == minimax.Float64 {
		log1p, logDegree = unitRatioOf, degree
	}
	y, with, err := log1p("d", t, logDegree)
	with = append(append([]string{"b = abs(x)", fmt.Sprintf("a = select(b > %[1]s, %[1]s, b)", limit)}, decay...), with...)
	return "select(x < 0, 0, x) + " + y, with, err
}

func eluForm(typ, int) (string, []string, error) {
	return "select(x > 0, x, expm1(n))", []string{"n = select(x > 0, 0, x)"}, nil
}

func seluForm(t typ, _ int) (string, []string, error) {
	scale, alpha := decimal("1.0507009873554804934193349852946"), decimal("1.6732632423543772848170429916717")
	// λx in two parts, both of one sign: rounded once it overflows where it should.
	high, low := cut(scale, t.format, mantissa(t.format), big.ToZero)
	return "select(x > 0, fma(x, " + high + ", x*" + low + "), expm1(n)*" + rounded(alpha.Mul(alpha, scale), t.format) + ")",
		[]string{"n = select(x > 0, 0, x)"}, nil
}

func decimal(s string) *big.Float {
	x, _, err := big.ParseFloat(s, 10, prec, big.ToNearestEven)
	if err != nil {
		panic(err) // a constant of this file
	}
	return x
}

// geluTanhForm is x/(1 + e^-v), v = |x| (c1 + c3 x²) in two parts.
func geluTanhForm(t typ, degree int) (string, []string, error) { return geluTanhBy(true, t, degree) }

func splitGeluTanhForm(t typ, degree int) (string, []string, error) {
	return geluTanhBy(false, t, degree)
}

func geluTanhBy(fused bool, t typ, degree int) (string, []string, error) {
	c1 := number(0).Quo(number(8), pi())
	c1.Sqrt(c1)
	c1High, c1Low := twoParts(c1, t.format)
	c3High, c3Low := twoParts(number(0).Mul(c1, decimal("0.044715")), t.format)
	decay, err := decayOf("v", "l", t, degree)
	with := clampTo(t.geluTanhDecayed())
	// product adds p = x*y, names, and returns its error.
	product := func(p, x, y string) string {
		with = append(with, p+" = pin("+x+"*"+y+")")
		if !fused {
			for _, v := range []string{x, y} {
				if half := halves(v); v != "o" && !slices.Contains(with, half[0]) {
					with = append(with, half...)
				}
			}
		}
		return residue(x, y, p, fused)
	}
	with = append(with, "o = "+c3High)
	if !fused {
		rounded, _ := number(0).Mul(c1, decimal("0.044715")).Float64()
		oh, ol := cut(number(rounded), t.format, 26, big.ToZero)
		with = append(with, "oh = "+oh, "ol = "+ol)
	}
	zLow := product("z", "a", "a")
	wLow := product("w", "z", "o")
	with = append(with,
		"s = pin(w + "+c1High+")",
		"g = pin(s - "+c1High+")",
		"h = pin(pin("+c1High+" - pin(s - g)) + pin(w - g))",
		"j = h + "+wLow+" + fma("+zLow+", o, fma(z, "+c3Low+", "+c1Low+"))")
	vLow := product("v", "a", "s")
	with = append(append(with, "l = "+vLow+" + a*j"), decay...)
	return fmt.Sprintf(scaledLast, "select(x < 0, p, 1)", "(1 + d)"), with, err
}

// roughGeluTanhForm leaves the low parts out.
func roughGeluTanhForm(t typ, degree int) (string, []string, error) {
	c1 := number(0).Quo(number(8), pi())
	c1.Sqrt(c1)
	c3 := number(0).Mul(c1, decimal("0.044715"))
	decay, err := decayOf("v", "", t, degree)
	with := append(append(clampTo(t.geluTanhDecayed()),
		"v = a*fma(a*a, "+rounded(c3, t.format)+", "+rounded(c1, t.format)+")"), decay...)
	return fmt.Sprintf(scaledLast, "select(x < 0, p, 1)", "(1 + d)"), with, err
}

func (t typ) geluTanhDecayed() string {
	if t.format == minimax.Float32 {
		return "10.8125"
	}
	return "21.75"
}

// millsFit returns the coefficients of Q in e^(a²/2) Φ(-a) = t Q(t - mid), t = 1/(k + a), for 0 <= a <= top.
func millsFit(degree int, k, mid, top float64, format minimax.Format) ([]string, error) {
	p := minimax.Problem{
		F: func(u *big.Float) *big.Float {
			t := number(0).Add(u, number(mid))
			a := number(0).Quo(number(1), t)
			a.Sub(a, number(k))
			root := number(0).Sqrt(number(2))
			y := erfcx(a.Quo(a, root))
			y.Quo(y, number(2))
			return y.Quo(y, t)
		},
		A: number(1/(k+top) - mid), B: number(1/k - mid), Weight: minimax.Relative, Exponents: powers(0, degree),
	}
	if format == minimax.Float64 {
		return fitOnce(p, format)
	}
	return fitAround(p, format)
}

// geluForm is x - x Φ(-x) above 0 and x Φ(x) below, Φ(-a) = e^(-a²/2) t Q(t) as in erfcForm, with the roundings of the square, of t and
// of the last step of Q made good.
func geluForm(t typ, degree int) (string, []string, error) { return geluBy(true, t, degree) }

func splitGeluForm(t typ, degree int) (string, []string, error) { return geluBy(false, t, degree) }

func geluBy(fused bool, t typ, degree int) (string, []string, error) {
	const k, mid = 4.25, 0.09375
	top, clamp := 14.6, "15"
	if t.format == minimax.Float64 {
		top, clamp = 38.7, "39"
	}
	q, err := millsFit(degree, k, mid, top, t.format)
	if err != nil {
		return "", nil, err
	}
	with := []string{
		"b = abs(x)",
		"a = select(b > " + clamp + ", " + clamp + ", b)",
		"h = pin(a*a)",
		fmt.Sprintf("s = pin(%v + a)", k),
		"t = 1/s",
	}
	back, low := "fma(t, s, -1)", "fma(g, c, fma(u, o, pin("+q[0]+" - g)))"
	if !fused {
		with = append(append(append(with, halves("a")...), halves("s")...), halves("t")...)
		with = append(with, "m = pin(t*s)")
		back, low = "pin(pin(m - 1) + "+residue("t", "s", "m", false)+")", "g*c"
	}
	// e^(-a²/2) has a tier of its own: a coarser one would add to what the quotient has lost already.
	decay, err := decayOf("v", "0.5*l", t, t.dearestExp())
	if err != nil {
		return "", nil, err
	}
	with = append(with,
		"l = "+residue("a", "a", "h", fused),
		fmt.Sprintf("e = fma(t, a - pin(s - %v), %s)", k, back),
		"c = -e*fma(t, 0x1.67p3, 0.6875)",
		"u = t - "+literal(mid, t.format),
		"o = "+horner("u", q[1:]),
		"g = pin(fma(u, o, "+q[0]+"))",
		"j = "+low,
		"v = 0.5*h")
	with = append(with, decay[:len(decay)-1]...)
	with = append(with, "w = ldexp(a*fma(t, g, t*j)*p, k)")
	return "select(x < 0, -w, x - w)", with, nil
}
