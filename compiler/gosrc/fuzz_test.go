package gosrc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// generated is a random function with what Go computes at the points.
type generated struct {
	name            string
	params, results []ir.Type
	want            [][]uint64 // [point]; nil where it panics
}

const (
	generatedPoints  = 32
	generatedColumns = 3
	functionsPerFile = 100
)

// generatedInputs are the bits of parameter j of type t at the points.
func generatedInputs(r *rand.Rand) map[ir.Type][generatedColumns][]uint64 {
	inputs := map[ir.Type][generatedColumns][]uint64{}
	for _, t := range []ir.Type{ir.Bool, ir.Float32, ir.Float64, ir.Int8, ir.Int16, ir.Int32, ir.Int64, ir.Uint8, ir.Uint16, ir.Uint32, ir.Uint64} {
		var columns [generatedColumns][]uint64
		for j := range columns {
			for p := range generatedPoints {
				bits := sample(r, len(specials)+p, ir.Parameter{Type: t, Fact: ir.Unknown})
				if t.IsInteger() && r.IntN(2) == 0 {
					bits = ir.IntBits(t, int64(r.IntN(16)-4))
				}
				columns[j] = append(columns[j], bits)
			}
		}
		inputs[t] = columns
	}
	return inputs
}

// generate makes n functions, has Go compile them in one package and run them, and returns them with their checked package.
func generate(t testing.TB, seed uint64, n int, set func(*author)) ([]*generated, *unit, map[ir.Type][generatedColumns][]uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	inputs := generatedInputs(r)
	g := &author{r: r}
	set(g)
	files := fstest.MapFS{"prelude.go": {Data: []byte(prelude)}}
	var list []*generated
	var main strings.Builder
	main.WriteString("package main\n\nimport (\n\t\"bufio\"\n\t\"encoding/binary\"\n\t\"math\"\n\t\"os\"\n)\n\n")
	for _, typ := range scalarTypes {
		if strings.Contains(main.String(), "var in_"+typ.GoName()+" ") {
			continue
		}
		fmt.Fprintf(&main, "var in_%s = [%d][%d]%s{", typ.GoName(), generatedColumns, generatedPoints, typ.GoName())
		for _, column := range inputs[typ] {
			main.WriteString("{")
			for _, bits := range column {
				switch {
				case typ == ir.Bool:
					fmt.Fprintf(&main, "%v, ", bits != 0)
				case typ == ir.Float32:
					fmt.Fprintf(&main, "math.Float32frombits(%#x), ", bits)
				case typ == ir.Float64:
					fmt.Fprintf(&main, "math.Float64frombits(%#x), ", bits)
				case typ.IsSigned():
					fmt.Fprintf(&main, "%d, ", ir.BitsInt(typ, bits))
				default:
					fmt.Fprintf(&main, "%d, ", bits)
				}
			}
			main.WriteString("}, ")
		}
		main.WriteString("}\n")
	}
	main.WriteString(`
var out = bufio.NewWriter(os.Stdout)

func put(words ...uint64) {
	for _, w := range words {
		binary.Write(out, binary.LittleEndian, w)
	}
}

func wordOf[T bool | float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](x T) uint64 {
	switch x := any(x).(type) {
	case bool:
		if x {
			return 1
		}
		return 0
	case float32:
		return uint64(math.Float32bits(x))
	case float64:
		return math.Float64bits(x)
	case int8:
		return uint64(uint8(x))
	case int16:
		return uint64(uint16(x))
	case int32:
		return uint64(uint32(x))
	case int64:
		return uint64(x)
	case uint8:
		return uint64(x)
	case uint16:
		return uint64(x)
	case uint32:
		return uint64(x)
	case uint64:
		return x
	}
	panic(x)
}

func try(f func(p int), p int) {
	defer func() {
		if recover() != nil {
			put(1)
		}
	}()
	f(p)
}

func main() {
	for p := range ` + fmt.Sprint(generatedPoints) + ` {
		for _, f := range tests {
			try(f, p)
		}
	}
	out.Flush()
}

var tests = []func(p int){
`)
	for i := range n {
		f := &generated{name: fmt.Sprintf("f%d", i)}
		if i%functionsPerFile == 0 {
			g.b.Reset()
			g.b.WriteString("package main\n\nimport (\n\t\"math\"\n\t\"math/bits\"\n)\n\nvar _, _ = math.Pi, bits.UintSize\n\n")
		}
		f.params, f.results = g.function(f.name)
		list = append(list, f)
		if i%functionsPerFile == functionsPerFile-1 || i == n-1 {
			files[fmt.Sprintf("file%d.go", i/functionsPerFile)] = &fstest.MapFile{Data: []byte(g.b.String())}
		}
		var args, results, words []string
		for j, p := range f.params {
			args = append(args, fmt.Sprintf("in_%s[%d][p]", p.GoName(), j))
		}
		for j := range f.results {
			results = append(results, fmt.Sprintf("r%d", j))
			words = append(words, fmt.Sprintf("wordOf(r%d)", j))
		}
		fmt.Fprintf(&main, "\tfunc(p int) { %s := %s(%s); put(0, %s) },\n", strings.Join(results, ", "), f.name, strings.Join(args, ", "), strings.Join(words, ", "))
	}
	main.WriteString("}\n")
	files["main.go"] = &fstest.MapFile{Data: []byte(main.String())}
	runGenerated(t, files, list)
	delete(files, "main.go")

	u, err := parse(&source{fsys: files, dir: ".", base: "prelude.go"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.parseSiblings(&source{fsys: files, dir: ".", base: "prelude.go"}); err != nil {
		t.Fatal(err)
	}
	u.complete = true
	u.check("main")
	for _, err := range u.errs {
		t.Fatalf("%v: %s", u.position(err.Pos), err.Msg)
	}
	return list, u, inputs
}

// runGenerated builds and runs the package, and reads what the functions gave.
func runGenerated(t testing.TB, files fstest.MapFS, list []*generated) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = &fstest.MapFile{Data: []byte("module generated\n\ngo 1.26\n")}
	for name, f := range files {
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	delete(files, "go.mod")
	program := filepath.Join(dir, "generated")
	build := exec.Command("go", "build", "-gcflags=-N -l", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOAMD64=v1", "GOFLAGS=-mod=mod", "GOWORK=off", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		if keep := os.Getenv("YOLK_KEEP_GENERATED"); keep != "" {
			os.CopyFS(keep, os.DirFS(dir))
		}
		t.Fatalf("%v\n%.3000s", err, text)
	}
	data, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	words := make([]uint64, len(data)/8)
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, words); err != nil {
		t.Fatal(err)
	}
	for range generatedPoints {
		for _, f := range list {
			if words[0] != 0 {
				f.want, words = append(f.want, nil), words[1:]
				continue
			}
			f.want, words = append(f.want, words[1:1+len(f.results)]), words[1+len(f.results):]
		}
	}
	if len(words) != 0 {
		t.Fatalf("%d words are left", len(words))
	}
}

