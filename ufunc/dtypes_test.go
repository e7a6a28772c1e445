package ufunc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/ufunc"
)

func quotient32(x, y int32) (int32, int32) { return x / y, x % y }
func quotient64(x, y int64) (int64, int64) { return x / y, x % y }
func closer(x, y float32) bool             { return x*x < y*y || x == y }
func inRange(x int8) uint8                 { return uint8(x+3) & 0x7f }
func scaled(i int16, x float32) float32    { return float32(i) * 0.5 * x }
func bucket(x float64) int32               { return int32(x * 10) }
func logistic16(x float32) float32         { return 1 / (1 + ufunc.Exp(-x)) }
func sinAndCos(x float32) (float32, float32) {
	return ufunc.Sin(x), ufunc.Cos(x)
}
func gate(n uint8, x float32) (float32, bool) {
	y := ufunc.Tanh(x) + float32(n)
	return y, y > 1
}

// both makes a kernel that is compiled and one that is interpreted, whose target cannot be loaded.
func both(t *testing.T, fn any, dtype ufunc.DType) map[string]*ufunc.Kernel {
	t.Helper()
	kernels, clang := map[string]*ufunc.Kernel{}, os.Getenv("YOLK_CLANG")
	for _, name := range []string{"native", "interpreter"} {
		if name == "interpreter" {
			t.Setenv("YOLK_CLANG", "off")
		}
		k, err := ufunc.Compile(context.Background(), fn, dtype, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Report().Executor; (got == "interpreter") != (name == "interpreter") && os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
			t.Fatalf("%s runs on %s", name, got)
		}
		kernels[name] = k
	}
	t.Setenv("YOLK_CLANG", clang)
	return kernels
}

// C28: division by zero is an error of Call and a panic of Func, the least number by -1 wraps around.
func TestIntegerDivision(t *testing.T) {
	for name, k := range both(t, quotient32, ufunc.Int32) {
		x := []int32{7, -7, math.MinInt32, math.MinInt32, 5, 1 << 30}
		y := []int32{2, 2, -1, 1, -3, 3}
		q, r := make([]int32, len(x)), make([]int32, len(x))
		if err := k.Call(x, y, q, r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range x {
			if q[i] != x[i]/y[i] || r[i] != x[i]%y[i] {
				t.Errorf("%s: %d by %d is %d, %d", name, x[i], y[i], q[i], r[i])
			}
		}
		for i := range y {
			y[i] = 0
			if err := k.Call(x, y, q, r); !errors.Is(err, ufunc.ErrDivide) {
				t.Errorf("%s: a zero at %d: %v", name, i, err)
			}
			y[i] = 1
		}
		if err := k.Call(x[:0], y[:0], q[:0], r[:0]); err != nil {
			t.Errorf("%s: nothing: %v", name, err)
		}
	}
	f := ufunc.Vectorize(quotient64, ufunc.Int64, 1)
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, ufunc.ErrDivide) {
			t.Errorf("Func panics with %v", err)
		}
	}()
	f([]int64{1, math.MinInt64}, []int64{1, 0}, make([]int64, 2), make([]int64, 2))
}

// Kernels of mixed types are their Go functions, on every path.
func TestMixedTypes(t *testing.T) {
	const n = 133
	x, y, i16, i8, u8, x64 := make([]float32, n), make([]float32, n), make([]int16, n), make([]int8, n), make([]uint8, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float32(i%17-8), float32(i%13-6)
		i16[i], i8[i], u8[i], x64[i] = int16(i*257), int8(i), uint8(i*3), float64(i)*1.7-60
	}
	for name, k := range both(t, closer, ufunc.Float32) {
		out := make([]bool, n)
		if err := k.Call(x, y, out); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if out[i] != closer(x[i], y[i]) {
				t.Errorf("%s: closer(%g, %g) is %v", name, x[i], y[i], out[i])
			}
		}
	}
	for name, k := range both(t, inRange, ufunc.Int8) {
		out := make([]uint8, n)
		if err := k.Call(i8, out); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if out[i] != inRange(i8[i]) {
				t.Errorf("%s: inRange(%d) is %d", name, i8[i], out[i])
			}
		}
	}
	for name, k := range both(t, scaled, ufunc.Int16) {
		out := make([]float32, n)
		if err := k.Call(i16, x, out); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if out[i] != scaled(i16[i], x[i]) {
				t.Errorf("%s: scaled(%d, %g) is %g", name, i16[i], x[i], out[i])
			}
		}
	}
	for name, k := range both(t, bucket, ufunc.Float64) {
		out := make([]int32, n)
		if err := k.Call(x64, out); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if out[i] != bucket(x64[i]) {
				t.Errorf("%s: bucket(%g) is %d", name, x64[i], out[i])
			}
		}
	}
	for name, k := range both(t, gate, ufunc.Uint8) {
		out, above := make([]float32, n), make([]bool, n)
		if err := k.Call(u8, x, out, above); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want, _ := gate(u8[i], x[i])
			if math.Abs(float64(out[i]-want)) > 1e-6*math.Max(1, float64(want)) || above[i] != (out[i] > 1) {
				t.Errorf("%s: gate(%d, %g) is %g, %v", name, u8[i], x[i], out[i], above[i])
			}
		}
		if forms := k.Report().Forms; len(forms) == 0 {
			t.Errorf("%s: tanh of a mixed kernel has no form", name)
		}
	}
}

