// Command mlp runs a layer of a neural network: gonum multiplies the matrices, one kernel adds the bias and applies gelu, in place.
package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

// biasGelu is gelu in its tanh form, of a sum.
func biasGelu(x, bias float32) float32 {
	x += bias
	return 0.5 * x * (1 + ufunc.Tanh(float32(0.7978845608)*(x+0.044715*x*x*x)))
}

// BiasGelu takes a matrix and a row, which is added to each of the matrix's rows.
var BiasGelu = ufunc.Vectorize(biasGelu, ufunc.Float32, 2)

// layer is gelu(in·weights + bias).
func layer(in, weights blas32.General, bias []float32, out blas32.General) {
	blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, in, weights, 0, out)
	BiasGelu(out, bias, out)
}

func matrix(rows, cols int, r *rand.Rand) blas32.General {
	m := blas32.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float32, rows*cols)}
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64() / math.Sqrt(float64(cols)))
	}
	return m
}

func main() {
	const batch, width = 64, 256
	r := rand.New(rand.NewPCG(1, 2))
	in, weights, out := matrix(batch, width, r), matrix(width, width, r), matrix(batch, width, r)
	bias := matrix(1, width, r).Data
	layer(in, weights, bias, out) // compiles the kernel
	start := time.Now()
	layer(in, weights, bias, out)
	whole := time.Since(start)
	start = time.Now()
	BiasGelu(out, bias, out)
	fmt.Printf("%dx%d by %dx%d: %v, of which bias and gelu take %v\n", batch, width, width, width, whole, time.Since(start))
}
