package compiler_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/golden"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

// config is what a kernel for x86-64-v3 gets by default.
func config(t testing.TB, set rules.Set) compiler.Config {
	t.Helper()
	target, err := native.Lookup("x86-64-v3")
	if err != nil {
		t.Fatal(err)
	}
	laws, ring := set.Ring()
	return compiler.Config{
		Rules: laws.Rewrites(), Ring: ring, Costs: target.Costs(), Price: target.Price, Licences: ir.DefaultLicences,
		Limits: compiler.DefaultLimits, Points: 1 << 12,
	}
}

// define makes a float32 function of one parameter.
func define(name string, fact ir.Fact, body func(b *ir.Builder, x ir.Value) ir.Value) *ir.Func {
	b := ir.NewBuilder(name)
	b.Return(body(b, b.Param("x", ir.Float32, fact)))
	return b.Func()
}

// gelu is 0.5·x·(1 + tanh(sqrt(2/π)·(x + 0.044715·x·x·x))).
func gelu(fact ir.Fact) *ir.Func {
	return define("gelu", fact, func(b *ir.Builder, x ir.Value) ir.Value {
		c := func(v float64) ir.Value { return b.Const(ir.Float32, v) }
		cube := b.Must(ir.Mul, b.Must(ir.Mul, b.Must(ir.Mul, c(0.044715), x), x), x)
		u := b.Must(ir.Mul, b.Must(ir.Sqrt, c(2/math.Pi)), b.Must(ir.Add, x, cube))
		return b.Must(ir.Mul, b.Must(ir.Mul, c(0.5), x), b.Must(ir.Add, c(1), b.Must(ir.Tanh, u)))
	})
}

// kernels are functions that users write, with the most operations that each may take on a machine with fma.
var kernels = []struct {
	name string
	f    *ir.Func
	most int
}{
	{"gelu", gelu(ir.Unknown), 21},
	{"gelu01", gelu(ir.Between(0, 1)), 27},
	{"polynomial", define("polynomial", ir.Unknown, func(b *ir.Builder, x ir.Value) ir.Value {
		sum := b.Const(ir.Float32, 1)
		for i := 1; i <= 6; i++ {
			sum = b.Must(ir.Add, sum, b.Must(ir.Mul, b.Const(ir.Float32, 1/float64(i)), b.Must(ir.Pow, x, b.Const(ir.Float32, float64(i)))))
		}
		return sum
	}), 6},
	{"sigmoid", define("sigmoid", ir.Unknown, func(b *ir.Builder, x ir.Value) ir.Value {
		one := b.Const(ir.Float32, 1)
		return b.Must(ir.Div, one, b.Must(ir.Add, one, b.Must(ir.Exp, b.Must(ir.Neg, x))))
	}), 18},
	{"silu", define("silu", ir.Unknown, func(b *ir.Builder, x ir.Value) ir.Value {
		return b.Must(ir.Div, x, b.Must(ir.Add, b.Const(ir.Float32, 1), b.Must(ir.Exp, b.Must(ir.Neg, x))))
	}), 18},
	{"softplus", define("softplus", ir.Unknown, softplus), 32},
	{"mish", define("mish", ir.Unknown, func(b *ir.Builder, x ir.Value) ir.Value {
		return b.Must(ir.Mul, x, b.Must(ir.Tanh, softplus(b, x)))
	}), 20},
	{"where", define("where", ir.Unknown, func(b *ir.Builder, x ir.Value) ir.Value {
		zero := b.Const(ir.Float32, 0)
		return b.Must(ir.Select, b.Must(ir.Lt, x, zero), b.Must(ir.Div, x, b.Const(ir.Float32, 3)), x)
	}), 3},
}

// softplus is log(1 + exp(x)).
func softplus(b *ir.Builder, x ir.Value) ir.Value {
	return b.Must(ir.Log, b.Must(ir.Add, b.Const(ir.Float32, 1), b.Must(ir.Exp, x)))
}

// Golden: the pipeline's result for every kernel, stage by stage.
func TestGoldenPipeline(t *testing.T) {
	for _, k := range kernels {
		t.Run(k.name, func(t *testing.T) {
			r, err := compiler.Optimise(context.Background(), k.f, config(t, rules.Default))
			if err != nil {
				t.Fatal(err)
			}
			if n := r.Output.Arithmetic(); n > k.most {
				t.Errorf("%d operations, at most %d expected", n, k.most)
			}
			var b strings.Builder
			b.WriteString("# as written\n" + r.Input.String() + "# extracted\n" + r.Programs[0].Func.String())
			b.WriteString("# optimised, with " + strings.Join(r.Chosen.Forms, " ") + "\n" + r.Output.String())
			path := "testdata/" + k.name + ".golden"
			golden.Check(t, path, b.String())
		})
	}
}

// A run can stop after any stage, and what the stages made is there.
func TestRunUntil(t *testing.T) {
	c := config(t, rules.Default)
	tick := time.Unix(0, 0)
	c.Now = func() time.Time { tick = tick.Add(time.Millisecond); return tick }
	for i, stage := range compiler.Stages() {
		r, err := compiler.RunUntil(context.Background(), gelu(ir.Unknown), c, stage.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Stages) != i+1 || r.Stages[i].Name != stage.Name {
			t.Errorf("until %s: ran %v", stage.Name, r.Stages)
		}
		for _, s := range r.Stages {
			if s.Duration != time.Millisecond || s.Before == "" || s.After == "" {
				t.Errorf("until %s: %+v", stage.Name, s)
			}
		}
		made := []bool{r.Graph != nil, r.Saturation.Iters > 0, len(r.Programs) > 0, len(r.Candidates) > 0, r.Output != nil}
		for j, m := range made {
			if m != (j <= i) {
				t.Errorf("until %s: results there: %v", stage.Name, made)
				break
			}
		}
	}
	if _, err := compiler.RunUntil(context.Background(), gelu(ir.Unknown), c, "polish"); err == nil || !strings.Contains(err.Error(), `"polish"`) {
		t.Errorf("an unknown stage: %v", err)
	}
}

