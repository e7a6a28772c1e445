package rulestest

import (
	"fmt"
	"math"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

const (
	// excusable are the licences that excuse a difference at a point; moving are those that move rounding and make a law
	// one about the reals.
	excusable = ir.NoNaN | ir.NoInf | ir.NoSignZero
	moving    = ir.Reassoc | ir.ARecip | ir.Contract | ir.ApproxFunc

	// realPoints is how many points are compared over the reals; with arbitrary precision they take some microseconds each.
	realPoints = 1 << 10
	// reach bounds the magnitude of arguments there: a function of a larger one leaves every format.
	reach = 1 << 12
	// decided is the relative error below which a real value counts as known.
	decided = 0x1p-40
)

// law checks an Identity or Directed law.
func (c *checker) law() error {
	p := c.draw(c.o.points(lawPoints))
	if len(p) > 0 && p.len() == 0 {
		c.report(NeverFires, "no value satisfies the condition", nil, 0, 0)
		return nil
	}
	if err := c.fires(p); err != nil || len(c.findings) > 0 {
		return err
	}
	left, err := c.left.run(p)
	if err != nil {
		return err
	}
	right, err := c.right.run(p)
	if err != nil {
		return err
	}
	if c.r.Licence&moving == 0 {
		c.exact(p, left, right)
		if c.o.Exhaustive && len(c.r.Vars) == 1 && c.t == ir.Float32 && len(c.findings) == 0 {
			return c.every(c.domain(), c.equal)
		}
		return nil
	}
	return c.real(p, left, right)
}

// equal compares bits where the licences declared do not excuse a difference.
func (c *checker) equal(p points) error {
	left, err := c.left.run(p)
	if err != nil {
		return err
	}
	right, err := c.right.run(p)
	if err != nil {
		return err
	}
	for i := range left {
		if args := p.at(i); !c.same(left[i], right[i]) && c.excuses(args, left[i], right[i])&c.r.Licence == 0 {
			c.differ(Unequal, "bit for bit, and no licence excuses it", args, left[i], right[i])
			return nil
		}
	}
	return nil
}

func (c *checker) same(a, b uint64) bool {
	t := c.left.resultType()
	return a == b || t != ir.Bool && isNaN(t, a) && isNaN(t, b)
}

func isNaN(t ir.Type, bits uint64) bool { x := value(t, bits); return x != x }

// excuses returns the licences of which any one excuses a difference between two results.
func (c *checker) excuses(args []uint64, left, right uint64) ir.Licence {
	var l ir.Licence
	t := c.left.resultType()
	see := func(t ir.Type, bits uint64) {
		switch x := value(t, bits); {
		case x != x:
			l |= ir.NoNaN
		case math.IsInf(x, 0):
			l |= ir.NoInf
		}
	}
	for _, bits := range args {
		see(c.t, bits)
	}
	see(t, left)
	if value(t, left) == 0 && value(t, right) == 0 {
		l |= ir.NoSignZero
	}
	return l
}

// exact checks a law without a licence to move rounding: equal bits, except where nnan, ninf and nsz excuse the
// difference, each of which must be needed.
func (c *checker) exact(p points, left, right []uint64) {
	type difference struct {
		point   int
		excuses ir.Licence
	}
	var all []difference
	var inferred ir.Licence
	declared := c.r.Licence & excusable
	for i := range left {
		if c.same(left[i], right[i]) {
			continue
		}
		args := p.at(i)
		d := difference{i, c.excuses(args, left[i], right[i])}
		if d.excuses == 0 {
			c.differ(Unequal, "bit for bit, and no licence excuses it", args, left[i], right[i])
			return
		}
		all = append(all, d)
		if d.excuses&inferred == 0 {
			inferred |= d.excuses & -d.excuses // the first of its words
		}
	}
	for _, d := range all {
		if d.excuses&declared == 0 {
			detail := fmt.Sprintf("declared %q, needed %q", declared.String(), inferred.String())
			c.differ(Licences, detail, p.at(d.point), left[d.point], right[d.point])
			return
		}
	}
	for l := ir.Licence(1); l != 0; l <<= 1 {
		if declared&l == 0 {
			continue
		}
		needed := false
		for _, d := range all {
			needed = needed || d.excuses&(declared&^l) == 0
		}
		if !needed {
			c.idle = []Finding{c.finding(Licences, fmt.Sprintf("%v is declared, but nothing needs it", l))}
			return
		}
	}
}

func (c *checker) differ(reason Reason, detail string, args []uint64, left, right uint64) {
	t := c.left.resultType()
	c.report(reason, detail, args, value(t, left), value(t, right))
}

// real checks a law that moves rounding. It must be equal over the reals at finite arguments wherever the left side has a
// value, and there the right side must have one. What rounding, overflow and infinite arguments make of it is for the
// contract's measurement, except that a NaN argument must not be swallowed without nnan.
func (c *checker) real(p points, left, right []uint64) error {
	t := c.left.resultType()
	differs, swallows := false, false
	for i := range left {
		if c.same(left[i], right[i]) {
			continue
		}
		differs = true
		args := p.at(i)
		nan := false
		for _, bits := range args {
			nan = nan || isNaN(c.t, bits)
		}
		if !nan || isNaN(t, left[i]) == isNaN(t, right[i]) {
			continue
		}
		swallows = true
		if !c.r.Licence.Has(ir.NoNaN) {
			c.differ(Licences, "a NaN argument must stay one, or nnan be declared", args, left[i], right[i])
			return nil
		}
	}
	if extra := c.r.Licence & (ir.NoInf | ir.NoSignZero); extra != 0 {
		c.report(Licences, fmt.Sprintf("%q is not needed beside a licence that moves rounding", extra.String()), nil, 0, 0)
		return nil
	}
	switch {
	case !differs:
		detail := fmt.Sprintf("the sides are equal bit for bit: %q is not needed", c.r.Licence.String())
		c.idle = []Finding{c.finding(Licences, detail)}
	case c.r.Licence.Has(ir.NoNaN) && !swallows:
		c.idle = []Finding{c.finding(Licences, "nnan is declared, but nothing needs it")}
	}
	return c.overTheReals(p)
}

// overTheReals compares the sides' real values: at every so many of the points, most of which are special values, and at
// the last ones, which are random.
func (c *checker) overTheReals(p points) error {
	compared, known := 0, 0
	stride := max(1, p.len()/realPoints)
	for i := 0; i < p.len(); i++ {
		args := p.at(i)
		if i%stride != 0 && i < p.len()-realPoints || !c.moderate(args) {
			continue
		}
		l, err := c.left.truth(args)
		if err != nil {
			return err
		}
		r, err := c.right.truth(args)
		if err != nil {
			return err
		}
		switch {
		case beyond(l) || beyond(r) || undefined(l) && undefined(r):
			continue
		case undefined(r):
			c.report(Undefined, "over the reals", args, l.Hi, r.Hi)
			return nil
		case undefined(l):
			if c.r.Kind == egraph.Identity {
				c.report(Undefined, "over the reals, read from right to left", args, l.Hi, r.Hi)
				return nil
			}
			continue
		}
		compared++
		slack := (l.Err + r.Err) * c.evalError()
		if !(slack <= decided*math.Max(math.Abs(l.Hi), math.SmallestNonzeroFloat64/decided)) {
			continue
		}
		known++
		if d := math.Abs((l.Hi - r.Hi) + (l.Lo - r.Lo)); d > slack+0x1p-60*math.Abs(l.Hi) {
			c.report(Unequal, "over the reals", args, l.Hi, r.Hi)
			return nil
		}
	}
	if known == 0 || known < compared/2 {
		c.report(Unchecked, fmt.Sprintf("over the reals, %d of %d points could be decided", known, compared), nil, 0, 0)
	}
	return nil
}

// beyond reports whether a value is finite but does not fit a Value, or is not known at all.
func beyond(v interp.Value) bool { return math.IsInf(v.Err, 1) }

// undefined reports whether there is no finite value.
func undefined(v interp.Value) bool { return v.Hi-v.Hi != 0 }

// moderate reports whether all arguments are finite and not too large.
func (c *checker) moderate(args []uint64) bool {
	for _, bits := range args {
		if x := value(c.t, bits); !(math.Abs(x) <= reach) {
			return false
		}
	}
	return true
}