// A float32 function over half precision rounds once.
func TestStoredTypes(t *testing.T) {
	for name, k := range both(t, logistic16, ufunc.Float16) {
		in, out := make([]ufunc.F16, 1<<16), make([]ufunc.F16, 1<<16)
		for i := range in {
			in[i] = ufunc.F16(i)
		}
		if err := k.Call(in, out); err != nil {
			t.Fatal(err)
		}
		for i, x := range in {
			want := ufunc.ToF16(float32(1 / (1 + math.Exp(-float64(x.Float32())))))
			got := out[i]
			// 4 float32 ulp before the rounding may cross a tie.
			if a, b := got.Float32(), want.Float32(); a != b && !(a != a && b != b) && got != want+1 && got != want-1 {
				t.Fatalf("%s: sigmoid(%g) is %g, want %g", name, x.Float32(), a, b)
			}
		}
	}
	add := ufunc.Vectorize(func(x, y ufunc.Value) ufunc.Value { return x.Add(y) }, ufunc.BFloat16, 1)
	x, y := []ufunc.BF16{ufunc.ToBF16(1), ufunc.ToBF16(256)}, []ufunc.BF16{ufunc.ToBF16(2), ufunc.ToBF16(1)}
	add(x, y, x)
	if diff := cmp.Diff([]ufunc.BF16{ufunc.ToBF16(3), ufunc.ToBF16(256)}, x); diff != "" {
		t.Error(diff)
	}
}

// C15: an integer has no negative power; it is refused, not 0.
func TestIntegerPowers(t *testing.T) {
	for _, dtype := range []ufunc.DType{ufunc.Int32, ufunc.Int64} {
		for _, n := range []int{-1, -2, -3} {
			_, err := ufunc.Compile(context.Background(), func(x ufunc.Value) ufunc.Value { return x.Pow(n) }, dtype, 1)
			if want := fmt.Sprintf("an integer has no power of %d", n); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v, want %q", dtype, err, want)
			}
		}
	}
	cube := ufunc.Vectorize1[int32](func(x ufunc.Value) ufunc.Value { return x.Pow(3) })
	x := []int32{2, -3, 0, 1 << 20}
	cube(x, x)
	if diff := cmp.Diff([]int32{8, -27, 0, 0}, x); diff != "" {
		t.Error(diff)
	}
}

// What shows a kernel works for those that have more than floats, too, or says that it does not.
func TestShowingMixedKernels(t *testing.T) {
	for name, k := range map[string]*ufunc.Kernel{
		"quotient32": ufunc.Vectorize(quotient32, ufunc.Int32, 1).Kernel(),
		"closer":     ufunc.Vectorize(closer, ufunc.Float32, 1).Kernel(),
		"gate":       ufunc.Vectorize(gate, ufunc.Uint8, 1).Kernel(),
		"bucket":     ufunc.Vectorize(bucket, ufunc.Float64, 1).Kernel(),
		"half":       ufunc.Vectorize(logistic16, ufunc.Float16, 1).Kernel(),
	} {
		if r := k.Report(); r.Executor == "" || !strings.Contains(r.String(), "accuracy:") {
			t.Errorf("%s: %v", name, r)
		}
		if x, err := k.Explain(context.Background()); err != nil || len(x.Programs) == 0 {
			t.Errorf("%s: Explain: %v", name, err)
		}
		if _, err := k.Errors(context.Background(), 10); !errors.Is(err, ufunc.ErrSweep) {
			t.Errorf("%s: Errors: %v", name, err)
		}
		if _, err := k.Verify(context.Background(), ufunc.VerifyOptions{}); !errors.Is(err, ufunc.ErrSweep) {
			t.Errorf("%s: Verify: %v", name, err)
		}
	}
	k := ufunc.Vectorize(quotient32, ufunc.Int32, 1).Kernel()
	if err := k.Check([]int32{1}, []int32{1}); !errors.Is(err, ufunc.ErrUnsupported) {
		t.Errorf("Check: %v", err)
	}
}

