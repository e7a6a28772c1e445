package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
)

func TestLayer(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	in, weights, bias := matrix(5, 7, r), matrix(7, 3, r), []float32{-1, 0, 2}
	out := blas32.General{Rows: 5, Cols: 3, Stride: 4, Data: make([]float32, 19)} // one column of padding
	for i := range out.Data {
		out.Data[i] = 77
	}
	layer(in, weights, bias, out)
	for i := range 5 {
		for j := range 3 {
			x := float64(bias[j])
			for k := range 7 {
				x += float64(in.Data[7*i+k]) * float64(weights.Data[3*k+j])
			}
			want := 0.5 * x * (1 + math.Tanh(0.7978845608*(x+0.044715*x*x*x)))
			if got := float64(out.Data[4*i+j]); math.Abs(got-want) > 1e-5 {
				t.Errorf("element %d, %d is %g, want %g", i, j, got, want)
			}
		}
		if i < 4 && out.Data[4*i+3] != 77 {
			t.Errorf("the padding of row %d is %g", i, out.Data[4*i+3])
		}
	}
}
