package ufunc_test

import (
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-yolk/yolk/ufunc"
)

// fences makes buffers at the edges of pages: they end, or begin, where memory cannot be touched. Each is used again after n others.
func fences(t *testing.T, n int) func(t *rapid.T, size int) buffer {
	const pages = 16
	page := syscall.Getpagesize()
	var regions [][]byte
	for range n {
		mem, err := syscall.Mmap(-1, 0, (pages+2)*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := syscall.Munmap(mem); err != nil {
				t.Error(err)
			}
		})
		for _, fence := range [][]byte{mem[:page], mem[(pages+1)*page:]} {
			if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
				t.Fatal(err)
			}
		}
		regions = append(regions, mem[page:(pages+1)*page])
	}
	next := 0
	return func(t *rapid.T, size int) buffer {
		r := regions[next]
		next = (next + 1) % len(regions)
		if size+band > len(r) {
			return newBuffer(t, size)
		}
		if rapid.Bool().Draw(t, "at the start of a page") {
			return buffer{r[:size+band], 0, size}
		}
		return buffer{r[len(r)-size-band:], band, size}
	}
}

// What calls and methods read and write lies inside their operands: an access outside of them kills the test. Operands of every type, strided,
// masked, broadcast, padded, and overlapping.
func TestCallsAtTheEdge(t *testing.T) {
	rapid.Check(t, callsAreTheirTwin(rightCall, fences(t, 8)))
}

func TestFoldsAtTheEdge(t *testing.T) {
	rapid.Check(t, foldsAreTheirTwin(func(k *ufunc.Kernel, c *drawnFold) error { return c.run(k) }, fences(t, 8)))
}

func TestRowsAtTheEdge(t *testing.T) {
	rapid.Check(t, rowsAreTheirTwin(fences(t, 8)))
}
