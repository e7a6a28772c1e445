package compiler

import (
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

func parseIR(t *testing.T, text string) *ir.Func {
	t.Helper()
	f, err := ir.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// powers multiplies by x as long as a counter is below a limit, which is 5 or the parameter.
const powers = `func "powers"("x" f64, "n" i32) {
	v0 = param f64 "x"
	v1 = param i32 "n"
	v2 = const f64 0x1p+00 # 1
	v3 = const i32 0
	v4 = LIMIT
	v5 = empty tuple
	v6 = append tuple v5 v0
	v7 = append tuple v6 v2
	v8 = append tuple v7 v3
	v9 = append tuple v8 v4
	v10 = append tuple v9 v2
	v11 = loop tuple v10 {
		func "round"("x" f64, "y" f64, "i" i32, "limit" i32, "unused" f64) {
			v0 = param f64 "x"
			v1 = param f64 "y"
			v2 = param i32 "i"
			v3 = param i32 "limit"
			v4 = param f64 "unused"
			v5 = sqrt f64 v0
			v6 = mul f64 v5 v5
			v7 = const i32 1
			v8 = add i32 v2 v7
			v9 = lt bool v8 v3
			v10 = mul f64 v1 v6
			v11 = lt bool v2 v3
			v12 = select f64 v11 v10 v1
			v13 = add f64 v4 v1
			v14 = and bool v9 v11
			return v14 v0 v12 v8 v3 v13
		}
	}
	v12 = proj f64 v11 1
	return v12
}
`

func replaceLimit(limit string) string {
	const mark = "LIMIT"
	for i := range powers {
		if powers[i:min(i+len(mark), len(powers))] == mark {
			return powers[:i] + limit + powers[i+len(mark):]
		}
	}
	return powers
}

func sameEverywhere(t *testing.T, f, g *ir.Func) {
	t.Helper()
	p, err := interp.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	q, err := interp.Compile(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0, 1.5, 3, 1e10, -2} {
		for n := range int64(7) {
			in := []uint64{ir.ConstBits(ir.Float64, x), ir.IntBits(ir.Int32, n-2)}
			var a, b [1]uint64
			if err := p.Eval(in, a[:]); err != nil {
				t.Fatal(err)
			}
			if err := q.Eval(in, b[:]); err != nil {
				t.Fatal(err)
			}
			if a != b {
				t.Errorf("f(%v, %d): %#x, simplified %#x", x, n-2, a, b)
			}
		}
	}
}

func TestUnroll(t *testing.T) {
	f := parseIR(t, replaceLimit("const i32 5"))
	g := simplified(f)
	if len(g.Bodies) != 0 || g.Count(ir.Mul) != 6 || g.Count(ir.Sqrt) != 1 {
		t.Errorf("not unrolled:\n%v", g)
	}
	sameEverywhere(t, f, g)
}

func TestHoistAndTrim(t *testing.T) {
	f := parseIR(t, replaceLimit("add i32 v1 v3"))
	g := simplified(f)
	if len(g.Bodies) != 1 {
		t.Fatalf("the loop is gone:\n%v", g)
	}
	body := g.Bodies[0]
	if body.Count(ir.Sqrt) != 0 || body.Count(ir.Mul) != 1 || g.Count(ir.Sqrt) != 1 || len(body.Params) != 4 {
		t.Errorf("not hoisted, or variables are left:\n%v", g)
	}
	sameEverywhere(t, f, g)
	if got := simplified(g); got.Arithmetic() != g.Arithmetic() || len(got.Bodies[0].Params) != 4 {
		t.Errorf("simplified again:\n%v", got)
	}
}

// A loop that may go on for ever stays, and one whose rounds are too many.
func TestNotUnrolled(t *testing.T) {
	f := parseIR(t, replaceLimit("const i32 65"))
	if g := simplified(f); len(g.Bodies) != 1 || g.Trips(g.Nodes[loopOf(g)]) != 65 {
		t.Errorf("%d loops", len(g.Bodies))
	}
	f = parseIR(t, replaceLimit("const i32 5"))
	f.Bodies[0].Results[0] = 5 // an f64 is no condition
	if ir.Verify(f) == nil {
		t.Error("a number says whether to go on")
	}
}

func loopOf(f *ir.Func) int {
	for i, n := range f.Nodes {
		if n.Op == ir.Loop {
			return i
		}
	}
	return -1
}

func TestPinned(t *testing.T) {
	f := parseIR(t, `func "f"("x" f32, "y" f32) {
	v0 = param f32 "x"
	v1 = param f32 "y"
	v2 = mul f32 v0 v1
	v3 = add f32 v2 v1
	v4 = lt bool v3 v0
	v5 = sub f32 v0 v1
	v6 = mul f32 v5 v2
	v7 = select f32 v4 v6 v5
	return v7
}
`)
	g := pinned(f, false)
	var pins []ir.Op
	for _, n := range g.Nodes {
		if n.Pin {
			pins = append(pins, n.Op)
		}
	}
	if len(pins) != 2 || pins[0] != ir.Mul || pins[1] != ir.Add {
		t.Errorf("pinned: %v", pins)
	}
}
