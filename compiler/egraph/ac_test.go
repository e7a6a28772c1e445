package egraph

import (
	"fmt"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

var (
	addComm  = rule("add-comm", "(add a b) = (add b a)")
	addAssoc = rule("add-assoc", "(add (add a b) c) = (add a (add b c))")
)

// sum adds p0 + p1 + ... to the graph.
func sum(g *Graph, n int) ClassID {
	c := g.param(0)
	for i := 1; i < n; i++ {
		c = g.op(ir.Add, c, g.param(i))
	}
	return c
}

// Under associativity and commutativity a sum of n distinct leaves has one class for each non-empty set of leaves, and one
// node for each way to split such a set into two non-empty parts, which with canonical operand order are unordered.
func TestCountLaw(t *testing.T) {
	pow := func(b, n int) int {
		p := 1
		for range n {
			p *= b
		}
		return p
	}
	for n := 2; n <= 8; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			g := New(Analysis{})
			root := sum(g, n)
			s := Saturate(g, []ClassID{root}, []*Rewrite{addComm, addAssoc}, nil, Limits{Matches: 1 << 20})
			if s.Stop != Saturated {
				t.Fatalf("stopped by %s", s.Stop)
			}
			if want := pow(2, n) - 1; s.Classes != want {
				t.Errorf("%d classes, want 2^%d-1 = %d", s.Classes, n, want)
			}
			if want := (pow(3, n)-pow(2, n+1)+1)/2 + n; s.Nodes != want {
				t.Errorf("%d nodes, want (3^%d-2^%d+1)/2+%d = %d", s.Nodes, n, n+1, n, want)
			}
			if n <= 6 {
				check(t, g)
			}
		})
	}
}

func BenchmarkSaturateAC(b *testing.B) {
	for _, n := range []int{5, 7} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g := New(Analysis{})
				root := sum(g, n)
				Saturate(g, []ClassID{root}, []*Rewrite{addComm, addAssoc}, nil, Limits{})
			}
		})
	}
}

// What recording costs, and what the same graph costs without.
func BenchmarkRecord(b *testing.B) {
	for _, record := range []bool{false, true} {
		b.Run(fmt.Sprint(record), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g := New(Analysis{})
				if record {
					g.Record()
				}
				root := sum(g, 7)
				Saturate(g, []ClassID{root}, []*Rewrite{addComm, addAssoc}, nil, Limits{})
			}
		})
	}
}

// BenchmarkMatch searches the saturated sum of 7 leaves for associativity: 10 206 matches.
func BenchmarkMatch(b *testing.B) {
	g := New(Analysis{})
	root := sum(g, 7)
	Saturate(g, []ClassID{root}, []*Rewrite{addAssoc}, nil, Limits{})
	p := directions(addAssoc, 1)[0]
	m := machine{g: g, limit: 1 << 30}
	b.ReportAllocs()
	for b.Loop() {
		m.search(p)
		if len(p.found.roots) != 10_206 {
			b.Fatal(len(p.found.roots), " matches")
		}
	}
}

// BenchmarkUnion makes one class of 10 000, each used once, without the rebuild.
func BenchmarkUnion(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		g := New(Analysis{})
		for i := range 10_000 {
			g.op(ir.Neg, g.param(i))
		}
		b.StartTimer()
		for i := range 10_000 {
			g.Union(0, ClassID(2*i), Given)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		g := New(Analysis{})
		c := g.param(0)
		for i := range 10_000 {
			c = g.op(ir.Add, c, ClassID(i/2))
		}
	}
}

// A search must not allocate per match.
func TestSearchAllocatesNothing(t *testing.T) {
	g := New(Analysis{})
	root := sum(g, 6)
	rules := []*Rewrite{addAssoc}
	Saturate(g, []ClassID{root}, rules, nil, Limits{})
	programs := directions(addAssoc, 1)
	m := machine{g: g, limit: defaultMatches}
	search := func() {
		for _, p := range programs {
			m.search(p)
		}
	}
	search()
	if len(programs[0].found.roots) < 100 {
		t.Fatalf("only %d matches", len(programs[0].found.roots))
	}
	if n := testing.AllocsPerRun(10, search); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
