package gosrc

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/ir"
)

// softsign and hypotenuse hold what no kernel may: their bodies are not looked at.
func softsign[T ~float32 | ~float64](x T) T {
	y := float64(x)
	if y < 0 {
		return T(y / (1 - y))
	}
	return T(y / (1 + y))
}

func hypotenuse(x, y float64) float64 { return math.Hypot(x, y) }

var (
	softsignDef   = &ir.Def{Name: "softsign", Arity: 1, Eval: func(x []float64) float64 { return softsign(x[0]) }}
	hypotenuseDef = &ir.Def{Name: "hypotenuse", Arity: 2, Eval: func(x []float64) float64 { return math.Hypot(x[0], x[1]) }}
	besselDef     = &ir.Def{Name: "j0", Arity: 1, Eval: func(x []float64) float64 { return math.J0(x[0]) }}

	opCalls = []Call{{softsign[float64], softsignDef}, {hypotenuse, hypotenuseDef}, {math.J0, besselDef}}
)

func useOps(x, y float32) (float32, float32) {
	h := float32(hypotenuse(float64(x), float64(2*y)))
	return softsign(h), softsign[float32](float32(math.J0(float64(h))))
}

func useOps64(x float64) float64 {
	return softsign(hypotenuse(x, 1)) + float64(float32(hypotenuse(x, 0.1)))
}

func softsignGeneric[T ~float32 | ~float64](x T) T { return softsign(x) * T(0.5) }

func TestOperations(t *testing.T) {
	for _, c := range []struct {
		name string
		fn   any
		want string
	}{
		{"plain", useOps, `func "plain"("x" f32, "y" f32) {
	v0 = param f32 "x"
	v1 = param f32 "y"
	v2 = const f32 0x1p+01 # 2
	v3 = mul f32 v2 v1
	v4 = call2 f32 "hypotenuse" v0 v3
	v5 = call1 f32 "softsign" v4
	v6 = call1 f32 "j0" v4
	v7 = call1 f32 "softsign" v6
	return v5 v7
}
`},
		{"float64", useOps64, `func "float64"("x" f64) {
	v0 = param f64 "x"
	v1 = const f64 0x1p+00 # 1
	v2 = call2 f64 "hypotenuse" v0 v1
	v3 = call1 f64 "softsign" v2
	v4 = const f64 0x1.999999999999ap-04 # 0.1
	v5 = call2 f64 "hypotenuse" v0 v4
	v6 = convert f32 v5
	v7 = convert f64 v6
	v8 = add f64 v3 v7
	return v8
}
`},
		{"generic", softsignGeneric[float32], `func "generic"("x" f32) {
	v0 = param f32 "x"
	v1 = call1 f32 "softsign" v0
	v2 = const f32 0x1p-01 # 0.5
	v3 = mul f32 v1 v2
	return v3
}
`},
		{"itself", softsign[float32], `func "itself"("x0" f32) {
	v0 = param f32 "x0"
	v1 = call1 f32 "softsign" v0
	return v1
}
`},
		{"of math", math.J0, `func "of math"("x0" f64) {
	v0 = param f64 "x0"
	v1 = call1 f64 "j0" v0
	return v1
}
`},
	} {
		f, err := Load(c.fn, Options{Name: c.name, Calls: opCalls})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, f.String()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
		if err := Compare(f, c.fn, evaluator(t, f)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if f, err := Load(hypotenuse, Options{Calls: opCalls}); err != nil || f.Name != "hypotenuse" {
		t.Errorf("the name of a kernel that is an operation: %v, %v", f, err)
	}
	if _, err := Load(useOps, Options{}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("without the options: %v", err)
	}
}

// Operations of another package are declared from what the run time knows; the rest of that package stays unknown.
func TestOperationsElsewhere(t *testing.T) {
	ops := operations{
		{Def: softsignDef, pkg: "example.com/go-nn/v2", name: "Softsign", pkgName: "nn", generic: true},
		{Def: hypotenuseDef, pkg: "example.com/go-nn/v2", name: "Hypotenuse", pkgName: "nn"},
	}
	const text = `package kernel
import "example.com/go-nn/v2"
func f(x float32) float32 { return nn.Softsign(x) }
func g(x float32) float32 { return nn.Other(x) }
func h(x float32) float32 { return nn.Hypotenuse(x, x) }
`
	read := func(name string) (*ir.Func, error) {
		src := &source{fsys: fstest.MapFS{"k.go": {Data: []byte(text)}}, dir: ".", base: "k.go"}
		sig := signature{params: []ir.Type{ir.Float32}, results: []ir.Type{ir.Float32}}
		return load(src, symbol{pkg: "kernel", name: name, file: "k.go"}, sig, ops, Options{})
	}
	f, err := read("f")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(f.String(), `v1 = call1 f32 "softsign" v0`) {
		t.Errorf("got\n%v", f)
	}
	for _, name := range []string{"g", "h"} {
		if _, err := read(name); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBind(t *testing.T) {
	literal := func(x float64) float64 { return x }
	for _, c := range []struct {
		name  string
		calls []Call
		bound int
		want  string // of the error
	}{
		{"all", opCalls, 3, ""},
		{"twice", append(opCalls[:1:1], opCalls...), 3, ""},
		{"literal", []Call{{literal, softsignDef}}, 0, ""},
		{"method", []Call{{strings.NewReplacer().Replace, softsignDef}}, 0, ""},
		{"arity", []Call{{hypotenuse, softsignDef}}, 0, "cannot stand for the operation softsign of 1 operands"},
		{"nil", []Call{{nil, softsignDef}}, 0, "cannot stand for"},
		{"no definition", []Call{{hypotenuse, nil}}, 0, "nil definition"},
		{"two", []Call{{softsign[float64], softsignDef}, {softsign[float32], besselDef}}, 0, "stands for two operations, softsign and j0"},
	} {
		ops, err := bind(c.calls)
		if len(ops) != c.bound || c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %d bound, %v; want %d, %q", c.name, len(ops), err, c.bound, c.want)
		}
	}
	ops, err := bind(opCalls)
	if err != nil {
		t.Fatal(err)
	}
	if ops[0].pkgName != "gosrc" || !ops[0].generic || ops[1].generic || ops[2].pkgName != "math" {
		t.Errorf("%+v", ops)
	}
	if got := packageName(symbol{pkg: "example.com/x/nn/v2", file: filepath.Join("nowhere", "x.go")}); got != "nn" {
		t.Errorf("package name %q", got)
	}
}
