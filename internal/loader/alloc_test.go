//go:build !yolk_syscalln && !yolk_nojit

package loader

import (
	"testing"
	"unsafe"
)

func TestCallDoesNotAllocate(t *testing.T) {
	f := atoi(t)
	var sum int32
	allocs := testing.AllocsPerRun(1000, func() {
		text := [4]byte{'1', '2', '3'}
		sum += f.Call(unsafe.Pointer(&text))
	})
	if allocs != 0 || sum != 1001*123 {
		t.Errorf("%v allocations a call, sum %d; want 0 and %d", allocs, sum, 1001*123)
	}
}
