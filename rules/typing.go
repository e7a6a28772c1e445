package rules

import (
	"go/ast"
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// A type is ir.Bool, a floating-point type, or the match: ir.Invalid in a law for any type, standing for the type of
// whatever the law is applied to, or the one type that the law is for.

// untyped is the type of a constant that its context has not given one yet.
const untyped ir.Type = math.MaxUint8

// typeOf returns the type of an expression as far as it says so by itself, without checking it.
func (t *terms) typeOf(e ast.Expr) ir.Type {
	if typ, ok := t.known[e]; ok {
		return typ
	}
	typ := t.match
	switch e := e.(type) {
	case *ast.ParenExpr:
		typ = t.typeOf(e.X)
	case *ast.BasicLit:
		typ = untyped
	case *ast.Ident:
		if def, ok := t.visible(e.Name); ok {
			typ = t.typeOf(t.defs[def].expr)
		} else if _, ok := constant(e); ok {
			typ = untyped
		} else if kind, ok := t.kinds[e.Name]; ok {
			return kind // not remembered: the left side may not have bound it yet
		} else {
			return t.match
		}
	case *ast.UnaryExpr:
		typ = t.typeOf(e.X)
	case *ast.BinaryExpr:
		if op := binaryOp(e); op.Info().Shape == ir.ShapeCompare {
			typ = ir.Bool
		} else {
			typ = t.common(e.X, e.Y)
		}
	case *ast.CallExpr:
		name, _ := e.Fun.(*ast.Ident)
		if name == nil {
			break
		}
		args := e.Args
		if to, ok := floatTypes[name.Name]; ok {
			typ = to
			break
		}
		if functions[unmask(name.Name)] == ir.Select && len(args) == ir.Select.Info().Arity {
			args = args[1:]
		}
		if len(args) > 0 {
			typ = t.common(args...)
		}
	}
	t.known[e] = typ
	return typ
}

// common is the type of the first operand that has one.
func (t *terms) common(operands ...ast.Expr) ir.Type {
	for _, e := range operands {
		if typ := t.typeOf(e); typ != untyped {
			return typ
		}
	}
	return untyped
}

// visible finds a name of the with clause that may be used here: on the right side, later definitions see earlier ones.
func (t *terms) visible(name string) (int, bool) {
	def, ok := t.named[name]
	return def, ok && !t.left && def < t.inDef
}

func typeName(t ir.Type) string {
	switch t {
	case ir.Bool:
		return "bool"
	case ir.Float32:
		return "float32"
	case ir.Float64:
		return "float64"
	}
	return "float"
}
