package ufunc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// build compiles a Go program inside this module, so that it imports this ufunc, and returns the executable and the
// directory of its source. With test it is the test binary of the package.
func build(t *testing.T, files map[string]string, test bool, env []string, flags ...string) (exe, dir string) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	dir, err := os.MkdirTemp("testdata", "program-") // within the module, but not part of ./...
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if dir, err = filepath.Abs(dir); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	exe = filepath.Join(t.TempDir(), "program")
	args := []string{"build"}
	if test {
		args = []string{"test", "-c"}
	}
	cmd := exec.Command("go", append(append(args, flags...), "-o", exe, ".")...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "GOFLAGS="), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, text)
	}
	return exe, dir
}

// execute runs a program in a directory and returns all that it prints.
func execute(exe, dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command(exe, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// kernelSource is the source of a package with a kernel of every kind that depends on where its source is.
const kernelSource = `
func double(x float32) float32 { return 2 * helper(x) }

var Double = ufunc.Vectorize(double, ufunc.Float32, 1)

var Literal = ufunc.Vectorize1[float32](func(x float32) float32 {
	return 3 * helper(x)
})

func generic[T ufunc.Float](x T) T { return 4 * x }

func check() string {
	x, a, b, c, d := []float32{1, 2}, make([]float32, 2), make([]float32, 2), make([]float32, 2), []float64{1, 2}
	Double(x, a)
	Literal(x, b)
	ufunc.Vectorize(generic[float32], ufunc.Float32, 1)(x, c)
	ufunc.Vectorize(generic[float64], ufunc.Float64, 1)(d, d)
	return fmt.Sprintf("%v %v %v %v %s", a, b, c, d, Double.Kernel().Name())
}
`

const imports = `
import (
	"fmt"

	"github.com/go-yolk/yolk/ufunc"
)
`

// Kernels are found wherever a program may have them: in package main, behind build tags, in test files, as package
// variables; with and without cgo, with -trimpath, from any working directory.
func TestPrograms(t *testing.T) {
	main := "package main\n" + imports + kernelSource + "func main() { fmt.Println(check()) }\n"
	helper := "package main\n\nfunc helper(x float32) float32 { return x }\n"
	wrong := "package main\n\nfunc helper(x float32) float32 { return -x }\n"
	tested := "package main\n" + strings.Replace(imports, "\"fmt\"", "\"fmt\"\n\t\"testing\"", 1) + kernelSource +
		"func TestKernel(t *testing.T) { fmt.Println(check()) }\n"
	elsewhere := t.TempDir()
	const output = "[2 4] [3 6] [4 8] [4 8] "
	for _, test := range []struct {
		name  string
		files map[string]string
		test  bool
		env   []string
		flags []string
		run   string // working directory; "": that of the source
		want  string
	}{
		{name: "without cgo, another working directory", files: map[string]string{"main.go": main, "helper.go": helper},
			env: []string{"CGO_ENABLED=0"}, run: elsewhere, want: output},
		{name: "trimpath", files: map[string]string{"main.go": main, "helper.go": helper}, flags: []string{"-trimpath"}, want: output},
		{name: "trimpath, another working directory", files: map[string]string{"main.go": main, "helper.go": helper}, flags: []string{"-trimpath"}, run: elsewhere,
			want: "main.go: no go.mod in the working directory or above; run inside the module, build without -trimpath, or give the files as Source"},
		{name: "build tags, optimisations off", files: map[string]string{
			"main.go":          "//go:build special\n\n" + main,
			"helper_tag.go":    "//go:build special && !plan9\n\n" + helper,
			"helper_else.go":   "//go:build !special\n\n" + wrong,
			"helper_plan9.go":  wrong,
			"helper_test.go":   "package main\n\nfunc unknown(",
			"other.go":         "//go:build !special\n\npackage main\n\nfunc main() {}\n",
			"rubbish_plan9.go": "rubbish",
		}, flags: []string{"-tags", "special", "-gcflags=-N -l"}, want: output},
		{name: "test files, build tags", files: map[string]string{
			"main.go":        "package main\n\nfunc main() {}\n",
			"helper_test.go": "//go:build special && !cgo\n\n" + helper,
			"helper_else.go": "//go:build !special || cgo\n\n" + wrong,
			"main_test.go":   tested,
		}, test: true, env: []string{"CGO_ENABLED=0"}, flags: []string{"-tags=other,special"}, run: elsewhere, want: output},
	} {
		t.Run(test.name, func(t *testing.T) {
			exe, dir := build(t, test.files, test.test, test.env, test.flags...)
			if test.run != "" {
				dir = test.run
			}
			text, err := execute(exe, dir, test.env)
			if !strings.Contains(text, test.want) || test.want == output && err != nil {
				t.Errorf("%v, want %q\n%s", err, test.want, text)
			}
		})
	}
}

// A source that is not what was compiled is refused, and so is one that is gone. What the same program has read and compared before is known from the
// cache.
func TestChangedSource(t *testing.T) {
	source := "package main\n" + imports + `
func kernel(x float32) float32 { return 2 * x }

func main() {
	defer func() { fmt.Println(recover()) }()
	ufunc.Vectorize(kernel, ufunc.Float32, 1, ufunc.MustNative()) // or the function itself would be called for each element
}
`
	exe, dir := build(t, map[string]string{"main.go": source}, false, nil)
	path := filepath.Join(dir, "main.go")
	var cache []string // the environment of a run that finds what the first one has read
	for i, test := range []struct{ name, text, want string }{
		{"as it was", source, "<nil>"},
		{"another constant", strings.Replace(source, "2 * x", "3 * x", 1), "no usable source: it is not what was compiled"},
		{"another parameter", strings.Replace(source, "kernel(x float32)", "kernel(x float64)", 1), "the file has changed since the program was built"},
		{"another name", strings.Replace(source, "func kernel", "func colonel", 1), "declares no function kernel"},
		{"no Go", "rubbish", "no usable source"},
		{"gone", "", "no such file or directory; give the files as Source"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var err error
			if test.text == "" {
				err = os.Remove(path)
			} else {
				err = os.WriteFile(path, []byte(test.text), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			text, err := execute(exe, dir, []string{"YOLK_CACHE=off"})
			if err != nil || !strings.Contains(text, test.want) {
				t.Errorf("%v, want %q\n%s", err, test.want, text)
			}
			if i == 0 {
				kept, err := os.MkdirTemp(dir, "cache")
				if err != nil {
					t.Fatal(err)
				}
				text, err := execute(exe, dir, []string{"YOLK_CACHE=" + kept})
				if err != nil || !strings.Contains(text, "<nil>") {
					t.Errorf("%v\n%s", err, text)
				}
				cache = append(cache, "YOLK_CACHE="+kept)
			} else if text, err = execute(exe, dir, cache); err != nil || !strings.Contains(text, "<nil>") {
				t.Errorf("with a cache: %v\n%s", err, text)
			}
		})
	}
}
