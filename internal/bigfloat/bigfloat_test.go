package bigfloat

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Published digits.
const (
	pi100   = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
	ln2100  = "0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687"
	ln10100 = "2.302585092994045684017991454684364207601101488628772976033327900967572609677352480235997205089598298"
	e100    = "2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217852516642742746"
	log2e60 = "1.44269504088896340735992468100189213742664595415298593413544940693"
	tanh60  = "0.761594155955764888119458282604793590412768597257936551596810500121"
)

func parse(t *testing.T, s string, prec uint) *big.Float {
	t.Helper()
	f, _, err := big.ParseFloat(s, 10, prec, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// ulps returns |got-want| in units in the last place of got's precision at
// want.
func ulps(got, want *big.Float) float64 {
	if got.IsInf() || want.IsInf() || want.Sign() == 0 {
		if got.Cmp(want) == 0 && got.Signbit() == want.Signbit() {
			return 0
		}
		return math.Inf(1)
	}
	p := want.Prec() + got.Prec() + 10
	d := new(big.Float).SetPrec(p).Sub(got, want)
	d.SetMantExp(d, int(got.Prec())-want.MantExp(nil))
	f, _ := d.Float64()
	return math.Abs(f)
}

func mustLog(t *testing.T, x *big.Float) *big.Float {
	t.Helper()
	z, ok := Log(x)
	if !ok {
		t.Fatalf("Log(%v) has no value", x)
	}
	return z
}

func TestKnownDigits(t *testing.T) {
	unit := func(prec uint) *big.Float { return big.NewFloat(1).SetPrec(prec) }
	for _, tt := range []struct {
		name   string
		f      func(prec uint) *big.Float
		digits string
		prec   uint
	}{
		{"pi", Pi, pi100, 300},
		{"ln2", Ln2, ln2100, 300},
		{"log2e", Log2e, log2e60, 200},
		{"exp(1)", func(p uint) *big.Float { return Exp(unit(p)) }, e100, 300},
		{"log(10)", func(p uint) *big.Float { return mustLog(t, big.NewFloat(10).SetPrec(p)) }, ln10100, 300},
		{"tanh(1)", func(p uint) *big.Float { return Tanh(unit(p)) }, tanh60, 200},
		{"expm1(1)+1", func(p uint) *big.Float {
			return new(big.Float).Add(Expm1(unit(p)), unit(p))
		}, e100, 300},
	} {
		for _, prec := range []uint{1, 24, 53, 64, 113, tt.prec} {
			want := parse(t, tt.digits, tt.prec+20)
			if d := ulps(tt.f(prec), want); d > 2 {
				t.Errorf("%s to %d bits: off by %g ulp", tt.name, prec, d)
			}
		}
	}
}

// randomFloat draws a number with a binary exponent in [lo, hi].
func randomFloat(r *rand.Rand, prec uint, lo, hi int) *big.Float {
	z := new(big.Float).SetPrec(prec)
	mant := new(big.Int)
	for range (prec + 63) / 64 {
		mant.Lsh(mant, 64).Or(mant, new(big.Int).SetUint64(r.Uint64()))
	}
	z.SetInt(mant)
	if z.Sign() == 0 {
		z.SetInt64(1)
	}
	z.SetMantExp(z, lo+r.IntN(hi-lo+1)-z.MantExp(nil))
	if r.IntN(2) == 0 {
		z.Neg(z)
	}
	return z
}

func TestIdentities(t *testing.T) {
	const prec = 200
	r := rand.New(rand.NewPCG(3, 4))
	n := func() *big.Float { return new(big.Float).SetPrec(prec) }
	for range 300 {
		a, b := randomFloat(r, 50, -20, 6), randomFloat(r, 50, -20, 6)
		a.SetPrec(prec)
		b.SetPrec(prec)
		if d := ulps(n().Mul(Exp(a), Exp(b)), Exp(n().Add(a, b))); d > 8 {
			t.Fatalf("exp(a)exp(b) and exp(a+b), a=%v b=%v: off by %g ulp", a, b, d)
		}
		// An error of an ulp in exp(a) moves its logarithm by up to 1/|a| ulp.
		scale := math.Ldexp(1, max(0, 2-a.MantExp(nil)))
		if d := ulps(mustLog(t, Exp(a)), a); d > 4*scale {
			t.Fatalf("log(exp(a)), a=%v: off by %g ulp", a, d)
		}
		x := n().Abs(a)
		if d := ulps(Exp(mustLog(t, x)), x); d > 64 {
			t.Fatalf("exp(log(x)), x=%v: off by %g ulp", x, d)
		}
		e := Expm1(a)
		// The sum cancels for a < 0.
		if got := n().Add(e, n().SetInt64(1)); a.Sign() > 0 && ulps(got, Exp(a)) > 4 {
			t.Fatalf("expm1(a)+1 and exp(a), a=%v: %v, %v", a, got, Exp(a))
		}
		// tanh(2a) = 2 tanh(a)/(1 + tanh(a)²)
		h := Tanh(a)
		q := n().Add(n().Mul(h, h), n().SetInt64(1))
		got := n().Quo(n().Mul(h, n().SetInt64(2)), q)
		if d := ulps(got, Tanh(n().Mul(a, n().SetInt64(2)))); d > 8 {
			t.Fatalf("tanh(2a), a=%v: off by %g ulp", a, d)
		}
	}
}

func TestAgainstMath(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		x := (r.Float64() - 0.5) * math.Ldexp(1, r.IntN(12)-6)
		bx := big.NewFloat(x)
		for _, f := range []struct {
			name string
			got  *big.Float
			want float64
		}{
			{"exp", Exp(bx), math.Exp(x)},
			{"expm1", Expm1(bx), math.Expm1(x)},
			{"tanh", Tanh(bx), math.Tanh(x)},
			{"log", mustLog(t, new(big.Float).Abs(bx)), math.Log(math.Abs(x))},
		} {
			got, _ := f.got.Float64()
			if math.Abs(got-f.want) > 1e-15*math.Abs(f.want) {
				t.Fatalf("%s(%v) = %v, math has %v", f.name, x, got, f.want)
			}
		}
	}
}

func TestSpecials(t *testing.T) {
	zero, negZero := new(big.Float), new(big.Float).Neg(new(big.Float))
	inf, negInf := new(big.Float).SetInf(false), new(big.Float).SetInf(true)
	one := big.NewFloat(1)
	huge := new(big.Float).SetMantExp(one, math.MaxInt32-1)
	tiny := new(big.Float).SetMantExp(one, math.MinInt32+10)
	far := big.NewFloat(1e9) // e^(10^9) fits big.Float's exponent, e^(2*10^9) does not
	beyond := big.NewFloat(2e9)
	neg := func(x *big.Float) *big.Float { return new(big.Float).Neg(x) }
	for _, tt := range []struct {
		name      string
		got, want *big.Float
	}{
		{"exp(0)", Exp(zero), one},
		{"exp(-0)", Exp(negZero), one},
		{"exp(inf)", Exp(inf), inf},
		{"exp(-inf)", Exp(negInf), zero},
		{"exp(huge)", Exp(huge), inf},
		{"exp(-huge)", Exp(neg(huge)), zero},
		{"exp(tiny)", Exp(tiny), one},
		{"exp(beyond)", Exp(beyond), inf},
		{"exp(-beyond)", Exp(neg(beyond)), zero},
		{"expm1(0)", Expm1(zero), zero},
		{"expm1(-0)", Expm1(negZero), negZero},
		{"expm1(inf)", Expm1(inf), inf},
		{"expm1(-inf)", Expm1(negInf), neg(one)},
		{"expm1(-huge)", Expm1(neg(huge)), neg(one)},
		{"expm1(tiny)", Expm1(tiny), tiny},
		{"expm1(-far)", Expm1(neg(far)), neg(one)},
		{"tanh(-0)", Tanh(negZero), negZero},
		{"tanh(inf)", Tanh(inf), one},
		{"tanh(-inf)", Tanh(negInf), neg(one)},
		{"tanh(huge)", Tanh(huge), one},
		{"tanh(-tiny)", Tanh(neg(tiny)), neg(tiny)},
		{"log(0)", mustLog(t, zero), negInf},
		{"log(-0)", mustLog(t, negZero), negInf},
		{"log(1)", mustLog(t, one), zero},
		{"log(inf)", mustLog(t, inf), inf},
		{"pow(0,0)", PowInt(zero, 0), one},
		{"pow(inf,0)", PowInt(inf, 0), one},
		{"pow(-0,-3)", PowInt(negZero, -3), negInf},
		{"pow(-0,-2)", PowInt(negZero, -2), inf},
		{"pow(-0,3)", PowInt(negZero, 3), negZero},
		{"pow(-inf,3)", PowInt(negInf, 3), negInf},
		{"pow(-inf,-3)", PowInt(negInf, -3), negZero},
		{"pow(huge,2)", PowInt(huge, 2), inf},
		{"pow(huge,min)", PowInt(huge, math.MinInt64), zero},
		{"pow(-1,min)", PowInt(neg(one), math.MinInt64), one},
	} {
		if tt.got.Cmp(tt.want) != 0 || tt.got.Signbit() != tt.want.Signbit() {
			// Hexadecimal: the decimal digits of the huge ones take minutes.
			t.Errorf("%s = %s, want %s", tt.name, tt.got.Text('p', 20), tt.want.Text('p', 20))
		}
	}
	for _, x := range []*big.Float{neg(one), neg(tiny), negInf} {
		if z, ok := Log(x); ok {
			t.Errorf("Log(%s) = %s, want no value", x.Text('p', 20), z.Text('p', 20))
		}
	}
	if got := mustLog(t, Exp(far)); ulps(got, far.SetPrec(200)) > 2 {
		t.Errorf("log(exp(1e9)) = %v", got)
	}
}
