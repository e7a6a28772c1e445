package native

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/ir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func parse(t testing.TB, text string) *ir.Func {
	t.Helper()
	f, err := ir.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The functions of the golden files. Their names are such that they would break the text if they got there.
const (
	scaleText = `func "evil\"name\n}" ("also evil\n" f32, "k" f32) {
	v0 = param f32 "also evil\n"
	v1 = param f32 "k"
	v2 = ldexp f32 v0 v1
	return v2
}`
	hornerText = `func "@evil" ("%x" f32) {
	v0 = param f32 "%x"
	v1 = const f32 0x1.8p+01
	v2 = real f32 0x.5555555555555555555555555p+0
	v3 = fma f32 v0 v1 v2
	v4 = fma f32 v3 v0 v1
	return v4
}`
	mixedText = `func "; evil" ("x" f32, "y" f64) {
	v0 = param f32 "x"
	v1 = param f64 "y"
	v2 = convert f64 v0
	v3 = lt bool v2 v1
	v4 = select f64 v3 v1 v2
	v5 = convert f32 v4
	return v5 v4
}`
)

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name, text, target string
		ndim               int
	}{
		{"horner-v4-1d", hornerText, "x86-64-v4", 1},
		{"scale-v3-1d", scaleText, "x86-64-v3", 1},
		{"mixed-arm64-3d", mixedText, "arm64", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			target, err := Lookup(c.target)
			if err != nil {
				t.Fatal(err)
			}
			got := emit(t, parse(t, c.text), c.ndim, target)
			file := filepath.Join("testdata", c.name+".ll")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// fastMath matches LLVM's fast-math flags on an instruction.
var fastMath = regexp.MustCompile(`\b(fast|nnan|ninf|nsz|arcp|contract|afn|reassoc)\b`)

func TestText(t *testing.T) {
	for _, target := range Targets() {
		for _, source := range []string{scaleText, hornerText, mixedText} {
			f := parse(t, source)
			if f.Count(ir.FMA) > 0 && !target.FMA {
				continue
			}
			text := emit(t, f, 2, target)
			if flag := fastMath.FindString(text); flag != "" {
				t.Errorf("%s: flag %s in\n%s", target.Name, flag, text)
			}
			if strings.Contains(text, "evil") {
				t.Errorf("%s: a user's name in\n%s", target.Name, text)
			}
			for range 5 {
				if again := emit(t, f, 2, target); again != text {
					t.Fatalf("%s: the same program gives two texts:\n%s", target.Name, cmp.Diff(text, again))
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	unary := func(op ir.Op, n int) *ir.Func {
		b := ir.NewBuilder("f")
		x := b.Param("x", ir.Float64, ir.Unknown)
		b.Return(b.Must(op, []ir.Value{x, x, x}[:n]...))
		return b.Func()
	}
	for _, c := range []struct {
		name   string
		f      *ir.Func
		ndim   int
		target string
		want   error
		text   string
	}{
		{"function", unary(ir.Tanh, 1), 1, "x86-64-v4", ErrUnsupported, "native: unsupported program: v1: x86-64-v4 has no tanh"},
		{"fma", unary(ir.FMA, 3), 1, "x86-64-v2", ErrUnsupported, "native: unsupported program: v1: x86-64-v2 has no fma"},
		{"bool", unary(ir.Lt, 2), 1, "x86-64-v4", ErrUnsupported, "native: unsupported program: result 0 is of type bool"},
		{"no loop", unary(ir.Neg, 1), 0, "x86-64-v4", ErrUnsupported, "native: unsupported program: 0 dimensions"},
		{"invalid", &ir.Func{Name: "f"}, 1, "x86-64-v4", ir.ErrInvalid, `native: ir: invalid function "f": no result`},
	} {
		t.Run(c.name, func(t *testing.T) {
			target, err := Lookup(c.target)
			if err != nil {
				t.Fatal(err)
			}
			text, err := Emit(c.f, c.ndim, target)
			if !errors.Is(err, c.want) || err.Error() != c.text || text != "" {
				t.Errorf("got %q, %v", text, err)
			}
		})
	}
}

// gelu's shape: additions, multiplications, a division and a choice.
const rationalText = `func "rational" ("x" f32) {
	v0 = param f32 "x"
	v1 = const f32 0x1p+00
	v2 = const f32 0x1.5p+02
	v3 = mul f32 v0 v0
	v4 = fma f32 v3 v2 v1
	v5 = fma f32 v4 v3 v2
	v6 = div f32 v5 v4
	v7 = lt bool v0 v1
	v8 = select f32 v7 v6 v0
	return v8
}`

// symbolCall matches a call, and a jump to another function.
var symbolCall = regexp.MustCompile(`(?m)^\s*(call|bl|blr|jmp\s+[a-z_]\w*@PLT|b\s+[a-z_]\w*)\b.*$`)

var cleanReturn = regexp.MustCompile(`(?m)^\tvzeroupper\n\tret`)

// Nothing may call a library, whatever the operation and the type; AVX kernels leave the upper halves clean.
func TestAssemblyHasNoCalls(t *testing.T) {
	toolchain(t)
	for _, target := range Targets() {
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			f, _ := everyOp(typ, target)
			asm := assembly(t, f, 2, target)
			if call := symbolCall.FindString(asm); call != "" {
				t.Errorf("%s %v: %s", target.Name, typ, strings.TrimSpace(call))
			}
			if target.VectorBits > 128 {
				returns := strings.Count(asm, "\tret")
				if clean := len(cleanReturn.FindAllString(asm, -1)); returns == 0 || clean != returns {
					t.Errorf("%s %v: %d returns, %d of them after vzeroupper", target.Name, typ, returns, clean)
				}
			}
		}
		if asm := assembly(t, parse(t, mixedText), 3, target); symbolCall.MatchString(asm) {
			t.Errorf("%s mixed: %s", target.Name, symbolCall.FindString(asm))
		}
		// A copy is where LLVM likes to put memcpy, a constant memset.
		if asm := assembly(t, parse(t, `func "copy" ("x" f32) {
			v0 = param f32 "x"
			v1 = const f32 0x0p+00
			return v0 v1
		}`), 1, target); symbolCall.MatchString(asm) {
			t.Errorf("%s copy: %s", target.Name, symbolCall.FindString(asm))
		}
	}
}

// block returns the loop of the assembly that has the most of an instruction: the main loop.
func block(asm, instruction string) string {
	var best string
	for _, b := range regexp.MustCompile(`(?m)^\.LBB\d+_\d+:`).Split(asm, -1) {
		if strings.Count(b, instruction) > strings.Count(best, instruction) {
			best = b
		}
	}
	return best
}

func TestMainLoop(t *testing.T) {
	toolchain(t)
	for _, c := range []struct {
		target, register, store string
	}{
		{"x86-64-v4", "%zmm", "vmovups\t%zmm"},
		{"x86-64-v3", "%ymm", "vmovups\t%ymm"},
	} {
		t.Run(c.target, func(t *testing.T) {
			target, err := Lookup(c.target)
			if err != nil {
				t.Fatal(err)
			}
			loop := block(assembly(t, parse(t, rationalText), 1, target), c.store)
			for _, want := range []struct {
				text  string
				count int
			}{
				{c.store, target.Interleave},
				{"vdivps", target.Interleave},
				{"vfmadd", 2 * target.Interleave},
				{"vmaskmov", 0},
				{"{z}", 0}, // a masked load clears the other lanes
				{"(%rsp)", 0},
				{"call", 0},
			} {
				if n := strings.Count(loop, want.text); n != want.count {
					t.Errorf("%d times %s, not %d, in\n%s", n, want.text, want.count, loop)
				}
			}
			if !strings.Contains(loop, c.register) {
				t.Errorf("no %s in\n%s", c.register, loop)
			}
		})
	}
}

func TestTargets(t *testing.T) {
	var names []string
	for _, target := range Targets() {
		names = append(names, target.Name)
		found, err := Lookup(target.Name)
		if err != nil || found != target {
			t.Errorf("Lookup(%q) = %v, %v", target.Name, found, err)
		}
		apple, err := target.On("darwin")
		if err != nil || !strings.Contains(apple.Triple, "-apple-macosx") {
			t.Errorf("%s on darwin: %q, %v", target.Name, apple.Triple, err)
		}
		if back, err := apple.On("linux"); err != nil || back != target {
			t.Errorf("%s on darwin and back: %v, %v", target.Name, back, err)
		}
		if _, err := target.On("plan9"); !errors.Is(err, ErrTarget) {
			t.Errorf("%s on plan9: %v", target.Name, err)
		}
		for op := ir.Op(1); op < ir.NumOps; op++ {
			for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
				cost := target.Costs()[op][typ]
				if infinite := op.Info().Function || op == ir.FMA && !target.FMA; (cost == ir.InfiniteCost) != infinite || cost == 0 {
					t.Errorf("%s: %v %v costs %d", target.Name, op, typ, cost)
				}
			}
		}
	}
	if d := cmp.Diff([]string{"x86-64-v2", "x86-64-v3", "x86-64-v4", "arm64"}, names); d != "" {
		t.Error(d)
	}
	_, err := Lookup("pdp11")
	if want := `native: unknown target "pdp11" (want one of x86-64-v2, x86-64-v3, x86-64-v4, arm64)`; !errors.Is(err, ErrTarget) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func ExampleEmit() {
	b := ir.NewBuilder("twice")
	x := b.Param("x", ir.Float32, ir.Unknown)
	b.Return(b.Must(ir.Add, x, x))
	target, err := Lookup("arm64")
	if err != nil {
		panic(err)
	}
	text, err := Emit(b.Func(), 1, target)
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Count(text, "fadd <4 x float>")) // main loop (2 vectors), vector, tail, strided, rest of strided
	// Output: 6
}
