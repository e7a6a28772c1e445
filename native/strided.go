package native

import "fmt"

// chunkBytes is the size of a buffer of the strided path: large enough to spread the cost of a call of contiguous, small
// enough that the processor packs the next chunk while it computes this one. Measured on Zen 5 with exp: 256 bytes are a
// quarter slower at stride 2, 2 KiB a quarter slower at strides of several cache lines.
const chunkBytes = 512

// chunk is the number of elements of a buffer.
func (e *emitter) chunk() int {
	widest := 0
	for _, f := range e.operands {
		widest = max(widest, f.size())
	}
	return max(chunkBytes/widest, e.lanes*e.unroll)
}

// strided writes the function for any byte strides. Inputs are packed into buffers, contiguous computes, outputs are
// unpacked; an operand that is contiguous stays where it is. An input with stride 0 is a buffer of equal elements. If
// there is nothing to pack, a row is one chunk.
func (e *emitter) strided() {
	e.function("internal i32 @strided(ptr %args) noinline #0", func() {
		e.noFault()
		for o, f := range e.operands {
			e.line("%%buffer%d = alloca [%d x %s], align %d", o, e.chunk(), f.llvm, cacheLine)
		}
		e.chunkArgs()
		empty := e.arguments()
		for d := range e.last() {
			e.put("i64 1", "counts", d)
		}
		var plain []string
		for o, f := range e.operands {
			for d := range e.last() {
				e.put("i64 0", "strides", o*e.ndim+d)
			}
			e.line("%%unit%d = icmp eq i64 %s, %d", o, e.stride(o), f.size())
			if e.masked && o == e.inputs()-1 {
				e.line("%%fixed%d = icmp ne i64 0, 0", o) // it is read by unpacking, too, element by element
			} else {
				e.line("%%fixed%d = icmp eq i64 %s, 0", o, e.stride(o))
			}
			if o < e.inputs() {
				e.line("%%plain%d = or i1 %%unit%d, %%fixed%d", o, o, o)
			} else {
				e.line("%%plain%d = or i1 %%unit%d, false", o, o)
			}
			unit := e.value("select i1 %%fixed%d, i64 0, i64 %d", o, f.size())
			if o >= e.inputs() {
				unit = fmt.Sprint(f.size())
			}
			e.put("i64 "+unit, "strides", o*e.ndim+e.last())
			plain = append(plain, fmt.Sprintf("%%plain%d", o))
		}
		e.line("%%chunk.limit = select i1 %s, i64 %%n, i64 %d", e.fold("and", plain), e.chunk())
		e.nest(empty, e.stridedRow)
	})
}

// chunkArgs makes room for the argument of a call, %chunk.args.
func (e *emitter) chunkArgs() {
	e.line("%%chunk.args = alloca [4 x ptr], align 8")
	e.line("%%chunk.whole = getelementptr i64, ptr %%chunk.args, i64 3")
	e.line("store i64 0, ptr %%chunk.whole, align 8") // buffers are in the cache
	for i, field := range []struct {
		name, element string
		n             int
	}{{"data", "ptr", len(e.operands)}, {"counts", "i64", e.ndim}, {"strides", "i64", len(e.operands) * e.ndim}} {
		e.line("%%chunk.%s = alloca [%d x %s], align 8", field.name, field.n, field.element)
		e.line("store ptr %%chunk.%s, ptr %s, align 8", field.name, e.value("getelementptr ptr, ptr %%chunk.args, i64 %d", i))
	}
}

// put stores into one of the arrays that a chunk's argument points to.
func (e *emitter) put(value, array string, index int) {
	e.line("store %s, ptr %s, align 8", value, e.value("getelementptr i64, ptr %%chunk.%s, i64 %d", array, index))
}

