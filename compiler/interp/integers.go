package interp

import (
	"math/bits"

	"github.com/go-yolk/yolk/compiler/ir"
)

// The operations of integers, bools and stored types. Integers of every type are int64, wrapped to the type; those of
// ir.Uint64 have the same bits.

// arithInts is arith for integers of type t. It reports whether something was divided by zero; that result is 0.
func arithInts(op ir.Op, t ir.Type, d, a, b []int64) (zero bool) {
	a = a[:len(d)]
	if op.Info().Arity > 1 {
		b = b[:len(d)]
	}
	each := func(f func(x, y int64) int64) {
		for i := range d {
			d[i] = t.Wrap(f(a[i], b[i]))
		}
	}
	one := func(f func(x int64) int64) {
		for i := range d {
			d[i] = t.Wrap(f(a[i]))
		}
	}
	quotient := func(f func(x, y int64) int64) {
		each(func(x, y int64) int64 {
			if y == 0 {
				zero = true
				return 0
			}
			return f(x, y)
		})
	}
	width := int64(8 * t.Size())
	switch op {
	case ir.Add:
		each(func(x, y int64) int64 { return x + y })
	case ir.Sub:
		each(func(x, y int64) int64 { return x - y })
	case ir.Mul:
		each(func(x, y int64) int64 { return x * y })
	case ir.Div:
		if t == ir.Uint64 {
			quotient(func(x, y int64) int64 { return int64(uint64(x) / uint64(y)) })
		} else {
			quotient(func(x, y int64) int64 { return x / y })
		}
	case ir.Rem:
		if t == ir.Uint64 {
			quotient(func(x, y int64) int64 { return int64(uint64(x) % uint64(y)) })
		} else {
			quotient(func(x, y int64) int64 { return x % y })
		}
	case ir.Neg:
		one(func(x int64) int64 { return -x })
	case ir.Abs:
		one(func(x int64) int64 {
			if t.IsSigned() && x < 0 {
				return -x
			}
			return x
		})
	case ir.Min, ir.Max:
		each(func(x, y int64) int64 {
			if less(t, y, x) == (op == ir.Min) {
				return y
			}
			return x
		})
	case ir.And:
		each(func(x, y int64) int64 { return x & y })
	case ir.Or:
		each(func(x, y int64) int64 { return x | y })
	case ir.Xor:
		each(func(x, y int64) int64 { return x ^ y })
	case ir.AndNot:
		each(func(x, y int64) int64 { return x &^ y })
	case ir.Not:
		one(func(x int64) int64 { return ^x })
	case ir.Shl:
		each(func(x, y int64) int64 { return x << ir.IntBits(t, y) })
	case ir.Shr:
		each(func(x, y int64) int64 {
			n := min(ir.IntBits(t, y), uint64(width))
			if t == ir.Uint64 {
				return int64(uint64(x) >> n)
			}
			return x >> n
		})
	case ir.RotateLeft:
		each(func(x, y int64) int64 {
			n := ir.IntBits(t, y) & uint64(width-1)
			return int64(ir.IntBits(t, x)<<n | ir.IntBits(t, x)>>(uint64(width)-n))
		})
	case ir.Reverse:
		one(func(x int64) int64 { return int64(bits.Reverse64(uint64(x)) >> (64 - width)) })
	case ir.ReverseBytes:
		one(func(x int64) int64 { return int64(bits.ReverseBytes64(uint64(x)) >> (64 - width)) })
	case ir.OnesCount:
		one(func(x int64) int64 { return int64(bits.OnesCount64(ir.IntBits(t, x))) })
	case ir.LeadingZeros:
		one(func(x int64) int64 { return int64(bits.LeadingZeros64(ir.IntBits(t, x))) - (64 - width) })
	case ir.TrailingZeros:
		one(func(x int64) int64 { return min(int64(bits.TrailingZeros64(ir.IntBits(t, x))), width) })
	default:
		panic("interp: no loop of integers for " + op.String())
	}
	return zero
}

