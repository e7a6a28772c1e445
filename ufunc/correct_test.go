package ufunc_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

// oneVariable are the functions of one variable by their names in laws.
var oneVariable = map[string]func(ufunc.Value) ufunc.Value{
	"sqrt": ufunc.Value.Sqrt, "exp": ufunc.Value.Exp, "expm1": ufunc.Value.Expm1, "log": ufunc.Value.Log, "tanh": ufunc.Value.Tanh, "exp2": ufunc.Value.Exp2,
	"log2": ufunc.Value.Log2, "log10": ufunc.Value.Log10, "log1p": ufunc.Value.Log1p, "cbrt": ufunc.Value.Cbrt, "rsqrt": ufunc.Value.Rsqrt, "sin": ufunc.Value.Sin,
	"cos": ufunc.Value.Cos, "tan": ufunc.Value.Tan, "asin": ufunc.Value.Asin, "acos": ufunc.Value.Acos, "atan": ufunc.Value.Atan, "sinh": ufunc.Value.Sinh,
	"cosh": ufunc.Value.Cosh, "asinh": ufunc.Value.Asinh, "acosh": ufunc.Value.Acosh, "atanh": ufunc.Value.Atanh, "erf": ufunc.Value.Erf, "erfc": ufunc.Value.Erfc,
	"sigmoid": ufunc.Value.Sigmoid, "silu": ufunc.Value.Silu, "softplus": ufunc.Value.Softplus, "gelu": ufunc.Value.Gelu, "gelu_tanh": ufunc.Value.GeluTanh,
	"mish": ufunc.Value.Mish, "elu": ufunc.Value.Elu, "selu": ufunc.Value.Selu,
}

// correct compiles the correctly rounded kernel of every function once.
func correct(t *testing.T, name string) func(in, out []float32) {
	t.Helper()
	f := oneVariable[name]
	if f == nil {
		t.Fatalf("no function %s", name)
	}
	return ufunc.Vectorize1[float32](f, ufunc.CorrectlyRounded())
}

// The correctly rounded kernels are right at every argument at which a float64 value does not decide how to round: they are nowhere else
// wrong, if their float64 forms keep their bounds.
func TestTies(t *testing.T) {
	text, err := os.ReadFile("testdata/ties.tsv")
	if err != nil {
		t.Fatal(err)
	}
	in, want := map[string][]float32{}, map[string][]float32{}
	for line := range strings.Lines(string(text)) {
		var name string
		var x, y uint32
		if n, _ := fmt.Sscanf(line, "%s\t%x\t%x", &name, &x, &y); n == 3 {
			in[name], want[name] = append(in[name], bits(x)), append(want[name], bits(y))
		}
	}
	if len(in) < 25 {
		t.Fatalf("%d functions", len(in))
	}
	for name, x := range in {
		t.Run(name, func(t *testing.T) {
			got := make([]float32, len(x))
			correct(t, name)(x, got)
			for i := range x {
				if !same(got[i], want[name][i]) {
					t.Errorf("%s(%x) = %x, want %x", name, x[i], got[i], want[name][i])
				}
			}
		})
	}
}

// Half of a subnormal number of odd significand is a tie. gelu and silu are x/2 + a bit: the tie goes up.
func TestTiesOfHalves(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	x, y := make([]float32, 1<<20), make([]float32, 1<<20)
	for i := range x {
		x[i] = bits(1 + rng.Uint32N(0x00ffffff)) // up to 2^-125
		if i%2 == 0 {
			x[i] = -x[i]
		}
	}
	for _, name := range []string{"silu", "gelu", "gelu_tanh"} {
		correct(t, name)(x, y)
		for i := range x {
			half := float64(x[i]) / 2
			want := float32(half)
			if float64(want) != half { // a tie
				want = float32(math.Nextafter(half, math.Inf(1)))
				if want == 0 {
					want = float32(math.Copysign(0, half))
				}
			}
			if !same(y[i], want) {
				t.Fatalf("%s(%x) = %x, want %x", name, x[i], y[i], want)
			}
		}
	}
}
