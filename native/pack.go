package native

import (
	"fmt"
	"slices"
	"strings"
)

// packing writes the functions that move elements between strided memory and a buffer, for the sizes of element there are:
//
//	pack(buffer, strided, stride, n, quad)	unpack(buffer, strided, stride, n, quad)
//
// n is at least 1 and the stride is neither 0 nor that of neighbours. Nothing but the elements is touched. quad is the stride
// of 128 bits. It is a parameter because LLVM, if it saw that it is a multiple of the stride, would make one chain of
// additions of all addresses, and the chain would take a cycle for every element.
func (e *emitter) packing() {
	for _, f := range []format{whole(8), whole(16), binary32, binary64} {
		m := mover{emitter: e, format: f}
		moved := func(g format) bool { return g.bits == f.bits }
		wide := f.bits >= 32 // x86-64-v4 permutes no bytes
		if slices.ContainsFunc(e.operands[:e.inputs()], moved) {
			shuffled := []int{-1}
			if wide {
				shuffled = []int{-1, 2, 3, 4}
			}
			m.function("pack", mover.load, mover.fill, shuffled)
		}
		if e.masked && slices.ContainsFunc(e.operands[e.inputs():], moved) {
			m.unpackMasked()
		} else if slices.ContainsFunc(e.operands[e.inputs():], moved) {
			shuffled := []int{-1}
			if e.t.AVX512 && wide {
				shuffled = []int{-1, 2, 3, 4}
			}
			m.function("unpack", mover.store, mover.drain, shuffled)
		}
	}
}

// mover writes the functions for one size of element.
type mover struct {
	*emitter
	format
	lanes int // of the loop being written
}

func (m mover) vector() string { return fmt.Sprintf("<%d x %s>", m.lanes, m.llvm) }

// function writes pack or unpack: a loop over registers for each of some strides in elements, one over 128 bits at a time
// for any other stride, and rest for the elements that do not fill a register. move emits the transfer between a vector of
// the buffer and strided memory; stride 0 stands for any.
func (m mover) function(
	name string, move func(m mover, stride int, buffer, strided string), rest func(m mover, from position), strides []int,
) {
	head := fmt.Sprintf("internal void @%s%d(ptr %%buffer, ptr %%strided, i64 %%stride, i64 %%n, i64 %%quad) noinline #0", name, m.bits)
	m.emitter.function(head, func() {
		m.lanes = m.t.VectorBits / m.bits
		m.line("%%whole.last = sub i64 %%n, %d", m.lanes)
		m.line("%%step = mul i64 %%stride, %d", m.lanes)
		m.line("br i1 %s, label %%quad.entry, label %%some", m.value("icmp slt i64 %%whole.last, 0"))
		m.label("some")
		var cases []string
		for i, s := range strides {
			cases = append(cases, fmt.Sprintf("i64 %d, label %%by%d", s*m.size(), i))
		}
		m.line("switch i64 %%stride, label %%quad.entry [ %s ]", strings.Join(cases, " "))
		begin := position{"some", "0", "%strided"}
		ends := []position{{"entry", "0", "%strided"}, begin}
		for i, s := range strides {
			ends = append(ends, m.loop(fmt.Sprintf("by%d", i), begin, "%step", "%whole.last", "quad.entry",
				func(buffer, strided string) { move(m, s, buffer, strided) }))
		}

		m.label("quad.entry")
		from := m.join("quad.from", ends)
		m.line("%%quad.n = and i64 %%n, %d", -m.lanes)
		m.lanes = 128 / m.bits
		m.line("%%quad.last = sub i64 %%quad.n, %d", m.lanes)
		m.line("br i1 %s, label %%rest.entry, label %%quad.loop", m.value("icmp sgt i64 %s, %%quad.last", from.index))
		from.block = "quad.entry"
		end := m.loop("quad.loop", from, "%quad", "%quad.last", "rest.entry", func(buffer, strided string) { move(m, 0, buffer, strided) })

		m.label("rest.entry")
		from = m.join("rest.from", []position{from, end})
		m.line("%%rest.last = sub i64 %%n, 1")
		m.line("br i1 %s, label %%done, label %%rest", m.value("icmp eq i64 %s, %%n", from.index))
		from.block = "rest.entry"
		rest(m, from)
		m.label("done")
		m.line("ret void")
	})
}

