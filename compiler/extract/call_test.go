package extract

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Calls come out as they went in, each with its own definition and price.
func TestCalls(t *testing.T) {
	eval := func(x []float64) float64 { return x[0] }
	cheap, dear := &ir.Def{Name: "cheap", Arity: 1, Eval: eval}, &ir.Def{Name: "dear", Arity: 1, Eval: eval, Cost: 30}
	const text = `func "f"("x" f32) {
	v0 = param f32 "x"
	v1 = call1 f32 "dear" v0
	v2 = call1.pin f32 "cheap" v1
	return v2
}
`
	f, err := ir.Parse("f", text, cheap, dear)
	if err != nil {
		t.Fatal(err)
	}
	g := egraph.New(egraph.Analysis{})
	roots := g.AddFunc(f)
	g.Rebuild()
	costs := ir.Uniform(1)
	out, cost, err := Best(g, roots, f.Params, f.Name, NewTable(costs))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, out.String()); diff != "" {
		t.Errorf("(-in +out)\n%s", diff)
	}
	if out.Def(out.Nodes[1]) != dear || out.Def(out.Nodes[2]) != cheap {
		t.Errorf("definitions %v", out.Defs)
	}
	if want := ir.Cost(1 + 30 + 1); cost != want || DAGCost(out, costs) != want || TreeCost(out, costs) != want {
		t.Errorf("cost %d, DAG %d, tree %d, want %d", cost, DAGCost(out, costs), TreeCost(out, costs), want)
	}
	_, _, err = Best(g, roots, f.Params, f.Name, NewTable(costs.Set(ir.Call1, ir.InfiniteCost)))
	var noForm *NoFormError
	if !errors.As(err, &noForm) || !slices.Equal(noForm.Defs, []*ir.Def{cheap, dear}) || len(noForm.Ops) > 0 {
		t.Errorf("%v", err)
	}
	if want := ErrNoForm.Error() + ": cheap, dear have infinite cost"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}
