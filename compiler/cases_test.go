package compiler_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

var (
	inf, nan = math.Inf(1), math.NaN()
	minus0   = math.Copysign(0, -1)
)

// term is a small language for the cases: it builds float32 operations.
type term struct{ *ir.Builder }

func (b term) c(x float64) ir.Value            { return b.Const(ir.Float32, x) }
func (b term) add(x, y ir.Value) ir.Value      { return b.Must(ir.Add, x, y) }
func (b term) sub(x, y ir.Value) ir.Value      { return b.Must(ir.Sub, x, y) }
func (b term) mul(x, y ir.Value) ir.Value      { return b.Must(ir.Mul, x, y) }
func (b term) div(x, y ir.Value) ir.Value      { return b.Must(ir.Div, x, y) }
func (b term) where(c, x, y ir.Value) ir.Value { return b.Must(ir.Select, c, x, y) }

func function(params int, body func(b term, x []ir.Value) ir.Value) *ir.Func {
	b := term{ir.NewBuilder("f")}
	var x []ir.Value
	for i := range params {
		x = append(x, b.Param(string(rune('x'+i)), ir.Float32, ir.Unknown))
	}
	b.Return(body(b, x))
	return b.Func()
}

// optimised compiles with the debugging mode on, so that no class ever holds two values.
func optimised(t testing.TB, f *ir.Func) *compiler.Run {
	t.Helper()
	c := config(t, rules.Default)
	c.Check = true
	r, err := compiler.Optimise(context.Background(), f, c)
	if err != nil {
		t.Fatalf("%v\n%v", err, f)
	}
	return r
}

// eval runs a program at one point.
func eval(t testing.TB, f *ir.Func, in ...float64) float64 {
	t.Helper()
	p, err := interp.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	bits, out := make([]uint64, len(in)), make([]uint64, len(f.Results))
	for i, x := range in {
		bits[i] = ir.ConstBits(f.Params[i].Type, x)
	}
	p.Eval(bits, out)
	return ir.BitsFloat(ir.Float32, out[0])
}

// same compares bits, NaN payloads apart.
func same(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

func expect(t *testing.T, f *ir.Func, in, want []float64) {
	t.Helper()
	r := optimised(t, f)
	for i, x := range in {
		if got := eval(t, r.Output, x); !same(got, want[i]) {
			t.Errorf("f(%v) = %v, want %v\n%v", x, got, want[i], r.Output)
		}
	}
}

// C89: a law that fails at zero joins different constants.
func TestDivisionByItself(t *testing.T) {
	in := []float64{0, minus0, 1, inf, nan}
	for _, c := range []struct {
		name string
		body func(b term, x ir.Value) ir.Value
		want []float64
	}{
		{"x/x", func(b term, x ir.Value) ir.Value { return b.div(x, x) }, []float64{nan, nan, 1, nan, nan}},
		{"(x-x)/(x-x)", func(b term, x ir.Value) ir.Value { return b.div(b.sub(x, x), b.sub(x, x)) }, []float64{nan, nan, nan, nan, nan}},
		{"where", func(b term, x ir.Value) ir.Value {
			return b.where(b.Must(ir.Eq, x, b.c(0)), b.c(7), b.div(x, x))
		}, []float64{7, 7, 1, nan, nan}},
		{"0/x + 1/x", func(b term, x ir.Value) ir.Value { return b.add(b.div(b.c(0), x), b.div(b.c(1), x)) }, []float64{nan, nan, 1, 0, nan}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, function(1, func(b term, x []ir.Value) ir.Value { return c.body(b, x[0]) }), in, c.want)
		})
	}
}

// The kind of C89: whatever is divided by what, the result is NaN where the function as written is, at finite inputs.
func TestRationalFunctionsAreNaNWhereTheyWere(t *testing.T) {
	rng := rand.New(rand.NewPCG(89, 1))
	tested := 0
	for range 60 {
		f := function(2, func(b term, x []ir.Value) ir.Value {
			vals := append([]ir.Value{b.c(0), b.c(1), b.c(-2)}, x...)
			pick := func() ir.Value { return vals[max(rng.IntN(len(vals)), rng.IntN(len(vals)))] }
			for range 2 + rng.IntN(4) {
				vals = append(vals, b.Must([]ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Div}[rng.IntN(5)], pick(), pick()))
			}
			return vals[len(vals)-1]
		})
		c := config(t, rules.Default)
		c.Check, c.Points = true, 1<<9
		r, err := compiler.Optimise(context.Background(), f, c)
		if errors.Is(err, compiler.ErrAccuracy) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		tested++
		for _, x := range []float64{0, minus0, 1, 2, -3} {
			for _, y := range []float64{0, minus0, 1, -2, 0.5} {
				want, got := eval(t, f, x, y), eval(t, r.Output, x, y)
				if (got != got) != (want != want) {
					t.Errorf("f(%v, %v) = %v, as written %v\n%v%v", x, y, got, want, f, r.Output)
				}
			}
		}
	}
	if tested < 50 {
		t.Errorf("only %d functions", tested)
	}
}

