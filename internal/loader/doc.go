// Package loader maps a shared library into the process and calls C functions
// of the form int32 f(void *) in it. It is the only package that touches purego
// and code addresses.
//
// In goes the path of a shared library and the name of a symbol; out comes a
// [Func]. Where native code cannot be loaded, [Available] says why and [Open]
// returns the same error, so a program needs no build tags of its own. The
// package knows nothing of kernels, compilers or files' lifetimes, and it never
// looks at the memory behind an argument.
//
// A call goes through runtime.cgocall, which the Go runtime keeps reachable by
// name (golang.org/issue/67401): about 20 ns and no allocation, on the system
// stack of the thread (8 MiB with glibc, 128 KiB with musl), with the garbage
// collector free to run beside it. Build tags:
//
//	yolk_nojit     no native code and no purego; Open returns ErrUnavailable
//	yolk_syscalln  call through purego.SyscallN: about 60 ns and one or more allocations
package loader

import "errors"

// ErrUnavailable means that this program cannot load native code, whatever the
// library. The wrapping error gives the reason.
var ErrUnavailable = errors.New("loader: native code cannot be loaded")
