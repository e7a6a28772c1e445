package ufunc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-yolk/yolk/compiler/gosrc"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/compiler/trace"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// Kernel is a vectorised function. It is safe for concurrent use.
type Kernel struct {
	*function
	config *config
	origin *origin
	plans  sync.Pool   // of *operand.Plan
	told   atomic.Bool // the report has been written to config.report

	divisions sync.Pool // of *division

	maskOnce sync.Once
	withMask *Kernel // for calls with a mask

	folds folding
}

// function is what the front end makes of a Go function. Kernels of the same function with the same options share it.
type function struct {
	name     string
	input    *ir.Func    // the function as written
	goFunc   *goFunction // nil unless the source of the function is missing
	noSource error       // why that had to be taken from what is embedded
	sig      operand.Signature
	frontend stage
	code     *code
}

// blockLen is how many elements the interpreter takes at a time: columns of a few operands stay in the first-level cache.
const blockLen = 2048

func newKernel(fn any, dtype DType, ndim int, opts []Option) (*Kernel, error) {
	c, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	if !dtype.IsNumber() && !dtype.Stored() && dtype != Bool {
		return nil, fmt.Errorf("%w: no kernels are made for %v", ErrDType, dtype)
	}
	if ndim < 1 || ndim > operand.MaxDims {
		return nil, fmt.Errorf("%w: a kernel walks 1 to %d dimensions, not %d", ErrShape, operand.MaxDims, ndim)
	}
	k := &Kernel{config: c, plans: sync.Pool{New: func() any { return new(operand.Plan) }}, divisions: sync.Pool{New: func() any { return new(division) }}}
	if err := checkFunction(fn); err != nil {
		return nil, err
	}
	k.origin = &origin{trace: callers(), fn: symbolOf(fn), typ: reflect.TypeOf(fn).String(), dtype: dtype}
	source := sourceIdentity(fn, dtype, ndim, c)
	if k.function = process.known(source, c); k.function != nil {
		embedded.record(k)
		return k, nil
	}
	k.function = &function{name: cmp.Or(c.name, funcName(fn)), sig: operand.Signature{Dims: ndim}}
	start := time.Now()
	how, err := k.load(fn, dtype, source)
	if errors.Is(err, ErrSource) {
		how, err = "compiled ahead of time", k.withoutSource(err)
		if errors.Is(err, ErrSource) && !errors.Is(err, ErrEmbedded) {
			how, err = "no source", k.callDirectly(fn, dtype, err)
		}
	}
	if err != nil {
		return nil, err
	}
	c.addFitted(k.input)
	k.frontend = stage{Name: "frontend", Duration: time.Since(start), Before: how, After: fmt.Sprintf("%d nodes", len(k.input.Nodes))}
	k.sig.Inputs = len(k.input.Params)
	for i, p := range k.input.Params {
		if !inhabited(p) {
			return nil, fmt.Errorf("ufunc: %s: the domain [%g, %g] of input %d holds no finite %s", k.name, p.Fact.Lo, p.Fact.Hi, i, p.Type.GoName())
		}
		k.sig.Types = append(k.sig.Types, p.Type)
	}
	for _, r := range k.input.Results {
		k.sig.Types = append(k.sig.Types, k.input.Nodes[r].Type)
	}
	if k.goFunc != nil {
		k.code = newCode() // of this function and no other
		embedded.record(k)
		return k, nil
	}
	k.code = process.codeOf(k)
	process.learn(source, c, k.function)
	embedded.record(k)
	return k, nil
}

// checkFunction refuses what is no function of anything.
func checkFunction(fn any) error {
	const want = "want a function such as func(x float32) float32 or func(x ufunc.Value) ufunc.Value"
	t := reflect.TypeOf(fn)
	switch {
	case t == nil:
		return fmt.Errorf("%w: nil; %s", ErrUnsupported, want)
	case t.Kind() != reflect.Func:
		return fmt.Errorf("%w: a value of type %v; %s", ErrUnsupported, t, want)
	case reflect.ValueOf(fn).IsNil():
		return fmt.Errorf("%w: a nil %v; %s", ErrUnsupported, t, want)
	case t.NumIn() == 0:
		return fmt.Errorf("%w: %v has no parameter; %s", ErrUnsupported, t, want)
	}
	return nil
}

var valueType = reflect.TypeFor[Value]()

// compareFuel bounds the rounds of loops at a point where a program is compared with its function.
const compareFuel = 1 << 13

