package native

import (
	"fmt"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// How far ahead of the main loop to prefetch, in bytes, and up to how much memory, in sizes of the level-2 cache. Measured on
// Zen 5: within the limit sqrt gains 8 %, fused multiply-adds 1 to 5 %; beyond it all lose 2 to 5 %.
const (
	prefetchInput  = 1 << 10 // from the last-level cache
	prefetchOutput = 512     // likewise; the line has to be read before it is written
	streamInput    = 4 << 10 // from memory
	prefetchLimit  = 4
)

// streamed is the number of vectors in an iteration that streams: it waits for memory and not for results, and loads and stores
// in turns suit memory better. Measured on Zen 5 with 16 M elements: 4 vectors take 4 to 18 % longer with exp, gelu, log, sqrt and
// tanh, and as long with fused multiply-adds.
const streamed = 1

const cacheLine = 64 // bytes

// contiguous writes the function that computes. The innermost stride of an output is its element's size. That of an input
// may be 0 as well: it is then a row of equal elements, as many as the main loop takes in one iteration.
//
// A row is the main loop with several vectors in flight, single vectors, and one masked vector. Element indices, not
// pointers, are what advances.
func (e *emitter) contiguous(name string) {
	e.function("internal i32 @"+name+"(ptr %args) noinline #0", func() {
		if e.rarely != nil {
			e.chunkArgs()
		}
		e.noFault()
		empty := e.arguments()
		if e.rarely != nil {
			e.carefulArgs()
		}
		for o, f := range e.operands[:e.inputs()] {
			// All ones, or 0 for stride 0. Were LLVM told that there are only these two, it would select instead of mask.
			e.line("%%moves%d = sub i64 0, %s", o, e.value("lshr i64 %s, %d", e.stride(o), f.shift()))
		}
		e.line("%%main.last = sub i64 %%n, %d", e.lanes*e.unroll)
		e.line("%%vector.last = sub i64 %%n, %d", e.lanes)
		e.nest(empty, e.contiguousRow)
	})
}

func (e *emitter) contiguousRow(after string) {
	starts := []edge{{"inner", "0"}}
	e.line("br i1 %s, label %%vector.entry, label %%long", e.value("icmp slt i64 %%main.last, 0"))
	e.label("long")
	starts = append(starts, e.mainLoops()...)

	e.label("vector.entry")
	e.line("%%vector.from = %s", phi(starts))
	e.line("br i1 %s, label %%tail.entry, label %%vector", e.value("icmp sgt i64 %%vector.from, %%vector.last"))
	end := e.vectors(loop{name: "vector", count: 1, last: "%vector.last"}, []edge{{"vector.entry", "%vector.from"}}, "tail.entry")

	e.label("tail.entry")
	e.line("%%tail.from = %s", phi([]edge{{"vector.entry", "%vector.from"}, end}))
	e.line("%%tail.left = sub i64 %%n, %%tail.from")
	e.line("br i1 %s, label %%%s, label %%tail", e.value("icmp eq i64 %%tail.left, 0"), after)
	e.label("tail")
	mask := e.tailMask()
	var params [][]string
	for o, f := range e.operands[:e.inputs()] {
		params = append(params, []string{e.invoke(e.register(f), e.maskedName("load", f),
			"ptr "+e.element(o, "%tail.from"), fmt.Sprintf("i32 %d", f.size()), mask, e.register(f)+" zeroinitializer")})
	}
	if e.rarely != nil {
		e.branchUsual(params, 1, "tail.usual", "tail.rare")
		e.label("tail.rare")
		e.careful("%tail.from", "%tail.left")
		e.line("br label %%%s", after)
		e.label("tail.usual")
	}
	e.active = []string{mask[strings.LastIndexByte(mask, ' ')+1:]}
	results, stored := e.fromTo(params, 1)
	for i, r := range results {
		o := e.inputs() + i
		e.storeMasked(e.operands[o], r[0], e.element(o, "%tail.from"), stored[0])
	}
	e.line("br label %%%s", after)
}

// mainLoops writes the forms of the main loop: the plain one; the one that prefetches, for calls that touch more than the
// level-2 cache holds but not much more; and the one that streams, for those that fill the last-level cache. Streaming starts
// where outputs are aligned. The elements before are left to one iteration of the plain loop, so some of them are computed
// twice. Hence nothing may be in place there: nor would there be a gain, as the lines of the output are in the cache.
func (e *emitter) mainLoops() (ends []edge) {
	plain := loop{name: "main", count: e.unroll, last: "%main.last"}
	bytes := 0 // of an element of all operands
	for _, f := range e.operands {
		bytes += f.size()
	}
	total := "%n"
	for d := range e.last() {
		total = e.value("mul i64 %s, %s", total, e.count(d))
	}
	e.line("%%whole.at = getelementptr i64, ptr %%args, i64 3")
	e.line("%%whole = load i64, ptr %%whole.at, align 8")
	e.line("%%total = %s", e.call64("umax", total, "%whole"))
	total = "%total"
	if e.t.Level2 == 0 || e.t.LastLevel == 0 || e.masked {
		e.line("br label %%main")
		return []edge{e.vectors(plain, []edge{{"long", "0"}}, "vector.entry")}
	}
	plain.last = "%plain.last"
	e.line("br i1 %s, label %%large, label %%main.entry", e.value("icmp sgt i64 %s, %d", total, e.t.Level2/bytes))

	e.label("large")
	e.line("br i1 %s, label %%fetching, label %%huge", e.value("icmp sle i64 %s, %d", total, prefetchLimit*e.t.Level2/bytes))
	fetching := loop{name: "fetching", count: e.unroll, last: "%main.last", input: prefetchInput, output: prefetchOutput}
	ends = append(ends, e.vectors(fetching, []edge{{"large", "0"}}, "vector.entry"))

	e.label("huge")
	e.line("%%streaming = and i1 %s, %s", e.value("icmp sge i64 %s, %d", total, e.t.LastLevel/4*3/bytes), e.streamable())
	e.line("%%head.last = select i1 %%streaming, i64 0, i64 %%main.last")
	e.line("br label %%main.entry")

	e.label("main.entry")
	e.line("%s = phi i64 [ %%main.last, %%long ], [ %%head.last, %%huge ]", plain.last)
	e.line("%%streams = phi i1 [ false, %%long ], [ %%streaming, %%huge ]")
	e.line("%%stream.from = phi i64 [ 0, %%long ], [ %%aligned, %%huge ]")
	e.line("br label %%main")
	end := e.vectors(plain, []edge{{"main.entry", "0"}}, "main.end")
	e.label("main.end")
	e.line("%%stream.last = sub i64 %%n, %d", e.lanes*streamed)
	e.line("br i1 %%streams, label %%stream, label %%vector.entry")
	ends = append(ends, edge{"main.end", end.index})

	stream := loop{name: "stream", count: streamed, last: "%stream.last", input: streamInput, stream: true}
	end = e.vectors(stream, []edge{{"main.end", "%stream.from"}}, "stream.end")
	e.label("stream.end")
	e.declare("void", "llvm.x86.sse.sfence", nil)
	e.line("call void @llvm.x86.sse.sfence()") // streaming stores are ordered with nothing else
	e.line("br label %%vector.entry")
	return append(ends, edge{"stream.end", end.index})
}

// streamable emits the test whether the outputs of a row can be streamed: the row is long enough, one index aligns all of
// them, and none is an input. The index is %aligned.
func (e *emitter) streamable() string {
	conditions := []string{e.value("icmp sge i64 %%n, %d", 2*e.lanes*e.unroll)}
	for i, f := range e.operands[e.inputs():] {
		o := e.inputs() + i
		address := e.value("ptrtoint ptr %s to i64", e.row(o))
		if i == 0 {
			e.line("%%aligned = lshr i64 %s, %d", e.value("and i64 %s, %d", e.value("sub i64 0, %s", address), e.lanes*f.size()-1), f.shift())
		}
		from := e.value("add i64 %s, %s", address, e.value("shl i64 %%aligned, %d", f.shift()))
		conditions = append(conditions, e.value("icmp eq i64 %s, 0", e.value("and i64 %s, %d", from, e.lanes*f.size()-1)))
		for in := range e.inputs() {
			conditions = append(conditions, e.value("icmp ne ptr %s, %s", e.row(in), e.row(o)))
		}
	}
	return e.fold("and", conditions)
}

// edge is a way into a block: the block it comes from, and the element index there.
type edge struct{ from, index string }

func phi(edges []edge) string {
	list := make([]string, len(edges))
	for i, in := range edges {
		list[i] = fmt.Sprintf("[ %s, %%%s ]", in.index, in.from)
	}
	return "phi i64 " + strings.Join(list, ", ")
}

// loop describes a loop over whole vectors.
type loop struct {
	name   string
	count  int    // vectors an iteration
	last   string // index up to which an iteration may start
	input  int    // prefetch distance of inputs in bytes, 0: none
	output int    // likewise
	stream bool   // outputs are aligned and written past the caches
}

// vectors writes a loop that starts with at least one iteration's elements left and goes on as long as that is so. All
// loads come before all stores, so that an output may be an input.
func (e *emitter) vectors(l loop, from []edge, out string) edge {
	switch {
	case e.rarely != nil:
		return e.guarded(l, from, out)
	case e.rooted && l.count > 1:
		return e.rooting(l, from, out)
	}
	e.label("%s", l.name)
	i := "%" + l.name + ".i"
	next := edge{l.name, i + ".next"}
	jumps, _ := e.jumps(e.f)
	if len(e.f.Bodies) > 0 || len(jumps) > 0 { // which end the block
		next.from += ".latch"
	}
	e.line("%s = %s", i, phi(append(from, next)))
	e.storeVectors(l, i, e.loadVectors(l, i))
	if next.from != l.name {
		e.line("br label %%%s", next.from)
		e.label("%s", next.from)
	}
	e.line("%s = add i64 %s, %d", next.index, i, l.count*e.lanes)
	e.branchBack(e.value("icmp sgt i64 %s, %s", next.index, l.last), out, l.name)
	return next
}

// loadVectors loads what an iteration from index i on reads.
func (e *emitter) loadVectors(l loop, i string) [][]string {
	params := make([][]string, e.inputs())
	for o, f := range e.operands[:e.inputs()] {
		base := e.element(o, i)
		e.prefetch(base, f, l.count, l.input, 0)
		for u := range l.count {
			params[o] = append(params[o], e.value("load %s, ptr %s, align %d", e.register(f), e.offset(base, f, u*e.lanes), f.size()))
		}
	}
	return params
}

// storeVectors computes and stores what an iteration writes.
func (e *emitter) storeVectors(l loop, i string, params [][]string) {
	results, mask := e.fromTo(params, l.count)
	for r, vals := range results {
		o := e.inputs() + r
		f := e.operands[o]
		base := e.element(o, i)
		e.prefetch(base, f, l.count, l.output, 1)
		align, hint := f.size(), ""
		if l.stream {
			align, hint = e.lanes*f.size(), ", !nontemporal !1"
		}
		for u, val := range vals {
			if mask != nil {
				e.storeMasked(f, val, e.offset(base, f, u*e.lanes), mask[u])
				continue
			}
			e.line("store %s %s, ptr %s, align %d%s", e.register(f), val, e.offset(base, f, u*e.lanes), align, hint)
		}
	}
}

// prefetch asks for the lines of an iteration some bytes ahead. write is 1 if they will be written.
func (e *emitter) prefetch(base string, f format, count, ahead, write int) {
	if ahead == 0 {
		return
	}
	for at := 0; at < count*e.lanes*f.size(); at += cacheLine {
		args := []string{"ptr " + e.value("getelementptr i8, ptr %s, i64 %d", base, ahead+at), fmt.Sprintf("i32 %d", write), "i32 3", "i32 1"}
		e.declare("void", "llvm.prefetch.p0", args)
		e.line("call void @llvm.prefetch.p0(%s)", strings.Join(args, ", "))
	}
}

// storeMasked stores the lanes of a mask.
func (e *emitter) storeMasked(f format, val, at, mask string) {
	args := []string{e.register(f) + " " + val, "ptr " + at, fmt.Sprintf("i32 %d", f.size()), e.vector(ir.Bool) + " " + mask}
	e.declare("void", e.maskedName("store", f), args)
	e.line("call void @%s(%s)", e.maskedName("store", f), strings.Join(args, ", "))
}

// element is the address of an element of an operand.
func (e *emitter) element(o int, index string) string {
	if o < e.inputs() {
		index = e.value("and i64 %s, %%moves%d", index, o)
	}
	return e.value("getelementptr %s, ptr %s, i64 %s", e.operands[o].llvm, e.row(o), index)
}

// offset is the address some elements further on.
func (e *emitter) offset(base string, f format, elements int) string {
	if elements == 0 {
		return base
	}
	return e.value("getelementptr %s, ptr %s, i64 %d", f.llvm, base, elements)
}

// tailMask is the argument that enables the lanes below the number of elements left, which is less than a vector.
func (e *emitter) tailMask() string {
	left := e.value("trunc i64 %%tail.left to i32")
	one := e.value("insertelement <%d x i32> poison, i32 %s, i64 0", e.lanes, left)
	all := e.value("shufflevector <%d x i32> %s, <%d x i32> poison, <%d x i32> zeroinitializer", e.lanes, one, e.lanes, e.lanes)
	mask := e.value("icmp ult <%d x i32> <%s>, %s", e.lanes, numbers(e.lanes), all)
	return fmt.Sprintf("<%d x i1> %s", e.lanes, mask)
}

func (e *emitter) maskedName(access string, f format) string {
	return fmt.Sprintf("llvm.masked.%s.v%d%s.p0", access, e.lanes, f.suffix)
}
