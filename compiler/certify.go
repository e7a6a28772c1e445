package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrAccuracy is returned when no candidate keeps the contract. The error names the best that was reached.
var ErrAccuracy = errors.New("no program keeps the accuracy contract")

// certify measures the candidates, which come from cheap to dear, and takes the first that keeps the contract. It goes on for as many
// more as are asked for.
func certify(ctx context.Context, r *Run) error {
	if err := r.agree(); err != nil {
		return err
	}
	contract := r.Contract
	var first error
	for range maxCandidates {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		c, err := r.cheapest(ctx)
		if err != nil {
			return err
		}
		if c == nil {
			break
		}
		c.Measured = true
		rounded := c.Func.Rounded()
		if r.Config.Likely != nil && len(r.Accepted) == 0 && contract.Likely(rounded) {
			out, _ := r.output(c)
			r.Config.Likely(out)
		}
		if c.Certificate, c.Err = contract.Measure(rounded); c.Err == nil && len(c.hard) > 0 {
			c.Certificate, c.Err = contract.MeasureAt(c.Certificate, rounded, c.hard)
		}
		if c.Err == nil {
			if r.Accepted = append(r.Accepted, c); len(r.Accepted) > r.Config.Alternatives {
				break
			}
			continue
		}
		first = cmp.Or(first, c.Err)
		if err := r.blame(c); err != nil {
			return err
		}
	}
	if len(r.Accepted) > 0 {
		r.Choose(r.Accepted[0])
		return nil
	}
	return fmt.Errorf("%w (%v): %d candidates were measured; the first failed with: %w",
		ErrAccuracy, r.Config.Tolerance, min(len(r.Candidates), maxCandidates), first)
}

// Choose makes a candidate that was accepted the result of the run.
func (r *Run) Choose(c *Candidate) {
	r.Output, r.CostAfter = r.output(c)
	r.Chosen, r.Certificate = c, c.Certificate
}

// output is the program that runs if a candidate is accepted, and its cost.
func (r *Run) output(c *Candidate) (*ir.Func, ir.Cost) {
	last := r.Config.settled(Program{c.Func.Rounded(), c.Cost})
	return last.Func.Rounded(), last.Cost
}

// KeepInput makes the function as written the output of a run that found no candidate to keep its contract: for an executor
// that has every function, such as the interpreter.
func (r *Run) KeepInput() error {
	r.Chosen = &Candidate{Program: Program{r.Input, r.CostBefore}, Source: r.Input, Measured: true}
	r.Output, r.CostAfter = r.Input.Rounded(), r.CostBefore
	if discrete(r.Input) {
		r.Certificate.Tolerance = accuracy.Tolerance{Unit: accuracy.Exact}
		return nil
	}
	if err := r.agree(); err != nil {
		return err
	}
	var err error
	r.Certificate, err = r.Contract.Measure(r.Output)
	return err
}

// agree makes the contract, unless it has been made.
func (r *Run) agree() (err error) {
	if r.Contract == nil {
		f := r.Input
		if r.Config.tame && r.Config.rounds > 0 {
			f = tamed(f)
		}
		r.Contract, err = accuracy.New(f, r.Config.Tolerance, cmp.Or(r.Config.Points, accuracy.AcceptPoints), r.Equal()...)
	}
	return err
}

// Equal lists the extracted programs: equal to the function as written over the reals, by the rules.
func (r *Run) Equal() []*ir.Func {
	var funcs []*ir.Func
	for _, p := range r.Programs {
		funcs = append(funcs, p.Func)
	}
	return funcs
}

// tamest is a size of which a product of four does not overflow.
const tamest = 1 << 30

// tamed returns f for arguments of moderate size.
func tamed(f *ir.Func) *ir.Func {
	g := *f
	g.Params = slices.Clone(f.Params)
	for i, p := range g.Params {
		if met, ok := p.Fact.Meet(ir.Between(-tamest, tamest)); ok {
			g.Params[i].Fact = met
		}
	}
	return &g
}
