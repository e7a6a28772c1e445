// Command mandelbrot draws the Mandelbrot set into a PNG file, 1024 by 1024 points with up to 256 iterations each, by a plain Go function
// with a loop, and times the kernel made of it beside the same function in a Go loop, on one thread.
//
//	go run ./examples/mandelbrot [file.png]
package main

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"os"
	"time"

	"github.com/go-yolk/yolk/ufunc"
)

const (
	size       = 1024
	iterations = 256
)

// escape is the number of steps z = z² + c after which z has left the circle of radius 2, at most iterations.
func escape(cx, cy float32) int32 {
	var x, y float32
	for n := range int32(iterations) {
		x2, y2 := x*x, y*y
		if x2+y2 > 4 {
			return n
		}
		x, y = x2-y2+cx, 2*x*y+cy
	}
	return iterations
}

var kernel = ufunc.Vectorize(escape, ufunc.Float32, 1, ufunc.Threads(1))

// axis are the coordinates of n points from lo on.
func axis(lo, width float32, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = lo + width*float32(i)/float32(n)
	}
	return list
}

func main() {
	log.SetFlags(0)
	file := "mandelbrot.png"
	if len(os.Args) > 1 {
		file = os.Args[1]
	}
	fast, slow, counts, err := measure(size)
	if err != nil {
		log.Fatal(err)
	}
	if err := write(file, counts); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: kernel %v, Go loop %v: %.1f times as fast, the same counts\n", file, fast, slow, float64(slow)/float64(fast))
}

// measure computes a square of n points a side both ways, the best of five runs each, and compares.
func measure(n int) (fast, slow time.Duration, counts []int32, err error) {
	xs, ys := axis(-2.2, 3, n), axis(-1.5, 3, n)
	counts, plain := make([]int32, n*n), make([]int32, n*n)
	rows := func() {
		for j, y := range ys {
			kernel(xs, y, counts[j*n:(j+1)*n])
		}
	}
	rows() // makes the kernel
	best := func(run func()) time.Duration {
		least := time.Duration(1 << 62)
		for range 5 {
			start := time.Now()
			run()
			least = min(least, time.Since(start))
		}
		return least
	}
	fast = best(rows)
	slow = best(func() {
		for j, y := range ys {
			for i, x := range xs {
				plain[j*n+i] = escape(x, y)
			}
		}
	})
	for i, c := range counts {
		if c != plain[i] {
			return 0, 0, nil, fmt.Errorf("point %d: %d steps, the Go function has %d", i, c, plain[i])
		}
	}
	return fast, slow, counts, nil
}

// write draws counts, a square, into a file.
func write(name string, counts []int32) error {
	n := 1
	for n*n < len(counts) {
		n++
	}
	picture := image.NewGray(image.Rect(0, 0, n, n))
	for i, c := range counts {
		picture.SetGray(i%n, i/n, color.Gray{uint8(255 - min(c, 255))})
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, picture), f.Close())
}
