package egraph

import (
	"math/big"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

var (
	half = &ir.Def{Name: "half", Arity: 1, Eval: func(x []float64) float64 { return x[0] / 2 },
		Fact: func(a []ir.Fact) ir.Fact { return ir.Between(a[0].Lo/2, a[0].Hi/2) }}
	twice = &ir.Def{Name: "twice", Arity: 1, Eval: func(x []float64) float64 { return 2 * x[0] }}
)

// calls is arithmetic with the two operations.
func calls() Analysis {
	a := arithmetic
	a.Call = func(d *ir.Def, pin bool, t ir.Type, args []Constant) (Constant, bool) {
		if args[0].Real == nil {
			return Constant{}, false
		}
		x, _ := args[0].Real.Float64()
		return Constant{Real: big.NewFloat(d.Eval([]float64{x}))}, true
	}
	return a
}

const callsText = `func "f"("x" f32 in [2, 4]) {
	v0 = param f32 "x"
	v1 = call1 f32 "half" v0
	v2 = call1 f32 "twice" v0
	v3 = call1 f32 "half" v2
	return v1 v2 v3
}`

func callsGraph(t *testing.T) (*Graph, []ClassID) {
	t.Helper()
	f, err := ir.Parse("calls", callsText, half, twice)
	if err != nil {
		t.Fatal(err)
	}
	g := New(calls())
	roots := g.AddFunc(f)
	g.Rebuild()
	return g, roots
}

// Calls of different operations are different nodes; what is known about one comes from its definition.
func TestCallNodes(t *testing.T) {
	g, roots := callsGraph(t)
	if g.NumNodes() != 4 {
		t.Errorf("%d nodes, want 4", g.NumNodes())
	}
	if got := g.Def(g.Class(roots[1])[0]); got != twice {
		t.Errorf("definition %v", got)
	}
	if got := g.Def(g.Class(g.param(0))[0]); got != nil {
		t.Errorf("a parameter has the definition %v", got)
	}
	if got, want := g.Fact(roots[0]), ir.Between(1, 2); got != want {
		t.Errorf("half: %v, want %v", got, want)
	}
	if got := g.Fact(roots[1]); got != ir.Unknown {
		t.Errorf("twice: %v", got)
	}
	again := g.AddFunc(mustParse(t, callsText))
	for i := range roots {
		if g.Find(again[i]) != g.Find(roots[i]) {
			t.Errorf("result %d added again is another class", i)
		}
	}
}

func mustParse(t *testing.T, text string) *ir.Func {
	t.Helper()
	f, err := ir.Parse("calls", text, half, twice)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A pattern finds the calls of its own operation only, and a right side makes them.
func TestCallPatterns(t *testing.T) {
	call := func(d *ir.Def, arg int) PatternNode { return PatternNode{Op: ir.Call1, Def: d, Args: [3]int{arg}} }
	x := PatternNode{Var: 0}
	undo := &Rewrite{Name: "undo", Pos: "t:1", Kind: Directed, Vars: []string{"x"},
		LHS: &Pattern{Nodes: []PatternNode{x, call(twice, 0), call(half, 1)}}, RHS: &Pattern{Nodes: []PatternNode{x}}}
	g, roots := callsGraph(t)
	never := &Rewrite{Name: "never", Pos: "t:3", Kind: Directed, Vars: []string{"x"},
		LHS: &Pattern{Nodes: []PatternNode{x, call(twice, 0), call(twice, 1)}}, RHS: &Pattern{Nodes: []PatternNode{x}}}
	stats := Saturate(g, roots, []*Rewrite{undo, never}, nil, Limits{})
	if stats.Stop != Saturated || stats.Firings[0].Unions != 1 || stats.Firings[1].Matches != 0 {
		t.Errorf("%+v", stats)
	}
	if g.Find(roots[2]) != g.Find(g.param(0)) {
		t.Error("half(twice(x)) is not x")
	}

	g, _ = callsGraph(t)
	root := g.Add(Node{Op: ir.Call1, Type: ir.Float32, Args: [3]ClassID{g.AddFunc(mustParse(t, callsText))[0]}, Imm: g.define(twice)})
	g.Rebuild()
	swap := &Rewrite{Name: "swap", Pos: "t:2", Kind: Directed, Vars: []string{"x"},
		LHS: &Pattern{Nodes: []PatternNode{x, call(half, 0), call(twice, 1)}}, RHS: &Pattern{Nodes: []PatternNode{x, call(twice, 0), call(half, 1)}}}
	Saturate(g, []ClassID{root}, []*Rewrite{swap, undo}, nil, Limits{Iters: 2})
	if g.Find(root) != g.Find(g.param(0)) {
		t.Error("twice(half(x)) is not x by way of half(twice(x))")
	}
}

func TestCallFolds(t *testing.T) {
	f := mustParse(t, `func "f"() {
	v0 = const f32 0x1.8p+01
	v1 = call1.pin f32 "half" v0
	return v1
}`)
	g := New(calls())
	root := g.AddFunc(f)[0]
	if c, ok := g.Const(root); !ok || c.Real.Cmp(big.NewFloat(1.5)) != 0 {
		t.Errorf("half(3) is %v, %v", c, ok)
	}
	g = New(arithmetic)
	if _, ok := g.Const(g.AddFunc(f)[0]); ok {
		t.Error("folded without Analysis.Call")
	}
}
