package compiler

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/ir"
)

// plan is a candidate that has not been lowered yet: a program whose functions have been replaced by a choice of forms, and
// what it costs as far as is known before it has been saturated as a whole.
type plan struct {
	source   *ir.Func
	first    *ir.Func
	forms    []string
	inner    int // which of their forms functions in the bodies of forms take
	granted  ir.Licence
	estimate ir.Cost
}

// lowerPrograms plans the candidates and makes the first of them: every extracted program, and the function as written with
// its operations in order, with and without contraction, each with every choice of forms. An approximation is a choice and
// never an equality: the lowered program is the new meaning, which is then saturated again, so that constants fold into the
// form and work is shared, and extracted. Plans that cannot be among the cheapest wait until certify asks for them.
func lowerPrograms(ctx context.Context, r *Run) error {
	granted := r.Config.Licences
	inOrder := granted &^ (ir.Reassoc | ir.ARecip)
	r.lowered = map[string]bool{}
	if err := r.planPrograms(r.Programs); err != nil {
		return err
	}
	for _, l := range []ir.Licence{inOrder, granted & ir.ApproxFunc} {
		if err := r.planEvery(r.Input, l); err != nil {
			return err
		}
	}
	if r.Config.Tolerance.Unit != accuracy.Default {
		// A contract that is asked for may be tighter than float32 arithmetic can keep.
		for _, p := range append(r.Equal(), r.Input) {
			if wide, ok := widened(p); ok && granted.Has(ir.Reassoc) {
				if err := r.planEvery(wide, inOrder); err != nil {
					return err
				}
			}
		}
	}
	if len(r.Config.Pieces) > 0 {
		if err := r.agree(); err != nil {
			return err
		}
		if err := r.piecePrograms(); err != nil {
			return err
		}
	}
	r.sortPlans()
	if _, err := r.cheapest(ctx); err != nil {
		return err
	}
	if len(r.Candidates) == 0 {
		return r.noForm
	}
	return nil
}

func (r *Run) sortPlans() {
	slices.SortStableFunc(r.plans, func(a, b plan) int { return cmp.Compare(a.estimate, b.estimate) })
}

// planPrograms plans extracted programs. In order, a program stays the one that was extracted; with all licences its
// functions' bodies may join in the algebra, and different programs may come to the same.
func (r *Run) planPrograms(programs []Program) error {
	granted := r.Config.Licences
	for _, p := range programs {
		licences := []ir.Licence{granted &^ (ir.Reassoc | ir.ARecip)}
		if len(functions(p.Func)) > 0 {
			licences = append(licences, granted)
		}
		for _, l := range licences {
			if err := r.planEvery(p.Func, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// planEvery plans a program with every choice of forms: one number for all of its functions, or for all but one.
func (r *Run) planEvery(p *ir.Func, granted ir.Licence) error {
	fns := functions(p)
	most := r.forms.choices(p)
	for k := range most {
		if err := r.plan(p, nth(k), granted); err != nil {
			return err
		}
		for i := 0; i < len(fns) && len(fns) > 1; i++ {
			for j := range most {
				differs := func(fn operation, ok []*form) *form {
					if fn == fns[i] {
						return nth(j)(fn, ok)
					}
					return nth(k)(fn, ok)
				}
				if err := r.plan(p, differs, granted); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// plan plans a program with a choice of forms, and every choice of the forms of functions in their bodies.
func (r *Run) plan(p *ir.Func, choose pick, granted ir.Licence) error {
	first, l, err := r.forms.replace(p, choose)
	if err != nil {
		return err
	}
	inner := 1
	left := functions(first)
	if len(left) > 0 {
		inner = r.forms.choices(first)
	}
	for k := range inner {
		key := granted.String() + fingerprint(first)
		if len(left) > 0 {
			key += fmt.Sprint(k)
		}
		if r.lowered[key] {
			continue
		}
		r.lowered[key] = true
		estimate := r.forms.priceWith(first, r.forms.costsOf(first, k))
		if k == 0 {
			// Put in, a form may share work with the rest but holds powers that are none; as a whole it shares nothing.
			estimate = min(estimate, r.forms.priceWith(p, l.replaced))
		}
		r.plans = append(r.plans, plan{p, first, l.names, k, granted, estimate})
	}
	return nil
}

// cheapest returns the cheapest candidate that has not been measured, nil if there is none. It lowers every plan that may
// become as cheap: saturation has been seen to save up to a quarter of the estimate.
func (r *Run) cheapest(ctx context.Context) (*Candidate, error) {
	for {
		var best *Candidate
		for _, c := range r.Candidates {
			if !c.Measured && (best == nil || c.Cost < best.Cost) {
				best = c
			}
		}
		if len(r.plans) == 0 || best != nil && r.plans[0].estimate > best.Cost.Plus(best.Cost/4) {
			return best, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		next := r.plans[0]
		r.plans = r.plans[1:]
		if err := r.lower(next); err != nil {
			return nil, err
		}
	}
}

// lower makes the candidate of a plan, unless another one has come to the same or it has no form.
func (r *Run) lower(p plan) error {
	c, err := r.forms.lower(p.first, p.forms, p.inner, p.granted, r.Config)
	if errors.Is(err, extract.ErrNoForm) {
		r.noForm = cmp.Or(r.noForm, err)
		return nil
	}
	if err != nil {
		return err
	}
	if key := fingerprint(c.Func); !r.lowered[key] {
		r.lowered[key] = true
		c.Source = p.source
		r.Candidates = append(r.Candidates, c)
		slices.SortStableFunc(r.Candidates, func(a, b *Candidate) int { return cmp.Compare(a.Cost, b.Cost) })
	}
	return nil
}

// fingerprint is a text that only equal functions of one run share. It is much cheaper than the printed form.
func fingerprint(f *ir.Func) string {
	b := make([]byte, 0, 24*len(f.Nodes))
	for _, n := range f.Nodes {
		pin := byte(0)
		if n.Pin {
			pin = 1
		}
		b = append(b, byte(n.Op), byte(n.Type), pin)
		for _, a := range n.Args {
			b = binary.LittleEndian.AppendUint32(b, uint32(a))
		}
		b = binary.LittleEndian.AppendUint64(b, n.Imm)
	}
	for _, r := range f.Results {
		b = binary.LittleEndian.AppendUint32(b, uint32(r))
	}
	for _, d := range f.Defs {
		b = append(append(b, d.Name...), 0)
	}
	for _, t := range f.Tables {
		b = append(b, t.Shift, byte(len(t.Entries)))
		for _, x := range t.Entries {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	for _, x := range f.Reals {
		text, err := x.GobEncode()
		if err != nil {
			panic(err) // no version of math/big has one
		}
		b = append(b, text...)
	}
	return string(b)
}
