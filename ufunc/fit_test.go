package ufunc_test

import (
	"context"
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
	}{
		{"j0", math.J0, []ufunc.Option{ufunc.Domain(0, 20), ufunc.WithinAbs(1e-6)}, []ufunc.Option{ufunc.Domain(0, 20), ufunc.WithinAbs(2.2e-5)},
			plainJ0, ufunc.Float32, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value { return op.Of(x) }
			}},
		{"gamma", math.Gamma, []ufunc.Option{ufunc.Domain(1, 5), ufunc.WithinRel(1e-6)}, []ufunc.Option{ufunc.Domain(1, 5), ufunc.WithinRel(1.3e-6)},
			plainGamma, ufunc.Float64, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value { return op.Of(x).Div(x) }
			}},
		{"w", lambertW, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1e-6)}, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1.3e-6)},
			plainW, ufunc.Float32, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value { return op.Of(x.Mul(ufunc.Const(0.5))) }
			}},
		{"w64", lambertW, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1e-6)}, []ufunc.Option{ufunc.Domain(0, 10), ufunc.WithinRel(1.3e-6)},
			plainW64, ufunc.Float64, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value { return op.Of(x).Sub(op.Of(x.Mul(ufunc.Const(0.5)))).Add(ufunc.Const(3)) }
			}},
		{"erf", blackBoxErf, []ufunc.Option{ufunc.Domain(-3, 3), ufunc.WithinAbs(1e-6)}, []ufunc.Option{ufunc.Domain(-3, 3), ufunc.WithinAbs(1.3e-6)},
			plainErf, ufunc.Float32, func(op *ufunc.Op) func(x ufunc.Value) ufunc.Value {
				return func(x ufunc.Value) ufunc.Value { return op.Of(x.Neg()) }
			}},
	} {
		op, err := ufunc.Fit(c.f, c.fit...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(op.Forms()) != 2 {
			t.Errorf("%s: %d forms", c.name, len(op.Forms()))
		}
		for _, f := range op.Forms() {
			t.Logf("%s: %v", c.name, f)
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
			if r := k.Report(); !strings.Contains(r.IRIn, "fit_") || strings.Contains(r.IROut, "call") {
				t.Errorf("%s, %s: as written\n%s\noptimised\n%s", c.name, how, r.IRIn, r.IROut)
			}
		}
	}
}
