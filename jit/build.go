package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Object is a kernel as a shared library: bytes that may be stored, and loaded by
// any process on a machine of the target. It needs no other library.
type Object struct {
	Code   []byte   // the shared library, an ELF or Mach-O file
	Target string   // the target triple it was built for
	Clang  Identity // the compiler that built it
}

// BuildOptions say what to build for.
type BuildOptions struct {
	Target string // target triple, as from HostTriple; required
	Level  int    // optimisation level of clang, 0 to 3
	Passes bool   // run LLVM's optimisations, not only code generation: for loops, whose masks they simplify
}

// BuildError is a failed compilation or link.
type BuildError struct {
	Step    string // "compile" or "link"
	Program string // path of the program that failed
	Stderr  string // all it wrote to standard error
	Line    int    // first line of the IR text complained about, from 1; 0 if none can be told
	Source  string // text of that line
	Err     error  // exit status, or the error of the context
}

// Error returns the whole story, on several lines.
func (e *BuildError) Error() string {
	s := fmt.Sprintf("jit: %s: %s: %v", e.Step, e.Program, e.Err)
	if e.Stderr != "" {
		s += "\n" + strings.TrimRight(e.Stderr, "\n")
	}
	if e.Line > 0 {
		s += fmt.Sprintf("\nIR line %d: %s", e.Line, e.Source)
	}
	return s
}

// Unwrap returns e.Err.
func (e *BuildError) Unwrap() error { return e.Err }

// Files of a build, in a directory of their own. The names are fixed because they
// end up in the object and in messages.
const (
	sourceFile      = "kernel.ll"
	relocatableFile = "kernel.o"
	libraryFile     = "kernel.so"
)

// Build compiles and links IR text. The same text and options give the same bytes
// on every run. Callers that time the steps call [Clang.Compile] and [Clang.Link].
// Errors are a [*BuildError], or say what is wrong with the options or the place
// for temporary files.
func (c *Clang) Build(ctx context.Context, ll string, o BuildOptions) (Object, error) {
	relocatable, err := c.Compile(ctx, ll, o)
	if err != nil {
		return Object{}, err
	}
	return c.Link(ctx, relocatable, o)
}

// Compile turns IR text into a relocatable object file, position-independent and
// without contraction of floating-point operations beyond what the text says. Text
// that breaks the rules of LLVM IR is an error; clang 16 and 17 find only what their
// parser finds. The text is compiled as it stands: kernels are written as they are
// meant, and LLVM's optimisations, which find nothing in them, take 15 of 70 ms.
// Scheduling and the choice of instructions and registers remain.
func (c *Clang) Compile(ctx context.Context, ll string, o BuildOptions) (relocatable []byte, err error) {
	flags, err := c.compileFlags(o)
	if err != nil {
		return nil, err
	}
	relocatable, err = c.step(ctx, "compile", []file{{sourceFile, []byte(ll)}}, relocatableFile, c.path,
		append(flags, "-o", relocatableFile, sourceFile)...)
	if failed := (*BuildError)(nil); errors.As(err, &failed) {
		failed.Line, failed.Source = complaint(failed.Stderr, ll)
	}
	return relocatable, err
}

// compileFlags are the arguments of the compiler, but for the files.
func (c *Clang) compileFlags(o BuildOptions) ([]string, error) {
	if err := checkTriple(o.Target); err != nil {
		return nil, err
	}
	if o.Level < 0 || o.Level > 3 {
		return nil, fmt.Errorf("jit: optimisation level %d is not 0 to 3", o.Level)
	}
	flags := []string{"-c", "-x", "ir", "-O" + strconv.Itoa(o.Level), "--no-default-config", "--target=" + o.Target, "-fPIC"}
	if !o.Passes {
		flags = append(flags, "-Xclang", "-disable-llvm-passes")
	}
	flags = append(flags, "-ffp-contract=off", "-fno-crash-diagnostics", "-Wno-override-module")
	if c.version[0] >= 18 { // the first to know it; release builds do not verify what they read otherwise
		flags = append(flags, "-fverify-intermediate-code")
	}
	return flags, nil
}

