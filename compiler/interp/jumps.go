package interp

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/double"
)

// The operations of numbers that jump: an answer is given only where the error cannot change it.

// compare returns 1, 0, or unknown. A difference that is exact decides even if it is zero.
func (a number) compare(op ir.Op, b number) number {
	if !a.known() || !b.known() {
		return unknown
	}
	x, y := a.float(), b.float()
	if !a.special() && !b.special() {
		d := a.sub(b)
		if !d.known() || !d.signed() {
			return unknown
		}
		x, y = d.float(), 0
	}
	return exactly(truth(Relation(op, x, y)))
}

// Relation reports whether a comparison holds, as IEEE 754 has it: a NaN is unequal to everything and in no order.
func Relation(op ir.Op, x, y float64) bool {
	switch op {
	case ir.Lt:
		return x < y
	case ir.Le:
		return x <= y
	case ir.Eq:
		return x == y
	}
	return x != y
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (a number) copysign(b number) number {
	if !a.known() || !b.known() || !b.signed() {
		return unknown
	}
	a = a.abs()
	if math.Signbit(b.float()) {
		return a.neg()
	}
	return a
}

func (a number) rint() number {
	switch {
	case !a.known():
		return unknown
	case a.special():
		return a
	case a.far != 0 && a.hi < 0:
		return exactly(math.Copysign(0, a.far))
	case a.far != 0:
		return a.loosen(farTiny)
	case a.lo == 0 && a.err == 0:
		return exactly(math.RoundToEven(a.hi))
	}
	hi, lo, fraction := a.nearest()
	if !(math.Abs(fraction)+a.err*(1+0x1p-30) < 0.5-0x1p-50) {
		return unknown
	}
	return number{hi: hi, lo: lo}
}

// min is the lesser of the numbers. Where that is undecided, the error of either may be the result's.
func (a number) min(b number) number {
	less := a.compare(ir.Lt, b)
	switch {
	case !a.known() || !b.known():
		return unknown
	case a.special() && a.hi != a.hi:
		return a
	case b.special() && b.hi != b.hi:
		return b
	case less.known() && (less.hi != 0 || a.zero() && b.zero() && math.Signbit(a.hi)):
		return a
	case less.known():
		return b
	case a.far != 0 || b.far != 0:
		return unknown
	}
	if a.hi > b.hi || a.hi == b.hi && a.lo > b.lo {
		a, b = b, a
	}
	a.err = max(a.err, b.err)
	return a
}

// minMag is the operand of smaller magnitude; a special value stands behind every number.
func (a number) minMag(b number) number {
	less := a.abs().compare(ir.Lt, b.abs())
	switch {
	case !a.known() || !b.known():
		return unknown
	case a.special() && a.hi != a.hi:
		return b
	case b.special() && b.hi != b.hi:
		return a
	case less.known() && less.hi != 0:
		return a
	case less.known() && a.abs().compare(ir.Eq, b.abs()).hi == 0:
		return b
	case less.known():
		return a.min(b)
	case a.far != 0 || b.far != 0 || !a.signed() || !b.signed() || a.sign() != b.sign():
		return unknown
	case a.sign() < 0:
		return a.neg().min(b.neg()).neg()
	}
	return a.min(b)
}

// lookup is the entry that the value, rounded to the type, chooses; unknown where the error leaves a choice.
func (a number) lookup(t *ir.Table, typ ir.Type) number {
	if !a.known() || a.far != 0 {
		return unknown
	}
	if a.special() {
		return exactly(t.Of(typ, a.hi))
	}
	lo, hi := a.hi, a.hi
	if a.err != 0 || a.lo != 0 {
		lo, hi = down(a), up(a)
	}
	if ir.ConstBits(typ, lo) != ir.ConstBits(typ, hi) {
		return unknown
	}
	return exactly(t.Of(typ, lo))
}

// nearest is the integer hi + lo nearest to a's value, and the value's distance from it.
func (a number) nearest() (hi, lo, fraction float64) {
	hi = math.RoundToEven(a.hi)
	if hi == a.hi {
		lo = math.RoundToEven(a.lo)
		return hi, lo, a.lo - lo
	}
	return hi, 0, (a.hi - hi) + a.lo
}

// below is ⌊a⌋.
func (a number) below() number {
	switch {
	case !a.known():
		return unknown
	case a.special():
		return a
	case a.far != 0 && a.hi < 0:
		return exactly(min(0, a.far))
	case a.far != 0:
		return a.loosen(farTiny)
	case a.lo == 0 && a.err == 0:
		return exactly(math.Floor(a.hi))
	}
	// The nearest integer is the only one that may lie inside the error.
	hi, lo, fraction := a.nearest()
	switch {
	case a.err != 0 && math.Abs(fraction) <= a.err*(1+0x1p-30)+math.Abs(fraction)*0x1p-50:
		return unknown
	case fraction < 0:
		lo--
	}
	hi, lo = double.TwoSum(hi, lo)
	return number{hi: hi, lo: lo}
}

// trunc is the integer part of a.
func (a number) trunc() number {
	switch {
	case !a.known() || !a.signed():
		return unknown
	case math.Signbit(a.float()):
		return a.neg().below().neg()
	}
	return a.below()
}

// floor is ⌊a⌋ as a float64 where it is certain and below 2^53.
func (a number) floor() (float64, bool) {
	n := a.below()
	if !n.known() || n.special() || n.far != 0 || math.Abs(a.hi) >= 1<<53 {
		return 0, false
	}
	return n.hi, true
}

func (a number) ldexp(k number) number {
	if r, ok := ieee(Ldexp, a, k); ok || a.zero() {
		if !ok {
			r = a
		}
		return r
	}
	n, ok := k.floor()
	if !ok {
		return unknown
	}
	if s := math.Ldexp(1, int(max(-1000, min(1000, n)))); a.far == 0 && math.Abs(n) < 800 {
		v := number{hi: a.hi * s, lo: a.lo * s, err: a.err * s}
		if v.ordinary() {
			if a.err != 0 {
				v = v.loosen(0)
			}
			return v
		}
	}
	l, ok := a.toFar()
	if !ok {
		return unknown
	}
	shift := double.Ln2Times(n)
	return fromFar(l.far, l.exponent().add(number{hi: shift.Hi, lo: shift.Lo, err: math.Abs(shift.Hi) * 0x1p-103}))
}

func (a number) logb() number {
	switch {
	case !a.known() || !a.signed():
		return unknown
	case a.special() || a.zero():
		return exactly(math.Logb(a.hi))
	case a.far != 0:
		n, ok := a.exponent().div(ln2).floor()
		if !ok {
			return unknown
		}
		return exactly(n)
	}
	x := a.abs()
	n := math.Logb(x.hi)
	low, high := math.Ldexp(1, int(n)), math.Ldexp(2, int(n)) // 2^1024 is +Inf, which is right here
	if x.lo < 0 && x.hi == low {
		low, high, n = low/2, low, n-1
	}
	if x.err != 0 && !((x.hi-low)+x.lo > x.err*(1+0x1p-30) && (high-x.hi)-x.lo > x.err*(1+0x1p-30)) {
		return unknown
	}
	return exactly(n)
}

func (a number) mant() number {
	if a.zero() || a.far == 0 && math.IsInf(a.hi, 0) {
		return one
	}
	return a.abs().ldexp(a.logb().neg())
}

// ln2 is the logarithm of 2.
var ln2 = inexact(double.Ln2Times(1), 0x1p-103)
