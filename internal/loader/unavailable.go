//go:build !(((linux && !android && !faketime && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64)) || (darwin && !ios && (amd64 || arm64))) && !yolk_nojit)

package loader

import (
	"fmt"
	"unsafe"
)

// Func is the address of a C function int32 f(void *). In this build there is none.
type Func struct{}

// Library is a shared library mapped into the process. In this build there is none.
type Library struct{}

// Available returns nil if native code can be loaded, and otherwise an error that
// wraps ErrUnavailable and gives the reason.
func Available() error { return fmt.Errorf("%w: %s", ErrUnavailable, reason) }

// Open returns the error of Available.
func Open(path string) (*Library, error) { return nil, Available() }

// Symbol returns the error of Available.
func (l *Library) Symbol(name string) (Func, error) { return Func{}, Available() }

// Call panics: no Func can be had in this build.
func (f Func) Call(args unsafe.Pointer) int32 { panic(Available()) }
