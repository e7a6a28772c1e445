package ufunc_test

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

// row is a correctly rounded value (testdata/values.tsv).
type row struct{ in, want float32 }

func values(t *testing.T, fn string) []row {
	t.Helper()
	data, err := os.ReadFile("testdata/values.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for line := range strings.Lines(string(data)) {
		field := strings.Split(line, "\t")
		if field[0] != fn {
			continue
		}
		in, err1 := strconv.ParseUint(field[1], 16, 32)
		want, err2 := strconv.ParseUint(field[2], 16, 32)
		if err1 != nil || err2 != nil {
			t.Fatalf("bad row %q", line)
		}
		rows = append(rows, row{math.Float32frombits(uint32(in)), math.Float32frombits(uint32(want))})
	}
	if len(rows) == 0 {
		t.Fatalf("no rows for %s", fn)
	}
	return rows
}

func tanh32(x float32) float32  { return ufunc.Tanh(x) }
func exp32(x float32) float32   { return ufunc.Exp(x) }
func log32(x float32) float32   { return ufunc.Log(x) }
func sqrt32(x float32) float32  { return ufunc.Sqrt(x) }
func expm132(x float32) float32 { return ufunc.Expm1(x) }
func pow3(x float32) float32    { return ufunc.Pow(x, 3) }
func powm2(x float32) float32   { return ufunc.Pow(x, -2) }

func log1p32(x float32) float32    { return ufunc.Log1p(x) }
func sin32(x float32) float32      { return ufunc.Sin(x) }
func cos32(x float32) float32      { return ufunc.Cos(x) }
func erf32(x float32) float32      { return ufunc.Erf(x) }
func sigmoid32(x float32) float32  { return ufunc.Sigmoid(x) }
func silu32(x float32) float32     { return ufunc.Silu(x) }
func softplus32(x float32) float32 { return ufunc.Softplus(x) }
func gelu32(x float32) float32     { return ufunc.Gelu(x) }
func geluTanh32(x float32) float32 { return ufunc.GeluTanh(x) }
func mish32(x float32) float32     { return ufunc.Mish(x) }
func elu32(x float32) float32      { return ufunc.Elu(x) }
func selu32(x float32) float32     { return ufunc.Selu(x) }

// spacing is the ulp of float32 at t, the smallest subnormal below the normal range.
func spacing(t float64) float64 {
	if t = math.Abs(t); t < 0x1p-126 {
		return 0x1p-149
	}
	return math.Ldexp(1, math.Ilogb(t)-23)
}

// Every published row passes by these rules: NaN only and always where the reference has NaN; infinities and their signs
// exact; sqrt equal; functions within 4 ulp; gelu also within 2^-22 · max(|x|, |ref|), the floor for a body
// written out in float32, and at -Inf NaN or the limit.
func TestValues(t *testing.T) {
	ulps := func(n float64) func(x, want float64) float64 {
		return func(x, want float64) float64 { return n * spacing(want) }
	}
	written := func(x, want float64) float64 {
		return math.Max(4*spacing(want), 0x1p-22*math.Max(math.Abs(x), math.Abs(want)))
	}
	seen := map[string]bool{}
	for _, test := range []struct {
		name  string
		fn    func(float32) float32
		bound func(x, want float64) float64
	}{
		{"gelu_tanh", geluTanh32, ulps(4)},
		{"gelu_tanh", gelu, written}, // by its formula
		{"gelu_tanh_f32c", gelu, written},
		{"gelu_erf", gelu32, ulps(4)},
		{"sigmoid", sigmoid32, ulps(4)},
		{"silu", silu32, ulps(4)},
		{"softplus", softplus32, ulps(4)},
		{"mish", mish32, ulps(4)},
		{"elu", elu32, ulps(4)},
		{"selu", selu32, ulps(4)},
		{"log1p", log1p32, ulps(4)},
		{"sin", sin32, ulps(4)},
		{"cos", cos32, ulps(4)},
		{"erf", erf32, ulps(4)},
		{"tanh", tanh32, ulps(4)},
		{"exp", exp32, ulps(4)},
		{"expm1", expm132, ulps(4)},
		{"log", log32, ulps(4)},
		{"sqrt", sqrt32, ulps(0)},
		{"pow3", pow3, ulps(4)},
		{"powm2", powm2, ulps(4)},
	} {
		seen[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			f := ufunc.Vectorize1[float32](test.fn)
			for _, r := range values(t, test.name) {
				var out [1]float32
				f([]float32{r.in}, out[:])
				got, want := float64(out[0]), float64(r.want)
				x := float64(r.in)
				switch {
				case strings.HasPrefix(test.name, "gelu_tanh") && test.bound(1, 0) == written(1, 0) && math.IsInf(x, -1) && got != got:
				case want != want || got != got:
					if want == want || got == got {
						t.Errorf("%g: %g, want %g", x, got, want)
					}
				case math.IsInf(want, 0) || math.IsInf(got, 0):
					if got != want {
						t.Errorf("%g: %g, want %g", x, got, want)
					}
				case math.Abs(got-want) > test.bound(x, want):
					t.Errorf("%g: %g, want %g: %.2f ulp", x, got, want, math.Abs(got-want)/spacing(want))
				}
			}
		})
	}
	for _, name := range tableNames(t) {
		if !seen[name] {
			t.Errorf("nothing is tested against the rows of %s", name)
		}
	}
}

// tableNames lists the functions that the table has rows for.
func tableNames(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/values.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(line, "\t")
		if !strings.HasPrefix(name, "#") && name != "fn" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// A function written out in float32 may not cancel more than it does as written; these arguments are where products fail.
func TestGeluEverywhere(t *testing.T) {
	f := ufunc.Vectorize1[float32](gelu)
	in := []float32{-5, 5, 10, 44951, 1e30, float32(math.Inf(1)), float32(math.NaN()), math.MaxFloat32, -math.MaxFloat32}
	out := make([]float32, len(in))
	f(in, out)
	for i, want := range []float64{-2.2917962e-7, 4.9999998, 10, 44951, 1e30, math.Inf(1), math.NaN(), math.MaxFloat32, 0} {
		got := float64(out[i])
		if want != want {
			if got == got {
				t.Errorf("gelu(%g) = %g, want NaN", in[i], got)
			}
		} else if got != want && !(math.Abs(got-want) <= 0x1p-22*math.Max(math.Abs(float64(in[i])), math.Abs(want))) {
			t.Errorf("gelu(%g) = %g, want %g", in[i], got, want)
		}
	}
}
