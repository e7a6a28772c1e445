// Command accuracy measures every function that yolk has, in both types, and prints docs/accuracy.md.
//
// For each it compiles the kernel of the function alone for x86-64-v4 under the default contract, and measures its program
// and, beside it, package math's function rounded to the type, on the same sample. With -sweep the float32 programs are
// measured at all 2^32 inputs, which takes minutes for each function.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

// points is the size of the samples.
var points = map[ir.Type]int{ir.Float32: 1 << 20, ir.Float64: 1 << 16}

func main() {
	log.SetFlags(0)
	sweep := flag.Bool("sweep", false, "measure float32 at all inputs")
	only := flag.String("only", "", "comma-separated names; default all")
	flag.Parse()
	if err := table(os.Stdout, os.Stderr, *sweep, strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })); err != nil {
		log.Fatal(err)
	}
}

// function is a row: an operation of ir or a definition.
type function struct {
	name  string
	arity int
	emit  func(b *ir.Builder, args []ir.Value) (ir.Value, error)
}

func functions() []function {
	var all []function
	for op := ir.Op(1); op < ir.NumOps; op++ {
		if op.Info().Function && !op.Call() || op == ir.Sqrt {
			all = append(all, function{op.String(), op.Info().Arity, func(b *ir.Builder, args []ir.Value) (ir.Value, error) {
				return b.Emit(op, ir.Invalid, args...)
			}})
		}
	}
	for _, d := range elementary.Defs() {
		all = append(all, function{d.Name, d.Arity, func(b *ir.Builder, args []ir.Value) (ir.Value, error) {
			return b.Call(d, args...)
		}})
	}
	return all
}

func (f function) program(t ir.Type) (*ir.Func, error) {
	b := ir.NewBuilder(f.name)
	var args []ir.Value
	for i := range f.arity {
		args = append(args, b.Param(string(rune('x'+i)), t, ir.Unknown))
	}
	v, err := f.emit(b, args)
	if err != nil {
		return nil, err
	}
	b.Return(v)
	return b.Func(), nil
}

func table(w, progress io.Writer, sweep bool, only []string) error {
	target, err := native.Lookup("x86-64-v4")
	if err != nil {
		return err
	}
	laws, ring := rules.Default.Ring()
	fmt.Fprint(w, header)
	for _, f := range functions() {
		if len(only) > 0 && !slices.Contains(only, f.name) {
			continue
		}
		for _, t := range []ir.Type{ir.Float32, ir.Float64} {
			fmt.Fprintf(progress, "%s %v\n", f.name, t)
			p, err := f.program(t)
			if err != nil {
				return err
			}
			run, err := compiler.Optimise(context.Background(), p, compiler.Config{
				Rules: laws.Rewrites(), Ring: ring, Costs: target.Costs(), Price: target.Price, Licences: ir.DefaultLicences,
				Limits: compiler.DefaultLimits, Points: points[t],
			})
			if err != nil {
				fmt.Fprintf(w, "| %s | %v | %v | | | | |\n", f.name, t, err)
				continue
			}
			got, how := run.Certificate, fmt.Sprintf("%d points", run.Certificate.Points-run.Certificate.Unsettled)
			if sweep && t == ir.Float32 && f.arity == 1 {
				if got, err = exhaust(run, progress); err != nil {
					return fmt.Errorf("%s: %w", f.name, err)
				}
				how = "all 2^32"
			}
			// A function as written is package math's, rounded. The error that stops its measurement says nothing new.
			written, _ := run.Contract.Measure(run.Input)
			fmt.Fprintf(w, "| %s | %v | %s | %d | %.3g | %s | %.3g |\n",
				f.name, t, strings.Join(run.Chosen.Forms, ", "), run.Output.Arithmetic(), got.MaxULP, how, written.MaxULP)
		}
	}
	return nil
}

// exhaust measures the program on the interpreter, which has the bits of the native kernel, at every float32.
func exhaust(run *compiler.Run, progress io.Writer) (accuracy.Certificate, error) {
	p, err := interp.Compile(run.Output)
	if err != nil {
		return accuracy.Certificate{}, err
	}
	last := uint64(0)
	return run.Contract.Through(run.Equal()).Sweep(context.Background(), func(in []float32, out [][]float32) error {
		return p.Run(len(in), []interp.Column{{F32: in}}, []interp.Column{{F32: out[0]}})
	}, func(done, all uint64) {
		if percent := 100 * done / all; percent >= last+5 {
			last = percent
			fmt.Fprintf(progress, "  %d %%\n", percent)
		}
	})
}

const header = `# Accuracy of the functions

Made by ` + "`make accuracy`" + `; do not edit. The kernel of each function alone, compiled for x86-64-v4 under the default contract: the forms
that were chosen, operations for each element, the largest error over the inputs measured, and beside it that of package math's
function rounded to the type. Samples cover every binade, subnormals included, and are drawn towards the special values; float64 results
whose truth is not settled with the fuel that there is are not counted. Where package math breaks the contract its measurement stops, and
the figure is a lower bound. An ulp is the spacing of the type at the true value.

| function | type | forms | operations | max ulp | measured on | package math, max ulp |
|---|---|---|---:|---:|---|---:|
`
