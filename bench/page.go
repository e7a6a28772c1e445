//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// writePage makes the page and its plots of all results.
func writePage(docs string, rows []row, facts []fact) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Performance

Made by `+"`make peers`"+` on %s (level-2 cache %s, last level %s), one thread. Times are nanoseconds per element of
float32, medians over the samples of a run; behind each, in brackets, the ratio to yolk's time in the same rounds (above 1: yolk is faster).
Within one function and one length everything runs in turns on the same arrays: nothing else here is to be compared.
Kernels called from Go pay for that call, also yolk's; those in C are timed by a loop in C, those of Python libraries by one in Python, into arrays that are there already.

memcpy is the C library's. "By hand" are AVX-512 intrinsics, one function at a time, in [bench/c/hand512.c](../bench/c/hand512.c). "clang -O3" is a plain C loop, with
polynomials where it would have to call a library function ([bench/c/auto.c](../bench/c/auto.c)). The errors are the largest on the inputs of the benchmark, in units of the
last place of the true value and absolute; the relative error of gelu near its zero at -∞ is that of the formula as written for most.

`, cpuid.CPU.BrandName, bytesText(cpuid.CPU.Cache.L2), bytesText(cpuid.CPU.Cache.L3))
	summaryTable(&b, rows)
	factTables(&b, facts)
	for _, f := range functions {
		mine := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Function != f.name })
		if len(mine) == 0 {
			continue
		}
		there := slices.DeleteFunc(slices.Clone(mine), func(r row) bool { return r.Samples == 0 })
		plot := filepath.Join("performance", f.name+".svg")
		if err := drawPlot(filepath.Join(docs, plot), &f, there); err != nil {
			return err
		}
		inputs := fmt.Sprintf(", inputs in [%g, %g)", f.lo, f.hi)
		if f.point != nil {
			inputs = ""
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s%s.\n%s\n![times relative to yolk's](%s)\n\n", f.name, f.formula, inputs, f.remark, filepath.ToSlash(plot))
		functionTable(&b, there)
		for _, r := range mine {
			if r.Samples == 0 {
				fmt.Fprintf(&b, "| %s | not on this machine | | |\n", r.Peer)
			}
		}
	}
	return os.WriteFile(filepath.Join(docs, "performance.md"), b.Bytes(), 0o644)
}

// factTables holds what was measured about calls, threads and tuning, each in turns with what it is compared with.
func factTables(b *bytes.Buffer, facts []fact) {
	for _, g := range []struct{ name, title, text string }{
		{"calls", "Calls", "What a call costs besides its work, on one thread."},
		{"threads", "Threads", "Calls on two threads beside calls on one. \"One after another\" is without a pause, so that the second thread is awake; \"alone\" is after 2 ms without calls."},
		{"tune", "Tune", "Kernels as they come beside those that `Tune()` has chosen."},
	} {
		var mine []fact
		for _, f := range facts {
			if f.Group == g.name {
				mine = append(mine, f)
			}
		}
		if len(mine) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n## %s\n\n%s\n\n| | | wanted |\n|---|--:|---|\n", g.title, g.text)
		for _, f := range mine {
			fmt.Fprintf(b, "| %s | %s | %s |\n", f.What, strings.TrimSpace(digits(f.Value)+" "+f.Unit), f.Wanted)
		}
	}
}

// sizesOf are the lengths that were measured, in order.
func sizesOf(rows []row) []int {
	var sizes []int
	for _, r := range rows {
		sizes = append(sizes, r.Size)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// peersOf are the peers of a function, fastest first at its longest length but one: between the first cache and memory.
func peersOf(rows []row) []string {
	sizes := sizesOf(rows)
	by := sizes[max(0, len(sizes)-2)]
	var names []string
	for _, first := range []bool{true, false} { // then those that were not measured there
		for _, r := range slices.SortedStableFunc(slices.Values(rows), func(a, b row) int { return int(1e6 * (a.Median - b.Median)) }) {
			if (r.Size == by) == first && !slices.Contains(names, r.Peer) {
				names = append(names, r.Peer)
			}
		}
	}
	return names
}

func find(rows []row, peer string, size int) (row, bool) {
	i := slices.IndexFunc(rows, func(r row) bool { return r.Peer == peer && r.Size == size })
	if i < 0 {
		return row{}, false
	}
	return rows[i], true
}

func functionTable(b *bytes.Buffer, rows []row) {
	sizes := sizesOf(rows)
	fmt.Fprint(b, "| peer |")
	for _, n := range sizes {
		fmt.Fprintf(b, " %s |", spaced(n))
	}
	fmt.Fprintf(b, " ULP | abs |\n|---|%s--:|--:|\n", strings.Repeat("--:|", len(sizes)))
	for _, p := range peersOf(rows) {
		fmt.Fprintf(b, "| %s |", p)
		var ulp, abs float64
		for _, n := range sizes {
			r, ok := find(rows, p, n)
			if !ok {
				fmt.Fprint(b, " |")
				continue
			}
			ulp, abs = max(ulp, r.ULP), max(abs, r.Abs)
			fmt.Fprintf(b, " %s (%s) |", digits(r.Median), digits(r.Ratio))
		}
		if kindOf(rows, p) == bound {
			fmt.Fprint(b, " | |\n")
			continue
		}
		fmt.Fprintf(b, " %s | %s |\n", digits(ulp), digits(abs))
	}
}

func kindOf(rows []row, peer string) kind {
	i := slices.IndexFunc(rows, func(r row) bool { return r.Peer == peer })
	return rows[i].Kind
}

// summaryTable holds, for each cell, yolk beside memcpy, the best of the hand-written kernels and the best product.
func summaryTable(b *bytes.Buffer, rows []row) {
	fmt.Fprint(b, "| function | elements | yolk | memcpy | best by hand | best product | Go loop |\n|---|--:|--:|--:|---|---|--:|\n")
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && rows[j].Function == rows[i].Function && rows[j].Size == rows[i].Size {
			j++
		}
		cell := slices.DeleteFunc(slices.Clone(rows[i:j]), func(r row) bool { return r.Samples == 0 })
		i = j
		yolk, _ := find(cell, "yolk", cell[0].Size)
		fmt.Fprintf(b, "| %s | %s | %s |", yolk.Function, spaced(yolk.Size), digits(yolk.Median))
		for _, k := range []kind{bound, hand, product} {
			best := slices.IndexFunc(cell, func(r row) bool { return r.Kind == k })
			switch {
			case best < 0:
				fmt.Fprint(b, " |")
			case k == bound:
				fmt.Fprintf(b, " %s (%s) |", digits(cell[best].Median), digits(cell[best].Ratio))
			default:
				fmt.Fprintf(b, " %s: %s (%s) |", strings.TrimPrefix(cell[best].Peer, "by hand: "), digits(cell[best].Median), digits(cell[best].Ratio))
			}
		}
		if r, ok := find(cell, "Go loop", cell[0].Size); ok {
			fmt.Fprintf(b, " %s (%s)", digits(r.Median), digits(r.Ratio))
		}
		fmt.Fprint(b, " |\n")
	}
}

// digits prints three significant ones, without an exponent where that is readable.
func digits(x float64) string {
	if x >= 100 && x < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// spaced groups the digits of a number by three.
func spaced(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

func bytesText(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}
