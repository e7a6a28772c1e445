package rules

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/ir"
)

// functions are the operations that are called by name, operators those with a symbol, by their symbol.
var functions, unaries, binaries = operations()

func operations() (functions, unaries, binaries map[string]ir.Op) {
	functions, unaries, binaries = map[string]ir.Op{}, map[string]ir.Op{}, map[string]ir.Op{}
	for op := ir.Op(1); op < ir.NumOps; op++ {
		info := op.Info()
		switch {
		case info.Shape == ir.ShapeLeaf || info.Shape == ir.ShapeConvert || info.Shape == ir.ShapeLoop || op.Call() || op == ir.Lookup:
		case info.Shape == ir.ShapeInteger || info.Shape == ir.ShapeBits: // laws are about real numbers
		case info.Symbol == "":
			functions[info.Name] = op
		case info.Arity == 1:
			unaries[info.Symbol] = op
		default:
			binaries[info.Symbol] = op
		}
	}
	return functions, unaries, binaries
}

// lookup is how an entry of a table is written: lookup(s >> n, c0, c1, ...).
const lookup = "lookup"

// hasMeaning reports whether a name is taken in the notation itself.
func hasMeaning(name string) bool {
	_, isFunction := functions[name]
	_, isReal := namedReals[name]
	_, isType := floatTypes[name]
	_, isPredicate := predicates[name]
	switch name {
	case "pin", lookup, "inf", "nan", where, with, on, everywhere, within:
		return true
	}
	return isFunction || isReal || isType || isPredicate
}

// vocabulary indexes the functions of package elementary and users' operations by name, after checking that laws can call
// them.
func vocabulary(defs []*ir.Def) (map[string]*ir.Def, error) {
	byName := map[string]*ir.Def{}
	for _, d := range append(elementary.Defs(), defs...) {
		err := d.Check()
		switch {
		case err != nil:
		case !wordLike(d.Name):
			err = fmt.Errorf("the operation %s: names are made of lower-case letters, digits and _, and begin with a letter", d.Name)
		case hasMeaning(d.Name):
			err = fmt.Errorf("the operation %s: the name has a meaning already", d.Name)
		case byName[d.Name] != nil && byName[d.Name] != d:
			err = fmt.Errorf("two operations are called %s", d.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRule, err)
		}
		byName[d.Name] = d
	}
	return byName, nil
}

// opName is the name of a pattern's operation.
func opName(n egraph.PatternNode) string {
	if n.Def != nil {
		return n.Def.Name
	}
	return n.Op.String()
}

// swapped gives the comparison with its operands exchanged.
var swapped = map[token.Token]string{token.GTR: token.LSS.String(), token.GEQ: token.LEQ.String()}

// binaryOp is the operation of a binary expression, OpInvalid if a law cannot use it.
func binaryOp(e *ast.BinaryExpr) ir.Op {
	symbol := e.Op.String()
	if s, ok := swapped[e.Op]; ok {
		symbol = s
	}
	return binaries[symbol]
}
