package interp

import (
	"math"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

func TestULP(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		t    ir.Type
		v    Value
		want float64
	}{
		{ir.Float32, Value{Hi: 1}, 0x1p-23},
		{ir.Float32, Value{Hi: 1, Lo: -0x1p-60}, 0x1p-24},
		{ir.Float32, Value{Hi: -1, Lo: 0x1p-60}, 0x1p-24},
		{ir.Float32, Value{Hi: 1.999}, 0x1p-23},
		{ir.Float32, Value{Hi: 0x1p-126, Lo: -0x1p-190}, 0x1p-149},
		{ir.Float32, Value{Hi: 1e-300}, 0x1p-149},
		{ir.Float32, Value{}, 0x1p-149},
		{ir.Float32, Value{Hi: math.MaxFloat32}, 0x1p104},
		{ir.Float32, Value{Hi: 0x1.ffffffp127}, 0x1p105},
		{ir.Float32, Value{Hi: 0x1.ffffffp127, Lo: -1}, 0x1p104},
		{ir.Float32, Value{Hi: 1e200}, 0x1p105},
		{ir.Float32, Value{Hi: inf, Err: inf}, 0x1p105},
		{ir.Float32, Value{Hi: -inf}, inf},
		{ir.Float64, Value{Hi: 1}, 0x1p-52},
		{ir.Float64, Value{Hi: math.MaxFloat64}, 0x1p971},
		{ir.Float64, Value{Hi: math.MaxFloat64, Lo: 0x1p970}, 0x1p972},
		{ir.Float64, Value{Hi: 0x1p-1074}, 0x1p-1074},
		{ir.Float64, Value{Hi: inf, Err: inf}, 0x1p972},
	} {
		if got := ULP(c.t, c.v); got != c.want {
			t.Errorf("ULP(%v, %+v) = %x, want %x", c.t, c.v, got, c.want)
		}
	}
	if got := ULP(ir.Float32, Value{Hi: nan}); got == got {
		t.Errorf("ULP of NaN is %g", got)
	}
}

func TestErrorULP(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		t    ir.Type
		got  float64
		v    Value
		want float64
	}{
		{ir.Float32, 1, Value{Hi: 1}, 0},
		{ir.Float32, 1 + 0x1p-23, Value{Hi: 1}, 1},
		{ir.Float32, 1, Value{Hi: 1 + 0x1p-24, Lo: 0x1p-80}, 0.5 + 0x1p-57},
		{ir.Float32, 1, Value{Hi: 1, Lo: 0x1p-55}, 0x1p-32},
		{ir.Float32, 0, Value{Hi: -0x1p-150}, 0.5},
		{ir.Float32, math.Copysign(0, -1), Value{}, 0},
		{ir.Float32, -1, Value{Hi: 1}, 0x1p24},
		{ir.Float32, nan, Value{Hi: nan}, 0},
		{ir.Float32, nan, Value{Hi: 1}, inf},
		{ir.Float32, 1, Value{Hi: nan}, inf},
		{ir.Float32, inf, Value{Hi: inf}, 0},
		{ir.Float32, inf, Value{Hi: -inf}, inf},
		{ir.Float32, math.MaxFloat32, Value{Hi: inf}, inf},
		{ir.Float32, inf, Value{Hi: 1e39}, 0},
		{ir.Float32, -inf, Value{Hi: -1e39}, 0},
		{ir.Float32, -inf, Value{Hi: 1e39}, inf},
		{ir.Float32, inf, Value{Hi: math.MaxFloat32}, inf},
		{ir.Float32, math.MaxFloat32, Value{Hi: 1e39}, 0.5},
		{ir.Float32, math.MaxFloat32, Value{Hi: inf, Err: inf}, 0.5},
		{ir.Float64, math.MaxFloat64, Value{Hi: inf, Err: inf}, 0.5},
		{ir.Float64, -math.MaxFloat64, Value{Hi: math.MaxFloat64}, 0x1p54 - 2},
		{ir.Float64, 1, Value{Hi: 1, Lo: 0x1p-60}, 0x1p-8},
		{ir.Float64, 0x1p-1074, Value{}, 1},
	} {
		if got := ErrorULP(c.t, c.got, c.v); got != c.want {
			t.Errorf("ErrorULP(%v, %g, %+v) = %g, want %g", c.t, c.got, c.v, got, c.want)
		}
	}
}