// less is x < y in type t.
func less(t ir.Type, x, y int64) bool {
	if t == ir.Uint64 {
		return uint64(x) < uint64(y)
	}
	return x < y
}

func compareInts(op ir.Op, t ir.Type, d []bool, a, b []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		switch op {
		case ir.Lt:
			d[i] = less(t, a[i], b[i])
		case ir.Le:
			d[i] = !less(t, b[i], a[i])
		case ir.Eq:
			d[i] = a[i] == b[i]
		case ir.Ne:
			d[i] = a[i] != b[i]
		default:
			panic("interp: no comparison " + op.String())
		}
	}
}

func logic(op ir.Op, d, a, b []bool) {
	a = a[:len(d)]
	if op != ir.Not {
		b = b[:len(d)]
	}
	for i := range d {
		switch op {
		case ir.And:
			d[i] = a[i] && b[i]
		case ir.Or:
			d[i] = a[i] || b[i]
		case ir.Xor:
			d[i] = a[i] != b[i]
		case ir.AndNot:
			d[i] = a[i] && !b[i]
		case ir.Not:
			d[i] = !a[i]
		default:
			panic("interp: no loop of bools for " + op.String())
		}
	}
}

func (fr *frame) convert(dst, src slot, n int) {
	switch from, to := class(src.typ), class(dst.typ); {
	case dst.typ == src.typ && to == ir.Float32:
		copy(fr.f32[dst.index][:n], fr.f32[src.index])
	case dst.typ == src.typ && to == ir.Float64:
		copy(fr.f64[dst.index][:n], fr.f64[src.index])
	case dst.typ == src.typ && to == ir.Bool:
		copy(fr.bool[dst.index][:n], fr.bool[src.index])
	case dst.typ == src.typ:
		copy(fr.ints[dst.index][:n], fr.ints[src.index])
	case src.typ.Stored():
		d := fr.f32[dst.index][:n]
		for i, x := range fr.ints[src.index][:n] {
			d[i] = ir.Unstore(src.typ, uint16(x))
		}
	case dst.typ.Stored():
		d := fr.ints[dst.index][:n]
		for i, x := range fr.f32[src.index][:n] {
			d[i] = int64(ir.Store(dst.typ, x))
		}
	case from == ir.Float64 && to == ir.Float32:
		convert(fr.f32[dst.index][:n], fr.f64[src.index])
	case from == ir.Float32 && to == ir.Float64:
		convert(fr.f64[dst.index][:n], fr.f32[src.index])
	case from == ir.Float32:
		toInts(dst.typ, fr.ints[dst.index][:n], fr.f32[src.index])
	case from == ir.Float64:
		toInts(dst.typ, fr.ints[dst.index][:n], fr.f64[src.index])
	case to == ir.Float32 && from == ir.Int64:
		fromInts(src.typ, fr.f32[dst.index][:n], fr.ints[src.index])
	case to == ir.Float64 && from == ir.Int64:
		fromInts(src.typ, fr.f64[dst.index][:n], fr.ints[src.index])
	case to == ir.Float32:
		fromBools(fr.f32[dst.index][:n], fr.bool[src.index])
	case to == ir.Float64:
		fromBools(fr.f64[dst.index][:n], fr.bool[src.index])
	case from == ir.Bool:
		fromBools(fr.ints[dst.index][:n], fr.bool[src.index])
	default:
		d := fr.ints[dst.index][:n]
		for i, x := range fr.ints[src.index][:n] {
			d[i] = dst.typ.Wrap(x)
		}
	}
}

func toInts[T float](t ir.Type, d []int64, a []T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = t.FromFloat(float64(a[i]))
	}
}

func fromInts[T float](t ir.Type, d []T, a []int64) {
	a = a[:len(d)]
	for i := range d {
		if t == ir.Uint64 {
			d[i] = T(uint64(a[i]))
		} else {
			d[i] = T(a[i])
		}
	}
}

func fromBools[T float | int64](d []T, a []bool) {
	a = a[:len(d)]
	for i := range d {
		d[i] = T(truth(a[i]))
	}
}
