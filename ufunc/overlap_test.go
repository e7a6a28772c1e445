package ufunc_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

// A mask may be one of the outputs: it says what is computed, as it was before the call.
func TestMaskIsAnOutput(t *testing.T) {
	f := ufunc.Vectorize(pairOf, ufunc.Int16, 1, ufunc.Domain(-100, 100))
	const n = 40
	for _, step := range []int{1, 2, -1} { // strided outputs are stored after contiguous ones
		x, y := make([]int16, n), make([]float32, n)
		mask, want := make([]bool, n), make([]bool, n)
		sums := make([]float32, n)
		for i := range n {
			x[i], mask[i] = int16(i), i%3 != 0
			y[i] = 20
			if want[i] = mask[i]; mask[i] {
				sums[i], want[i] = float32(i+20), i < 20
			}
		}
		out := blas32.Vector{N: n, Inc: step, Data: make([]float32, (n-1)*max(step, -step)+1)}
		f(x, y, out, mask, ufunc.Mask(mask))
		for i, sum := range sums {
			if got := out.Data[at(out, i)]; got != sum {
				t.Errorf("step %d: element %d is %g, want %g", step, i, got, sum)
			}
		}
		if diff := cmp.Diff(want, mask); diff != "" {
			t.Errorf("step %d, the mask (-want +got):\n%s", step, diff)
		}
	}
}

// The results of ReduceAt may lie in what they are reduced from.
func TestReduceAtInPlace(t *testing.T) {
	x := []float32{1, 2, 4, 8, 16, 32}
	if err := sum32.Kernel().ReduceAt(x, []int{0, 2, 4}, x[1:4], 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float32{1, 3, 12, 48, 16, 32}, x); diff != "" {
		t.Error(diff)
	}
}

// A scalar may be either side of Outer.
func TestOuterOfScalars(t *testing.T) {
	for name, operands := range map[string][2]any{"first": {float32(3), []float32{1, 2}}, "second": {[]float32{1, 2}, float32(3)}} {
		out := make([]float32, 2)
		if err := sum32.Kernel().Outer(operands[0], operands[1], out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff([]float32{4, 5}, out); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// C50: what a mask leaves out is untouched, after any number of calls; a call without an output is refused.
func TestMaskedOut(t *testing.T) {
	f := ufunc.Vectorize(func(x ufunc.Value) ufunc.Value { return x.Add(ufunc.Const(1)) }, ufunc.Float32, 1).Kernel()
	const n = 77
	x, mask := make([]float32, n), make([]bool, n)
	for i := range x {
		x[i], mask[i] = float32(i), i%5 < 2
	}
	var garbage [][]float32
	for round := range 1000 {
		if garbage = append(garbage, make([]float32, n)); len(garbage) > 20 {
			garbage = nil
		}
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(-round - i)
		}
		if err := f.Call(x, ufunc.Mask(mask), out); err != nil {
			t.Fatal(err)
		}
		for i, got := range out {
			want := float32(-round - i)
			if mask[i] {
				want = x[i] + 1
			}
			if got != want {
				t.Fatalf("round %d, element %d: %g, want %g", round, i, got, want)
			}
		}
	}
	if err := f.Call(x, ufunc.Mask(mask)); !errors.Is(err, ufunc.ErrCount) {
		t.Errorf("without an output: %v", err)
	}
}
