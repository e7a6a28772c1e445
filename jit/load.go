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
	if err := loader.Available(); err != nil {
		return nil, fmt.Errorf("jit: %w", err)
	}
	if _, _, native := machine(o.Target); !native {
		return nil, fmt.Errorf("jit: an object for the target %q does not run on %s/%s", o.Target, runtime.GOOS, runtime.GOARCH)
	}
	lib, err := openFile(dir, o.Code)
	if errors.Is(err, errPlace) {
		var memoryErr error
		if lib, memoryErr = openMemory(o.Code); memoryErr == nil {
			err = nil
		} else if !errors.Is(memoryErr, errors.ErrUnsupported) {
			err = fmt.Errorf("%w; from memory: %w", err, memoryErr)
		}
	}
	if err != nil {
		return nil, err
	}
	fn, err := lib.Symbol(symbol)
	if err != nil {
		return nil, fmt.Errorf("jit: %w", err)
	}
	return &Kernel{fn}, nil
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
