package main

import (
	"math"
	"testing"
)

func TestSoftmax(t *testing.T) {
	x := []float32{1000, 1001, -3, 1002}
	y := make([]float32, len(x))
	Softmax(x, y)
	sum := 0.
	for _, v := range x {
		sum += math.Exp(float64(v) - 1002)
	}
	for i, v := range x {
		if want := math.Exp(float64(v)-1002) / sum; math.Abs(float64(y[i])-want) > 1e-6 {
			t.Errorf("element %d is %g, want %g", i, y[i], want)
		}
	}
}
