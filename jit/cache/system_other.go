//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cache

import (
	"io/fs"
	"os"
	"time"
)

// locks says that tryLock does not work.
const locks = false

// owner is not known: directories of users are closed to others by the system's own means.
func owner(fs.FileInfo) (uid int, known bool) { return 0, false }

// tryLock takes no lock: processes make what they need, each for itself.
func tryLock(*os.File) bool { return false }

func shareLock(*os.File) {}

// stale reports whether a file is older than any process takes to write it.
func stale(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && time.Since(info.ModTime()) > time.Hour
}
