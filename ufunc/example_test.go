package ufunc_test

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

func ExampleVectorize() {
	Gelu := ufunc.Vectorize(gelu, ufunc.Float32, 1)

	in := []float32{-3, -1, 0, 1, 3}
	out := make([]float32, len(in))
	Gelu(in, out)
	for i, x := range in {
		fmt.Printf("gelu(%2g) = %.5f\n", x, out[i])
	}
	// Output:
	// gelu(-3) = -0.00364
	// gelu(-1) = -0.15881
	// gelu( 0) = 0.00000
	// gelu( 1) = 0.84119
	// gelu( 3) = 2.99636
}

// A traced function is run on symbolic values; it may use what only run time knows.
func ExampleVectorize_traced() {
	slope := 0.125
	leaky := ufunc.Vectorize(func(x ufunc.Value) ufunc.Value {
		return ufunc.Where(x.Less(ufunc.Const(0)), x.Mul(ufunc.Const(slope)), x)
	}, ufunc.Float32, 1)

	v := blas32.Vector{N: 3, Inc: 2, Data: []float32{-4, 9, 0, 9, 4}}
	leaky(v, v) // in place
	fmt.Println(v.Data)
	// Output: [-0.5 9 0 9 4]
}

func ExampleVectorize1() {
	sigmoid := ufunc.Vectorize1[float64](func(x float64) float64 { return 1 / (1 + math.Exp(-x)) })

	x := []float64{-2, 0, 2}
	sigmoid(x, x)
	fmt.Printf("%.4f\n", x)
	// Output: [0.1192 0.5000 0.8808]
}

func ExampleKernel_Call() {
	add := ufunc.Vectorize(func(a, b float32) float32 { return a + b }, ufunc.Float32, 1)

	err := add.Kernel().Call(make([]float32, 3), make([]float32, 4), make([]float32, 4))
	fmt.Println(errors.Is(err, ufunc.ErrShape))
	// Output: true
}
