package gosrc

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// value is what an expression gives: the elements of an array in order, those of inner arrays too, or one number or bool.
type value []ir.Value

// maxElements bounds arrays: every element is a value of its own, and reading at a variable index chooses among all of them.
const maxElements = 256

// layout lists the types of the elements of values of type typ; nil if they cannot be there.
func (t *translator) layout(fr *frame, typ types.Type) []ir.Type {
	if k := t.kind(fr, typ); k != ir.Invalid {
		return []ir.Type{k}
	}
	if typ == nil {
		return nil
	}
	array, ok := typ.Underlying().(*types.Array)
	if !ok || array.Len() <= 0 || array.Len() > maxElements {
		return nil
	}
	inner := t.layout(fr, array.Elem())
	if len(inner) == 0 || len(inner)*int(array.Len()) > maxElements {
		return nil
	}
	return slices.Repeat(inner, int(array.Len()))
}

// flat translates an expression that may be an array.
func (t *translator) flat(fr *frame, e ast.Expr) value {
	e = ast.Unparen(e)
	array := false
	if typ := t.info.TypeOf(e); typ != nil {
		_, array = typ.Underlying().(*types.Array)
	}
	if !array {
		if call, ok := e.(*ast.CallExpr); ok {
			if values := t.call(fr, call); len(values) == 1 {
				return values[0]
			}
		}
		return value{t.expr(fr, e)}
	}
	switch e := e.(type) {
	case *ast.Ident:
		if o := t.info.Uses[e]; o != nil {
			if v := t.variable(fr, o); v != nil {
				return v
			}
			return t.packageVariable(fr, e, o)
		}
	case *ast.CompositeLit:
		return t.composite(fr, e, t.info.TypeOf(e))
	case *ast.IndexExpr:
		return t.element(fr, e)
	case *ast.CallExpr:
		if values := t.call(fr, e); len(values) == 1 {
			return values[0]
		}
	}
	t.refuseExpression(e)
	panic("unreachable")
}

// composite is an array literal. A slice literal, which only a table is, has the length that its elements give it.
func (t *translator) composite(fr *frame, e *ast.CompositeLit, typ types.Type) value {
	var elem types.Type
	n := int64(-1)
	switch u := typ.Underlying().(type) {
	case *types.Array:
		elem, n = u.Elem(), u.Len()
	case *types.Slice:
		elem = u.Elem()
	default:
		t.refuseExpression(e)
	}
	layout := t.layout(fr, elem)
	if layout == nil || n > maxElements {
		t.refuse(e.Pos(), "a literal of type %s; kernels work on numbers, bools and arrays of at most %d of them", t.typeName(typ), maxElements)
	}
	var list []value
	at := int64(0)
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			k, exact := constant.Int64Val(constant.ToInt(t.info.Types[kv.Key].Value))
			if !exact {
				t.explain(kv.Key)
			}
			at, x = k, kv.Value
		}
		if at < 0 || at >= maxElements {
			t.refuse(x.Pos(), "an array of more than %d elements", maxElements)
		}
		for int64(len(list)) <= at {
			list = append(list, nil)
		}
		if inner, ok := x.(*ast.CompositeLit); ok && inner.Type == nil {
			list[at] = t.composite(fr, inner, elem)
		} else {
			list[at] = t.flat(fr, x)
		}
		if len(list[at]) != len(layout) || t.b.Type(list[at][0]) != layout[0] {
			t.explain(x)
		}
		at++
	}
	for int64(len(list)) < n {
		list = append(list, nil)
	}
	var all value
	for _, v := range list {
		if v == nil {
			for _, k := range layout {
				v = append(v, t.zeroOf(k))
			}
		}
		all = append(all, v...)
	}
	if len(all) > maxElements {
		t.refuse(e.Pos(), "an array of more than %d elements", maxElements)
	}
	return all
}

// zeroOf is the zero of a type.
func (t *translator) zeroOf(k ir.Type) ir.Value {
	if k.IsFloat() {
		return t.constant(k, 0)
	}
	return t.b.Const(k, 0)
}

