package fit_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/rules/fit"
	"github.com/go-yolk/yolk/rules/rulestest"
)

// Forms with look-ups keep their promise as those with selects do, and take fewer operations.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      fit.Problem
		ops    int // at most; what it took when the test was written
		absent bool
	}{
		{"J0", fit.Problem{F: math.J0, Lo: 0, Hi: 20, Type: ir.Float32, Tolerance: abs(1e-6)}, 14, false},
		{"J0 in float64", fit.Problem{F: math.J0, Lo: 0, Hi: 20, Type: ir.Float64, Tolerance: abs(1e-12)}, 24, false},
		{"gamma", fit.Problem{F: math.Gamma, Lo: 1, Hi: 5, Type: ir.Float32, Tolerance: rel(1e-6)}, 13, false},
		{"Lambert W", fit.Problem{F: lambertW, Lo: 0, Hi: 10, Type: ir.Float32, Tolerance: rel(1e-6)}, 22, false},
		{"erf", fit.Problem{F: math.Erf, Lo: -3, Hi: 3, Type: ir.Float32, Tolerance: abs(1e-6)}, 16, false},
		{"sine, absolute", fit.Problem{F: math.Sin, Lo: 0, Hi: 12, Type: ir.Float32, Tolerance: abs(1e-4)}, 12, false},
		{"square", fit.Problem{F: func(x float64) float64 { return x * x }, Lo: -2, Hi: 2, Type: ir.Float32, Tolerance: ulp(2)}, 0, true},
		{"step", fit.Problem{F: step, Lo: 0, Hi: 10, Type: ir.Float32, Tolerance: abs(1e-6)}, 0, true},
		{"tight", fit.Problem{F: math.J0, Lo: 0, Hi: 20, Type: ir.Float64, Tolerance: abs(1e-20)}, 0, true},
	} {
		forms, err := c.p.Forms()
		if c.absent {
			if len(forms) > 1 && strings.Contains(fmt.Sprint(forms), "in tables") || len(forms) == 0 && err == nil {
				t.Errorf("%s: %v, %v", c.name, forms, err)
			}
			continue
		}
		if err != nil || len(forms) < 2 {
			t.Errorf("%s: %v, %v", c.name, forms, err)
			continue
		}
		f := forms[1]
		if f.Ops > c.ops || f.Ops >= forms[0].Ops || !strings.Contains(f.String(), "in tables") {
			t.Errorf("%s: %v, at most %d operations expected; with selects %v", c.name, f, c.ops, forms[0])
		}
		if f.Points < 1<<13 || !(f.Error <= c.p.Tolerance.Value) {
			t.Errorf("%s: bad certificate %v", c.name, f)
		}
		def := &ir.Def{Name: "black_box", Arity: 1, Eval: func(x []float64) float64 {
			if x[0] != x[0] {
				return x[0]
			}
			return c.p.F(x[0])
		}}
		set, err := rules.Parse("fit.rules", f.Law("form", "black_box"), def)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, f.Law("form", "black_box"))
			continue
		}
		for _, finding := range rulestest.Check(set, rulestest.Options{Points: 1 << 13}) {
			t.Errorf("%s: %v\n%v", c.name, finding, set)
		}
		again, err := c.p.Forms()
		if err != nil || fmt.Sprint(again[1].Law("a", "f")) != fmt.Sprint(f.Law("a", "f")) {
			t.Errorf("%s: made twice, %v", c.name, err)
		}
	}
}

// A quotient of polynomials stands beside the other forms where it takes fewer operations.
func TestQuotients(t *testing.T) {
	runge := func(x float64) float64 { return 1 / (1 + 25*x*x) }
	for _, c := range []struct {
		name string
		p    fit.Problem
		over int
	}{
		{"logarithm", fit.Problem{F: math.Log, Lo: 1.5, Hi: 20, Type: ir.Float64, Tolerance: abs(1e-5)}, 3},
		{"Runge", fit.Problem{F: func(x float64) float64 { return runge(x) * math.Exp(x/10) }, Lo: -1, Hi: 2, Type: ir.Float32, Tolerance: rel(1e-5)}, 2},
		{"zero at 0", fit.Problem{F: func(x float64) float64 { return x * runge(x) * math.Exp(x/10) }, Lo: -0.5, Hi: 1, Type: ir.Float64, Tolerance: rel(1e-5)}, 3},
	} {
		forms, err := c.p.Forms()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		f := forms[len(forms)-1]
		if f.Over != c.over || !strings.Contains(f.String(), "over degree") || !(f.Error <= c.p.Tolerance.Value) {
			t.Errorf("%s: %v, want one over degree %d", c.name, forms, c.over)
			continue
		}
		def := &ir.Def{Name: "black_box", Arity: 1, Eval: func(x []float64) float64 { return c.p.F(x[0]) }}
		set, err := rules.Parse("fit.rules", f.Law("form", "black_box"), def)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, f.Law("form", "black_box"))
			continue
		}
		for _, finding := range rulestest.Check(set, rulestest.Options{Points: 1 << 13}) {
			t.Errorf("%s: %v\n%v", c.name, finding, set)
		}
	}
}
