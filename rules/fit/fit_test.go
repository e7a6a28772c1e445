package fit_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/golden"
	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/rules/fit"
	"github.com/go-yolk/yolk/rules/rulestest"
)

// lambertW is the solution w of w·e^w = x, by Newton's method.
func lambertW(x float64) float64 {
	w := math.Log1p(x)
	for range 20 {
		e := math.Exp(w)
		w -= (w*e - x) / (e * (w + 1))
	}
	return w
}

func step(x float64) float64 {
	if x < 5 {
		return 0
	}
	return 1
}

func kink(x float64) float64 { return math.Abs(x - 0.3) }

// triangle has kinks at its zeros.
func triangle(x float64) float64 { return x - math.Round(x) }

func abs(v float64) egraph.Bound { return egraph.Bound{Value: v, Unit: egraph.Abs} }
func rel(v float64) egraph.Bound { return egraph.Bound{Value: v, Unit: egraph.Rel} }
func ulp(v float64) egraph.Bound { return egraph.Bound{Value: v, Unit: egraph.ULP} }

var both = []ir.Type{ir.Float32, ir.Float64}

// law makes a form, and the set of its law over its function.
func law(t *testing.T, name string, p fit.Problem) (*fit.Form, rules.Set) {
	t.Helper()
	f, err := p.Solve()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil, rules.Set{}
	}
	def := &ir.Def{Name: "black_box", Arity: 1, Eval: func(x []float64) float64 {
		if x[0] != x[0] {
			return x[0] // forms pass NaN on, whatever the function does
		}
		return p.F(x[0])
	}}
	set, err := rules.Parse("fit.rules", f.Law("form", "black_box"), def)
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, f.Law("form", "black_box"))
		return nil, rules.Set{}
	}
	return f, set
}

// Forms keep their promise on the points of package rulestest, which evaluates the law's text: the special values included.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		lo, hi float64
		within egraph.Bound
		types  []ir.Type
		ops    int // at most; what it took when the test was written
	}{
		{"J0", math.J0, 0, 20, abs(1e-6), both, 34},
		{"J0 folded", math.J0, -8, 8, abs(1e-6), both, 14},
		{"J0 in float64", math.J0, 0, 20, abs(1e-12), both[1:], 70},
		{"J0 by way of float64", math.J0, 0, 20, abs(6.5e-8), both[:1], 76},
		{"gamma", math.Gamma, 1, 5, rel(1e-6), both, 15},
		{"Lambert W", lambertW, 0, 10, rel(1e-6), both, 58},
		{"erf", math.Erf, -3, 3, abs(1e-6), both, 19},
		{"erf in ulp", math.Erf, -3, 3, ulp(4), both, 73},
		{"sine with its zeros", math.Sin, -7, 7, rel(1e-6), both, 40},
		{"cosine between zeros", math.Cos, 0, 3, rel(1e-6), both, 10},
		{"negated sine", func(x float64) float64 { return -math.Sin(x) }, -1, 1, rel(1e-6), both, 7},
		{"square", func(x float64) float64 { return x * x }, -2, 2, ulp(2), both, 3},
		{"negated square", func(x float64) float64 { return -x * x }, -2, 1, ulp(2), both, 3},
		{"cube", func(x float64) float64 { return x * x * x }, -1, 2, rel(1e-5), both, 8},
		{"absolute value", math.Abs, -1, 2, abs(1e-6), both, 3},
		{"absolute value, even", math.Abs, -1, 1, ulp(1), both, 3},
		{"half line", func(x float64) float64 { return max(0, x) }, -1, 1, rel(1e-6), both, 3},
		{"kink at a zero", kink, 0, 1, rel(1e-6), both, 5},
		{"double zero", func(x float64) float64 { return (x - 0.3) * (x - 0.3) * math.Exp(x) }, -1, 1, rel(1e-4), both, 8},
		{"kink", func(x float64) float64 { return 1 + kink(x) }, 0, 1, abs(1e-6), both, 71},
		{"constant", func(float64) float64 { return 3.25 }, 0, 1, ulp(1), both, 2},
		{"zero", func(float64) float64 { return 0 }, -1, 1, ulp(1), both, 2},
		{"odd square", func(x float64) float64 { return x * math.Abs(x) }, -1, 2, abs(1e-6), both, 7},
		{"floor of a part", math.Floor, 0, 0.5, abs(1e-6), both, 4},
		{"cube root", math.Cbrt, 0, 2, abs(1e-2), both[:1], 72},
		{"sine, absolute", math.Sin, 0, 12, abs(1e-4), both, 40},
		{"identity", func(x float64) float64 { return x }, -1, 5, ulp(1), both, 1},
		{"small jump", func(x float64) float64 { return x + 1e-9*step(x) }, 0, 10, abs(1e-6), both, 2},
		{"tiny domain", func(x float64) float64 { return math.Sin(1e6 * x) }, 0, 1e-6, rel(1e-6), both, 8},
		{"huge domain", func(x float64) float64 { return 1 / (1 + x*1e-20) }, 0, 1e20, rel(1e-5), both, 9},
		{"steep", func(x float64) float64 { return math.Exp(20 * x) }, -1, 1, rel(1e-5), both, 102},
		{"logarithm", math.Log, 1.5, 20, abs(1e-5), both, 28},
	} {
		for _, typ := range c.types {
			name := fmt.Sprint(c.name, ", ", typ)
			f, set := law(t, name, fit.Problem{F: c.f, Lo: c.lo, Hi: c.hi, Type: typ, Tolerance: c.within})
			if f == nil {
				continue
			}
			if f.Ops > c.ops {
				t.Errorf("%s: %d operations, more than %d", name, f.Ops, c.ops)
			}
			if f.Points < 1<<13 || !(f.Error <= c.within.Value) {
				t.Errorf("%s: bad certificate %v", name, f)
			}
			for _, finding := range rulestest.Check(set, rulestest.Options{Points: 1 << 13}) {
				t.Errorf("%s: %v\n%v", name, finding, set)
			}
		}
	}
}

