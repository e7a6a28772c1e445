package piecewise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// truth is a function by its formula in the interpreter's wide arithmetic.
func truth(t testing.TB, typ ir.Type, body func(b *ir.Builder, x ir.Value) ir.Value) func(x, err float64) (hi, lo float64, ok bool) {
	b := ir.NewBuilder("f")
	b.Return(body(b, b.Param("x", typ, ir.Unknown)))
	w, err := interp.NewWide(b.Func())
	if err != nil {
		t.Fatal(err)
	}
	return func(x, _ float64) (hi, lo float64, ok bool) {
		var out [1]interp.Value
		w.EvalUpTo(512, []float64{x}, out[:])
		return out[0].Hi, out[0].Lo, out[0].Err <= max(0x1p-48*math.Abs(out[0].Hi), 0x1p-200)
	}
}

type body = func(b *ir.Builder, x ir.Value) ir.Value

func number(b *ir.Builder, like ir.Value, x float64) ir.Value { return b.Const(b.Type(like), x) }

func sigmoid(b *ir.Builder, x ir.Value) ir.Value {
	one := number(b, x, 1)
	return b.Must(ir.Div, one, b.Must(ir.Add, one, b.Must(ir.Exp, b.Must(ir.Neg, x))))
}

func softplus(b *ir.Builder, x ir.Value) ir.Value {
	return b.Must(ir.Log, b.Must(ir.Add, number(b, x, 1), b.Must(ir.Exp, x)))
}

// functions are those of the tests, with the shape that each has on the whole line.
var functions = []struct {
	name  string
	f     body
	shape string // "" if it has none
}{
	{"tanh", func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Tanh, x) }, "odd"},
	{"sigmoid", sigmoid, "clamp"},
	{"silu", func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Mul, x, sigmoid(b, x)) }, "ramp-times"},
	{"softplus", softplus, "ramp"},
	{"mish", func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Mul, x, b.Must(ir.Tanh, softplus(b, x))) }, "clamp-times"},
	{"elu", func(b *ir.Builder, x ir.Value) ir.Value {
		return b.Must(ir.Select, b.Must(ir.Lt, number(b, x, 0), x), x, b.Must(ir.Expm1, x))
	}, "half"},
	{"gauss", func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Exp, b.Must(ir.Neg, b.Must(ir.Mul, x, x))) }, "even"},
	{"x - tanh", func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Sub, x, b.Must(ir.Tanh, x)) }, "odd"},
	{"log cosh", func(b *ir.Builder, x ir.Value) ir.Value { // |x| + log((1 + exp(-2|x|))/2)
		a := b.Must(ir.Abs, x)
		e := b.Must(ir.Exp, b.Must(ir.Mul, number(b, x, -2), a))
		return b.Must(ir.Add, a, b.Must(ir.Log, b.Must(ir.Div, b.Must(ir.Add, number(b, x, 1), e), number(b, x, 2))))
	}, "even"},
	{"exp", func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Exp, x) }, ""},
	{"log", func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Log, x) }, ""},
	{"sqrt", func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Sqrt, x) }, ""},
	{"x²", func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Mul, x, x) }, ""},
}

// all is a machine that has everything.
func all(ir.Op) bool { return true }

// within allows an absolute error, or half an ulp; anything where the truth is not known.
func within(typ ir.Type, f func(x, err float64) (hi, lo float64, ok bool), eps float64) func(x []float64) []float64 {
	return func(xs []float64) []float64 {
		out := make([]float64, len(xs))
		for i, x := range xs {
			if y, _, ok := f(x, 0); !ok {
				out[i] = math.Inf(1) // nobody knows
			} else {
				out[i] = max(eps, interp.ULP(typ, interp.Value{Hi: y})/2)
			}
		}
		return out
	}
}

func problem(t testing.TB, typ ir.Type, f body, eps float64, has func(ir.Op) bool) Problem {
	p := Problem{F: truth(t, typ, f), Type: typ, Anywhere: true, Lo: math.Inf(-1), Hi: math.Inf(1), Pieces: []int{1, 8, 16, 32}, Has: has}
	p.Allowed = within(typ, p.F, eps)
	return p
}

func (f *Form) program(t testing.TB) (*ir.Func, *interp.Program) {
	b := ir.NewBuilder("form")
	b.Return(f.Build(b, b.Param("x", f.typ, ir.Unknown)))
	g := b.Func()
	p, err := interp.Compile(g)
	if err != nil {
		t.Fatal(err)
	}
	return g, p
}

func eval(p *interp.Program, typ ir.Type, x float64) float64 {
	var out [1]uint64
	p.Eval([]uint64{ir.ConstBits(typ, x)}, out[:])
	return ir.BitsFloat(typ, out[0])
}

