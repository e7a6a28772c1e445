package ring

import (
	"math/big"
	"math/bits"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// A speller writes a polynomial as nodes of the graph: the common monomial first, then Horner's rule in the atom that
// occurs in most terms, powers as chains of squares.
type speller struct {
	g         *egraph.Graph
	typ       ir.Type
	witnesses map[egraph.ClassID]*egraph.Witness // of the nodes that were written, where unions are recorded
}

func (s *speller) node(op ir.Op, args ...egraph.ClassID) egraph.ClassID {
	n := egraph.Node{Op: op, Type: s.typ}
	copy(n.Args[:], args)
	if !s.g.Records() {
		return s.g.Add(n)
	}
	operands := make([]*egraph.Witness, len(args))
	for i, a := range args {
		operands[i] = s.witness(a)
	}
	w := s.g.Witness(n, operands...)
	if s.witnesses == nil {
		s.witnesses = map[egraph.ClassID]*egraph.Witness{}
	}
	s.witnesses[w.Class] = w
	return w.Class
}

// witness is what was written as a class, or else the class.
func (s *speller) witness(c egraph.ClassID) *egraph.Witness {
	if w := s.witnesses[c]; w != nil {
		return w
	}
	return s.g.Atom(c)
}

func (s *speller) real(c *big.Float) egraph.ClassID {
	return s.g.AddConst(s.typ, egraph.Constant{Real: c})
}

// sum spells a polynomial that is not zero. Common monomials come out first; then each step splits p into a^e·q + r.
func (s *speller) sum(p poly) egraph.ClassID {
	if len(p) == 1 {
		return s.product(p[0].coef, p[0].mono, nil)
	}
	if m := p.content(); len(m) > 0 {
		inner := s.sum(p.over(m))
		return s.product(one(), m, &inner)
	}
	a, ok := commonAtom(p)
	if !ok {
		return s.plain(p)
	}
	var with, without poly
	for _, t := range p {
		if t.mono.exponent(a) > 0 {
			with = append(with, t)
		} else {
			without = append(without, t)
		}
	}
	return s.node(ir.Add, s.sum(with), s.sum(without))
}

// nodes is a bound on the nodes that a spelling takes.
func (p poly) nodes() int {
	n := 0
	for _, t := range p {
		n += 4 // the coefficient, its product, the sum, a division
		for _, f := range t.mono {
			n += 1 + 2*bits.Len(uint(f.exp)) // a product, and the power by squaring
		}
	}
	return n
}

// commonAtom picks the atom that occurs in most terms, at least in two; the smaller one of equals.
func commonAtom(p poly) (atom, bool) {
	var best atom
	most := 1
	for _, a := range p.atoms() {
		count := 0
		for _, t := range p {
			if t.mono.exponent(a) > 0 {
				count++
			}
		}
		if count > most {
			best, most = a, count
		}
	}
	return best, most > 1
}

// plain adds terms that share no atom: those with a coefficient other than -1 first, the others are subtracted.
func (s *speller) plain(p poly) egraph.ClassID {
	var acc egraph.ClassID
	started := false
	for _, t := range p {
		if isMinusOne(t.coef) && len(t.mono) > 0 {
			continue
		}
		c := s.product(t.coef, t.mono, nil)
		if started {
			c = s.node(ir.Add, acc, c)
		}
		acc, started = c, true
	}
	for _, t := range p {
		if !isMinusOne(t.coef) || len(t.mono) == 0 {
			continue
		}
		if !started {
			acc, started = s.product(t.coef, t.mono, nil), true
			continue
		}
		acc = s.node(ir.Sub, acc, s.product(one(), t.mono, nil))
	}
	return acc
}

func isMinusOne(c *big.Float) bool { return c.Cmp(big.NewFloat(-1)) == 0 }

// product spells coef · mono · extra; reciprocals become one division.
func (s *speller) product(coef *big.Float, mono monomial, extra *egraph.ClassID) egraph.ClassID {
	var num, den *egraph.ClassID
	times := func(to **egraph.ClassID, c egraph.ClassID) {
		if *to != nil {
			c = s.node(ir.Mul, **to, c)
		}
		*to = &c
	}
	for _, f := range mono {
		if f.recip {
			times(&den, s.power(f.class, f.exp))
		} else {
			times(&num, s.power(f.class, f.exp))
		}
	}
	if extra != nil {
		times(&num, *extra)
	}
	switch {
	case num == nil:
		c := s.real(coef)
		num = &c
	case isMinusOne(coef):
		c := s.node(ir.Neg, *num)
		num = &c
	case coef.Cmp(one()) != 0:
		c := s.node(ir.Mul, s.real(coef), *num)
		num = &c
	}
	if den == nil {
		return *num
	}
	return s.node(ir.Div, *num, *den)
}

// power spells x^e, e >= 1, by repeated squaring: x^6 is (x·x²)².
func (s *speller) power(x egraph.ClassID, e int) egraph.ClassID {
	if e == 1 {
		return x
	}
	if e%2 == 0 {
		half := s.power(x, e/2)
		return s.node(ir.Mul, half, half)
	}
	return s.node(ir.Mul, x, s.power(x, e-1))
}
