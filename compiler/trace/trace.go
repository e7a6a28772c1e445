// Package trace is the front end for functions of symbolic values: it runs a func(x Value) Value and turns
// the expression graph that the run leaves behind into an *ir.Func (operator overloading as in Autograd and JAX, with
// methods for operators).
//
// In goes a Go function, the type of its parameters and what is known about them; out comes a verified straight-line
// program. Go's own control flow and variables are resolved while the function runs: a loop is unrolled, a captured variable is
// frozen at its value. The package knows nothing of machines, rules or source text.
package trace

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-yolk/yolk/compiler/ir"
)

// The errors that Trace wraps. All of them wrap ErrTrace.
var (
	ErrTrace = errors.New("trace: the function cannot be traced")         // an operation is wrong, or the function panics
	ErrFunc  = fmt.Errorf("%w: it is not a function of Values", ErrTrace) // fn, dtype or facts are wrong
	ErrLimit = fmt.Errorf("%w: its program is too large", ErrTrace)       // more than MaxNodes operations
	// ErrUnstable says that two runs gave different programs: the function depends on state.
	ErrUnstable = fmt.Errorf("%w: two runs give different programs", ErrTrace)
)

// MaxNodes bounds the operations of one run. The stages behind the front end are linear in it at best; 2^20 operations take about a
// second to trace, and a loop that does not end reaches it before memory runs out.
const MaxNodes = 1 << 20

// Trace runs fn and returns its program. fn is a func of any number of Values with one or more results, all Values;
// the parameters have type dtype and the facts, in order (nil: nothing is known). Results have the types they come out with, constants
// that of dtype. An empty name means the name of the Go function.
//
// fn runs twice, before Trace returns and never again, and both runs must build the same program: variables that it captures are frozen, and a
// function that draws random numbers or counts its calls is reported with ErrUnstable. Operations that no result needs
// are dropped unseen, their mistakes included.
func Trace(name string, fn any, dtype ir.Type, facts []ir.Fact) (*ir.Func, error) {
	v := reflect.ValueOf(fn)
	if err := checkShape(v, dtype, facts); err != nil {
		return nil, err
	}
	if name == "" {
		name = runtime.FuncForPC(v.Pointer()).Name()
	}
	first, err := traceOnce(name, v, dtype, facts)
	if err != nil {
		return nil, err
	}
	second, err := traceOnce(name, v, dtype, facts)
	if err != nil {
		return nil, fmt.Errorf("%w: the second run fails: %w", ErrUnstable, err)
	}
	if err := same(first, second); err != nil {
		return nil, err
	}
	if err := ir.Verify(first.f); err != nil {
		return nil, fmt.Errorf("trace: internal error: %w", err)
	}
	return first.f.Compact(), nil // a pinned node leaves its unpinned twin behind
}

func checkShape(fn reflect.Value, dtype ir.Type, facts []ir.Fact) error {
	const want = "want func(x ufunc.Value, ...) ufunc.Value, with one or more results"
	if !fn.IsValid() {
		return fmt.Errorf("%w: nil; %s", ErrFunc, want)
	}
	t := fn.Type()
	if t.Kind() != reflect.Func {
		return fmt.Errorf("%w: %v; %s", ErrFunc, t, want)
	}
	value := reflect.TypeFor[Value]()
	for i := range t.NumIn() {
		if t.In(i) != value {
			return fmt.Errorf("%w: parameter %d of %s is %s; %s", ErrFunc, i, typeName(t), typeName(t.In(i)), want)
		}
	}
	for i := range t.NumOut() {
		if t.Out(i) != value {
			return fmt.Errorf("%w: result %d of %s is %s; %s", ErrFunc, i, typeName(t), typeName(t.Out(i)), want)
		}
	}
	switch {
	case t.NumOut() == 0:
		return fmt.Errorf("%w: %s has no result; %s", ErrFunc, typeName(t), want)
	case fn.IsNil():
		return fmt.Errorf("%w: a nil %s", ErrFunc, typeName(t))
	case !dtype.IsNumber() && dtype != ir.Bool:
		return fmt.Errorf("%w: the parameters cannot have type %v; want a float, an integer or bool", ErrFunc, dtype)
	case facts != nil && len(facts) != t.NumIn():
		return fmt.Errorf("%w: %d facts for %d parameters", ErrFunc, len(facts), t.NumIn())
	}
	return nil
}

// typeName writes a type as users know it: they name Value by package ufunc.
func typeName(t reflect.Type) string {
	return strings.ReplaceAll(t.String(), "trace.Value", "ufunc.Value")
}

// run is one execution of the traced function. Its identity tells its parameters from those of other runs.
type run struct {
	nodes atomic.Int64 // the function may use goroutines
	done  atomic.Bool
}

// tooLarge is the panic that ends a run at MaxNodes.
type tooLarge struct{}

func (r *run) count() {
	if r.nodes.Add(1) > MaxNodes && !r.done.Load() {
		panic(tooLarge{})
	}
}

