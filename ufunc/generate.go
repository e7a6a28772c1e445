package ufunc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
)

// Generated is what [Generate] makes of the kernels of a package.
type Generated struct {
	Files   map[string][]byte // the manifest and the libraries, by name
	Targets []GeneratedFor
	Header  string   // for C
	Kernels []string // for people
	Notes   []string // what was left out, and why
}

// GeneratedFor is the library for one target.
type GeneratedFor struct {
	OS, Arch string // in Go's words
	File     string
}

// Generate compiles the kernels that the initialisation of the package that calls it has asked for ahead of time, for targets such as x86-64-v3 or
// darwin/arm64. The command yolk gen calls it, in a program that it makes for that. A target that ends in "?" is left out, with a
// note, where nothing can link for it. program says that the package is called main.
//
// The same package, compiler and linker give the same bytes. Errors wrap ErrEmbedded, ErrNoClang or a *jit.BuildError, or are those of
// [Kernel.Prepare].
func Generate(ctx context.Context, program bool, targets ...string) (*Generated, error) {
	stack := callers()
	pkg := stack.pkg()
	kernels, err := aheadOf(pkg)
	if err != nil {
		return nil, err
	}
	clang, err := jit.FindClang(ctx, process.env)
	if err != nil {
		return nil, err
	}
	g := &Generated{Files: map[string][]byte{}, Header: header(pkg, kernels)}
	m := manifest{Format: manifestFormat, Main: program}
	for _, k := range kernels {
		m.Kernels = append(m.Kernels, k.a)
	}
	for _, spelled := range targets {
		spelled, optional := strings.CutSuffix(spelled, "?")
		object, err := compileAhead(ctx, clang, kernels, spelled)
		if failed := (*jit.BuildError)(nil); optional && errors.As(err, &failed) && failed.Step == "link" {
			g.Notes = append(g.Notes, fmt.Sprintf("no code for %s: there is no linker for it", spelled))
			continue
		}
		if err != nil {
			return nil, err
		}
		if object == nil {
			continue // nothing but interpreted kernels
		}
		goos, target, err := unspell(spelled)
		if err != nil {
			return nil, err
		}
		l := &parcel{Target: spelled, File: goos + "_" + target.Name + ".kernels", SHA256: digest(object)}
		m.Libraries = append(m.Libraries, l)
		g.Files[l.File] = object
		arch := "amd64"
		if target.Name == "arm64" {
			arch = "arm64"
		}
		g.Targets = append(g.Targets, GeneratedFor{goos, arch, l.File})
	}
	for _, k := range kernels {
		g.Kernels = append(g.Kernels, k.String())
	}
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return nil, err
	}
	g.Files[manifestFile] = append(text, '\n')
	return g, nil
}

// pending is a kernel about to be compiled ahead of time.
type pending struct {
	*Kernel
	a *aheadKernel
}

func (p pending) String() string {
	how := "as " + p.a.Symbol
	if len(p.a.Code) == 0 {
		how = "interpreted: " + errStrict.Error()
	}
	return fmt.Sprintf("%v %s", p.a.bond, how)
}

// aheadOf lists the kernels of a package, each once, in an order of their own.
func aheadOf(pkg string) ([]pending, error) {
	var list []pending
	for _, k := range embedded.kernelsOf(pkg) {
		b, err := k.bond()
		switch {
		case err != nil:
		case k.noSource != nil:
			err = k.noSource
		case k.goFunc != nil:
			err = k.goFunc.why
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.origin.trace.line(), err)
		}
		a := &aheadKernel{bond: b, Rules: k.config.rules.ID(), Input: nameless(k.input), Code: map[string]string{}}
		if i := slices.IndexFunc(list, func(p pending) bool { return p.a.bond == b }); i >= 0 {
			if other := list[i]; other.a.Input != a.Input || other.a.Rules != a.Rules {
				return nil, fmt.Errorf("%s: %w: the kernel %v is another one than that of %s: give one of them another name with the option Name",
					k.origin.trace.line(), ErrEmbedded, b, other.origin.trace.line())
			}
			continue
		}
		list = append(list, pending{k, a})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: no variable of package %s is made by Vectorize", ErrEmbedded, pkg)
	}
	slices.SortStableFunc(list, func(p, q pending) int {
		return cmp.Or(cmp.Compare(p.a.bond.String(), q.a.bond.String()), cmp.Compare(p.a.Options, q.a.Options))
	})
	taken := map[string]bool{}
	for _, p := range list {
		symbol := cName(pkg, p.a.bond)
		for n := 2; taken[symbol]; n++ {
			symbol = fmt.Sprintf("%s_%d", cName(pkg, p.a.bond), n)
		}
		taken[symbol] = true
		p.a.Symbol = symbol
	}
	return list, nil
}

