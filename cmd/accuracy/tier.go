package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/ir"
)

// function is an operation of ir or a row of package elementary.
type function struct {
	name  string
	arity int
	emit  func(b *ir.Builder, args []ir.Value) (ir.Value, error)
}

// exactOps are operations that every machine has, or that are made of such.
var exactOps = []ir.Op{ir.Abs, ir.Neg, ir.Copysign, ir.Min, ir.Max, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Ldexp, ir.Sqrt}

func functions() []function {
	var all []function
	for op := ir.Op(1); op < ir.NumOps; op++ {
		if op.Info().Function && !op.Call() || slices.Contains(exactOps, op) {
			all = append(all, function{op.String(), op.Info().Arity, func(b *ir.Builder, args []ir.Value) (ir.Value, error) {
				return b.Emit(op, ir.Invalid, args...)
			}})
		}
	}
	for _, d := range elementary.Defs() {
		all = append(all, function{d.Name, d.Arity, func(b *ir.Builder, args []ir.Value) (ir.Value, error) {
			return b.Call(d, args...)
		}})
	}
	return all
}

func (f function) program(t ir.Type) (*ir.Func, error) {
	b := ir.NewBuilder(f.name)
	var args []ir.Value
	for i := range f.arity {
		args = append(args, b.Param(string(rune('x'+i)), t, ir.Unknown))
	}
	v, err := f.emit(b, args)
	if err != nil {
		return nil, err
	}
	b.Return(v)
	return b.Func(), nil
}

// row is a program of a function: a form, the choice of a contract, or package math.
type row struct {
	function, tier string
	typ            ir.Type
	program        *ir.Func // nil for package math, and where there is none
	forms          []string
	math           bool
	err            error // why there is no program
	hash           string
}

func (r row) key() string { return r.function + " " + r.typ.String() + " " + r.tier }

// tiers are the rows of a function in one type: contracts first, then forms from good to coarse as far as the whole line is their
// domain, then package math.
func (m *machine) tiers(ctx context.Context, f function, t ir.Type) ([]row, error) {
	written, err := f.program(t)
	if err != nil {
		return nil, err
	}
	var rows []row
	add := func(tier string, c compiler.Config, last string) {
		r := row{function: f.name, tier: tier, typ: t}
		run, err := compiler.RunUntil(ctx, written, c, last)
		switch {
		case err != nil:
			r.err = err
		case last == "":
			r.program, r.forms = run.Output, run.Chosen.Forms
		default:
			r.program, r.forms = run.Candidates[0].Func.Rounded(), run.Candidates[0].Forms
		}
		if r.program != nil {
			h := fnv.New64a()
			fmt.Fprint(h, r.program)
			r.hash = fmt.Sprintf("%016x", h.Sum64())
		}
		rows = append(rows, r)
	}
	base := compiler.Config{
		Rules: m.rules, Ring: m.ring, Costs: m.target.Costs(), Price: m.target.Price, Licences: ir.DefaultLicences, Limits: compiler.DefaultLimits,
	}
	add("default", base, "")
	if t == ir.Float32 {
		strict := base
		strict.Tolerance, strict.Licences = accuracy.Tolerance{Unit: accuracy.Exact}, ir.ApproxFunc
		add("strict", strict, "")
		if f.arity == 1 {
			correct := base
			correct.Tolerance = accuracy.Tolerance{Unit: accuracy.Correct}
			add("correctly rounded", correct, "")
		}
	}
	root := written.Nodes[written.Results[0]]
	for _, w := range m.rules {
		if w.Kind != egraph.Approximation || w.Type != ir.Invalid && w.Type != t {
			continue
		}
		if n := w.LHS.Nodes[w.LHS.Root()]; n.Op != root.Op || n.Def != written.Def(root) {
			continue
		}
		vars := make([]ir.Fact, len(w.Vars))
		for i := range vars {
			vars[i] = ir.Unknown
		}
		if w.Guard != nil && w.Guard(vars) != egraph.Yes {
			continue
		}
		c := base
		c.Licences = ir.ApproxFunc | ir.Contract
		c.Rules = slices.DeleteFunc(slices.Clone(m.rules), func(v *egraph.Rewrite) bool {
			n := v.LHS.Nodes[v.LHS.Root()]
			same := v.Kind == egraph.Approximation && n.Op == root.Op && n.Def == written.Def(root)
			// The functions in a form's body are no coarser than the form.
			coarse := v.Kind == egraph.Approximation && (v.Bound.Unit != egraph.ULP || v.Bound.Value > 4) && w.Bound.Unit == egraph.ULP && w.Bound.Value <= 8
			return v != w && (same && (w.Type != ir.Invalid || v.Type == ir.Invalid || v.Type == t) && !widening(w, v) || coarse)
		})
		add(w.Name, c, "lower")
		if errors.Is(rows[len(rows)-1].err, extract.ErrNoForm) {
			rows = rows[:len(rows)-1]
		}
	}
	if math1[f.name] != nil || math2[f.name] {
		rows = append(rows, row{function: f.name, tier: mathTier, typ: t, math: true, hash: runtime.Version()})
	}
	return rows, nil
}

// mathTier is the row of package math.
const mathTier = "package math"

// bounds are what the forms say of their errors, by name.
func (m *machine) bounds() map[string]string {
	all := map[string]string{}
	for _, w := range m.rules {
		if w.Kind == egraph.Approximation {
			all[w.Name] = fmt.Sprintf("%g %s", w.Bound.Value, [...]string{"ulp", "abs", "rel"}[w.Bound.Unit])
		}
	}
	return all
}

// widening reports whether the form w, in float32, calls the function in float64, and v is such a form of it.
func widening(w, v *egraph.Rewrite) bool {
	return strings.HasSuffix(w.Name, "-wide") && v.Type == ir.Float64 && v.Bound.Unit == egraph.ULP && v.Bound.Value <= accuracy.FormULPs
}
