package compiler

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/compiler/ring"
)

// Run is one function on its way through the pipeline. Fields are filled in stage by stage.
type Run struct {
	Config Config
	Input  *ir.Func // as written: small loops unrolled, and what decides the path pinned

	Graph      *egraph.Graph // convert, saturate
	Roots      []egraph.ClassID
	Saturation egraph.Stats

	forms    *forms                  // extract
	Programs []Program               // extract: equal over the reals, cheapest first
	algebra  map[*ir.Func]ir.Licence // of the extracted programs that have not been given up: what their e-graph was granted
	again    bool                    // they have been extracted once more

	plans      []plan // lower: candidates not made yet, cheapest first
	lowered    map[string]bool
	noForm     error        // why the first plan without one has no form
	Candidates []*Candidate // lower, certify: those that were made, cheapest first

	Output      *ir.Func // certify: the chosen candidate, constants rounded
	Chosen      *Candidate
	Accepted    []*Candidate // certify: those that keep the contract, cheapest first; the first is chosen unless another one is
	Certificate accuracy.Certificate
	Contract    *accuracy.Contract

	Parts  []*Run // of a function that has more than floats, instead of the fields before Output
	Pinned error  // why the bodies of its loops are as written, but for their library functions; nil if they need not be

	CostBefore, CostAfter ir.Cost // of Input with each function at its cheapest form, and of Output
	Stages                []StageReport
}

// Program is an extracted function with its cost under the model that extracted it.
type Program struct {
	Func *ir.Func
	Cost ir.Cost
}

// Candidate is a lowered program and what measuring it gave.
type Candidate struct {
	Program
	Source      *ir.Func // the extracted program, or the input, whose functions were replaced
	Forms       []string // names of the approximations that it uses, in the order of their first use
	Saturation  egraph.Stats
	Measured    bool
	Certificate accuracy.Certificate
	Err         error // why it was refused; nil if it was accepted or not measured

	granted ir.Licence // to the saturations
	levels  []level
	hard    []float64 // arguments besides the contract's sample, of a function of one value
}

// level is one saturation of a lowered program.
type level struct {
	forms  []string // names of the forms that were put in
	before *ir.Func // with them
	after  *ir.Func // extracted
}

// Stage is one step of the pipeline.
type Stage struct {
	Name string
	run  func(context.Context, *Run) error
	size func(*Run) (before, after string)
}

// StageReport is what a stage did.
type StageReport struct {
	Name          string
	Duration      time.Duration
	Before, After string // sizes
}

// Stages returns the pipeline, in order. Each stage needs the ones before it.
func Stages() []Stage {
	return []Stage{
		{"convert", convert, func(r *Run) (string, string) { return nodes(r.Input), classes(r.Graph) }},
		{"saturate", saturate, func(r *Run) (string, string) { return nodes(r.Input), classes(r.Graph) }},
		{"extract", extractPrograms, func(r *Run) (string, string) { return classes(r.Graph), nodes(r.Programs[0].Func) }},
		{"lower", lowerPrograms, func(r *Run) (string, string) {
			return fmt.Sprintf("%d programs", len(r.Programs)), fmt.Sprintf("%d candidates", len(r.Candidates))
		}},
		{"certify", certify, func(r *Run) (string, string) {
			return fmt.Sprintf("%d candidates", len(r.Candidates)), nodes(r.Output)
		}},
	}
}

func nodes(f *ir.Func) string { return fmt.Sprintf("%d nodes", len(f.Nodes)) }

func classes(g *egraph.Graph) string {
	return fmt.Sprintf("%d classes, %d nodes", g.NumClasses(), g.NumNodes())
}

// Optimise takes f through all stages. The parts of a function that has integers, bools or stored floats go through them one by one, and
// everything else stays as written; see Run.Parts.
func Optimise(ctx context.Context, f *ir.Func, c Config) (*Run, error) {
	return RunUntil(ctx, f, c, "")
}

