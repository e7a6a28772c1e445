package native

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// AVX-512's square root of sixteen float32 keeps a unit of its own busy for longer than the multipliers need to make the same
// bits, and both work at once. So every other vector of an iteration goes through the multipliers: an estimate g of the root
// and one h of half its reciprocal, both bettered by Goldschmidt's iteration, and a last step g + (x - g²)·h, in which only the
// sum is rounded (Markstein, IA-64 and Elementary Functions, 2000, chapter 9).
//
// The processors' estimates of the reciprocal root differ, but all are within 2^-14 (Intel SDM, VRSQRT14PS; AMD64 APM, volume 4),
// and the result does not depend on which one it is. Let s = √x and y = (1+e)/s with |e| <= 2^-14, and let |d| <= 2^-24 be the
// rounding of x·y. The iteration leaves d/2 and 3/2·e² of the errors, and 2^-38 of its own rounding: g and h are, before they
// are rounded, within 2^-25 + 2^-27.4 of s and 1/(2s), relative. That is 0.6 of an ulp, so that they are floats within 1.1 ulps.
// TestRootByAnyEstimate tries the last step with all of those, for all significands and both parities of the exponent, and every
// estimate of the two arguments for which that is not enough. Other exponents scale everything by powers of two, as long as x - g² is a multiple of the smallest subnormal number.

// stepsFrom is the least x for which it is one; from there up to infinity, excluded, roots are made by steps.
const stepsFrom = 0x1p-102

// bySteps reports whether vector u of an iteration is one whose roots are made by steps.
func bySteps(u int) bool { return u%2 == 1 }

// rooted reports whether the main loops make f's square roots by steps: whether they have any, and it costs less.
func rooted(f *ir.Func, t Target) bool {
	if len(f.Bodies) > 0 || !t.AVX512 || lanesOf(f, t) != t.VectorBits/32 || !slices.ContainsFunc(f.Nodes, stepped) {
		return false
	}
	none := func(ir.Node) ir.Cost { return 0 }
	return t.price(f, true, none) < t.price(f, false, none)
}

func stepped(n ir.Node) bool { return n.Op == ir.Sqrt && n.Type == ir.Float32 }

// roots are the square roots of vectors, step by step for those that are made by steps: each step waits for the one before.
func (e *emitter) roots(x []string) []string {
	const t = ir.Float32
	each := func(step func(u int) string) []string {
		list := make([]string, len(x))
		for u := range list {
			if bySteps(u) {
				list[u] = step(u)
			}
		}
		return list
	}
	fma := func(a, b, c string) string { return e.call("fma", t, a, b, c) }
	neg := func(a string) string { return e.op("fneg", t, a) }
	y := each(func(u int) string {
		return e.invoke(e.vector(t), fmt.Sprintf("llvm.x86.avx512.rsqrt14.ps.%d", e.lanes*32), e.vector(t)+" "+x[u],
			e.vector(t)+" zeroinitializer", fmt.Sprintf("i%d -1", e.lanes))
	})
	g := each(func(u int) string { return e.op("fmul", t, x[u], y[u]) })
	h := each(func(u int) string { // y/2, which is a normal number
		return e.fromBits(t, e.bitop("sub", t, e.toBits(t, y[u]), e.integer(t, 1<<23)))
	})
	r := each(func(u int) string { return fma(neg(g[u]), h[u], e.number(t, 0.5)) })
	g = each(func(u int) string { return fma(g[u], r[u], g[u]) })
	h = each(func(u int) string { return fma(h[u], r[u], h[u]) })
	d := each(func(u int) string { return fma(neg(g[u]), g[u], x[u]) })
	g = each(func(u int) string { return fma(d[u], h[u], g[u]) })
	for u := range g {
		if !bySteps(u) {
			g[u] = e.call("sqrt", t, x[u])
		}
	}
	return g
}

// branchSteps goes to one of two blocks: whether the steps will do in an iteration.
func (e *emitter) branchSteps(params [][]string, vectors int, steps, other string) {
	const t = ir.Float32
	f, known := e.f, e.known
	operands := *e.f
	operands.Results = nil
	for _, n := range e.f.Nodes {
		if stepped(n) {
			operands.Results = append(operands.Results, n.Args[0])
		}
	}
	e.f = operands.Compact()
	e.known = intervals(e.f)
	var values [][]string
	for i, p := range params {
		values = append(values, nil)
		for u := range vectors {
			values[i] = append(values[i], e.fromMemory(e.types[i], p[u]))
		}
	}
	from, to := int64(ir.ConstBits(t, stepsFrom)), int64(ir.ConstBits(t, math.Inf(1)))
	var within []string
	for _, xs := range e.compute(values, vectors) {
		for u, x := range xs {
			if bySteps(u) { // as unsigned numbers, what is below is above
				above := e.bitop("sub", t, e.toBits(t, x), e.integer(t, from))
				within = append(within, e.value("icmp ult %s %s, %s", e.integers(t), above, e.integer(t, to-from)))
			}
		}
	}
	e.f, e.known = f, known
	all := within[0]
	for _, w := range within[1:] {
		all = e.value("and <%d x i1> %s, %s", e.lanes, all, w)
	}
	bits := e.value("bitcast <%d x i1> %s to i%d", e.lanes, all, e.lanes)
	e.branchRare(e.value("icmp eq i%d %s, -1", e.lanes, bits), steps, other)
}

// rooting is vectors for a program whose roots are made by steps in the iterations that let it.
func (e *emitter) rooting(l loop, from []edge, out string) edge {
	e.label("%s", l.name)
	i := "%" + l.name + ".i"
	next := edge{l.name + ".latch", i + ".next"}
	e.line("%s = %s", i, phi(append(from, next)))
	params := e.loadVectors(l, i)
	e.branchSteps(params, l.count, l.name+".steps", l.name+".other")

	store := func() {
		own := make([][]string, len(params)) // as values they belong to a block
		for o, p := range params {
			own[o] = slices.Clone(p)
		}
		e.storeVectors(l, i, own)
		e.line("br label %%%s", next.from)
	}
	e.label("%s.other", l.name)
	store()
	e.label("%s.steps", l.name)
	e.steps = true
	store()
	e.steps = false

	e.label("%s", next.from)
	e.line("%s = add i64 %s, %d", next.index, i, l.count*e.lanes)
	e.branchBack(e.value("icmp sgt i64 %s, %s", next.index, l.last), out, l.name)
	return next
}