func traceOnce(name string, fn reflect.Value, dtype ir.Type, facts []ir.Fact) (*program, error) {
	r := &run{}
	defer r.done.Store(true)
	results, err := runOnce(r, fn, dtype)
	if err != nil {
		return nil, err
	}
	p := &program{run: r, dtype: dtype, fn: [2]uintptr{fn.Pointer() + 1}}
	for i := range fn.Type().NumIn() {
		param := ir.Parameter{Name: fmt.Sprintf("x%d", i), Type: dtype, Fact: ir.Unknown}
		if facts != nil {
			param.Fact = facts[i]
		}
		p.params = append(p.params, param)
	}
	return p, p.build(name, results)
}

// runOnce runs fn on parameters of its own and returns its results.
func runOnce(r *run, fn reflect.Value, dtype ir.Type) ([]*node, error) {
	params := make([]reflect.Value, fn.Type().NumIn())
	for i := range params {
		n := &node{op: ir.Param, typ: dtype, n: i, run: r, method: "parameter", pc: [2]uintptr{fn.Pointer() + 1}}
		params[i] = reflect.ValueOf(Value{n: n})
	}
	out, err := call(fn, params)
	if err != nil {
		return nil, err
	}
	if n := r.nodes.Load(); n > MaxNodes {
		return nil, fmt.Errorf("%w: %d operations, at most %d", ErrLimit, n, MaxNodes)
	}
	results := make([]*node, len(out))
	for i, v := range out {
		results[i] = v.Interface().(Value).n
	}
	return results, nil
}

// call runs fn and turns its panic into an error with the line that panicked.
func call(fn reflect.Value, params []reflect.Value) (out []reflect.Value, err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		at := panicPosition()
		if _, ok := v.(tooLarge); ok {
			err = fmt.Errorf("%w: %s: more than %d operations; does a loop not end?", ErrLimit, at, MaxNodes)
			return
		}
		if cause, ok := v.(error); ok {
			err = fmt.Errorf("%w: %s: panic: %w", ErrTrace, at, cause)
			return
		}
		err = fmt.Errorf("%w: %s: panic: %v", ErrTrace, at, v)
	}()
	return fn.Call(params), nil
}

// same reports the first difference between two runs.
func same(a, b *program) error {
	for i := range min(len(a.f.Nodes), len(b.f.Nodes)) {
		if m, n := a.f.Nodes[i], b.f.Nodes[i]; m != n || a.f.Def(m) != b.f.Def(n) {
			return fmt.Errorf("%w: %s: %s in the first, %s in the second; compute what varies before, or pass it as a parameter",
				ErrUnstable, position(b.pos[i]), describe(a.f, m), describe(b.f, n))
		}
	}
	if len(a.f.Nodes) != len(b.f.Nodes) {
		return fmt.Errorf("%w: %d nodes in the first, %d in the second", ErrUnstable, len(a.f.Nodes), len(b.f.Nodes))
	}
	for i := range a.f.Bodies {
		if a.f.Bodies[i].String() != b.f.Bodies[i].String() {
			return fmt.Errorf("%w: the bodies of While differ; compute what varies before, or pass it as a parameter", ErrUnstable)
		}
	}
	for i := range a.f.Results {
		if a.f.Results[i] != b.f.Results[i] {
			return fmt.Errorf("%w: result %d is v%d in the first, v%d in the second", ErrUnstable, i, a.f.Results[i], b.f.Results[i])
		}
	}
	return nil
}

func describe(f *ir.Func, n ir.Node) string {
	if n.Op == ir.Const {
		return fmt.Sprintf("the constant %g", ir.BitsFloat(n.Type, n.Imm))
	}
	return f.OpName(n)
}

// passed are the functions of package ufunc that pass calls on: their callers are meant.
var passed = []string{
	"github.com/go-yolk/yolk/ufunc.Const", "github.com/go-yolk/yolk/ufunc.Where", "github.com/go-yolk/yolk/ufunc.While", "github.com/go-yolk/yolk/ufunc.(*Op).Of",
}

// position writes the user's call as file:line.
func position(pc [2]uintptr) string {
	n := len(pc)
	for n > 0 && pc[n-1] == 0 {
		n--
	}
	frames := runtime.CallersFrames(pc[:n])
	for {
		f, more := frames.Next()
		if f.PC == 0 {
			return "unknown position"
		}
		if more && slices.Contains(passed, f.Function) {
			continue
		}
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
}

// panicPosition finds, from within a deferred function, the line that panicked: the first frame below the runtime's and
// this package's own.
func panicPosition() string {
	var pc [64]uintptr // enough to pass the runtime's frames
	frames := runtime.CallersFrames(pc[:runtime.Callers(0, pc[:])])
	panicked := false
	for {
		f, more := frames.Next()
		if panicked && !strings.HasPrefix(f.Function, "runtime.") && !own(f.Function) {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return "unknown position"
		}
	}
}

// own reports whether a symbol belongs to what a user calls in this package.
func own(symbol string) bool {
	for _, prefix := range []string{"trace.Value.", "trace.operate", "trace.(*run)", "trace.Where", "trace.Call", "trace.flipped"} {
		if strings.HasPrefix(symbol, "github.com/go-yolk/yolk/compiler/"+prefix) {
			return true
		}
	}
	return false
}

// exactIn reports whether type t holds n exactly.
func exactIn(t ir.Type, n int) bool {
	x := new(big.Float).SetInt64(int64(n))
	if t == ir.Float32 {
		_, acc := x.Float32()
		return acc == big.Exact
	}
	_, acc := x.Float64()
	return acc == big.Exact
}