// C91, as far as the default contract goes: rounding may move, and each result is judged by the contract.
func TestReassociationKeepsTheContract(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		body func(b term, x []ir.Value) ir.Value
		in   []float64 // one point
		want float64   // over the reals
	}{
		{"(x+1e8)-1e8", 1, func(b term, x []ir.Value) ir.Value { return b.sub(b.add(x[0], b.c(1e8)), b.c(1e8)) }, []float64{3}, 3},
		{"(x+y)-x-y", 2, func(b term, x []ir.Value) ir.Value { return b.sub(b.sub(b.add(x[0], x[1]), x[0]), x[1]) }, []float64{3, 1e8}, 0},
		{"x*1e30*1e-30", 1, func(b term, x []ir.Value) ir.Value { return b.mul(b.mul(x[0], b.c(1e30)), b.c(1e-30)) }, []float64{1e10}, 1e10},
		{"x/3*3", 1, func(b term, x []ir.Value) ir.Value { return b.mul(b.div(x[0], b.c(3)), b.c(3)) }, []float64{5}, 5},
		{"the error of a sum", 2, func(b term, x []ir.Value) ir.Value {
			s := b.add(x[0], x[1])
			bb := b.sub(s, x[0])
			return b.add(b.sub(x[0], b.sub(s, bb)), b.sub(x[1], bb))
		}, []float64{1, 1e-8}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := optimised(t, function(c.n, c.body))
			points := make(accuracy.Points, c.n)
			for i, x := range c.in {
				points[i] = []float64{float64(float32(x))}
			}
			got := []float64{eval(t, r.Output, c.in...)}
			if _, err := r.Contract.Judge(points, [][]float64{got}); err != nil {
				t.Errorf("f%v = %v, over the reals %v: %v\n%v", c.in, got[0], c.want, err, r.Output)
			}
		})
	}
}

// long makes the functions that fill an e-graph whose rules are associativity and distributivity.
var long = []struct {
	name string
	most int // operations as extracted, functions included
	f    func() *ir.Func
}{
	{"12 terms", 12, func() *ir.Func { return powers(12) }},
	{"20 terms", 20, func() *ir.Func { return powers(20) }},
	{"100 terms", 200, func() *ir.Func { return powers(100) }},
	{"x*0 and assoc", 5, func() *ir.Func {
		return function(1, func(b term, x []ir.Value) ir.Value {
			return b.mul(b.mul(b.mul(x[0], b.c(0)), b.add(x[0], b.c(1))), b.add(x[0], b.c(2)))
		})
	}},
	{"10 nested gelus", 70, func() *ir.Func {
		return function(1, func(b term, x []ir.Value) ir.Value {
			y := x[0]
			for range 10 {
				u := b.mul(b.c(math.Sqrt(2/math.Pi)), b.add(y, b.mul(b.mul(b.mul(b.c(0.044715), y), y), y)))
				y = b.mul(b.mul(b.c(0.5), y), b.add(b.c(1), b.Must(ir.Tanh, u)))
			}
			return y
		})
	}},
	{"t = t*t + t", 120, func() *ir.Func {
		return function(1, func(b term, x []ir.Value) ir.Value {
			y := x[0]
			for range 60 {
				y = b.add(b.mul(y, y), y)
			}
			return y
		})
	}},
	{"x + (x + -x)", 0, func() *ir.Func {
		return function(1, func(b term, x []ir.Value) ir.Value { return b.add(x[0], b.add(x[0], b.Must(ir.Neg, x[0]))) })
	}},
	{"a huge power", 1, func() *ir.Func {
		return function(1, func(b term, x []ir.Value) ir.Value { return b.Must(ir.Pow, x[0], b.c(2147483647)) })
	}},
	{"200 random operations", 200, func() *ir.Func { return random(rand.New(rand.NewPCG(200, 1)), ir.Float32, 200) }},
}

// powers is the sum of (i+1.5)·x^i for i below n.
func powers(n int) *ir.Func {
	return function(1, func(b term, x []ir.Value) ir.Value {
		sum := b.c(1.5)
		for i := 1; i <= n; i++ {
			sum = b.add(sum, b.mul(b.c(float64(i)+1.5), b.Must(ir.Pow, x[0], b.c(float64(i)))))
		}
		return sum
	})
}

