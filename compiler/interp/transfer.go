package interp

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Transfer is what is known of op's result from what is known of its operands: interval arithmetic over the reals with
// bounds rounded outwards. Conversions and pins change nothing, for facts are not about rounding. A comparison gives
// facts about 0 and 1, decided only where a NaN would decide it the same way.
func Transfer(op ir.Op, t ir.Type, args []ir.Fact) ir.Fact {
	info := op.Info()
	if op.Leaf() || info.Shape == ir.ShapeLoop || len(args) != info.Arity {
		return ir.Unknown
	}
	f := transfer(op, args)
	if !(f.Lo <= f.Hi) {
		return ir.Unknown // operands without a common domain
	}
	f.NonZero = f.NonZero || f.Lo > 0 || f.Hi < 0
	return f
}

func transfer(op ir.Op, args []ir.Fact) ir.Fact {
	a := args[0]
	switch op {
	case ir.Add:
		return addFacts(a, args[1])
	case ir.Sub:
		return addFacts(a, negFact(args[1]))
	case ir.Mul:
		return mulFacts(a, args[1])
	case ir.Div:
		return divFacts(a, args[1])
	case ir.Neg:
		return negFact(a)
	case ir.FMA:
		return addFacts(mulFacts(a, args[1]), args[2])
	case ir.Sqrt:
		return monotone(number.sqrt, atLeast(a, 0), a.NonZero)
	case ir.Abs:
		return absFact(a)
	case ir.Copysign:
		return copysignFacts(a, args[1])
	case ir.Min:
		return minFacts(a, args[1])
	case ir.Max:
		return negFact(minFacts(negFact(a), negFact(args[1])))
	case ir.MinMag:
		return minMagFacts(a, args[1])
	case ir.Floor:
		return ir.Fact{Lo: math.Floor(a.Lo), Hi: math.Floor(a.Hi), Integer: true}
	case ir.Ceil:
		return ir.Fact{Lo: math.Ceil(a.Lo), Hi: math.Ceil(a.Hi), Integer: true}
	case ir.Trunc:
		return ir.Fact{Lo: math.Trunc(a.Lo), Hi: math.Trunc(a.Hi), Integer: true}
	case ir.Rint:
		return ir.Fact{Lo: math.RoundToEven(a.Lo), Hi: math.RoundToEven(a.Hi), Integer: true}
	case ir.Ldexp:
		return ldexpFacts(a, args[1])
	case ir.Logb:
		m := absFact(a)
		return ir.Fact{Lo: math.Logb(m.Lo), Hi: math.Logb(m.Hi), Integer: true}
	case ir.Mant:
		return mantFact(absFact(a))
	case ir.Exp:
		return monotone(number.exp, a, true)
	case ir.Expm1:
		return clamp(monotone(number.expm1, a, a.NonZero), -1, math.Inf(1))
	case ir.Log:
		return monotone(number.log, atLeast(a, 0), false)
	case ir.Tanh:
		return clamp(monotone(number.tanh, a, a.NonZero), -1, 1)
	case ir.Pow:
		return powFacts(a, args[1])
	case ir.Lt:
		return refuted(a.Lo >= args[1].Hi)
	case ir.Le:
		return refuted(a.Lo > args[1].Hi)
	case ir.Eq:
		return refuted(apart(a, args[1]))
	case ir.Ne:
		if apart(a, args[1]) {
			return ir.Exactly(1)
		}
		return refuted(false)
	case ir.Select:
		return selectFacts(a, args[1], args[2])
	case ir.Convert:
		return a
	}
	return ir.Unknown
}

// down and up round a number outwards.
func down(a number) float64 {
	v := a.value()
	switch {
	case v.Hi != v.Hi || math.IsInf(v.Hi, 1) && v.Err == 0:
		if v.Err == 0 {
			return v.Hi
		}
		return math.Inf(-1)
	case math.IsInf(v.Hi, 0):
		return math.Nextafter(v.Hi, math.Inf(-1)) // finite beyond float64
	case v.Lo-v.Err >= 0:
		return v.Hi
	}
	x := math.Nextafter(v.Hi+(v.Lo-v.Err), math.Inf(-1))
	if a.far > 0 {
		x = max(x, 0)
	}
	return x
}

func up(a number) float64 { return -down(a.neg()) }

// monotone applies a non-decreasing function to both ends.
func monotone(f func(number) number, a ir.Fact, nonZero bool) ir.Fact {
	return ir.Fact{Lo: down(f(exactly(a.Lo))), Hi: up(f(exactly(a.Hi))), NonZero: nonZero}
}

// clamp cuts off what rounding outwards has added to a function's range.
func clamp(f ir.Fact, lo, hi float64) ir.Fact {
	f.Lo, f.Hi = max(lo, f.Lo), min(hi, f.Hi)
	return f
}

// atLeast restricts a fact to x >= lo, the domain of a function.
func atLeast(a ir.Fact, lo float64) ir.Fact {
	a.Lo = max(a.Lo, lo)
	if a.Hi < lo {
		a.Lo, a.Hi = math.NaN(), math.NaN()
	}
	return a
}

func negFact(a ir.Fact) ir.Fact {
	a.Lo, a.Hi = -a.Hi, -a.Lo
	return a
}

func absFact(a ir.Fact) ir.Fact {
	switch {
	case a.Lo >= 0:
		return a
	case a.Hi <= 0:
		return negFact(a)
	}
	a.Lo, a.Hi = 0, max(-a.Lo, a.Hi)
	if a.Integer && a.NonZero {
		a.Lo = 1
	}
	return a
}