// indexed is an array, the width of its elements, and the index of one.
func (t *translator) indexed(fr *frame, e *ast.IndexExpr) (elements value, width int, index ir.Value) {
	typ := t.info.TypeOf(e.X)
	if typ == nil {
		t.explain(e.X)
	}
	switch u := typ.Underlying().(type) {
	case *types.Array:
		elements = t.flat(fr, e.X)
		width = len(elements) / int(u.Len())
	case *types.Slice:
		elements = t.table(fr, e.X)
		width = len(t.layout(fr, u.Elem()))
	default:
		t.refuseExpression(e)
	}
	n := int64(len(elements) / width)
	index = t.expr(fr, e.Index)
	if !t.b.Type(index).IsInteger() {
		t.explain(e.Index)
	}
	if r := t.rangeOf(index); r.lo < 0 || r.hi >= n {
		t.refuse(e.Index.Pos(), "the index %s may be outside of 0 to %d, where Go panics; make that impossible by a constant, a loop counter that stays "+
			"inside, a remainder or a mask: %[3]s[uint(%[1]s)%%%[4]d]", types.ExprString(e.Index), n-1, types.ExprString(e.X), n)
	}
	return elements, width, index
}

// element reads an element of an array.
func (t *translator) element(fr *frame, e *ast.IndexExpr) value {
	elements, width, index := t.indexed(fr, e)
	return t.pick(elements, width, index)
}

// pick chooses one of the elements, each width values.
func (t *translator) pick(elements value, width int, index ir.Value) value {
	n := len(elements) / width
	k := t.b.Type(index)
	if c := t.b.Node(index); c.Op == ir.Const {
		i := int(ir.BitsInt(k, c.Imm))
		return elements[i*width : (i+1)*width]
	}
	var v value
	for j := range width {
		x := elements[(n-1)*width+j]
		for i := n - 2; i >= 0; i-- {
			if y := elements[i*width+j]; x != y {
				x = t.choose(t.b.Must(ir.Eq, index, t.b.Int(k, int64(i))), y, x)
			}
		}
		v = append(v, x)
	}
	return v
}

// setElement writes v to an element of the array that e.X names.
func (t *translator) setElement(fr *frame, e *ast.IndexExpr, v value) {
	elements, width, index := t.indexed(fr, e)
	if len(v) != width || t.b.Type(v[0]) != t.b.Type(elements[0]) {
		t.explain(e)
	}
	k := t.b.Type(index)
	c := t.b.Node(index)
	all := slices.Clone(elements)
	for i := range len(elements) / width {
		here := t.truth(true)
		if c.Op != ir.Const {
			here = t.b.Must(ir.Eq, index, t.b.Int(k, int64(i)))
		} else if int64(i) != ir.BitsInt(k, c.Imm) {
			continue
		}
		for j := range width {
			all[i*width+j] = t.choose(here, v[j], all[i*width+j])
		}
	}
	t.set(fr, e.X, all)
}

// table is a slice that nothing changes: a package variable.
func (t *translator) table(fr *frame, e ast.Expr) value {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if o := t.info.Uses[id]; o != nil {
			return t.packageVariable(fr, id, o)
		}
	}
	t.refuse(e.Pos(), "%s is a slice; kernels work on numbers, arrays, and package variables that are never assigned", types.ExprString(e))
	panic("unreachable")
}

// lengthOf is the value of len(x) for a table x.
func (t *translator) lengthOf(fr *frame, e ast.Expr) (int64, bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || types.ExprString(call.Fun) != "len" || !t.info.Types[call.Fun].IsBuiltin() {
		return 0, false
	}
	typ := t.info.TypeOf(call.Args[0])
	if typ == nil {
		return 0, false
	}
	if slice, ok := typ.Underlying().(*types.Slice); ok {
		return int64(len(t.table(fr, call.Args[0])) / max(1, len(t.layout(fr, slice.Elem())))), true
	}
	return t.lengthOfType(typ)
}

func (t *translator) lengthOfType(typ types.Type) (int64, bool) {
	if array, ok := typ.Underlying().(*types.Array); ok {
		return array.Len(), true
	}
	return 0, false
}
