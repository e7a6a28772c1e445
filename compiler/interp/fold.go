package interp

import (
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
)

// FoldReal evaluates one operation on exact constants, over the reals, to ir.RealPrec bits. It reports false where the
// result is undefined or infinite, where it is no number (comparisons) or depends on one that is no constant of the reals
// (select, the sign of a zero), and where it leaves the exponent range of big.Float.
func FoldReal(op ir.Op, args []*big.Float) (*big.Float, bool) {
	info := op.Info()
	if len(args) != info.Arity || op.Leaf() || op == ir.Lookup || info.Shape == ir.ShapeLoop || info.Shape == ir.ShapeCompare || info.Shape == ir.ShapeSelect {
		return nil, false
	}
	// Products of two constants stay exact; one rounding to RealPrec comes last.
	c := balls{prec: 3 * ir.RealPrec}
	if info.Function {
		c.prec = ir.RealPrec + 64
	}
	var b [3]ball
	for i, x := range args {
		if x.IsInf() {
			return nil, false
		}
		b[i] = ball{mid: c.new().Set(x)}
	}
	if op == ir.Copysign && args[1].Sign() == 0 {
		return nil, false
	}
	r := c.apply(op, b[0], b[1], b[2])
	if r.mid == nil || r.rad != nil && r.mid.Sign() == 0 {
		return nil, false
	}
	return r.mid.SetPrec(ir.RealPrec), true
}

// FoldTyped evaluates one operation on constants as a Program does: the same bits. t is the type of the result and of the
// operands; a comparison is folded with the type of its operands, and gives 0 or 1. It reports false if the result is NaN
// or infinite, for bool operands of a comparison, and for Convert, whose operand's type t does not tell.
func FoldTyped(op ir.Op, t ir.Type, args []uint64) (uint64, bool) {
	info := op.Info()
	if len(args) != info.Arity || op.Leaf() || op == ir.Lookup || info.Shape == ir.ShapeLoop || op == ir.Convert || !t.IsFloat() {
		return 0, false
	}
	if info.Shape == ir.ShapeSelect {
		if args[0] != 0 {
			return finiteBits(t, args[1])
		}
		return finiteBits(t, args[2])
	}
	if t == ir.Float32 {
		return foldLoop[float32](op, t, args)
	}
	return foldLoop[float64](op, t, args)
}

func foldLoop[T float](op ir.Op, t ir.Type, args []uint64) (uint64, bool) {
	var v [3][1]T
	for i, a := range args {
		v[i][0] = T(ir.BitsFloat(t, a))
	}
	if op.Info().Shape == ir.ShapeCompare {
		var d [1]bool
		compare(op, d[:], v[0][:], v[1][:])
		return Column{Bool: d[:]}.Bits(0), true
	}
	var d [1]T
	arith(op, d[:], v[0][:], v[1][:], v[2][:])
	return finiteBits(t, ir.ConstBits(t, float64(d[0])))
}

func finiteBits(t ir.Type, bits uint64) (uint64, bool) {
	x := ir.BitsFloat(t, bits)
	return bits, x-x == 0
}

// FoldNode evaluates an operation on constants of any types as a Program does: the same bits, special values included. types are those of
// the operands. It reports false for what has no value (division by zero), is no operation on values, or is a user's.
func FoldNode(n ir.Node, types []ir.Type, args []uint64) (uint64, bool) {
	info := n.Op.Info()
	if n.Op.Leaf() || n.Op.Call() || n.Op == ir.Lookup || info.Shape == ir.ShapeLoop || len(args) != info.Arity {
		return 0, false
	}
	b := ir.NewBuilder("fold")
	operands := make([]ir.Value, len(args))
	for i, t := range types {
		operands[i] = b.Param("x", t, ir.Unknown)
	}
	v, err := b.Emit(n.Op, n.Type, operands...)
	if err != nil {
		return 0, false
	}
	b.Return(v)
	p, err := Compile(b.Func())
	if err != nil {
		return 0, false
	}
	var out [1]uint64
	err = p.Eval(args, out[:])
	return out[0], err == nil
}
