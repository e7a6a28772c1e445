package minimax

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

const (
	// gridPerTerm is the number of grid points for each coefficient. Extrema of
	// the error lie about one to a coefficient, so that none is overlooked.
	gridPerTerm = 24
	// maxExchanges bounds Remez' iteration, which converges quadratically.
	maxExchanges = 60
	// settled is the relative distance from the best error at which it has
	// converged. Where rounding has left an error with a pole at 0, the exchange
	// may go in circles; what it has is then good enough within tolerated.
	settled   = 1e-6
	tolerated = 0.02
	// refinements is the number of parabola steps toward an extremum. Each about
	// halves the digits missing; the error is flat there.
	refinements = 4
)

// sample is a point with everything that does not depend on the coefficients.
type sample struct {
	x, fx *big.Float
	// rest is the target fx minus the fixed terms.
	rest *big.Float
	// weight is positive; it is nil where the weight is infinite.
	weight *big.Float
	// sign makes the error alternate across 0 when the lowest wanted power is
	// odd: f - p has a factor x^lowest, and without it the powers are a
	// Chebyshev system.
	sign int
}

type solver struct {
	*Problem
	grid  []sample
	below int // sign of the denominator at A, while extrema are looked for
}

func newSolver(p *Problem, perTerm int) (*solver, error) {
	s := &solver{Problem: p}
	n := perTerm * (len(p.Exponents) + len(p.Denominator) + len(p.Fixed) + 1)
	mid := s.float().Add(p.A, p.B)
	mid.SetMantExp(mid, -1)
	half := s.float().Sub(p.B, p.A)
	half.SetMantExp(half, -1)
	for i := 0; i <= n; i++ {
		x := s.float()
		switch i {
		case 0:
			x.Set(p.A)
		case n:
			x.Set(p.B)
		default:
			// Chebyshev's distribution: denser at the ends, as extrema are.
			x.SetFloat64(-math.Cos(math.Pi * float64(i) / float64(n)))
			x.Add(mid, x.Mul(x, half))
		}
		fx := p.F(x)
		if !finite(fx) {
			return nil, fmt.Errorf("%w: the target is not finite at %v", ErrProblem, x)
		}
		s.grid = append(s.grid, s.sample(x, fx))
	}
	return s, nil
}

// finite reports whether the target has a finite value; nil stands for none.
func finite(fx *big.Float) bool { return fx != nil && !fx.IsInf() }

func (s *solver) float() *big.Float { return new(big.Float).SetPrec(s.Prec) }

// on returns a solver of another problem with the same target and interval.
func (s *solver) on(p *Problem) *solver {
	out := &solver{Problem: p}
	for _, g := range s.grid {
		out.grid = append(out.grid, out.sample(g.x, g.fx))
	}
	return out
}

func (s *solver) sample(x, fx *big.Float) sample {
	out := sample{x: x, fx: fx, rest: s.float().Sub(fx, s.eval(s.Fixed, x)), sign: 1}
	switch {
	case s.Weight == nil:
		out.weight = s.float().SetInt64(1)
	default:
		if w := s.Weight(x, fx); !w.IsInf() {
			out.weight = w
		}
	}
	if x.Sign() < 0 && len(s.Exponents) > 0 && s.Exponents[0]%2 != 0 {
		out.sign = -1
	}
	return out
}

// eval returns the sum of the terms at x.
func (s *solver) eval(terms []Term, x *big.Float) *big.Float {
	sum := s.float()
	for _, t := range terms {
		sum.Add(sum, s.float().Mul(t.Coef, s.power(x, t.Exp)))
	}
	return sum
}

func (s *solver) power(x *big.Float, n int) *big.Float {
	z := s.float().SetInt64(1)
	for range n {
		z.Mul(z, x)
	}
	return z
}

