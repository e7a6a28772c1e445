package fit

import (
	"math"
	"testing"
	"time"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

func lambertW(x float64) float64 {
	w := math.Log1p(x)
	for range 20 {
		e := math.Exp(w)
		w -= (w*e - x) / (e * (w + 1))
	}
	return w
}

func TestTry(t *testing.T) {
	abs := func(v float64) egraph.Bound { return egraph.Bound{Value: v, Unit: egraph.Abs} }
	rel := func(v float64) egraph.Bound { return egraph.Bound{Value: v, Unit: egraph.Rel} }
	ulp := func(v float64) egraph.Bound { return egraph.Bound{Value: v, Unit: egraph.ULP} }
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		lo, hi float64
		b      egraph.Bound
	}{
		{"j0", math.J0, 0, 20, abs(1e-6)},
		{"gamma", math.Gamma, 1, 5, rel(1e-6)},
		{"w", lambertW, 0, 10, rel(1e-6)},
		{"erf", math.Erf, -3, 3, abs(1e-6)},
		{"erf4", math.Erf, -3, 3, ulp(4)},
		{"step", func(x float64) float64 {
			if x < 5 {
				return 0
			}
			return 1
		}, 0, 10, abs(1e-6)},
		{"absx", math.Abs, -1, 2, abs(1e-6)},
		{"abs3", func(x float64) float64 { return math.Abs(x - 0.3) }, 0, 1, abs(1e-6)},
		{"const", func(x float64) float64 { return 3.25 }, 0, 1, ulp(1)},
		{"sin", math.Sin, -7, 7, rel(1e-6)},
		{"tiny", func(x float64) float64 { return math.Sin(1000 * x) }, 0, 0.001, rel(1e-6)},
		{"impossible", math.J0, 0, 20, abs(1e-20)},
		{"j0 64", math.J0, 0, 20, abs(1e-12)},
		{"relu", func(x float64) float64 { return max(0, x) }, -1, 1, rel(1e-6)},
		{"sqrt", math.Sqrt, 0, 1, rel(1e-6)},
		{"pole", func(x float64) float64 { return 1 / (x - 0.3) }, 0, 1, rel(1e-6)},
	} {
		for _, ty := range []ir.Type{ir.Float32, ir.Float64} {
			start := time.Now()
			f, err := Problem{c.f, c.lo, c.hi, ty, c.b}.Solve()
			t.Logf("%s %v: %v", c.name, time.Since(start), err)
			if err == nil {
				t.Log(f)
				if f.Ops < 30 {
					t.Log(f.Law("a", "f"))
				}
			}
		}
	}
}