// What a function looks like is found from its values.
func TestShapes(t *testing.T) {
	for _, tt := range functions {
		p := problem(t, ir.Float32, tt.f, 1e-6, all)
		got := ""
		if shapes := p.shapes(); len(shapes) > 0 {
			got = shapes[0].name()
		}
		if tt.name == "mish" {
			shapes := p.shapes()
			got = shapes[len(shapes)-1].name()
		}
		if got != tt.shape {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.shape)
		}
	}
}

// Property: a form as computed keeps what is allowed at its joints, next to them, and everywhere else; with and without the
// operations that a machine may lack.
func TestFormsKeepTheError(t *testing.T) {
	poor := func(op ir.Op) bool { return op != ir.FMA && op != ir.MinMag }
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		tolerances := []float64{1e-3, 1e-6}
		if typ == ir.Float64 {
			tolerances = []float64{1e-9}
		}
		for _, eps := range tolerances {
			for _, tt := range functions {
				for name, has := range map[string]func(ir.Op) bool{"all": all, "poor": poor} {
					p := problem(t, typ, tt.f, eps, has)
					rng := rand.New(rand.NewPCG(1, 2))
					var common []float64
					for range 1 << 11 {
						common = append(common, rng.NormFloat64()*8, rng.Float64()-0.5, math.Ldexp(rng.NormFloat64(), rng.IntN(250)-125))
					}
					ys := map[float64]float64{}
					forms := p.Forms()
					if (len(forms) == 0) != (tt.shape == "") {
						t.Errorf("%v %s within %g: %d forms", typ, tt.name, eps, len(forms))
					}
					for i, f := range forms {
						_, program := f.program(t)
						xs := f.Joints()
						if i%4 == 0 {
							xs = append(xs, common...)
						}
						for _, x := range xs {
							if x = p.round(x); math.IsInf(x, 0) || f.Pieces == 1 && math.Abs(x) > 100 {
								continue // a polynomial's end is no line, but near one
							}
							want, ok := ys[x]
							if !ok {
								want, _, ok = p.F(x, 0)
								if !ok {
									want = math.NaN()
								}
								ys[x] = want
							}
							if want != want {
								continue
							}
							ulp := interp.ULP(typ, interp.Value{Hi: want})
							if got := eval(program, typ, x); !(math.Abs(got-want) <= max(eps, 2*ulp)) {
								t.Fatalf("%v %s within %g, machine has %s, %s: %v at %v (%[7]x), want %v", typ, tt.name, eps, name, f.Name(), got, x, want)
							}
						}
					}
				}
			}
		}
	}
}

// At NaN, infinities and zeros the forms have the values of the function, or its limits.
func TestSpecials(t *testing.T) {
	inf := math.Inf(1)
	zero := math.Copysign(0, -1)
	for _, tt := range []struct {
		name              string
		left, right       float64 // limits
		atZero, atNegZero float64
	}{
		{"tanh", -1, 1, 0, zero},
		{"sigmoid", 0, 1, 0.5, 0.5},
		{"silu", 0, inf, 0, zero},
		{"softplus", 0, inf, math.Ln2, math.Ln2},
		{"mish", 0, inf, 0, zero},
		{"elu", -1, inf, 0, zero},
		{"gauss", 0, 0, 1, 1},
		{"x - tanh", -inf, inf, 0, 0},
		{"log cosh", inf, inf, 0, 0},
	} {
		for _, fn := range functions {
			if fn.name != tt.name {
				continue
			}
			for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
				p := problem(t, typ, fn.f, 1e-5, all)
				for _, f := range p.Forms() {
					_, program := f.program(t)
					if got := eval(program, typ, math.NaN()); got == got {
						t.Errorf("%v %s, %s: %v at NaN", typ, tt.name, f.Name(), got)
					}
					exact := f.Pieces > 1 && !(f.shape.odd && f.shape.factor)
					for x, want := range map[float64]float64{-inf: tt.left, inf: tt.right} {
						got := eval(program, typ, x)
						if got != want && (exact || math.IsInf(want, 0) || !(math.Abs(got-want) < 1e-5)) {
							t.Errorf("%v %s, %s: %v at %v, want %v", typ, tt.name, f.Name(), got, x, want)
						}
					}
					for x, want := range map[uint64]float64{0: tt.atZero, ir.ConstBits(typ, zero): tt.atNegZero} {
						var out [1]uint64
						program.Eval([]uint64{x}, out[:])
						got := ir.BitsFloat(typ, out[0])
						bad := math.Abs(got-want) > 1e-5
						if want == 0 && fn.shape != "even" && tt.name != "x - tanh" {
							bad = got != 0 || math.Signbit(got) != math.Signbit(want)
						}
						if bad {
							t.Errorf("%v %s, %s: %v at %x, want %v", typ, tt.name, f.Name(), got, x, want)
						}
					}
				}
			}
		}
	}
}

