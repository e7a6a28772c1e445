package egraph

import (
	"fmt"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Proof says why two terms are equal: a chain of steps from one to the other, each with the lemmas that it needs before it.
type Proof struct {
	Terms    []Term // operands come before their uses
	Steps    []Step
	From, To int // index of the terms that are equal

	params []string // names; by index where there are none
	g      *Graph
}

// Term is an operation on terms.
type Term struct {
	Op   ir.Op
	Type ir.Type
	Pin  bool
	Args [3]int // operands, as indices into Proof.Terms
	Imm  uint32 // Param and Proj: index; otherwise the graph's own: Proof.Func and Proof.Text know it
}

// Step is the equality of two terms. The steps of depth 0 are the chain. A congruence follows from the chains of depth one
// more that come before it, here or in an earlier lemma: a lemma is stated once.
type Step struct {
	Kind     StepKind
	Rule     string // name of the rewrite or pass
	Pos      string // of the rewrite
	Reversed bool   // a rewrite that is read from right to left
	From, To int    // index of the terms
	Depth    int

	rewrite *Rewrite
}

// StepKind says what a step follows from.
type StepKind uint8

// The kinds.
const (
	ByRewrite    StepKind = iota // both sides are an instance of those of the rewrite
	ByCongruence                 // one operation on equal operands
	ByFolding                    // an operation on constants is computed
	ByPass                       // a pass claims it
	ByCaller                     // the caller claims it
)

// Func returns a term as a function of the given parameters, by index.
func (p *Proof) Func(term int, params []ir.Parameter) *ir.Func {
	f := &ir.Func{Name: "term", Params: params}
	for i, q := range params {
		f.Nodes = append(f.Nodes, ir.Node{Op: ir.Param, Type: q.Type, Imm: uint64(i)})
	}
	needed := make([]bool, term+1)
	needed[term] = true
	for i := term; i >= 0; i-- {
		if t := p.Terms[i]; needed[i] {
			for _, a := range t.Args[:arity[t.Op]] {
				needed[a] = true
			}
		}
	}
	values := make([]ir.Value, term+1)
	for i, t := range p.Terms[:term+1] {
		if !needed[i] {
			continue
		}
		n := ir.Node{Op: t.Op, Type: t.Type, Pin: t.Pin}
		for j, a := range t.Args[:arity[t.Op]] {
			n.Args[j] = values[a]
		}
		switch {
		case t.Op == ir.Param:
			values[i] = ir.Value(t.Imm)
			continue
		case t.Op.Leaf():
			n = p.g.Value(t.node()).Node(f, t.Type)
		default:
			n.Imm = p.g.ImmIn(f, t.node())
		}
		values[i] = ir.Value(len(f.Nodes))
		f.Nodes = append(f.Nodes, n)
	}
	f.Results = []ir.Value{values[term]}
	return f.Compact()
}

// node is a term as a node of the graph, without operands.
func (t Term) node() Node { return Node{Op: t.Op, Type: t.Type, Pin: t.Pin, Imm: t.Imm} }

// Reason is the name of the rule, or what else the step follows from.
func (s Step) Reason() string {
	switch s.Kind {
	case ByCongruence:
		return "congruence"
	case ByFolding:
		return "constant folding"
	case ByCaller:
		return "given"
	}
	if s.Reversed {
		return s.Rule + ", reversed"
	}
	return s.Rule
}

// Rules lists the names of the rewrites and passes that the proof uses, each once, in order.
func (p *Proof) Rules() []string {
	var names []string
	seen := map[string]bool{}
	for _, s := range p.Steps {
		if s.Rule != "" && !seen[s.Rule] {
			seen[s.Rule] = true
			names = append(names, s.Rule)
		}
	}
	return names
}

// String writes the chain, lemmas indented.
func (p *Proof) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", p.Text(p.From))
	for i, s := range p.Steps {
		indent := strings.Repeat("    ", s.Depth)
		if s.Depth > 0 && (i == 0 || p.Steps[i-1].Depth != s.Depth || p.Steps[i-1].To != s.From) {
			fmt.Fprintf(&b, "%swhere %s\n", indent, p.Text(s.From))
		}
		fmt.Fprintf(&b, "%s    = %s   (%s)\n", indent, p.Text(s.To), s.Reason())
	}
	return b.String()
}

// maxText is the number of bytes from which on the rest of a term is written as an ellipsis. A term shares work and may be
// exponentially long as text.
const maxText = 160

// Text writes a term in the notation of Go.
func (p *Proof) Text(term int) string {
	w := &termWriter{p: p}
	w.write(term, 0)
	return w.b.String()
}

type termWriter struct {
	p *Proof
	b strings.Builder
}

// Binding strengths of Go's operators.
const (
	compares = 1 + iota
	adds
	multiplies
	unary
)

func (w *termWriter) write(i, context int) {
	t := w.p.Terms[i]
	if w.b.Len() > maxText {
		w.b.WriteString("…")
		return
	}
	switch {
	case t.Op == ir.Param && int(t.Imm) < len(w.p.params):
		w.b.WriteString(w.p.params[t.Imm])
		return
	case t.Op == ir.Param:
		fmt.Fprintf(&w.b, "p%d", t.Imm)
		return
	case t.Op.Leaf():
		w.constant(w.p.g.Value(t.node()), context)
		return
	}
	info := t.Op.Info()
	if info.Symbol == "" || t.Pin {
		w.call(t)
		return
	}
	if info.Arity == 1 {
		w.parenthesise(context >= unary, func() {
			w.b.WriteString(info.Symbol)
			w.write(t.Args[0], unary)
		})
		return
	}
	strength := compares
	switch t.Op {
	case ir.Add, ir.Sub:
		strength = adds
	case ir.Mul, ir.Div:
		strength = multiplies
	}
	w.parenthesise(context > strength, func() {
		w.write(t.Args[0], strength)
		w.b.WriteString(" " + info.Symbol + " ")
		w.write(t.Args[1], strength+1)
	})
}

// call writes an operation as a function; a pinned one says so.
func (w *termWriter) call(t Term) {
	name := t.Op.String()
	if d := w.p.g.Def(t.node()); d != nil {
		name = d.Name
	}
	if t.Op == ir.Convert {
		name = t.Type.String()
	}
	if t.Pin {
		name += ".pin"
	}
	w.b.WriteString(name + "(")
	for i, a := range t.Args[:arity[t.Op]] {
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.write(a, 0)
	}
	w.b.WriteString(")")
}

func (w *termWriter) constant(c Constant, context int) {
	text := c.String()
	if c.Real != nil {
		text = c.Real.Text('g', 10) // enough to tell constants apart by eye
	}
	w.parenthesise(text[0] == '-' && context > 0, func() { w.b.WriteString(text) })
}

func (w *termWriter) parenthesise(yes bool, body func()) {
	if yes {
		w.b.WriteByte('(')
	}
	body()
	if yes {
		w.b.WriteByte(')')
	}
}

// stepOf turns a record's reason into a step.
func (g *Graph) stepOf(kind StepKind, r Reason) Step {
	s := Step{Kind: kind}
	if r != Given && r != folded {
		src := g.sources[r-1]
		s.Rule, s.Pos, s.rewrite = src.name, src.pos, src.rule
	} else if kind == ByPass {
		s.Kind = ByCaller
	}
	return s
}

// normal is the pair in ascending order.
func normal(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }
