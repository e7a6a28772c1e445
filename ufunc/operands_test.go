package ufunc_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/go-yolk/yolk/ufunc"
)

func difference[T ufunc.Float](x, y T) T { return x - y }

// view is a matrix in one of the kinds of memory that kernels take; at(i, j) is one of its elements.
type view[T ufunc.Number] struct {
	name    string
	operand any
	rows    int // 0: of one dimension
	cols    int
	at      func(i, j int) *T
	memory  []T // all of it
}

// views makes every kind of operand with rows x cols elements (rows 0: cols elements) and numbers other memory from -1000 down.
func views(rng *rand.Rand, rows, cols int) []view[float32] {
	fill := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = -1000 - float32(i)
		}
		return x
	}
	var all []view[float32]
	if rows == 0 {
		plain := fill(cols)
		all = append(all, view[float32]{"[]float32", plain, 0, cols, func(_, j int) *float32 { return &plain[j] }, plain})
		for _, inc := range []int{1, 2, 5, -1, -2, -4} {
			v := blas32.Vector{N: cols, Inc: inc, Data: fill(max(0, (cols-1)*max(inc, -inc)+1))}
			all = append(all, view[float32]{fmt.Sprint("blas32.Vector Inc ", inc), v, 0, cols, func(_, j int) *float32 { return &v.Data[at(v, j)] }, v.Data})
		}
		return all
	}
	for _, pad := range []int{0, 3} {
		stride := cols + pad
		length := 0
		if rows*cols > 0 {
			length = (rows-1)*stride + cols // exactly: the last row has no padding
		}
		g := blas32.General{Rows: rows, Cols: cols, Stride: stride, Data: fill(length)}
		all = append(all, view[float32]{fmt.Sprint("blas32.General padding ", pad), g, rows, cols,
			func(i, j int) *float32 { return &g.Data[i*stride+j] }, g.Data})
	}
	return all
}

// Every kind of operand in every role, with broadcasting, gives what the loop in Go gives and writes nothing else: no padding of a matrix, nor what
// lies between the elements of a vector (C52; TestCallsAtTheEdge has them at the ends of pages).
func TestOperandKinds(t *testing.T) {
	f := ufunc.Vectorize(difference[float32], ufunc.Float32, 2)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range []struct{ rows, cols int }{{0, 0}, {0, 1}, {0, 7}, {0, 40}, {1, 1}, {3, 5}, {5, 1}, {1, 9}, {4, 33}, {0, 130}} {
		for _, out := range views(rng, shape.rows, shape.cols) {
			inputs := views(rng, shape.rows, shape.cols)
			if shape.rows > 0 {
				inputs = append(inputs, views(rng, 1, shape.cols)...)
				inputs = append(inputs, views(rng, shape.rows, 1)...)
				inputs = append(inputs, views(rng, 0, shape.cols)...)
			}
			inputs = append(inputs, views(rng, 0, 1)...)
			constant := float32(2.5)
			inputs = append(inputs, view[float32]{"scalar", constant, 0, 1, func(_, _ int) *float32 { return &constant }, nil})
			for k, x := range inputs {
				y := inputs[(k*7+3)%len(inputs)]
				for _, in := range []view[float32]{x, y} {
					if in.name == "scalar" {
						continue
					}
					for i := range max(in.rows, 1) {
						for j := range in.cols {
							*in.at(i, j) = float32(rng.IntN(1000))
						}
					}
				}
				for i := range out.memory {
					out.memory[i] = -float32(i) - 1
				}
				f(x.operand, y.operand, out.operand)
				name := fmt.Sprintf("%dx%d: %s (%dx%d) - %s (%dx%d) -> %s", shape.rows, shape.cols, x.name, x.rows, x.cols, y.name, y.rows, y.cols, out.name)
				written := map[*float32]bool{}
				for i := range max(shape.rows, 1) {
					for j := range shape.cols {
						written[out.at(i, j)] = true
						want := *x.at(min(i, max(x.rows, 1)-1), min(j, x.cols-1)) - *y.at(min(i, max(y.rows, 1)-1), min(j, y.cols-1))
						if got := *out.at(i, j); got != want {
							t.Fatalf("%s: element %d, %d is %v, want %v", name, i, j, got, want)
						}
					}
				}
				for i := range out.memory {
					if !written[&out.memory[i]] && out.memory[i] != -float32(i)-1 {
						t.Fatalf("%s: padding %d was written", name, i)
					}
				}
			}
		}
	}
}

