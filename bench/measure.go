//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
	"time"
)

// sample is how long the repetitions of a sample take at least: long against the clock and a call of another process.
const sample = 200 * time.Microsecond

// row is what a peer did in a cell.
type row struct {
	Function      string
	Size          int
	Peer          string
	Kind          kind
	Least, Median float64 // ns per element
	Ratio         float64 // the peer's time over yolk's: the median over the rounds
	ULP, Abs      float64 // largest errors on the inputs
	Samples       int     // 0: the peer is not on the machine
}

// contender is a peer in a cell.
type contender struct {
	row
	run     runner
	reps    int
	samples []float64
	spent   time.Duration
}

// measure times all peers that have the function, in turns.
func measure(f *function, n int, peers []peer, m *memory, rounds int, budget time.Duration) ([]row, error) {
	in, out := m.fill(f, n)
	var cs []*contender
	var absent []row
	for _, p := range peers {
		clear(out)
		run, err := p.start(f, n)
		if errors.Is(err, errLacks) {
			continue
		}
		if errors.Is(err, errAbsent) {
			absent = append(absent, row{Function: f.name, Size: n, Peer: p.name, Kind: p.kind})
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", p.name, f.name, err)
		}
		c := &contender{row: row{Function: f.name, Size: n, Peer: p.name, Kind: p.kind}, run: run}
		once, err := run(1)
		if err != nil {
			return nil, err
		}
		if p.kind != bound {
			c.ULP, c.Abs = errorsOf(f, in, out)
		}
		c.reps = 1
		for once < sample { // a first call is slow
			c.reps = max(c.reps+1, min(2*c.reps, int(float64(c.reps)*float64(sample)/float64(max(once, 1))*1.1)))
			if once, err = run(c.reps); err != nil {
				return nil, err
			}
		}
		cs = append(cs, c)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for r := range rounds {
		for _, i := range rng.Perm(len(cs)) { // nobody is always after the same
			c := cs[i]
			if r >= 3 && c.spent > budget {
				continue
			}
			if c.reps > 1 { // whoever was before has left other things in the caches
				if _, err := c.run(1); err != nil {
					return nil, err
				}
			}
			d, err := c.run(c.reps)
			if err != nil {
				return nil, err
			}
			c.spent += d
			c.samples = append(c.samples, float64(d)/float64(c.reps)/float64(n))
		}
	}
	return append(summary(cs), absent...), nil
}

// summary takes the ratios to the first contender, which is yolk.
func summary(cs []*contender) []row {
	var rows []row
	for _, c := range cs {
		var ratios []float64
		for r, s := range c.samples[:min(len(c.samples), len(cs[0].samples))] {
			ratios = append(ratios, s/cs[0].samples[r])
		}
		c.Least, c.Median, c.Ratio, c.Samples = slices.Min(c.samples), median(c.samples), median(ratios), len(c.samples)
		rows = append(rows, c.row)
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		if a.Median < b.Median {
			return -1
		}
		return 1
	})
	return rows
}

func median(s []float64) float64 {
	s = slices.Sorted(slices.Values(s))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// errorsOf are the largest errors of an output, in units of the spacing of float32 at the true value and absolute.
func errorsOf(f *function, in [3][]float32, out []float32) (ulp, abs float64) {
	for i := range out[:min(len(out), 1<<20)] {
		var x [3]float64
		for k := range f.inputs {
			x[k] = float64(in[k][i])
		}
		t, found := f.exact(x[0], x[1], x[2]), float64(out[i])
		if f.counts {
			found = float64(int32(math.Float32bits(out[i])))
		}
		e := math.Abs(found - t)
		if math.IsNaN(e) {
			return math.Inf(1), math.Inf(1)
		}
		spacing := math.Ldexp(1, max(math.Ilogb(t), -126)-23)
		ulp, abs = max(ulp, e/spacing), max(abs, e)
	}
	return ulp, abs
}

func printCell(w io.Writer, rows []row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %d elements\tns/element median\tleast\t/ yolk\tULP\tabs\n", rows[0].Function, rows[0].Size)
	for _, r := range rows {
		if r.Samples == 0 {
			fmt.Fprintf(t, "  %s\tabsent\n", r.Peer)
			continue
		}
		fmt.Fprintf(t, "  %s\t%.4f\t%.4f\t%.2f\t%.3g\t%.2g\n", r.Peer, r.Median, r.Least, r.Ratio, r.ULP, r.Abs)
	}
	t.Flush()
}
