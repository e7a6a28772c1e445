package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/jit/cache"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/ufunc"
)

var doctorCommand = command{
	name:  "doctor",
	short: "say what kernels get on this machine, why, and what to fix",
	long: `It looks at the processor, the compiler and the environment, compiles a small kernel, checks it and times every stage.
The exit code is 0 if kernels run as native code, and otherwise 1.

Examples:

	yolk doctor
	YOLK_CPU=x86-64-v3 yolk doctor
	yolk doctor -json | jq -r .Fix[]
`,
	setup: func(flags *flag.FlagSet) func(context.Context, streams, []string) error {
		asJSON := flags.Bool("json", false, "print the findings as JSON")
		return func(ctx context.Context, s streams, _ []string) error {
			d := diagnose(ctx)
			if *asJSON {
				if err := printJSON(s.out, d); err != nil {
					return err
				}
			} else {
				d.print(s.out)
			}
			if !d.OK {
				return errBad
			}
			return ctx.Err()
		}
	},
}

// diagnosis is what doctor finds.
type diagnosis struct {
	OK       bool // nothing to fix
	Findings []finding
	Stages   []timing // of the small kernel
	Fix      []string
}

// finding is the state of one thing. What is not OK stands in the way of native kernels.
type finding struct {
	What, State string
	OK          bool
}

type timing struct {
	Stage       string
	Nanoseconds int64
}

func (d *diagnosis) note(what, format string, args ...any) {
	d.Findings = append(d.Findings, finding{what, fmt.Sprintf(format, args...), true})
}

// fault notes what stands in the way of native kernels, and what to do about it; "": another finding says that.
func (d *diagnosis) fault(what string, err error, fix string) {
	d.Findings = append(d.Findings, finding{what, err.Error(), false})
	d.advise(fix)
}

func (d *diagnosis) advise(fix string) {
	if fix != "" && !slices.Contains(d.Fix, fix) {
		d.Fix = append(d.Fix, fix)
	}
}

func diagnose(ctx context.Context) *diagnosis {
	d := new(diagnosis)
	d.machine()
	d.toolchain(ctx)
	for _, name := range []string{"YOLK_CLANG", "YOLK_CACHE", "YOLK_CPU", "YOLK_DEBUG", "TMPDIR", "NO_COLOR"} {
		if v, ok := os.LookupEnv(name); ok {
			d.note(name, "%q", v)
		} else {
			d.note(name, "not set")
		}
	}
	d.cache()
	d.live(ctx)
	d.OK = !slices.ContainsFunc(d.Findings, func(f finding) bool { return !f.OK })
	return d
}

// machine looks at the processor and at what its system lets a program load.
func (d *diagnosis) machine() {
	d.note("system", "%s/%s, %s", runtime.GOOS, runtime.GOARCH, runtime.Version())
	brand := cpuid.CPU.BrandName
	if brand == "" {
		brand = "unknown"
	}
	if level := cpuid.CPU.X64Level(); runtime.GOARCH == "amd64" {
		brand += fmt.Sprintf(", x86-64-v%d", level)
	}
	d.note("processor", "%s", brand)
	const elsewhere = "native kernels need linux or macOS on an x86-64-v2 processor or better, or on arm64; elsewhere there is only the interpreter"
	if host, err := native.Host(); err != nil {
		d.fault("target", err, elsewhere)
	} else {
		var runs []string
		for _, t := range native.Targets() {
			if host.Runs(t) {
				runs = append(runs, t.Name)
			}
		}
		d.note("target", "%s, %d-bit vectors; runs code for %s", host.Name, host.VectorBits, strings.Join(runs, ", "))
	}
	if err := jit.Available(); err != nil {
		d.fault("loading", err, "build without the tag yolk_nojit, for a system that can load libraries")
	} else {
		d.note("loading", "works")
	}
}

const installClang = "install clang 16 or newer: apt install clang-19 (Debian, Ubuntu), brew install llvm (macOS)"

// toolchain looks for the compiler and the linker.
func (d *diagnosis) toolchain(ctx context.Context) {
	env := jit.NewEnv(nil)
	clang, err := jit.FindClang(ctx, env)
	if err != nil {
		fix := installClang
		if os.Getenv("YOLK_CLANG") != "" {
			fix = "unset YOLK_CLANG, or let it name a clang 16 or newer"
		}
		d.fault("clang", err, fix)
		return
	}
	d.note("clang", "%s", clang)
	triple, err := jit.HostTriple()
	if err != nil {
		return // native.Host has said that
	}
	// A link of what is no object fails, and names the linker that it was.
	_, err = clang.Link(ctx, []byte("no object"), jit.BuildOptions{Target: triple})
	if failed := (*jit.BuildError)(nil); errors.As(err, &failed) {
		d.note("linker", "%s", failed.Program)
	} else if err != nil {
		d.fault("linker", err, "let TMPDIR name a directory that can be written to")
	}
}

