package operand

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/mat"
)

func floats(inputs, outputs, dims int) *Signature {
	sig := &Signature{Inputs: inputs, Dims: dims}
	for range inputs + outputs {
		sig.Types = append(sig.Types, ir.Float32)
	}
	return sig
}

// Loops are joined only where every operand allows it.
func TestArgs(t *testing.T) {
	a := make([]float32, 60)
	full := blas32.General{Rows: 3, Cols: 4, Stride: 4, Data: a}
	padded := blas32.General{Rows: 3, Cols: 4, Stride: 5, Data: make([]float32, 14)}
	row := make([]float32, 4)
	column := blas32.General{Rows: 3, Cols: 1, Stride: 1, Data: make([]float32, 3)}
	out := blas32.General{Rows: 3, Cols: 4, Stride: 4, Data: make([]float32, 12)}
	one := make([]float32, 1)
	for _, c := range []struct {
		name          string
		sig           *Signature
		operands      []any
		count, stride []int64
	}{
		{"vector", floats(1, 1, 1), []any{a[:5], a[7:12]}, []int64{5}, []int64{4, 4}},
		{"vector under two loops", floats(1, 1, 2), []any{a[:5], a[7:12]}, []int64{1, 5}, []int64{0, 4, 0, 4}},
		{"contiguous matrices", floats(1, 1, 2), []any{full, out}, []int64{1, 12}, []int64{0, 4, 0, 4}},
		{"padded input", floats(1, 1, 2), []any{padded, out}, []int64{3, 4}, []int64{20, 4, 16, 4}},
		{"both padded", floats(1, 1, 3), []any{padded, padded}, []int64{1, 3, 4}, []int64{0, 20, 4, 0, 20, 4}},
		{"scalar", floats(2, 1, 2), []any{full, float32(2), out}, []int64{1, 12}, []int64{0, 4, 0, 0, 0, 4}},
		{"row", floats(2, 1, 2), []any{full, row, out}, []int64{3, 4}, []int64{16, 4, 0, 4, 16, 4}},
		{"column", floats(2, 1, 2), []any{full, column, out}, []int64{3, 4}, []int64{16, 4, 4, 0, 16, 4}},
		{"vector with increments", floats(1, 1, 1), []any{
			blas32.Vector{N: 3, Inc: -2, Data: a}, blas32.Vector{N: 3, Inc: 3, Data: a[20:]}}, []int64{3}, []int64{-8, 12}},
		{"one element", floats(2, 1, 2), []any{float32(1), one, make([]float32, 1)}, []int64{1, 1}, []int64{0, 4, 0, 4, 0, 4}},
		{"nothing", floats(1, 1, 2), []any{float32(1), blas32.General{Rows: 3}}, []int64{3, 0}, []int64{0, 0, 0, 0}},
		{"no inputs", floats(0, 1, 1), []any{a}, []int64{60}, []int64{4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p Plan
			if err := p.Bind(c.sig, c.operands); err != nil {
				t.Fatal(err)
			}
			data, count, stride := p.Args()
			if len(data) != len(c.operands) {
				t.Errorf("%d pointers, want %d", len(data), len(c.operands))
			}
			if diff := cmp.Diff(c.count, count); diff != "" {
				t.Errorf("count: %s", diff)
			}
			if diff := cmp.Diff(c.stride, stride); diff != "" {
				t.Errorf("stride: %s", diff)
			}
		})
	}
}

