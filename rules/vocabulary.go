package rules

import (
	"go/ast"
	"go/token"

	"github.com/go-yolk/yolk/compiler/ir"
)

// functions are the operations that are called by name, operators those with a symbol, by their symbol.
var functions, unaries, binaries = operations()

func operations() (functions, unaries, binaries map[string]ir.Op) {
	functions, unaries, binaries = map[string]ir.Op{}, map[string]ir.Op{}, map[string]ir.Op{}
	for op := ir.Op(1); op < ir.NumOps; op++ {
		info := op.Info()
		switch {
		case info.Shape == ir.ShapeLeaf || info.Shape == ir.ShapeConvert:
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
