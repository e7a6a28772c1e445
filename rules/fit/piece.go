package fit

import (
	"math"
	"math/big"
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules/minimax"
)

// piece is a polynomial on a part of the interval.
type piece struct {
	lo, hi float64   // numbers of the type; hi belongs to the next piece, if there is one
	shift  float64   // a number of the type
	coefs  []float64 // of (x - shift)*scale, ascending
	// loss is the largest error on the sample, as a fraction of what is allowed, and at is where; +Inf if there is no polynomial.
	loss, at float64
}

// span is what pieces are looked up by.
type span struct {
	lo, hi float64
	degree int
	free   bool // of a zero at 0
}

// sampled returns the points that pieces on [lo, hi] are tried on: dense at the ends, at zeros and at the points where a
// form has failed before.
func (s *solver) sampled(lo, hi float64) ([]point, error) {
	key := span{lo: lo, hi: hi}
	if points, ok := s.samples[key]; ok {
		return points, nil
	}
	const points = 64
	var xs []float64
	for i := range points + 1 {
		t := (1 - math.Cos(math.Pi*float64(i)/points)) / 2
		xs = append(xs, s.round(between(lo, hi, t)))
	}
	around := func(at float64) {
		const nearest, closer = 4, 0.125
		for _, to := range [2]float64{-math.MaxFloat32, math.MaxFloat32} {
			x := s.round(at)
			for range nearest {
				xs = append(xs, x)
				x = s.next(x, to)
			}
			for d := (hi - lo) * closer; d > 0 && at+d != at && at-d != at; d *= closer {
				xs = append(xs, s.round(at+math.Copysign(d, to)))
			}
		}
	}
	for _, z := range s.zeros {
		around(z.near)
	}
	if lo <= 0 && 0 <= hi {
		around(0)
	}
	xs = append(xs, s.hard...)
	xs = slices.DeleteFunc(xs, func(x float64) bool { return x < lo || x > hi || x == hi && hi < s.end })
	slices.Sort(xs)
	out, err := s.evaluate(slices.Compact(xs))
	s.samples[key] = out
	return out, err
}

// fit makes a polynomial of a degree on [lo, hi].
func (s *solver) fit(lo, hi float64, degree int) (piece, error) {
	key := span{lo, hi, degree, s.free}
	if c, ok := s.pieces[key]; ok {
		return c, nil
	}
	c, err := s.make(lo, hi, degree)
	s.pieces[key] = c
	return c, err
}

func (s *solver) make(lo, hi float64, degree int) (piece, error) {
	points, err := s.sampled(lo, hi)
	if err != nil {
		return piece{}, err
	}
	c := piece{lo: lo, hi: hi, shift: s.round(lo + (hi-lo)/2), loss: math.Inf(1), at: lo}
	var z zero
	for _, f := range s.factored {
		if !s.free && (lo <= f.near || lo == f.cut) && f.near <= hi {
			if z.order > 0 {
				c.at = f.near
				return c, nil // only one can be factored out of a piece
			}
			z, c.shift = f, f.near
		}
	}
	if !slices.ContainsFunc(points, func(p point) bool { return p.y != 0 }) {
		c.coefs, c.loss = make([]float64, degree+1), 0
		return c, nil
	}
	if z.order > degree {
		c.at = z.near
		return c, nil
	}
	q, err := s.interpolate(c, z, degree-z.order)
	if err != nil {
		return c, err
	}
	s.measure(&c, s.expand(q, c, z), points)
	if s.improvable(c, q, z, points) {
		if q, err := s.best(c, z, degree-z.order); err == nil { // otherwise noise or degeneracy, and interpolation has to do
			better := c
			if s.measure(&better, s.expand(q, c, z), points); better.loss < c.loss {
				c = better
			}
		}
		if s.futile++; c.loss <= 1 {
			s.futile = 0
		}
	}
	return c, nil
}

// improvable reports whether the best polynomial may keep the tolerance where an interpolating one does not: it misses by
// little, and not because of rounding.
func (s *solver) improvable(c piece, q []*big.Float, z zero, points []point) bool {
	// little is what the best polynomial gains in most cases, and a bit more; rounding is the part of the error that cannot
	// be bettered. Where the function's values are noisy the best polynomial is no help, and patience ends.
	const little, rounding, patience = 4, 0.5, 64
	if !(1 < c.loss && c.loss <= little) || s.futile >= patience {
		return false
	}
	exact := *s
	exact.Type, exact.arithmetic = ir.Float64, ir.Float64
	coefs := exact.expand(q, c, z)
	worst := 0.0
	for _, p := range points {
		worst = max(worst, s.loss(exact.eval(&piece{shift: c.shift, coefs: coefs}, p.x), p.y, fitted))
	}
	return worst > rounding*c.loss
}

// quotient is the function divided by the factor of its zero, at shift + u. The function itself is only known at the float64
// value next to it.
func (s *solver) quotient(c piece, z zero, u *big.Float) *big.Float {
	x, _ := real(0).Add(real(c.shift), u).Float64()
	q := real(s.F(min(max(x, s.Lo), s.Hi)))
	factor := real(0).Sub(u, real(z.off))
	for range z.order {
		if factor.Sign() == 0 {
			return nil
		}
		q.Quo(q, factor)
	}
	return q
}

