package accuracy

import (
	"math"
	"math/rand/v2"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Points are inputs: one column for each parameter, each value exactly one of the parameter's type.
type Points [][]float64

// Len is the number of points.
func (p Points) Len() int {
	if len(p) == 0 {
		return 0
	}
	return len(p[0])
}

// slice is a part of the points.
func (p Points) slice(from, to int) Points {
	s := make(Points, len(p))
	for j := range p {
		s[j] = p[j][from:to]
	}
	return s
}

// at copies point i.
func (p Points) at(i int) []float64 {
	x := make([]float64, len(p))
	for j := range p {
		x[j] = p[j][i]
	}
	return x
}

// finite reports whether all coordinates of point i are.
func (p Points) finite(i int) bool {
	for j := range p {
		if x := p[j][i]; x-x != 0 {
			return false
		}
	}
	return true
}

// seed of every sample: a certificate must not depend on the run.
const seed = 0x9e3779b97f4a7c15

// maxCross bounds the number of points in the product of special values of all parameters.
const maxCross = 1 << 12

// Sample draws n or more points from the parameters' domains: the specials of every parameter crossed with each other,
// then points in a random order of which half are uniform over the representable numbers (so every binade, subnormals
// included, gets its share), a quarter uniform over the moderate part of the domain, and a quarter close to a special.
func Sample(params []ir.Parameter, n int) Points {
	rng := rand.New(rand.NewPCG(seed, uint64(len(params))))
	domains := make([]domain, len(params))
	cross := 1
	for i, p := range params {
		domains[i] = newDomain(p)
		cross *= len(domains[i].specials)
		if cross > maxCross {
			cross = maxCross
		}
	}
	points := make(Points, len(params))
	for i := range points {
		points[i] = make([]float64, 0, cross+n)
	}
	full := 1
	for _, d := range domains {
		full *= len(d.specials)
		if full > maxCross {
			break
		}
	}
	for k := range cross {
		rest := k
		for i, d := range domains {
			j := rest % len(d.specials)
			rest /= len(d.specials)
			if full > maxCross { // too many to cross in full: draw
				j = rng.IntN(len(d.specials))
			}
			points[i] = append(points[i], d.specials[j])
		}
	}
	for range n {
		for i, d := range domains {
			points[i] = append(points[i], d.draw(rng))
		}
	}
	for i, p := range params {
		if p.Fact.Integer {
			for k, x := range points[i] {
				points[i][k] = math.Max(math.Ceil(p.Fact.Lo), math.Min(math.Floor(p.Fact.Hi), math.RoundToEven(x)))
			}
		}
	}
	return points
}

// domain is one parameter's range in its type.
type domain struct {
	typ      ir.Type
	lo, hi   float64 // finite
	first    int64   // order of lo and hi among the finite numbers of the type
	last     int64
	specials []float64
}

// moderate bounds the part of the domain where most arguments live: exp, tanh and their like do everything inside it.
const moderate = 128

func newDomain(p ir.Parameter) domain {
	d := domain{typ: p.Type, lo: p.Fact.Lo, hi: p.Fact.Hi}
	largest := maxFloat(p.Type)
	d.lo, d.hi = math.Max(d.lo, -largest), math.Min(d.hi, largest)
	d.lo, d.hi = roundInto(p.Type, d.lo, 1), roundInto(p.Type, d.hi, -1)
	d.first, d.last = order(p.Type, d.lo), order(p.Type, d.hi)
	add := func(x float64) {
		if x >= d.lo && x <= d.hi {
			d.specials = append(d.specials, x)
		}
	}
	tiny, normal := math.SmallestNonzeroFloat64, 0x1p-1022
	if p.Type == ir.Float32 {
		tiny, normal = math.SmallestNonzeroFloat32, 0x1p-126
	}
	for _, x := range []float64{0, tiny, 3 * tiny, normal - tiny, normal, 0x1p-60, 0x1p-30, 0x1p-20, 0x1p-12, 0.125, 0.5, 1, 2, 3, 5,
		8, 10, 20, 50, 88, 89, 100, 105, 128, 700, 709, 710, 746, 1000, 16777216, 0x1p60, largest / 2, largest} {
		add(x)
		add(-x) // -0 too
	}
	d.specials = append(d.specials, d.lo, d.hi)
	for _, x := range []float64{d.lo, d.hi} {
		if o := order(p.Type, x); o > d.first {
			add(unorder(p.Type, o-1))
		}
		if o := order(p.Type, x); o < d.last {
			add(unorder(p.Type, o+1))
		}
	}
	if math.IsInf(p.Fact.Lo, -1) {
		d.specials = append(d.specials, math.Inf(-1))
	}
	if math.IsInf(p.Fact.Hi, 1) {
		d.specials = append(d.specials, math.Inf(1))
	}
	if !p.Fact.Finite() {
		d.specials = append(d.specials, math.NaN())
	}
	if p.Fact.Integer {
		kept := d.specials[:0]
		for _, x := range d.specials {
			if x == math.Trunc(x) {
				kept = append(kept, x)
			}
		}
		d.specials = kept
	}
	return d
}

func (d *domain) draw(rng *rand.Rand) float64 {
	var x float64
	switch k := rng.IntN(4); k {
	case 0, 1:
		x = unorder(d.typ, d.first+int64(rng.Uint64N(uint64(d.last)-uint64(d.first)+1)))
	case 2:
		lo, hi := math.Max(d.lo, -moderate), math.Min(d.hi, moderate)
		if lo >= hi {
			lo, hi = d.lo, d.hi
		}
		x = roundTo(d.typ, lo+(hi-lo)*rng.Float64())
	default:
		s := d.specials[rng.IntN(len(d.specials))]
		if s != s || math.IsInf(s, 0) {
			return s
		}
		o := order(d.typ, s) + rng.Int64N(33) - 16
		x = unorder(d.typ, min(max(o, d.first), d.last))
	}
	x = math.Min(math.Max(x, d.lo), d.hi)
	return x
}

func maxFloat(t ir.Type) float64 {
	if t == ir.Float32 {
		return math.MaxFloat32
	}
	return math.MaxFloat64
}

func roundTo(t ir.Type, x float64) float64 { return ir.BitsFloat(t, ir.ConstBits(t, x)) }

// roundInto rounds a bound of the domain to the type, towards the inside.
func roundInto(t ir.Type, x float64, towards float64) float64 {
	y := roundTo(t, x)
	if (y-x)*towards < 0 {
		y = unorder(t, order(t, y)+int64(towards))
	}
	return y
}

// order maps the finite numbers of a type to consecutive integers in increasing order; both zeros are 0.
func order(t ir.Type, x float64) int64 {
	bits := int64(ir.ConstBits(t, math.Abs(x)))
	if x < 0 {
		return -bits
	}
	return bits
}

// unorder is the inverse of order.
func unorder(t ir.Type, o int64) float64 {
	if o < 0 {
		return -ir.BitsFloat(t, uint64(-o))
	}
	return ir.BitsFloat(t, uint64(o))
}
