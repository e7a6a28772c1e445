package interp

import (
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/double"
)

// format is what the ulps of a type need: precision in bits and the exponents of the largest and smallest normal numbers.
type format struct{ prec, emax, emin int }

func formatOf(t ir.Type) format {
	if t == ir.Float32 {
		return format{24, 127, -126}
	}
	return format{53, 1023, -1022}
}

// Overflows reports whether v is finite and rounds to an infinity of type t.
func (v Value) Overflows(t ir.Type) bool {
	if math.IsInf(v.Hi, 0) {
		return math.IsInf(v.Err, 1)
	}
	f := formatOf(t)
	limit := math.Ldexp(1-math.Ldexp(1, -f.prec-1), f.emax) * 2 // the midpoint above the largest number; a tie overflows
	if t == ir.Float64 {
		// No float64 but MaxFloat64 with half its ulp in Lo.
		return math.Abs(v.Hi) == math.MaxFloat64 && math.Copysign(1, v.Hi)*v.Lo >= 0x1p970
	}
	d := math.Abs(v.Hi) - limit
	return d > 0 || d == 0 && math.Copysign(1, v.Hi)*v.Lo >= 0
}

// ULP is the spacing of type t at the true value v: the smallest subnormal below the normal range. A value that
// overflows counts as 2^(emax+1). It is +Inf at infinities and NaN at NaN. For float64 at such a value it is 2^972.
func ULP(t ir.Type, v Value) float64 {
	f := formatOf(t)
	e := f.emax + 1
	if !v.Overflows(t) {
		if (v.Hi - v.Hi) != 0 {
			return math.Abs(v.Hi)
		}
		e = f.emin
		if v.Hi != 0 {
			e = max(e, math.Ilogb(v.Hi))
			// Just below a power of two.
			if frac, _ := math.Frexp(math.Abs(v.Hi)); frac == 0.5 && math.Copysign(1, v.Hi)*v.Lo < 0 && e > f.emin {
				e--
			}
		}
	}
	return math.Ldexp(1, e-f.prec+1)
}

// ErrorULP is |got - want| in ulps of type t at want, where got is a value of type t. Two NaN, and equal infinities, have
// error 0. A finite want that overflows t is matched exactly by the infinity of its sign; a finite got is then compared
// with 2^(emax+1). Everything else that mixes finite, infinite and NaN has error +Inf. The uncertainty want.Err is not
// taken into account.
func ErrorULP(t ir.Type, got float64, want Value) float64 {
	switch {
	case got != got || want.Hi != want.Hi:
		if got != got && want.Hi != want.Hi {
			return 0
		}
		return math.Inf(1)
	case want.Overflows(t):
		if math.IsInf(got, 0) {
			if math.Signbit(got) == math.Signbit(want.Hi) {
				return 0
			}
			return math.Inf(1)
		}
		// In halves, since 2^1024 is no float64.
		f := formatOf(t)
		half := math.Copysign(math.Ldexp(1, f.emax), want.Hi)
		return math.Abs(got/2-half) / (ULP(t, want) / 2)
	case math.IsInf(want.Hi, 0) || math.IsInf(got, 0):
		if got == want.Hi {
			return 0
		}
		return math.Inf(1)
	}
	ulp := ULP(t, want)
	if max(math.Abs(got), math.Abs(want.Hi)) > 0x1p1000 { // their difference may overflow
		return math.Abs((got/4-want.Hi/4)-want.Lo/4) / ulp * 4
	}
	s, e := double.TwoSum(got, -want.Hi)
	return math.Abs(s+(e-want.Lo)) / ulp
}