func TestErrors(t *testing.T) {
	tanh := define("tanh", ir.Unknown, func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Tanh, x) })
	b := ir.NewBuilder("cancels") // in float64, which nothing widens
	x := b.Param("x", ir.Float64, ir.Unknown)
	b.Return(b.Must(ir.Add, b.Const(ir.Float64, 1), b.Must(ir.Tanh, x)))
	cancels := b.Func()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	impossible := config(t, rules.Default)
	impossible.Tolerance = accuracy.Tolerance{Unit: accuracy.ULP, Value: 0.5}
	noForms := config(t, rules.Union(rules.Ring, rules.Field))
	noApprox := config(t, rules.Default)
	noApprox.Licences &^= ir.ApproxFunc
	negative := config(t, rules.Default)
	negative.Tolerance = accuracy.Tolerance{Unit: accuracy.Abs, Value: -1}
	for _, test := range []struct {
		name string
		ctx  context.Context
		f    *ir.Func
		c    compiler.Config
		want error
		text string
	}{
		{"a function without a form", context.Background(), tanh, noForms, extract.ErrNoForm, "tanh"},
		{"approximations denied", context.Background(), tanh, noApprox, extract.ErrNoForm, "tanh"},
		{"a contract that nothing keeps", context.Background(), cancels, impossible, compiler.ErrAccuracy, "the truth is"},
		{"a negative tolerance", context.Background(), tanh, negative, nil, "-1"},
		{"cancelled", cancelled, tanh, config(t, rules.Default), context.Canceled, "convert"},
		{"an invalid function", context.Background(), &ir.Func{Name: "empty"}, config(t, rules.Default), ir.ErrInvalid, "no result"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := compiler.Optimise(test.ctx, test.f, test.c)
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%v, want %v with %q", err, test.want, test.text)
			}
			if r == nil || r.Input != test.f {
				t.Error("the run is lost")
			}
		})
	}
}

// The cheaper a contract, the cheaper the program.
func TestCostFallsWithTheContract(t *testing.T) {
	f := define("exp", ir.Unknown, func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Exp, x) })
	last := ir.InfiniteCost
	var costs []ir.Cost
	for _, ulps := range []float64{0.7, 1.5, 3} {
		c := config(t, rules.Default)
		c.Tolerance = accuracy.Tolerance{Unit: accuracy.ULP, Value: ulps}
		r, err := compiler.Optimise(context.Background(), f, c)
		if err != nil {
			t.Fatalf("within %g ulp: %v", ulps, err)
		}
		if costs = append(costs, r.CostAfter); r.CostAfter >= last {
			t.Errorf("costs %v do not fall", costs)
		}
		last = r.CostAfter
	}
}

// random makes a random expression of n operations.
func random(rng *rand.Rand, typ ir.Type, n int) *ir.Func {
	b := ir.NewBuilder("random")
	vals := []ir.Value{b.Param("x", typ, ir.Unknown), b.Param("y", typ, ir.Unknown)}
	vals = append(vals, b.Const(typ, 0.5), b.Const(typ, 3), b.Const(typ, -1.25))
	pick := func() ir.Value { return vals[max(rng.IntN(len(vals)), rng.IntN(len(vals)))] }
	unary := []ir.Op{ir.Neg, ir.Abs, ir.Sqrt, ir.Exp, ir.Tanh, ir.Log}
	binary := []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Mul, ir.Mul, ir.Div}
	for range n {
		switch rng.IntN(6) {
		case 0:
			vals = append(vals, b.Must(unary[rng.IntN(len(unary))], pick()))
		case 1:
			vals = append(vals, b.Must(ir.Select, b.Must(ir.Lt, pick(), pick()), pick(), pick()))
		default:
			vals = append(vals, b.Must(binary[rng.IntN(len(binary))], pick(), pick()))
		}
	}
	b.Return(vals[len(vals)-1])
	return b.Func()
}

// Property: what comes out keeps the contract on points that the certificate has not seen, and holds no function.
func TestRandomFunctionsKeepTheContract(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 13))
	refused := 0
	for trial := range 60 {
		typ := []ir.Type{ir.Float32, ir.Float64}[trial%2]
		f := random(rng, typ, 1+rng.IntN(10))
		r, err := compiler.Optimise(context.Background(), f, config(t, rules.Default))
		if errors.Is(err, compiler.ErrAccuracy) {
			refused++
			t.Logf("trial %d: %v", trial, err)
			continue
		}
		if err != nil {
			t.Fatalf("trial %d: %v\n%v", trial, err, f)
		}
		points := make(accuracy.Points, 2)
		for range 500 {
			for j := range points {
				x := rng.NormFloat64() * math.Exp(rng.NormFloat64()*4)
				points[j] = append(points[j], ir.BitsFloat(typ, ir.ConstBits(typ, x)))
			}
		}
		p, err := interp.Compile(r.Output)
		if err != nil {
			t.Fatal(err)
		}
		got, err := accuracy.Run(p, r.Output, points)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Contract.Judge(points, got); err != nil {
			t.Errorf("trial %d: %v\n%v%v", trial, err, f, r.Output)
		}
	}
	if refused > 3 {
		t.Errorf("%d of 60 functions were refused", refused)
	}
}
