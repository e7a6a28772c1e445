//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache

import (
	"io/fs"
	"os"
	"syscall"
)

// locks says that tryLock works.
const locks = true

// owner returns the user that a file belongs to.
func owner(info fs.FileInfo) (uid int, known bool) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), true
	}
	return 0, false
}

// tryLock takes the lock of an open file unless another process, or another opening of the file, has it. Closing the file, or the end of the
// process, releases it.
func tryLock(f *os.File) bool { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// shareLock waits for a lock that several may have, but not together with one that tryLock takes.
func shareLock(f *os.File) { flock(f, syscall.LOCK_SH) }

func flock(f *os.File, how int) bool {
	c, err := f.SyscallConn()
	if err != nil {
		return false
	}
	locked := false
	err = c.Control(func(fd uintptr) { locked = syscall.Flock(int(fd), how) == nil })
	return err == nil && locked
}

// stale is for systems whose locks do not say whether a process lives.
func stale(*os.File) bool { return false }