// A relative tolerance near a zero at 0 is kept: the zero is a factor, or the middle piece has no constant term.
func TestRelativeNearZero(t *testing.T) {
	for _, fn := range functions {
		if fn.name != "tanh" && fn.name != "elu" && fn.name != "silu" {
			continue
		}
		f := truth(t, ir.Float32, fn.f)
		p := Problem{F: f, Type: ir.Float32, Lo: -4, Hi: 4, Pieces: []int{16, 32}, Has: all}
		p.Allowed = func(xs []float64) []float64 {
			out := make([]float64, len(xs))
			for i, x := range xs {
				y, _, _ := f(x, 0)
				out[i] = max(2e-6*math.Abs(y), 0x1p-150)
			}
			return out
		}
		forms := p.Forms()
		if len(forms) == 0 {
			t.Errorf("%s: no forms", fn.name)
		}
		for _, form := range forms {
			_, program := form.program(t)
			for e := -120; e <= 2; e++ {
				for _, m := range []float64{-1.7, -1, 1, 1.3} {
					x := p.round(math.Ldexp(m, e))
					want, _, _ := f(x, 0)
					if got := eval(program, ir.Float32, x); math.Abs(x) <= 4 && !(math.Abs(got-want) <= 2e-6*math.Abs(want)) {
						t.Fatalf("%s, %s: %v at %v, want %v", fn.name, form.Name(), got, x, want)
					}
				}
			}
		}
	}
}

// On a finite domain the pieces cover just that; where it is far from 0 they are still told apart.
func TestDomain(t *testing.T) {
	for _, d := range [][2]float64{{0, 1}, {-3, 0}, {100, 101}, {-1, 30}} {
		f := truth(t, ir.Float32, func(b *ir.Builder, x ir.Value) ir.Value {
			return b.Must(ir.Exp, b.Must(ir.Mul, number(b, x, 0.1), x))
		})
		p := Problem{F: f, Type: ir.Float32, Lo: d[0], Hi: d[1], Pieces: []int{1, 16}, Has: all}
		p.Allowed = func(xs []float64) []float64 {
			out := make([]float64, len(xs))
			for i, x := range xs {
				y, _, _ := f(x, 0)
				out[i] = 1e-5 * y
			}
			return out
		}
		table := false
		for _, form := range p.Forms() {
			table = table || form.Pieces > 1
			g, program := form.program(t)
			if g.Count(ir.Select) > 0 {
				t.Errorf("%v: %s brings back arguments that cannot be", d, form.Name())
			}
			for i := range 4001 {
				x := p.round(d[0] + (d[1]-d[0])*float64(i)/4000)
				want, _, _ := f(x, 0)
				if got := eval(program, ir.Float32, x); !(math.Abs(got-want) <= 1e-5*want) {
					t.Fatalf("%v, %s: %v at %v, want %v", d, form.Name(), got, x, want)
				}
			}
		}
		if !table {
			t.Errorf("%v: no table", d)
		}
	}
}

func TestDeterministic(t *testing.T) {
	for _, fn := range functions {
		p := problem(t, ir.Float32, fn.f, 1e-6, all)
		a, b := p.Forms(), p.Forms()
		if len(a) != len(b) {
			t.Fatalf("%s: %d forms and %d", fn.name, len(a), len(b))
		}
		for i := range a {
			f, _ := a[i].program(t)
			g, _ := b[i].program(t)
			if f.String() != g.String() {
				t.Errorf("%s: two texts of %s", fn.name, a[i].Name())
			}
		}
	}
}

// The interpolation in double-double against values that it must go through, and economising against the definition.
func TestInterpolation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for n := 1; n <= 12; n++ {
		ts, ys := make([]dd, n), make([]dd, n)
		for i := range ts {
			ts[i] = exact(-math.Cos(math.Pi * (float64(i) + 0.5) / float64(n)))
			ys[i] = dd{rng.NormFloat64(), 0}.plus(exact(rng.NormFloat64() * 0x1p-60))
		}
		want := append([]dd(nil), ys...)
		a := newton(ts, append([]dd(nil), ys...))
		for i, at := range ts {
			sum := dd{}
			for j := n - 1; j >= 0; j-- {
				sum = sum.times(at).plus(a[j])
			}
			if d := sum.minus(want[i]); math.Abs(d.hi) > 0x1p-85 {
				t.Errorf("degree %d: off by %g at a node", n-1, d.hi)
			}
		}
		c := economised(append([]dd(nil), a...))
		for i, at := range ts {
			sum := dd{}
			for j := range n {
				p := chebyshev(j)
				v := dd{}
				for k := len(p) - 1; k >= 0; k-- {
					v = v.times(at).plus(exact(p[k]))
				}
				sum = sum.plus(v.times(c[j]))
			}
			if d := sum.minus(want[i]); math.Abs(d.hi) > 0x1p-80 {
				t.Errorf("degree %d: off by %g at a node in Chebyshev's basis", n-1, d.hi)
			}
		}
	}
}

func BenchmarkForms(b *testing.B) {
	for _, fn := range functions {
		b.Run(fn.name, func(b *testing.B) {
			p := problem(b, ir.Float32, fn.f, 1e-6, all)
			for b.Loop() {
				p.Forms()
			}
		})
	}
}
