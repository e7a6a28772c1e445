package rulestest

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// ordinal numbers the values of type t from -Inf to +Inf, so that neighbours differ by 1; -0 and +0 are both 0.
func ordinal(t ir.Type, bits uint64) int64 {
	sign := uint64(1) << (8*t.Size() - 1)
	if bits&sign != 0 {
		return -int64(bits &^ sign)
	}
	return int64(bits)
}

// fromOrdinal is the inverse of ordinal; 0 becomes +0.
func fromOrdinal(t ir.Type, i int64) uint64 {
	if i < 0 {
		return uint64(-i) | 1<<(8*t.Size()-1)
	}
	return uint64(i)
}

// specials are the values at which floating-point arithmetic changes its behaviour, and a few plain ones.
func specials(t ir.Type) []uint64 {
	// IEEE 754-2019, table 3.5: bits of the significand behind the point, largest exponent.
	mantissa, emax := 23, 127
	if t == ir.Float64 {
		mantissa, emax = 52, 1023
	}
	eps, normal, subnormal := math.Ldexp(1, -mantissa), math.Ldexp(1, 1-emax), math.Ldexp(1, 1-emax-mantissa)
	var list []uint64
	for _, x := range []float64{
		0, subnormal, normal - subnormal, normal, math.Ldexp(2-eps, emax), math.Inf(1),
		1, 1 + eps, 1 - eps/2, 0.5, 2, 3, 0.1, 7.25, math.Ldexp(1.5, emax/2), math.Ldexp(1.25, -emax/2-3),
	} {
		list = append(list, ir.ConstBits(t, x), ir.ConstBits(t, math.Copysign(x, -1)))
	}
	return append(list, ir.ConstBits(t, math.NaN()))
}

// smallInteger is the range of the integers that guarded variables are tried with. Exponents beyond it leave every
// format for all but a few bases.
const smallInteger = 40

// sampler draws arguments of one law in one type.
type sampler struct {
	r   *egraph.Rewrite
	t   ir.Type
	rng *rand.Rand
}

func newSampler(r *egraph.Rewrite, t ir.Type) *sampler {
	return &sampler{r: r, t: t, rng: rand.New(rand.NewPCG(1, uint64(t)))}
}

// admits reports whether the guard holds at a point. A guard speaks about real values, and any variable that is not known
// exactly may turn out to be NaN: so NaN is admitted where some short interval of numbers would be.
func (s *sampler) admits(args []uint64) bool {
	if s.r.Guard == nil {
		return true
	}
	facts := make([]ir.Fact, len(args))
	for _, stand := range []float64{0.125, -0.125, 2.5, -2.5, 1e3 + 0.5} {
		nan := false
		for v, bits := range args {
			x := ir.BitsFloat(s.t, bits)
			facts[v] = ir.Exactly(x)
			if x != x {
				nan = true
				facts[v] = ir.Between(stand, stand+0x1p-10)
			}
		}
		if s.r.Guard(facts) == egraph.Yes {
			return true
		}
		if !nan {
			return false
		}
	}
	return false
}

// draw returns the crossed special values that the guard admits, then n random points.
func (s *sampler) draw(n int) points {
	out := make(points, len(s.r.Vars))
	add := func(args []uint64) bool {
		if !s.admits(args) {
			return false
		}
		for v, bits := range args {
			out[v] = append(out[v], bits)
		}
		return true
	}
	pool := specials(s.t)
	if s.r.Guard != nil {
		for i := -smallInteger; i <= smallInteger; i++ {
			pool = append(pool, ir.ConstBits(s.t, float64(i)))
		}
	}
	args := make([]uint64, len(out))
	var cross func(v int)
	cross = func(v int) {
		if v == len(args) {
			add(args)
			return
		}
		for _, bits := range pool {
			args[v] = bits
			cross(v + 1)
		}
	}
	const crossed = 1 << 16 // at most so many combinations are all tried; of more, a random choice
	if math.Pow(float64(len(pool)), float64(len(args))) <= crossed {
		cross(0)
	} else {
		for range crossed / 2 {
			for v := range args {
				args[v] = pool[s.rng.IntN(len(pool))]
			}
			add(args)
		}
	}
	if len(out) == 0 {
		return out
	}
	const tries = 64 // for each point that is wanted; a guard that refuses more is left with the special values
	for wanted, left := n, tries*n; wanted > 0 && left > 0; left-- {
		for v := range args {
			args[v] = s.random()
		}
		if add(args) {
			wanted--
		}
	}
	return out
}

