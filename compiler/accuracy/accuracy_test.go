package accuracy

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// define makes a function of n parameters of type t over the given domain.
func define(t ir.Type, fact ir.Fact, n int, body func(b *ir.Builder, x []ir.Value) ir.Value) *ir.Func {
	b := ir.NewBuilder("f")
	x := make([]ir.Value, n)
	for i := range x {
		x[i] = b.Param(string(rune('x'+i)), t, fact)
	}
	b.Return(body(b, x))
	return b.Func()
}

func apply(op ir.Op) func(b *ir.Builder, x []ir.Value) ir.Value {
	return func(b *ir.Builder, x []ir.Value) ir.Value { return b.Must(op, x...) }
}

func TestSample(t *testing.T) {
	for _, test := range []struct {
		name string
		typ  ir.Type
		fact ir.Fact
	}{
		{"the whole line", ir.Float32, ir.Unknown},
		{"the whole line in float64", ir.Float64, ir.Unknown},
		{"[0, 1]", ir.Float32, ir.Between(0, 1)},
		{"bounds that are no float32", ir.Float32, ir.Between(0.1, 0.3)},
		{"negative", ir.Float64, ir.Between(-20, -3)},
		{"one point", ir.Float32, ir.Between(2, 2)},
		{"half a line", ir.Float32, ir.Fact{Lo: 0, Hi: math.Inf(1)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			params := []ir.Parameter{{Name: "x", Type: test.typ, Fact: test.fact}}
			p := Sample(params, 1<<14)
			if d := cmp.Diff(p, Sample(params, 1<<14), cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })); d != "" {
				t.Error("two samples differ")
			}
			seen := map[int]bool{}
			var nan, zero, negZero bool
			for _, x := range p[0] {
				nan = nan || x != x
				zero = zero || x == 0 && !math.Signbit(x)
				negZero = negZero || x == 0 && math.Signbit(x)
				if x == x && (x < test.fact.Lo || x > test.fact.Hi) {
					t.Fatalf("%g is outside of %v", x, test.fact)
				}
				if x == x && roundTo(test.typ, x) != x {
					t.Fatalf("%g is not of type %v", x, test.typ)
				}
				if x == x && !math.IsInf(x, 0) && x != 0 {
					e := math.Ilogb(x)
					if x < 0 {
						e = -e - 5000
					}
					seen[e] = true
				}
			}
			if nan == test.fact.Finite() {
				t.Errorf("NaN in the sample: %v", nan)
			}
			if holdsZero := test.fact.Lo <= 0 && test.fact.Hi >= 0; zero != holdsZero || negZero != holdsZero {
				t.Errorf("zeros in the sample: %v %v", zero, negZero)
			}
			if test.typ == ir.Float32 && test.fact == ir.Unknown {
				for e := -149; e <= 127; e++ {
					if !seen[e] && e > -126 || !seen[-e-5000] && e > -126 {
						t.Errorf("binade %d is missing", e)
					}
				}
			}
		})
	}
}

func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		x := float64(math.Float32frombits(rng.Uint32()))
		y := float64(math.Nextafter32(float32(x), math.MaxFloat32))
		if x != x || math.IsInf(x, 0) || x >= math.MaxFloat32 {
			continue
		}
		if unorder(ir.Float32, order(ir.Float32, x)) != x {
			t.Fatalf("order does not come back at %g", x)
		}
		if o := order(ir.Float32, y) - order(ir.Float32, x); o != 1 && !(x == 0 || y == 0) {
			t.Fatalf("%g and its neighbour are %d apart", x, o)
		}
	}
}

