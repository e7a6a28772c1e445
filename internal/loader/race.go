//go:build race

package loader

import (
	"runtime"
	"unsafe"
)

// RaceEnabled reports whether the program was built with -race.
const RaceEnabled = true

// ReadRange tells the race detector, which does not see native code, that the
// n bytes at p are read here. Without -race it does nothing.
func ReadRange(p unsafe.Pointer, n int) {
	if n > 0 {
		runtime.RaceReadRange(p, n)
	}
}

// WriteRange tells the race detector, which does not see native code, that the
// n bytes at p are written here. Without -race it does nothing.
func WriteRange(p unsafe.Pointer, n int) {
	if n > 0 {
		runtime.RaceWriteRange(p, n)
	}
}
