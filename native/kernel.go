package native

import (
	"fmt"
	"strings"
)

// A module has three functions: yolk_kernel looks at the innermost strides and hands over to contiguous, which does all of
// the computing, or to strided, which makes operands of any other strides contiguous, chunk by chunk.

// entries writes the functions that the module exports. Where there are two, both call an internal one: another library with
// equal names must not come between them.
func (e *emitter) entries(names Symbols) {
	if names.Loop == "" {
		e.kernel("i32 @" + names.Kernel)
		return
	}
	e.function(fmt.Sprintf("i32 @%s(ptr %%args) #0", names.Kernel), func() {
		e.line("ret i32 %s", e.value("musttail call i32 @kernel(ptr %%args)"))
	})
	e.kernel("internal i32 @kernel")
	e.loopFunction(names.Loop)
}

// loopFunction writes the kernel as an inner loop of NumPy's, PyUFuncGenericFunction: (char **args, const npy_intp
// *dimensions, const npy_intp *steps, void *data), numpy/ufuncobject.h. With one loop these are the fields of a
// kernel's argument. With more it is the loop of a generalised ufunc whose core dimensions, the same for all operands, are the inner
// loops: dimensions and the steps of the outer loop come first, then each operand's core steps.
func (e *emitter) loopFunction(name string) {
	e.function(fmt.Sprintf("void @%s(ptr %%args, ptr %%dimensions, ptr %%steps, ptr %%data) #0", name), func() {
		e.line("%%block = alloca [4 x ptr], align 8")
		e.line("store i64 0, ptr %s, align 8", e.value("getelementptr ptr, ptr %%block, i64 3")) // it is the whole
		strides := "%steps"
		if operands := len(e.operands); e.ndim > 1 {
			strides = "%strides"
			e.line("%%strides = alloca [%d x i64], align 8", operands*e.ndim)
			for o := range operands {
				for d := range e.ndim {
					from := o
					if d > 0 {
						from = operands + o*(e.ndim-1) + d - 1
					}
					step := e.value("load i64, ptr %s, align 8", e.value("getelementptr i64, ptr %%steps, i64 %d", from))
					e.line("store i64 %s, ptr %s, align 8", step, e.value("getelementptr i64, ptr %%strides, i64 %d", o*e.ndim+d))
				}
			}
		}
		for i, field := range []string{"%args", "%dimensions", strides} {
			e.line("store ptr %s, ptr %s, align 8", field, e.value("getelementptr ptr, ptr %%block, i64 %d", i))
		}
		e.value("call i32 @kernel(ptr %%block)") // a loop of NumPy's has no way to say that it failed
		e.line("ret void")
	})
}

// kernel writes the function that chooses between contiguous and strided.
func (e *emitter) kernel(head string) {
	e.function(head+"(ptr %args) #0", func() {
		e.line("%%strides.at = getelementptr ptr, ptr %%args, i64 2")
		e.line("%%strides = load ptr, ptr %%strides.at, align 8")
		var units []string
		for o, f := range e.operands {
			e.line("%%s%d.at = getelementptr i64, ptr %%strides, i64 %d", o, o*e.ndim+e.ndim-1)
			e.line("%%s%d = load i64, ptr %%s%d.at, align 8", o, o)
			units = append(units, e.value("icmp eq i64 %%s%d, %d", o, f.size()))
		}
		e.line("br i1 %s, label %%contiguous, label %%other", e.fold("and", units))
		e.label("other")
		// A stride over one element does not matter.
		e.line("%%counts.at = getelementptr ptr, ptr %%args, i64 1")
		e.line("%%counts = load ptr, ptr %%counts.at, align 8")
		e.line("%%n.at = getelementptr i64, ptr %%counts, i64 %d", e.last())
		e.line("%%n = load i64, ptr %%n.at, align 8")
		e.line("br i1 %s, label %%contiguous, label %%strided", e.value("icmp eq i64 %%n, 1"))
		for _, function := range []string{"contiguous", "strided"} {
			e.label("%s", function)
			e.line("ret i32 %s", e.value("musttail call i32 @%s(ptr %%args)", function))
		}
	})
}

