package piecewise

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// piece is the polynomial of one piece, in Chebyshev's basis on the piece.
type piece struct {
	entry     int
	flat      bool // constant
	value     float64
	mid, half float64 // of the variable
	cheb      []dd
	zero      bool // times the variable
	us        []float64
	ts        []float64 // of the nodes, in [-1, 1]
	times     []float64 // what an error of the polynomial at the node is multiplied with
	negative  bool      // at a node
}

// fit returns the forms of a shape on a grid.
func (p *Problem) fit(s shape, g grid) []*Form {
	most, from := p.degrees()
	var pieces []piece
	var us []float64
	for k := g.first; k <= g.last; k++ {
		c, ok := p.interpolate(s, g, k, from)
		if !ok {
			return nil
		}
		pieces = append(pieces, c)
		us = append(us, c.us...)
	}
	allowed := p.allowed(&s, us)
	for i := range allowed {
		allowed[i] *= polynomialShare
	}
	passes := func(degree int) bool {
		next := 0
		for i := range pieces {
			c := &pieces[i]
			for j := range c.us {
				if !(c.left(j, degree) <= allowed[next+j]) {
					return false
				}
			}
			next += len(c.us)
		}
		return true
	}
	for degree := 1; degree <= most; degree++ {
		if passes(degree) {
			forms := []*Form{p.form(s, g, pieces, degree)}
			if degree < most {
				forms = append(forms, p.form(s, g, pieces, degree+1))
			}
			return forms
		}
	}
	return nil
}

// interpolate makes the polynomial of piece k.
func (p *Problem) interpolate(s shape, g grid, k, degree int) (piece, bool) {
	c := piece{entry: k & (g.pieces - 1)}
	switch {
	case g.pieces > 1 && k == g.first && s.lo.flat:
		c.flat, c.value = true, s.lo.value
		return c, true
	case g.pieces > 1 && k == g.last && s.hi.flat:
		c.flat, c.value = true, s.hi.value
		return c, true
	}
	lo, hi := g.lo, g.hi
	if g.pieces > 1 {
		lo, hi = g.ends(k)
	}
	if !(lo < hi) {
		c.flat, c.value = true, 0 // no argument comes here
		return c, true
	}
	c.zero = s.zero && !s.factor && (k == 0 || g.pieces == 1)
	left, right := g.variable(lo, k).hi, g.variable(hi, k).hi
	c.mid, c.half = (left+right)/2, (right-left)/2
	n := degree + 1
	ts, ys := make([]dd, n), make([]dd, n)
	for j := range n {
		t := -math.Cos(math.Pi * (float64(j) + 0.5) / float64(n))
		u := min(hi, lo+(hi-lo)*(1+t)/2)
		d := g.variable(u, k)
		y, ok := s.core(u, 0)
		if !ok {
			return c, false
		}
		times := exact(1)
		if s.factor {
			times = exact(u)
			if s.fold && s.base == ramp {
				times = exact(-u)
			}
		}
		if c.zero {
			times = times.times(d)
		}
		if times.hi == 0 {
			return c, false
		}
		c.negative = c.negative || y.hi < 0
		ys[j] = y.over(times)
		ts[j] = d.minus(exact(c.mid)).over(exact(c.half))
		c.us, c.ts, c.times = append(c.us, u), append(c.ts, ts[j].hi), append(c.times, math.Abs(times.hi))
	}
	c.cheb = economised(newton(ts, ys))
	return c, true
}

// newton returns the polynomial through the points by divided differences, in powers of t.
func newton(ts, ys []dd) []dd {
	n := len(ts)
	for k := 1; k < n; k++ {
		for i := n - 1; i >= k; i-- {
			ys[i] = ys[i].minus(ys[i-1]).over(ts[i].minus(ts[i-k]))
		}
	}
	a := make([]dd, n)
	a[0] = ys[n-1]
	for i := n - 2; i >= 0; i-- { // a·(t - ts[i]) + ys[i]
		for j := n - 1 - i; j > 0; j-- {
			a[j] = a[j-1].minus(a[j].times(ts[i]))
		}
		a[0] = ys[i].minus(a[0].times(ts[i]))
	}
	return a
}

// chebyshev returns the coefficients of T_n by ascending powers.
func chebyshev(n int) []float64 {
	last, t := []float64{1}, []float64{0, 1}
	if n == 0 {
		return last
	}
	for range n - 1 {
		next := make([]float64, len(t)+1)
		for i, c := range t {
			next[i+1] = 2 * c
		}
		for i, c := range last {
			next[i] -= c
		}
		last, t = t, next
	}
	return t
}

// economised turns powers into Chebyshev's polynomials, in place.
func economised(a []dd) []dd {
	for n := len(a) - 1; n > 1; n-- {
		t := chebyshev(n)
		c := a[n].scaled(1 / t[n])
		for i := range n {
			if t[i] != 0 {
				a[i] = a[i].minus(c.times(exact(t[i])))
			}
		}
		a[n] = c
	}
	return a
}

// left is the error at node j of the polynomial cut off behind a degree.
func (c *piece) left(j, degree int) float64 {
	if c.zero {
		degree--
	}
	last, t := 1.0, c.ts[j]
	sum := 0.0
	for n := 1; n < len(c.cheb); n++ {
		if n > degree {
			sum += c.cheb[n].hi * t
		}
		last, t = t, 2*c.ts[j]*t-last
	}
	return math.Abs(sum) * c.times[j]
}

// powers are the coefficients of the variable of a polynomial of a degree.
func (c *piece) powers(degree int) []dd {
	out := make([]dd, degree+1)
	if c.flat {
		out[0] = exact(c.value)
		return out
	}
	if c.zero {
		degree--
	}
	a := make([]dd, degree+1) // powers of t
	for n := range a {
		for i, t := range chebyshev(n) {
			a[i] = a[i].plus(c.cheb[n].times(exact(t)))
		}
	}
	// t = (d - mid)/half, by Horner's scheme.
	b := out[:1]
	b[0] = a[degree]
	for i := degree - 1; i >= 0; i-- {
		b = append(b, dd{})
		for j := len(b) - 1; j >= 0; j-- {
			v := dd{}
			if j > 0 {
				v = b[j-1]
			}
			b[j] = v.minus(b[j].times(exact(c.mid))).over(exact(c.half))
		}
		b[0] = b[0].plus(a[i])
	}
	if c.zero {
		copy(out[1:], out[:len(out)-1])
		out[0] = exact(math.Copysign(0, -1)) // keeps the sign of a zero variable
	}
	return out
}

// form rounds the coefficients.
func (p *Problem) form(s shape, g grid, pieces []piece, degree int) *Form {
	f := &Form{Pieces: g.pieces, Degree: degree, typ: p.Type, has: p.Has, shape: s, grid: g}
	for range degree + 1 {
		f.coefs = append(f.coefs, make([]float64, g.pieces))
	}
	for i := range pieces {
		f.negative = f.negative || pieces[i].negative || pieces[i].flat && pieces[i].value < 0
		for n, c := range pieces[i].powers(degree) {
			f.coefs[n][pieces[i].entry] = ir.BitsFloat(p.Type, ir.ConstBits(p.Type, c.hi))
		}
	}
	return f
}
