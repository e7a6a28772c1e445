package ring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// optimise runs the pass alone to saturation and extracts with unit costs.
func optimise(t *testing.T, f *ir.Func, granted ir.Licence) (*ir.Func, egraph.Stats) {
	t.Helper()
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	g := egraph.New(egraph.Analysis{Transfer: interp.Transfer, Fold: func(op ir.Op, typ ir.Type, args []egraph.Constant) (egraph.Constant, bool) {
		return egraph.Constant{}, false
	}})
	roots := g.AddFunc(f)
	g.Rebuild()
	stats := egraph.Saturate(g, roots, nil, []egraph.Pass{Pass(g, roots, granted)}, egraph.Limits{Nodes: 5000, Iters: 10})
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	out, _, err := extract.Best(g, roots, f.Params, f.Name, extract.NewTable(ir.Uniform(10)))
	if err != nil {
		t.Fatal(err)
	}
	return out, stats
}

// build makes a float32 function of n parameters x0, x1, ...
func build(n int, body func(b *ir.Builder, x []ir.Value) ir.Value) *ir.Func {
	b := ir.NewBuilder("f")
	x := make([]ir.Value, n)
	for i := range x {
		x[i] = b.Param(fmt.Sprintf("x%d", i), ir.Float32, ir.Unknown)
	}
	b.Return(body(b, x))
	return b.Func()
}

func polynomial(b *ir.Builder, x ir.Value, degree int) ir.Value {
	sum := b.Const(ir.Float32, 1)
	for i := 1; i <= degree; i++ {
		p := b.Const(ir.Float32, float64(i)+0.5)
		for range i {
			p = b.Must(ir.Mul, p, x)
		}
		sum = b.Must(ir.Add, sum, p)
	}
	return sum
}

func TestOperationCounts(t *testing.T) {
	for _, test := range []struct {
		name string
		f    *ir.Func
		want int // operations left, multiplications and additions counted apart
	}{
		{"x+x+x", build(1, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Add, b.Must(ir.Add, x[0], x[0]), x[0])
		}), 1},
		{"x+(x+-x)", build(1, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Add, x[0], b.Must(ir.Add, x[0], b.Must(ir.Neg, x[0])))
		}), 0},
		{"x-x stays", build(1, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Sub, x[0], x[0])
		}), 1},
		{"(x+y)-y stays", build(2, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Sub, b.Must(ir.Add, x[0], x[1]), x[1])
		}), 2},
		{"a*x+b*x", build(3, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Add, b.Must(ir.Mul, x[0], x[2]), b.Must(ir.Mul, x[1], x[2]))
		}), 2},
		{"degree 12, expanded", build(1, func(b *ir.Builder, x []ir.Value) ir.Value {
			return polynomial(b, x[0], 12)
		}), 24},
		{"x^8", build(1, func(b *ir.Builder, x []ir.Value) ir.Value {
			p := x[0]
			for range 7 {
				p = b.Must(ir.Mul, p, x[0])
			}
			return p
		}), 3},
		{"x/y/y", build(2, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Div, b.Must(ir.Div, x[0], x[1]), x[1])
		}), 2},
		{"a polynomial in a shared value", build(2, func(b *ir.Builder, x []ir.Value) ir.Value {
			return polynomial(b, b.Must(ir.Add, x[0], x[1]), 4)
		}), 9},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, stats := optimise(t, test.f, ir.DefaultLicences)
			if got.Arithmetic() != test.want {
				t.Errorf("%d operations, want %d (%v)\n%v", got.Arithmetic(), test.want, stats.Stop, got)
			}
		})
	}
}

// No division is looked through without arcp.
func TestLicences(t *testing.T) {
	f := build(2, func(b *ir.Builder, x []ir.Value) ir.Value {
		return b.Must(ir.Add, b.Must(ir.Add, x[0], b.Must(ir.Div, x[0], b.Const(ir.Float32, 3))), x[0])
	})
	for _, test := range []struct {
		granted ir.Licence
		want    int
	}{{ir.Reassoc, 3}, {ir.Reassoc | ir.ARecip, 1}} {
		if got, _ := optimise(t, f, test.granted); got.Arithmetic() != test.want {
			t.Errorf("granted %q: %d operations, want %d\n%v", test.granted, got.Arithmetic(), test.want, got)
		}
	}
}

