package ufunc_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

func addValues(x, y ufunc.Value) ufunc.Value      { return x.Add(y) }
func multiplyValues(x, y ufunc.Value) ufunc.Value { return x.Mul(y) }

var (
	sum32 = ufunc.Vectorize(addValues, ufunc.Float32, 2, ufunc.WithIdentity(0))
	sum64 = ufunc.Vectorize(addValues, ufunc.Float64, 2, ufunc.WithIdentity(0))
	max32 = ufunc.Vectorize(func(x, y ufunc.Value) ufunc.Value { return x.Max(y) }, ufunc.Float32, 2)
	min32 = ufunc.Vectorize(func(x, y ufunc.Value) ufunc.Value { return x.Min(y) }, ufunc.Float32, 2)
)

// C31: sums and means of many numbers do not stick, those of rows neither.
func TestSumsDoNotStick(t *testing.T) {
	const n = 1 << 25
	data := make([]float32, n)
	for i := range data {
		data[i] = 1
	}
	out := make([]float32, 1)
	if err := sum32.Kernel().Reduce(data, out); err != nil || out[0] != n {
		t.Errorf("the sum of 2^25 ones is %g: %v", out[0], err)
	}
	two := make([]float32, 2)
	if err := sum32.Kernel().Reduce(ufunc.NewArray(append(data, data[:40_000_000-n]...), 20_000_000, 2), two, ufunc.Over(0)); err != nil || two[0] != 2e7 || two[1] != 2e7 {
		t.Errorf("the sums of two columns of 2*10^7 ones are %g: %v", two, err)
	}
	rows := ufunc.VectorizeRows(func(x ufunc.Value) (ufunc.Value, ufunc.Value) { return x.RowSum(), x.RowMean() }, ufunc.Float32)
	sums, means := make([]float32, n), make([]float32, n)
	if rows(data, sums, means); sums[0] != n || means[n-1] != 1 {
		t.Errorf("sum and mean of a row of 2^25 ones are %g and %g", sums[0], means[0])
	}
	third := data[:1_000_000]
	for i := range third {
		third[i] = 1. / 255
	}
	want := 1e6 * float64(third[0])
	if err := sum32.Kernel().Reduce(third, out); err != nil || math.Abs(float64(out[0])-want) > 1e-6*want {
		t.Errorf("the sum of a million times 1/255 is %g, want %g: %v", out[0], want, err)
	}
}

// C33: NaN comes out of max and min wherever it is, of rows too, and of two zeros the right one.
func TestExtremesOfNaN(t *testing.T) {
	rows := ufunc.VectorizeRows(func(x ufunc.Value) (ufunc.Value, ufunc.Value) { return x.RowMax(), x.RowMin() }, ufunc.Float32)
	for n := 1; n <= 70; n++ {
		for at := range n {
			data := make([]float32, n)
			for i := range data {
				data[i] = 1
			}
			data[at] = float32(math.NaN())
			most, least := make([]float32, n), make([]float32, n)
			if rows(data, most, least); most[0] == most[0] || least[0] == least[0] {
				t.Fatalf("the extremes of a row of %d ones and a NaN at %d are %g and %g", n-1, at, most[0], least[0])
			}
			out := make([]float32, 1)
			for _, f := range []ufunc.Func{max32, min32} {
				if err := f.Kernel().Reduce(data, out); err != nil || out[0] == out[0] {
					t.Fatalf("an extreme of %d ones and a NaN at %d is %g: %v", n-1, at, out[0], err)
				}
			}
		}
	}
	zeros, out := []float32{0, float32(math.Copysign(0, -1))}, make([]float32, 1)
	for range 2 {
		zeros[0], zeros[1] = zeros[1], zeros[0]
		if err := max32.Kernel().Reduce(zeros, out); err != nil || math.Signbit(float64(out[0])) {
			t.Errorf("max of %g is %g: %v", zeros, out[0], err)
		}
	}
}

