package operand

import (
	"errors"
	"math"
	"math/big"
	"testing"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// elements reads an operand through its loops.
func elements(o Operand) []float64 {
	list := make([]float64, o.len())
	if o.isScalar() {
		o.base = unsafe.Pointer(&o.value)
	}
	if len(list) == 0 {
		return list
	}
	for i := range list {
		off, _ := o.offset(i)
		if o.dtype == ir.Float32 {
			list[i] = float64(*(*float32)(unsafe.Add(o.base, off)))
		} else {
			list[i] = *(*float64)(unsafe.Add(o.base, off))
		}
	}
	return list
}

func ramp[T float32 | float64](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(i)
	}
	return s
}

func TestDescribe(t *testing.T) {
	f32, f64 := ramp[float32](12), ramp[float64](12)
	dense := mat.NewDense(3, 4, f64)
	for _, c := range []struct {
		name  string
		value any
		dtype ir.Type
		text  string
		shape []int
		want  []float64
	}{
		{"slice", f32[1:4], ir.Float32, "[]float32, length 3", []int{3}, []float64{1, 2, 3}},
		{"slice of float64", f64[1:4], ir.Float64, "[]float64, length 3", []int{3}, []float64{1, 2, 3}},
		{"empty slice", []float32{}, ir.Float32, "[]float32, length 0", []int{0}, []float64{}},
		{"nil slice", []float64(nil), ir.Float64, "[]float64, length 0", []int{0}, []float64{}},
		{"vector", blas32.Vector{N: 3, Inc: 2, Data: f32[1:6]}, ir.Float32, "blas32.Vector, length 3", []int{3}, []float64{1, 3, 5}},
		{"vector backwards", blas64.Vector{N: 3, Inc: -2, Data: f64[1:6]}, ir.Float64, "blas64.Vector, length 3", []int{3}, []float64{5, 3, 1}},
		{"vector of one", blas32.Vector{N: 1, Inc: -7, Data: f32[2:3]}, ir.Float32, "blas32.Vector, length 1", []int{1}, []float64{2}},
		{"vector of one without Inc", blas32.Vector{N: 1, Data: f32}, ir.Float32, "blas32.Vector, length 1", []int{1}, []float64{0}},
		{"zero vector", blas32.Vector{}, ir.Float32, "blas32.Vector, length 0", []int{0}, []float64{}},
		{"padded matrix", blas32.General{Rows: 3, Cols: 2, Stride: 5, Data: f32[:12]}, ir.Float32, "blas32.General, 3x2", []int{3, 2}, []float64{0, 1, 5, 6, 10, 11}},
		{"matrix of float64", blas64.General{Rows: 2, Cols: 2, Stride: 2, Data: f64[4:8]}, ir.Float64, "blas64.General, 2x2", []int{2, 2}, []float64{4, 5, 6, 7}},
		{"matrix without columns", blas32.General{Rows: 3}, ir.Float32, "blas32.General, 3x0", []int{3, 0}, []float64{}},
		{"dense", dense, ir.Float64, "*mat.Dense, 3x4", []int{3, 4}, f64},
		{"window of a dense", dense.Slice(1, 3, 2, 4), ir.Float64, "*mat.Dense, 2x2", []int{2, 2}, []float64{6, 7, 10, 11}},
		{"empty dense", new(mat.Dense), ir.Float64, "*mat.Dense, 0x0", []int{0, 0}, []float64{}},
		{"column of a dense", dense.ColView(1), ir.Float64, "*mat.VecDense, length 3", []int{3}, []float64{1, 5, 9}},
		{"empty VecDense", new(mat.VecDense), ir.Float64, "*mat.VecDense, length 0", []int{0}, []float64{}},
		{"float32", float32(0.1), ir.Float32, "float32", []int{}, []float64{float64(float32(0.1))}},
		{"float64", math.Pi, ir.Float64, "float64", []int{}, []float64{math.Pi}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := Describe(c.value, false)
			if err != nil {
				t.Fatal(err)
			}
			if o.DType() != c.dtype {
				t.Errorf("type %v, want %v", o.DType(), c.dtype)
			}
			if got := o.String(); got != c.text {
				t.Errorf("text %q, want %q", got, c.text)
			}
			if diff := cmp.Diff(c.shape, append([]int{}, o.Shape()...)); diff != "" {
				t.Errorf("shape: %s", diff)
			}
			if diff := cmp.Diff(c.want, elements(o)); diff != "" {
				t.Errorf("elements: %s", diff)
			}
			if len(c.shape) > 0 {
				if _, err := Describe(c.value, true); err != nil {
					t.Errorf("as output: %v", err)
				}
			}
		})
	}
}