// What would blow up as rules ends at once.
func TestNoBlowUp(t *testing.T) {
	for _, f := range []*ir.Func{
		build(1, func(b *ir.Builder, x []ir.Value) ir.Value { // t = t*t + t, 60 times
			v := x[0]
			for range 60 {
				v = b.Must(ir.Add, b.Must(ir.Mul, v, v), v)
			}
			return v
		}),
		build(20, func(b *ir.Builder, x []ir.Value) ir.Value {
			v := x[0]
			for _, y := range x[1:] {
				v = b.Must(ir.Add, v, y)
			}
			return v
		}),
		build(1, func(b *ir.Builder, x []ir.Value) ir.Value { return polynomial(b, x[0], 60) }),
		build(8, func(b *ir.Builder, x []ir.Value) ir.Value { // (x0+1)(x1+1)...(x7+1)
			v := b.Const(ir.Float32, 1)
			for _, y := range x {
				v = b.Must(ir.Mul, v, b.Must(ir.Add, y, b.Const(ir.Float32, 1)))
			}
			return v
		}),
	} {
		got, stats := optimise(t, f, ir.DefaultLicences)
		if stats.Nodes > 2*len(f.Nodes)+500 || got.Arithmetic() > f.Arithmetic() {
			t.Errorf("%d operations became %d in %d nodes (%s)", f.Arithmetic(), got.Arithmetic(), stats.Nodes, stats.Stop)
		}
	}
}

// random builds a random expression of ring operations over the leaves.
func random(b *ir.Builder, rng *rand.Rand, leaves []ir.Value, ops int) ir.Value {
	vals := append([]ir.Value(nil), leaves...)
	for range 2 {
		vals = append(vals, b.Const(ir.Float32, float64(rng.IntN(9))/4+0.25))
	}
	pick := func() ir.Value { return vals[max(rng.IntN(len(vals)), rng.IntN(len(vals)))] }
	for range ops {
		var v ir.Value
		switch rng.IntN(8) {
		case 0, 1:
			v = b.Must(ir.Add, pick(), pick())
		case 2:
			v = b.Must(ir.Sub, pick(), pick())
		case 3:
			v = b.Must(ir.Neg, pick())
		case 4:
			v = b.Must(ir.Div, pick(), pick())
		case 5:
			v = b.Must(ir.FMA, pick(), pick(), pick())
		default:
			v = b.Must(ir.Mul, pick(), pick())
		}
		vals = append(vals, v)
	}
	return vals[len(vals)-1]
}

// Property: what is extracted has the same value over the reals.
func TestEqualOverTheReals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	compared := 0
	for trial := range 300 {
		f := build(3, func(b *ir.Builder, x []ir.Value) ir.Value { return random(b, rng, x, 3+rng.IntN(12)) })
		g, _ := optimise(t, f, ir.DefaultLicences)
		wf, err := interp.NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		wg, err := interp.NewWide(g)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			in := []float64{float64(float32(rng.NormFloat64())), float64(float32(rng.NormFloat64())), float64(float32(rng.NormFloat64()))}
			var a, b [1]interp.Value
			wf.Eval(in, a[:])
			wg.Eval(in, b[:])
			if a[0].Hi != a[0].Hi || math.IsInf(a[0].Hi, 0) {
				continue
			}
			compared++
			if d := math.Abs((a[0].Hi - b[0].Hi) + (a[0].Lo - b[0].Lo)); !(d <= 1e-18*math.Abs(a[0].Hi)+a[0].Err+b[0].Err) {
				t.Fatalf("trial %d at %v: %v and %v differ\n%v\n%v", trial, in, a[0], b[0], f, g)
			}
		}
	}
	if compared < 3000 {
		t.Errorf("only %d points compared", compared)
	}
}

// The bound that the pass asks room for is one: no spelling takes more nodes.
func TestNodesIsABound(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 300 {
		g := egraph.New(egraph.Analysis{})
		var p poly
		for range 1 + rng.IntN(8) {
			m := poly{{newReal().SetInt64(int64(rng.IntN(5) - 2)), nil}}
			if m[0].coef.Sign() == 0 {
				continue
			}
			for i := range 3 {
				x := atom{class: g.Add(egraph.Node{Op: ir.Param, Type: ir.Float32, Imm: uint32(i)}), recip: rng.IntN(5) == 0}
				for range rng.IntN(12) {
					m[0].mono = m[0].mono.times(monomial{{x, 1}})
				}
			}
			p = p.plus(m)
		}
		if len(p) == 0 {
			continue
		}
		before := g.NumNodes()
		(&speller{g: g, typ: ir.Float32}).sum(p)
		if made := g.NumNodes() - before; made > p.nodes() {
			t.Fatalf("%d nodes for %v, bound %d", made, p, p.nodes())
		}
	}
}

// The node limit holds inside the pass too, and what was left out is reported.
func TestLimit(t *testing.T) {
	f := build(1, func(b *ir.Builder, x []ir.Value) ir.Value { return polynomial(b, x[0], 12) })
	for _, limit := range []int{110, 120, 5000} {
		g := egraph.New(egraph.Analysis{Transfer: interp.Transfer})
		roots := g.AddFunc(f)
		g.Rebuild()
		s := egraph.Saturate(g, roots, nil, []egraph.Pass{Pass(g, roots, ir.DefaultLicences)}, egraph.Limits{Nodes: limit})
		if s.Nodes > limit || (s.Stop == egraph.NodeLimit) != (limit < 5000) {
			t.Errorf("limit %d: %d nodes, stopped by %s", limit, s.Nodes, s.Stop)
		}
	}
}
