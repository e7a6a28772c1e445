package native

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
)

// toolchain returns a clang. A test that needs one is skipped where there is none, and fails where CI promises one.
func toolchain(t testing.TB) *jit.Clang {
	t.Helper()
	clang, err := jit.FindClang(context.Background(), jit.NewEnv(nil))
	_, hostErr := Host()
	if err := errors.Join(jit.Available(), err, hostErr); err != nil {
		if os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
			t.Fatalf("YOLK_REQUIRE_NATIVE=1, but: %v", err)
		}
		t.Skipf("no native kernels: %v", err)
	}
	return clang
}

// runnable are the targets whose code this machine runs: the host's and the lower levels of its architecture.
func runnable(t testing.TB) []Target {
	t.Helper()
	toolchain(t)
	host, err := Host()
	if err != nil {
		t.Fatal(err)
	}
	var list []Target
	for _, target := range Targets() {
		target, err := target.On(systemOf(host))
		if err != nil {
			t.Fatal(err)
		}
		if target.Triple == host.Triple {
			list = append(list, target)
		}
		if target.Name == host.Name {
			break
		}
	}
	return list
}

func systemOf(t Target) string {
	if strings.Contains(t.Triple, "apple") {
		return "darwin"
	}
	return "linux"
}

func emit(t testing.TB, f *ir.Func, ndim int, target Target) string {
	t.Helper()
	text, err := Emit(f, ndim, target)
	if err != nil {
		t.Fatalf("%v\n%v", err, f)
	}
	return text
}

// kernels remembers what has been built, by text: several tests walk the same kernel.
var kernels sync.Map

func build(t testing.TB, f *ir.Func, ndim int, target Target) *jit.Kernel {
	t.Helper()
	text := emit(t, f, ndim, target)
	if k, ok := kernels.Load(text); ok {
		return k.(*jit.Kernel)
	}
	object, err := toolchain(t).Build(context.Background(), text, jit.BuildOptions{Target: target.Triple, Level: 1})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	k, err := jit.Load(object, "yolk_kernel")
	if err != nil {
		t.Fatal(err)
	}
	kernels.Store(text, k)
	return k
}

