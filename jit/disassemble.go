package jit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// ErrNoDisassembler means that there is no objdump. The wrapping error lists the
// names tried and where.
var ErrNoDisassembler = errors.New("jit: no disassembler")

// Disassemble returns the instructions of a function of the object, one a line,
// each behind its offset from the start of the function (hexadecimal), and after it
// those of the object's other functions, each below its name and a colon. x86
// instructions are in Intel's syntax. It uses the newest of llvm-objdump-30, ...,
// llvm-objdump-16, llvm-objdump and objdump in the absolute directories of PATH;
// the text depends on which one that is, and on nothing else outside the object.
func Disassemble(ctx context.Context, env *Env, o Object, symbol string) (string, error) {
	if err := checkSymbol(symbol); err != nil {
		return "", err
	}
	if strings.Contains(o.Target, "-apple-") {
		symbol = "_" + symbol // Mach-O decorates C names
	}
	names := append(numbered("llvm-objdump"), "llvm-objdump", "objdump")
	path, ok := env.findFirst(names)
	if !ok {
		return "", fmt.Errorf("%w: looked for %s to %s, llvm-objdump and objdump in %s", ErrNoDisassembler,
			names[0], names[len(names)-3], strings.Join(env.dirs(), string(filepath.ListSeparator)))
	}
	args := []string{"-d", "--no-show-raw-insn"}
	if strings.HasPrefix(o.Target, "x86_64-") {
		args = append(args, "-M", "intel")
	}
	var stdout string
	err := env.withTemp([]file{{libraryFile, o.Code}}, func(dir string) error {
		var stderr string
		var err error
		if stdout, stderr, err = run(ctx, dir, nil, path, append(args, libraryFile)...); err != nil {
			return fmt.Errorf("%s: %w: %s", path, err, strings.TrimSpace(stderr))
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("jit: disassemble: %w", err)
	}
	text, ok := body(stdout, symbol)
	if !ok {
		return "", fmt.Errorf("jit: disassemble: %s finds no function %s", path, symbol)
	}
	return text, nil
}

var (
	headLine        = regexp.MustCompile(`^([0-9a-f]+) <(.*)>:$`)
	instructionLine = regexp.MustCompile(`^ *([0-9a-f]+):\s+(.*)$`)
)

// body cuts the functions out of the listing of an objdump, the one named first.
func body(listing, symbol string) (text string, ok bool) {
	var first, others strings.Builder
	to := &others
	var start uint64
	for line := range strings.Lines(listing) {
		line = strings.TrimRight(line, "\r\n")
		if m := headLine.FindStringSubmatch(line); m != nil {
			start, _ = strconv.ParseUint(m[1], 16, 64)
			if to = &others; m[2] == symbol {
				to, ok = &first, true
			} else {
				fmt.Fprintf(to, "\n%s:\n", m[2])
			}
			continue
		}
		if m := instructionLine.FindStringSubmatch(line); m != nil {
			addr, _ := strconv.ParseUint(m[1], 16, 64)
			name, operands, _ := strings.Cut(strings.Join(strings.Fields(m[2]), " "), " ")
			fmt.Fprintln(to, strings.TrimRight(fmt.Sprintf("%6x  %-7s %s", addr-start, name, operands), " "))
		}
	}
	if !ok {
		return "", false
	}
	return first.String() + others.String(), true
}
