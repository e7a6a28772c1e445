package yolk_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

// userOps are operations that are no rows of ir's table: one that has a form, and two that have none.
var userOps = []*ir.Def{
	{Name: "softsign", Arity: 1, Cost: 3,
		Eval: func(x []float64) float64 { return x[0] / (1 + math.Abs(x[0])) },
		Real: func(x []*big.Float) *big.Float {
			d := new(big.Float).Abs(x[0])
			return x[0].Quo(x[0], d.Add(d, big.NewFloat(1)))
		},
		Fact: func([]ir.Fact) ir.Fact { return ir.Between(-1, 1) }},
	{Name: "hypotenuse", Arity: 2, Eval: func(x []float64) float64 { return math.Hypot(x[0], x[1]) }},
	{Name: "middle", Arity: 3, Eval: func(x []float64) float64 {
		return max(min(x[0], x[1]), min(max(x[0], x[1]), x[2]))
	}},
}

const userRules = `softsign-form: softsign(x) ~> x/(1 + abs(x)) everywhere within 2 ulp ! afn
`

// opRow is one operation in one type.
type opRow struct {
	op  ir.Op
	def *ir.Def
	t   ir.Type
}

func opRows() []opRow {
	var rows []opRow
	for _, t := range []ir.Type{ir.Float32, ir.Float64} {
		for op := ir.Op(1); op < ir.NumOps; op++ {
			if !op.Call() && (op.Leaf() || op.Takes(t)) { // floats alone enter the graph
				rows = append(rows, opRow{op, nil, t})
			}
		}
		for _, d := range userOps {
			rows = append(rows, opRow{d.Op(), d, t})
		}
	}
	return rows
}

func (r opRow) String() string {
	if r.def != nil {
		return r.def.Name + "/" + r.t.String()
	}
	return r.op.String() + "/" + r.t.String()
}

// program is the operation applied to parameters. Comparison and choice come together, so that results are numbers.
func (r opRow) program(t *testing.T) *ir.Func {
	t.Helper()
	b := ir.NewBuilder(r.String())
	var args []ir.Value
	param := func(t ir.Type) { args = append(args, b.Param(fmt.Sprintf("x%d", len(args)), t, ir.Unknown)) }
	var v ir.Value
	var err error
	switch info := r.op.Info(); {
	case r.op.Leaf():
		param(r.t)
		v = args[0]
		if r.op == ir.Const {
			v = b.Const(r.t, 1.5)
		} else if r.op == ir.Real {
			third := new(big.Float).SetPrec(ir.RealPrec).Quo(big.NewFloat(1), big.NewFloat(3))
			v = b.Real(r.t, third)
		}
	case r.op == ir.Convert:
		param(ir.Float32 + ir.Float64 - r.t)
		v, err = b.Emit(r.op, r.t, args...)
	default:
		for range max(2, info.Arity) {
			param(r.t)
		}
		used := args[:info.Arity]
		if r.op == ir.Select {
			used = []ir.Value{b.Must(ir.Lt, args[0], args[1]), args[0], args[1]}
		}
		if r.def != nil {
			v, err = b.Call(r.def, used...)
		} else if r.op == ir.Lookup {
			v, err = b.Lookup(ir.NewTable(20, 1, 0.5, -2, 0), used[0])
		} else {
			v, err = b.Emit(r.op, ir.Invalid, used...)
		}
		if err == nil && info.Shape == ir.ShapeCompare {
			v = b.Must(ir.Select, v, args[0], args[1])
		}
	}
	if err != nil {
		t.Fatalf("%v: %v", r, err)
	}
	b.Return(v)
	return b.Func().Compact()
}

