package egraph

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// pattern reads a term such as (add a (mul.pin b 2)). A word is a variable, a number or -0, inf, nan; (convert.f32 x) converts.
func pattern(text string, vars *[]string) *Pattern {
	p := &Pattern{}
	memo := map[string]int{}
	fields := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	var read func() int
	read = func() int {
		word := fields[0]
		fields = fields[1:]
		var n PatternNode
		key := word
		if word == "(" {
			name := fields[0]
			fields = fields[1:]
			key = name
			name, suffix, _ := strings.Cut(name, ".")
			n.Pin = suffix == "pin"
			if suffix == "f32" {
				n.Type = ir.Float32
			} else if suffix == "f64" {
				n.Type = ir.Float64
			}
			var err error
			if n.Op, err = ir.ParseOp(name); err != nil {
				panic(err)
			}
			for i := 0; fields[0] != ")"; i++ {
				n.Args[i] = read()
				key += fmt.Sprint(" ", n.Args[i])
			}
			fields = fields[1:]
		} else if x, err := strconv.ParseFloat(word, 64); err == nil && (x == 0 || x-x != 0) {
			n.Op, n.Const = ir.Const, x
		} else if err == nil {
			n.Op = ir.Real
			n.Value, _, _ = big.ParseFloat(word, 10, ir.RealPrec, big.ToNearestEven)
		} else {
			n.Var = slices.Index(*vars, word)
			if n.Var < 0 {
				n.Var = len(*vars)
				*vars = append(*vars, word)
			}
		}
		if i, ok := memo[key]; ok {
			return i
		}
		p.Nodes = append(p.Nodes, n)
		memo[key] = len(p.Nodes) - 1
		return len(p.Nodes) - 1
	}
	read()
	return p
}

// rule reads "lhs = rhs" or "lhs => rhs".
func rule(name, text string) *Rewrite {
	r := &Rewrite{Name: name, Pos: name + ":1", Kind: Directed}
	l, rhs, ok := strings.Cut(text, "=>")
	if !ok {
		l, rhs, _ = strings.Cut(text, "=")
		r.Kind = Identity
	}
	r.LHS, r.RHS = pattern(l, &r.Vars), pattern(rhs, &r.Vars)
	return r
}

// parse adds a function in ir's text form.
func parse(t testing.TB, g *Graph, text string) []ClassID {
	t.Helper()
	f, err := ir.Parse(t.Name(), text)
	if err != nil {
		t.Fatal(err)
	}
	return g.AddFunc(f)
}

func (g *Graph) param(i int) ClassID {
	return g.Add(Node{Op: ir.Param, Type: ir.Float32, Imm: uint32(i)})
}

func (g *Graph) op(op ir.Op, args ...ClassID) ClassID {
	n := Node{Op: op, Type: ir.Float32}
	copy(n.Args[:], args)
	return g.Add(n)
}

func (g *Graph) num(x float64) ClassID {
	return g.AddConst(ir.Float32, Constant{Bits: ir.ConstBits(ir.Float32, x)})
}

// arithmetic is a small analysis: intervals and exact constants for add, mul and neg.
var arithmetic = Analysis{
	Transfer: func(op ir.Op, t ir.Type, a []ir.Fact) ir.Fact {
		switch op {
		case ir.Add:
			return outward(a[0].Lo+a[1].Lo, a[0].Hi+a[1].Hi)
		case ir.Mul:
			p := []float64{a[0].Lo * a[1].Lo, a[0].Lo * a[1].Hi, a[0].Hi * a[1].Lo, a[0].Hi * a[1].Hi}
			return outward(slices.Min(p), slices.Max(p))
		case ir.Neg:
			return ir.Between(-a[0].Hi, -a[0].Lo)
		case ir.Abs:
			return ir.Between(0, math.Inf(1))
		}
		return ir.Unknown
	},
	Fold: func(op ir.Op, t ir.Type, a []Constant) (Constant, bool) {
		if slices.ContainsFunc(a, func(c Constant) bool { return c.Real == nil }) {
			return Constant{}, false
		}
		z := new(big.Float).SetPrec(ir.RealPrec)
		switch op {
		case ir.Add:
			z.Add(a[0].Real, a[1].Real)
		case ir.Mul:
			z.Mul(a[0].Real, a[1].Real)
		default:
			return Constant{}, false
		}
		return Constant{Real: z}, true
	},
}

