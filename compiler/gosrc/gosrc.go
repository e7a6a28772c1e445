// Package gosrc is the front end for ordinary Go functions: it finds the source text of a function value, checks its types and
// translates its body: branches, loops and calls of other functions of the package included.
//
// In goes a Go function of scalars (floats, integers, bools); out comes a verified *ir.Func that has every operation where the
// source has it, with Go's rules for constants. What the language of kernels lacks is refused with the position of the construct and
// what to write instead. The text on disk need not be what was compiled: [Compare] holds the program against the function
// itself. The package knows the functions of packages math, math/bits and ufunc by name, users' operations by the functions that [Options] binds to them,
// and nothing of machines and rules.
package gosrc

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"

	"github.com/go-yolk/yolk/compiler/ir"
)

// The errors that Load and Compare wrap.
var (
	ErrUnsupported = errors.New("gosrc: not in the language of kernels")      // the text says why and where
	ErrSource      = errors.New("gosrc: no usable source")                    // not found, not Go, or not this function's
	ErrEndless     = errors.New("gosrc: a loop does not end")                 // what Compare takes for an answer
	ErrDiffers     = fmt.Errorf("%w: it is not what was compiled", ErrSource) // Compare
)

// Options says where to look and what is known.
type Options struct {
	Source fs.FS          // where to read source files instead of the machine's disk: an embed.FS with the package's files, for example
	Facts  []ir.Fact      // of the parameters, in order; nil: nothing is known
	Name   string         // of the program; empty: the function's, or file:line of a literal
	Calls  []Call         // users' operations, by the Go functions that stand for them
	Binds  map[string]any // the values of variables from outside of the function, by name
}

// Load translates the Go function fn: parameters and results of float32, float64, bool or an integer type of fixed size. A generic function is passed
// instantiated. Its source is read from where the compiler found it; a program built with -trimpath needs to run inside its module, or o.Source.
func Load(fn any, o Options) (*ir.Func, error) {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return nil, fmt.Errorf("%w: %T is no function", ErrUnsupported, fn)
	}
	sig, err := signatureOf(v.Type())
	if err != nil {
		return nil, err
	}
	if o.Facts != nil && len(o.Facts) != len(sig.params) {
		return nil, fmt.Errorf("%w: %d facts for %d parameters", ErrUnsupported, len(o.Facts), len(sig.params))
	}
	sym := symbolOf(v.Pointer())
	ops, err := bind(o.Calls)
	if err != nil {
		return nil, err
	}
	if d := ops.def(sym.pkg, sym.name); d != nil {
		if o.Name == "" {
			o.Name = d.Name
		}
		return single(func(b *ir.Builder, args []ir.Value) (ir.Value, error) { return b.Call(d, args...) }, sig, o)
	}
	if f, ok := functions[sym.name]; ok && (sym.pkg == mathPath || sym.pkg == ufuncPath) {
		if text := f.unlike(sym.pkg, sym.name); text != "" {
			return nil, fmt.Errorf("%w: %s", ErrUnsupported, text)
		}
		if o.Name == "" {
			o.Name = sym.name
		}
		return single(func(b *ir.Builder, args []ir.Value) (ir.Value, error) {
			if f.def != nil {
				return b.Call(f.def, args...)
			}
			return b.Emit(f.op, ir.Invalid, args...)
		}, sig, o)
	}
	if err := sym.refused(); err != nil {
		return nil, err
	}
	src, err := open(sym.file, o.Source)
	if err != nil {
		return nil, err
	}
	return load(src, sym, sig, ops, o)
}

// load is Load without run-time information: it finds sym in src. The file alone is tried first; the package's other files are
// read only where it does not suffice.
func load(src *source, sym symbol, sig signature, ops operations, o Options) (*ir.Func, error) {
	u, err := parse(src)
	if err != nil {
		return nil, err
	}
	u.ops = ops
	u.check(sym.pkg)
	f, err := u.translate(sym, sig, o)
	if err == nil {
		return f, nil
	}
	if _, err2 := u.parseSiblings(src); err2 != nil {
		return nil, errors.Join(err, err2)
	}
	u.complete = true
	u.check(sym.pkg)
	return u.translate(sym, sig, o)
}

// single is the program of one library function, or of a user's operation.
func single(emit func(b *ir.Builder, args []ir.Value) (ir.Value, error), sig signature, o Options) (*ir.Func, error) {
	b := ir.NewBuilder(o.Name)
	var args []ir.Value
	for i, t := range sig.params {
		args = append(args, b.Param(fmt.Sprintf("x%d", i), t, o.fact(i)))
	}
	v, err := emit(b, args)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnsupported, o.Name, err)
	}
	b.Return(v)
	return b.Func(), nil
}

func (o Options) fact(i int) ir.Fact {
	if o.Facts == nil {
		return ir.Unknown
	}
	return o.Facts[i]
}

// signature is the type of the function value: what the source must agree with.
type signature struct{ params, results []ir.Type }

func signatureOf(t reflect.Type) (signature, error) {
	var sig signature
	if t.IsVariadic() {
		return sig, fmt.Errorf("%w: %v is variadic", ErrUnsupported, t)
	}
	for i := range t.NumIn() {
		k, ok := kinds[t.In(i).Kind()]
		if !ok {
			return sig, fmt.Errorf("%w: parameter %d of %v is %v; want "+wanted, ErrUnsupported, i, t, t.In(i))
		}
		sig.params = append(sig.params, k)
	}
	for i := range t.NumOut() {
		k, ok := kinds[t.Out(i).Kind()]
		if !ok {
			return sig, fmt.Errorf("%w: result %d of %v is %v; want "+wanted, ErrUnsupported, i, t, t.Out(i))
		}
		sig.results = append(sig.results, k)
	}
	if len(sig.results) == 0 {
		return sig, fmt.Errorf("%w: %v has no result", ErrUnsupported, t)
	}
	return sig, nil
}

// TypeOf is the type that values of a Go type have in programs; false if they cannot be there.
func TypeOf(t reflect.Type) (ir.Type, bool) {
	k, ok := kinds[t.Kind()]
	return k, ok
}

// wanted is what parameters and results may be.
const wanted = "a float, an integer of fixed size or a bool"

var kinds = map[reflect.Kind]ir.Type{
	reflect.Float32: ir.Float32, reflect.Float64: ir.Float64, reflect.Bool: ir.Bool,
	reflect.Int8: ir.Int8, reflect.Int16: ir.Int16, reflect.Int32: ir.Int32, reflect.Int64: ir.Int64,
	reflect.Uint8: ir.Uint8, reflect.Uint16: ir.Uint16, reflect.Uint32: ir.Uint32, reflect.Uint64: ir.Uint64,
}
