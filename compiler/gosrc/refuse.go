package gosrc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// traced is the way out that always exists.
const traced = "write the kernel as func(x ufunc.Value) ufunc.Value"

// refusal carries an error up to translate.
type refusal struct{ err error }

func (u *unit) refusalAt(pos token.Pos, format string, args ...any) error {
	return fmt.Errorf("%w: %v: %s", ErrUnsupported, u.position(pos), fmt.Sprintf(format, args...))
}

// refuse ends the translation: the construct at pos is not in the language of kernels.
func (t *translator) refuse(pos token.Pos, format string, args ...any) {
	panic(refusal{t.refusalAt(pos, format, args...)})
}

// stale ends the translation: the source is not that of the function value.
func (t *translator) stale(fr *frame, format string, args ...any) {
	panic(refusal{fmt.Errorf("%w: %v: %s: %s; the file has changed since the program was built",
		ErrSource, t.position(fr.fn.body.Pos()), fr.fn.name, fmt.Sprintf(format, args...))})
}

func (t *translator) typeName(typ types.Type) string {
	return types.TypeString(typ, types.RelativeTo(t.pkg))
}

// list writes names as an enumeration.
func list(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}

func (t *translator) refuseStatement(s ast.Stmt) {
	what, hint := "this statement", "kernels have assignments, if, switch, for and return"
	switch s := s.(type) {
	case *ast.TypeSwitchStmt:
		what, hint = "a switch on types", "write the function generic, or one for each type"
	case *ast.BranchStmt:
		what, hint = s.Tok.String(), "write a loop with break and continue"
	case *ast.DeferStmt:
		what, hint = "defer", "a kernel has no side effects"
	case *ast.GoStmt:
		what, hint = "go", "a kernel has no side effects"
	case *ast.SelectStmt, *ast.SendStmt:
		what, hint = "channel operations", "a kernel has no side effects"
	case *ast.ExprStmt:
		what, hint = fmt.Sprintf("%s as a statement", types.ExprString(s.X)), "a kernel has no side effects: remove it"
	}
	t.refuse(s.Pos(), "%s; %s", what, hint)
}

func (t *translator) refuseExpression(e ast.Expr) {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			t.refuse(e.Pos(), "a pointer; kernels work on values")
		case token.ARROW:
			t.refuse(e.Pos(), "channel operations; a kernel has no side effects")
		}
	case *ast.FuncLit:
		t.refuse(e.Pos(), "a closure; declare a function of the package and call it")
	case *ast.StarExpr:
		t.refuse(e.Pos(), "a pointer; kernels work on values")
	case *ast.IndexExpr, *ast.SliceExpr:
		t.refuse(e.Pos(), "%s: slices and maps are not supported; write an array, [n]float32, or a package variable that is never assigned", types.ExprString(e))
	case *ast.CompositeLit:
		if typ := t.info.TypeOf(e); typ != nil {
			switch typ.Underlying().(type) {
			case *types.Slice, *types.Map:
				t.refuse(e.Pos(), "%s: slices and maps are not supported; write an array, [n]float32, or a package variable that is never assigned", types.ExprString(e))
			}
		}
		t.refuse(e.Pos(), "a composite literal; kernels work on numbers, bools and arrays of them")
	case *ast.TypeAssertExpr:
		t.refuse(e.Pos(), "a type assertion; kernels work on numbers, bools and arrays of them")
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			if _, ok := t.info.Uses[id].(*types.PkgName); ok {
				t.explain(e)
			}
		}
		t.refuse(e.Pos(), "%s: fields and methods are not supported; pass the numbers as parameters", types.ExprString(e))
	}
	t.explain(e)
}

// refuseVariable says what is wrong with a name that is no local variable with a value.
func (t *translator) refuseVariable(id *ast.Ident, obj types.Object) {
	switch obj := obj.(type) {
	case *types.Var:
		if obj.Parent() == t.pkg.Scope() {
			t.refuse(id.Pos(), "package variable %s can change; make it a constant or a parameter", id.Name)
		}
	case *types.Func:
		t.refuse(id.Pos(), "function %s as a value; call it", id.Name)
	}
	t.refuse(id.Pos(), "%s is not a number", id.Name)
}

// explain ends the translation at an expression that the type checker could make nothing of, or that lies in another package.
func (t *translator) explain(e ast.Expr) {
	skip := map[*ast.Ident]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			skip[n.Sel] = true
			id, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			pkg, ok := t.info.Uses[id].(*types.PkgName)
			if !ok {
				return true
			}
			switch path := pkg.Imported().Path(); path {
			case mathPath:
				if pkg.Imported().Scope().Lookup(n.Sel.Name) == nil {
					t.refuse(n.Pos(), "math.%s is not supported; %s", n.Sel.Name, supported)
				}
			case bitsPath:
				if pkg.Imported().Scope().Lookup(n.Sel.Name) == nil {
					t.refuse(n.Pos(), "bits.%s is not supported; %s", n.Sel.Name, supportedBits)
				}
			case ufuncPath:
				if pkg.Imported().Scope().Lookup(n.Sel.Name) == nil {
					t.refuse(n.Pos(), "ufunc.%s is not for plain kernels", n.Sel.Name)
				}
			default:
				t.refuse(n.Pos(), "%s is of package %s; only functions and constants of the same package, math, math/bits and ufunc can be used",
					types.ExprString(n), path)
			}
		case *ast.Ident:
			if !skip[n] && n.Name != "_" && t.info.Uses[n] == nil && t.info.Defs[n] == nil {
				t.refuse(n.Pos(), "undefined: %s", n.Name)
			}
		}
		return true
	})
	for _, err := range t.errs {
		if e.Pos() <= err.Pos && err.Pos < e.End() {
			t.refuse(err.Pos, "%s", err.Msg)
		}
	}
	t.refuse(e.Pos(), "%s is not supported", types.ExprString(e))
}
