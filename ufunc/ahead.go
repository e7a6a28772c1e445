package ufunc

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/native"
)

// sentence is the options that tell kernels of one function apart. Rules are in it by name only: whether they have changed is a question of
// freshness, not of identity.
func (c *config) sentence() string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	add("tolerance %v %x", c.tolerance.Unit, c.tolerance.Value)
	add("licences %d", c.licences)
	if d := c.domains(); d != "" {
		add("domain %s", d)
	}
	add("rules %s", c.rules.Name())
	if len(c.without) > 0 {
		add("without %q", slices.Sorted(slices.Values(c.without)))
	}
	for _, o := range c.ops {
		add("op %s", o.def.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.binds)) {
		add("bind %s = %#v", name, c.binds[name])
	}
	if c.costs != nil {
		add("costs %s", digest(fmt.Append(nil, *c.costs))[:16])
	}
	if c.strict {
		add("strict")
	}
	if c.portable {
		add("portable")
	}
	return strings.Join(parts, ", ")
}

// withoutSource makes do without the source of a plain function, or returns what is wrong with it.
func (k *Kernel) withoutSource(wrong error) error {
	a, err := embedded.find(k)
	switch {
	case err != nil:
		return fmt.Errorf("%w; and %w", wrong, err)
	case a == nil:
		return wrong
	}
	k.noSource = wrong
	return k.adopt(a)
}

// adopt takes the function as written from what was compiled ahead of time, where there is no source.
func (k *Kernel) adopt(a *aheadKernel) error {
	defs := elementary.Defs()
	for _, o := range k.config.ops {
		defs = append(defs, o.def)
	}
	f, err := ir.Parse(manifestFile, a.Input, defs...)
	if err != nil {
		return fmt.Errorf("%w: %v: %s: %w", ErrEmbedded, a.from, k.name, err)
	}
	f.Name = k.name
	k.input = f
	return nil
}

// nameless is the text of a function without its name, which is another one in tests of a program.
func nameless(f *ir.Func) string {
	g := *f
	g.Name = ""
	return g.String()
}

// stale says in which way what was compiled ahead of time is not what k is made of now; nil if it is fresh.
func (k *Kernel) stale(a *aheadKernel) error {
	switch {
	case nameless(k.input) != a.Input:
		return fmt.Errorf("%w: %v: the source of %s has changed: run go generate", ErrEmbedded, a.from, k.name)
	case k.config.rules.ID() != a.Rules:
		return fmt.Errorf("%w: %v: the rules of %s have changed: run go generate", ErrEmbedded, a.from, k.name)
	}
	return nil
}

// best is the library with the best code for k that a machine of target t runs, nil if there is none.
func (a *aheadKernel) best(t native.Target) (l *parcel, target native.Target) {
	for _, u := range native.Targets() { // in ascending order
		spelled := spell(runtime.GOOS, u.Name)
		if t.Runs(u) && a.Code[spelled] != "" && a.from.libs[spelled] != nil {
			if on, err := u.On(runtime.GOOS); err == nil {
				l, target = a.from.libs[spelled], on
			}
		}
	}
	return l, target
}

// ship loads code that was compiled ahead of time; nil if there is none for this machine.
func (k *Kernel) ship(a *aheadKernel, t native.Target) (*executor, error) {
	l, target := a.best(t)
	if l == nil {
		return nil, nil
	}
	e := &executor{target: target, lasting: true, symbols: a.symbols()}
	e.reason = fmt.Sprintf("embedded: %s in %v", l.File, a.from)
	s, err := timed("load", func() (before, after string, err error) {
		if err := l.open(a.from, target.Triple); err != nil {
			return "", "", err
		}
		e.object = l.object
		e.native, err = l.lib.Kernel(e.symbols.Kernel)
		return size(len(e.object.Code)), "native code", err
	})
	if err != nil {
		return nil, err
	}
	e.stages = append(e.stages, s)
	// The compiler is deterministic: what it made then it makes again, if it is the same.
	e.run = sync.OnceValues(func() (*compiler.Run, error) { return k.optimise(context.Background(), target, nil) })
	e.summary = func() (*Report, error) {
		run, err := e.run()
		if err != nil {
			return nil, err
		}
		return k.summary(e, run), nil
	}
	return e, nil
}