// Property: the running bound bounds the error of the function as written.
func TestRunningBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	compared := 0
	for range 200 {
		f := define(ir.Float32, ir.Unknown, 2, func(b *ir.Builder, x []ir.Value) ir.Value {
			vals := append([]ir.Value{b.Const(ir.Float32, 0.3), b.Const(ir.Float32, -2)}, x...)
			pick := func() ir.Value { return vals[max(rng.IntN(len(vals)), rng.IntN(len(vals)))] }
			unary := []ir.Op{ir.Neg, ir.Abs, ir.Sqrt, ir.Exp, ir.Expm1, ir.Log, ir.Tanh}
			for range 1 + rng.IntN(8) {
				switch rng.IntN(6) {
				case 0:
					vals = append(vals, b.Must(unary[rng.IntN(len(unary))], pick()))
				case 1:
					vals = append(vals, b.Must(ir.FMA, pick(), pick(), pick()))
				default:
					vals = append(vals, b.Must([]ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Min, ir.Max}[rng.IntN(6)], pick(), pick()))
				}
			}
			return vals[len(vals)-1]
		})
		p, err := interp.Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := interp.NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		in := make(Points, 2)
		for range 50 {
			in[0] = append(in[0], float64(float32(rng.NormFloat64()*2)))
			in[1] = append(in[1], float64(float32(rng.NormFloat64()*2)))
		}
		written, err := Run(p, f, in)
		if err != nil {
			t.Fatal(err)
		}
		run := newRunning(f, false)
		run.eval(in, 0, in.Len())
		for i, w := range written[0] {
			var truth [1]interp.Value
			wide.EvalUpTo(256, in.at(i), truth[:])
			bound := [1]float64{run.result(0, i).Err}
			if w != w || math.IsInf(w, 0) || !(math.Abs(truth[0].Hi) < 1e30) || truth[0].Err > 1e-20*math.Abs(truth[0].Hi) {
				continue
			}
			// First order: terms of second order in the roundoff are left out, and an error that is not small against
			// its value is no first order.
			if bound[0] > 1e-3*math.Abs(truth[0].Hi) {
				continue
			}
			compared++
			if d := distance(w, truth[0]); d > bound[0]*1.01+0x1p-149 {
				t.Fatalf("at %v: off by %g, the bound is %g\n%v", in.at(i), d, bound[0], f)
			}
		}
	}
	if compared < 2000 {
		t.Errorf("only %d points compared", compared)
	}
}

// Next to the edge of a domain the first order says nothing: the bound holds still, and where rounding alone decides whether
// there is a value, there is none.
func TestRunningBoundAtEdges(t *testing.T) {
	near1 := define(ir.Float32, ir.Unknown, 2, func(b *ir.Builder, x []ir.Value) ir.Value { // asin(sqrt(x*x + y*y)), x² + y² = 1
		v, err := b.Call(elementary.Asin, b.Must(ir.Sqrt, b.Must(ir.Add, b.Must(ir.Mul, x[0], x[0]), b.Must(ir.Mul, x[1], x[1]))))
		if err != nil {
			t.Fatal(err)
		}
		return v
	})
	near0 := define(ir.Float32, ir.Unknown, 2, func(b *ir.Builder, x []ir.Value) ir.Value { // sqrt(x*x - y*y), x = y
		return b.Must(ir.Sqrt, b.Must(ir.Sub, b.Must(ir.Mul, x[0], x[0]), b.Must(ir.Mul, x[1], x[1])))
	})
	rng := rand.New(rand.NewPCG(12, 12))
	in := [2]Points{make(Points, 2), make(Points, 2)}
	for range 1000 {
		s, c := math.Sincos(rng.Float64() * 7)
		in[0][0], in[0][1] = append(in[0][0], float64(float32(s))), append(in[0][1], float64(float32(c)))
		x := float32(s)
		y := math.Float32frombits(math.Float32bits(x) + rng.Uint32N(8) - 4)
		in[1][0], in[1][1] = append(in[1][0], float64(x)), append(in[1][1], float64(y))
	}
	for k, f := range []*ir.Func{near1, near0} {
		p, err := interp.Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := interp.NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		written, err := Run(p, f, in[k])
		if err != nil {
			t.Fatal(err)
		}
		compared, lost := 0, 0
		run := newRunning(f, false)
		for i, w := range written[0] {
			run.eval(in[k], i, 1)
			var truth [1]interp.Value
			wide.EvalUpTo(256, in[k].at(i), truth[:])
			bound := run.result(0, 0).Err
			if truth[0].Hi != truth[0].Hi { // beyond the edge
				if w == w && bound < math.Inf(1) {
					t.Fatalf("at %v: rounded into the domain, and %g is called a bound", in[k].at(i), bound)
				}
				lost++
				continue
			}
			compared++
			if d := distance(w, truth[0]); w == w && d > bound*1.01 {
				t.Fatalf("at %v: off by %g, the bound is %g", in[k].at(i), d, bound)
			}
		}
		if compared < 100 || lost < 100 {
			t.Errorf("%d points within the domain and %d beyond", compared, lost)
		}
	}
}

