package native

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
)

// A kernel with a mask computes the elements that it chooses, writes no byte of another, whatever the strides, and divides by no zero
// that is masked out.
func TestMasked(t *testing.T) {
	b := ir.NewBuilder("masked")
	x, y := b.Param("x", ir.Int16, ir.Unknown), b.Param("y", ir.Int16, ir.Unknown)
	b.Param("mask", ir.Bool, ir.Unknown)
	b.Return(b.Must(ir.Div, x, y))
	wide, err := b.Emit(ir.Convert, ir.Int64, x)
	if err != nil {
		t.Fatal(err)
	}
	b.Return(wide)
	f := b.Func()
	r := rand.New(rand.NewPCG(31, 32))
	for _, target := range runnable(t) {
		text, err := EmitMasked(f, 1, target, Symbols{Kernel: "yolk_kernel"})
		if err != nil {
			t.Fatal(err)
		}
		object, err := toolchain(t).Build(context.Background(), text, jit.BuildOptions{Target: target.Triple, Level: 1})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		k, err := jit.Load(object, "yolk_kernel")
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			n := 1 + r.IntN(300)
			types := []ir.Type{ir.Int16, ir.Int16, ir.Bool, ir.Int16, ir.Int64}
			var data []unsafe.Pointer
			var stride []int64
			var memory [][]byte
			for i, typ := range types {
				s := []int{1, 1, 2, 3, 5}[r.IntN(5)]
				if i < 3 && r.IntN(5) == 0 {
					s = 0
				}
				m := make([]byte, typ.Size()*(max(s, 1)*n+1)+8)
				for j := range m {
					m[j] = byte(r.Uint32())
					if typ == ir.Bool {
						m[j] &= 1
					}
				}
				memory, stride = append(memory, m), append(stride, int64(s*typ.Size()))
				data = append(data, unsafe.Pointer(&m[0]))
			}
			at := func(i, j int) uint64 { return load(types[i], memory[i], j*int(stride[i])) }
			want, fault := [][]byte{bytes.Clone(memory[3]), bytes.Clone(memory[4])}, jit.FaultNone
			for j := range n {
				if at(1, j) == 0 && (at(2, j) == 0 || r.IntN(2) == 0) { // in the memory that is read below, too
					store(types[1], memory[1], j*int(stride[1]), 3)
				}
			}
			for j := range n {
				if at(2, j) == 0 {
					if stride[1] != 0 && r.IntN(2) == 0 {
						store(types[1], memory[1], j*int(stride[1]), 0)
					}
					continue
				}
				x, y := int16(at(0, j)), int16(at(1, j))
				if y == 0 {
					fault = jit.FaultDivide
					break
				}
				store(types[3], want[0], j*int(stride[3]), uint64(uint16(x/y)))
				store(types[4], want[1], j*int(stride[4]), uint64(int64(x)))
			}
			count := int64(n)
			got := k.Call(&jit.Args{Data: &data[0], Count: &count, Stride: &stride[0]})
			what := fmt.Sprintf("%s, %d elements, strides %v", target.Name, n, stride)
			if got != fault {
				t.Fatalf("%s: fault %d, want %d", what, got, fault)
			}
			if fault == jit.FaultNone && (!bytes.Equal(memory[3], want[0]) || !bytes.Equal(memory[4], want[1])) {
				t.Fatalf("%s: other bytes than those of the chosen elements, or others in them", what)
			}
		}
	}
	plain := ir.NewBuilder("plain")
	plain.Return(plain.Param("x", ir.Int8, ir.Unknown))
	if _, err := EmitMasked(plain.Func(), 1, targets[0], Symbols{Kernel: "yolk_kernel"}); err == nil {
		t.Error("a kernel without a bool at the end has a mask")
	}
}