// cache looks at what is kept on disk. Kernels run without it, too: each process takes longer to start.
func (d *diagnosis) cache() {
	store, err := cache.OpenFor(os.Getenv("YOLK_CACHE"))
	var entries []cache.Entry
	if err == nil {
		entries, err = store.List()
	}
	if err == nil {
		err = store.Put(cache.NewKey("probe", "yolk doctor"), []byte("x"))
	}
	switch {
	case errors.Is(err, cache.ErrOff):
		d.note("cache", "off: every process makes its kernels anew")
	case err != nil:
		d.note("cache", "none, every process makes its kernels anew: %v", err)
		d.advise("let YOLK_CACHE name a directory of your own that nobody else can write to, or be off")
	default:
		var bytes int64
		for _, e := range entries {
			bytes += e.Size
		}
		d.note("cache", "%s: %s", store.Dir(), amount(len(entries), bytes))
	}
}

// live makes a small kernel, runs it and holds it against the reference.
func (d *diagnosis) live(ctx context.Context) {
	// A traced function: it needs no source, which need not be where this program runs.
	sigmoid := func(x ufunc.Value) ufunc.Value {
		return x.Mul(ufunc.Const(0.5)).Tanh().Add(ufunc.Const(1)).Mul(ufunc.Const(0.5))
	}
	kernel, err := ufunc.Compile(ctx, sigmoid, ufunc.Float32, 1, ufunc.Name("sigmoid"), ufunc.ReportTo(io.Discard), ufunc.NoCache())
	if err != nil {
		fix := ""
		if os.Getenv("YOLK_CPU") != "" {
			fix = "unset YOLK_CPU, or let it name a target that this processor runs"
		}
		d.fault("kernels", fmt.Errorf("cannot be made: %w", err), fix)
		return
	}
	r := kernel.Report()
	for _, s := range r.Stages {
		d.Stages = append(d.Stages, timing{s.Name, s.Duration.Nanoseconds()})
	}
	if r.Executor == "interpreter" {
		fix := ""
		if strings.HasPrefix(r.Reason, "link: ") { // the name of the stage
			fix = "install a linker: apt install binutils (Debian, Ubuntu), or lld"
		}
		d.fault("kernels", fmt.Errorf("run on the interpreter, which is slow: %s", r.Reason), fix)
	} else {
		d.note("kernels", "run as native code for %s", r.Executor)
		if r.Asm == "" {
			_, err := jit.Disassemble(ctx, jit.NewEnv(nil), jit.Object{Target: "unknown"}, "none")
			d.note("disassembler", "reports will have no machine code: %v; install binutils or llvm", err)
		} else {
			d.note("disassembler", "works")
		}
	}
	const n = 1000 // 4 KB: in the first-level cache
	in, out := make([]float32, n), make([]float32, n)
	for i := range in {
		in[i] = float32(i-n/2) / 32
	}
	start := time.Now()
	if err = kernel.Call(in, out); err == nil {
		d.Stages = append(d.Stages, timing{fmt.Sprintf("run, %d elements", n), time.Since(start).Nanoseconds()})
		err = kernel.Check(in)
	}
	if err != nil {
		d.fault("live check", err, "report this as a fault of yolk, with the output of yolk doctor -json")
		return
	}
	d.note("live check", "sigmoid of %d inputs, all within the contract", n)
}

func (d *diagnosis) print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range d.Findings {
		mark := "ok"
		if !f.OK {
			mark = "BAD"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", mark, f.What, f.State)
	}
	t.Flush()
	if len(d.Stages) > 0 {
		fmt.Fprintln(w, "\nstages of the live check, ms:")
		t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, s := range d.Stages {
			fmt.Fprintf(t, "  %s\t%.3f\n", s.Stage, float64(s.Nanoseconds)/1e6)
		}
		t.Flush()
	}
	switch {
	case d.OK && len(d.Fix) == 0:
		fmt.Fprintln(w, "\nNothing to fix.")
	case len(d.Fix) == 0:
		fmt.Fprintln(w, "\nTo fix: what is marked BAD.")
	default:
		fmt.Fprintln(w, "\nTo fix:")
		for _, f := range d.Fix {
			fmt.Fprintf(w, "  %s\n", f)
		}
	}
}
