package gosrc

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// What stands on disk for a function that was compiled as x*x + 1.
func TestCompareFindsWrongSource(t *testing.T) {
	compiled := func(x float32) float32 { return x*x + 1 }
	tests := []struct {
		name, body string
		ok         bool
		fine       bool // a difference that only bit equality finds
	}{
		{"the same", "x*x + 1", true, false},
		{"commuted", "1 + x*x", true, false},
		{"another operator", "x*x - 1", false, false},
		{"the last bit of the constant", "x*x + (1 + 0x1p-23)", false, true},
		{"another variable", "x + 1", false, false},
		{"the sign of zero", "-(-x*x - 1)", true, false},
		{"rounded elsewhere", "float32(float64(x)*float64(x) + 1)", false, true},
		{"only at infinity", "x*x + 1 + 0*x", false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.fine && fuses(1+0x1p-52, 1-0x1p-52, -1) {
				t.Skip("this machine's compiler fuses")
			}
			f, err := loadText[unary32]("f", 0, "package kernel\nfunc f(x float32) float32 { return "+tt.body+" }")
			if err != nil {
				t.Fatal(err)
			}
			err = Compare(f, compiled, evaluator(t, f))
			if tt.ok != (err == nil) || err != nil && !errors.Is(err, ErrDiffers) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestCompareMessage(t *testing.T) {
	f, err := loadText[func(x, y float64) (float64, float64)]("f", 0, "package kernel\nfunc f(x, y float64) (a, b float64) { return x, y + 2 }")
	if err != nil {
		t.Fatal(err)
	}
	compiled := func(x, y float64) (a, b float64) { return x, y + 1 }
	err = Compare(f, compiled, evaluator(t, f))
	want := "gosrc: no usable source: it is not what was compiled: result 1 of f(0x0p+00, 0x0p+00) is 0x1p+00, the source says 0x1p+01"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	for name, fn := range map[string]any{
		"other type": func(x float64) float64 { return x },
		"no func":    3,
		"nil":        (func(x, y float64) (a, b float64))(nil),
		"panics":     func(x, y float64) (a, b float64) { panic("no") },
	} {
		if err := Compare(f, fn, evaluator(t, f)); !errors.Is(err, ErrDiffers) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A float32 function that is correctly rounded may differ from package math's at a few points, not at many.
func TestCompareLoose(t *testing.T) {
	f, err := Load(gelu, Options{})
	if err != nil {
		t.Fatal(err)
	}
	eval := evaluator(t, f)
	for _, tt := range []struct {
		every int
		ok    bool
	}{{100, true}, {5, false}} {
		calls := 0
		err := Compare(f, gelu, func(in, out []uint64) error {
			err := eval(in, out)
			if calls++; calls%tt.every == 0 {
				out[0] ^= 1 << 20 // a quarter of the value
			}
			return err
		})
		if tt.ok != (err == nil) {
			t.Errorf("every %d-th result off: %v", tt.every, err)
		}
	}
}

func TestNear(t *testing.T) {
	tests := []struct {
		t    ir.Type
		x, y float64
		want bool
	}{
		{ir.Float32, 1, 1 + 0x1p-11, true}, {ir.Float32, 1, 1 + 0x1p-9, false}, {ir.Float64, -1, -1 - 0x1p-31, true},
		{ir.Float64, 1, 1 + 0x1p-29, false}, {ir.Float64, 1, -1, false}, {ir.Float64, math.Inf(1), 1, false}, {ir.Float64, 1, math.NaN(), false},
	}
	for _, tt := range tests {
		if got := near(tt.t, tt.x, tt.y); got != tt.want {
			t.Errorf("near(%v, %g, %g) = %v", tt.t, tt.x, tt.y, got)
		}
	}
}

// Without constants that tell, text and function agree; the sample must still tell every parameter apart.
func TestCompareTellsParametersApart(t *testing.T) {
	f, err := loadText[func(x, y, z float32) float32]("f", 0, "package kernel\nfunc f(x, z, y float32) float32 { return x*y + z }")
	if err != nil {
		t.Fatal(err)
	}
	err = Compare(f, func(x, y, z float32) float32 { return x*y + z }, evaluator(t, f))
	if err == nil || !strings.Contains(err.Error(), "the source says") {
		t.Errorf("%v", err)
	}
}
