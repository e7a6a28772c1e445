package ufunc_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

func softmax(x ufunc.Value) ufunc.Value {
	e := x.Sub(x.RowMax()).Exp()
	return e.Div(e.RowSum())
}

func logSoftmax(x ufunc.Value) ufunc.Value {
	y := x.Sub(x.RowMax())
	return y.Sub(y.Exp().RowSum().Log())
}

func layerNorm(x, gain, bias ufunc.Value) ufunc.Value {
	centred := x.Sub(x.RowMean())
	scale := centred.Mul(centred).RowMean().Add(ufunc.Const(1e-5)).Sqrt()
	return centred.Div(scale).Mul(gain).Add(bias)
}

func rmsNorm(x, gain ufunc.Value) ufunc.Value {
	return x.Div(x.Mul(x).RowMean().Add(ufunc.Const(1e-5)).Sqrt()).Mul(gain)
}

// rowTwins are the functions in float64, one row at a time.
var rowTwins = []struct {
	name   string
	fn     any
	inputs int
	twin   func(row [][]float64) []float64
}{
	{"softmax", softmax, 1, func(in [][]float64) []float64 {
		most, sum, out := math.Inf(-1), 0., make([]float64, len(in[0]))
		for _, x := range in[0] {
			most = max(most, x)
		}
		for i, x := range in[0] {
			out[i] = math.Exp(x - most)
			sum += out[i]
		}
		for i := range out {
			out[i] /= sum
		}
		return out
	}},
	{"log softmax", logSoftmax, 1, func(in [][]float64) []float64 {
		most, sum, out := math.Inf(-1), 0., make([]float64, len(in[0]))
		for _, x := range in[0] {
			most = max(most, x)
		}
		for _, x := range in[0] {
			sum += math.Exp(x - most)
		}
		for i, x := range in[0] {
			out[i] = x - most - math.Log(sum)
		}
		return out
	}},
	{"layer norm", layerNorm, 3, func(in [][]float64) []float64 {
		mean, square, out := 0., 0., make([]float64, len(in[0]))
		for _, x := range in[0] {
			mean += x / float64(len(in[0]))
		}
		for _, x := range in[0] {
			square += (x - mean) * (x - mean) / float64(len(in[0]))
		}
		for i, x := range in[0] {
			out[i] = (x-mean)/math.Sqrt(square+1e-5)*in[1][i] + in[2][i]
		}
		return out
	}},
	{"RMS norm", rmsNorm, 2, func(in [][]float64) []float64 {
		square, out := 0., make([]float64, len(in[0]))
		for _, x := range in[0] {
			square += x * x / float64(len(in[0]))
		}
		for i, x := range in[0] {
			out[i] = x / math.Sqrt(square+1e-5) * in[1][i]
		}
		return out
	}},
}

