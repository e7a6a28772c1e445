package fit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

const (
	maxDegree = 16 // beyond, rounding of the coefficients and of the evaluation costs more than a piece
	maxPieces = 32
	// maxRounds is how often a form that fails on the dense sample may be sent back with the points where it failed.
	maxRounds = 8
)

// solver is one search.
type solver struct {
	Problem
	end        float64 // of the interval, a number of the type
	arithmetic ir.Type
	scale      float64
	grid       []point // dense
	zeros      []zero
	factored   []zero
	hard       []float64 // points where forms have failed that were good on their own sample
	samples    map[span][]point
	pieces     map[span]piece
	free       bool // the zero at 0 is not factored out, but chosen
	futile     int  // how often in a row the best polynomial was not good enough
	closest    closest
}

// closest is the best that was reached: the division with the smallest loss.
type closest struct {
	pieces, degree int
	worst          piece
	reached        float64 // error of the worst piece where it is worst, in the unit of the tolerance
}

// Solve finds the cheapest form that keeps the tolerance. The error wraps ErrFit; it is an *Error unless the problem makes no
// sense as stated.
func (p Problem) Solve() (*Form, error) {
	s, points, err := p.prepare()
	if err != nil {
		return nil, err
	}
	lo, hi := s.grid[0].x, s.end
	bases := s.bases(lo, hi, none)
	if fold := p.symmetry(points); fold != none {
		bases = append(s.bases(0, hi, fold), bases...)
	}
	var best *Form
	failed := closest{worst: piece{loss: math.Inf(1)}}
	for _, s.arithmetic = range [2]ir.Type{p.Type, ir.Float64} {
		s.scale = scaleFor(s.arithmetic, lo, hi)
		if best, err = s.solve(bases, best); err != nil {
			return nil, err
		}
		if s.closest.worst.loss < failed.worst.loss || failed.pieces == 0 {
			failed = s.closest
		}
		if p.Type == ir.Float64 {
			break
		}
	}
	if best == nil {
		return nil, s.failure(failed)
	}
	return best, nil
}

// prepare samples the function and looks for what makes it unfit.
func (p Problem) prepare() (*solver, []point, error) {
	if err := p.check(); err != nil {
		return nil, nil, err
	}
	lo, hi := p.round(p.Lo), p.round(p.Hi)
	if lo < p.Lo {
		lo = p.next(lo, hi)
	}
	if hi > p.Hi {
		hi = p.next(hi, lo)
	}
	if !(lo < hi) {
		return nil, nil, p.refuse(p.Lo, "there are less than two %s numbers", typeName(p.Type))
	}
	points, err := p.spread()
	if err != nil {
		return nil, nil, err
	}
	if err := p.jumps(points); err != nil {
		return nil, nil, err
	}
	if err := p.jumpAtZero(); err != nil {
		return nil, nil, err
	}
	s := &solver{Problem: p, end: hi, zeros: p.zeros(points)}
	s.factored = p.factored(s.zeros)
	if s.grid, err = p.dense(lo, hi); err != nil {
		return nil, nil, err
	}
	return s, points, nil
}

// solve finds the cheapest form in one arithmetic that is cheaper than best, or returns best, which may be nil.
func (s *solver) solve(bases []base, best *Form) (*Form, error) {
	s.hard, s.futile = nil, 0
	for range maxRounds {
		s.samples, s.pieces = map[span][]point{}, map[span]piece{}
		f, err := s.search(bases, best)
		if f == best || err != nil {
			return best, err
		}
		at, err := s.certify(f)
		if err != nil {
			return nil, err
		}
		if at == nil {
			return f, nil
		}
		s.hard = append(s.hard, *at, math.Abs(*at))
	}
	return best, nil
}

// base is a division of the interval, or of the half of it that the function is folded to, to begin with.
type base struct {
	parts []float64
	fold  symmetry
	free  bool // see solver
}

// bases are the interval as a whole, and its parts between the zeros.
func (s *solver) bases(lo, hi float64, fold symmetry) []base {
	parts := []float64{lo}
	for _, z := range s.zeros {
		if last := parts[len(parts)-1]; last < z.cut && z.cut < hi {
			parts = append(parts, z.cut)
		}
	}
	whole := base{parts: []float64{lo, hi}, fold: fold}
	bases := []base{whole}
	if n := len(parts); 1 < n && n <= maxPieces {
		bases = append(bases, base{parts: append(parts, hi), fold: fold})
	}
	// In float64 an absolute error beside a tiny value overflows when it is counted in ulps, as certificates do.
	if s.Tolerance.Unit == egraph.Abs && s.Type == ir.Float32 && len(s.factored) > 0 {
		for _, b := range bases {
			b.free = true
			bases = append(bases, b)
		}
	}
	return bases
}

