package gosrc

import (
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// bounds are those of an integer.
type bounds struct{ lo, hi int64 }

// rangeOf bounds an integer. Only what indices are made of is looked into.
func (t *translator) rangeOf(v ir.Value) bounds {
	n := t.b.Node(v)
	lo, hi := n.Type.Range()
	whole := bounds{int64(max(lo, math.MinInt64)), math.MaxInt64}
	if hi < 1<<62 {
		whole.hi = int64(hi)
	}
	within := func(b bounds) bounds {
		if b.lo < whole.lo || b.hi > whole.hi {
			return whole // it may wrap around
		}
		return b
	}
	const small = 1 << 31 // sums and products of such numbers do not wrap in int64
	isSmall := func(b bounds) bool { return -small < b.lo && b.hi < small }
	if b, ok := t.bounds[v]; ok {
		return b
	}
	switch n.Op {
	case ir.Const:
		x := ir.BitsInt(n.Type, n.Imm)
		if x < 0 && !n.Type.IsSigned() {
			return whole
		}
		return bounds{x, x}
	case ir.Add, ir.Sub, ir.Mul:
		a, b := t.rangeOf(n.Args[0]), t.rangeOf(n.Args[1])
		if !isSmall(a) || !isSmall(b) {
			return whole
		}
		switch n.Op {
		case ir.Add:
			return within(bounds{a.lo + b.lo, a.hi + b.hi})
		case ir.Sub:
			return within(bounds{a.lo - b.hi, a.hi - b.lo})
		}
		p := []int64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
		return within(bounds{slices.Min(p), slices.Max(p)})
	case ir.And:
		a, b := t.rangeOf(n.Args[0]), t.rangeOf(n.Args[1])
		switch {
		case a.lo >= 0 && b.lo >= 0:
			return bounds{0, min(a.hi, b.hi)}
		case a.lo >= 0:
			return bounds{0, a.hi}
		case b.lo >= 0:
			return bounds{0, b.hi}
		}
	case ir.Rem:
		a, b := t.rangeOf(n.Args[0]), t.rangeOf(n.Args[1])
		if b.lo > 0 {
			lo := int64(0)
			if a.lo < 0 {
				lo = max(a.lo, 1-b.hi)
			}
			return bounds{lo, max(0, min(a.hi, b.hi-1))}
		}
	case ir.Shr:
		if a, c := t.rangeOf(n.Args[0]), t.b.Node(n.Args[1]); a.lo >= 0 && c.Op == ir.Const {
			return bounds{0, a.hi >> min(c.Imm, 63)}
		}
	case ir.OnesCount, ir.LeadingZeros, ir.TrailingZeros:
		return bounds{0, int64(8 * n.Type.Size())}
	case ir.Min, ir.Max:
		a, b := t.rangeOf(n.Args[0]), t.rangeOf(n.Args[1])
		if n.Op == ir.Min {
			return bounds{min(a.lo, b.lo), min(a.hi, b.hi)}
		}
		return bounds{max(a.lo, b.lo), max(a.hi, b.hi)}
	case ir.Select:
		a, b := t.rangeOf(n.Args[1]), t.rangeOf(n.Args[2])
		return bounds{min(a.lo, b.lo), max(a.hi, b.hi)}
	case ir.Convert:
		if t.b.Type(n.Args[0]).IsInteger() {
			return within(t.rangeOf(n.Args[0]))
		}
	}
	return whole
}
