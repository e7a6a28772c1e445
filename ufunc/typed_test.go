package ufunc_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/ufunc"
)

// Typed kernels of one, two and three inputs, plain and traced, over both types, at lengths around those of vectors.
func TestTyped(t *testing.T) {
	minus := ufunc.Vectorize1[float32](func(x float32) float32 { return x - 1 })
	minus64 := ufunc.Vectorize1[float64](func(x ufunc.Value) ufunc.Value { return x.Sub(ufunc.Const(1)) })
	product := ufunc.Vectorize2[float64](func(x, y float64) float64 { return x * y })
	product32 := ufunc.Vectorize2[float32](func(x, y ufunc.Value) ufunc.Value { return x.Mul(y) })
	chosen := ufunc.Vectorize3[float32](func(x, y, z ufunc.Value) ufunc.Value { return ufunc.Where(x.Less(y), z, y) })
	fused := ufunc.Vectorize3[float64](func(x, y, z float64) float64 { return x*y + z }, ufunc.Domain(-1e6, 1e6))
	for _, n := range []int{0, 1, 2, 7, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 2047, 2049, 10000} {
		x, y, z, out := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
		x64, y64, z64, out64 := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i], z[i] = float32(i), float32(n-i), float32(2*i)
			x64[i], y64[i], z64[i] = float64(i), float64(n-i), float64(2*i)
		}
		expect := func(name string, want func(i int) float64) {
			t.Helper()
			for i := range n {
				if float64(out[i]) != want(i) && out64[i] != want(i) {
					t.Fatalf("%s, n = %d, element %d: %v or %v, want %v", name, n, i, out[i], out64[i], want(i))
				}
			}
			clear(out)
			clear(out64)
		}
		minus(x, out)
		expect("x - 1", func(i int) float64 { return float64(i) - 1 })
		minus64(x64, out64)
		expect("x - 1 in float64", func(i int) float64 { return float64(i) - 1 })
		product(x64, y64, out64)
		expect("x*y", func(i int) float64 { return float64(i) * float64(n-i) })
		product32(x, y, out)
		expect("x*y in float32", func(i int) float64 { return float64(float32(i) * float32(n-i)) })
		chosen(x, y, z, out)
		expect("where", func(i int) float64 {
			if i < n-i {
				return float64(2 * i)
			}
			return float64(n - i)
		})
		fused(x64, y64, z64, out64)
		expect("x*y + z", func(i int) float64 { return float64(i)*float64(n-i) + float64(2*i) })
		product32(x, y, x)
		copy(out, x)
		expect("in place", func(i int) float64 { return float64(float32(i) * float32(n-i)) })
		fused(x64, x64, x64, x64)
		copy(out64, x64)
		expect("one slice everywhere", func(i int) float64 { return float64(i)*float64(i) + float64(i) })
	}
	minus(nil, nil)
	minus(nil, []float32{})
	fused(nil, nil, nil, nil)
}

// A typed kernel panics with the errors of Call; a traced function whose result has another type is refused before it can
// write past the slice.
func TestTypedErrors(t *testing.T) {
	f := ufunc.Vectorize2[float32](func(x, y float32) float32 { return x * y }, ufunc.Name("times"))
	three, four := make([]float32, 3), make([]float32, 4)
	bytes := make([]byte, 64)
	crooked := unsafe.Slice((*float32)(unsafe.Pointer(&bytes[1])), 3)
	for _, test := range []struct {
		name string
		call func()
		is   error
		text string
	}{
		{"longer input", func() { f(three, four, three) }, ufunc.ErrShape, "times: input 2 has length 4, output 1 has length 3"},
		{"nil input", func() { f(nil, three, three) }, ufunc.ErrShape, "times: input 1 has length 0"},
		{"nil output", func() { f(three, three, nil) }, ufunc.ErrShape, "output 1 has length 0"},
		{"input between elements", func() { f(crooked, three, three) }, ufunc.ErrOperand, "input 1"},
		{"output between elements", func() { f(three, three, crooked) }, ufunc.ErrOperand, "output 1"},
		{"converted result", func() {
			ufunc.Vectorize1[float32](func(x ufunc.Value) ufunc.Value { return x.Convert(ufunc.Float64) }, ufunc.Name("wide"))
		}, ufunc.ErrDType, "the result of wide is float64, but its slices hold float32"},
		{"nil function", func() { ufunc.Vectorize1[float32]((func(float32) float32)(nil)) }, ufunc.ErrUnsupported, "nil"},
		{"option", func() { ufunc.Vectorize3[float64](func(x, y, z float64) float64 { return x }, ufunc.Domain(1, 0)) }, nil, "empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := panicOf(t, test.call)
			if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%v, want %v and %q", err, test.is, test.text)
			}
		})
	}
}

// Native typed kernels cost no allocation, boxed operands at most four; neither executor's grows with the length.
func TestAllocations(t *testing.T) {
	if jit.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	one := ufunc.Vectorize1[float32](gelu)
	two := ufunc.Vectorize2[float64](func(x, y float64) float64 { return x * y })
	three := ufunc.Vectorize3[float32](func(x, y, z ufunc.Value) ufunc.Value { return x.Mul(y).Add(z) })
	integers := ufunc.Vectorize2[int16](func(x, y int16) int16 { return x*y - x })
	f := ufunc.Vectorize(gelu, ufunc.Float32, 1)
	native := f.Kernel().Report().Executor != "interpreter"
	const typedInterpreted, boxed = 16, 4 // boxing on the interpreter's road; a slice header an operand, and the list
	for _, n := range []int{1, 100, 100_000} {
		x, y := make([]float32, n), make([]float32, n)
		x16, y16 := make([]int16, n), make([]int16, n)
		x64, y64 := make([]float64, n), make([]float64, n)
		limit, limitBoxed := 0., float64(boxed)
		if !native {
			// The interpreter makes columns for every block of 2048 elements.
			limit = typedInterpreted * math.Ceil(float64(n)/2048)
			limitBoxed = limit
		}
		for name, test := range map[string]struct {
			run   func()
			limit float64
		}{
			"Vectorize1":          {func() { one(x, y) }, limit},
			"Vectorize1 in place": {func() { one(x, x) }, limit},
			"Vectorize2":          {func() { two(x64, y64, y64) }, limit},
			"Vectorize2 of int16": {func() { integers(x16, y16, y16) }, limit},
			"Vectorize3":          {func() { three(x, y, x, y) }, limit},
			"Func":                {func() { f(x, y) }, limitBoxed},
		} {
			runs := 100
			if !native {
				runs = 2
			}
			if got := testing.AllocsPerRun(runs, test.run); got > test.limit {
				t.Errorf("%s of %d elements: %v allocations, want at most %v", name, n, got, test.limit)
			}
		}
	}
}

// The report of a typed kernel's function says what the typed kernel runs: both have the same program.
func TestTypedEqualsFunc(t *testing.T) {
	f := ufunc.Vectorize(mixed, ufunc.Float32, 1)
	typed := ufunc.Vectorize2[float32](mixed)
	p, err := ir.Parse("report", f.Kernel().Report().IROut)
	if err != nil || len(p.Params) != 2 {
		t.Fatal(err)
	}
	x, y := []float32{1, -2, 0, 88, float32(math.NaN())}, []float32{0.5, 3, float32(math.Inf(1)), -1, 2}
	a, b := make([]float32, 5), make([]float32, 5)
	f(x, y, a)
	typed(x, y, b)
	for i := range a {
		if !same(a[i], b[i]) {
			t.Errorf("element %d: %x by Func, %x typed", i, a[i], b[i])
		}
	}
}
