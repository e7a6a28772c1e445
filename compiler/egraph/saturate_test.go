package egraph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
)

func TestCyclicClasses(t *testing.T) {
	g := New(Analysis{})
	x := g.param(0)
	root := g.op(ir.Mul, g.op(ir.Add, x, g.num(0)), g.num(1))
	rules := []*Rewrite{rule("mul-one", "(mul x 1) => x"), rule("add-zero", "(add x 0) => x"), addComm}
	s := Saturate(g, []ClassID{root}, rules, nil, Limits{})
	check(t, g)
	if s.Stop != Saturated || g.Find(root) != g.Find(x) {
		t.Errorf("stopped by %s, root is x: %v", s.Stop, g.Find(root) == g.Find(x))
	}
	ops := ""
	for _, n := range g.Class(x) {
		ops += n.Op.String() + " "
	}
	if ops != "param add mul " {
		t.Errorf("the class of x shows %s", ops)
	}
	want := []Firing{{"mul-one", 2, 1}, {"add-zero", 2, 1}}
	if diff := cmp.Diff(want, s.Firings[:2]); diff != "" {
		t.Error(diff)
	}
}

// partition writes the classes of the given terms by the first term in each.
func partition(g *Graph, terms []ClassID) string {
	var b strings.Builder
	for _, c := range terms {
		first := slices.IndexFunc(terms, func(d ClassID) bool { return g.Find(d) == g.Find(c) })
		fmt.Fprint(&b, first, " ")
	}
	return b.String()
}

func TestRuleOrderDoesNotMatterWhenSaturated(t *testing.T) {
	rules := []*Rewrite{
		addComm, addAssoc, rule("neg-neg", "(neg (neg x)) => x"), rule("sub", "(sub a b) = (add a (neg b))"),
		rule("mul-one", "(mul x 1) => x"), rule("neg-add", "(neg (add a b)) = (add (neg a) (neg b))"),
	}
	rng := rand.New(rand.NewPCG(5, 6))
	var want string
	for round := range 12 {
		g := New(Analysis{})
		x, y, z := g.param(0), g.param(1), g.param(2)
		a := g.op(ir.Sub, g.op(ir.Add, x, y), z)
		b := g.op(ir.Sub, x, g.op(ir.Sub, z, g.op(ir.Mul, y, g.num(1))))
		terms := []ClassID{x, y, z, a, b, g.op(ir.Neg, a), g.op(ir.Sub, z, g.op(ir.Add, y, x)), g.op(ir.Neg, g.op(ir.Neg, z)), g.op(ir.Sub, y, z)}
		s := Saturate(g, []ClassID{a, b}, rules, nil, Limits{})
		check(t, g)
		if s.Stop != Saturated {
			t.Fatalf("stopped by %s", s.Stop)
		}
		got := fmt.Sprintf("%s(%d nodes, %d classes)", partition(g, terms), s.Nodes, s.Classes)
		if round == 0 {
			want = got
			if !strings.HasPrefix(got, "0 1 2 3 3 5 5 2 8 ") {
				t.Errorf("partition %s", got)
			}
		} else if got != want {
			t.Errorf("round %d: %s, want %s", round, got, want)
		}
		rng.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
	}
}

func TestNodeLimit(t *testing.T) {
	// One match adds at most the operations of one side.
	for _, limit := range []int{16, 50, 51, 52, 200} {
		g := New(Analysis{})
		root := sum(g, 8)
		s := Saturate(g, []ClassID{root}, []*Rewrite{addAssoc}, nil, Limits{Nodes: limit})
		check(t, g)
		if s.Stop != NodeLimit || s.Nodes > limit+2 {
			t.Errorf("limit %d: stopped by %s with %d nodes", limit, s.Stop, s.Nodes)
		}
		most := 0
		for _, n := range g.nodes {
			if n.live() {
				most++
			}
		}
		if most > limit+2 {
			t.Errorf("limit %d: %d nodes in the arena", limit, most)
		}
	}
}

