package gosrc

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-yolk/yolk/compiler/ir"
)

type (
	unary32  = func(float32) float32
	unary64  = func(float64) float64
	binary32 = func(x, y float32) float32
)

// loadText translates function name of a file k.go with the given text, as if the program's function had type F. Other files, named
// by their first line "// name", follow a line of dashes.
func loadText[F any](name string, line int, text string) (*ir.Func, error) {
	fsys := fstest.MapFS{}
	for i, part := range strings.Split(text, "\n---\n") {
		file := "k.go"
		if i > 0 {
			first, _, _ := strings.Cut(part, "\n")
			file = strings.TrimPrefix(first, "// ")
		}
		fsys[file] = &fstest.MapFile{Data: []byte(part)}
	}
	sig, err := signatureOf(reflect.TypeFor[F]())
	if err != nil {
		return nil, err
	}
	return load(&source{fsys: fsys, dir: ".", base: "k.go"}, symbol{pkg: "kernel", name: name, file: "k.go", line: line}, sig, nil, Options{})
}

func TestLoadText(t *testing.T) {
	const header = "package kernel\n"
	tests := []struct {
		name string
		load func(name string, line int, text string) (*ir.Func, error)
		text string
		want string // the operations, without parameters
	}{
		{"unknown imports elsewhere", loadText[unary32], `
import ("fmt"; "example.org/x"; "C")
var _ x.T = fmt.Sprint(C.f())
func f(a float32) float32 { return a + 1 }`,
			"v1 = const f32 0x1p+00 # 1; v2 = add f32 v0 v1; return v2"},
		{"bits in the width of their number", loadText[func(uint16) uint16], `
import "math/bits"
func f(a uint16) uint16 { return uint16(bits.Len16(a)) << bits.OnesCount16(a) }`,
			"v1 = const u16 16; v2 = leadingzeros u16 v0; v3 = sub u16 v1 v2; v4 = onescount u16 v0; v5 = shl u16 v3 v4; return v5"},
		{"ufunc", loadText[unary32], `
import "github.com/go-yolk/yolk/ufunc"
func f(a float32) float32 { return ufunc.Tanh(a) * ufunc.Sqrt[float32](0.5) }`,
			"v1 = tanh f32 v0; v2 = const f32 0x1p-01 # 0.5; v3 = sqrt f32 v2; v4 = mul f32 v1 v3; return v4"},
		{"ufunc under another name, with its constraint", loadText[unary32], `
import u "github.com/go-yolk/yolk/ufunc"
func g[T u.Float](a, b T) T { return u.FMA(a, b, 0.1) }
func f(a float32) float32 { return g(a, 3) }`,
			"v1 = const f32 0x1.8p+01 # 3; v2 = const f32 0x1.99999ap-04 # 0.1; v3 = fma f32 v0 v1 v2; return v3"},
		{"constraints", loadText[unary64], `
import "golang.org/x/exp/constraints"
func f[T constraints.Float](a T) T { return a * 0.1 }`,
			"v1 = const f64 0x1.999999999999ap-04 # 0.1; v2 = mul f64 v0 v1; return v2"},
		{"dot import", loadText[unary64], `
import . "math"
func f(a float64) float64 { return Exp(a) / Pi }`,
			"v1 = exp f64 v0; v2 = const f64 0x1.921fb54442d18p+01 # 3.141592653589793; v3 = div f64 v1 v2; return v3"},
		{"another file", loadText[unary32], `
func f(a F) F { return g(a) * k }
---
// other.go
package kernel
type F float32
const k F = 1 << 3
func g(a F) F { return -a }
---
// other_test.go
package kernel
const k = 4
---
// other_windows.go
package kernel
const k = 5
---
// doc.go
package main
const k = 6`,
			"v1 = neg f32 v0; v2 = const f32 0x1p+03 # 8; v3 = mul f32 v1 v2; return v3"},
		{"generic calls generic at another type", loadText[unary32], `
func g[A, B ~float32 | ~float64](a A) B { return B(a*a) }
func f(a float32) float32 { return float32(g[float64, float64](float64(g[float32, float64](a)))) }`,
			"v1 = mul f32 v0 v0; v2 = convert.pin f64 v1; v3 = mul f64 v2 v2; v4 = convert f32 v3; return v4"},
		{"local type, constant and multiple var", loadText[unary32], `
func f(a float32) float32 {
	type T = float32
	const n, m = 2, 0.25
	var p, q T = a * n, m
	;
	return p - q
}`,
			"v1 = const f32 0x1p+01 # 2; v2 = mul f32 v0 v1; v3 = const f32 0x1p-02 # 0.25; v4 = sub f32 v2 v3; return v4"},
		{"shadowed names", loadText[unary64], `
func f(math float64) float64 { float64 := math + 1; return float64 }`,
			"v1 = const f64 0x1p+00 # 1; v2 = add f64 v0 v1; return v2"},
		{"blank parameter", loadText[binary32], `
func f(_, a float32) float32 { return a }`,
			"return v1"},
		{"code after return", loadText[unary32], `
func f(a float32) float32 { { return a }; for {} }`,
			"return v0"},
		{"negative zero is none", loadText[unary32], `
func f(a float32) float32 { return a * -0.0 }`,
			"v1 = const f32 0x0p+00 # 0; v2 = mul f32 v0 v1; return v2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := tt.load("f", 0, header+tt.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range strings.Split(strings.TrimSpace(f.String()), "\n") {
				if line = strings.TrimSpace(line); !strings.Contains(line, "param") && strings.HasPrefix(line, "v") || strings.HasPrefix(line, "return") {
					got = append(got, line)
				}
			}
			if got := strings.Join(got, "; "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestLoadTextRefuses(t *testing.T) {
	one := loadText[unary32]
	for _, tt := range refusedTexts {
		t.Run(tt.name, func(t *testing.T) {
			_, err := one("f", 0, "package kernel\n"+tt.text)
			if err == nil {
				t.Fatal("no error")
			}
			if !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

var refusedTexts = []struct {
	name string
	text string // of func f(float32) float32 in k.go, from line 2 on
	want string
}{
	{"type switch", "func f(x float32) float32 { switch any(x).(type) { }; return x }", "k.go:2:29: a switch on types; write the function generic"},
	{"endless loop", "func f(x float32) float32 {\nl: for { break l }; for {}; return x }", "k.go:3:25: a loop that nothing in it ends"},
	{"goto out of a loop", "func f(x float32) float32 { for range 3 { goto l }\nl: return x }", "k.go:2:43: goto; write a loop with break and continue"},
	{"range over a map", "var m map[int]int; func f(x float32) float32 { for range m { x++ }; return x }", "k.go:2:58: range over map[int]int; range over an integer or an array"},
	{"range over a function", "func g(yield func(int) bool) {}; func f(x float32) float32 { for range g { x++ }; return x }", "k.go:2:72: range over func(yield func(int) bool); range over an integer or an array"},
	{"range over a string", "func f(x float32) float32 { for range \"ab\" { x++ }; return x }", "k.go:2:39: range over untyped string; range over an integer or an array"},
	{"range over a channel", "var c chan int; func f(x float32) float32 { for range c { x++ }; return x }", "k.go:2:55: range over chan int; range over an integer or an array"},
	{"range over a slice", "func f(x float32) float32 { s := []float32{x}; for range s { x++ }; return x }", "k.go:2:34: []float32{…}: slices and maps are not supported; write an array, [n]float32"},
	{"index may be outside", "func f(x float32) float32 { v := [3]float32{x}; return v[int32(x)] }",
		"k.go:2:58: the index int32(x) may be outside of 0 to 2, where Go panics; make that impossible by a constant, a loop counter that stays inside, a remainder or a mask: v[uint(int32(x))%3]"},
	{"index counts too far", "func f(x float32) float32 { v := [3]float32{x}; for i := 0; i <= 3; i++ { x += v[i] }; return x }", "k.go:2:82: the index i may be outside of 0 to 2"},
	{"index changed in the loop", "func f(x float32) float32 { v := [3]float32{x}; for i := 0; i < 3; i++ { i *= 2; x += v[i] }; return x }", "k.go:2:89: the index i may be outside"},
	{"index written to", "func f(x float32) float32 { v := [3]float32{x}; v[uint(x)] = 1; return v[0] }", "k.go:2:51: the index uint(x) may be outside"},
	{"index of a parameter", "var v = [4]float32{}; func g(i int) float32 { return v[i] }; func f(x float32) float32 { return g(int(x)) }", "k.go:2:56: the index i may be outside"},
	{"large array", "func f(x float32) float32 { var v [257]float32; return v[0] }", "k.go:2:33: v has type [257]float32; want"},
	{"array of strings", "func f(x float32) float32 { v := [1]string{\"a\"}; _ = v; return x }", "k.go:2:34: a literal of type [1]string; kernels work on numbers, bools and arrays of at most 256 of them"},
	{"struct", "func f(x float32) float32 { v := struct{ a float32 }{x}; return v.a }", "k.go:2:34: a composite literal; kernels work on numbers, bools and arrays"},
	{"pointer to an array", "func f(x float32) float32 { v := [1]float32{x}; p := &v; return p[0] }", "k.go:2:54: a pointer; kernels work on values"},
	{"slice of an array", "func f(x float32) float32 { v := [2]float32{x}; return v[:1][0] }", "k.go:2:56: v[:1] is a slice; kernels work on numbers, arrays, and package variables that are never assigned"},
	{"array as a number", "func f(x float32) float32 { v := [2]float32{x}; return x + v }", "k.go:2:60: v is an array where a number is wanted; index it"},
	{"append", "func f(x float32) float32 { s := append([]float32{}, x); return s[0] }", "k.go:2:34: builtin function append;"},
	{"make", "func f(x float32) float32 { s := make([]float32, 1); return s[0] }", "k.go:2:34: builtin function make;"},
	{"recover", "func f(x float32) float32 { if recover() != nil { return 1 }; return x }", "k.go:2:32: builtin function recover;"},
	{"table that is assigned", "var s = []float32{1, 2}; func f(x float32) float32 { return s[0] * x }; func g() { s[1] = 3 }",
		"k.go:2:61: package variable s can change, at k.go:2:84; make it a constant or a parameter, or give its value by ufunc.Bind(\"s\", v)"},
	{"table that goes elsewhere", "var s = []float32{1, 2}; func f(x float32) float32 { return s[0] * x }; var t = s", "k.go:2:61: package variable s can change, at k.go:2:81;"},
	{"table in another file", "var s = [2]float32{1, 2}; func f(x float32) float32 { return s[0] * x }\n---\n// o.go\npackage kernel\nfunc g() { p := &s; p[0] = 1 }", "k.go:2:62: package variable s can change, at o.go:3:18;"},
	{"exported table", "var S = []float32{1, 2}; func f(x float32) float32 { return S[0] * x }", "k.go:2:61: package variable S can change: it is exported;"},
	{"table made by a call", "var s = g(); func g() [2]float32 { return [2]float32{1} }; func f(x float32) float32 { return s[0] * x }", "k.go:2:95: package variable s begins as g(), which is not constant; make it"},
	{"package variable set elsewhere", "var k float32 = 2; func f(x float32) float32 { return k * x }; func g() { k++ }", "k.go:2:55: package variable k can change, at k.go:2:75;"},
	{"variable switch on a type", "func f(x float32) float32 { switch y := any(x).(type) { case float32: return y }; return x }", "k.go:2:29: a switch on types; write the function generic"},
	{"condition is a number", "func f(x float32) float32 { if x { return 1 }; return x }", "non-boolean condition in if statement"},
	{"break outside", "func f(x float32) float32 { break; return x }", "k.go:2:29: break without a statement to leave"},
	{"shift by a float", "func f(x float32) float32 { return float32(1 << x) }", "k.go:2:49: a shift count of type float32"},
	{"remainder of floats", "func f(x float32) float32 { y := x; return y % x }", "k.go:2:46: operator % works on integers, not on a float32"},
	{"deferred in a branch", "func f(x float32) float32 { if x > 0 { defer g() }; return x }; func g() {}", "k.go:2:40: defer; a kernel has no side effects"},
	{"closure in a loop", "func f(x float32) float32 { for i := range 3 { g := func() int { return i }; x += float32(g()) }; return x }", "k.go:2:53: a closure; declare a function of the package"},
	{"recursion in a branch", "func f(x float32) float32 { if x > 1 { return f(x - 1) }; return x }", "k.go:2:47: recursive call of f; write a loop"},
	{"complex variable", "func f(x float32) float32 { var c complex64; _ = c; return x }", "k.go:2:33: c has type complex64; want"},
	{"string comparison", "var s string; func f(x float32) float32 { if s == \"a\" { return 1 }; return x }", "k.go:2:46: package variable s"},
	{"interface", "func g(x any) float32 { return 1 }; func f(x float32) float32 { return g(x) }", "k.go:2:8: parameter x has type any; want"},
	{"goto", "func f(x float32) float32 { goto l\nl: return x }", "k.go:2:29: goto;"},
	{"defer", "func f(x float32) (y float32) { defer g(); return x }; func g() {}", "k.go:2:33: defer; a kernel has no side effects"},
	{"go", "func f(x float32) float32 { go g(); return x }; func g() {}", "k.go:2:29: go; a kernel has no side effects"},
	{"select", "func f(x float32) float32 { select {}; return x }", "k.go:2:29: channel operations;"},
	{"send", "var c chan float32; func f(x float32) float32 { c <- x; return x }", "k.go:2:49: channel operations;"},
	{"receive", "var c chan float32; func f(x float32) float32 { return x + <-c }", "k.go:2:60: channel operations;"},
	{"call as statement", "func f(x float32) float32 { println(x); return x }", "k.go:2:29: println(x) as a statement;"},
	{"panic", "func f(x float32) float32 { panic(1) }", "k.go:2:29: panic(1) as a statement"},
	{"closure", "func f(x float32) float32 { g := func() float32 { return x }; return g() }", "k.go:2:34: a closure; declare a function of the package"},
	{"closure called", "func f(x float32) float32 { return func() float32 { return x }() }", "k.go:2:36: a closure;"},
	{"function variable", "var g = f; func f(x float32) float32 { return g(x) }", "k.go:2:47: call of the variable g; only named functions"},
	{"function as a value", "func g(x float32) float32 { return x }; func f(x float32) float32 { h := g; return h(x) }", "k.go:2:74: function g as a value; call it"},
	{"address", "func f(x float32) float32 { p := &x; return *p }", "k.go:2:34: a pointer; kernels work on values"},
	{"dereference", "var p *float32; func f(x float32) float32 { return *p }", "k.go:2:52: a pointer;"},
	{"store", "var p *float32; func f(x float32) float32 { *p = x; return x }", "k.go:2:45: a pointer;"},
	{"slice", "var s []float32; func f(x float32) float32 { y := s[1:]; return y[0] }", "k.go:2:51: s[1:]: slices and maps are not supported"},
	{"map", "func f(x float32) float32 { return map[float32]float32{}[x] }", "k.go:2:36: map[float32]float32{}[x]: slices and maps are not supported"},
	{"field", "var s struct{ a float32 }; func f(x float32) float32 { return s.a }", "k.go:2:63: s.a: fields and methods are not supported"},
	{"string", "func f(x float32) float32 { s := \"a\"; _ = s; return x }", "k.go:2:34: a constant of type string; want a float, an integer"},
	{"shift assignment", "func f(x float32) float32 { x <<= 1; return x }", "k.go:2:29: operator << works on integers"},
	{"signed shift count", "func f(x float32) float32 { n := int8(x); return float32(int32(x) << n) }", "k.go:2:70: a shift count of type int8, which may be negative; convert it"},
	{"int and float", "func f(x float32) float32 { n := 3; return x * n }", "mismatched types float32 and int"},
	{"complex", "func f(x float32) float32 { return real(complex(x, x)) }", "k.go:2:36: builtin function real;"},
	{"builtin min of nothing", "func f(x float32) float32 { return min() }", "k.go:2:40: invalid operation: not enough arguments for min() (expected 1, found 0)"},
	{"builtin max of two types", "func f(x float32) float32 { y := float64(x); return max(x, y) }", "k.go:2:"},
	{"math.Max of variables", "import \"math\"\nfunc f(x float32) float32 { return float32(math.Max(float64(x), float64(x+1))) }", "k.go:3:44: math.Max of two variables is infinite for some NaN; write ufunc.Max or the builtin function"},
	{"math.Min of an infinity", "import \"math\"\nfunc f(x float32) float32 { return float32(math.Min(float64(x), math.Inf(1))) }", "k.go:3:44: math.Min of two variables"},
	{"package variable set", "var k float32; func f(x float32) float32 { k = x; return x }", "k.go:2:44: package variable k can change"},
	{"math function", "import \"math\"\nfunc f(x float32) float32 { return float32(math.Gamma(float64(x))) }", "k.go:3:44: math.Gamma is not supported; of package math only Abs,"},
	{"math.Inf of a variable", "import \"math\"\nvar s int; func f(x float32) float32 { return float32(math.Inf(s)) }", "k.go:3:63: math.Inf of a variable"},
	{"ufunc name", "import \"github.com/go-yolk/yolk/ufunc\"\nfunc f(x float32) float32 { return ufunc.Where(x, x, x) }", "k.go:3:36: ufunc.Where is not for plain kernels"},
	{"other package", "import \"example.org/m\"\nfunc f(x float32) float32 { return m.F(x) }", "k.go:3:36: m.F is of package example.org/m; only functions and constants of the same package, math, math/bits and ufunc"},
	{"division of bits", "import \"math/bits\"\nfunc f(x float32) float32 { q, _ := bits.Div32(0, uint32(x), 3); return float32(q) }", "k.go:3:37: bits.Div32 is not supported; of package math/bits only Add, LeadingZeros, Len, Mul, OnesCount, Reverse, ReverseBytes, RotateLeft, Sub, TrailingZeros and UintSize are known; write x / y and x % y"},
	{"remainder of bits", "import \"math/bits\"\nfunc f(x float32) float32 { return float32(bits.Rem64(1, uint64(x), 7)) }", "k.go:3:44: bits.Rem64 is not supported"},
	{"bytes of a byte", "import \"math/bits\"\nfunc f(x float32) float32 { return float32(bits.ReverseBytes8(uint8(x))) }", "k.go:3:44: bits.ReverseBytes8 is not supported"},
	{"bits of a float", "import \"math/bits\"\nfunc f(x float32) float32 { return float32(bits.Len32(x)) }", "k.go:3:55: cannot use x (variable of type float32) as uint32 value in argument to bits.Len32"},
	{"bits of another width", "import \"math/bits\"\nfunc f(x float32) float32 { return float32(bits.Len32(uint8(x))) }", "k.go:3:55: cannot use uint8(x) (value of type uint8) as uint32 value in argument to bits.Len32"},
	{"bits as a value", "import \"math/bits\"\nfunc f(x float32) float32 { g := bits.Len32; return float32(g(1)) }", "k.go:3:34: bits.Len32 is not supported"},
	{"constant of another package", "import \"example.org/m\"\nfunc f(x float32) float32 { return x * m.C }", "k.go:3:40: m.C is of package example.org/m"},
	{"undefined", "func f(x float32) float32 { return x * y }", "k.go:2:40: undefined: y"},
	{"type assertion", "func f(x float32) float32 { return any(x).(float32) }", "k.go:2:36: a type assertion;"},
	{"nil", "func f(x float32) float32 { p := nil; _ = p; return x }", "k.go:2:34: nil is not a number"},
	{"return without a value", "func f(x float32) float32 { return }", "k.go:2:29: return without a value"},
	{"no return", "func f(x float32) float32 { }", "k.go:2:29: the function ends without return"},
	{"too few values", "func f(x float32) float32 { a, b := x; return a + b }", "k.go:2:29: 2 values wanted, one given"},
	{"too many values", "func g() (a, b float32) { return }; func f(x float32) float32 { return g() }", "k.go:2:72: a call with 2 results"},
	{"undefined function", "func f(x float32) float32 { return g(x) }", "k.go:2:36: undefined: g"},
	{"assembly callee", "func g(x float32) float32; func f(x float32) float32 { return g(x) }", "k.go:2:63: g has no body: it is written in assembly"},
	{"assembly", "func f(x float32) float32", "k.go:2:1: f has no body"},
	{"recursion", "func f(x float32) float32 { return g(x) }; func g(x float32) float32 { return f(x) }", "k.go:2:79: recursive call of f; write a loop"},
	{"doubling calls", doubling(20), "more than 16384 calls to inline"},
	{"method", "type T float32; func (t T) m() T { return t }; func f(x T) T { return x.m() }", "k.go:2:71: call of method m; write a function"},
	{"variadic", "func g(x ...float32) float32 { return 1 }; func f(x float32) float32 { return g(x) }", "k.go:2:79: variadic call of g"},
	{"mixed types", "func f(x float32) float32 { return x + float64(x) }", "k.go:2:36: invalid operation: x + float64(x) (mismatched types float32 and float64)"},
	{"wrong result type", "func f(x float32) float32 { return float64(x) }", "result 0 has type float32, the value f64"},
	{"constant overflow", "func f(x float32) float32 { return x * 1e39 }", "k.go:2:40: 1e39 (untyped float constant 1e+39) overflows float32"},
	{"constant division by zero", "func f(x float32) float32 { return x + 1/0. }", "division by zero"},
	{"type parameter unknown", "func g[T ~float32](x float32) float32 { var t T; _ = t; return x }; func f(x float32) float32 { return g(x) }", "in call to g, cannot infer T"},
	{"other signature", "func f(x float64) float64 { return x }", "k.go:2:27: f: parameter 0 is f64 here, f32 in the program; the file has changed"},
	{"other number of parameters", "func f(x, y float32) float32 { return x }", "2 parameters here, 1 in the program; the file has changed"},
	{"not there", "func g(x float32) float32 { return x }", "k.go declares no function f; it has changed since the program was built"},
	{"no Go", "func f(", "k.go:2:8: expected"},
}

// doubling is a chain of n functions that call the next one twice.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString("func f(x float32) float32 { return f0(x) }\n")
	for i := range n {
		f, g := "f"+string(rune('a'+i)), "f"+string(rune('b'+i))
		if i == 0 {
			f = "f0"
		}
		b.WriteString("func " + f + "(x float32) float32 { return " + g + "(x) + " + g + "(-x) }\n")
	}
	b.WriteString("func f" + string(rune('a'+n)) + "(x float32) float32 { return x }\n")
	return b.String()
}

func TestLiterals(t *testing.T) {
	const text = `package kernel
const c = 2
var v float32
func outer(n, m float32) (a, b, d any) {
	a = func(x float32) float32 {
		const k = 3
		return x*k*c
	}
	b = func(x float32) float32 { return x * n + m * n }
	d = func(x float32) float32 { return x }; _ = func(x float32) float32 { return -x }
	return func(x float32) float32 { return x * v }, nil, nil
}`
	tests := []struct {
		line int
		want string // "": translated
	}{
		{5, ""}, {7, ""},
		{9, "k.go:9:43: the literal captures n and m, whose value is not in the source; give it by ufunc.Bind(\"n\", v), make it a parameter or a constant, or write the kernel as"},
		{10, "k.go:10: 2 function literals start on this line"},
		{11, ""},
		{4, "k.go:4: no function literal there"},
	}
	for _, tt := range tests {
		f, err := loadText[unary32]("outer.func1", tt.line, text)
		switch {
		case tt.want == "" && (err != nil || tt.line < 8 && (f.Count(ir.Mul) != 2 || f.Name != "k.go:5")):
			t.Errorf("line %d: %v, %v", tt.line, f, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("line %d: %v, want %s", tt.line, err, tt.want)
		}
	}
}

// Whatever the text, an error is the worst that comes out; what is accepted is a program.
func FuzzLoadText(f *testing.F) {
	for _, tt := range refusedTexts {
		f.Add(tt.text)
	}
	f.Add("import \"math\"\nfunc f(x float32) (y float32) { y += float32(math.Exp(float64(x))); return }")
	f.Add("func f(x float32) float32 { return float32() }")
	f.Add("func f[T ~float32](x T) T { a, b := x, T(3); a -= b; return -(a) }")
	f.Fuzz(func(t *testing.T, text string) {
		if f, err := loadText[unary32]("f", 0, "package kernel\n"+text); err == nil {
			if err := ir.Verify(f); err != nil {
				t.Error(err)
			}
		}
	})
}
