//go:build linux

package main

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/go-yolk/yolk/internal/loader"
	"github.com/klauspost/cpuid/v2"
)

//go:embed c
var sources embed.FS

// library is a file of peers in C or C++, compiled for this machine and called through its functions <symbol>_<function>.
type library struct {
	source   string
	compiler []string // those to try, in order
	flags    []string
	first    []string // what makes an object file of the source before, with its arguments
	avx512   bool     // needs it
	peers_   []member
	expected []string // functions whose tables say so if the library is absent
}

// member is a peer of a library.
type member struct {
	name   string
	symbol string
	kind   kind
}

var (
	cCompilers   = []string{os.Getenv("YOLK_CLANG"), "clang", "clang-22", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16"}
	cppCompilers = []string{"g++"} // Eigen is as fast with it as with clang, and libstdc++ comes with it
)

// honorPragmas lets functions say that they are not to be contracted.
const honorPragmas = "-ffp-contract=fast-honor-pragmas"

var libraries = []library{
	{source: "libc.c", compiler: cCompilers, flags: []string{"-pthread"}, peers_: []member{{"memcpy", "libc_memcpy", bound}}},
	{source: "hand512.c", compiler: cCompilers, flags: []string{honorPragmas, "-lm"}, avx512: true, peers_: []member{{"by hand", "hand", hand}}},
	{source: "auto.c", compiler: cCompilers, flags: []string{honorPragmas, "-lm"}, peers_: []member{{"clang -O3", "auto", compiled}}},
	{source: "loops.ispc", first: []string{"ispc", "-O3", "--pic", "--opt=disable-fma", "--target=host"}, compiler: cCompilers,
		peers_: []member{{"ISPC", "ispc", product}}, expected: []string{"mandelbrot"}},
	{source: "sleef.c", compiler: cCompilers, flags: []string{"-lsleef", "-lm"}, avx512: true,
		peers_: []member{{"SLEEF u10", "sleef_u10", product}, {"SLEEF u35", "sleef_u35", product}}},
	{source: "mvec.c", compiler: cCompilers, flags: []string{"-lmvec", "-lm"}, avx512: true, peers_: []member{{"libmvec", "mvec", product}}},
	{source: "eigen.cc", compiler: cppCompilers, flags: []string{"-DNDEBUG", "-I/usr/include/eigen3"}, peers_: []member{{"Eigen", "eigen", product}}},
	{source: "onednn.cc", compiler: cppCompilers, flags: []string{"-ldnnl"}, peers_: []member{{"oneDNN", "onednn", product}}},
}

// peers compiles and loads the library.
func (l *library) peers(m *memory) ([]peer, error) {
	if l.avx512 && !cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512BW, cpuid.AVX512VL) {
		return nil, fmt.Errorf("%s: it is written for AVX-512, which this machine does not have", l.source)
	}
	lib, err := l.load()
	if err != nil {
		return nil, err
	}
	var peers []peer
	for _, p := range l.peers_ {
		if p.kind != hand {
			peers = append(peers, p.peer(m, lib))
			continue
		}
		peers = append(peers, byHand(m, lib)...)
	}
	return peers, nil
}

// absent are the peers of a library that is not on the machine.
func (l *library) absent() []peer {
	var peers []peer
	for _, p := range l.peers_ {
		peers = append(peers, peer{name: p.name, kind: p.kind, start: func(f *function, _ int) (runner, error) {
			if slices.Contains(l.expected, f.name) {
				return nil, errAbsent
			}
			return nil, errLacks
		}})
	}
	return peers
}

// load compiles the library and opens it; its file is not needed any more then.
func (l *library) load() (*loader.Library, error) {
	path, err := l.build()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(filepath.Dir(path))
	return loader.Open(path)
}

