package egraph

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// ClassID names a class. Ids are dense; after a union both ids stay valid and Find maps them to one.
type ClassID uint32

// NodeID names a node by its place in the arena, and at the same time the class that was born with it.
type NodeID uint32

// Node is an operation on classes. Nodes are comparable and equal nodes are one. Spare operands are 0.
type Node struct {
	Op   ir.Op
	Type ir.Type
	Pin  bool       // the rounding of this node is meant; part of the key
	Args [3]ClassID // the first two in order of their ids where the operation is commutative
	Imm  uint32     // Param: index; Const and Real: index into the graph's constants; calls: into its definitions; Loop: into its bodies; Proj: variable; lookups: into its tables; otherwise 0
}

// Operands returns the used part of n.Args.
func (n *Node) Operands() []ClassID { return n.Args[:arity[n.Op]] }

// live is false for a node that became equal to another one. Only its type is left.
func (n *Node) live() bool { return n.Op != ir.OpInvalid }

func (n *Node) constant() bool { return n.Op == ir.Const || n.Op == ir.Real }

// Compare is the order of the nodes of a class: operation, type, pin, operands, immediate.
func (n *Node) Compare(m *Node) int {
	if c := cmp.Compare(n.Op, m.Op); c != 0 {
		return c
	}
	if c := cmp.Compare(n.Type, m.Type); c != 0 {
		return c
	}
	if n.Pin != m.Pin {
		if m.Pin {
			return -1
		}
		return 1
	}
	for i := range n.Args {
		if c := cmp.Compare(n.Args[i], m.Args[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(n.Imm, m.Imm)
}

// Columns of ir's table that the inner loops need.
var (
	arity       = column(func(i ir.Info) uint8 { return uint8(i.Arity) })
	commutative = column(func(i ir.Info) bool { return i.Commutative })
	shape       = column(func(i ir.Info) ir.Shape { return i.Shape })
)

func column[T any](field func(ir.Info) T) (c [ir.NumOps]T) {
	for op := range c {
		c[op] = field(ir.Op(op).Info())
	}
	return c
}

// SpecialLicences are the licences about special values. They may be granted by what is known about one program.
const SpecialLicences = ir.NoNaN | ir.NoInf | ir.NoSignZero

// Analysis is the meaning of the operations, as far as the graph uses it. Nil functions know nothing.
type Analysis struct {
	// Transfer bounds the real value of an operation by what is known about its operands.
	Transfer func(op ir.Op, t ir.Type, args []ir.Fact) ir.Fact
	// Fold computes an operation on constants; FoldPinned does so for pinned nodes, whose rounding is meant, in their type.
	Fold, FoldPinned func(op ir.Op, t ir.Type, args []Constant) (Constant, bool)
	// Rounds says that Fold rounds too. Once something has been folded with rounding, facts about the real values no longer
	// contradict each other where they are apart; two constants still do.
	Rounds bool
	// Excused, if it is there, decides for every match of a rewrite that needs some of SpecialLicences whether what they excuse
	// cannot happen at the root and the variables.
	Excused func(need ir.Licence, root ClassID, vars []ClassID) bool
	// Call is Fold and FoldPinned for a user's operation. What bounds it is in its definition.
	Call func(d *ir.Def, pin bool, t ir.Type, args []Constant) (Constant, bool)
	// Samples, if not nil, makes every class carry its values at sample points: the graph finds the first false union.
	Samples *Samples
}

// Reason names the rewrite or pass that claims a union.
type Reason uint32

// The reasons that are not numbered by Run.
const (
	Given  Reason = 0         // the caller knows it; inside a Pass, the pass
	folded Reason = 1<<32 - 1 // an operation on constants was computed
)

// class is what is kept about a class, at the index of its representative.
type class struct {
	fact     ir.Fact
	tail     uint32 // last edge of the ring of uses, noEdge if there is none
	edges    uint32 // length of the ring
	constant uint32 // 1 + index into the pool, or 0
	stamp    uint32 // value of the graph's clock when the class was made, merged or learnt something
	narrowed uint8  // how often the bounds of fact were narrowed; see maxNarrow
}

const noEdge = 1<<32 - 1

// Graph is an e-graph. It is not safe for concurrent use.
type Graph struct {
	analysis Analysis

	nodes   []Node // the arena: never shrinks or moves; canonical after Rebuild
	uf      []ClassID
	classes []class
	edges   []uint32 // next edge in the ring of uses of a class; edge 3*node+i is operand i of node
	memo    hashcons
	pool    pool
	defs    []*ir.Def   // of the calls; few
	bodies  []*ir.Func  // of the loops; a loop is an operation like any other, whose meaning is its body
	tables  []*ir.Table // of the lookups; few
	live    int         // nodes that are not equal to another one
	unions  int         // all so far
	rounded bool        // a constant was folded with rounding
	clock   uint32      // searches so far

	pending []work[NodeID]  // nodes whose operands were merged
	changed []work[ClassID] // classes whose fact or constant changed

	clean   bool // no union and no change of a fact since Rebuild
	indexed int  // length of the arena when the index was built
	index   index

	sources []source // of the reasons, from 1 on
	stage   Reason   // what Given stands for
	err     error
	history *history // nil unless unions are recorded

	limit   int  // of the number of nodes, while Run runs; otherwise 0
	refused bool // Room said no

	factArgs  [3]ir.Fact
	constArgs [3]Constant
}

// work is an entry of a worklist, with the union that caused it.
type work[T any] struct {
	item   T
	reason Reason
}

// New returns an empty graph.
func New(a Analysis) *Graph {
	g := &Graph{
		analysis: a, clean: true,
		pool: pool{reals: map[string]uint32{}, specials: map[uint64]uint32{}},
	}
	if a.Samples != nil {
		g.Record()
	}
	return g
}

// AddFunc adds the nodes of a verified function and returns the classes of its results. Parameters are shared by index
// with functions added before, and what they declare is met with what is known. A Const and a Real that have the same
// real value are one class.
func (g *Graph) AddFunc(f *ir.Func) []ClassID {
	ids := g.addFunc(f)
	results := make([]ClassID, len(f.Results))
	for i, r := range f.Results {
		results[i] = g.Find(ClassID(ids[r]))
	}
	return results
}

// addFunc adds the nodes of f and returns the node of each.
func (g *Graph) addFunc(f *ir.Func) []NodeID {
	ids := make([]NodeID, len(f.Nodes))
	for i, n := range f.Nodes {
		switch n.Op {
		case ir.Const:
			ids[i] = g.addConst(n.Type, Constant{Bits: n.Imm})
		case ir.Real:
			ids[i] = g.addConst(n.Type, Constant{Real: f.Reals[n.Imm]})
		case ir.Param:
			ids[i] = g.add(Node{Op: n.Op, Type: n.Type, Imm: uint32(n.Imm)})
			g.narrow(g.Find(ClassID(ids[i])), f.Params[n.Imm].Fact, Given)
		default:
			m := Node{Op: n.Op, Type: n.Type, Pin: n.Pin, Imm: g.adopt(f, n)}
			for j, a := range n.Operands() {
				m.Args[j] = ClassID(ids[a])
			}
			ids[i] = g.add(m)
		}
	}
	return ids
}

// define returns the number of a definition, by which nodes and patterns name it.
func (g *Graph) define(d *ir.Def) uint32 {
	i := slices.Index(g.defs, d)
	if i < 0 {
		i = len(g.defs)
		g.defs = append(g.defs, d)
	}
	return uint32(i)
}

// adopt is the Imm of a node of the graph that is node n of f, not a leaf.
func (g *Graph) adopt(f *ir.Func, n ir.Node) uint32 {
	switch {
	case n.Op.Call():
		return g.define(f.Def(n))
	case n.Op == ir.Loop:
		body := f.Body(n)
		i := slices.Index(g.bodies, body)
		if i < 0 {
			i = len(g.bodies)
			g.bodies = append(g.bodies, body)
		}
		return uint32(i)
	case n.Op == ir.Lookup:
		return g.tabulate(f.Table(n))
	}
	return uint32(n.Imm)
}

// ImmIn is the inverse of adopt: the Imm of a node of f that is n, not a leaf. It enters what n refers to.
func (g *Graph) ImmIn(f *ir.Func, n Node) uint64 {
	switch {
	case n.Op.Call():
		return f.Define(g.Def(n))
	case n.Op == ir.Loop:
		return f.AddBody(g.bodies[n.Imm])
	case n.Op == ir.Lookup:
		return f.Tabulate(g.tables[n.Imm])
	}
	return uint64(n.Imm)
}

// Def returns the operation that a node calls, nil if it is no call.
func (g *Graph) Def(n Node) *ir.Def {
	if !n.Op.Call() {
		return nil
	}
	return g.defs[n.Imm]
}

// tabulate returns the number of a table, by which nodes and patterns name it: equal tables are one.
func (g *Graph) tabulate(t *ir.Table) uint32 {
	i := slices.IndexFunc(g.tables, t.Equal)
	if i < 0 {
		i = len(g.tables)
		g.tables = append(g.tables, t)
	}
	return uint32(i)
}

// Table returns the table of a lookup, nil for other nodes.
func (g *Graph) Table(n Node) *ir.Table {
	if n.Op != ir.Lookup {
		return nil
	}
	return g.tables[n.Imm]
}

// AddConst adds a constant of type t. Zero and infinite reals become the special values, finite bits the real.
func (g *Graph) AddConst(t ir.Type, c Constant) ClassID {
	return g.Find(ClassID(g.addConst(t, c)))
}

func (g *Graph) addConst(t ir.Type, c Constant) NodeID {
	return g.add(g.pooled(t, g.pool.intern(t, c)))
}

// pooled is the node of constant i.
func (g *Graph) pooled(t ir.Type, i uint32) Node {
	n := Node{Op: ir.Const, Type: t, Imm: i}
	if g.pool.constants[i].Real != nil {
		n.Op = ir.Real
	}
	return n
}

// Add returns the class of n, made if need be. A new node does not make the graph dirty: old classes may still be read.
// It panics on a node that breaks ir's type rules.
func (g *Graph) Add(n Node) ClassID { return g.Find(ClassID(g.add(n))) }

// add returns the node that is equal to n.
func (g *Graph) add(n Node) NodeID {
	n = g.canonical(n)
	if id, ok := g.memo.find(g.nodes, n); ok {
		return id
	}
	g.checkTypes(&n)
	id := NodeID(len(g.nodes))
	c := ClassID(id)
	g.nodes = append(g.nodes, n)
	g.uf = append(g.uf, c)
	g.classes = append(g.classes, class{fact: ir.Unknown, tail: noEdge, stamp: g.clock})
	g.edges = append(g.edges, 0, 0, 0)
	for i, a := range n.Operands() {
		g.link(a, 3*uint32(id)+uint32(i))
	}
	g.memo.put(g.nodes, id)
	g.live++
	if g.history != nil {
		g.born(n)
	}
	if n.constant() {
		g.classes[c].constant = n.Imm + 1
		g.classes[c].fact = g.pool.facts[n.Imm]
		return id
	}
	if k, ok := g.fold(&n); ok {
		// The class of the constant shows only the constant, so the node may join it without a union.
		g.recordFolding(id, k)
		g.uf[c] = g.Find(ClassID(k))
		return id
	}
	g.classes[c].fact = g.transfer(&n)
	return id
}

// canonical replaces the operands by their representatives, in canonical order.
func (g *Graph) canonical(n Node) Node {
	k := int(arity[n.Op])
	for i := range n.Args {
		if i < k {
			n.Args[i] = g.Find(n.Args[i])
		} else {
			n.Args[i] = 0
		}
	}
	if commutative[n.Op] && n.Args[0] > n.Args[1] {
		n.Args[0], n.Args[1] = n.Args[1], n.Args[0]
	}
	return n
}

func (g *Graph) checkTypes(n *Node) {
	var types [3]ir.Type
	for i, a := range n.Operands() {
		types[i] = g.nodes[a].Type
	}
	if t, err := n.Op.ResultType(n.Type, types[:arity[n.Op]]...); err != nil || t != n.Type {
		panic(fmt.Sprintf("egraph: node %v cannot have type %v: %v", n.Op, n.Type, err))
	}
	if n.constant() && int(n.Imm) >= len(g.pool.constants) {
		panic(fmt.Sprintf("egraph: constant %d does not exist", n.Imm))
	}
	if n.Op.Call() && int(n.Imm) >= len(g.defs) {
		panic(fmt.Sprintf("egraph: definition %d does not exist", n.Imm))
	}
	if n.Op == ir.Loop && int(n.Imm) >= len(g.bodies) {
		panic(fmt.Sprintf("egraph: body %d does not exist", n.Imm))
	}
	if n.Op == ir.Lookup && int(n.Imm) >= len(g.tables) {
		panic(fmt.Sprintf("egraph: table %d does not exist", n.Imm))
	}
}

// link puts an edge at the end of c's ring of uses.
func (g *Graph) link(c ClassID, edge uint32) {
	cl := &g.classes[c]
	if cl.tail == noEdge {
		g.edges[edge] = edge
	} else {
		g.edges[edge] = g.edges[cl.tail]
		g.edges[cl.tail] = edge
	}
	cl.tail = edge
	cl.edges++
}

// Find returns the representative of c's class.
func (g *Graph) Find(c ClassID) ClassID {
	for g.uf[c] != c {
		g.uf[c] = g.uf[g.uf[c]]
		c = g.uf[c]
	}
	return c
}

// Union makes a and b one class because of reason, and reports whether they were two. Uses are made congruent by Rebuild.
// It panics if the types differ.
func (g *Graph) Union(a, b ClassID, reason Reason) bool {
	if reason == Given {
		reason = g.stage
	}
	if g.Find(a) == g.Find(b) {
		return false
	}
	g.recordClaim(NodeID(a), NodeID(b), reason)
	return g.union(a, b, reason)
}

// union is Union of what has been recorded.
func (g *Graph) union(a, b ClassID, reason Reason) bool {
	a, b = g.Find(a), g.Find(b)
	if a == b {
		return false
	}
	if ta, tb := g.nodes[a].Type, g.nodes[b].Type; ta != tb {
		panic(fmt.Sprintf("egraph: %s unites %v and %v", g.reasonName(reason), ta, tb))
	}
	// The class with more uses keeps its id, so fewer uses change; among equals the older one.
	if x, y := g.classes[a].edges, g.classes[b].edges; x < y || x == y && b < a {
		a, b = b, a
	}
	g.uf[b] = a
	g.unions++
	g.clean = false
	if g.analysis.Samples != nil {
		g.mergeSamples(a, b)
	}
	winner, loser := &g.classes[a], g.classes[b]
	winner.stamp = g.clock
	if loser.tail != noEdge {
		for e := g.edges[loser.tail]; ; e = g.edges[e] {
			g.pending = append(g.pending, work[NodeID]{NodeID(e / 3), reason})
			if e == loser.tail {
				break
			}
		}
		if winner.tail != noEdge {
			g.edges[winner.tail], g.edges[loser.tail] = g.edges[loser.tail], g.edges[winner.tail]
		}
		winner.tail = loser.tail
		winner.edges += loser.edges
	}
	g.classes[b] = class{tail: noEdge}
	g.join(a, loser, reason)
	return true
}
