package rules

import (
	"go/ast"
	"go/token"
	"math/big"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

func (t *terms) call(e *ast.CallExpr, want ir.Type) (int, bool) {
	name, ok := e.Fun.(*ast.Ident)
	if !ok || e.Ellipsis.IsValid() {
		return t.fault(e, "this is not a call that a law may use")
	}
	if to, ok := floatTypes[name.Name]; ok {
		return t.convert(e, to)
	}
	switch name.Name {
	case "pin":
		return t.pin(e, want)
	case lookup:
		return t.lookup(e, want)
	}
	node := egraph.PatternNode{Op: functions[unmask(name.Name)]}
	if d := t.p.defs[name.Name]; d != nil {
		node.Op, node.Def = d.Op(), d
	}
	if node.Op == ir.OpInvalid {
		return t.fault(e, "unknown function %s", unmask(name.Name))
	}
	if arity := node.Op.Info().Arity; len(e.Args) != arity {
		return t.fault(e, "%s of %d arguments, want %d", opName(node), len(e.Args), arity)
	}
	return t.apply(node, want, e.Args...)
}

// operation adds op after checking the types of its operands.
func (t *terms) operation(op ir.Op, want ir.Type, operands ...ast.Expr) (int, bool) {
	return t.apply(egraph.PatternNode{Op: op}, want, operands...)
}

// apply adds an operation that has no operands yet.
func (t *terms) apply(node egraph.PatternNode, want ir.Type, operands ...ast.Expr) (int, bool) {
	op := node.Op
	floats := operands
	if op == ir.Select {
		floats = operands[1:]
	}
	operandType := t.common(floats...)
	if operandType == untyped {
		operandType = want
	}
	if operandType == ir.Bool { // no operation takes one here; the operand that is one will be named
		operandType = t.match
	}
	good := true
	for j, operand := range operands {
		wantOperand := operandType
		if op == ir.Select && j == 0 {
			wantOperand = ir.Bool
		}
		i, ok := t.build(operand, wantOperand)
		if !ok {
			good = false
			continue
		}
		if t.types[i] != wantOperand {
			t.fault(operand, "%s needs a %s here, not a %s", opName(node), typeName(wantOperand), typeName(t.types[i]))
			good = false
		}
		node.Args[j] = i
	}
	if !good {
		return 0, false
	}
	typ := operandType
	if op.Info().Shape == ir.ShapeCompare {
		typ = ir.Bool
	}
	return t.add(node, typ), true
}

// convert adds float32(x) or float64(x). A converted constant is a constant of that type.
func (t *terms) convert(e *ast.CallExpr, to ir.Type) (int, bool) {
	if len(e.Args) != 1 {
		return t.fault(e, "a conversion of %d arguments, want 1", len(e.Args))
	}
	if n, ok := constant(e.Args[0]); ok {
		return t.constant(n, to), true
	}
	i, ok := t.build(e.Args[0], t.match)
	if !ok {
		return 0, false
	}
	if t.types[i] == ir.Bool {
		return t.fault(e, "a bool cannot be converted")
	}
	return t.add(egraph.PatternNode{Op: ir.Convert, Type: to, Args: [3]int{i}}, to), true
}

// pin adds an operation whose rounding is meant.
func (t *terms) pin(e *ast.CallExpr, want ir.Type) (int, bool) {
	if len(e.Args) != 1 {
		return t.fault(e, "pin of %d arguments, want 1", len(e.Args))
	}
	if t.left {
		return t.fault(e, "pin belongs to the right side")
	}
	i, ok := t.build(e.Args[0], want)
	if !ok {
		return 0, false
	}
	node := t.pattern.Nodes[i]
	if isVar(node) || node.Op.Leaf() {
		return t.fault(e, "pin of a variable or a constant: it is exact already")
	}
	if node.Op == ir.Lookup {
		return t.fault(e, "pin of a lookup: it is exact already")
	}
	node.Pin = true
	return t.add(node, t.types[i]), true
}

// lookup adds lookup(s, c0, c1, ...), the entry whose number the last bits of s name, or lookup(s >> n, c0, c1, ...), where
// n bits come after them.
func (t *terms) lookup(e *ast.CallExpr, want ir.Type) (int, bool) {
	if len(e.Args) == 0 {
		return t.fault(e, "lookup of nothing")
	}
	table, by := ir.NewTable(0), e.Args[0]
	if shifted, ok := by.(*ast.BinaryExpr); ok && shifted.Op == token.SHR {
		n, ok := constant(shifted.Y)
		if !ok || n.real == nil || !n.real.IsInt() || n.real.Sign() < 0 || n.real.Cmp(big.NewFloat(63)) > 0 {
			return t.fault(shifted.Y, "want the number of bits below those that choose, 0 to 63")
		}
		bits, _ := n.real.Uint64()
		table.Shift, by = uint8(bits), shifted.X
	}
	for i, arg := range e.Args[1:] {
		n, ok := constant(arg)
		if !ok || n.real == nil && n.special != n.special {
			return t.fault(arg, "entry %d of the table is not a number", i)
		}
		x := n.special
		if n.real != nil {
			var accuracy big.Accuracy
			if x, accuracy = n.real.Float64(); accuracy != big.Exact {
				return t.fault(arg, "entry %d of the table is no float64", i)
			}
		}
		table.Entries = append(table.Entries, x)
	}
	i, ok := t.build(by, want)
	if !ok {
		return 0, false
	}
	typ := t.types[i]
	switch {
	case t.left:
		return t.fault(e, "lookup belongs to the right side")
	case typ == ir.Bool:
		return t.fault(by, "lookup needs a %s here, not a bool", typeName(t.match))
	case typ == ir.Invalid:
		return t.fault(by, "which bits choose depends on the type: say \"for float32\" or \"for float64\"")
	}
	if err := table.Check(typ); err != nil {
		return t.fault(e, "%s", strings.TrimPrefix(err.Error(), "ir: "))
	}
	if j := slices.IndexFunc(t.tables, table.Equal); j >= 0 {
		table = t.tables[j]
	} else {
		t.tables = append(t.tables, table)
	}
	return t.add(egraph.PatternNode{Op: ir.Lookup, Table: table, Args: [3]int{i}}, typ), true
}
