package jit

import (
	"unsafe"

	"github.com/go-yolk/yolk/internal/loader"
)

// Args is the only argument of a kernel, struct { void **data; int64 *count;
// int64 *stride; int64 whole; } in C. The number of operands and of loops is fixed in the
// kernel, which reads exactly as many elements as these say.
type Args struct {
	Data   *unsafe.Pointer // [operands] first element of every operand, inputs in order, then outputs in order
	Count  *int64          // [ndim] iterations, outermost loop first; if any is 0 nothing is touched
	Stride *int64          // [operands][ndim] byte strides, may be negative, 0 only for inputs
	Whole  int64           // elements of the call that this one is a part of: says how to use the caches; 0 if it is the whole
}

// Fault is the result of a kernel.
type Fault int32

const (
	FaultNone   Fault = 0 // the kernel ran to its end
	FaultDivide Fault = 1 // integer division by zero
)

// Kernel is a function in a loaded library. It is safe for concurrent use and
// stays valid for the life of the program.
type Kernel struct{ fn loader.Func }

// Call runs the kernel over the memory that a describes and returns its fault
// code. It allocates nothing (but see the build tag yolk_syscalln of package
// loader), and a and everything it points to may live on the caller's stack.
// The caller vouches for every address: the kernel checks no bounds, and a bad
// access kills the process. Under -race the caller reports the accesses, with
// [ReadRange] and [WriteRange].
func (k *Kernel) Call(a *Args) Fault { return Fault(k.fn.Call(unsafe.Pointer(a))) }

// ErrUnavailable means that this program cannot load native code at all.
var ErrUnavailable = loader.ErrUnavailable

// Available returns nil if kernels can be loaded, and otherwise an error that
// wraps [ErrUnavailable] and gives the reason.
func Available() error { return loader.Available() }

// RaceEnabled reports whether the program was built with -race.
const RaceEnabled = loader.RaceEnabled

// ReadRange tells the race detector, which does not see kernels, that the n
// bytes at p are read here. Without -race it does nothing.
func ReadRange(p unsafe.Pointer, n int) { loader.ReadRange(p, n) }

// WriteRange tells the race detector, which does not see kernels, that the n
// bytes at p are written here. Without -race it does nothing.
func WriteRange(p unsafe.Pointer, n int) { loader.WriteRange(p, n) }
