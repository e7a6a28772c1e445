package ufunc_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-yolk/yolk/ufunc"
)

func hidden(x float32) float32 {
	if x < 0 {
		return -2 * x
	}
	return x
}

func hiddenMany(x int8, y float64, b bool) (float64, int8) {
	if b {
		return y, x / (x - 3)
	}
	return float64(x) + y, 0
}

// The source cannot be found, so the function itself is called; MustNative forbids that.
func TestGoFunctionItself(t *testing.T) {
	none := ufunc.Source(fstest.MapFS{})
	f := ufunc.Vectorize(hidden, ufunc.Float32, 1, none)
	in, out := []float32{-1, 2, -3}, make([]float32, 3)
	f(in, out)
	if out[0] != 2 || out[1] != 2 || out[2] != 6 {
		t.Errorf("%v", out)
	}
	if r := f.Kernel().Report(); r.Executor != "the Go function" || !strings.Contains(r.Reason, "no file") {
		t.Errorf("executor %q, reason %q", r.Executor, r.Reason)
	}
	g := ufunc.Vectorize(hiddenMany, ufunc.Int8, 1, none)
	y, n := make([]float64, 3), make([]int8, 3)
	g([]int8{6, 7, 3}, 0.5, []bool{true, false, false}, y, n)
	if y[0] != 0.5 || n[0] != 2 || y[1] != 7.5 || n[2] != 0 {
		t.Errorf("%v, %v", y, n)
	}
	if err := g.Kernel().Call([]int8{3}, 1.0, []bool{true}, y[:1], n[:1]); !errors.Is(err, ufunc.ErrDivide) {
		t.Errorf("a division by zero: %v", err)
	}
	if err := g.Kernel().Check([]int8{1}, 1.0, []bool{true}); err == nil {
		t.Error("Check knows the program")
	}
	if _, err := ufunc.Compile(context.Background(), hidden, ufunc.Float32, 1, none, ufunc.MustNative()); !errors.Is(err, ufunc.ErrSource) {
		t.Errorf("MustNative: %v", err)
	}
}

var mutable = [2]float64{1, 2}

func usesMutable(x float64) float64 { return x*mutable[0] + mutable[1] }

// Kernels of a closure differ by what is bound to its variables (case C57), and a value that is not the closure's is found out.
func TestBind(t *testing.T) {
	mutable[1] = 5
	for _, c := range []float32{2, 3, 2 + 0x1p-22} {
		times := func(x float32) float32 {
			return x * c
		}
		f := ufunc.Vectorize(times, ufunc.Float32, 1, ufunc.Bind("c", c))
		out := make([]float32, 1)
		if f([]float32{1}, out); out[0] != c {
			t.Errorf("bound to %v: %v", c, out[0])
		}
		for _, test := range []struct {
			name string
			opts []ufunc.Option
			err  error
			want string
		}{
			{"unbound", nil, ufunc.ErrUnsupported, `the literal captures c, whose value is not in the source; give it by ufunc.Bind("c", v)`},
			{"another value", []ufunc.Option{ufunc.Bind("c", c+1)}, ufunc.ErrSource, "not what was compiled"},
			{"another type", []ufunc.Option{ufunc.Bind("c", float64(c))}, ufunc.ErrUnsupported, "c has type float32, but a value of type float64 is bound to it"},
			{"no number", []ufunc.Option{ufunc.Bind("c", "2")}, ufunc.ErrUnsupported, "c cannot be bound to a string"},
			{"another variable", []ufunc.Option{ufunc.Bind("c", c), ufunc.Bind("d", c)}, ufunc.ErrUnsupported, "a value is bound to d, which the function does not use"},
			{"twice", []ufunc.Option{ufunc.Bind("c", c), ufunc.Bind("c", c)}, nil, "two values are bound to c"},
		} {
			_, err := ufunc.Compile(context.Background(), times, ufunc.Float32, 1, test.opts...)
			if err == nil || test.err != nil && !errors.Is(err, test.err) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v", test.name, err)
			}
		}
	}
	f := ufunc.Vectorize(usesMutable, ufunc.Float64, 1, ufunc.Bind("mutable", mutable))
	out := make([]float64, 1)
	if f([]float64{3}, out); out[0] != 8 {
		t.Errorf("%v", out)
	}
}
