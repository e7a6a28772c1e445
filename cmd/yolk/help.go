package main

import (
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
)

// help answers yolk help [command].
func help(s streams, args []string) int {
	switch len(args) {
	case 0:
		fmt.Fprint(s.out, overview())
		return exitOK
	case 1:
		if args[0] == "help" {
			fmt.Fprint(s.out, overview())
			return exitOK
		}
		if c, ok := lookup(args[0]); ok {
			fmt.Fprint(s.out, c.help())
			return exitOK
		}
		fmt.Fprintf(s.err, "yolk: there is no command %q; yolk help lists them\n", args[0])
	default:
		fmt.Fprintln(s.err, "yolk: help takes one command")
	}
	return exitUsage
}

func overview() string {
	var b strings.Builder
	b.WriteString("yolk shows what yolk makes of Go functions, and why.\n\nUsage:\n\n\tyolk COMMAND [flags] [arguments]\n\nCommands:\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(w, "    %s\t%s\n", c.name, c.short)
	}
	fmt.Fprintf(w, "    %s\t%s\n", "help", "explain a command: yolk help COMMAND")
	w.Flush() // writes to a strings.Builder, which does not fail
	b.WriteString(`
Exit codes: 0 fine, 1 the answer is bad, 2 the command line is. Answers go to standard output, errors and progress to
standard error. Nothing is coloured, whether NO_COLOR is set or not.

Environment: YOLK_CLANG is the clang to use (off: none), YOLK_CACHE the directory that keeps kernels (off: none), YOLK_CPU a lower
target than the processor's. yolk doctor shows them.
`)
	return b.String()
}

func (c command) help() string {
	var b strings.Builder
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.setup(flags)
	flagged := false
	flags.VisitAll(func(*flag.Flag) { flagged = true })
	usage := "yolk " + c.name
	if flagged {
		usage += " [flags]"
	}
	if c.args != "" {
		usage += " " + c.args
	}
	fmt.Fprintf(&b, "yolk %s: %s\n\nUsage:\n\n\t%s\n", c.name, c.short, usage)
	if flagged {
		b.WriteString("\nFlags:\n\n")
		flags.SetOutput(&b)
		flags.PrintDefaults()
	}
	fmt.Fprintf(&b, "\n%s", c.long)
	return b.String()
}

// aboutFunctions is in the help of every command that takes a function.
const aboutFunctions = `PACKAGE.FUNC is split at its last dot. PACKAGE is an import path that the module of the working directory can see, or a
directory, absolute or starting with ./ or ../; a directory may be in another module. ".gelu" is gelu in the working
directory. FUNC is a function of the package, exported or not (of packages outside of the main module only exported ones),
plain or traced; or a variable that holds such a function or, but for bench, a ufunc.Func that Vectorize made, which has its
options already. The module must require github.com/go-yolk/yolk.

The function is reached by a test binary of its package, built with an overlay in place of the package's own tests: nothing
is written to the package. Its variables are initialised and its init functions run.
`
