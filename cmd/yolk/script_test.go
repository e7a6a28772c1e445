package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
)

// nativeCode reports whether kernels can be native here.
func nativeCode() bool {
	_, err := jit.FindClang(context.Background(), jit.NewEnv(nil))
	if err == nil {
		err = jit.Available()
	}
	if err == nil {
		_, err = native.Host()
	}
	return err == nil
}

// Command lines and what they do to files, as scripts: see testdata/script.
func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	module := user(t)
	host := map[string]string{}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOSUMDB", "GOTOOLCHAIN"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		host[name] = strings.TrimSpace(string(out))
	}
	canBeNative := nativeCode()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			for name, value := range host {
				e.Setenv(name, value)
			}
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("YOLK_CACHE", filepath.Join(e.WorkDir, "cache"))
			e.Setenv("NO_COLOR", "1")
			if err := os.Mkdir(filepath.Join(e.WorkDir, "home"), 0o700); err != nil {
				return err
			}
			return os.CopyFS(filepath.Join(e.WorkDir, "user"), os.DirFS(module))
		},
		Condition: func(condition string) (bool, error) {
			if condition == "native" {
				return canBeNative, nil
			}
			return false, fmt.Errorf("unknown condition %s", condition)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"flip":  flip,
			"count": count,
		},
	})
}

// flip changes a byte in the middle of each file that matches the patterns.
func flip(ts *testscript.TestScript, _ bool, patterns []string) {
	for _, name := range glob(ts, patterns) {
		b, err := os.ReadFile(name)
		ts.Check(err)
		b[len(b)/2] ^= 1
		ts.Check(os.WriteFile(name, b, 0o600))
	}
}

// count checks how many files match a pattern: count N PATTERN.
func count(ts *testscript.TestScript, neg bool, args []string) {
	if got := len(glob(ts, args[1:])); (args[0] == strconv.Itoa(got)) == neg {
		ts.Fatalf("%d files match %v", got, args[1:])
	}
}

func glob(ts *testscript.TestScript, patterns []string) (names []string) {
	for _, p := range patterns {
		found, err := filepath.Glob(ts.MkAbs(p))
		ts.Check(err)
		names = append(names, found...)
	}
	return names
}
