package rules_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

// kernel builds a function of one float32.
func kernel(build func(b *ir.Builder, x ir.Value) ir.Value) *ir.Func {
	b := ir.NewBuilder("kernel")
	b.Return(build(b, b.Param("x", ir.Float32, ir.Unknown)))
	return b.Func()
}

// The laws that are left out make no difference to what becomes of a function.
func TestRelevantMakesNoDifference(t *testing.T) {
	target, err := native.Lookup("x86-64-v3")
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]*ir.Func{
		"polynomial": kernel(func(b *ir.Builder, x ir.Value) ir.Value {
			return b.Must(ir.Add, b.Must(ir.Mul, x, x), b.Must(ir.Mul, b.Const(ir.Float32, 3), x))
		}),
		"gelu": kernel(func(b *ir.Builder, x ir.Value) ir.Value {
			u := b.Must(ir.Mul, b.Const(ir.Float32, 0.8), b.Must(ir.Add, x, b.Must(ir.Mul, x, b.Must(ir.Mul, x, x))))
			return b.Must(ir.Mul, x, b.Must(ir.Add, b.Const(ir.Float32, 1), b.Must(ir.Tanh, u)))
		}),
		"softplus": kernel(func(b *ir.Builder, x ir.Value) ir.Value {
			return b.Must(ir.Log, b.Must(ir.Add, b.Const(ir.Float32, 1), b.Must(ir.Exp, x)))
		}),
		"mish": kernel(func(b *ir.Builder, x ir.Value) ir.Value {
			return b.Must(ir.Mul, x, b.Must(ir.Tanh, b.Must(ir.Log, b.Must(ir.Add, b.Const(ir.Float32, 1), b.Must(ir.Exp, x)))))
		}),
		"power": kernel(func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Pow, x, b.Const(ir.Float32, 2.5)) }),
	} {
		t.Run(name, func(t *testing.T) {
			var runs []*compiler.Run
			for _, set := range []rules.Set{rules.Default, rules.Default.Relevant(f)} {
				laws, ring := set.Ring()
				run, err := compiler.Optimise(context.Background(), f, compiler.Config{
					Rules: laws.Rewrites(), Ring: ring, Costs: target.Costs(), Licences: ir.DefaultLicences, Limits: compiler.DefaultLimits, Points: 1 << 12,
				})
				if err != nil {
					t.Fatal(err)
				}
				runs = append(runs, run)
			}
			all, some := runs[0], runs[1]
			if d := cmp.Diff(all.Output.String(), some.Output.String()); d != "" {
				t.Error(d)
			}
			if len(all.Candidates) != len(some.Candidates) || all.Saturation.Stop != some.Saturation.Stop {
				t.Errorf("%d candidates, %v; of all laws %d, %v", len(some.Candidates), some.Saturation.Stop, len(all.Candidates), all.Saturation.Stop)
			}
			for i := range min(len(all.Candidates), len(some.Candidates)) {
				if d := cmp.Diff(all.Candidates[i].Func.String(), some.Candidates[i].Func.String()); d != "" {
					t.Errorf("candidate %d: %s", i, d)
				}
			}
		})
	}
}

// Laws are relevant where their functions are there, or come up by way of other laws; laws about none always.
func TestRelevant(t *testing.T) {
	polynomial := kernel(func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Mul, x, x) })
	tanh := kernel(func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Tanh, x) })
	for _, c := range []struct {
		name      string
		f         *ir.Func
		have, not []string
	}{
		{"polynomial", polynomial, []string{"add-comm", "fma-add", "sub-neg"}, []string{"tanh-neg", "exp-float32-5"}},
		{"tanh", tanh, []string{"add-comm", "tanh-neg", "tanh-sigmoid", "exp-float32-5"}, []string{"sin-neg", "erf-neg", "atan-neg"}},
	} {
		names := rules.Default.Relevant(c.f).Names()
		for _, law := range c.have {
			if !slices.Contains(names, law) {
				t.Errorf("%s: %s is left out", c.name, law)
			}
		}
		for _, law := range c.not {
			if slices.Contains(names, law) {
				t.Errorf("%s: %s is there", c.name, law)
			}
		}
	}
}
