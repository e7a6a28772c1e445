// Command softmax takes the softmax of every row of a matrix: a kernel over rows, written with the greatest element and the sum of a row as
// values like any other.
package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

func softmax(x ufunc.Value) ufunc.Value {
	e := x.Sub(x.RowMax()).Exp() // at most 1: nothing overflows
	return e.Div(e.RowSum())
}

// Softmax takes vectors, matrices and arrays of more dimensions; rows lie along the last one.
var Softmax = ufunc.VectorizeRows(softmax, ufunc.Float32)

func main() {
	const n = 1024
	m := blas32.General{Rows: n, Cols: n, Stride: n, Data: make([]float32, n*n)}
	for i := range m.Data {
		m.Data[i] = float32(3 * rand.NormFloat64())
	}
	out := blas32.General{Rows: n, Cols: n, Stride: n, Data: make([]float32, n*n)}
	Softmax(m, out) // compiles the kernel
	start := time.Now()
	Softmax(m, out)
	took := time.Since(start)
	spare := make([]float32, n*n)
	copy(spare, m.Data) // memory that is there
	start = time.Now()
	for range 3 {
		copy(spare, m.Data)
	}
	fmt.Printf("softmax of %d rows of %d: %v; copying the matrix three times: %v\n", n, n, took, time.Since(start))
}
