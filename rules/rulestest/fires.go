package rulestest

import (
	"fmt"
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// fires checks that a graph which holds one side finds the law and makes the other side: the arguments are known as well
// as the guard asks for, by one of the points p, and arithmetic on constants is folded as in the compiler.
func (c *checker) fires(p points) error {
	facts := make([]ir.Fact, len(p))
	for v := range facts {
		facts[v] = ir.Unknown
	}
	if c.r.Guard != nil {
		for i := range p.len() {
			args := p.at(i)
			plain := true
			for v, bits := range args {
				x := ir.BitsFloat(c.t, bits)
				facts[v] = ir.Exactly(x)
				plain = plain && math.Abs(x) < reach
			}
			if plain {
				break
			}
		}
	}
	if err := c.finds(c.left, c.right, facts); err != nil || len(c.findings) > 0 || c.r.Kind == egraph.Directed {
		return err
	}
	return c.finds(c.right, c.left, facts)
}

func (c *checker) finds(from, to *side, facts []ir.Fact) error {
	source, err := from.fn.WithFacts(facts)
	if err != nil {
		return err
	}
	target, err := to.fn.WithFacts(facts)
	if err != nil {
		return err
	}
	g := egraph.New(egraph.Analysis{Transfer: interp.Transfer, Fold: foldReals})
	root := g.AddFunc(source)[0]
	g.Rebuild()
	egraph.Saturate(g, []egraph.ClassID{root}, []*egraph.Rewrite{c.r}, nil, egraph.Limits{Iters: 1})
	if err := g.Err(); err != nil {
		return err
	}
	made := g.AddFunc(target)[0]
	g.Rebuild()
	if g.Find(root) != g.Find(made) {
		c.report(NeverFires, fmt.Sprintf("a graph that holds the %s side does not find it", c.name(from)), nil, 0, 0)
	}
	return nil
}

func (c *checker) name(s *side) string {
	if s == c.right {
		return "right"
	}
	return "left"
}

// foldReals folds over the reals. A sum that cancels is +0; other zeros have a sign that the reals do not know.
func foldReals(op ir.Op, _ ir.Type, args []egraph.Constant) (egraph.Constant, bool) {
	reals := make([]*big.Float, len(args))
	for i, a := range args {
		if reals[i] = a.Real; reals[i] == nil {
			return egraph.Constant{}, false
		}
	}
	x, ok := interp.FoldReal(op, reals)
	switch {
	case !ok:
		return egraph.Constant{}, false
	case x.Sign() == 0:
		return egraph.Constant{}, op == ir.Add || op == ir.Sub
	}
	return egraph.Constant{Real: x}, true
}

// replaces checks that lowering can use an approximation: it stands for one operation of different variables.
func (c *checker) replaces() {
	root := c.r.LHS.Nodes[c.r.LHS.Root()]
	seen := map[int]bool{}
	for _, a := range root.Args[:root.Op.Info().Arity] {
		if n := c.r.LHS.Nodes[a]; n.Op != ir.OpInvalid || seen[n.Var] {
			c.report(NeverFires, "the left side of an approximation must be one operation of different variables", nil, 0, 0)
			return
		}
		seen[c.r.LHS.Nodes[a].Var] = true
	}
}
