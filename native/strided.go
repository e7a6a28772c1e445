package native

import (
	"fmt"
	"strings"
)

// strided writes the path for any byte strides: full vectors, then one that is filled and drained in loops over the lanes
// left. Within a full vector each operand takes its own way: neighbours are moved as a vector, stride 0 is one load, and
// anything else goes lane by lane, which beats vgather on every machine measured. The choice never changes within a call,
// so its branches cost next to nothing.
func (e *emitter) strided(last int, after string) {
	e.label("strided.entry")
	e.line("%%strided.none = icmp eq i64 %%n.vectors, 0")
	e.line("br i1 %%strided.none, label %%rest.entry, label %%strided")

	e.label("strided")
	e.line("%%strided.i = phi i64 [ 0, %%strided.entry ], [ %%strided.i.next, %%strided.next ]")
	for o := range e.operands {
		e.line("%%q%d = phi ptr [ %%p%d.%d, %%strided.entry ], [ %%q%d.next, %%strided.next ]", o, o, last, o)
	}
	params := make([][]string, e.inputs())
	for o := range params {
		params[o] = []string{e.loadStrided(o, last)}
	}
	for i, r := range e.compute(params, 1) {
		e.storeStrided(e.inputs()+i, last, r[0])
	}
	e.line("br label %%strided.next")
	e.label("strided.next")
	e.line("%%strided.i.next = add i64 %%strided.i, %d", e.lanes)
	for o := range e.operands {
		e.line("%%q%d.next = getelementptr i8, ptr %%q%d, i64 %%block%d", o, o, o)
	}
	e.branchBack(e.value("icmp eq i64 %%strided.i.next, %%n.vectors"), "rest.entry", "strided")
	e.rest(last, after)
}

// loadStrided loads one vector at %q<operand>.
func (e *emitter) loadStrided(o, last int) string {
	f := e.operands[o]
	stride := fmt.Sprintf("%%s%d.%d", o, last)
	vector := fmt.Sprintf("<%d x %s>", e.lanes, f.llvm)
	e.line("br i1 %%unit%d, label %%in%d.unit, label %%in%d.other", o, o, o)
	e.label("in%d.unit", o)
	unit := e.value("load %s, ptr %%q%d, align %d", vector, o, f.size())
	e.line("br label %%in%d", o)

	e.label("in%d.other", o)
	scalar := e.value("load %s, ptr %%q%d, align %d", f.llvm, o, f.size())
	e.line("br i1 %s, label %%in%d.same, label %%in%d.lanes", e.value("icmp eq i64 %s, 0", stride), o, o)
	e.label("in%d.same", o)
	first := e.value("insertelement %s poison, %s %s, i64 0", vector, f.llvm, scalar)
	same := e.value("shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", vector, first, vector, e.lanes)
	e.line("br label %%in%d", o)

	e.label("in%d.lanes", o)
	lanes := e.gather(f, scalar, fmt.Sprintf("%%q%d", o), stride)
	e.line("br label %%in%d", o)
	e.label("in%d", o)
	return e.value("phi %s [ %s, %%in%d.unit ], [ %s, %%in%d.same ], [ %s, %%in%d.lanes ]", vector, unit, o, same, o, lanes, o)
}

// gather loads a vector lane by lane; lane 0 is at %<at> and loaded already. Lanes are inserted into 128-bit pieces that are joined
// afterwards: x86 has no insertion into anything wider, and LLVM's replacement takes three instructions a lane.
func (e *emitter) gather(f format, first, at, stride string) string {
	piece := min(e.lanes, 128/f.bits)
	var pieces []string
	for lane := 0; lane < e.lanes; lane += piece {
		part := "poison"
		for i := range piece {
			scalar := first
			if lane+i > 0 {
				at = e.value("getelementptr i8, ptr %s, i64 %s", at, stride)
				scalar = e.value("load %s, ptr %s, align %d", f.llvm, at, f.size())
			}
			part = e.value("insertelement <%d x %s> %s, %s %s, i64 %d", piece, f.llvm, part, f.llvm, scalar, i)
		}
		pieces = append(pieces, part)
	}
	for width := piece; len(pieces) > 1; width *= 2 {
		numbers := make([]string, 2*width)
		for i := range numbers {
			numbers[i] = fmt.Sprintf("i32 %d", i)
		}
		half := fmt.Sprintf("<%d x %s>", width, f.llvm)
		for i := range len(pieces) / 2 {
			pieces[i] = e.value("shufflevector %s %s, %s %s, <%d x i32> <%s>",
				half, pieces[2*i], half, pieces[2*i+1], 2*width, strings.Join(numbers, ", "))
		}
		pieces = pieces[:len(pieces)/2]
	}
	return pieces[0]
}

