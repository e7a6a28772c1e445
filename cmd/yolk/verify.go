package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-yolk/yolk/ufunc"
)

var verifyCommand = command{
	name:  "verify",
	args:  "PACKAGE.FUNC",
	nargs: 1,
	short: "hold a kernel of one float32 against the reference on every input of its domain",
	long: `It tries all of up to 2^32 inputs, on all processors, which takes minutes, and prints the certificate. Where the contract is
broken it prints the input, and the exit code is 1; so it is for functions that cannot be verified. A plot shows the largest errors of
kernel and function as written over the domain, on a sample. Progress goes to standard error: a bar on a terminal, and otherwise a line for every tenth.

` + aboutFunctions + `
Examples:

	yolk verify ./examples/gelu.gelu
	yolk verify -domain 0,1 -rel 1e-6 ./examples/gelu.gelu
	yolk verify -plot errors.svg ./examples/gelu.gelu
	yolk verify -json -ulp 2 example.com/module/package.Func
`,
	setup: func(flags *flag.FlagSet) func(context.Context, streams, []string) error {
		var v verify
		v.declare(flags)
		flags.BoolVar(&v.json, "json", false, "print the outcome as JSON")
		flags.StringVar(&v.plot, "plot", "", "write the error over the domain to `FILE` as SVG, too")
		return v.run
	},
}

type verify struct {
	kernelFlags
	json bool
	plot string
}

// outcome is what verify prints as JSON.
type outcome struct {
	Name, Executor, Reason string
	Kept                   bool
	Error                  string `json:",omitempty"`
	Certificate            json.RawMessage
}

func (v *verify) run(ctx context.Context, s streams, args []string) error {
	f, h, err := prepare(ctx, "verify", args[0], &v.kernelFlags)
	if err != nil {
		return err
	}
	return v.outcome(s, func(show func(message) error) error { return h.run(ctx, f, show) })
}

// outcome shows a session.
func (v *verify) outcome(s streams, run session) error {
	var last message
	bar := progress{w: s.err, terminal: s.terminal, start: time.Now()}
	err := run(func(m message) error {
		switch {
		case m.All > 0:
			bar.show(m.Done, m.All)
		case m.Err != "" && !m.Broken:
			return errors.New(m.Err)
		case last.Report == nil && !v.json:
			fmt.Fprintf(s.out, "kernel %s runs on %s (%s)\n", m.Report.Name, m.Report.Executor, m.Report.Reason)
			fallthrough
		default:
			last = m
		}
		return nil
	})
	bar.end()
	if err != nil {
		return err
	}
	r := last.Report
	switch {
	case v.json:
		certificate, err := certificateJSON(r)
		if err != nil {
			return err
		}
		if err := printJSON(s.out, outcome{r.Name, r.Executor, r.Reason, !last.Broken, last.Err, certificate}); err != nil {
			return err
		}
	case last.Broken:
		fmt.Fprintf(s.out, "the contract is broken: %s\naccuracy so far: %v\n", last.Err, r.Certificate)
	default:
		fmt.Fprintf(s.out, "the contract is kept\naccuracy: %v\n", r.Certificate)
	}
	if x := last.Explanation; x != nil && len(x.Errors) > 0 {
		if !v.json {
			printErrors(s.out, x.Errors)
		}
		if v.plot != "" {
			if err := errorPlot(x.Errors).write(v.plot); err != nil {
				return err
			}
		}
	}
	if last.Broken {
		return errBad
	}
	return nil
}

// certificateJSON is the certificate as the report writes it, whose numbers JSON cannot always hold.
func certificateJSON(r *ufunc.Report) (json.RawMessage, error) {
	text, err := r.JSON()
	if err != nil {
		return nil, err
	}
	var part struct{ Certificate json.RawMessage }
	err = json.Unmarshal(text, &part)
	return part.Certificate, err
}

// progress shows how far a sweep is.
type progress struct {
	w        io.Writer
	terminal bool
	start    time.Time
	tenths   uint64 // already said
	drawn    bool
}

// width of the bar, in characters.
const width = 40

func (p *progress) show(done, all uint64) {
	if !p.terminal {
		if tenths := done * 10 / all; tenths > p.tenths {
			p.tenths = tenths
			fmt.Fprintf(p.w, "%d %% of %d inputs\n", 10*tenths, all)
		}
		return
	}
	left := time.Duration(float64(time.Since(p.start)) * float64(all-done) / float64(done))
	fmt.Fprintf(p.w, "\r[%-*s] %5.1f %%, %v left   ", width, strings.Repeat("=", int(done*width/all)), 100*float64(done)/float64(all), left.Round(time.Second))
	p.drawn = true
}

// end leaves the bar's line.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprintln(p.w)
	}
}