// arguments loads everything that the kernel's argument points to. %p<operand>.<loop> is where an operand stands at the
// start of a loop, %s<operand>.<loop> a stride, %n the innermost count. It returns whether there is nothing to do.
func (e *emitter) arguments() (empty string) {
	for i, field := range []string{"data", "counts", "strides"} {
		e.line("%%%s.at = getelementptr ptr, ptr %%args, i64 %d", field, i)
		e.line("%%%s = load ptr, ptr %%%s.at, align 8", field, field)
	}
	var none []string
	for d := range e.ndim {
		e.line("%s.at = getelementptr i64, ptr %%counts, i64 %d", e.count(d), d)
		e.line("%s = load i64, ptr %s.at, align 8", e.count(d), e.count(d))
		none = append(none, e.value("icmp sle i64 %s, 0", e.count(d)))
	}
	for o := range e.operands {
		e.line("%%p%d.at = getelementptr ptr, ptr %%data, i64 %d", o, o)
		e.line("%%p%d.0 = load ptr, ptr %%p%d.at, align 8", o, o)
		for d := range e.ndim {
			e.line("%%s%d.%d.at = getelementptr i64, ptr %%strides, i64 %d", o, d, o*e.ndim+d)
			e.line("%%s%d.%d = load i64, ptr %%s%d.%d.at, align 8", o, d, o, d)
		}
	}
	return e.fold("or", none)
}

// last is the innermost loop.
func (e *emitter) last() int { return e.ndim - 1 }

// nest writes the outer loops around the innermost one and the function's end, unless it is empty. row begins at the label
// inner, knows where the operands stand by e.row, and ends with a branch to after.
func (e *emitter) nest(empty string, row func(after string)) {
	from, after := "entry", "exit"
	if e.last() > 0 {
		after = fmt.Sprintf("next%d", e.last()-1)
	}
	e.line("br i1 %s, label %%exit, label %%%s", empty, e.loop(0))
	for d := range e.last() {
		e.label("loop%d", d)
		e.line("%%i%d = phi i64 [ 0, %%%s ], [ %%i%d.next, %%next%d ]", d, from, d, d)
		for o := range e.operands {
			e.line("%%p%d.%d = phi ptr [ %%p%d.%d, %%%s ], [ %%p%d.%d.next, %%next%d ]", o, d+1, o, d, from, o, d+1, d)
		}
		e.line("br label %%%s", e.loop(d+1))
		from = fmt.Sprintf("loop%d", d)
	}
	e.label("inner")
	row(after)
	for d := e.last() - 1; d >= 0; d-- {
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
	code := "0"
	if e.faults {
		code = e.value("load i32, ptr %%fault, align 4")
	}
	e.line("ret i32 %s", code)
}

// noFault makes room for the fault code.
func (e *emitter) noFault() {
	if e.faults {
		e.line("%%fault = alloca i32, align 4")
		e.line("store i32 0, ptr %%fault, align 4")
	}
}

// fault joins a fault code, which is 0 or 1.
func (e *emitter) fault(code string) {
	e.line("store i32 %s, ptr %%fault, align 4", e.value("or i32 %s, %s", e.value("load i32, ptr %%fault, align 4"), code))
}

// row is where operand o stands at the start of the innermost loop.
func (e *emitter) row(o int) string { return fmt.Sprintf("%%p%d.%d", o, e.last()) }

// stride is the stride of operand o in the innermost loop.
func (e *emitter) stride(o int) string { return fmt.Sprintf("%%s%d.%d", o, e.last()) }

// loop is the label of loop d's body.
func (e *emitter) loop(d int) string {
	if d == e.last() {
		return "inner"
	}
	return fmt.Sprintf("loop%d", d)
}

// count is the number of iterations of loop d; the innermost loop's is just %n.
func (e *emitter) count(d int) string {
	if d == e.last() {
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

// register is the LLVM type of a kernel's vector of elements of f.
func (e *emitter) register(f format) string { return fmt.Sprintf("<%d x %s>", e.lanes, f.llvm) }

// numbers is the list 0, 1, ..., n-1 as the operand of a shuffle or a comparison.
func numbers(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("i32 %d", i)
	}
	return strings.Join(list, ", ")
}
