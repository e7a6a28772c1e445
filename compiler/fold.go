package compiler

import (
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// foldReal folds over the reals.
func foldReal(op ir.Op, t ir.Type, args []egraph.Constant) (egraph.Constant, bool) {
	c, ok := foldRealWith(args, func(x []*big.Float) (*big.Float, bool) { return interp.FoldReal(op, x) })
	// A sum that cancels is +0; any other zero has a sign that the reals do not know.
	return c, ok && (c.Real != nil || op == ir.Add || op == ir.Sub)
}

// foldRealWith folds by a function of reals. Zeros have a sign, infinities and NaN no real value: what has them stays as it is.
// A result of zero is the constant +0.
func foldRealWith(args []egraph.Constant, fold func([]*big.Float) (*big.Float, bool)) (egraph.Constant, bool) {
	reals := make([]*big.Float, len(args))
	for i, a := range args {
		if reals[i] = a.Real; reals[i] == nil {
			return egraph.Constant{}, false
		}
	}
	x, ok := fold(reals)
	if !ok || x.Sign() == 0 {
		return egraph.Constant{}, ok
	}
	return egraph.Constant{Real: x}, true
}

// foldTyped folds as the program would compute.
func foldTyped(op ir.Op, t ir.Type, args []egraph.Constant) (egraph.Constant, bool) {
	if op == ir.Convert || op.Info().Shape == ir.ShapeCompare {
		return egraph.Constant{}, false // the operands have another type than t
	}
	return foldTypedWith(t, args, func(x []uint64) (uint64, bool) { return interp.FoldTyped(op, t, x) })
}

// foldTypedWith folds by a function of bits.
func foldTypedWith(t ir.Type, args []egraph.Constant, fold func([]uint64) (uint64, bool)) (egraph.Constant, bool) {
	bits := make([]uint64, len(args))
	for i, a := range args {
		if bits[i] = a.Bits; a.Real != nil {
			bits[i] = ir.RoundReal(t, a.Real)
		}
	}
	folded, ok := fold(bits)
	if !ok {
		return egraph.Constant{}, false
	}
	x := ir.BitsFloat(t, folded)
	if x == 0 || math.IsInf(x, 0) {
		return egraph.Constant{Bits: folded}, true
	}
	return egraph.Constant{Bits: folded, Real: new(big.Float).SetPrec(ir.RealPrec).SetFloat64(x)}, true
}
