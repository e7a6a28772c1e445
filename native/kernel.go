package native

import (
	"fmt"
	"strings"
)

// kernel writes the function's body: loads the arguments, leaves at once if there is nothing to do, and nests the outer
// loops around the innermost one. Names: %p<operand>.<loop> is where an operand stands at the start of a loop.
func (e *emitter) kernel() {
	last := e.ndim - 1
	e.line("%%data = load ptr, ptr %%args, align 8")
	for i, field := range []string{"counts", "strides"} {
		e.line("%%%s.at = getelementptr ptr, ptr %%args, i64 %d", field, i+1)
		e.line("%%%s = load ptr, ptr %%%s.at, align 8", field, field)
	}
	var empty, units []string
	for d := range e.ndim {
		e.line("%s.at = getelementptr i64, ptr %%counts, i64 %d", e.count(d), d)
		e.line("%s = load i64, ptr %s.at, align 8", e.count(d), e.count(d))
		empty = append(empty, e.value("icmp sle i64 %s, 0", e.count(d)))
	}
	for o, f := range e.operands {
		e.line("%%p%d.at = getelementptr ptr, ptr %%data, i64 %d", o, o)
		e.line("%%p%d.0 = load ptr, ptr %%p%d.at, align 8", o, o)
		for d := range e.ndim {
			e.line("%%s%d.%d.at = getelementptr i64, ptr %%strides, i64 %d", o, d, o*e.ndim+d)
			e.line("%%s%d.%d = load i64, ptr %%s%d.%d.at, align 8", o, d, o, d)
		}
		e.line("%%unit%d = icmp eq i64 %%s%d.%d, %d", o, o, last, f.size())
		e.line("%%block%d = mul i64 %%s%d.%d, %d", o, o, last, e.lanes)
		units = append(units, fmt.Sprintf("%%unit%d", o))
	}
	e.line("%%n.vectors = and i64 %%n, %d", -e.lanes)
	e.line("%%n.main = and i64 %%n, %d", -e.lanes*e.t.Interleave)

	all := e.fold("and", units)

	from, after := "entry", "exit"
	if last > 0 {
		after = fmt.Sprintf("next%d", last-1)
	}
	e.line("br i1 %s, label %%exit, label %%%s", e.fold("or", empty), e.loop(0))
	for d := range last {
		e.label("loop%d", d)
		e.line("%%i%d = phi i64 [ 0, %%%s ], [ %%i%d.next, %%next%d ]", d, from, d, d)
		for o := range e.operands {
			e.line("%%p%d.%d = phi ptr [ %%p%d.%d, %%%s ], [ %%p%d.%d.next, %%next%d ]", o, d+1, o, d, from, o, d+1, d)
		}
		e.line("br label %%%s", e.loop(d+1))
		from = fmt.Sprintf("loop%d", d)
	}
	e.label("inner")
	e.line("br i1 %s, label %%main.entry, label %%strided.entry", all)
	e.contiguous(last, after)
	e.strided(last, after)
	for d := last - 1; d >= 0; d-- {
		e.label("next%d", d)
		e.line("%%i%d.next = add i64 %%i%d, 1", d, d)
		for o := range e.operands {
			e.line("%%p%d.%d.next = getelementptr i8, ptr %%p%d.%d, i64 %%s%d.%d", o, d+1, o, d+1, o, d)
		}
		done := e.value("icmp eq i64 %%i%d.next, %s", d, e.count(d))
		outer := "exit"
		if d > 0 {
			outer = fmt.Sprintf("next%d", d-1)
		}
		e.branchBack(done, outer, fmt.Sprintf("loop%d", d))
	}
	e.label("exit")
	e.line("ret i32 0")
}

// loop is the label of loop d's body.
func (e *emitter) loop(d int) string {
	if d == e.ndim-1 {
		return "inner"
	}
	return fmt.Sprintf("loop%d", d)
}

// count is the number of iterations of loop d; the innermost loop's is just %n.
func (e *emitter) count(d int) string {
	if d == e.ndim-1 {
		return "%n"
	}
	return fmt.Sprintf("%%n%d", d)
}

// fold joins bits by an operation.
func (e *emitter) fold(op string, bits []string) string {
	joined := bits[0]
	for _, b := range bits[1:] {
		joined = e.value("%s i1 %s, %s", op, joined, b)
	}
	return joined
}

// branchBack ends a loop. LLVM would unroll what is unrolled already.
func (e *emitter) branchBack(done, out, again string) {
	e.line("br i1 %s, label %%%s, label %%%s, !llvm.loop !%d", done, out, again, e.loops)
	e.loops++
}

