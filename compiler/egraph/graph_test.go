package egraph

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
)

func TestNodeSize(t *testing.T) {
	if n := unsafe.Sizeof(Node{}); n != 20 {
		t.Errorf("a node has %d bytes, want 20", n)
	}
}

func TestAddFuncSharesConstants(t *testing.T) {
	g := New(Analysis{})
	r := parse(t, g, `func "f"("x" f32 in [0, 4]) {
		v0 = param f32 "x"
		v1 = const f32 0.5
		v2 = real f32 0.5
		v3 = mul f32 v0 v1
		v4 = mul f32 v2 v0
		v5 = mul.pin f32 v0 v1
		return v3 v4 v5 v1 v2
	}`)
	g.Rebuild()
	check(t, g)
	if r[0] != r[1] || r[3] != r[4] {
		t.Errorf("const and real of one value, or a*b and b*a, are two classes: %v", r)
	}
	if r[0] == r[2] {
		t.Error("a pinned node equals the one that is not")
	}
	if f := g.Fact(g.param(0)); f != ir.Between(0, 4) {
		t.Errorf("the parameter's fact is %v", f)
	}
}

func TestSpecialConstantsStayApart(t *testing.T) {
	g := New(Analysis{})
	nan := Constant{Bits: 0x7fc00000}
	ids := []ClassID{
		g.num(0), g.num(math.Copysign(0, -1)), g.num(math.Inf(1)), g.num(math.Inf(-1)), g.AddConst(ir.Float32, nan),
		g.AddConst(ir.Float32, Constant{Bits: 0x7fc00001}), g.num(1), g.AddConst(ir.Float64, Constant{Bits: ir.ConstBits(ir.Float64, 1)}),
		g.AddConst(ir.Float64, Constant{}), g.num(math.Float64frombits(0x3ff8000000000000)),
	}
	g.Rebuild()
	check(t, g)
	for i := range ids {
		for j := range i {
			if ids[i] == ids[j] {
				t.Errorf("constants %d and %d are one class", i, j)
			}
		}
	}
	if g.AddConst(ir.Float32, nan) != ids[4] {
		t.Error("a NaN does not equal itself")
	}
	if g.AddConst(ir.Float32, Constant{Real: new(big.Float)}) != ids[0] {
		t.Error("the real zero is not +0")
	}
	want := []string{"0", "-0", "inf", "-inf", "nan(0x7fc00000)", "nan(0x7fc00001)", "1", "1", "0", "1.5"}
	for i, c := range ids {
		if k, ok := g.Const(c); !ok || k.String() != want[i] {
			t.Errorf("constant %d is %v, want %s", i, k, want[i])
		}
	}
}

