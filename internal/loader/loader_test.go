package loader

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// libc returns the path of the C library, which has a function of the right form
// (int atoi(const char *)) and is there without any compiler.
func libc(t *testing.T) string {
	t.Helper()
	if err := Available(); err != nil {
		t.Skip(err)
	}
	if runtime.GOOS == "darwin" {
		return "/usr/lib/libSystem.B.dylib"
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(maps)) {
		f := strings.Fields(line)
		path := f[len(f)-1]
		if base := filepath.Base(path); filepath.IsAbs(path) && (strings.HasPrefix(base, "libc.") || strings.HasPrefix(base, "libc-") || strings.HasPrefix(base, "ld-musl-")) {
			return path
		}
	}
	t.Skip("no C library is mapped into this process")
	return ""
}

func atoi(t *testing.T) Func {
	t.Helper()
	lib, err := Open(libc(t))
	if err != nil {
		t.Fatal(err)
	}
	f, err := lib.Symbol("atoi")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCall(t *testing.T) {
	f := atoi(t)
	for _, c := range []struct {
		text string
		want int32
	}{{"0", 0}, {"41", 41}, {"-2147483648", -1 << 31}, {"2147483647", 1<<31 - 1}} {
		text := append([]byte(c.text), 0)
		if got := f.Call(unsafe.Pointer(&text[0])); got != c.want {
			t.Errorf("atoi(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

func TestCallConcurrent(t *testing.T) {
	f := atoi(t)
	var wg sync.WaitGroup
	for g := range 32 {
		wg.Go(func() {
			text := [3]byte{byte('0' + g/10), byte('0' + g%10), 0}
			for range 1000 {
				if got := f.Call(unsafe.Pointer(&text)); got != int32(g) {
					t.Errorf("atoi(%q) = %d", text[:2], got)
					return
				}
			}
		})
	}
	wg.Wait()
}

// C106: an argument on a deep, still growing stack must be read where the stack is now.
func TestCallWhileStackGrows(t *testing.T) {
	f := atoi(t)
	var down func(depth int)
	down = func(depth int) {
		text := [64]byte{'7', byte('0' + depth%10)}
		if depth > 0 {
			down(depth - 1)
		}
		if got, want := f.Call(unsafe.Pointer(&text)), int32(70+depth%10); got != want {
			t.Errorf("depth %d: got %d, want %d", depth, got, want)
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { down(2000) })
	wg.Wait()
}

func TestOpenErrors(t *testing.T) {
	if err := Available(); err != nil {
		_, got := Open("/lib/libc.so.6")
		if !errors.Is(got, ErrUnavailable) || got.Error() != err.Error() {
			t.Errorf("Open: %v, want the error of Available: %v", got, err)
		}
		if why, ok := strings.CutPrefix(err.Error(), ErrUnavailable.Error()+": "); !ok || why == "" {
			t.Errorf("Available: %q does not give the reason", err)
		}
		return
	}
	dir := t.TempDir()
	short := filepath.Join(dir, "short.so")
	if err := os.WriteFile(short, []byte("\x7fELF"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, want string }{
		{"relative", "libc.so.6", "not absolute"},
		{"empty", "", "not absolute"},
		{"missing", filepath.Join(dir, "missing.so"), "missing.so"},
		{"damaged", short, "short.so"},
		{"directory", dir, filepath.Base(dir)},
	} {
		if _, err := Open(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", c.name, err, c.want)
		}
	}
}

func TestSymbolMissing(t *testing.T) {
	lib, err := Open(libc(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Symbol("yolk_no_such_symbol"); err == nil || !strings.Contains(err.Error(), `"yolk_no_such_symbol"`) {
		t.Errorf("error %v does not name the symbol", err)
	}
}

func TestZeroFuncPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the zero Func was called")
		}
	}()
	Func{}.Call(nil)
}