// storeStrided stores one vector at %q<operand>.
func (e *emitter) storeStrided(o, last int, val string) {
	f := e.operands[o]
	vector := fmt.Sprintf("<%d x %s>", e.lanes, f.llvm)
	e.line("br i1 %%unit%d, label %%out%d.unit, label %%out%d.lanes", o, o, o)
	e.label("out%d.unit", o)
	e.line("store %s %s, ptr %%q%d, align %d", vector, val, o, f.size())
	e.line("br label %%out%d", o)
	e.label("out%d.lanes", o)
	at := fmt.Sprintf("%%q%d", o)
	for i := range e.lanes {
		if i > 0 {
			at = e.value("getelementptr i8, ptr %s, i64 %%s%d.%d", at, o, last)
		}
		scalar := e.value("extractelement %s %s, i64 %d", vector, val, i)
		e.line("store %s %s, ptr %s, align %d", f.llvm, scalar, at, f.size())
	}
	e.line("br label %%out%d", o)
	e.label("out%d", o)
}

// rest does the elements that do not fill a vector: a loop fills the lower lanes, the others hold 0, and a loop drains them.
func (e *emitter) rest(last int, after string) {
	e.label("rest.entry")
	for o := range e.operands {
		e.line("%%r%d = phi ptr [ %%p%d.%d, %%strided.entry ], [ %%q%d.next, %%strided.next ]", o, o, last, o)
	}
	e.line("%%rest = sub i64 %%n, %%n.vectors")
	e.line("%%rest.none = icmp eq i64 %%rest, 0")
	e.line("br i1 %%rest.none, label %%%s, label %%fill", after)

	e.label("fill")
	e.line("%%fill.i = phi i64 [ 0, %%rest.entry ], [ %%fill.i.next, %%fill ]")
	params := make([][]string, e.inputs())
	for o, f := range e.operands[:e.inputs()] {
		e.line("%%fill%d.at = phi ptr [ %%r%d, %%rest.entry ], [ %%fill%d.at.next, %%fill ]", o, o, o)
		e.line("%%fill%d = phi <%d x %s> [ zeroinitializer, %%rest.entry ], [ %%fill%d.next, %%fill ]", o, e.lanes, f.llvm, o)
		params[o] = []string{fmt.Sprintf("%%fill%d.next", o)}
	}
	for o, f := range e.operands[:e.inputs()] {
		scalar := e.value("load %s, ptr %%fill%d.at, align %d", f.llvm, o, f.size())
		e.line("%%fill%d.next = insertelement <%d x %s> %%fill%d, %s %s, i64 %%fill.i", o, e.lanes, f.llvm, o, f.llvm, scalar)
		e.line("%%fill%d.at.next = getelementptr i8, ptr %%fill%d.at, i64 %%s%d.%d", o, o, o, last)
	}
	e.line("%%fill.i.next = add i64 %%fill.i, 1")
	e.branchBack(e.value("icmp eq i64 %%fill.i.next, %%rest"), "rest.compute", "fill")

	e.label("rest.compute")
	results := e.compute(params, 1)
	e.line("br label %%drain")
	e.label("drain")
	e.line("%%drain.i = phi i64 [ 0, %%rest.compute ], [ %%drain.i.next, %%drain ]")
	outputs := e.operands[e.inputs():]
	for i := range outputs {
		o := e.inputs() + i
		e.line("%%drain%d.at = phi ptr [ %%r%d, %%rest.compute ], [ %%drain%d.at.next, %%drain ]", i, o, i)
	}
	for i, f := range outputs {
		scalar := e.value("extractelement <%d x %s> %s, i64 %%drain.i", e.lanes, f.llvm, results[i][0])
		e.line("store %s %s, ptr %%drain%d.at, align %d", f.llvm, scalar, i, f.size())
		e.line("%%drain%d.at.next = getelementptr i8, ptr %%drain%d.at, i64 %%s%d.%d", i, i, e.inputs()+i, last)
	}
	e.line("%%drain.i.next = add i64 %%drain.i, 1")
	e.branchBack(e.value("icmp eq i64 %%drain.i.next, %%rest"), after, "drain")
}
