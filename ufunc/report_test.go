package ufunc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/ufunc"
)

// sameReport compares reports with NaN equal to NaN and nil slices equal to empty ones.
var sameReport = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty()}

// A report survives JSON with every field, whatever its numbers are.
func TestReportJSON(t *testing.T) {
	roundTrip := func(t *testing.T, r *ufunc.Report) {
		t.Helper()
		text, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(text) {
			t.Fatalf("not JSON:\n%s", text)
		}
		var back ufunc.Report
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(r, &back, sameReport); d != "" {
			t.Errorf("(-report +JSON):\n%s", d)
		}
	}
	for _, fn := range []func(float32) float32{
		gelu, tanh32, sqrt32, identity,
		func(x float32) float32 { return 3 },
		func(x float32) float32 { return float32(math.NaN()) },
		func(x float32) float32 { return float32(math.Inf(-1)) },
		func(x float32) float32 { return ufunc.Copysign(float32(math.Inf(1)), x) },
	} {
		roundTrip(t, ufunc.Vectorize(fn, ufunc.Float32, 1).Kernel().Report())
	}
	roundTrip(t, ufunc.Vectorize(gelu, ufunc.Float32, 1, ufunc.Rules(rules.Ring)).Kernel().Report())
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat64, 0x1p-1074} {
		// Every number of the certificate, also those that it may get one day.
		r := &ufunc.Report{Name: "numbers", Certificate: accuracy.Certificate{Worst: []float64{x, 1, x}}}
		fill(reflect.ValueOf(&r.Certificate).Elem(), x)
		roundTrip(t, r)
	}
}

// fill sets every field of a struct to something else than its zero: floats to x.
func fill(v reflect.Value, x float64) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64:
			f.SetFloat(x)
		case reflect.Int:
			f.SetInt(7)
		case reflect.Uint8:
			f.SetUint(2)
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Struct:
			fill(f, x)
		}
	}
}

