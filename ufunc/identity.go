package ufunc

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/native"
)

// A kernel's identity is a text that says everything that decides its code; equal texts make equal kernels. What follows writes its parts.
// A field of config that it leaves out must not change the code: a test holds the list of those.

// identity is the part of the options; ok is false if they hold what no text can say.
func (c *config) identity() (text string, ok bool) {
	if c.check || len(c.ops) > 0 || c.rules.ID() == "" {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "tolerance %v %x\nlicences %d\nrules %s\ntarget %q\n", c.tolerance.Unit, c.tolerance.Value, c.licences, c.rules.ID(), c.target)
	fmt.Fprintf(&b, "strict %t\nportable %t\nmasked %t\ntune %t\n", c.strict, c.portable, c.masked, c.tune)
	if c.costs != nil {
		fmt.Fprintf(&b, "costs %v\n", *c.costs)
	}
	return b.String(), true
}

// domains is the part of the options that becomes a part of the function.
func (c *config) domains() string {
	var b strings.Builder
	if c.all != nil {
		fmt.Fprintf(&b, "all %v", *c.all)
	}
	for _, i := range slices.Sorted(maps.Keys(c.one)) {
		fmt.Fprintf(&b, " %d %v", i, c.one[i])
	}
	return b.String()
}

// sourceIdentity says which function of this program fn is, and what else decides what the front end makes of it; empty for functions that have to be
// looked at each time. Those are closures, whose captured values no text can say, traced functions, which may read whatever they like when they
// are traced, and functions whose source the program brings along.
func sourceIdentity(fn any, dtype DType, ndim int, c *config) string {
	v := reflect.ValueOf(fn)
	if traced(v.Type()) || c.source != nil || len(c.ops) > 0 || len(c.binds) > 0 {
		return ""
	}
	f := runtime.FuncForPC(v.Pointer())
	if f == nil || f.Entry() != v.Pointer() || !declared(f.Name()) {
		return ""
	}
	// Addresses change from run to run, their distances do not. They tell instances of a generic function apart, which share a name.
	distance := int64(v.Pointer()) - int64(reflect.ValueOf(sourceIdentity).Pointer())
	return fmt.Sprintf("function %s at %d, %v\nname %q\ndtype %v\nndim %d\ndomains %s\n", f.Name(), distance, v.Type(), c.name, dtype, ndim, c.domains())
}

// declared reports whether the symbol is that of a function declaration and not of a literal, a method or a method value.
func declared(symbol string) bool {
	_, name, _ := strings.Cut(path.Base(strings.ReplaceAll(symbol, "[...]", "")), ".")
	return name != "" && !strings.ContainsAny(name, ".-")
}

// kernelIdentity is a kernel's identity but for the compiler; ok is false if there is none.
func (k *Kernel) kernelIdentity(target native.Target) (text string, ok bool) {
	options, ok := k.config.identity()
	if !ok || k.config.noCache || library() == "" || !elementaryOnly(k.input.AllDefs()) {
		return "", false
	}
	return fmt.Sprintf("name %q\ntarget %s\nyolk %s\nmachine %+v\nlevel %d\nlimits %+v\n%sdims %d\n%v",
		k.name, target.Name, library(), target, optLevel, compiler.DefaultLimits, options, k.sig.Dims, k.input), true
}

// elementaryOnly reports whether a function calls no operation of the program's own: no text can say what one means.
func elementaryOnly(defs []*ir.Def) bool {
	if len(defs) == 0 {
		return true
	}
	known := elementary.Defs()
	return !slices.ContainsFunc(defs, func(d *ir.Def) bool { return !slices.Contains(known, d) })
}

// library tells one version of this library from another. A released one is its version with the checksum of its source; for others it is the
// program that it is part of.
var library = sync.OnceValue(func() string {
	const module = "github.com/go-yolk/yolk"
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, d := range info.Deps {
			if d.Path == module && d.Replace == nil && d.Sum != "" {
				return d.Version + " " + d.Sum + " " + runtime.Version()
			}
		}
	}
	return program()
})

// program tells one executable from another: the identity that the linker has put into it, or the file's size and time of change.
var program = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	head := make([]byte, 64<<10) // the linker puts it near the beginning
	n, _ := io.ReadFull(f, head)
	return cmp.Or(buildID(head[:n]), fmt.Sprintf("%s %d %d", name, info.Size(), info.ModTime().UnixNano()))
})

// buildID finds Go's build ID in the first bytes of an executable: at the start of the program's text or, in ELF files, in a note.
func buildID(head []byte) string {
	const marker = "\xff Go build ID: \""
	if i := bytes.Index(head, []byte(marker)); i >= 0 {
		if id, _, ok := bytes.Cut(head[i+len(marker):], []byte("\"\n \xff")); ok {
			return string(id)
		}
	}
	note := []byte("\x04\x00\x00\x00Go\x00\x00") // type 4 of the owner Go
	if i := bytes.Index(head, note); i >= 4 {
		size := int(binary.NativeEndian.Uint32(head[i-4:]))
		if rest := head[i+len(note):]; size > 0 && size <= len(rest) {
			return string(rest[:size])
		}
	}
	return ""
}
