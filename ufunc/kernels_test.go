package ufunc_test

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

type float interface{ float32 | float64 }

func silu[T float](x T) T      { return x / (1 + ufunc.Exp(-x)) }
func softplus[T float](x T) T  { return ufunc.Log(1 + ufunc.Exp(x)) }
func mish[T float](x T) T      { return x * ufunc.Tanh(ufunc.Log(1+ufunc.Exp(x))) }
func gauss[T float](x T) T     { return ufunc.Exp(-x * x / 2) }
func horner[T float](x T) T    { return 1 + x*(2+x*(3+x*(4+x*5))) }
func expanded[T float](x T) T  { return 1 + 2*x + 3*x*x + 4*x*x*x + 5*x*x*x*x }
func power7[T float](x T) T    { return ufunc.Pow(x, 7) }
func power30[T float](x T) T   { return ufunc.Pow(x, 30) }
func inverse3[T float](x T) T  { return ufunc.Pow(x, -3) }
func logit[T float](x T) T     { return ufunc.Log(x / (1 - x)) }
func square[T float](x T) T    { return x*x - 2*x + 1 }
func third[T float](x T) T     { return x / 3 }
func normalise[T float](x T) T { return (x - 0.485) / 0.229 }
func relu6[T float](x T) T     { return ufunc.Min(ufunc.Max(x, 0), 6) }
func hardSwish[T float](x T) T { return x * relu6(x+3) / 6 }
func quantise[T float](x T) T  { return min(max(ufunc.Floor(x/0.02+0.5), -128), 127) * 0.02 }
func fraction[T float](x T) T  { return x - ufunc.Trunc(x) }
func spread[T float](x, y T) T { return ufunc.Ceil(max(x, y)) - min(x, y) }
func norm2[T float](x, y T) T  { return ufunc.Sqrt(x*x + y*y) }
func logsum[T float](x, y T) T { return ufunc.Log(ufunc.Exp(x) + ufunc.Exp(y)) }
func lerp[T float](a, b, c T) T {
	return a + (b-a)*c
}
func geluOf[T float](x T) T {
	c := ufunc.Sqrt(T(2 / math.Pi))
	return 0.5 * x * (1 + ufunc.Tanh(c*(x+0.044715*x*x*x)))
}

// Functions that users write keep the default contract, in both types; what overflows on the way as written may do so.
func TestKernelsUsersWrite(t *testing.T) {
	for _, k := range []struct {
		name   string
		inputs int
		f32    any
		f64    any
	}{
		{"gelu", 1, geluOf[float32], geluOf[float64]},
		{"silu", 1, silu[float32], silu[float64]},
		{"softplus", 1, softplus[float32], softplus[float64]},
		{"mish", 1, mish[float32], mish[float64]},
		{"gauss", 1, gauss[float32], gauss[float64]},
		{"horner", 1, horner[float32], horner[float64]},
		{"expanded", 1, expanded[float32], expanded[float64]},
		{"power7", 1, power7[float32], power7[float64]},
		{"power30", 1, power30[float32], power30[float64]},
		{"inverse3", 1, inverse3[float32], inverse3[float64]},
		{"logit", 1, logit[float32], logit[float64]},
		{"square", 1, square[float32], square[float64]},
		{"third", 1, third[float32], third[float64]},
		{"normalise", 1, normalise[float32], normalise[float64]},
		{"relu6", 1, relu6[float32], relu6[float64]},
		{"hardSwish", 1, hardSwish[float32], hardSwish[float64]},
		{"quantise", 1, quantise[float32], quantise[float64]},
		{"fraction", 1, fraction[float32], fraction[float64]},
		{"spread", 2, spread[float32], spread[float64]},
		{"norm2", 2, norm2[float32], norm2[float64]},
		{"logsum", 2, logsum[float32], logsum[float64]},
		{"lerp", 3, lerp[float32], lerp[float64]},
	} {
		t.Run(k.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(21, 23))
			check := func(fn any, dtype ufunc.DType, inputs []any) {
				kernel, err := ufunc.Compile(context.Background(), fn, dtype, 1, ufunc.ReportTo(io.Discard))
				if err != nil {
					t.Fatal(err)
				}
				if err := kernel.Check(inputs...); err != nil {
					t.Error(err)
				}
			}
			const n = 1000
			var in32, in64 []any
			for range k.inputs {
				x, y := make([]float32, n), make([]float64, n)
				for i := range x {
					x[i], y[i] = float32(rng.NormFloat64()*3), rng.NormFloat64()*3
				}
				in32, in64 = append(in32, x), append(in64, y)
			}
			check(k.f32, ufunc.Float32, in32)
			check(k.f64, ufunc.Float64, in64)
		})
	}
}

// Every target that the host runs keeps the contract, the one without fused multiply-add too.
func TestTargets(t *testing.T) {
	for _, target := range []string{"x86-64-v2", "x86-64-v3", "x86-64-v4"} {
		t.Run(target, func(t *testing.T) {
			for i, fn := range []any{mish[float32], mish[float64]} {
				k, err := ufunc.Compile(context.Background(), fn, []ufunc.DType{ufunc.Float32, ufunc.Float64}[i], 1,
					ufunc.Target(target), ufunc.ReportTo(io.Discard))
				if errors.Is(err, ufunc.ErrTarget) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				x, y := []float32{-90, -20, -1, 0, 0.5, 3, 40}, []float64{-700, -20, -1, 0, 0.5, 3, 40}
				if err := k.Check([]any{x, y}[i]); err != nil {
					t.Error(err)
				}
				if fma := strings.Contains(k.Report().IROut, "= fma"); fma == (target == "x86-64-v2") {
					t.Errorf("fused multiply-adds: %v", fma)
				}
			}
		})
	}
}
