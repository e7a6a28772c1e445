package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

var benchCommand = command{
	name:  "bench",
	args:  "PACKAGE.FUNC",
	nargs: 1,
	short: "time a kernel against a plain Go loop over the function",
	long: `It times both in one process, on one thread, on the same random inputs, and prints the least time per element of seven
samples, in nanoseconds. Inputs are drawn from -inputs, by default the domain, or [-6, 6] where there is none.

` + aboutFunctions + `
Examples:

	yolk bench ./examples/gelu.gelu
	yolk bench -inputs 0,1 -sizes 4096 -target x86-64-v3 ./examples/gelu.gelu
	yolk bench -plot times.svg ./examples/gelu.gelu
	yolk bench -json -domain 1,10 example.com/module/package.Func
`,
	setup: func(flags *flag.FlagSet) func(context.Context, streams, []string) error {
		// Sizes: in the first-level cache; the published demonstration's; in memory.
		b := bench{sizes: []int{1000, 300_000, 16_777_216}}
		b.declare(flags)
		flags.BoolVar(&b.json, "json", false, "print the times as JSON")
		flags.StringVar(&b.plot, "plot", "", "write the times to `FILE` as SVG, too, and take more sizes unless -sizes says which")
		flags.Var(&b.inputs, "inputs", "draw the inputs from the interval `LO,HI`")
		flags.Func("sizes", "numbers of elements: `N,N,...` (default 1000,300000,16777216)", func(s string) error {
			b.sizes, b.chosen = nil, true
			for part := range strings.SplitSeq(s, ",") {
				n, err := strconv.Atoi(strings.TrimSpace(part))
				if err != nil || n < 1 {
					return errors.New("want positive numbers, separated by commas")
				}
				b.sizes = append(b.sizes, n)
			}
			return nil
		})
		return b.run
	},
}

type bench struct {
	kernelFlags
	json   bool
	inputs interval
	sizes  []int
	chosen bool // the sizes
	plot   string
}

// benchRow is what was measured at one size, in nanoseconds per element.
type benchRow struct {
	Size          int
	Plain, Kernel float64
}

// timings is what bench prints as JSON.
type timings struct {
	Name, Executor, Reason string
	Lo, Hi                 float64 // of the inputs
	Rows                   []benchRow
}

func (b *bench) run(ctx context.Context, s streams, args []string) error {
	in := b.inputs
	switch {
	case in.set:
	case b.domain.set:
		in = b.domain
	default:
		in = interval{lo: -6, hi: 6, set: true}
	}
	if !in.finite() {
		return misused("inputs cannot be drawn from [%g, %g]: give -inputs", in.lo, in.hi)
	}
	f, h, err := prepare(ctx, "bench", args[0], &b.kernelFlags)
	if err != nil {
		return err
	}
	if h.Params, h.Results, err = f.signature(b.types); err != nil {
		return err
	}
	if b.plot != "" && !b.chosen {
		b.sizes = nil
		for n := 16; n <= 1<<24; n *= 4 {
			b.sizes = append(b.sizes, n)
		}
	}
	slices.Sort(b.sizes)
	h.Sizes, h.Lo, h.Hi = b.sizes, goFloat(in.lo), goFloat(in.hi)
	var m message
	err = h.run(ctx, f, func(got message) error {
		if got.Err != "" {
			return errors.New(got.Err)
		}
		m = got
		return nil
	})
	if err != nil {
		return err
	}
	t := timings{m.Report.Name, m.Report.Executor, m.Report.Reason, in.lo, in.hi, m.Rows}
	if b.plot != "" {
		if err := timePlot(t.Rows).write(b.plot); err != nil {
			return err
		}
	}
	if b.json {
		return printJSON(s.out, t)
	}
	return t.print(s.out)
}

func (t timings) print(w io.Writer) error {
	fmt.Fprintf(w, "kernel %s runs on %s (%s)\ninputs in [%g, %g], ns per element:\n\n", t.Name, t.Executor, t.Reason, t.Lo, t.Hi)
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "elements\tGo loop\tkernel\tspeed-up\t\n")
	for _, row := range t.Rows {
		fmt.Fprintf(table, "%d\t%.3f\t%.3f\t%.1fx\t\n", row.Size, row.Plain, row.Kernel, row.Plain/row.Kernel)
	}
	return table.Flush()
}

// signature is the types of parameters and results as a Go loop over slices needs them.
func (f *function) signature(types string) (params, results []string, err error) {
	if f.decl == nil {
		return nil, nil, misused("bench wants a declared function: %s is a variable, which a plain loop would call through a pointer", f.spelled)
	}
	args, err := f.instance(types)
	if err != nil {
		return nil, nil, err
	}
	generic := names(f.decl.Type.TypeParams)
	for _, side := range []struct {
		fields *[]string
		all    []string
	}{{&params, spread(f.decl.Type.Params)}, {&results, resultTypes(f)}} {
		for _, t := range side.all {
			if i := slices.Index(generic, t); i >= 0 {
				t = args[i]
			}
			if t == "ufunc.Value" {
				return nil, nil, fmt.Errorf("%s is traced: there is no plain Go function to time it against", f.spelled)
			}
			if t != "float32" && t != "float64" {
				return nil, nil, fmt.Errorf("%s is no kernel: parameters and results must be float32 or float64", f.spelled)
			}
			*side.fields = append(*side.fields, t)
		}
	}
	if len(params) == 0 || len(results) == 0 {
		return nil, nil, fmt.Errorf("%s is no kernel: it must have parameters and results", f.spelled)
	}
	return params, results, nil
}

func resultTypes(f *function) []string {
	if f.decl.Type.Results == nil {
		return nil
	}
	return spread(f.decl.Type.Results)
}
