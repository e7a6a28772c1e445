package ufunc

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/jit"
)

// stage is one step of making a kernel.
type stage = compiler.StageReport

// Report is what happened when a kernel was made. It is put together when it is asked for: a kernel that nobody asks pays
// nothing for it.
type Report struct {
	Name     string
	NDim     int
	Target   string // the machine whose costs were used
	Executor string // what runs the kernel: the target's name, or interpreter
	Reason   string // why

	Stages      []compiler.StageReport // what this process did; clang runs beside the measurement of the program that will probably be chosen
	Elapsed     time.Duration          // what all of it took
	Made        []compiler.StageReport // of code from the cache: the stages when it was made
	StopReason  egraph.StopReason      // of the algebra's saturation
	Firings     []egraph.Firing        // of the rules and passes that did something there
	Forms       []string               // approximations in the program
	CostBefore  uint64                 // of the function as written, each function at its cheapest form
	CostAfter   uint64                 // of the program that runs; the unit is the cost model's
	Nanoseconds float64                // of an element on one thread of the target: estimated from its costs, for decisions on Threads
	Candidates  []CandidateReport      // every program considered, from cheap to dear
	Trials      []Trial                // what Tune has timed
	Certificate accuracy.Certificate

	Derivation string // why the program that runs is equal to the function as written, but for the approximations: named rules

	IRIn  string // the function as written
	IROut string // the program that runs
	LLVM  string // empty on the interpreter
	Asm   string // empty where there is no disassembler
}

// CandidateReport is one program that was considered.
type CandidateReport struct {
	Cost       uint64
	Operations int
	Forms      []string
	Verdict    string // accepted, refused and why, or not measured because a cheaper one was accepted
}

// Report describes how the kernel was made, and makes it if it has not been made yet; a fault in that is the Reason of an
// otherwise empty report.
func (k *Kernel) Report() *Report {
	e, err := k.get(context.Background())
	if err != nil {
		return &Report{Name: k.name, NDim: k.sig.Dims, Reason: err.Error(), IRIn: k.input.String(), Stages: []stage{k.frontend}}
	}
	r, err := e.summary()
	if err != nil {
		return &Report{Name: k.name, NDim: k.sig.Dims, Reason: err.Error(), IRIn: k.input.String(), Stages: k.stages(e)}
	}
	r.Stages, r.Elapsed, r.Executor, r.Reason = k.stages(e), e.elapsed, e.executorName(), e.reason
	// What cannot be found leaves the report complete but for its text.
	if run, err := e.run(); err == nil {
		if derivations, err := run.Explain(run.Chosen); err == nil {
			r.Derivation = derivationText(derivations)
		}
		if e.native != nil {
			r.LLVM, _ = emitted(run.Output, k.sig.Dims, e.target, e.symbols, k.sig.Masked)
		}
	}
	if e.native != nil {
		r.Asm, _ = jit.Disassemble(context.Background(), process.env, e.object, e.symbols.Kernel)
	}
	return r
}

// stages lists what this process did, front end first.
func (k *Kernel) stages(e *executor) []stage { return append([]stage{k.frontend}, e.stages...) }

// summary is the part of the report that comes from the compiler's run and takes no time to write.
func (k *Kernel) summary(e *executor, run *compiler.Run) *Report {
	r := &Report{
		Name: k.name, NDim: k.sig.Dims, Target: e.target.Name, StopReason: run.Saturation.Stop, Forms: run.Chosen.Forms,
		CostBefore: uint64(run.CostBefore), CostAfter: uint64(run.CostAfter), Certificate: run.Certificate, Nanoseconds: e.target.Nanoseconds(run.Output),
		IRIn: k.input.String(), IROut: run.Output.String(),
	}
	for _, f := range run.Saturation.Firings {
		if f.Matches > 0 || f.Unions > 0 {
			r.Firings = append(r.Firings, f)
		}
	}
	r.Trials = e.trials
	for _, c := range run.Candidates {
		verdict := "not measured: a cheaper one was accepted"
		switch {
		case c.Err != nil:
			verdict = "refused: " + c.Err.Error()
		case c.Measured:
			verdict = "accepted"
		}
		r.Candidates = append(r.Candidates, CandidateReport{uint64(c.Cost), c.Func.Arithmetic(), c.Forms, verdict})
	}
	return r
}

// String is a page to read: stages, rules, costs, certificate, programs. LLVM IR and assembly are in their fields.
func (r *Report) String() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "kernel %s, %d-dimensional, runs on %s", r.Name, r.NDim, r.Executor)
	if r.Reason != "" {
		fmt.Fprintf(&b, " (%s)", r.Reason)
	}
	b.WriteString("\n\n")
	printStages(&b, r.Stages)
	if r.Elapsed > 0 {
		fmt.Fprintf(&b, "in all %s\n", milliseconds(r.Elapsed))
	}
	if len(r.Made) > 0 {
		b.WriteString("\nwhen the code was made:\n")
		printStages(&b, r.Made)
	}
	if r.Executor == "" {
		fmt.Fprintf(&b, "\nas written:\n%s", r.IRIn)
		return b.String()
	}
	fmt.Fprintf(&b, "\nsaturation stopped: %s\n", r.StopReason)
	if len(r.Firings) > 0 {
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "rule\tmatches\tunions")
		for _, f := range r.Firings {
			fmt.Fprintf(w, "%s\t%d\t%d\n", f.Name, f.Matches, f.Unions)
		}
		w.Flush()
	}
	if len(r.Forms) > 0 {
		fmt.Fprintf(&b, "approximations: %s\n", strings.Join(r.Forms, ", "))
	}
	if len(r.Trials) > 0 {
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "candidate\tcost\tvectors at once\tns/element\t")
		for _, t := range r.Trials {
			fmt.Fprintln(w, t.text())
		}
		w.Flush()
	}
	fmt.Fprintf(&b, "cost: %d as written, %d optimised\n", r.CostBefore, r.CostAfter)
	fmt.Fprintf(&b, "accuracy: %v\n", r.Certificate)
	fmt.Fprintf(&b, "\nas written:\n%s\noptimised:\n%s", r.IRIn, r.IROut)
	return b.String()
}

func printStages(b *bytes.Buffer, stages []stage) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "stage\ttime\tin\tout")
	for _, s := range stages {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, milliseconds(s.Duration), s.Before, s.After)
	}
	w.Flush() // writes to a buffer, which does not fail
}

// derivationText writes each part under its stage; identities are proofs, approximations are choices.
func derivationText(derivations []compiler.Derivation) string {
	var b strings.Builder
	for _, d := range derivations {
		if len(d.Forms) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", d.Stage, strings.Join(d.Forms, ", "))
			continue
		}
		fmt.Fprintf(&b, "%s:\n", d.Stage)
		for _, p := range d.Proofs {
			b.WriteString(p.String())
		}
	}
	return b.String()
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.3f ms", float64(d)/1e6) }
