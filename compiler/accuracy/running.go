package accuracy

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// running evaluates a first-order running error bound of f as written at one point: each operation is rounded once, each
// library function correctly, and errors of operands pass on through the partial derivatives (Wilkinson's analysis).
// It returns the bound of each result.
type running struct {
	f          *ir.Func
	value, err []float64
}

func newRunning(f *ir.Func) *running {
	return &running{f: f, value: make([]float64, len(f.Nodes)), err: make([]float64, len(f.Nodes))}
}

func (r *running) eval(in []float64, out []float64) {
	for i := range r.f.Nodes {
		r.node(i, in)
	}
	for i, v := range r.f.Results {
		out[i] = r.err[v]
	}
}

func (r *running) node(i int, in []float64) {
	n := &r.f.Nodes[i]
	v := func(k int) float64 { return r.value[n.Args[k]] }
	e := func(k int) float64 { return r.err[n.Args[k]] }
	var value, err float64
	exact := false
	switch n.Op {
	case ir.Param:
		value, exact = in[n.Imm], true
	case ir.Const, ir.Real:
		value, _ = r.f.ConstValue(ir.Value(i))
		exact = n.Op == ir.Const
	case ir.Add:
		value, err = v(0)+v(1), e(0)+e(1)
	case ir.Sub:
		value, err = v(0)-v(1), e(0)+e(1)
	case ir.Mul:
		value, err = v(0)*v(1), e(0)*math.Abs(v(1))+e(1)*math.Abs(v(0))
	case ir.Div:
		value = v(0) / v(1)
		err = (e(0) + e(1)*math.Abs(value)) / math.Abs(v(1))
	case ir.FMA:
		value, err = math.FMA(v(0), v(1), v(2)), e(0)*math.Abs(v(1))+e(1)*math.Abs(v(0))+e(2)
	case ir.Sqrt:
		value = math.Sqrt(v(0))
		err = e(0) / (2 * math.Abs(value)) // the root of -0 is -0
	case ir.Exp:
		value = math.Exp(v(0))
		err = e(0) * value
	case ir.Expm1:
		value = math.Expm1(v(0))
		err = e(0) * (value + 1)
	case ir.Log:
		value, err = math.Log(v(0)), e(0)/math.Abs(v(0))
	case ir.Tanh:
		value = math.Tanh(v(0))
		err = e(0) * (1 - value*value)
	case ir.Pow:
		value = math.Pow(v(0), v(1))
		err = e(0)*math.Abs(value*v(1)/v(0)) + e(1)*math.Abs(value*math.Log(math.Abs(v(0))))
	case ir.Neg, ir.Abs, ir.Copysign, ir.Mant, ir.Rint, ir.Logb:
		// Exact, or a step function whose steps the bound does not see.
		exact = true
		switch n.Op {
		case ir.Neg:
			value, err = -v(0), e(0)
		case ir.Abs:
			value, err = math.Abs(v(0)), e(0)
		case ir.Copysign:
			value, err = math.Copysign(v(0), v(1)), e(0)
		case ir.Mant:
			_, exp := math.Frexp(v(0))
			value, err = 2*math.Abs(math.Ldexp(v(0), -exp)), math.Ldexp(e(0), 1-exp)
		case ir.Rint:
			value = math.RoundToEven(v(0))
		case ir.Logb:
			value = math.Logb(v(0))
		}
	case ir.Ldexp:
		k := int(math.Max(-5000, math.Min(5000, math.Floor(v(1)))))
		value, err = math.Ldexp(v(0), k), math.Ldexp(e(0), k)
	case ir.Convert:
		value, err = v(0), e(0)
	case ir.Lt, ir.Le, ir.Eq, ir.Ne:
		exact = true
		if compare(n.Op, v(0), v(1)) {
			value = 1
		}
	case ir.Select:
		exact = true
		if value, err = v(2), e(2); v(0) != 0 {
			value, err = v(1), e(1)
		}
	}
	if !exact {
		err += roundoff(n.Type, value)
	}
	if err != err {
		err = 0 // 0·Inf next to a pole: claim nothing
	}
	r.value[i], r.err[i] = value, err
}

func compare(op ir.Op, a, b float64) bool {
	switch op {
	case ir.Lt:
		return a < b
	case ir.Le:
		return a <= b
	case ir.Eq:
		return a == b
	}
	return a != b
}

// roundoff is half an ulp of the type at x: what one rounding may add.
func roundoff(t ir.Type, x float64) float64 {
	if t == ir.Float32 {
		return math.Max(math.Abs(x)*0x1p-24, 0x1p-150)
	}
	return math.Max(math.Abs(x)*0x1p-53, 0x1p-1074)
}