// NumPy's rules for op(*inputs, out=output).
func TestBroadcasting(t *testing.T) {
	type S = []int
	for _, c := range []struct {
		inputs []S
		output S
		ok     bool
	}{
		{[]S{{5}, {5}}, S{5}, true},
		{[]S{{5}, {1}}, S{5}, true},
		{[]S{{1}, {5}}, S{5}, true},
		{[]S{{5}, {}}, S{5}, true},
		{[]S{{}, {}}, S{}, true},
		{[]S{{}, {}}, S{1}, true},
		{[]S{{}, {}}, S{7}, true}, // inputs are repeated to the output's shape
		{[]S{{1}, {1}}, S{7}, true},
		{[]S{{5}, {5}}, S{2, 5}, true},
		{[]S{{5}, {5}}, S{1, 5}, true},
		{[]S{{3, 1}, {4}}, S{3, 4}, true},
		{[]S{{3, 1}, {1, 4}}, S{3, 4}, true},
		{[]S{{8, 1, 6, 1}, {7, 1, 5}}, S{8, 7, 6, 5}, true},
		{[]S{{5, 4}, {1}}, S{5, 4}, true},
		{[]S{{15, 3, 5}, {15, 1, 5}}, S{15, 3, 5}, true},
		{[]S{{15, 3, 5}, {3, 1}}, S{15, 3, 5}, true},
		{[]S{{2, 3}, {3}, {2, 1}, {}}, S{2, 3}, true},
		{[]S{{0, 5}, {1, 5}}, S{0, 5}, true},
		{[]S{{5, 0}, {1}}, S{5, 0}, true},
		{[]S{{1, 0}, {2, 1}}, S{2, 0}, true},
		{[]S{{0}, {1}}, S{0}, true},
		{[]S{{1}, {1}}, S{0}, true},
		{[]S{{0}, {}}, S{3, 0}, true},

		{[]S{{5}, {4}}, S{5}, false},
		{[]S{{5}, {4}}, S{4}, false},
		{[]S{{3, 2}, {3}}, S{3, 2}, false},
		{[]S{{2, 1}, {8, 4, 3}}, S{8, 4, 3}, false},
		{[]S{{0}, {5}}, S{0}, false},
		{[]S{{0}, {5}}, S{5}, false},
		{[]S{{5}, {5}}, S{1}, false}, // an output is never repeated
		{[]S{{5}, {5}}, S{}, false},
		{[]S{{1}, {1}}, S{}, false},
		{[]S{{1, 5}, {5}}, S{5}, false},
		{[]S{{3, 4}, {4}}, S{1, 4}, false},
		{[]S{{0, 5}, {1, 5}}, S{1, 5}, false},
		{[]S{{5}, {5}}, S{4}, false},
		{[]S{{5}, {5}}, S{5, 1}, false},
	} {
		t.Run(fmt.Sprint(c.inputs, c.output), func(t *testing.T) {
			var list []Operand
			for i, shape := range append(append([]S{}, c.inputs...), c.output) {
				n, stride := 1, make([]int, len(shape))
				for k := len(shape) - 1; k >= 0; k-- {
					stride[k] = n
					n *= shape[k]
				}
				o, err := View(make([]float32, n), 0, shape, stride, i == len(c.inputs))
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, o)
			}
			var p Plan
			err := p.BindOperands(floats(len(c.inputs), 1, 4), list)
			if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrShape) {
				t.Fatalf("error %v, want success %v", err, c.ok)
			}
			n := 1
			for _, d := range c.output {
				n *= d
			}
			if err == nil && p.Len() != n {
				t.Errorf("Len %d, want %d", p.Len(), n)
			}
		})
	}
}

