package native

import (
	"syscall"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// fenced returns memory of one page between two pages that cannot be touched.
func fenced(t *testing.T) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	mem, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(mem); err != nil {
			t.Error(err)
		}
	})
	for _, fence := range [][]byte{mem[:page], mem[2*page:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return mem[page : 2*page]
}

// Operands that end, or begin, at a page that cannot be touched: an access outside kills the test.
func TestFence(t *testing.T) {
	for _, targets := range [][]Target{runnable(t), smallCaches(t)} {
		fence(t, targets)
	}
}

func fence(t *testing.T, targets []Target) {
	eachWeaveOn(t, targets, 1, func(t *testing.T, lanes int, types [4]ir.Type, run func([]int, ...view)) {
		var pages [4][]byte
		for o := range pages {
			pages[o] = fenced(t)
		}
		for n := 1; n <= 500; n += 1 + n/130 {
			for _, stride := range []int{1, 2, 3, 4, 5, -1, -2, 0} {
				if max(stride, -stride)*n*8 > len(pages[0]) {
					continue
				}
				for _, atEnd := range []bool{false, true} {
					var operands []view
					for o, typ := range types {
						s := stride
						if s == 0 && o >= 2 {
							s = 1
						}
						span := s * (n - 1) * typ.Size()
						at := max(0, -span)
						if atEnd {
							at = len(pages[o]) - typ.Size() - max(0, span)
						}
						operands = append(operands, view{data: pages[o], at: at, stride: []int{s * typ.Size()}})
					}
					run([]int{n}, operands...)
				}
			}
		}
	})
}