// Property: a float64 truth is within its error of the wide one, huge values and cancellation included.
func TestNearTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	compared, known := 0, 0
	for trial := range 400 {
		f := define(ir.Float32, ir.Unknown, 2, func(b *ir.Builder, x []ir.Value) ir.Value {
			vals := append([]ir.Value{b.Const(ir.Float32, 0.3), b.Const(ir.Float32, -200), b.Const(ir.Float32, 1)}, x...)
			pick := func() ir.Value { return vals[max(rng.IntN(len(vals)), rng.IntN(len(vals)))] }
			unary := []ir.Op{ir.Neg, ir.Abs, ir.Sqrt, ir.Exp, ir.Exp, ir.Expm1, ir.Log, ir.Tanh, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Mant, ir.Logb}
			for range 1 + rng.IntN(8) {
				switch rng.IntN(7) {
				case 0, 1:
					vals = append(vals, b.Must(unary[rng.IntN(len(unary))], pick()))
				case 2:
					vals = append(vals, b.Must(ir.FMA, pick(), pick(), pick()))
				case 3:
					vals = append(vals, b.Must(ir.Select, b.Must(ir.Lt, pick(), pick()), pick(), pick()))
				default:
					vals = append(vals, b.Must([]ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Copysign, ir.Min, ir.Max}[rng.IntN(7)], pick(), pick()))
				}
			}
			return vals[len(vals)-1]
		})
		wide, err := interp.NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		in := make(Points, 2)
		for range 50 {
			for j := range in {
				in[j] = append(in[j], float64(float32(rng.NormFloat64()*math.Exp(rng.NormFloat64()*3))))
			}
		}
		near := newRunning(f, true)
		near.eval(in, 0, in.Len())
		for i := range in.Len() {
			var truth [1]interp.Value
			wide.EvalUpTo(512, in.at(i), truth[:])
			compared++
			v := near.result(0, i)
			if v.Err == math.Inf(1) || truth[0].Err > 0x1p-60*math.Abs(truth[0].Hi) {
				continue
			}
			known++
			if math.IsInf(v.Hi, 0) {
				if math.Abs(truth[0].Hi) < 0x1p999 || v.Hi*truth[0].Hi < 0 {
					t.Fatalf("trial %d at %v: huge, but the truth is %v\n%v", trial, in.at(i), truth[0], f)
				}
				continue
			}
			if d := distance(v.Hi, truth[0]); !(d <= v.Err) {
				t.Fatalf("trial %d at %v: %v, the truth is %v\n%v", trial, in.at(i), v, truth[0], f)
			}
		}
	}
	if known < compared/2 {
		t.Errorf("%d of %d truths are known", known, compared)
	}
}

// Property: the truth of a float64 is known wherever the result is subnormal, with functions and with calls of operations, so that
// what is flushed to zero there is refused.
func TestSubnormalTruth(t *testing.T) {
	sigmoid := define(ir.Float64, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value { return must(b.Call(elementary.Sigmoid, x[0])) })
	overflows := define(ir.Float64, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value {
		one := b.Const(ir.Float64, 1)
		return b.Must(ir.Div, one, b.Must(ir.Add, one, b.Must(ir.Exp, b.Must(ir.Neg, x[0]))))
	})
	exp := define(ir.Float64, ir.Unknown, 1, apply(ir.Exp))
	flushes := define(ir.Float64, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value {
		y := b.Must(ir.Exp, x[0])
		return b.Must(ir.Select, b.Must(ir.Lt, y, b.Const(ir.Float64, 0x1p-1022)), b.Const(ir.Float64, 0), y)
	})
	below := func(x float64) bool { return -745.2 < x && x < -708.3 }
	for _, c := range []struct {
		name     string
		f, wrong *ir.Func
	}{{"sigmoid", sigmoid, overflows}, {"exp", exp, flushes}} {
		for _, tolerance := range []Tolerance{{}, {ULP, 4}} {
			contract, err := New(c.f, tolerance, 1<<12)
			if err != nil {
				t.Fatal(err)
			}
			cert, err := contract.Measure(c.f)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			if cert.Unsettled > cert.Points/100 { // at the largest arguments
				t.Errorf("%s: %d of %d truths are not known", c.name, cert.Unsettled, cert.Points)
			}
			var v *Violation
			if _, err := contract.Measure(c.wrong); !errors.As(err, &v) || !below(v.Inputs[0]) {
				t.Errorf("%s, %v: %v, want a violation where the result is subnormal", c.name, tolerance, err)
			}
		}
	}
}