// C93: none of them blows the graph up; what is extracted is short, equal over the reals, and the same each time.
func TestLongFunctions(t *testing.T) {
	for _, c := range long {
		t.Run(c.name, func(t *testing.T) {
			f := c.f()
			extracted := func() (*compiler.Run, string) {
				r, err := compiler.RunUntil(context.Background(), f, config(t, rules.Default), "extract")
				if err != nil {
					t.Fatal(err)
				}
				return r, r.Programs[0].Func.String()
			}
			r, text := extracted()
			p := r.Programs[0].Func
			t.Logf("%s after %d iterations, %d nodes, %d operations", r.Saturation.Stop, r.Saturation.Iters, r.Saturation.Nodes, p.Arithmetic())
			if n := p.Arithmetic(); n > c.most {
				t.Errorf("%d operations, at most %d expected", n, c.most)
			}
			if r.Saturation.Nodes > compiler.DefaultLimits.Nodes {
				t.Errorf("%d nodes, beyond the limit", r.Saturation.Nodes)
			}
			if _, again := extracted(); again != text {
				t.Error("the second time gives another program")
			}
			in := make([][]float64, 0, 5)
			for _, x := range []float64{0.5, -0.25, 1, -0.75, 0} {
				in = append(in, append([]float64{x}, 0.5-x)[:len(f.Params)])
			}
			equalOverTheReals(t, f, p, in, exactly)
		})
	}
}

// exactly is the relative tolerance for what wide arithmetic holds in double-double. Constants have 192 bits and are equal
// if 160 agree, so where they cancel a residual may be left.
const (
	exactly  = 0x1p-48
	residual = 0x1p-150
)

// equalOverTheReals compares two functions in wide arithmetic.
func equalOverTheReals(t *testing.T, f, g *ir.Func, in [][]float64, tolerance float64) {
	t.Helper()
	before, err := interp.NewWide(f)
	if err != nil {
		t.Fatal(err)
	}
	after, err := interp.NewWide(g)
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]interp.Value, 1), make([]interp.Value, 1)
	for _, x := range in {
		before.Eval(x, a)
		after.Eval(x, b)
		d := math.Abs((a[0].Hi - b[0].Hi) + (a[0].Lo - b[0].Lo))
		if a[0].Hi == b[0].Hi || a[0].Err == 0 && a[0].Hi-a[0].Hi != 0 {
			continue // equal, or the function as written has no value
		}
		if !(d <= a[0].Err+b[0].Err+tolerance*math.Abs(a[0].Hi)+residual) {
			t.Errorf("at %v: %v, after %v\n%v", x, a[0], b[0], g)
		}
	}
}

// C95: cyclic classes and deep terms.
func TestCyclesAndDepth(t *testing.T) {
	cyclic, err := rules.Parse("cyclic.rules", "one: x * 1 => x\nzero: x + -0 => x\nnegs: -x => -(-(-x))\nabs: abs(abs(x)) = abs(x)\nback: x + y => (x + y) * 1\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, depth := range []int{10, 10_000} {
		for name, body := range map[string]func(b term, x ir.Value) ir.Value{
			"neutral": func(b term, x ir.Value) ir.Value { return b.mul(b.add(x, b.c(minus0)), b.c(1)) },
			"sum":     func(b term, x ir.Value) ir.Value { return b.add(x, b.c(0.5)) },
			"squares": func(b term, x ir.Value) ir.Value { return b.Must(ir.Neg, b.mul(x, x)) },
			"abs":     func(b term, x ir.Value) ir.Value { return b.Must(ir.Abs, x) },
		} {
			t.Run(fmt.Sprint(name, " ", depth), func(t *testing.T) {
				f := function(1, func(b term, x []ir.Value) ir.Value {
					y := x[0]
					for range depth {
						y = body(b, y)
					}
					return y
				})
				r, err := compiler.RunUntil(context.Background(), f, config(t, rules.Union(rules.Default, cyclic)), "lower")
				if err != nil {
					t.Fatal(err)
				}
				got, want := eval(t, r.Candidates[0].Func.Rounded(), 0.5), eval(t, f, 0.5)
				if math.Abs(got-want) > 1e-3*math.Abs(want) {
					t.Errorf("f(0.5) = %v, as written %v", got, want)
				}
				if name == "neutral" && depth == 10 && r.Candidates[0].Func.Arithmetic() != 0 {
					t.Errorf("x came out as\n%v", r.Candidates[0].Func)
				}
			})
		}
	}
}

