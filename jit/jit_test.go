package jit

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

//go:embed testdata/double.ll
var doubleLL string

const kernelSymbol = "yolk_kernel"

// timesLL is the text of y = x*factor.
func timesLL(factor int) string {
	return strings.Replace(doubleLL, "fmul float %v, 2.0", fmt.Sprintf("fmul float %%v, %d.0", factor), 1)
}

// toolchain returns a clang for this machine and options that build for it. A test
// that needs them is skipped where there is none, and fails where CI promises one.
func toolchain(t testing.TB) (*Clang, BuildOptions) {
	t.Helper()
	clang, err := FindClang(context.Background(), NewEnv(nil))
	target, targetErr := HostTriple()
	if err := errors.Join(Available(), err, targetErr); err != nil {
		if os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
			t.Fatalf("YOLK_REQUIRE_NATIVE=1, but: %v", err)
		}
		t.Skipf("no native kernels: %v", err)
	}
	return clang, BuildOptions{Target: target, Level: 1}
}

func build(t testing.TB, ll string) Object {
	t.Helper()
	clang, o := toolchain(t)
	object, err := clang.Build(context.Background(), ll, o)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func load(t testing.TB, o Object) *Kernel {
	t.Helper()
	k, err := Load(o, kernelSymbol)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// call runs a kernel of one input and one output; strides are in elements.
func call(k *Kernel, x, y *float32, n, xs, ys int) Fault {
	data := [2]unsafe.Pointer{unsafe.Pointer(x), unsafe.Pointer(y)}
	count := [1]int64{int64(n)}
	stride := [2]int64{int64(xs) * 4, int64(ys) * 4}
	return k.Call(&Args{Data: &data[0], Count: &count[0], Stride: &stride[0]})
}

func TestKernel(t *testing.T) {
	k := load(t, build(t, doubleLL))
	const size = 512
	for _, c := range []struct {
		name        string
		n           int
		xat, xs     int // first element and stride
		yat, ys     int
		sameStorage bool
	}{
		{"empty", 0, 0, 1, 0, 1, false},
		{"negative count", -1, 0, 1, 0, 1, false},
		{"one", 1, 0, 1, 0, 1, false},
		{"contiguous", 101, 3, 1, 7, 1, false},
		{"strided", 100, 0, 3, 1, 5, false},
		{"reversed input", 100, 99, -1, 0, 1, false},
		{"reversed output", 100, 0, 2, 400, -4, false},
		{"broadcast input", 100, 5, 0, 0, 1, false},
		{"in place", 100, 1, 2, 1, 2, true},
	} {
		x, y := make([]float32, size), make([]float32, size)
		for i := range x {
			x[i], y[i] = float32(i)-100.25, -1
		}
		if c.sameStorage {
			y = x
		}
		want := append([]float32(nil), y...)
		for i := range c.n {
			want[c.yat+i*c.ys] = x[c.xat+i*c.xs] * 2
		}
		if fault := call(k, &x[c.xat], &y[c.yat], c.n, c.xs, c.ys); fault != FaultNone {
			t.Errorf("%s: fault %d", c.name, fault)
		}
		for i := range want {
			if math.Float32bits(y[i]) != math.Float32bits(want[i]) {
				t.Errorf("%s: element %d is %v, want %v", c.name, i, y[i], want[i])
				break
			}
		}
	}
}

func TestFault(t *testing.T) {
	k := load(t, build(t, "define i32 @yolk_kernel(ptr %args) {\n  ret i32 1\n}\n"))
	if got := k.Call(&Args{}); got != FaultDivide {
		t.Errorf("fault %d, want %d", got, FaultDivide)
	}
}

func TestConcurrentLoadAndCall(t *testing.T) {
	objects := make([]Object, 3)
	for i := range objects {
		objects[i] = build(t, timesLL(2+i))
	}
	var wg sync.WaitGroup
	for g := range 24 {
		wg.Go(func() {
			k, err := Load(objects[g%3], kernelSymbol)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 200 {
				x, y := [8]float32{float32(i)}, [8]float32{}
				if call(k, &x[0], &y[0], 8, 1, 1); y[0] != float32(i*(2+g%3)) {
					t.Errorf("goroutine %d: %v * %d = %v", g, x[0], 2+g%3, y[0])
					return
				}
				if i == g*8 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
}

// C11: neither loading nor running a kernel may switch subnormal numbers off.
func TestSubnormalsSurvive(t *testing.T) {
	object := build(t, doubleLL)
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			runtime.LockOSThread() // the mode belongs to a thread
			defer runtime.UnlockOSThread()
			k, err := Load(object, kernelSymbol)
			if err != nil {
				t.Error(err)
				return
			}
			x := [2]float32{math.Float32frombits(0x00400000), math.Float32frombits(1)}
			var y [2]float32
			call(k, &x[0], &y[0], 2, 1, 1)
			if a, b := math.Float32bits(y[0]), math.Float32bits(y[1]); a != 0x00800000 || b != 2 {
				t.Errorf("kernel flushes subnormals: %#08x, %#08x", a, b)
			}
			if got := math.Float32bits(y[0] * 0.5); got != 0x00400000 {
				t.Errorf("Go flushes subnormals after a kernel: %#08x", got)
			}
		})
	}
	wg.Wait()
}

// Loading from memory must not give the library that had the descriptor before.
func TestLoadWithoutTempDir(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("no memfd here")
	}
	var objects []Object
	for i := range 4 {
		objects = append(objects, build(t, timesLL(2+i)))
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(file, "..", "missing"), file, "/proc"} {
		for i, object := range objects {
			k, err := LoadIn(dir, object, kernelSymbol)
			if err != nil {
				t.Fatalf("%s: %v", dir, err)
			}
			x, y := float32(1), float32(0)
			if call(k, &x, &y, 1, 1, 1); y != float32(2+i) {
				t.Errorf("%s: kernel %d multiplies by %v", dir, 2+i, y)
			}
			// A failure that frees its descriptor must not disturb the next load.
			if _, err := LoadIn(dir, Object{Code: []byte("no library"), Target: object.Target}, kernelSymbol); err == nil {
				t.Errorf("%s: loaded garbage", dir)
			}
		}
	}
}

func TestLoadLeavesNothing(t *testing.T) {
	object := build(t, doubleLL)
	dir := t.TempDir()
	if _, err := LoadIn(dir, object, kernelSymbol); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadIn(dir, object, "another"); err == nil {
		t.Error("found a symbol that is not there")
	}
	if _, err := LoadIn(dir, Object{Target: object.Target}, kernelSymbol); err == nil {
		t.Error("loaded an empty object")
	}
	expectEmpty(t, dir)
	t.Setenv("TMPDIR", dir)
	load(t, object)
	expectEmpty(t, dir)
}

func expectEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("left behind: %s", filepath.Join(dir, e.Name()))
	}
}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct{ name, symbol, want string }{
		{"no symbol", "", "no symbol"},
		{"option", "-x", `"-x" contains '-'`},
		{"space", "a b", `contains ' '`},
		{"letter", "käfer", `contains 'ä'`},
	} {
		if _, err := Load(Object{}, c.symbol); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", c.name, err, c.want)
		}
	}
	foreign := "aarch64-unknown-linux-gnu"
	if runtime.GOARCH == "arm64" {
		foreign = "x86_64-unknown-linux-gnu"
	}
	host, _ := HostTriple()
	for _, c := range []struct{ name, target, want string }{
		{"damaged", host, ".so"},
		{"foreign", foreign, foreign},
		{"no target", "", `target ""`},
	} {
		_, err := Load(Object{Code: []byte("\x7fELF"), Target: c.target}, kernelSymbol)
		if Available() != nil {
			if !errors.Is(err, ErrUnavailable) {
				t.Errorf("%s: error %v, want %v", c.name, err, ErrUnavailable)
			}
		} else if err == nil || errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", c.name, err, c.want)
		}
	}
}