// search returns the cheapest form that is good on the samples of its pieces, best if none is cheaper.
func (s *solver) search(bases []base, best *Form) (*Form, error) {
	s.closest = closest{worst: piece{loss: math.Inf(1)}}
	weigh := func(ops int) int {
		if s.arithmetic != s.Type {
			return 2*ops + 2 // half the lanes, and two conversions
		}
		return ops
	}
	for _, b := range bases {
		s.free = b.free
		extra := b.fold.ops()
		for degree := range maxDegree + 1 {
			limit := maxPieces
			for best != nil && limit >= len(b.parts) && weigh(ops(limit, degree)+extra) >= best.Ops {
				limit--
			}
			pieces, err := s.divide(b.parts, degree, limit)
			if err != nil {
				return nil, err
			}
			if pieces == nil {
				continue
			}
			f := &Form{Problem: s.Problem, Arithmetic: s.arithmetic, Pieces: len(pieces), Degree: degree, pieces: pieces, scale: s.scale, fold: b.fold}
			f.zero = !s.rightAtZero(f)
			if f.Ops = weigh(f.ops() + extra); best == nil || f.Ops < best.Ops {
				best = f
			}
		}
	}
	return best, nil
}

// rightAtZero reports whether a form has the function's zero at 0, with its sign at -0 and +0.
func (s *solver) rightAtZero(f *Form) bool {
	for _, x := range [2]float64{0, math.Copysign(0, -1)} {
		if y := s.F(x); s.Lo <= 0 && 0 <= s.Hi && y == 0 && math.Float64bits(s.value(f, x)) != math.Float64bits(y) {
			return false
		}
	}
	return true
}

// ops is what so many pieces cost if no two of them share a coefficient.
func ops(pieces, degree int) int { return (pieces - 1) + (pieces-1)*(degree+2) + degree + 1 }

// ops is what the folding costs: |x|, and for odd functions the sign and a product.
func (f symmetry) ops() int { return [...]int{odd + 1: 3, none + 1: 0, even + 1: 1}[f+1] }

// divide bisects parts, always where the loss is largest, until all pieces keep the tolerance; nil if the limit
// does not suffice.
func (s *solver) divide(parts []float64, degree, limit int) ([]piece, error) {
	var pieces []piece
	for i := range len(parts) - 1 {
		c, err := s.fit(parts[i], parts[i+1], degree)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, c)
	}
	for {
		worst := 0
		for i, c := range pieces {
			if c.loss > pieces[worst].loss {
				worst = i
			}
		}
		c := pieces[worst]
		if c.loss < s.closest.worst.loss || math.IsInf(s.closest.worst.loss, 1) {
			s.closest = closest{len(pieces), degree, c, math.Inf(1)}
			if y := s.F(c.at); len(c.coefs) > 0 {
				s.closest.reached = s.inUnit(math.Abs(s.eval(&c, c.at)-y), y)
			}
		}
		if c.loss <= 1 {
			return pieces, nil
		}
		middle := s.round(c.lo + (c.hi-c.lo)/2)
		if len(pieces) >= limit || middle <= c.lo || middle >= c.hi {
			return nil, nil
		}
		left, err := s.fit(c.lo, middle, degree)
		if err != nil {
			return nil, err
		}
		right, err := s.fit(middle, c.hi, degree)
		if err != nil {
			return nil, err
		}
		pieces = slices.Replace(pieces, worst, worst+1, left, right)
	}
}

// value is what the law gives at x.
func (s *solver) value(f *Form, x float64) float64 {
	if f.program != nil {
		return f.eval(x)
	}
	if x == 0 && f.zero {
		return s.F(x)
	}
	sign := 1.0
	if f.fold == odd {
		sign = math.Copysign(1, x)
	}
	if f.fold != none {
		x = math.Abs(x)
	}
	i := sort.Search(len(f.pieces)-1, func(i int) bool { return x < f.pieces[i+1].lo })
	return sign * s.eval(&f.pieces[i], x)
}

