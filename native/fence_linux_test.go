package native

import (
	"context"
	"syscall"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
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

// Elements of every size, with a mask or without, and rows: likewise.
func TestFenceOfTypes(t *testing.T) {
	b := ir.NewBuilder("types")
	x, y := b.Param("x", ir.Int8, ir.Unknown), b.Param("y", ir.Uint16, ir.Unknown)
	mask := b.Param("mask", ir.Bool, ir.Unknown)
	wide, err := b.Emit(ir.Convert, ir.Int64, y)
	if err != nil {
		t.Fatal(err)
	}
	b.Return(b.Must(ir.Neg, x))
	b.Return(b.Must(ir.Not, mask))
	b.Return(wide)
	f := b.Func()
	types := []ir.Type{ir.Int8, ir.Uint16, ir.Bool, ir.Int8, ir.Bool, ir.Int64}
	pages := make([][]byte, len(types))
	for o := range pages {
		pages[o] = fenced(t)
	}
	row := ir.NewBuilder("sum")
	row.Return(row.Param("x", ir.Float32, ir.Unknown))
	last := ir.NewBuilder("share")
	e, s := last.Param("x", ir.Float32, ir.Unknown), last.Param("s", ir.Float32, ir.Unknown)
	last.Return(last.Must(ir.Add, e, s))
	passes := []Pass{{Func: row.Func(), Reduce: []Reduction{{Op: ir.Add}}}, {Func: last.Func()}}
	for _, target := range runnable(t) {
		var kernels []*jit.Kernel
		for _, text := range []func() (string, error){
			func() (string, error) { return Emit(f, 1, target) },
			func() (string, error) { return EmitMasked(f, 1, target, Symbols{Kernel: "yolk_kernel"}) },
			func() (string, error) { return EmitRows(passes, 1, target, Symbols{Kernel: "yolk_kernel"}) },
		} {
			module, err := text()
			if err != nil {
				t.Fatal(err)
			}
			object, err := toolchain(t).Build(context.Background(), module, jit.BuildOptions{Target: target.Triple, Level: 1})
			if err != nil {
				t.Fatal(err)
			}
			k, err := jit.Load(object, "yolk_kernel")
			if err != nil {
				t.Fatal(err)
			}
			kernels = append(kernels, k)
		}
		place := func(o int, typ ir.Type, n, stride int, atEnd bool) view {
			span := stride * (n - 1) * typ.Size()
			at := max(0, -span)
			if atEnd {
				at = len(pages[o]) - typ.Size() - max(0, span)
			}
			return view{data: pages[o], at: at, stride: []int{stride * typ.Size()}}
		}
		for n := 1; n <= 150; n++ {
			for _, atEnd := range []bool{false, true} {
				for _, stride := range []int{1, 2, 3, -1} {
					for i := range pages[2] {
						pages[2][i] &= 1
					}
					var operands []view
					for o, typ := range types {
						operands = append(operands, place(o, typ, n, stride, atEnd))
					}
					for _, k := range kernels[:2] {
						call(t, k, []int{n}, operands...)
					}
				}
				in, out := place(0, ir.Float32, n, 1, atEnd), place(1, ir.Float32, n, 1, atEnd)
				in.stride, out.stride = []int{0, 4}, []int{0, 4}
				call(t, kernels[2], []int{1, n}, in, out)
			}
		}
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
