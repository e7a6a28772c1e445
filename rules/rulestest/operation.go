package rulestest

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

const (
	// operationPoints is how many points a user's operation is tried at; Real may take a millisecond at some.
	operationPoints = 1 << 11
	// evalULPs is how far Eval may be from Real: so many ulps of the result, and what as many ulps of the operands make.
	evalULPs = 4
)

// operation checks the definition of a user's operation: Eval against Real, and Fact against Eval.
func operation(d *ir.Def, o Options) []Finding {
	r := &egraph.Rewrite{Name: d.Name, Pos: "operation"}
	for i := range d.Arity {
		r.Vars = append(r.Vars, "x"+strconv.Itoa(i))
	}
	s := newSampler(r, ir.Float64)
	all := s.draw(o.points(operationPoints))
	c := &checker{sampler: s, o: o}
	stride := max(1, all.len()/(2*o.points(operationPoints)))
	previous := make([]float64, d.Arity)
	for i := 0; i < all.len() && len(c.findings) == 0; i += stride {
		bits := all.at(i)
		x, finite := make([]float64, d.Arity), true
		for k, b := range bits {
			x[k] = ir.BitsFloat(ir.Float64, b)
			finite = finite && x[k]-x[k] == 0
		}
		if !finite {
			continue
		}
		y := d.Eval(x)
		if d.Real != nil {
			c.evalIsReal(d, bits, x, y)
		}
		if d.Fact != nil && y-y == 0 {
			c.factHolds(d, bits, x, previous, y)
		}
		previous = x
	}
	return c.findings
}

// evalError is how much larger the error of a real value may be than it says: where a user's operation has Eval alone, that is
// taken for the truth up to an ulp, and a law must not be refused because Eval is a little worse.
func (c *checker) evalError() float64 {
	for _, s := range []*side{c.left, c.right} {
		for _, d := range s.fn.Defs {
			if d.Real == nil {
				return evalULPs
			}
		}
	}
	return 1
}

func (c *checker) evalIsReal(d *ir.Def, bits []uint64, x []float64, y float64) {
	truth := func(x []float64) interp.Value {
		b := ir.NewBuilder(d.Name)
		args := make([]ir.Value, len(x))
		for i, v := range x {
			args[i] = b.Const(ir.Float64, v)
		}
		v, err := b.Call(d, args...)
		if err != nil {
			return interp.Value{Hi: math.NaN(), Err: math.Inf(1)} // a set has only definitions that can be called
		}
		b.Return(v)
		w, err := interp.NewWide(b.Func())
		if err != nil {
			return interp.Value{Hi: math.NaN(), Err: math.Inf(1)}
		}
		var out [1]interp.Value
		w.Eval(nil, out[:])
		return out[0]
	}
	want := truth(x)
	if math.IsInf(want.Err, 1) && !want.Overflows(ir.Float64) {
		return
	}
	e := interp.ErrorULP(ir.Float64, y, want)
	if e <= evalULPs {
		return
	}
	ulp := interp.ULP(ir.Float64, want)
	allowed := evalULPs * ulp
	if d.Error != nil {
		allowed += d.Error(x, y)
	}
	for i := range x {
		for _, to := range []float64{math.Inf(-1), math.Inf(1)} {
			moved := append([]float64(nil), x...)
			if moved[i] = math.Nextafter(x[i], to); math.IsInf(moved[i], 0) {
				continue
			}
			v := truth(moved)
			allowed += evalULPs * math.Abs((v.Hi-want.Hi)+(v.Lo-want.Lo))
		}
	}
	if !(e*ulp <= allowed) {
		c.report(Inexact, fmt.Sprintf("Eval is off by %.3g ulp from Real", e), bits, want.Hi, y)
	}
}

// factHolds asks for the range over the box between this point and the last one.
func (c *checker) factHolds(d *ir.Def, bits []uint64, x, previous []float64, y float64) {
	box := make([]ir.Fact, len(x))
	for i := range x {
		box[i] = ir.Between(min(x[i], previous[i]), max(x[i], previous[i]))
	}
	point := make([]ir.Fact, len(x))
	for i := range x {
		point[i] = ir.Exactly(x[i])
	}
	slack := interp.ULP(ir.Float64, interp.Value{Hi: y}) // facts are about the real value
	for _, args := range [][]ir.Fact{box, point} {
		f := d.Range(args)
		if y < f.Lo-slack || y > f.Hi+slack || f.NonZero && y == 0 && f.Lo <= 0 && f.Hi >= 0 && allZero(x) || f.Integer && y != math.Trunc(y) {
			c.report(Outside, fmt.Sprintf("want one in %v", f), bits, y, y)
			return
		}
	}
}

// allZero says that a result of 0 has not come from underflow.
func allZero(x []float64) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}
