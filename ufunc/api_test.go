package ufunc_test

import (
	"context"
	"errors"
	"io"
	"math"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/ufunc"
)

// Functions that no kernel can be made of, and why.

type scale struct{ by float32 }

func (s scale) apply(x float32) float32 { return s.by * x }

var packageVariable float32 = 3

func jumps(x float32) float32 {
	if x > 0 {
		goto end
	}
	x = 0
end:
	return x
}

func assigns(x float32) float32 {
	packageVariable = x
	return x
}

func readsVariable(x float32) float32    { return x * packageVariable }
func callsY1(x float64) float64          { return math.Y1(x) }
func callsItself(x float64) float64      { return bounces(x) }
func bounces(x float64) float64          { return callsItself(x) }
func genericSquare[T ufunc.Float](x T) T { return x * x }
func identity(x float32) float32         { return x }
func tracedIdentity(x ufunc.Value) any   { return x }

type option = ufunc.Option

// What is wrong with fn, dtype, ndim or an option is an error of Compile and the same error as a panic of Vectorize. It says
// what is wrong and, for a construct in the source, where and what to write instead.
func TestErrorsOfMaking(t *testing.T) {
	captured := float32(2)
	calls := 0
	var escaped ufunc.Value
	ufunc.Vectorize(func(x ufunc.Value) ufunc.Value { escaped = x; return x }, ufunc.Float32, 1)
	here := `api_test\.go:\d+: `
	for _, test := range []struct {
		name  string
		fn    any
		dtype ufunc.DType
		ndim  int
		opts  []option
		is    error // nil: no sentinel
		text  string
	}{
		{"nil", nil, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `: nil; want a function such as func\(x float32\) float32`},
		{"nil function", (func(float32) float32)(nil), ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `a nil func\(float32\) float32`},
		{"nil traced function", (func(ufunc.Value) ufunc.Value)(nil), ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `a nil func`},
		{"no function", 3, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `a value of type int`},
		{"pointer", &captured, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `a value of type \*float32`},
		{"a Func", ufunc.Func(nil), ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `a nil ufunc\.Func`},
		{"nothing in, nothing out", func() {}, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `func\(\) has no parameter`},
		{"no parameter", func() float32 { return 1 }, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `func\(\) float32 has no parameter`},
		{"no parameter, traced", func() ufunc.Value { return ufunc.Const(1) }, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `has no parameter`},
		{"no result", func(float32) {}, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `func\(float32\) has no result`},
		{"no result, traced", func(ufunc.Value) {}, ufunc.Float32, 1, nil, ufunc.ErrTrace, `func\(ufunc\.Value\) has no result`},
		{"variadic", func(x ...float32) float32 { return x[0] }, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `is variadic`},
		{"variadic, traced", func(x ...ufunc.Value) ufunc.Value { return x[0] }, ufunc.Float32, 1, nil, ufunc.ErrTrace, `parameter 0 of .* is \[\]ufunc\.Value`},
		{"int parameter", func(int) float32 { return 1 }, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `parameter 0 of func\(int\) float32 is int; want a float, an integer`},
		{"slice parameter", func([]float32) float32 { return 1 }, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `is \[\]float32`},
		{"Value and float32", func(x ufunc.Value, _ float32) ufunc.Value { return x }, ufunc.Float32, 1, nil, ufunc.ErrTrace, `parameter 1 of .* is float32`},
		{"result any", tracedIdentity, ufunc.Float32, 1, nil, ufunc.ErrTrace, `result 0 of .* is interface`},
		{"mixed types", func(x float32, y float64) float64 { return float64(x) * y }, ufunc.Float64, 1, nil, ufunc.ErrDType,
			`the first parameter of .* is float32, but its kernel was asked for as float64`},

		{"other dtype", identity, ufunc.Float64, 1, nil, ufunc.ErrDType, `identity is float32, but its kernel was asked for as float64`},
		{"dtype 0", identity, 0, 1, nil, ufunc.ErrDType, `no kernels are made for`},
		{"dtype 99", func(x ufunc.Value) ufunc.Value { return x }, 99, 1, nil, ufunc.ErrDType, `no kernels are made for`},
		{"ndim 0", identity, ufunc.Float32, 0, nil, ufunc.ErrShape, `1 to 8 dimensions, not 0`},
		{"ndim -1", identity, ufunc.Float32, -1, nil, ufunc.ErrShape, `not -1`},
		{"ndim 9", identity, ufunc.Float32, 9, nil, ufunc.ErrShape, `not 9`},

		{"nil option", identity, ufunc.Float32, 1, []option{nil}, nil, `a nil option`},
		{"empty domain", identity, ufunc.Float32, 1, []option{ufunc.Domain(1, 0)}, nil, `domain \[1, 0\] is empty`},
		{"NaN as bound", identity, ufunc.Float32, 1, []option{ufunc.Domain(0, math.NaN())}, nil, `domain \[0, NaN\] is empty`},
		{"no float32 in the domain", identity, ufunc.Float32, 1, []option{ufunc.Domain(0.1, 0.1)}, nil, `identity: the domain \[0\.1, 0\.1\] of input 0 holds no finite float32`},
		{"domain between subnormals", identity, ufunc.Float32, 1, []option{ufunc.Domain(1e-60, 2e-60)}, nil, `holds no finite float32`},
		{"domain above float32", identity, ufunc.Float32, 1, []option{ufunc.Domain(1e39, 1e40)}, nil, `holds no finite float32`},
		{"domain below float32", identity, ufunc.Float32, 1, []option{ufunc.Domain(-1e40, -1e39)}, nil, `holds no finite float32`},
		{"domain of infinity", math.Exp, ufunc.Float64, 1, []option{ufunc.Domain(math.Inf(1), math.Inf(1))}, nil, `holds no finite float64`},
		{"domain of no parameter", identity, ufunc.Float32, 1, []option{ufunc.DomainOf(1, 0, 1)}, nil, `DomainOf\(1, \.\.\.\) of a function with 1 parameter`},
		{"negative parameter", identity, ufunc.Float32, 1, []option{ufunc.DomainOf(-1, 0, 1)}, nil, `DomainOf\(-1`},
		{"empty domain of a parameter", identity, ufunc.Float32, 1, []option{ufunc.DomainOf(0, 2, 1)}, nil, `\[2, 1\] is empty`},
		{"negative tolerance", identity, ufunc.Float32, 1, []option{ufunc.WithinULP(-1)}, nil, `positive and finite, not -1`},
		{"no tolerance", identity, ufunc.Float32, 1, []option{ufunc.WithinRel(0)}, nil, `positive and finite, not 0`},
		{"NaN as tolerance", identity, ufunc.Float32, 1, []option{ufunc.WithinAbs(math.NaN())}, nil, `positive and finite, not NaN`},
		{"infinite tolerance", identity, ufunc.Float32, 1, []option{ufunc.WithinAbs(math.Inf(1))}, nil, `positive and finite, not \+Inf`},
		{"unknown rule", identity, ufunc.Float32, 1, []option{ufunc.Without("nosuch")}, rules.ErrRule, `Without: .*"nosuch"`},
		{"rule of another set", identity, ufunc.Float32, 1, []option{ufunc.Without("tanh-pade-4"), ufunc.Rules(rules.Ring)}, rules.ErrRule, `"tanh-pade-4"`},
		{"unknown target", identity, ufunc.Float32, 1, []option{ufunc.Target("nosuch")}, nil, `Target: .*"nosuch" \(want one of x86-64-v2`},
		{"no costs", identity, ufunc.Float32, 1, []option{ufunc.Cost(nil)}, nil, `Cost\(nil\)`},
		{"every fault is told", identity, ufunc.Float32, 1, []option{ufunc.Domain(1, 0), nil, ufunc.WithinULP(0), ufunc.Cost(nil)}, nil,
			`(?s)is empty.*nil option.*positive.*Cost\(nil\)`},

		{"captured variable", func(x float32) float32 { return x * captured }, ufunc.Float32, 1, nil, ufunc.ErrUnsupported,
			`api_test\.go:\d+:\d+: the literal captures captured, .*ufunc\.Value`},
		{"method value", scale{2}.apply, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `scale\.apply is a method value`},
		{"goto", jumps, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `api_test\.go:27:3: goto; write a loop`},
		{"assignment", assigns, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `api_test\.go:35:2: package variable packageVariable can change`},
		{"package variable", readsVariable, ufunc.Float32, 1, nil, ufunc.ErrUnsupported, `api_test\.go:\d+:\d+: package variable packageVariable can change, at .*Bind\("packageVariable", v\)`},
		{"unknown function", callsY1, ufunc.Float64, 1, nil, ufunc.ErrUnsupported, `api_test\.go:\d+:\d+: math\.Y1 is not supported; .*Tanh`},
		{"unknown function itself", math.Y1, ufunc.Float64, 1, nil, ufunc.ErrUnsupported, `math\.Y1 is not supported`},
		{"recursion", callsItself, ufunc.Float64, 1, nil, ufunc.ErrUnsupported, `recursive call of callsItself`},
		{"builtin", func(x float64) float64 { return real(complex(x, 0)) }, ufunc.Float64, 1, nil, ufunc.ErrUnsupported, `builtin function real`},

		{"zero Value", func(x ufunc.Value) ufunc.Value { return x.Add(ufunc.Value{}) }, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `operand 1 of Add is the zero Value`},
		{"zero Value as result", func(ufunc.Value) ufunc.Value { return ufunc.Value{} }, ufunc.Float32, 1, nil, ufunc.ErrTrace, `result 0`},
		{"foreign Value", func(x ufunc.Value) ufunc.Value { return x.Add(escaped) }, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `operand 1 of Add is a Value of another trace`},
		{"panic", func(ufunc.Value) ufunc.Value { panic("no such luck") }, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `panic: no such luck`},
		{"panic with an error", func(ufunc.Value) ufunc.Value { panic(io.ErrUnexpectedEOF) }, ufunc.Float32, 1, nil, io.ErrUnexpectedEOF, here + `panic: unexpected EOF`},
		{"panic of the run time", func(x ufunc.Value) ufunc.Value { return []ufunc.Value{x}[calls+1] }, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `panic: .*out of range`},
		{"endless", func(x ufunc.Value) ufunc.Value {
			for {
				x = x.Add(x)
			}
		}, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `more than \d+ operations; does a loop not end`},
		{"counts its calls", func(x ufunc.Value) ufunc.Value { calls++; return x.Mul(ufunc.Const(float64(calls))) }, ufunc.Float32, 1, nil, ufunc.ErrTrace,
			here + `the constant \d+ in the first, the constant \d+ in the second`},
		{"mixed types, traced", func(x ufunc.Value) ufunc.Value { return x.Add(x.Convert(ufunc.Float64)) }, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `Add of float32 and float64`},
		{"unknown type", func(x ufunc.Value) ufunc.Value { return x.Convert(77) }, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `Convert to type\(77\)`},
		{"number as condition", func(x ufunc.Value) ufunc.Value { return ufunc.Where(x, x, x) }, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `Where needs a bool`},
		{"bool as number", func(x ufunc.Value) ufunc.Value { return x.Add(x.Less(x)) }, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `Add needs numbers, not a bool made by Less`},
		{"constant too large", func(x ufunc.Value) ufunc.Value { return x.Mul(ufunc.Const(1e300)) }, ufunc.Float32, 1, nil, ufunc.ErrTrace, here + `the constant 1e\+300 overflows float32`},
	} {
		t.Run(test.name, func(t *testing.T) {
			check := func(how string, err error) {
				t.Helper()
				if err == nil {
					t.Fatalf("%s: no error", how)
				}
				if test.is != nil && !errors.Is(err, test.is) {
					t.Errorf("%s: %v\ndoes not wrap %v", how, err, test.is)
				}
				if !regexp.MustCompile(test.text).MatchString(err.Error()) {
					t.Errorf("%s: %v\ndoes not match %s", how, err, test.text)
				}
				if strings.Contains(err.Error(), "runtime error") && !strings.Contains(test.name, "run time") {
					t.Errorf("%s: the Go run time speaks: %v", how, err)
				}
			}
			k, err := ufunc.Compile(context.Background(), test.fn, test.dtype, test.ndim, test.opts...)
			check("Compile", err)
			if k != nil {
				t.Error("a kernel beside the error")
			}
			check("Vectorize", panicOf(t, func() { ufunc.Vectorize(test.fn, test.dtype, test.ndim, test.opts...) }))
		})
	}
}

