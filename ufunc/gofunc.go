package ufunc

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/gosrc"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// goFunction is the Go function of a kernel whose source cannot be read: it is called for each element, unless the kernel was compiled ahead
// of time.
type goFunction struct {
	fn  reflect.Value
	why error // the source cannot be read
}

// callDirectly makes a kernel of the function itself, or returns why there is none. Its program is not known, only its signature.
func (k *Kernel) callDirectly(fn any, dtype DType, why error) error {
	if k.config.mustNative || dtype.Stored() || len(k.config.binds) > 0 || traced(reflect.TypeOf(fn)) {
		return why
	}
	facts, err := k.config.facts(reflect.TypeOf(fn).NumIn())
	if err != nil {
		return err
	}
	b := ir.NewBuilder(k.name)
	t := reflect.TypeOf(fn)
	for i := range t.NumIn() {
		typ, ok := gosrc.TypeOf(t.In(i))
		if !ok {
			return why
		}
		b.Param(fmt.Sprintf("x%d", i), typ, facts[i])
	}
	for i := range t.NumOut() {
		typ, ok := gosrc.TypeOf(t.Out(i))
		if !ok {
			return why
		}
		b.Return(b.Const(typ, 0))
	}
	f := b.Func()
	if len(f.Results) == 0 || f.Params[0].Type != dtype {
		return why
	}
	k.input, k.goFunc = f, &goFunction{reflect.ValueOf(fn), why}
	return nil
}

// errUnknown says that there is nothing to say about a program.
var errUnknown = errors.New("ufunc: the source of the function is not there, so that its program is not known")

// makeDirect prefers code that was compiled ahead of time.
func (k *Kernel) makeDirect(ctx context.Context) (*executor, error) {
	e := &executor{lasting: true, reason: "the Go function itself is called for each element: " + k.goFunc.why.Error()}
	// It may have been registered after the kernel was declared.
	if target, err := k.target(); err == nil && !k.config.check {
		a, err := embedded.find(k)
		if err != nil {
			return nil, err
		}
		if a != nil {
			shipped, err := k.ship(a, target)
			if err != nil {
				process.notice("yolk does not use a kernel that was compiled ahead of time", k.name, err)
			} else if shipped != nil {
				e = shipped
			}
		}
	}
	if e.native == nil {
		process.notice("yolk calls the Go function of a kernel for each element, which is slow", k.name, k.goFunc.why)
	}
	e.run = func() (*compiler.Run, error) { return nil, fmt.Errorf("%w: %w", errUnknown, k.goFunc.why) }
	e.summary = func() (*Report, error) {
		return &Report{Name: k.name, NDim: k.sig.Dims, Target: e.target.Name}, nil
	}
	return e, ctx.Err()
}

// call calls the Go function for each element of a block.
func (d *goFunction) call(sig *operand.Signature, b *operand.Block) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(error); ok && strings.Contains(e.Error(), "integer divide by zero") {
				err = ErrDivide
				return
			}
			panic(r)
		}
	}()
	switch fn := d.fn.Interface().(type) {
	case func(float32) float32:
		in, out := b.Float32(0), b.Float32(1)
		for i, x := range in {
			out[i] = fn(x)
		}
		return nil
	case func(float64) float64:
		in, out := b.Float64(0), b.Float64(1)
		for i, x := range in {
			out[i] = fn(x)
		}
		return nil
	}
	columns := make([]reflect.Value, len(sig.Types))
	for i, t := range sig.Types {
		switch t {
		case Float32:
			columns[i] = reflect.ValueOf(b.Float32(i))
		case Float64:
			columns[i] = reflect.ValueOf(b.Float64(i))
		case Bool:
			columns[i] = reflect.ValueOf(b.Bool(i))
		default:
			columns[i] = reflect.ValueOf(b.Ints(i))
		}
	}
	args := make([]reflect.Value, sig.Inputs)
	for i := range b.Len {
		for j := range args {
			args[j] = columns[j].Index(i).Convert(d.fn.Type().In(j))
		}
		for j, r := range d.fn.Call(args) {
			out := columns[sig.Inputs+j]
			out.Index(i).Set(r.Convert(out.Type().Elem()))
		}
	}
	return nil
}
