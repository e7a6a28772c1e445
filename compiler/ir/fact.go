package ir

import (
	"fmt"
	"math"
)

// Fact is what is known about a real value: it lies in [Lo, Hi], and what the flags say. Facts are about the value over
// the reals, not about its rounding, so they meet across every equality that a rule may claim. The bounds are rounded
// outwards by whoever computes them. NaN is outside of every interval: a fact says nothing about inputs outside the domain.
type Fact struct {
	Lo, Hi  float64
	Integer bool // an integer
	NonZero bool // never zero (useful where 0 lies inside [Lo, Hi])
}

// Unknown is the fact that says nothing.
var Unknown = Fact{Lo: math.Inf(-1), Hi: math.Inf(1)}

// Between is the fact lo <= x <= hi.
func Between(lo, hi float64) Fact { return Fact{Lo: lo, Hi: hi, NonZero: lo > 0 || hi < 0} }

// Exactly is the fact about a value that float64 holds.
func Exactly(x float64) Fact {
	return Fact{Lo: x, Hi: x, Integer: x == math.Trunc(x) && !math.IsInf(x, 0), NonZero: x != 0}
}

// Meet combines two facts about the same value. It reports false if they contradict each other.
func (f Fact) Meet(g Fact) (Fact, bool) {
	m := Fact{
		Lo: math.Max(f.Lo, g.Lo), Hi: math.Min(f.Hi, g.Hi),
		Integer: f.Integer || g.Integer, NonZero: f.NonZero || g.NonZero,
	}
	m.NonZero = m.NonZero || m.Lo > 0 || m.Hi < 0
	return m, m.Lo <= m.Hi && !(m.NonZero && m.Lo == 0 && m.Hi == 0)
}

// Finite reports whether both bounds are finite.
func (f Fact) Finite() bool { return !math.IsInf(f.Lo, 0) && !math.IsInf(f.Hi, 0) }

// Within reports whether every value that f allows is in [lo, hi].
func (f Fact) Within(lo, hi float64) bool { return lo <= f.Lo && f.Hi <= hi }

// String writes the interval, then the flags.
func (f Fact) String() string {
	s := fmt.Sprintf("[%g, %g]", f.Lo, f.Hi)
	if f.Integer {
		s += " integer"
	}
	if f.NonZero && f.Lo <= 0 && f.Hi >= 0 {
		s += " nonzero"
	}
	return s
}
