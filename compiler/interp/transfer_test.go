package interp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// randomFact is an interval, perhaps a point, half-open at infinity or at zero, with flags.
func randomFact(r *rand.Rand) ir.Fact {
	end := func() float64 {
		switch r.IntN(8) {
		case 0:
			return 0
		case 1:
			return math.Inf(1 - 2*r.IntN(2))
		case 2:
			return float64(r.IntN(9) - 4)
		case 3:
			return math.Ldexp(r.NormFloat64(), r.IntN(2000)-1000)
		}
		return r.NormFloat64() * 5
	}
	a, b := end(), end()
	if r.IntN(8) == 0 && a-a == 0 {
		b = a
	}
	f := ir.Between(min(a, b), max(a, b))
	if math.IsInf(f.Lo, 1) || math.IsInf(f.Hi, -1) {
		return ir.Unknown
	}
	if r.IntN(3) == 0 && math.Floor(f.Hi) >= f.Lo {
		f.Integer = true
	}
	if r.IntN(3) == 0 && (f.Lo != 0 || f.Hi != 0) {
		f.NonZero = true
	}
	return f
}

// pick returns a float64 that the fact allows.
func pick(r *rand.Rand, f ir.Fact) (float64, bool) {
	lo, hi := max(f.Lo, -math.MaxFloat64), min(f.Hi, math.MaxFloat64)
	for range 20 {
		var x float64
		switch r.IntN(6) {
		case 0:
			x = lo
		case 1:
			x = hi
		case 2:
			x = lo + r.Float64()*(min(hi, lo+10)-lo)
		case 3:
			x = hi - r.Float64()*(hi-max(lo, hi-10))
		case 4:
			x = float64(r.IntN(9) - 4)
		default:
			x = lo/2 + r.Float64()*(hi/2-lo/2)
		}
		if f.Integer {
			x = math.Round(x)
		}
		if f.Lo <= x && x <= f.Hi && !(f.NonZero && x == 0) && !math.IsInf(x, 0) {
			return x, true
		}
	}
	return 0, false
}

// holds reports whether the fact allows a value of Wide. Poles and NaN are outside the domain.
func holds(f ir.Fact, v Value) bool {
	if v.Hi != v.Hi || math.IsInf(v.Hi, 0) && v.Err == 0 {
		return true
	}
	if math.IsInf(v.Hi, 0) { // finite beyond float64
		return (math.IsInf(f.Lo, -1) || v.Hi > 0) && (math.IsInf(f.Hi, 1) || v.Hi < 0)
	}
	if v.Err > 0 && v.Hi == 0 { // next to zero
		return f.Lo <= v.Err && f.Hi >= -v.Err
	}
	below := v.Hi < f.Lo || v.Hi == f.Lo && v.Lo+v.Err < 0
	above := v.Hi > f.Hi || v.Hi == f.Hi && v.Lo-v.Err > 0
	zero := f.NonZero && v.Hi == 0 && v.Err == 0
	fraction := f.Integer && v.Err == 0 && (v.Hi != math.Trunc(v.Hi) || v.Lo != math.Trunc(v.Lo))
	return !below && !above && !zero && !fraction
}

func TestTransferContains(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for op := ir.Add; op <= ir.Convert; op++ {
		if op == ir.Select {
			continue
		}
		var f *ir.Func
		if !op.Takes(ir.Float64) {
			continue
		}
		if op == ir.Convert {
			b := ir.NewBuilder("convert")
			v, _ := b.Emit(op, ir.Float64, b.Param("x", ir.Float64, ir.Unknown))
			b.Return(v)
			f = b.Func()
		} else {
			f = single(op, ir.Float64)
		}
		w, err := NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		informative := 0
		for range 700 {
			facts := make([]ir.Fact, op.Info().Arity)
			for i := range facts {
				facts[i] = randomFact(r)
			}
			if op == ir.Pow && r.IntN(2) == 0 {
				facts[1] = ir.Exactly(float64(r.IntN(13) - 4))
			}
			got := Transfer(op, ir.Float64, facts)
			if got != ir.Unknown {
				informative++
			}
			for range 6 {
				in := make([]float64, len(facts))
				ok := true
				for i := range in {
					var have bool
					in[i], have = pick(r, facts[i])
					ok = ok && have
				}
				if !ok {
					break
				}
				var v [1]Value
				w.Eval(in, v[:])
				if !holds(got, v[0]) {
					t.Fatalf("%v of %v is %v, but %v gives %+v", op, facts, got, in, v[0])
				}
			}
		}
		if informative < 100 {
			t.Errorf("%v: only %d of 700 facts say anything", op, informative)
		}
	}
}

