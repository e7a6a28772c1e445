package gosrc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

// functionsPerKernel is how many generated functions are compiled as one kernel of many results.
const functionsPerKernel = 25

// Random functions are natively, after the compiler's stages under Strict, what they are to Go: on the host's target and on x86-64-v3,
// whose masks are other registers.
func TestGeneratedFunctionsNatively(t *testing.T) {
	clang, err := jit.FindClang(context.Background(), jit.NewEnv(nil))
	host, hostErr := native.Host()
	if err := errors.Join(jit.Available(), err, hostErr); err != nil {
		if os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
			t.Fatalf("YOLK_REQUIRE_NATIVE=1, but: %v", err)
		}
		t.Skipf("no native kernels: %v", err)
	}
	n := 500
	if testing.Short() {
		n = 50
	}
	list, u, inputs := generate(t, 2, n, func(g *author) {})
	var programs []*ir.Func
	for _, f := range list {
		program, err := f.load(u)
		if err != nil {
			t.Fatalf("%v\n%s", err, f.text(t, u))
		}
		programs = append(programs, strictly(t, program, host))
	}
	bad := 0
	for _, target := range native.Targets() {
		if target.Name != host.Name && (target.Name != "x86-64-v3" || !host.Runs(target)) {
			continue
		}
		if target.Name == host.Name {
			target = host
		}
		target.Interleave = 1
		for from := 0; from < n; from += functionsPerKernel {
			if target.Name != host.Name && from >= n/5 {
				break
			}
			to := min(from+functionsPerKernel, n)
			bad += runMerged(t, clang, target, list[from:to], programs[from:to], u, inputs)
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d functions differ", bad, n)
	}
}

// strictly is what the compiler makes of f where no bit may change.
func strictly(t *testing.T, f *ir.Func, target native.Target) *ir.Func {
	t.Helper()
	laws, ring := rules.Default.Ring()
	run, err := compiler.Optimise(context.Background(), f, compiler.Config{
		Rules: laws.Rewrites(), Ring: ring, Costs: target.Costs(), Licences: ir.ApproxFunc, Limits: compiler.DefaultLimits,
		Tolerance: accuracy.Tolerance{Unit: accuracy.Exact}, Points: 64,
	})
	if err != nil {
		t.Fatalf("%v\n%v", err, f)
	}
	return run.Output
}

// runMerged compiles functions as one kernel, runs it, and returns how many differ from Go.
func runMerged(t *testing.T, clang *jit.Clang, target native.Target, list []*generated, programs []*ir.Func, u *unit, inputs map[ir.Type][generatedColumns][]uint64) int {
	t.Helper()
	type input struct {
		typ    ir.Type
		column int
	}
	b := ir.NewBuilder("generated")
	params := map[input]ir.Value{}
	var data [][]byte
	var sizes []int64
	column := func(typ ir.Type, bits []uint64) {
		c := make([]byte, 0, 8*generatedPoints+8)
		for _, x := range bits {
			c = append(c, binary.LittleEndian.AppendUint64(nil, x)[:typ.Size()]...)
		}
		data, sizes = append(data, c), append(sizes, int64(typ.Size()))
	}
	for _, f := range list {
		for j, typ := range f.params {
			if _, ok := params[input{typ, j}]; !ok {
				params[input{typ, j}] = b.Param(fmt.Sprintf("%v%d", typ, j), typ, ir.Unknown)
				column(typ, inputs[typ][j])
			}
		}
	}
	for i, f := range list {
		var args []ir.Value
		for j, typ := range f.params {
			args = append(args, params[input{typ, j}])
		}
		for k, r := range b.Inline(programs[i], args...) {
			b.Return(r)
			column(f.results[k], make([]uint64, generatedPoints))
		}
	}
	text, err := native.Emit(b.Func(), 1, target)
	if err != nil {
		t.Fatal(err)
	}
	object, err := clang.Build(context.Background(), text, jit.BuildOptions{Target: target.Triple, Level: 1, Passes: true})
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, text)
	}
	kernel, err := jit.Load(object, "yolk_kernel")
	if err != nil {
		t.Fatal(err)
	}
	var pointers []unsafe.Pointer
	for _, c := range data {
		pointers = append(pointers, unsafe.Pointer(unsafe.SliceData(c)))
	}
	count := int64(generatedPoints)
	if fault := kernel.Call(&jit.Args{Data: &pointers[0], Count: &count, Stride: &sizes[0]}); fault != jit.FaultNone {
		t.Fatalf("%s: fault %d", target.Name, fault)
	}
	bad, out := 0, len(params)
	for i, f := range list {
		p, err := interp.Compile(programs[i])
		if err == nil {
			err = f.interpreted(p, inputs)
		}
		if err != nil {
			err = fmt.Errorf("optimised: %w", err)
		}
		for k, typ := range f.results {
			for point, want := range f.want {
				var word [8]byte
				copy(word[:], data[out+k][point*typ.Size():][:typ.Size()])
				got := binary.LittleEndian.Uint64(word[:])
				if err == nil && want != nil && !sameBits(typ, got, want[k]) {
					err = fmt.Errorf("%s on %s, point %d: result %d is %s, the kernel says %s", f.name, target.Name, point, k, formatted(typ, want[k]), formatted(typ, got))
				}
			}
		}
		out += len(f.results)
		if err != nil {
			if bad++; bad <= 2 {
				t.Errorf("%v\n%s\n%v", err, f.text(t, u), strings.TrimSpace(programs[i].String()))
			}
		}
	}
	return bad
}

func formatted(t ir.Type, bits uint64) string { return text(t, bits) }
