// Package ring is the theory of polynomials as a pass over an e-graph.
//
// Associativity and distributivity as rewrites make an e-graph explode. Instead, every class that is built by ring
// operations gets its few smallest normal forms: sums of coefficient times powers of atoms, an atom being a class that is
// no ring operation, a value that is used more than once (so that a polynomial in a shared u stays one in u), or a
// reciprocal. Each form is spelled out again by Horner's rule and united with its class, on demand from the roots; the
// extractor chooses. Coefficients are exact reals.
//
// A graph goes in, the same graph with more nodes and unions comes out. The pass needs the licence reassoc, and arcp to
// look through divisions; it knows no other rule, no cost and no machine. It never makes an atom vanish that could be NaN
// or infinite, so x - x stays.
package ring

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

const (
	// maxForms is how many normal forms a class keeps. Two would do for most kernels (the form in shared values and the
	// form in leaves); the third keeps both when a function has a second spelling, such as tanh through exp.
	maxForms = 3
	// maxTerms bounds one normal form; a longer sum is an atom for what is above it. It keeps a sum of n terms at
	// n·maxTerms work.
	maxTerms = 128
	// maxPower is the largest constant exponent that is read as a power of the ring. Above it pow stays a function.
	maxPower = 32
)

// Pass returns the theory for one saturation, which starts from the given graph and roots: values used more than once
// there are the shared ones. Divisions are looked through where arcp is granted.
func Pass(g *egraph.Graph, roots []egraph.ClassID, granted ir.Licence) egraph.Pass {
	shared := sharedClasses(g, roots)
	return egraph.Pass{Name: "ring", Apply: func(g *egraph.Graph, roots []egraph.ClassID) int {
		p := &pass{
			g: g, divide: granted.Has(ir.ARecip),
			shared: map[egraph.ClassID]bool{}, forms: map[egraph.ClassID][]form{}, state: map[egraph.ClassID]state{},
		}
		for _, c := range shared {
			p.shared[g.Find(c)] = true
		}
		return p.run(roots)
	}}
}

