package jit

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/go-yolk/yolk/internal/loader"
)

// Load maps the object into the process and returns the kernel with that symbol.
// The object passes through a file in a private directory below [os.TempDir],
// gone when Load returns; where that cannot be used it passes through memory,
// at the price of one descriptor for the life of the process (linux on amd64 and
// arm64). A library is never unmapped.
//
// Errors wrap [ErrUnavailable] where nothing can be loaded at all. An object for
// another architecture or system is refused; whether this processor has all the
// instructions in it is for the caller to know.
func Load(o Object, symbol string) (*Kernel, error) { return LoadIn("", o, symbol) }

// LoadIn is [Load] with another parent for the private directory.
func LoadIn(dir string, o Object, symbol string) (*Kernel, error) {
	if err := checkSymbol(symbol); err != nil {
		return nil, err
	}
	if err := loadable(o); err != nil {
		return nil, err
	}
	lib, err := openFile(dir, o.Code)
	if errors.Is(err, errPlace) {
		lib, err = orElse(err, func() (*loader.Library, error) { return openMemory(o.Code) })
	}
	if err != nil {
		return nil, err
	}
	return (&Library{lib}).Kernel(symbol)
}

// Library is an object with several kernels, mapped into the process for good.
type Library struct{ lib *loader.Library }

// Open maps the object into the process under the conditions of [Load], but without touching a disk where the system allows
// that (linux on amd64 and arm64, if it lets memory be executed): one descriptor then stays open for the life of the process.
func Open(o Object) (*Library, error) {
	if err := loadable(o); err != nil {
		return nil, err
	}
	lib, err := openMemory(o.Code)
	if err != nil {
		lib, err = orElse(err, func() (*loader.Library, error) { return openFile("", o.Code) })
	}
	if err != nil {
		return nil, err
	}
	return &Library{lib}, nil
}

// Kernel returns the kernel with that symbol.
func (l *Library) Kernel(symbol string) (*Kernel, error) {
	if err := checkSymbol(symbol); err != nil {
		return nil, err
	}
	fn, err := l.lib.Symbol(symbol)
	if err != nil {
		return nil, fmt.Errorf("jit: %w", err)
	}
	return &Kernel{fn}, nil
}

// orElse takes the other way where one has failed. The error names both, but for a way that the system does not have.
func orElse(err error, other func() (*loader.Library, error)) (*loader.Library, error) {
	lib, otherErr := other()
	switch {
	case otherErr == nil:
		return lib, nil
	case errors.Is(otherErr, errors.ErrUnsupported):
		return nil, err
	case errors.Is(err, errors.ErrUnsupported):
		return nil, otherErr
	}
	return nil, fmt.Errorf("%w; and another way: %w", err, otherErr)
}

// loadable refuses what cannot run in this process.
func loadable(o Object) error {
	if err := loader.Available(); err != nil {
		return fmt.Errorf("jit: %w", err)
	}
	if _, _, native := machine(o.Target); !native {
		return fmt.Errorf("jit: an object for the target %q does not run on %s/%s", o.Target, runtime.GOOS, runtime.GOARCH)
	}
	return nil
}

// openFile maps the library by way of a file below dir.
func openFile(dir string, code []byte) (*loader.Library, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	private, err := privateDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPlace, err)
	}
	defer os.RemoveAll(private)
	// The dynamic linker takes an equal path for the library it has already, so
	// the name says what is inside: a directory's random name may come again.
	path := filepath.Join(private, fmt.Sprintf("%x.so", sha256.Sum256(code)))
	if err := os.WriteFile(path, code, 0o600); err != nil {
		return nil, fmt.Errorf("%w: %w", errPlace, err)
	}
	lib, err := loader.Open(path)
	switch {
	case err == nil:
		return lib, nil
	case noexec(private):
		return nil, fmt.Errorf("%w: %s is mounted with the option noexec: %w", errPlace, filepath.Dir(private), err)
	}
	return nil, fmt.Errorf("jit: %w", err)
}