func (e *emitter) stridedRow(after string) {
	for o, f := range e.operands[:e.inputs()] {
		e.line("br i1 %%fixed%d, label %%fill%d, label %%filled%d", o, o, o)
		e.label("fill%d", o)
		scalar := e.value("load %s, ptr %s, align %d", f.llvm, e.row(o), f.size())
		one := e.value("insertelement %s poison, %s %s, i64 0", e.register(f), f.llvm, scalar)
		all := e.value("shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", e.register(f), one, e.register(f), e.lanes)
		for u := range e.unroll {
			e.line("store %s %s, ptr %s, align %d", e.register(f), all, e.offset(fmt.Sprintf("%%buffer%d", o), f, u*e.lanes), f.size())
		}
		e.line("br label %%filled%d", o)
		e.label("filled%d", o)
	}
	from := "inner"
	if e.inputs() > 0 {
		from = fmt.Sprintf("filled%d", e.inputs()-1)
	}
	e.line("br label %%chunk")
	e.label("chunk")
	e.line("%%chunk.left = phi i64 [ %%n, %%%s ], [ %%chunk.left.next, %%chunk.next ]", from)
	for o := range e.operands {
		e.line("%%q%d = phi ptr [ %s, %%%s ], [ %%q%d.next, %%chunk.next ]", o, e.row(o), from, o)
	}
	e.line("%%chunk.n = %s", e.call64("umin", "%chunk.left", "%chunk.limit"))
	e.put("i64 %chunk.n", "counts", e.last())
	for o := range e.operands {
		e.put("ptr "+e.value("select i1 %%unit%d, ptr %%q%d, ptr %%buffer%d", o, o, o), "data", o)
		if o >= e.inputs() {
			continue
		}
		e.line("br i1 %%plain%d, label %%packed%d, label %%pack%d", o, o, o)
		e.label("pack%d", o)
		e.move("pack", o)
		e.line("br label %%packed%d", o)
		e.label("packed%d", o)
	}
	if e.faults {
		e.fault(e.value("call i32 @contiguous(ptr %%chunk.args)"))
	} else {
		e.line("call i32 @contiguous(ptr %%chunk.args)")
	}
	for o := e.inputs(); o < len(e.operands); o++ {
		e.line("br i1 %%plain%d, label %%unpacked%d, label %%unpack%d", o, o, o)
		e.label("unpack%d", o)
		e.move("unpack", o)
		e.line("br label %%unpacked%d", o)
		e.label("unpacked%d", o)
	}
	e.line("br label %%chunk.next")
	e.label("chunk.next")
	e.line("%%chunk.left.next = sub i64 %%chunk.left, %%chunk.n")
	for o := range e.operands {
		step := e.value("mul i64 %%chunk.n, %s", e.stride(o))
		e.line("%%q%d.next = getelementptr i8, ptr %%q%d, i64 %s", o, o, step)
	}
	e.branchBack(e.value("icmp eq i64 %%chunk.left.next, 0"), after, "chunk")
}

// move calls pack or unpack for a chunk of operand o.
func (e *emitter) move(function string, o int) {
	bits := e.operands[o].bits
	if m := e.inputs() - 1; e.masked && function == "unpack" {
		mask := e.value("select i1 %%unit%d, ptr %%q%d, ptr %%buffer%d", m, m, m)
		e.line("call void @masked%d(ptr %%buffer%d, ptr %%q%d, i64 %s, i64 %%chunk.n, ptr %s)", bits, o, o, e.stride(o), mask)
		return
	}
	quad := e.value("mul i64 %s, %d", e.stride(o), 128/bits)
	e.line("call void @%s%d(ptr %%buffer%d, ptr %%q%d, i64 %s, i64 %%chunk.n, i64 %s)", function, bits, o, o, e.stride(o), quad)
}

// call64 emits an intrinsic on two 64-bit integers.
func (e *emitter) call64(name, a, b string) string {
	e.declare("i64", "llvm."+name+".i64", []string{"i64 " + a, "i64 " + b})
	return fmt.Sprintf("call i64 @llvm.%s.i64(i64 %s, i64 %s)", name, a, b)
}
