package gosrc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// translator turns one function, and what it calls, into operations. Refusals travel as panics of type refusal.
type translator struct {
	*unit
	region
	active  []types.Object // functions being inlined
	calls   int
	numbers map[types.Object]int // of the variables, as they came

	binds     map[string]any // values of variables from outside of the function
	usedBinds map[string]bool
}

// operation is a node that has been emitted, not pinned.
type operation struct {
	op   ir.Op
	def  *ir.Def // of a call
	args []ir.Value
}

// maxCalls bounds the calls that are inlined: functions that call each other twice at every level would double the work without end.
const maxCalls = 1 << 14

// frame is one activation of a function.
type frame struct {
	fn    *function
	vars  state
	types map[*types.TypeParam]ir.Type

	live     ir.Value       // bool: the statement at hand is reached
	results  []types.Object // what the function returns
	returned types.Object   // whether it has
	targets  []*target      // what is around the statement at hand
}

func (t *translator) newFrame(fn *function) *frame {
	fr := &frame{fn: fn, vars: state{}, types: map[*types.TypeParam]ir.Type{}, returned: t.hidden("returned", types.Typ[types.Bool])}
	for _, r := range vars(fn.sig.Results()) {
		fr.results = append(fr.results, t.hidden("result", r.Type()))
	}
	return fr
}

// translate builds the program of the function that sym names.
func (u *unit) translate(sym symbol, sig signature, o Options) (f *ir.Func, err error) {
	fn, err := u.find(sym)
	if err != nil {
		return nil, err
	}
	name := o.Name
	if name == "" {
		name = fn.name
	}
	t := &translator{unit: u, region: newRegion(name), numbers: map[types.Object]int{}, binds: o.Binds, usedBinds: map[string]bool{}}
	defer func() {
		if r := recover(); r != nil {
			refused, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			f, err = nil, refused.err
		}
	}()
	fr := t.newFrame(fn)
	t.agree(fr, "parameter", fn.sig.Params(), sig.params)
	t.agree(fr, "result", fn.sig.Results(), sig.results)
	for i, p := range vars(fn.sig.Params()) {
		name := p.Name()
		if name == "" || name == "_" {
			name = fmt.Sprintf("x%d", i)
		}
		t.put(fr, place{p, 0}, t.b.Param(name, sig.params[i], o.fact(i)))
	}
	if fn.obj != nil {
		t.active = append(t.active, fn.obj)
	}
	if fn.lit != nil {
		t.capture(fr, fn.lit)
	}
	for _, r := range t.body(fr) {
		t.b.Return(r[0])
	}
	if err := t.unused(); err != nil {
		return nil, err
	}
	f = t.b.Func().Compact()
	if err := ir.Verify(f); err != nil {
		return nil, fmt.Errorf("gosrc: internal error: %w", err)
	}
	return f, nil
}

func vars(t *types.Tuple) []*types.Var { return slices.Collect(t.Variables()) }

// agree holds the declared types against those of the function value, and learns from the latter what type parameters are.
func (t *translator) agree(fr *frame, what string, declared *types.Tuple, actual []ir.Type) {
	if declared.Len() != len(actual) {
		t.stale(fr, "%d %ss here, %d in the program", declared.Len(), what, len(actual))
	}
	for i, v := range vars(declared) {
		if p, ok := types.Unalias(v.Type()).(*types.TypeParam); ok {
			if had, ok := fr.types[p]; ok && had != actual[i] {
				t.stale(fr, "%s is %v and %v", p, had, actual[i])
			}
			fr.types[p] = actual[i]
			continue
		}
		if k := t.kind(fr, v.Type()); k != actual[i] {
			if k == ir.Invalid {
				t.refuse(v.Pos(), "%s %d has type %s; want "+wanted, what, i, t.typeName(v.Type()))
			}
			t.stale(fr, "%s %d is %v here, %v in the program", what, i, k, actual[i])
		}
	}
}

// kind is the type of values of type t in the program; Invalid if they cannot be there.
func (t *translator) kind(fr *frame, typ types.Type) ir.Type {
	if typ == nil {
		return ir.Invalid
	}
	typ = types.Unalias(typ)
	if p, ok := typ.(*types.TypeParam); ok {
		return fr.types[p]
	}
	if basic, ok := typ.Underlying().(*types.Basic); ok {
		return basics[basic.Kind()]
	}
	return ir.Invalid
}

// basics are the types of values, by Go's: untyped ones have their default. An int has 64 bits on every machine that runs kernels.
var basics = map[types.BasicKind]ir.Type{
	types.Float32: ir.Float32, types.Float64: ir.Float64, types.UntypedFloat: ir.Float64, types.Bool: ir.Bool, types.UntypedBool: ir.Bool,
	types.Int8: ir.Int8, types.Int16: ir.Int16, types.Int32: ir.Int32, types.Int64: ir.Int64, types.Int: ir.Int64,
	types.Uint8: ir.Uint8, types.Uint16: ir.Uint16, types.Uint32: ir.Uint32, types.Uint64: ir.Uint64, types.Uint: ir.Uint64,
	types.UntypedInt: ir.Int64, types.UntypedRune: ir.Int32,
}

