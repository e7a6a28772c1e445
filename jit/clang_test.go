package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// says is a compiler that answers --version.
func says(version string) string {
	return "echo 'Some vendor clang version " + version + " (1~2)'\necho 'Target: x86_64-pc-linux-gnu'"
}

// fake writes a shell script as a program and returns its path.
func fake(t *testing.T, dir, name, script string) string {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil || runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no shell scripts here")
	}
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// variables is an environment.
func variables(pairs ...string) *Env {
	return NewEnv(func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	})
}

// C73: a compiler that is too old is passed over.
func TestFindClangNewest(t *testing.T) {
	for _, c := range []struct {
		name     string
		programs [][2]string // path below the directory, version; "a" comes before "b" in PATH
		want     string
	}{
		{"plain only", [][2]string{{"a/clang", "17.0.6"}}, "a/clang"},
		{"numbered only", [][2]string{{"b/clang-18", "18.1.8"}}, "b/clang-18"},
		{"newest numbered", [][2]string{{"a/clang", "17.0.6"}, {"a/clang-16", "16.0.6"}, {"b/clang-20", "20.1.0"}}, "b/clang-20"},
		{"plain is newest", [][2]string{{"b/clang", "21.1.0"}, {"a/clang-19", "19.1.7"}}, "b/clang"},
		{"plain wins a tie", [][2]string{{"b/clang", "19.1.7"}, {"a/clang-19", "19.1.7"}}, "b/clang"},
		{"plain is 14", [][2]string{{"a/clang", "14.0.6"}, {"a/clang-14", "14.0.6"}, {"a/clang-16", "16.0.6"}}, "a/clang-16"},
		{"plain is 15", [][2]string{{"a/clang", "15.0.7"}, {"b/clang", "16.0.0"}}, "b/clang"},
		{"number lies upwards", [][2]string{{"a/clang", "19.1.7"}, {"a/clang-30", "14.0.6"}}, "a/clang"},
		{"number lies a little", [][2]string{{"a/clang", "19.1.7"}, {"a/clang-22", "18.1.0"}, {"a/clang-20", "20.1.0"}}, "a/clang-20"},
		{"first in PATH", [][2]string{{"b/clang-19", "19.1.8"}, {"a/clang-19", "19.1.7"}}, "a/clang-19"},
		{"Apple", [][2]string{{"a/clang", "17.0.0 (clang-1700.0.13.3)"}}, "a/clang"},
		{"development version", [][2]string{{"a/clang", "23.0.0git"}}, "a/clang"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, p := range c.programs {
				fake(t, filepath.Dir(filepath.Join(dir, p[0])), filepath.Base(p[0]), says(p[1]))
			}
			env := variables("PATH", filepath.Join(dir, "a")+":"+filepath.Join(dir, "b"))
			clang, err := FindClang(context.Background(), env)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := filepath.Rel(dir, clang.path); got != c.want {
				t.Errorf("found %s, want %s", got, c.want)
			}
		})
	}
}

// C71, C73: what is wrong with a compiler is said.
func TestFindClangRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		script string
		mode   os.FileMode
		want   string // %s is the path
	}{
		{"too old", says("14.0.6"), 0o700, "%s: clang 14.0.6 is too old, install clang 16 or newer, for example: apt install clang-19"},
		{"just too old", says("15.0.7"), 0o700, "%s: clang 15.0.7 is too old, install"},
		{"silent", "", 0o700, "%s: --version prints nothing"},
		{"blank", "echo", 0o700, "%s: --version prints nothing"},
		{"another compiler", "echo gcc 12.2.0", 0o700, `%s: says "gcc 12.2.0\n", which is no clang version`},
		{"fails", "echo broken install >&2; exit 3", 0o700, "%s: --version: exit status 3: broken install"},
		{"not executable", says("19.1.7"), 0o600, "%s: not executable"},
		{"endless", "exec yes clang", 0o700, "%s: --version: too much output"},
		{"hangs", "sleep 1000", 0o700, "%s: no answer to --version within 50ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := fake(t, dir, "clang", c.script)
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			for _, env := range []*Env{variables("PATH", dir), variables("YOLK_CLANG", path), variables("YOLK_CLANG", "clang", "PATH", dir)} {
				if c.name == "hangs" {
					env.probeLimit = 50 * time.Millisecond
				}
				want := strings.ReplaceAll(c.want, "%s", path)
				if name := env.getenv("YOLK_CLANG"); name != "" {
					want = "YOLK_CLANG=" + name + strings.TrimPrefix(want, path)
				}
				_, err := FindClang(context.Background(), env)
				if !errors.Is(err, ErrNoClang) || !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want it to contain %q", err, want)
				}
			}
		})
	}
}

