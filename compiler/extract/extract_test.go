package extract

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
)

// scene is a graph with roots, parameters and prices.
type scene struct {
	g      *egraph.Graph
	roots  []egraph.ClassID
	params []ir.Parameter
	costs  *ir.CostTable
}

func (s scene) best(t testing.TB) (*ir.Func, ir.Cost) {
	t.Helper()
	f, cost, err := Best(s.g, s.roots, s.params, "f", NewTable(s.costs))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(f); err != nil {
		t.Fatalf("%v\n%v", err, f)
	}
	if got := DAGCost(f, s.costs); got != cost {
		t.Fatalf("the program costs %d, not the %d stated\n%v", got, cost, f)
	}
	return f, cost
}

func newScene(params int) scene {
	s := scene{g: egraph.New(egraph.Analysis{}), costs: ir.Uniform(100)}
	s.costs.Set(ir.Param, 1).Set(ir.Const, 1)
	for i := range params {
		s.params = append(s.params, ir.Parameter{Name: string(rune('a' + i)), Type: ir.Float32, Fact: ir.Unknown})
	}
	return s
}

func (s scene) param(i int) egraph.ClassID {
	return s.g.Add(egraph.Node{Op: ir.Param, Type: ir.Float32, Imm: uint32(i)})
}

func (s scene) op(op ir.Op, args ...egraph.ClassID) egraph.ClassID {
	n := egraph.Node{Op: op, Type: ir.Float32}
	copy(n.Args[:], args)
	return s.g.Add(n)
}

func (s scene) num(x float64) egraph.ClassID {
	return s.g.AddConst(ir.Float32, egraph.Constant{Bits: ir.ConstBits(ir.Float32, x)})
}

// randomScene makes operations operations on 4 parameters, and unions, which make cycles too.
func randomScene(rng *rand.Rand, operations, unions int) scene {
	s := newScene(4)
	for _, op := range []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.FMA, ir.Sqrt} {
		s.costs.Set(op, ir.Cost(1+rng.IntN(100)))
	}
	var ids []egraph.ClassID
	for i := range s.params {
		ids = append(ids, s.param(i))
	}
	// Operands are among the last 10, so that the graphs are deep and share.
	pick := func() egraph.ClassID { return ids[len(ids)-1-rng.IntN(min(10, len(ids)))] }
	for range operations {
		op := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.FMA, ir.Sqrt}[rng.IntN(7)]
		args := []egraph.ClassID{pick(), pick(), pick()}
		ids = append(ids, s.op(op, args[:op.Info().Arity]...))
	}
	for range unions {
		i := 4 + rng.IntN(operations)
		s.g.Union(ids[i], ids[max(4, i-rng.IntN(12))], egraph.Given)
	}
	s.g.Rebuild()
	for range 2 {
		s.roots = append(s.roots, s.g.Find(ids[len(ids)-1-rng.IntN(operations/3)]))
	}
	return s
}

// exhaustive returns the costs of all acyclic choices, by enumeration.
func exhaustive(p *problem) []uint64 {
	s := newSolver(p)
	s.choice = make([]int32, len(p.classes))
	var costs []uint64
	var choose func(c int32)
	choose = func(c int32) {
		if int(c) == len(p.classes) {
			if cost, ok := s.walk(infinite, nil); ok {
				costs = append(costs, cost)
			}
			return
		}
		for i, to := p.of(c); i < to; i++ {
			if s.usable(i) {
				s.choice[c] = i
				choose(c + 1)
			}
		}
	}
	choose(0)
	return costs
}

// assignments is the number of choices that exhaustive would try, at most limit.
func assignments(p *problem, limit int) int {
	n := 1
	for c := range p.classes {
		from, to := p.of(int32(c))
		if n *= int(to - from); n > limit {
			return limit + 1
		}
	}
	return n
}

func TestBestAgainstExhaustive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	tested, shared := 0, 0
	for range 600 {
		s := randomScene(rng, 6+rng.IntN(10), 2+rng.IntN(6))
		p := newProblem(s.g, s.roots, NewTable(s.costs))
		if n := assignments(p, 20_000); n > 20_000 || n == 1 {
			continue
		}
		tested++
		f, cost := s.best(t)
		if want := slices.Min(exhaustive(p)); uint64(cost) != want {
			t.Fatalf("cost %d, the best is %d\n%v", cost, want, f)
		}
		if tree := TreeCost(f, s.costs); cost > tree {
			t.Fatalf("DAG cost %d > tree cost %d", cost, tree)
		} else if cost < tree {
			shared++
		}
	}
	if tested < 200 || shared < 50 {
		t.Errorf("only %d graphs, %d with sharing", tested, shared)
	}
}

