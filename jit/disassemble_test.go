package jit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/internal/golden"
)

// Listings of both families of objdump, cut to one function.
func TestBody(t *testing.T) {
	for _, name := range []string{"llvm-objdump", "gnu-objdump"} {
		listing, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		text, ok := body(string(listing), "second")
		if !ok {
			t.Errorf("%s: no function found", name)
		}
		golden.Check(t, "testdata/"+name+".golden", text)
		if text, ok := body(string(listing), "third"); ok || text != "" {
			t.Errorf("%s: found a function that is not there: %q", name, text)
		}
	}
}

func TestDisassemble(t *testing.T) {
	object := build(t, doubleLL+"\ndefine i32 @other(i32 %x) {\n  %y = udiv i32 %x, 7\n  ret i32 %y\n}\n")
	for _, program := range []string{"", "objdump"} {
		env := NewEnv(nil)
		if program != "" { // GNU's, if that is what is installed under the name
			path, ok := env.findFirst([]string{program})
			if !ok {
				continue
			}
			dir := t.TempDir()
			if err := os.Symlink(path, filepath.Join(dir, program)); err != nil {
				t.Fatal(err)
			}
			env = variables("PATH", dir)
		}
		text, err := Disassemble(context.Background(), env, object, kernelSymbol)
		if errors.Is(err, ErrNoDisassembler) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if !strings.HasPrefix(lines[0], "0  ") || strings.Count(text, "ret") < 1 || !strings.Contains(text, "\nother:\n") || strings.Contains(text, "yolk-") {
			t.Errorf("not the body of %s and of the other function:\n%s", kernelSymbol, text)
		}
		again, err := Disassemble(context.Background(), env, object, kernelSymbol)
		if err != nil || again != text {
			t.Errorf("second run (%v):\n%s\nfirst run:\n%s", err, again, text)
		}
		if _, err := Disassemble(context.Background(), env, object, "missing"); err == nil || !strings.Contains(err.Error(), "no function missing") {
			t.Errorf("missing function: error %v", err)
		}
	}
}

func TestDisassembleErrors(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	_, err := Disassemble(context.Background(), variables("PATH", dir+":."), Object{}, kernelSymbol)
	want := "jit: no disassembler: looked for llvm-objdump-30 to llvm-objdump-16, llvm-objdump and objdump in " + dir
	if !errors.Is(err, ErrNoDisassembler) || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	fake(t, dir, "objdump", "echo not an object >&2; exit 1")
	for _, c := range []struct{ name, symbol, want string }{
		{"failing program", kernelSymbol, filepath.Join(dir, "objdump") + ": exit status 1: not an object"},
		{"bad symbol", "a;b", `contains ';'`},
	} {
		if _, err := Disassemble(context.Background(), variables("PATH", dir, "TMPDIR", temp), Object{}, c.symbol); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", c.name, err, c.want)
		}
	}
	expectEmpty(t, temp)
}
