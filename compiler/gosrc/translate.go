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
	b      *ir.Builder
	active []types.Object // functions being inlined
	calls  int

	guard []ir.Value // bools that hold where the expression at hand is evaluated in Go

	made   map[ir.Value]operation // what each operation is
	consts map[ir.Value]float64
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
	vars  map[types.Object]ir.Value
	types map[*types.TypeParam]ir.Type
}

// translate builds the program of the function that sym names.
func (u *unit) translate(sym symbol, sig signature, o Options) (f *ir.Func, err error) {
	fn, err := u.find(sym)
	if err != nil {
		return nil, err
	}
	if fn.lit != nil {
		if err := u.captures(fn.lit); err != nil {
			return nil, err
		}
	}
	name := o.Name
	if name == "" {
		name = fn.name
	}
	t := &translator{unit: u, b: ir.NewBuilder(name), made: map[ir.Value]operation{}, consts: map[ir.Value]float64{}}
	defer func() {
		if r := recover(); r != nil {
			refused, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			f, err = nil, refused.err
		}
	}()
	fr := &frame{fn: fn, vars: map[types.Object]ir.Value{}, types: map[*types.TypeParam]ir.Type{}}
	t.agree(fr, "parameter", fn.sig.Params(), sig.params)
	t.agree(fr, "result", fn.sig.Results(), sig.results)
	for i, p := range vars(fn.sig.Params()) {
		name := p.Name()
		if name == "" || name == "_" {
			name = fmt.Sprintf("x%d", i)
		}
		fr.vars[p] = t.b.Param(name, sig.params[i], o.fact(i))
	}
	if fn.obj != nil {
		t.active = append(t.active, fn.obj)
	}
	for _, r := range t.body(fr) {
		t.b.Return(r)
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
func (t *translator) body(fr *frame) []ir.Value {
	for _, r := range vars(fr.fn.sig.Results()) {
		if r.Name() != "" {
			fr.vars[r] = t.zero(fr, r)
		}
	}
	results, returned := t.block(fr, fr.fn.body)
	if !returned {
		t.refuse(fr.fn.body.Rbrace, "the function ends without return")
	}
	for i, r := range vars(fr.fn.sig.Results()) {
		if k := t.kind(fr, r.Type()); k != t.b.Type(results[i]) {
			t.refuse(r.Pos(), "result %d has type %s, the value %v", i, t.typeName(r.Type()), t.b.Type(results[i]))
		}
	}
	// What the compiler would not accept is not what was compiled, even where it could be translated: a constant that overflows.
	for _, err := range t.errs {
		if fr.fn.body.Pos() <= err.Pos && err.Pos < fr.fn.body.End() && !err.Soft {
			t.refuse(err.Pos, "%s", err.Msg)
		}
	}
	return results
}

func (t *translator) block(fr *frame, b *ast.BlockStmt) (results []ir.Value, returned bool) {
	for _, s := range b.List {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			return t.results(fr, s), true
		case *ast.BlockStmt:
			if results, returned = t.block(fr, s); returned {
				return results, true
			}
		case *ast.AssignStmt:
			t.assign(fr, s)
		case *ast.IncDecStmt:
			op := ir.Add
			if s.Tok == token.DEC {
				op = ir.Sub
			}
			v := t.expr(fr, s.X)
			t.set(fr, s.X, t.emit(s.X, op, v, t.constant(t.b.Type(v), 1)))
		case *ast.DeclStmt:
			t.declare(fr, s.Decl.(*ast.GenDecl))
		case *ast.EmptyStmt:
		default:
			t.refuseStatement(s)
		}
	}
	return nil, false
}

func (t *translator) results(fr *frame, s *ast.ReturnStmt) []ir.Value {
	declared := vars(fr.fn.sig.Results())
	if len(s.Results) > 0 {
		return t.list(fr, s, s.Results, len(declared))
	}
	var results []ir.Value
	for _, r := range declared {
		v, ok := fr.vars[r]
		if !ok {
			t.refuse(s.Pos(), "return without a value")
		}
		results = append(results, v)
	}
	return results
}

// list evaluates want expressions, or one call that gives as many values.
func (t *translator) list(fr *frame, at ast.Node, exprs []ast.Expr, want int) []ir.Value {
	var values []ir.Value
	if len(exprs) == 1 && want != 1 {
		call, ok := ast.Unparen(exprs[0]).(*ast.CallExpr)
		if !ok {
			t.refuse(at.Pos(), "%d values wanted, one given", want)
		}
		values = t.call(fr, call)
	} else {
		for _, e := range exprs {
			values = append(values, t.expr(fr, e))
		}
	}
	if len(values) != want {
		t.refuse(at.Pos(), "%d values wanted, %d given", want, len(values))
	}
	return values
}

func (t *translator) assign(fr *frame, s *ast.AssignStmt) {
	if s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
		for i, v := range t.list(fr, s, s.Rhs, len(s.Lhs)) {
			t.set(fr, s.Lhs[i], v)
		}
		return
	}
	// x op= y is x = x op y.
	t.set(fr, s.Lhs[0], t.binary(fr, s.Lhs[0], s.Tok-token.ADD_ASSIGN+token.ADD, s.Lhs[0], s.Rhs[0]))
}

// set makes v the value of the variable that e names.
func (t *translator) set(fr *frame, e ast.Expr, v ir.Value) {
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
		if _, local := fr.vars[obj]; !local {
			t.refuseVariable(id, obj)
		}
	}
	if k := t.kind(fr, obj.Type()); k != t.b.Type(v) {
		t.refuse(id.Pos(), "%s has type %s; want "+wanted, id.Name, t.typeName(obj.Type()))
	}
	fr.vars[obj] = v
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
					fr.vars[obj] = t.zero(fr, obj)
				}
			}
			continue
		}
		for i, v := range t.list(fr, spec, spec.Values, len(spec.Names)) {
			t.set(fr, spec.Names[i], v)
		}
	}
}

func (t *translator) zero(fr *frame, obj types.Object) ir.Value {
	k := t.kind(fr, obj.Type())
	if k == ir.Invalid {
		t.refuse(obj.Pos(), "%s has type %s; want "+wanted, obj.Name(), t.typeName(obj.Type()))
	}
	return t.constant(k, 0)
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

// captures refuses a literal that uses variables from around it: their values are not in the source.
func (u *unit) captures(lit *ast.FuncLit) error {
	var names []string
	var first *ast.Ident
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := u.info.Uses[id].(*types.Var)
		if !ok || v.IsField() || v.Parent() == u.pkg.Scope() || lit.Pos() <= v.Pos() && v.Pos() < lit.End() || slices.Contains(names, id.Name) {
			return true
		}
		if first == nil {
			first = id
		}
		names = append(names, id.Name)
		return true
	})
	if first == nil {
		return nil
	}
	return u.refusalAt(first.Pos(), "the literal captures %s, whose value is not in the source; make it a parameter or a constant, or %s",
		list(names), traced)
}