// C97: constants are keyed by type and bits.
func TestConstantsThatDiffer(t *testing.T) {
	x := func(body func(b term, x ir.Value) ir.Value) *ir.Func {
		return function(1, func(b term, x []ir.Value) ir.Value { return body(b, x[0]) })
	}
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.add(x, b.c(0)) }), []float64{minus0, 1}, []float64{0, 1})
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.add(x, b.c(minus0)) }), []float64{minus0, 1}, []float64{minus0, 1})
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.div(b.c(1), b.mul(x, b.c(0))) }), []float64{1, -1}, []float64{inf, -inf})
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.div(b.c(1), b.mul(x, b.c(minus0))) }), []float64{1, -1}, []float64{-inf, inf})
	// Both zeros in one function, and one number in two types.
	expect(t, x(func(b term, x ir.Value) ir.Value {
		return b.add(b.div(b.c(1), b.mul(b.Must(ir.Abs, x), b.c(0))), b.div(b.c(1), b.mul(b.Must(ir.Abs, x), b.c(minus0))))
	}), []float64{1}, []float64{nan})
	expect(t, x(func(b term, x ir.Value) ir.Value {
		wide, err := b.Emit(ir.Convert, ir.Float64, x)
		if err != nil {
			t.Fatal(err)
		}
		narrow, err := b.Emit(ir.Convert, ir.Float32, b.Must(ir.Add, wide, b.Const(ir.Float64, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return b.mul(b.c(1), narrow)
	}), []float64{1, 0x1p-30}, []float64{2, 1})
	// A comparison with a constant is no number.
	expect(t, x(func(b term, x ir.Value) ir.Value {
		return b.where(b.Must(ir.Lt, b.c(0), b.c(1)), b.where(b.Must(ir.Eq, x, b.c(1)), b.c(0), b.c(1)), x)
	}), []float64{1, 2}, []float64{0, 1})
}

// C98: a NaN constant equals itself as a key and nothing as a number.
func TestNaNConstants(t *testing.T) {
	in := []float64{0, 1, inf, nan}
	all := []float64{nan, nan, nan, nan}
	x := func(body func(b term, x ir.Value) ir.Value) *ir.Func {
		return function(1, func(b term, x []ir.Value) ir.Value { return body(b, x[0]) })
	}
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.add(x, b.div(b.c(0), b.c(0))) }), in, all)
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.add(x, b.c(nan)) }), in, all)
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.mul(b.c(nan), b.add(b.c(nan), x)) }), in, all)
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.add(x, b.sub(b.c(inf), b.c(inf))) }), in, all)
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.where(b.Must(ir.Lt, b.c(nan), x), b.c(1), b.c(2)) }), in, []float64{2, 2, 2, 2})
	expect(t, x(func(b term, x ir.Value) ir.Value { return b.where(b.Must(ir.Ne, b.c(nan), b.c(nan)), b.c(1), x) }), in, []float64{1, 1, 1, 1})
}

// C101: the node limit is looked at before every match, and what was found until then is right.
func TestLimitIsKept(t *testing.T) {
	explosive, err := rules.Parse("explosive.rules", strings.Join([]string{
		"a: a + b = b + a ", "b: (a + b) + c = a + (b + c) ! reassoc", "c: a * b = b * a", "d: (a * b) * c = a * (b * c) ! reassoc",
		"e: a*(b + c) = a*b + a*c ! reassoc", "f: a + b = (a + b)*1 ! reassoc", "g: x * x = pow(x, 2) ! reassoc", "h: a * b => a * b + -0",
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := function(2, func(b term, x []ir.Value) ir.Value {
		sum := b.add(x[0], x[1])
		for i := range 12 {
			sum = b.mul(b.add(sum, b.c(float64(i)+0.5)), b.add(x[i%2], b.c(float64(i)+1.25)))
		}
		return sum
	})
	for _, limit := range []int{60, 1000} {
		c := config(t, explosive)
		c.Rules = append(c.Rules, explosive.Rewrites()...)
		c.Limits.Nodes = limit
		r, err := compiler.RunUntil(context.Background(), f, c, "extract")
		if err != nil {
			t.Fatal(err)
		}
		// One match adds at most the operations of one side of a law.
		if r.Saturation.Stop != egraph.NodeLimit || r.Saturation.Nodes > limit+3 {
			t.Errorf("limit %d: stopped by %s with %d nodes", limit, r.Saturation.Stop, r.Saturation.Nodes)
		}
		equalOverTheReals(t, f, r.Programs[0].Func, [][]float64{{0.5, -0.25}, {1, 2}, {-3, 0.125}}, exactly)
	}
}