// sharedClasses lists the classes that more than one node uses, in the order in which they are found.
func sharedClasses(g *egraph.Graph, roots []egraph.ClassID) []egraph.ClassID {
	uses := map[egraph.ClassID]int{}
	var order []egraph.ClassID
	stack := slices.Clone(roots)
	for len(stack) > 0 {
		c := g.Find(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		if uses[c]++; uses[c] > 1 {
			if uses[c] == 2 {
				order = append(order, c)
			}
			continue
		}
		for _, n := range g.Class(c) {
			stack = append(stack, n.Args[:n.Op.Info().Arity]...)
		}
	}
	return order
}

type state uint8

const (
	unseen state = iota
	open         // on the stack
	done
)

// form is a normal form of a class. lost are the atoms that have cancelled and could be NaN or infinite: x - x is 0 with x
// lost. A form that has lost an atom is no spelling of its class, but may be part of one where the atom comes in again.
type form struct {
	poly
	lost []atom
	read *egraph.Witness // what it was read from, where unions are recorded
}

type pass struct {
	g      *egraph.Graph
	divide bool
	shared map[egraph.ClassID]bool
	forms  map[egraph.ClassID][]form
	state  map[egraph.ClassID]state
	sum    poly // scratch of plus
}

// run spells out the forms of every class that is reached from the roots through atoms and operands of other operations.
// All forms are read before the first node is added, so that the graph stays clean while it is read.
func (p *pass) run(roots []egraph.ClassID) int {
	var visit []egraph.ClassID
	seen := map[egraph.ClassID]bool{}
	push := func(c egraph.ClassID) {
		if c = p.g.Find(c); !seen[c] {
			seen[c] = true
			visit = append(visit, c)
		}
	}
	for _, r := range roots {
		push(r)
	}
	type spelling struct {
		class egraph.ClassID
		form  form
	}
	var spell []spelling
	for i := 0; i < len(visit); i++ {
		c := visit[i]
		if _, ok := p.g.Const(c); ok {
			continue
		}
		p.close(c)
		for _, f := range p.forms[c] {
			if len(f.lost) > 0 || len(f.poly) == 0 || f.isAtom(c) {
				continue
			}
			spell = append(spell, spelling{c, f})
			for _, a := range f.atoms() {
				push(a.class)
			}
		}
		for _, n := range p.g.Class(c) {
			if !p.ringNode(n) {
				for _, a := range n.Args[:n.Op.Info().Arity] {
					push(a)
				}
			}
		}
	}
	unions := 0
	for _, s := range spell {
		if !p.g.Room(s.form.nodes()) {
			continue // a shorter form may fit
		}
		e := &speller{g: p.g, typ: p.g.Type(s.class)}
		c := e.sum(s.form.poly)
		united := false
		if p.g.Records() {
			united = p.g.UnionTerms(s.form.read, e.witness(c))
		} else {
			united = p.g.Union(s.class, c, egraph.Given)
		}
		if united {
			unions++
		}
	}
	return unions
}

// ringNode reports whether the node is read as an operation of the ring.
func (p *pass) ringNode(n egraph.Node) bool {
	if n.Pin {
		return false
	}
	switch n.Op {
	case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.FMA:
		return true
	case ir.Div:
		return p.divide
	case ir.Pow:
		_, ok := p.exponent(n)
		return ok
	}
	return false
}

// exponent returns the constant exponent of a power that the ring reads.
func (p *pass) exponent(n egraph.Node) (int, bool) {
	c, ok := p.g.Const(n.Args[1])
	if !ok || c.Real == nil {
		return 0, false
	}
	e, acc := c.Real.Int64()
	return int(e), acc == big.Exact && 1 <= e && e <= maxPower
}

// close computes the forms of a class and of all classes below it, without recursion.
func (p *pass) close(root egraph.ClassID) {
	stack := []egraph.ClassID{root}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		switch p.state[c] {
		case done:
			stack = stack[:len(stack)-1]
			continue
		case open:
			p.forms[c] = p.read(c)
			p.state[c] = done
			stack = stack[:len(stack)-1]
			continue
		}
		p.state[c] = open
		if _, ok := p.g.Const(c); ok {
			continue
		}
		for _, n := range p.g.Class(c) {
			if !p.ringNode(n) {
				continue
			}
			for _, a := range n.Args[:n.Op.Info().Arity] {
				if a = p.g.Find(a); p.state[a] == unseen {
					stack = append(stack, a)
				}
			}
		}
	}
}

// read computes the normal forms of one class from those of its operands; operands still open lie on a cycle and are
// passed over.
func (p *pass) read(c egraph.ClassID) []form {
	if k, ok := p.g.Const(c); ok && k.Real != nil {
		return []form{{poly: constant(k.Real), read: p.atom(c)}}
	}
	var forms []form
	keep := func(f form, ok bool) {
		if !ok || len(f.poly) > maxTerms {
			return
		}
		if !slices.ContainsFunc(forms, func(g form) bool { return f.equal(g.poly) }) {
			f.poly = slices.Clone(f.poly)
			forms = append(forms, f)
		}
	}
	atomic := p.shared[c]
	if _, ok := p.g.Const(c); ok {
		atomic = true // a zero, an infinity or NaN
	} else {
		for _, n := range p.g.Class(c) {
			if !p.ringNode(n) {
				atomic = true
				continue
			}
			p.readNode(n, keep)
		}
	}
	slices.SortStableFunc(forms, func(f, g form) int {
		ft, fd := f.size()
		gt, gd := g.size()
		return cmp.Or(cmp.Compare(len(f.lost), len(g.lost)), cmp.Compare(ft, gt), cmp.Compare(fd, gd))
	})
	if len(forms) > maxForms {
		forms = forms[:maxForms]
	}
	if atomic || len(forms) == 0 {
		forms = append([]form{{poly: variable(atom{class: c}), read: p.atom(c)}}, forms...)
	}
	return forms
}

