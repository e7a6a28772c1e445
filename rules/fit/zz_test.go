package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/rules/fit"
	"github.com/go-yolk/yolk/rules/rulestest"
)

func TestZZ(t *testing.T) {
	rng := rand.New(rand.NewPCG(77, 1))
	funcs := []func(float64) float64{math.Sin, math.Cos, math.Exp, math.Log, math.Sqrt, math.Cbrt, math.Tan, math.Atan, math.Gamma, math.Erf, math.Erfc, math.J1, math.Y0, math.Abs, math.Floor, math.Tanh, math.Asinh, math.Sinh,
		func(x float64) float64 { return x * x }, func(x float64) float64 { return x*x*x - x }, func(x float64) float64 { return max(x, 0) }, func(x float64) float64 { return 1 / x },
		func(x float64) float64 { return math.Copysign(1, x) }, func(x float64) float64 { return 0 }, func(x float64) float64 { return x }, func(x float64) float64 { return -x }, func(x float64) float64 { return min(1, max(-1, x)) },
		func(x float64) float64 { return math.Expm1(x) }, func(x float64) float64 { return math.Pow(math.Abs(x), 1.5) }, func(x float64) float64 { return x * math.Abs(x) },
		func(x float64) float64 { return x * math.Exp(-x*x) }, func(x float64) float64 { return 1e30 * x }, func(x float64) float64 { return 1e-30 * x }, func(x float64) float64 { return math.Sin(1 / x) },
	}
	ok, refused := 0, 0
	for i := range 330 {
		k := rng.IntN(len(funcs))
		typ := []ir.Type{ir.Float32, ir.Float64}[i%2]
		p := fit.Problem{F: funcs[k], Type: typ}
		p.Tolerance = egraph.Bound{Value: math.Pow(10, -1-6*rng.Float64()), Unit: egraph.BoundUnit(rng.IntN(3))}
		if p.Tolerance.Unit == egraph.ULP {
			p.Tolerance.Value = math.Exp2(1 + 8*rng.Float64())
		}
		w := math.Pow(10, 2*rng.NormFloat64())
		switch rng.IntN(4) {
		case 0:
			p.Lo, p.Hi = -w, w
		case 1:
			p.Lo, p.Hi = 0, w
		case 2:
			p.Lo, p.Hi = -w*rng.Float64(), w
		case 3:
			p.Lo = w * rng.NormFloat64()
			p.Hi = p.Lo + w*rng.Float64()
		}
		start := time.Now()
		f, err := p.Solve()
		if d := time.Since(start); d > 1500*time.Millisecond {
			t.Logf("SLOW %d %v %v %v", k, p, f, d)
		}
		if err != nil {
			refused++
			t.Log(k, err)
			continue
		}
		ok++
		def := &ir.Def{Name: "black_box", Arity: 1, Eval: func(x []float64) float64 {
			if x[0] != x[0] {
				return x[0]
			}
			return p.F(x[0])
		}}
		set, err := rules.Parse("fit.rules", f.Law("form", "black_box"), def)
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range rulestest.Check(set, rulestest.Options{Points: 1 << 13}) {
			s := fmt.Sprint(finding)
			t.Errorf("%d %v: %v %v", k, f, p, s)
		}
	}
	t.Log(ok, refused)
}
