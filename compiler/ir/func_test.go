package ir

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// randomFunc has dead nodes and, where the order of building is shuffled, another numbering.
func randomFunc(r *rand.Rand, size int) *Func {
	b := NewBuilder("random")
	var values [Float64 + 1][]Value
	for _, t := range []Type{Float32, Float64} {
		values[t] = append(values[t], b.Param("x"+t.String(), t, Unknown))
	}
	for range size {
		op := Op(1 + r.IntN(NumOps-1))
		t := []Type{Float32, Float64}[r.IntN(2)]
		pick := func(t Type) Value { return values[t][r.IntN(len(values[t]))] }
		var v Value
		switch info := op.Info(); {
		case op == Param || !op.Takes(t) && !op.Leaf():
			continue
		case op == Const:
			v = b.Const(t, float64(r.IntN(5)))
		case op == Real:
			v = b.Real(t, big.NewFloat(float64(r.IntN(5))+0.1))
		case op == Select:
			if len(values[Bool]) == 0 {
				continue
			}
			v = b.Must(op, pick(Bool), pick(t), pick(t))
		case op == Convert:
			v, _ = b.Emit(op, t, pick(Float32+Float64-t))
		case info.Shape == ShapeLoop:
			if op != Loop || size < 8 {
				continue
			}
			results, err := b.Loop(randomBody(r, size/4), pick(Float32), pick(Float64))
			if err != nil {
				panic(err)
			}
			v = results[r.IntN(2)]
		case op == Lookup:
			v, _ = b.Lookup(NewTable(uint8(r.IntN(32)), 1, 0.5, float64(r.IntN(3)), 2), pick(t))
		case op.Call():
			d := testDefs[info.Arity-1]
			v, _ = b.Call(d, []Value{pick(t), pick(t), pick(t)}[:d.Arity]...)
		default:
			args := make([]Value, info.Arity)
			for i := range args {
				args[i] = pick(t)
			}
			v = b.Must(op, args...)
		}
		if r.IntN(8) == 0 && b.Type(v) != Bool {
			v = b.Pin(v)
		}
		values[b.Type(v)] = append(values[b.Type(v)], v)
	}
	for range 1 + r.IntN(3) {
		t := []Type{Float32, Float64}[r.IntN(2)]
		b.Return(values[t][len(values[t])-1-r.IntN(min(3, len(values[t])))])
	}
	return b.Func()
}

// randomBody is a random function over f32 and f64 as the body of a loop.
func randomBody(r *rand.Rand, size int) *Func {
	f := randomFunc(r, size)
	b := NewBuilder("body")
	x, y := b.Param("x", Float32, Unknown), b.Param("y", Float64, Unknown)
	v := b.Inline(f, x, y)[0]
	if b.Type(v) == Float64 {
		b.Return(b.Must(Lt, v, y))
		b.Return(x)
		b.Return(v)
	} else {
		b.Return(b.Must(Lt, v, x))
		b.Return(v)
		b.Return(y)
	}
	return b.Func()
}

// shuffle rebuilds f with its nodes in another topological order and with dead ones added.
func shuffle(r *rand.Rand, f *Func) *Func {
	b := NewBuilder(f.Name)
	for _, p := range f.Params {
		b.Param(p.Name, p.Type, p.Fact)
	}
	remap := make([]Value, len(f.Nodes))
	done := make([]bool, len(f.Nodes))
	for left := len(f.Nodes); left > 0; {
		i := r.IntN(len(f.Nodes))
		n := f.Nodes[i]
		ready := !done[i]
		for _, a := range n.Operands() {
			ready = ready && done[a]
		}
		if !ready {
			continue
		}
		if r.IntN(4) == 0 {
			b.Const(Float32, r.Float64())
		}
		if n.Op == Real {
			remap[i] = b.Real(n.Type, f.Reals[n.Imm])
		} else {
			remap[i] = b.copyNode(f, n, remap)
		}
		done[i] = true
		left--
	}
	for _, v := range f.Results {
		b.Return(remap[v])
	}
	return b.Func()
}

func TestCompact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		f := randomFunc(r, 40)
		if err := Verify(f); err != nil {
			t.Fatal(err)
		}
		c := f.Compact()
		if err := Verify(c); err != nil {
			t.Fatalf("%v in\n%v", err, c)
		}
		if diff := cmp.Diff(c.String(), c.Compact().String()); diff != "" {
			t.Fatalf("compacting twice:\n%s", diff)
		}
		if diff := cmp.Diff(c.String(), shuffle(r, f).Compact().String()); diff != "" {
			t.Fatalf("the numbering of the original shows:\n%s", diff)
		}
		used := make([]bool, len(c.Nodes))
		for _, v := range c.Results {
			used[v] = true
		}
		for i := len(c.Nodes) - 1; i >= 0; i-- {
			if !used[i] && c.Nodes[i].Op != Param {
				t.Fatalf("v%d is dead in\n%v", i, c)
			}
			for _, a := range c.Nodes[i].Operands() {
				used[a] = true
			}
		}
		again, err := Parse("again", f.String(), testDefs...)
		if err != nil || again.String() != f.String() {
			t.Fatalf("%v: parsed as\n%v\nfrom\n%v", err, again, f)
		}
	}
}

func TestRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	reals := 0
	for range 300 {
		f := randomFunc(r, 40)
		reals += f.Count(Real)
		g := f.Rounded()
		if err := Verify(g); err != nil {
			t.Fatal(err)
		}
		if g.Count(Real) != 0 || len(g.Reals) != 0 || g.Arithmetic() > f.Arithmetic() || len(g.Results) != len(f.Results) {
			t.Fatalf("rounded:\n%v\nfrom\n%v", g, f)
		}
		if g.Rounded().String() != g.String() {
			t.Fatal("rounding twice differs")
		}
	}
	if reals < 200 {
		t.Errorf("only %d exact constants", reals)
	}
	b := NewBuilder("constants")
	tenth, _, _ := big.ParseFloat("0.1", 10, RealPrec, big.ToNearestEven)
	huge := new(big.Float).SetMantExp(big.NewFloat(1), 200)
	for _, v := range []Value{
		b.Real(Float32, tenth), b.Real(Float64, tenth), b.Real(Float32, huge), b.Real(Float64, huge), b.Real(Float32, new(big.Float)),
	} {
		b.Return(v)
	}
	f := b.Func()
	g := f.Rounded()
	for i, want := range []float64{float64(float32(0.1)), 0.1, math.Inf(1), 0x1p200, 0} {
		for _, h := range []*Func{f, g} {
			if got, ok := h.ConstValue(h.Results[i]); !ok || got != want {
				t.Errorf("constant %d is %v, %v; want %v", i, got, ok, want)
			}
		}
	}
	if len(f.Reals) != 2 {
		t.Errorf("%d exact constants, want 2: equal ones are shared", len(f.Reals))
	}
}