// assembly returns what clang makes of f, without directives.
func assembly(t testing.TB, f *ir.Func, ndim int, target Target) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "kernel.ll")
	if err := os.WriteFile(source, []byte(emit(t, f, ndim, target)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(toolchain(t).Identity().Path, "-S", "-O1", "-fPIC", "--target="+target.Triple, "-o", "-", source)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// view is an operand: memory with a position and strides in bytes.
type view struct {
	data   []byte
	at     int   // of the first element
	stride []int // outermost first
}

// call runs a kernel.
func call(t testing.TB, k *jit.Kernel, count []int, operands ...view) {
	t.Helper()
	var data []unsafe.Pointer
	var counts, strides []int64
	for _, n := range count {
		counts = append(counts, int64(n))
	}
	for _, v := range operands {
		data = append(data, unsafe.Pointer(unsafe.SliceData(v.data[v.at:])))
		for _, s := range v.stride {
			strides = append(strides, int64(s))
		}
	}
	if fault := k.Call(&jit.Args{Data: &data[0], Count: &counts[0], Stride: &strides[0]}); fault != jit.FaultNone {
		t.Fatalf("fault %d", fault)
	}
}

// faultOf is the fault of a call on contiguous vectors.
func faultOf(k *jit.Kernel, n int, operands ...view) jit.Fault {
	var data []unsafe.Pointer
	var strides []int64
	for _, v := range operands {
		data, strides = append(data, unsafe.Pointer(unsafe.SliceData(v.data[v.at:]))), append(strides, int64(v.stride[0]))
	}
	count := int64(n)
	return k.Call(&jit.Args{Data: &data[0], Count: &count, Stride: &strides[0]})
}

// load and store access an element by its bits.
func load(typ ir.Type, data []byte, at int) uint64 {
	var word [8]byte
	copy(word[:], data[at:at+typ.Size()])
	return binary.LittleEndian.Uint64(word[:])
}

func store(typ ir.Type, data []byte, at int, bits uint64) {
	copy(data[at:at+typ.Size()], binary.LittleEndian.AppendUint64(nil, bits))
}

// column makes a contiguous operand. Its memory is aligned to 8 bytes.
func column(typ ir.Type, bits []uint64) view {
	v := view{data: make([]byte, typ.Size()*len(bits)+8), stride: []int{typ.Size()}}
	for i, b := range bits {
		store(typ, v.data, i*typ.Size(), b)
	}
	return v
}

// same reports whether two results are equal; NaNs are all the same.
func same(typ ir.Type, a, b uint64) bool {
	if typ.Stored() {
		x, y := ir.Unstore(typ, uint16(a)), ir.Unstore(typ, uint16(b))
		return a == b || x != x && y != y
	}
	return a == b || typ.IsFloat() && math.IsNaN(ir.BitsFloat(typ, a)) && math.IsNaN(ir.BitsFloat(typ, b))
}

// specials are the values at which lowerings break.
func specials(typ ir.Type) []uint64 {
	if !typ.IsFloat() {
		return discreteSpecials(typ)
	}
	f := formatOf(typ)
	values := []float64{0, 0.5, 1, 1.5, 2, 2.5, 3, 1e3, 1e9, 1e30, math.Inf(1), math.NaN(), math.Pi, 1e-3}
	for _, exp := range []int{
		f.bias, f.bias + 1, f.bias - 1, f.bias - 2, 2*f.bias - 2, 2 * f.bias, 2*f.bias + f.mantissa,
		2*f.bias + f.mantissa + 1, 2*f.bias + f.mantissa + 2, f.bias + f.mantissa - 1, f.bias + f.mantissa, f.mantissa, f.mantissa + 1,
	} {
		values = append(values, float64(exp), float64(exp)+0.5)
	}
	var list []uint64
	for _, x := range values {
		list = append(list, ir.ConstBits(typ, x), ir.ConstBits(typ, -x))
	}
	sign := uint64(1) << (f.bits - 1)
	hidden := uint64(1) << f.mantissa
	infinity := uint64(2*f.bias+1) << f.mantissa
	for _, bits := range []uint64{1, 2, 3, hidden / 2, hidden - 1, hidden, hidden + 1, 2 * hidden, infinity - 1, infinity - hidden, infinity | 1} {
		list = append(list, bits, bits|sign)
	}
	return list
}

// discreteSpecials are the ends and the middle of every width, and small integers.
func discreteSpecials(typ ir.Type) (list []uint64) {
	for bits := 0; bits <= 8*typ.Size(); bits++ {
		for d := range uint64(5) {
			list = append(list, (1<<bits+d-2)&mask(typ))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// mask has the bits that a value of typ may have.
func mask(typ ir.Type) uint64 {
	if typ == ir.Bool {
		return 1
	}
	return 1<<(8*typ.Size()) - 1
}

// inputs makes columns of equal length that hold all pairs of specials (the third column is shuffled) and random values:
// bit patterns, moderate numbers, small integers.
func inputs(typ ir.Type, n int, r *rand.Rand) [3][]uint64 {
	var columns [3][]uint64
	special := specials(typ)
	for _, a := range special {
		for _, b := range special {
			columns[0] = append(columns[0], a)
			columns[1] = append(columns[1], b)
			columns[2] = append(columns[2], special[r.IntN(len(special))])
		}
	}
	random := func() uint64 {
		switch r.IntN(4) {
		case 0, 1:
			return r.Uint64() & mask(typ)
		case 2:
			if typ.Stored() {
				return uint64(ir.Store(typ, float32(r.NormFloat64())))
			}
			return ir.ConstBits(typ, r.NormFloat64())
		}
		if typ.Stored() {
			return uint64(ir.Store(typ, float32(r.IntN(5000)-2500)))
		}
		return ir.ConstBits(typ, float64(r.IntN(5000)-2500)+0.5*float64(r.IntN(2)))
	}
	for range n {
		for c := range columns {
			columns[c] = append(columns[c], random())
		}
	}
	return columns
}