// readNode calls keep with every normal form that the node gives.
func (p *pass) readNode(n egraph.Node, keep func(form, bool)) {
	operand := func(i int) []form { return p.forms[p.g.Find(n.Args[i])] }
	of := func(f form, ok bool, operands ...*egraph.Witness) {
		if ok && p.g.Records() {
			f.read = p.g.Witness(n, operands...)
		}
		keep(f, ok)
	}
	each := func(combine func(a, b form) (form, bool)) {
		for _, a := range operand(0) {
			for _, b := range operand(1) {
				f, ok := combine(a, b)
				of(f, ok, a.read, b.read)
			}
		}
	}
	switch n.Op {
	case ir.Add:
		each(p.plus)
	case ir.Sub:
		each(func(a, b form) (form, bool) { return p.plus(a, b.negated()) })
	case ir.Mul:
		each(p.times)
	case ir.Neg:
		for _, a := range operand(0) {
			of(a.negated(), true, a.read)
		}
	case ir.FMA:
		for _, c := range operand(2) {
			for _, a := range operand(0) {
				for _, b := range operand(1) {
					if ab, ok := p.times(a, b); ok {
						f, ok := p.plus(ab, c)
						of(f, ok, a.read, b.read, c.read)
					}
				}
			}
		}
	case ir.Div:
		divisor := p.g.Find(n.Args[1])
		recip := form{poly: variable(atom{divisor, true})}
		if k, ok := p.g.Const(divisor); ok {
			if k.Real == nil {
				return // division by zero, an infinity or NaN keeps its meaning
			}
			recip.poly = constant(newReal().Quo(one(), k.Real))
		}
		for _, a := range operand(0) {
			f, ok := p.times(a, recip)
			of(f, ok, a.read, p.atom(divisor))
		}
	case ir.Pow:
		e, _ := p.exponent(n)
		for _, a := range operand(0) {
			power, ok := a, true
			for i := 1; i < e && ok; i++ {
				power, ok = p.times(power, a)
			}
			of(power, ok, a.read, p.atom(n.Args[1]))
		}
	}
}

// plus adds. The sum is good until the next one: most sums are forms that are known already.
func (p *pass) plus(a, b form) (form, bool) {
	p.sum = a.poly.appendSum(p.sum[:0], b.poly)
	return p.combine(p.sum, a, b, len(a.poly)+len(b.poly)), true
}

// times multiplies, unless the product has too many terms.
func (p *pass) times(a, b form) (form, bool) {
	product, ok := a.poly.times(b.poly)
	return p.combine(product, a, b, len(a.poly)*len(b.poly)), ok
}

func (f form) negated() form { return form{poly: f.scale(newReal().SetInt64(-1)), lost: f.lost} }

// atom is the witness of a class that is not looked into.
func (p *pass) atom(c egraph.ClassID) *egraph.Witness {
	if !p.g.Records() {
		return nil
	}
	return p.g.Atom(c)
}

// isAtom reports whether the form is the class itself.
func (f form) isAtom(c egraph.ClassID) bool {
	return len(f.poly) == 1 && len(f.poly[0].mono) == 1 && f.poly[0].mono[0] == power{atom{class: c}, 1}
}

// combine notes what a result of a and b has lost: nothing if it still has all terms, so that none have met.
func (p *pass) combine(result poly, a, b form, terms int) form {
	if len(a.lost)+len(b.lost) == 0 && len(result) == terms {
		return form{poly: result}
	}
	left := result.atoms()
	var lost []atom
	note := func(atoms []atom, finite func(atom) bool) {
		for _, x := range atoms {
			if _, ok := slices.BinarySearchFunc(left, x, atom.compare); !ok && !finite(x) {
				lost = append(lost, x)
			}
		}
	}
	for _, f := range []form{a, b} {
		note(f.lost, func(atom) bool { return false })
		note(f.atoms(), func(x atom) bool { return !x.recip && p.g.Fact(x.class).Finite() })
	}
	slices.SortFunc(lost, atom.compare)
	return form{poly: result, lost: slices.Compact(lost)}
}
