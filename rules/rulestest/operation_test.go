package rulestest

import (
	"math"
	"math/big"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

func softsign() *ir.Def {
	return &ir.Def{
		Name: "softsign", Arity: 1,
		Eval: func(x []float64) float64 { return x[0] / (1 + math.Abs(x[0])) },
		Real: func(x []*big.Float) *big.Float {
			d := new(big.Float).Abs(x[0])
			return x[0].Quo(x[0], d.Add(d, big.NewFloat(1)))
		},
		Fact: func(a []ir.Fact) ir.Fact { return ir.Between(-1, 1) },
	}
}

// Laws of a user's operation are checked like all others, with and without a meaning of high precision.
func TestLawsOfOperations(t *testing.T) {
	evalOnly := softsign()
	evalOnly.Real = nil
	for _, c := range []struct {
		name, law string
		want      Reason // "" for none
	}{
		{"exact", "a: softsign(-x) = -softsign(x)", ""},
		{"real", "a: softsign(x) = x/(1 + abs(x)) ! reassoc", ""},
		{"cancels", "a: softsign(x)/(1 - abs(softsign(x))) => x ! reassoc", ""},
		{"form", "a: softsign(x) ~> x/(1 + abs(x)) everywhere within 2 ulp ! afn", ""},
		{"false", "a: softsign(x) => x/(2 + abs(x)) ! reassoc", Unequal},
		{"false bits", "a: softsign(2*x) => 2*softsign(x)", Unequal},
		{"needs a licence", "a: softsign(x) - softsign(x) => 0", Licences},
		{"inexact", "a: softsign(x) ~> x on abs(x) <= 0.01 within 1 ulp ! afn", Inexact},
		{"never", "a: softsign(x) => x where x < 0 && x > 0", NeverFires},
	} {
		for _, d := range []*ir.Def{softsign(), evalOnly} {
			set, err := rules.Parse("a.rules", c.law, d)
			if err != nil {
				t.Fatal(err)
			}
			findings := Check(set, Options{Points: 1 << 10})
			switch {
			case c.want == "" && len(findings) > 0, c.want != "" && (len(findings) != 1 || findings[0].Reason != c.want):
				t.Errorf("%s, Real %v: %v, want %q", c.name, d.Real != nil, findings, c.want)
			}
		}
	}
}

// A definition that contradicts itself is a finding of its own.
func TestOperationDefinitions(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(d *ir.Def)
		want   Reason // "" for none
	}{
		{"good", func(d *ir.Def) {}, ""},
		{"another function", func(d *ir.Def) { d.Eval = func(x []float64) float64 { return math.Tanh(x[0]) } }, Inexact},
		{"a float32 function", func(d *ir.Def) {
			eval := d.Eval
			d.Eval = func(x []float64) float64 { return float64(float32(eval(x))) }
		}, Inexact},
		{"fact too narrow", func(d *ir.Def) { d.Fact = func([]ir.Fact) ir.Fact { return ir.Between(-0.5, 1) } }, Outside},
		{"fact of the lower end", func(d *ir.Def) {
			d.Fact = func(a []ir.Fact) ir.Fact { x := d.Eval([]float64{a[0].Lo}); return ir.Between(x, x) }
		}, Outside},
		{"not an integer", func(d *ir.Def) { d.Fact = func([]ir.Fact) ir.Fact { return ir.Fact{Lo: -1, Hi: 1, Integer: true} } }, Outside},
		{"zero", func(d *ir.Def) { d.Fact = func([]ir.Fact) ir.Fact { return ir.Fact{Lo: -1, Hi: 1, NonZero: true} } }, Outside},
		{"near its zero", func(d *ir.Def) {
			// x² - 2 is as good as its operand near the root, not as its result.
			d.Eval = func(x []float64) float64 { return x[0]*x[0] - 2 }
			d.Real = func(x []*big.Float) *big.Float {
				p := new(big.Float).SetPrec(4*x[0].Prec()).Mul(x[0], x[0])
				return p.Sub(p, big.NewFloat(2))
			}
			d.Fact = nil
		}, ""},
	} {
		d := softsign()
		c.damage(d)
		findings := operation(d, Options{})
		if c.want == "" && len(findings) > 0 || c.want != "" && (len(findings) != 1 || findings[0].Reason != c.want || findings[0].Rule != d.Name) {
			t.Errorf("%s: %v, want %q", c.name, findings, c.want)
		}
	}
}
