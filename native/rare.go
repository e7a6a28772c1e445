package native

import (
	"fmt"

	"github.com/go-yolk/yolk/compiler/ir"
)

// A program may choose between what float32 lanes compute and what only float64 lanes can: the sine of an ordinary argument
// and that of a huge one. All of its vectors would have half the lanes. So the loops run the usual part where the choice falls
// on it in every lane, and hand the others to a function of their own, which runs the whole program. Every element gets the
// bits of the whole program either way.

// rarely is a program with a part that is seldom needed.
type rarely struct {
	usual *ir.Func // the program without it
	guard *ir.Func // of the same parameters: whether usual will do
	holds bool     // what the guard says if it will
}

// seldom finds the choice that keeps a program from vectors with more lanes.
func seldom(f *ir.Func, t Target) (r rarely, ok bool) {
	if lanes := lanesOf(f, t); len(f.Bodies) > 0 || lanes == mostLanes(f, t) {
		return r, false
	}
	for i, n := range f.Nodes {
		if n.Op != ir.Select || f.Nodes[f.Nodes[n.Args[0]].Args[0]].Type == ir.Float64 {
			continue
		}
		for arm := 1; arm <= 2; arm++ {
			if f.Nodes[n.Args[arm]].Op.Leaf() || arm == equal(f.Nodes[n.Args[0]].Op) {
				continue
			}
			guard := *f
			guard.Results = []ir.Value{n.Args[0]}
			usual := without(f, ir.Value(i), n.Args[arm])
			if guarded := guard.Compact(); lanesOf(usual, t) > lanesOf(f, t) && lanesOf(guarded, t) >= lanesOf(usual, t) && !ordinary(guarded, arm == 2) {
				return rarely{usual, guarded, arm == 1}, true
			}
		}
	}
	return r, false
}

// ordinary reports whether a condition is known to have a value for some ordinary numbers, of both signs: what is done then is not rare.
func ordinary(f *ir.Func, value bool) bool {
	for signs := range 1 << min(len(f.Params), 4) {
		for _, size := range [...]float64{0.3, 1.7, 5} {
			params := make([]float64, len(f.Params))
			for i := range params {
				if params[i] = size; signs>>min(i, 3)&1 != 0 {
					params[i] = -size
				}
			}
			list := intervalsAt(f, params)
			cond := f.Nodes[f.Results[0]]
			if cond.Op != ir.Lt && cond.Op != ir.Le {
				return false
			}
			a, b := list[cond.Args[0]], list[cond.Args[1]]
			if a.nan || b.nan {
				continue
			}
			holds, fails := a.hi < b.lo, b.hi < a.lo
			if value && holds || !value && fails {
				return true
			}
		}
	}
	return false
}

// mostLanes is how many lanes parameters and results leave to a program.
func mostLanes(f *ir.Func, t Target) int {
	widest := 8
	for _, p := range f.Params {
		widest = max(widest, formatOf(p.Type).bits)
	}
	for _, r := range f.Results {
		widest = max(widest, formatOf(f.Nodes[r].Type).bits)
	}
	return t.VectorBits / widest
}

// equal is the arm of a choice that is taken where two numbers are equal, which is the exception; 0 for other choices.
func equal(op ir.Op) int {
	switch op {
	case ir.Eq:
		return 1
	case ir.Ne:
		return 2
	}
	return 0
}

// without is f with another of its values in the place of one that depends on it.
func without(f *ir.Func, from, to ir.Value) *ir.Func {
	g := *f
	g.Nodes = append([]ir.Node(nil), f.Nodes...)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for j := range n.Operands() {
			if n.Args[j] == from {
				n.Args[j] = to
			}
		}
	}
	g.Results = append([]ir.Value(nil), f.Results...)
	for i, r := range g.Results {
		if r == from {
			g.Results[i] = to
		}
	}
	return g.Compact()
}