// The result of a sum is a matter of its elements' order along the axis alone: not of strides, layout or threads.
func TestSumsAreReproducible(t *testing.T) {
	threaded := ufunc.Vectorize(addValues, ufunc.Float32, 2, ufunc.Threads(0))
	r := rand.New(rand.NewPCG(51, 52))
	const rows, n = 9, 10_001
	data := make([]float32, rows*n)
	for i := range data {
		data[i] = float32(math.Exp(20 * r.NormFloat64() / 3))
	}
	turned := make([]float32, 2*rows*n)
	for i := range rows {
		for j := range n {
			turned[2*(j*rows+i)] = data[i*n+j]
		}
	}
	want := make([]float32, rows)
	if err := sum32.Kernel().Reduce(ufunc.NewArray(data, rows, n), want, ufunc.Over(1)); err != nil {
		t.Fatal(err)
	}
	strided := ufunc.StridedArray(turned, 0, []int{rows, n}, []int{2, 2 * rows})
	for name, k := range map[string]*ufunc.Kernel{"one thread": sum32.Kernel(), "threads": threaded.Kernel()} {
		got := make([]float32, rows)
		if err := k.Reduce(strided, got, ufunc.Over(-1)); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			exact := 0.
			for j := range n {
				exact += float64(data[i*n+j])
			}
			if got[i] != want[i] || math.Abs(float64(got[i])-exact) > 16*0x1p-24*exact {
				t.Errorf("%s: row %d is %g with strides, %g without, %g exactly", name, i, got[i], want[i], exact)
			}
		}
	}
}

func TestMapReduce(t *testing.T) {
	product := ufunc.Vectorize(multiplyValues, ufunc.Float64, 2)
	r := rand.New(rand.NewPCG(53, 54))
	for _, n := range []int{0, 1, 5, 4096, 4097, 20_000} {
		const rows = 3
		x, y := make([]float64, rows*n), make([]float64, n)
		for i := range x {
			x[i] = float64(r.IntN(100))
		}
		for i := range y {
			y[i] = float64(r.IntN(100))
		}
		out := make([]float64, rows)
		if err := sum64.Kernel().MapReduce(product, []any{ufunc.NewArray(x, rows, n), y}, out); err != nil {
			t.Fatal(err)
		}
		for i, got := range out {
			want := 0.
			for j := range n {
				want += x[i*n+j] * y[j]
			}
			if got != want {
				t.Errorf("dot product %d of %d numbers is %g, want %g", i, n, got, want)
			}
		}
		if err := sum64.Kernel().MapReduce(product, []any{y, 2.}, out[:1]); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReduceErrors(t *testing.T) {
	out := make([]float32, 1)
	for _, test := range []struct {
		name string
		err  error
		want error
	}{
		{"axis", sum32.Kernel().Reduce([]float32{1}, out, ufunc.Over(1)), ufunc.ErrShape},
		{"axis twice", sum32.Kernel().Reduce([]float32{1}, out, ufunc.Over(0, -1)), ufunc.ErrShape},
		{"nothing", max32.Kernel().Reduce([]float32{}, out), ufunc.ErrShape},
		{"mask without identity", max32.Kernel().Reduce([]float32{1}, out, ufunc.Only([]bool{true})), ufunc.ErrShape},
		{"type", sum32.Kernel().Reduce([]float64{1}, out), ufunc.ErrDType},
		{"output", sum32.Kernel().Reduce([]float32{1}, make([]float32, 2)), ufunc.ErrShape},
		{"scalar output", sum32.Kernel().Reduce([]float32{1}, float32(1)), ufunc.ErrOperand},
		{"one input", ufunc.Vectorize(func(x ufunc.Value) ufunc.Value { return x }, ufunc.Float32, 1).Kernel().Reduce(out, out), ufunc.ErrUnsupported},
		{"index", sum32.Kernel().ReduceAt([]float32{1}, []int{1}, out, 0), ufunc.ErrShape},
		{"index below", sum32.Kernel().At(out, []int{-1}, float32(1)), ufunc.ErrShape},
		{"two masks", sum32.Kernel().Call(out, out, ufunc.Mask([]bool{true}), ufunc.Mask([]bool{true}), out), ufunc.ErrCount},
		{"mask of numbers", sum32.Kernel().Call(out, out, ufunc.Mask([]uint8{1}), out), ufunc.ErrDType},
	} {
		if !errors.Is(test.err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, test.err, test.want)
		}
	}
}