// panicOf returns the error that f panics with.
func panicOf(t *testing.T, f func()) (err error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			var ok bool
			if err, ok = r.(error); !ok {
				t.Errorf("panic with a %T: %v", r, r)
			}
		}
	}()
	f()
	return nil
}

// What only making the code shows is an error of Compile, of every call, of Prepare and Check, and a panic of a Func.
func TestErrorsOfCode(t *testing.T) {
	tanh := func(x float64) float64 { return math.Tanh(x) }
	foreign := "arm64"
	if runtime.GOARCH == "arm64" {
		foreign = "x86-64-v3"
	}
	for _, test := range []struct {
		name string
		opts []option
		is   error
		text string
	}{
		{"no rule for tanh", []option{ufunc.Rules(rules.Ring)}, ufunc.ErrNoForm, `tanh`},
		{"no approximation", []option{ufunc.Deny(ufunc.ApproxFunc)}, ufunc.ErrNoForm, `tanh`},
		{"too accurate", []option{ufunc.WithinULP(0.5)}, ufunc.ErrAccuracy, `within 0.5 ulp.*candidates were measured; .*the result is`},
		{"no such machine", []option{ufunc.Target(foreign), ufunc.MustNative()}, nil, foreign},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := append(test.opts, ufunc.Name("steep"), ufunc.ReportTo(io.Discard))
			_, err := ufunc.Compile(context.Background(), tanh, ufunc.Float64, 1, opts...)
			f := ufunc.Vectorize(tanh, ufunc.Float64, 1, opts...)
			in, out := []float64{1}, []float64{7}
			for how, err := range map[string]error{
				"Compile": err,
				"Call":    f.Kernel().Call(in, out),
				"Prepare": f.Kernel().Prepare(context.Background()),
				"Check":   f.Kernel().Check(in),
				"Func":    panicOf(t, func() { f(in, out) }),
				"typed":   panicOf(t, func() { ufunc.Vectorize1[float64](tanh, opts...)(in, out) }),
			} {
				if err == nil || test.is != nil && !errors.Is(err, test.is) {
					t.Errorf("%s: %v, want %v", how, err, test.is)
				} else if !regexp.MustCompile(`steep: .*(` + test.text + `)`).MatchString(err.Error()) {
					t.Errorf("%s: %v, want %s", how, err, test.text)
				}
			}
			if out[0] != 7 {
				t.Errorf("a failed call wrote %v", out[0])
			}
			if r := f.Kernel().Report(); r.Reason == "" || r.Executor != "" || r.String() == "" {
				t.Errorf("report of a kernel without code:\n%v", r)
			}
		})
	}
}

