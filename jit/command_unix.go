//go:build unix

package jit

import (
	"errors"
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