func TestBuilder(t *testing.T) {
	b := NewBuilder("f")
	x := b.Param("x", Float32, Between(0, 1))
	sum := b.Must(Add, x, x)
	if again := b.Must(Add, x, x); again != sum {
		t.Error("equal nodes are made twice")
	}
	pinned := b.Pin(sum)
	if pinned == sum || b.Pin(pinned) != pinned || b.Pin(x) != x {
		t.Error("Pin")
	}
	if v, err := b.EmitPinned(Add, Float32, x, x); err != nil || v != pinned {
		t.Errorf("EmitPinned: v%d, %v", v, err)
	}
	for _, c := range []struct {
		err  func() error
		want string
	}{
		{func() error { _, err := b.Emit(Param, Float32); return err }, "param is not emitted"},
		{func() error { _, err := b.Emit(Add, Invalid, x, 99); return err }, "operand 1 of add is v99, which does not exist"},
		{func() error { _, err := b.Emit(Neg, Float64, x); return err }, "neg of f32 makes f32, not f64"},
		{func() error { _, err := b.Emit(Neg, Invalid); return err }, "neg takes 1 operands, not 0"},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	b.Return(pinned)
	body := func(t Type, results ...int) *Func {
		b := NewBuilder("body")
		x := b.Param("x", t, Unknown)
		for _, i := range results {
			b.Return([]Value{x, b.Must(Eq, x, x)}[i])
		}
		return b.Func()
	}
	for _, c := range []struct {
		body *Func
		args []Value
		want string
	}{
		{nil, []Value{x}, "a loop without a body"},
		{NewBuilder("empty").Func(), nil, "has no variable"},
		{body(Float32, 1), []Value{x}, "has 1 results, not 2 for 1 variables"},
		{body(Float32, 0, 0), []Value{x}, "result 0 of the body of the loop body is not bool"},
		{body(Float32, 1, 1), []Value{x}, "result 1 of the body of the loop body is not f32"},
		{body(Float32, 1, 0), nil, "has 1 variables, not 0"},
		{body(Float32, 1, 0), []Value{99}, "variable 0 of a loop begins as v99, which does not exist"},
		{body(Float64, 1, 0), []Value{x}, "variable 0 of the loop body is f64, not f32"},
	} {
		if _, err := b.Loop(c.body, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	f := b.Func()
	g, err := f.WithFacts([]Fact{Exactly(2)})
	if err != nil || g.Params[0].Fact != Exactly(2) || f.Params[0].Fact != Between(0, 1) {
		t.Errorf("WithFacts: %v, %v", g, err)
	}
	if _, err := f.WithFacts(nil); err == nil {
		t.Error("WithFacts takes any number of facts")
	}
}

// What only a Func made by hand can get wrong.
func TestVerify(t *testing.T) {
	valid := func() *Func {
		b := NewBuilder("f")
		x := b.Param("x", Float32, Unknown)
		b.Return(b.Must(Mul, b.Must(Add, x, b.Real(Float32, big.NewFloat(0.1))), b.Const(Float32, 2)))
		return b.Func()
	}
	if err := Verify(valid()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		damage func(f *Func)
		want   string
	}{
		{"operation", func(f *Func) { f.Nodes[2].Op = NumOps }, "v2: " + Op(NumOps).String() + " is not an operation"},
		{"cycle", func(f *Func) { f.Nodes[2].Args[1] = 2 }, "v2: operand 1 is v2, which comes later"},
		{"spare", func(f *Func) { f.Nodes[2].Args[2] = 1 }, "v2: add has a spare operand"},
		{"immediate", func(f *Func) { f.Nodes[2].Imm = 1 }, "v2: add has an immediate"},
		{"no type", func(f *Func) { f.Nodes[2].Type = Invalid }, "v2: add has no type"},
		{"no body", func(f *Func) { f.Bodies = []*Func{nil} }, "body 0 does not exist"},
		{"tuple", func(f *Func) { f.Nodes[4] = Node{Op: Empty, Type: Tuple} }, "result 0 is a tuple"},
		{"body index", func(f *Func) {
			f.Nodes = append(f.Nodes, Node{Op: Empty, Type: Tuple}, Node{Op: Loop, Type: Tuple, Args: [3]Value{5}})
		}, "v6: body 0 does not exist"},
		{"no loop", func(f *Func) {
			f.Nodes = append(f.Nodes, Node{Op: Empty, Type: Tuple}, Node{Op: Proj, Type: Float32, Args: [3]Value{5}})
		}, "v6: proj of what is no loop"},
		{"pinned loop", func(f *Func) { f.Nodes = append(f.Nodes, Node{Op: Empty, Type: Tuple, Pin: true}) }, "v5: empty is pinned"},
		{"wide const", func(f *Func) { f.Nodes[3].Imm = 1 << 32 }, "v3: a constant of type f32 has bits 0x100000000"},
		{"real index", func(f *Func) { f.Nodes[1].Imm = 1 }, "v1: exact constant 1 does not exist, is infinite or zero"},
		{"real zero", func(f *Func) { f.Reals[0] = new(big.Float) }, "v1: exact constant 0 does not exist, is infinite or zero"},
		{"real nil", func(f *Func) { f.Reals[0] = nil }, "v1: exact constant 0 does not exist, is infinite or zero"},
		{"param index", func(f *Func) { f.Nodes[0].Imm = 1 }, "v0: parameter 1 is out of place or of another type"},
		{"no nodes", func(f *Func) { f.Nodes = nil }, "1 parameters but 0 nodes"},
		{"no results", func(f *Func) { f.Results = nil }, "no result"},
		{"result", func(f *Func) { f.Results[0] = 9 }, "result 0 is v9, which does not exist"},
	} {
		f := valid()
		c.damage(f)
		if err := Verify(f); !errors.Is(err, ErrInvalid) || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestFacts(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		a, b, want Fact
		ok         bool
	}{
		{Between(0, 2), Between(1, 3), Fact{Lo: 1, Hi: 2, NonZero: true}, true},
		{Unknown, Exactly(3), Exactly(3), true},
		{Between(0, 1), Between(2, 3), Fact{Lo: 2, Hi: 1, NonZero: true}, false},
		{Exactly(0), Fact{Lo: -inf, Hi: inf, NonZero: true}, Fact{Integer: true, NonZero: true}, false},
		{Between(-1, 1), Fact{Lo: -inf, Hi: inf, Integer: true}, Fact{Lo: -1, Hi: 1, Integer: true}, true},
	} {
		for _, swap := range []bool{false, true} {
			a, b := c.a, c.b
			if swap {
				a, b = b, a
			}
			if got, ok := a.Meet(b); got != c.want || ok != c.ok {
				t.Errorf("%v and %v: %v, %v; want %v, %v", a, b, got, ok, c.want, c.ok)
			}
		}
	}
	if !Between(0, 1).Finite() || Between(0, inf).Finite() || !Between(0, 1).Within(0, 2) || Between(0, 3).Within(0, 2) {
		t.Error("Finite or Within")
	}
	if Exactly(1.5).Integer || Exactly(inf).Integer || !Exactly(-2).Integer || Exactly(0).NonZero {
		t.Error("Exactly")
	}
}

func TestConstBits(t *testing.T) {
	for _, typ := range []Type{Float32, Float64} {
		for _, x := range []float64{0, math.Copysign(0, -1), 1.5, -0x1p-149, math.Inf(1), math.Inf(-1)} {
			if got := BitsFloat(typ, ConstBits(typ, x)); got != x || math.Signbit(got) != math.Signbit(x) {
				t.Errorf("%v %g comes back as %g", typ, x, got)
			}
		}
		nan := math.Float64frombits(0xfff8000000000123)
		if ConstBits(typ, nan) != ConstBits(typ, math.NaN()) || !math.IsNaN(BitsFloat(typ, ConstBits(typ, nan))) {
			t.Errorf("%v: a NaN keeps its payload", typ)
		}
	}
}
