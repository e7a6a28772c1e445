package interp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

func parse(t testing.TB, text string) *ir.Func {
	t.Helper()
	f, err := ir.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// newton takes steps to the square root of x until they are small, and counts them.
const newton = `func "newton"("x" f32) {
	v0 = param f32 "x"
	v1 = const f32 0x1p+00
	v2 = const f32 0x0p+00
	v3 = empty tuple
	v4 = append tuple v3 v0
	v5 = append tuple v4 v1
	v6 = append tuple v5 v2
	v7 = loop tuple v6 {
		func "step"("x" f32, "y" f32, "n" f32) {
			v0 = param f32 "x"
			v1 = param f32 "y"
			v2 = param f32 "n"
			v3 = const f32 0x1p-01
			v4 = const f32 0x1p+00
			v5 = const f32 0x1p-10
			v6 = div f32 v0 v1
			v7 = add f32 v1 v6
			v8 = mul f32 v3 v7
			v9 = sub f32 v8 v1
			v10 = abs f32 v9
			v11 = mul f32 v5 v8
			v12 = lt bool v11 v10
			v13 = add f32 v2 v4
			return v12 v0 v8 v13
		}
	}
	v8 = proj f32 v7 1
	v9 = proj f32 v7 2
	v10 = add f32 v8 v2
	return v10 v9
}
`

func newtonGo(x float32) (y, n float32) {
	y = 1
	for {
		next := 0.5 * (y + x/y)
		d := float32(math.Abs(float64(next - y)))
		y, n = next, n+1
		if !(next*0x1p-10 < d) {
			return y + 0, n
		}
	}
}

func TestLoop(t *testing.T) {
	p, err := Compile(parse(t, newton))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	in := make([]float32, 3*blockLen+7)
	for i := range in {
		in[i] = float32(math.Exp(10 * r.NormFloat64()))
	}
	in[5], in[6], in[blockLen] = float32(math.Inf(1)), -2, float32(math.NaN())
	y, n := make([]float32, len(in)), make([]float32, len(in))
	for range 2 { // frames are used again
		endless, err := p.RunUpTo(1000, len(in), []Column{{F32: in}}, []Column{{F32: y}, {F32: n}})
		if err != nil || len(endless) != 1 || endless[0] != 6 { // Newton's steps to the root of -2 wander
			t.Fatalf("%v, endless at %v", err, endless)
		}
		runs := map[float32]bool{}
		for i, x := range in {
			if i == 6 {
				continue
			}
			wantY, wantN := newtonGo(x)
			if same32(y[i], wantY) && n[i] == wantN {
				runs[n[i]] = true
				continue
			}
			t.Fatalf("newton(%v) = %v, %v; want %v, %v", x, y[i], n[i], wantY, wantN)
		}
		if len(runs) < 10 {
			t.Errorf("only %d different numbers of runs", len(runs))
		}
	}
}

func same32(a, b float32) bool { return a != a && b != b || math.Float32bits(a) == math.Float32bits(b) }

// Over the reals Newton's steps end near the root after as many runs.
func TestWideLoop(t *testing.T) {
	w, err := NewWide(parse(t, newton))
	if err != nil {
		t.Fatal(err)
	}
	var out [2]Value
	for _, x := range []float64{0.25, 2, 3, 1000, 1e-20} {
		y, n := 1.0, 0.0
		for {
			next := 0.5 * (y + x/y)
			d := math.Abs(next - y)
			y, n = next, n+1
			if !(next*0x1p-10 < d) {
				break
			}
		}
		for _, eval := range []func() bool{
			func() bool { return w.EvalUpTo(0, []float64{x}, out[:]) },
			func() bool { return w.again(balls{prec: 256}, []float64{x}, out[:]) },
		} {
			if !eval() || math.Abs(out[0].Hi-y) > 1e-15*y || out[1].Hi != n || out[1].Err != 0 {
				t.Errorf("newton(%g) = %v, want %g after %g", x, out, y, n)
			}
		}
	}
	if w.EvalUpTo(256, []float64{-2}, out[:]) || out[0].Err != math.Inf(1) {
		t.Errorf("newton(-2) = %v, which has no end", out)
	}
}

// A loop in a loop, two loops of one body, variables that begin as another loop's results, and slots that are used again.
func TestNestedLoops(t *testing.T) {
	inner := ir.NewBuilder("inner") // doubles a until it reaches b
	a, b := inner.Param("a", ir.Float64, ir.Unknown), inner.Param("b", ir.Float64, ir.Unknown)
	twice := inner.Must(ir.Add, a, a)
	inner.Return(inner.Must(ir.Lt, twice, b))
	inner.Return(twice)
	inner.Return(b)
	outer := ir.NewBuilder("outer") // adds such numbers until the sum reaches b
	s, c := outer.Param("s", ir.Float64, ir.Unknown), outer.Param("c", ir.Float64, ir.Unknown)
	one := outer.Const(ir.Float64, 1)
	doubled, err := outer.Loop(inner.Func(), outer.Must(ir.Add, s, one), c)
	if err != nil {
		t.Fatal(err)
	}
	sum := outer.Must(ir.Add, doubled[0], s)
	outer.Return(outer.Must(ir.Lt, sum, outer.Must(ir.Mul, c, outer.Const(ir.Float64, 3))))
	outer.Return(sum)
	outer.Return(c)
	top := ir.NewBuilder("top")
	x, y := top.Param("x", ir.Float64, ir.Unknown), top.Param("y", ir.Float64, ir.Unknown)
	body := outer.Func()
	first, err := top.Loop(body, x, y)
	if err != nil {
		t.Fatal(err)
	}
	second, err := top.Loop(body, y, first[0])
	if err != nil {
		t.Fatal(err)
	}
	top.Return(top.Must(ir.Sub, second[0], first[0]))
	top.Return(first[1])
	f := top.Func()
	p, err := Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWide(f)
	if err != nil {
		t.Fatal(err)
	}

	outerGo := func(s, c float64) float64 {
		for {
			d := s + 1
			for {
				d += d
				if !(d < c) {
					break
				}
			}
			s += d
			if !(s < c*3) {
				return s
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	const n = 2*blockLen + 3
	xs, ys, out, same := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		xs[i], ys[i] = float64(r.IntN(1000)), float64(r.IntN(1000))
	}
	if err := p.Run(n, []Column{{F64: xs}, {F64: ys}}, []Column{{F64: out}, {F64: same}}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		first := outerGo(xs[i], ys[i])
		want := outerGo(ys[i], first) - first
		if out[i] != want || same[i] != ys[i] {
			t.Fatalf("f(%v, %v) = %v, %v; want %v", xs[i], ys[i], out[i], same[i], want)
		}
		var v [2]Value
		if i < 50 && (!w.EvalUpTo(0, []float64{xs[i], ys[i]}, v[:]) || v[0].Hi != want) {
			t.Fatalf("over the reals f(%v, %v) = %v; want %v", xs[i], ys[i], v, want)
		}
	}
}