// deviation is the weighted error target - approximation at a sample, with
// approximation the wanted terms, its sign straightened out across 0. It is
// infinite where the denominator has not the sign that it has at A.
func (s *solver) deviation(coefs []*big.Float, at sample) *big.Float {
	d := s.float()
	for i := len(s.Exponents) - 1; i >= 0; i-- {
		d.Add(d, coefs[i])
		down := s.Exponents[i]
		if i > 0 {
			down -= s.Exponents[i-1]
		}
		d.Mul(d, s.power(at.x, down))
	}
	if len(s.Denominator) > 0 {
		below := coefs[len(s.Exponents):]
		q := s.denominator(below, at.x)
		if q.Sign() == 0 || q.Sign() != s.below {
			return d.SetInf(false)
		}
		d.Quo(d, q)
	}
	d.Sub(at.rest, d)
	if at.weight == nil {
		// An infinite weight forgives no error at all.
		if d.Sign() != 0 {
			d.SetInf(d.Signbit())
		}
		return d
	}
	d.Mul(d, at.weight)
	if at.sign < 0 {
		d.Neg(d)
	}
	return d
}

// extremum is a local maximum of |deviation|.
type extremum struct {
	at  sample
	dev *big.Float
}

// extrema returns, in order of x, the local maxima of |deviation| that exceed
// floor, refined between their neighbours on the grid, and of those in a row
// with one sign only the largest.
func (s *solver) extrema(coefs []*big.Float, floor *big.Float) []extremum {
	s.below = s.denominator(coefs[min(len(s.Exponents), len(coefs)):], s.A).Sign()
	devs := make([]*big.Float, len(s.grid))
	for i, g := range s.grid {
		devs[i] = s.deviation(coefs, g)
	}
	var out []extremum
	for i, d := range devs {
		if d.Sign() == 0 {
			continue
		}
		larger := func(j int) bool {
			return j >= 0 && j < len(devs) && devs[j].Sign() == d.Sign() && cmpAbs(devs[j], d) > 0
		}
		if larger(i-1) || larger(i+1) {
			continue
		}
		e := extremum{s.grid[i], d}
		if i > 0 && i < len(devs)-1 {
			e = s.refine(coefs, extremum{s.grid[i-1], devs[i-1]}, e, extremum{s.grid[i+1], devs[i+1]})
		}
		last := len(out) - 1
		switch {
		case cmpAbs(e.dev, floor) <= 0:
		case last < 0 || out[last].dev.Sign() != e.dev.Sign():
			out = append(out, e)
		case cmpAbs(out[last].dev, e.dev) < 0:
			out[last] = e
		}
	}
	return out
}

// refine follows parabolas through three points toward the extremum between lo
// and hi, and returns the best point seen; best lies between lo and hi.
func (s *solver) refine(coefs []*big.Float, lo, best, hi extremum) extremum {
	for range refinements {
		// With h = distance, d = difference of deviation on either side, the
		// vertex is at x - (h1²d2 - h2²d1) / 2(h1 d2 + h2 d1).
		h1, h2 := s.float().Sub(best.at.x, lo.at.x), s.float().Sub(hi.at.x, best.at.x)
		if lo.dev.IsInf() || hi.dev.IsInf() || best.dev.IsInf() {
			break
		}
		d1, d2 := s.float().Sub(best.dev, lo.dev), s.float().Sub(best.dev, hi.dev)
		a, b := s.float().Mul(h1, d2), s.float().Mul(h2, d1)
		step := s.float().Sub(s.float().Mul(h1, a), s.float().Mul(h2, b))
		a.Add(a, b)
		if a.Sign() == 0 {
			break
		}
		step.Quo(step, a.SetMantExp(a, 1))
		x := s.float().Sub(best.at.x, step)
		if x.Cmp(lo.at.x) <= 0 || x.Cmp(hi.at.x) >= 0 || x.Cmp(best.at.x) == 0 {
			break
		}
		fx := s.F(x)
		if !finite(fx) {
			break
		}
		next := extremum{at: s.sample(x, fx)}
		next.dev = s.deviation(coefs, next.at)
		left := x.Cmp(best.at.x) < 0
		if next.dev.Sign() == best.dev.Sign() && cmpAbs(next.dev, best.dev) > 0 {
			next, best = best, next
			left = !left
		}
		if left {
			lo = next
		} else {
			hi = next
		}
	}
	return best
}