func TestPlanErrors(t *testing.T) {
	a, b := make([]float32, 5), make([]float32, 4)
	m := blas32.General{Rows: 2, Cols: 2, Stride: 2, Data: b}
	f64 := make([]float64, 5)
	buf := make([]float32, 20)
	for _, c := range []struct {
		name     string
		sig      *Signature
		operands []any
		kind     error
		text     string
	}{
		{"none", floats(1, 1, 1), nil, ErrCount, "0 given, but the kernel takes 2, inputs first: 1 in and 1 out"},
		{"too many", floats(1, 1, 1), []any{a, a, a}, ErrCount, "3 given, but the kernel takes 2, inputs first: 1 in and 1 out"},
		{"position of an input", floats(2, 1, 1), []any{a, "x", a}, ErrOperand, "input 2 is a string; give a slice of numbers or bools, " +
			"a blas32 or blas64 Vector or General, a *mat.VecDense or *mat.Dense, a ufunc.Array, or a scalar input"},
		{"position of an output", floats(1, 2, 1), []any{a, a, nil}, ErrOperand, "output 2 is nil"},
		{"element type", floats(1, 1, 1), []any{f64, a}, ErrDType,
			"input 1 ([]float64, length 5) holds float64, but the kernel takes float32: convert it first"},
		{"element type of an output", floats(1, 1, 1), []any{a, mat.NewVecDense(5, f64)}, ErrDType,
			"output 1 (*mat.VecDense, length 5) holds float64, but the kernel takes float32: convert it first"},
		{"constant", floats(2, 1, 1), []any{a, 2.0, a}, ErrDType, "input 2 is a float64, but the kernel takes float32: write float32(2)"},
		{"constant the other way", &Signature{Types: []ir.Type{ir.Float64, ir.Float64}, Inputs: 1, Dims: 1}, []any{float32(0.1), f64}, ErrDType,
			"input 1 is a float32, but the kernel takes float64: write float64(0.1)"},
		{"type that no operand has", &Signature{Types: []ir.Type{ir.Bool, ir.Float32}, Inputs: 1, Dims: 1}, []any{a, a}, ErrDType,
			"input 1 ([]float32, length 5) holds float32, but the kernel takes bool: convert it first"},
		{"too many dimensions", floats(1, 1, 1), []any{m, m}, ErrShape, "input 1 (blas32.General, 2x2) has 2 dimensions, but the kernel walks 1"},
		{"inputs differ", floats(3, 1, 1), []any{float32(1), a, b, a}, ErrShape, "input 2 ([]float32, length 5) and input 3 ([]float32, length 4) differ"},
		{"output differs", floats(1, 1, 2), []any{m, a}, ErrShape, "input 1 (blas32.General, 2x2) and output 1 ([]float32, length 5) differ"},
		{"output too small", floats(1, 1, 1), []any{a, b[:1]}, ErrShape,
			"output 1 ([]float32, length 1) would have to be stretched to length 5, the shape of the operands together"},
		{"output of fewer dimensions", floats(1, 1, 2), []any{m, b[:2]}, ErrShape,
			"output 1 ([]float32, length 2) would have to be stretched to 2x2, the shape of the operands together"},
		{"second output", floats(1, 2, 1), []any{a, buf[:5], buf[5:6]}, ErrShape,
			"output 2 ([]float32, length 1) would have to be stretched to length 5, the shape of the operands together"},
		{"one output twice", floats(1, 2, 1), []any{a, buf[:5], buf[:5]}, ErrOverlap,
			"output 1 ([]float32, length 5) and output 2 ([]float32, length 5) overlap"},
		{"outputs that meet", floats(1, 2, 1), []any{a, buf[:5], buf[4:9]}, ErrOverlap,
			"output 1 ([]float32, length 5) and output 2 ([]float32, length 5) overlap"},
		{"output of stride 0", floats(1, 1, 1), []any{a, blas32.Vector{N: 5, Data: buf}}, ErrOverlap,
			"output 1 (blas32.Vector, length 5) with stride 0 holds an element twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p Plan
			checkError(t, p.Bind(c.sig, c.operands), c.kind, c.text)
			if data, _, _ := p.Args(); p.Len() != 0 || len(data) != 0 || len(p.ops) != 0 {
				t.Error("the plan still holds something")
			}
		})
	}
}

func TestBindOperandsCount(t *testing.T) {
	var p Plan
	checkError(t, p.BindOperands(floats(1, 1, 1), make([]Operand, 1)), ErrCount,
		"1 given, but the kernel takes 2, inputs first: 1 in and 1 out")
}

