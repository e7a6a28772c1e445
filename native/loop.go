package native

import (
	"fmt"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// A loop runs under a mask, as in ISPC: all vectors of an iteration of the kernel go round together while any lane of theirs
// is in the loop. A lane that has left computes on, as arithmetic cannot hurt, but its results are kept. A loop that ends
// for no lane does not end, as in Go.

// runLoop emits a loop for variables that begin as args, by variable and vector, and returns the last values of those that are
// used.
func (e *emitter) runLoop(body *ir.Func, args [][]string, used []bool) [][]string {
	outer, known, mask := e.f, e.known, e.active
	e.f, e.known = body, intervals(body)
	defer func() { e.f, e.known, e.active = outer, known, mask }()

	name := fmt.Sprintf("round%d", e.rounds)
	e.rounds++
	before := e.block
	vectors := len(args[0])
	read := make([]bool, len(args)) // whether the body looks at a variable
	for _, n := range body.Nodes {
		for _, a := range n.Operands() {
			if body.Nodes[a].Op == ir.Param {
				read[body.Nodes[a].Imm] = true
			}
		}
	}
	for i, r := range body.Results { // or moves it to another one
		if n := body.Nodes[r]; n.Op == ir.Param && int(n.Imm) != i-1 {
			read[n.Imm] = true
		}
	}
	var heads []*carried
	carry := func(t ir.Type, first string) *carried {
		c := &carried{t: t, phi: e.name()}
		c.first = e.pack(t, first)
		heads = append(heads, c)
		return c
	}
	active := make([]*carried, vectors)
	for u := range active {
		first := e.allLanes()
		if mask != nil {
			first = mask[u]
		}
		active[u] = carry(ir.Bool, first)
	}
	vars := make([][]*carried, len(args)) // nil for a variable that never changes, or is neither read nor used
	for v := range args {
		next := body.Nodes[body.Results[v+1]]
		if fixed := next.Op == ir.Param && int(next.Imm) == v; fixed || !read[v] && !used[v] {
			continue
		}
		for u := range vectors {
			first := args[v][u]
			if !read[v] {
				first = "zeroinitializer" // every lane in the loop gets a value in the first round
			}
			vars[v] = append(vars[v], carry(body.Params[v].Type, first))
		}
	}

	entry := e.body.String()
	e.body.Reset()
	e.block = name
	params := make([][]string, len(args))
	e.active = nil
	for _, a := range active {
		e.active = append(e.active, e.unpack(ir.Bool, a.phi))
	}
	for v := range args {
		params[v] = args[v]
		if vars[v] != nil {
			params[v] = nil
			for _, c := range vars[v] {
				params[v] = append(params[v], e.unpack(c.t, c.phi))
			}
		}
	}
	results := e.compute(params, vectors)
	last := make([][]string, len(args))
	anyone := ""
	for u := range vectors {
		for v := range args {
			next := results[v+1][u]
			switch {
			case vars[v] == nil:
				next = args[v][u]
			case used[v]:
				next = e.choose(body.Params[v].Type, e.active[u], next, params[v][u])
			}
			if vars[v] != nil {
				vars[v][u].next = e.pack(body.Params[v].Type, next)
			}
			last[v] = append(last[v], next)
		}
		again := e.value("and %s %s, %s", e.vector(ir.Bool), e.active[u], results[0][u])
		active[u].next = e.pack(ir.Bool, again)
		if anyone == "" {
			anyone = again
		} else {
			anyone = e.value("or %s %s, %s", e.vector(ir.Bool), anyone, again)
		}
	}
	bits := e.value("bitcast %s %s to i%d", e.vector(ir.Bool), anyone, e.lanes)
	e.branchBack(e.value("icmp eq i%d %s, 0", e.lanes, bits), name+".end", name)
	latch, round := e.block, e.body.String()

	e.body.Reset()
	e.body.WriteString(entry)
	e.line("br label %%%s", name)
	e.label("%s", name)
	for _, c := range heads {
		t := e.packed(c.t)
		e.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s ]", c.phi, t, c.first, before, c.next, latch)
	}
	e.body.WriteString(round)
	e.label("%s.end", name)
	return last
}

// carried is a value that a loop takes from round to round.
type carried struct {
	t                ir.Type
	phi, first, next string // packed
}

// packed is the type in which values of t go round. Without registers for masks a bool is as wide as what it came from, or LLVM would pack
// and unpack it in every round.
func (e *emitter) packed(t ir.Type) string {
	if t != ir.Bool || e.t.AVX512 {
		return e.vector(t)
	}
	return fmt.Sprintf("<%d x i%d>", e.lanes, e.t.VectorBits/e.lanes)
}

func (e *emitter) pack(t ir.Type, x string) string {
	if e.packed(t) == e.vector(t) {
		return x
	}
	return e.value("sext %s %s to %s", e.vector(t), x, e.packed(t))
}

func (e *emitter) unpack(t ir.Type, x string) string {
	if e.packed(t) == e.vector(t) {
		return x
	}
	return e.value("icmp ne %s %s, zeroinitializer", e.packed(t), x)
}

// allLanes is the mask of every lane.
func (e *emitter) allLanes() string {
	return "<" + strings.TrimSuffix(strings.Repeat("i1 true, ", e.lanes), ", ") + ">"
}
