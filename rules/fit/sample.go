package fit

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

const (
	// evenPoints is how many points of equal distance show the zeros and the jumps.
	evenPoints = 4096
	// densePoints is how many points even on the line, and as many even in the numbers of the type, measure a form.
	densePoints = 1 << 14
)

// point is an argument, a number of the type, with its value.
type point struct{ x, y float64 }

// zero is a point where the function is 0: near, a number of the type, plus off, is the point as well as float64 values
// tell. order is the power of (x - point) in the function, 0 where it is not known to be a power.
type zero struct {
	near, off float64
	order     int
	cut       float64 // the first number of the type that is not below the point
}

// ordinal numbers the values of the type so that neighbours differ by 1.
func (p *Problem) ordinal(x float64) float64 {
	n := math.Float64bits(math.Abs(x))
	if p.Type == ir.Float32 {
		n = uint64(math.Float32bits(float32(math.Abs(x))))
	}
	return math.Copysign(float64(n), x) // which is exact enough for sampling
}

// fromOrdinal is the inverse of ordinal.
func (p *Problem) fromOrdinal(n float64) float64 {
	size := uint64(math.Abs(n))
	x := math.Float64frombits(size)
	if p.Type == ir.Float32 {
		x = float64(math.Float32frombits(uint32(size)))
	}
	return math.Copysign(x, n)
}

// between is the point that divides lo to hi as t divides 0 to 1. The conversions keep compilers from fusing, so that the
// points are the same everywhere.
func between(lo, hi, t float64) float64 {
	return min(max(float64(lo*(1-t))+float64(hi*t), lo), hi)
}

// evaluate returns the function's values at ascending arguments, or what is wrong with one.
func (p *Problem) evaluate(xs []float64) ([]point, error) {
	points := make([]point, len(xs))
	for i, x := range xs {
		y := p.F(x)
		if !p.usable(y) {
			return nil, p.unusable(x, y)
		}
		points[i] = point{x, y}
	}
	return points, nil
}

func (p *Problem) unusable(x, y float64) error {
	if y-y == 0 {
		return p.refuse(x, "the function is %v at %v, beyond %s", y, x, typeName(p.Type))
	}
	return p.refuse(x, "the function is %v at %v", y, x)
}

// spread samples the interval at equal distances, and at 0.
func (p *Problem) spread() ([]point, error) {
	xs := make([]float64, 0, evenPoints+2)
	for i := range evenPoints + 1 {
		t := float64(i) / evenPoints
		xs = append(xs, between(p.Lo, p.Hi, t))
	}
	if p.Lo <= 0 && 0 <= p.Hi {
		xs = append(xs, 0)
	}
	slices.Sort(xs)
	return p.evaluate(slices.Compact(xs))
}

// symmetry finds out whether the function is even or odd, by points of its interval.
func (p *Problem) symmetry(points []point) symmetry {
	if p.Lo != -p.Hi {
		return none
	}
	found := none
	for _, q := range points {
		with := even
		mirrored := p.F(-q.x)
		if math.Signbit(mirrored) != math.Signbit(q.y) {
			with = odd
		}
		if found == none {
			found = with
		}
		if math.Abs(mirrored) != math.Abs(q.y) || with != found {
			return none
		}
	}
	return found
}

// dense samples the numbers of the type between lo and hi: at random in equal parts of the line, and of their row.
func (p *Problem) dense(lo, hi float64) ([]point, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	xs := []float64{lo, hi}
	if lo <= 0 && 0 <= hi {
		xs = append(xs, 0)
		for x, i := 0.0, 0; i < 8; i++ { // the smallest numbers
			x = p.next(x, 1)
			xs = append(xs, x, -x)
		}
	}
	first, last := p.ordinal(lo), p.ordinal(hi)
	for i := range densePoints {
		t := (float64(i) + rng.Float64()) / densePoints
		xs = append(xs, p.round(between(lo, hi, t)))
		t = (float64(i) + rng.Float64()) / densePoints
		xs = append(xs, p.fromOrdinal(between(first, last, t)))
	}
	xs = slices.DeleteFunc(xs, func(x float64) bool { return x < lo || x > hi })
	slices.Sort(xs)
	return p.evaluate(slices.Compact(xs))
}

