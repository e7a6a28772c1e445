package accuracy

import (
	"math"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Hill-climbing: from the worst points of a sample to where the error is larger still.
const (
	climbers    = 8 // parts of the sample whose worst points are the starts
	generations = 6
)

// strides are how far a climber looks along each input, in both directions: powers of two of numbers of the type.
var strides = map[ir.Type][]uint{ir.Float32: {0, 4, 8, 12, 14, 16, 18, 20}, ir.Float64: {0, 10, 20, 30, 37, 41, 43, 45, 47, 49}}

// climb measures the program near the starts, moving each to the worst of its neighbours while that is worse. What is found there is near
// the top of its hill, so all of the bound may be used up.
func (c *Contract) climb(p *interp.Program, g *ir.Func, starts []Certificate) (Certificate, error) {
	var cert Certificate
	domains := make([]domain, len(c.f.Params))
	for j, q := range c.f.Params {
		if !q.Type.IsFloat() || q.Fact.Integer {
			return cert, nil // there is nothing between its values
		}
		domains[j] = newDomain(q)
	}
	for range generations {
		in := make(Points, len(domains))
		var ends []int
		for _, s := range starts {
			neighbours(domains, s.Worst, in)
			ends = append(ends, in.Len())
		}
		if in.Len() == 0 {
			return cert, nil
		}
		ev, err := c.evaluate(in)
		if err != nil {
			return cert, err
		}
		got, err := Run(p, g, in)
		if err != nil {
			return cert, err
		}
		from := 0
		var higher []Certificate
		for i, to := range ends {
			if from == to {
				continue
			}
			part := make([][]float64, len(got))
			for r := range got {
				part[r] = got[r][from:to]
			}
			m, err := c.judge(ev.slice(from, to), part, 1)
			cert = cert.merge(m)
			if err != nil {
				return cert, err
			}
			if m.Fraction > starts[i].Fraction {
				higher = append(higher, m)
			}
			from = to
		}
		starts = higher
	}
	return cert, nil
}

// neighbours appends the points around x that differ in one input. Points that are not finite have none.
func neighbours(domains []domain, x []float64, in Points) {
	for _, v := range x {
		if v-v != 0 {
			return
		}
	}
	if len(x) != len(domains) {
		return
	}
	for j, d := range domains {
		for _, s := range strides[d.typ] {
			stride := int64(1) << s
			for _, o := range []int64{order(d.typ, x[j]) - stride, order(d.typ, x[j]) + stride} {
				if o < d.first || o > d.last {
					continue
				}
				for k := range in {
					v := x[k]
					if k == j {
						v = unorder(d.typ, o)
					}
					in[k] = append(in[k], math.Max(math.Min(v, domains[k].hi), domains[k].lo))
				}
			}
		}
	}
}
