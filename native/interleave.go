package native

import "github.com/go-yolk/yolk/compiler/ir"

// Bounds of what interleave chooses. Measured on Zen 5, with 128 to 512-bit vectors of both types, on exp, gelu, log,
// sigmoid and tanh: below 4 vectors latencies show, more than spilled registers do; beyond 6 nothing is gained, and programs
// with a division lose.
const (
	minInterleave = 4
	maxInterleave = 6
)

// loopInterleave bounds it for programs with loops, whose vectors go round until the last lane of all has left: the
// Mandelbrot set of 1024x1024 points takes 11.5, 6.9, 5.8 and 6.0 ms with 1 to 4 vectors on x86-64-v4, 32, 19, 15.3 and 14.8
// ms on v3.
const loopInterleave = 3

// spare is the number of registers left to constants, of which most can be operands in memory, and to what a scheduler that
// overlaps operations needs: with fewer, log spills on x86-64-v4.
const spare = 4

// interleave is how many vectors an iteration of the main loop computes: as many as there are registers for.
func interleave(f *ir.Func, t Target) int {
	if t.Interleave > 0 {
		return t.Interleave
	}
	p := 1
	for g := range f.All {
		p = max(p, pressure(g))
	}
	if len(f.Bodies) > 0 {
		return max(1, min((t.Registers-spare)/p, loopInterleave))
	}
	if 2*p > t.Registers {
		return 1 // there is enough to overlap in one vector
	}
	return max(minInterleave, min((t.Registers-spare)/p, maxInterleave))
}

// pressure is the largest number of values, constants apart, that are alive at once when f is computed in order and every
// comparison is delayed to its first use.
func pressure(f *ir.Func) int {
	begin := make([]int, len(f.Nodes)) // where a value is computed
	end := make([]int, len(f.Nodes))   // where it is used last
	for i, n := range f.Nodes {
		begin[i] = i
		if n.Type == ir.Bool {
			begin[i] = len(f.Nodes)
			continue
		}
		for _, a := range n.Operands() {
			begin[a] = min(begin[a], i)
			end[a] = i
		}
	}
	for i, n := range f.Nodes {
		if n.Type == ir.Bool {
			for _, a := range n.Operands() {
				end[a] = max(end[a], min(begin[i], len(f.Nodes)-1))
			}
		}
	}
	for _, r := range f.Results {
		end[r] = len(f.Nodes)
	}
	most := 1
	for i := range f.Nodes {
		alive := 0 // after node i
		for j, n := range f.Nodes {
			if n.Op != ir.Const && n.Op != ir.Real && begin[j] <= i && end[j] > i {
				alive++
			}
		}
		most = max(most, alive)
	}
	return most
}