// spell is a target and a system in one word: linux goes without saying.
func spell(goos, target string) string {
	if goos == "linux" {
		return target
	}
	return goos + "/" + target
}

// unspell is the other side of spell.
func unspell(s string) (goos string, t native.Target, err error) {
	goos, name, ok := strings.Cut(s, "/")
	if !ok {
		goos, name = "linux", s
	}
	if t, err = native.Lookup(name); err == nil {
		t, err = t.On(goos)
	}
	return goos, t, err
}

// CheckEmbedded fails a test of a package for which yolk gen has compiled kernels, if they are not what it would compile now: a source or a rule
// has changed, a kernel has been added or removed, or bytes are damaged. It makes every kernel that the package's initialisation asks for again, as
// far as LLVM IR, for all targets: some tenths of a second each. t is a *testing.T.
func CheckEmbedded(t interface {
	Helper()
	Errorf(format string, args ...any)
}) {
	t.Helper()
	stack := callers()
	pkg := strings.TrimSuffix(stack.pkg(), "_test")
	ahead, err := embedded.of(pkg)
	if err != nil {
		t.Errorf("%v", err)
	}
	claimed := map[bond]bool{}
	for _, k := range embedded.kernelsOf(pkg) {
		b, err := k.bond()
		switch {
		case err != nil:
		case claimed[b]: // another kernel of the same function
			continue
		case ahead[b] == nil:
			err = fmt.Errorf("%w: %v is not compiled ahead of time: run go generate", ErrEmbedded, b)
		default:
			err = k.verifyAhead(ahead[b])
		}
		claimed[b] = true
		if err != nil {
			t.Errorf("%v", err)
		}
	}
	var left []string
	for b := range ahead {
		if !claimed[b] {
			left = append(left, fmt.Sprintf("%v: package %s does not make the kernel %v any more: run go generate", ErrEmbedded, pkg, b))
		}
	}
	slices.Sort(left)
	for _, text := range left {
		t.Errorf("%s", text)
	}
}

// verifyAhead compiles k again, as far as LLVM IR.
func (k *Kernel) verifyAhead(a *aheadKernel) error {
	if why := k.noSource; why != nil {
		return fmt.Errorf("%w: %w", ErrEmbedded, why)
	}
	if k.goFunc != nil {
		return fmt.Errorf("%w: %w", ErrEmbedded, k.goFunc.why)
	}
	if err := k.stale(a); err != nil {
		return err
	}
	for _, spelled := range slices.Sorted(maps.Keys(a.Code)) {
		_, target, err := unspell(spelled)
		if err != nil {
			return fmt.Errorf("%w: %v: %w", ErrEmbedded, a.from, err)
		}
		text, _, err := k.emitAhead(context.Background(), target, a.symbols())
		if err != nil {
			return err
		}
		if digest([]byte(text)) != a.Code[spelled] {
			return fmt.Errorf("%w: %v: yolk now makes other code of %s for %s: run go generate", ErrEmbedded, a.from, k.name, spelled)
		}
		if l := a.from.libs[spelled]; l != nil {
			if err := l.intact(a.from); err != nil {
				return err
			}
		}
	}
	return nil
}

// emitAhead makes the LLVM IR of a kernel for a target, and the program that it is of. It wraps errStrict if only the interpreter has the kernel.
func (k *Kernel) emitAhead(ctx context.Context, target native.Target, names native.Symbols) (text string, program *ir.Func, err error) {
	run, err := k.optimise(ctx, target, nil)
	if err != nil {
		if k.onlyInterpreted(run, err) {
			return "", nil, errStrict
		}
		return "", nil, fmt.Errorf("ufunc: %s: %w", k.name, explainFitted(err))
	}
	text, err = native.EmitAs(run.Output, k.sig.Dims, target, names)
	return text, run.Output, err
}
