package accuracy

import (
	"math"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// blockLen is how many points running evaluates at a time: a few dozen columns of that length stay in the second-level cache.
const blockLen = 256

// running is Wilkinson's running error analysis over blocks of points: every node has a float64 value and a first-order
// bound of its error; errors of operands pass on through the partial derivatives, and each operation adds what its own
// rounding may.
//
// With the roundoff of the nodes' types it bounds the error of the function as written: each operation rounded once, each
// library function correctly. With that of float64 it bounds the error of the values themselves, which makes them a truth
// where the bound is small enough; an error of +Inf says that nothing is known. In a truth, an infinite value with error 0
// stands for a number beyond 2^1000 (huge), so that x/(1 + exp(1000)) is known to be next to 0.
type running struct {
	f          *ir.Func
	truth      bool
	value, err [][]float64 // [node][point]
}

func newRunning(f *ir.Func, truth bool) *running {
	r := &running{f: f, truth: truth, value: make([][]float64, len(f.Nodes)), err: make([][]float64, len(f.Nodes))}
	columns := make([]float64, 2*blockLen*len(f.Nodes))
	for i := range f.Nodes {
		r.value[i], columns = columns[:blockLen:blockLen], columns[blockLen:]
		r.err[i], columns = columns[:blockLen:blockLen], columns[blockLen:]
	}
	return r
}

// eval evaluates the first n <= blockLen points of the columns in, one column for each parameter.
func (r *running) eval(in Points, from, n int) {
	for i := range r.f.Nodes {
		node := &r.f.Nodes[i]
		value, err := r.value[i][:n], r.err[i][:n]
		switch {
		case node.Op == ir.Param:
			copy(value, in[node.Imm][from:from+n])
			clear(err)
			continue
		case node.Op.Leaf():
			x, _ := r.f.ConstValue(ir.Value(i))
			e := 0.0
			if node.Op == ir.Real {
				if r.truth {
					x, _ = r.f.Reals[node.Imm].Float64()
				}
				e = r.roundoff(node.Type, x)
			}
			for k := range value {
				value[k], err[k] = x, e
			}
			continue
		}
		r.node(node, value, err)
		if r.truth {
			r.settleHuge(node, value, err)
		}
		if r.adds(node.Op) {
			r.addRoundoff(node.Type, value, err)
		}
	}
}

// adds reports whether an operation rounds. The others are exact, or steps: the analysis of the function as written does not
// see their jumps, that of a truth knows nothing near them (see step).
func (r *running) adds(op ir.Op) bool {
	switch op {
	case ir.Neg, ir.Abs, ir.Copysign, ir.Min, ir.Max, ir.MinMag, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Logb, ir.Mant,
		ir.Lookup, ir.Select,
		ir.Lt, ir.Le, ir.Eq, ir.Ne:
		return false
	case ir.Convert:
		return !r.truth // a conversion is the identity over the reals
	}
	return true
}

// node evaluates one operation but for its own roundoff.
func (r *running) node(n *ir.Node, value, err []float64) {
	a, ea := r.value[n.Args[0]], r.err[n.Args[0]]
	b, eb := r.value[n.Args[1]], r.err[n.Args[1]]
	c, ec := r.value[n.Args[2]], r.err[n.Args[2]]
	// unary applies a monotone function with its derivative. In a truth, where the operand's error is not small, its ends bound the change.
	unary := func(f func(x float64) (y, slope float64)) {
		for k := range value {
			y, slope := f(a[k])
			value[k], err[k] = y, ea[k]*math.Abs(slope)
			if r.truth && ea[k] > firstOrder*math.Min(1, math.Abs(a[k])) {
				low, _ := f(a[k] - ea[k])
				high, _ := f(a[k] + ea[k])
				err[k] = math.Max(err[k], math.Max(math.Abs(high-y), math.Abs(y-low)))
			}
		}
	}
	// step applies a step function.
	step := func(f func(x float64) float64) {
		for k := range value {
			value[k], err[k] = f(a[k]), 0
			r.step(&err[k], ea[k])
		}
	}
	switch n.Op {
	case ir.Add:
		for k := range value {
			value[k], err[k] = a[k]+b[k], ea[k]+eb[k]
		}
	case ir.Sub:
		for k := range value {
			value[k], err[k] = a[k]-b[k], ea[k]+eb[k]
		}
	case ir.Mul:
		for k := range value {
			value[k], err[k] = a[k]*b[k], product(ea[k], b[k])+product(eb[k], a[k])+both(ea[k], eb[k])
		}
	case ir.Div:
		for k := range value {
			y, least := a[k]/b[k], math.Abs(b[k])
			value[k], err[k] = y, (ea[k]+product(eb[k], y))/least
			if r.truth && eb[k] > 0 {
				if least -= eb[k]; !(least > 0) {
					least = 0
				}
				err[k] = (ea[k] + product(eb[k], y)) / least
			}
		}
	case ir.FMA:
		for k := range value {
			value[k], err[k] = math.FMA(a[k], b[k], c[k]), product(ea[k], b[k])+product(eb[k], a[k])+both(ea[k], eb[k])+ec[k]
		}
	case ir.Sqrt:
		unary(func(x float64) (float64, float64) { y := math.Sqrt(x); return y, 0.5 / y })
		if !r.truth {
			// Next to 0 the derivative says nothing: the difference of two roots is at most the root of the difference.
			for k := range err {
				if err[k] = math.Min(err[k], math.Sqrt(ea[k])); a[k] < 0 && a[k]+ea[k] >= 0 {
					err[k] = math.Inf(1) // rounding may have brought it into the domain
				}
			}
		}
	case ir.Exp:
		unary(func(x float64) (float64, float64) { y := math.Exp(x); return y, y })
	case ir.Expm1:
		unary(func(x float64) (float64, float64) { y := math.Expm1(x); return y, y + 1 })
	case ir.Log:
		unary(func(x float64) (float64, float64) { return interp.Log(x), 1 / x })
	case ir.Tanh:
		unary(func(x float64) (float64, float64) { y := math.Tanh(x); return y, 1 - y*y })
	case ir.Pow:
		for k := range value {
			y := math.Pow(a[k], b[k])
			value[k] = y
			err[k] = product(ea[k], y*b[k]/a[k]) + product(eb[k], y*math.Log(math.Abs(a[k])))
			if r.truth && !(product(ea[k], b[k]/a[k])+product(eb[k], math.Log(math.Abs(a[k]))) <= firstOrder) {
				err[k] = math.Inf(1)
			}
		}
	case ir.Neg:
		unary(func(x float64) (float64, float64) { return -x, 1 })
	case ir.Abs:
		unary(func(x float64) (float64, float64) { return math.Abs(x), 1 })
	case ir.Convert:
		unary(func(x float64) (float64, float64) { return x, 1 })
	case ir.Copysign:
		for k := range value {
			value[k], err[k] = math.Copysign(a[k], b[k]), ea[k]
			r.step(&err[k], eb[k])
		}
	case ir.Mant:
		for k := range value {
			if a[k] == 0 || math.IsInf(a[k], 0) {
				value[k], err[k] = 1, 0
			} else {
				_, e := math.Frexp(a[k])
				value[k], err[k] = 2*math.Abs(math.Ldexp(a[k], -e)), math.Ldexp(ea[k], 1-e)
			}
			r.step(&err[k], ea[k])
		}
	case ir.Min, ir.Max:
		for k := range value {
			x, y := a[k], b[k]
			if n.Op == ir.Max {
				x, y = -x, -y
			}
			switch value[k] = min(x, y); {
			case x+ea[k] < y-eb[k]:
				err[k] = ea[k]
			case y+eb[k] < x-ea[k]:
				err[k] = eb[k]
			default:
				err[k] = max(ea[k], eb[k])
			}
			if n.Op == ir.Max {
				value[k] = -value[k]
			}
		}
	case ir.MinMag:
		for k := range value {
			x, y := math.Abs(a[k]), math.Abs(b[k])
			switch {
			case a[k] != a[k] || y+eb[k] < x-ea[k]:
				value[k], err[k] = b[k], eb[k]
			case b[k] != b[k] || x+ea[k] < y-eb[k]:
				value[k], err[k] = a[k], ea[k]
			default:
				if value[k], err[k] = a[k], ea[k]+eb[k]; y < x || x == y && b[k] < a[k] {
					value[k] = b[k]
				}
				if r.truth && math.Signbit(a[k]) != math.Signbit(b[k]) {
					r.step(&err[k], ea[k]+eb[k])
				}
			}
		}
	case ir.Lookup:
		table := r.f.Table(*n)
		step(func(x float64) float64 { return table.Of(n.Type, x) })
	case ir.Floor:
		step(math.Floor)
	case ir.Ceil:
		step(math.Ceil)
	case ir.Trunc:
		step(math.Trunc)
	case ir.Rint:
		step(math.RoundToEven)
	case ir.Logb:
		step(math.Logb)
	case ir.Ldexp:
		for k := range value {
			by := int(math.Max(-5000, math.Min(5000, math.Floor(b[k]))))
			value[k], err[k] = math.Ldexp(a[k], by), math.Ldexp(ea[k], by)
			r.step(&err[k], eb[k])
		}
	case ir.Lt, ir.Le, ir.Eq, ir.Ne:
		for k := range value {
			value[k], err[k] = 0, 0
			if interp.Relation(n.Op, a[k], b[k]) {
				value[k] = 1
			}
			if math.Abs(a[k]-b[k]) <= ea[k]+eb[k] {
				r.step(&err[k], ea[k]+eb[k])
			}
		}
	case ir.Select:
		for k := range value {
			if value[k], err[k] = c[k], ec[k]; a[k] != 0 {
				value[k], err[k] = b[k], eb[k]
			}
			r.step(&err[k], ea[k])
		}
	case ir.Call1, ir.Call2, ir.Call3:
		r.call(r.f.Def(*n), n.Operands(), value, err)
	default:
		for k := range value {
			value[k], err[k] = math.NaN(), math.Inf(1)
		}
	}
}

// firstOrder is how large an error may be, relative or beside 1, for the first-order bound of a truth to be good to a thousandth.
const firstOrder = 0x1p-10

// step forgets everything about the result of a function that jumps, where the argument that decides is not exact.
func (r *running) step(err *float64, argument float64) {
	if r.truth && argument != 0 {
		*err = math.Inf(1)
	}
}

// product is the error e carried by a factor: nothing by an exact operand, even if the factor is infinite.
func product(e, factor float64) float64 {
	if e == 0 {
		return 0
	}
	return e * math.Abs(factor)
}

// both is the part of a product's error to which both factors contribute: nothing where one of them is exact.
func both(ea, eb float64) float64 {
	if ea == 0 || eb == 0 {
		return 0
	}
	return ea * eb
}

// addRoundoff adds what rounding the result adds to its error. A function as written that has lost its bound (0·Inf next
// to a pole) claims nothing; a truth that has lost it is unknown.
func (r *running) addRoundoff(t ir.Type, value, err []float64) {
	for k, x := range value {
		if r.truth && math.IsInf(x, 0) {
			continue // huge, or unknown
		}
		if !r.truth && math.IsInf(err[k], 1) {
			continue // and x may be NaN
		}
		e := err[k] + r.roundoff(t, x)
		switch {
		case e == e:
		case r.truth:
			e = math.Inf(1)
		default:
			e = 0
		}
		err[k] = e
	}
}

// settleHuge decides what is known where a value or a divisor is infinite.
func (r *running) settleHuge(n *ir.Node, value, err []float64) {
	operand := func(i, k int) (x, e float64) { return r.value[n.Args[i]][k], r.err[n.Args[i]][k] }
	huge := func(i, k int) bool { x, e := operand(i, k); return math.IsInf(x, 0) && e == 0 }
	for k, y := range value {
		if n.Op == ir.Div && huge(1, k) {
			if x, e := operand(0, k); !math.IsInf(x, 0) && e < math.Inf(1) {
				value[k], err[k] = 0, (math.Abs(x)+e)*0x1p-1000
			} else {
				err[k] = math.Inf(1)
			}
			continue
		}
		if !math.IsInf(y, 0) {
			if n.Op == ir.Min || n.Op == ir.Max {
				for i := range 2 {
					if x, e := operand(1-i, k); huge(i, k) && !(math.Abs(x)+e < 0x1p999) {
						err[k] = math.Inf(1) // which of the two is the lesser?
					}
				}
				continue
			}
			for i := range n.Op.Info().Arity {
				// tanh and a choice are right about what is huge; a logarithm or a root of it may be anything large.
				if huge(i, k) && n.Op != ir.Tanh && n.Op != ir.Select && n.Op.Info().Shape != ir.ShapeCompare && !(n.Op == ir.Exp && y == 0) {
					err[k] = math.Inf(1)
				}
			}
			continue
		}
		known := false
		switch n.Op {
		case ir.Exp, ir.Expm1:
			x, e := operand(0, k)
			known = x-e > 1000*math.Ln2 || huge(0, k)
		case ir.Add, ir.Sub, ir.Min, ir.Max:
			for i := range 2 {
				x, e := operand(1-i, k)
				known = known || huge(i, k) && math.Abs(x)+e < 0x1p999
			}
			known = known || huge(0, k) && huge(1, k) // of one sign, or the sum would be NaN; the lesser of two is one of them
		case ir.Mul:
			for i := range 2 {
				x, e := operand(1-i, k)
				known = known || huge(i, k) && math.Abs(x)-e >= 1
			}
		case ir.Neg, ir.Abs, ir.Copysign, ir.Convert:
			known = huge(0, k)
		case ir.Select, ir.Call1, ir.Call2, ir.Call3: // a call without error is infinite all around
			known = err[k] == 0
		}
		if err[k] = math.Inf(1); known {
			err[k] = 0
		}
	}
}

// functionULPs is the error that a truth allows a function of package math, in units of 2^-53: they are within an ulp.
const functionULPs = 4

// roundoff is what one rounding may add at x: half an ulp of the type as written; for a truth an ulp or two of float64, so
// that package math's functions are covered too.
func (r *running) roundoff(t ir.Type, x float64) float64 {
	switch {
	case r.truth:
		return math.Abs(x)*(functionULPs*0x1p-53) + 0x1p-1074
	case t == ir.Float32:
		return math.Max(math.Abs(x)*0x1p-24, 0x1p-150)
	}
	return math.Max(math.Abs(x)*0x1p-53, 0x1p-1074)
}

// result returns a result of the last evaluation.
func (r *running) result(i, k int) interp.Value {
	v := r.f.Results[i]
	return interp.Value{Hi: r.value[v][k], Err: r.err[v][k]}
}