func addFacts(a, b ir.Fact) ir.Fact {
	return ir.Fact{
		Lo:      down(exactly(a.Lo).add(exactly(b.Lo))),
		Hi:      up(exactly(a.Hi).add(exactly(b.Hi))),
		Integer: a.Integer && b.Integer,
	}
}

// corners is the hull of f at the corners of a box. A corner without a value (0 times infinity) is left out: its
// neighbours bound what is near it, and f is 0 on the edges through the zero.
func corners(f func(x, y number) number, a, b ir.Fact) ir.Fact {
	r := ir.Fact{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, x := range [2]float64{a.Lo, a.Hi} {
		for _, y := range [2]float64{b.Lo, b.Hi} {
			v := f(exactly(x), exactly(y))
			if v.special() && math.IsNaN(v.hi) && v.known() {
				v = exactly(0)
			}
			r.Lo, r.Hi = min(r.Lo, down(v)), max(r.Hi, up(v))
		}
	}
	return r
}

func mulFacts(a, b ir.Fact) ir.Fact {
	r := corners(number.mul, a, b)
	r.Integer, r.NonZero = a.Integer && b.Integer, a.NonZero && b.NonZero
	return r
}

// divFacts needs a divisor of one sign; zero may be its open end.
func divFacts(a, b ir.Fact) ir.Fact {
	if !b.NonZero || b.Lo < 0 && b.Hi > 0 {
		return ir.Unknown
	}
	// The sign of a zero end is that of the side which the divisor approaches it from.
	if b.Lo == 0 {
		b.Lo = 0 // not -0
	}
	if b.Hi == 0 {
		b.Hi = math.Copysign(0, -1)
	}
	r := corners(number.div, a, b)
	r.NonZero = a.NonZero
	return r
}

func copysignFacts(a, b ir.Fact) ir.Fact {
	m := absFact(a)
	switch {
	case b.Lo >= 0 && b.NonZero:
		return m
	case b.Hi <= 0 && b.NonZero:
		return negFact(m)
	}
	m.Lo = -m.Hi
	m.NonZero = a.NonZero
	return m
}

func minFacts(a, b ir.Fact) ir.Fact {
	return ir.Fact{
		Lo: min(a.Lo, b.Lo), Hi: min(a.Hi, b.Hi),
		Integer: a.Integer && b.Integer, NonZero: a.NonZero && b.NonZero,
	}
}

func minMagFacts(a, b ir.Fact) ir.Fact {
	m := min(absFact(a).Hi, absFact(b).Hi)
	return ir.Fact{
		Lo: max(-m, min(a.Lo, b.Lo)), Hi: min(m, max(a.Hi, b.Hi)),
		Integer: a.Integer && b.Integer, NonZero: a.NonZero && b.NonZero,
	}
}

func ldexpFacts(a, k ir.Fact) ir.Fact {
	scale := ir.Fact{
		Lo: Ldexp(1, k.Lo), Hi: Ldexp(1, k.Hi),
		Integer: k.Lo >= 0, NonZero: true,
	}
	if scale.Lo == math.Inf(1) {
		scale.Lo = math.MaxFloat64
	}
	if scale.Hi == 0 {
		scale.Hi = math.SmallestNonzeroFloat64
	}
	return mulFacts(a, scale)
}

func mantFact(m ir.Fact) ir.Fact {
	if e := math.Logb(m.Lo); m.Lo > 0 && e == math.Logb(m.Hi) && !math.IsInf(m.Hi, 0) {
		return ir.Between(Ldexp(m.Lo, -e), Ldexp(m.Hi, -e))
	}
	return ir.Between(1, 2)
}

func powFacts(a, b ir.Fact) ir.Fact {
	if b.Lo == b.Hi && b.Lo == math.Trunc(b.Lo) && !math.IsInf(b.Lo, 0) {
		return powerFact(a, b.Lo)
	}
	if a.Lo < 0 && b.Lo == b.Hi {
		if a = atLeast(a, 0); a.Lo != a.Lo { // no real value for the rest
			return ir.Unknown
		}
	}
	m := absFact(a)
	// y·log(x) is bilinear.
	r := monotone(number.exp, mulFacts(b, monotone(number.log, m, false)), a.NonZero)
	if a.Lo < 0 {
		r.Lo = -r.Hi
	}
	r.Integer = a.Integer && b.Integer && b.Lo >= 0
	return r
}

// powerFact is a to the integer n.
func powerFact(a ir.Fact, n float64) ir.Fact {
	if n == 0 {
		return ir.Exactly(1)
	}
	even := math.Mod(n, 2) == 0
	if even {
		a = absFact(a)
	}
	r := monotone(func(x number) number { return x.pow(exactly(math.Abs(n))) }, a, a.NonZero)
	r.Integer = a.Integer
	if n > 0 {
		return r
	}
	// At a zero of an even power its reciprocal is +Inf, which every unbounded interval holds.
	r.NonZero = r.NonZero || even
	r = divFacts(ir.Exactly(1), r)
	r.NonZero = true
	return r
}

func apart(a, b ir.Fact) bool { return a.Hi < b.Lo || b.Hi < a.Lo }

// refuted is the fact about a comparison that is false, or may be either.
func refuted(no bool) ir.Fact {
	if no {
		return ir.Exactly(0)
	}
	return ir.Fact{Lo: 0, Hi: 1, Integer: true}
}

func selectFacts(cond, a, b ir.Fact) ir.Fact {
	switch {
	case cond.Lo > 0:
		return a
	case cond.Hi <= 0:
		return b
	}
	return ir.Fact{
		Lo: min(a.Lo, b.Lo), Hi: max(a.Hi, b.Hi),
		Integer: a.Integer && b.Integer, NonZero: a.NonZero && b.NonZero,
	}
}
