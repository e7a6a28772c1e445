package rules

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

func first(x []float64) float64 { return x[0] }

var (
	softsign = &ir.Def{Name: "softsign", Arity: 1, Eval: first}
	j0       = &ir.Def{Name: "j0", Arity: 1, Eval: first} // j0 is the name of a variable too
	mix      = &ir.Def{Name: "mix", Arity: 3, Eval: first}
)

func TestParseCalls(t *testing.T) {
	const text = `odd:   softsign(-x)      = -softsign(x)
mix-0: mix(a, b, 0)      => a
both:  mix(j0(a), 1, b)  => pin(softsign(b)) + a + j0  with j0 = 2
form:  j0(j0)            ~> softsign(j0)*mix(j0, j0, 1) everywhere within 1 abs ! afn
`
	if _, err := Parse("calls.rules", text, softsign, j0, mix); err == nil || !strings.Contains(err.Error(), "j0 has a meaning already") {
		t.Errorf("a definition with the name of an operation: %v", err)
	}
	set, err := Parse("calls.rules", strings.Replace(text, "+ j0  with j0 = 2", "", 1), softsign, j0, mix)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(set.Defs(), []*ir.Def{softsign, mix, j0}) {
		t.Errorf("definitions %v", set.Defs())
	}
	r := set.Rewrites()
	if root := r[0].LHS.Nodes[r[0].LHS.Root()]; root.Op != ir.Call1 || root.Def != softsign {
		t.Errorf("%+v", root)
	}
	if root := r[1].LHS.Nodes[r[1].LHS.Root()]; root.Op != ir.Call3 || root.Def != mix {
		t.Errorf("%+v", root)
	}
	pinned := slices.ContainsFunc(r[2].RHS.Nodes, func(n egraph.PatternNode) bool { return n.Pin && n.Def == softsign })
	if !pinned {
		t.Errorf("the pin is lost: %+v", r[2].RHS.Nodes)
	}
	again, err := Parse("again.rules", set.String(), softsign, j0, mix)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(set.String(), again.String()); diff != "" {
		t.Error(diff)
	}
}

func TestParseCallErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown", "a: softmax(x) => x\n", "x.rules:1:4: unknown function softmax"},
		{"arity", "a: softsign(x, y) => x\n", "x.rules:1:4: softsign of 2 arguments, want 1"},
		{"bool", "a: softsign(x < y) => x\n", "softsign needs a float here, not a bool"},
		{"same", "a: softsign(x) = softsign(x)\n", "both sides are the same"},
		{"repeated", "a: softsign(x) => x\nb: softsign(y) => y\n", "b says the same as the law"},
		{"call", "a: call1(x) => x\n", "unknown function call1"},
	} {
		if _, err := Parse("x.rules", c.text, softsign, j0, mix); !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	// Laws of different operations differ.
	if _, err := Parse("x.rules", "a: softsign(0) => 0\nb: j0(0) => 0\n", softsign, j0); err != nil {
		t.Error(err)
	}
	other := *softsign
	for _, c := range []struct {
		name string
		defs []*ir.Def
		want string
	}{
		{"nil", []*ir.Def{nil}, "nil definition"},
		{"no meaning", []*ir.Def{{Name: "f", Arity: 1}}, "no meaning"},
		{"upper case", []*ir.Def{{Name: "SoftSign", Arity: 1, Eval: first}}, "lower-case letters"},
		{"built in", []*ir.Def{{Name: "exp", Arity: 1, Eval: first}}, "exists already"},
		{"constant", []*ir.Def{{Name: "pi", Arity: 1, Eval: first}}, "has a meaning already"},
		{"type", []*ir.Def{{Name: "float32", Arity: 1, Eval: first}}, "has a meaning already"},
		{"clause", []*ir.Def{{Name: "where", Arity: 1, Eval: first}}, "has a meaning already"},
		{"predicate", []*ir.Def{{Name: "integer", Arity: 1, Eval: first}}, "has a meaning already"},
		{"namesakes", []*ir.Def{softsign, &other}, "two operations are called softsign"},
	} {
		if _, err := Parse("x.rules", "", c.defs...); !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Parse("x.rules", "", softsign, softsign); err != nil {
		t.Errorf("one operation twice: %v", err)
	}
}
