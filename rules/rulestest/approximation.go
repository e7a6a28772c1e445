package rulestest

import (
	"fmt"
	"math"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// chunk is how many points are evaluated at a time.
const chunk = 1 << 16

// approximation measures a form against the truth over its domain.
func (c *checker) approximation() error {
	if len(c.r.Vars) != 1 {
		return c.measure(c.draw(c.o.points(lawPoints)))
	}
	runs := c.domain()
	if len(runs) == 0 {
		c.report(NeverFires, "no value is in the domain", nil, 0, 0)
		return nil
	}
	if !c.o.Exhaustive || c.t != ir.Float32 {
		return c.measure(c.cover(runs, c.o.points(formPoints)))
	}
	if err := c.every(runs, c.measure); err != nil || len(c.findings) > 0 {
		return err
	}
	return c.measure(c.cover(runs, 1)) // -0 and NaN have no ordinal of their own
}

// every hands all values of the runs to do, a chunk at a time, until there is a finding.
func (c *checker) every(runs []interval, do func(points) error) error {
	var done, all uint64
	for _, r := range runs {
		all += uint64(r.hi-r.lo) + 1
	}
	p := points{nil}
	for _, r := range runs {
		for i := r.lo; i <= r.hi && len(c.findings) == 0; i++ {
			p[0] = append(p[0], fromOrdinal(c.t, i))
			if len(p[0]) < chunk && i < r.hi {
				continue
			}
			if err := do(p); err != nil {
				return err
			}
			done += uint64(len(p[0]))
			if c.o.Progress != nil {
				c.o.Progress(c.r.Name, done, all)
			}
			p[0] = p[0][:0]
		}
	}
	return nil
}

// measure reports the point with the largest error beyond the bound, and the first special value that is wrong.
func (c *checker) measure(p points) error {
	if p.len() == 0 {
		c.report(NeverFires, "no value satisfies the condition", nil, 0, 0)
		return nil
	}
	exact, err := c.left.run(p)
	if err != nil {
		return err
	}
	form, err := c.right.run(p)
	if err != nil {
		return err
	}
	worst := c.r.Bound.Value
	var at []uint64
	var left, right float64
	for i := range form {
		args := p.at(i)
		got, want := value(c.t, form[i]), value(c.t, exact[i])
		if special(c.t, args, want) {
			if !c.specialRight(got, want) {
				c.report(Special, fmt.Sprintf("want %s", hex(c.t, want)), args, want, got)
				return nil
			}
			continue
		}
		truth, err := c.left.truth(args)
		if err != nil {
			return err
		}
		if math.IsInf(truth.Err, 1) && !truth.Overflows(c.t) {
			c.report(Unchecked, "the truth is not known", args, truth.Hi, got)
			return nil
		}
		if e := c.error(got, truth); e > worst || e != e {
			worst, at, left, right = e, args, truth.Hi, got
		}
	}
	if at != nil {
		c.report(Inexact, fmt.Sprintf("%.6g, declared %.6g", worst, c.r.Bound.Value), at, left, right)
	}
	return nil
}

// special reports whether a point is one where IEEE 754 and not the error bound says what the result is: an argument is
// infinite, NaN or zero, or the result is NaN, or an infinity of a pole.
func special(t ir.Type, args []uint64, want float64) bool {
	for _, bits := range args {
		if x := ir.BitsFloat(t, bits); x == 0 || x != x || math.IsInf(x, 0) {
			return true
		}
	}
	return want != want
}

// specialRight compares with the function's own value there: NaN, infinities and zeros with their signs must agree, and
// a finite value be within the bound.
func (c *checker) specialRight(got, want float64) bool {
	switch {
	case want != want:
		return got != got
	case want == 0 || math.IsInf(want, 0):
		return math.Float64bits(got) == math.Float64bits(want)
	}
	return c.error(got, interp.Value{Hi: want}) <= c.r.Bound.Value
}

// error is the error of a result in the unit of the bound. Every bound reads "or half an ulp, whichever is larger", so
// an error of up to half an ulp counts as none.
func (c *checker) error(got float64, truth interp.Value) float64 {
	ulps := interp.ErrorULP(c.t, got, truth)
	if math.IsInf(got, 0) && math.Abs(truth.Hi) <= maxFloat(c.t) {
		// An overflow that comes early counts as the number next to the largest one.
		last := math.Copysign(maxFloat(c.t), got)
		ulps = math.Abs(last-truth.Hi)/interp.ULP(c.t, truth) + 1
	}
	switch {
	case ulps <= 0.5:
		return 0
	case c.r.Bound.Unit == egraph.ULP:
		return ulps
	}
	abs := math.Abs((got - truth.Hi) - truth.Lo) // ulps may overflow next to a zero
	if c.r.Bound.Unit == egraph.Rel {
		return abs / math.Abs(truth.Hi)
	}
	return abs
}

func maxFloat(t ir.Type) float64 {
	if t == ir.Float32 {
		return math.MaxFloat32
	}
	return math.MaxFloat64
}