// load runs the front end that fits fn and says which it was. source is fn's identity, if it has one.
func (k *Kernel) load(fn any, dtype DType, source string) (how string, err error) {
	t := reflect.TypeOf(fn)
	facts, err := k.config.facts(t.NumIn())
	if err != nil {
		return "", err
	}
	stored := dtype
	if dtype.Stored() {
		dtype = Float32
		defer func() {
			if err == nil {
				k.input, err = storedAs(k.input, stored)
			}
		}()
	}
	if traced(t) {
		if k.input, err = trace.Trace(k.name, fn, dtype, facts); err != nil {
			return "", err
		}
		return "trace", k.config.oneMeaning(k.input)
	}
	if k.input = k.config.recall(source, k.name); k.input != nil {
		return "Go source, read before", nil
	}
	k.input, err = gosrc.Load(fn, gosrc.Options{Source: k.config.source, Facts: facts, Name: k.name, Calls: k.config.calls(), Binds: k.config.binds})
	if err != nil {
		return "", err
	}
	if got := k.input.Params[0].Type; got != dtype {
		return "", fmt.Errorf("%w: the first parameter of %s is %s, but its kernel was asked for as %s", ErrDType, k.name, got.GoName(), dtype.GoName())
	}
	if err := k.config.oneMeaning(k.input); err != nil {
		return "", err
	}
	p, err := interp.Compile(gosrc.Checked(k.input))
	if err != nil {
		return "", err
	}
	eval := func(in, out []uint64) error {
		err := p.EvalUpTo(compareFuel, in, out)
		if errors.Is(err, interp.ErrEndless) {
			return gosrc.ErrEndless
		}
		return err
	}
	if err := gosrc.Compare(k.input, fn, eval); err != nil {
		return "", err
	}
	k.config.remember(source, k.input)
	return "Go source", nil
}

// traced reports whether a function is one of Values: any Value among its parameters or results says that it is meant so.
func traced(t reflect.Type) bool {
	for i := range t.NumIn() {
		if t.In(i) == valueType {
			return true
		}
	}
	for i := range t.NumOut() {
		if t.Out(i) == valueType {
			return true
		}
	}
	return false
}

// inhabited reports whether the parameter's domain has a finite number of its type.
func inhabited(p ir.Parameter) bool {
	lo, hi := p.Fact.Lo, p.Fact.Hi
	if p.Type.IsInteger() {
		least, most := p.Type.Range()
		return max(math.Ceil(lo), least) <= min(math.Floor(hi), most)
	}
	if p.Type == Bool {
		return lo <= 1 && hi >= 0
	}
	if p.Type == Float64 {
		return lo <= math.MaxFloat64 && hi >= -math.MaxFloat64
	}
	if lo > math.MaxFloat32 || hi < -math.MaxFloat32 {
		return false
	}
	first := float32(lo) // the least float32 of the domain
	if float64(first) < lo {
		first = math.Nextafter32(first, float32(math.Inf(1)))
	}
	return float64(first) <= hi
}

// storedAs is f with its float32 parameters and results in memory as t.
func storedAs(f *ir.Func, t DType) (*ir.Func, error) {
	b := ir.NewBuilder(f.Name)
	args := make([]ir.Value, len(f.Params))
	for i, p := range f.Params {
		if p.Type == Float32 {
			p.Type = t
		}
		args[i] = b.Param(p.Name, p.Type, p.Fact)
	}
	for i, p := range f.Params {
		if p.Type != Float32 {
			continue
		}
		var err error
		if args[i], err = b.Emit(ir.Convert, Float32, args[i]); err != nil {
			return nil, err
		}
	}
	for _, r := range b.Inline(f, args...) {
		if b.Type(r) == Float32 {
			var err error
			if r, err = b.Emit(ir.Convert, t, r); err != nil {
				return nil, err
			}
		}
		b.Return(r)
	}
	return b.Func(), nil
}

// funcName is the function's name without the path of its package.
func funcName(fn any) string {
	name := symbolOf(fn)
	return name[strings.LastIndexByte(name, '/')+1:]
}

// symbolOf is the function's symbol in this program.
func symbolOf(fn any) string {
	if f := runtime.FuncForPC(reflect.ValueOf(fn).Pointer()); f != nil {
		return f.Name()
	}
	return "func"
}

// Name is the kernel's name: the function's, or what [Name] says.
func (k *Kernel) Name() string { return k.name }

// Prepare makes the code now instead of at the first call. Making it happens once; after an error the next call tries again.
func (k *Kernel) Prepare(ctx context.Context) error {
	_, err := k.get(ctx)
	return err
}

func (k *Kernel) get(ctx context.Context) (*executor, error) {
	e := k.code.made.Load()
	if e == nil {
		var err error
		if e, err = k.code.get(ctx, k.make); err != nil {
			return nil, fmt.Errorf("ufunc: %s: %w", k.name, err)
		}
	}
	if w := k.config.report; w != nil && !k.told.Load() && k.told.CompareAndSwap(false, true) {
		if _, err := fmt.Fprintln(w, k.Report()); err != nil {
			return nil, fmt.Errorf("ufunc: %s: writing the report: %w", k.name, err)
		}
	}
	return e, nil
}

