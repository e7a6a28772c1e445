package bigfloat

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// calculator does arithmetic at 400 bits on values that the functions give to 400
// bits, so that identities hold to far more than the 200 bits asked of them,
// even where they cancel or amplify a bit.
type calculator struct{ t *testing.T }

const calcPrec = 400

func (calculator) n(v float64) *big.Float { return newFloat(calcPrec).SetFloat64(v) }

func (calculator) add(x, y *big.Float) *big.Float { return newFloat(calcPrec).Add(x, y) }
func (calculator) sub(x, y *big.Float) *big.Float { return newFloat(calcPrec).Sub(x, y) }
func (calculator) mul(x, y *big.Float) *big.Float { return newFloat(calcPrec).Mul(x, y) }
func (calculator) quo(x, y *big.Float) *big.Float { return newFloat(calcPrec).Quo(x, y) }
func (calculator) neg(x *big.Float) *big.Float    { return newFloat(calcPrec).Neg(x) }

func (c calculator) ok(z *big.Float, ok bool) *big.Float {
	c.t.Helper()
	if !ok {
		c.t.Fatal("no value")
	}
	return z
}

func (c calculator) equal(name string, x, got, want *big.Float) {
	c.t.Helper()
	if d := ulps(newFloat(200).Set(got), want); d > 0.501 {
		c.t.Errorf("%s at %s: %s and %s, off by %g ulp", name, text(x), text(got), text(want), d)
	}
}

// draw gives numbers with exponents in [lo, hi], wide enough for sums of them.
func (calculator) draw(r *rand.Rand, lo, hi int) *big.Float {
	return randomFloat(r, 100, lo, hi).SetPrec(calcPrec)
}

// naiveSinCos sums the Taylor series around 0 without any reduction.
func naiveSinCos(x *big.Float) (sin, cos *big.Float) {
	const p = 1000
	sin, cos = newFloat(p), newFloat(p)
	term := small(1, p)
	for n := int64(1); term.Sign() != 0 && term.MantExp(nil) > -p; n++ {
		if n%2 == 1 {
			cos.Add(cos, term)
			term.Mul(term, x)
		} else {
			sin.Add(sin, term)
			term.Mul(term, x).Neg(term)
		}
		term.Quo(term, small(n, p))
	}
	return sin, cos
}

func TestTrigIdentities(t *testing.T) {
	c := calculator{t}
	r := rand.New(rand.NewPCG(13, 14))
	one, two := c.n(1), c.n(2)
	for range 150 {
		x := c.draw(r, -60, 7)
		s, k := c.ok(Sin(x)), c.ok(Cos(x))
		ns, nk := naiveSinCos(x)
		c.equal("naive sin", x, s, ns)
		c.equal("naive cos", x, k, nk)

		x = c.draw(r, -60, 2000)
		s, k = c.ok(Sin(x)), c.ok(Cos(x))
		c.equal("sin²+cos²", x, c.add(c.mul(s, s), c.mul(k, k)), one)
		c.equal("sin 2x", x, c.mul(c.mul(s, k), two), c.ok(Sin(c.mul(x, two))))
		c.equal("tan", x, c.quo(s, k), c.ok(Tan(x)))
		c.equal("sin -x", x, c.neg(s), c.ok(Sin(c.neg(x))))

		y := c.draw(r, -30, 0)
		c.equal("asin sin", y, c.ok(Asin(c.ok(Sin(y)))), y)
		c.equal("atan tan", y, Atan(c.ok(Tan(y))), y)
		c.equal("acos cos", y, c.ok(Acos(c.ok(Cos(y)))), c.mul(y, c.n(float64(y.Sign()))))
		c.equal("asin+acos", y, c.add(c.ok(Asin(y)), c.ok(Acos(y))), half(Pi(calcPrec)))

		// The point at angle a and any distance, in all quadrants.
		a, d := c.draw(r, -30, 1), c.draw(r, -1000, 1000)
		d.Abs(d)
		py, px := c.mul(d, c.ok(Sin(a))), c.mul(d, c.ok(Cos(a)))
		c.equal("atan2", a, Atan2(py, px), a)
		c.equal("hypot", a, Hypot(py, px), d)
	}
}

func TestHyperbolicIdentities(t *testing.T) {
	c := calculator{t}
	r := rand.New(rand.NewPCG(15, 16))
	for range 150 {
		x := c.draw(r, -60, 6)
		s, k := Sinh(x), Cosh(x)
		c.equal("e^x", x, c.add(s, k), Exp(x))
		c.equal("tanh", x, c.quo(s, k), Tanh(x))
		c.equal("sinh 2x", x, c.mul(c.n(2), c.mul(s, k)), Sinh(c.mul(x, c.n(2))))
		c.equal("asinh sinh", x, Asinh(s), x)
		c.equal("asinh large", x, Asinh(Exp(c.mul(x, x))), naiveAsinh(c, Exp(c.mul(x, x))))
		// cosh is flat at 0, where acosh loses twice the bits of x.
		flat := c.draw(r, -20, 6)
		c.equal("acosh cosh", flat, c.ok(Acosh(Cosh(flat))), c.mul(flat, c.n(float64(flat.Sign()))))
		y := c.draw(r, -60, 4)
		c.equal("atanh tanh", y, c.ok(Atanh(Tanh(y))), y)
	}
}

