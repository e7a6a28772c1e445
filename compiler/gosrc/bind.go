package gosrc

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// bound is the value that the options give a variable from outside of the function.
func (t *translator) bound(fr *frame, id *ast.Ident, typ types.Type) (value, bool) {
	x, ok := t.binds[id.Name]
	if !ok {
		return nil, false
	}
	t.usedBinds[id.Name] = true
	layout := t.layout(fr, typ)
	var v value
	var flatten func(x reflect.Value)
	flatten = func(x reflect.Value) {
		if x.Kind() == reflect.Array {
			for i := range x.Len() {
				flatten(x.Index(i))
			}
			return
		}
		k := kinds[x.Kind()]
		if len(v) >= len(layout) || layout[len(v)] != k {
			t.refuse(id.Pos(), "%s has type %s, but a value of type %v is bound to it", id.Name, t.typeName(typ), x.Type())
		}
		switch {
		case k == ir.Bool:
			v = append(v, t.truth(x.Bool()))
		case k.IsSigned():
			v = append(v, t.b.Int(k, x.Int()))
		case k.IsInteger():
			v = append(v, t.b.Int(k, int64(x.Uint())))
		default:
			v = append(v, t.constant(k, x.Float()))
		}
	}
	r := reflect.ValueOf(x)
	if !r.IsValid() || kinds[r.Kind()] == ir.Invalid && r.Kind() != reflect.Array {
		t.refuse(id.Pos(), "%s cannot be bound to a %T", id.Name, x)
	}
	flatten(r)
	if len(v) != len(layout) {
		t.refuse(id.Pos(), "%s has type %s, but a value of type %T is bound to it", id.Name, t.typeName(typ), x)
	}
	return v, true
}

// unused reports values that are bound to nothing.
func (t *translator) unused() error {
	for _, name := range slices.Sorted(maps.Keys(t.binds)) {
		if !t.usedBinds[name] {
			return fmt.Errorf("%w: a value is bound to %s, which the function does not use from outside", ErrUnsupported, name)
		}
	}
	return nil
}

// capture gives the variables that a literal uses from around it their bound values. Others are refused: their values are not in the
// source, and cannot be read from the function value.
func (t *translator) capture(fr *frame, lit *ast.FuncLit) {
	var names []string
	var first *ast.Ident
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := t.info.Uses[id].(*types.Var)
		if !ok || v.IsField() || v.Parent() == t.pkg.Scope() || lit.Pos() <= v.Pos() && v.Pos() < lit.End() || slices.Contains(names, id.Name) {
			return true
		}
		if _, ok := fr.vars[place{v, 0}]; ok {
			return true
		}
		if list, ok := t.bound(fr, id, v.Type()); ok {
			for i, x := range list {
				t.put(fr, place{v, i}, x)
			}
			return true
		}
		if first == nil {
			first = id
		}
		names = append(names, id.Name)
		return true
	})
	if first != nil {
		t.refuse(first.Pos(), "the literal captures %s, whose value is not in the source; give it by ufunc.Bind(%q, v), make it a parameter or a constant, or %s",
			list(names), names[0], traced)
	}
	_, written, _ := t.mentioned(fr, []ast.Node{lit.Body})
	for p := range fr.vars {
		if written[p.Object] && !(lit.Pos() <= p.Pos() && p.Pos() < lit.End()) {
			t.refuse(lit.Pos(), "the literal assigns to %s, which it captures; a kernel has no side effects", p.Name())
		}
	}
}

// finiteConst reports whether a value is a finite constant.
func (t *translator) finite(v ir.Value) bool {
	x, ok := t.consts[v]
	return ok && !math.IsInf(x, 0) && !math.IsNaN(x)
}
