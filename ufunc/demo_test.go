package ufunc_test

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/golden"
	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/ufunc"
)

// needNative skips the test where no native code can be made, and fails it where YOLK_REQUIRE_NATIVE=1 says that it must.
func needNative(t testing.TB, k *ufunc.Kernel) {
	t.Helper()
	if r := k.Report(); r.Executor == "interpreter" || r.Executor == "" {
		if os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
			t.Fatalf("no native code: %s", r.Reason)
		}
		t.Skipf("no native code: %s", r.Reason)
	}
}

// demoGelu is the kernel of the published demonstration, in its order of operations.
func demoGelu(a float32) float32 {
	h := 0.5 * a
	s := ufunc.Sqrt(float32(2 / math.Pi))
	u := s * (a + 0.044715*ufunc.Pow(a, 3))
	return h * (1 + ufunc.Tanh(u))
}

// gelu is the tanh form as users write it.
func gelu(x float32) float32 {
	c := ufunc.Sqrt(float32(2 / math.Pi))
	return 0.5 * x * (1 + ufunc.Tanh(c*(x+0.044715*x*x*x)))
}

// demoOptions ask for what the demonstration used: its rules, its costs, its domain.
var demoOptions = []ufunc.Option{
	ufunc.Rules(rules.Demo), ufunc.Cost(ufunc.DemoCosts()), ufunc.Domain(0, 1), ufunc.WithinRel(1e-6),
}

// published reads the inputs and outputs that the demonstration printed.
func published(t *testing.T) (x []float32, text []string) {
	t.Helper()
	data, err := os.ReadFile("../examples/gelu/testdata/seed_gelu.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		field := strings.Split(strings.TrimSpace(line), "\t")
		if v, err := strconv.ParseFloat(field[0], 32); err == nil {
			x, text = append(x, float32(v)), append(text, field[1])
		}
	}
	if len(x) != 100 {
		t.Fatalf("%d published inputs, want 100", len(x))
	}
	return x, text
}

// reproduces reports whether some float32 that prints as x at 8 decimals gives an output that prints as text: the published
// digits are rounded to 8 decimals, so an input may stand for a neighbour.
func reproduces(f func(float32) float32, x float32, text string) bool {
	want, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	for _, y := range []float32{x, math.Nextafter32(x, 0), math.Nextafter32(x, 1)} {
		if math.Abs(float64(y)-float64(x)) > 5.01e-9 {
			continue
		}
		got := f(y)
		if got == float32(want) || math.Abs(float64(got)-want) <= 5.01e-9 {
			return true
		}
	}
	return false
}

func TestDemoIsReproduced(t *testing.T) {
	f := ufunc.Vectorize(demoGelu, ufunc.Float32, 1, append(demoOptions, ufunc.Deny(ufunc.Contract))...)
	report := f.Kernel().Report()
	for _, gone := range []string{"tanh", "pow", "fma"} {
		if strings.Contains(report.IROut, "= "+gone) {
			t.Errorf("%s is left:\n%s", gone, report.IROut)
		}
	}
	if diff := cmp.Diff([]string{"tanh-pade-4"}, report.Forms); diff != "" {
		t.Errorf("forms (-want +got):\n%s", diff)
	}
	out, err := ir.Parse("report", report.IROut)
	if err != nil {
		t.Fatal(err)
	}
	// The demonstration's optimised kernel: 12 multiplications, 5 additions, 1 division.
	for op, want := range map[ir.Op]int{ir.Mul: 12, ir.Add: 5, ir.Div: 1} {
		if got := out.Count(op); got != want {
			t.Errorf("%d %vs, want %d\n%s", got, op, want, report.IROut)
		}
	}
	program, err := interp.Compile(out)
	if err != nil {
		t.Fatal(err)
	}
	run := map[string]func(float32) float32{
		"interpreter": func(x float32) float32 {
			var bits [1]uint64
			program.Eval([]uint64{uint64(math.Float32bits(x))}, bits[:])
			return math.Float32frombits(uint32(bits[0]))
		},
		"native": func(x float32) float32 {
			var y [1]float32
			f([]float32{x}, y[:])
			return y[0]
		},
	}
	for name, eval := range run {
		t.Run(name, func(t *testing.T) {
			if name == "native" {
				needNative(t, f.Kernel())
			}
			x, text := published(t)
			for i := range x {
				if !reproduces(eval, x[i], text[i]) {
					t.Errorf("x = %v: %v, published %s", x[i], eval(x[i]), text[i])
				}
			}
		})
	}
}

// With the default rules and licences the same job takes at most 11 operations, at most one of them a division.
func TestGoldenDemoOperations(t *testing.T) {
	f := ufunc.Vectorize(demoGelu, ufunc.Float32, 1, ufunc.Domain(0, 1), ufunc.WithinRel(1e-6), ufunc.Target("x86-64-v3"), ufunc.Name("gelu"))
	report := f.Kernel().Report()
	out, err := ir.Parse("report", report.IROut)
	if err != nil {
		t.Fatal(err)
	}
	if n, div := out.Arithmetic()-fusedSigns(out), out.Count(ir.Div); n > 11 || div > 1 {
		t.Errorf("%d operations with %d divisions, want at most 11 with 1", n, div)
	}
	golden.Check(t, "testdata/demo_default.ir", report.IROut)
}

// fusedSigns counts the signs that are part of the fused multiply-adds that they go into, and of nothing else.
func fusedSigns(f *ir.Func) int {
	count := 0
	for v, n := range f.Nodes {
		if n.Op != ir.Neg || slices.Contains(f.Results, ir.Value(v)) {
			continue
		}
		fused := true
		for _, user := range f.Nodes {
			fused = fused && (user.Op == ir.FMA || !slices.Contains(user.Operands(), ir.Value(v)))
		}
		if fused {
			count++
		}
	}
	return count
}
