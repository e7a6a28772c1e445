package interp

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// One loop per operation. Every loop reads element i of its operands before it writes element i of d, so operands and
// result may be the same slice.

func arith[T float](op ir.Op, d, a, b, c []T) {
	switch op {
	case ir.Add:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = a[i] + b[i]
		}
	case ir.Sub:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = a[i] - b[i]
		}
	case ir.Mul:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = a[i] * b[i]
		}
	case ir.Div:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = a[i] / b[i]
		}
	case ir.Neg:
		a = a[:len(d)]
		for i := range d {
			d[i] = -a[i]
		}
	case ir.Sqrt:
		// A square root of a float32 taken in float64 rounds as if once: 53 >= 2*24 + 2 bits.
		a = a[:len(d)]
		for i := range d {
			d[i] = T(math.Sqrt(float64(a[i])))
		}
	case ir.Abs:
		a = a[:len(d)]
		for i := range d {
			d[i] = T(math.Abs(float64(a[i])))
		}
	case ir.Copysign:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = T(math.Copysign(float64(a[i]), float64(b[i])))
		}
	case ir.Min:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = min(a[i], b[i])
		}
	case ir.Max:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = max(a[i], b[i])
		}
	case ir.MinMag:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = minMag(a[i], b[i])
		}
	case ir.Floor:
		a = a[:len(d)]
		for i := range d {
			d[i] = T(math.Floor(float64(a[i])))
		}
	case ir.Ceil:
		a = a[:len(d)]
		for i := range d {
			d[i] = T(math.Ceil(float64(a[i])))
		}
	case ir.Trunc:
		a = a[:len(d)]
		for i := range d {
			d[i] = T(math.Trunc(float64(a[i])))
		}
	case ir.Rint:
		a = a[:len(d)]
		for i := range d {
			d[i] = T(math.RoundToEven(float64(a[i])))
		}
	case ir.FMA:
		fused(d, a, b, c)
	case ir.Ldexp:
		scaled(d, a, b)
	case ir.Logb:
		unary(d, a, math.Logb)
	case ir.Mant:
		unary(d, a, mant)
	case ir.Exp:
		unary(d, a, math.Exp)
	case ir.Expm1:
		unary(d, a, math.Expm1)
	case ir.Log:
		logs(d, a)
	case ir.Tanh:
		unary(d, a, math.Tanh)
	case ir.Pow:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = T(math.Pow(float64(a[i]), float64(b[i])))
		}
	default:
		panic("interp: no loop for " + op.String())
	}
}

// minMag is IEEE 754-2019's minimumMagnitudeNumber.
func minMag[T float](a, b T) T {
	x, y := math.Abs(float64(a)), math.Abs(float64(b))
	switch {
	case a != a || y < x:
		return b
	case b != b || x < y:
		return a
	}
	return min(a, b)
}

func lookup[T float](t *ir.Table, typ ir.Type, d, a []T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = T(t.Of(typ, float64(a[i])))
	}
}

func unary[T float](d, a []T, f func(float64) float64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = T(f(float64(a[i])))
	}
}

func logs[T float](d, a []T) {
	switch d := any(d).(type) {
	case []float32:
		a := any(a).([]float32)[:len(d)]
		for i := range d {
			d[i] = Log32(a[i])
		}
	case []float64:
		unary(d, any(a).([]float64), Log)
	}
}

func fused[T float](d, a, b, c []T) {
	switch d := any(d).(type) {
	case []float32:
		a, b, c := any(a).([]float32)[:len(d)], any(b).([]float32)[:len(d)], any(c).([]float32)[:len(d)]
		for i := range d {
			d[i] = fma32(a[i], b[i], c[i])
		}
	case []float64:
		a, b, c := any(a).([]float64)[:len(d)], any(b).([]float64)[:len(d)], any(c).([]float64)[:len(d)]
		for i := range d {
			d[i] = math.FMA(a[i], b[i], c[i])
		}
	}
}

func scaled[T float](d, x, k []T) {
	switch d := any(d).(type) {
	case []float32:
		x, k := any(x).([]float32)[:len(d)], any(k).([]float32)[:len(d)]
		for i := range d {
			d[i] = ldexp32(x[i], k[i])
		}
	case []float64:
		x, k := any(x).([]float64)[:len(d)], any(k).([]float64)[:len(d)]
		for i := range d {
			d[i] = Ldexp(x[i], k[i])
		}
	}
}

func compare[T float](op ir.Op, d []bool, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	switch op {
	case ir.Lt:
		for i := range d {
			d[i] = a[i] < b[i]
		}
	case ir.Le:
		for i := range d {
			d[i] = a[i] <= b[i]
		}
	case ir.Eq:
		for i := range d {
			d[i] = a[i] == b[i]
		}
	case ir.Ne:
		for i := range d {
			d[i] = a[i] != b[i]
		}
	default:
		panic("interp: no comparison " + op.String())
	}
}

func choose[T float | bool | int64](d []T, cond []bool, a, b []T) {
	cond, a, b = cond[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		x := b[i]
		if cond[i] {
			x = a[i]
		}
		d[i] = x
	}
}

func convert[D, S float](d []D, a []S) {
	a = a[:len(d)]
	for i := range d {
		d[i] = D(a[i])
	}
}

// deliver copies a result and makes every NaN the one quiet NaN, so that no bit depends on which operand's payload a
// machine keeps.
func deliver[T float](d, a []T) {
	nan := T(math.Float64frombits(ir.ConstBits(ir.Float64, math.NaN())))
	a = a[:len(d)]
	for i := range d {
		x := a[i]
		if x != x {
			x = nan
		}
		d[i] = x
	}
}
