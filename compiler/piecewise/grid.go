package piecewise

import "math"

// grid divides [lo, hi] into pieces around the multiples of 1/scale. A grid of one piece has a centre instead, 0 if that is
// inside.
type grid struct {
	pieces      int     // a power of two
	scale       float64 // a number of the type
	centre      float64 // of a single piece
	first, last int     // multiples in use
	lo, hi      float64 // what u is kept inside of; numbers of the type
}

// grid lays n pieces over the range of a shape, as fine as they get.
func (p *Problem) grid(s shape, n int) (grid, bool) {
	g := grid{pieces: n, lo: p.round(s.lo.at), hi: p.round(s.hi.at)}
	if n == 1 {
		if g.lo > 0 || g.hi < 0 {
			g.centre = p.round((g.lo + g.hi) / 2)
		}
		return g, true
	}
	width := g.hi - g.lo
	const shrink = 1 - 1./128
	for scale := float64(n) / width; scale*width > float64(n)/2; scale *= shrink {
		g.scale = p.round(scale)
		// A flat end has a piece of its own, which begins beyond the end.
		g.first, g.last = g.number(p.round(s.lo.at)), g.number(p.round(s.hi.at))
		if s.lo.flat {
			g.first = int(math.Floor(s.lo.at*g.scale - 0.5))
			g.lo = p.round(float64(g.first) / g.scale)
		}
		if s.hi.flat {
			g.last = int(math.Ceil(s.hi.at*g.scale + 0.5))
			g.hi = p.round(float64(g.last) / g.scale)
		}
		const most = 1 << 20 // so that the piece's number is exact
		if g.last-g.first < n && max(-g.first, g.last) < most {
			return g, true
		}
	}
	return grid{}, false
}

// number is the piece that u belongs to.
func (g grid) number(u float64) int { return int(math.RoundToEven(u * g.scale)) }

// ends are those of a piece, clipped to the range.
func (g grid) ends(k int) (lo, hi float64) {
	return max(g.lo, (float64(k)-0.5)/g.scale), min(g.hi, (float64(k)+0.5)/g.scale)
}

// variable is the polynomial's variable at u, exactly.
func (g grid) variable(u float64, k int) dd {
	if g.pieces == 1 {
		return exact(u).minus(exact(g.centre))
	}
	return exact(u).times(exact(g.scale)).minus(exact(float64(k)))
}
