package native

import (
	"fmt"
	"math/bits"

	"github.com/go-yolk/yolk/compiler/ir"
)

// format describes a type to the lowerings. Floats are as in IEEE 754-2019, table 3.5; of the others the fields on significand and
// exponent mean nothing.
type format struct {
	llvm     string // LLVM's name of the element type
	suffix   string // its short name in intrinsic names
	bits     int
	mantissa int // stored bits of the significand
	bias     int // of the exponent, and the largest exponent
}

var (
	binary32 = format{llvm: "float", suffix: "f32", bits: 32, mantissa: 23, bias: 127}
	binary64 = format{llvm: "double", suffix: "f64", bits: 64, mantissa: 52, bias: 1023}
)

// formatOf is the format of elements of t in memory.
func formatOf(t ir.Type) format {
	switch t {
	case ir.Float32:
		return binary32
	case ir.Float64:
		return binary64
	}
	return whole(8 * t.Size())
}

// whole is the format of integers, and of all whose bits are moved.
func whole(bits int) format {
	name := fmt.Sprintf("i%d", bits)
	return format{llvm: name, suffix: name, bits: bits}
}

// size is that of an element in bytes, which is also the only alignment that pointers have.
func (f format) size() int { return f.bits / 8 }

// shift turns elements into bytes.
func (f format) shift() int { return bits.TrailingZeros(uint(f.size())) }

// vector is the LLVM type of the kernel's vectors of t: every type has the same number of lanes.
func (e *emitter) vector(t ir.Type) string {
	if t == ir.Bool {
		return fmt.Sprintf("<%d x i1>", e.lanes)
	}
	return fmt.Sprintf("<%d x %s>", e.lanes, formatOf(t).llvm)
}

// integers is the type of vectors of the bit patterns of t.
func (e *emitter) integers(t ir.Type) string {
	return fmt.Sprintf("<%d x i%d>", e.lanes, formatOf(t).bits)
}

// suffix is how LLVM mangles vector(t) into the name of an overloaded intrinsic.
func (e *emitter) suffix(t ir.Type) string {
	return fmt.Sprintf("v%d%s", e.lanes, formatOf(t).suffix)
}

// lanesOf is how many lanes a kernel for f has: a register of the widest type in it.
func lanesOf(f *ir.Func, t Target) int {
	widest := 8
	for g := range f.All {
		for _, n := range g.Nodes {
			widest = max(widest, formatOf(n.Type).bits)
		}
	}
	return t.VectorBits / widest
}

// fromMemory is the vector of values in the bytes of a vector of t.
func (e *emitter) fromMemory(t ir.Type, x string) string {
	if t != ir.Bool {
		return x
	}
	return e.value("icmp ne %s %s, zeroinitializer", e.register(formatOf(t)), x)
}

// toMemory is the inverse of fromMemory.
func (e *emitter) toMemory(t ir.Type, x string) string {
	if t != ir.Bool {
		return x
	}
	return e.value("zext %s %s to %s", e.vector(t), x, e.register(formatOf(t)))
}