func cmpAbs(a, b *big.Float) int {
	return new(big.Float).Abs(a).Cmp(new(big.Float).Abs(b))
}

// remez returns the best coefficients for s.Exponents and s.Denominator. The
// exchange for a rational converges from near the solution only, and so begins
// where that for a polynomial with as many coefficients ends if it must.
func (s *solver) remez() ([]*big.Float, error) {
	n := len(s.Exponents) + len(s.Denominator)
	if n == 0 {
		return nil, nil
	}
	ref := s.start(n + 1)
	coefs, err := s.exchange(ref)
	if err == nil || len(s.Denominator) == 0 {
		return coefs, err
	}
	polynomial := *s.Problem
	polynomial.Denominator = nil
	for range s.Denominator {
		last := len(polynomial.Exponents) - 1
		polynomial.Exponents = append(slices.Clone(polynomial.Exponents), polynomial.Exponents[last]+s.step())
	}
	ref = s.start(n + 1)
	if _, e := s.on(&polynomial).exchange(ref); e != nil {
		return nil, err
	}
	coefs, e := s.exchange(ref)
	if e != nil {
		return nil, err
	}
	return coefs, nil
}

// exchange improves ref, a reference of one point more than there are
// coefficients, until its error is the largest.
func (s *solver) exchange(ref []sample) ([]*big.Float, error) {
	n := len(ref) - 1
	var best []*big.Float
	var bestHigh *big.Float
	largest := s.float()
	// By de la Vallée Poussin no polynomial has an error below the size of an
	// alternating reference, so bestHigh over largest bounds what best lacks.
	within := func(slack float64) bool {
		limit := s.float().Mul(largest, big.NewFloat(1+slack))
		return best != nil && bestHigh.Cmp(limit) <= 0
	}
	for range maxExchanges {
		coefs, size, err := s.level(ref)
		if err != nil {
			return nil, err
		}
		size.Abs(size)
		grown := size.Cmp(largest) > 0
		if grown {
			largest.Set(size)
		}
		// The reference itself alternates at this size, so weaker extrema are
		// not needed, and with them the size would not grow.
		ext := s.extrema(coefs, size.Mul(size, big.NewFloat(1-settled)))
		high := s.float()
		for _, e := range ext {
			if e.dev.IsInf() && len(s.Denominator) > 0 && e.at.weight != nil {
				return nil, fmt.Errorf("%w: at %v for %s", ErrPole, e.at.x, s.powers())
			}
			if e.dev.IsInf() {
				return nil, fmt.Errorf("%w: infinite weight at %v, where powers %v leave an error", ErrConverge, e.at.x, s.Exponents)
			}
			if cmpAbs(e.dev, high) > 0 {
				high.Abs(e.dev)
			}
		}
		if len(ext) < n+1 {
			// The error vanishes to the working precision, or the system of
			// powers is degenerate.
			return nil, fmt.Errorf("%w: %d alternations of %d for %s", ErrConverge, len(ext), n+1, s.powers())
		}
		if best == nil || high.Cmp(bestHigh) < 0 {
			best, bestHigh = coefs, high
		}
		if within(settled) || !grown && within(tolerated) {
			return best, nil
		}
		for len(ext) > n+1 {
			ext = dropEnd(ext)
		}
		for i, e := range ext {
			ref[i] = e.at
		}
	}
	return nil, fmt.Errorf("%w: %d exchanges for %s", ErrConverge, maxExchanges, s.powers())
}

// powers describes the problem in errors.
func (s *solver) powers() string {
	if len(s.Denominator) == 0 {
		return fmt.Sprintf("powers %v", s.Exponents)
	}
	return fmt.Sprintf("powers %v over 1, %v", s.Exponents, s.Denominator)
}