func TestOtherLimits(t *testing.T) {
	grow := rule("grow", "(neg x) => (neg (neg (neg x)))")
	g := New(Analysis{})
	root := g.op(ir.Neg, g.param(0))
	if s := Saturate(g, []ClassID{root}, []*Rewrite{rule("grow", "(neg x) => (neg (add x 1))")}, nil, Limits{Iters: 3}); s.Stop != IterLimit || s.Iters != 3 {
		t.Errorf("stopped by %s after %d iterations", s.Stop, s.Iters)
	}
	g = New(Analysis{})
	root = g.op(ir.Mul, sum(g, 5), g.op(ir.Neg, sum(g, 5)))
	if s := Saturate(g, []ClassID{root}, []*Rewrite{rule("idle", "(add a b) = (add a (neg (neg b)))"), rule("neg-neg", "(neg (neg x)) => x")}, nil, Limits{Matches: 3}); s.Stop != MatchLimit || s.Firings[0].Matches%3 != 0 {
		t.Errorf("stopped by %s with %d matches, want 3 an iteration", s.Stop, s.Firings[0].Matches)
	}
	g = New(Analysis{})
	root = g.op(ir.Neg, g.param(0))
	if s := Saturate(g, []ClassID{root}, []*Rewrite{grow}, nil, Limits{Iters: 50}); s.Stop != Saturated {
		t.Errorf("-x = ---x does not close: stopped by %s with %d nodes", s.Stop, s.Nodes)
	}
}

