package egraph

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// closure is the naive twin: terms over terms, a class number for each, and congruence by comparing all pairs.
type closure struct {
	terms []Node // operands are terms
	class []int
}

func (k *closure) add(n Node) ClassID {
	for i, m := range k.terms {
		if m == n {
			return ClassID(i)
		}
	}
	k.terms = append(k.terms, n)
	k.class = append(k.class, len(k.class))
	return ClassID(len(k.terms) - 1)
}

func (k *closure) union(a, b ClassID) {
	from, to := k.class[a], k.class[b]
	for i := range k.class {
		if k.class[i] == from {
			k.class[i] = to
		}
	}
}

func (k *closure) congruent(n, m Node) bool {
	if n.Op != m.Op || n.Pin != m.Pin || n.Imm != m.Imm {
		return false
	}
	same := func(i, j int) bool { return k.class[n.Args[i]] == k.class[m.Args[j]] }
	if n.Op.Leaf() {
		return true
	}
	return same(2, 2) && (same(0, 0) && same(1, 1) || n.Op.Info().Commutative && same(0, 1) && same(1, 0))
}

func (k *closure) close() {
	for again := true; again; {
		again = false
		for i := range k.terms {
			for j := range i {
				if k.class[i] != k.class[j] && k.congruent(k.terms[i], k.terms[j]) {
					k.union(ClassID(i), ClassID(j))
					again = true
				}
			}
		}
	}
}

// run interprets bytes as a script of adds, unions and rebuilds on both, and compares the partitions.
func runScript(t *testing.T, script []byte) {
	g, k := New(Analysis{}), &closure{}
	var ids []ClassID // of the terms
	term := func(n Node) {
		i := k.add(n)
		m := n
		for j := range m.Operands() {
			m.Args[j] = ids[n.Args[j]]
		}
		c := g.Add(m)
		if int(i) == len(ids) {
			ids = append(ids, c)
		}
	}
	compare := func() {
		g.Rebuild()
		check(t, g)
		k.close()
		for i := range ids {
			for j := range i {
				got, want := g.Find(ids[i]) == g.Find(ids[j]), k.class[i] == k.class[j]
				if got != want {
					t.Fatalf("script %v: terms %d and %d: equal %v, want %v", script, i, j, got, want)
				}
			}
		}
	}
	for i := range 4 {
		term(Node{Op: ir.Param, Type: ir.Float32, Imm: uint32(i)})
	}
	ops := []ir.Op{ir.Add, ir.Sub, ir.Neg, ir.FMA, ir.Add, ir.Tanh}
	for len(script) >= 4 && len(ids) < 60 {
		pick := func(i int) ClassID { return ClassID(int(script[i]) % len(ids)) }
		switch what := script[0] % 16; {
		case what < 9:
			n := Node{Op: ops[int(script[0]/16)%len(ops)], Type: ir.Float32, Pin: script[0]/128 == 1}
			for i := range n.Operands() {
				n.Args[i] = pick(1 + i)
			}
			term(n)
		case what < 14:
			k.union(pick(1), pick(2))
			g.Union(ids[pick(1)], ids[pick(2)], Given)
		default:
			compare()
		}
		script = script[4:]
	}
	compare()
}

func FuzzCongruence(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 9, 0, 1, 0, 0, 1, 0, 0})
	f.Fuzz(runScript)
}

func TestCongruence(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		script := make([]byte, 4*(10+rng.IntN(60)))
		for i := range script {
			script[i] = byte(rng.Uint32())
		}
		runScript(t, script)
	}
}

// f(f(f(a))) = a and f(f(f(f(f(a))))) = a make f(a) = a (Nelson and Oppen 1980).
func TestCongruenceChain(t *testing.T) {
	g := New(Analysis{})
	a := g.param(0)
	f := []ClassID{a}
	for range 5 {
		f = append(f, g.op(ir.Neg, f[len(f)-1]))
	}
	g.Union(f[3], a, Given)
	g.Union(f[5], a, Given)
	g.Rebuild()
	check(t, g)
	if g.NumClasses() != 1 || g.NumNodes() != 2 {
		t.Errorf("%d classes and %d nodes, want 1 and 2", g.NumClasses(), g.NumNodes())
	}
}

func TestHashconsGrows(t *testing.T) {
	g := New(Analysis{})
	var ids []ClassID
	for i := range 5000 {
		ids = append(ids, g.param(i))
	}
	for i, c := range ids {
		if g.param(i) != c {
			t.Fatalf("parameter %d was made twice", i)
		}
	}
	for i := 1; i < 5000; i++ {
		g.op(ir.Add, ids[i-1], ids[i])
	}
	for i := 2; i < 5000; i++ {
		g.Union(ids[i], ids[i%2], Given)
	}
	g.Rebuild()
	if g.NumNodes() != 5001 || g.NumClasses() != 3 {
		t.Errorf("%d nodes and %d classes, want 5001 and 3", g.NumNodes(), g.NumClasses())
	}
	check(t, g)
}

func BenchmarkRebuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		g := New(Analysis{})
		var x, y []ClassID
		for i := range 100 {
			x, y = append(x, g.param(i)), append(y, g.param(100+i))
		}
		for _, v := range [][]ClassID{x, y} {
			for i := range v {
				for j := range 10 {
					g.op(ir.Sub, v[i], v[j])
				}
			}
		}
		for i := range x {
			g.Union(x[i], y[i], Given)
		}
		g.Rebuild()
		if g.NumNodes() != 1200 {
			b.Fatal(fmt.Sprint(g.NumNodes(), " nodes"))
		}
	}
}
