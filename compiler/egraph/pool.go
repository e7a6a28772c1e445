package egraph

import (
	"fmt"
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Constant is the value of a constant class. Real is shared and must not be written to.
type Constant struct {
	Bits uint64     // Real == nil: bits of +0, -0, an infinity or a NaN in the class's type, as ir.Const holds them
	Real *big.Float // a finite real, not zero, exact
}

// String writes the real, or the name of the special value.
func (c Constant) String() string {
	if c.Real != nil {
		return c.Real.Text('g', 20)
	}
	switch c.Bits {
	case 0:
		return "0"
	case 1 << 31, 1 << 63:
		return "-0"
	case ir.ConstBits(ir.Float32, math.Inf(1)), ir.ConstBits(ir.Float64, math.Inf(1)):
		return "inf"
	case ir.ConstBits(ir.Float32, math.Inf(-1)), ir.ConstBits(ir.Float64, math.Inf(-1)):
		return "-inf"
	}
	return fmt.Sprintf("nan(%#x)", c.Bits)
}

// Node returns the node of a constant of type t: a Const if the type holds the value exactly, otherwise a Real of f.
func (c Constant) Node(f *ir.Func, t ir.Type) ir.Node {
	if c.Real == nil {
		return ir.Node{Op: ir.Const, Type: t, Imm: c.Bits}
	}
	rounded := c.in(t)
	if x, accuracy := c.Real.Float64(); accuracy == big.Exact && x == ir.BitsFloat(t, rounded) {
		return ir.Node{Op: ir.Const, Type: t, Imm: rounded}
	}
	f.Reals = append(f.Reals, c.Real)
	return ir.Node{Op: ir.Real, Type: t, Imm: uint64(len(f.Reals) - 1)}
}

// in is the constant as type t rounds it.
func (c Constant) in(t ir.Type) uint64 {
	if c.Real == nil {
		return c.Bits
	}
	return ir.RoundReal(t, c.Real)
}

// keyPrec is the precision, in bits, at which two reals are the same constant. It is ir.RealPrec less 32 bits, so that
// foldings that reach one value along different ways, each with a few roundings, meet.
const keyPrec = ir.RealPrec - 32

// pool holds every constant once. A constant's index is the Imm of its nodes.
type pool struct {
	constants []Constant
	facts     []ir.Fact
	reals     map[string]uint32 // text of the value rounded to keyPrec bits
	specials  map[uint64]uint32 // bits
	rounded   big.Float         // scratch
	text      []byte            // scratch
}

// intern returns the index of c as a constant of type t. Specials of different types have different bits, reals have one
// index for all types.
func (p *pool) intern(t ir.Type, c Constant) uint32 {
	if c.Real == nil {
		if x := ir.BitsFloat(t, c.Bits); x != 0 && x-x == 0 {
			c.Real = big.NewFloat(x)
		}
	} else if c.Real.Sign() == 0 || c.Real.IsInf() {
		x, _ := c.Real.Float64()
		c = Constant{Bits: ir.ConstBits(t, x)}
	}
	if c.Real == nil {
		i, ok := p.specials[c.Bits]
		if !ok {
			i = p.append(Constant{Bits: c.Bits})
			p.specials[c.Bits] = i
		}
		return i
	}
	p.text = p.rounded.SetPrec(keyPrec).Set(c.Real).Append(p.text[:0], 'p', 0)
	i, ok := p.reals[string(p.text)]
	if !ok {
		i = p.append(Constant{Real: new(big.Float).SetPrec(ir.RealPrec).Set(c.Real)})
		p.reals[string(p.text)] = i
	}
	return i
}

func (p *pool) append(c Constant) uint32 {
	p.constants = append(p.constants, c)
	p.facts = append(p.facts, c.fact())
	return uint32(len(p.constants) - 1)
}

// fact is what is known about the constant's real value. Infinities and NaN have none.
func (c Constant) fact() ir.Fact {
	if c.Real == nil {
		if c.zero() {
			return ir.Exactly(0)
		}
		return ir.Unknown
	}
	x, acc := c.Real.Float64()
	f := ir.Fact{Lo: x, Hi: x, Integer: c.Real.IsInt(), NonZero: true}
	if acc == big.Above {
		f.Lo = math.Nextafter(x, math.Inf(-1))
	} else if acc == big.Below {
		f.Hi = math.Nextafter(x, math.Inf(1))
	}
	return f
}

func (c Constant) zero() bool {
	return c.Real == nil && (c.Bits == 0 || c.Bits == 1<<31 || c.Bits == 1<<63)
}

func (c Constant) nan() bool {
	return c.Real == nil && !c.zero() && c.Bits != ir.ConstBits(ir.Float32, math.Inf(1)) && c.Bits != ir.ConstBits(ir.Float32, math.Inf(-1)) &&
		c.Bits != ir.ConstBits(ir.Float64, math.Inf(1)) && c.Bits != ir.ConstBits(ir.Float64, math.Inf(-1))
}

// same reports whether two different entries of the pool may share a class: they are zeros, whose sign a rewrite with
// NoSignZero does not keep, or NaNs, or neighbours that rounding to keyPrec bits drove apart.
func (c Constant) same(d Constant) bool {
	if c.Real == nil || d.Real == nil {
		return c.zero() && d.zero() || c.nan() && d.nan()
	}
	diff := new(big.Float).Sub(c.Real, d.Real)
	return diff.Sign() == 0 || diff.MantExp(nil) < c.Real.MantExp(nil)-keyPrec+2
}
