//go:build linux

package main

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

//go:embed py
var scriptFiles embed.FS

// script is a peer that runs in a process of its own and is asked for samples line by line:
//
//	<function> <n> <reps> <offset of each of 4 arrays>   the answer: nanoseconds, or "-" for a function it lacks
//
// It maps the arrays from descriptor 3.
type script struct {
	name string
	args []string
	env  []string
}

const python = "/usr/bin/python3" // Debian's, for which the packages are

var scripts = []script{
	{name: "NumPy", args: []string{"numpy"}},
	{name: "Numba", args: []string{"numba"}},
	{name: "Numba fastmath", args: []string{"numba-fast"}},
	{name: "Numba loop", args: []string{"numba-loop"}},
	{name: "numexpr", args: []string{"numexpr"}},
	{name: "PyTorch", args: []string{"torch"}},
	{name: "PyTorch, AVX-512", args: []string{"torch"}, env: []string{"ATEN_CPU_CAPABILITY=avx512"}},
}

// start runs the process. It waits for the word that the library is there.
func (s *script) start(m *memory) (peers []peer, stop func(), err error) {
	text, err := scriptFiles.ReadFile("py/peers.py")
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(python, append([]string{"-c", string(text)}, s.args...)...)
	cmd.Env = append(os.Environ(), append(s.env, "NUMEXPR_NUM_THREADS=1", "NUMBA_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")...)
	cmd.ExtraFiles = []*os.File{m.file}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	var complaint strings.Builder
	cmd.Stderr = &complaint
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.name, err)
	}
	answers := bufio.NewReader(out)
	stop = func() {
		in.Close()
		cmd.Wait()
	}
	if first, err := answers.ReadString('\n'); err != nil || strings.TrimSpace(first) != "ready" {
		stop()
		lines := strings.Split(strings.TrimSpace(complaint.String()), "\n")
		return nil, nil, fmt.Errorf("%s: %s", s.name, lines[len(lines)-1])
	}
	ask := func(f *function, n, reps int) (time.Duration, error) {
		if _, err := fmt.Fprintln(in, f.name, n, reps, offset(0, n), offset(1, n), offset(2, n), offset(3, n)); err != nil {
			return 0, err
		}
		answer, err := answers.ReadString('\n')
		if err == io.EOF {
			err = fmt.Errorf("it died: %s", complaint.String())
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %s: %w", s.name, f.name, err)
		}
		answer = strings.TrimSpace(answer)
		if answer == "-" {
			return 0, errLacks
		}
		ns, err := strconv.ParseInt(answer, 10, 64)
		return time.Duration(ns), err
	}
	p := peer{name: s.name, kind: product, start: func(f *function, n int) (runner, error) {
		if _, err := ask(f, n, 1); err != nil {
			return nil, err
		}
		return func(reps int) (time.Duration, error) { return ask(f, n, reps) }, nil
	}}
	return []peer{p}, stop, nil
}