func TestFindClangNothing(t *testing.T) {
	dir := t.TempDir()
	_, err := FindClang(context.Background(), variables("PATH", dir+":relative::.:"+dir))
	want := "jit: no usable clang: looked for clang, clang-30 to clang-16 in " + dir +
		"; install clang 16 or newer, for example: apt install clang-19, or brew install llvm"
	if !errors.Is(err, ErrNoClang) || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	if _, err := FindClang(context.Background(), variables()); !errors.Is(err, ErrNoClang) {
		t.Errorf("empty environment: error %v", err)
	}
}

// C86: whatever lies in the current directory must not be run.
func TestFindClangIgnoresCurrentDirectory(t *testing.T) {
	dir := t.TempDir()
	fake(t, dir, "clang", "touch \"$0.ran\"\n"+says("19.1.7"))
	fake(t, filepath.Join(dir, "bin"), "clang-19", "touch \"$0.ran\"\n"+says("19.1.7"))
	t.Chdir(dir)
	for _, path := range []string{"", ".", ":", "::", ".:bin", "./bin", "bin", ":."} {
		if c, err := FindClang(context.Background(), variables("PATH", path)); err == nil {
			t.Errorf("PATH=%q: found %s", path, c)
		}
	}
	for _, name := range []string{"./clang", "bin/clang-19", ".", "..", "clang", "../" + filepath.Base(dir) + "/clang"} {
		_, err := FindClang(context.Background(), variables("PATH", ".:bin", "YOLK_CLANG", name))
		if !errors.Is(err, ErrNoClang) || !strings.Contains(err.Error(), "YOLK_CLANG="+name) {
			t.Errorf("YOLK_CLANG=%s: error %v", name, err)
		}
	}
	if ran, _ := filepath.Glob(filepath.Join(dir, "*.ran")); len(ran) > 0 {
		t.Errorf("was run: %v", ran)
	}
}

func TestYolkClang(t *testing.T) {
	dir := t.TempDir()
	newer := fake(t, filepath.Join(dir, "bin"), "clang-20", says("20.1.0"))
	own := fake(t, filepath.Join(dir, "own"), "my-clang", says("17.0.6"))
	path := filepath.Dir(newer)
	for _, c := range []struct{ name, value, want, err string }{
		{"absolute path", own, own, ""},
		{"name in PATH", "clang-20", newer, ""},
		{"unset", "", newer, ""},
		{"missing", filepath.Join(dir, "none"), "", "no such file"},
		{"missing in PATH", "my-clang", "", "not in " + path},
		{"directory", dir, "", "not a regular file"},
		{"below a file", own + "/clang", "", "not a directory"},
		{"arguments", own + " -O3", "", "no such file"},
	} {
		got, err := FindClang(context.Background(), variables("PATH", path, "YOLK_CLANG", c.value))
		switch {
		case c.err == "" && (err != nil || got.path != c.want):
			t.Errorf("%s: found %v, error %v, want %s", c.name, got, err, c.want)
		case c.err != "" && (!errors.Is(err, ErrNoClang) || !strings.Contains(err.Error(), "YOLK_CLANG="+c.value+": ") || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: error %v, want it to contain %q", c.name, err, c.err)
		}
	}
}

func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	real := fake(t, filepath.Join(dir, "lib"), "clang-real", says("19.1.7"))
	if err := os.Symlink(real, filepath.Join(dir, "clang")); err != nil {
		t.Fatal(err)
	}
	clang, err := FindClang(context.Background(), variables("PATH", dir))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(real)
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := filepath.EvalSymlinks(real)
	if err != nil {
		t.Fatal(err)
	}
	want := Identity{Path: resolved, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Version: "Some vendor clang version 19.1.7 (1~2)"}
	if clang.Identity() != want {
		t.Errorf("identity %+v, want %+v", clang.Identity(), want)
	}
	if want := want.Version + " (" + filepath.Join(dir, "clang") + ")"; clang.String() != want {
		t.Errorf("String: %q, want %q", clang, want)
	}
}

