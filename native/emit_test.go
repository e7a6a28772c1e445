package native

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/golden"
)

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
			golden.Check(t, file, got)
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

// symbolCall matches a call, and a jump to another function.
var symbolCall = regexp.MustCompile(`(?m)^\s*(call|callq|bl|blr|jmp|b)\s+[a-z_*x].*$`)

// ownFunctions are those of the module.
var ownFunctions = regexp.MustCompile(`\s(contiguous|strided|pack(32|64)|unpack(32|64))\b`)

// foreign returns the calls that leave the module.
func foreign(asm string) []string {
	return slices.DeleteFunc(symbolCall.FindAllString(asm, -1), ownFunctions.MatchString)
}

// functions splits assembly by function.
func functions(asm string) map[string]string {
	m := map[string]string{}
	label := regexp.MustCompile(`(?m)^([a-z]\w*):`)
	at := label.FindAllStringSubmatchIndex(asm, -1)
	for i, l := range at {
		end := len(asm)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		m[asm[l[2]:l[3]]] = asm[l[0]:end]
	}
	return m
}

var cleanReturn = regexp.MustCompile(`(?m)^\tvzeroupper\n\tret`)

// Nothing may call a library, whatever the operation and the type; AVX kernels leave the upper halves clean.
func TestAssemblyHasNoCalls(t *testing.T) {
	toolchain(t)
	for _, target := range Targets() {
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			f, _ := everyOp(typ, target)
			asm := assembly(t, f, 2, target)
			if calls := foreign(asm); len(calls) > 0 {
				t.Errorf("%s %v: %s", target.Name, typ, calls)
			}
			if target.VectorBits > 128 {
				parts := functions(asm)
				for _, name := range []string{"contiguous", fmt.Sprint("pack", formatOf(typ).bits), fmt.Sprint("unpack", formatOf(typ).bits)} {
					returns := strings.Count(parts[name], "\tret")
					if clean := len(cleanReturn.FindAllString(parts[name], -1)); returns == 0 || clean != returns {
						t.Errorf("%s %v: %s: %d returns, %d of them after vzeroupper", target.Name, typ, name, returns, clean)
					}
				}
			}
			if strings.Contains(asm, "gather") {
				t.Errorf("%s %v: gather", target.Name, typ)
			}
		}
		if calls := foreign(assembly(t, parse(t, mixedText), 3, target)); len(calls) > 0 {
			t.Errorf("%s mixed: %s", target.Name, calls)
		}
		// A copy is where LLVM likes to put memcpy, a constant memset.
		if calls := foreign(assembly(t, parse(t, `func "copy" ("x" f32) {
			v0 = param f32 "x"
			v1 = const f32 0x0p+00
			return v0 v1
		}`), 1, target)); len(calls) > 0 {
			t.Errorf("%s copy: %s", target.Name, calls)
		}
	}
}

// program reads a function that the compiler made of a usual one.
func program(t testing.TB, name string) *ir.Func {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".ir"))
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

// blocks returns the loops of contiguous in assembly, in the order of the text: those blocks that jump to their start.
func blocks(asm string) []string {
	var list []string
	label := regexp.MustCompile(`(?m)^\.LBB\d+_\d+:`)
	body := functions(asm)["contiguous"]
	at := label.FindAllStringIndex(body, -1)
	back := regexp.MustCompile(`(?m)^\t(j[a-z]+|b\.[a-z]+)\t(\.LBB\d+_\d+)$`)
	for _, l := range at {
		name := body[l[0] : l[1]-1]
		block := body[l[0]:]
		m := back.FindStringSubmatchIndex(block)
		if m != nil && block[m[4]:m[5]] == name {
			list = append(list, block[:m[1]])
		}
	}
	return list
}

// comment matches what clang says about an instruction on x86.
var comment = regexp.MustCompile(`(?m)\s+#.*$`)

// The loops over whole vectors: full registers, fused multiply-adds, no call, no gather, no mask on memory, and on
// x86-64-v4 no register spilled. The arm64 text is cross-compiled.
func TestMainLoops(t *testing.T) {
	toolchain(t)
	for _, c := range []struct {
		target, store, stream, fma string
		bad                        []string
	}{
		{"x86-64-v4", "\tvmovups\t%zmm", "\tvmovnt", "vfn?m(add|sub)\\w+\t.*%zmm", []string{`\(%rsp`, `\(%r[^i].*\{%k`, `\{%k.*\(%r[^i]`, "gather", "call", "%ymm"}},
		{"x86-64-v3", "\tvmovups\t%ymm", "\tvmovnt", "vfn?m(add|sub)\\w+\t.*%ymm", []string{"vmaskmov", "gather", "call"}},
		{"arm64", "\tst[rp]\tq", "", "fml[as]\tv\\d+\\.4s", []string{"\tbl"}},
	} {
		target, err := Lookup(c.target)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"exp", "gelu", "log", "sigmoid", "tanh", "exp-table", "gelu-table", "log-table", "sigmoid-table", "tanh-table"} {
			t.Run(c.target+"/"+name, func(t *testing.T) {
				f := program(t, name)
				var whole, streams int
				for _, loop := range blocks(assembly(t, f, 1, target)) {
					for _, bad := range c.bad {
						if found := regexp.MustCompile(bad).FindString(comment.ReplaceAllString(loop, "")); found != "" {
							t.Errorf("%s in\n%s", found, loop)
						}
					}
					fused := len(regexp.MustCompile(c.fma).FindAllString(loop, -1))
					stream := c.stream != "" && strings.Contains(loop, c.stream)
					switch count := f.Count(ir.FMA); {
					case stream && fused == count*streamed:
						streams++
					case !stream && fused == count*interleave(f, target):
						whole++
					case fused != count:
						t.Errorf("%d fused multiply-adds in\n%s", fused, loop)
					}
				}
				if forms := map[bool]int{true: 2, false: 1}[c.stream != ""]; whole != forms || streams != forms-1 {
					t.Errorf("%d main loops and %d that stream", whole, streams)
				}
			})
		}
	}
}

// The registers decide how many vectors are in flight.
func TestInterleave(t *testing.T) {
	for _, c := range []struct {
		program, target string
		want            int
	}{
		{"exp", "x86-64-v4", 6}, {"gelu", "x86-64-v4", 6}, {"tanh", "x86-64-v4", 5}, {"log", "x86-64-v4", 5},
		{"exp", "x86-64-v3", 4}, {"gelu", "x86-64-v3", 4}, {"tanh", "x86-64-v3", 4},
		{"exp", "arm64", 6},
	} {
		target, err := Lookup(c.target)
		if err != nil {
			t.Fatal(err)
		}
		if got := interleave(program(t, c.program), target); got != c.want {
			t.Errorf("%s on %s: %d, want %d", c.program, c.target, got, c.want)
		}
		target.Interleave = 3
		if got := interleave(program(t, c.program), target); got != 3 {
			t.Errorf("%d, not the 3 that the target says", got)
		}
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
			for typ := ir.Bool; typ < ir.Tuple; typ++ {
				if !op.Takes(typ) && !op.Leaf() {
					continue
				}
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
	fmt.Println(strings.Count(text, "fadd <4 x float>")) // main loop (6 vectors), vector, tail
	// Output: 8
}
