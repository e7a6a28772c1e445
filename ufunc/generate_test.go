package ufunc

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
)

// collatz has a loop, whose masks LLVM's passes simplify.
func collatz(n int32) int32 {
	steps := int32(0)
	for ; n > 1 && steps < 1000; steps++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return steps
}

// What is compiled ahead of time is, instruction by instruction, what is compiled at the first call.
func TestAheadAsAtTheFirstCall(t *testing.T) {
	k := Vectorize(collatz, Int32, 1, NoCache()).Kernel()
	target, err := k.target()
	if err != nil {
		t.Skip(err)
	}
	e, err := k.get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	clang, err := jit.FindClang(context.Background(), process.env)
	if err != nil {
		if os.Getenv("YOLK_REQUIRE_NATIVE") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	p := pending{k, &aheadKernel{Symbol: "ahead", Code: map[string]string{}}}
	code, err := compileAhead(context.Background(), clang, []pending{p}, target.Name)
	if err != nil {
		t.Fatal(err)
	}
	ahead := instructions(t, jit.Object{Code: code, Target: target.Triple}, p.a.symbols())
	now := instructions(t, e.object, e.symbols)
	for _, function := range []string{"contiguous", "strided"} {
		if now[function] == "" || ahead[function] != now[function] {
			t.Errorf("%s, ahead of time:\n%s\nat the first call:\n%s", function, ahead[function], now[function])
		}
	}
}

// address matches what depends on the place of the code.
var address = regexp.MustCompile(`0x[0-9a-f]+|#.*|\b[0-9a-f]+ <.*|rip [+-] \d+|(?m:^.* nop .*)`)

// instructions are those of the functions that a kernel consists of, by name.
func instructions(t *testing.T, object jit.Object, names native.Symbols) map[string]string {
	text, err := jit.Disassemble(context.Background(), process.env, object, names.Kernel)
	if errors.Is(err, jit.ErrNoDisassembler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]string{}
	for _, f := range strings.Split(text, "\n\n") {
		name, body, _ := strings.Cut(f, ":\n")
		functions[name] = address.ReplaceAllString(body, "")
	}
	return functions
}