// interpolate returns the polynomial in x - shift through Chebyshev's points, by Newton's divided differences.
func (s *solver) interpolate(c piece, z zero, degree int) ([]*big.Float, error) {
	n := degree + 1
	us, qs := make([]*big.Float, n), make([]*big.Float, n)
	for i := range n {
		x := c.lo + (c.hi-c.lo)*(1-math.Cos(math.Pi*(2*float64(i)+1)/float64(2*n)))/2
		for tries := 0; ; tries++ {
			us[i] = real(0).Sub(real(x), real(c.shift))
			if qs[i] = s.quotient(c, z, us[i]); qs[i] != nil {
				break
			}
			x += (c.hi - c.lo) / float64(64*n) // off the zero, which divides by 0
		}
		if y := s.F(x); !s.usable(y) {
			return nil, s.unusable(x, y)
		}
	}
	for k := 1; k < n; k++ {
		for i := n - 1; i >= k; i-- {
			d := real(0).Sub(us[i], us[i-k])
			if d.Sign() == 0 { // the points are neighbours
				qs[i].SetInt64(0)
				continue
			}
			qs[i].Sub(qs[i], qs[i-1])
			qs[i].Quo(qs[i], d)
		}
	}
	q := []*big.Float{real(0).Set(qs[n-1])}
	for i := n - 2; i >= 0; i-- {
		q = timesLinear(q, us[i])
		q[0].Add(q[0], qs[i])
	}
	return q, nil
}

// timesLinear is q·(u - r).
func timesLinear(q []*big.Float, r *big.Float) []*big.Float {
	out := make([]*big.Float, len(q)+1)
	for i := range out {
		out[i] = real(0)
		if i > 0 {
			out[i].Set(q[i-1])
		}
		if i < len(q) {
			out[i].Sub(out[i], real(0).Mul(q[i], r))
		}
	}
	return out
}

// best returns the polynomial of smallest largest error, relative to what the tolerance allows.
func (s *solver) best(c piece, z zero, degree int) ([]*big.Float, error) {
	relative := s.Tolerance.Unit != egraph.Abs
	p := minimax.Problem{
		F:    func(u *big.Float) *big.Float { return s.quotient(c, z, u) },
		A:    real(0).Sub(real(c.lo), real(c.shift)),
		B:    real(0).Sub(real(c.hi), real(c.shift)),
		Prec: prec,
		Weight: func(u, q *big.Float) *big.Float {
			w := real(1)
			if relative { // the factor of the zero cancels
				if q.Sign() == 0 {
					return w.SetInf(false)
				}
				return w.Quo(w, real(0).Abs(q))
			}
			factor := real(0).Sub(u, real(z.off))
			factor.Abs(factor)
			for range z.order {
				w.Mul(w, factor)
			}
			return w
		},
	}
	for i := range degree + 1 {
		p.Exponents = append(p.Exponents, i)
	}
	a, err := p.Solve()
	if err != nil {
		return nil, err
	}
	q := make([]*big.Float, degree+1)
	for _, t := range a.Terms {
		q[t.Exp] = t.Coef
	}
	return q, nil
}

// expand multiplies with the factor of the zero, scales and rounds.
func (s *solver) expand(q []*big.Float, c piece, z zero) []float64 {
	for range z.order {
		q = timesLinear(q, real(z.off))
	}
	coefs := make([]float64, len(q))
	power := real(1)
	for i, a := range q {
		v, _ := real(0).Quo(a, power).Float64()
		coefs[i] = roundTo(s.arithmetic, v)
		power.Mul(power, real(s.scale))
	}
	if z.off == 0 {
		for k := range z.order {
			coefs[k] = math.Copysign(0, -1) // fma(u, q, -0) is the product, with its sign where it is zero
		}
		if z.order > 0 && z.near == 0 && !math.Signbit(s.F(0)) && !math.Signbit(s.F(math.Copysign(0, -1))) {
			coefs[0] = 0 // and never -0 with this
		}
	}
	return coefs
}

// measure gives c coefficients and finds their loss.
func (s *solver) measure(c *piece, coefs []float64, points []point) {
	c.coefs, c.loss = coefs, 0
	for _, p := range points {
		if l := s.loss(s.eval(c, p.x), p.y, fitted); l > c.loss {
			c.loss, c.at = l, p.x
		}
	}
}

// loss is the error of a result as a fraction of what is allowed. A form by way of float64 rounds correctly in nearly all cases,
// and a sample does not find the others; so it may not rely on the half ulp that is always allowed, but for subnormal results.
func (s *solver) loss(got, y, part float64) float64 {
	const minNormal = 0x1p-126
	allowed := s.allowed(y, part)
	if s.arithmetic != s.Type && math.Abs(y) >= minNormal {
		allowed = part * s.asked(y)
	}
	l := math.Abs(got-y) / allowed
	if l != l {
		return math.Inf(1)
	}
	return l
}

// eval evaluates as the law does, each operation rounded. For float32 the sum of a fused multiply-add is rounded twice, which
// differs in about one case of 2^29, and there by as good as nothing.
func (s *solver) eval(c *piece, x float64) float64 {
	u := roundTo(s.arithmetic, roundTo(s.arithmetic, x-c.shift)*s.scale)
	last := len(c.coefs) - 1
	y := c.coefs[last]
	for k := last - 1; k >= 0; k-- {
		y = roundTo(s.arithmetic, math.FMA(y, u, c.coefs[k]))
	}
	return s.round(y)
}

// scaleFor is the power of two that brings arguments to about 1, where powers of them would leave the range of the type; in
// most cases it is 1, which costs nothing.
func scaleFor(t ir.Type, lo, hi float64) float64 {
	const moderate, most = 4, 120 // 2^±(4·16) is well inside of float32, and so is 2^±120
	e := math.Ilogb(hi/2 - lo/2)
	if -moderate <= e && e <= moderate {
		return 1
	}
	if t == ir.Float32 {
		e = max(-most, min(e, most))
	}
	return math.Ldexp(1, -e)
}
