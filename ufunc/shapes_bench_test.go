package ufunc_test

import (
	"testing"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

// BenchmarkShapes runs one kernel over every class of shapes: 1024x1024 elements, or as many as there are.
func BenchmarkShapes(b *testing.B) {
	const n = 1024
	add := ufunc.Vectorize(func(x, y ufunc.Value) ufunc.Value { return x.Add(y) }, ufunc.Float32, 2, ufunc.WithIdentity(0))
	softmax := ufunc.VectorizeRows(softmax, ufunc.Float32)
	x, y, out := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for i := range x {
		x[i] = float32(i%31) - 15
	}
	X, Y, Out := ufunc.NewArray(x, n, n), ufunc.NewArray(y, n, n), ufunc.NewArray(out, n, n)
	row, column := ufunc.NewArray(x[:n], n), ufunc.NewArray(x[:n], n, 1)
	half := ufunc.NewArray(out[:n*n/2], n, n/2)
	sum := func(axes ...int) func() {
		result := ufunc.NewArray(make([]float32, n), n)
		if len(axes) == 2 {
			result = ufunc.NewArray(make([]float32, 1))
		}
		return func() {
			if err := add.Kernel().Reduce(X, result, ufunc.Over(axes...)); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, bench := range []struct {
		name string
		do   func()
		size int
	}{
		{"contiguous", func() { add(X, Y, Out) }, n * n},
		{"strided", func() { add(X.Slice(1, 0, n, 2), Y.Slice(1, 0, n, 2), half) }, n * n / 2},
		{"transposed", func() { add(X.Transpose(), Y, Out) }, n * n},
		{"row", func() { add(X, row, Out) }, n * n},
		{"column", func() { add(X, column, Out) }, n * n},
		{"padded", func() {
			add(blas32.General{Rows: n, Cols: n - 8, Stride: n, Data: x}, blas32.General{Rows: n, Cols: n - 8, Stride: n, Data: y},
				blas32.General{Rows: n, Cols: n - 8, Stride: n, Data: out})
		}, n * (n - 8)},
		{"sum over rows", sum(0), n * n},
		{"sum along rows", sum(1), n * n},
		{"sum of all", sum(0, 1), n * n},
		{"softmax", func() { softmax(X, Out) }, n * n},
		{"copied 3 times", func() { copy(out, x); copy(y, out); copy(out, x) }, n * n},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				bench.do()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(bench.size), "ns/element")
		})
	}
}