// certify measures a form on the dense sample, on the neighbourhoods of its joints and of zeros, and uphill from the worst
// points. It returns the worst point if the form fails.
func (s *solver) certify(f *Form) (*float64, error) {
	xs := slices.Clone(s.hard)
	around := func(x float64, n int) {
		for _, to := range [2]float64{s.Lo, s.Hi} {
			for v, i := x, 0; i <= n && s.Lo <= v && v <= s.Hi; i++ {
				xs = append(xs, v)
				if v == to {
					break
				}
				v = s.next(v, to)
			}
		}
	}
	const joint, root, top, neighbours = 16, 64, 16, 8
	for _, x := range f.joints {
		if s.grid[0].x <= x && x <= s.end {
			xs = append(xs, x)
		}
	}
	for _, c := range f.pieces {
		around(c.lo, joint)
		if f.fold != none {
			around(-c.lo, joint)
		}
	}
	for _, z := range s.zeros {
		around(z.near, root)
	}
	near, err := s.evaluate(xs)
	if err != nil {
		return nil, err
	}
	type lossy struct {
		point
		loss float64
		i    int // in the grid
	}
	f.Points, f.At, f.Error = 0, s.grid[0].x, 0
	worst, at := 0.0, 0.0
	try := func(p point) float64 {
		got := s.value(f, p.x)
		l := s.loss(got, p.y, measured)
		f.Points++
		if l > worst {
			worst, at = l, p.x
		}
		if e := s.inUnit(math.Abs(got-p.y), p.y); e > f.Error && (l > 1 || s.asked(p.y) > s.allowed(p.y, 0)) {
			f.Error, f.At = e, p.x
		}
		return l
	}
	var high []lossy
	for i, p := range s.grid {
		high = append(high, lossy{p, try(p), i})
	}
	for _, p := range near {
		try(p)
	}
	slices.SortStableFunc(high, func(a, b lossy) int {
		switch {
		case a.loss > b.loss:
			return -1
		case a.loss < b.loss:
			return 1
		}
		return 0
	})
	xs = xs[:0]
	for _, h := range high[:min(top, len(high))] {
		around(h.x, neighbours)
		for _, j := range [2]int{h.i - 1, h.i + 1} {
			if j < 0 || j >= len(s.grid) {
				continue
			}
			for i := 1; i < neighbours; i++ {
				xs = append(xs, s.round(h.x+(s.grid[j].x-h.x)*float64(i)/neighbours))
			}
		}
	}
	if near, err = s.evaluate(xs); err != nil {
		return nil, err
	}
	for _, p := range near {
		try(p)
	}
	if worst > 1 {
		return &at, nil
	}
	return nil, nil
}

// failure says what came closest, and looks for the reason at the place where it is worst.
func (s *solver) failure(best closest) error {
	c := best.worst
	y := s.F(c.at)
	e := &Error{Problem: s.Problem, At: c.at, Pieces: best.pieces, Degree: best.degree, Reached: best.reached}
	points, err := s.sampled(c.lo, c.hi)
	if err == nil && len(points) > 1 {
		steepest := 0
		for i := range len(points) - 1 {
			if math.Abs(points[i+1].y-points[i].y) > math.Abs(points[steepest+1].y-points[steepest].y) {
				steepest = i
			}
		}
		err = s.jump(points[steepest], points[steepest+1])
	}
	var fault *Error
	if errors.As(err, &fault) {
		e.Reason, e.At = fault.Reason, fault.At
		return e
	}
	for _, z := range s.zeros {
		if z.order == 0 && c.lo <= z.near && z.near <= c.hi {
			e.Reason = fmt.Sprintf("near its zero at %v the function is no whole power", z.near)
			return e
		}
	}
	const share = 4 // of the tolerance
	switch n := s.noise(c.at); {
	case n > s.allowed(y, 1)/share:
		e.Reason = fmt.Sprintf("the function's own values are off a smooth curve by %.3g there", n)
	case y != 0 && s.asked(y) <= s.ulp(y)/2:
		e.Reason = fmt.Sprintf("%s numbers have a distance of %.3g there", typeName(s.Type), s.ulp(y))
	case e.Reached <= s.Tolerance.Value:
		e.Reason = "that leaves no room for what a sample misses"
	}
	return e
}
