package rulestest

import (
	"fmt"
	"testing"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

// The laws of powers, with the graph's folding of exponents, turn every integer power into products.
func TestPowersBecomeProducts(t *testing.T) {
	for _, c := range []struct {
		set rules.Set
		n   float64
		// the product, in terms of x and the builder's multiplication
		product func(x ir.Value, mul func(a, b ir.Value) ir.Value) ir.Value
	}{
		{rules.Demo, 3, func(x ir.Value, mul func(a, b ir.Value) ir.Value) ir.Value { return mul(x, mul(x, x)) }},
		{rules.Demo, 1, func(x ir.Value, _ func(a, b ir.Value) ir.Value) ir.Value { return x }},
		{rules.Powers, 1, func(x ir.Value, _ func(a, b ir.Value) ir.Value) ir.Value { return x }},
		{rules.Powers, 4, func(x ir.Value, mul func(a, b ir.Value) ir.Value) ir.Value { return mul(x, mul(x, mul(x, x))) }},
		{rules.Powers, 7, func(x ir.Value, mul func(a, b ir.Value) ir.Value) ir.Value {
			y := mul(x, x)
			return mul(x, mul(y, mul(y, y)))
		}},
		{rules.Powers, 12, func(x ir.Value, mul func(a, b ir.Value) ir.Value) ir.Value {
			y := mul(x, x)
			return mul(y, mul(y, mul(y, mul(y, mul(y, y)))))
		}},
	} {
		for _, negative := range []bool{false, true} {
			if negative && c.set.Name() == rules.Demo.Name() {
				continue // the demonstration has no law for it
			}
			t.Run(fmt.Sprintf("%s %v %v", c.set.Name(), c.n, negative), func(t *testing.T) {
				b := ir.NewBuilder("power")
				x := b.Param("x", ir.Float32, ir.Unknown)
				product := c.product(x, func(a, d ir.Value) ir.Value { return b.Must(ir.Mul, a, d) })
				n := c.n
				if negative {
					n, product = -n, b.Must(ir.Div, b.Const(ir.Float32, 1), product)
				}
				b.Return(b.Must(ir.Pow, x, b.Const(ir.Float32, n)))
				b.Return(product)
				g := egraph.New(egraph.Analysis{Transfer: interp.Transfer, Fold: foldReals})
				roots := g.AddFunc(b.Func())
				g.Rebuild()
				var equalities []*egraph.Rewrite
				for _, r := range c.set.Rewrites() {
					if r.Kind != egraph.Approximation {
						equalities = append(equalities, r)
					}
				}
				stats := egraph.Saturate(g, roots, equalities, nil, egraph.Limits{})
				if err := g.Err(); err != nil {
					t.Fatal(err)
				}
				if g.Find(roots[0]) != g.Find(roots[1]) || stats.Stop != egraph.Saturated {
					t.Errorf("pow(x, %v) is not the product: %+v", n, stats)
				}
			})
		}
	}
}
