package accuracy

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// call evaluates a user's operation. Its derivatives are not known: an operand's error passes on as what the value changes by
// from the operand to both ends of its error, which for a smooth operation is twice the first-order bound.
func (r *running) call(f *ir.Def, operands []ir.Value, value, err []float64) {
	x := make([]float64, len(operands))
	for k := range value {
		for i, v := range operands {
			x[i] = r.value[v][k]
		}
		y, e := f.Eval(x), 0.0
		for i, v := range operands {
			off := r.err[v][k]
			if !r.truth && math.IsInf(off, 1) {
				e = off
			}
			if r.truth {
				off += math.Abs(x[i]) * evalSlack
			}
			if off == 0 {
				continue
			}
			middle, outside := x[i], 0
			for _, end := range [2]float64{middle - off, middle + off} {
				x[i] = end
				z := f.Eval(x)
				if !r.truth && z != z {
					outside++ // as beyond 1 for asin, which says nothing of the values inside
					continue
				}
				if !r.truth && y != y {
					e = math.Inf(1) // rounding may have brought it into the domain
					continue
				}
				if z != y { // infinities of one sign have no difference
					e += math.Abs(z - y)
				}
			}
			if outside == 2 && y == y {
				e = math.Inf(1)
			}
			x[i] = middle
		}
		if r.truth && f.Error != nil {
			for i, v := range operands {
				x[i] = r.value[v][k]
			}
			e += f.Error(x, y)
		}
		value[k], err[k] = y, e
	}
}

// evalSlack is how far ir.Def.Eval may be off, as a relative error of its operands.
const evalSlack = 0x1p-50

// enough is the part of a bound that the uncertainty of the truth may take: all of it where a user's operation is known by
// a float64 function alone, which then is taken for the truth.
func (c *Contract) enough() float64 {
	for _, d := range c.f.Defs {
		if d.Real == nil {
			return 1
		}
	}
	return enough
}
