//go:build !wasip1

// Package testscript does not build there.

package main

import (
	"context"
	"debug/elf"
	"debug/macho"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // as in main
	if strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test") {
		os.Setenv("YOLK_CACHE", "off") // the user's is neither read nor filled; scripts run this binary as yolk, with caches of their own
	}
	testscript.Main(m, map[string]func(){"yolk": main})
}

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
			mod, sum := userModule(t, "example.com/prog") // what a script brings along is this module
			for name, text := range map[string]string{"go.mod": mod, "go.sum": sum} {
				if err := os.WriteFile(filepath.Join(e.WorkDir, name), []byte(text), 0o644); err != nil {
					return err
				}
			}
			return os.CopyFS(filepath.Join(e.WorkDir, "user"), os.DirFS(module))
		},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "native":
				return canBeNative, nil
			case "emulator":
				return emulator()
			}
			return false, fmt.Errorf("unknown condition %s", condition)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"flip":   flip,
			"count":  count,
			"bare":   bare,
			"static": static,
			"dylib":  dylib,
		},
	})
}

// emulator reports whether programs for arm64 can be linked and run here, and libraries for macOS be linked. Where YOLK_REQUIRE_EMULATOR=1 says so, they must.
func emulator() (bool, error) {
	_, err := exec.LookPath("qemu-aarch64-static")
	if _, missing := os.Stat("/usr/aarch64-linux-gnu/lib"); missing != nil {
		err = missing
	}
	if linkers, _ := filepath.Glob("/usr/bin/ld64.lld*"); len(linkers) == 0 {
		err = errors.New("no ld64.lld")
	}
	if err != nil && os.Getenv("YOLK_REQUIRE_EMULATOR") == "1" {
		return false, fmt.Errorf("YOLK_REQUIRE_EMULATOR=1, but: %w", err)
	}
	return err == nil, nil
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

// bare runs a program where there is nothing: an empty working directory, an empty PATH, no other variable, and a root
// directory that holds the program, what the system's loader needs to start it and /proc, on a read-only file system. With -empty there
// is the program alone. Where namespaces are not to be had, the file system is just one that cannot be written to.
func bare(ts *testscript.TestScript, neg bool, args []string) {
	empty := args[0] == "-empty"
	if empty {
		args = args[1:]
	}
	program := ts.MkAbs(args[0])
	root := ts.MkAbs(".bare")
	ts.Check(os.MkdirAll(root, 0o755))
	var err error
	if exec.Command("unshare", "-r", "-m", "true").Run() == nil {
		copies := ":"
		if !empty {
			copies = `for f in $(ldd "$1" | sed -n 's/^[^/]*\(\/[^ ]*\).*/\1/p'); do mkdir -p ".$(dirname $f)" && cp "$f" ".$f"; done; mkdir proc; mount --rbind /proc proc`
		}
		script := `set -e; mount -t tmpfs -o exec,mode=755 none .; cd "$PWD"; cp "$1" program; ` + copies +
			`; mkdir work; mount -o remount,ro .; shift; exec env -i PATH= "$chroot" . /program "$@"`
		script = strings.ReplaceAll(script, `"$chroot"`, `/usr/sbin/chroot`)
		err = ts.Exec("unshare", append([]string{"-r", "-m", "sh", "-c", "cd " + root + " && " + script, "sh", program}, args[1:]...)...)
	} else {
		ts.Check(os.Chmod(root, 0o555))
		err = ts.Exec("env", append([]string{"-C", root, "-i", "PATH=", "TMPDIR=" + root, program}, args[1:]...)...)
	}
	if (err != nil) != neg {
		ts.Fatalf("bare %v: %v", args, err)
	}
}

// static checks that an executable needs no dynamic linker (C77).
func static(ts *testscript.TestScript, _ bool, args []string) {
	f, err := elf.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			ts.Fatalf("%s has a segment %v", args[0], p.Type)
		}
	}
	if s := f.Section(".dynamic"); s != nil {
		ts.Fatalf("%s has a dynamic section", args[0])
	}
}

// dylib checks the headers of a library for macOS on arm64, and that it exports the functions.
func dylib(ts *testscript.TestScript, _ bool, args []string) {
	f, err := macho.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	if f.Cpu != macho.CpuArm64 || f.Type != macho.TypeDylib {
		ts.Fatalf("%s: %v, %v", args[0], f.Cpu, f.Type)
	}
	libraries, err := f.ImportedLibraries()
	ts.Check(err)
	undefined, err := f.ImportedSymbols()
	ts.Check(err)
	if len(libraries)+len(undefined) > 0 {
		ts.Fatalf("%s needs %v %v", args[0], libraries, undefined)
	}
	for _, name := range args[1:] {
		if !slices.ContainsFunc(f.Symtab.Syms, func(s macho.Symbol) bool { return s.Name == "_"+name }) {
			ts.Fatalf("%s has no function %s", args[0], name)
		}
	}
	const signature = 0x1d // LC_CODE_SIGNATURE, mach-o/loader.h: macOS on arm64 loads nothing without one
	signed := slices.ContainsFunc(f.Loads, func(l macho.Load) bool { return f.ByteOrder.Uint32(l.Raw()) == signature })
	if !signed {
		ts.Fatalf("%s is not signed", args[0])
	}
}
