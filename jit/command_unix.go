//go:build unix

package jit

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// errNotDir is the error for a path that passes through a file.
var errNotDir error = syscall.ENOTDIR

// ownGroup puts cmd and its descendants (a compiler driver starts others) in a
// process group, which is killed as one.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

// ours reports whether a file belongs to the user of this process.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