// Every operation, built in or a user's, has all that makes it one.
func TestEveryOperationIsComplete(t *testing.T) {
	mine, err := rules.Parse("mine.rules", userRules, userOps...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range opRows() {
		t.Run(r.String(), func(t *testing.T) {
			f := r.program(t)
			r.prints(t, f)
			r.evaluates(t, f)
			r.survivesTheGraph(t, f)
			r.spells(t)
			r.lowers(t, f, mine)
		})
	}
}

func (r opRow) prints(t *testing.T, f *ir.Func) {
	g, err := ir.Parse("printed", f.String(), userOps...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f.String(), g.String()); diff != "" {
		t.Errorf("printed and parsed:\n%s", diff)
	}
}

// evaluates holds the program against the real value: everything that rounds does so by an ulp at most. Facts hold.
func (r opRow) evaluates(t *testing.T, f *ir.Func) {
	p, err := interp.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	w, err := interp.NewWide(f)
	if err != nil {
		t.Fatal(err)
	}
	typ := f.Nodes[f.Results[0]].Type
	for _, x := range []float64{0.75, 2, -1.25, 3, 0, math.Inf(1), math.NaN()} {
		in, bits, facts := make([]float64, len(f.Params)), make([]uint64, len(f.Params)), make([]ir.Fact, len(f.Params))
		for i := range in {
			in[i] = x + float64(i)
			bits[i] = ir.ConstBits(f.Params[i].Type, in[i])
			facts[i] = ir.Exactly(in[i])
		}
		var truth [1]interp.Value
		var out [1]uint64
		w.Eval(in, truth[:])
		p.Eval(bits, out[:])
		got := ir.BitsFloat(typ, out[0])
		if e := interp.ErrorULP(typ, got, truth[0]); e > 1 {
			t.Errorf("at %v the program has %v, the truth is %v", in, got, truth[0])
		}
		if r.op.Leaf() || x-x != 0 || got-got != 0 || r.op.Info().Shape != ir.ShapeFloat && r.op.Info().Shape != ir.ShapeNumber {
			continue
		}
		args := facts[:r.op.Info().Arity]
		fact := ir.Unknown
		if r.def != nil {
			fact = r.def.Range(args)
		} else {
			fact = interp.Transfer(r.op, r.t, args)
		}
		if table := f.Table(f.Nodes[f.Results[0]]); table != nil {
			fact = table.Range()
		}
		if v := truth[0].Hi; v < fact.Lo || v > fact.Hi {
			t.Errorf("at %v the value %v is not in %v", in, v, fact)
		}
	}
}

func (r opRow) survivesTheGraph(t *testing.T, f *ir.Func) {
	g := egraph.New(egraph.Analysis{Transfer: interp.Transfer})
	roots := g.AddFunc(f)
	g.Rebuild()
	out, cost, err := extract.Best(g, roots, f.Params, f.Name, extract.NewTable(ir.Uniform(1)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f.String(), out.String()); diff != "" {
		t.Errorf("through the e-graph:\n%s", diff)
	}
	if want := extract.DAGCost(f, ir.Uniform(1)); cost != want || cost == 0 {
		t.Errorf("cost %d, want %d", cost, want)
	}
}

// spells writes the operation as laws do.
func (r opRow) spells(t *testing.T) {
	info := r.op.Info()
	vars := []string{"a", "b", "c"}[:info.Arity]
	spelt := ""
	term := info.Name + "(" + strings.Join(vars, ", ") + ")"
	switch {
	case r.op.Leaf():
		return
	case r.def != nil:
		term = r.def.Name + "(" + strings.Join(vars, ", ") + ")"
	case r.op == ir.Convert:
		term = "float64(a)"
	case r.op == ir.Lookup:
		spelt = "law: 1 + a => 1 + lookup(a >> 20, 1, 0.5, -2, 0) for float32\n"
	case info.Shape == ir.ShapeCompare:
		term = "select(a " + info.Symbol + " b, a, b)"
	case info.Symbol != "" && info.Arity == 1:
		term = info.Symbol + "a"
	case info.Symbol != "":
		term = "a " + info.Symbol + " b"
	}
	if spelt == "" {
		spelt = "law: " + term + " + 1 => 1 + " + term + "\n"
	}
	if r.op == ir.Convert {
		spelt = "law: float64(a) + 1 => 1 + float64(a) for float64\n"
	}
	set, err := rules.Parse("law.rules", spelt, userOps...)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, n := range set.Rewrites()[0].RHS.Nodes {
		found = found || n.Op == r.op && n.Def == r.def
	}
	if !found {
		t.Errorf("%s is another operation", term)
	}
}

// lowers makes a program for every target: of finite cost and emitted, or the error names the operation.
func (r opRow) lowers(t *testing.T, f *ir.Func, mine rules.Set) {
	for _, target := range native.Targets() {
		set := rules.Union(rules.Default, mine)
		costs := target.Costs()
		if costs[ir.FMA][r.t] == ir.InfiniteCost {
			set = rules.Union(set, rules.Machine)
		}
		own := costs.Of(r.op, f.Nodes[f.Results[0]].Type, r.def)
		if isFunction := r.op.Info().Function; isFunction && own != ir.InfiniteCost {
			t.Errorf("%s: a function costs %d", target.Name, own)
		}
		laws, ring := set.Ring()
		run, err := compiler.RunUntil(context.Background(), f, compiler.Config{
			Rules: laws.Rewrites(), Ring: ring, Costs: costs, Licences: ir.DefaultLicences, Limits: compiler.DefaultLimits,
		}, "lower")
		if err != nil {
			name, _, _ := strings.Cut(r.String(), "/")
			if !errors.Is(err, extract.ErrNoForm) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", target.Name, err)
			}
			if _, err := native.Emit(f, 1, target); !errors.Is(err, native.ErrUnsupported) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: emitted as it is: %v", target.Name, err)
			}
			if hasForm := r.def == userOps[0] || r.def == nil && !r.op.Info().Function; hasForm {
				t.Errorf("%s: no form of %v: %v", target.Name, r, err)
			}
			continue
		}
		if _, err := native.Emit(run.Candidates[0].Func.Rounded(), 1, target); err != nil {
			t.Errorf("%s: %v", target.Name, err)
		}
	}
}