// Kernels over rows are their twins, the same bits natively and interpreted, whatever the strides.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, test := range rowTwins {
		t.Run(test.name, func(t *testing.T) {
			clang := os.Getenv("YOLK_CLANG")
			compiled, err := ufunc.CompileRows(context.Background(), test.fn, ufunc.Float32)
			if err != nil {
				t.Fatal(err)
			}
			if name, why := compiled.Executor(); name != "native" && os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
				t.Fatalf("%s runs it: %s", name, why)
			}
			t.Setenv("YOLK_CLANG", "off")
			interpreted, err := ufunc.CompileRows(context.Background(), test.fn, ufunc.Float32)
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("YOLK_CLANG", clang)
			for _, n := range []int{1, 2, 15, 16, 17, 63, 64, 65, 100, 200, 1000} {
				const rows = 3
				values := make([]float32, rows*n)
				for i := range values {
					values[i] = float32(r.NormFloat64() * 3)
				}
				gain, bias := make([]float32, n), make([]float32, n)
				for i := range gain {
					gain[i], bias[i] = float32(1+r.Float64()), float32(r.NormFloat64())
				}
				out, same := make([]float32, rows*n), make([]float32, rows*n)
				x := ufunc.NewArray(values, rows, n)
				operands := []any{x, gain, bias}[:test.inputs:test.inputs]
				if err := compiled.Call(append(operands, ufunc.NewArray(out, rows, n))...); err != nil {
					t.Fatal(err)
				}
				if err := interpreted.Call(append(operands, ufunc.NewArray(same, rows, n))...); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(same, out); diff != "" {
					t.Fatalf("rows of %d (-interpreted +native):\n%s", n, diff)
				}
				// Columns in memory, into every second column.
				turned := make([]float32, rows*n)
				for i := range rows {
					for j := range n {
						turned[j*rows+i] = values[i*n+j]
					}
				}
				wide := make([]float32, 2*rows*n)
				operands[0] = ufunc.NewArray(turned, n, rows).Transpose()
				if err := compiled.Call(append(operands, ufunc.NewArray(wide, rows, 2*n).Slice(1, 0, 2*n, 2))...); err != nil {
					t.Fatal(err)
				}
				for i, y := range out {
					if wide[2*i] != y || wide[2*i+1] != 0 {
						t.Fatalf("rows of %d: with strides element %d is %g, %g", n, i, wide[2*i], y)
					}
				}
				// In place.
				operands[0] = x
				if err := compiled.Call(append(operands, x)...); err != nil {
					t.Fatal(err)
				}
				for i := range rows {
					in := [][]float64{nil, nil, nil}
					for j := range n {
						in[1], in[2] = append(in[1], float64(gain[j])), append(in[2], float64(bias[j]))
					}
					for j := range n {
						in[0] = append(in[0], float64(turned[j*rows+i]))
					}
					for j, want := range test.twin(in) {
						got := float64(out[i*n+j])
						if math.Abs(got-want) > 4e-6*(1+math.Abs(want)) {
							t.Fatalf("rows of %d: element %d is %g, want %g", n, j, got, want)
						}
						if values[i*n+j] != out[i*n+j] {
							t.Fatalf("rows of %d: in place element %d is %g, want %g", n, j, values[i*n+j], out[i*n+j])
						}
					}
				}
			}
		})
	}
}

func TestRowsOperands(t *testing.T) {
	f := ufunc.VectorizeRows(softmax, ufunc.Float32)
	padded := blas32.General{Rows: 2, Cols: 3, Stride: 5, Data: []float32{1, 1, 1, 9, 9, 0, 0, 0}}
	f(padded, padded)
	third := padded.Data[0]
	if math.Abs(float64(third)-1./3) > 1e-6 {
		t.Errorf("softmax of equal numbers is %g", third)
	}
	if diff := cmp.Diff([]float32{third, third, third, 9, 9, third, third, third}, padded.Data); diff != "" {
		t.Error(diff)
	}
	f([]float32{}, []float32{})
	nan := []float32{1, float32(math.NaN()), 2}
	f(nan, nan)
	for i, x := range nan {
		if x == x {
			t.Errorf("element %d of a row with NaN is %g", i, x)
		}
	}
	k, err := ufunc.CompileRows(context.Background(), softmax, ufunc.Float32)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		operands []any
		want     error
	}{
		{[]any{[]float32{1, 2}, []float32{1}}, ufunc.ErrShape},
		{[]any{[]float64{1}, []float32{1}}, ufunc.ErrDType},
		{[]any{[]float32{1}}, ufunc.ErrCount},
		{[]any{float32(1), float32(1)}, ufunc.ErrOperand},
	} {
		if err := k.Call(test.operands...); !errors.Is(err, test.want) {
			t.Errorf("%v: %v, want %v", test.operands, err, test.want)
		}
	}
	if _, err := ufunc.Compile(context.Background(), softmax, ufunc.Float32, 1); !errors.Is(err, ufunc.ErrTrace) {
		t.Errorf("RowMax in a kernel of elements: %v", err)
	}
	if _, err := ufunc.CompileRows(context.Background(), softmax, ufunc.Int32); !errors.Is(err, ufunc.ErrTrace) {
		t.Errorf("rows of integers: %v", err)
	}
}
