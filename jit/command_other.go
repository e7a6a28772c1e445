//go:build !unix

package jit

import (
	"io/fs"
	"os/exec"
)

// errNotDir is the error for a path that passes through a file.
var errNotDir = fs.ErrNotExist

// ownGroup leaves cmd alone: there are no process groups, and only the program
// itself is killed.
func ownGroup(*exec.Cmd) {}

// ours is for systems where a file's owner is not known.
func ours(fs.FileInfo) bool { return false }
