package ufunc

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"weak"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
)

// ErrEmbedded is wrapped by the errors about kernels that yolk gen has made: what is embedded is damaged, registered twice, or not what the
// program makes of its functions.
var ErrEmbedded = errors.New("ufunc: embedded kernels")

// Embed registers the kernels that yolk gen has compiled for package pkg, by import path: a manifest and libraries. Only the package that yolk gen writes calls it, from
// an init function; as pkg imports that package, its own variables are made later. Nothing is read, checked or loaded before it is needed.
func Embed(pkg string, files fs.FS) {
	stack := callers()
	embedded.register(&shipment{pkg: pkg, where: stack.pkg(), files: files})
}

// embedded is what the generated code of all packages has registered, and the kernels that there are. Registration in init functions leaves no
// other place for it; nothing but Embed and newKernel adds to it.
var embedded = &registry{kernels: map[bond]*aheadKernel{}, broken: map[string]error{}}

type registry struct {
	mu      sync.Mutex
	unread  []*shipment
	kernels map[bond]*aheadKernel
	broken  map[string]error // by package
	main    string           // import path of the package that is called main in programs and not in tests; empty if there is none
	made    []weak.Pointer[Kernel]
	sweep   int // length of made at which the dead ones are dropped
}

// shipment is what one call of Embed brings.
type shipment struct {
	pkg   string
	where string // package of the generated code
	files fs.FS
	libs  map[string]*parcel // by target
}

func (s *shipment) String() string { return "the kernels of package " + s.pkg }

// bond is what ties a kernel that a program makes to one that has been compiled ahead of time. Everything in it can be known without the source.
type bond struct {
	Package string `json:"-"` // of the code that asks for the kernel, as this build spells it
	Func    string // symbol of the function, without Package if it begins with that; empty if there is a Name
	Name    string // as option Name says
	Type    string // of the function, in Go
	DType   string
	NDim    int
	Options string
}

func (b bond) String() string {
	what := b.Func
	if b.Name != "" {
		what = fmt.Sprintf("%q", b.Name)
	}
	return fmt.Sprintf("%s (%s, %s, %d-dimensional)", strings.TrimPrefix(what, "."), b.Type, b.DType, b.NDim)
}

// The manifest is a JSON file beside the libraries. Equal kernels give equal bytes.
const (
	manifestFile   = "manifest.json"
	manifestFormat = 1 // of the manifest, and of what kernels take as arguments
)

type manifest struct {
	Format    int
	Main      bool // the package is a program's
	Kernels   []*aheadKernel
	Libraries []*parcel
}

// aheadKernel is a kernel that has been compiled ahead of time.
type aheadKernel struct {
	bond
	Rules  string            // identity of the rules, for programs that have the source
	Input  string            // the function as written; its name is left out
	Symbol string            // of the C function
	Code   map[string]string // by target: SHA-256 of the LLVM IR that was compiled; none: only the interpreter has the kernel

	from *shipment
}

// symbols are those of the C function and of the kernel beside it.
func (a *aheadKernel) symbols() native.Symbols {
	return native.Symbols{Kernel: a.Symbol + "_kernel", Loop: a.Symbol}
}

// parcel is a shared library with kernels for one target.
type parcel struct {
	Target string // in the spelling of Generate
	File   string
	SHA256 string

	once   sync.Once
	object jit.Object
	lib    *jit.Library
	err    error
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (r *registry) register(s *shipment) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unread = append(r.unread, s)
}

// record remembers that a kernel has been made, for as long as it is used.
func (r *registry) record(k *Kernel) {
	r.mu.Lock()
	defer r.mu.Unlock()
	const least = 64
	if len(r.made) >= max(r.sweep, least) {
		kept := r.made[:0]
		for _, w := range r.made {
			if w.Value() != nil {
				kept = append(kept, w)
			}
		}
		clear(r.made[len(kept):])
		r.made, r.sweep = kept, 2*len(kept)
	}
	r.made = append(r.made, weak.Make(k))
}

// kernelsOf returns the kernels that a package has made in its initialisation, in order.
func (r *registry) kernelsOf(pkg string) []*Kernel {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []*Kernel
	for _, w := range r.made {
		if k := w.Value(); k != nil && k.origin.pkg() == pkg && k.origin.initialising() {
			list = append(list, k)
		}
	}
	return list
}

