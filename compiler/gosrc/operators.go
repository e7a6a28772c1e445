package gosrc

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/go-yolk/yolk/compiler/ir"
)

var unary = map[token.Token]ir.Op{token.ADD: ir.OpInvalid, token.SUB: ir.Neg, token.XOR: ir.Not, token.NOT: ir.Not}

// operators are the binary operators but for shifts.
var operators = map[token.Token]struct {
	op   ir.Op
	flip bool // the operands are exchanged
}{
	token.ADD: {ir.Add, false}, token.SUB: {ir.Sub, false}, token.MUL: {ir.Mul, false}, token.QUO: {ir.Div, false}, token.REM: {ir.Rem, false},
	token.AND: {ir.And, false}, token.OR: {ir.Or, false}, token.XOR: {ir.Xor, false}, token.AND_NOT: {ir.AndNot, false},
	token.LAND: {ir.And, false}, token.LOR: {ir.Or, false},
	token.LSS: {ir.Lt, false}, token.LEQ: {ir.Le, false}, token.GTR: {ir.Lt, true}, token.GEQ: {ir.Le, true},
	token.EQL: {ir.Eq, false}, token.NEQ: {ir.Ne, false},
}

// binary translates x op y, written at e.
func (t *translator) binary(fr *frame, e ast.Expr, tok token.Token, left, right ast.Expr) ir.Value {
	if tok == token.SHL || tok == token.SHR {
		return t.shift(fr, e, tok, left, right)
	}
	o, ok := operators[tok]
	if !ok {
		t.refuseExpression(e)
	}
	if typ := t.info.TypeOf(left); typ != nil && (tok == token.EQL || tok == token.NEQ) {
		if _, array := typ.Underlying().(*types.Array); array {
			return t.equalArrays(e, tok, t.flat(fr, left), t.flat(fr, right))
		}
	}
	x := t.expr(fr, left)
	// The right side of && and || is evaluated only where the left one leaves it open.
	switch tok {
	case token.LAND:
		t.guard = append(t.guard, x)
	case token.LOR:
		t.guard = append(t.guard, t.emit(e, ir.Not, x))
	}
	y := t.expr(fr, right)
	if tok == token.LAND || tok == token.LOR {
		t.guard = t.guard[:len(t.guard)-1]
	}
	k := t.b.Type(x)
	if k != t.b.Type(y) {
		t.explain(e)
	}
	op := o.op
	if k == ir.Bool && op == ir.Eq {
		return t.equal(e, x, y)
	} else if k == ir.Bool && op == ir.Ne {
		return t.emit(e, ir.Xor, x, y)
	}
	t.takes(e, tok, op, k)
	if k.IsInteger() && (op == ir.Div || op == ir.Rem) {
		y = t.guarded(e, y, t.b.Int(k, 1))
	}
	if o.flip {
		x, y = y, x
	}
	return t.emit(e, op, x, y)
}

// equal is x == y.
func (t *translator) equal(e ast.Expr, x, y ir.Value) ir.Value {
	if t.b.Type(x) == ir.Bool {
		return t.not(t.emit(e, ir.Xor, x, y))
	}
	return t.emit(e, ir.Eq, x, y)
}

// equalArrays compares arrays.
func (t *translator) equalArrays(e ast.Expr, tok token.Token, x, y value) ir.Value {
	if len(x) != len(y) || t.b.Type(x[0]) != t.b.Type(y[0]) {
		t.explain(e)
	}
	all := t.truth(true)
	for i := range x {
		all = t.and(all, t.equal(e, x[i], y[i]))
	}
	if tok == token.NEQ {
		return t.not(all)
	}
	return all
}

// takes refuses an operator on a type that it does not have.
func (t *translator) takes(e ast.Expr, tok token.Token, op ir.Op, k ir.Type) {
	logical := tok == token.LAND || tok == token.LOR || tok == token.NOT
	if logical == (k == ir.Bool) && op.Takes(k) {
		return
	}
	what := "integers"
	switch {
	case logical:
		what = "bools"
	case k == ir.Bool:
		what = "numbers"
	}
	pos := e.Pos()
	if b, ok := e.(*ast.BinaryExpr); ok {
		pos = b.OpPos
	}
	t.refuse(pos, "operator %s works on %s, not on a %s", tok, what, k.GoName())
}

// guarded is v where the expression at hand is evaluated, and other where it is not.
func (t *translator) guarded(e ast.Expr, v, other ir.Value) ir.Value {
	for _, g := range t.guard {
		v = t.emit(e, ir.Select, g, v, other)
	}
	return v
}

// shift translates x << y and x >> y. Program counts have the type of x and are unsigned, so larger ones are cut to the width, which
// shifts out as many bits.
func (t *translator) shift(fr *frame, e ast.Expr, tok token.Token, left, right ast.Expr) ir.Value {
	op := ir.Shl
	if tok == token.SHR {
		op = ir.Shr
	}
	x := t.expr(fr, left)
	k := t.b.Type(x)
	t.takes(e, tok, op, k)
	width := int64(8 * k.Size())
	if tv := t.info.Types[ast.Unparen(right)]; tv.Value != nil {
		n, ok := constant.Int64Val(constant.ToInt(tv.Value))
		if !ok || n > width {
			n = width
		}
		return t.emit(e, op, x, t.b.Int(k, n))
	}
	y := t.expr(fr, right)
	count := t.b.Type(y)
	if !count.IsInteger() || t.rangeOf(y).lo < 0 {
		t.refuse(right.Pos(), "a shift count of type %s, which may be negative; convert it to an unsigned type", count.GoName())
	}
	if n := t.b.Node(y); n.Op == ir.Convert && holds(count, t.b.Type(n.Args[0])) {
		y, count = n.Args[0], t.b.Type(n.Args[0])
	}
	if count.Size() > k.Size() {
		limit := t.b.Int(count, width)
		y = t.emit(e, ir.Min, y, limit)
	}
	if count != k {
		y = t.record(e, ir.Convert, k, y)
	}
	return t.emit(e, op, x, y)
}
