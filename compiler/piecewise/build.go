package piecewise

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// writer emits operations of one type.
type writer struct {
	*ir.Builder
	typ ir.Type
	has func(ir.Op) bool
}

func (w writer) number(x float64) ir.Value { return w.Const(w.typ, x) }

// fma is a·b + c.
func (w writer) fma(a, b, c ir.Value) ir.Value {
	if w.has(ir.FMA) {
		return w.pinned(ir.FMA, a, b, c)
	}
	return w.pinned(ir.Add, w.pinned(ir.Mul, a, b), c)
}

// pinned emits an operation whose rounding is meant.
func (w writer) pinned(op ir.Op, args ...ir.Value) ir.Value {
	v, err := w.EmitPinned(op, w.typ, args...)
	if err != nil {
		panic(err) // all operands are of one type
	}
	return v
}

// above is max(v, c) and below min(v, c) for a number c; a NaN stays.
func (w writer) above(v ir.Value, c float64) ir.Value {
	return w.Must(ir.Select, w.Must(ir.Lt, v, w.number(c)), w.number(c), v)
}

func (w writer) below(v ir.Value, c float64) ir.Value {
	return w.Must(ir.Select, w.Must(ir.Lt, w.number(c), v), w.number(c), v)
}

// Build writes the form's value at x, which must be of its type.
func (f *Form) Build(b *ir.Builder, x ir.Value) ir.Value {
	w := writer{b, f.typ, f.has}
	s, g := &f.shape, &f.grid
	u, factor := x, x
	switch {
	case s.fold && s.hi.clamp && s.base == ramp && f.has(ir.MinMag):
		// The ramp passes on a NaN, so that the polynomial may forget it.
		u = w.Must(ir.Abs, w.Must(ir.MinMag, x, w.number(g.hi)))
		factor = u
	case s.fold:
		if u = w.Must(ir.Abs, x); s.hi.clamp {
			u = w.below(u, g.hi)
		}
		factor = u
	default:
		if s.lo.clamp {
			if u = w.above(u, g.lo); s.lo.flat && s.lo.value == 0 {
				factor = u // 0 times an infinity is no limit
			}
		}
		if s.hi.clamp {
			u = w.below(u, g.hi)
			switch {
			case !(s.hi.flat && s.hi.value == 0):
			case factor == x:
				factor = w.below(x, g.hi)
			default:
				factor = u
			}
		}
	}
	y := f.polynomial(w, u)
	if s.base == ramp {
		r := w.above(x, math.Copysign(0, -1))
		if s.slope != 1 {
			r = w.Must(ir.Mul, r, w.number(s.slope))
		}
		switch {
		case s.factor:
			return w.fma(w.Must(ir.Neg, factor), y, r)
		default:
			return w.Must(ir.Add, y, r)
		}
	}
	switch {
	case s.factor && s.odd:
		y = w.Must(ir.Mul, w.Must(ir.Copysign, factor, x), y)
	case s.factor:
		y = w.Must(ir.Mul, factor, y)
	case s.odd && f.negative:
		y = w.Must(ir.Mul, w.Must(ir.Copysign, w.number(1), x), y)
	case s.odd:
		y = w.Must(ir.Copysign, y, x)
	}
	switch s.base {
	case line:
		return w.fma(x, w.number(s.slope), y)
	case magnitude:
		return w.fma(w.Must(ir.Abs, x), w.number(s.slope), y)
	}
	return y
}

// polynomial is Horner's scheme with the coefficients of u's piece.
func (f *Form) polynomial(w writer, u ir.Value) ir.Value {
	d, coef := u, func(n int) ir.Value { return w.number(f.coefs[n][0]) }
	if f.grid.centre != 0 {
		d = w.pinned(ir.Sub, u, w.number(f.grid.centre))
	}
	if f.Pieces > 1 {
		magic := 0x1.8p23
		if f.typ == ir.Float64 {
			magic = 0x1.8p52
		}
		scale, round := w.number(f.grid.scale), w.number(magic)
		var z ir.Value
		if w.has(ir.FMA) {
			z = w.pinned(ir.FMA, u, scale, round)
			d = w.pinned(ir.FMA, u, scale, w.Must(ir.Neg, w.pinned(ir.Sub, z, round)))
		} else {
			t := w.pinned(ir.Mul, u, scale)
			z = w.pinned(ir.Add, t, round)
			d = w.pinned(ir.Sub, t, w.pinned(ir.Sub, z, round))
		}
		coef = func(n int) ir.Value {
			same := true
			for _, c := range f.coefs[n] {
				same = same && math.Float64bits(c) == math.Float64bits(f.coefs[n][0])
			}
			if same {
				return w.number(f.coefs[n][0])
			}
			v, err := w.Lookup(ir.NewTable(0, f.coefs[n]...), z)
			if err != nil {
				panic(err) // the entries are numbers of the type
			}
			return v
		}
	}
	y := coef(f.Degree)
	for n := f.Degree - 1; n >= 0; n-- {
		y = w.fma(y, d, coef(n))
	}
	return y
}

// Joints lists the arguments next to which pieces meet or end, with their neighbours: there a form errs most, or in another
// way than between.
func (f *Form) Joints() []float64 {
	g := &f.grid
	us := []float64{g.lo, g.hi, 0}
	for k := g.first; k <= g.last && f.Pieces > 1; k++ {
		us = append(us, (float64(k)-0.5)/g.scale, float64(k)/g.scale, (float64(k)+0.5)/g.scale)
	}
	const neighbours = 3
	var xs []float64
	for _, u := range us {
		for _, x := range f.shape.at(u) {
			x = ir.BitsFloat(f.typ, ir.ConstBits(f.typ, x))
			for _, to := range [2]float64{math.Inf(-1), math.Inf(1)} {
				y := x
				for range neighbours {
					xs = append(xs, y)
					y = next(f.typ, y, to)
				}
			}
		}
	}
	return xs
}

func next(t ir.Type, x, to float64) float64 {
	if t == ir.Float32 {
		return float64(math.Nextafter32(float32(x), float32(to)))
	}
	return math.Nextafter(x, to)
}
