package ufunc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/rules/rulestest"
	"github.com/go-yolk/yolk/ufunc"
)

// lambertW is the solution w of w·e^w = x, by Newton's method: a function that no kernel could be made of.
func lambertW(x float64) float64 {
	w := math.Log1p(x)
	for range 50 {
		e := math.Exp(w)
		step := (w*e - x) / (e * (w + 1))
		w -= step
		if math.Abs(step) <= 1e-16*math.Abs(w) {
			break
		}
	}
	return w
}

func blackBoxErf(x float64) float64 { return math.Erf(x) }

func plainW(x float32) float32 { return 2 * float32(lambertW(float64(x))) }

func plainW64(x float64) float64 { return 2 * lambertW(x) }

func plainJ0(x float32) float32 { return float32(math.J0(float64(x))) * x }

func plainGamma(x float64) float64 { return math.Gamma(x) / x }

func plainErf(x float32) float32 { return 0.5 + 0.5*float32(blackBoxErf(float64(x))) }

// densely compares a kernel with the function itself at 2^20 points: most evenly on the line, the others at the lower end, the subnormal numbers
// among them where that is 0. The truth is float64, whose own error is nothing beside the bounds here.
func densely(k *ufunc.Kernel, dtype ufunc.DType, lo, hi float64, want func(float64) float64) error {
	const n = 1 << 20
	in32, in64 := make([]float32, n), make([]float64, n)
	for i := range in64 {
		x := lo + (hi-lo)*float64(i)/(n-1)
		if i%4 == 0 { // through all binades above lo
			x = min(hi, lo+math.Ldexp(1+float64(i%1021)/1021, i/4%1100-1074))
		}
		in32[i] = min(max(float32(x), float32(lo)), float32(hi))
		if in64[i] = x; dtype == ufunc.Float32 {
			in64[i] = float64(in32[i])
		}
	}
	out32, out64 := make([]float32, n), make([]float64, n)
	var err error
	if dtype == ufunc.Float32 {
		err = k.Call(in32, out32)
	} else {
		err = k.Call(in64, out64)
	}
	if err != nil {
		return err
	}
	within := k.Report().Certificate.Tolerance
	for i, x := range in64 {
		got, half := out64[i], 0x1p-53
		if dtype == ufunc.Float32 {
			got, half = float64(out32[i]), 0x1p-24
		}
		w := want(x)
		bound := within.Value
		if !strings.HasSuffix(within.String(), "absolute") {
			bound *= math.Abs(w)
		}
		if !(math.Abs(got-w) <= max(bound, half*math.Abs(w), math.SmallestNonzeroFloat32)) {
			return fmt.Errorf("at %g: %g, want %g %v", x, got, w, within)
		}
	}
	return nil
}