// start picks n reference points spread over the grid, none of infinite weight.
func (s *solver) start(n int) []sample {
	usable := slices.DeleteFunc(slices.Clone(s.grid), func(g sample) bool { return g.weight == nil })
	ref := make([]sample, n)
	for i := range ref {
		// Midpoints of n equal parts of the grid stay clear of a zero at an end.
		ref[i] = usable[(2*i+1)*len(usable)/(2*n)]
	}
	return ref
}

// dropEnd removes the weaker of the first and the last extremum: signs still
// alternate, and the strongest of all stays.
func dropEnd(ext []extremum) []extremum {
	last := len(ext) - 1
	if cmpAbs(ext[0].dev, ext[last].dev) < 0 {
		return ext[1:]
	}
	return ext[:last]
}

// level solves for the coefficients whose deviation at the n+1 reference points
// has equal size and alternating sign: a linear system in the coefficients and
// that size, by elimination with row pivoting.
func (s *solver) level(ref []sample) (coefs []*big.Float, size *big.Float, err error) {
	if len(s.Denominator) > 0 {
		return s.levelRational(ref)
	}
	n := len(s.Exponents)
	rows := make([][]*big.Float, n+1)
	for i, at := range ref {
		row := make([]*big.Float, n+2)
		for j, e := range s.Exponents {
			row[j] = s.power(at.x, e)
			row[j].Mul(row[j], at.weight)
		}
		row[n] = s.float().SetInt64(int64(at.sign))
		if i%2 != 0 {
			row[n].Neg(row[n])
		}
		row[n+1] = s.float().Mul(at.rest, at.weight)
		rows[i] = row
	}
	for col := range n + 1 {
		pivot := col
		for i := col + 1; i <= n; i++ {
			if cmpAbs(rows[i][col], rows[pivot][col]) > 0 {
				pivot = i
			}
		}
		rows[col], rows[pivot] = rows[pivot], rows[col]
		if rows[col][col].Sign() == 0 {
			return nil, nil, fmt.Errorf("%w: singular system for powers %v", ErrConverge, s.Exponents)
		}
		for i := col + 1; i <= n; i++ {
			f := s.float().Quo(rows[i][col], rows[col][col])
			for j := col; j <= n+1; j++ {
				rows[i][j].Sub(rows[i][j], s.float().Mul(f, rows[col][j]))
			}
		}
	}
	sol := make([]*big.Float, n+1)
	for i := n; i >= 0; i-- {
		v := s.float().Set(rows[i][n+1])
		for j := i + 1; j <= n; j++ {
			v.Sub(v, s.float().Mul(rows[i][j], sol[j]))
		}
		sol[i] = v.Quo(v, rows[i][i])
	}
	return sol[:n], sol[n], nil
}

// measure returns the terms with their largest deviation on the grid, refined.
func (s *solver) measure(terms, denominator []Term) Approximation {
	whole := &Problem{F: s.F, A: s.A, B: s.B, Weight: s.Weight, Prec: s.Prec}
	var coefs []*big.Float
	if denominator == nil {
		whole.Fixed = terms
	}
	for _, t := range denominator {
		if t.Exp > 0 {
			whole.Denominator = append(whole.Denominator, t.Exp)
			coefs = append(coefs, t.Coef)
		}
	}
	if denominator != nil {
		var above []*big.Float
		for _, t := range terms {
			whole.Exponents = append(whole.Exponents, t.Exp)
			above = append(above, t.Coef)
		}
		coefs = append(above, coefs...)
	}
	out := Approximation{Terms: terms, Denominator: denominator, Error: s.float(), At: s.float().Set(s.A)}
	for _, e := range s.on(whole).extrema(coefs, out.Error) {
		if cmpAbs(e.dev, out.Error) > 0 {
			out.Error.Abs(e.dev)
			out.At.Set(e.at.x)
		}
	}
	return out
}