// What cannot be done is refused with the reason and the place, or with the best that was reached.
func TestRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	noise := make([]float64, 1<<12)
	for i := range noise {
		noise[i] = rng.Float64()
	}
	noisy := func(x float64) float64 {
		return math.Sin(x) + 1e-4*noise[math.Float64bits(x)*0x9e3779b97f4a7c15>>52]
	}
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		lo, hi float64
		within egraph.Bound
		reason string
		at     float64 // NaN: anywhere
		best   bool    // names the best form
	}{
		{"step", step, 0, 10, abs(1e-6), "jumps from 0 to 1", 5, false},
		{"sign", func(x float64) float64 { return math.Copysign(1, x) }, 0, 10, abs(1e-6), "jumps from -1 to 1", 0, false},
		{"pole", func(x float64) float64 { return 1 / (x - math.Pi/10) }, 0, 1, abs(1e-6), "is +Inf", math.Pi / 10, false},
		{"pole at a number", func(x float64) float64 { return 1 / (x - 0.25) }, 0, 1, abs(1e-6), "is +Inf at 0.25", 0.25, false},
		{"tangent", math.Tan, 0, 3, rel(1e-6), "jumps from", math.Pi / 2, false},
		{"NaN", func(x float64) float64 { return math.Log(x - 1) }, 0, 3, abs(1e-6), "is NaN at 0", 0, false},
		{"overflow", math.Exp, 0, 800, rel(1e-3), "the function is ", math.NaN(), false},
		{"tight", math.J0, 0, 20, abs(1e-20), "there", math.NaN(), true},
		{"noise", noisy, 1, 3, abs(1e-6), "off a smooth curve by", math.NaN(), true},
		{"kinks everywhere", func(x float64) float64 { return math.Abs(triangle(40 * x)) }, 0, 3, abs(1e-6), "", math.NaN(), true},
		{"square root at 0", math.Sqrt, 0, 1, rel(1e-6), "near its zero at 0", 0, true},
		{"kinks at no number", func(x float64) float64 { return 1 + math.Abs(x-math.Pi/10) }, 0, 1, rel(1e-12), "", math.NaN(), true},
	} {
		for _, typ := range both {
			_, err := fit.Problem{F: c.f, Lo: c.lo, Hi: c.hi, Type: typ, Tolerance: c.within}.Solve()
			var e *fit.Error
			if !errors.Is(err, fit.ErrFit) || !errors.As(err, &e) {
				t.Errorf("%s, %v: %v", c.name, typ, err)
				continue
			}
			if !strings.Contains(e.Reason, c.reason) || math.Abs(e.At-c.at) > 1e-6 {
				t.Errorf("%s, %v: %v, want %q at %v", c.name, typ, err, c.reason, c.at)
			}
			if best := e.Pieces > 0 && e.Reached > 0; best != c.best {
				t.Errorf("%s, %v: %v, names the best: %v", c.name, typ, err, best)
			}
		}
	}
}

