package rules

import (
	"fmt"
	"go/ast"
	"go/token"
	"math"
	"math/big"
	"strings"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// guard is a condition over facts, compiled, and a way to write it down with other numbers for its variables.
type guard struct {
	holds func(vars []ir.Fact) egraph.Truth
	write func(b *strings.Builder, rename func(int) int)
}

// quantity is an operand of a comparison: an interval that the real value lies in.
type quantity struct {
	fact  func(vars []ir.Fact) ir.Fact
	write func(b *strings.Builder, rename func(int) int)
}

// predicates are the conditions on one variable.
var predicates = map[string]func(ir.Fact) egraph.Truth{
	"integer": integer,
	"even":    func(f ir.Fact) egraph.Truth { return parity(f, 0) },
	"odd":     func(f ir.Fact) egraph.Truth { return parity(f, 1) },
	"nonzero": nonzero,
	"const":   isConst,
}

func integer(f ir.Fact) egraph.Truth {
	switch {
	case f.Integer:
		return egraph.Yes
	case f.Lo == f.Hi:
		return truth(ir.Exactly(f.Lo).Integer)
	}
	return egraph.Unknown
}

// parity knows an answer only about a single value.
func parity(f ir.Fact, remainder float64) egraph.Truth {
	if f.Lo != f.Hi {
		return egraph.Unknown
	}
	return truth(math.Abs(math.Mod(f.Lo, 2)) == remainder)
}

func nonzero(f ir.Fact) egraph.Truth {
	switch {
	case f.NonZero || f.Lo > 0 || f.Hi < 0:
		return egraph.Yes
	case f.Lo == 0 && f.Hi == 0:
		return egraph.No
	}
	return egraph.Unknown
}

// isConst accepts a single value, or two neighbours: the bounds of a constant that float64 does not hold.
func isConst(f ir.Fact) egraph.Truth {
	if f.Lo <= f.Hi && f.Hi <= math.Nextafter(f.Lo, math.Inf(1)) {
		return egraph.Yes
	}
	return egraph.Unknown
}

func truth(b bool) egraph.Truth {
	if b {
		return egraph.Yes
	}
	return egraph.No
}

func not(t egraph.Truth) egraph.Truth {
	switch t {
	case egraph.Yes:
		return egraph.No
	case egraph.No:
		return egraph.Yes
	}
	return egraph.Unknown
}

// both is the conjunction of guards.
func both(parts []guard) guard {
	g := parts[0]
	for _, part := range parts[1:] {
		g = connect(g, part, token.LAND)
	}
	return g
}

// connect joins two guards by && or ||, in Kleene's logic: a side that decides makes the other one unimportant.
func connect(a, b guard, op token.Token) guard {
	decides := egraph.No
	if op == token.LOR {
		decides = egraph.Yes
	}
	return guard{
		holds: func(vars []ir.Fact) egraph.Truth {
			x, y := a.holds(vars), b.holds(vars)
			switch {
			case x == decides || y == decides:
				return decides
			case x == egraph.Unknown || y == egraph.Unknown:
				return egraph.Unknown
			}
			return not(decides)
		},
		write: infix(a.write, b.write, op.String()),
	}
}

func infix(a, b func(*strings.Builder, func(int) int), symbol string) func(*strings.Builder, func(int) int) {
	return func(w *strings.Builder, rename func(int) int) {
		w.WriteByte('(')
		a(w, rename)
		w.WriteString(symbol)
		b(w, rename)
		w.WriteByte(')')
	}
}

func prefix(a func(*strings.Builder, func(int) int), name string) func(*strings.Builder, func(int) int) {
	return func(w *strings.Builder, rename func(int) int) {
		w.WriteString(name)
		w.WriteByte('(')
		a(w, rename)
		w.WriteByte(')')
	}
}

// guard compiles a condition. vars are the variables of the left side.
func (p *lawParser) guard(e ast.Expr, vars map[string]int) (guard, bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.guard(e.X, vars)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			g, ok := p.guard(e.X, vars)
			if !ok {
				return guard{}, false
			}
			return guard{
				holds: func(vars []ir.Fact) egraph.Truth { return not(g.holds(vars)) },
				write: prefix(g.write, "!"),
			}, true
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			a, okA := p.guard(e.X, vars)
			b, okB := p.guard(e.Y, vars)
			if !okA || !okB {
				return guard{}, false
			}
			return connect(a, b, e.Op), true
		}
		return p.comparison(e, vars)
	case *ast.CallExpr:
		name, ok := e.Fun.(*ast.Ident)
		if !ok {
			break
		}
		holds, ok := predicates[unmask(name.Name)]
		if !ok {
			p.fault(offset(e), "unknown condition %s (want integer, even, odd, nonzero or const of a variable)", unmask(name.Name))
			return guard{}, false
		}
		if len(e.Args) != 1 {
			p.fault(offset(e), "%s of %d arguments, want 1", unmask(name.Name), len(e.Args))
			return guard{}, false
		}
		q, ok := p.quantity(e.Args[0], vars)
		if !ok {
			return guard{}, false
		}
		return guard{
			holds: func(vars []ir.Fact) egraph.Truth { return holds(q.fact(vars)) },
			write: prefix(q.write, name.Name),
		}, true
	}
	p.fault(offset(e), "a condition is a comparison, integer(n), even(n), odd(n), nonzero(x) or const(c), joined by && || !")
	return guard{}, false
}

