package ring

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// An atom is what a polynomial is a polynomial in: a class, or the reciprocal of one. A class and its reciprocal are
// different atoms and never cancel, since the class may be zero.
type atom struct {
	class egraph.ClassID
	recip bool
}

func (a atom) compare(b atom) int {
	if c := cmp.Compare(a.class, b.class); c != 0 {
		return c
	}
	if a.recip == b.recip {
		return 0
	}
	if b.recip {
		return -1
	}
	return 1
}

// power is an atom with its exponent, at least 1.
type power struct {
	atom
	exp int
}

// monomial is a product of powers, sorted by atom.
type monomial []power

func (m monomial) exponent(a atom) int {
	for _, p := range m {
		if p.atom == a {
			return p.exp
		}
	}
	return 0
}

func (m monomial) degree() int {
	d := 0
	for _, p := range m {
		d += p.exp
	}
	return d
}

func (m monomial) times(n monomial) monomial {
	if len(m) == 0 {
		return n
	} else if len(n) == 0 {
		return m
	}
	out := make(monomial, 0, len(m)+len(n))
	for len(m) > 0 && len(n) > 0 {
		switch c := m[0].compare(n[0].atom); {
		case c < 0:
			out, m = append(out, m[0]), m[1:]
		case c > 0:
			out, n = append(out, n[0]), n[1:]
		default:
			out = append(out, power{m[0].atom, m[0].exp + n[0].exp})
			m, n = m[1:], n[1:]
		}
	}
	out = append(out, m...)
	return append(out, n...)
}

// over divides m by a monomial that divides it.
func (m monomial) over(n monomial) monomial {
	var out monomial
	for _, p := range m {
		if p.exp -= n.exponent(p.atom); p.exp > 0 {
			out = append(out, p)
		}
	}
	return out
}

// compare orders monomials by degree, then by their powers.
func (m monomial) compare(n monomial) int {
	if c := cmp.Compare(m.degree(), n.degree()); c != 0 {
		return c
	}
	return slices.CompareFunc(m, n, func(p, q power) int {
		if c := p.atom.compare(q.atom); c != 0 {
			return c
		}
		return cmp.Compare(p.exp, q.exp)
	})
}

// term is coefficient times monomial; the coefficient is never zero.
type term struct {
	coef *big.Float
	mono monomial
}

// poly is a sum of terms with distinct monomials, sorted by monomial.
type poly []term

func constant(c *big.Float) poly { return poly{{coef: c}} }

func variable(a atom) poly { return poly{{one(), monomial{{a, 1}}}} }

func one() *big.Float { return newReal().SetInt64(1) }

// multiply multiplies coefficients, which are never written to.
func multiply(a, b *big.Float) *big.Float {
	if isOne(a) {
		return b
	} else if isOne(b) {
		return a
	}
	return newReal().Mul(a, b)
}

func isOne(c *big.Float) bool { return c.Sign() > 0 && c.MantExp(nil) == 1 && c.MinPrec() == 1 }

func newReal() *big.Float { return new(big.Float).SetPrec(ir.RealPrec) }

func (p poly) plus(q poly) poly { return p.appendSum(make(poly, 0, len(p)+len(q)), q) }

// appendSum appends the terms of p + q to out.
func (p poly) appendSum(out, q poly) poly {
	for len(p) > 0 && len(q) > 0 {
		switch c := p[0].mono.compare(q[0].mono); {
		case c < 0:
			out, p = append(out, p[0]), p[1:]
		case c > 0:
			out, q = append(out, q[0]), q[1:]
		default:
			// What is left of two coefficients that are equal as constants is rounding error.
			if sum := newReal().Add(p[0].coef, q[0].coef); sum.Sign() != 0 && sum.MantExp(nil) >= p[0].coef.MantExp(nil)-keyPrec {
				out = append(out, term{sum, p[0].mono})
			}
			p, q = p[1:], q[1:]
		}
	}
	out = append(out, p...)
	return append(out, q...)
}

func (p poly) scale(c *big.Float) poly {
	out := make(poly, len(p))
	for i, t := range p {
		out[i] = term{multiply(t.coef, c), t.mono}
	}
	return out
}

// times multiplies; it gives up where the product has more than |p|+|q|+2 terms, which is what keeps an expansion from
// blowing up.
func (p poly) times(q poly) (product poly, ok bool) {
	var out poly
	for _, t := range p {
		row := make(poly, len(q))
		for i, u := range q {
			row[i] = term{multiply(t.coef, u.coef), t.mono.times(u.mono)}
		}
		slices.SortFunc(row, func(a, b term) int { return a.mono.compare(b.mono) })
		if out = out.plus(row); len(out) > len(p)+len(q)+2 {
			return nil, false
		}
	}
	return out, true
}

// over divides every term by a monomial that divides it.
func (p poly) over(m monomial) poly {
	out := make(poly, len(p))
	for i, t := range p {
		out[i] = term{t.coef, t.mono.over(m)}
	}
	slices.SortFunc(out, func(a, b term) int { return a.mono.compare(b.mono) })
	return out
}

// atoms lists the atoms, sorted, each once.
func (p poly) atoms() []atom {
	var all []atom
	for _, t := range p {
		for _, f := range t.mono {
			all = append(all, f.atom)
		}
	}
	slices.SortFunc(all, atom.compare)
	return slices.Compact(all)
}

// content is the largest monomial that divides every term.
func (p poly) content() monomial {
	var m monomial
	for _, f := range p[0].mono {
		least := f.exp
		for _, t := range p[1:] {
			least = min(least, t.mono.exponent(f.atom))
		}
		if least > 0 {
			m = append(m, power{f.atom, least})
		}
	}
	return m
}

// size orders normal forms: fewer terms first, then the lower total degree.
func (p poly) size() (terms, degree int) {
	for _, t := range p {
		degree += t.mono.degree()
	}
	return len(p), degree
}

// equal reports whether two polynomials are the same. Coefficients are compared at keyPrec bits, as the e-graph compares
// constants.
func (p poly) equal(q poly) bool {
	return slices.EqualFunc(p, q, func(t, u term) bool {
		return slices.Equal(t.mono, u.mono) && near(t.coef, u.coef)
	})
}

// keyPrec is the e-graph's precision of constants, in bits.
const keyPrec = ir.RealPrec - 32

func near(a, b *big.Float) bool {
	if a == b || a.Cmp(b) == 0 {
		return true
	}
	d := newReal().Sub(a, b)
	return d.MantExp(nil) < a.MantExp(nil)-keyPrec
}
