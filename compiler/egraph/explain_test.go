package egraph

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
)

// checkProof checks every step of a proof without the graph: by matching the law's text, by the operands' equality in the
// steps before, by folding, or by what was given.
func checkProof(t testing.TB, p *Proof, given func(from, to Term) bool) {
	t.Helper()
	parent := make([]int, len(p.Terms))
	for i := range parent {
		parent[i] = i
		for _, a := range p.Terms[i].Args[:p.Terms[i].Op.Info().Arity] {
			if a >= i {
				t.Fatalf("term %d has operand %d", i, a)
			}
		}
	}
	find := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	equal := func(a, b int) bool { return find(a) == find(b) }
	at := p.From
	for i, s := range p.Steps {
		from, to := p.Terms[s.From], p.Terms[s.To]
		ok := false
		switch s.Kind {
		case ByRewrite:
			l, r := s.rewrite.LHS, s.rewrite.RHS
			if s.Reversed {
				l, r = r, l
			}
			vars := map[int]int{}
			ok = p.instanceOf(l, l.Root(), s.From, vars, func() bool {
				return p.instanceOf(r, r.Root(), s.To, vars, func() bool { return true })
			})
		case ByCongruence:
			args := func(a, b, c int) bool {
				order := [3]int{a, b, c}
				for j := range from.Op.Info().Arity {
					if !equal(from.Args[j], to.Args[order[j]]) {
						return false
					}
				}
				return true
			}
			same := from
			same.Args = to.Args
			ok = same == to && (args(0, 1, 2) || from.Op.Info().Commutative && args(1, 0, 2)) || equal(s.From, s.To)
		case ByFolding:
			if from.Op.Leaf() {
				from, to = to, from
			}
			var args []Constant
			for _, a := range from.Args[:from.Op.Info().Arity] {
				args = append(args, p.g.Value(p.Terms[a].node()))
			}
			c, folds := arithmetic.Fold(from.Op, from.Type, args)
			ok = folds && p.g.pool.intern(from.Type, c) == to.Imm
		case ByCaller, ByPass:
			ok = given != nil && given(from, to)
		}
		if !ok {
			t.Fatalf("step %d does not hold: %s\n%v", i, p.stepText(s), p)
		}
		parent[find(s.From)] = find(s.To)
		if s.Depth == 0 {
			if s.From != at {
				t.Fatalf("step %d does not begin where the chain stands\n%v", i, p)
			}
			at = s.To
		}
	}
	if at != p.To {
		t.Fatalf("the chain ends at %s\n%v", p.Text(at), p)
	}
}

func (p *Proof) stepText(s Step) string {
	return fmt.Sprintf("%s = %s (%s)", p.Text(s.From), p.Text(s.To), s.Reason())
}

// instanceOf calls then with every way to see a term as an instance of a pattern, until it says yes. Pins stand on right
// sides only; the operands of a commutative operation have no order.
func (p *Proof) instanceOf(of *Pattern, i, term int, vars map[int]int, then func() bool) bool {
	n, t := of.Nodes[i], p.Terms[term]
	switch {
	case n.Op == ir.OpInvalid:
		if v, ok := vars[n.Var]; ok {
			return v == term && then()
		}
		vars[n.Var] = term
		ok := then()
		delete(vars, n.Var)
		return ok
	case n.Op == ir.Real:
		return t.Op == ir.Real && p.g.Value(t.node()).Real.Cmp(n.Value) == 0 && then()
	case n.Op == ir.Const:
		return t.Op == ir.Const && p.g.Value(t.node()).Bits == ir.ConstBits(t.Type, n.Const) && then()
	}
	if t.Op != n.Op || n.Pin && !t.Pin {
		return false
	}
	var from func(j int, args [3]int) bool
	from = func(j int, args [3]int) bool {
		if j == n.Op.Info().Arity {
			return then()
		}
		return p.instanceOf(of, n.Args[j], args[j], vars, func() bool { return from(j+1, args) })
	}
	return from(0, t.Args) || n.Op.Info().Commutative && from(0, [3]int{t.Args[1], t.Args[0], t.Args[2]})
}

var proofRules = []*Rewrite{
	addComm, addAssoc, rule("mul-comm", "(mul a b) = (mul b a)"), rule("distrib", "(mul a (add b c)) = (add (mul a b) (mul a c))"),
	rule("neg-neg", "(neg (neg x)) => x"), rule("mul-one", "(mul x 1) => x"), rule("sub", "(sub a b) = (add a (neg b))"),
	rule("double", "(add x x) = (mul 2 x)"), rule("neg-mul", "(neg (mul a b)) = (mul (neg a) b)"), rule("add-zero", "(add x 0) => x"),
	rule("abs", "(abs (neg x)) = (abs x)"), rule("pinned", "(sqrt x) => (mul.pin x (abs x))"),
}

