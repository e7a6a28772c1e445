package jit

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

// maxOutput bounds what is kept of a program's output, in bytes: far above any
// honest message or disassembly, far below what a runaway program can print.
const maxOutput = 16 << 20

// waitDelay is how long a finished or killed program's descendants may keep its
// output open.
const waitDelay = time.Second

// run starts the program at path in directory dir and returns what it printed.
// It inherits nothing: its standard input is in, empty if that is nil, and as environment only a fixed PATH
// for wrapper scripts, the C locale and dir as TMPDIR. When ctx ends, its whole
// process group is killed and the error wraps that of ctx.
func run(ctx context.Context, dir string, in *os.File, path string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	if in != nil { // or else an interface that is not nil holds it
		cmd.Stdin = in
	}
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + dir}
	var outText, errText capture
	cmd.Stdout, cmd.Stderr = &outText, &errText
	cmd.WaitDelay = waitDelay
	ownGroup(cmd)
	err = cmd.Run()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case outText.full || errText.full:
		err = errOutput // rather than the broken pipe it led to
	}
	return outText.buf.String(), errText.buf.String(), err
}

var errOutput = errors.New("too much output")

// capture keeps up to maxOutput bytes and then fails, which closes the pipe.
type capture struct {
	buf  bytes.Buffer
	full bool
}

func (c *capture) Write(p []byte) (int, error) {
	if c.full = c.buf.Len()+len(p) > maxOutput; c.full {
		return 0, errOutput
	}
	return c.buf.Write(p)
}