// A context that has ended ends the making, and the next call begins again.
func TestCancelled(t *testing.T) {
	because := errors.New("because")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(because)
	if _, err := ufunc.Compile(ctx, identity, ufunc.Float32, 1); !errors.Is(err, because) {
		t.Errorf("Compile: %v", err)
	}
	f := ufunc.Vectorize(identity, ufunc.Float32, 1)
	if err := f.Kernel().Prepare(ctx); !errors.Is(err, because) {
		t.Errorf("Prepare: %v", err)
	}
	if err := f.Kernel().Call([]float32{1}, []float32{0}); err != nil {
		t.Errorf("Call after a cancelled Prepare: %v", err)
	}
}

// Options mean the same in any order.
func TestOrderOfOptions(t *testing.T) {
	common := []option{ufunc.Domain(0, 1), ufunc.WithinRel(1e-6), ufunc.Cost(ufunc.DemoCosts())}
	for _, opts := range [][]option{
		{ufunc.Rules(rules.Default), ufunc.Without("tanh-pade-4")},
		{ufunc.Without("tanh-pade-4"), ufunc.Rules(rules.Default)},
	} {
		k, err := ufunc.Compile(context.Background(), gelu, ufunc.Float32, 1, append(opts, common...)...)
		if err != nil {
			t.Fatal(err)
		}
		if forms := strings.Join(k.Report().Forms, " "); forms == "" || strings.Contains(forms, "tanh-pade-4") {
			t.Errorf("forms %q", forms)
		}
	}
}