func TestTransferIsTight(t *testing.T) {
	inf := math.Inf(1)
	between := ir.Between
	nonZero := func(f ir.Fact) ir.Fact { f.NonZero = true; return f }
	integer := func(f ir.Fact) ir.Fact { f.Integer = true; return f }
	bit := ir.Fact{Lo: 0, Hi: 1, Integer: true}
	for _, c := range []struct {
		op   ir.Op
		args []ir.Fact
		want ir.Fact
	}{
		{ir.Add, []ir.Fact{between(1, 2), between(-3, 4)}, between(-2, 6)},
		{ir.Add, []ir.Fact{integer(between(1, 2)), integer(ir.Unknown)}, integer(ir.Unknown)},
		{ir.Sub, []ir.Fact{between(1, 2), between(-3, 0.5)}, between(0.5, 5)},
		{ir.Add, []ir.Fact{between(1, math.MaxFloat64), between(1, math.MaxFloat64)}, between(2, inf)},
		{ir.Mul, []ir.Fact{between(-1, 2), between(-3, 4)}, between(-6, 8)},
		{ir.Mul, []ir.Fact{between(0, inf), between(0, inf)}, between(0, inf)},
		{ir.Mul, []ir.Fact{nonZero(ir.Unknown), between(1, 2)}, nonZero(ir.Unknown)},
		{ir.Div, []ir.Fact{between(1, 2), between(4, 8)}, between(0.125, 0.5)},
		{ir.Div, []ir.Fact{between(1, 2), nonZero(between(0, 4))}, between(0.25, inf)},
		{ir.Div, []ir.Fact{between(1, 2), nonZero(between(-4, 0))}, between(-inf, -0.25)},
		{ir.Div, []ir.Fact{between(1, 2), between(0, 4)}, ir.Unknown},
		{ir.Div, []ir.Fact{between(1, 2), between(1, inf)}, nonZero(between(0, 2))},
		{ir.FMA, []ir.Fact{between(1, 2), between(3, 4), between(-1, 0)}, between(2, 8)},
		{ir.Sqrt, []ir.Fact{between(-1, 4)}, between(0, 2)},
		{ir.Sqrt, []ir.Fact{between(-2, -1)}, ir.Unknown},
		{ir.Abs, []ir.Fact{ir.Unknown}, between(0, inf)},
		{ir.Abs, []ir.Fact{between(-3, 2)}, between(0, 3)},
		{ir.Abs, []ir.Fact{between(-3, -2)}, between(2, 3)},
		{ir.Copysign, []ir.Fact{between(1, 2), between(1, 2)}, between(1, 2)},
		{ir.Copysign, []ir.Fact{between(1, 2), between(-2, -1)}, between(-2, -1)},
		{ir.Copysign, []ir.Fact{between(1, 2), ir.Unknown}, nonZero(between(-2, 2))},
		{ir.Copysign, []ir.Fact{between(1, 2), between(0, 2)}, nonZero(between(-2, 2))},
		{ir.Min, []ir.Fact{between(-1, 2), between(-3, 4)}, between(-3, 2)},
		{ir.Min, []ir.Fact{integer(ir.Unknown), integer(between(-3, 4))}, integer(between(-inf, 4))},
		{ir.MinMag, []ir.Fact{between(-1, 5), between(-3, 4)}, between(-3, 4)},
		{ir.MinMag, []ir.Fact{ir.Unknown, between(2, 3)}, between(-3, 3)},
		{ir.MinMag, []ir.Fact{between(-5, -4), between(2, 3)}, nonZero(between(-3, 3))},
		{ir.Max, []ir.Fact{between(-1, 2), between(-3, 4)}, between(-1, 4)},
		{ir.Max, []ir.Fact{ir.Unknown, between(3, 4)}, between(3, inf)},
		{ir.Max, []ir.Fact{nonZero(ir.Unknown), nonZero(between(-3, 4))}, nonZero(between(-3, inf))},
		{ir.Floor, []ir.Fact{between(0.5, 1.5)}, integer(between(0, 1))},
		{ir.Ceil, []ir.Fact{between(0.5, 1.5)}, integer(between(1, 2))},
		{ir.Trunc, []ir.Fact{between(-1.5, 1.5)}, integer(between(-1, 1))},
		{ir.Rint, []ir.Fact{between(0.5, 1.5)}, integer(between(0, 2))},
		{ir.Ldexp, []ir.Fact{between(1, 2), between(-1, 2)}, between(0.5, 8)},
		{ir.Logb, []ir.Fact{between(-9, 3)}, integer(between(-inf, 3))},
		{ir.Logb, []ir.Fact{between(3, 9)}, integer(between(1, 3))},
		{ir.Mant, []ir.Fact{ir.Unknown}, between(1, 2)},
		{ir.Mant, []ir.Fact{between(5, 6)}, between(1.25, 1.5)},
		{ir.Exp, []ir.Fact{ir.Unknown}, nonZero(between(0, inf))},
		{ir.Exp, []ir.Fact{between(0, inf)}, between(1, inf)},
		{ir.Exp, []ir.Fact{between(-inf, 0)}, nonZero(between(0, 1))},
		{ir.Expm1, []ir.Fact{ir.Unknown}, between(-1, inf)},
		{ir.Log, []ir.Fact{between(0, 1)}, between(-inf, 0)},
		{ir.Tanh, []ir.Fact{ir.Unknown}, between(-1, 1)},
		{ir.Tanh, []ir.Fact{between(-1e300, 0)}, between(-1, 0)},
		{ir.Pow, []ir.Fact{ir.Unknown, ir.Exactly(2)}, between(0, inf)},
		{ir.Pow, []ir.Fact{integer(between(-3, 2)), ir.Exactly(3)}, integer(between(-27, 8))},
		{ir.Pow, []ir.Fact{ir.Unknown, ir.Exactly(0)}, ir.Exactly(1)},
		{ir.Pow, []ir.Fact{between(-2, 4), ir.Exactly(-2)}, between(0.0625, inf)},
		{ir.Pow, []ir.Fact{between(1, 4), between(0, inf)}, between(1, inf)},
		{ir.Lt, []ir.Fact{between(1, 2), between(3, 4)}, bit}, // false on NaN
		{ir.Lt, []ir.Fact{between(3, 4), between(1, 2)}, ir.Exactly(0)},
		{ir.Le, []ir.Fact{between(3, 4), between(1, 3)}, bit},
		{ir.Eq, []ir.Fact{between(3, 4), between(1, 2)}, ir.Exactly(0)},
		{ir.Ne, []ir.Fact{between(3, 4), between(1, 2)}, ir.Exactly(1)},
		{ir.Select, []ir.Fact{bit, between(3, 4), between(1, 2)}, between(1, 4)},
		{ir.Select, []ir.Fact{ir.Exactly(1), between(3, 4), between(1, 2)}, between(3, 4)},
		{ir.Select, []ir.Fact{ir.Exactly(0), between(3, 4), between(1, 2)}, between(1, 2)},
		{ir.Convert, []ir.Fact{between(3, 4)}, between(3, 4)},
	} {
		if got := Transfer(c.op, ir.Float32, c.args); got != c.want {
			t.Errorf("%v of %v is %v, want %v", c.op, c.args, got, c.want)
		}
	}
	// Where an end is irrational, one step outwards.
	got := Transfer(ir.Exp, ir.Float64, []ir.Fact{between(1, 2)})
	if got.Lo > math.E || got.Lo < math.Nextafter(math.E, 0) || got.Hi < math.Exp(2) || got.Hi > 7.389056098930652 {
		t.Errorf("exp of [1, 2] is %v", got)
	}
}