// perturb is exp with something done to its result.
func perturb(change func(b *ir.Builder, x, y ir.Value) ir.Value) *ir.Func {
	return define(ir.Float32, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value {
		return change(b, x[0], b.Must(ir.Exp, x[0]))
	})
}

func TestMeasure(t *testing.T) {
	c := func(b *ir.Builder, x float64) ir.Value { return b.Const(ir.Float32, x) }
	scaled := func(by float64) *ir.Func {
		return perturb(func(b *ir.Builder, x, y ir.Value) ir.Value { return b.Must(ir.Mul, y, c(b, by)) })
	}
	exp := define(ir.Float32, ir.Unknown, 1, apply(ir.Exp))
	replace := func(at, with float64) *ir.Func {
		return perturb(func(b *ir.Builder, x, y ir.Value) ir.Value {
			return b.Must(ir.Select, b.Must(ir.Eq, x, c(b, at)), c(b, with), y)
		})
	}
	for _, test := range []struct {
		name      string
		f         *ir.Func
		candidate *ir.Func
		tolerance Tolerance
		want      string // part of the error; "" if it passes
	}{
		{"as written", exp, exp, Tolerance{}, ""},
		{"as written, half an ulp", exp, exp, Tolerance{ULP, 0.5}, ""},
		{"2 or 3 ulp off", exp, scaled(1 + 2*0x1p-24), Tolerance{}, ""},
		{"6 ulp off", exp, scaled(1 + 6*0x1p-24), Tolerance{}, "is allowed"},
		{"6 ulp off, 8 allowed", exp, scaled(1 + 6*0x1p-24), Tolerance{ULP, 8}, ""},
		{"too near to the bound for a sample", exp, scaled(1 + 4*0x1p-24), Tolerance{ULP, 4}, "is allowed"},
		{"relative", exp, scaled(1 + 0x1p-18), Tolerance{Rel, 1e-5}, ""},
		{"relative, too far", exp, scaled(1 + 0x1p-16), Tolerance{Rel, 1e-5}, "relative"},
		{"absolute, unbounded function", exp, scaled(1 + 0x1p-16), Tolerance{Abs, 1e-3}, "absolute"},
		{"NaN for a number", exp, replace(1, math.NaN()), Tolerance{ULP, 1e9}, "the result is NaN"},
		{"a number for NaN", define(ir.Float32, ir.Unknown, 1, apply(ir.Log)), perturb(func(b *ir.Builder, x, _ ir.Value) ir.Value {
			return b.Must(ir.Log, b.Must(ir.Abs, x))
		}), Tolerance{ULP, 1e9}, "the truth is NaN"},
		{"a wrong infinity", exp, replace(100, math.Inf(-1)), Tolerance{Rel, 1e9}, "-Inf"},
		{"no overflow where there is one", exp, replace(100, math.MaxFloat32), Tolerance{ULP, 0.4}, "allowed"},
		{"infinite input", exp, replace(math.Inf(1), 5), Tolerance{ULP, 1e9}, "at [+Inf]"},
		{"the sign of zero", define(ir.Float32, ir.Unknown, 1, apply(ir.Neg)), define(ir.Float32, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Sub, c(b, 0), x[0])
		}), Tolerance{}, "at [0]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			contract, err := New(test.f, test.tolerance, 1<<12)
			if err != nil {
				t.Fatal(err)
			}
			cert, err := contract.Measure(test.candidate)
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				if cert.Points < 1<<12 || cert.Fraction > 1 || cert.Tolerance != test.tolerance {
					t.Errorf("certificate %+v", cert)
				}
				return
			}
			var v *Violation
			if !errors.As(err, &v) || !errors.Is(err, ErrTolerance) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want a violation with %q", err, test.want)
			}
		})
	}
}

// The default promise allows what the function as written does wrong, and 4 times that.
func TestDefaultFollowsTheFunctionAsWritten(t *testing.T) {
	// (1 + x) - 1 loses x below an ulp of 1.
	cancels := func(typ ir.Type) *ir.Func {
		return define(typ, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Sub, b.Must(ir.Add, x[0], b.Const(typ, 1)), b.Const(typ, 1))
		})
	}
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		contract, err := New(cancels(typ), Tolerance{}, 1<<12)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := contract.Measure(cancels(typ)); err != nil {
			t.Errorf("%v as written: %v", typ, err)
		}
		if _, err := contract.Measure(define(typ, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Add, x[0], b.Const(typ, 0)) // better, but for the sign of zero, which is as written
		})); err != nil {
			t.Errorf("%v, better than written: %v", typ, err)
		}
		strict, err := New(cancels(typ), Tolerance{ULP, 4}, 1<<12)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := strict.Measure(cancels(typ)); !errors.Is(err, ErrTolerance) {
			t.Errorf("%v as written keeps 4 ulp: %v", typ, err)
		}
	}
}

