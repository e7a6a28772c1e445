//go:build linux || darwin

package ufunc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/ufunc"
)

// counting makes a compiler that notes every compilation in a file and is otherwise the one that is installed.
func counting(t *testing.T) (path string, compilations func() int) {
	t.Helper()
	needClang(t)
	real, err := jit.FindClang(t.Context(), jit.NewEnv(nil))
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "clang")
	log := path + ".log"
	text := fmt.Sprintf("#!/bin/sh\ncase $1 in -c) echo x >> %s;; esac\nexec %s \"$@\"\n", log, real.Identity().Path)
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, func() int {
		b, err := os.ReadFile(log)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return bytes.Count(b, []byte("\n"))
	}
}

// C65: goroutines that make kernels of the same and of different functions at once start the compiler once for each different one, in one process and
// across processes that share a cache.
func TestCompiledOnce(t *testing.T) {
	needClang(t)
	clang, compilations := counting(t)
	t.Run("goroutines", func(t *testing.T) {
		t.Setenv("YOLK_CLANG", clang)
		t.Setenv("YOLK_CACHE", "off")
		const different = 4
		before := compilations()
		together(t, func(g int) error {
			c := float64(g%different + 2)
			k, err := ufunc.Compile(context.Background(), func(x ufunc.Value) ufunc.Value { return x.Mul(ufunc.Const(c)) }, ufunc.Float32, 1, ufunc.Name("times"))
			if err != nil {
				return err
			}
			out := make([]float32, 1)
			if err := k.Call([]float32{3}, out); err != nil || out[0] != float32(3*c) {
				return fmt.Errorf("3*%v = %v, %v", c, out[0], err)
			}
			return nil
		})
		if n := compilations() - before; n != different {
			t.Errorf("%d compilations of %d functions", n, different)
		}
	})
	t.Run("processes", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "cache")
		before := compilations()
		var wg sync.WaitGroup
		for range 6 {
			cmd := child(t, "gelu", dir, "YOLK_CLANG="+clang)
			wg.Go(func() {
				if out, err := cmd.Output(); err != nil || bytes.Contains(out, []byte(`"Err":"u`)) {
					t.Errorf("%v %s", err, out)
				}
			})
		}
		wg.Wait()
		if n := compilations() - before; n != 1 {
			t.Errorf("%d compilations of one function", n)
		}
	})
}

