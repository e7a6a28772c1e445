package interp

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Special says which special values the computed value of a node may have, on the function's domain, and between which
// bounds the others lie. Unlike an ir.Fact it is about the float that the program computes, rounding included, so it
// belongs to one program and not to what that is equal to over the reals.
type Special struct {
	NaN, Inf, NegZero bool
	Lo, Hi            float64
}

// zero reports whether the value may be a zero of either sign.
func (s Special) zero() bool { return s.Lo <= 0 && s.Hi >= 0 }

// Specials analyses a function forwards, node by node. Rounding to nearest is monotone, so the rounded bounds of an
// operation bound its rounded values.
func Specials(f *ir.Func) []Special {
	s := make([]Special, len(f.Nodes))
	for i, n := range f.Nodes {
		switch n.Op {
		case ir.Param:
			p := f.Params[n.Imm]
			finite := p.Fact.Finite()
			s[i] = Special{NaN: !finite, Inf: !finite, Lo: p.Fact.Lo, Hi: p.Fact.Hi}
			s[i].NegZero = s[i].zero()
		case ir.Const, ir.Real:
			x, _ := f.ConstValue(ir.Value(i))
			s[i] = Special{NaN: x != x, Inf: math.IsInf(x, 0), NegZero: x == 0 && math.Signbit(x), Lo: x, Hi: x}
			if x != x {
				s[i].Lo, s[i].Hi = math.Inf(-1), math.Inf(1)
			}
		default:
			s[i] = special(f, n, s)
		}
	}
	return s
}

func special(f *ir.Func, n ir.Node, all []Special) Special {
	var args [ir.MaxArity]Special
	facts := make([]ir.Fact, 0, ir.MaxArity)
	out := Special{}
	for k, v := range n.Operands() {
		args[k] = all[v]
		facts = append(facts, ir.Fact{Lo: args[k].Lo, Hi: args[k].Hi})
		if f.Nodes[v].Type != ir.Bool { // a condition is never NaN, whatever it compares
			out.NaN = out.NaN || args[k].NaN
		}
	}
	var bounds ir.Fact
	if d := f.Def(n); d != nil {
		bounds = d.Range(facts)
	} else if t := f.Table(n); t != nil {
		bounds = t.Range()
	} else {
		bounds = Transfer(n.Op, n.Type, facts)
	}
	if n.Op.Info().Shape == ir.ShapeLoop {
		return Special{NaN: true, Inf: true, NegZero: true, Lo: math.Inf(-1), Hi: math.Inf(1)}
	}
	if n.Type == ir.Bool {
		return Special{Lo: 0, Hi: 1}
	}
	out.Lo, out.Hi = rounded(n.Type, bounds.Lo), rounded(n.Type, bounds.Hi)
	out.Inf = math.IsInf(out.Lo, 0) || math.IsInf(out.Hi, 0)
	out.NegZero = out.zero()
	a, b, c := args[0], args[1], args[2]
	positive := func(s Special) bool { return s.Lo >= 0 && !s.NegZero }
	switch n.Op {
	case ir.Add:
		out.NaN = out.NaN || a.Inf && b.Inf
		out.NegZero = a.NegZero && b.NegZero
	case ir.Sub:
		out.NaN = out.NaN || a.Inf && b.Inf
		out.NegZero = a.NegZero && b.zero()
	case ir.Mul:
		out.NaN = out.NaN || a.Inf && b.zero() || b.Inf && a.zero()
		out.NegZero = out.NegZero && !(positive(a) && positive(b))
	case ir.Div:
		out.NaN = out.NaN || a.Inf && b.Inf || a.zero() && b.zero()
		out.Inf = out.Inf || b.zero()
		out.NegZero = out.NegZero && !(positive(a) && positive(b))
	case ir.FMA:
		out.NaN = out.NaN || a.Inf && b.zero() || b.Inf && a.zero() || (a.Inf || b.Inf) && c.Inf
	case ir.Sqrt:
		out.NaN = out.NaN || a.Lo < 0
		out.NegZero = a.NegZero
	case ir.Abs, ir.Exp:
		out.NegZero = false
	case ir.Min, ir.Max:
		out.NegZero = out.NegZero && (a.NegZero || b.NegZero)
	case ir.MinMag:
		out.NaN = a.NaN && b.NaN
		out.NegZero = a.NegZero || b.NegZero
		if a.NaN || b.NaN { // the other operand, however large
			out.Lo, out.Hi = min(a.Lo, b.Lo), max(a.Hi, b.Hi)
			out.Inf = a.Inf || b.Inf
		}
	case ir.Lookup:
		out.NaN = false
	case ir.Floor:
		out.NegZero = a.NegZero
	case ir.Neg, ir.Copysign, ir.Ceil, ir.Trunc, ir.Rint, ir.Tanh, ir.Expm1, ir.Convert:
		// Odd functions, and conversions: a zero may come out negative, NaN only where it goes in.
	case ir.Select:
		out.NaN = b.NaN || c.NaN
		out.NegZero = b.NegZero || c.NegZero
	default:
		out.NaN = true // logarithms, powers, scaling, users' operations: undefined somewhere
	}
	if out.NaN && (out.Lo != out.Lo || out.Hi != out.Hi) {
		out.Lo, out.Hi = math.Inf(-1), math.Inf(1)
	}
	return out
}

// rounded is x as type t holds it.
func rounded(t ir.Type, x float64) float64 { return ir.BitsFloat(t, ir.ConstBits(t, x)) }

// Free reports whether what the licences excuse cannot happen at the value: no NaN, no infinity, no negative zero.
func (s Special) Free(l ir.Licence) bool {
	return !(l.Has(ir.NoNaN) && s.NaN || l.Has(ir.NoInf) && s.Inf || l.Has(ir.NoSignZero) && s.NegZero)
}