// comparisons answer for two intervals.
var comparisons = map[token.Token]func(a, b ir.Fact) egraph.Truth{
	token.LSS: less,
	token.LEQ: func(a, b ir.Fact) egraph.Truth { return not(less(b, a)) },
	token.GTR: func(a, b ir.Fact) egraph.Truth { return less(b, a) },
	token.GEQ: func(a, b ir.Fact) egraph.Truth { return not(less(a, b)) },
	token.EQL: equal,
	token.NEQ: func(a, b ir.Fact) egraph.Truth { return not(equal(a, b)) },
}

func less(a, b ir.Fact) egraph.Truth {
	switch {
	case a.Hi < b.Lo:
		return egraph.Yes
	case a.Lo >= b.Hi:
		return egraph.No
	}
	return egraph.Unknown
}

func equal(a, b ir.Fact) egraph.Truth {
	isZero := func(f ir.Fact) bool { return f.Lo == 0 && f.Hi == 0 }
	switch {
	case a.Lo == a.Hi && b.Lo == b.Hi && a.Lo == b.Lo:
		return egraph.Yes
	case a.Hi < b.Lo || b.Hi < a.Lo || a.NonZero && isZero(b) || b.NonZero && isZero(a):
		return egraph.No
	}
	return egraph.Unknown
}

func (p *lawParser) comparison(e *ast.BinaryExpr, vars map[string]int) (guard, bool) {
	compare, ok := comparisons[e.Op]
	if !ok {
		p.fault(int(e.OpPos)-1, "the operator %v is not known in a condition", e.Op)
		return guard{}, false
	}
	a, okA := p.quantity(e.X, vars)
	b, okB := p.quantity(e.Y, vars)
	if !okA || !okB {
		return guard{}, false
	}
	return guard{
		holds: func(vars []ir.Fact) egraph.Truth { return compare(a.fact(vars), b.fact(vars)) },
		write: infix(a.write, b.write, e.Op.String()),
	}, true
}

// quantity reads a variable, abs of one, or a number.
func (p *lawParser) quantity(e ast.Expr, vars map[string]int) (quantity, bool) {
	if n, ok := constant(e); ok {
		return p.number(e, n)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.quantity(e.X, vars)
	case *ast.BasicLit:
		_, wrong := literal(e)
		p.fault(offset(e), "%s", wrong)
		return quantity{}, false
	case *ast.Ident:
		if v, ok := vars[e.Name]; ok {
			return quantity{
				fact:  func(vars []ir.Fact) ir.Fact { return vars[v] },
				write: func(b *strings.Builder, rename func(int) int) { fmt.Fprintf(b, "?%d", rename(v)) },
			}, true
		}
		p.fault(offset(e), "%s is not a variable of the left side", unmask(e.Name))
		return quantity{}, false
	case *ast.CallExpr:
		name, ok := e.Fun.(*ast.Ident)
		if ok && name.Name == ir.Abs.String() && len(e.Args) == 1 {
			q, ok := p.quantity(e.Args[0], vars)
			if !ok {
				return quantity{}, false
			}
			return quantity{
				fact:  func(vars []ir.Fact) ir.Fact { return absolute(q.fact(vars)) },
				write: prefix(q.write, name.Name),
			}, true
		}
	}
	p.fault(offset(e), "a condition compares numbers, variables and abs of variables")
	return quantity{}, false
}

// number is a constant as an interval: the float64 values next to it, or itself.
func (p *lawParser) number(e ast.Expr, n number) (quantity, bool) {
	f := ir.Exactly(n.special)
	text := fmt.Sprint(n.special)
	if n.real != nil {
		x, accuracy := n.real.Float64()
		f = ir.Exactly(x)
		switch accuracy {
		case big.Below:
			f = ir.Between(x, math.Nextafter(x, math.Inf(1)))
		case big.Above:
			f = ir.Between(math.Nextafter(x, math.Inf(-1)), x)
		}
		text = n.real.Text('p', 0)
	} else if math.IsNaN(n.special) {
		p.fault(offset(e), "a condition about nan never holds")
		return quantity{}, false
	}
	return quantity{
		fact:  func([]ir.Fact) ir.Fact { return f },
		write: func(b *strings.Builder, _ func(int) int) { b.WriteString(text) },
	}, true
}

func absolute(f ir.Fact) ir.Fact {
	g := f
	g.Lo, g.Hi = math.Min(math.Abs(f.Lo), math.Abs(f.Hi)), math.Max(math.Abs(f.Lo), math.Abs(f.Hi))
	if f.Lo <= 0 && f.Hi >= 0 {
		g.Lo = 0
	}
	return g
}