func TestDescribeErrors(t *testing.T) {
	type celsius float32
	type series []float64
	data := make([]float32, 12)
	bytes := make([]byte, 40)
	odd := unsafe.Slice((*float32)(unsafe.Pointer(&bytes[1])), 4)
	var nilDense *mat.Dense
	var nilVec *mat.VecDense
	for _, c := range []struct {
		name   string
		value  any
		output bool
		kind   error
		text   string
	}{
		{"nil", nil, false, ErrOperand, "input is nil"},
		{"nil dense", nilDense, true, ErrOperand, "output is a nil *mat.Dense"},
		{"nil VecDense", nilVec, false, ErrOperand, "input is a nil *mat.VecDense"},
		{"nil pointer", (*float32)(nil), false, ErrOperand, "input is a nil *float32"},
		{"untyped integer", 2, false, ErrOperand, "input is the int 2; write float32(2) or float64(2)"},
		{"defined scalar", celsius(2.5), false, ErrOperand, "input is the operand.celsius 2.5; write float32(2.5) or float64(2.5)"},
		{"defined slice", series{1}, false, ErrOperand, "input is a operand.series; give a slice of numbers or bools, " +
			"a blas32 or blas64 Vector or General, a *mat.VecDense or *mat.Dense, a ufunc.Array, or a scalar input"},
		{"scalar output", float32(1), true, ErrOperand, "output is a float32; only memory can be written"},
		{"misaligned", odd, false, ErrOperand, "input ([]float32, length 4) is not aligned to 4 bytes"},
		{"negative N", blas32.Vector{N: -1, Inc: 1, Data: data}, false, ErrShape, "input (blas32.Vector, length -1) has a negative size"},
		{"no Inc", blas32.Vector{N: 3, Data: data}, false, ErrShape,
			"input (blas32.Vector, length 3) has Inc 0; give a scalar to broadcast one value"},
		{"no Inc in an output", blas32.Vector{N: 3, Data: data}, true, ErrOverlap,
			"output (blas32.Vector, length 3) with stride 0 holds an element twice"},
		{"vector too long", blas32.Vector{N: 7, Inc: 2, Data: data}, false, ErrShape,
			"input (blas32.Vector, length 7) with stride 2 does not fit in its data, which has length 12"},
		{"backward vector too long", blas32.Vector{N: 7, Inc: -2, Data: data}, true, ErrShape,
			"output (blas32.Vector, length 7) with stride -2 does not fit in its data, which has length 12"},
		{"vector without data", blas32.Vector{N: 1, Inc: 1}, false, ErrShape,
			"input (blas32.Vector, length 1) with stride 1 does not fit in its data, which has length 0"},
		{"negative rows", blas32.General{Rows: -1, Cols: 2, Stride: 2, Data: data}, false, ErrShape, "input (blas32.General, -1x2) has a negative size"},
		{"negative columns", blas32.General{Rows: 1, Cols: -2, Stride: 2, Data: data}, false, ErrShape, "input (blas32.General, 1x-2) has a negative size"},
		{"rows that overlap", blas32.General{Rows: 3, Cols: 2, Stride: 1, Data: data}, true, ErrShape,
			"output (blas32.General, 3x2) has Stride 1, less than a row"},
		{"last row cut", blas32.General{Rows: 3, Cols: 2, Stride: 5, Data: data[:11]}, false, ErrShape,
			"input (blas32.General, 3x2) with stride (5, 1) does not fit in its data, which has length 11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Describe(c.value, c.output)
			checkError(t, err, c.kind, c.text)
		})
	}
}

func checkError(t *testing.T, err, kind error, text string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("error %v, want one of %v", err, kind)
	}
	if diff := cmp.Diff(kind.Error()+": "+text, err.Error()); diff != "" {
		t.Errorf("message: %s", diff)
	}
}