// What Vectorize accepts beyond declared functions and literals.
func TestFunctionsAccepted(t *testing.T) {
	type celsius float32
	for _, test := range []struct {
		name  string
		fn    any
		dtype ufunc.DType
		opts  []option
		want  string
	}{
		{"of package math", math.Exp, ufunc.Float64, nil, "math.Exp"},
		{"of package ufunc", ufunc.Tanh[float32], ufunc.Float32, nil, "ufunc.Tanh[...]"},
		{"generic", genericSquare[float64], ufunc.Float64, nil, "ufunc_test.genericSquare[...]"},
		{"named type", func(c celsius) celsius { return c * 1.5 }, ufunc.Float32, nil, ""},
		{"two types", func(x float32, y float64) (float64, float32) { return float64(x) * 2, x }, ufunc.Float32, nil, ""},
		{"domain of one point", gelu, ufunc.Float32, []option{ufunc.Domain(1, 1)}, ""},
		{"half a domain", gelu, ufunc.Float32, []option{ufunc.Domain(0, math.Inf(1))}, ""},
		{"domain of zeros", gelu, ufunc.Float32, []option{ufunc.Domain(math.Copysign(0, -1), 0)}, ""},
		{"domain beyond float32", gelu, ufunc.Float32, []option{ufunc.Domain(0, 1e40)}, ""},
		{"constant", func(ufunc.Value) ufunc.Value { return ufunc.Const(3) }, ufunc.Float32, nil, ""},
		{"same result twice", func(x ufunc.Value) (ufunc.Value, ufunc.Value) { return x, x }, ufunc.Float32, nil, ""},
		{"all dimensions", gelu, ufunc.Float32, nil, "ufunc_test.gelu"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ndim := 1
			if test.name == "all dimensions" {
				ndim = 8
			}
			k, err := ufunc.Compile(context.Background(), test.fn, test.dtype, ndim, test.opts...)
			if err != nil {
				t.Fatal(err)
			}
			if test.want != "" && k.Name() != test.want {
				t.Errorf("name %q, want %q", k.Name(), test.want)
			}
		})
	}
}