// executor returns the made kernel and panics with the error of making it. It is small enough to be inlined.
func (k *Kernel) executor() *executor {
	if e := k.ready(); e != nil {
		return e
	}
	return k.mustGet()
}

// ready returns the executor if it has been made and reported, or nil.
func (k *Kernel) ready() *executor {
	if k.config.report != nil && !k.told.Load() {
		return nil
	}
	return k.code.made.Load()
}

func (k *Kernel) mustGet() *executor {
	e, err := k.get(context.Background())
	if err != nil {
		panic(err)
	}
	return e
}

// Call runs the kernel over its operands, inputs first, then outputs: slices, gonum vectors and matrices, [Array], scalars as
// inputs. Inputs are broadcast by NumPy's rules, outputs have the shape of the result and belong to the caller. An output
// that is an input is written in place; operands that overlap in any other way give what copies would.
//
// It returns an error that wraps ErrCount, ErrOperand, ErrDType, ErrShape or ErrOverlap for operands that do not fit, ErrDivide if an
// integer was divided by zero (the outputs are undefined then), and
// what [Kernel.Prepare] returns if the code cannot be made. Operands of length 0 are fine: nothing is done.
func (k *Kernel) Call(operands ...any) error {
	if e := k.ready(); e != nil {
		if fault, ok := k.slices(e, operands); ok {
			return k.fault(fault)
		}
	}
	operands, masked, err := splitMask(operands, k.sig.Inputs)
	if err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	if masked {
		k = k.masked()
	}
	e, err := k.get(context.Background())
	if err != nil {
		return err
	}
	plan := k.plans.Get().(*operand.Plan)
	if !jit.RaceEnabled { // handing a plan on orders calls, which would hide races on their operands
		defer k.plans.Put(plan)
	}
	operands, err = described(operands, k.sig.Inputs)
	if err == nil {
		err = plan.Bind(&k.sig, operands)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	defer plan.Release()
	return k.execute(e, plan)
}

// described replaces Arrays, of which the first so many are inputs, by what they are to package operand.
func described(values []any, inputs int) ([]any, error) {
	copied := false
	for i, v := range values {
		a, ok := v.(describer)
		if !ok {
			continue
		}
		if !copied {
			values, copied = slices.Clone(values), true
		}
		o, err := a.describe(i >= inputs)
		if err != nil {
			return nil, err
		}
		values[i] = o
	}
	return values, nil
}

func (k *Kernel) execute(e *executor, plan *operand.Plan) error {
	if plan.Len() == 0 {
		return nil
	}
	if e.native == nil && k.goFunc != nil {
		if err := plan.Walk(blockLen, func(b *operand.Block) error { return k.goFunc.call(&k.sig, b) }); err != nil {
			return fmt.Errorf("%w: %s", err, k.name)
		}
		return nil
	}
	if e.native == nil {
		err := plan.Walk(blockLen, func(b *operand.Block) error { return e.interpret(k, b) })
		if errors.Is(err, interp.ErrDivide) {
			return k.fault(jit.FaultDivide)
		}
		return err
	}
	for p, n := range plan.ReadRanges() {
		jit.ReadRange(p, n)
	}
	for p, n := range plan.WriteRanges() {
		jit.WriteRange(p, n)
	}
	data, count, stride := plan.Args()
	var fault jit.Fault
	if w := k.workers(e, plan.Len()); w > 1 {
		fault = k.divide(e, w, plan.Len(), data, count, stride)
	} else {
		fault = e.native.Call(&jit.Args{Data: &data[0], Count: &count[0], Stride: &stride[0]})
	}
	runtime.KeepAlive(plan)
	return k.fault(fault)
}

// fault turns a kernel's fault code into an error.
func (k *Kernel) fault(f jit.Fault) error {
	if f == 0 {
		return nil
	}
	if f == jit.FaultDivide {
		return fmt.Errorf("%w: %s", ErrDivide, k.name)
	}
	return fmt.Errorf("ufunc: %s: the kernel stopped with fault %d", k.name, f)
}

func (e *executor) interpret(k *Kernel, b *operand.Block) error {
	columns := make([]interp.Column, len(k.sig.Types))
	for i, t := range k.sig.Types {
		switch t {
		case Float32:
			columns[i].F32 = b.Float32(i)
		case Float64:
			columns[i].F64 = b.Float64(i)
		case Bool:
			columns[i].Bool = b.Bool(i)
		default:
			columns[i].Ints = b.Ints(i)
		}
	}
	if k.sig.Masked {
		return runChosen(e.program, b.Bool(k.sig.Inputs-1), columns[:k.sig.Inputs], columns[k.sig.Inputs:])
	}
	return e.program.Run(b.Len, columns[:k.sig.Inputs], columns[k.sig.Inputs:])
}