// Functions that yolk knows nothing of work in plain and traced kernels, with their operation as the only thing to say.
func TestFitInKernels(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		fit    []ufunc.Option
		kernel []ufunc.Option
		plain  any
		dtype  ufunc.DType
		traced func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value
		want   map[string]func(x float64) float64
	}{
		{"j0", math.J0, []ufunc.Option{ufunc.Domain(0, 20), ufunc.WithinAbs(1e-6)}, []ufunc.Option{ufunc.Domain(0, 20), ufunc.WithinAbs(2.2e-5)},
			plainJ0, ufunc.Float32, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value { return op.Of(x) }
			}, map[string]func(x float64) float64{
				"plain":  func(x float64) float64 { return math.J0(x) * x },
				"traced": math.J0,
			}},
		{"gamma", math.Gamma, []ufunc.Option{ufunc.Domain(1, 5), ufunc.WithinRel(1e-6)}, []ufunc.Option{ufunc.Domain(1, 5), ufunc.WithinRel(1.3e-6)},
			plainGamma, ufunc.Float64, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value { return op.Of(x).Div(x) }
			}, map[string]func(x float64) float64{
				"plain":  plainGamma,
				"traced": plainGamma,
			}},
		{"w", lambertW, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1e-6)}, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1.3e-6)},
			plainW, ufunc.Float32, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value { return op.Of(x.Mul(ufunc.Const(0.5))) }
			}, map[string]func(x float64) float64{
				"plain":  plainW64,
				"traced": func(x float64) float64 { return lambertW(x / 2) },
			}},
		{"w64", lambertW, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1e-6)}, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1.3e-6)},
			plainW64, ufunc.Float64, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value {
					return op.Of(x).Sub(op.Of(x.Mul(ufunc.Const(0.5)))).Add(ufunc.Const(3))
				}
			}, map[string]func(x float64) float64{
				"plain":  plainW64,
				"traced": func(x float64) float64 { return lambertW(x) - lambertW(x/2) + 3 },
			}},
		{"erf", blackBoxErf, []ufunc.Option{ufunc.Domain(-3, 3), ufunc.WithinAbs(1e-6)}, []ufunc.Option{ufunc.Domain(-3, 3), ufunc.WithinAbs(1.3e-6)},
			plainErf, ufunc.Float32, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value { return op.Of(x.Neg()) }
			}, map[string]func(x float64) float64{
				"plain":  func(x float64) float64 { return 0.5 + 0.5*math.Erf(x) },
				"traced": func(x float64) float64 { return math.Erf(-x) },
			}},
	} {
		op, err := ufunc.Fit(c.f, c.fit...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(op.Forms()) < 2 {
			t.Errorf("%s: %d forms", c.name, len(op.Forms()))
		}
		for _, f := range rulestest.Check(op.Rules(), rulestest.Options{}) {
			t.Errorf("%s: %v\n%v", c.name, f, op.Rules())
		}
		lo, hi := op.Forms()[0].Lo, op.Forms()[0].Hi
		in64 := make([]float64, 10007)
		in32 := make([]float32, len(in64))
		for i := range in64 {
			in64[i] = lo + (hi-lo)*float64(i)/float64(len(in64)-1)
			in32[i] = float32(in64[i])
		}
		in64[1], in32[1] = math.NaN(), float32(math.NaN())
		for how, fn := range map[string]any{"plain": c.plain, "traced": c.traced(op)} {
			k, err := ufunc.Compile(context.Background(), fn, c.dtype, 1, append(c.kernel, ufunc.Ops(op), ufunc.ReportTo(io.Discard))...)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, how, err)
				continue
			}
			if c.dtype == ufunc.Float32 {
				err = k.Check(in32)
			} else {
				err = k.Check(in64)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, how, err)
			}
			if err := densely(k, c.dtype, lo, hi, c.want[how]); err != nil {
				t.Errorf("%s, %s: %v", c.name, how, err)
			}
			if r := k.Report(); !strings.Contains(r.IRIn, "fit_") || strings.Contains(r.IROut, "call") {
				t.Errorf("%s, %s: as written\n%s\noptimised\n%s", c.name, how, r.IRIn, r.IROut)
			}
		}
	}
}