// unpackMasked writes masked(buffer, strided, stride, n, mask): unpack of the elements whose byte of the mask is not 0.
func (m mover) unpackMasked() {
	m.emitter.function(fmt.Sprintf("internal void @masked%d(ptr %%buffer, ptr %%strided, i64 %%stride, i64 %%n, ptr %%mask) noinline #0", m.bits), func() {
		m.line("br label %%element")
		m.label("element")
		m.line("%%i = phi i64 [ 0, %%entry ], [ %%i.next, %%next ]")
		m.line("%%at = phi ptr [ %%strided, %%entry ], [ %%at.next, %%next ]")
		chosen := m.value("load i8, ptr %s, align 1", m.value("getelementptr i8, ptr %%mask, i64 %%i"))
		m.line("br i1 %s, label %%next, label %%store", m.value("icmp eq i8 %s, 0", chosen))
		m.label("store")
		x := m.value("load %s, ptr %s, align %d", m.llvm, m.value("getelementptr %s, ptr %%buffer, i64 %%i", m.llvm), m.size())
		m.line("store %s %s, ptr %%at, align %d", m.llvm, x, m.size())
		m.line("br label %%next")
		m.label("next")
		m.line("%%i.next = add i64 %%i, 1")
		m.line("%%at.next = getelementptr i8, ptr %%at, i64 %%stride")
		m.branchBack(m.value("icmp eq i64 %%i.next, %%n"), "done", "element")
		m.label("done")
		m.line("ret void")
	})
}

// position is a place in the strided memory and the buffer, at the end of a block.
type position struct{ block, index, strided string }

// join merges positions at the start of a block.
func (m mover) join(name string, from []position) position {
	var index, strided []string
	for _, p := range from {
		index = append(index, fmt.Sprintf("[ %s, %%%s ]", p.index, p.block))
		strided = append(strided, fmt.Sprintf("[ %s, %%%s ]", p.strided, p.block))
	}
	to := position{index: "%" + name + ".i", strided: "%" + name + ".at"}
	m.line("%s = phi i64 %s", to.index, strings.Join(index, ", "))
	m.line("%s = phi ptr %s", to.strided, strings.Join(strided, ", "))
	return to
}

// loop writes a loop that moves one vector an iteration, the last one at index last or before.
func (m mover) loop(name string, from position, step, last, out string, body func(buffer, strided string)) position {
	m.label("%s", name)
	next := position{name, "%" + name + ".i.next", "%" + name + ".at.next"}
	at := m.join(name, []position{from, next})
	body(m.value("getelementptr %s, ptr %%buffer, i64 %s", m.llvm, at.index), at.strided)
	m.step(at, next, m.lanes, step, last, out)
	return next
}

// step ends a loop that moves some elements an iteration.
func (m mover) step(at, next position, elements int, step, last, out string) {
	m.line("%s = getelementptr i8, ptr %s, i64 %s", next.strided, at.strided, step)
	m.line("%s = add i64 %s, %d", next.index, at.index, elements)
	m.branchBack(m.value("icmp sgt i64 %s, %s", next.index, last), out, next.block)
}

// fill packs less than a register, with one store: the load of a vector that was stored piece by piece would have to wait
// until all pieces are in the cache.
func (m mover) fill(from position) {
	m.lanes = m.t.VectorBits / m.bits
	next := position{"rest", "%rest.i.next", "%rest.at.next"}
	m.label("rest")
	at := m.join("rest", []position{from, next})
	m.line("%%filled = phi %s [ zeroinitializer, %%rest.entry ], [ %%filled.next, %%rest ]", m.vector())
	splat := func(element, value string) string {
		one := m.value("insertelement <%d x %s> poison, %s %s, i64 0", m.lanes, element, element, value)
		return m.value("shufflevector <%d x %s> %s, <%d x %s> poison, <%d x i32> zeroinitializer", m.lanes, element, one, m.lanes, element, m.lanes)
	}
	lane := m.value("trunc i64 %s to i32", m.value("sub i64 %s, %s", at.index, from.index))
	here := m.value("icmp eq <%d x i32> <%s>, %s", m.lanes, numbers(m.lanes), splat("i32", lane))
	x := splat(m.llvm, m.value("load %s, ptr %s, align %d", m.llvm, at.strided, m.size()))
	m.line("%%filled.next = select <%d x i1> %s, %s %s, %s %%filled", m.lanes, here, m.vector(), x, m.vector())
	m.step(at, next, 1, "%stride", "%rest.last", "store")
	m.label("store")
	to := m.value("getelementptr %s, ptr %%buffer, i64 %s", m.llvm, from.index)
	m.line("store %s %%filled.next, ptr %s, align %d", m.vector(), to, m.size())
	m.line("br label %%done")
}

// drain unpacks less than a register, element by element.
func (m mover) drain(from position) {
	m.lanes = 1
	m.loop("rest", from, "%stride", "%rest.last", "done", func(buffer, strided string) { m.store(0, buffer, strided) })
}

