//go:build linux

package main

import (
	"fmt"
	"time"

	"github.com/go-yolk/yolk/ufunc"
)

// tuneFacts compares kernels as they come with those that Tune has chosen, in turns.
func tuneFacts(rounds int) []fact {
	var facts []fact
	for _, f := range functions {
		if f.inputs != 1 || f.name == "demo" {
			continue
		}
		for _, n := range []int{4096, 300_000} {
			in, out := &[3][]float32{make([]float32, n)}, make([]float32, n)
			for i := range in[0] {
				in[0][i] = float32(f.lo + (f.hi-f.lo)*float64(i)/float64(n))
			}
			kernels := []call{f.kernel(), f.kernel(ufunc.Tune())}
			var ratios []float64
			for range rounds {
				var d [2]time.Duration
				for i, k := range kernels {
					k(in, out)
					start := time.Now()
					for range 8_000_000 / n {
						k(in, out)
					}
					d[i] = time.Since(start)
				}
				ratios = append(ratios, float64(d[0])/float64(d[1]))
			}
			facts = append(facts, fact{"", fmt.Sprintf("%s at %s: time of the default over the tuned", f.name, spaced(n)), median(ratios), "", "at most 1.1"})
		}
	}
	return facts
}
