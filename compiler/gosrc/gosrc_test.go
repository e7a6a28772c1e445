package gosrc

import (
	"embed"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/golden"
	"github.com/google/go-cmp/cmp"
)

var kernels = []struct {
	name string
	fn   any
	o    Options
}{
	{name: "gelu", fn: gelu, o: Options{Facts: []ir.Fact{ir.Between(-8, 8)}}},
	{name: "geluGeneric32", fn: geluGeneric[float32]},
	{name: "geluGeneric64", fn: geluGeneric[float64]},
	{name: "leaf", fn: leaf, o: Options{Name: "twice \"x\"\n"}},
	{name: "library64", fn: library64},
	{name: "library32", fn: library32},
	{name: "rounds32", fn: rounds32},
	{name: "rounds64", fn: rounds64},
	{name: "pairs64", fn: pairs64},
	{name: "wide32", fn: wide32},
	{name: "pins", fn: pins},
	{name: "statements", fn: statements},
	{name: "calls", fn: calls},
	{name: "forward", fn: forward},
	{name: "named", fn: named},
	{name: "constants", fn: constants},
	{name: "constants64", fn: constants64},
	{name: "toParameter", fn: toParameter[float32]},
	{name: "infinities", fn: infinities},
	{name: "elsewhere", fn: elsewhere},
	{name: "literal", fn: literal},
	{name: "makeLiteral", fn: makeLiteral[float64]()},
	{name: "inlineLiteral", fn: func(x float32) float32 {
		const three = 3
		return x / three
	}},
	{name: "mathTanh", fn: math.Tanh},
	{name: "mathFMA", fn: math.FMA},
}

func TestLoadGolden(t *testing.T) {
	for _, tt := range kernels {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Load(tt.fn, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", tt.name+".ir")
			golden.Check(t, path, f.String())
		})
	}
}

func evaluator(t *testing.T, f *ir.Func) func(in, out []uint64) error {
	t.Helper()
	p, err := interp.Compile(Checked(f))
	if err != nil {
		t.Fatal(err)
	}
	return func(in, out []uint64) error {
		err := p.EvalUpTo(1<<12, in, out)
		if errors.Is(err, interp.ErrEndless) {
			return ErrEndless
		}
		return err
	}
}

func pointer(fn any) uintptr { return reflect.ValueOf(fn).Pointer() }

func reflected() any {
	return reflect.MakeFunc(reflect.TypeFor[func(float32) float32](), func(args []reflect.Value) []reflect.Value { return args }).Interface()
}

// Every kernel agrees with the function that it was read from, to the bit.
func TestLoadCompare(t *testing.T) {
	for _, tt := range kernels {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Load(tt.fn, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if err := Compare(f, tt.fn, evaluator(t, f)); err != nil {
				t.Error(err)
			}
		})
	}
}

//go:embed *.go
var embedded embed.FS

func TestLoadFromFS(t *testing.T) {
	want, err := Load(elsewhere, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Load(elsewhere, Options{Source: embedded})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.String(), got.String()); d != "" {
		t.Errorf("(-disk +embedded)\n%s", d)
	}
	if _, err := Load(gelu, Options{Source: fstest.MapFS{}}); !errors.Is(err, ErrSource) {
		t.Errorf("an empty Source: %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	f, g := twoLiterals()
	var x celsius
	tests := []struct {
		name string
		fn   any
		o    Options
		want error
		text string
	}{
		{"nil", nil, Options{}, ErrUnsupported, "no function"},
		{"no func", 1, Options{}, ErrUnsupported, "int is no function"},
		{"nil func", (func(float32) float32)(nil), Options{}, ErrUnsupported, "no function"},
		{"int", func(int) float32 { return 0 }, Options{}, ErrUnsupported, "parameter 0 of func(int) float32 is int; want a float, an integer of fixed size or a bool"},
		{"string", func(float32) string { return "" }, Options{}, ErrUnsupported, "result 0 of func(float32) string is string"},
		{"no result", func(float32) {}, Options{}, ErrUnsupported, "has no result"},
		{"variadic", func(...float32) float32 { return 0 }, Options{}, ErrUnsupported, "variadic"},
		{"method value", x.method, Options{}, ErrUnsupported, "method value"},
		{"method", celsius.method, Options{}, ErrUnsupported, "is a method; write a function"},
		{"math.Min", math.Min, Options{}, ErrUnsupported, "math.Min of two variables is infinite for some NaN; write ufunc.Min"},
		{"math", math.Gamma, Options{}, ErrUnsupported, "math.Gamma is not supported; of package math only Abs, Acos,"},
		{"first of two literals", f, Options{}, ErrUnsupported, "2 function literals start on this line"},
		{"second of two literals", g, Options{}, ErrUnsupported, "give each its own line, or a name"},
		{"capture", makeAdder(2), Options{}, ErrUnsupported, "captures n, whose value is not in the source"},
		{"facts", gelu, Options{Facts: []ir.Fact{}}, ErrUnsupported, "0 facts for 1 parameters"},
		{"made by reflect", reflected(), Options{}, ErrSource, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(tt.fn, tt.o)
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("got %v\nwant %v: %s", err, tt.want, tt.text)
			}
		})
	}
}
