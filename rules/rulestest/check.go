package rulestest

import (
	"fmt"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

// Options says how hard to look. The zero value is what a test should do on every run.
type Options struct {
	Points     int  // random points of a law, and of an approximation's domain; 0: 4096 and 65536
	Exhaustive bool // every float32 value of a law of one variable that moves no rounding, and of an approximation of one
	// Progress is called after each part of an exhaustive check with the number of values done and of all; nil: not at all.
	Progress func(rule string, done, all uint64)
}

const (
	lawPoints  = 1 << 12
	formPoints = 1 << 16
)

func (o Options) points(otherwise int) int {
	if o.Points > 0 {
		return o.Points
	}
	return otherwise
}

// Check checks every law of a set in every type that it is for, and returns what is wrong, in the order of the laws. The
// same set and options give the same findings. Of users' operations that the laws call, the definitions are checked first:
// that Eval and Real are one function, and that Fact holds.
func Check(set rules.Set, o Options) []Finding {
	var findings []Finding
	for _, d := range set.Defs() {
		findings = append(findings, operation(d, o)...)
	}
	for _, r := range set.Rewrites() {
		types := []ir.Type{r.Type}
		if r.Type == ir.Invalid {
			types = []ir.Type{ir.Float32, ir.Float64}
		}
		findings = append(findings, check(r, types, o)...)
	}
	return findings
}

// check returns the findings of the first type that has any. A licence that nothing needs is one only if no type needs
// it: math.Pow multiplies just as the law for pow says, the correctly rounded one does not.
func check(r *egraph.Rewrite, types []ir.Type, o Options) []Finding {
	var idle []Finding
	for _, t := range types {
		c := &checker{sampler: newSampler(r, t), o: o}
		if err := c.check(); err != nil {
			c.report(Unchecked, err.Error(), nil, 0, 0)
		}
		if len(c.findings) > 0 {
			return c.findings
		}
		idle = append(idle, c.idle...)
	}
	if len(idle) == len(types) {
		return idle[:1]
	}
	return nil
}

// checker checks one law in one type.
type checker struct {
	*sampler
	o           Options
	left, right *side
	findings    []Finding
	idle        []Finding // at most one: a licence that this type does not need
}

func (c *checker) check() error {
	var err error
	if c.left, err = newSide(c.r, c.r.LHS, c.t); err != nil {
		return fmt.Errorf("left side: %w", err)
	}
	if c.right, err = newSide(c.r, c.r.RHS, c.t); err != nil {
		return fmt.Errorf("right side: %w", err)
	}
	if c.r.Kind == egraph.Approximation {
		if c.replaces(); len(c.findings) > 0 {
			return nil
		}
		return c.approximation()
	}
	return c.law()
}

func (c *checker) finding(reason Reason, detail string) Finding {
	return Finding{Rule: c.r.Name, Pos: c.r.Pos, Reason: reason, Detail: detail, Type: c.t, Vars: c.r.Vars}
}

func (c *checker) report(reason Reason, detail string, args []uint64, left, right float64) {
	f := c.finding(reason, detail)
	f.Args, f.Left, f.Right = args, left, right
	c.findings = append(c.findings, f)
}