// Kernels have up to 16 operands, and several outputs.
func TestManyOperands(t *testing.T) {
	sincos := ufunc.Vectorize(sinAndCos, ufunc.Float32, 1)
	x := []float32{0, 1, -2, 1e4, 3}
	sin, cos := make([]float32, len(x)), make([]float32, len(x))
	sincos(x, sin, cos)
	for i, x := range x {
		s, c := math.Sincos(float64(x))
		if math.Abs(float64(sin[i])-s) > 3e-7 || math.Abs(float64(cos[i])-c) > 3e-7 {
			t.Errorf("sine and cosine of %g are %g, %g", x, sin[i], cos[i])
		}
	}
	many := ufunc.Vectorize(func(a, b, c, d, e, f, g, h, i, j, k, l, m, n ufunc.Value) (ufunc.Value, ufunc.Value) {
		sum, product := a, a
		for _, v := range []ufunc.Value{b, c, d, e, f, g, h, i, j, k, l, m, n} {
			sum, product = sum.Add(v), product.Mul(v)
		}
		return sum, product
	}, ufunc.Int64, 1)
	operands := make([]any, 0, 16)
	sum, product := make([]int64, 37), make([]int64, 37)
	for i := range 14 {
		in := make([]int64, 37)
		for k := range in {
			in[k] = int64(i + k - 20)
		}
		operands = append(operands, in)
	}
	many(append(operands, sum, product)...)
	for k := range sum {
		wantSum, wantProduct := int64(0), int64(1)
		for i := range 14 {
			wantSum, wantProduct = wantSum+int64(i+k-20), wantProduct*int64(i+k-20)
		}
		if sum[k] != wantSum || product[k] != wantProduct {
			t.Errorf("element %d is %d, %d; want %d, %d", k, sum[k], product[k], wantSum, wantProduct)
		}
	}
}

func mixedSum(a float32, b int64, c float64, d int16, e float32, f uint8, g float64, h int64, i float32, j float32, k float64, l int32, m uint64, n float32, o float64) float64 {
	return float64(a) + float64(b) - c*float64(d) + float64(e)*float64(f) - g + float64(h)*float64(i) + float64(j) - k + float64(l)*float64(m) - float64(n)*o
}

// Many scalars of several types arrive where they belong, whichever of the operands is a slice (case C109).
func TestManyScalars(t *testing.T) {
	kernel := ufunc.Vectorize(mixedSum, ufunc.Float32, 1, ufunc.Strict())
	scalars := []any{float32(1.5), int64(-7), 2.25, int16(-300), float32(0.1), uint8(200), 1e-3, int64(1) << 40, float32(3), float32(-4),
		5.5, int32(-6), uint64(1) << 50, float32(7.25), -0.125}
	function := reflect.ValueOf(mixedSum)
	var args []reflect.Value
	for _, s := range scalars {
		args = append(args, reflect.ValueOf(s))
	}
	want := function.Call(args)[0].Float()
	for at := range scalars {
		operands := slices.Clone(scalars)
		column := reflect.MakeSlice(reflect.SliceOf(args[at].Type()), 19, 19)
		for i := range column.Len() {
			column.Index(i).Set(args[at])
		}
		operands[at] = column.Interface()
		out := make([]float64, column.Len())
		kernel(append(operands, out)...)
		for i, got := range out {
			if got != want {
				t.Fatalf("operand %d is a slice: element %d is %v, want %v", at, i, got, want)
			}
		}
	}
}

// One integer kernel, with a mask and without, and one over rows, called by many goroutines on memory of their own.
func TestMixedCallsTogether(t *testing.T) {
	divide := ufunc.Vectorize(func(x, y ufunc.Value) ufunc.Value { return x.Div(y) }, ufunc.Int16, 1)
	rows := ufunc.VectorizeRows(func(x ufunc.Value) ufunc.Value { return x.Sub(x.RowSum()) }, ufunc.Float32)
	together(t, func(g int) error {
		n := 1 + 5*g
		x, y, out, chosen, row := make([]int16, n), make([]int16, n), make([]int16, n), make([]bool, n), make([]float32, n)
		for i := range n {
			x[i], y[i], chosen[i], row[i] = int16(100*g+i), int16(i%7), i%7 != 0, float32(i)
		}
		if err := divide.Kernel().Call(x, y, out); !errors.Is(err, ufunc.ErrDivide) {
			return fmt.Errorf("%d elements by zero: %v", n, err)
		}
		clear(out)
		divide(x, y, out, ufunc.Mask(chosen))
		rows(row, row)
		for i := range n {
			want := int16(0)
			if chosen[i] {
				want = x[i] / y[i]
			}
			if sum := float32(n*(n-1)) / 2; out[i] != want || row[i] != float32(i)-sum {
				return fmt.Errorf("element %d of %d is %d and %g, want %d and %g", i, n, out[i], row[i], want, float32(i)-sum)
			}
		}
		return nil
	})
}
