package compiler

import (
	"context"
	"fmt"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Integers, bools and stored floats are exact, and laws about real numbers say nothing of them. A function that has any is cut
// at them into parts: functions of floats, each with its own way through the pipeline and its own contract. What lies
// between is kept as written.

// part is a function of floats inside another function.
type part struct {
	f       *ir.Func
	args    []ir.Value // its parameters, as values of the whole
	results []ir.Value // its results, likewise
}

// cut finds the parts of a function. A part's level is one more than that of the parts on which what lies before it
// depends; parts of lower levels come first.
type cut struct {
	f     *ir.Func
	part  []bool // by node: it is computed in a part
	level []int  // by node: of its part, or of the first part that may use it
}

// discrete reports whether f has anything but floats, and comparisons that choose among them.
func discrete(f *ir.Func) bool {
	if len(f.Bodies) > 0 || !floats(f) {
		return true
	}
	for _, r := range f.Results {
		if f.Nodes[r].Type == ir.Bool {
			return true
		}
	}
	return false
}

// floats reports whether f computes nothing but floats, and bools that only come from comparisons.
func floats(f *ir.Func) bool {
	for g := range f.All {
		for i, n := range g.Nodes {
			switch shape := n.Op.Info().Shape; {
			case n.Type == ir.Bool && (n.Op.Leaf() || shape == ir.ShapeBits || shape == ir.ShapeSelect):
				return false
			case n.Type != ir.Bool && n.Type != ir.Tuple && !n.Type.IsFloat():
				return false
			case n.Op == ir.Convert && !g.Nodes[n.Args[0]].Type.IsFloat() || shape == ir.ShapeCompare && !g.Nodes[n.Args[0]].Type.IsFloat():
				return false
			case n.Op == ir.Proj && n.Type == ir.Bool || i < len(g.Params) && n.Type == ir.Bool:
				return false
			}
		}
	}
	return true
}

func newCut(f *ir.Func) *cut {
	c := &cut{f: f, part: make([]bool, len(f.Nodes)), level: make([]int, len(f.Nodes))}
	for i, n := range f.Nodes {
		// Comparisons of floats are part of what they choose, and computed once more where something else uses them.
		part := !n.Op.Leaf() && n.Op != ir.Proj && (n.Type.IsFloat() || n.Op.Info().Shape == ir.ShapeCompare)
		for _, a := range n.Operands() {
			t := f.Nodes[a].Type
			part = part && (t.IsFloat() || c.part[a])
		}
		c.part[i] = part
		for _, a := range n.Operands() {
			c.level[i] = max(c.level[i], c.level[a])
		}
		for _, a := range n.Operands() { // a choice between values that come after its comparison is made outside
			c.part[i] = c.part[i] && (f.Nodes[a].Type.IsFloat() || c.level[a] == c.level[i])
		}
		for _, a := range n.Operands() {
			if c.part[a] && !c.part[i] {
				c.level[i] = max(c.level[i], c.level[a]+1)
			}
		}
	}
	return c
}

func (c *cut) levels() int {
	most := 0
	for _, l := range c.level {
		most = max(most, l)
	}
	return most + 1
}

// at makes the part of a level; nil if there is nothing to compute.
func (c *cut) at(level int) *part {
	inside := func(v ir.Value) bool { return c.part[v] && c.level[v] == level }
	leaf := func(v ir.Value) bool { op := c.f.Nodes[v].Op; return op == ir.Const || op == ir.Real }
	p := &part{}
	b := ir.NewBuilder(fmt.Sprintf("%s, part %d", c.f.Name, level+1))
	remap := map[ir.Value]ir.Value{}
	for i := range c.f.Nodes {
		if !inside(ir.Value(i)) {
			continue
		}
		for _, a := range c.f.Nodes[i].Operands() {
			if _, done := remap[a]; done || inside(a) || leaf(a) {
				continue
			}
			remap[a] = b.Param(fmt.Sprintf("x%d", len(p.args)), c.f.Nodes[a].Type, c.fact(a))
			p.args = append(p.args, a)
		}
	}
	used := c.used(level)
	for i := range c.f.Nodes {
		v := ir.Value(i)
		if !inside(v) {
			continue
		}
		n := c.f.Nodes[i]
		args := make([]ir.Value, 0, ir.MaxArity)
		for _, a := range n.Operands() {
			if leaf(a) {
				remap[a] = b.Copy(c.f, c.f.Nodes[a])
			}
			args = append(args, remap[a])
		}
		remap[v] = b.Copy(c.f, n, args...)
		if used[v] {
			b.Return(remap[v])
			p.results = append(p.results, v)
		}
	}
	if len(p.results) == 0 {
		return nil
	}
	p.f = b.Func()
	return p
}

// used are the floats of a level's part that are seen outside of it.
func (c *cut) used(level int) map[ir.Value]bool {
	used := map[ir.Value]bool{}
	see := func(v ir.Value, by int) {
		if c.part[v] && c.level[v] == level && c.f.Nodes[v].Type.IsFloat() && (by < 0 || !c.part[by] || c.level[by] != level || c.kept(by)) {
			used[v] = true
		}
	}
	for i := range c.f.Nodes {
		for _, a := range c.f.Nodes[i].Operands() {
			see(a, i)
		}
	}
	for _, r := range c.f.Results {
		see(r, -1)
	}
	return used
}

// kept reports whether a comparison is used by something that is not in a part.
func (c *cut) kept(i int) bool {
	if c.f.Nodes[i].Type != ir.Bool {
		return false
	}
	for j := i + 1; j < len(c.f.Nodes); j++ {
		for _, a := range c.f.Nodes[j].Operands() {
			if int(a) == i && (!c.part[j] || c.level[j] != c.level[i]) {
				return true
			}
		}
	}
	for _, r := range c.f.Results {
		if int(r) == i {
			return true
		}
	}
	return false
}

// fact is what is known about a value that a part takes.
func (c *cut) fact(v ir.Value) ir.Fact {
	n := c.f.Nodes[v]
	if n.Op == ir.Param {
		return c.f.Params[n.Imm].Fact
	}
	if n.Op == ir.Convert {
		switch from := c.f.Nodes[n.Args[0]].Type; {
		case from.IsInteger():
			lo, hi := from.Range()
			fact := ir.Between(lo, hi)
			fact.Integer = true
			return fact
		case from == ir.Bool:
			fact := ir.Between(0, 1)
			fact.Integer = true
			return fact
		}
	}
	return ir.Unknown
}

// optimiseDiscrete takes the parts of a discrete function through all stages, those in the bodies of its loops too. Where the bodies are not
// as written, the whole must keep the tolerance on a sample: what a part is off by goes round and round in a loop. Then what a part does
// far out matters only as far as the whole gets there; if it does, a part must be right everywhere.
func optimiseDiscrete(ctx context.Context, r *Run) (*Run, error) {
	written := r.Input
	if r.Config.Licences&^ir.ApproxFunc == 0 {
		return r, optimiseParts(ctx, r)
	}
	r.Input = pinned(written, true)
	if free := pinned(written, false); len(written.Bodies) > 0 && fingerprints(free) != fingerprints(r.Input) {
		for _, tame := range []bool{true, false} {
			try := &Run{Config: r.Config, Input: free}
			try.Config.tame = tame
			if r.Pinned = optimiseParts(ctx, try); r.Pinned == nil {
				r.Pinned = accuracy.Whole(written, try.Output, r.Config.Tolerance)
			}
			switch {
			case ctx.Err() != nil:
				return r, r.Pinned
			case r.Pinned == nil:
				return try, nil
			}
		}
	}
	return r, optimiseParts(ctx, r)
}

// fingerprints is fingerprint for a function and the bodies of its loops.
func fingerprints(f *ir.Func) (text string) {
	for g := range f.All {
		text += fingerprint(g)
	}
	return text
}

// optimiseParts takes the parts of a discrete function through all stages and puts them together.
func optimiseParts(ctx context.Context, r *Run) error {
	c, config := newCut(r.Input), r.Config
	config.Likely = nil // a part is not the program
	b := ir.NewBuilder(r.Input.Name)
	remap := make([]ir.Value, len(r.Input.Nodes))
	for i, p := range r.Input.Params {
		remap[i] = b.Param(p.Name, p.Type, p.Fact)
	}
	chosen := &Candidate{Source: r.Input, Measured: true}
	r.Certificate.Tolerance = accuracy.Tolerance{Unit: accuracy.Exact}
	cost := func(f *ir.Func) (sum ir.Cost) {
		for i, n := range f.Nodes {
			if f == r.Output || !c.part[i] {
				sum = sum.Plus(r.Config.Costs.Of(n.Op, n.Type, f.Def(n)))
			}
			if body := f.Body(n); body != nil {
				sum = sum.Plus(extract.DAGCost(body, r.Config.Costs).Times(f.Trips(n)))
			}
		}
		return sum
	}
	r.CostBefore = cost(r.Input)
	for level := range c.levels() {
		for i, n := range r.Input.Nodes {
			v := ir.Value(i)
			switch {
			case n.Op == ir.Param || c.level[i] != level:
			case n.Op.Leaf():
				remap[v] = b.Copy(r.Input, n)
			case !c.part[i]:
				args := make([]ir.Value, 0, ir.MaxArity)
				for _, a := range n.Operands() {
					if c.part[a] && r.Input.Nodes[a].Type == ir.Bool { // a comparison of floats
						remap[a] = c.compare(b, remap, a)
					}
					args = append(args, remap[a])
				}
				if body := r.Input.Body(n); body != nil {
					run := &Run{Config: config, Input: body}
					run.Config.rounds = r.Input.Trips(n)
					err := optimiseParts(ctx, run)
					r.addPart(run, chosen)
					if err != nil {
						return err
					}
					remap[v] = b.Copy(&ir.Func{Bodies: []*ir.Func{run.Output}}, ir.Node{Op: n.Op, Type: n.Type}, args...)
					continue
				}
				remap[v] = b.Copy(r.Input, n, args...)
			}
		}
		p := c.at(level)
		if p == nil {
			continue
		}
		config.rounds, config.fixed = r.Config.rounds, nil
		for _, a := range p.args {
			config.fixed = append(config.fixed, r.Input.Fixed(a))
		}
		run, err := RunUntil(ctx, p.f, config, "")
		r.addPart(run, chosen)
		if err != nil {
			return err
		}
		r.CostBefore = r.CostBefore.Plus(run.CostBefore)
		args := make([]ir.Value, len(p.args))
		for i, a := range p.args {
			args[i] = remap[a]
		}
		for i, v := range b.Inline(run.Output, args...) {
			remap[p.results[i]] = v
		}
	}
	for _, v := range r.Input.Results {
		if c.part[v] && r.Input.Nodes[v].Type == ir.Bool {
			remap[v] = c.compare(b, remap, v)
		}
		b.Return(remap[v])
	}
	r.Output = simplified(b.Func().Compact()) // of what a round of a loop has become, some may not change
	r.CostAfter = cost(r.Output)
	chosen.Program = Program{r.Output, r.CostAfter}
	r.Programs = []Program{{r.Input, r.CostBefore}}
	r.Chosen, r.Candidates = chosen, []*Candidate{chosen}
	return nil
}

// compare computes a comparison of floats outside of a part.
func (c *cut) compare(b *ir.Builder, remap []ir.Value, v ir.Value) ir.Value {
	n := c.f.Nodes[v]
	args := make([]ir.Value, 0, ir.MaxArity)
	for _, a := range n.Operands() {
		if op := c.f.Nodes[a].Op; op == ir.Const || op == ir.Real {
			remap[a] = b.Copy(c.f, c.f.Nodes[a])
		}
		args = append(args, remap[a])
	}
	return b.Copy(c.f, n, args...)
}

// addPart adds what was done to a part, or to the body of a loop, to the report of the whole.
func (r *Run) addPart(part *Run, chosen *Candidate) {
	r.Parts = append(r.Parts, part)
	if part.Chosen != nil {
		chosen.Forms = append(chosen.Forms, part.Chosen.Forms...)
	}
	if part.Certificate.Points > 0 && part.Certificate.Fraction >= r.Certificate.Fraction {
		r.Certificate = part.Certificate
	}
	for i, s := range part.Stages {
		if i == len(r.Stages) {
			r.Stages = append(r.Stages, s)
			continue
		}
		r.Stages[i].Duration += s.Duration
		r.Stages[i].Before += ", " + s.Before
		r.Stages[i].After += ", " + s.After
	}
}