func TestVersionIsRemembered(t *testing.T) {
	dir := t.TempDir()
	path := fake(t, dir, "clang", "echo x >> \"$0.calls\"\n"+says("19.1.7"))
	env := variables("PATH", dir)
	calls := 0
	find := func(env *Env, asks int) Identity {
		t.Helper()
		clang, err := FindClang(context.Background(), env)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(path + ".calls")
		if got := strings.Count(string(text), "x") - calls; got != asks {
			t.Errorf("asked %d times, want %d", got, asks)
		}
		calls = strings.Count(string(text), "x")
		return clang.Identity()
	}
	find(env, 1)
	id := find(env, 0)
	other := variables("PATH", dir)
	other.Remember(id)
	if again := find(other, 0); again != id {
		t.Errorf("identity %+v, want %+v", again, id)
	}
	if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	find(other, 1)

	// An answer that is too old is remembered as well; a failure is not.
	fake(t, dir, "clang", "echo x >> \"$0.calls\"\n"+says("14.0.6"))
	for range 2 {
		if _, err := FindClang(context.Background(), env); err == nil {
			t.Fatal("clang 14 was accepted")
		}
	}
	find14, _ := os.ReadFile(path + ".calls")
	if got := strings.Count(string(find14), "x") - calls; got != 1 {
		t.Errorf("clang 14 was asked %d times, want 1", got)
	}
	broken := fake(t, dir, "clang", "exit 1")
	if _, err := FindClang(context.Background(), env); err == nil {
		t.Fatal("a broken clang was accepted")
	}
	flag := filepath.Join(dir, "flag")
	if err := os.WriteFile(broken, []byte(fmt.Sprintf("#!/bin/sh\n[ -e %s ] || exit 1\n%s\n", flag, says("19.1.7"))), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := FindClang(context.Background(), env); err == nil {
		t.Fatal("a broken clang was accepted")
	}
	if err := os.WriteFile(flag, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := FindClang(context.Background(), env); err != nil {
		t.Errorf("the failure was remembered: %v", err)
	}
}

// A compiler that starts another and waits for it must go with all it started.
func TestCancelKillsTheWholeGroup(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	const hang = "sleep 1000 & echo $! > %[1]s.new; mv %[1]s.new %[1]s; wait"
	started := filepath.Join(t.TempDir(), "started")
	wait := func(cancel context.CancelFunc) <-chan string {
		child := make(chan string)
		go func() {
			for {
				if pid, err := os.ReadFile(started); err == nil {
					cancel()
					child <- strings.TrimSpace(string(pid))
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		return child
	}
	gone := func(pid string) {
		t.Helper()
		for range 60000 {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			if err != nil || strings.Contains(string(stat), ") Z ") {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Errorf("process %s is still there", pid)
	}

	t.Run("version", func(t *testing.T) {
		dir := t.TempDir()
		fake(t, dir, "clang", fmt.Sprintf(hang, started))
		ctx, cancel := context.WithCancel(context.Background())
		child := wait(cancel)
		_, err := FindClang(ctx, variables("PATH", dir))
		gone(<-child)
		if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrNoClang) {
			t.Errorf("error %v", err)
		}
	})
	os.Remove(started)
	t.Run("compile", func(t *testing.T) {
		dir, temp := t.TempDir(), t.TempDir()
		fake(t, dir, "clang", "case $1 in --version) "+says("19.1.7")+";; *) "+fmt.Sprintf(hang, started)+";; esac")
		clang, err := FindClang(context.Background(), variables("PATH", dir, "TMPDIR", temp))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		child := wait(cancel)
		_, err = clang.Build(ctx, "", BuildOptions{Target: "x86_64-unknown-linux-gnu"})
		gone(<-child)
		var failed *BuildError
		if !errors.Is(err, context.Canceled) || !errors.As(err, &failed) || failed.Step != "compile" {
			t.Errorf("error %v", err)
		}
		expectEmpty(t, temp)
	})
}
