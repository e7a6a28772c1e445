package compiler

import (
	"fmt"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Derivation is one part of the way from the function as written to a candidate. Either its functions were replaced by
// Forms, which is a choice and no equality, or Proofs say for each result why To is equal to From over the reals.
type Derivation struct {
	Stage    string // "algebra", "forms" or "lowered algebra"
	From, To *ir.Func
	Forms    []string
	Proofs   []*egraph.Proof
}

// Explain derives a candidate of the run from its input, with the rules by name. The pipeline records nothing for that: the
// saturations are run again, which gives the same graphs.
func (r *Run) Explain(c *Candidate) ([]Derivation, error) {
	var all []Derivation
	for _, p := range r.Parts {
		d, err := p.Explain(p.Chosen)
		if err != nil {
			return nil, err
		}
		all = append(all, d...)
	}
	at := r.Input
	equal := func(stage string, from, to *ir.Func, granted ir.Licence) error {
		proofs, err := r.Config.prove(from, to, granted)
		if err != nil {
			return fmt.Errorf("compiler: %s: %w", stage, err)
		}
		all = append(all, Derivation{Stage: stage, From: from, To: to, Proofs: proofs})
		at = to
		return nil
	}
	if c.Source != r.Input {
		granted, ok := r.algebra[c.Source]
		if !ok { // made of an extracted program
			granted = r.Config.Licences
		}
		if err := equal("algebra", r.Input, c.Source, granted); err != nil {
			return nil, err
		}
	}
	for _, l := range c.levels {
		if len(l.forms) > 0 {
			all = append(all, Derivation{Stage: "forms", From: at, To: l.before, Forms: l.forms})
		}
		if err := equal("lowered algebra", l.before, l.after, c.granted); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// prove saturates from as the pipeline does, and explains why each result of to is equal to that of from.
func (c Config) prove(from, to *ir.Func, granted ir.Licence) ([]*egraph.Proof, error) {
	g, roots := c.graph(from, granted, true)
	saturateGraph(g, roots, c, granted)
	if err := g.Err(); err != nil {
		return nil, err
	}
	proofs := make([]*egraph.Proof, len(from.Results))
	for i := range proofs {
		var err error
		if proofs[i], err = g.ExplainFuncs(from, to, i); err != nil {
			return nil, err
		}
	}
	return proofs, nil
}
