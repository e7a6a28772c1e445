package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-yolk/yolk/ufunc"
)

var explainCommand = command{
	name:  "explain",
	args:  "PACKAGE.FUNC",
	nargs: 1,
	short: "show how a function becomes a kernel: stages, rules, candidates, certificate, programs",
	long: aboutFunctions + `
Examples:

	yolk explain ./examples/gelu.gelu
	yolk explain -asm -domain 0,1 -rel 1e-6 ./examples/gelu.gelu
	yolk explain -stage certify example.com/module/package.Func
	yolk explain -type float32 .generic
	yolk explain -html gelu.html ./examples/gelu.gelu
	yolk explain -json ./examples/gelu.gelu | jq .Certificate.MaxULP
`,
	setup: func(flags *flag.FlagSet) func(context.Context, streams, []string) error {
		var e explain
		e.declare(flags)
		flags.BoolVar(&e.json, "json", false, "print the whole report as JSON")
		flags.BoolVar(&e.llvm, "llvm", false, "print the LLVM IR, too")
		flags.BoolVar(&e.asm, "asm", false, "print the machine code, too")
		flags.StringVar(&e.html, "html", "", "write a page to `FILE`: a column for each stage, values that can be followed through them, the e-graph, the error curve, the instructions")
		flags.StringVar(&e.stage, "stage", "", "print what is known about the stage `NAME` only: "+strings.Join(stageNames(), ", "))
		return e.run
	},
}

type explain struct {
	kernelFlags
	json, llvm, asm bool
	html, stage     string
}

func (e *explain) run(ctx context.Context, s streams, args []string) error {
	switch {
	case (e.json || e.stage != "") && (e.llvm || e.asm) || e.json && e.stage != "":
		return misused("-json, -stage, and -llvm with -asm are three ways to ask")
	case e.stage != "" && !slices.Contains(stageNames(), e.stage):
		return misused("there is no stage %q; want one of %s", e.stage, strings.Join(stageNames(), ", "))
	}
	if e.html != "" && (e.json || e.stage != "" || e.llvm || e.asm) {
		return misused("-html shows everything: leave -json, -stage, -llvm and -asm out")
	}
	f, h, err := prepare(ctx, "explain", args[0], &e.kernelFlags)
	if err != nil {
		return err
	}
	h.Page = e.html != ""
	var r *ufunc.Report
	var x *ufunc.Explanation
	err = h.run(ctx, f, func(m message) error {
		if m.Err != "" {
			return errors.New(m.Err)
		}
		r, x = m.Report, m.Explanation
		return nil
	})
	switch {
	case err != nil:
		return err
	case e.html != "":
		return writeFile(e.html, func(w io.Writer) error { return writePage(w, r, x) })
	case e.json:
		return printJSON(s.out, r)
	case e.stage != "":
		return printStage(s.out, r, e.stage)
	}
	fmt.Fprintf(s.out, "%s\n", r)
	printCandidates(s.out, r)
	if e.llvm {
		fmt.Fprintf(s.out, "\nLLVM IR:\n%s", orReason(r, r.LLVM))
	}
	if e.asm {
		fmt.Fprintf(s.out, "\nmachine code:\n%s", assembly(r))
	}
	return nil
}

// writeFile writes a file, and leaves none behind if that fails.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Close()); err != nil {
		os.Remove(name)
	}
	return err
}

// stage is one that a report may have.
type stage struct {
	name string
	show func(io.Writer, *ufunc.Report) // what the report holds of it, besides time and sizes; may be nil
}

// stages are in the order in which they run.
func stages() []stage {
	return []stage{
		{"frontend", func(w io.Writer, r *ufunc.Report) { fmt.Fprintf(w, "as written:\n%s", r.IRIn) }},
		{"convert", nil},
		{"saturate", printFirings},
		{"extract", nil},
		{"lower", printCandidates},
		{"certify", func(w io.Writer, r *ufunc.Report) {
			printCandidates(w, r)
			fmt.Fprintf(w, "\naccuracy: %v\n\noptimised:\n%s", r.Certificate, r.IROut)
		}},
		{"codegen", func(w io.Writer, r *ufunc.Report) { fmt.Fprint(w, r.LLVM) }},
		{"find clang", nil},
		{"clang", nil},
		{"link", func(w io.Writer, r *ufunc.Report) { fmt.Fprint(w, assembly(r)) }},
		{"load", nil},
	}
}

func stageNames() []string {
	var names []string
	for _, s := range stages() {
		names = append(names, strings.ReplaceAll(s.name, " ", "-")) // easier to type
	}
	return names
}

// printStage prints one stage of a report, or returns an error if it did not run.
func printStage(w io.Writer, r *ufunc.Report, name string) error {
	name = strings.ReplaceAll(name, "-", " ")
	for _, s := range r.Stages {
		if s.Name != name {
			continue
		}
		before := ""
		if s.Before != "" {
			before = s.Before + " -> "
		}
		fmt.Fprintf(w, "%s: %s%s, %.3f ms\n", s.Name, before, s.After, float64(s.Duration)/1e6)
		for _, known := range stages() {
			if known.name == name && known.show != nil {
				fmt.Fprintln(w)
				known.show(w, r)
			}
		}
		return nil
	}
	return fmt.Errorf("the stage %s did not run: the kernel runs on the %s (%s)", name, r.Executor, r.Reason)
}

func printFirings(w io.Writer, r *ufunc.Report) {
	fmt.Fprintf(w, "stopped: %s\n", r.StopReason)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "rule\tmatches\tunions")
	for _, f := range r.Firings {
		fmt.Fprintf(t, "%s\t%d\t%d\n", f.Name, f.Matches, f.Unions)
	}
	t.Flush()
}

func printCandidates(w io.Writer, r *ufunc.Report) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "cost\toperations\tapproximations\tverdict")
	for _, c := range r.Candidates {
		forms := strings.Join(c.Forms, ", ")
		if forms == "" {
			forms = "none"
		}
		fmt.Fprintf(t, "%d\t%d\t%s\t%s\n", c.Cost, c.Operations, forms, c.Verdict)
	}
	t.Flush()
}

func assembly(r *ufunc.Report) string {
	if r.LLVM != "" && r.Asm == "" {
		return "there is no disassembler that works: yolk doctor says what to install\n"
	}
	return orReason(r, r.Asm)
}

// orReason is a text of native kernels, or why there is none.
func orReason(r *ufunc.Report, text string) string {
	if text == "" {
		return fmt.Sprintf("none: the kernel runs on the %s (%s)\n", r.Executor, r.Reason)
	}
	return text
}