// limited gives a step of a build its time.
func (c *Clang) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, c.env.buildLimit, fmt.Errorf("no end within %v: %w", c.env.buildLimit, context.DeadlineExceeded))
}

// Link turns the result of [Clang.Compile] into a shared library that refers to
// nothing outside itself; a reference to a function that the text does not define
// is an error. ELF objects are linked by ld directly, which takes 2 ms where the
// compiler driver takes 30; for a foreign target by ld.lld or a cross linker. Where
// there is none, and for macOS, the driver finds one.
func (c *Clang) Link(ctx context.Context, relocatable []byte, o BuildOptions) (Object, error) {
	return c.LinkAll(ctx, [][]byte{relocatable}, o)
}

// LinkAll is [Clang.Link] of several results of [Clang.Compile], in that order.
func (c *Clang) LinkAll(ctx context.Context, relocatables [][]byte, o BuildOptions) (Object, error) {
	if err := checkTriple(o.Target); err != nil {
		return Object{}, err
	}
	linker, flags := c.linker(o.Target)
	flags = append(flags, "-shared", "-nostdlib", "-o", libraryFile)
	var in []file
	for i, content := range relocatables {
		name := relocatableFile
		if i > 0 {
			name = fmt.Sprintf("kernel%d.o", i)
		}
		in, flags = append(in, file{name, content}), append(flags, name)
	}
	code, err := c.step(ctx, "link", in, libraryFile, linker, flags...)
	if err != nil {
		return Object{}, err
	}
	return Object{Code: code, Target: o.Target, Clang: c.id}, nil
}

// linker returns the program that links for a target, and its first arguments.
func (c *Clang) linker(target string) (path string, flags []string) {
	arch, elf, native := machine(target)
	driver := []string{"--no-default-config", "--target=" + target}
	if !native {
		driver = append(driver, "-fuse-ld=lld")
	}
	if !elf {
		return c.path, driver
	}
	names := []string{arch + "-linux-gnu-ld", fmt.Sprintf("ld.lld-%d", c.version[0]), "ld.lld"}
	if native {
		names = append([]string{"ld"}, names...)
	}
	if path, ok := c.env.findFirst(append(names, numbered("ld.lld")...)); ok {
		return path, []string{"--no-undefined", "--build-id=none", "-z", "noexecstack"}
	}
	return c.path, append(driver, "-Wl,--no-undefined,--build-id=none,-z,noexecstack")
}

// step runs one program of a build in a fresh private directory: it writes the files
// in, runs the program, and returns file out.
func (c *Clang) step(ctx context.Context, name string, in []file, out, path string, args ...string) (result []byte, err error) {
	limited, cancel := c.limited(ctx)
	defer cancel()
	err = c.env.withTemp(in, func(dir string) error {
		_, stderr, err := run(limited, dir, nil, path, args...)
		if err == nil {
			result, err = os.ReadFile(filepath.Join(dir, out))
		}
		if err == nil {
			return nil
		}
		failed := &BuildError{Step: name, Program: path, Stderr: stderr, Err: err}
		if strings.Contains(stderr, "No space left on device") {
			return fmt.Errorf("%w: %w", errPlace, failed)
		}
		return failed
	})
	return result, err
}

// location matches the place of a diagnostic in the IR text.
var location = regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(sourceFile) + `:(\d+):`)

// complaint returns the first line of the text that a message is about, from 1.
// The parser gives the line's number; the verifier repeats the instruction.
func complaint(stderr, text string) (line int, source string) {
	lines := strings.Split(text, "\n")
	if m := location.FindStringSubmatch(stderr); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil || n < 1 || n > len(lines) {
			return 0, ""
		}
		return n, lines[n-1]
	}
	for said := range strings.Lines(stderr) {
		said = strings.TrimSpace(said)
		for i, l := range lines {
			if strings.TrimSpace(l) == said && strings.Contains(said, " ") {
				return i + 1, l
			}
		}
	}
	return 0, ""
}
