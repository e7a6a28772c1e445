package main

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

func TestPicture(t *testing.T) {
	_, _, counts, err := measure(64)
	if err != nil {
		t.Fatal(err)
	}
	inside := 0
	for _, c := range counts {
		if c == iterations {
			inside++
		}
	}
	if share := float64(inside) / float64(len(counts)); share < 0.15 || share > 0.19 { // the set's area is 1.5066 of 9
		t.Errorf("%.3f of the points are inside", share)
	}
	file := filepath.Join(t.TempDir(), "m.png")
	if err := write(file, counts); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil || picture.Bounds().Dx() != 64 {
		t.Errorf("%v, %v", picture.Bounds(), err)
	}
}

// BenchmarkMandelbrot reports how many times as fast as the plain Go loop the kernel is, in one run on one thread.
func BenchmarkMandelbrot(b *testing.B) {
	for b.Loop() {
		fast, slow, _, err := measure(size)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(slow)/float64(fast), "times-as-fast")
		b.ReportMetric(float64(fast.Microseconds())/1000, "ms-kernel")
	}
}
