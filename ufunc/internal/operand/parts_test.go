package operand

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// touched lists the elements of one operand that a block walks, in order.
func touched(data unsafe.Pointer, count, stride []int64) []uintptr {
	if len(count) == 0 {
		return []uintptr{uintptr(data)}
	}
	var all []uintptr
	for i := range count[0] {
		all = append(all, touched(unsafe.Add(data, i*stride[0]), count[1:], stride[1:])...)
	}
	return all
}

// The parts walk every operand where the whole does, element for element: as often, and together in one part.
func TestPartsAreTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	memory := make([]byte, 1<<22)
	base := unsafe.Pointer(&memory[len(memory)/2])
	var p Parts
	for range 400 {
		dims, operands, n := 1+rng.IntN(3), 1+rng.IntN(4), 1+rng.IntN(20)
		var data []unsafe.Pointer
		var count, stride []int64
		for range dims {
			count = append(count, 1+rng.Int64N([]int64{2, 12, 2000}[rng.IntN(4-dims)]))
		}
		for range operands {
			data = append(data, unsafe.Add(base, rng.IntN(100)))
			for range dims {
				stride = append(stride, rng.Int64N(200)-100)
			}
		}
		p.Divide(data, count, stride, n)
		if got := p.Len(); got < 1 || got > n {
			t.Fatalf("%v into %d: %d parts", count, n, got)
		}
		want, got := make([][]uintptr, operands), make([][]uintptr, operands)
		for o := range operands {
			want[o] = touched(data[o], count, stride[o*dims:][:dims])
		}
		for i := range p.Len() {
			d, c, s := p.Args(i, nil, nil)
			if slices.Min(c) < 1 {
				t.Fatalf("%v into %d: part %d is empty: %v", count, n, i, c)
			}
			for o := range operands {
				got[o] = append(got[o], touched(d[o], c, s[o*dims:][:dims])...)
			}
		}
		// Tuples of addresses, since a part must not shift one operand against another.
		if a, b := tuples(want), tuples(got); !slices.EqualFunc(a, b, slices.Equal[[]uintptr]) {
			t.Fatalf("%v into %d: the parts walk other elements than the whole", count, n)
		}
	}
}

func tuples(columns [][]uintptr) [][]uintptr {
	rows := make([][]uintptr, len(columns[0]))
	for _, c := range columns {
		for i, x := range c {
			rows[i] = append(rows[i], x)
		}
	}
	slices.SortFunc(rows, slices.Compare[[]uintptr])
	return rows
}