// A fitted operation needs nothing but itself: other rules, targets and options go with it, and operations with each other.
func TestFitWithOptions(t *testing.T) {
	w, err := ufunc.Fit(lambertW, ufunc.Domain(0, 10), ufunc.WithinRel(1e-6))
	if err != nil {
		t.Fatal(err)
	}
	j0, err := ufunc.Fit(math.J0, ufunc.Domain(-8, 8), ufunc.WithinAbs(1e-6), ufunc.Name("bessel"))
	if err != nil {
		t.Fatal(err)
	}
	one, err := ufunc.Fit(func(float64) float64 { return 1 }, ufunc.Domain(-10, 10))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		fn   func(x ufunc.Value) ufunc.Value
		opts []ufunc.Option
	}{
		{"constant", func(x ufunc.Value) ufunc.Value { return one.Of(x) }, []ufunc.Option{ufunc.Domain(-10, 10)}},
		{"domain by the size", func(x ufunc.Value) ufunc.Value { return w.Of(x.Abs()) }, []ufunc.Option{ufunc.Domain(-10, 10), ufunc.WithinRel(1.2e-6)}},
		{"domain by arithmetic", func(x ufunc.Value) ufunc.Value { return w.Of(ufunc.Const(5).Sub(x.Mul(ufunc.Const(0.5)))) },
			[]ufunc.Option{ufunc.Domain(-9.9, 10), ufunc.WithinAbs(3e-6)}},
		{"two operations", func(x ufunc.Value) ufunc.Value { return w.Of(x).Sub(j0.Of(x)) }, []ufunc.Option{ufunc.Domain(0, 8), ufunc.WithinAbs(5e-6)}},
		{"no other rules", func(x ufunc.Value) ufunc.Value { return w.Of(x) }, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1.2e-6), ufunc.Rules()}},
		{"portable", func(x ufunc.Value) ufunc.Value { return w.Of(x) }, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1.5e-6), ufunc.Portable()}},
		{"in order", func(x ufunc.Value) ufunc.Value { return w.Of(x) }, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1.2e-6), ufunc.Deny(ufunc.Reassoc | ufunc.Contract)}},
	} {
		k, err := ufunc.Compile(context.Background(), c.fn, ufunc.Float32, 1, append(c.opts, ufunc.ReportTo(io.Discard))...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		in := make([]float32, 5000)
		for i := range in {
			in[i] = float32(i-2500) / 250
		}
		if err := k.Check(in); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestFitRefused(t *testing.T) {
	step := func(x float64) float64 {
		if x < 5 {
			return 0
		}
		return 1
	}
	domain, within := ufunc.Domain(0, 10), ufunc.WithinAbs(1e-6)
	for _, c := range []struct {
		name string
		f    func(float64) float64
		opts []ufunc.Option
		err  error
		want string
	}{
		{"step", step, []ufunc.Option{domain, within}, ufunc.ErrFit, "the function jumps from 0 to 1 at 5"},
		{"too much", math.J0, []ufunc.Option{domain, ufunc.WithinAbs(1e-20)}, ufunc.ErrFit, "float64 within 1e-20 abs on [0, 10]: the best is "},
		{"NaN", math.Log1p, []ufunc.Option{ufunc.Domain(-2, 0), within}, ufunc.ErrFit, "the function is NaN at -2"},
		{"no function", nil, []ufunc.Option{domain, within}, ufunc.ErrFit, "no function"},
		{"no domain", math.J0, []ufunc.Option{within}, ufunc.ErrFit, "domain is missing"},
		{"half a domain", math.J0, []ufunc.Option{ufunc.Domain(0, math.Inf(1)), within}, ufunc.ErrFit, "domain is missing or not finite"},
		{"a point", math.J0, []ufunc.Option{ufunc.Domain(1, 1), within}, ufunc.ErrFit, "[1, 1] is no finite interval"},
		{"taken name", math.J0, []ufunc.Option{domain, within, ufunc.Name("tanh")}, ufunc.ErrOp, "tanh exists already"},
		{"bad name", math.J0, []ufunc.Option{domain, within, ufunc.Name("J0")}, ufunc.ErrOp, "lower-case"},
		{"bad option", math.J0, []ufunc.Option{domain, ufunc.WithinAbs(-1)}, nil, "must be positive"},
	} {
		op, err := ufunc.Fit(c.f, c.opts...)
		if op != nil || err == nil || c.err != nil && !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		var e *ufunc.FitError
		if c.name == "too much" && (!errors.As(err, &e) || e.Pieces == 0 || !(e.Reached > 1e-20)) {
			t.Errorf("%s: %#v", c.name, e)
		}
	}
}

// A kernel that does not show that operands are in the domain is told so.
func TestFitDomainMissing(t *testing.T) {
	w, err := ufunc.Fit(lambertW, ufunc.Domain(0, 10), ufunc.WithinRel(1e-13))
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Forms()) != 1 {
		t.Fatalf("forms: %v", w.Forms())
	}
	for _, c := range []struct {
		name  string
		dtype ufunc.DType
		opts  []ufunc.Option
		want  string
	}{
		{"everywhere", ufunc.Float64, nil, "fit_lambertw is fitted on [0, 10]"},
		{"beyond", ufunc.Float64, []ufunc.Option{ufunc.Domain(0, 10.5)}, "fit_lambertw is fitted on [0, 10]"},
		{"no form in the type", ufunc.Float32, []ufunc.Option{ufunc.Domain(0, 10)}, "no form for float32 within 1e-13 rel"},
	} {
		_, err := ufunc.Compile(context.Background(), func(x ufunc.Value) ufunc.Value { return w.Of(x) }, c.dtype, 1, c.opts...)
		if !errors.Is(err, ufunc.ErrNoForm) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// An operation that Fit has not made has no forms.
func TestFormsOfOthers(t *testing.T) {
	if softsign.Forms() != nil || len(softsign.Rules().Names()) != 0 {
		t.Errorf("%v, %v", softsign.Forms(), softsign.Rules())
	}
}

// A function that a kernel could not be made of, made one: the Bessel function on [-8, 8].
func ExampleFit() {
	j0, err := ufunc.Fit(math.J0, ufunc.Domain(-8, 8), ufunc.WithinAbs(1e-6))
	if err != nil {
		fmt.Println(err)
		return
	}
	rings := ufunc.Vectorize1[float32](func(x ufunc.Value) ufunc.Value { y := j0.Of(x); return y.Mul(y) }, ufunc.Domain(-8, 8), ufunc.WithinAbs(3e-6))
	out := make([]float32, 4)
	rings([]float32{0, 1, -2, 8}, out)
	fmt.Printf("%.2f\n", out)
	fmt.Println(j0.Forms()[0].Pieces, j0.Forms()[0].Degree)
	// Output:
	// [1.00 0.59 0.05 0.03]
	// 1 12
}
