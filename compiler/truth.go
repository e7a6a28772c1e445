package compiler

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Truth lowers a program of accuracy.Bounded for the machine of c.Costs: nothing is reassociated, and functions are replaced by forms
// that are within accuracy.FormULPs.
func Truth(ctx context.Context, f *ir.Func, c Config) (*ir.Func, error) {
	c.Rules = slices.DeleteFunc(slices.Clone(c.Rules), func(w *egraph.Rewrite) bool {
		return w.Kind == egraph.Approximation && (w.Bound.Unit != egraph.ULP || w.Bound.Value > accuracy.FormULPs)
	})
	c.Licences, c.Tolerance, c.Check = ir.ApproxFunc, accuracy.Tolerance{}, false
	if c.Costs[ir.FMA][ir.Float64] == ir.InfiniteCost {
		return nil, fmt.Errorf("compiler: the bounds of forms hold with fused multiply-add")
	}
	r, err := RunUntil(ctx, f, c, "lower")
	if err != nil {
		return nil, err
	}
	return r.Candidates[0].Func.Rounded(), nil
}
