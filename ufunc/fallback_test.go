package ufunc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/ufunc"
)

// outcome is what a program without a good compiler tells its parent.
type outcome struct {
	Executor, Reason string
	Out              []float32
	MustNative       string // error of a kernel that must be native
	NoClang          bool   // it wraps ErrNoClang
}

// reportOutcome runs kernels and prints what came out.
func reportOutcome() {
	f := ufunc.Vectorize(gelu, ufunc.Float32, 1)
	in := []float32{-3, -1, 0, 1, 3}
	out := make([]float32, len(in))
	f(in, out)
	// A second kernel must not say again that there is no compiler.
	second := ufunc.Vectorize1[float32](identity)
	second(in, in)
	r := f.Kernel().Report()
	o := outcome{Executor: r.Executor, Reason: r.Reason, Out: out}
	if _, err := ufunc.Compile(context.Background(), gelu, ufunc.Float32, 1, ufunc.MustNative()); err != nil {
		o.MustNative, o.NoClang = err.Error(), errors.Is(err, ufunc.ErrNoClang)
	}
	if err := json.NewEncoder(os.Stdout).Encode(o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// C71, C73: whatever is wrong with the compiler: kernels give the same bits on the interpreter, one notice and the report say what was
// looked for and what was wrong, and MustNative makes an error of it. Another compiler that is good is found.
func TestWithoutClang(t *testing.T) {
	const variable = "YOLK_TEST_OUTCOME"
	if os.Getenv(variable) != "" {
		reportOutcome()
	}
	if runtime.GOOS == "windows" {
		t.Skip("the fake compilers are shell scripts")
	}
	if err := jit.Available(); err != nil {
		t.Skip(err)
	}
	script := func(text string) string { return "#!/bin/sh\n" + text + "\n" }
	old := script("echo Debian clang version 14.0.6")
	broken := script(`case $1 in --version) echo clang version 99.0.1;; *) echo this compiler is broken >&2; exit 3;; esac`)
	wanted := []float32{0, 0, 0, 0, 0}
	ufunc.Vectorize(gelu, ufunc.Float32, 1)([]float32{-3, -1, 0, 1, 3}, wanted)
	real := "" // a good compiler, if there is one
	if clang, err := jit.FindClang(t.Context(), jit.NewEnv(nil)); err == nil {
		real = clang.Identity().Path
	}
	for _, test := range []struct {
		name   string
		files  map[string]string // in the only directory of PATH; "=" links to the good compiler
		mode   os.FileMode
		env    []string // $DIR stands for the directory
		native bool
		reason string
	}{
		{name: "switched off", env: []string{"YOLK_CLANG=off"}, reason: `switched off by YOLK_CLANG=off`},
		{name: "empty PATH", env: []string{"PATH="}, reason: `looked for clang, clang-30 to clang-16 in .*; install clang 16 or newer`},
		{name: "empty directory", reason: `looked for clang, clang-30 to clang-16 in .*; install clang 16 or newer`},
		{name: "too old", files: map[string]string{"clang": old}, reason: `/clang: clang 14\.0\.6 is too old, install clang 16 or newer`},
		{name: "too old, by name", files: map[string]string{"mine": old}, env: []string{"YOLK_CLANG=mine"}, reason: `YOLK_CLANG=mine: clang 14\.0\.6 is too old`},
		{name: "too old, by path", files: map[string]string{"mine": old}, env: []string{"YOLK_CLANG=$DIR/mine"}, reason: `YOLK_CLANG=.*/mine: clang 14\.0\.6 is too old`},
		{name: "too old, but there is another", files: map[string]string{"clang": old, "clang-16": "="}, native: true, reason: `compiled by .*/clang-16\)`},
		{name: "not executable", files: map[string]string{"clang": old}, mode: 0o644, reason: `/clang: not executable`},
		{name: "silent", files: map[string]string{"clang-19": script("")}, reason: `/clang-19: --version prints nothing`},
		{name: "another program", files: map[string]string{"clang": script("echo gcc 13")}, reason: `/clang: says "gcc 13\\n", which is no clang version`},
		{name: "missing", env: []string{"YOLK_CLANG=/nowhere/clang"}, reason: `YOLK_CLANG=/nowhere/clang: no such file`},
		{name: "relative", files: map[string]string{"clang": old}, env: []string{"YOLK_CLANG=./clang"}, reason: `YOLK_CLANG=\./clang: neither an absolute path nor a plain name`},
		{name: "in the working directory", files: map[string]string{"clang": script("touch ran; echo clang version 19.1.7")}, env: []string{"PATH=.:"}, reason: `looked for clang`},
		{name: "broken", files: map[string]string{"clang": broken}, reason: `(?s)compile: .*/clang: exit status 3.*this compiler is broken`},
		{name: "no TMPDIR", files: map[string]string{"clang-16": "="}, env: []string{"TMPDIR=/nowhere"}, native: true, reason: `compiled by .*/clang-16\)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.native && real == "" {
				t.Skip("there is no good compiler")
			}
			dir := t.TempDir()
			for name, content := range test.files {
				path := filepath.Join(dir, name)
				var err error
				if content == "=" {
					err = os.Symlink(real, path)
				} else {
					mode := test.mode
					if mode == 0 {
						mode = 0o755
					}
					err = os.WriteFile(path, []byte(content), mode)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(exe, "-test.run=^TestWithoutClang$")
			// The working directory is the planted one: nothing may be taken from it.
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "YOLK_CLANG=", "YOLK_CPU=", "PATH="+dir, variable+"=1")
			for _, e := range test.env {
				cmd.Env = append(cmd.Env, strings.ReplaceAll(e, "$DIR", dir))
			}
			var notices strings.Builder
			cmd.Stderr = &notices
			text, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, text, notices.String())
			}
			var got outcome
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if native := got.Executor != "interpreter"; native != test.native {
				t.Errorf("runs on %s", got.Executor)
			}
			if !regexp.MustCompile(test.reason).MatchString(got.Reason) {
				t.Errorf("the reason is %q, want %s", got.Reason, test.reason)
			}
			for i, w := range wanted {
				if !same(got.Out[i], w) {
					t.Errorf("output %d is %x, want %x", i, got.Out[i], w)
				}
			}
			said := strings.Count(notices.String(), "interpreter")
			if test.native {
				if said != 0 || got.MustNative != "" {
					t.Errorf("notices %q, MustNative %q", notices.String(), got.MustNative)
				}
			} else {
				if said != 1 {
					t.Errorf("%d notices:\n%s", said, notices.String())
				}
				if !regexp.MustCompile(test.reason).MatchString(got.MustNative) {
					t.Errorf("MustNative: %q, want %s", got.MustNative, test.reason)
				}
				if lacks := test.name != "broken"; got.NoClang != lacks {
					t.Errorf("the error wraps ErrNoClang: %t", got.NoClang)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
				t.Error("a compiler in the working directory was run")
			}
		})
	}
}