// carefulArgs prepares what the careful function is called with but for where it starts and how far it goes.
func (e *emitter) carefulArgs() {
	for d := range e.last() {
		e.put("i64 1", "counts", d)
	}
	for o, f := range e.operands {
		for d := range e.last() {
			e.put("i64 0", "strides", o*e.ndim+d)
		}
		stride := e.stride(o)
		if o >= e.inputs() {
			stride = fmt.Sprint(f.size())
		}
		e.put("i64 "+stride, "strides", o*e.ndim+e.last())
	}
}

// careful computes the elements from index i on with the whole program.
func (e *emitter) careful(i, count string) {
	for o := range e.operands {
		e.put("ptr "+e.element(o, i), "data", o)
	}
	e.put("i64 "+count, "counts", e.last())
	e.line("call i32 @careful(ptr %%chunk.args)")
}

// branchUsual goes to one of two blocks: whether every lane of the vectors is usual.
func (e *emitter) branchUsual(params [][]string, vectors int, usual, rare string) {
	f, known := e.f, e.known
	e.f, e.known = e.rarely.guard, intervals(e.rarely.guard)
	values := make([][]string, len(params))
	for i, p := range params {
		for u := range vectors {
			values[i] = append(values[i], e.fromMemory(e.types[i], p[u]))
		}
	}
	conditions := e.compute(values, vectors)[0]
	e.f, e.known = f, known
	op, all := "and", "-1"
	if !e.rarely.holds {
		op, all = "or", "0"
	}
	joined := conditions[0]
	for _, c := range conditions[1:] {
		joined = e.value("%s <%d x i1> %s, %s", op, e.lanes, joined, c)
	}
	bits := e.value("bitcast <%d x i1> %s to i%d", e.lanes, joined, e.lanes)
	e.branchRare(e.value("icmp eq i%d %s, %s", e.lanes, bits, all), usual, rare)
}

// branchRare ends a block with a condition that nearly always holds.
func (e *emitter) branchRare(holds, usual, rare string) {
	e.line("br i1 %s, label %%%s, label %%%s, !prof !%d", holds, usual, rare, e.loops)
	e.weights = append(e.weights, e.loops)
	e.loops++
}

// guarded is vectors for a program with a rare part: a loop around the loop. What is in registers during the inner one is
// read again after a call, and not kept in memory because of it.
func (e *emitter) guarded(l loop, from []edge, out string) edge {
	at := func(suffix string) string { return "%" + l.name + suffix }
	e.label("%s", l.name)
	e.line("%s = %s", at(".start"), phi(append(from, edge{l.name + ".rare", at(".rare.next")})))
	e.line("br label %s", at(".again"))

	e.label("%s.again", l.name)
	e.line("%s = %s", at(".i"), phi([]edge{{l.name, at(".start")}, {l.name + ".usual", at(".next")}}))
	params := e.loadVectors(l, at(".i"))
	e.branchUsual(params, l.count, l.name+".usual", l.name+".rare")

	e.label("%s.rare", l.name)
	e.careful(at(".i"), fmt.Sprint(l.count*e.lanes))
	e.line("%s = add i64 %s, %d", at(".rare.next"), at(".i"), l.count*e.lanes)
	e.branchBack(e.value("icmp sgt i64 %s, %s", at(".rare.next"), l.last), l.name+".done", l.name)

	e.label("%s.usual", l.name)
	e.storeVectors(l, at(".i"), params)
	e.line("%s = add i64 %s, %d", at(".next"), at(".i"), l.count*e.lanes)
	e.branchBack(e.value("icmp sgt i64 %s, %s", at(".next"), l.last), l.name+".done", l.name+".again")

	e.label("%s.done", l.name)
	e.line("%s = %s", at(".reached"), phi([]edge{{l.name + ".usual", at(".next")}, {l.name + ".rare", at(".rare.next")}}))
	e.line("br label %%%s", out)
	return edge{l.name + ".done", at(".reached")}
}