// compileAhead makes the library for a target.
func compileAhead(ctx context.Context, clang *jit.Clang, kernels []pending, spelled string) ([]byte, error) {
	_, target, err := unspell(spelled)
	if err != nil {
		return nil, err
	}
	var relocatables [][]byte
	for _, k := range kernels {
		text, program, err := k.emitAhead(ctx, target, k.a.symbols())
		if errors.Is(err, errStrict) {
			continue
		}
		if err != nil {
			return nil, err
		}
		object, err := clang.Compile(ctx, text, compileOptions(target, program))
		if err != nil {
			return nil, fmt.Errorf("ufunc: %s for %s: %w", k.name, spelled, err)
		}
		relocatables = append(relocatables, object)
		k.a.Code[spelled] = digest([]byte(text))
	}
	if len(relocatables) == 0 {
		return nil, nil
	}
	object, err := clang.LinkAll(ctx, relocatables, linkOptions(target))
	if err != nil {
		for _, k := range kernels {
			delete(k.a.Code, spelled)
		}
		return nil, fmt.Errorf("ufunc: %s: %w", spelled, err)
	}
	return object.Code, nil
}

// cName is the name of the C function: package, function, type, and the number of dimensions if there are several.
func cName(pkg string, b bond) string {
	name := b.Name
	if name == "" {
		_, name = splitSymbol(strings.ReplaceAll(b.Func, "[...]", ""))
		name = strings.TrimPrefix(name, ".")
	}
	if pkg == "main" {
		pkg = ""
	}
	name = path.Base(pkg) + "_" + name + "_" + goName(b.DType)
	if b.NDim > 1 {
		name += fmt.Sprintf("_%dd", b.NDim)
	}
	return strings.TrimLeft(strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name), "_0123456789")
}

// goName is what Go calls the element type with that name.
func goName(dtype string) string {
	t, err := ir.ParseType(dtype)
	if err != nil {
		return ""
	}
	return t.GoName()
}

// header declares the kernels for C.
func header(pkg string, kernels []pending) string {
	guard := "YOLK_" + strings.ToUpper(strings.TrimRight(cName(pkg, bond{}), "_")) + "_H"
	var b bytes.Buffer
	fmt.Fprintf(&b, `/* Code generated by yolk gen; DO NOT EDIT.

   Kernels as inner loops of NumPy's ufuncs (PyUFuncGenericFunction of numpy/ufuncobject.h): args are the first elements of the inputs,
   then of the outputs, aligned to their elements; dimensions[0] is their number; steps are the distances of elements in bytes, of
   any sign, 0 for inputs only; data is not used. An output may be exactly an input; other overlaps are not allowed.

   A kernel of n dimensions is the loop of a generalised ufunc with n-1 core dimensions, the same for every operand: dimensions has n
   numbers, outermost first, and the outer steps are followed by the n-1 core steps of each operand. */
#ifndef %s
#define %s

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
`, guard, guard)
	for _, k := range kernels {
		fmt.Fprintf(&b, "\n/* %s */\nvoid %s(char **args, const intptr_t *dimensions, const intptr_t *steps, void *data);\n",
			strings.ReplaceAll(k.signature(), "*/", "* /"), k.a.Symbol)
	}
	fmt.Fprintf(&b, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String()
}

// signature says what a C programmer wants to know.
func (p pending) signature() string {
	var types []string
	for _, t := range p.sig.Types {
		types = append(types, t.GoName())
	}
	text := fmt.Sprintf("%s: %s -> %s", strings.TrimPrefix(cmp.Or(p.a.Name, p.a.Func), "."),
		strings.Join(types[:p.sig.Inputs], ", "), strings.Join(types[p.sig.Inputs:], ", "))
	if p.sig.Dims > 1 {
		text += fmt.Sprintf(", %d dimensions", p.sig.Dims)
	}
	return text
}
