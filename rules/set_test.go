package rules

import (
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
)

var all = []Set{Ring, Field, Signs, Order, Powers, FMA, Exponential, Hyperbolic, Logistic, Trigonometric, ErrorFunction, Functions, Machine, Demo}

func TestEveryFileIsASet(t *testing.T) {
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var inFiles, inSets []string
	for _, e := range entries {
		inFiles = append(inFiles, strings.TrimSuffix(e.Name(), ".rules"))
		text, err := files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "# ") || !strings.Contains(string(text), "\n# Source: ") {
			t.Errorf("%s lacks its header or the source in it", e.Name())
		}
	}
	for _, s := range all {
		if s.Name() != Functions.Name() {
			inSets = append(inSets, s.Name())
		}
		if len(s.Names()) == 0 {
			t.Errorf("%s is empty", s.Name())
		}
	}
	for _, family := range families {
		inSets = append(inSets, "form-"+family)
	}
	slices.Sort(inSets)
	if d := cmp.Diff(inFiles, inSets); d != "" {
		t.Error(d)
	}
}

func TestPrintParse(t *testing.T) {
	for _, s := range append(slices.Clone(all), Default) {
		again, err := Parse(s.Name()+".rules", s.String())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(s.Rewrites(), again.Rewrites(), equalLaws); d != "" {
			t.Error(d)
		}
		if again.String() != s.String() || again.Name() != s.Name() {
			t.Errorf("%s: another text the second time", s.Name())
		}
	}
}

func TestRewritesAreCopies(t *testing.T) {
	Demo.Rewrites()[0].Name = "changed"
	Demo.Rewrites()[0].Vars[0] = "changed"
	if r := Demo.Rewrites()[0]; r.Name == "changed" || r.Vars[0] == "changed" {
		t.Error("a caller changed the set")
	}
}

func TestUnion(t *testing.T) {
	u := Union(Demo, Powers, Demo)
	if n := len(u.Names()); n != len(Demo.Names())+len(Powers.Names())-2 { // pow-zero and pow-step are in both
		t.Errorf("the union has %d laws: %v", n, u.Names())
	}
	if u.Name() != "demo+powers+demo" {
		t.Errorf("name %q", u.Name())
	}
	user, err := Parse("dir/mine.rules", "pow-zero: pow(x, 0) => 2/2")
	if err != nil {
		t.Fatal(err)
	}
	if got := Union(Powers, user).Names(); len(got) != len(Powers.Names())+1 {
		t.Errorf("a law was lost to another of the same name: %v", got)
	}
	if user.Name() != "mine" {
		t.Errorf("name %q", user.Name())
	}
}

func TestWithout(t *testing.T) {
	s, err := Powers.Without("pow-step", "pow-even")
	if err != nil || slices.Contains(s.Names(), "pow-step") || len(s.Names()) != len(Powers.Names())-2 {
		t.Errorf("%v, %v", s.Names(), err)
	}
	if _, err := Powers.Without("pow-stop"); !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), "\"pow-stop\"") {
		t.Errorf("a misspelt name: %v", err)
	}
}

func TestGranted(t *testing.T) {
	for _, r := range Default.Granted(0).Rewrites() {
		if r.Licence != 0 {
			t.Errorf("%s needs %v", r.Name, r.Licence)
		}
	}
	if got := Ring.Granted(ir.NoSignZero).Names(); !slices.Contains(got, "add-zero") || slices.Contains(got, "mul-zero") || slices.Contains(got, "add-assoc") {
		t.Errorf("with nsz: %v", got)
	}
}

func TestRing(t *testing.T) {
	rest, ring := Default.Ring()
	if !ring || slices.Contains(rest.Names(), "mul-distrib") || !slices.Contains(rest.Names(), "mul-comm") {
		t.Errorf("%v, %v", ring, rest.Names())
	}
	if len(rest.Names()) != len(Default.Names())-len(normalForm) {
		t.Errorf("%d laws left of %d", len(rest.Names()), len(Default.Names()))
	}
	if rest, ring := Demo.Ring(); ring || len(rest.Names()) != len(Demo.Names()) {
		t.Errorf("the demonstration is said to have a ring: %v", rest.Names())
	}
	if _, ring := Default.Granted(0).Ring(); ring {
		t.Error("a ring without the licence to reassociate")
	}
}

// The demonstration's tanh is the continued fraction x/(1 + x²/(3 + x²/(5 + x²/7))), and its arithmetic is exact.
func TestDemoIsTheContinuedFraction(t *testing.T) {
	rs := Demo.Rewrites()
	r := rs[len(rs)-1]
	if r.Name != "tanh-pade-4" || r.Kind != egraph.Approximation || r.Bound != (egraph.Bound{Value: 1.4e-6, Unit: egraph.Abs}) {
		t.Fatalf("%+v", r)
	}
	for _, x := range []*big.Rat{big.NewRat(1, 3), big.NewRat(-5, 7), big.NewRat(2, 1)} {
		square := new(big.Rat).Mul(x, x)
		want := big.NewRat(7, 1)
		for _, k := range []int64{5, 3, 1} {
			want.Quo(square, want)
			want.Add(want, big.NewRat(k, 1))
		}
		want.Quo(x, want)
		if got := evalRat(t, r.RHS, x); got.Cmp(want) != 0 {
			t.Errorf("at %v: %v, want %v", x, got, want)
		}
	}
}

// evalRat evaluates a term of one variable exactly.
func evalRat(t *testing.T, p *egraph.Pattern, x *big.Rat) *big.Rat {
	values := make([]*big.Rat, len(p.Nodes))
	for i, n := range p.Nodes {
		v := new(big.Rat)
		a, b := values[n.Args[0]], values[n.Args[1]]
		switch n.Op {
		case ir.OpInvalid:
			v = x
		case ir.Real:
			n.Value.Rat(v)
		case ir.Add:
			v.Add(a, b)
		case ir.Mul:
			v.Mul(a, b)
		case ir.Div:
			v.Quo(a, b)
		case ir.Pow:
			v.SetInt64(1)
			for range b.Num().Int64() {
				v.Mul(v, a)
			}
		default:
			t.Fatalf("%v in the fraction", n.Op)
		}
		values[i] = v
	}
	return values[p.Root()]
}

// The forms are those that package minimax makes: its own golden files hold the same laws.
func TestFormsAreThoseOfMinimax(t *testing.T) {
	ours := map[string]*egraph.Rewrite{}
	for _, r := range Functions.Rewrites() {
		ours[r.Name] = r
	}
	files, err := filepath.Glob("minimax/cmd/approx/testdata/*.rules")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d golden files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		made, err := Parse(filepath.Base(file), string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range made.Rewrites() {
			got := ours[want.Name]
			if got == nil {
				t.Errorf("%s: %s is missing", file, want.Name)
				continue
			}
			if d := cmp.Diff(want, got, equalLaws); d != "" {
				t.Errorf("%s: %s: %s", file, want.Name, d)
			}
		}
	}
}