// Names of any kind are only names (C81): nothing of them reaches the generated code, and reports can be written.
func TestNames(t *testing.T) {
	plain := ufunc.Vectorize(identity, ufunc.Float32, 1).Kernel().Report().LLVM
	const payload = `f"() { ret void } @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @"y`
	for _, name := range []string{
		"", "two\nlines\r\n; x\x00", "\x01@llvm.sqrt", strings.Repeat("x", 300), "1", "é世%s%d\xff\xfe", payload,
	} {
		k, err := ufunc.Compile(context.Background(), identity, ufunc.Float32, 1, ufunc.Name(name))
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if want := name; want != "" && k.Name() != want {
			t.Errorf("name %q, want %q", k.Name(), want)
		}
		r := k.Report()
		if code := instructions(r.LLVM); code != instructions(plain) {
			t.Errorf("%q: the code is another:\n%s", name, code)
		}
		if _, err := r.JSON(); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if r.String() == "" {
			t.Errorf("%q: no text", name)
		}
	}
}

// instructions is LLVM IR without its comment lines.
func instructions(ll string) string {
	var b strings.Builder
	for line := range strings.Lines(ll) {
		if !strings.HasPrefix(strings.TrimSpace(line), ";") {
			b.WriteString(line)
		}
	}
	return b.String()
}