func TestConstantFacts(t *testing.T) {
	tenth, _, _ := big.ParseFloat("0.1", 10, ir.RealPrec, big.ToNearestEven)
	x, _ := tenth.Float64()
	large := new(big.Float).SetMantExp(big.NewFloat(1), 2000)
	for _, c := range []struct {
		name string
		k    Constant
		want ir.Fact
	}{
		{"integer", Constant{Real: big.NewFloat(-3)}, ir.Exactly(-3)},
		{"fraction", Constant{Real: big.NewFloat(0.25)}, ir.Exactly(0.25)},
		{"not a float64", Constant{Real: tenth}, ir.Fact{Lo: math.Nextafter(x, 0), Hi: x, NonZero: true}},
		{"too large", Constant{Real: large}, ir.Fact{Lo: math.MaxFloat64, Hi: math.Inf(1), NonZero: true, Integer: true}},
		{"negative zero", Constant{Bits: 1 << 31}, ir.Exactly(0)},
		{"infinity", Constant{Bits: 0x7f800000}, ir.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := New(Analysis{})
			if diff := cmp.Diff(c.want, g.Fact(g.AddConst(ir.Float32, c.k))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Two derivations of one real number, each with its own rounding, are one constant.
func TestNearConstantsMeet(t *testing.T) {
	g := New(Analysis{})
	third := new(big.Float).SetPrec(ir.RealPrec).Quo(big.NewFloat(1), big.NewFloat(3))
	other := new(big.Float).SetPrec(ir.RealPrec).Sub(big.NewFloat(1), new(big.Float).SetPrec(ir.RealPrec).Mul(third, big.NewFloat(2)))
	if third.Cmp(other) == 0 {
		t.Fatal("the derivations agree in all bits: the test shows nothing")
	}
	if g.AddConst(ir.Float64, Constant{Real: third}) != g.AddConst(ir.Float64, Constant{Real: other}) {
		t.Error("1/3 and 1-2/3 are two constants")
	}
}

func TestFoldAndFacts(t *testing.T) {
	g := New(arithmetic)
	x := g.param(0)
	six := g.op(ir.Mul, g.num(2), g.num(3))
	if six != g.num(6) {
		t.Error("2*3 is not 6 at once")
	}
	y := g.op(ir.Add, x, g.num(1))
	z := g.op(ir.Mul, y, g.num(2))
	if _, ok := g.Const(z); ok {
		t.Fatal("a constant out of nothing")
	}
	g.Union(x, g.num(2), Given)
	g.Rebuild()
	check(t, g)
	if g.Find(z) != g.Find(six) {
		t.Error("(2+1)*2 is not 6 after x = 2")
	}
	if nodes := g.Class(z); len(nodes) != 1 || nodes[0].Op != ir.Real {
		t.Errorf("the constant class shows %v", nodes)
	}
	if g.Err() != nil {
		t.Error(g.Err())
	}
}

func TestPinnedNodesFoldInTheirType(t *testing.T) {
	a := arithmetic
	a.FoldPinned = func(op ir.Op, t ir.Type, args []Constant) (Constant, bool) {
		c, ok := arithmetic.Fold(op, t, args)
		return Constant{Bits: ir.RoundReal(t, c.Real)}, ok
	}
	g := New(a)
	n := Node{Op: ir.Mul, Type: ir.Float32, Args: [3]ClassID{g.num(0.1), g.num(0.3)}}
	free := g.Add(n)
	n.Pin = true
	pinned := g.Add(n)
	f, _ := g.Const(free)
	p, _ := g.Const(pinned)
	if p.Real.MinPrec() > 24 || f.Real.MinPrec() <= 24 {
		t.Errorf("the pinned product has %d bits, the free one %d", p.Real.MinPrec(), f.Real.MinPrec())
	}
	g = New(arithmetic)
	n.Args = [3]ClassID{g.num(0.1), g.num(0.3)}
	if _, ok := g.Const(g.Add(n)); ok {
		t.Error("a pinned node was folded over the reals")
	}
}

// Facts reach users of a class late, and a class that is its own operand does not narrow for ever.
func TestFactsSpread(t *testing.T) {
	g := New(arithmetic)
	x, y := g.param(0), g.param(1)
	s := g.op(ir.Add, x, y)
	p := g.op(ir.Mul, s, s)
	g.narrow(x, ir.Between(1, 2), Given)
	g.narrow(y, ir.Between(3, 4), Given)
	g.Rebuild()
	if f := g.Fact(p); !f.Within(15, 37) || !f.NonZero {
		t.Errorf("(x+y)^2 is in %v", f)
	}
	// z = 1 + z/2 has the one solution 2.
	z := g.param(2)
	g.narrow(z, ir.Between(-1e9, 1e9), Given)
	g.Union(z, g.op(ir.Add, g.num(1), g.op(ir.Mul, g.num(0.5), z)), Given)
	g.Rebuild()
	check(t, g)
	if f := g.Fact(z); !f.Within(-1e3, 1e3) || f.Lo > 2 || f.Hi < 2 || g.Err() != nil {
		t.Errorf("z = 1 + z/2 is in %v, error %v", f, g.Err())
	}
}

func TestContradiction(t *testing.T) {
	for _, c := range []struct {
		name, text string
		param      ir.Fact
		want       string
	}{
		{"constants", "(add x 1) => 5", ir.Exactly(3), "wrong (wrong:1) unites"},
		{"facts", "(abs x) => -1", ir.Unknown, "wrong (wrong:1) unites"},
		{"congruence", "(abs x) => (mul x 2)", ir.Between(-2, -1), "wrong (wrong:1) unites"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := New(arithmetic)
			x := g.param(0)
			g.narrow(x, c.param, Given)
			roots := []ClassID{g.op(ir.Add, x, g.num(1)), g.op(ir.Abs, x)}
			s := Saturate(g, roots, []*Rewrite{rule("right", "(add a b) = (add b a)"), rule("wrong", c.text)}, nil, Limits{})
			if s.Stop != Contradiction || g.Err() == nil || !strings.Contains(g.Err().Error(), c.want) {
				t.Errorf("stopped by %s, error %v", s.Stop, g.Err())
			}
		})
	}
	t.Run("two constants", func(t *testing.T) {
		g := New(Analysis{})
		root := g.op(ir.Add, g.param(0), g.num(1))
		s := Saturate(g, []ClassID{root}, []*Rewrite{rule("one", "(add x 1) => 1"), rule("two", "(add x 1) => 2")}, nil, Limits{})
		if s.Stop != Contradiction || g.Err().Error() != "egraph: contradiction: two (two:1) unites the constants 1 and 2" {
			t.Errorf("stopped by %s, error %v", s.Stop, g.Err())
		}
	})
	t.Run("zeros", func(t *testing.T) {
		g := New(Analysis{})
		g.Union(g.num(math.Copysign(0, -1)), g.num(0), Given)
		g.Rebuild()
		if k, _ := g.Const(g.num(0)); k.String() != "0" || g.Err() != nil {
			t.Errorf("-0 = 0 gives %v and %v", k, g.Err())
		}
	})
}

func TestDirtyReadsPanic(t *testing.T) {
	g := New(Analysis{})
	x, y := g.param(0), g.param(1)
	g.Rebuild()
	z := g.op(ir.Neg, x)
	if n := g.Class(z); len(n) != 1 || n[0].Op != ir.Neg {
		t.Errorf("a new node's class shows %v", n)
	}
	panics := func(name string, f func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s of a dirty graph does not panic", name)
			}
		}()
		f()
	}
	panics("NumClasses", func() { g.NumClasses() })
	g.Union(x, y, Given)
	panics("Class", func() { g.Class(x) })
	panics("Classes", func() { g.Classes() })
	panics("ill-typed Add", func() { g.Add(Node{Op: ir.Neg, Type: ir.Float64, Args: [3]ClassID{x}}) })
	panics("ill-typed Union", func() { g.Union(x, g.AddConst(ir.Float64, Constant{}), Given) })
}
