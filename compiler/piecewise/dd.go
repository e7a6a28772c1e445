package piecewise

import "math"

// dd is the unevaluated sum hi + lo, |lo| at most half an ulp of hi.
type dd struct{ hi, lo float64 }

// quick is a + b for |a| >= |b|, or a = 0.
func quick(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

func (a dd) plus(b dd) dd {
	s := a.hi + b.hi
	t := s - a.hi
	e := (a.hi - (s - t)) + (b.hi - t)
	return quick(s, e+(a.lo+b.lo))
}

func (a dd) minus(b dd) dd { return a.plus(dd{-b.hi, -b.lo}) }

func (a dd) times(b dd) dd {
	p := a.hi * b.hi
	return quick(p, math.FMA(a.hi, b.hi, -p)+(a.hi*b.lo+a.lo*b.hi))
}

func (a dd) over(b dd) dd {
	q := a.hi / b.hi
	r := a.minus(dd{hi: q}.times(b))
	return quick(q, r.hi/b.hi)
}

// scaled is a times a power of two.
func (a dd) scaled(by float64) dd { return dd{a.hi * by, a.lo * by} }

func exact(x float64) dd { return dd{hi: x} }
