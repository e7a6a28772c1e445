//go:build linux

package main

import (
	"unsafe"

	"github.com/go-yolk/yolk/ufunc"
)

const (
	mandelbrotSide       = 1024 // points of the square
	mandelbrotIterations = 256
)

// escape is the number of steps z = z² + c after which z has left the circle of radius 2.
func escape(cx, cy float32) int32 {
	var x, y float32
	for n := range int32(mandelbrotIterations) {
		x2, y2 := x*x, y*y
		if x2+y2 > 4 {
			return n
		}
		x, y = x2-y2+cx, 2*x*y+cy
	}
	return mandelbrotIterations
}

// mandelbrot has numbers of steps as its output, int32, which all peers must find exactly. The grid is the one of
// examples/mandelbrot.
var mandelbrot = function{
	name: "mandelbrot", formula: "the steps z ← z² + c until |z| > 2, at most 256, over a square of 1024 × 1024 points", inputs: 2, counts: true,
	remark: "\n\"abs\" is the largest difference of a number of steps from that of the Go function. Nothing is contracted to fused multiply-adds,\n" +
		"so every form must find 0. Wanted of yolk, beside the Go loop: 8 times as fast with AVX-512, 4 times with AVX2.\n",
	size: mandelbrotSide * mandelbrotSide,
	point: func(i int) [3]float32 {
		return [3]float32{-2.2 + 3*float32(i%mandelbrotSide)/mandelbrotSide, -1.5 + 3*float32(i/mandelbrotSide)/mandelbrotSide}
	},
	exact: func(x, y, _ float64) float64 { return float64(escape(float32(x), float32(y))) },
	loop: func(in *[3][]float32, out []float32) {
		counts, y := asCounts(out), in[1]
		for i, x := range in[0] {
			counts[i] = escape(x, y[i])
		}
	},
	kernel: func(o ...ufunc.Option) call {
		k := ufunc.Vectorize(escape, ufunc.Float32, 1, append(o, ufunc.MustNative())...)
		return func(in *[3][]float32, out []float32) { k(in[0], in[1], asCounts(out)) }
	},
	ours: []variant{{name: "yolk for AVX2", options: []ufunc.Option{ufunc.Target("x86-64-v3")}}},
	hand: []variant{{name: "masks", symbol: "mandelbrot"}},
}

// asCounts are the same bytes.
func asCounts(out []float32) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(out))), len(out))
}
