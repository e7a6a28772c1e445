package egraph

import (
	"fmt"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Samples are points at which a graph knows the real value of every class (the characteristic vectors of Ruler, Nandi et
// al. 2021). Where a rewrite or pass unites values that differ, Graph.Err names it. That is for finding false laws: it takes
// many times as long as the graph alone.
type Samples struct {
	// Points holds the values of the parameters, Points[i][k] being that of parameter i at point k.
	Points [][]float64
	// Eval is the real value of an operation. d is what a call calls.
	Eval func(op ir.Op, d *ir.Def, t ir.Type, args []Sample) Sample
}

// Sample is a value at one point. The zero Sample is a value that is not known.
type Sample struct {
	Real  *big.Float // a real number; a bool is 1 or 0
	Undef bool       // there is no real value: 0/0, 1/0, log(-1)
}

// differ reports whether two samples cannot be one value.
func (s Sample) differ(t Sample) bool {
	if s.Real == nil || t.Real == nil {
		return false
	}
	d := new(big.Float).Sub(s.Real, t.Real)
	scale := s.Real
	if t.Real.MantExp(nil) > scale.MantExp(nil) {
		scale = t.Real
	}
	return d.Sign() != 0 && d.MantExp(nil) > scale.MantExp(nil)-sampleBits
}

// sampleBits is how many leading bits equal values share. Exact constants and samples carry ir.RealPrec = 192 bits; the
// rest is room for cancellation, and no law's constants differ by less than float64 tells apart.
const sampleBits = 64

func (s Sample) String() string {
	switch {
	case s.Real != nil:
		return s.Real.Text('g', 20)
	case s.Undef:
		return "undefined"
	}
	return "unknown"
}

// sample evaluates a new node.
func (g *Graph) sample(n Node) []Sample {
	s := g.analysis.Samples
	points := 0
	if len(s.Points) > 0 {
		points = len(s.Points[0])
	}
	out := make([]Sample, points)
	var args [3]Sample
	for k := range out {
		switch {
		case n.Op == ir.Param:
			if int(n.Imm) < len(s.Points) {
				out[k] = Sample{Real: big.NewFloat(s.Points[n.Imm][k])}
			}
		case n.constant():
			c := g.pool.constants[n.Imm]
			if c.zero() {
				out[k].Real = new(big.Float)
			} else if out[k].Real = c.Real; c.Real == nil {
				out[k].Undef = true
			}
		default:
			for i, a := range n.Operands() {
				args[i] = g.history.class[g.Find(a)][k]
			}
			out[k] = s.Eval(n.Op, g.Def(n), n.Type, args[:arity[n.Op]])
		}
	}
	return out
}

// checkClaim compares the classes that a pass or the caller unites.
func (g *Graph) checkClaim(from, to NodeID, reason Reason) {
	if g.analysis.Samples != nil {
		g.checkSamples(from, to, g.history.class[g.Find(ClassID(from))], g.history.class[g.Find(ClassID(to))], reason, false)
	}
}

// checkMatch compares the sides of a match. The class that a variable stands for has the values of all of its nodes.
func (g *Graph) checkMatch(from, to NodeID, variable bool, reason Reason) {
	if g.analysis.Samples == nil {
		return
	}
	b := g.history.values[to]
	if variable {
		b = g.history.class[g.Find(ClassID(to))]
	}
	g.checkSamples(from, to, g.history.values[from], b, reason, true)
}

// checkSamples compares the values a of from with b of to. If strict, to must have a value wherever from has one.
func (g *Graph) checkSamples(from, to NodeID, a, b []Sample, reason Reason, strict bool) {
	if g.err != nil {
		return
	}
	for k := range a {
		if a[k].differ(b[k]) || strict && a[k].Real != nil && b[k].Undef {
			g.contradict(reason, "%s = %v and %s = %v at %s", g.text(from), a[k], g.text(to), b[k], g.point(k))
			return
		}
	}
}

func (g *Graph) point(k int) string {
	x := make([]float64, len(g.analysis.Samples.Points))
	for i, p := range g.analysis.Samples.Points {
		x[i] = p[k]
	}
	return fmt.Sprint(x)
}

// mergeSamples puts together what is known of a class and of one that joins it. A constant's value is that which it was
// rounded to.
func (g *Graph) mergeSamples(winner, loser ClassID) {
	w, l := g.history.class[winner], g.history.class[loser]
	merged := make([]Sample, len(w))
	for k := range w {
		switch {
		case w[k].Real == nil && l[k].Real != nil, w[k] == Sample{}, g.classes[loser].constant != 0:
			merged[k] = l[k]
		default:
			merged[k] = w[k]
		}
	}
	g.history.class[winner] = merged
}