func TestDeterminism(t *testing.T) {
	run := func() string {
		g := New(arithmetic)
		root := g.op(ir.Mul, sum(g, 5), g.op(ir.Add, g.num(2), g.param(1)))
		rules := []*Rewrite{addComm, addAssoc, rule("distrib", "(mul a (add b c)) = (add (mul a b) (mul a c))")}
		s := Saturate(g, []ClassID{root}, rules, nil, Limits{Nodes: 700})
		text := fmt.Sprint(s)
		for c := range g.Classes() {
			text += fmt.Sprint(c, g.Class(c), g.Fact(c), "\n")
		}
		return text
	}
	want := run()
	for range 3 {
		if diff := cmp.Diff(want, run()); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestGuard(t *testing.T) {
	abs := rule("abs", "(abs x) => x")
	var seen []ir.Fact
	abs.Guard = func(vars []ir.Fact) Truth {
		seen = append(seen, vars[0])
		switch {
		case vars[0].Lo >= 0:
			return Yes
		case vars[0].Hi < 0:
			return No
		}
		return Unknown
	}
	for _, c := range []struct {
		fact ir.Fact
		want bool
	}{{ir.Between(0, 1), true}, {ir.Between(-1, 1), false}, {ir.Between(-2, -1), false}} {
		g := New(Analysis{})
		x := g.param(0)
		g.narrow(x, c.fact, Given)
		root := g.op(ir.Abs, x)
		Saturate(g, []ClassID{root}, []*Rewrite{abs}, nil, Limits{})
		if got := g.Find(root) == g.Find(x); got != c.want {
			t.Errorf("|x| = x for x in %v: %v, want %v", c.fact, got, c.want)
		}
	}
	seen = nil
	g := New(Analysis{})
	root := g.op(ir.Abs, g.num(7))
	Saturate(g, []ClassID{root}, []*Rewrite{abs}, nil, Limits{Iters: 1})
	if len(seen) != 1 || seen[0] != ir.Exactly(7) {
		t.Errorf("the guard saw %v for the constant 7", seen)
	}
}

func TestPinsAndLicences(t *testing.T) {
	for _, licence := range []ir.Licence{0, ir.Reassoc} {
		g := New(Analysis{})
		r := parse(t, g, `func "f"("x" f32) {
			v0 = param f32 "x"
			v1 = neg.pin f32 v0
			v2 = neg f32 v1
			v3 = neg f32 v0
			v4 = neg f32 v3
			return v2 v4
		}`)
		law := rule("neg-neg", "(neg (neg x)) => x")
		law.Licence = licence
		Saturate(g, r, []*Rewrite{law}, nil, Limits{})
		x := g.param(0)
		if g.Find(r[0]) == g.Find(x) != (licence == 0) || g.Find(r[1]) != g.Find(x) {
			t.Errorf("licence %v: pinned %v, free %v", licence, g.Find(r[0]) == g.Find(x), g.Find(r[1]) == g.Find(x))
		}
	}
	g := New(Analysis{})
	root := g.op(ir.Sub, g.param(0), g.param(1))
	Saturate(g, []ClassID{root}, []*Rewrite{rule("pin", "(sub a b) => (add.pin a (neg b))")}, nil, Limits{})
	if n := g.Class(root); len(n) != 2 || !n[0].Pin || n[0].Op != ir.Add {
		t.Errorf("the pinned right side came out as %v", n)
	}
}

func TestTypes(t *testing.T) {
	g := New(Analysis{})
	r := parse(t, g, `func "f"("x" f32, "y" f64) {
		v0 = param f32 "x"
		v1 = param f64 "y"
		v2 = abs f32 v0
		v3 = abs f64 v1
		v4 = convert f64 v0
		v5 = convert f32 v4
		v6 = convert f32 v1
		v7 = convert f64 v6
		return v2 v3 v5 v7 v4
	}`)
	only64 := rule("abs", "(abs x) => (select (lt x 0) (neg x) x)")
	only64.Type = ir.Float64
	rules := []*Rewrite{
		only64,
		rule("widen", "(convert.f32 (convert.f64 x)) => x"),
		rule("ill-typed", "(convert.f64 x) => x"),
		rule("mixed", "(convert.f64 x) => (add (convert.f64 x) x)"),
	}
	s := Saturate(g, r, rules, nil, Limits{})
	check(t, g)
	if s.Stop != Saturated {
		t.Errorf("stopped by %s", s.Stop)
	}
	if n := len(g.Class(r[0])); n != 1 {
		t.Errorf("the float64 law applied to float32: %d nodes", n)
	}
	if n := g.Class(r[1]); len(n) != 2 || n[1].Op != ir.Select || g.Type(n[1].Args[0]) != ir.Bool || g.Type(n[1].Args[1]) != ir.Float64 {
		t.Errorf("the float64 law gave %v", n)
	}
	if g.Find(r[2]) != g.param(0) {
		t.Error("float32(float64(x)) is not x")
	}
	if s.Firings[2].Matches+s.Firings[3].Matches != 0 {
		t.Errorf("an ill-typed law was applied: %v", s.Firings)
	}
}

func TestPasses(t *testing.T) {
	g := New(Analysis{})
	x := g.param(0)
	root := g.op(ir.Neg, g.op(ir.Neg, x))
	runs := 0
	pass := Pass{"negations", func(g *Graph, roots []ClassID) int {
		runs++
		for _, n := range g.Class(roots[0]) {
			if n.Op == ir.Neg && g.Union(roots[0], x, Given) {
				return 1
			}
		}
		return 0
	}}
	s := Saturate(g, []ClassID{root}, []*Rewrite{addComm}, []Pass{pass}, Limits{})
	want := []Firing{{"add-comm", 0, 0}, {"negations", 0, 1}}
	if diff := cmp.Diff(want, s.Firings); diff != "" || runs != 2 || s.Stop != Saturated {
		t.Errorf("%d runs, stopped by %s\n%s", runs, s.Stop, diff)
	}
	wrong := Pass{"wrong", func(g *Graph, roots []ClassID) int {
		g.Union(g.num(1), g.num(2), Given)
		return 1
	}}
	if Saturate(g, []ClassID{root}, nil, []Pass{wrong}, Limits{}); g.Err() == nil || !strings.Contains(g.Err().Error(), "wrong unites") {
		t.Errorf("the pass is not named: %v", g.Err())
	}
}

func TestApproximationPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an approximation entered the graph")
		}
	}()
	r := rule("tanh", "(tanh x) => x")
	r.Kind = Approximation
	Saturate(New(Analysis{}), nil, []*Rewrite{r}, nil, Limits{})
}

// Directions that cannot run are left out: unbound variables, or nothing to look for. So are those that find nothing new:
// what canonical operand order decides, and a law that is its own mirror image.
func TestDirections(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"(sub a b) = (neg (sub b a))", 2}, {"(sub a b) => (sub b a)", 1}, {"(add a 0) = a", 1}, {"(mul a 0) = 0", 1}, {"(sub a a) = (sub b b)", 0},
		{"(add a b) = (add b a)", 0}, {"(add (mul a 2) b) => (add b (mul 2 a))", 0}, {"(sub a b) => (sub a b)", 0}, {"(add (add a b) c) = (add a (add b c))", 1},
		{"(add (sub a b) c) = (add a (sub b c))", 2}, {"(mul a (add b c)) = (add (mul a b) (mul a c))", 2}, {"(sub a b) = (sub b a)", 1}, {"(add a a) = (add b a)", 1},
	} {
		if got := len(directions(rule("r", c.text), 1)); got != c.want {
			t.Errorf("%s: %d directions, want %d", c.text, got, c.want)
		}
	}
}
