package compiler_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/golden"
	"github.com/go-yolk/yolk/rules"
)

// Every derivation leads from the function as written to the candidate without a gap, and each step of it holds by
// evaluation of both sides over the reals.
func TestDerivations(t *testing.T) {
	steps, rulesUsed := 0, map[string]bool{}
	functions := map[string]*ir.Func{"12 terms": powers(12)}
	for i := range 30 {
		functions[fmt.Sprint("random ", i)] = random(rand.New(rand.NewPCG(uint64(i), 7)), []ir.Type{ir.Float32, ir.Float64}[i%2], 20)
	}
	for _, k := range kernels {
		functions[k.name] = k.f
	}
	for name, f := range functions {
		t.Run(name, func(t *testing.T) {
			r, err := compiler.RunUntil(context.Background(), f, config(t, rules.Default), "lower")
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.Candidates[:min(len(r.Candidates), 4)] {
				derivations, err := r.Explain(c)
				if err != nil {
					t.Fatal(err)
				}
				at := f.Compact().String()
				for _, d := range derivations {
					if got := d.From.Compact().String(); got != at {
						t.Fatalf("%s begins at\n%sthe derivation stands at\n%s", d.Stage, got, at)
					}
					at = d.To.Compact().String()
					if (d.Stage == "forms") != (d.Proofs == nil) || (d.Stage == "forms") != (len(d.Forms) > 0) {
						t.Errorf("%s: %d proofs, forms %v", d.Stage, len(d.Proofs), d.Forms)
					}
					for i, p := range d.Proofs {
						steps += checkDerivation(t, d, i, p)
						for _, name := range p.Rules() {
							rulesUsed[name] = true
						}
					}
				}
				if got := c.Func.Compact().String(); got != at {
					t.Errorf("the derivation ends at\n%sthe candidate is\n%s", at, got)
				}
			}
		})
	}
	t.Logf("%d steps by %d rules", steps, len(rulesUsed))
	if steps < 400 || len(rulesUsed) < 10 || !rulesUsed["ring"] {
		t.Errorf("only %d steps by %d rules were checked", steps, len(rulesUsed))
	}
}

func checkDerivation(t *testing.T, d compiler.Derivation, result int, p *egraph.Proof) (steps int) {
	t.Helper()
	params := d.From.Params
	// same compares terms up to the order of commutative operands, which a graph without rules does not tell apart.
	same := func(f *ir.Func, term int) bool {
		g := egraph.New(egraph.Analysis{})
		return g.AddFunc(f)[result] == g.AddFunc(p.Func(term, params))[0]
	}
	if !same(d.From, p.From) || !same(d.To, p.To) {
		t.Errorf("%s: the proof does not lead from\n%vto\n%v%v", d.Stage, d.From, d.To, p)
	}
	at := p.From
	for _, s := range p.Steps {
		if s.Depth == 0 {
			if s.From != at {
				t.Fatalf("%s: a gap in the chain\n%v", d.Stage, p)
			}
			at = s.To
		}
		if s.Kind == egraph.ByCongruence {
			continue // as true as the steps that it rests on
		}
		steps++
		in := make([][]float64, 3)
		for k := range in {
			for j, q := range params {
				x := []float64{0.3, 0.8, 0.55}[(k+j)%3]
				if q.Fact.Lo < -1 {
					x = []float64{-0.7, 1.25, 0.4}[(k+j)%3]
				}
				in[k] = append(in[k], x)
			}
		}
		from, to := p.Func(s.From, params), p.Func(s.To, params)
		if from.Nodes[from.Results[0]].Type != ir.Bool {
			tolerance := exactly
			if s.Kind == egraph.ByFolding {
				tolerance = 0x1p-23 // without reassoc it rounds to the type
			}
			equalOverTheReals(t, from, to, in, tolerance)
		}
	}
	if at != p.To {
		t.Fatalf("%s: the chain ends elsewhere\n%v", d.Stage, p)
	}
	return steps
}

// Golden: the derivation of gelu, as a report shows it.
func TestGoldenDerivation(t *testing.T) {
	r, err := compiler.RunUntil(context.Background(), gelu(ir.Unknown), config(t, rules.Default), "lower")
	if err != nil {
		t.Fatal(err)
	}
	derivations, err := r.Explain(r.Candidates[0])
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, d := range derivations {
		fmt.Fprintf(&b, "# %s %s\n", d.Stage, strings.Join(d.Forms, " "))
		for _, p := range d.Proofs {
			fmt.Fprintf(&b, "%v", p)
		}
	}
	const path = "testdata/gelu.derivation"
	golden.Check(t, path, b.String())
}

