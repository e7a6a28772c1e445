package gosrc

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What kernels may call and what package ufunc offers are the same functions.
func TestFunctionsMatchUfunc(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "ufunc", "funcs.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, want := map[string]int{}, map[string]int{}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
			got[fn.Name.Name] = fn.Type.Params.NumFields()
		}
	}
	for name, f := range functions {
		want[name] = f.arity()
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-gosrc +ufunc)\n%s", d)
	}
}

// The constants of the synthesised package math are package math's.
func TestMathConstants(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(build.Default.GOROOT, "src", "math", "const.go"), nil, 0)
	if err != nil {
		t.Skip("no Go source tree: ", err)
	}
	var names []string
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			for _, s := range g.Specs {
				for _, id := range s.(*ast.ValueSpec).Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	scope := newPackages(nil, "")[mathPath].Scope()
	for _, name := range names {
		if scope.Lookup(name) == nil {
			t.Errorf("%s is missing", name)
		}
	}
	f, err := loadText[unary64]("f", 0, `package kernel
import . "math"
func f(x float64) float64 {
	a := x*E*Pi*Phi*Sqrt2*SqrtE*SqrtPi*SqrtPhi*Ln2*Log2E*Ln10*Log10E
	return a + MaxFloat32 + SmallestNonzeroFloat32 + MaxInt16 + MinInt32 + MaxUint64 + MaxInt
}`)
	if err != nil {
		t.Fatal(err)
	}
	fn := func(x float64) float64 {
		a := x * math.E * math.Pi * math.Phi * math.Sqrt2 * math.SqrtE * math.SqrtPi * math.SqrtPhi * math.Ln2 * math.Log2E * math.Ln10 * math.Log10E
		return a + math.MaxFloat32 + math.SmallestNonzeroFloat32 + math.MaxInt16 + math.MinInt32 + math.MaxUint64 + math.MaxInt
	}
	if err := Compare(f, fn, evaluator(t, f)); err != nil {
		t.Error(err)
	}
}

func TestUntrim(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "// comment\nmodule example.org/m\n\ngo 1.26\n")
	write("a/b/k.go", "package b\n")
	t.Setenv("GOMODCACHE", "/cache")
	t.Chdir(filepath.Join(root, "a"))
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, want, err string }{
		{"example.org/m/a/b/k.go", filepath.Join(root, "a", "b", "k.go"), ""},
		{"example.org/Dep@v1.2.0/k.go", "/cache/example.org/!dep@v1.2.0/k.go", ""},
		{"example.org/other/k.go", "", "it is not in module example.org/m of "},
		{"command-line-arguments/k.go", "", "it is not in module"},
	}
	for _, tt := range tests {
		got, err := untrim(tt.name)
		if tt.err == "" && (err != nil || filepath.ToSlash(got) != filepath.ToSlash(tt.want)) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
	if _, err := open("example.org/m/a/b/k.go", nil); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"example.org/other/k.go", filepath.Join(root, "gone.go")} {
		if _, err := open(name, nil); !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), "as Source") {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Chdir(string(filepath.Separator))
	if _, err := open("example.org/m/k.go", nil); !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), "no go.mod") {
		t.Errorf("no go.mod: %v", err)
	}
}

// The tests of this package hold in a program built with -trimpath, and in one without optimisation.
func TestLoadUnderBuildModes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the package twice more")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command: ", err)
	}
	for _, flag := range []string{"-trimpath", "-gcflags=-N -l"} {
		t.Run(flag, func(t *testing.T) {
			out, err := exec.Command(tool, "test", flag, "-count=1", "-run=^(TestLoadGolden|TestLoadCompare|TestLoadFromFS|TestLoadRefuses)$", ".").CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func TestSymbolOf(t *testing.T) {
	s := symbol{pkg: "gopkg.in/p.v2", name: "outer.func1.2"}
	if !s.literal() || (symbol{name: "funcs"}).literal() || (symbol{name: "T.func"}).literal() {
		t.Error("literals are told from functions by the name's tail")
	}
	if list([]string{"a", "b", "c"}) != "a, b and c" {
		t.Error("lists end in and")
	}
	var names []string
	for _, fn := range []any{gelu, geluGeneric[float32], math.Tanh} {
		names = append(names, symbolOf(pointer(fn)).name)
	}
	if want := []string{"gelu", "geluGeneric", "Tanh"}; !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
}
