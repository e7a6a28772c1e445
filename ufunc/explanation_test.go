package ufunc_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

// A value has one number from the function as written to the program that runs, and different values have different ones.
func TestExplainFollowsValues(t *testing.T) {
	k, err := ufunc.Compile(t.Context(), func(x ufunc.Value) ufunc.Value {
		inner := x.Mul(ufunc.Const(3)).Add(ufunc.Const(0.5))
		return inner.Exp().Add(x)
	}, ufunc.Float32, 1, ufunc.WithinULP(4))
	if err != nil {
		t.Fatal(err)
	}
	x, err := k.Explain(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first, last := x.Programs[0], x.Programs[len(x.Programs)-1]
	if first.Stage != "frontend" || last.Stage != "certify" || len(x.Programs) < 3 {
		t.Fatalf("programs: %+v", x.Programs)
	}
	numbers := func(p ufunc.ProgramText) (all []int) {
		for _, l := range p.Lines {
			if l.Text == "" {
				t.Errorf("%s: a line without text", p.Title)
			}
			all = append(all, l.Value)
		}
		return all
	}
	there := numbers(last)
	// As written: parameter, two constants, product, sum, exponential, result.
	written := numbers(first)
	shared := 0
	for i, n := range written {
		if n == 0 {
			t.Errorf("line %d as written has no number", i)
		}
		if slices.Contains(there, n) {
			shared++
		}
	}
	if shared < 4 || !slices.Contains(there, written[len(written)-1]) {
		t.Errorf("only %d values of %v are among %v", shared, written, there)
	}
	slices.Sort(written)
	if len(slices.Compact(written)) != len(first.Lines) {
		t.Errorf("different values share a number: %v", first.Lines)
	}
	if len(x.Classes) == 0 {
		t.Fatal("no e-graph")
	}
	roots := 0
	for i, c := range x.Classes {
		if len(c.Nodes) == 0 {
			t.Errorf("class %d is empty", i)
		}
		if c.Root {
			roots++
			if c.Value != first.Lines[len(first.Lines)-1].Value {
				t.Errorf("the root is value %d, the result %d", c.Value, first.Lines[len(first.Lines)-1].Value)
			}
		}
	}
	if roots != 1 {
		t.Errorf("%d roots", roots)
	}
}

// The error curve covers the domain in order, and its errors are those of a kernel that keeps its contract.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		kernel ufunc.Func
		lo, hi float64
		most   float64
	}{
		{"tanh, whole line", ufunc.Vectorize(tanh32, ufunc.Float32, 1, ufunc.WithinULP(4)), -math.MaxFloat32, math.MaxFloat32, 4},
		{"square, float64", ufunc.Vectorize(func(x float64) float64 {
			return x * x
		}, ufunc.Float64, 1, ufunc.Domain(1, 2)), 1, 2, 0.5000001},
		{"whole line, float64", ufunc.Vectorize(func(x float64) float64 {
			return 3 * x
		}, ufunc.Float64, 1), -math.MaxFloat64, math.MaxFloat64, 0.5000001},
		{"negative domain", ufunc.Vectorize(tanh32, ufunc.Float32, 1, ufunc.Domain(-2, -1)), -2, -1, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			curve, err := c.kernel.Kernel().Errors(t.Context(), 50)
			if err != nil || len(curve) != 50 {
				t.Fatal(len(curve), err)
			}
			if curve[0].Lo != c.lo || curve[49].Hi != c.hi {
				t.Errorf("from %v to %v", curve[0].Lo, curve[49].Hi)
			}
			for i, b := range curve {
				if !(b.Lo < b.Hi) || i > 0 && b.Lo != curve[i-1].Hi {
					t.Errorf("bucket %d: %+v", i, b)
				}
				if b.Kernel > c.most || b.Written > 1 {
					t.Errorf("bucket %d: %+v", i, b)
				}
			}
		})
	}
	two := ufunc.Vectorize(func(x, y float32) float32 { return x * y }, ufunc.Float32, 1)
	if _, err := two.Kernel().Errors(t.Context(), 50); !errors.Is(err, ufunc.ErrSweep) {
		t.Error(err)
	}
}