// A compiler that hangs while it builds is stopped with the context, whoever waits for the same code goes on, and nothing is left in the cache but
// entries.
func TestHangingCompiler(t *testing.T) {
	if err := jit.Available(); err != nil {
		t.Skip(err)
	}
	dir, temp := filepath.Join(t.TempDir(), "cache"), t.TempDir()
	clang := filepath.Join(t.TempDir(), "clang")
	started := clang + ".started"
	text := "#!/bin/sh\ncase $1 in --version) echo clang version 19.1.7;; *) cat > /dev/null; touch " + started + "; sleep 1000 & wait;; esac\n"
	if err := os.WriteFile(clang, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("YOLK_CLANG", clang)
	t.Setenv("YOLK_CACHE", dir)
	t.Setenv("TMPDIR", temp)
	f := func(x ufunc.Value) ufunc.Value { return x.Mul(ufunc.Const(1.25)) }
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	go func() {
		for {
			if _, err := os.Stat(started); err == nil {
				cancel(enough)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	waiting := make(chan error, 1)
	go func() {
		_, err := ufunc.Compile(ctx, f, ufunc.Float32, 1, ufunc.Name("hangs"))
		waiting <- err
	}()
	if _, err := ufunc.Compile(ctx, f, ufunc.Float32, 1, ufunc.Name("hangs")); !errors.Is(err, enough) {
		t.Errorf("error %v", err)
	}
	if err := <-waiting; !errors.Is(err, enough) {
		t.Errorf("the other one: %v", err)
	}
	if files := cacheFiles(t, dir); len(files["kernel"]) != 0 || len(files["other"]) != 0 {
		t.Errorf("left in the cache: %v", files)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("left in TMPDIR: %v, %v", left, err)
	}
}

// C59: a cache that is carried between processors. Each target has its own entries.
func TestCacheOfSeveralTargets(t *testing.T) {
	needClang(t)
	if runtime.GOARCH != "amd64" {
		t.Skip("the targets are those of amd64")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	made := map[string]bool{}
	for _, target := range []string{"x86-64-v2", "", "x86-64-v2", ""} {
		a, notices := ask(t, child(t, "gelu", dir, "YOLK_CPU="+target))
		if warm := a.Made > 0; warm != made[target] || notices != "" {
			t.Errorf("YOLK_CPU=%s: stages %v, notices %s", target, a.Stages, notices)
		}
		made[target] = true
	}
}

// C64, C83: two users and one directory. A shared one is refused with the reason, and each has its own by default; what another user has prepared is
// not used.
func TestTwoUsers(t *testing.T) {
	needClang(t)
	if os.Geteuid() != 0 {
		t.Skip("only root can be two users")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test binary's directory may be closed to the other user: a copy in one that is not.
	base, err := os.MkdirTemp("/tmp", "yolk-users-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(base)
	if err := os.Chmod(base, 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(base, "program")
	content, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, content, 0o755); err != nil {
		t.Fatal(err)
	}
	const stranger = 4242
	as := func(uid int, job, dir string, env ...string) *exec.Cmd {
		cmd := child(t, job, dir, env...)
		cmd.Path, cmd.Dir = program, "/"
		if uid != 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
		}
		return cmd
	}
	shared := filepath.Join(base, "shared")
	if a, notices := ask(t, as(0, "captured", shared)); notices != "" || a.Text == "" {
		t.Fatalf("root: %s%+v", notices, a)
	}
	a, notices := ask(t, as(stranger, "captured", shared))
	if strings.Count(notices, "\n") != 1 || !strings.Contains(notices, "keeps no kernels on disk") || a.Text == "" {
		t.Errorf("another user in root's directory: %s%+v", notices, a)
	}
	home := filepath.Join(base, "home")
	if err := errors.Join(os.Mkdir(home, 0o755), os.Chown(home, stranger, stranger)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, notices := ask(t, as(stranger, "captured", "", "HOME="+home, "XDG_CACHE_HOME=")); notices != "" {
			t.Errorf("in a home of one's own: %s", notices)
		}
	}
	if info, err := os.Stat(filepath.Join(home, ".cache", "yolk")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory: %v, %v", info, err)
	}
	// Root with the other's HOME, as sudo without -H has it: his directory is not used.
	_, notices = ask(t, as(0, "captured", "", "HOME="+home, "XDG_CACHE_HOME="))
	if runtime.GOOS == "linux" && !strings.Contains(notices, "belongs to user 4242") {
		t.Errorf("root in another's home: %s", notices)
	}
	prepared := filepath.Join(base, "prepared")
	if err := errors.Join(os.Mkdir(prepared, 0o777), os.Chmod(prepared, 0o777), os.Chown(prepared, stranger, stranger)); err != nil {
		t.Fatal(err)
	}
	if _, notices := ask(t, as(0, "captured", prepared)); !strings.Contains(notices, "refused") {
		t.Errorf("a directory prepared by another: %s", notices)
	}
	if left, err := os.ReadDir(prepared); err != nil || len(left) != 0 {
		t.Errorf("it was used: %v, %v", left, err)
	}
}

// C108: while native code runs, the collector, the profiler, signals and recovered faults of Go code work.
func TestSignalsDuringKernels(t *testing.T) {
	needClang(t)
	f := ufunc.Vectorize1[float32](func(x ufunc.Value) ufunc.Value {
		for range 12 { // long calls: milliseconds each
			x = x.Mul(ufunc.Const(0.5)).Exp().Log()
		}
		return x
	}, ufunc.Domain(-10, 10), ufunc.WithinAbs(1e-3))
	in, out := make([]float32, 1<<20), make([]float32, 1<<20)
	for i := range in {
		in[i] = float32(i%1000) / 100
	}
	f(in, out)
	want := slices.Clone(out)
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Skip(err)
	}
	defer pprof.StopCPUProfile()
	received := make(chan os.Signal, 100)
	signal.Notify(received, syscall.SIGUSR1)
	defer signal.Stop(received)
	var stop atomic.Bool
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() {
			mine := make([]float32, len(in))
			for !stop.Load() {
				f(in, mine)
				if !slices.Equal(mine, want) {
					t.Error("a result changed")
					return
				}
			}
		})
	}
	recovered := 0
	for range 30 {
		runtime.GC()
		if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if recover() != nil {
					recovered++
				}
			}()
			var p *int
			*p = 1
		}()
		runtime.Gosched()
	}
	select {
	case <-received:
	case <-time.After(time.Minute):
		t.Error("no signal arrives")
	}
	stop.Store(true)
	running.Wait()
	if recovered != 30 {
		t.Errorf("%d of 30 faults of Go code were recovered", recovered)
	}
}
