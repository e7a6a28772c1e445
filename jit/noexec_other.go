//go:build !linux

package jit

// noexec is not known here; the dynamic linker's message must do.
func noexec(string) bool { return false }
