package egraph

import (
	"math/big"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// sampled gives the graph the points x = -1, 0, 2 and the meaning of a few operations.
func sampled() Analysis {
	a := arithmetic
	a.Samples = &Samples{
		Points: [][]float64{{-1, 0, 2}, {3, 5, -7}},
		Eval: func(op ir.Op, _ *ir.Def, _ ir.Type, args []Sample) Sample {
			if args[0].Real == nil {
				return Sample{Undef: args[0].Undef}
			}
			z := new(big.Float).SetPrec(ir.RealPrec)
			switch op {
			case ir.Neg:
				return Sample{Real: z.Neg(args[0].Real)}
			case ir.Abs:
				return Sample{Real: z.Abs(args[0].Real)}
			case ir.Sqrt:
				if args[0].Real.Sign() < 0 {
					return Sample{Undef: true}
				}
				return Sample{Real: z.Sqrt(args[0].Real)}
			case ir.Tanh:
				return Sample{}
			}
			switch b := args[1]; {
			case b.Real == nil:
				return b
			case op == ir.Add:
				return Sample{Real: z.Add(args[0].Real, b.Real)}
			case op == ir.Mul:
				return Sample{Real: z.Mul(args[0].Real, b.Real)}
			case op == ir.Div && b.Real.Sign() == 0:
				return Sample{Undef: true}
			case op == ir.Div:
				return Sample{Real: z.Quo(args[0].Real, b.Real)}
			}
			return Sample{}
		},
	}
	return a
}

func TestSamples(t *testing.T) {
	x := func(g *Graph) ClassID { return g.param(0) }
	for _, c := range []struct {
		name, rule string
		root       func(g *Graph) ClassID
		want       string // "" if nothing is wrong
	}{
		{"true", "(add a b) = (add (neg (neg a)) b)", func(g *Graph) ClassID { return g.op(ir.Add, x(g), g.param(1)) }, ""},
		{"false at -1", "(abs a) => a", func(g *Graph) ClassID { return g.op(ir.Abs, x(g)) }, "law (law:1) unites abs(p0) = 1 and p0 = -1 at [-1 3]"},
		{"true where it is asked", "(abs (mul a a)) => (mul a a)", func(g *Graph) ClassID { return g.op(ir.Abs, g.op(ir.Mul, x(g), x(g))) }, ""},
		{"false at 2 only", "(mul a (add a 1)) => 0", func(g *Graph) ClassID { return g.op(ir.Mul, x(g), g.op(ir.Add, x(g), g.num(1))) }, "= 6 and 0 = 0 at [2 -7]"},
		{"a value gets lost", "(abs a) => (mul (sqrt a) (sqrt a))", func(g *Graph) ClassID { return g.op(ir.Abs, x(g)) }, "= 1 and sqrt(p0) * sqrt(p0) = undefined at [-1 3]"},
		{"a value is found", "(div (mul a b) a) => b", func(g *Graph) ClassID { return g.op(ir.Div, g.op(ir.Mul, x(g), g.param(1)), x(g)) }, ""},
		{"unknown", "(tanh a) => 1", func(g *Graph) ClassID { return g.op(ir.Tanh, x(g)) }, ""},
		{"near", "(add a a) => (mul a 2.00000000000000001)", func(g *Graph) ClassID { return g.op(ir.Add, x(g), x(g)) }, "law (law:1) unites"},
		{"the next real", "(add a a) => (mul a 2.00000000000000000000000000000001)", func(g *Graph) ClassID { return g.op(ir.Add, x(g), x(g)) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := New(sampled())
			root := c.root(g)
			right := rule("right", "(add a b) => (add (neg (neg a)) b)")
			s := Saturate(g, []ClassID{root}, []*Rewrite{right, rule("law", c.rule)}, nil, Limits{Iters: 3, Nodes: 100})
			switch {
			case c.want == "" && g.Err() != nil:
				t.Errorf("%v", g.Err())
			case c.want != "" && (g.Err() == nil || !strings.Contains(g.Err().Error(), c.want) || s.Stop != Contradiction):
				t.Errorf("%v, want %s", g.Err(), c.want)
			}
		})
	}
}

// A class knows what any of its nodes knows: the next law is judged by that, and a pass as well.
func TestClassesCarrySamples(t *testing.T) {
	g := New(sampled())
	x, y := g.param(0), g.param(1)
	q := g.op(ir.Div, g.op(ir.Mul, x, y), x) // undefined at 0
	root := g.op(ir.Abs, q)
	Saturate(g, []ClassID{root}, []*Rewrite{rule("cancel", "(div (mul a b) a) => b")}, nil, Limits{})
	if g.Err() != nil {
		t.Fatal(g.Err())
	}
	lie := Pass{"lie", func(g *Graph, _ []ClassID) int {
		g.Union(q, g.op(ir.Add, y, g.op(ir.Div, g.op(ir.Mul, x, g.num(0)), x)), Given) // true where it has a value
		if g.Err() == nil {
			g.Union(q, g.op(ir.Add, g.num(1), y), Given)
		}
		return 1
	}}
	if s := Saturate(g, []ClassID{root}, nil, []Pass{lie}, Limits{}); s.Stop != Contradiction || !strings.Contains(g.Err().Error(), "lie unites") {
		t.Errorf("%v", g.Err())
	}
}
