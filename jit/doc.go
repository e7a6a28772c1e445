// Package jit turns LLVM IR text into a kernel that Go can call: it finds a
// clang, compiles and links the text into a shared library, maps the library
// into the process, and calls the function in it.
//
//	IR text -[Clang.Compile]-> relocatable -[Clang.Link]-> Object -[Load]-> *Kernel
//
// In goes IR text that defines one function int32 f(const Args *); out come an
// [Object], which holds bytes that may be stored and loaded again, and a
// [Kernel]. The package must not know what a kernel computes, how the IR came to
// be, or what an operand is; it owns no cache. Programs are started without a
// shell, in an own process group, with a fixed environment and fixed arguments:
// neither a name nor a path of a user's reaches a command line. No fast-math
// flag is ever given, to the compiler or to the linker: a library linked with
// one switches subnormal numbers off for the thread that loads it
// (llvm.org/PR57589).
//
// Nothing is left behind on disk: every step works in a fresh private directory
// (mode 0700) and removes it, also after failure or cancellation.
package jit