func TestBadProblems(t *testing.T) {
	good := fit.Problem{F: math.Sin, Lo: 0, Hi: 1, Type: ir.Float32, Tolerance: abs(1e-6)}
	for _, c := range []struct {
		name string
		edit func(p *fit.Problem)
		want string
	}{
		{"no function", func(p *fit.Problem) { p.F = nil }, "no function"},
		{"no type", func(p *fit.Problem) { p.Type = ir.Bool }, "want float32 or float64"},
		{"no tolerance", func(p *fit.Problem) { p.Tolerance = egraph.Bound{} }, "must be positive"},
		{"NaN tolerance", func(p *fit.Problem) { p.Tolerance.Value = math.NaN() }, "must be positive"},
		{"infinite tolerance", func(p *fit.Problem) { p.Tolerance.Value = math.Inf(1) }, "must be positive"},
		{"empty", func(p *fit.Problem) { p.Hi = 0 }, "no finite interval"},
		{"NaN", func(p *fit.Problem) { p.Hi = math.NaN() }, "no finite interval"},
		{"infinite", func(p *fit.Problem) { p.Hi = math.Inf(1) }, "no finite interval"},
		{"too wide", func(p *fit.Problem) { p.Type, p.Lo, p.Hi = ir.Float64, -1e308, 1e308 }, "no finite interval"},
		{"beyond float32", func(p *fit.Problem) { p.Hi = 1e39 }, "no finite interval"},
		{"between numbers", func(p *fit.Problem) { p.Lo, p.Hi = 1+0x1p-40, 1+0x1p-30 }, "less than two float32 numbers"},
	} {
		p := good
		c.edit(&p)
		if _, err := p.Solve(); !errors.Is(err, fit.ErrFit) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// smooth is a random sum of sines and exponentials.
func smooth(rng *rand.Rand) func(float64) float64 {
	var a, b, c, d [3]float64
	for i := range a {
		a[i], b[i], c[i], d[i] = rng.NormFloat64(), 3*rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
	}
	return func(x float64) float64 {
		var y float64
		for i := range a {
			y += a[i]*math.Sin(b[i]*x+c[i]) + 0.1*math.Exp(d[i]*x)
		}
		return y
	}
}

// Random smooth functions are fitted within the tolerance, on points that had no part in the fit, in all units, zeros included;
// and again to the same text.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 24 {
		typ := both[i%2]
		// Package rulestest sees domains that hold 1.
		p := fit.Problem{F: smooth(rng), Lo: 1 - 3*rng.ExpFloat64(), Hi: 1 + 3*rng.ExpFloat64(), Type: typ}
		if typ == ir.Float64 && i%3 != 0 {
			// Beside its zeros a float64 function of this kind has large relative errors of its own.
			f := p.F
			p.F = func(x float64) float64 { return f(x) + 20 }
		}
		switch i % 3 {
		case 0:
			p.Tolerance = abs(math.Pow(10, -2-4*rng.Float64()))
		case 1:
			p.Tolerance = rel(math.Pow(10, -2-3*rng.Float64()))
		default:
			p.Tolerance = ulp(math.Exp2(4 + 20*rng.Float64()))
		}
		name := fmt.Sprint("function ", i)
		f, set := law(t, name, p)
		if f == nil {
			continue
		}
		for _, finding := range rulestest.Check(set, rulestest.Options{Points: 1 << 13}) {
			t.Errorf("%s: %v: %v", name, p.Tolerance, finding)
		}
		if i%8 == 0 {
			again, err := p.Solve()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(f.Law("a", "f"), again.Law("a", "f")); diff != "" {
				t.Errorf("%s: made twice:\n%s", name, diff)
			}
		}
	}
}

// The texts of laws: folded, split, shifted, scaled, constant.
func TestGolden(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name string
		p    fit.Problem
	}{
		{"gamma", fit.Problem{F: math.Gamma, Lo: 1, Hi: 2, Type: ir.Float32, Tolerance: rel(1e-4)}},
		{"erf", fit.Problem{F: math.Erf, Lo: -3, Hi: 3, Type: ir.Float32, Tolerance: abs(1e-4)}},
		{"free", fit.Problem{F: math.Erf, Lo: -3, Hi: 3, Type: ir.Float32, Tolerance: abs(1e-6)}},
		{"relu", fit.Problem{F: func(x float64) float64 { return max(0, x) }, Lo: -1, Hi: 1, Type: ir.Float64, Tolerance: ulp(1)}},
		{"scaled", fit.Problem{F: func(x float64) float64 { return math.Sin(1000 * x) }, Lo: 0, Hi: 0.001, Type: ir.Float32, Tolerance: rel(1e-3)}},
		{"constant", fit.Problem{F: func(float64) float64 { return 0.1 }, Lo: 0, Hi: 1, Type: ir.Float64, Tolerance: ulp(1)}},
		{"wide", fit.Problem{F: math.Sin, Lo: -1, Hi: 1, Type: ir.Float32, Tolerance: ulp(0.7)}},
	} {
		f, err := c.p.Solve()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		fmt.Fprintf(&b, "# %v\n%s\n", f, f.Law(c.name, "f"))
	}
	golden.Check(t, filepath.Join("testdata", "laws.golden"), b.String())
}
