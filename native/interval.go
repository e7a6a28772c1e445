package native

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// interval says what values a node can have, whatever the parameters: a scaling whose exponent is known to be a small
// integer is a fraction of the general one. Exponents come out of clamps, so comparisons are followed into choices.
type interval struct {
	lo, hi float64 // of the values that are numbers
	whole  bool    // the finite ones are integers
	nan    bool    // NaN is possible
}

// anything is what is known of most nodes.
var anything = interval{math.Inf(-1), math.Inf(1), false, true}

// roundsTwice covers the difference between two roundings and one, relative: an ulp of float32.
const roundsTwice = 0x1p-23

// finite reports that no value is infinite.
func (v interval) finite() bool { return !math.IsInf(v.lo, 0) && !math.IsInf(v.hi, 0) }

// union holds the values of either.
func (v interval) union(w interval) interval {
	return interval{math.Min(v.lo, w.lo), math.Max(v.hi, w.hi), v.whole && w.whole, v.nan || w.nan}
}

// intervals computes the interval of every node; that of a bool means nothing. Rounding is monotonic, so the rounded
// operation on ends bounds the rounded operation.
func intervals(f *ir.Func) []interval { return intervalsAt(f, nil) }

// intervalsAt is intervals for given parameters; nil: any.
func intervalsAt(f *ir.Func, params []float64) []interval {
	list := make([]interval, len(f.Nodes))
	for i, n := range f.Nodes {
		arg := func(j int) interval { return list[n.Args[j]] }
		round := func(x float64) float64 { return ir.BitsFloat(n.Type, ir.ConstBits(n.Type, x)) }
		list[i] = anything
		switch n.Op {
		case ir.Param:
			if params != nil {
				x := params[n.Imm]
				list[i] = interval{x, x, x == math.Floor(x), false}
			}
		case ir.Convert:
			if params != nil {
				list[i] = arg(0) // ordinary numbers are near enough
			}
		case ir.Const, ir.Real:
			bits := n.Imm
			if n.Op == ir.Real {
				bits = ir.RoundReal(n.Type, f.Reals[n.Imm])
			}
			if x := ir.BitsFloat(n.Type, bits); !math.IsNaN(x) {
				list[i] = interval{x, x, x == math.Floor(x), false}
			}
		case ir.Neg:
			a := arg(0)
			list[i] = interval{-a.hi, -a.lo, a.whole, a.nan}
		case ir.Abs:
			a := arg(0)
			list[i] = interval{math.Max(0, math.Max(a.lo, -a.hi)), math.Max(-a.lo, a.hi), a.whole, a.nan}
		case ir.Min:
			a, b := arg(0), arg(1)
			list[i] = interval{math.Min(a.lo, b.lo), math.Min(a.hi, b.hi), a.whole && b.whole, a.nan || b.nan}
		case ir.Max:
			a, b := arg(0), arg(1)
			list[i] = interval{math.Max(a.lo, b.lo), math.Max(a.hi, b.hi), a.whole && b.whole, a.nan || b.nan}
		case ir.MinMag:
			list[i] = smaller(arg(0), arg(1))
		case ir.Lookup:
			r := f.Table(n).Range()
			list[i] = interval{r.Lo, r.Hi, r.Integer, false}
		case ir.Floor:
			a := arg(0)
			list[i] = interval{math.Floor(a.lo), math.Floor(a.hi), true, a.nan}
		case ir.Ceil:
			a := arg(0)
			list[i] = interval{math.Ceil(a.lo), math.Ceil(a.hi), true, a.nan}
		case ir.Trunc:
			a := arg(0)
			list[i] = interval{math.Trunc(a.lo), math.Trunc(a.hi), true, a.nan}
		case ir.Rint:
			a := arg(0)
			list[i] = interval{math.RoundToEven(a.lo), math.RoundToEven(a.hi), true, a.nan}
		case ir.Mul:
			list[i] = product(arg(0), arg(1), round)
		case ir.FMA:
			if p := product(arg(0), arg(1), func(x float64) float64 { return x }); p != anything {
				v := sum(p, arg(2), round)
				v.lo -= math.Abs(v.lo) * roundsTwice
				v.hi += math.Abs(v.hi) * roundsTwice
				list[i] = v
			}
		case ir.Add:
			list[i] = sum(arg(0), arg(1), round)
		case ir.Sub:
			b := arg(1)
			list[i] = sum(arg(0), interval{-b.hi, -b.lo, b.whole, b.nan}, round)
		case ir.Select:
			list[i] = chosen(f, list, n)
		}
	}
	return list
}

func product(a, b interval, round func(float64) float64) interval {
	ends := [4]float64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
	v := interval{math.Inf(1), math.Inf(-1), a.whole && b.whole, a.nan || b.nan}
	for _, x := range ends {
		v.lo, v.hi = math.Min(v.lo, round(x)), math.Max(v.hi, round(x)) // NaN, from 0 and infinity, stays
	}
	if zero := func(v interval) bool { return v.lo <= 0 && v.hi >= 0 }; zero(a) && !b.finite() || zero(b) && !a.finite() {
		return anything
	}
	return v
}

// smaller is the interval of the operand of smaller magnitude. A NaN gives way to the other operand.
func smaller(a, b interval) interval {
	v := a.union(b)
	v.nan = a.nan && b.nan
	x, y := math.Max(-a.lo, a.hi), math.Max(-b.lo, b.hi)
	m := math.Min(x, y)
	switch {
	case a.nan && b.nan:
		m = math.Max(x, y)
	case a.nan:
		m = y
	case b.nan:
		m = x
	}
	v.lo, v.hi = math.Max(v.lo, -m), math.Min(v.hi, m)
	return v
}

func sum(a, b interval, round func(float64) float64) interval {
	if !a.finite() || !b.finite() {
		return anything
	}
	return interval{round(a.lo + b.lo), round(a.hi + b.hi), a.whole && b.whole, a.nan || b.nan}
}

// chosen is the interval of a choice. If it is between the operands of its comparison a < b, each is bounded by the other:
// where a was chosen for being less, a is at most what b can be, and neither is NaN; where it was not, b <= a, unless
// there is a NaN.
func chosen(f *ir.Func, list []interval, n ir.Node) interval {
	cond, yes, no := f.Nodes[n.Args[0]], n.Args[1], n.Args[2]
	y, z := list[yes], list[no]
	if cond.Op != ir.Lt && cond.Op != ir.Le {
		return y.union(z)
	}
	a, b := cond.Args[0], cond.Args[1]
	below := func(v, w interval) interval { v.hi = math.Min(v.hi, w.hi); return v }
	above := func(v, w interval) interval { v.lo = math.Max(v.lo, w.lo); return v }
	switch yes {
	case a:
		y = below(y, list[b])
		y.nan = false
	case b:
		y = above(y, list[a])
		y.nan = false
	}
	switch {
	case no == a && !list[b].nan:
		z = above(z, list[b])
	case no == b && !list[a].nan:
		z = below(z, list[a])
	}
	return y.union(z)
}