// jumps looks for a place where the function jumps by more than the tolerance: two neighbouring points between which it
// changes much more than beside them, and as much when the distance is cut down to nothing.
func (p *Problem) jumps(points []point) error {
	const steep = 1.25 // times what it changes on both sides; at a pole it is 1.5 or more
	change := func(i int) float64 {
		if i < 0 || i+1 >= len(points) {
			return 0
		}
		return math.Abs(points[i+1].y - points[i].y)
	}
	for i := range len(points) - 1 {
		d := change(i)
		if d > p.allowed(points[i].y, 1) && d > steep*(change(i-1)+change(i+1)) {
			if err := p.jump(points[i], points[i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// jump follows the larger half of the change between two points down to neighbours, and reports one that stays.
func (p *Problem) jump(a, b point) error {
	for {
		x := a.x + (b.x-a.x)/2
		if x <= a.x || x >= b.x {
			break
		}
		m := point{x, p.F(x)}
		if m.y-m.y != 0 {
			return p.unusable(x, m.y)
		}
		if math.Abs(m.y-a.y) >= math.Abs(b.y-m.y) {
			b = m
		} else {
			a = m
		}
	}
	const steep = 16 // rounding makes neighbours' differences differ, but not by as much
	before, after := p.F(math.Nextafter(a.x, p.Lo)), p.F(math.Nextafter(b.x, p.Hi))
	d := math.Abs(b.y - a.y)
	pole := a.y < 0 && b.y > 0 || a.y > 0 && b.y < 0
	pole = pole && math.Abs(a.y) > math.Abs(before) && math.Abs(b.y) > math.Abs(after)
	if d <= p.allowed(a.y, 1) || !pole && d <= steep*(math.Abs(a.y-before)+math.Abs(after-b.y)) {
		return nil
	}
	return p.refuse(b.x, "the function jumps from %v to %v at %v", a.y, b.y, b.x)
}

// jumpAtZero reports a jump between -0 and 0.
func (p *Problem) jumpAtZero() error {
	if !(p.Lo <= 0 && 0 <= p.Hi) {
		return nil
	}
	minus, plus := p.F(math.Copysign(0, -1)), p.F(0)
	switch {
	case !p.usable(minus):
		return p.unusable(math.Copysign(0, -1), minus)
	case math.Abs(plus-minus) > p.allowed(plus, 1):
		return p.refuse(0, "the function jumps from %v to %v at %v", minus, plus, 0)
	}
	return nil
}

// noise is how far the function's values near x are from a smooth curve, as their second differences tell.
func (p *Problem) noise(x float64) float64 {
	const reach = 16
	worst := 0.0
	x = max(x, p.Lo)
	for range reach {
		x = math.Nextafter(x, p.Lo)
	}
	var y [3]float64
	for i := range 2 * reach {
		if x > p.Hi {
			break
		}
		y[0], y[1], y[2] = y[1], y[2], p.F(x)
		if i >= 2 {
			worst = math.Max(worst, math.Abs(y[0]-2*y[1]+y[2])/4)
		}
		x = math.Nextafter(x, math.Inf(1))
	}
	return worst
}

// zeros finds where the function is 0: at points, between points of opposite signs, at the ends of stretches of zeros, and
// where it comes down to 0 and goes up again.
func (p *Problem) zeros(points []point) []zero {
	var found []zero
	at := func(x float64) { found = append(found, p.zero(x, 0)) }
	isZero := func(i int) bool { return i >= 0 && i < len(points) && points[i].y == 0 }
	for i, b := range points {
		if b.y == 0 && !isZero(i-1) && !isZero(i+1) {
			at(b.x)
		}
		if i == 0 || b.y == 0 && isZero(i-1) {
			continue
		}
		a := points[i-1]
		if i > 1 {
			if x, ok := p.touch(points[i-2].x, a, b.x, math.Min(math.Abs(points[i-2].y), math.Abs(b.y))); ok {
				at(x)
			}
		}
		switch {
		case a.y*b.y < 0 || a.y < 0 && b.y > 0 || a.y > 0 && b.y < 0: // the product may be 0 by underflow
			l, r := p.edge(a, b, func(y float64) bool { return y == 0 || math.Signbit(y) != math.Signbit(a.y) })
			if r.y == 0 {
				at(r.x)
			} else {
				found = append(found, p.crossing(l, r))
			}
		case a.y == 0 && isZero(i-2): // a stretch of zeros ends
			l, _ := p.edge(a, b, func(y float64) bool { return y != 0 })
			at(l.x)
		case b.y == 0 && isZero(i+1): // a stretch begins
			_, r := p.edge(a, b, func(y float64) bool { return y == 0 })
			at(r.x)
		}
	}
	for i := range found {
		z := &found[i]
		if z.order, z.cut = p.order(*z), z.near; z.off > 0 {
			z.cut = p.next(z.near, math.MaxFloat32)
		}
	}
	slices.SortFunc(found, func(a, b zero) int {
		if a.near+a.off < b.near+b.off {
			return -1
		}
		return 1
	})
	return slices.CompactFunc(found, func(a, b zero) bool { return a.near == b.near })
}

// touch looks for a zero between lo and hi, at both of which the size of the function is at least that given, in the middle
// less, and of the same sign: the least size there is, by ternary search.
func (p *Problem) touch(lo float64, middle point, hi, size float64) (float64, bool) {
	const nothing = 0x1p-38 // of the size: what rounding of the argument may leave of a kink's zero between even points
	if middle.y == 0 || math.Abs(middle.y) >= size {
		return 0, false
	}
	for {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if !(lo < a && a < b && b < hi) {
			break
		}
		fa, fb := p.F(a), p.F(b)
		if math.Signbit(fa) != math.Signbit(middle.y) && fa != 0 || math.Signbit(fb) != math.Signbit(middle.y) && fb != 0 {
			return 0, false // it crosses
		}
		if math.Abs(fa) <= math.Abs(fb) {
			hi = b
		} else {
			lo = a
		}
	}
	best := lo
	for x := lo; x <= hi; x = math.Nextafter(x, math.Inf(1)) {
		if math.Abs(p.F(x)) < math.Abs(p.F(best)) {
			best = x
		}
	}
	return best, math.Abs(p.F(best)) <= nothing*size
}

// edge bisects down to neighbours, of which the second is the first that the predicate holds for.
func (p *Problem) edge(a, b point, holds func(y float64) bool) (point, point) {
	for {
		x := a.x + (b.x-a.x)/2
		if x <= a.x || x >= b.x {
			return a, b
		}
		if y := p.F(x); holds(y) {
			b = point{x, y}
		} else {
			a = point{x, y}
		}
	}
}

// zero is x + off as a zero.
func (p *Problem) zero(x, off float64) zero {
	near := p.round(x)
	return zero{near: near, off: x - near + off}
}

// crossing is the zero of the line through two neighbours.
func (p *Problem) crossing(a, b point) zero {
	return p.zero(a.x, (b.x-a.x)*(a.y/(a.y-b.y)))
}

// order finds the power that the function grows with from a zero on.
func (p *Problem) order(z zero) int {
	const most = 4
	at := z.near + z.off
	h := (p.Hi - p.Lo) * 0x1p-20
	if at+2*h > p.Hi {
		h = -h
	}
	f1, f2 := math.Abs(p.F(at+h)), math.Abs(p.F(at+2*h))
	// A power of 3/4 or more is taken for 1: what is left is not smooth, but the zero is where it should be.
	if order := math.Floor(math.Log2(f2/f1) + 0.25); order >= 0 && order <= most {
		return int(order)
	}
	return 0
}

// factored lists the zeros that forms must have: all of them if errors are relative, and otherwise 0 alone, for the sign
// of the result there.
func (p *Problem) factored(zeros []zero) []zero {
	return slices.DeleteFunc(slices.Clone(zeros), func(z zero) bool {
		return z.order == 0 || p.Tolerance.Unit == egraph.Abs && (z.near != 0 || z.off != 0)
	})
}

// real is a number to the precision of this package's exact arithmetic.
func real(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// prec covers float64 twice, and the digits that a change of basis loses at the largest degree.
const prec = 192
