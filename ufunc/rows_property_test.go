package ufunc_test

import (
	"context"
	"os"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-yolk/yolk/ufunc"
)

// propertyRows are kernels over rows, exact on small whole numbers, and what they make of the element at one place of a row.
var propertyRows = []struct {
	kernel propertyKernel // but its twin
	twin   func(row [][]float64, i int) []float64
}{
	{propertyKernel{"below the largest", func(x ufunc.Value) ufunc.Value { return x.Sub(x.RowMax()) }, ufunc.Float32,
		[]ufunc.DType{ufunc.Float32, ufunc.Float32}, 1, nil},
		func(row [][]float64, i int) []float64 { return []float64{row[0][i] - slices.Max(row[0])} }},
	{propertyKernel{"sum and least", func(x, y ufunc.Value) (ufunc.Value, ufunc.Value) { return x.Add(y.RowSum()), x.Add(y).RowMin() }, ufunc.Float64,
		[]ufunc.DType{ufunc.Float64, ufunc.Float64, ufunc.Float64, ufunc.Float64}, 2, nil},
		func(row [][]float64, i int) []float64 {
			sum, least := 0., row[0][0]+row[1][0]
			for k, y := range row[1] {
				sum, least = sum+y, min(least, row[0][k]+y)
			}
			return []float64{row[0][i] + sum, least}
		}},
	{propertyKernel{"passes in passes", func(x ufunc.Value) ufunc.Value { return x.Sub(x.RowMin()).RowSum().Sub(x) }, ufunc.Float32,
		[]ufunc.DType{ufunc.Float32, ufunc.Float32}, 1, nil},
		func(row [][]float64, i int) []float64 {
			sum, least := 0., slices.Min(row[0])
			for _, x := range row[0] {
				sum += x - least
			}
			return []float64{sum - row[0][i]}
		}},
}

var rowPropertyKernels = sync.OnceValue(func() (all [][2]*ufunc.RowKernel) {
	clang, set := os.LookupEnv("YOLK_CLANG")
	for _, k := range propertyRows {
		var kernels [2]*ufunc.RowKernel
		for i := range kernels {
			if i == 1 {
				os.Setenv("YOLK_CLANG", "off")
			}
			var err error
			if kernels[i], err = ufunc.CompileRows(context.Background(), k.kernel.fn, k.kernel.dtype); err != nil {
				panic(err)
			}
			if os.Unsetenv("YOLK_CLANG"); set {
				os.Setenv("YOLK_CLANG", clang)
			}
		}
		all = append(all, kernels)
	}
	return all
})

// rowsAreTheirTwin is the property of calls of kernels over rows, in buffers that make makes.
func rowsAreTheirTwin(make func(*rapid.T, int) buffer) func(*rapid.T) {
	return func(t *rapid.T) {
		which := rapid.IntRange(0, len(propertyRows)-1).Draw(t, "kernel")
		test := propertyRows[which]
		k := rowPropertyKernels()[which][rapid.IntRange(0, 1).Draw(t, "executor")]
		c := &drawnCall{memory: memory{make: make}, kernel: test.kernel, mask: -1}
		shape := drawShape(t, 4)
		if len(shape) == 0 {
			shape = []int{1}
		}
		for i, typ := range test.kernel.types {
			s := shape
			if i < test.kernel.inputs {
				s = drawStretched(t, shape)
			}
			c.draw(t, typ, s, i >= test.kernel.inputs)
		}
		c.allocate(t)
		errs := c.overlapping()
		before := c.copied()
		last := len(shape) - 1
		for _, at := range indices(shape) {
			if errs != nil {
				break
			}
			row := [][]float64{}
			for _, v := range c.views[:test.kernel.inputs] {
				var elements []float64
				for i := range shape[last] {
					elements = append(elements, before.load(v, append(slices.Clone(at[:last]), i)))
				}
				row = append(row, elements)
			}
			for i, y := range test.twin(row, at[last]) {
				c.expected.store(c.views[test.kernel.inputs+i], at, y)
			}
		}
		checkMemory(t, &c.memory, c, errs, func() error { return k.Call(c.operands()...) })
	}
}

// Kernels over rows are what loops over copies give, on every kind of memory, and touch nothing else.
func TestRowsAreTheirTwin(t *testing.T) {
	rapid.Check(t, rowsAreTheirTwin(nil))
}