// The heuristics alone, without branch and bound, against branch and bound with enough fuel to end.
func TestHeuristicsAreNearlyOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var excess float64
	optimal, hard, graphs := 0, 0, 0
	for graphs < 400 {
		s := randomScene(rng, 100, 20)
		p := newProblem(s.g, s.roots, NewTable(s.costs))
		if len(p.candidates) == len(p.classes) {
			continue
		}
		h := newSolver(p)
		h.propose()
		proposed := h.cost
		h.improve()
		found := h.cost
		h.exact(1 << 26)
		if h.fuel <= 0 {
			t.Fatal("branch and bound did not end")
		}
		graphs++
		if proposed > h.cost {
			hard++
		}
		excess += float64(found)/float64(h.cost) - 1
		if found == h.cost {
			optimal++
		}
	}
	t.Logf("%d of %d optimal, %d of them not at once; mean excess %.3f %%", optimal, graphs, hard, 100*excess/float64(graphs))
	if hard < 10 {
		t.Errorf("the first proposal was optimal on all but %d graphs", hard)
	}
	if excess/float64(graphs) > 0.01 {
		t.Errorf("mean excess %.3f %%, want at most 1", 100*excess/float64(graphs))
	}
}

// Property: on graphs of any size, sharing never costs more than the cheapest trees do, shared where they happen to be.
func TestNeverDearerThanTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	cheaper := 0
	for _, operations := range []int{20, 60, 200, 600, 2000} {
		for range 10 {
			s := randomScene(rng, operations, operations/4)
			h := newSolver(newProblem(s.g, s.roots, NewTable(s.costs)))
			h.tree()
			trees, ok := h.walk(infinite, nil)
			if !ok {
				t.Fatal("the trees have no finite cost")
			}
			_, cost := s.best(t)
			if uint64(cost) > trees {
				t.Errorf("%d operations: cost %d, trees %d", operations, cost, trees)
			}
			if uint64(cost) < trees {
				cheaper++
			}
		}
	}
	if cheaper < 10 {
		t.Errorf("only %d graphs show a difference", cheaper)
	}
}

func TestSharingDecides(t *testing.T) {
	// Both roots can use x*y; alone each would take a cheaper form.
	s := newScene(2)
	s.costs.Set(ir.Mul, 10).Set(ir.Neg, 6).Set(ir.Abs, 7)
	x, y := s.param(0), s.param(1)
	xy := s.op(ir.Mul, x, y)
	r0, r1 := s.op(ir.Sqrt, xy), s.op(ir.Neg, xy)
	s.g.Union(xy, s.op(ir.Neg, s.op(ir.Abs, x)), egraph.Given)
	s.roots = []egraph.ClassID{r0, r1, xy}
	s.g.Rebuild()
	f, cost := s.best(t)
	if cost != 100+6+10+2 || f.Count(ir.Mul) != 1 {
		t.Errorf("cost %d\n%v", cost, f)
	}
}

func TestCycles(t *testing.T) {
	s := newScene(1)
	x := s.param(0)
	once := s.op(ir.Mul, x, s.num(1))
	twice := s.op(ir.Neg, s.op(ir.Neg, x))
	s.g.Union(once, x, egraph.Given)
	s.g.Union(twice, x, egraph.Given)
	s.g.Rebuild()
	s.roots = []egraph.ClassID{once, s.op(ir.Neg, x)}
	s.g.Rebuild()
	*s.costs = *ir.Uniform(0) // nothing is free, or a cycle would be as good as the parameter
	f, cost := s.best(t)
	if cost != 2 || f.Arithmetic() != 1 {
		t.Errorf("cost %d\n%v", cost, f)
	}
}

