package operand

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Repeated elements are reported once, however often a kernel reads them.
func TestRangesOfBroadcastInputs(t *testing.T) {
	row := make([]float32, 4)
	out := blas32.General{Rows: 3, Cols: 4, Stride: 6, Data: make([]float32, 16)}
	apart := blas32.Vector{N: 4, Inc: 2, Data: make([]float32, 7)}
	var p Plan
	if err := p.Bind(floats(3, 1, 2), []any{float32(1), row, apart, out}); err != nil {
		t.Fatal(err)
	}
	var reads, writes []int
	for _, n := range p.ReadRanges() {
		reads = append(reads, n)
	}
	for _, n := range p.WriteRanges() {
		writes = append(writes, n)
	}
	if diff := cmp.Diff([]int{4, 16, 4, 4, 4, 4}, reads); diff != "" {
		t.Errorf("reads: %s", diff)
	}
	if diff := cmp.Diff([]int{16, 16, 16}, writes); diff != "" {
		t.Errorf("writes: %s", diff)
	}
	for stop := 1; stop <= len(reads); stop++ {
		seen := 0
		for range p.ReadRanges() {
			if seen++; seen == stop {
				break
			}
		}
		if seen != stop {
			t.Errorf("%d ranges before the break, want %d", seen, stop)
		}
	}
}

func TestColumnOfTheWrongType(t *testing.T) {
	a := make([]float32, 5)
	var p Plan
	if err := p.Bind(floats(1, 1, 1), []any{a, a}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a column of float32 was read as float64")
		}
	}()
	_ = p.Walk(5, func(b *Block) error { b.Float64(0); return nil })
}

func TestWalkGivesMemoryItself(t *testing.T) {
	in, out := ramp[float32](100), make([]float32, 100)
	place := func(s []float32) uintptr { return uintptr(unsafe.Pointer(&s[0])) }
	var p Plan
	walk := func(direct bool, operands ...any) {
		t.Helper()
		if err := p.Bind(floats(1, 1, 1), operands); err != nil {
			t.Fatal(err)
		}
		first := 0
		err := p.Walk(30, func(b *Block) error {
			if got := place(b.Float32(1)) == place(out[first:]); got != direct {
				t.Errorf("output column at %d is the output itself: %v, want %v", first, got, direct)
			}
			if place(b.Float32(0)) == place(b.Float32(1)) {
				t.Error("one column for input and output")
			}
			first += b.Len
			return nil
		})
		if err != nil || first != 100 {
			t.Errorf("%d elements, %v", first, err)
		}
	}
	walk(true, in, out)
	walk(false, out, out)
	walk(true, in, out)
	walk(false, in, blas32.Vector{N: 100, Inc: -1, Data: out})
}

func TestWalkStopsAtAnError(t *testing.T) {
	buf := ramp[float32](100)
	want := ramp[float32](100)
	var p Plan
	if err := p.Bind(floats(1, 1, 1), []any{buf, buf}); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	blocks := 0
	err := p.Walk(10, func(b *Block) error {
		blocks++
		for e := range b.Len {
			b.Float32(1)[e] = -1
		}
		if blocks == 2 {
			return stop
		}
		return nil
	})
	for i := range 10 {
		want[i] = -1
	}
	if err != stop || blocks != 2 {
		t.Errorf("error %v after %d blocks", err, blocks)
	}
	if diff := cmp.Diff(want, buf); diff != "" {
		t.Error(diff)
	}
}

// Values gives what the loops see, also where neither operand is contiguous.
func TestValues(t *testing.T) {
	sig := Signature{Types: []ir.Type{ir.Float32, ir.Float64, ir.Float32}, Inputs: 2, Dims: 2}
	var p Plan
	x := blas32.General{Rows: 2, Cols: 2, Stride: 3, Data: []float32{1, 2, -1, 3, 4}}
	y := blas64.Vector{N: 2, Inc: -2, Data: []float64{20, -1, 10}}
	out := blas32.General{Rows: 2, Cols: 2, Stride: 5, Data: []float32{5, 6, -1, -1, -1, 7, 8}}
	if err := p.Bind(&sig, []any{x, y, out}); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{1, 2, 3, 4}, {10, 20, 10, 20}, {5, 6, 7, 8}} {
		if d := cmp.Diff(want, p.Values(i)); d != "" {
			t.Errorf("operand %d (-want +got):\n%s", i, d)
		}
	}
	if err := p.Bind(&sig, []any{float32(3), 4.0, []float32{}}); err != nil {
		t.Fatal(err)
	}
	if got := p.Values(0); len(got) != 0 {
		t.Errorf("values of nothing: %v", got)
	}
}
