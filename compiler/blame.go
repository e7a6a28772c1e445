package compiler

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/ir"
)

// blameSlack is by how many times a program must break a bound before all that is made of it is given up: contraction and sharing may
// halve its rounding errors, but no more.
const blameSlack = 2

// blame finds out why a candidate is wrong at an input, and gives up what is wrong for the same reason: the candidates and
// plans of its source, where the algebra alone, with every function rounded correctly, breaks the contract there; or those of
// its source that take one of its forms, where that form alone does, every other function being rounded correctly. When no algebra is left,
// the function is extracted once more, from an e-graph that knows no identity between functions.
func (r *Run) blame(c *Candidate) error {
	var v *accuracy.Violation
	if !errors.As(c.Err, &v) {
		return nil
	}
	shares := func(p *ir.Func) (bool, error) { return r.Contract.Shares(v, p, blameSlack) }
	if c.Source != r.Input {
		bad, err := shares(c.Source)
		if err != nil {
			return err
		}
		if bad {
			r.giveUp("its algebra", v, func(source *ir.Func, _ []string) bool { return source == c.Source })
			if delete(r.algebra, c.Source); len(r.algebra) == 0 {
				if err := r.extractAgain(); err != nil {
					return err
				}
			}
		}
	}
	for _, name := range c.levels[0].forms {
		alone, l, err := r.forms.replace(c.Source, only(name))
		if err != nil || len(l.names) == 0 { // a form of a part as a whole
			return err
		}
		bad, err := shares(alone)
		if err != nil {
			return err
		}
		if bad {
			r.giveUp(name, v, func(source *ir.Func, forms []string) bool { return source == c.Source && slices.Contains(forms, name) })
		}
	}
	return nil
}

// extractAgain plans programs of an e-graph that knows no identity between functions, once.
func (r *Run) extractAgain() error {
	granted := r.Config.Licences &^ ir.ApproxFunc
	if r.again || !granted.Has(ir.Reassoc) {
		return nil
	}
	r.again = true
	g, roots := r.Config.graph(r.Input, granted, false)
	saturateGraph(g, roots, r.Config, granted)
	if err := g.Err(); err != nil {
		return err
	}
	programs, err := r.extractFrom(g, roots, granted)
	if err != nil {
		return err
	}
	if err := r.planPrograms(programs); err != nil {
		return err
	}
	r.sortPlans()
	return nil
}

// giveUp drops plans, and refuses candidates that have not been measured.
func (r *Run) giveUp(why string, v *accuracy.Violation, bad func(source *ir.Func, forms []string) bool) {
	r.plans = slices.DeleteFunc(r.plans, func(p plan) bool { return bad(p.source, p.forms) })
	for _, c := range r.Candidates {
		if !c.Measured && bad(c.Source, c.levels[0].forms) {
			c.Measured, c.Err = true, fmt.Errorf("%s alone breaks the contract: %w", why, v)
		}
	}
}
