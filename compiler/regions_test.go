package compiler_test

import (
	"context"
	"math"
	"testing"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/gosrc"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/golden"
	"github.com/go-yolk/yolk/rules"
)

// Newton's method for 1/sqrt(a): n steps from y.
func reciprocalRoot(a, y float32, n int32) float32 {
	for range n {
		y = y * (1.5 - 0.5*a*y*y)
	}
	return y
}

// The same until the step is small: what decides is as written, the rest is not.
func reciprocalRootTo(a, y float32) (root, square float32) {
	for range 100 {
		next := y * (1.5 - 0.5*a*y*y)
		done := math.Abs(float64(next-y)) < 1e-6
		y = next
		square = 2*square*y + a
		if done {
			break
		}
	}
	return y, square
}

// Horner's rule with coefficients that a function gives.
func hornerPow(x, p float32, n int32) float32 {
	y := float32(0)
	for i := range n {
		y = y*x + float32(math.Pow(float64(p), float64(float32(i))))
	}
	return y
}

func escapeTime(cx, cy float32) int32 {
	var x, y float32
	for n := range int32(256) {
		x2, y2 := x*x, y*y
		if x2+y2 > 4 {
			return n
		}
		x, y = x2-y2+cx, 2*x*y+cy
	}
	return 256
}

// A product of what does not change is found by algebra and taken out of the loop.
func scaledSum(x, a, b float32, n int32) float32 {
	sum := float32(0)
	for i := range n {
		t := float32(i) + x
		sum += a * t * b
	}
	return sum
}

var small = ir.Between(0.125, 8)

var loops = []struct {
	name  string
	fn    any
	facts []ir.Fact
	fused int // multiply-adds of what is written in the loop, at least
}{
	{"newton", reciprocalRoot, []ir.Fact{small, small, ir.Unknown}, 1},
	{"newtonexit", reciprocalRootTo, []ir.Fact{small, small}, 1},
	{"horner", hornerPow, []ir.Fact{small, ir.Between(0.5, 2), ir.Unknown}, 1},
	{"mandelbrot", escapeTime, nil, 0},
	{"scaledsum", scaledSum, []ir.Fact{small, small, small, ir.Unknown}, 1},
}

// Golden: the bodies of loops go through the e-graph, what decides how often they are run as written.
func TestGoldenLoops(t *testing.T) {
	for _, k := range loops {
		t.Run(k.name, func(t *testing.T) {
			f, err := gosrc.Load(k.fn, gosrc.Options{Facts: k.facts, Name: k.name})
			if err != nil {
				t.Fatal(err)
			}
			r, err := compiler.Optimise(context.Background(), f, config(t, rules.Default))
			if err != nil {
				t.Fatal(err)
			}
			if r.Pinned != nil {
				t.Errorf("the loop is as written: %v", r.Pinned)
			}
			fused := 0
			for _, body := range r.Output.Bodies {
				for _, n := range body.Nodes {
					if n.Op == ir.FMA && !n.Pin {
						fused++
					}
				}
			}
			if fused < k.fused || r.CostAfter > r.CostBefore {
				t.Errorf("%d fused operations; cost %d before and %d after", fused, r.CostBefore, r.CostAfter)
			}
			golden.Check(t, "testdata/loop-"+k.name+".golden", "# as written\n"+r.Input.String()+"# optimised\n"+r.Output.String())

			strict := config(t, rules.Default)
			strict.Licences &= ir.ApproxFunc
			if r, err = compiler.Optimise(context.Background(), f, strict); err != nil {
				t.Fatal(err)
			}
			for body := range r.Output.All {
				for _, n := range body.Nodes {
					if n.Op == ir.FMA && !n.Pin {
						t.Errorf("Strict contracts:\n%v", r.Output)
					}
				}
			}
		})
	}
}