func (m mover) loadVector(base string, elements int) string {
	at := base
	if elements != 0 {
		at = m.value("getelementptr %s, ptr %s, i64 %d", m.llvm, base, elements)
	}
	return m.value("load %s, ptr %s, align %d", m.vector(), at, m.size())
}

// shuffle picks lane pick(i) of the concatenation of a and b for each lane i; a negative pick means any.
func (m mover) shuffle(a, b string, pick func(i int) int) string {
	list := make([]string, m.lanes)
	for i := range list {
		list[i] = "i32 poison"
		if p := pick(i); p >= 0 {
			list[i] = fmt.Sprintf("i32 %d", p)
		}
	}
	return m.value("shufflevector %s %s, %s %s, <%d x i32> <%s>", m.vector(), a, m.vector(), b, m.lanes, strings.Join(list, ", "))
}

// reverse is the order of lanes for stride -1.
func (m mover) reverse(i int) int { return m.lanes - 1 - i }

// load fills a vector of the buffer.
func (m mover) load(stride int, buffer, strided string) {
	var x string
	switch stride {
	case 0:
		x = m.gather(strided)
	case -1:
		v := m.loadVector(strided, 1-m.lanes)
		x = m.shuffle(v, "poison", m.reverse)
	default:
		x = m.pick(stride, strided)
	}
	m.line("store %s %s, ptr %s, align %d", m.vector(), x, buffer, m.size())
}

// pick loads whole vectors and takes every stride-th lane. None of them ends behind the last element, for what follows may be
// out of bounds.
func (m mover) pick(stride int, strided string) string {
	latest := (m.lanes-1)*stride + 1 - m.lanes // where a vector starts that ends with the last element
	var picked string
	for v := range stride {
		from := min(v*m.lanes, latest)
		x := m.loadVector(strided, from)
		// lane of x that holds element i; or outside
		in := func(i int) int { return i*stride - from }
		first := (v*m.lanes + stride - 1) / stride // lane of the result that this vector is the first to hold
		if v == 0 {
			picked = m.shuffle(x, "poison", func(i int) int {
				if in(i) < m.lanes {
					return in(i)
				}
				return -1
			})
			continue
		}
		picked = m.shuffle(picked, x, func(i int) int {
			switch {
			case i < first:
				return i
			case in(i) < m.lanes:
				return m.lanes + in(i)
			}
			return -1
		})
	}
	return picked
}

// gather loads a vector lane by lane, which beats vgather on every machine measured. x86 has no insertion into anything
// wider than 128 bits.
func (m mover) gather(at string) string {
	x := "poison"
	for i := range m.lanes {
		if i > 0 {
			at = m.value("getelementptr i8, ptr %s, i64 %%stride", at)
		}
		x = m.value("insertelement %s %s, %s %s, i64 %d", m.vector(), x, m.llvm, m.value("load %s, ptr %s, align %d", m.llvm, at, m.size()), i)
	}
	return x
}

// store drains a vector of the buffer.
func (m mover) store(stride int, buffer, strided string) {
	x := m.loadVector(buffer, 0)
	switch stride {
	case 0:
		for i := range m.lanes {
			if i > 0 {
				strided = m.value("getelementptr i8, ptr %s, i64 %%stride", strided)
			}
			m.line("store %s %s, ptr %s, align %d", m.llvm, m.value("extractelement %s %s, i64 %d", m.vector(), x, i), strided, m.size())
		}
	case -1:
		at := m.value("getelementptr %s, ptr %s, i64 %d", m.llvm, strided, 1-m.lanes)
		m.line("store %s %s, ptr %s, align %d", m.vector(), m.shuffle(x, "poison", m.reverse), at, m.size())
	default:
		m.spread(x, stride, strided)
	}
}

// spread stores lanes stride elements apart, under constant masks that leave out what lies between them.
func (m mover) spread(x string, stride int, strided string) {
	for v := range stride {
		from := v * m.lanes
		wide := m.shuffle(x, "poison", func(i int) int {
			if (from+i)%stride != 0 {
				return -1
			}
			return (from + i) / stride
		})
		mask := make([]string, m.lanes)
		for i := range mask {
			mask[i] = fmt.Sprintf("i1 %v", (from+i)%stride == 0)
		}
		at := m.value("getelementptr %s, ptr %s, i64 %d", m.llvm, strided, from)
		name := fmt.Sprintf("llvm.masked.store.v%d%s.p0", m.lanes, m.format.suffix)
		m.declared[fmt.Sprintf("declare void @%s(%s, ptr, i32, <%d x i1>)", name, m.vector(), m.lanes)] = true
		m.line("call void @%s(%s %s, ptr %s, i32 %d, <%d x i1> <%s>)", name, m.vector(), wide, at, m.size(), m.lanes, strings.Join(mask, ", "))
	}
}
