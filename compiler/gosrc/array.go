package gosrc

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
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

// variable is the value of a local variable, nil if o is none.
func (t *translator) variable(fr *frame, o types.Object) value {
	var v value
	for {
		x, ok := fr.vars[place{o, len(v)}]
		if !ok {
			return v
		}
		v = append(v, x)
	}
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

// bounds are those of an integer.
type bounds struct{ lo, hi int64 }

// rangeOf bounds an integer. Only what indices are made of is looked into.
func (t *translator) rangeOf(v ir.Value) bounds {
	n := t.b.Node(v)
	lo, hi := n.Type.Range()
	whole := bounds{int64(max(lo, math.MinInt64)), math.MaxInt64}
	if hi < 1<<62 {
		whole.hi = int64(hi)
	}
	within := func(b bounds) bounds {
		if b.lo < whole.lo || b.hi > whole.hi {
			return whole // it may wrap around
		}
		return b
	}
	const small = 1 << 31 // sums and products of such numbers do not wrap in int64
	isSmall := func(b bounds) bool { return -small < b.lo && b.hi < small }
	if b, ok := t.bounds[v]; ok {
		return b
	}
	switch n.Op {
	case ir.Const:
		x := ir.BitsInt(n.Type, n.Imm)
		if x < 0 && !n.Type.IsSigned() {
			return whole
		}
		return bounds{x, x}
	case ir.Add, ir.Sub, ir.Mul:
		a, b := t.rangeOf(n.Args[0]), t.rangeOf(n.Args[1])
		if !isSmall(a) || !isSmall(b) {
			return whole
		}
		switch n.Op {
		case ir.Add:
			return within(bounds{a.lo + b.lo, a.hi + b.hi})
		case ir.Sub:
			return within(bounds{a.lo - b.hi, a.hi - b.lo})
		}
		p := []int64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
		return within(bounds{slices.Min(p), slices.Max(p)})
	case ir.And:
		a, b := t.rangeOf(n.Args[0]), t.rangeOf(n.Args[1])
		switch {
		case a.lo >= 0 && b.lo >= 0:
			return bounds{0, min(a.hi, b.hi)}
		case a.lo >= 0:
			return bounds{0, a.hi}
		case b.lo >= 0:
			return bounds{0, b.hi}
		}
	case ir.Rem:
		a, b := t.rangeOf(n.Args[0]), t.rangeOf(n.Args[1])
		if b.lo > 0 {
			lo := int64(0)
			if a.lo < 0 {
				lo = max(a.lo, 1-b.hi)
			}
			return bounds{lo, max(0, min(a.hi, b.hi-1))}
		}
	case ir.Shr:
		if a, c := t.rangeOf(n.Args[0]), t.b.Node(n.Args[1]); a.lo >= 0 && c.Op == ir.Const {
			return bounds{0, a.hi >> min(c.Imm, 63)}
		}
	case ir.Min, ir.Max:
		a, b := t.rangeOf(n.Args[0]), t.rangeOf(n.Args[1])
		if n.Op == ir.Min {
			return bounds{min(a.lo, b.lo), min(a.hi, b.hi)}
		}
		return bounds{max(a.lo, b.lo), max(a.hi, b.hi)}
	case ir.Select:
		a, b := t.rangeOf(n.Args[1]), t.rangeOf(n.Args[2])
		return bounds{min(a.lo, b.lo), max(a.hi, b.hi)}
	case ir.Convert:
		if t.b.Type(n.Args[0]).IsInteger() {
			return within(t.rangeOf(n.Args[0]))
		}
	}
	return whole
}

// packageVariable is the value of a variable of the package: one that nothing changes, or that is bound.
func (t *translator) packageVariable(fr *frame, id *ast.Ident, o types.Object) value {
	v, ok := o.(*types.Var)
	if !ok || v.Parent() != t.pkg.Scope() {
		t.refuseVariable(id, o)
	}
	if v, ok := t.bound(fr, id, o.Type()); ok {
		return v
	}
	ways := "make it a constant or a parameter, or give its value by ufunc.Bind(\"" + id.Name + "\", v)"
	if !t.complete {
		t.refuse(id.Pos(), "package variable %s can change; %s", id.Name, ways)
	}
	if o.Exported() {
		t.refuse(id.Pos(), "package variable %s can change: it is exported; %s", id.Name, ways)
	}
	if pos := t.changed(o); pos.IsValid() {
		t.refuse(id.Pos(), "package variable %s can change, at %v; %s", id.Name, t.position(pos), ways)
	}
	init := t.initialiser(o)
	if init == nil {
		layout := t.layout(fr, o.Type())
		if layout == nil {
			t.refuse(id.Pos(), "package variable %s has type %s; want %s", id.Name, t.typeName(o.Type()), wanted)
		}
		var zero value
		for _, k := range layout {
			zero = append(zero, t.zeroOf(k))
		}
		return zero
	}
	if lit, ok := ast.Unparen(init).(*ast.CompositeLit); ok {
		return t.composite(fr, lit, o.Type())
	}
	tv := t.info.Types[init]
	k := t.kind(fr, o.Type())
	if tv.Value == nil || k == ir.Invalid {
		t.refuse(id.Pos(), "package variable %s begins as %s, which is not constant; %s", id.Name, types.ExprString(init), ways)
	}
	return value{t.value(k, tv.Value)}
}

// initialiser is the expression that a package variable begins as.
func (t *translator) initialiser(o types.Object) ast.Expr {
	for _, file := range t.files {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				s := s.(*ast.ValueSpec)
				for i, name := range s.Names {
					if t.info.Defs[name] == o && len(s.Values) == len(s.Names) {
						return s.Values[i]
					}
				}
			}
		}
	}
	return nil
}

// changed finds where a package variable may be changed: where it is assigned, its address is taken, or a slice of it goes elsewhere
// than to an index, len or range. The zero position says nowhere.
func (u *unit) changed(o types.Object) token.Pos {
	if at, ok := u.changes[o]; ok {
		return at
	}
	at := u.findChange(o)
	u.changes[o] = at
	return at
}

func (u *unit) findChange(o types.Object) token.Pos {
	var at token.Pos
	is := func(e ast.Expr) bool {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.Ident:
				return u.info.Uses[x] == o
			}
			return false
		}
	}
	_, isSlice := o.Type().Underlying().(*types.Slice)
	for _, file := range u.files {
		harmless := map[*ast.Ident]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			change := func(e ast.Expr) {
				if e != nil && is(e) && !at.IsValid() {
					at = e.Pos()
				}
			}
			harm := func(e ast.Expr) {
				if id, ok := ast.Unparen(e).(*ast.Ident); ok {
					harmless[id] = true
				}
			}
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					change(e)
				}
			case *ast.IncDecStmt:
				change(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					change(n.X)
				}
			case *ast.SliceExpr:
				change(n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					change(n.Key)
					change(n.Value)
				}
				harm(n.X)
			case *ast.IndexExpr:
				harm(n.X)
			case *ast.CallExpr:
				if types.ExprString(n.Fun) == "len" && len(n.Args) == 1 {
					harm(n.Args[0])
				}
				if s, ok := n.Fun.(*ast.SelectorExpr); ok { // a method may take its address
					change(s.X)
				}
			case *ast.Ident:
				if isSlice && u.info.Uses[n] == o && !harmless[n] && !at.IsValid() {
					at = n.Pos()
				}
			}
			return true
		})
	}
	return at
}
