//go:build amd64 || arm64

package jit

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"github.com/go-yolk/yolk/internal/loader"
)

// openMemory maps the library by way of an anonymous file. Its descriptor stays
// open if that succeeds: the dynamic linker knows the library by the path
// /proc/self/fd/N, and would give it again to whoever opens the next N.
func openMemory(code []byte) (*loader.Library, error) {
	fd, err := memfdCreate()
	if err != nil {
		return nil, err
	}
	lib, err := fillAndOpen(fd, code)
	if err != nil {
		syscall.Close(fd)
		return nil, err
	}
	return lib, nil
}

func fillAndOpen(fd int, code []byte) (*loader.Library, error) {
	for len(code) > 0 {
		n, err := syscall.Write(fd, code)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("jit: write to memfd: %w", err)
		}
		code = code[n:]
	}
	return loader.Open(fmt.Sprintf("/proc/self/fd/%d", fd))
}

// memfdCreate is memfd_create(2), which package syscall does not have.
func memfdCreate() (fd int, err error) {
	number := uintptr(319) // include/uapi/asm/unistd_64.h
	if runtime.GOARCH == "arm64" {
		number = 279 // include/uapi/asm-generic/unistd.h
	}
	const closeOnExec = 1 // MFD_CLOEXEC, include/uapi/linux/memfd.h
	name := [...]byte{'y', 'o', 'l', 'k', 0}
	r, _, errno := syscall.Syscall(number, uintptr(unsafe.Pointer(&name)), closeOnExec, 0)
	if errno != 0 {
		return 0, fmt.Errorf("jit: memfd_create: %w", errno)
	}
	return int(r), nil
}