// The same kernel over float64, blas64 and package mat.
func TestOperandsOfFloat64(t *testing.T) {
	f := ufunc.Vectorize(difference[float64], ufunc.Float64, 2)
	x := []float64{1, 2, 3, 4, 5, 6}
	for _, test := range []struct {
		name    string
		in, in2 any
		out     any
		read    func(out any) []float64
		want    []float64
	}{
		{"slices", x, []float64{6, 5, 4, 3, 2, 1}, make([]float64, 6), func(o any) []float64 { return o.([]float64) }, []float64{-5, -3, -1, 1, 3, 5}},
		{"vectors", blas64.Vector{N: 3, Inc: -2, Data: x[:5]}, 1.0, blas64.Vector{N: 3, Inc: 2, Data: make([]float64, 5)},
			func(o any) []float64 { return o.(blas64.Vector).Data }, []float64{4, 0, 2, 0, 0}},
		{"matrices", blas64.General{Rows: 2, Cols: 2, Stride: 4, Data: x}, blas64.General{Rows: 2, Cols: 1, Stride: 1, Data: []float64{1, 10}},
			blas64.General{Rows: 2, Cols: 2, Stride: 3, Data: []float64{9, 9, 9, 9, 9}}, func(o any) []float64 { return o.(blas64.General).Data }, []float64{0, 1, 9, -5, -4}},
		{"VecDense", mat.NewVecDense(3, []float64{1, 2, 3}), mat.NewDense(3, 1, x[:3]).ColView(0), mat.NewVecDense(3, nil),
			func(o any) []float64 { return o.(*mat.VecDense).RawVector().Data }, []float64{0, 0, 0}},
		{"column of a matrix", mat.NewDense(3, 2, x).ColView(1), 0.0, make([]float64, 3), func(o any) []float64 { return o.([]float64) }, []float64{2, 4, 6}},
		{"Dense", mat.NewDense(2, 3, x), mat.NewVecDense(3, []float64{1, 2, 3}), mat.NewDense(2, 3, nil),
			func(o any) []float64 { return o.(*mat.Dense).RawMatrix().Data }, []float64{0, 0, 0, 3, 3, 3}},
		{"window of a Dense", mat.NewDense(2, 3, x).Slice(0, 2, 1, 3), 1.0, mat.NewDense(2, 2, nil),
			func(o any) []float64 { return o.(*mat.Dense).RawMatrix().Data }, []float64{1, 2, 4, 5}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f(test.in, test.in2, test.out)
			if got := test.read(test.out); fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// Several inputs and outputs of both types; every output is written, also where one is an input.
func TestSeveralOutputs(t *testing.T) {
	f := ufunc.Vectorize(func(x float32, y float64) (sum float64, diff float32, twice float64) {
		return float64(x) + y, x - float32(y), 2 * y
	}, ufunc.Float32, 1, ufunc.Domain(-1e6, 1e6))
	for _, n := range []int{0, 1, 2, 15, 16, 17, 64, 100, 5000} {
		x, y := make([]float32, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float32(i), float64(3*i)
		}
		sum, diff := make([]float64, n), make([]float32, n)
		f(x, y, sum, diff, y) // twice goes where y was
		for i := range x {
			if sum[i] != float64(4*i) || diff[i] != float32(-2*i) || y[i] != float64(6*i) {
				t.Fatalf("n = %d, element %d: %v %v %v", n, i, sum[i], diff[i], y[i])
			}
		}
		f(x, y, sum, x, y)
		for i := range x {
			if sum[i] != float64(7*i) || x[i] != float32(-5*i) || y[i] != float64(12*i) {
				t.Fatalf("in place, n = %d, element %d: %v %v %v", n, i, sum[i], x[i], y[i])
			}
		}
	}
}

// An output that is an input, in any kind of memory, is written in place.
func TestInPlace(t *testing.T) {
	f := ufunc.Vectorize(difference[float32], ufunc.Float32, 2)
	for _, n := range []int{1, 5, 16, 100} {
		for _, shape := range []int{0, 3} {
			for k := range views(rand.New(rand.NewPCG(1, 1)), shape, n) {
				for _, second := range []bool{false, true} {
					v := views(rand.New(rand.NewPCG(1, 1)), shape, n)[k]
					for i := range max(shape, 1) {
						for j := range n {
							*v.at(i, j) = float32(10*i + j)
						}
					}
					sign := float32(1)
					if second {
						f(float32(4), v.operand, v.operand)
						sign = -1
					} else {
						f(v.operand, float32(4), v.operand)
					}
					for i := range max(shape, 1) {
						for j := range n {
							if want := sign * (float32(10*i+j) - 4); *v.at(i, j) != want {
								t.Fatalf("%s, %dx%d, element %d, %d: %v, want %v", v.name, shape, n, i, j, *v.at(i, j), want)
							}
						}
					}
				}
			}
		}
	}
}

// What does not fit is an error of Call and the same error as a panic of the Func; it names kernel, operand and fault, and
// nothing is written.
func TestErrorsOfCalls(t *testing.T) {
	f := ufunc.Vectorize(difference[float32], ufunc.Float32, 1, ufunc.Name("minus"))
	three, four := []float32{1, 2, 3}, []float32{1, 2, 3, 4}
	out := []float32{7, 7, 7}
	for _, test := range []struct {
		name     string
		operands []any
		is       error
		text     string
	}{
		{"none", nil, ufunc.ErrCount, "0 given, but the kernel takes 3"},
		{"too few", []any{three, out}, ufunc.ErrCount, "2 given, but the kernel takes 3"},
		{"too many", []any{three, three, out, out}, ufunc.ErrCount, "4 given"},
		{"nil", []any{nil, three, out}, ufunc.ErrOperand, "input 1 is nil"},
		{"nil output", []any{three, three, nil}, ufunc.ErrOperand, "output 1 is nil"},
		{"nil matrix", []any{three, (*mat.VecDense)(nil), out}, ufunc.ErrOperand, "input 2 is a nil *mat.VecDense"},
		{"string", []any{three, "three", out}, ufunc.ErrOperand, "input 2 is a string"},
		{"int", []any{three, 3, out}, ufunc.ErrOperand, "write float32(3)"},
		{"array", []any{[3]float32{}, three, out}, ufunc.ErrOperand, "input 1 is a [3]float32"},
		{"pointer to a slice", []any{&three, three, out}, ufunc.ErrOperand, "input 1 is a *[]float32"},
		{"scalar output", []any{three, three, float32(1)}, ufunc.ErrOperand, "output 1 is a float32; only memory can be written"},
		{"float64 slice", []any{three, []float64{1, 2, 3}, out}, ufunc.ErrDType, "input 2 ([]float64, length 3) holds float64, but the kernel takes float32"},
		{"float64 scalar", []any{three, 2.0, out}, ufunc.ErrDType, "write float32(2)"},
		{"float64 output", []any{three, three, []float64{1, 2, 3}}, ufunc.ErrDType, "output 1"},
		{"longer input", []any{three, four, out}, ufunc.ErrShape, "input 1 ([]float32, length 3) and input 2 ([]float32, length 4) differ"},
		{"longer output", []any{three, three, four}, ufunc.ErrShape, "output 1 ([]float32, length 4)"},
		{"broadcast output", []any{three, three, out[:1]}, ufunc.ErrShape, "output 1 ([]float32, length 1) would have to be stretched"},
		{"empty output", []any{three, three, out[:0]}, ufunc.ErrShape, "output 1 ([]float32, length 0)"},
		{"empty input", []any{three[:0], three, out}, ufunc.ErrShape, "input 1 ([]float32, length 0)"},
		{"two dimensions", []any{blas32.General{Rows: 1, Cols: 3, Stride: 3, Data: three}, three, out}, ufunc.ErrShape, "2 dimensions, but the kernel walks 1"},
		{"short data", []any{blas32.Vector{N: 3, Inc: 2, Data: four}, three, out}, ufunc.ErrShape, "does not fit in its data, which has length 4"},
		{"short data, backwards", []any{blas32.Vector{N: 3, Inc: -2, Data: four}, three, out}, ufunc.ErrShape, "does not fit"},
		{"enormous stride", []any{blas32.Vector{N: 3, Inc: math.MaxInt, Data: four}, three, out}, ufunc.ErrShape, "does not fit"},
		{"enormous stride, backwards", []any{blas32.Vector{N: 3, Inc: math.MinInt, Data: four}, three, out}, ufunc.ErrShape, "does not fit"},
		{"enormous length", []any{blas32.Vector{N: math.MaxInt, Inc: 1, Data: four}, three, out}, ufunc.ErrShape, ""},
		{"negative length", []any{blas32.Vector{N: -1, Inc: 1, Data: four}, three, out}, ufunc.ErrShape, "negative size"},
		{"increment 0", []any{blas32.Vector{N: 3, Inc: 0, Data: four}, three, out}, ufunc.ErrShape, "Inc 0; give a scalar"},
		{"increment 0 of the output", []any{three, three, blas32.Vector{N: 3, Inc: 0, Data: out}}, ufunc.ErrOverlap, "holds an element twice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for how, err := range map[string]error{
				"Call": f.Kernel().Call(test.operands...),
				"Func": panicOf(t, func() { f(test.operands...) }),
			} {
				if !errors.Is(err, test.is) {
					t.Errorf("%s: %v, want %v", how, err, test.is)
				} else if !strings.HasPrefix(err.Error(), "minus: ") || !strings.Contains(err.Error(), test.text) {
					t.Errorf("%s: %q, want %q in it", how, err, test.text)
				}
			}
			if fmt.Sprint(out, three, four) != "[7 7 7] [1 2 3] [1 2 3 4]" {
				t.Errorf("memory was written: %v %v %v", out, three, four)
			}
		})
	}
	both := ufunc.Vectorize(func(x float32) (float32, float32) { return x + 1, x - 1 }, ufunc.Float32, 1)
	for name, outs := range map[string][2]any{
		"same":     {out, out},
		"shifted":  {four[:3], four[1:]},
		"crossing": {blas32.Vector{N: 3, Inc: 1, Data: four}, blas32.Vector{N: 3, Inc: -1, Data: four}},
	} {
		if err := both.Kernel().Call(three, outs[0], outs[1]); !errors.Is(err, ufunc.ErrOverlap) {
			t.Errorf("two outputs, %s: %v", name, err)
		}
	}
}

// Operands of length 0 are fine, whatever their kind (C48), and an empty dimension is never stretched.
func TestNothingToDo(t *testing.T) {
	f := ufunc.Vectorize(difference[float32], ufunc.Float32, 2)
	empty := func(rows, cols int) blas32.General {
		return blas32.General{Rows: rows, Cols: cols, Stride: max(cols, 1)}
	}
	row := blas32.General{Rows: 1, Cols: 5, Stride: 5, Data: make([]float32, 5)}
	column := blas32.General{Rows: 2, Cols: 1, Stride: 1, Data: make([]float32, 2)}
	for _, operands := range [][]any{
		{[]float32(nil), []float32{}, []float32(nil)},
		{[]float32(nil), float32(1), []float32{}},
		{blas32.Vector{}, blas32.Vector{Inc: -1}, blas32.Vector{Inc: 3}},
		{empty(0, 5), row, empty(0, 5)},
		{empty(5, 0), []float32{1}, empty(5, 0)},
		{blas32.General{Rows: 1, Cols: 0, Stride: 1}, column, empty(2, 0)},
		{blas32.General{}, blas32.General{}, blas32.General{}},
	} {
		if err := f.Kernel().Call(operands...); err != nil {
			t.Errorf("%v: %v", operands, err)
		}
	}
	for _, operands := range [][]any{
		{empty(0, 5), row, row},
		{[]float32(nil), []float32{1, 2}, []float32{1, 2}},
	} {
		if err := f.Kernel().Call(operands...); !errors.Is(err, ufunc.ErrShape) {
			t.Errorf("%v: %v, want ErrShape", operands, err)
		}
	}
	threads := runtime.NumGoroutine()
	parallel := ufunc.Vectorize(difference[float32], ufunc.Float32, 2, ufunc.Threads(0)).Kernel()
	typed := ufunc.Vectorize2[float32](difference[float32], ufunc.Threads(0))
	typed(nil, nil, nil)
	typed([]float32{}, nil, []float32{})
	array := func(shape ...int) ufunc.Array[float32] { return ufunc.NewArray([]float32{}, shape...) }
	five, pair := ufunc.NewArray(make([]float32, 5), 1, 5), ufunc.NewArray(make([]float32, 2), 2, 1)
	for _, operands := range [][]any{
		{array(0, 5), five, array(0, 5)},
		{array(5, 0), []float32{1}, array(5, 0)},
		{array(1, 0), pair, array(2, 0)},
		{array(0, 5), five, array(0, 5), ufunc.Mask(true)},
		{array(2, 0), pair, ufunc.Mask([]bool{}), array(2, 0)},
	} {
		if err := parallel.Call(operands...); err != nil {
			t.Errorf("%v: %v", operands, err)
		}
	}
	rows := ufunc.VectorizeRows(softmax, ufunc.Float32)
	rows(array(3, 0), array(3, 0))
	rows(array(0, 3), array(0, 3))
	if n := runtime.NumGoroutine(); n > threads {
		t.Errorf("calls with nothing to do have left %d goroutines", n-threads)
	}
	g := ufunc.Vectorize(difference[float64], ufunc.Float64, 2)
	if err := g.Kernel().Call(&mat.VecDense{}, &mat.Dense{}, &mat.Dense{}); err != nil {
		t.Errorf("empty matrices: %v", err)
	}
}