func outward(lo, hi float64) ir.Fact {
	if lo != lo || hi != hi {
		return ir.Unknown
	}
	return ir.Between(math.Nextafter(lo, math.Inf(-1)), math.Nextafter(hi, math.Inf(1)))
}

// check verifies the invariants of a rebuilt graph from first principles.
func check(t testing.TB, g *Graph) {
	t.Helper()
	g.mustBeIndexed("check")
	keys := map[Node]NodeID{}
	live := 0
	for id, n := range g.nodes {
		if !n.live() {
			continue
		}
		live++
		if c := g.canonical(n); c != n {
			t.Fatalf("node %d is %v, canonical %v", id, n, c)
		}
		if other, ok := keys[n]; ok {
			t.Fatalf("nodes %d and %d are both %v", other, id, n)
		}
		keys[n] = NodeID(id)
		if found, ok := g.memo.find(g.nodes, n); !ok || found != NodeID(id) {
			t.Fatalf("hashcons finds %d, %v for node %d", found, ok, id)
		}
	}
	if live != g.NumNodes() {
		t.Fatalf("%d nodes, counted %d", live, g.NumNodes())
	}
	uses := map[ClassID]int{}
	seen := map[Node]bool{}
	var last ClassID
	count := 0
	for c := range g.Classes() {
		if g.Find(c) != c || count > 0 && c <= last {
			t.Fatalf("class %d is out of order or no representative", c)
		}
		last = c
		count++
		nodes := g.Class(c)
		_, constant := g.Const(c)
		if len(nodes) == 0 || constant && (len(nodes) != 1 || !nodes[0].constant()) {
			t.Fatalf("class %d (constant: %v) shows %v", c, constant, nodes)
		}
		for i, n := range nodes {
			if i > 0 && nodes[i-1].Compare(&n) >= 0 {
				t.Fatalf("class %d is not sorted: %v", c, nodes)
			}
			if id, ok := keys[n]; !ok || g.Find(ClassID(id)) != c || seen[n] {
				t.Fatalf("class %d shows %v, which is not its own", c, n)
			}
			seen[n] = true
			distinct := slices.Compact(slices.Sorted(slices.Values(n.Operands())))
			for _, a := range distinct {
				uses[a]++
			}
			if !slices.Contains(g.index.byOp[n.Op], c) {
				t.Fatalf("class %d is missing under %v", c, n.Op)
			}
		}
	}
	for n, id := range keys {
		if _, constant := g.Const(ClassID(id)); !constant && !seen[n] {
			t.Fatalf("node %v is in no class", n)
		}
	}
	for c := range g.Classes() {
		if g.Uses(c) != uses[c] {
			t.Fatalf("class %d has %d uses, counted %d", c, g.Uses(c), uses[c])
		}
		// Every node that has c as an operand is in its ring.
		ring := map[NodeID]bool{}
		if tail := g.classes[c].tail; tail != noEdge {
			n := uint32(0)
			for e := g.edges[tail]; ; e = g.edges[e] {
				ring[NodeID(e/3)] = true
				n++
				if e == tail {
					break
				}
			}
			if n != g.classes[c].edges {
				t.Fatalf("class %d has a ring of %d edges, counted %d", c, g.classes[c].edges, n)
			}
		}
		for id, n := range g.nodes {
			if n.live() && slices.Contains(n.Operands(), c) && !ring[NodeID(id)] {
				t.Fatalf("node %d is not in the ring of its operand %d", id, c)
			}
		}
	}
}