// A report names its stages in order and shows the programs; a stage has its time, the total is their sum.
func TestReportText(t *testing.T) {
	r := ufunc.Vectorize(gelu, ufunc.Float32, 1, ufunc.Name("my gelu")).Kernel().Report()
	var names []string
	for _, s := range r.Stages {
		names = append(names, s.Name)
		if s.Duration <= 0 || s.After == "" {
			t.Errorf("stage %+v", s)
		}
	}
	want := []string{"frontend", "convert", "saturate", "extract", "lower", "certify"}
	if r.Executor != "interpreter" {
		want = append(want, "codegen", "find clang", "clang", "link", "load")
		for what, text := range map[string]string{"LLVM IR": r.LLVM, "disassembly": r.Asm} {
			if text == "" && what != "disassembly" {
				t.Errorf("no %s", what)
			}
		}
	}
	if d := cmp.Diff(want, names[:min(len(names), len(want))]); d != "" {
		t.Errorf("stages (-want +got):\n%s", d)
	}
	text := r.String()
	for _, want := range []string{"kernel my gelu, 1-dimensional, runs on " + r.Executor, "saturation stopped: ", "as written:", "optimised:", r.IRIn, r.IROut, "accuracy: within 4 ulp"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if r.CostAfter == 0 || r.CostBefore == 0 || len(r.Candidates) == 0 || len(r.Firings) == 0 {
		t.Errorf("costs %d and %d, %d candidates, %d firings", r.CostBefore, r.CostAfter, len(r.Candidates), len(r.Firings))
	}
}

// ReportTo writes the report once, when the code has been made, and what Check shows.
func TestReportTo(t *testing.T) {
	var w bytes.Buffer
	f := ufunc.Vectorize(gelu, ufunc.Float32, 1, ufunc.ReportTo(&w))
	if w.Len() != 0 {
		t.Errorf("Vectorize wrote %q", w.String())
	}
	x := make([]float32, 3)
	f(x, x)
	f(x, x)
	if n := strings.Count(w.String(), "optimised:"); n != 1 {
		t.Errorf("%d reports after two calls", n)
	}
	w.Reset()
	if err := f.Kernel().Check(x); err != nil || !strings.Contains(w.String(), "the contract holds") {
		t.Errorf("Check: %v\n%s", err, w.String())
	}
	broken := ufunc.Vectorize(gelu, ufunc.Float32, 1, ufunc.ReportTo(failing{}))
	if err := broken.Kernel().Prepare(t.Context()); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a writer that fails: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Check passes correct kernels, whatever their inputs are, and shows arguments, output and expected output.
func TestCheck(t *testing.T) {
	var w bytes.Buffer
	show := ufunc.ReportTo(&w)
	special := []float32{nan, inf, -inf, 0, -1, 1e-45, math.MaxFloat32, 0.5}
	for _, test := range []struct {
		name   string
		kernel *ufunc.Kernel
		inputs []any
		want   []string
	}{
		{"specials", ufunc.Vectorize(log32, ufunc.Float32, 1, show).Kernel(), []any{special},
			[]string{"x ", "output ", "expected ", "NaN ", "+Inf ", "-Inf ", "3.40282347e+38 ", "the contract holds"}},
		{"nothing", ufunc.Vectorize(log32, ufunc.Float32, 1, show).Kernel(), []any{[]float32(nil)}, []string{"the contract holds"}},
		{"scalar", ufunc.Vectorize(log32, ufunc.Float32, 1, show).Kernel(), []any{float32(1)}, []string{"1  0 "}},
		{"strided", ufunc.Vectorize(sqrt32, ufunc.Float32, 1, show).Kernel(), []any{blas32.Vector{N: 2, Inc: -2, Data: []float32{4, 7, 9}}}, []string{"9  3 ", "4  2 "}},
		{"broadcast matrix", ufunc.Vectorize(difference[float32], ufunc.Float32, 2, show).Kernel(),
			[]any{blas32.General{Rows: 2, Cols: 2, Stride: 2, Data: []float32{1, 2, 3, 4}}, []float32{10, 20}}, []string{"1  10  -9 ", "4  20  -16 "}},
		{"two outputs", ufunc.Vectorize(func(x, y float64) (float64, float64) { return x + y, x * y }, ufunc.Float64, 1, show).Kernel(),
			[]any{[]float64{3}, 4.0}, []string{"output 1", "expected 1", "output 2", "expected 2", "3  4  7 ", "12 "}},
		{"many", ufunc.Vectorize(gelu, ufunc.Float32, 1, show).Kernel(), []any{make([]float32, 1000)}, []string{"(990 more)"}},
		{"outside of the domain", ufunc.Vectorize(gelu, ufunc.Float32, 1, show, ufunc.Domain(0, 1), ufunc.WithinRel(1e-6)).Kernel(),
			[]any{[]float32{0.5, -5, 10, nan}}, []string{"-5 ", "(3 outside of the domain, not judged)", "the contract holds"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.kernel.Prepare(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.Reset()
			if err := test.kernel.Check(test.inputs...); err != nil {
				t.Fatalf("%v\n%s", err, w.String())
			}
			for _, want := range test.want {
				if !strings.Contains(w.String(), want) {
					t.Errorf("no %q in\n%s", want, w.String())
				}
			}
		})
	}
	k := ufunc.Vectorize(difference[float32], ufunc.Float32, 1, ufunc.ReportTo(io.Discard)).Kernel()
	three := make([]float32, 3)
	for _, test := range []struct {
		inputs []any
		is     error
	}{
		{nil, ufunc.ErrCount},
		{[]any{three}, ufunc.ErrCount},
		{[]any{three, three, three}, ufunc.ErrCount},
		{[]any{three, nil}, ufunc.ErrOperand},
		{[]any{three, []float64{1}}, ufunc.ErrDType},
		{[]any{three, make([]float32, 2)}, ufunc.ErrShape},
		{[]any{blas32.General{Rows: 1, Cols: 3, Stride: 3, Data: three}, three}, ufunc.ErrShape},
	} {
		if err := k.Check(test.inputs...); !errors.Is(err, test.is) {
			t.Errorf("Check(%v): %v, want %v", fmt.Sprint(test.inputs...), err, test.is)
		}
	}
}