func TestReleaseLetsGo(t *testing.T) {
	a := make([]float32, 100)
	var p Plan
	if err := p.Bind(floats(1, 1, 1), []any{a[:50], a[50:]}); err != nil {
		t.Fatal(err)
	}
	if err := p.Walk(20, func(*Block) error { return nil }); err != nil {
		t.Fatal(err)
	}
	p.Release()
	for _, o := range p.ops[:2] {
		if o.base != nil {
			t.Error("an operand is still held")
		}
	}
	for _, at := range p.data[:2] {
		if at != nil {
			t.Error("the argument block still has a pointer")
		}
	}
	for _, c := range p.block.columns {
		if c.data != nil {
			t.Error("a column is still held")
		}
	}
}

func TestNoAllocations(t *testing.T) {
	in, out := make([]float32, 1000), make([]float32, 1000)
	matrix := func(stride int) blas32.General {
		return blas32.General{Rows: 10, Cols: 10, Stride: stride, Data: make([]float32, 10*stride)}
	}
	var p Plan
	var fail error
	one, four := floats(1, 1, 1), floats(3, 1, 2)
	boxed := []any{in, out}
	boxedFour := []any{matrix(10), matrix(12), float32(2), matrix(11)}
	walk := func(b *Block) error { copy(b.Float32(1), b.Float32(0)); return nil }
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"one vector in, one out", func() error { return p.Bind(one, boxed) }},
		{"four operands, two dimensions", func() error { return p.Bind(four, boxedFour) }},
		{"views", func() error {
			x, err1 := View(in, 0, []int{len(in)}, []int{1}, false)
			y, err2 := View(out, 0, []int{len(out)}, []int{1}, true)
			return errors.Join(err1, err2, p.BindOperands(one, []Operand{x, y}))
		}},
		{"through columns", func() error {
			err := p.Bind(one, boxed)
			return errors.Join(err, p.Walk(64, walk))
		}},
		{"released every time", func() error {
			defer p.Release()
			return p.Bind(one, boxed)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := testing.AllocsPerRun(100, func() {
				if err := c.run(); err != nil {
					fail = err
				}
			})
			if fail != nil {
				t.Fatal(fail)
			}
			if n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

func BenchmarkBind(b *testing.B) {
	in, out := make([]float32, 1000), make([]float32, 1000)
	boxed := []any{in, out}
	sig := floats(1, 1, 1)
	var p Plan
	for b.Loop() {
		if err := p.Bind(sig, boxed); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBindFourMatrices(b *testing.B) {
	m := func() any { return blas32.General{Rows: 10, Cols: 10, Stride: 11, Data: make([]float32, 110)} }
	boxed := []any{m(), m(), m(), m()}
	sig := floats(3, 1, 2)
	var p Plan
	for b.Loop() {
		if err := p.Bind(sig, boxed); err != nil {
			b.Fatal(err)
		}
	}
}

// Fresh outputs have the shape that the inputs broadcast to.
func TestOutputs(t *testing.T) {
	sig := &Signature{Types: []ir.Type{ir.Float32, ir.Float32, ir.Float64, ir.Float32}, Inputs: 2, Dims: 2}
	describe := func(v any) Operand {
		o, err := Describe(v, false)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	row, column := describe([]float32{1, 2, 3}), describe(blas32.General{Rows: 2, Cols: 1, Stride: 1, Data: []float32{4, 5}})
	out, err := sig.Outputs([]Operand{row, column})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []ir.Type{ir.Float64, ir.Float32} {
		if out[i].DType() != want || !slices.Equal(out[i].Shape(), []int{2, 3}) {
			t.Errorf("output %d is %v of %v", i, out[i].DType(), out[i].Shape())
		}
	}
	var p Plan
	if err := p.BindOperands(sig, append([]Operand{row, column}, out...)); err != nil || p.Len() != 6 {
		t.Errorf("binding them: %v, %d elements", err, p.Len())
	}
	if _, err := sig.Outputs([]Operand{row, describe([]float32{1, 2})}); !errors.Is(err, ErrShape) {
		t.Errorf("shapes that differ: %v", err)
	}
	if _, err := sig.Outputs([]Operand{row}); !errors.Is(err, ErrCount) {
		t.Errorf("one input: %v", err)
	}
}
