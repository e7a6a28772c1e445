//go:build yolk_syscalln && ((linux && !android && !faketime && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64)) || (darwin && !ios && (amd64 || arm64))) && !yolk_nojit

package loader

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// Call runs the function with args and returns its result. It allocates, and it
// moves args to the heap. The callee must not keep a pointer or call back into
// Go; a fault inside it kills the process.
func (f Func) Call(args unsafe.Pointer) int32 {
	if f.addr == 0 {
		panic("loader: call of a zero Func")
	}
	// The conversion stands in the argument list so that args stays alive.
	r, _, _ := purego.SyscallN(f.addr, uintptr(args))
	return int32(r)
}
