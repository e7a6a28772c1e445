package compiler_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

var (
	softsign = &ir.Def{
		Name: "softsign", Arity: 1, Cost: 5,
		Eval: func(x []float64) float64 { return x[0] / (1 + math.Abs(x[0])) },
		Real: func(x []*big.Float) *big.Float {
			d := new(big.Float).Abs(x[0])
			return x[0].Quo(x[0], d.Add(d, big.NewFloat(1)))
		},
		Fact: func([]ir.Fact) ir.Fact { return ir.Between(-1, 1) },
	}
	// gate is softsign(x)·y; its form holds a call of softsign.
	gate = &ir.Def{
		Name: "gate", Arity: 2,
		Eval: func(x []float64) float64 { return softsign.Eval(x[:1]) * x[1] },
	}
	// cube has one form, for |x| <= 1.
	cube = &ir.Def{Name: "cube", Arity: 1, Eval: func(x []float64) float64 { return x[0] * x[0] * x[0] }}
)

func callRules(t *testing.T) rules.Set {
	t.Helper()
	set, err := rules.Parse("calls.rules", `
softsign-form: softsign(x) ~> x/(1 + abs(x))   everywhere within 2 ulp ! afn
softsign-dear: softsign(x) ~> x/sqrt((1 + abs(x))*(1 + abs(x)))  everywhere within 4 ulp ! afn
gate-form:     gate(x, y)  ~> softsign(x)*y    everywhere within 3 ulp ! afn
cube-form:     cube(x)     ~> x*(x*x)  on abs(x) <= 1 within 2 ulp ! afn
undo:          softsign(x)/(1 - abs(softsign(x))) => x ! reassoc
`, softsign, gate, cube)
	if err != nil {
		t.Fatal(err)
	}
	return rules.Union(rules.Default, set)
}

func callsFunc(t *testing.T, text string) *ir.Func {
	t.Helper()
	f, err := ir.Parse("test", text, softsign, gate, cube)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Users' operations are lowered by their forms, however deep, and by what is known about their operands.
func TestCallsAreLowered(t *testing.T) {
	for _, c := range []struct {
		name, text string
		forms      []string
		arithmetic int // operations of the output, at most
	}{
		{"one", `func "f"("x" f32) {
	v0 = param f32 "x"
	v1 = call1 f32 "softsign" v0
	return v1
}`, []string{"softsign-form"}, 3},
		{"nested, pinned, float64", `func "f"("x" f64, "y" f64 in [-1e6, 1e6]) {
	v0 = param f64 "x"
	v1 = param f64 "y"
	v2 = call2.pin f64 "gate" v0 v1
	return v2
}`, []string{"gate-form", "softsign-form"}, 4},
		{"by the range", `func "f"("x" f32) {
	v0 = param f32 "x"
	v1 = call1 f32 "softsign" v0
	v2 = call1 f32 "cube" v1
	return v2
}`, []string{"softsign-form", "cube-form"}, 5},
		{"by algebra", `func "f"("x" f32 in [-100, 100]) {
	v0 = param f32 "x"
	v1 = call1 f32 "softsign" v0
	v2 = const f32 0x1p+00
	v3 = abs f32 v1
	v4 = sub f32 v2 v3
	v5 = div f32 v1 v4
	return v5
}`, nil, 0},
		{"of constants", `func "f"("x" f32) {
	v0 = param f32 "x"
	v1 = const f32 0x1.8p+01
	v2 = call1 f32 "softsign" v1
	v3 = call1 f32 "cube" v1
	v4 = mul f32 v0 v2
	v5 = mul f32 v4 v3
	return v5
}`, nil, 1},
	} {
		run, err := compiler.Optimise(context.Background(), callsFunc(t, c.text), config(t, callRules(t)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !slices.Equal(run.Chosen.Forms, c.forms) {
			t.Errorf("%s: forms %v, want %v", c.name, run.Chosen.Forms, c.forms)
		}
		if n := run.Output.Arithmetic(); n > c.arithmetic || len(run.Output.Defs) > 0 {
			t.Errorf("%s: %d operations, want at most %d\n%v", c.name, n, c.arithmetic, run.Output)
		}
		if run.CostBefore == ir.InfiniteCost || run.CostAfter == ir.InfiniteCost {
			t.Errorf("%s: cost %d before, %d after", c.name, run.CostBefore, run.CostAfter)
		}
	}
}

func TestCallsWithoutForm(t *testing.T) {
	f := callsFunc(t, `func "f"("x" f32) {
	v0 = param f32 "x"
	v1 = call1 f32 "cube" v0
	return v1
}`)
	for _, model := range []bool{false, true} {
		c := config(t, callRules(t))
		if model {
			c.Costs = ir.Uniform(1) // has a price for functions, which a program may still not hold
		}
		_, err := compiler.Optimise(context.Background(), f, c)
		var noForm *extract.NoFormError
		if !errors.As(err, &noForm) || !slices.Equal(noForm.Defs, []*ir.Def{cube}) || !strings.Contains(err.Error(), "cube") {
			t.Errorf("model %v: %v", model, err)
		}
	}
}

// Without reassoc constants fold as the program would compute them.
func TestCallsFoldTyped(t *testing.T) {
	f := callsFunc(t, `func "f"("x" f32) {
	v0 = param f32 "x"
	v1 = const f32 0x1.99999ap-04
	v2 = call1 f32 "softsign" v1
	v3 = add f32 v0 v2
	return v3
}`)
	c := config(t, callRules(t))
	c.Licences = ir.ApproxFunc
	run, err := compiler.Optimise(context.Background(), f, c)
	if err != nil {
		t.Fatal(err)
	}
	x := float64(float32(0.1))
	want := ir.ConstBits(ir.Float32, x/(1+x))
	found := slices.ContainsFunc(run.Output.Nodes, func(n ir.Node) bool { return n.Op == ir.Const && n.Imm == want })
	if !found || run.Output.Arithmetic() != 1 {
		t.Errorf("want the constant %#x in\n%v", want, run.Output)
	}
}