// body translates the statements of fr's function and returns its results.
func (t *translator) body(fr *frame) []value {
	for _, r := range vars(fr.fn.sig.Results()) {
		if r.Name() != "" {
			t.zero(fr, r)
		}
	}
	fr.live = t.truth(true)
	t.block(fr, fr.fn.body.List)
	var results []value
	for _, r := range fr.results {
		v := t.variable(fr, r)
		if v == nil {
			t.refuse(fr.fn.body.Rbrace, "the function ends without return")
		}
		results = append(results, v)
	}
	// What the compiler would not accept is not what was compiled, even where it could be translated: a constant that overflows.
	for _, err := range t.errs {
		if fr.fn.body.Pos() <= err.Pos && err.Pos < fr.fn.body.End() && !err.Soft {
			t.refuse(err.Pos, "%s", err.Msg)
		}
	}
	return results
}

// list evaluates want expressions, or one call that gives as many values.
func (t *translator) list(fr *frame, at ast.Node, exprs []ast.Expr, want int) []ir.Value {
	var scalars []ir.Value
	for _, v := range t.lists(fr, at, exprs, want) {
		if len(v) != 1 {
			t.refuse(at.Pos(), "an array where a number is wanted")
		}
		scalars = append(scalars, v[0])
	}
	return scalars
}

// lists is list for values that may be arrays.
func (t *translator) lists(fr *frame, at ast.Node, exprs []ast.Expr, want int) []value {
	var values []value
	if len(exprs) == 1 && want != 1 {
		call, ok := ast.Unparen(exprs[0]).(*ast.CallExpr)
		if !ok {
			t.refuse(at.Pos(), "%d values wanted, one given", want)
		}
		values = t.call(fr, call)
	} else {
		for _, e := range exprs {
			values = append(values, t.flat(fr, e))
		}
	}
	if len(values) != want {
		t.refuse(at.Pos(), "%d values wanted, %d given", want, len(values))
	}
	return values
}

func (t *translator) assign(fr *frame, s *ast.AssignStmt) {
	if s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
		for i, v := range t.lists(fr, s, s.Rhs, len(s.Lhs)) {
			t.set(fr, s.Lhs[i], v)
		}
		return
	}
	// x op= y is x = x op y.
	t.set(fr, s.Lhs[0], value{t.binary(fr, s.Lhs[0], s.Tok-token.ADD_ASSIGN+token.ADD, s.Lhs[0], s.Rhs[0])})
}

// set makes v the value of the variable that e names.
func (t *translator) set(fr *frame, e ast.Expr, v value) {
	if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		t.setElement(fr, index, v)
		return
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		t.refuseExpression(e)
	}
	if id.Name == "_" {
		return
	}
	obj := t.info.Defs[id]
	if obj == nil {
		if obj = t.info.Uses[id]; obj == nil {
			t.explain(e)
		}
		if _, local := fr.vars[place{obj, 0}]; !local {
			t.refuseVariable(id, obj)
		}
	}
	layout := t.layout(fr, obj.Type())
	if len(layout) != len(v) || layout[0] != t.b.Type(v[0]) {
		t.refuse(id.Pos(), "%s has type %s; want "+wanted, id.Name, t.typeName(obj.Type()))
	}
	for i, x := range v {
		t.put(fr, place{obj, i}, x)
	}
}

func (t *translator) declare(fr *frame, d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return // constants and types have been dealt with by the type checker
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		if len(spec.Values) == 0 {
			for _, id := range spec.Names {
				if obj := t.info.Defs[id]; id.Name != "_" {
					t.zero(fr, obj)
				}
			}
			continue
		}
		for i, v := range t.lists(fr, spec, spec.Values, len(spec.Names)) {
			t.set(fr, spec.Names[i], v)
		}
	}
}

// zero gives a variable the zero of its type.
func (t *translator) zero(fr *frame, obj types.Object) {
	layout := t.layout(fr, obj.Type())
	if layout == nil {
		t.refuse(obj.Pos(), "%s has type %s; want "+wanted, obj.Name(), t.typeName(obj.Type()))
	}
	for i, k := range layout {
		t.put(fr, place{obj, i}, t.zeroOf(k))
	}
}

func (t *translator) constant(k ir.Type, x float64) ir.Value {
	v := t.b.Const(k, x)
	t.consts[v] = x
	return v
}

// emit adds an operation at expression e.
func (t *translator) emit(e ast.Node, op ir.Op, args ...ir.Value) ir.Value {
	return t.record(e, op, ir.Invalid, args...)
}

func (t *translator) record(e ast.Node, op ir.Op, k ir.Type, args ...ir.Value) ir.Value {
	v, err := t.b.Emit(op, k, args...)
	if err != nil {
		t.refuse(e.Pos(), "%v", err)
	}
	t.made[v] = operation{op, nil, args}
	return v
}
