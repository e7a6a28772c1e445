// Command yolk shows what yolk makes of Go functions, and why.
//
// In go a command, flags and the name of a function in a package that the module of the working directory can see; out come
// reports, certificates and timings as text or JSON. For a function the command builds a program that imports the package
// and runs it: the go command must be there. Nothing is written to the package's directory.
//
// Exit codes: 0 fine, 1 the answer is bad, 2 the command line is.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
)

// Exit codes.
const (
	exitOK    = 0
	exitBad   = 1
	exitUsage = 2
)

// usageError says that the command line asks for what does not exist.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func misused(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errBad ends a command whose output has said already what is bad.
var errBad = errors.New("bad")

// streams is where a command writes.
type streams struct {
	out, err io.Writer
	terminal bool // err is one, so lines may be overwritten
}

// command is one of yolk's.
type command struct {
	name  string
	args  string // what follows the flags
	nargs int    // how many of them
	short string // one line
	long  string // paragraphs, and the examples

	// setup declares the command's flags and returns what runs it once they are parsed.
	setup func(*flag.FlagSet) func(ctx context.Context, s streams, args []string) error
}

// commands lists all but help, which lists them.
func commands() []command {
	return []command{doctorCommand, explainCommand, verifyCommand, benchCommand, genCommand, cacheCommand, versionCommand}
}

var versionCommand = command{
	name:  "version",
	short: "print the version of yolk",
	long:  "Example:\n\n\tyolk version\n",
	setup: func(*flag.FlagSet) func(context.Context, streams, []string) error {
		return func(_ context.Context, s streams, _ []string) error {
			version := "(devel)"
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
				version = info.Main.Version
			}
			_, err := fmt.Fprintf(s.out, "yolk %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		}
	},
}

func main() {
	// The commands say themselves which executor runs a kernel, and why; the library's notice would say it again.
	slog.SetDefault(slog.New(slog.DiscardHandler))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	s := streams{out: os.Stdout, err: os.Stderr, terminal: isTerminal(os.Stderr)}
	code := run(ctx, s, os.Args[1:])
	stop()
	os.Exit(code)
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// run is the whole program but for the process: it returns the exit code.
func run(ctx context.Context, s streams, args []string) int {
	if len(args) == 0 {
		fmt.Fprint(s.err, overview())
		return exitUsage
	}
	name, args := args[0], args[1:]
	if name == "help" || name == "-h" || name == "-help" || name == "--help" {
		return help(s, args)
	}
	c, ok := lookup(name)
	if !ok {
		fmt.Fprintf(s.err, "yolk: there is no command %q; yolk help lists them\n", name)
		return exitUsage
	}
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	do := c.setup(flags)
	rest, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(s.out, c.help())
		return exitOK
	case err != nil:
		err = usageError{err}
	case len(rest) != c.nargs && c.nargs == 0:
		err = misused("it takes no argument, and got %q", rest)
	case len(rest) != c.nargs:
		err = misused("it takes %s, and got %d arguments: %q", c.args, len(rest), rest)
	default:
		err = do(ctx, s, rest)
	}
	if errors.Is(err, errBad) {
		return exitBad
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = fmt.Errorf("stopped: %w", cause) // what failed did so because of that
	}
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(s.err, "yolk %s: %v\n", c.name, err)
	if usage := (usageError{}); errors.As(err, &usage) {
		fmt.Fprintf(s.err, "yolk help %s says more\n", c.name)
		return exitUsage
	}
	return exitBad
}

// parse takes flags from before, between and behind the arguments.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

func lookup(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// printJSON writes v for scripts.
func printJSON(w io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}
