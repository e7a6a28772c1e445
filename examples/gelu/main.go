// Command gelu compiles the GELU activation function, checks it and times it.
//
// It prints the report of the compiled kernel, checks kernel against reference on random inputs and on the 100 inputs of
// the published demonstration that yolk started from, and then a table: the plain Go loop, the kernel without
// optimisation, and the optimised kernel, each at three sizes.
package main

import (
	_ "embed"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/ufunc"
)

// gelu is the tanh form of the Gaussian error linear unit (Hendrycks and Gimpel 2016).
func gelu(x float32) float32 {
	c := ufunc.Sqrt(float32(2 / math.Pi))
	return 0.5 * x * (1 + ufunc.Tanh(c*(x+0.044715*x*x*x)))
}

// naive is how the loop is written without yolk.
func naive(in, out []float32) {
	const c = 0.7978845608028654 // sqrt(2/π)
	for i, x := range in {
		out[i] = 0.5 * x * (1 + float32(math.Tanh(float64(c*(x+0.044715*x*x*x)))))
	}
}

// seed holds inputs and outputs printed by the demonstration, tab-separated: x, its compiled kernel, NumPy.
//
//go:embed testdata/seed_gelu.tsv
var seed string

func main() {
	log.SetFlags(0)
	optimised := ufunc.Vectorize(gelu, ufunc.Float32, 1)
	unoptimised := ufunc.Vectorize(gelu, ufunc.Float32, 1, ufunc.Rules(rules.Functions), ufunc.Name("gelu, not optimised"))
	demo := ufunc.Vectorize(gelu, ufunc.Float32, 1, ufunc.Domain(0, 1), ufunc.WithinRel(1e-6), ufunc.Name("gelu on [0, 1]"))

	fmt.Println(optimised.Kernel().Report())
	if err := check(os.Stdout, optimised.Kernel(), unoptimised.Kernel(), demo.Kernel()); err != nil {
		log.Fatal(err)
	}
	fmt.Println()
	table(os.Stdout, "inputs in [-6, 6)", -6, 6, []int{1000, 300_000, 16_777_216}, []row{
		{"Go loop over math.Tanh", naive},
		{"kernel, tanh kept", func(in, out []float32) { unoptimised(in, out) }},
		{"kernel, optimised", func(in, out []float32) { optimised(in, out) }},
	})
	fmt.Println()
	table(os.Stdout, "the published job: inputs in [0, 1), relative error 1e-6", 0, 1, []int{300_000}, []row{
		{"Go loop over math.Tanh", naive},
		{"kernel for that domain", func(in, out []float32) { demo(in, out) }},
	})
}

// check compares kernels with their reference: the first two on random inputs, the last on the published ones.
func check(w io.Writer, optimised, unoptimised, demo *ufunc.Kernel) error {
	x := random(1<<16, -12, 12)
	published := inputs()
	for _, c := range []struct {
		kernel *ufunc.Kernel
		in     []float32
	}{{optimised, x}, {unoptimised, x}, {optimised, published}, {demo, published}} {
		if err := c.kernel.Check(c.in); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// inputs are the 100 published inputs.
func inputs() []float32 {
	var x []float32
	for line := range strings.Lines(seed) {
		field, _, _ := strings.Cut(line, "\t")
		if v, err := strconv.ParseFloat(field, 32); err == nil {
			x = append(x, float32(v))
		}
	}
	return x
}

func random(n int, lo, hi float32) []float32 {
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, n)
	for i := range x {
		x[i] = lo + (hi-lo)*rng.Float32()
	}
	return x
}

type row struct {
	name string
	run  func(in, out []float32)
}

// table times every row at every size, in one run on one thread, and prints ns per element and the speed-up over the
// first row.
func table(w io.Writer, title string, lo, hi float32, sizes []int, rows []row) {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s, ns per element (speed-up):\n", title)
	fmt.Fprint(t, "elements\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t", r.name)
	}
	fmt.Fprintln(t)
	for _, n := range sizes {
		in, out := random(n, lo, hi), make([]float32, n)
		fmt.Fprintf(t, "%d\t", n)
		var first float64
		for i, r := range rows {
			ns := measure(n, func() { r.run(in, out) })
			if i == 0 {
				first = ns
			}
			fmt.Fprintf(t, "%.3f (%.1fx)\t", ns, first/ns)
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		log.Fatal(err)
	}
}

// measure returns the least time per element of several samples, each long enough for the clock.
func measure(n int, f func()) float64 {
	const samples, sample = 7, 20 * time.Millisecond
	f() // makes the kernel, and brings out into memory
	least := math.Inf(1)
	for range samples {
		start, calls := time.Now(), 0
		for time.Since(start) < sample {
			f()
			calls++
		}
		least = min(least, float64(time.Since(start).Nanoseconds())/float64(calls)/float64(n))
	}
	return least
}
