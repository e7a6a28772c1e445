// Command image blends two pictures where a mask says so and makes bytes of the result: a two-dimensional kernel of mixed types over a window
// of a padded matrix, and a reduction.
package main

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

// blend mixes two intensities and gives a byte of the display, with its gamma of about 2.
func blend(a, b, part float32) uint8 {
	x := a + part*(b-a)
	return uint8(255*ufunc.Sqrt(min(max(x, 0), 1)) + 0.5)
}

func brighter(x, y uint8) uint8 { return max(x, y) }

var (
	// Blend walks pictures.
	Blend = ufunc.Vectorize(blend, ufunc.Float32, 2)
	// Brightest is to be reduced.
	Brightest = ufunc.Vectorize(brighter, ufunc.Uint8, 2, ufunc.WithIdentity(0))
)

// picture is a ramp in a matrix whose rows are padded.
func picture(rows, cols, stride int, slope float32) blas32.General {
	m := blas32.General{Rows: rows, Cols: cols, Stride: stride, Data: make([]float32, rows*stride)}
	for i := range rows {
		for j := range cols {
			m.Data[i*stride+j] = slope * float32(i+j) / float32(rows+cols)
		}
	}
	return m
}

// frame blends the part of a frame that the mask leaves free and returns its bytes and the greatest one.
func frame(rows, cols int, free func(i, j int) bool) ([]uint8, uint8, error) {
	a, b := picture(rows, cols, cols+3, 1), picture(rows, cols, cols+5, 0.25)
	mask, out, most := make([]bool, rows*cols), make([]uint8, rows*cols), make([]uint8, 1)
	for i := range rows {
		for j := range cols {
			mask[i*cols+j] = free(i, j)
		}
	}
	shown := ufunc.NewArray(out, rows, cols)
	Blend(a, b, float32(0.5), shown, ufunc.Mask(ufunc.NewArray(mask, rows, cols)))
	err := Brightest.Kernel().Reduce(shown, most)
	return out, most[0], err
}

func main() {
	const rows, cols = 6, 16
	out, most, err := frame(rows, cols, func(i, j int) bool { return i%5 != 0 && j%15 != 0 })
	if err != nil {
		panic(err)
	}
	for i := range rows {
		fmt.Println(out[i*cols : (i+1)*cols])
	}
	fmt.Println("brightest:", most)
}