// build compiles the source. Compiling and linking are two steps: a fast-math flag, were there one, must not reach the
// second.
func (l *library) build() (path string, err error) {
	var compiler string
	for _, name := range l.compiler {
		if compiler, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if compiler == "" {
		return "", fmt.Errorf("%s: there is no compiler (%s)", l.source, strings.Join(l.compiler[len(l.compiler)-1:], ", "))
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, sources); err != nil {
		return "", err
	}
	in, out := filepath.Join(dir, "c", l.source), filepath.Join(dir, l.source+".so")
	var commands []*exec.Cmd
	if l.first != nil {
		object := in + ".o"
		commands = append(commands, exec.Command(l.first[0], append(l.first[1:], "-o", object, in)...))
		in = object
	}
	args := []string{"-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-shared", "-w", "-o", out, in}
	for _, c := range append(commands, exec.Command(compiler, append(args, l.flags...)...)) {
		if msg, err := c.CombinedOutput(); err != nil {
			os.RemoveAll(dir)
			first, _, _ := strings.Cut(strings.TrimSpace(string(msg)), "\n")
			return "", fmt.Errorf("%s: %w %s", l.source, err, first)
		}
	}
	return out, nil
}

// arguments is struct call of peer.h.
type arguments struct {
	in      [3]unsafe.Pointer
	out     unsafe.Pointer
	n, reps int64
}

// copiesOfTwo loads memcpy on two threads, which share each of a number of repetitions.
func copiesOfTwo() (func(in, out []float32, reps int) time.Duration, error) {
	lib, err := libraries[0].load()
	if err != nil {
		return nil, err
	}
	fn, err := lib.Symbol("libc_memcpy_pair")
	if err != nil {
		return nil, err
	}
	return func(in, out []float32, reps int) time.Duration {
		a := &arguments{in: [3]unsafe.Pointer{unsafe.Pointer(&in[0])}, out: unsafe.Pointer(&out[0]), n: int64(len(in)), reps: int64(reps)}
		start := time.Now()
		if fn.Call(unsafe.Pointer(a)) != 0 {
			panic("no second thread")
		}
		return time.Since(start)
	}, nil
}

// inC times the repetitions within the library.
func inC(m *memory, fn loader.Func, f *function, n int) runner {
	a := argumentsOf(m, f, n)
	return func(reps int) (time.Duration, error) {
		a.reps = int64(reps)
		start := time.Now()
		fn.Call(unsafe.Pointer(a))
		d := time.Since(start)
		runtime.KeepAlive(m)
		return d, nil
	}
}

// fromGo times as many calls from Go.
func fromGo(m *memory, fn loader.Func, f *function, n int) runner {
	a := argumentsOf(m, f, n)
	a.reps = 1
	return timed(func() { fn.Call(unsafe.Pointer(a)) })
}

func argumentsOf(m *memory, f *function, n int) *arguments {
	a := &arguments{n: int64(n)}
	for k := range a.in {
		a.in[k] = unsafe.Pointer(&m.array(k, n)[0])
	}
	a.out = unsafe.Pointer(&m.array(3, n)[0])
	return a
}

func (p member) peer(m *memory, lib *loader.Library) peer {
	return peer{name: p.name, kind: p.kind, start: func(f *function, n int) (runner, error) {
		symbol := p.symbol
		if p.kind != bound {
			symbol += "_" + f.cName()
		}
		fn, err := lib.Symbol(symbol)
		if err != nil {
			return nil, errLacks
		}
		return inC(m, fn, f, n), nil
	}}
}

// cName is what the function is called in C.
func (f *function) cName() string {
	if f.name == "gelu" {
		return "gelu_tanh"
	}
	return f.name
}

// byHand gives each way to a function a peer, timed within C and as called from Go by the same road as yolk's kernels.
func byHand(m *memory, lib *loader.Library) []peer {
	var peers []peer
	seen := map[string]bool{}
	for _, f := range functions {
		for _, v := range f.hand {
			if seen[v.name] {
				continue
			}
			seen[v.name] = true
			start := func(run func(*memory, loader.Func, *function, int) runner) func(*function, int) (runner, error) {
				return func(f *function, n int) (runner, error) {
					for _, w := range f.hand {
						if w.name == v.name {
							fn, err := lib.Symbol("hand_" + w.symbol)
							if err != nil {
								return nil, err
							}
							return run(m, fn, f, n), nil
						}
					}
					return nil, errLacks
				}
			}
			peers = append(peers,
				peer{name: "by hand: " + v.name, kind: hand, start: start(inC)},
				peer{name: "by hand: " + v.name + ", from Go", kind: hand, start: start(fromGo)})
		}
	}
	return peers
}
