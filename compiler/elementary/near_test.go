package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/internal/double"
)

// Every quick form is off by less than a quarter of what it says, and says little, wherever it does say something.
func TestNear(t *testing.T) {
	const prec = 400
	wide := func(x double.Double) *big.Float {
		z := new(big.Float).SetPrec(prec).SetFloat64(x.Hi)
		return z.Add(z, new(big.Float).SetFloat64(x.Lo))
	}
	for _, d := range Defs() {
		if d.Near == nil {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(15, 7))
			done, worst := 0, 0.0
			for range 5000 {
				x, args := make([]double.Double, d.Arity), make([]*big.Float, d.Arity)
				for i, hi := range arguments(rng, d.Arity) {
					if rng.IntN(3) == 0 {
						hi = float64(float32(hi)) // as the inputs of a float32 function are
					}
					if rng.IntN(3) == 0 {
						hi = math.Ldexp(hi, rng.IntN(1900)-950) // every binade
					}
					var low float64
					if rng.IntN(3) > 0 {
						low = hi * 0x1p-53 * (rng.Float64() - 0.5)
					}
					x[i].Hi, x[i].Lo = double.QuickTwoSum(hi, low)
					args[i] = wide(x[i])
				}
				if d.Arity == 1 && x[0].Hi == 0 || d.Arity == 2 && (x[0].Hi == 0 || x[1].Hi == 0) {
					continue
				}
				y, err, ok := d.Near(x)
				if !ok {
					continue
				}
				truth := d.Real(args)
				if truth == nil || truth.IsInf() {
					t.Fatalf("%v: %v, which has no value", x, y)
				}
				off, _ := new(big.Float).Sub(wide(y), truth).Float64()
				if !(math.Abs(off) <= err/4) {
					t.Fatalf("%v: %v is off by %g, and %g was promised", x, y, off, err)
				}
				if err < 0x1p-80*math.Abs(y.Hi) {
					done++
				}
				if err > 0 {
					worst = max(worst, math.Abs(off)/err)
				}
			}
			if done < 1200 {
				t.Errorf("only %d of 5000 arguments are done well", done)
			}
			t.Logf("%d done, at worst %.2g of the bound", done, worst)
		})
	}
}
