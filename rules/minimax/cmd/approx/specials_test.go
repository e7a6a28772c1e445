package main

import (
	"math"
	"testing"
)

// special lists arguments with exactly known results; want is converted to the
// type, so that overflow and underflow follow.
type special struct{ x, want float64 }

func specials(fn, typ string) []special {
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tiny, top := 0x1p-149, 0x1.fffffep127
	if typ == "float64" {
		tiny, top = 0x1p-1074, 0x1.fffffffffffffp1023
	}
	switch fn {
	case "exp":
		return []special{{0, 1}, {negZero, 1}, {tiny, 1}, {-tiny, 1}, {inf, inf}, {-inf, 0}, {nan, nan}, {top, inf}, {-top, 0}, {1000, inf}, {-1000, 0}}
	case "expm1":
		return []special{{0, 0}, {negZero, negZero}, {tiny, tiny}, {-tiny, -tiny}, {3 * tiny, 3 * tiny},
			{inf, inf}, {-inf, -1}, {nan, nan}, {top, inf}, {-top, -1}, {1000, inf}, {-1000, -1}}
	case "tanh":
		return []special{{0, 0}, {negZero, negZero}, {tiny, tiny}, {-tiny, -tiny}, {3 * tiny, 3 * tiny},
			{inf, 1}, {-inf, -1}, {nan, nan}, {top, 1}, {-top, -1}, {30, 1}, {-30, -1}}
	}
	return []special{{0, -inf}, {negZero, -inf}, {1, 0}, {inf, inf}, {-inf, nan}, {nan, nan}, {-tiny, nan}, {-1, nan}, {-top, nan}}
}

func same(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

func testSpecials[T real](t *testing.T, f form, m machine[T]) {
	t.Helper()
	p := compile(t, f, m)
	run := p.runner()
	for _, s := range specials(f.fn, f.typ) {
		if !f.covers(s.x) {
			continue
		}
		if got := float64(run([]T{T(s.x)})[0]); !same(got, s.want) {
			t.Errorf("%s(%v) = %v, want %v", f.name, s.x, got, s.want)
		}
	}
	if p.fault != "" {
		t.Errorf("%s: %s", f.name, p.fault)
	}
}

// testOverflow finds the largest argument with a finite result in both the form
// and the truth.
func testOverflow[T real](t *testing.T, f form, m machine[T], next func(x T) T, last T) {
	t.Helper()
	run := compile(t, f, m).runner()
	if y := float64(run([]T{last})[0]); math.IsInf(y, 0) {
		t.Errorf("%s(%x) = %v, the value is finite", f.name, last, y)
	}
	if y := float64(run([]T{next(last)})[0]); !math.IsInf(y, 0) {
		t.Errorf("%s(%x) = %v, the value overflows", f.name, next(last), y)
	}
}

func TestSpecials(t *testing.T) {
	for _, f := range forms(t) {
		overflows := (f.fn == "exp" || f.fn == "expm1") && f.domain == all
		if f.typ == "float32" {
			for _, m := range []machine[float32]{machine32, machine32.unfused()} {
				testSpecials(t, f, m)
				if overflows {
					testOverflow(t, f, m, func(x float32) float32 { return math.Nextafter32(x, 1000) }, 0x1.62e42ep6)
				}
			}
			continue
		}
		for _, m := range []machine[float64]{machine64, machine64.unfused()} {
			testSpecials(t, f, m)
			if overflows {
				testOverflow(t, f, m, func(x float64) float64 { return math.Nextafter(x, 1000) }, 0x1.62e42fefa39efp9)
			}
		}
	}
}

// TestTanhShape: odd and never beyond 1.
func TestTanhShape(t *testing.T) {
	for _, f := range forms(t) {
		if f.fn != "tanh" || f.typ != "float32" {
			continue
		}
		run := compile(t, f, machine32).runner()
		x := make([]float32, blockLen)
		for b := uint32(0); b < 0x7f800000-2039*blockLen; b += 2039 * blockLen / 2 {
			for i := range blockLen / 2 {
				x[2*i] = math.Float32frombits(b + 2039*uint32(i))
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
