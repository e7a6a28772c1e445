package gosrc

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/ir"
)

// expr translates an expression with one value.
func (t *translator) expr(fr *frame, e ast.Expr) ir.Value {
	e = ast.Unparen(e)
	tv := t.info.Types[e]
	if tv.Value != nil {
		return t.literal(fr, e, tv)
	}
	if tv.Type != nil {
		if _, array := tv.Type.Underlying().(*types.Array); array {
			t.refuse(e.Pos(), "%s is an array where a number is wanted; index it", types.ExprString(e))
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		obj := t.info.Uses[e]
		if v, ok := fr.vars[place{obj, 0}]; ok && obj != nil {
			return v
		}
		if obj == nil || tv.Type == nil {
			t.explain(e)
		}
		if v := t.packageVariable(fr, e, obj); len(v) == 1 {
			return v[0]
		}
		t.refuseVariable(e, obj)
	case *ast.IndexExpr:
		if typ := t.info.TypeOf(e.X); typ != nil {
			if v := t.element(fr, e); len(v) == 1 {
				return v[0]
			}
		}
	case *ast.UnaryExpr:
		op, ok := unary[e.Op]
		if !ok {
			t.refuseExpression(e)
		}
		x := t.expr(fr, e.X)
		if e.Op == token.ADD {
			return x
		}
		t.takes(e, e.Op, op, t.b.Type(x))
		return t.emit(e, op, x)
	case *ast.BinaryExpr:
		return t.binary(fr, e, e.Op, e.X, e.Y)
	case *ast.CallExpr:
		values := t.call(fr, e)
		if len(values) != 1 {
			t.refuse(e.Pos(), "a call with %d results where one value is wanted", len(values))
		}
		if len(values[0]) == 1 {
			return values[0][0]
		}
	}
	t.refuseExpression(e)
	panic("unreachable")
}

// literal rounds the exact value of a constant expression once, to its type.
func (t *translator) literal(fr *frame, e ast.Expr, tv types.TypeAndValue) ir.Value {
	k := t.kind(fr, tv.Type)
	if k == ir.Invalid {
		t.refuse(e.Pos(), "a constant of type %s; want %s: convert it", t.typeName(tv.Type), wanted)
	}
	return t.value(k, tv.Value)
}

// value is the constant v, rounded once if it is a float.
func (t *translator) value(k ir.Type, v constant.Value) ir.Value {
	switch {
	case k == ir.Bool:
		if constant.BoolVal(v) {
			return t.b.Const(ir.Bool, 1)
		}
		return t.b.Const(ir.Bool, 0)
	case k.IsInteger():
		v = constant.ToInt(v)
		if x, ok := constant.Int64Val(v); ok {
			return t.b.Int(k, x)
		}
		x, _ := constant.Uint64Val(v)
		return t.b.Int(k, int64(x))
	}
	return t.constant(k, round(k, v))
}

func round(k ir.Type, v constant.Value) float64 {
	v = constant.ToFloat(v)
	if k == ir.Float32 {
		x, _ := constant.Float32Val(v)
		return float64(x)
	}
	x, _ := constant.Float64Val(v)
	return x
}

// call translates a call with any number of results.
func (t *translator) call(fr *frame, e *ast.CallExpr) []value {
	fun := ast.Unparen(e.Fun)
	if tv := t.info.Types[fun]; tv.IsType() {
		return []value{t.convert(fr, e, tv.Type)}
	} else if op, ok := order[types.ExprString(fun)]; ok && tv.IsBuiltin() {
		return []value{{t.order(fr, e, op)}}
	} else if n, ok := t.lengthOf(fr, e); ok {
		return []value{{t.b.Int(ir.Int64, n)}}
	} else if tv.IsBuiltin() {
		t.refuse(e.Pos(), "builtin function %s; %s", types.ExprString(fun), traced)
	}
	switch index := fun.(type) { // explicit instantiation
	case *ast.IndexExpr:
		fun = ast.Unparen(index.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(index.X)
	}
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		t.refuseExpression(fun)
	}
	fn, ok := t.info.Uses[id].(*types.Func)
	switch {
	case t.info.Uses[id] == nil:
		t.explain(fun)
	case !ok:
		t.refuse(e.Pos(), "call of the variable %s; only named functions can be followed", types.ExprString(fun))
	case fn.Signature().Recv() != nil:
		t.refuse(e.Pos(), "call of method %s; write a function", fn.Name())
	case e.Ellipsis.IsValid() || fn.Signature().Variadic():
		t.refuse(e.Pos(), "variadic call of %s", fn.Name())
	}
	if d := t.ops.def(fn.Pkg().Path(), fn.Name()); d != nil {
		return []value{{t.operate(e, d, t.list(fr, e, e.Args, d.Arity))}}
	}
	if path := fn.Pkg().Path(); path == mathPath || path == ufuncPath {
		if v, ok := t.library(fr, e, fn); ok {
			return []value{{v}}
		}
	}
	if f, ok := pairs[fn.Name()]; ok && fn.Pkg().Path() == mathPath {
		var values []value
		for _, v := range f.emit(t, e, t.list(fr, e, e.Args, 1)[0]) {
			values = append(values, value{v})
		}
		return values
	}
	if fn.Pkg().Path() == bitsPath {
		return t.bits(fr, e, fn)
	}
	if fn.Pkg() != t.pkg {
		t.explain(fun)
	}
	return t.inline(fr, e, id, fn)
}

// library translates a call of a function that is an operation, or of math.Inf and math.NaN.
func (t *translator) library(fr *frame, e *ast.CallExpr, fn *types.Func) (ir.Value, bool) {
	if fn.Pkg().Path() == mathPath {
		switch fn.Name() {
		case "NaN":
			return t.constant(ir.Float64, math.NaN()), true
		case "Inf":
			if len(e.Args) != 1 || t.info.Types[e.Args[0]].Value == nil {
				t.refuse(e.Lparen, "math.Inf of a variable; write a constant")
			}
			sign := t.info.Types[e.Args[0]].Value
			if constant.Sign(sign) < 0 {
				return t.constant(ir.Float64, math.Inf(-1)), true
			}
			return t.constant(ir.Float64, math.Inf(1)), true
		}
	}
	if v, ok := t.special(fr, e, fn); ok {
		return v, true
	}
	f, ok := functions[fn.Name()]
	if !ok {
		return 0, false
	}
	args := t.list(fr, e, e.Args, f.arity())
	if text := f.unlike(fn.Pkg().Path(), fn.Name()); text != "" && !t.finite(args[0]) && !t.finite(args[1]) {
		t.refuse(e.Pos(), "%s", text)
	}
	if f.def != nil {
		return t.operate(e, f.def, args), true
	}
	return t.emit(e, f.op, args...), true
}

// special translates a call of math.IsNaN, math.IsInf or math.Signbit.
func (t *translator) special(fr *frame, e *ast.CallExpr, fn *types.Func) (ir.Value, bool) {
	if fn.Pkg().Path() != mathPath || predicates[fn.Name()] == "" || len(e.Args) == 0 {
		return 0, false
	}
	x := t.expr(fr, e.Args[0])
	switch fn.Name() {
	case "IsNaN":
		return t.emit(e, ir.Ne, x, x), true
	case "Signbit":
		return t.emit(e, ir.Lt, t.emit(e, ir.Copysign, t.constant(ir.Float64, 1), x), t.constant(ir.Float64, 0)), true
	}
	if len(e.Args) != 2 || t.info.Types[e.Args[1]].Value == nil {
		t.refuse(e.Lparen, "math.IsInf with a variable sign; write a constant")
	}
	switch sign := constant.Sign(t.info.Types[e.Args[1]].Value); {
	case sign == 0:
		x = t.emit(e, ir.Abs, x)
	case sign < 0:
		x = t.emit(e, ir.Neg, x)
	}
	return t.emit(e, ir.Eq, x, t.constant(ir.Float64, math.Inf(1))), true
}

// predicates are functions of package math that look at special values, and their parameters and results.
var predicates = map[string]string{"IsNaN": "(f float64) bool", "IsInf": "(f float64, sign int) bool", "Signbit": "(x float64) bool"}

// pairs are the functions of package math of one number that have two results.
var pairs = map[string]struct {
	signature string
	emit      func(t *translator, e ast.Node, x ir.Value) [2]ir.Value
}{
	"Modf": {"(f float64) (int float64, frac float64)", func(t *translator, e ast.Node, x ir.Value) [2]ir.Value {
		whole := t.emit(e, ir.Trunc, x)
		return [2]ir.Value{whole, t.emit(e, ir.Copysign, t.emit(e, ir.Sub, x, whole), x)}
	}},
	"Sincos": {"(x float64) (sin, cos float64)", func(t *translator, e ast.Node, x ir.Value) [2]ir.Value {
		return [2]ir.Value{t.operate(e, elementary.Sin, []ir.Value{x}), t.operate(e, elementary.Cos, []ir.Value{x})}
	}},
}

// order holds the builtin functions that a kernel may call.
var order = map[string]ir.Op{"min": ir.Min, "max": ir.Max}

// order translates a call of min or max.
func (t *translator) order(fr *frame, e *ast.CallExpr, op ir.Op) ir.Value {
	if len(e.Args) == 0 || e.Ellipsis.IsValid() {
		t.explain(e)
	}
	v := t.expr(fr, e.Args[0])
	for _, arg := range e.Args[1:] {
		x := t.expr(fr, arg)
		if t.b.Type(x) != t.b.Type(v) {
			t.explain(e)
		}
		v = t.emit(e, op, v, x)
	}
	return v
}

// inline translates a call of a function of the same package.
func (t *translator) inline(fr *frame, e *ast.CallExpr, id *ast.Ident, fn *types.Func) []value {
	decl := t.decls[fn.Origin()]
	switch {
	case decl == nil:
		t.refuse(e.Pos(), "the source of %s is not there", fn.Name())
	case decl.Body == nil:
		t.refuse(e.Pos(), "%s has no body: it is written in assembly", fn.Name())
	case slices.Contains(t.active, types.Object(fn.Origin())):
		t.refuse(e.Pos(), "recursive call of %s; write a loop", fn.Name())
	case t.calls == maxCalls:
		t.refuse(e.Pos(), "more than %d calls to inline", maxCalls)
	}
	t.calls++
	sig := fn.Origin().Signature()
	callee := t.newFrame(&function{name: fn.Name(), sig: sig, body: decl.Body})
	for i := range sig.TypeParams().Len() {
		args := t.info.Instances[id].TypeArgs
		if args.Len() <= i {
			t.explain(e)
		}
		callee.types[sig.TypeParams().At(i)] = t.kind(fr, args.At(i))
	}
	args := t.lists(fr, e, e.Args, sig.Params().Len())
	for i, p := range vars(sig.Params()) {
		if layout := t.layout(callee, p.Type()); len(layout) != len(args[i]) || layout[0] != t.b.Type(args[i][0]) {
			t.refuse(p.Pos(), "parameter %s has type %s; want "+wanted, p.Name(), t.typeName(p.Type()))
		}
		for j, v := range args[i] {
			t.put(callee, place{p, j}, v)
		}
	}
	t.active = append(t.active, fn.Origin())
	results := t.body(callee)
	t.active = t.active[:len(t.active)-1]
	return results
}

// convert translates the conversion e to type typ.
func (t *translator) convert(fr *frame, e *ast.CallExpr, typ types.Type) value {
	if layout := t.layout(fr, typ); len(layout) > 1 && len(e.Args) == 1 {
		return t.flat(fr, e.Args[0])
	}
	return value{t.convertNumber(fr, e, typ)}
}

func (t *translator) convertNumber(fr *frame, e *ast.CallExpr, typ types.Type) ir.Value {
	k := t.kind(fr, typ)
	if k == ir.Invalid {
		t.refuse(e.Pos(), "conversion to %s; want %s", t.typeName(typ), wanted)
	}
	if len(e.Args) != 1 {
		t.explain(e)
	}
	// A constant converted to a type parameter is no constant in Go. The compiler gives the constant its default type first, so
	// float32 rounds a floating-point one twice.
	if tv := t.info.Types[e.Args[0]]; tv.Value != nil {
		if tv.Value.Kind() == constant.Float && k.IsFloat() {
			return t.constant(k, round(k, constant.MakeFloat64(round(ir.Float64, tv.Value))))
		}
		return t.value(k, tv.Value)
	}
	v := t.expr(fr, e.Args[0])
	if t.b.Type(v).IsInteger() || t.b.Type(v) == k && !k.IsFloat() {
		return t.resize(e, k, v)
	}
	if t.b.Type(v) == k {
		// Go's way to say that a rounding is meant; but generic code converts because it must.
		if isTypeParam(typ) || isTypeParam(t.info.Types[e.Args[0]].Type) {
			return v
		}
		return t.b.Pin(v)
	}
	if k == ir.Float32 && t.b.Type(v) == ir.Float64 {
		if narrow, ok := t.narrow(v); ok {
			return narrow
		}
	}
	return t.record(e, ir.Convert, k, v)
}

// narrow returns the float32 operation that float32(v) stands for, if v is a function of widened float32 values, an infinity or NaN.
func (t *translator) narrow(v ir.Value) (ir.Value, bool) {
	if x, ok := t.consts[v]; ok {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return t.constant(ir.Float32, x), true
		}
		return 0, false
	}
	n, ok := t.made[v]
	if !ok || !narrows[n.op] && n.def == nil {
		return 0, false
	}
	args := make([]ir.Value, len(n.args))
	for i, a := range n.args {
		if m := t.made[a]; m.op == ir.Convert && t.b.Type(a) == ir.Float64 && t.b.Type(m.args[0]) == ir.Float32 {
			args[i] = m.args[0]
		} else if x, ok := t.consts[a]; ok && (float64(float32(x)) == x || math.IsNaN(x)) {
			args[i] = t.constant(ir.Float32, x)
		} else {
			return 0, false
		}
	}
	if n.def != nil { // whose float32 value is the float64 one, rounded
		narrow, err := t.b.Call(n.def, args...)
		return narrow, err == nil
	}
	narrow := t.b.Must(n.op, args...)
	t.made[narrow] = operation{n.op, nil, args}
	return narrow, true
}

func isTypeParam(typ types.Type) bool {
	_, ok := types.Unalias(typ).(*types.TypeParam)
	return ok
}