func TestNoForm(t *testing.T) {
	s := newScene(2)
	s.costs.Set(ir.Tanh, ir.InfiniteCost).Set(ir.Pow, ir.InfiniteCost).Set(ir.Exp, ir.InfiniteCost).Set(ir.Log, ir.InfiniteCost)
	p := s.op(ir.Pow, s.param(0), s.param(1))
	th := s.op(ir.Tanh, p)
	fine := s.op(ir.Exp, s.param(0)) // has another form, so exp blocks nothing
	s.g.Union(fine, s.op(ir.Neg, s.param(1)), egraph.Given)
	s.op(ir.Log, s.param(0)) // not needed
	s.g.Rebuild()
	roots := []egraph.ClassID{s.op(ir.Add, th, fine)}
	s.g.Rebuild()
	_, cost, err := Best(s.g, roots, s.params, "f", NewTable(s.costs))
	if cost != ir.InfiniteCost || !errors.Is(err, ErrNoForm) {
		t.Fatalf("cost %d, error %v", cost, err)
	}
	if want := "extract: no finite form: tanh, pow have infinite cost"; err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	var e *NoFormError
	if !errors.As(err, &e) || !slices.Equal(e.Ops, []ir.Op{ir.Tanh, ir.Pow}) {
		t.Errorf("operations %v", e.Ops)
	}
	if _, _, err := KBest(s.g, roots, s.params, "f", NewTable(s.costs), 3); !errors.Is(err, ErrNoForm) {
		t.Errorf("KBest: %v", err)
	}
	if _, _, err := Best(s.g, []egraph.ClassID{fine}, s.params[:1], "f", NewTable(s.costs)); err == nil || !strings.Contains(err.Error(), "parameter 1") {
		t.Errorf("a missing parameter gives %v", err)
	}
}

func TestConstants(t *testing.T) {
	tenth, _, _ := big.ParseFloat("0.1", 10, ir.RealPrec, big.ToNearestEven)
	wide := new(big.Float).SetMantExp(big.NewFloat(1), 1000)
	cases := []struct {
		name string
		k    egraph.Constant
		want ir.Op
	}{
		{"exact", egraph.Constant{Real: big.NewFloat(0.375)}, ir.Const},
		{"inexact", egraph.Constant{Real: tenth}, ir.Real},
		{"float64 only", egraph.Constant{Real: big.NewFloat(0.1)}, ir.Real},
		{"overflows", egraph.Constant{Real: wide}, ir.Real},
		{"negative zero", egraph.Constant{Bits: 1 << 31}, ir.Const},
		{"infinity", egraph.Constant{Bits: ir.ConstBits(ir.Float32, math.Inf(-1))}, ir.Const},
		{"NaN with a payload", egraph.Constant{Bits: 0x7fc00123}, ir.Const},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(0)
			s.roots = []egraph.ClassID{s.g.AddConst(ir.Float32, c.k)}
			s.g.Rebuild()
			f, _ := s.best(t)
			n := f.Nodes[f.Results[0]]
			if n.Op != c.want {
				t.Fatalf("got %v, want %v", n.Op, c.want)
			}
			if c.k.Real == nil && n.Imm != c.k.Bits {
				t.Errorf("bits %#x, want %#x", n.Imm, c.k.Bits)
			}
			if n.Op == ir.Real && f.Reals[n.Imm].Cmp(c.k.Real) != 0 {
				t.Errorf("%v, want %v", f.Reals[n.Imm], c.k.Real)
			}
		})
	}
}

