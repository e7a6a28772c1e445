package ir

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testDefs are one operation of every arity.
var testDefs = []*Def{
	{Name: "half", Arity: 1, Eval: func(x []float64) float64 { return x[0] / 2 }},
	{Name: "mean", Arity: 2, Eval: func(x []float64) float64 { return x[0]/2 + x[1]/2 }},
	{Name: "Median_3", Arity: 3, Eval: func(x []float64) float64 {
		return max(min(x[0], x[1]), min(max(x[0], x[1]), x[2]))
	}},
}

func TestDefCheck(t *testing.T) {
	eval := testDefs[0].Eval
	for _, c := range []struct {
		name string
		def  *Def
		want string // "" for none
	}{
		{"good", testDefs[0], ""},
		{"nil", nil, "nil definition"},
		{"no name", &Def{Arity: 1, Eval: eval}, `"" cannot name`},
		{"keyword", &Def{Name: "func", Arity: 1, Eval: eval}, `"func" cannot name`},
		{"quoted", &Def{Name: `a"b`, Arity: 1, Eval: eval}, "cannot name"},
		{"arity 0", &Def{Name: "f", Eval: eval}, "takes 0 operands"},
		{"arity 4", &Def{Name: "f", Arity: 4, Eval: eval}, "takes 4 operands"},
		{"no meaning", &Def{Name: "f", Arity: 1}, "f has no meaning"},
		{"taken", &Def{Name: "tanh", Arity: 1, Eval: eval}, "tanh exists already"},
		{"call", &Def{Name: "call1", Arity: 1, Eval: eval}, "call1 exists already"},
	} {
		err := c.def.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestDefRange(t *testing.T) {
	d := *testDefs[0]
	if got := d.Range([]Fact{Unknown}); got != Unknown {
		t.Errorf("without Fact: %v", got)
	}
	d.Fact = func(a []Fact) Fact { return Fact{Lo: a[0].Lo / 2, Hi: a[0].Hi / 2} }
	if got, want := d.Range([]Fact{Between(2, 4)}), Between(1, 2); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	d.Fact = func(a []Fact) Fact { return Fact{Lo: 1, Hi: math.NaN()} }
	if got := d.Range([]Fact{Unknown}); got != Unknown {
		t.Errorf("a fact that contradicts itself: %v", got)
	}
}

func TestCall(t *testing.T) {
	b := NewBuilder("f")
	x, y := b.Param("x", Float32, Unknown), b.Param("y", Float64, Unknown)
	other := *testDefs[0]
	b.Return(must(t, b, testDefs[0], x))
	for _, c := range []struct {
		name string
		def  *Def
		args []Value
		want string
	}{
		{"count", testDefs[1], []Value{x}, "mean takes 2 operands, not 1"},
		{"types", testDefs[1], []Value{x, y}, "the types differ"},
		{"missing", testDefs[0], []Value{99}, "does not exist"},
		{"namesake", &other, []Value{x}, "two operations are called half"},
		{"bad", &Def{Name: "g", Arity: 1}, []Value{x}, "no meaning"},
	} {
		if _, err := b.Call(c.def, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := b.Emit(Call1, Invalid, x); err == nil {
		t.Error("Emit makes a call without a definition")
	}
	f := b.Func()
	if len(f.Defs) != 1 {
		t.Errorf("%d definitions, want 1: mistakes leave none behind", len(f.Defs))
	}
	if err := Verify(f); err != nil {
		t.Error(err)
	}
}

func must(t *testing.T, b *Builder, d *Def, args ...Value) Value {
	t.Helper()
	v, err := b.Call(d, args...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Compact drops what no call needs and orders definitions by their first use.
func TestCompactDefs(t *testing.T) {
	b := NewBuilder("f")
	x := b.Param("x", Float32, Unknown)
	must(t, b, testDefs[2], x, x, x)
	h := must(t, b, testDefs[0], x)
	b.Return(b.Pin(must(t, b, testDefs[1], h, x)))
	f := b.Func().Compact()
	want := `func "f"("x" f32) {
	v0 = param f32 "x"
	v1 = call1 f32 "half" v0
	v2 = call2.pin f32 "mean" v1 v0
	return v2
}
`
	if diff := cmp.Diff(want, f.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(f.Defs) != 2 || f.Defs[0] != testDefs[0] || f.Defs[1] != testDefs[1] {
		t.Errorf("definitions %v", f.Defs)
	}
	if got := f.OpName(f.Nodes[2]); got != "mean" {
		t.Errorf("OpName is %q", got)
	}
}

func TestVerifyDefs(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(f *Func)
		want   string
	}{
		{"index", func(f *Func) { f.Nodes[1].Imm = 1 }, "v1: definition 1 does not exist"},
		{"arity", func(f *Func) { f.Defs[0] = testDefs[1] }, "v1: call1 of mean, which takes 2 operands"},
		{"nil", func(f *Func) { f.Defs[0] = nil }, "nil definition"},
		{"namesakes", func(f *Func) { other := *testDefs[0]; f.Defs = append(f.Defs, &other) }, "two operations are called half"},
	} {
		b := NewBuilder("f")
		b.Return(must(t, b, testDefs[0], b.Param("x", Float32, Unknown)))
		f := b.Func()
		c.damage(f)
		if err := Verify(f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestCostOf(t *testing.T) {
	dear := *testDefs[0]
	dear.Cost = 7
	model, machine := Uniform(2), Uniform(2).Set(Call1, InfiniteCost)
	for _, c := range []struct {
		name  string
		table *CostTable
		def   *Def
		want  Cost
	}{
		{"model", model, testDefs[0], 2},
		{"own", model, &dear, 7},
		{"machine", machine, &dear, InfiniteCost},
	} {
		if got := c.table.Of(Call1, Float32, c.def); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if got := model.Of(Add, Float32, nil); got != 2 {
		t.Errorf("add: %d", got)
	}
}
