//go:build !yolk_syscalln && ((linux && !android && !faketime && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64)) || (darwin && !ios && (amd64 || arm64))) && !yolk_nojit

package loader

import "unsafe"

// cgocall runs fn(arg) on the thread's system stack and returns its result. It
// works only because purego brings the cgo runtime or its substitute. The file
// cgocall.s is empty; its presence allows a declaration without a body.
//
// noescape holds because a kernel keeps no pointer and calls nothing: neither arg
// nor what it points to has to leave the caller's stack, which does not move
// during the call.
//
//go:noescape
//go:linkname cgocall runtime.cgocall
func cgocall(fn uintptr, arg unsafe.Pointer) int32

// Call runs the function with args and returns its result. It does not allocate,
// and args may live on the caller's stack. The callee must not keep a pointer or
// call back into Go; a fault inside it kills the process.
func (f Func) Call(args unsafe.Pointer) int32 {
	if f.addr == 0 {
		panic("loader: call of a zero Func")
	}
	return cgocall(f.addr, args)
}
