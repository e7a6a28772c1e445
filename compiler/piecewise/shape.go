package piecewise

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// base is the part of a shape that is no polynomial.
type base int

const (
	nothing   base = iota
	ramp           // slope·max(x, 0)
	line           // slope·x
	magnitude      // slope·|x|
)

// shape is F(x) = base(x) ± [u·]Q(u), where u is x or |x|, kept inside of [lo, hi].
type shape struct {
	base   base
	slope  float64
	fold   bool // u is |x|
	odd    bool // the polynomial part has x's sign
	factor bool // the polynomial part is u·Q(u)
	half   bool // u is at most 0, beyond which F is its base

	lo, hi end                             // of u
	zero   bool                            // the polynomial part is 0 at 0, to first order
	core   func(u, err float64) (dd, bool) // the polynomial part, to within err or as F
}

// end is an end of the range of u.
type end struct {
	at    float64
	clamp bool    // u may be beyond it, and is brought back
	flat  bool    // the last piece is constant
	value float64 // that constant
}

func (s shape) name() string {
	name := "clamp"
	switch {
	case s.odd:
		name = "odd"
	case s.fold && s.base == ramp:
		name = "ramp"
	case s.fold:
		name = "even"
	case s.half:
		name = "half"
	}
	if s.factor {
		name += "-times"
	}
	return name
}

// at lists the arguments that share u.
func (s shape) at(u float64) []float64 {
	if s.fold {
		return []float64{u, -u}
	}
	return []float64{u}
}

// asymptote is the line that F approaches.
type asymptote struct {
	slope, value float64
	ok           bool
}

// far are the arguments by which a line is recognised, in both directions; close is how well it has to hold.
var far = [...]float64{0x1p12, 0x1p18, 0x1p24}

const close = 1e-5

// asymptote looks for the line on the side of sign.
func (p *Problem) asymptote(sign float64) asymptote {
	var a asymptote
	const enough = 1e-9
	for i, x := range far {
		x *= sign
		y, ok := p.near(x, enough)
		z, also := p.near(2*x, enough)
		if !ok || !also {
			return asymptote{}
		}
		rise := z.minus(y)
		slope := rise.hi / x
		if math.Abs(slope) < 1e-10 {
			slope = 0
		}
		if near := p.round(slope); math.Abs(near-slope) <= 1e-10*math.Abs(slope) {
			slope = near // a constant of the type, as the function has it
		}
		value := y.minus(exact(slope).times(exact(x))).hi
		if i > 0 && (math.Abs(slope-a.slope) > close*math.Abs(slope) || math.Abs(value-a.value) > close*max(1, math.Abs(value))) {
			return asymptote{}
		}
		a = asymptote{slope, value, true}
	}
	a.value = p.round(a.value)
	return a
}

// samples are the arguments by which symmetry is recognised.
var samples = [...]float64{1. / 64, 0.1, 0.37, 0.77, 1.3, 2.1, 3.7, 6.2, 11, 29}

// symmetric reports whether F(x) - by·F(-x) is slope·x, as far as F's values are exact to 2^-48.
func (p *Problem) symmetric(by, slope float64) bool {
	compared := false
	for _, x := range samples {
		x = p.round(x)
		if !p.inside(x) || !p.inside(-x) {
			continue
		}
		a, ok := p.value(x)
		b, also := p.value(-x)
		if !ok || !also {
			return false
		}
		d := a.minus(exact(by).times(b)).minus(exact(slope).times(exact(x)))
		if math.Abs(d.hi) > 0x1p-48*max(math.Abs(a.hi), math.Abs(b.hi)) {
			return false
		}
		compared = true
	}
	return compared
}

// zero reports whether F has a zero of order one at 0.
func (p *Problem) zero() bool {
	if !p.inside(0) {
		return false
	}
	if y, ok := p.value(0); !ok || y.hi != 0 {
		return false
	}
	slope := 0.0
	for i, x := range [...]float64{0x1p-30, 0x1p-40} {
		if p.Hi < x {
			x = -x
		}
		y, ok := p.value(x)
		if !ok || !p.inside(x) {
			return false
		}
		r := y.hi / x
		if a := math.Abs(r); !(0x1p-20 <= a && a <= 0x1p20) || i > 0 && math.Abs(r-slope) > close*a {
			return false
		}
		slope = r
	}
	return true
}

// shapes finds what F can be written as.
func (p *Problem) shapes() []shape {
	left, right := p.asymptote(-1), p.asymptote(1)
	zero := p.zero()
	var found []shape
	add := func(s shape, left, right asymptote) {
		if p.bound(&s, left, right) {
			found = append(found, s)
		}
	}
	if p.Lo == -p.Hi && p.Lo < 0 {
		switch {
		case p.symmetric(1, 0):
			s := shape{fold: true}
			if right.ok && right.slope != 0 {
				s.base, s.slope = magnitude, right.slope
			}
			s.core = p.without(s.slope)
			add(s, asymptote{}, right)
		case p.symmetric(-1, 0):
			s := shape{fold: true, odd: true, zero: zero}
			if right.ok && right.slope != 0 {
				s.base, s.slope = line, right.slope
			}
			s.core = p.without(s.slope)
			add(s, asymptote{}, right)
			if s.base == nothing && zero {
				s.factor = true
				add(s, asymptote{}, right)
			}
		case right.ok && left.ok && right.slope != 0 && p.symmetric(1, right.slope):
			s := shape{base: ramp, slope: right.slope, fold: true, factor: zero && left.value == 0, zero: zero}
			s.core = func(u, err float64) (dd, bool) { return p.near(-u, err) }
			add(s, asymptote{}, left)
		}
	}
	if len(found) > 0 {
		return found
	}
	if slope, ok := p.ray(right); ok && p.Lo < 0 {
		s := shape{base: ramp, slope: slope, half: true, zero: zero, core: p.without(0)}
		add(s, left, asymptote{})
	}
	add(shape{zero: zero, core: p.without(0)}, left, right)
	if zero {
		add(shape{factor: true, core: p.without(0)}, left, right)
	}
	return found
}

