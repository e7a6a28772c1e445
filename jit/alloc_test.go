//go:build !yolk_syscalln

package jit

import "testing"

func TestCallDoesNotAllocate(t *testing.T) {
	k := load(t, build(t, doubleLL))
	x, y := make([]float32, 16), make([]float32, 16)
	x[15] = 1.5
	// data, count, stride and Args itself are locals of call and stay on the stack.
	allocs := testing.AllocsPerRun(1000, func() { call(k, &x[0], &y[0], 16, 1, 1) })
	if allocs != 0 || y[15] != 3 {
		t.Errorf("%v allocations a call, result %v; want 0 and 3", allocs, y[15])
	}
}

func BenchmarkCall(b *testing.B) {
	k := load(b, build(b, doubleLL))
	var x, y float32
	b.ReportAllocs()
	for b.Loop() {
		call(k, &x, &y, 1, 1, 1)
	}
}
