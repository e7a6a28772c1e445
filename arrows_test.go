package yolk_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/go-yolk/yolk/"

// arrows are the imports that the design allows inside the module: package -> packages. Tests may import more.
var arrows = map[string][]string{
	"internal/double":          {"internal/bigfloat"},
	"compiler/ir":              {"internal/double"},
	"internal/bigfloat":        {},
	"compiler/elementary":      {"compiler/ir", "internal/bigfloat", "internal/double"},
	"compiler/trace":           {"compiler/elementary", "compiler/ir"},
	"compiler/gosrc":           {"compiler/elementary", "compiler/ir"},
	"compiler/interp":          {"compiler/ir", "internal/bigfloat", "internal/double"},
	"compiler/egraph":          {"compiler/ir"},
	"compiler/extract":         {"compiler/egraph", "compiler/ir"},
	"compiler/ring":            {"compiler/egraph", "compiler/ir"},
	"compiler/piecewise":       {"compiler/ir"},
	"compiler/accuracy":        {"compiler/interp", "compiler/ir"},
	"compiler":                 {"compiler/piecewise", "compiler/accuracy", "compiler/egraph", "compiler/extract", "compiler/interp", "compiler/ir", "compiler/ring"},
	"rules":                    {"compiler/egraph", "compiler/elementary", "compiler/ir", "internal/bigfloat"},
	"rules/minimax":            {"internal/bigfloat"},
	"rules/minimax/cmd/approx": {"rules/minimax", "internal/bigfloat"},
	"rules/fit":                {"compiler/egraph", "compiler/interp", "compiler/ir", "compiler/piecewise", "rules/minimax"},
	"rules/rulestest":          {"compiler/egraph", "compiler/interp", "compiler/ir", "rules"},
	"native":                   {"compiler/ir"},
	"internal/golden":          {},
	"internal/loader":          {},
	"internal/team":            {},
	"jit":                      {"internal/loader"},
	"jit/cache":                {},
	"ufunc/internal/operand":   {"compiler/ir"},
	"ufunc": {"compiler", "compiler/accuracy", "compiler/egraph", "compiler/elementary", "compiler/extract", "compiler/gosrc", "compiler/interp", "compiler/ir",
		"compiler/trace", "internal/team", "jit", "jit/cache", "native", "rules", "rules/fit", "ufunc/internal/operand"},
	"cmd/yolk":      {"jit", "jit/cache", "native", "ufunc"},
	"cmd/calibrate": {"compiler/ir", "jit", "native"},
	"cmd/accuracy": {"compiler", "compiler/accuracy", "compiler/egraph", "compiler/elementary", "compiler/extract", "compiler/interp", "compiler/ir", "jit", "native",
		"rules"},
	"bench":                 {"internal/loader", "ufunc"},
	"examples/gelu":         {"rules", "ufunc"},
	"examples/blackscholes": {"ufunc"},
	"examples/mandelbrot":   {"ufunc"},
	"examples/newton":       {"ufunc"},
	"examples/mlp":          {"ufunc"},
	"examples/softmax":      {"ufunc"},
	"examples/image":        {"ufunc"},
	"examples/newop":        {"rules", "rules/minimax", "rules/rulestest", "ufunc"},
	".":                     {},
}

// foreign names the only packages that may import a module from outside.
var foreign = map[string][]string{
	"github.com/ebitengine/purego":  {"internal/loader"},
	"github.com/klauspost/cpuid/v2": {"bench", "cmd/yolk", "native"},
	"gonum.org/v1/gonum":            {"ufunc/internal/operand", "examples/image", "examples/mlp", "examples/softmax"},
	"os/exec":                       {"bench", "cmd/yolk", "jit"},
}

// The arrows between packages are those of the design, and no others.
func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && d.Name()[0] == '.') {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		seen[dir] = true
		allowed, ok := arrows[dir]
		if !ok {
			t.Errorf("%s: package %s is not on the map", path, dir)
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			p := strings.Trim(spec.Path.Value, `"`)
			if inner, ok := strings.CutPrefix(p, module); ok {
				if !slices.Contains(allowed, inner) {
					t.Errorf("%s: %s may not import %s", path, dir, inner)
				}
				continue
			}
			for prefix, packages := range foreign {
				if (p == prefix || strings.HasPrefix(p, prefix+"/")) && !slices.Contains(packages, dir) {
					t.Errorf("%s: only %v may import %s", path, packages, p)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range arrows {
		if !seen[dir] {
			t.Errorf("package %s is on the map but not there", dir)
		}
	}
}
