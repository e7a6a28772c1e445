package ufunc_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/go-yolk/yolk/internal/golden"
	"github.com/go-yolk/yolk/ufunc"
)

// The bits of portable kernels are golden: the same on every target, processor and executor. make emulate runs this test on
// an emulated arm64 and on emulated processors of lower x86-64 levels, make platforms on wasm.
func TestPortableBits(t *testing.T) {
	var text strings.Builder
	for _, k := range []struct {
		name   string
		inputs int
		f32    any // or nil
		f64    any // or nil
	}{
		{"gelu", 1, geluOf[float32], geluOf[float64]},
		{"silu", 1, silu[float32], nil},
		{"mish", 1, mish[float32], nil},
		{"sine", 1, ufunc.Sin[float32], nil},
		{"log", 1, ufunc.Log[float32], ufunc.Log[float64]},
		{"expanded", 1, expanded[float32], expanded[float64]},
		{"hardSwish", 1, hardSwish[float32], nil},
		{"spread", 2, spread[float32], spread[float64]},
		{"lerp", 3, lerp[float32], nil},
	} {
		for i, fn := range []any{k.f32, k.f64} {
			if fn == nil {
				continue
			}
			dtype := []ufunc.DType{ufunc.Float32, ufunc.Float64}[i]
			kernel, err := ufunc.Compile(context.Background(), fn, dtype, 1, ufunc.Portable())
			if err != nil {
				t.Fatal(err)
			}
			if os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
				needNative(t, kernel)
			}
			sum := sha256.New()
			rng := rand.New(rand.NewPCG(41, uint64(k.inputs)))
			for _, n := range []int{1, 7, 31, 1000} {
				for _, stride := range []int{1, 3, -2} {
					binary.Write(sum, binary.LittleEndian, apply(t, kernel, rng, n, stride, k.inputs, dtype))
				}
			}
			fmt.Fprintf(&text, "%-9s %v %x\n", k.name, dtype, sum.Sum(nil)[:8])
		}
	}
	golden.Check(t, "testdata/portable.txt", text.String())
}

// apply runs a kernel over n random inputs at a stride and returns the bits of the outputs; NaNs are all alike.
func apply(t *testing.T, k *ufunc.Kernel, rng *rand.Rand, n, stride, inputs int, dtype ufunc.DType) []uint64 {
	t.Helper()
	var operands []any
	var out []float64
	span := 1 + (n-1)*max(stride, -stride)
	for i := range inputs + 1 {
		wide, narrow := make([]float64, span), make([]float32, span)
		for j := range wide {
			wide[j], narrow[j] = rng.NormFloat64()*4, float32(rng.NormFloat64()*4)
			if rng.IntN(4) == 0 { // any bits
				wide[j], narrow[j] = math.Float64frombits(rng.Uint64()), math.Float32frombits(rng.Uint32())
			}
		}
		if dtype == ufunc.Float32 {
			operands = append(operands, blas32.Vector{N: n, Inc: stride, Data: narrow})
		} else {
			operands = append(operands, blas64.Vector{N: n, Inc: stride, Data: wide})
		}
		if i == inputs {
			out = wide
		}
	}
	if err := k.Call(operands...); err != nil {
		t.Fatal(err)
	}
	if v, ok := operands[inputs].(blas32.Vector); ok {
		for j, x := range v.Data {
			out[j] = float64(x)
		}
	}
	bits := make([]uint64, span)
	for j, x := range out {
		if x != x {
			x = math.NaN()
		}
		bits[j] = math.Float64bits(x)
	}
	return bits
}