func TestJudgeAndReference(t *testing.T) {
	f := define(ir.Float64, ir.Unknown, 2, apply(ir.Add))
	contract, err := New(f, Tolerance{}, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	in := Points{{1, 2, 3}, {0.5, 0x1p-60, 4}}
	want, err := contract.Reference(in)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]float64{{1.5, 2, 7}}, want); d != "" {
		t.Error(d)
	}
	if cert, err := contract.Judge(in, want); err != nil || cert.Points != 3 {
		t.Errorf("%v, %v", cert, err)
	}
	var v *Violation
	if _, err := contract.Judge(in, [][]float64{{1.5, 2, 7.5}}); !errors.As(err, &v) || !cmp.Equal(v.Inputs, []float64{3, 4}) {
		t.Errorf("%v, want a violation at 3, 4", err)
	}
}

func TestToleranceRefuses(t *testing.T) {
	f := define(ir.Float32, ir.Unknown, 1, apply(ir.Exp))
	for _, x := range []float64{0, -1, math.Inf(1), math.NaN()} {
		if _, err := New(f, Tolerance{Rel, x}, 16); err == nil {
			t.Errorf("a tolerance of %g is taken", x)
		}
	}
}

// Truths that are not known well enough are counted and not judged.
func TestUnsettled(t *testing.T) {
	f := define(ir.Float64, ir.Unknown, 1, apply(ir.Exp))
	contract, err := New(f, Tolerance{}, 16)
	if err != nil {
		t.Fatal(err)
	}
	ev := evaluated{
		in:      Points{{1, 2, 3}},
		truth:   [][]interp.Value{{{Hi: 1, Err: 0x1p-53}, {Hi: math.NaN(), Err: math.Inf(1)}, {Hi: 1}}},
		written: [][]float64{{1, 1, 1}},
		running: [][]float64{{0, 0, 0}},
	}
	cert, err := contract.judge(ev, [][]float64{{5, 5, 1}}, 1)
	if err != nil || cert.Unsettled != 2 || !strings.Contains(cert.String(), "2 of them without a known truth") {
		t.Errorf("%v, %v", cert, err)
	}
	if _, err = contract.judge(ev, [][]float64{{5, 5, 5}}, 1); err == nil {
		t.Error("the settled point is not judged")
	}
}

// A truth need not be known better than judging needs it; one that does is found, however many bits it takes.
func TestTruthIsKnownEnough(t *testing.T) {
	f := define(ir.Float64, ir.Between(690, 700), 1, func(b *ir.Builder, x []ir.Value) ir.Value {
		e := b.Must(ir.Exp, x[0])
		return b.Must(ir.Sub, b.Must(ir.Add, e, b.Const(ir.Float64, 1)), e)
	})
	for _, tolerance := range []Tolerance{{}, {Unit: ULP, Value: 4}} {
		c, err := New(f, tolerance, 64)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range c.sample.truth[0] {
			off := math.Abs(v.Hi - 1)
			if tolerance.Unit == ULP && off > 0x1p-60 || off > v.Err || v.Err > c.sample.running[0][i]*enough && v.Err > 0x1p-60 {
				t.Fatalf("%v: at %v the truth is %v", tolerance, c.sample.in.at(i), v)
			}
		}
	}
	c, err := New(f, Tolerance{}, 16)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		v       interp.Value
		written float64
		want    bool
	}{
		{interp.Value{Err: 1e-30}, 1e-16, true},
		{interp.Value{Err: 1e-30}, 1e-30, false},
		{interp.Value{Hi: 1, Err: 1e-22}, 1e-16, true},
		{interp.Value{Hi: math.NaN(), Err: math.Inf(1)}, 1, false},
		{interp.Value{Hi: math.Inf(1)}, 1, false},
	} {
		if got := c.dwarfed(test.v, test.written); got != test.want {
			t.Errorf("%+v with %g: %v", test.v, test.written, got)
		}
	}
}
