//go:build !linux || !(amd64 || arm64)

package jit

import (
	"errors"

	"github.com/go-yolk/yolk/internal/loader"
)

// openMemory is not supported here.
func openMemory([]byte) (*loader.Library, error) { return nil, errors.ErrUnsupported }