// Property: whatever random rules, unions and additions make equal has a proof, and every step of it holds.
func TestProofsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	kinds := map[StepKind]int{}
	proofs, longest := 0, 0
	for range 500 {
		g := New(arithmetic)
		g.Record()
		ids := []NodeID{}
		for i := range 3 {
			ids = append(ids, NodeID(g.param(i)))
		}
		for _, x := range []float64{0, 1, 2, 3} {
			ids = append(ids, NodeID(g.num(x)))
		}
		grow := func(n int) {
			for range n {
				op := []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.Abs, ir.FMA, ir.Sqrt}[rng.IntN(8)]
				n := Node{Op: op, Type: ir.Float32, Pin: rng.IntN(8) == 0}
				for j := range n.Operands() {
					n.Args[j] = ClassID(ids[rng.IntN(len(ids))])
				}
				ids = append(ids, g.add(n))
			}
		}
		claims := map[[2]Term]bool{}
		roots := func() (out []ClassID) {
			for _, id := range ids {
				out = append(out, ClassID(id))
			}
			return out
		}
		claim := func(a, b ClassID) {
			if _, constant := g.Const(a); constant || g.Find(a) == g.Find(b) {
				return
			}
			p := newProver(g)
			i, j := p.term(NodeID(a)), p.term(NodeID(b))
			claims[[2]Term{strip(p.proof.Terms[i]), strip(p.proof.Terms[j])}] = true
			g.Union(a, b, Given)
		}
		grow(4 + rng.IntN(8))
		g.Rebuild()
		for range 2 {
			var rules []*Rewrite
			for _, r := range proofRules {
				if rng.IntN(3) > 0 {
					rules = append(rules, r)
				}
			}
			pass := Pass{"pass", func(g *Graph, _ []ClassID) int {
				if rng.IntN(4) > 0 {
					return 0
				}
				claim(ClassID(ids[3+rng.IntN(len(ids)-3)]), ClassID(ids[rng.IntN(3)]))
				return 0
			}}
			Saturate(g, roots(), rules, []Pass{pass}, Limits{Nodes: 150, Iters: 4})
			grow(2)
			g.Rebuild()
			if g.Err() != nil {
				break
			}
		}
		if g.Err() != nil {
			continue // the claims were false
		}
		check(t, g)
		for range 60 {
			a, b := NodeID(rng.IntN(g.NumIDs())), NodeID(rng.IntN(g.NumIDs()))
			if rng.IntN(3) > 0 {
				a = ids[rng.IntN(len(ids))]
			}
			p, ok := g.Explain(a, b)
			if ok != (g.Find(ClassID(a)) == g.Find(ClassID(b))) {
				t.Fatal("Explain and Find disagree")
			}
			if !ok {
				continue
			}
			checkProof(t, p, func(from, to Term) bool {
				from, to = strip(from), strip(to)
				return claims[[2]Term{from, to}] || claims[[2]Term{to, from}]
			})
			for _, s := range p.Steps {
				kinds[s.Kind]++
			}
			proofs++
			longest = max(longest, len(p.Steps))
		}
	}
	t.Logf("%d proofs, the longest of %d steps, kinds %v", proofs, longest, kinds)
	if proofs < 1000 || longest < 50 || kinds[ByRewrite] < 1000 || kinds[ByCongruence] < 1000 || kinds[ByFolding] < 50 || kinds[ByPass] < 100 {
		t.Errorf("%d proofs, the longest of %d steps, kinds %v: too little was tested", proofs, longest, kinds)
	}
}

// strip leaves out the operands, whose numbers differ from proof to proof.
func strip(t Term) Term {
	t.Args = [3]int{}
	return t
}