// random draws a value: any bits, a moderate one, or, for a guard to like, a small integer.
func (s *sampler) random() uint64 {
	choice := s.rng.IntN(3)
	if s.r.Guard == nil {
		choice %= 2
	}
	switch choice {
	case 0:
		return s.rng.Uint64() >> (64 - 8*s.t.Size())
	case 1:
		const spread = 12 // binary orders of magnitude around 1
		x := math.Ldexp(1+s.rng.Float64(), s.rng.IntN(2*spread)-spread)
		return ir.ConstBits(s.t, x*float64(1-2*s.rng.IntN(2)))
	}
	return ir.ConstBits(s.t, float64(s.rng.IntN(2*smallInteger+1)-smallInteger))
}

// interval is a run of values, by ordinal, ends included.
type interval struct{ lo, hi int64 }

// width counts the values. All of float64 are fewer than 2^64.
func (r interval) width() uint64 { return uint64(r.hi-r.lo) + 1 }

// domain finds where the guard of a law of one variable holds: the runs that a grid of ordinals meets, their ends made
// exact by bisection. A run that is narrower than the grid and misses the special values is not seen.
func (s *sampler) domain() []interval {
	infinity := ordinal(s.t, ir.ConstBits(s.t, math.Inf(1)))
	holds := func(i int64) bool { return s.admits([]uint64{fromOrdinal(s.t, i)}) }
	const cells = 2048 // on each side of zero
	grid := []int64{-infinity, infinity}
	for i := int64(1 - cells); i < cells; i++ {
		grid = append(grid, i*(infinity/cells))
	}
	for _, bits := range specials(s.t) {
		if x := ir.BitsFloat(s.t, bits); x == x {
			grid = append(grid, ordinal(s.t, bits))
		}
	}
	slices.Sort(grid)
	// boundary returns the last value of the run that begins in a and has ended at b.
	boundary := func(a, b int64) int64 {
		inside := holds(a)
		for b-a > 1 {
			if mid := a + (b-a)/2; holds(mid) == inside {
				a = mid
			} else {
				b = mid
			}
		}
		return a
	}
	var runs []interval
	for i, at := range grid {
		switch {
		case holds(at) && (i == 0 || !holds(grid[i-1])):
			lo := at
			if i > 0 {
				lo = boundary(grid[i-1], at) + 1
			}
			runs = append(runs, interval{lo, at})
		case !holds(at) && i > 0 && holds(grid[i-1]):
			runs[len(runs)-1].hi = boundary(grid[i-1], at)
			continue
		}
		if holds(at) {
			runs[len(runs)-1].hi = at
		}
	}
	return runs
}

// cover returns about n values of the domain: even in their ordinals, even on the line where most functions do their
// work, the neighbourhoods of the ends and the special values.
func (s *sampler) cover(runs []interval, n int) points {
	var list []uint64
	add := func(i int64) { list = append(list, fromOrdinal(s.t, i)) }
	var total float64
	for _, r := range runs {
		total += float64(r.width())
	}
	for _, r := range runs {
		// One random value in each of as many equal strata as the run deserves.
		strata := min(r.width(), uint64(math.Ceil(float64(n)/2*float64(r.width())/total)))
		width := r.width() / strata
		for i := range strata {
			add(r.lo + int64(i*width+s.rng.Uint64N(width)))
		}
		// 128 is beyond where the float32 exponential overflows; on the float64 line the ordinals reach the rest.
		const reach = 128
		lo := math.Max(-reach, ir.BitsFloat(s.t, fromOrdinal(s.t, r.lo)))
		hi := math.Min(reach, ir.BitsFloat(s.t, fromOrdinal(s.t, r.hi)))
		for i := range n / 2 {
			if lo >= hi {
				break
			}
			x := ordinal(s.t, ir.ConstBits(s.t, lo+(float64(i)+s.rng.Float64())/float64(n/2)*(hi-lo)))
			add(max(r.lo, min(r.hi, x)))
		}
		const edge = 128 // values next to each end
		for i := range min(edge, r.width()) {
			add(r.lo + int64(i))
			add(r.hi - int64(i))
		}
	}
	for _, bits := range specials(s.t) {
		if s.admits([]uint64{bits}) {
			list = append(list, bits)
		}
	}
	return points{list}
}