// RunUntil takes f through the stages up to and including the one named last; "" is all of them. On an error the Run holds
// what the earlier stages made.
func RunUntil(ctx context.Context, f *ir.Func, c Config, last string) (*Run, error) {
	r := &Run{Config: c, Input: f}
	if err := ir.Verify(f); err != nil {
		return r, fmt.Errorf("compiler: %w", err)
	}
	if discrete(f) {
		r.Input = simplified(f)
	}
	if discrete(r.Input) && last == "" {
		return optimiseDiscrete(ctx, r)
	}
	for _, s := range Stages() {
		if err := ctx.Err(); err != nil {
			return r, fmt.Errorf("compiler: %s: %w", s.Name, context.Cause(ctx))
		}
		var start time.Time
		if c.Now != nil {
			start = c.Now()
		}
		if err := s.run(ctx, r); err != nil {
			return r, fmt.Errorf("compiler: %s: %w", s.Name, err)
		}
		report := StageReport{Name: s.Name}
		if c.Now != nil {
			report.Duration = c.Now().Sub(start)
		}
		report.Before, report.After = s.size(r)
		r.Stages = append(r.Stages, report)
		if s.Name == last {
			return r, nil
		}
	}
	if last != "" {
		return r, fmt.Errorf("compiler: there is no stage %q", last)
	}
	return r, nil
}

func convert(_ context.Context, r *Run) error {
	r.Graph, r.Roots = r.Config.graph(r.Input, r.Config.Licences, false)
	return r.Graph.Err()
}

// graph is an e-graph of one function. If it records, it can explain its unions.
func (c Config) graph(f *ir.Func, granted ir.Licence, record bool) (*egraph.Graph, []egraph.ClassID) {
	a := analysis(granted)
	if c.Check && granted.Has(ir.Reassoc) { // otherwise folding rounds, and values differ by that
		a.Samples = samples(f)
	}
	g := egraph.New(a)
	if record {
		g.Record()
	}
	roots := g.AddFunc(f)
	g.Rebuild()
	return g, roots
}

func saturate(_ context.Context, r *Run) error {
	r.Saturation = saturateGraph(r.Graph, r.Roots, r.Config, r.Config.Licences)
	return r.Graph.Err()
}

func saturateGraph(g *egraph.Graph, roots []egraph.ClassID, c Config, granted ir.Licence) egraph.Stats {
	var rewrites []*egraph.Rewrite
	for _, w := range c.Rules {
		if w.Kind != egraph.Approximation && granted.Has(w.Licence) {
			rewrites = append(rewrites, w)
		}
	}
	var passes []egraph.Pass
	if c.Ring && granted.Has(ir.Reassoc) {
		passes = append(passes, ring.Pass(g, roots, granted))
	}
	return egraph.Saturate(g, roots, rewrites, passes, c.Limits)
}

func extractPrograms(_ context.Context, r *Run) (err error) {
	r.forms = newForms(r.Config)
	r.CostBefore = r.forms.price(r.Input)
	r.algebra = map[*ir.Func]ir.Licence{}
	r.Programs, err = r.extractFrom(r.Graph, r.Roots, r.Config.Licences)
	return err
}

// extractFrom extracts programs from an e-graph of the input that has been saturated with some licences.
func (r *Run) extractFrom(g *egraph.Graph, roots []egraph.ClassID, granted ir.Licence) ([]Program, error) {
	funcs, costs, err := extract.KBest(g, roots, r.Input.Params, r.Input.Name, r.forms, maxPrograms)
	if err = cmp.Or(err, r.forms.err); err != nil {
		return nil, err
	}
	programs := make([]Program, len(funcs))
	for i, f := range funcs {
		programs[i] = Program{f, costs[i]}
		r.algebra[f] = granted
	}
	return programs, nil
}

// analysis gives the e-graph the meaning of the operations. Constants are folded over the reals where reassoc is granted,
// and otherwise, and on pinned nodes, as the program would compute them.
func analysis(granted ir.Licence) egraph.Analysis {
	reals := granted.Has(ir.Reassoc)
	a := egraph.Analysis{Transfer: interp.Transfer, Fold: foldTyped, FoldPinned: foldTyped, Rounds: !reals}
	if reals {
		a.Fold = foldReal
	}
	a.Call = func(d *ir.Def, pin bool, t ir.Type, args []egraph.Constant) (egraph.Constant, bool) {
		if reals && !pin {
			c, ok := foldRealWith(args, func(x []*big.Float) (*big.Float, bool) { return interp.FoldCallReal(d, x) })
			return c, ok && c.Real != nil
		}
		return foldTypedWith(t, args, func(x []uint64) (uint64, bool) { return interp.FoldCallTyped(d, t, x) })
	}
	return a
}
