//go:build ((linux && !android && !faketime && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64)) || (darwin && !ios && (amd64 || arm64))) && !yolk_nojit

package loader

import (
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/ebitengine/purego"
)

// Func is the address of a C function int32 f(void *). The zero Func must not be called.
type Func struct{ addr uintptr }

// Library is a shared library mapped into the process for good.
//
// It is never closed: a Func is a bare address, nobody can know that no
// goroutine is running in it, and a call into an unmapped page kills the
// process. The cost is the size of the library, some 10 KiB for a kernel.
type Library struct {
	handle uintptr
	path   string
}

// Available returns nil if native code can be loaded, and otherwise an error that
// wraps ErrUnavailable and gives the reason.
func Available() error { return nil }

// Open maps the shared library at path, which must be absolute so that no search
// path has a say. All its symbols are resolved now and none is offered to other
// libraries (RTLD_NOW|RTLD_LOCAL).
//
// The dynamic linker knows libraries by path and by inode: a path that was opened
// before gives the library that was opened then, and a file must never be changed
// once it has been opened.
func Open(path string) (*Library, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("loader: path %q is not absolute", path)
	}
	defer lockThread()()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("loader: %w", err) // dlerror names the path
	}
	return &Library{handle: handle, path: path}, nil
}

// Symbol returns the function of that name.
func (l *Library) Symbol(name string) (Func, error) {
	defer lockThread()()
	addr, err := purego.Dlsym(l.handle, name)
	if err != nil {
		return Func{}, fmt.Errorf("loader: %s: symbol %q: %w", l.path, name, err)
	}
	return Func{addr}, nil
}

// lockThread keeps dlerror, whose message belongs to a thread, on the thread of
// the call that failed.
func lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
