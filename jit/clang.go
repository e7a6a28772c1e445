package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// oldestClang is the first release that can be used: 14 has no opaque pointers by
// default, 15 no --no-default-config.
const oldestClang = 16

const installHint = "install clang 16 or newer, for example: apt install clang-19, or brew install llvm"

// ErrNoClang means that no clang can be used. The wrapping error lists the names
// tried and where, or what is wrong with YOLK_CLANG.
var ErrNoClang = errors.New("jit: no usable clang")

// Identity tells one compiler from another without starting it: it changes
// whenever the program does.
type Identity struct {
	Path    string // absolute, symbolic links resolved
	Size    int64  // bytes
	ModTime int64  // nanoseconds since 1970
	Version string // what the program says: "Debian clang version 19.1.7 (3~deb12u1)"
}

// Clang is a compiler that has said its version.
type Clang struct {
	env     *Env
	path    string // as found: a wrapper may look at the name it is called by
	id      Identity
	version [3]int // major, minor, patch
}

// Identity returns what a cache needs to know about the compiler.
func (c *Clang) Identity() Identity { return c.id }

// String returns the version and the path, for reports.
func (c *Clang) String() string { return c.id.Version + " (" + c.path + ")" }

// Found is what an earlier search came to; see [Env.Reuse]. It may be stored.
type Found struct {
	Path     string // as found
	Identity Identity
}

// Found returns what a later process needs to find the compiler without a search.
func (c *Clang) Found() Found { return Found{c.path, c.id} }

// Search is a text that decides, with the compiler itself, what [FindClang] finds: the variables, and when the directories of
// PATH have last changed.
func (e *Env) Search() string {
	var b strings.Builder
	fmt.Fprintf(&b, "YOLK_CLANG=%q\n", e.getenv("YOLK_CLANG"))
	for _, dir := range e.dirs() {
		if info, err := os.Stat(dir); err == nil {
			fmt.Fprintf(&b, "%q %d\n", dir, info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// Reuse returns the compiler of an earlier search if it is still the program that it was then, by its size and time.
// That search must have been the same, by [Env.Search]; then this takes 10 µs where [FindClang] takes 20 ms or more.
func (e *Env) Reuse(f Found) (*Clang, bool) {
	info, err := program(f.Path)
	if err != nil || info.Size() != f.Identity.Size || info.ModTime().UnixNano() != f.Identity.ModTime {
		return nil, false
	}
	c, err := e.usable(f.Path, f.Identity)
	return c, err == nil
}

// FindClang returns the compiler named by YOLK_CLANG if that is set (none if it is
// "off"), and otherwise the newest of clang, clang-30, ..., clang-16 in the absolute
// directories of PATH. A compiler older than 16, or one that does not say its
// version within 10 seconds, is refused. The error wraps [ErrNoClang], and that of
// ctx if ctx has ended.
func FindClang(ctx context.Context, env *Env) (*Clang, error) {
	if name := env.getenv("YOLK_CLANG"); name == "off" {
		return nil, fmt.Errorf("%w: it is switched off by YOLK_CLANG=off", ErrNoClang)
	} else if name != "" {
		c, err := env.named(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("%w: YOLK_CLANG=%s: %w", ErrNoClang, name, err)
		}
		return c, nil
	}
	var refused []string
	usable := func(name string) *Clang {
		for _, path := range env.find(name) {
			c, err := env.probe(ctx, path)
			if err == nil {
				return c
			}
			refused = append(refused, path+": "+err.Error())
		}
		return nil
	}
	best := usable("clang")
	names := numbered("clang")
	for i, name := range names {
		if newest := oldestClang + len(names) - 1 - i; best != nil && best.version[0] >= newest {
			break
		}
		if c := usable(name); c != nil && (best == nil || slices.Compare(c.version[:], best.version[:]) > 0) {
			best = c
		}
	}
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoClang, err)
	}
	if best != nil {
		return best, nil
	}
	looked := fmt.Sprintf("looked for clang, %s to %s in %s", names[0], names[len(names)-1],
		strings.Join(env.dirs(), string(filepath.ListSeparator)))
	return nil, fmt.Errorf("%w: %s; %s", ErrNoClang, strings.Join(append(refused, looked), "; "), installHint)
}

// named returns the compiler that YOLK_CLANG names.
func (e *Env) named(ctx context.Context, name string) (*Clang, error) {
	switch {
	case filepath.IsAbs(name):
		return e.probe(ctx, name)
	case filepath.Base(name) != name || name == "." || name == "..":
		return nil, errors.New("neither an absolute path nor a plain name")
	}
	paths := e.find(name)
	if len(paths) == 0 {
		return nil, fmt.Errorf("not in %s", strings.Join(e.dirs(), string(filepath.ListSeparator)))
	}
	return e.probe(ctx, paths[0])
}

// versionLine matches the version in the output of a clang of any vendor.
var versionLine = regexp.MustCompile(`(?m)^.*\bclang version (\d+)\.(\d+)(?:\.(\d+))?.*$`)

// probe asks the program at path for its version. Answers are remembered,
// failures are not: they may be those of a busy machine.
func (e *Env) probe(ctx context.Context, path string) (*Clang, error) {
	info, err := program(path)
	if err != nil {
		return nil, err
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	id := Identity{Path: resolved, Size: info.Size(), ModTime: info.ModTime().UnixNano()}
	line, ok := e.remembered(id)
	if !ok {
		if line, err = e.askVersion(ctx, path); err != nil {
			return nil, err
		}
	}
	m := versionLine.FindStringSubmatch(line)
	if m == nil {
		return nil, fmt.Errorf("says %.100q, which is no clang version", line)
	}
	id.Version = strings.TrimSpace(m[0])
	return e.usable(path, id)
}

// usable remembers the version in id and returns the compiler, unless it is too old.
func (e *Env) usable(path string, id Identity) (*Clang, error) {
	m := versionLine.FindStringSubmatch(id.Version)
	if m == nil {
		return nil, fmt.Errorf("says %.100q, which is no clang version", id.Version)
	}
	e.Remember(id)
	c := &Clang{env: e, path: path, id: id}
	for i := range c.version {
		c.version[i], _ = strconv.Atoi(m[1+i]) // digits; a missing patch counts as 0
	}
	if c.version[0] < oldestClang {
		return nil, fmt.Errorf("clang %d.%d.%d is too old, %s", c.version[0], c.version[1], c.version[2], installHint)
	}
	return c, nil
}

// askVersion returns what the program at path prints for --version.
func (e *Env) askVersion(ctx context.Context, path string) (string, error) {
	limited, cancel := context.WithTimeout(ctx, e.probeLimit)
	defer cancel()
	// The root directory: a fixed place without surprises, and --version writes nothing.
	stdout, stderr, err := run(limited, string(filepath.Separator), nil, path, "--version")
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case limited.Err() != nil && err != nil:
		return "", fmt.Errorf("no answer to --version within %v", e.probeLimit)
	case err != nil:
		return "", fmt.Errorf("--version: %w: %s", err, strings.TrimSpace(stderr))
	case strings.TrimSpace(stdout) == "":
		return "", errors.New("--version prints nothing")
	}
	return stdout, nil
}
