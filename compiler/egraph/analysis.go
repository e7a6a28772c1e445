package egraph

import (
	"errors"
	"fmt"

	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrContradiction is wrapped by Graph.Err.
var ErrContradiction = errors.New("egraph: contradiction")

// maxNarrow is how often the bounds of one class may be narrowed: a class that is its own operand could narrow for ever.
// Later news about the bounds is dropped, which is sound. Flags and constants are never dropped.
const maxNarrow = 32

// Err reports the first contradiction: a union of classes that cannot be equal. It names the rewrite or pass that claimed
// it and wraps ErrContradiction.
func (g *Graph) Err() error { return g.err }

func (g *Graph) contradict(reason Reason, format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf("%w: %s unites %s", ErrContradiction, g.reasonName(reason), fmt.Sprintf(format, args...))
	}
}

// source is a rewrite or a pass that claims unions.
type source struct {
	name, pos string
	rule      *Rewrite // nil for a pass
}

func (s source) String() string {
	if s.pos == "" {
		return s.name
	}
	return s.name + " (" + s.pos + ")"
}

func (g *Graph) reasonName(r Reason) string {
	switch {
	case r == folded:
		return "constant folding"
	case r == Given:
		return "the caller"
	}
	return g.sources[r-1].String()
}

// transfer bounds a node by its operands.
func (g *Graph) transfer(n *Node) ir.Fact {
	if g.analysis.Transfer == nil || n.Op.Leaf() {
		return ir.Unknown
	}
	for i, a := range n.Operands() {
		g.factArgs[i] = g.classes[a].fact
	}
	args := g.factArgs[:arity[n.Op]]
	if d := g.Def(*n); d != nil {
		return d.Range(args)
	}
	if t := g.Table(*n); t != nil {
		return t.Range()
	}
	return g.analysis.Transfer(n.Op, n.Type, args)
}

// fold returns the constant that a node on constants is equal to.
func (g *Graph) fold(n *Node) (NodeID, bool) {
	fold := g.analysis.Fold
	if n.Pin {
		fold = g.analysis.FoldPinned
	}
	def := g.Def(*n)
	if n.Op.Leaf() || shape[n.Op] == ir.ShapeLoop || def == nil && fold == nil || def != nil && g.analysis.Call == nil {
		return 0, false
	}
	for i, a := range n.Operands() {
		k := g.classes[a].constant
		if k == 0 {
			return 0, false
		}
		g.constArgs[i] = g.pool.constants[k-1]
	}
	args := g.constArgs[:arity[n.Op]]
	var c Constant
	var ok bool
	switch t := g.Table(*n); {
	case t != nil:
		c, ok = Constant{Bits: ir.ConstBits(n.Type, t.At(n.Type, args[0].in(n.Type)))}, true
	case def != nil:
		c, ok = g.analysis.Call(def, n.Pin, n.Type, args)
	default:
		c, ok = fold(n.Op, n.Type, args)
	}
	if !ok {
		return 0, false
	}
	g.rounded = g.rounded || n.Pin || g.analysis.Rounds
	return g.addConst(n.Type, c), true
}

// update applies the analysis to a node whose operands changed because of reason.
func (g *Graph) update(id NodeID, reason Reason) {
	n := g.canonical(g.nodes[id])
	c := g.Find(ClassID(id))
	// A constant says all there is to say; and where it was rounded to the type, the real value of its node lies beside it.
	if g.classes[c].constant != 0 {
		return
	}
	if k, ok := g.fold(&n); ok {
		if g.Find(ClassID(k)) != c {
			g.recordFolding(id, k)
			g.union(c, ClassID(k), folded)
		}
		return
	}
	g.narrow(c, g.transfer(&n), reason)
}

// narrow meets fact into the class.
func (g *Graph) narrow(c ClassID, fact ir.Fact, reason Reason) {
	cl := &g.classes[c]
	met, ok := cl.fact.Meet(fact)
	if !ok {
		if reason != folded && !g.rounded {
			g.contradict(reason, "%v and %v", cl.fact, fact)
		}
		return
	}
	if cl.narrowed == maxNarrow {
		met.Lo, met.Hi = cl.fact.Lo, cl.fact.Hi
	}
	if met == cl.fact {
		return
	}
	if met.Lo != cl.fact.Lo || met.Hi != cl.fact.Hi {
		cl.narrowed++
	}
	cl.fact = met
	g.change(c, reason)
}

// join meets what was known about a class that is now part of c.
func (g *Graph) join(c ClassID, other class, reason Reason) {
	cl := &g.classes[c]
	mine, theirs := cl.constant, other.constant
	switch {
	case theirs == 0:
	case mine == 0:
		cl.constant = theirs
		g.change(c, reason)
	case mine != theirs:
		a, b := g.pool.constants[mine-1], g.pool.constants[theirs-1]
		if !a.same(b) {
			g.contradict(reason, "the constants %v and %v", a, b)
		}
		// Of two that may share a class the positive zero, then the older one, stands for both.
		if b.zero() && b.Bits == 0 || !(a.zero() && a.Bits == 0) && theirs < mine {
			cl.constant = theirs
		}
		g.change(c, reason)
	}
	before := cl.fact
	cl.narrowed = max(cl.narrowed, other.narrowed)
	if met, ok := before.Meet(other.fact); ok {
		cl.fact = met
	} else if reason == folded || g.rounded {
		// Folding in the type's precision may leave the interval of the real value: a constant is the value.
		if cl.constant != 0 {
			cl.fact = g.pool.facts[cl.constant-1]
		}
	} else {
		g.contradict(reason, "%v and %v", before, other.fact)
	}
	if cl.fact != before || cl.fact != other.fact {
		g.change(c, reason)
	}
}

// change notes that the uses of c must be analysed again.
func (g *Graph) change(c ClassID, reason Reason) {
	g.clean = false
	g.classes[c].stamp = g.clock
	g.changed = append(g.changed, work[ClassID]{c, reason})
}