// The checker itself: a step that is left out, exchanged or renamed is found.
func TestFalseProofsFail(t *testing.T) {
	g := New(arithmetic)
	g.Record()
	x := g.param(0)
	a := g.op(ir.Abs, g.op(ir.Neg, g.op(ir.Add, x, g.num(0))))
	b := g.op(ir.Abs, x)
	Saturate(g, nil, proofRules, nil, Limits{Nodes: 100, Iters: 3})
	p, ok := g.Explain(NodeID(a), NodeID(b))
	if !ok || len(p.Steps) < 3 {
		t.Fatalf("no proof of some length: %v", p)
	}
	checkProof(t, p, nil)
	fails := func(name string, change func(q *Proof)) {
		q := *p
		q.Steps = append([]Step(nil), p.Steps...)
		change(&q)
		tb := &recorder{TB: t}
		func() {
			defer func() { recover() }()
			checkProof(tb, &q, nil)
		}()
		if !tb.failed {
			t.Errorf("%s: the checker found nothing", name)
		}
	}
	for i, s := range p.Steps {
		fails("left out", func(q *Proof) { q.Steps = append(q.Steps[:i], q.Steps[i+1:]...) })
		if s.Kind == ByRewrite {
			fails("another law", func(q *Proof) { q.Steps[i].rewrite = rule("other", "(sqrt x) => x") })
			fails("the other way", func(q *Proof) { q.Steps[i].Reversed = !s.Reversed })
		}
	}
	fails("another end", func(q *Proof) { q.To = q.From })
}

type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper() {}
func (r *recorder) Fatalf(string, ...any) {
	r.failed = true
	panic("stop")
}

func TestExplainFuncs(t *testing.T) {
	read := func(text string) *ir.Func {
		f, err := ir.Parse("f", text)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	from := read(`func "f"("x" f32, "y" f32) {
		v0 = param f32 "x"
		v1 = param f32 "y"
		v2 = const f32 0x1p+01
		v3 = const f32 0x1p+00
		v4 = add f32 v2 v3
		v5 = sub f32 v0 v1
		v6 = neg f32 v5
		v7 = neg f32 v6
		v8 = mul f32 v7 v4
		return v5 v8
	}`)
	to := read(`func "f"("x" f32, "y" f32) {
		v0 = param f32 "x"
		v1 = param f32 "y"
		v2 = const f32 0x1.8p+01
		v3 = neg f32 v1
		v4 = add f32 v0 v3
		v5 = mul f32 v2 v4
		return v4 v5
	}`)
	g := New(arithmetic)
	g.Record()
	roots := g.AddFunc(from)
	Saturate(g, roots, proofRules, nil, Limits{Nodes: 100, Iters: 3})
	for i := range 2 {
		p, err := g.ExplainFuncs(from, to, i)
		if err != nil {
			t.Fatal(err)
		}
		checkProof(t, p, nil)
		if i == 1 {
			want := `-(-(x - y)) * (2 + 1)
    where 2 + 1
        = 3   (constant folding)
    = 3 * (-(-(x - y)))   (congruence)
    where -(-(x - y))
        = x - y   (neg-neg)
        = x + -y   (sub)
    = 3 * (x + -y)   (congruence)
`
			if diff := cmp.Diff(want, p.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff([]string{"neg-neg", "sub"}, p.Rules()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		}
	}
	if _, err := g.ExplainFuncs(from, read(`func "g"("x" f32) {
		v0 = param f32 "x"
		return v0 v0
	}`), 1); err == nil || !strings.Contains(err.Error(), `result 1 of "f" and of "g"`) {
		t.Errorf("functions that are not equal: %v", err)
	}
}

// Recording changes nothing else.
func TestRecordingIsPassive(t *testing.T) {
	run := func(record bool) string {
		g := New(arithmetic)
		if record {
			g.Record()
		}
		root := g.op(ir.Mul, sum(g, 4), g.op(ir.Sub, g.num(2), g.param(1)))
		text := fmt.Sprint(Saturate(g, []ClassID{root}, proofRules, nil, Limits{Nodes: 500}))
		for c := range g.Classes() {
			text += fmt.Sprint(c, g.Class(c), g.Fact(c), "\n")
		}
		return text
	}
	if run(false) != run(true) {
		t.Error("a graph that records is another one")
	}
}

// A chain of 10 000 operations is explained without a deep stack of terms.
func TestDeepProof(t *testing.T) {
	g := New(arithmetic)
	g.Record()
	x := g.param(0)
	a, b := x, g.op(ir.Add, x, g.num(0))
	for range 10_000 {
		a, b = g.op(ir.Neg, a), g.op(ir.Neg, b)
	}
	Saturate(g, nil, []*Rewrite{rule("add-zero", "(add x 0) => x")}, nil, Limits{Nodes: 1 << 20})
	p, ok := g.Explain(NodeID(a), NodeID(b))
	if !ok || len(p.Steps) != 10_001 {
		t.Fatalf("%v", ok)
	}
	checkProof(t, p, nil)
	if n := len(p.Text(p.From)); n > 2*maxText {
		t.Errorf("a text of %d bytes", n)
	}
}