func TestViewErrors(t *testing.T) {
	data := make([]float64, 12)
	nine := make([]int, 9)
	for _, c := range []struct {
		name          string
		offset        int
		shape, stride []int
		text          string
	}{
		{"sizes and strides", 0, []int{1, 2}, []int{1}, "input (view) has 2 sizes and 1 strides; both must be the same number, at most 8"},
		{"too many dimensions", 0, nine, nine, "input (view) has 9 sizes and 9 strides; both must be the same number, at most 8"},
		{"offset before the data", -1, []int{1}, []int{1}, "input (view, length 1) with stride 1 does not fit in its data, which has length 12"},
		{"offset after the data", 12, nil, nil, "input (view) with stride () does not fit in its data, which has length 12"},
		{"below", 3, []int{2, 3}, []int{-2, -1}, "input (view, 2x3) with stride (-2, -1) does not fit in its data, which has length 12"},
		{"above", 8, []int{2, 3}, []int{2, 1}, "input (view, 2x3) with stride (2, 1) does not fit in its data, which has length 12"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := View(data, c.offset, c.shape, c.stride, false)
			checkError(t, err, ErrShape, c.text)
		})
	}
}

// FuzzVector checks acceptance against gonum's condition in exact arithmetic, and
// the place of the elements against gonum's own loops.
func FuzzVector(f *testing.F) {
	extreme := []int{0, 1, -1, 2, -3, 5, math.MaxInt, math.MinInt, math.MaxInt/4 + 2, math.MinInt / 2}
	for _, n := range extreme {
		for _, inc := range extreme {
			f.Add(n, inc, uint8(11))
		}
	}
	for n := range 6 {
		for inc := -4; inc <= 4; inc++ {
			f.Add(n, inc, uint8(9))
			f.Add(n, inc, uint8(0))
		}
	}
	f.Fuzz(func(t *testing.T, n, inc int, length uint8) {
		data := ramp[float32](int(length))
		span := new(big.Int).Mul(big.NewInt(int64(n)-1), new(big.Int).Abs(big.NewInt(int64(inc))))
		fits := n == 0 || n == 1 && length > 0 || n > 1 && inc != 0 && span.Cmp(big.NewInt(int64(length))) < 0
		for _, output := range []bool{false, true} {
			o, err := Describe(blas32.Vector{N: n, Inc: inc, Data: data}, output)
			if (err == nil) != fits {
				t.Fatalf("N %d, Inc %d, length %d: %v", n, inc, length, err)
			}
			if err != nil || n == 0 {
				continue
			}
			want := make([]float32, n)
			if n == 1 {
				inc = 1
			}
			blas32.Copy(blas32.Vector{N: n, Inc: inc, Data: data}, blas32.Vector{N: n, Inc: 1, Data: want})
			for i, v := range elements(o) {
				if v != float64(want[i]) {
					t.Fatalf("N %d, Inc %d: element %d is %v, want %v", n, inc, i, v, want[i])
				}
			}
		}
	})
}

// FuzzGeneral checks that matrices are accepted if and only if their last element
// lies in the data, in exact arithmetic.
func FuzzGeneral(f *testing.F) {
	extreme := []int{0, 1, -1, 2, 3, 5, math.MaxInt, math.MinInt, math.MaxInt/4 + 2}
	for _, rows := range extreme {
		for _, cols := range extreme {
			for _, stride := range extreme {
				f.Add(rows, cols, stride, uint8(12))
			}
		}
	}
	f.Fuzz(func(t *testing.T, rows, cols, stride int, length uint8) {
		last := new(big.Int).Mul(big.NewInt(int64(rows)-1), big.NewInt(int64(stride)))
		last.Add(last, big.NewInt(int64(cols)-1))
		fits := rows >= 0 && cols >= 0 && stride >= cols &&
			(rows == 0 || cols == 0 || rows == 1 && cols <= int(length) || rows > 1 && last.Cmp(big.NewInt(int64(length))) < 0)
		data := ramp[float64](int(length))
		o, err := Describe(blas64.General{Rows: rows, Cols: cols, Stride: stride, Data: data}, true)
		if (err == nil) != fits {
			t.Fatalf("%dx%d, Stride %d, length %d: %v", rows, cols, stride, length, err)
		}
		if err != nil || rows == 0 || cols == 0 {
			return
		}
		for i, v := range elements(o) {
			if want := float64(i/cols*stride + i%cols); v != want {
				t.Fatalf("%dx%d, Stride %d: element %d is %v, want %v", rows, cols, stride, i, v, want)
			}
		}
	})
}