// find returns the kernel that has been compiled for k ahead of time, nil if there is none.
func (r *registry) find(k *Kernel) (*aheadKernel, error) {
	if k.origin == nil { // made of another kernel
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read()
	if len(r.kernels) == 0 && len(r.broken) == 0 {
		return nil, nil
	}
	b, err := k.bond()
	if b.Package == "main" && r.main != "" {
		b.Package = r.main
	}
	if err := r.broken[b.Package]; err != nil {
		return nil, err
	}
	if err != nil {
		return nil, nil // it cannot be named
	}
	return r.kernels[b], nil
}

// of returns what is embedded for a package, in the order of the manifests.
func (r *registry) of(pkg string) (map[bond]*aheadKernel, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read()
	list := map[bond]*aheadKernel{}
	for b, a := range r.kernels {
		if b.Package == pkg {
			list[b] = a
		}
	}
	return list, r.broken[pkg]
}

// read reads what has been registered since it was called last. The lock is held.
func (r *registry) read() {
	for _, s := range r.unread {
		if err := r.unpack(s); err != nil {
			r.broken[s.pkg] = errors.Join(r.broken[s.pkg], err)
		}
	}
	r.unread = nil
}

func (r *registry) unpack(s *shipment) error {
	text, err := fs.ReadFile(s.files, manifestFile)
	if err != nil {
		return fmt.Errorf("%w: %v: %w", ErrEmbedded, s, err)
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("%w: %v: %s: %w", ErrEmbedded, s, manifestFile, err)
	}
	if m.Format != manifestFormat {
		return fmt.Errorf("%w: %v has format %d, this yolk reads %d: run go generate", ErrEmbedded, s, m.Format, manifestFormat)
	}
	if m.Main {
		r.main = s.pkg
	}
	s.libs = map[string]*parcel{}
	for _, l := range m.Libraries {
		s.libs[l.Target] = l
	}
	for _, a := range m.Kernels {
		a.Package, a.from = s.pkg, s
		if had := r.kernels[a.bond]; had != nil {
			return fmt.Errorf("%w: %v is registered twice, by %s and by %s", ErrEmbedded, a.bond, had.from.where, s.where)
		}
		r.kernels[a.bond] = a
	}
	return nil
}

// open maps the library into the process, once.
func (l *parcel) open(s *shipment, triple string) error {
	l.once.Do(func() {
		code, err := l.read(s)
		if err != nil {
			l.err = err
			return
		}
		l.object = jit.Object{Code: code, Target: triple}
		if l.lib, err = jit.Open(l.object); err != nil {
			l.err = fmt.Errorf("%w: %v: %s: %w", ErrEmbedded, s, l.File, err)
		}
	})
	return l.err
}

// read returns the library's bytes, if they are those that were compiled.
func (l *parcel) read(s *shipment) ([]byte, error) {
	code, err := fs.ReadFile(s.files, l.File)
	if err == nil && digest(code) != l.SHA256 {
		err = errors.New("its bytes are not those that were compiled (SHA-256)")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v: %s: %w", ErrEmbedded, s, l.File, err)
	}
	return code, nil
}

// intact checks the bytes, if this platform's program has them.
func (l *parcel) intact(s *shipment) error {
	if _, err := l.read(s); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// origin is where in a program a kernel was asked for, and for which function.
type origin struct {
	trace callStack
	fn    string // symbol of the function
	typ   string
	dtype DType
}

func (o *origin) pkg() string        { return o.trace.pkg() }
func (o *origin) initialising() bool { return o.trace.initialising() }

// callStack is the callers of this package, innermost first, as far as it goes.
type callStack [12]uintptr

func callers() (c callStack) {
	runtime.Callers(2, c[:])
	return c
}

// visit shows the frames outside of this package.
func (c *callStack) visit(show func(f runtime.Frame, pkg, name string) (more bool)) {
	frames := runtime.CallersFrames(c[:])
	for {
		f, more := frames.Next()
		pkg, name := splitSymbol(f.Function)
		if pkg != selfPackage && f.Function != "" && !show(f, pkg, name) || !more {
			return
		}
	}
}

const selfPackage = "github.com/go-yolk/yolk/ufunc"

// splitSymbol splits a symbol into the path of its package and the rest.
func splitSymbol(symbol string) (pkg, name string) {
	slash := strings.LastIndexByte(symbol, '/') + 1
	dot := strings.IndexByte(symbol[slash:], '.')
	if dot < 0 {
		return symbol, ""
	}
	pkg = symbol[:slash+dot]
	if path, err := url.PathUnescape(pkg); err == nil { // dots, for example, are escaped
		pkg = path
	}
	return pkg, symbol[slash+dot+1:]
}

// pkg is the package whose code called this one.
func (c *callStack) pkg() (pkg string) {
	c.visit(func(_ runtime.Frame, p, _ string) bool { pkg = p; return false })
	return pkg
}

// line is where it did.
func (c *callStack) line() (line string) {
	c.visit(func(f runtime.Frame, _, _ string) bool { line = fmt.Sprintf("%s:%d", f.File, f.Line); return false })
	return line
}

// initialising reports whether that was in the initialisation of the package, and not in a file of tests.
func (c *callStack) initialising() (yes bool) {
	pkg := c.pkg()
	first := true
	c.visit(func(f runtime.Frame, p, name string) bool {
		if first && strings.HasSuffix(f.File, "_test.go") {
			return false
		}
		first = false
		yes = p == pkg && (name == "init" || strings.HasPrefix(name, "init."))
		return !yes
	})
	return yes
}

// bond returns what ties the kernel to one that was compiled ahead of time; an error says why nothing can.
func (k *Kernel) bond() (bond, error) {
	o := k.origin
	b := bond{Package: o.pkg(), Name: k.config.name, Type: o.typ, DType: o.dtype.String(), NDim: k.sig.Dims, Options: k.config.sentence()}
	if b.Name != "" {
		return b, nil
	}
	if !declared(o.fn) {
		return b, fmt.Errorf("%w: %s is a function literal, which has no name to find it by: give it one with the option Name", ErrEmbedded, k.name)
	}
	b.Func = o.fn
	if pkg, name := splitSymbol(o.fn); pkg == b.Package {
		b.Func = "." + name
	}
	return b, nil
}
