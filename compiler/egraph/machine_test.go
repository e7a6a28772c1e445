package egraph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// A naiveMatcher matches by recursion on the pattern, without registers or order of instructions.
type naiveMatcher struct {
	g *Graph
	r *Rewrite
	p *Pattern
}

const unbound = ClassID(1<<32 - 1)

// match calls yield for every way to make node i of the pattern equal to class c that extends vars.
func (m *naiveMatcher) match(i int, c ClassID, t ir.Type, vars []ClassID, yield func(ir.Type, []ClassID)) {
	n := m.p.Nodes[i]
	switch {
	case n.Op == ir.OpInvalid:
		if vars[n.Var] == unbound {
			vars = slices.Clone(vars)
			vars[n.Var] = c
		}
		if vars[n.Var] == c {
			yield(t, vars)
		}
		return
	case n.Op.Leaf():
		if t == ir.Invalid {
			t = m.g.Type(c)
		}
		k := Constant{Bits: ir.ConstBits(t, n.Const)}
		if n.Op == ir.Real {
			k = Constant{Real: n.Value}
		}
		x, ok := m.g.Const(c)
		if ok && m.g.Type(c) == t && (x.Real == nil && k.Real == nil && x.Bits == k.Bits || x.Real != nil && k.Real != nil && x.Real.Cmp(k.Real) == 0) {
			yield(t, vars)
		}
		return
	}
	for _, node := range m.g.Class(c) {
		if node.Op != n.Op || node.Pin && m.r.Licence != 0 {
			continue
		}
		u := node.Type
		switch n.Op.Info().Shape {
		case ir.ShapeCompare:
			u = m.g.Type(node.Args[0])
		case ir.ShapeConvert:
			if node.Type != n.Type {
				continue
			}
			u = t
		}
		if t != ir.Invalid && u != t {
			continue
		}
		orders := [][3]ClassID{node.Args}
		if n.Op.Info().Commutative && node.Args[0] != node.Args[1] {
			orders = append(orders, [3]ClassID{node.Args[1], node.Args[0], node.Args[2]})
		}
		for _, args := range orders {
			m.operands(n, 0, args, u, vars, yield)
		}
	}
}

func (m *naiveMatcher) operands(n PatternNode, j int, args [3]ClassID, t ir.Type, vars []ClassID, yield func(ir.Type, []ClassID)) {
	if j == n.Op.Info().Arity {
		yield(t, vars)
		return
	}
	m.match(n.Args[j], args[j], t, vars, func(t ir.Type, vars []ClassID) { m.operands(n, j+1, args, t, vars, yield) })
}

type found struct {
	root ClassID
	t    ir.Type
	vars [4]ClassID
}

func compareFound(a, b found) int {
	return slices.Compare(append(a.vars[:], a.root, ClassID(a.t)), append(b.vars[:], b.root, ClassID(b.t)))
}

// randomGraph has operations of both types, pins, comparisons, constants and unions.
func randomGraph(rng *rand.Rand) *Graph {
	g := New(Analysis{})
	byType := map[ir.Type][]ClassID{}
	put := func(n Node) { byType[n.Type] = append(byType[n.Type], g.Add(n)) }
	for i, t := range []ir.Type{ir.Float32, ir.Float32, ir.Float64, ir.Float64} {
		put(Node{Op: ir.Param, Type: t, Imm: uint32(i)})
	}
	for _, t := range []ir.Type{ir.Float32, ir.Float64} {
		for _, x := range []float64{0, 1, 2} {
			byType[t] = append(byType[t], g.AddConst(t, Constant{Bits: ir.ConstBits(t, x)}))
		}
		put(Node{Op: ir.Lt, Type: ir.Bool, Args: [3]ClassID{byType[t][0], byType[t][1]}})
	}
	pick := func(t ir.Type) ClassID { return byType[t][rng.IntN(len(byType[t]))] }
	for range 40 {
		t := []ir.Type{ir.Float32, ir.Float64}[rng.IntN(2)]
		n := Node{Type: t, Pin: rng.IntN(4) == 0}
		n.Args = [3]ClassID{pick(t), pick(t)}
		switch rng.IntN(7) {
		case 0, 1:
			n.Op = ir.Add
		case 2:
			n.Op = ir.Mul
		case 3:
			n.Op, n.Args[1] = ir.Neg, 0
		case 4:
			n.Op, n.Type, n.Pin = ir.Eq, ir.Bool, false
		case 5:
			n.Op, n.Args = ir.Select, [3]ClassID{pick(ir.Bool), pick(t), pick(t)}
		case 6:
			n.Op, n.Args = ir.Convert, [3]ClassID{pick(ir.Float32 + ir.Float64 - t)}
		}
		put(n)
	}
	for range 8 {
		t := []ir.Type{ir.Float32, ir.Float64, ir.Bool}[rng.IntN(3)]
		a, b := pick(t), pick(t)
		if _, constant := g.Const(b); !constant {
			g.Union(a, b, Given)
		}
		g.Rebuild()
	}
	return g
}

func TestMachineAgainstNaive(t *testing.T) {
	sources := []string{
		"(add a b)", "(add a a)", "(add (add a b) c)", "(mul (add a b) (add a c))", "(add (mul a b) (mul b a))",
		"(neg (neg a))", "(add a 0)", "(mul a 1)", "(add (mul a 2) 1)", "(select (eq a b) a b)", "(select c (add a b) (neg a))",
		"(convert.f64 (add a b))", "(add (convert.f32 a) b)", "(convert.f32 (convert.f64 a))", "(eq a 0)", "(eq (add a b) (neg c))",
		"(add (add a b) (add c d))", "(select (lt a b) c c)",
	}
	rng := rand.New(rand.NewPCG(3, 4))
	total := map[string]int{}
	for range 60 {
		g := randomGraph(rng)
		check(t, g)
		for i, source := range sources {
			r := &Rewrite{Name: source}
			r.LHS = pattern(source, &r.Vars)
			r.RHS = &Pattern{Nodes: []PatternNode{{}}}
			if i%2 == 1 {
				r.Licence = ir.Reassoc
			}
			if rng.IntN(3) == 0 {
				r.Type = ir.Float64
			}
			p := directions(r, 1)[0]
			m := &machine{g: g, limit: 1 << 30}
			m.search(p)
			var got, want []found
			for j := range p.found.roots {
				f := found{root: p.found.roots[j], t: p.found.types[j]}
				copy(f.vars[:], p.found.kept[j*len(r.Vars):(j+1)*len(r.Vars)])
				got = append(got, f)
			}
			if !slices.IsSorted(p.found.roots) {
				t.Fatalf("%s: roots are out of order", source)
			}
			naive := &naiveMatcher{g, r, r.LHS}
			for c := range g.Classes() {
				vars := slices.Repeat([]ClassID{unbound}, len(r.Vars))
				naive.match(r.LHS.Root(), c, ir.Invalid, vars, func(typ ir.Type, vars []ClassID) {
					if typ == ir.Invalid {
						typ = g.Type(c)
					}
					if r.Type == ir.Invalid || r.Type == typ {
						f := found{root: c, t: typ}
						copy(f.vars[:], vars)
						want = append(want, f)
					}
				})
			}
			slices.SortFunc(got, compareFound)
			slices.SortFunc(want, compareFound)
			if !slices.Equal(got, want) {
				t.Fatalf("%s (licence %v, type %v): got %v, want %v", source, r.Licence, r.Type, got, want)
			}
			total[source] += len(got)
		}
	}
	for _, source := range sources {
		if total[source] == 0 {
			t.Errorf("%s never matched: the test shows nothing", source)
		}
	}
}