// without is F(u) - slope·u.
func (p *Problem) without(slope float64) func(u, err float64) (dd, bool) {
	if slope == 0 {
		return p.near
	}
	return func(u, err float64) (dd, bool) {
		y, ok := p.near(u, err)
		return y.minus(exact(slope).times(exact(u))), ok
	}
}

// ray returns the slope if F(x) is slope·x for all x > 0, of which there are some. Where F is not known beyond the domain, no
// line is approached, but there may be one up to the end.
func (p *Problem) ray(right asymptote) (slope float64, ok bool) {
	switch {
	case !(p.Hi > 0):
		return 0, false
	case right.ok:
		slope, ok = right.slope, right.value == 0
	case !math.IsInf(p.Hi, 0):
		var y dd
		y, ok = p.value(p.Hi)
		slope = p.round(y.hi / p.Hi)
	}
	return slope, ok && slope != 0 && p.linear(slope)
}

// linear reports whether F(x) is slope·x for all x > 0.
func (p *Problem) linear(slope float64) bool {
	compared := false
	for _, x := range samples {
		if x = p.round(x); x > p.Hi {
			break
		}
		y, ok := p.value(x)
		if !ok || math.Abs(y.minus(exact(slope).times(exact(x))).hi) > 0x1p-48*math.Abs(y.hi) {
			return false
		}
		compared = true
	}
	return compared
}

// bound finds the part of the domain where pieces are needed; it reports false if that has no end.
func (p *Problem) bound(s *shape, left, right asymptote) bool {
	switch {
	case s.fold:
		s.hi = p.end(s, right, 1, p.Hi)
	case s.half:
		s.lo, s.hi = p.end(s, left, -1, p.Lo), end{clamp: true}
	default:
		s.lo, s.hi = p.end(s, left, -1, p.Lo), p.end(s, right, 1, p.Hi)
	}
	return !math.IsInf(s.lo.at, 0) && !math.IsInf(s.hi.at, 0) && s.lo.at < s.hi.at
}

// reach lists the magnitudes at which the distance from an asymptote is asked for: four to an octave where things happen.
func (p *Problem) reach() []float64 {
	var list []float64
	for j := -24; j < 28; j++ {
		list = append(list, math.Exp2(float64(j)/4))
	}
	largest := 126
	if p.Type == ir.Float64 {
		largest = 1000
	}
	for e := 7; e <= largest; e += 1 + e/8 {
		list = append(list, math.Ldexp(1, e))
	}
	return list
}

// end finds where the shape's polynomial part becomes constant on the side of sign, and that constant; if it does not within
// the domain, the end is the domain's.
func (p *Problem) end(s *shape, a asymptote, sign, edge float64) end {
	none := end{at: edge}
	times := s.factor && s.base == nothing && !s.odd // Q is constant where F is slope·u
	if !a.ok || times && a.value != 0 || !times && s.base == nothing && a.slope != 0 {
		return none
	}
	found := end{clamp: true, flat: !(s.odd && s.factor), value: a.value}
	if s.factor {
		found.value = a.slope
	}
	var us []float64
	for _, v := range p.reach() {
		if u := sign * v; p.inside(u) {
			us = append(us, u)
		}
	}
	off := func(u, limit float64) float64 {
		y, ok := s.core(u, limit/16)
		if !ok {
			return math.Inf(1)
		}
		want := exact(a.value)
		if times {
			want = exact(a.slope).times(exact(u))
		}
		return math.Abs(y.minus(want).hi)
	}
	allowed := p.allowed(s, us)
	i := len(us)
	for i > 0 && off(us[i-1], lineShare*allowed[i-1]) <= lineShare*allowed[i-1] {
		i--
	}
	switch {
	case i == len(us):
		return none
	case i == 0:
		found.at = us[0]
		return found
	}
	bad, good, limit := us[i-1], us[i], lineShare*min(allowed[i-1], allowed[i])
	for range 6 {
		if u := (bad + good) / 2; off(u, limit) <= limit {
			good = u
		} else {
			bad = u
		}
	}
	found.at = good
	return found
}

// allowed is the error allowed at each u, on both sides where they share it.
func (p *Problem) allowed(s *shape, us []float64) []float64 {
	var xs []float64
	for _, u := range us {
		xs = append(xs, s.at(u)...)
	}
	if len(xs) == 0 {
		return nil
	}
	all := p.Allowed(xs)
	out := make([]float64, len(us))
	for i := range us {
		n := len(xs) / len(us)
		out[i] = all[i*n]
		for _, b := range all[i*n : (i+1)*n] {
			out[i] = min(out[i], b)
		}
	}
	return out
}