// contiguous writes the path for operands whose elements are neighbours: the main loop with several vectors in flight,
// single vectors, and one masked vector. Element indices, not pointers, are what advances.
func (e *emitter) contiguous(last int, after string) {
	e.label("main.entry")
	e.line("%%main.none = icmp eq i64 %%n.main, 0")
	e.line("br i1 %%main.none, label %%vector.entry, label %%main")
	e.vectors("main", "main.entry", "0", "%n.main", "vector.entry", e.t.Interleave, last)

	e.label("vector.entry")
	e.line("%%vector.none = icmp eq i64 %%n.main, %%n.vectors")
	e.line("br i1 %%vector.none, label %%tail.entry, label %%vector")
	e.vectors("vector", "vector.entry", "%n.main", "%n.vectors", "tail.entry", 1, last)

	e.label("tail.entry")
	e.line("%%tail.none = icmp eq i64 %%n.vectors, %%n")
	e.line("br i1 %%tail.none, label %%%s, label %%tail", after)
	e.label("tail")
	mask := e.tailMask()
	var params [][]string
	for o, f := range e.operands[:e.inputs()] {
		vector := fmt.Sprintf("<%d x %s>", e.lanes, f.llvm)
		params = append(params, []string{e.invoke(vector, e.maskedName("load", f),
			"ptr "+e.element(o, last, "%n.vectors"), fmt.Sprintf("i32 %d", f.size()), mask, vector+" zeroinitializer")})
	}
	for i, r := range e.compute(params, 1) {
		o := e.inputs() + i
		f := e.operands[o]
		args := []string{fmt.Sprintf("<%d x %s> %s", e.lanes, f.llvm, r[0]),
			"ptr " + e.element(o, last, "%n.vectors"), fmt.Sprintf("i32 %d", f.size()), mask}
		e.declare("void", e.maskedName("store", f), args)
		e.line("call void @%s(%s)", e.maskedName("store", f), strings.Join(args, ", "))
	}
	e.line("br label %%%s", after)
}

// vectors writes a loop over [from, to) with count vectors an iteration. All loads come before all stores, so that an
// output may be an input.
func (e *emitter) vectors(name, pred, from, to, out string, count, last int) {
	e.label("%s", name)
	i := "%" + name + ".i"
	e.line("%s = phi i64 [ %s, %%%s ], [ %s.next, %%%s ]", i, from, pred, i, name)
	params := make([][]string, e.inputs())
	for o, f := range e.operands[:e.inputs()] {
		base := e.element(o, last, i)
		for u := range count {
			at := e.offset(base, f, u*e.lanes)
			params[o] = append(params[o], e.value("load <%d x %s>, ptr %s, align %d", e.lanes, f.llvm, at, f.size()))
		}
	}
	for r, vals := range e.compute(params, count) {
		o := e.inputs() + r
		f := e.operands[o]
		base := e.element(o, last, i)
		for u, val := range vals {
			at := e.offset(base, f, u*e.lanes)
			e.line("store <%d x %s> %s, ptr %s, align %d", e.lanes, f.llvm, val, at, f.size())
		}
	}
	e.line("%s.next = add i64 %s, %d", i, i, count*e.lanes)
	e.branchBack(e.value("icmp eq i64 %s.next, %s", i, to), out, name)
}

// element is the address of an element of a contiguous operand.
func (e *emitter) element(o, last int, index string) string {
	return e.value("getelementptr %s, ptr %%p%d.%d, i64 %s", e.operands[o].llvm, o, last, index)
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
	numbers := make([]string, e.lanes)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("i32 %d", i)
	}
	wide := e.value("sub i64 %%n, %%n.vectors")
	left := e.value("trunc i64 %s to i32", wide)
	one := e.value("insertelement <%d x i32> poison, i32 %s, i64 0", e.lanes, left)
	all := e.value("shufflevector <%d x i32> %s, <%d x i32> poison, <%d x i32> zeroinitializer", e.lanes, one, e.lanes, e.lanes)
	mask := e.value("icmp ult <%d x i32> <%s>, %s", e.lanes, strings.Join(numbers, ", "), all)
	return fmt.Sprintf("<%d x i1> %s", e.lanes, mask)
}

func (e *emitter) maskedName(access string, f format) string {
	return fmt.Sprintf("llvm.masked.%s.v%d%s.p0", access, e.lanes, f.suffix)
}
