package compiler

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/compiler/piecewise"
)

// segment is a value of the input that is a function of one other value.
type segment struct {
	from, to ir.Value
	forms    []*piecewise.Form
}

// piecePrograms makes candidates of the input with parts that depend on one value each, and hold functions, as piecewise
// polynomials: the approximation of the part as a whole knows nothing of how it is written. What that takes is every licence.
func (r *Run) piecePrograms() error {
	c := r.Config
	const all = ir.Reassoc | ir.Contract | ir.ARecip | ir.ApproxFunc
	if len(c.Pieces) == 0 || !c.Licences.Has(all) || c.Tolerance.Unit == accuracy.Exact || c.Tolerance.Unit == accuracy.Correct {
		return nil
	}
	var parts []segment
	for _, p := range r.parts() {
		var err error
		if p.forms, err = r.partForms(p); err != nil {
			return err
		}
		if len(p.forms) > 0 {
			parts = append(parts, p)
		}
	}
	most := 0
	for _, p := range parts {
		most = max(most, len(p.forms))
	}
	for k := range most {
		f := r.Input
		var names []string
		// From the last on: what comes before a part keeps its number while the part is replaced.
		for _, p := range slices.Backward(parts) {
			form := p.forms[min(k, len(p.forms)-1)]
			names = append(names, form.Name())
			f = f.Replace(p.from, p.to, form.Build)
		}
		f = f.Compact()
		if len(functions(f)) > 0 {
			continue
		}
		out := &Candidate{Program: Program{f, r.forms.price(f)}, Source: r.Input, Forms: names}
		out.levels = []level{{names, f, f}}
		if len(parts) == 1 && r.whole(parts[0]) {
			out.hard = parts[0].forms[k].Joints()
		}
		if key := fingerprint(f); !r.lowered[key] && out.Cost < ir.InfiniteCost {
			r.lowered[key] = true
			r.Candidates = append(r.Candidates, out)
		}
	}
	slices.SortStableFunc(r.Candidates, func(a, b *Candidate) int { return cmp.Compare(a.Cost, b.Cost) })
	return nil
}

// parts finds the outermost values that depend on one value alone and hold functions, each with the first such value.
func (r *Run) parts() []segment {
	f := r.Input
	near := f.Dominators()
	holds := make([]bool, len(f.Nodes))
	for i, n := range f.Nodes {
		holds[i] = n.Op.Info().Function
		for _, a := range n.Operands() {
			holds[i] = holds[i] || holds[a]
		}
	}
	var parts []segment
	seen := map[ir.Value]bool{}
	var visit func(v ir.Value)
	visit = func(v ir.Value) {
		if seen[v] || !holds[v] {
			return
		}
		seen[v] = true
		t := f.Nodes[v].Type
		from := -1
		for u := near[v]; u >= 0; u = near[u] {
			if f.Nodes[u].Type == t {
				from = u
			}
		}
		if from >= 0 && t.IsFloat() {
			parts = append(parts, segment{from: ir.Value(from), to: v})
			return
		}
		n := f.Nodes[v]
		for _, a := range n.Operands() {
			visit(a)
		}
	}
	for _, v := range f.Results {
		visit(v)
	}
	slices.SortFunc(parts, func(a, b segment) int { return cmp.Compare(a.to, b.to) })
	return parts
}

// whole reports whether a part is all of the input.
func (r *Run) whole(p segment) bool {
	f := r.Input
	return len(f.Params) == 1 && len(f.Results) == 1 && f.Nodes[p.from].Op == ir.Param && f.Results[0] == p.to
}

// partPoints is the size of the sample from which a part that is not the whole function learns its tolerance.
const partPoints = 1 << 12

// partForms fits a part. Of the function as a whole the contract is known; a part is asked for what the function is.
func (r *Run) partForms(p segment) ([]*piecewise.Form, error) {
	facts := r.facts()
	fact := facts[p.from]
	f := r.Input.Part(p.from, p.to, fact)
	contract := r.Contract
	if !r.whole(p) {
		var err error
		if contract, err = accuracy.New(f, r.Config.Tolerance, partPoints); err != nil {
			return nil, err
		}
	}
	// The program as written consists of operations that double-double arithmetic has; the contract's may hold functions that
	// it has not, but suffers less where the first one cancels.
	programs := []*ir.Func{f}
	if contract == r.Contract && contract.TruthProgram() != r.Input {
		f = contract.TruthProgram()
		programs = append(programs, f)
	}
	var truths []*interp.Wide
	anywhere := true // a user's own function may not bear it
	for _, p := range programs {
		anywhere = anywhere && !slices.ContainsFunc(p.Defs, func(d *ir.Def) bool { return d.Real == nil })
		wide, err := interp.NewWide(p)
		if err != nil {
			return nil, err
		}
		truths = append(truths, wide)
	}
	typ := f.Params[0].Type
	var err error // the first of Allowed
	in, out := make([]float64, 1), make([]interp.Value, 1)
	problem := piecewise.Problem{
		F: func(x, err float64) (hi, lo float64, ok bool) {
			in[0] = x
			known := func() bool { return out[0].Err <= max(err, 0x1p-48*math.Abs(out[0].Hi), 0x1p-200) }
			for _, t := range truths {
				if t.EvalUpTo(0, in, out); known() {
					return out[0].Hi, out[0].Lo, true
				}
			}
			truths[len(truths)-1].EvalUpTo(512, in, out)
			return out[0].Hi, out[0].Lo, known()
		},
		Type: typ, Lo: fact.Lo, Hi: fact.Hi, Pieces: r.Config.Pieces,
		Anywhere: anywhere,
		Allowed: func(xs []float64) []float64 {
			allowed, fault := contract.Allowed(xs)
			if fault != nil {
				if err == nil {
					err = fault
				}
				return make([]float64, len(xs)) // nothing fits
			}
			return allowed
		},
		Has: func(op ir.Op) bool { return r.Config.Costs[op][typ] < ir.InfiniteCost },
	}
	forms := problem.Forms()
	if err != nil {
		return nil, err
	}
	cost := func(f *piecewise.Form) ir.Cost {
		b := ir.NewBuilder("part")
		b.Return(f.Build(b, b.Param("x", typ, fact)))
		return r.forms.price(b.Func())
	}
	slices.SortStableFunc(forms, func(a, b *piecewise.Form) int { return cmp.Compare(cost(a), cost(b)) })
	return forms, nil
}

// facts are what is known of the input's values.
func (r *Run) facts() []ir.Fact {
	f := r.Input
	facts := make([]ir.Fact, len(f.Nodes))
	for i, n := range f.Nodes {
		facts[i] = ir.Unknown
		var args []ir.Fact
		for _, a := range n.Operands() {
			args = append(args, facts[a])
		}
		switch d := f.Def(n); {
		case n.Op == ir.Param:
			facts[i] = f.Params[n.Imm].Fact
		case n.Op.Leaf():
			if x, _ := f.ConstValue(ir.Value(i)); x == x {
				facts[i] = ir.Exactly(x)
			}
		case d != nil:
			facts[i] = d.Range(args)
		default:
			facts[i] = interp.Transfer(n.Op, n.Type, args)
		}
	}
	return facts
}