// A function that goes through a graph without rewrites comes out as it was.
func TestRoundTrip(t *testing.T) {
	const text = `func "f"("x" f32, "unused" f64, "y" f32 in [0, 1]) {
	v0 = param f32 "x"
	v1 = param f64 "unused"
	v2 = param f32 "y"
	v3 = mul.pin f32 v0 v2
	v4 = const f32 0x1p-01 # 0.5
	v5 = lt bool v3 v4
	v6 = fma f32 v0 v0 v3
	v7 = convert f64 v6
	v8 = convert f32 v7
	v9 = select f32 v5 v8 v3
	return v9 v3 v0
}
`
	f, err := ir.Parse("f", text)
	if err != nil {
		t.Fatal(err)
	}
	g := egraph.New(egraph.Analysis{})
	roots := g.AddFunc(f)
	g.Rebuild()
	got, _, err := Best(g, roots, f.Params, f.Name, NewTable(ir.Uniform(1)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f.Compact().String(), got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestDeep(t *testing.T) {
	const levels = 10_000
	s := newScene(1)
	x := s.param(0)
	c := x
	for range levels {
		next := s.op(ir.Add, c, c) // as a tree 2^10000 operations
		s.g.Union(s.op(ir.Sqrt, s.op(ir.Neg, c)), next, egraph.Given)
		c = next
	}
	s.g.Rebuild()
	s.roots = []egraph.ClassID{s.g.Find(c)}
	f, cost := s.best(t)
	if cost != 100*levels+1 || f.Arithmetic() != levels {
		t.Errorf("cost %d, %d operations", cost, f.Arithmetic())
	}
	if TreeCost(f, s.costs) != ir.InfiniteCost {
		t.Error("the tree cost does not saturate")
	}
	// A chain whose only form is the blocked one at its end.
	s.costs.Set(ir.Add, ir.InfiniteCost).Set(ir.Neg, ir.InfiniteCost)
	if _, _, err := Best(s.g, s.roots, s.params, "f", NewTable(s.costs)); !errors.Is(err, ErrNoForm) {
		t.Errorf("error %v", err)
	}
}

func TestDeterminism(t *testing.T) {
	run := func() string {
		rng := rand.New(rand.NewPCG(9, 9))
		var out strings.Builder
		for range 20 {
			s := randomScene(rng, 60, 25)
			for op := range s.costs {
				s.costs.Set(ir.Op(op), 10) // many ties
			}
			f, _ := s.best(t)
			out.WriteString(f.String())
			programs, _, err := KBest(s.g, s.roots, s.params, "f", NewTable(s.costs), 3)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range programs {
				out.WriteString(f.String())
			}
		}
		return out.String()
	}
	if diff := cmp.Diff(run(), run()); diff != "" {
		t.Error(diff)
	}
}

func TestKBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const k = 5
	full := 0
	for range 400 {
		s := randomScene(rng, 6+rng.IntN(8), 2+rng.IntN(5))
		p := newProblem(s.g, s.roots, NewTable(s.costs))
		if assignments(p, 3000) > 3000 {
			continue
		}
		programs, costs, err := KBest(s.g, s.roots, s.params, "f", NewTable(s.costs), k)
		if err != nil {
			t.Fatal(err)
		}
		want := allPrograms(t, p, s.params)
		want = want[:min(k, len(want))]
		var got []uint64
		texts := map[string]bool{}
		for i, f := range programs {
			if DAGCost(f, s.costs) != costs[i] {
				t.Fatalf("program %d costs %d, not %d", i, DAGCost(f, s.costs), costs[i])
			}
			texts[f.String()] = true
			got = append(got, uint64(costs[i]))
		}
		if len(texts) != len(programs) {
			t.Fatalf("%d programs, %d different", len(programs), len(texts))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("costs %v, want %v", got, want)
		}
		if f, _ := s.best(t); f.String() != programs[0].String() {
			t.Fatal("the first is not the best")
		}
		if len(want) == k {
			full++
		}
	}
	if full < 20 {
		t.Errorf("only %d graphs with %d programs", full, k)
	}
}

// allPrograms returns the costs of all different programs, sorted.
func allPrograms(t *testing.T, p *problem, params []ir.Parameter) []uint64 {
	s := newSolver(p)
	s.choice = make([]int32, len(p.classes))
	costs := map[string]uint64{}
	var choose func(c int32)
	choose = func(c int32) {
		if int(c) == len(p.classes) {
			if cost, ok := s.walk(infinite, nil); ok {
				f, err := p.emit(s.choice, params, "f")
				if err != nil {
					t.Fatal(err)
				}
				costs[f.String()] = cost
			}
			return
		}
		for i, to := p.of(c); i < to; i++ {
			if s.usable(i) {
				s.choice[c] = i
				choose(c + 1)
			}
		}
	}
	choose(0)
	var sorted []uint64
	for _, c := range costs {
		sorted = append(sorted, c)
	}
	slices.Sort(sorted)
	return sorted
}

func BenchmarkBest(b *testing.B) {
	s := randomScene(rand.New(rand.NewPCG(5, 5)), 60, 25)
	b.ReportAllocs()
	for b.Loop() {
		s.best(b)
	}
}

func BenchmarkKBest(b *testing.B) {
	s := randomScene(rand.New(rand.NewPCG(5, 5)), 60, 25)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := KBest(s.g, s.roots, s.params, "f", NewTable(s.costs), 8); err != nil {
			b.Fatal(err)
		}
	}
}
