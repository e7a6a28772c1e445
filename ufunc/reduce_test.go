package ufunc_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	if rows(third, sums[:len(third)], means[:len(third)]); math.Abs(float64(sums[0])-want) > 1e-6*want || math.Abs(float64(means[0])-want/1e6) > 1e-12*want {
		t.Errorf("sum and mean of a row of a million times 1/255 are %g and %g, want %g and %g", sums[0], means[0], want, want/1e6)
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

// foldedAs folds float32s in the order that Reduce states.
func foldedAs(op func(x, y float32) float32, x []float32) float32 {
	const partials, block = 64, 1024
	for len(x) > 1 {
		var results []float32
		for b := range slices.Chunk(x, block) {
			parts := slices.Clone(b[:min(partials, len(b))])
			for i := partials; i < len(b); i++ {
				parts[i%partials] = op(parts[i%partials], b[i])
			}
			for half := partials / 2; half > 0; half /= 2 {
				for i := half; i < len(parts); i++ {
					parts[i-half] = op(parts[i-half], parts[i])
				}
				parts = parts[:min(half, len(parts))]
			}
			results = append(results, parts[0])
		}
		x = results
	}
	return x[0]
}

// The order of folding is the stated one, bit for bit, natively and interpreted, along every axis, whatever the strides, and for what is mapped first.
func TestOrderOfFolding(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	twice := ufunc.Vectorize(func(x ufunc.Value) ufunc.Value { return x.Add(x) }, ufunc.Float32, 4)
	for name, test := range map[string]struct {
		fn any
		op func(x, y float32) float32
	}{
		"sum":     {addValues, func(x, y float32) float32 { return x + y }},
		"product": {multiplyValues, func(x, y float32) float32 { return x * y }},
		"max":     {func(x, y ufunc.Value) ufunc.Value { return y.Max(x) }, func(x, y float32) float32 { return max(x, y) }},
	} {
		kernels := executors(test.fn, ufunc.Float32)
		for _, n := range []int{1, 2, 3, 31, 63, 64, 65, 100, 127, 128, 129, 200, 1000, 1023, 1024, 1025, 1500, 2048, 4095, 4097, 5000, 70_000} {
			for _, rows := range []int{1, 3, 80} {
				if rows*n > 300_000 {
					continue
				}
				data, turned := make([]float32, rows*n), make([]float32, 2*rows*n)
				want, doubled := make([]float32, rows), make([]float32, rows)
				for i := range rows {
					row := data[i*n : (i+1)*n]
					mapped := make([]float32, n)
					for j := range row {
						row[j] = 1 + float32(r.NormFloat64())/64
						turned[2*(j*rows+i)], mapped[j] = row[j], 2*row[j]
					}
					want[i], doubled[i] = foldedAs(test.op, row), foldedAs(test.op, mapped)
				}
				for which, k := range kernels {
					check := func(what string, in any, axis int) {
						t.Helper()
						got := make([]float32, rows)
						out := any(got)
						if what == "in the middle" {
							out = ufunc.NewArray(got, 1, rows)
						}
						if err := k.Reduce(in, out, ufunc.Over(axis)); err != nil {
							t.Fatal(err)
						}
						if diff := cmp.Diff(want, got); diff != "" {
							t.Fatalf("%s of %d rows of %d, executor %d, %s (-want +got):\n%s", name, rows, n, which, what, diff)
						}
					}
					check("rows", ufunc.NewArray(data, rows, n), 1)
					check("backwards", ufunc.NewArray(data, rows, n).Slice(0, -1, -rows-1, -1).Slice(0, -1, -rows-1, -1), 1)
					check("columns", ufunc.StridedArray(turned, 0, []int{n, rows}, []int{2 * rows, 2}), 0)
					check("transposed", ufunc.NewArray(data, rows, n).Transpose(), 0)
					check("in the middle", ufunc.StridedArray(turned, 0, []int{1, n, rows}, []int{1, 2 * rows, 2}), 1)
					got := make([]float32, rows)
					if err := k.MapReduce(twice, []any{ufunc.NewArray(data, rows, n)}, got); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(doubled, got); diff != "" {
						t.Fatalf("%s of %d mapped rows of %d, executor %d (-want +got):\n%s", name, rows, n, which, diff)
					}
				}
			}
		}
	}
}

// Kernels that are no single operation keep the order of their operands.
func TestOrderOfOperands(t *testing.T) {
	last := ufunc.Vectorize(func(x, y ufunc.Value) ufunc.Value { return y.Add(x.Sub(x)) }, ufunc.Int32, 2).Kernel()
	for _, n := range []int{1, 2, 7, 64, 100, 5000} {
		x, out := make([]int32, n), make([]int32, 1)
		for i := range x {
			x[i] = int32(i)
		}
		if err := last.Reduce(x, out); err != nil || out[0] != int32(n-1) {
			t.Errorf("the last of %d elements is %d: %v", n, out[0], err)
		}
	}
}

// Integers of every size are folded with the identity of their type at the ends of rows.
func testFoldOfIntegers[T int8 | int16 | int64 | uint8 | uint32](t *testing.T, dtype ufunc.DType) {
	r := rand.New(rand.NewPCG(57, 58))
	for name, test := range map[string]struct {
		fn any
		op func(x, y T) T
	}{
		"sum":     {addValues, func(x, y T) T { return x + y }},
		"product": {multiplyValues, func(x, y T) T { return x * y }},
		"max":     {func(x, y ufunc.Value) ufunc.Value { return x.Max(y) }, func(x, y T) T { return max(x, y) }},
		"min":     {func(x, y ufunc.Value) ufunc.Value { return x.Min(y) }, func(x, y T) T { return min(x, y) }},
		"and":     {func(x, y ufunc.Value) ufunc.Value { return x.And(y) }, func(x, y T) T { return x & y }},
		"or":      {func(x, y ufunc.Value) ufunc.Value { return x.Or(y) }, func(x, y T) T { return x | y }},
		"xor":     {func(x, y ufunc.Value) ufunc.Value { return x.Xor(y) }, func(x, y T) T { return x ^ y }},
	} {
		if (name == "sum" || name == "or" || name == "xor") && dtype != ufunc.Int16 { // whose identity is 0 in every type
			continue
		}
		k := ufunc.Vectorize(test.fn, dtype, 1).Kernel()
		for _, n := range []int{1, 2, 5, 16, 31, 64, 65, 100, 255, 256, 257, 1000, 5000} {
			x, out := make([]T, n), make([]T, 1)
			for i := range x {
				x[i] = T(r.Uint64())
				if name != "sum" && name != "xor" && name != "product" { // neither 0 nor all ones at once
					x[i] = T(r.Uint64())&0x5f | T(r.Uint64()&r.Uint64())
				}
				if name == "product" {
					x[i] |= 1
				}
			}
			want := x[0]
			for _, y := range x[1:] {
				want = test.op(want, y)
			}
			if err := k.Reduce(x, out); err != nil || out[0] != want {
				t.Errorf("the %s of %d elements of %v is %d, want %d: %v", name, n, dtype, out[0], want, err)
			}
		}
	}
}

func TestFoldOfIntegers(t *testing.T) {
	testFoldOfIntegers[int8](t, ufunc.Int8)
	testFoldOfIntegers[int16](t, ufunc.Int16)
	testFoldOfIntegers[int64](t, ufunc.Int64)
	testFoldOfIntegers[uint8](t, ufunc.Uint8)
	testFoldOfIntegers[uint32](t, ufunc.Uint32)
}

// Stored floats are folded as float32 and rounded once: step by step a sum of ones would stick at 2048, or 256.
func TestFoldOfStoredFloats(t *testing.T) {
	const rows, n = 3, 10_000
	half := ufunc.Vectorize(addValues, ufunc.Float16, 2, ufunc.WithIdentity(0)).Kernel()
	brain := ufunc.Vectorize(addValues, ufunc.BFloat16, 2, ufunc.WithIdentity(0)).Kernel()
	same16 := ufunc.Vectorize(func(x ufunc.Value) ufunc.Value { return x }, ufunc.Float16, 2)
	x, y := make([]ufunc.F16, rows*n), make([]ufunc.BF16, rows*n)
	exact := [rows]float32{}
	for i := range x {
		v := float32(1)
		if i >= n {
			v = float32(i%7) / 8
		}
		exact[i/n] += v
		x[i], y[i] = ufunc.ToF16(v), ufunc.ToBF16(v)
	}
	a, b := ufunc.NewArray(x, rows, n), ufunc.NewArray(y, rows, n)
	for name, reduce := range map[string]func(out []ufunc.F16) error{
		"Reduce": func(out []ufunc.F16) error { return half.Reduce(a, out, ufunc.Over(1), ufunc.Initial(0)) },
		"Reduce, all": func(out []ufunc.F16) error {
			return half.Reduce(a, ufunc.NewArray(out, rows, 1), ufunc.Over(1), ufunc.KeepDims(), ufunc.Only(true))
		},
		"ReduceAt":  func(out []ufunc.F16) error { return half.ReduceAt(x, []int{0, n, 2 * n}, out, 0) },
		"MapReduce": func(out []ufunc.F16) error { return half.MapReduce(same16, []any{a}, out) },
	} {
		out := make([]ufunc.F16, rows)
		if err := reduce(out); err != nil {
			t.Fatal(err)
		}
		for i, got := range out {
			if want := ufunc.ToF16(exact[i]); got != want {
				t.Errorf("%s: row %d sums up to %g, want %g", name, i, got.Float32(), want.Float32())
			}
		}
	}
	out := make([]ufunc.BF16, rows)
	if err := brain.Reduce(b, out, ufunc.Over(1)); err != nil {
		t.Fatal(err)
	}
	for i, got := range out {
		if want := ufunc.ToBF16(exact[i]); got != want {
			t.Errorf("BFloat16: row %d sums up to %g, want %g", i, got.Float32(), want.Float32())
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