// naiveAsinh is log(x + sqrt(x²+1)), for large x.
func naiveAsinh(c calculator, x *big.Float) *big.Float {
	root := c.add(c.mul(x, x), c.n(1))
	return c.ok(Log(c.add(x, root.Sqrt(root))))
}

func TestPowerIdentities(t *testing.T) {
	c := calculator{t}
	r := rand.New(rand.NewPCG(17, 18))
	for range 150 {
		x := c.draw(r, -100, 100)
		x.Abs(x)
		y := c.draw(r, -50, 5)
		l := c.ok(Log(x))
		c.equal("pow", x, c.ok(Pow(x, y)), Exp(c.mul(y, l)))
		c.equal("exp2 log2", x, Exp2(c.ok(Log2(x))), x)
		c.equal("10^log10", x, c.ok(Pow(c.n(10), c.ok(Log10(x)))), x)
		c.equal("log2", x, c.mul(c.ok(Log2(x)), Ln2(calcPrec)), l)
		root := Cbrt(x)
		c.equal("cube", x, c.mul(root, c.mul(root, root)), x)
		inverse := c.ok(Rsqrt(x))
		c.equal("square", x, c.mul(x, c.mul(inverse, inverse)), c.n(1))
		c.equal("log1p expm1", y, c.ok(Log1p(Expm1(y))), y)
		n := r.Int64N(100) - 50
		c.equal("integer power", x, PowInt(x, n), c.ok(Pow(x, c.n(float64(n)))))
	}
}

// naiveErfc is the continued fraction e^(-x²)/sqrt(π) / (x + 1/2/(x + 1/(x +
// 3/2/(x + ...)))) cut off after so many terms.
func naiveErfc(c calculator, x *big.Float, terms int) *big.Float {
	tail := x
	for k := terms; k > 0; k-- {
		tail = c.add(x, c.quo(c.n(float64(k)/2), tail))
	}
	root := Pi(calcPrec)
	return c.quo(Exp(c.neg(c.mul(x, x))), c.mul(tail, root.Sqrt(root)))
}

func TestErfIdentities(t *testing.T) {
	c := calculator{t}
	r := rand.New(rand.NewPCG(19, 20))
	for range 40 {
		x := c.draw(r, -60, 3)
		c.equal("erf+erfc", x, c.add(Erf(x), Erfc(x)), c.n(1))
		c.equal("erfc(-x)", x, c.add(Erfc(x), Erfc(c.neg(x))), c.n(2))
		c.equal("erf(-x)", x, c.neg(Erf(x)), Erf(c.neg(x)))
		// It converges like e^(-x*sqrt(8n)).
		y := c.add(x.Abs(x), c.n(4))
		c.equal("continued fraction", y, Erfc(y), naiveErfc(c, y, 800))
	}
	for _, x := range []float64{13, 20, 100, 1000, 30000} {
		c.equal("continued fraction", c.n(x), Erfc(c.n(x)), naiveErfc(c, c.n(x), 800))
	}
}

func TestLogisticIdentities(t *testing.T) {
	c := calculator{t}
	r := rand.New(rand.NewPCG(21, 22))
	for range 100 {
		x := c.draw(r, -60, 7)
		c.equal("symmetry", x, c.add(Sigmoid(x), Sigmoid(c.neg(x))), c.n(1))
		c.equal("tanh", x, c.add(c.n(1), Tanh(c.mul(x, c.n(0.5)))), c.mul(c.n(2), Sigmoid(x)))
		c.equal("softplus difference", x, c.sub(Softplus(x), Softplus(c.neg(x))), x)
		c.equal("log sigmoid", x, c.neg(c.ok(Log(Sigmoid(x)))), Softplus(c.neg(x)))
	}
	// e^x far outside float64 and, at the last, outside big.Float.
	for _, x := range []float64{1e4, 1e9, 1e30} {
		c.equal("softplus", c.n(x), Softplus(c.n(x)), c.n(x))
		c.equal("softplus", c.n(-x), Softplus(c.n(-x)), Exp(c.n(-x)))
		c.equal("sigmoid", c.n(-x), Sigmoid(c.n(-x)), Exp(c.n(-x)))
		c.equal("sigmoid", c.n(x), Sigmoid(c.n(x)), c.n(1))
	}
	c.equal("sigmoid", c.n(0), Sigmoid(c.n(0)), c.n(0.5))
}
