package rules

import (
	"go/ast"
	"go/token"
	"math"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

func (p *lawParser) licences(c clause) ir.Licence {
	var l ir.Licence
	if len(c.words) == 0 {
		p.fault(c.keyword.offset, "no licence after !")
	}
	for _, w := range c.words {
		one, err := ir.ParseLicence(w.lit)
		if err != nil {
			p.fault(w.offset, "%s", strings.TrimPrefix(err.Error(), "ir: "))
		}
		if one != 0 && l.Has(one) {
			p.fault(w.offset, "the licence %s twice", w.lit)
		}
		l |= one
	}
	return l
}

var floatTypes = map[string]ir.Type{"float32": ir.Float32, "float64": ir.Float64}

func (p *lawParser) floatType(c clause) ir.Type {
	if len(c.words) == 1 {
		if t, ok := floatTypes[c.words[0].lit]; ok {
			return t
		}
	}
	p.fault(c.keyword.offset, "want \"for float32\" or \"for float64\"")
	return ir.Invalid
}

// definition is a part of a with clause.
type definition struct {
	name word
	expr ast.Expr
}

func (p *lawParser) definitions(c clause) []definition {
	var defs []definition
	rest := c.words
	for at := c.keyword.end(); ; {
		n := 0
		for n < len(rest) && rest[n].tok != token.SEMICOLON {
			n++
		}
		part := rest[:n]
		if len(part) < 3 || part[0].tok != token.IDENT || part[1].tok != token.ASSIGN {
			p.fault(at, "want name = expression")
		} else if e := p.expr(part[2:], part[1].end()); e != nil {
			defs = append(defs, definition{part[0], e})
		}
		if n == len(rest) {
			return defs
		}
		at = rest[n].end()
		rest = rest[n+1:]
	}
}

// domain reads the clauses where, on, everywhere and within.
func (p *lawParser) domain(l *law, clauses map[string]clause, a arrow) {
	r := l.rewrite
	vars := map[string]int{}
	for i, name := range r.Vars {
		vars[name] = i
	}
	var parts []guard
	for _, keyword := range []string{where, on} {
		if c, ok := clauses[keyword]; ok {
			if e := p.expr(c.words, c.keyword.end()); e != nil {
				if g, ok := p.guard(e, vars); ok {
					parts = append(parts, g)
				}
			}
		}
	}
	if len(parts) > 0 {
		l.guard = both(parts)
		r.Guard = l.guard.holds
	}
	onClause, isOn := clauses[on]
	anyClause, isAny := clauses[everywhere]
	bound, isBound := clauses[within]
	if isAny && len(anyClause.words) > 0 {
		p.fault(anyClause.words[0].offset, "nothing may follow the word everywhere")
	}
	if r.Kind != egraph.Approximation {
		for _, c := range []clause{onClause, anyClause, bound} {
			if c.keyword.lit != "" {
				p.fault(c.keyword.offset, "%s belongs to an approximation (~>)", c.keyword.lit)
			}
		}
		return
	}
	if isOn == isAny {
		p.fault(a.offset, "an approximation needs its domain: either \"on\" a condition or \"everywhere\"")
	}
	if !isBound {
		p.fault(a.offset, "an approximation needs its error bound: within N ulp, abs or rel")
		return
	}
	r.Bound = p.bound(bound)
}

var boundUnits = [...]string{egraph.ULP: "ulp", egraph.Abs: "abs", egraph.Rel: "rel"}

func (p *lawParser) bound(c clause) egraph.Bound {
	if len(c.words) == 2 {
		value, err := strconv.ParseFloat(c.words[0].lit, 64)
		for unit, name := range boundUnits {
			if err == nil && c.words[1].lit == name && value > 0 && !math.IsInf(value, 1) {
				return egraph.Bound{Value: value, Unit: egraph.BoundUnit(unit)}
			}
		}
	}
	p.fault(c.keyword.offset, "want \"within\", a positive number and one of ulp, abs, rel")
	return egraph.Bound{}
}