// load translates a generated function.
func (f *generated) load(u *unit) (*ir.Func, error) {
	for i, file := range u.files { // the function's file comes first
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == f.name {
				u.files[0], u.files[i] = u.files[i], u.files[0]
				return u.translate(symbol{pkg: "main", name: f.name}, signature{f.params, f.results}, Options{})
			}
		}
	}
	return nil, fmt.Errorf("no function %s", f.name)
}

// text is the source of a generated function.
func (f *generated) text(t testing.TB, u *unit) string {
	for _, file := range u.files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == f.name {
				var b strings.Builder
				printGo(&b, u, fn)
				return b.String()
			}
		}
	}
	return ""
}

// sameBits compares results; any NaN is any NaN.
func sameBits(t ir.Type, a, b uint64) bool {
	if a == b {
		return true
	}
	x, y := ir.BitsFloat(t, a), ir.BitsFloat(t, b)
	return t.IsFloat() && math.IsNaN(x) && math.IsNaN(y)
}

// interpreted holds a program against what Go computed.
func (f *generated) interpreted(p *interp.Program, inputs map[ir.Type][generatedColumns][]uint64) error {
	in, out := make([]uint64, len(f.params)), make([]uint64, len(f.results))
	for point, want := range f.want {
		for j, typ := range f.params {
			in[j] = inputs[typ][j][point]
		}
		err := p.EvalUpTo(1<<20, in, out)
		switch {
		case want == nil && (err == nil || errors.Is(err, interp.ErrDivide)):
			continue // a quotient that no result needs is not computed
		case err != nil:
			return fmt.Errorf("%s at %#x: %w", f.name, in, err)
		}
		for i, typ := range f.results {
			if !sameBits(typ, out[i], want[i]) {
				return fmt.Errorf("%s at %#x: result %d is %s, the program says %s", f.name, in, i, text(typ, want[i]), text(typ, out[i]))
			}
		}
	}
	return nil
}

// FuzzGenerated is TestGeneratedFunctions for few functions of any seed.
func FuzzGenerated(f *testing.F) {
	f.Add(uint64(3))
	f.Fuzz(func(t *testing.T, seed uint64) {
		list, u, inputs := generate(t, seed, 50, func(g *author) { g.faults, g.functions = seed%2 == 0, seed%3 == 0 })
		for _, fn := range list {
			program, err := fn.load(u)
			var p *interp.Program
			if err == nil {
				p, err = interp.Compile(program)
			}
			if err == nil {
				err = fn.interpreted(p, inputs)
			}
			if err != nil {
				t.Errorf("%v\n%s", err, fn.text(t, u))
			}
		}
	})
}

// Ten thousand random functions are to the interpreter what they are to Go.
func TestGeneratedFunctions(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 500
	}
	list, u, inputs := generate(t, 1, n, func(g *author) { g.faults, g.functions = true, true })
	bad, loops, branches, panics := 0, 0, 0, 0
	for _, f := range list {
		program, err := f.load(u)
		var p *interp.Program
		if err == nil {
			p, err = interp.Compile(program)
		}
		if err == nil {
			err = f.interpreted(p, inputs)
		}
		if err != nil {
			if bad++; bad <= 3 {
				t.Errorf("%v\n%s", err, f.text(t, u))
			}
			continue
		}
		if len(program.Bodies) > 0 {
			loops++
		}
		if program.Count(ir.Select) > 0 {
			branches++
		}
		for _, w := range f.want {
			if w == nil {
				panics++
				break
			}
		}
	}
	t.Logf("%d functions: %d with loops, %d with choices, %d that panic somewhere; %d differ", n, loops, branches, panics, bad)
	if bad > 0 || loops < n/10 || branches < n/3 || panics < n/100 {
		t.Errorf("%d differ; %d with loops, %d with choices, %d that panic", bad, loops, branches, panics)
	}
}

func printGo(b *strings.Builder, u *unit, fn *ast.FuncDecl) {
	if err := format.Node(b, u.fset, fn); err != nil {
		b.WriteString(err.Error())
	}
}
