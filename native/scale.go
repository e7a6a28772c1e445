package native

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Scaling by powers of two: one instruction with AVX-512, integer work on the exponent field elsewhere. Both give the bits
// that ir promises, for every input.

// Instructions in the lowerings below, for the cost tables. Ldexp's are those for an exponent clamped to what the type
// needs, as in every exponential; they are 23 for any exponent, and 3 if the power is a normal number.
const (
	ldexpOps = 9
	logbOps  = 12
	mantOps  = 8
)

// scalef is Ldexp by vscalef. The instruction lets an infinite k win over a quiet NaN x (Intel SDM, VSCALEFPS, special
// cases), so lanes with a NaN x are masked and keep it, unless there is none.
func (e *emitter) scalef(t ir.Type, x, k string, significand, known interval) string {
	mask := fmt.Sprintf("i%d -1", e.lanes)
	if significand.nan && !known.finite() {
		ordered := e.compare("ord", t, x, x)
		mask = fmt.Sprintf("i%d %s", e.lanes, e.value("bitcast %s %s to i%d", e.vector(ir.Bool), ordered, e.lanes))
	}
	v := e.vector(t) + " "
	return e.avx512(t, "scalef", mask, v+x, v+k, v+x)
}

// getexp is Logb by vgetexp.
func (e *emitter) getexp(t ir.Type, x string) string {
	v := e.vector(t) + " "
	return e.avx512(t, "getexp", fmt.Sprintf("i%d -1", e.lanes), v+x, v+"zeroinitializer")
}

// getmant is Mant by vgetmant.
func (e *emitter) getmant(t ir.Type, x string) string {
	const unsignedOneTwo = 1 << 2 // interval [1, 2) in bits 0-1; bit 2: clear the sign
	v := e.vector(t) + " "
	return e.avx512(t, "getmant", fmt.Sprintf("i%d -1", e.lanes), v+x, fmt.Sprintf("i32 %d", unsignedOneTwo), v+"zeroinitializer")
}

// avx512 calls a masked intrinsic. The full-width ones take a rounding operand.
func (e *emitter) avx512(t ir.Type, name, mask string, args ...string) string {
	const currentDirection = "i32 4" // _MM_FROUND_CUR_DIRECTION
	f := formatOf(t)
	packed := "ps"
	if t == ir.Float64 {
		packed = "pd"
	}
	width := e.lanes * f.bits
	args = append(args, mask)
	if width == 512 {
		args = append(args, currentDirection)
	}
	return e.invoke(e.vector(t), fmt.Sprintf("llvm.x86.avx512.mask.%s.%s.%d", name, packed, width), args...)
}

// ldexp multiplies x by powers of two whose product is 2^⌊k⌋: as many as it takes for each to be a normal number. The
// smallest goes first and is not 1 only if the others are at the limit of the format, so an intermediate product is rounded
// only where the result is 0 in any case. Beyond ±limit every finite x has already become 0 or infinite. An infinite k
// replaces the last power by 0 or infinity and a NaN k by itself, which settles the special values by IEEE multiplication.
func (e *emitter) ldexp(t ir.Type, x, k string, known interval) string {
	f := formatOf(t)
	limit := float64(2*f.bias + f.mantissa + 1) // 2^(bias+1) is infinite and 2^-(bias+mantissa) is the last power below every tie
	n := k
	if !known.whole {
		n = e.call("floor", t, k)
		known.lo = math.Floor(known.lo)
	}
	finite := known.finite() && !known.nan
	n, known = e.clamp(t, n, -limit, limit, known)
	var powers []string
	for {
		part, of := e.clamp(t, n, float64(1-f.bias), float64(f.bias), known)
		powers = append(powers, e.power(t, part))
		if of == known {
			break
		}
		n = e.op("fsub", t, n, part)
		known.lo, known.hi = math.Min(0, known.lo-of.lo), math.Max(0, known.hi-of.hi)
	}
	if !finite {
		zero := e.number(t, 0)
		extreme := e.choose(t, e.compare("olt", t, k, zero), zero, k)
		number := e.compare("olt", t, e.call("fabs", t, k), e.number(t, math.Inf(1)))
		powers[0] = e.choose(t, number, powers[0], extreme)
	}
	for _, p := range slices.Backward(powers) {
		x = e.op("fmul", t, x, p)
	}
	return x
}

// clamp limits x to [lo, hi] and returns what is then known of it; a NaN passes.
func (e *emitter) clamp(t ir.Type, x string, lo, hi float64, known interval) (string, interval) {
	if known.lo < lo {
		bound := e.number(t, lo)
		x = e.choose(t, e.compare("olt", t, x, bound), bound, x)
	}
	if known.hi > hi {
		bound := e.number(t, hi)
		x = e.choose(t, e.compare("ogt", t, x, bound), bound, x)
	}
	clip := func(v float64) float64 { return math.Max(lo, math.Min(hi, v)) }
	known.lo, known.hi = clip(known.lo), clip(known.hi)
	return x, known
}

// power is 2^n for an integer n within the exponents of normal numbers. Adding 1.5·2^mantissa leaves the integer in the
// low bits of the significand, from where a shift takes it to the exponent.
func (e *emitter) power(t ir.Type, n string) string {
	f := formatOf(t)
	shifter := math.Ldexp(1.5, f.mantissa) + float64(f.bias)
	sum := e.toBits(t, e.op("fadd", t, n, e.number(t, shifter)))
	return e.fromBits(t, e.bitop("shl", t, sum, e.integer(t, int64(f.mantissa))))
}

// magnitude returns |x|, |x| with a subnormal scaled into the normal range, and which lanes were scaled.
func (e *emitter) magnitude(t ir.Type, x string) (abs, normal, scaled string) {
	f := formatOf(t)
	abs = e.call("fabs", t, x)
	scaled = e.compare("olt", t, abs, e.number(t, math.Ldexp(1, 1-f.bias)))
	normal = e.choose(t, scaled, e.op("fmul", t, abs, e.number(t, math.Ldexp(1, f.mantissa))), abs)
	return abs, normal, scaled
}

// logb turns the exponent field into a number by putting it into the significand of 2^mantissa.
func (e *emitter) logb(t ir.Type, x string) string {
	f := formatOf(t)
	abs, normal, scaled := e.magnitude(t, x)
	field := e.bitop("lshr", t, e.toBits(t, normal), e.integer(t, int64(f.mantissa)))
	shifter := math.Ldexp(1, f.mantissa)
	field = e.bitop("or", t, field, e.integer(t, int64(ir.ConstBits(t, shifter))))
	offset := e.choose(t, scaled,
		e.number(t, shifter+float64(f.bias+f.mantissa)), e.number(t, shifter+float64(f.bias)))
	exponent := e.op("fsub", t, e.fromBits(t, field), offset)

	infinity := e.number(t, math.Inf(1))
	exponent = e.choose(t, e.compare("oeq", t, abs, e.number(t, 0)), e.number(t, math.Inf(-1)), exponent)
	return e.choose(t, e.compare("olt", t, abs, infinity), exponent, abs)
}

// mant replaces the exponent by that of 1. Zero and infinity have an empty significand and so give 1.
func (e *emitter) mant(t ir.Type, x string) string {
	f := formatOf(t)
	abs, normal, _ := e.magnitude(t, x)
	significand := e.bitop("and", t, e.toBits(t, normal), e.integer(t, 1<<f.mantissa-1))
	significand = e.bitop("or", t, significand, e.integer(t, int64(ir.ConstBits(t, 1))))
	return e.choose(t, e.compare("ord", t, abs, abs), e.fromBits(t, significand), abs)
}
