package accuracy

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// logistic is a user's operation with a meaning over the reals.
var logistic = &ir.Def{
	Name: "logistic", Arity: 1,
	Eval: func(x []float64) float64 { return 1 / (1 + math.Exp(-x[0])) },
	Real: func(x []*big.Float) *big.Float {
		if x[0].Cmp(big.NewFloat(-700)) < 0 || x[0].Cmp(big.NewFloat(700)) > 0 {
			return nil
		}
		one, e := big.NewFloat(1).SetPrec(x[0].Prec()), realExp(new(big.Float).Neg(x[0]))
		return one.Quo(one, e.Add(e, big.NewFloat(1)))
	},
}

// realExp is the exponential function by its series.
func realExp(x *big.Float) *big.Float {
	prec := x.Prec() + 64
	y := new(big.Float).SetPrec(prec).SetMantExp(x, -20)
	sum, term := new(big.Float).SetPrec(prec).SetInt64(1), new(big.Float).SetPrec(prec).SetInt64(1)
	for n := int64(1); n < 80; n++ {
		term.Mul(term, y)
		term.Quo(term, new(big.Float).SetInt64(n))
		sum.Add(sum, term)
	}
	for range 20 {
		sum.Mul(sum, sum)
	}
	return sum
}

// Property: what a bounded program says is true, at moderate and at extreme points, and it says something at most of them.
func TestBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	said, points := 0, 0
	for range 300 {
		f := define(ir.Float32, ir.Unknown, 2, func(b *ir.Builder, x []ir.Value) ir.Value {
			vals := append([]ir.Value{b.Const(ir.Float32, 0.3), b.Const(ir.Float32, -2)}, x...)
			pick := func() ir.Value { return vals[max(rng.IntN(len(vals)), rng.IntN(len(vals)))] }
			unary := []ir.Op{ir.Neg, ir.Abs, ir.Sqrt, ir.Exp, ir.Expm1, ir.Log, ir.Tanh, ir.Floor, ir.Rint, ir.Trunc}
			for range 1 + rng.IntN(8) {
				var v ir.Value
				switch rng.IntN(9) {
				case 0, 1:
					v = b.Must(unary[rng.IntN(len(unary))], pick())
				case 2:
					v = b.Must(ir.FMA, pick(), pick(), pick())
				case 3:
					v = b.Must(ir.Select, b.Must([]ir.Op{ir.Lt, ir.Le, ir.Eq, ir.Ne}[rng.IntN(4)], pick(), pick()), pick(), pick())
				case 4:
					v = must(b.Call(logistic, pick()))
				default:
					v = b.Must([]ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Min, ir.Max, ir.Pow, ir.Copysign}[rng.IntN(8)], pick(), pick())
				}
				vals = append(vals, v)
			}
			return vals[len(vals)-1]
		})
		g, err := Bounded(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := ir.Verify(g); err != nil {
			t.Fatal(err)
		}
		p, err := interp.Compile(g)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := interp.NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		in := make(Points, 2)
		for i := range 60 {
			for j := range in {
				x := rng.NormFloat64() * 2
				if i%2 == 0 {
					x = float64(math.Float32frombits(rng.Uint32()))
				}
				if x-x != 0 {
					x = 1e30
				}
				in[j] = append(in[j], float64(float32(x)))
			}
		}
		got, err := Run(p, g, in)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got[0] {
			e := got[1][i]
			points++
			if !(e < math.Inf(1)) {
				continue
			}
			said++
			var truth [1]interp.Value
			wide.EvalUpTo(512, in.at(i), truth[:])
			want := truth[0]
			if want.Err > 0 && !(want.Err < math.Abs(want.Hi)) {
				continue // the wide evaluation does not know
			}
			ok := math.Abs(v-want.Hi)-math.Abs(want.Lo) <= e+want.Err || v == want.Hi
			switch {
			case v != v:
				ok = e == 0 && want.Hi != want.Hi
			case math.IsInf(v, 0):
				ok = e == 0 && math.Abs(want.Hi) > 0x1p999 && math.Signbit(v) == math.Signbit(want.Hi)
			case math.IsInf(want.Hi, 0):
				ok = false
			}
			if !ok {
				t.Fatalf("at %v: %g within %g, the value is %v\n%v", in.at(i), v, e, want, f)
			}
		}
	}
	if said < points*6/10 {
		t.Errorf("something is known at %d of %d points only", said, points)
	}
}

// A function that is known by a float64 function alone, or has an operation without an analysis, is refused.
func TestBoundedRefuses(t *testing.T) {
	blind := &ir.Def{Name: "blind", Arity: 1, Eval: func(x []float64) float64 { return x[0] }}
	f := define(ir.Float32, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value { return must(b.Call(blind, x[0])) })
	if _, err := Bounded(f); !errors.Is(err, ErrBounded) {
		t.Errorf("%v", err)
	}
}

// A sweep with a compiled truth measures what one without it measures, and finds the same violation.
func TestSweepUsing(t *testing.T) {
	f := define(ir.Float32, ir.Between(-200, 100), 1, func(b *ir.Builder, x []ir.Value) ir.Value { // x/(1 + exp(-x)), and a NaN part
		e := b.Must(ir.Exp, b.Must(ir.Neg, x[0]))
		return b.Must(ir.Mul, b.Must(ir.Sqrt, b.Must(ir.Add, x[0], b.Const(ir.Float32, 100))),
			b.Must(ir.Div, b.Const(ir.Float32, 1), b.Must(ir.Add, b.Const(ir.Float32, 1), e)))
	})
	f.Params[0].Fact = ir.Between(-101, -99)
	contract, err := New(f, Tolerance{ULP, 3}, 1<<12)
	if err != nil {
		t.Fatal(err)
	}
	g, err := contract.Bounded()
	if err != nil {
		t.Fatal(err)
	}
	p, err := interp.Compile(g)
	if err != nil {
		t.Fatal(err)
	}
	using := contract.Using(func(in []float32, out [][]float64) error {
		return p.Run(len(in), []interp.Column{{F32: in}}, []interp.Column{{F64: out[0]}, {F64: out[1]}})
	})
	kernel := func(in []float32, out [][]float32) error {
		for i, v := range in {
			x := float64(v)
			out[0][i] = float32(math.Sqrt(x+100) / (1 + math.Exp(-x)))
		}
		return nil
	}
	want, err1 := contract.Sweep(context.Background(), kernel, nil)
	got, err2 := using.Sweep(context.Background(), kernel, nil)
	if err1 != nil || err2 != nil || got.Points != want.Points || !got.Exhaustive || math.Abs(got.MaxULP-want.MaxULP) > 1e-6 {
		t.Errorf("%v, %v\n%v, %v", got, err2, want, err1)
	}
	wrong := func(in []float32, out [][]float32) error {
		err := kernel(in, out)
		for i, x := range in {
			if x == -99.5 {
				out[0][i] = 1
			}
		}
		return err
	}
	var v *Violation
	if _, err := using.Sweep(context.Background(), wrong, nil); !errors.As(err, &v) || v.Inputs[0] != -99.5 {
		t.Errorf("%v", err)
	}
}
