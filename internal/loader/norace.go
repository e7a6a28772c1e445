//go:build !race

package loader

import "unsafe"

// RaceEnabled reports whether the program was built with -race.
const RaceEnabled = false

// ReadRange tells the race detector, which does not see native code, that the
// n bytes at p are read here. Without -race it does nothing.
func ReadRange(p unsafe.Pointer, n int) {}

// WriteRange tells the race detector, which does not see native code, that the
// n bytes at p are written here. Without -race it does nothing.
func WriteRange(p unsafe.Pointer, n int) {}