// The order of the rules decides nothing: 30 shuffles give the same text.
func TestShuffledRules(t *testing.T) {
	type entry struct {
		name string
		f    *ir.Func
	}
	all := []entry{{"12 terms", powers(12)}, {"random", random(rand.New(rand.NewPCG(3, 8)), ir.Float32, 25)}}
	for _, k := range kernels {
		all = append(all, entry{k.name, k.f})
	}
	rng := rand.New(rand.NewPCG(30, 30))
	for _, e := range all {
		t.Run(e.name, func(t *testing.T) {
			c := config(t, rules.Default)
			c.Rules = slices.Clone(c.Rules)
			want := ""
			for i := range 30 {
				r, err := compiler.RunUntil(context.Background(), e.f, c, "lower")
				if err != nil {
					t.Fatal(err)
				}
				got := r.Candidates[0].Func.String()
				if i == 0 {
					want = got
				} else if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("shuffle %d (-first +now):\n%s", i, diff)
				}
				rng.Shuffle(len(c.Rules), func(i, j int) { c.Rules[i], c.Rules[j] = c.Rules[j], c.Rules[i] })
			}
		})
	}
}

// The debugging mode finds nothing wrong with the rules that ship, from the written function to the last lowered one.
func TestCheckedRulesAreTrue(t *testing.T) {
	functions := map[string]*ir.Func{}
	for _, k := range kernels {
		functions[k.name] = k.f
	}
	for _, l := range long {
		functions[l.name] = l.f()
	}
	for i := range 12 {
		functions[fmt.Sprint("random ", i)] = random(rand.New(rand.NewPCG(uint64(i), 5)), []ir.Type{ir.Float32, ir.Float64}[i%2], 12)
	}
	for name, f := range functions {
		t.Run(name, func(t *testing.T) {
			c := config(t, rules.Default)
			c.Check = true
			stage := "lower"
			if f.Arithmetic() > 40 {
				stage = "saturate"
			}
			if _, err := compiler.RunUntil(context.Background(), f, c, stage); err != nil {
				t.Error(err)
			}
		})
	}
}

// The debugging mode changes no program.
func TestCheckIsPassive(t *testing.T) {
	c := config(t, rules.Default)
	plain, err := compiler.RunUntil(context.Background(), gelu(ir.Unknown), c, "lower")
	if err != nil {
		t.Fatal(err)
	}
	c.Check = true
	checked, err := compiler.RunUntil(context.Background(), gelu(ir.Unknown), c, "lower")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain.Candidates[0].Func.String(), checked.Candidates[0].Func.String()); diff != "" {
		t.Error(diff)
	}
}

// False laws are caught in a function where they fire, by name and position; laws that only lack a licence are not false.
func TestFalseLawsAreNamed(t *testing.T) {
	const path = "../rules/rulestest/testdata/bad.rules"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Parse("bad.rules", string(text))
	if err != nil {
		t.Fatal(err)
	}
	// The laws that differ over the reals; false: not caught yet.
	caught := map[string]bool{
		"halve": false, "sqrt-square": false, "square-sqrt": false, "cancel": false, "exp-product": false, "near-one": false,
		"reverse": false, "pow-odd": false, "trunc-floor": false,
	}
	for _, law := range set.Rewrites() {
		if law.Kind == egraph.Approximation {
			continue
		}
		for _, side := range []*egraph.Pattern{law.LHS, law.RHS} {
			f := instance(law, side)
			if f == nil {
				continue
			}
			c := config(t, rules.Default)
			c.Check = true
			c.Licences |= law.Licence
			c.Rules = append([]*egraph.Rewrite{law}, c.Rules...)
			_, err := compiler.RunUntil(context.Background(), f, c, "saturate")
			name := law.Name + " (" + law.Pos + ") unites "
			switch {
			case err == nil:
			case !strings.Contains(err.Error(), name):
				t.Errorf("%s: another law is blamed: %v", law.Name, err)
			default:
				if _, wrong := caught[law.Name]; !wrong {
					t.Errorf("%s is true over the reals: %v", law.Name, err)
				}
				caught[law.Name] = true
			}
		}
	}
	for name, yes := range caught {
		if !yes {
			t.Errorf("%s was not caught", name)
		}
	}
}

// instance is one side of a law as a function of its variables; exponents called n are 3.
func instance(law *egraph.Rewrite, side *egraph.Pattern) *ir.Func {
	root := side.Nodes[side.Root()].Op
	if root == ir.OpInvalid || root.Leaf() {
		return nil
	}
	b := ir.NewBuilder(law.Name)
	vars := make([]ir.Value, len(law.Vars))
	for i, name := range law.Vars {
		if name == "n" {
			vars[i] = b.Const(ir.Float32, 3)
		} else {
			vars[i] = b.Param(name, ir.Float32, ir.Unknown)
		}
	}
	values := make([]ir.Value, len(side.Nodes))
	for i, n := range side.Nodes {
		switch n.Op {
		case ir.OpInvalid:
			values[i] = vars[n.Var]
		case ir.Real:
			values[i] = b.Real(ir.Float32, n.Value)
		case ir.Const:
			values[i] = b.Const(ir.Float32, n.Const)
		default:
			var args []ir.Value
			for _, a := range n.Args[:n.Op.Info().Arity] {
				args = append(args, values[a])
			}
			v, err := b.Emit(n.Op, n.Type, args...)
			if err != nil {
				return nil
			}
			values[i] = v
		}
	}
	b.Return(values[side.Root()])
	return b.Func()
}
