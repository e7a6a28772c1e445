package main

import (
	"math"
	"testing"
)

// special lists arguments with exactly known results; want is converted to the
// type, so that overflow and underflow follow.
type special struct{ x, want float64 }

func same(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

// extremes are the ends of a type: the smallest subnormal and the largest number.
func extremes(typ string) (tiny, top float64) {
	if typ == "float32" {
		return 0x1p-149, math.MaxFloat32
	}
	return 0x1p-1074, math.MaxFloat64
}

// limits lists arguments with known results; functions of other tests have
// none.
func limits(fn, typ string) []special {
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tiny, top := extremes(typ)
	identity := []special{{0, 0}, {negZero, negZero}, {tiny, tiny}, {-tiny, -tiny}, {3 * tiny, 3 * tiny}, {nan, nan}}
	poles := []special{{0, -inf}, {negZero, -inf}, {1, 0}, {inf, inf}, {-inf, nan}, {nan, nan}, {-tiny, nan}, {-1, nan}, {-top, nan}}
	emin := math.Log2(tiny)
	switch fn {
	case "exp":
		return []special{{0, 1}, {negZero, 1}, {tiny, 1}, {-tiny, 1}, {inf, inf}, {-inf, 0}, {nan, nan}, {top, inf}, {-top, 0}, {1000, inf}, {-1000, 0}}
	case "expm1":
		return append(identity, special{inf, inf}, special{-inf, -1}, special{top, inf}, special{-top, -1}, special{1000, inf}, special{-1000, -1})
	case "log":
		return poles
	case "exp2":
		return []special{{0, 1}, {negZero, 1}, {tiny, 1}, {-tiny, 1}, {1, 2}, {-1, 0.5}, {10, 1024}, {inf, inf}, {-inf, 0}, {nan, nan},
			{top, inf}, {-top, 0}, {emin, tiny}, {emin - 1, 0}, {emin - 2, 0}, {emin - 0.5, tiny}, {1 - emin, inf}, {2000, inf}, {-2000, 0}}
	case "log2":
		return append(poles, special{tiny, emin}, special{8, 3}, special{0.25, -2}, special{0x1p100, 100})
	case "log10":
		return append(poles, special{10, 1}, special{100, 2}, special{1000, 3}, special{1e10, 10})
	case "log1p":
		return append(identity, special{inf, inf}, special{-1, -inf}, special{-1.5, nan}, special{-2, nan}, special{-top, nan}, special{-inf, nan})
	case "sinh":
		return append(identity, special{inf, inf}, special{-inf, -inf}, special{top, inf}, special{-top, -inf}, special{800, inf}, special{-800, -inf})
	case "cosh":
		return []special{{0, 1}, {negZero, 1}, {tiny, 1}, {-tiny, 1}, {nan, nan}, {inf, inf}, {-inf, inf}, {top, inf}, {-top, inf}, {800, inf}}
	case "tanh":
		return append(identity, special{inf, 1}, special{-inf, -1}, special{top, 1}, special{-top, -1}, special{30, 1}, special{-30, -1})
	case "asinh":
		return append(identity, special{inf, inf}, special{-inf, -inf})
	case "acosh":
		return []special{{1, 0}, {inf, inf}, {nan, nan}, {0, nan}, {negZero, nan}, {-1, nan}, {0.5, nan}, {-tiny, nan}, {-1.5, nan},
			{-3, nan}, {-1e7, nan}, {-1e17, nan}, {-top, nan}, {-inf, nan}, {float64(math.Nextafter32(1, 0)), nan}}
	case "atanh":
		return append(identity, special{1, inf}, special{-1, -inf}, special{float64(math.Nextafter32(1, 2)), nan}, special{2, nan}, special{-3, nan},
			special{top, nan}, special{-top, nan}, special{inf, nan}, special{-inf, nan})
	case "rsqrt":
		return []special{{0, inf}, {negZero, -inf}, {inf, 0}, {nan, nan}, {-1, nan}, {-tiny, nan}, {-inf, nan}, {1, 1}, {4, 0.5}, {0x1p-100, 0x1p50}}
	case "cbrt":
		return []special{{0, 0}, {negZero, negZero}, {inf, inf}, {-inf, -inf}, {nan, nan}, {1, 1}, {-1, -1}, {8, 2}, {-27, -3}, {64, 4}, {125, 5},
			{0x1p-126, 0x1p-42}, {1e6, 100}, {0x1p99, 0x1p33}}
	}
	return nil
}

// coarse reports whether a form is of a cheap tier, which need not be exact
// where the function is.
func coarse(l law) bool { return l.bound > 2 }

func TestLimits(t *testing.T) {
	for _, l := range laws(t) {
		if len(l.params) != 1 {
			continue
		}
		for j, m := range []func(string, float64, float64, float64) float64{fused, unfused} {
			run, _ := compileLaw(t, l, m)
			for _, s := range limits(l.fn, l.typ) {
				if !l.domain(s.x) {
					continue
				}
				got := run([]float64{rounds(l.typ, s.x)})[0]
				plain := s.want != s.want || s.want == 0 || math.IsInf(s.want, 0)
				near := math.Abs(got-s.want) <= math.Abs(s.want)*l.bound*map[string]float64{"float32": 0x1p-23, "float64": 0x1p-52}[l.typ]
				if !same(got, s.want) && (plain || !near || !coarse(l) && j == 0) {
					t.Errorf("%s(%v) = %v, want %v", l.name, s.x, got, s.want)
				}
			}
		}
	}
}

// ends lists the largest argument with a finite result.
var ends = map[string]map[string]float64{
	"exp":   {"float32": 0x1.62e42ep6, "float64": 0x1.62e42fefa39efp9},
	"expm1": {"float32": 0x1.62e42ep6, "float64": 0x1.62e42fefa39efp9},
	"exp2":  {"float32": 0x1.fffffep6, "float64": 0x1.fffffffffffffp9},
	"sinh":  {"float32": 0x1.65a9f8p6, "float64": 0x1.633ce8fb9f87dp9},
	"cosh":  {"float32": 0x1.65a9f8p6, "float64": 0x1.633ce8fb9f87dp9},
}

func TestEnds(t *testing.T) {
	for _, l := range laws(t) {
		last := ends[l.fn][l.typ]
		if last == 0 || coarse(l) || !l.domain(last) {
			continue
		}
		next := math.Nextafter(last, 1e6)
		if l.typ == "float32" {
			next = float64(math.Nextafter32(float32(last), 1e6))
		}
		run, _ := compileLaw(t, l, fused)
		if y := run([]float64{last})[0]; math.IsInf(y, 0) {
			t.Errorf("%s(%x) = %v, the value is finite", l.name, last, y)
		}
		if y := run([]float64{next})[0]; !math.IsInf(y, 0) {
			t.Errorf("%s(%x) = %v, the value overflows", l.name, next, y)
		}
	}
}

// pairLimits lists the special pairs of pow (IEEE 754-2019, clause 9.2.1) and
// hypot.
func pairLimits(fn, typ string) [][3]float64 {
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tiny, top := extremes(typ)
	if fn == "hypot" {
		return [][3]float64{
			{inf, nan, inf}, {nan, inf, inf}, {-inf, nan, inf}, {nan, -inf, inf}, {inf, 1, inf}, {1, -inf, inf}, {inf, inf, inf},
			{nan, 1, nan}, {1, nan, nan}, {nan, nan, nan}, {0, nan, nan}, {nan, 0, nan},
			{0, 0, 0}, {negZero, 0, 0}, {0, negZero, 0}, {negZero, negZero, 0}, {0, -3, 3}, {3, 4, 5}, {-5, 12, 13},
			{tiny, 0, tiny}, {0, -tiny, tiny}, {3 * tiny, 4 * tiny, 5 * tiny}, {top, 0, top}, {top, tiny, top}, {top, top, inf},
		}
	}
	out := [][3]float64{
		{-4, 2, 16}, {-2, 3, -8}, {-2, -3, -0.125}, {-100, -77.9, nan}, {0, 0, 1}, {0, -1, inf}, {negZero, -3, -inf}, {1, nan, 1},
		{nan, 0, 1}, {nan, negZero, 1}, {-1, inf, 1}, {-1, -inf, 1}, {-inf, 3, -inf}, {-1, nan, nan}, {nan, 1, nan}, {1, inf, 1}, {1, -inf, 1},
		{1, top, 1}, {1, -tiny, 1}, {-1, top, 1}, {-1, 3, -1}, {-1, 4, 1}, {-1, 0.5, nan},
		{0, 3, 0}, {negZero, 3, negZero}, {negZero, 2, 0}, {0, 0.5, 0}, {negZero, 0.5, 0}, {0, -0.5, inf}, {negZero, -0.5, inf},
		{0, -3, inf}, {negZero, -2, inf}, {0, inf, 0}, {negZero, inf, 0}, {0, -inf, inf}, {negZero, -inf, inf}, {0, nan, nan},
		{inf, 2, inf}, {inf, -2, 0}, {inf, 0.5, inf}, {inf, tiny, inf}, {inf, -tiny, 0}, {inf, inf, inf}, {inf, -inf, 0}, {inf, nan, nan},
		{-inf, 2, inf}, {-inf, -3, negZero}, {-inf, -2, 0}, {-inf, 0.5, inf}, {-inf, -0.5, 0}, {-inf, inf, inf}, {-inf, -inf, 0}, {-inf, nan, nan},
		{-inf, tiny, inf}, {-inf, -tiny, 0}, {-inf, top, inf}, {-inf, -top, 0},
		{2, inf, inf}, {2, -inf, 0}, {0.5, inf, 0}, {0.5, -inf, inf}, {-2, inf, inf}, {-2, -inf, 0}, {-0.5, inf, 0}, {-0.5, -inf, inf},
		{2, top, inf}, {2, -top, 0}, {-2, top, inf}, {-2, -top, 0}, {0.5, top, 0}, {-0.5, -top, inf},
		{nan, nan, nan}, {nan, inf, nan}, {2, nan, nan}, {-2, nan, nan}, {-2, 0.5, nan}, {-tiny, 1.5, nan}, {-top, -0.5, nan},
		{2, 10, 1024}, {3, 4, 81}, {10, 2, 100}, {7, 1, 7}, {-7, 1, -7}, {4, 0.5, 2}, {tiny, 1, tiny}, {-tiny, 1, -tiny}, {top, 1, top}, {2, -1, 0.5},
		{tiny, -2, inf}, {-tiny, -3, -inf}, {tiny, 2, 0}, {-tiny, 3, negZero}, {2, tiny, 1}, {top, -tiny, 1}, {0.5, 0x1p24 + 2, 0}, {-0.5, 0x1p24 + 2, 0},
	}
	if typ == "float64" {
		out = append(out, [3]float64{-1, 0x1p53 - 1, -1}, [3]float64{-1, 0x1p53, 1}, [3]float64{-1, 0x1p52 + 0.5, 1}, [3]float64{-1, 0x1p51 + 0.5, nan})
	} else {
		out = append(out, [3]float64{-1, 0x1p24 - 1, -1}, [3]float64{-1, 0x1p24, 1}, [3]float64{-1, 0x1p22 + 0.5, nan},
			[3]float64{rounds("float32", -0.5881598), 2, float64(math.Float32frombits(0x3eb11dfe))})
	}
	return out
}

func TestPairLimits(t *testing.T) {
	for _, l := range laws(t) {
		if l.fn != "hypot" && l.fn != "pow" {
			continue
		}
		for _, m := range []func(string, float64, float64, float64) float64{fused, unfused} {
			run, _ := compileLaw(t, l, m)
			for _, s := range pairLimits(l.fn, l.typ) {
				got := run([]float64{s[0]}, []float64{s[1]})[0]
				if coarse(l) && s[2] != 0 && err32(float32(got), s[2]) <= l.bound {
					continue
				}
				if !same(got, s[2]) {
					t.Errorf("%s(%v, %v) = %v, want %v", l.name, s[0], s[1], got, s[2])
				}
			}
		}
	}
}

// TestTanhShape: odd and never beyond 1.
func TestTanhShape(t *testing.T) {
	for _, f := range laws(t) {
		if f.fn != "tanh" || f.typ != "float32" {
			continue
		}
		run, _ := compileLaw(t, f, fused)
		x := make([]float64, blockLen)
		for b := uint32(0); b < 0x7f800000-2039*blockLen; b += 2039 * blockLen / 2 {
			for i := range blockLen / 2 {
				x[2*i] = float64(math.Float32frombits(b + 2039*uint32(i)))
				x[2*i+1] = -x[2*i]
			}
			y := run(x)
			for i := 0; i < blockLen; i += 2 {
				if y[i] != -y[i+1] || y[i] > 1 || y[i] < 0 {
					t.Fatalf("%s(±%x) = %x, %x", f.name, x[i], y[i], y[i+1])
				}
			}
		}
	}
}
