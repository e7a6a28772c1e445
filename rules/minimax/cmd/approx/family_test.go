package main

import (
	"bytes"
	"flag"
	"math"
	"os"
	"testing"

	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/golden"
)

var (
	exhaustive = flag.Bool("exhaustive", false, "test all 2^32 float32 arguments (hours; raise -timeout)")
)

func (f family) golden() string { return "testdata/" + f.name + ".rules" }

func TestFamiliesGolden(t *testing.T) {
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := f.write(&out); err != nil {
				t.Fatal(err)
			}
			golden.Check(t, f.golden(), out.String())
		})
	}
}

// log2 is good near 1 too, where math.Log2 cancels.
func log2(x float64) float64 {
	if 0.5 < x && x < 2 {
		return math.Log1p(x-1) * math.Log2E
	}
	return math.Log2(x)
}

func laws(t *testing.T) []law {
	t.Helper()
	var out []law
	for _, f := range families {
		text, err := os.ReadFile(f.golden())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, parseLaws(t, string(text))...)
	}
	return out
}

// truths is package math where that is good to about 2^-20 ulp of float32.
var truths = map[string]func(float64) float64{
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"erf": math.Erf, "erfc": math.Erfc,
	"exp": math.Exp, "expm1": math.Expm1, "log": math.Log, "exp2": math.Exp2, "log1p": math.Log1p, "log2": log2, "log10": math.Log10,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh,
	"cbrt": math.Cbrt, "rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
	"sigmoid": meaning(elementary.Sigmoid), "silu": meaning(elementary.Silu), "softplus": meaning(elementary.Softplus), "mish": meaning(elementary.Mish),
	"gelu": meaning(elementary.Gelu), "gelu_tanh": meaning(elementary.GeluTanh), "elu": meaning(elementary.Elu), "selu": meaning(elementary.Selu),
}

// meaning is a function's float64 meaning, which package elementary holds against the reals.
func meaning(d *ir.Def) func(float64) float64 {
	return func(x float64) float64 { return d.Eval([]float64{x}) }
}

// takesFMA names the forms whose low parts are nothing without one fma; elsewhere the wide forms serve.
var takesFMA = map[string]bool{"gelu-float32-9": true, "gelu-tanh-float32-6": true}

// TestLaws32 measures the forms of one float32 argument.
func TestLaws32(t *testing.T) {
	step := uint64(4093) // odd, so that it walks through every binade: 2^20 arguments
	if *exhaustive {
		step = 1
	}
	for _, l := range laws(t) {
		if circular[l.fn] || l.typ != "float32" || len(l.params) != 1 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			var w tally
			run, ops := compileLaw(t, l, fused)
			runs := []func(...[]float64) []float64{run}
			if !takesFMA[l.name] {
				run2, _ := compileLaw(t, l, unfused)
				runs = append(runs, run2)
			}
			truth := truths[l.fn]
			x, want := make([]float64, 0, blockLen), make([]float64, blockLen)
			for b := uint64(0); b < 1<<32; {
				x = x[:0]
				for ; b < 1<<32 && len(x) < blockLen; b += step {
					if v := float64(math.Float32frombits(uint32(b))); l.domain(v) {
						x = append(x, v)
					}
				}
				for i, v := range x {
					want[i] = truth(v)
				}
				for j, run := range runs {
					for i, y := range run(x) {
						e := err32(float32(y), want[i])
						if l.absolute && y == y {
							e = math.Abs(y - want[i])
						}
						w.note(j, e, x[i])
					}
				}
			}
			w.judge(t, l, ops)
		})
	}
}
