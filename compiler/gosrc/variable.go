package gosrc

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-yolk/yolk/compiler/ir"
)

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
		id := assigned(e)
		return id != nil && u.info.Uses[id] == o
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

// assigned is the variable that an assignment to e changes, nil if that is not one of this language.
func assigned(e ast.Expr) *ast.Ident {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x
		default:
			return nil
		}
	}
}
