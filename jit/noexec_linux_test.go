package jit

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// C75: there is a way around a mount that lets nothing be executed, or its option is named. The mount exists only in the name space of a child process, which runs this same
// test again.
func TestLoadNoexec(t *testing.T) {
	const variable = "YOLK_TEST_NOEXEC"
	if dir := os.Getenv(variable); dir != "" {
		loadNoexec(t, dir)
		return
	}
	toolchain(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestLoadNoexec$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil && strings.Contains(string(out), "--- PASS: TestLoadNoexec"):
	case err == nil && strings.Contains(string(out), "--- SKIP") || errors.Is(err, syscall.EPERM):
		t.Skipf("no name space to mount in: %v\n%s", err, out)
	default:
		t.Errorf("%v\n%s", err, out)
	}
}

func loadNoexec(t *testing.T, dir string) {
	object := build(t, doubleLL)
	err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	if err == nil {
		err = syscall.Mount("none", dir, "tmpfs", syscall.MS_NOEXEC, "")
	}
	if err != nil {
		t.Skip(err)
	}
	if _, err := openFile(dir, object.Code); !errors.Is(err, errPlace) || !strings.Contains(err.Error(), dir+" is mounted with the option noexec") {
		t.Errorf("error %v does not name the mount option", err)
	}
	k, err := LoadIn(dir, object, kernelSymbol)
	if err != nil {
		t.Fatalf("no way around noexec: %v", err)
	}
	x, y := float32(21), float32(0)
	if call(k, &x, &y, 1, 1, 1); y != 42 {
		t.Errorf("got %v, want 42", y)
	}
	expectEmpty(t, dir)
}
