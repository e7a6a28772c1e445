package double

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The arithmetic keeps the bounds that it quotes.
func TestArithmetic(t *testing.T) {
	const prec = 400
	wide := func(x Double) *big.Float {
		z := new(big.Float).SetPrec(prec).SetFloat64(x.Hi)
		return z.Add(z, new(big.Float).SetFloat64(x.Lo))
	}
	rng := rand.New(rand.NewPCG(1, 9))
	draw := func() Double {
		hi := math.Ldexp(rng.NormFloat64(), rng.IntN(100)-50)
		h, l := QuickTwoSum(hi, hi*0x1p-53*(rng.Float64()-0.5))
		return Double{h, l}
	}
	for range 20_000 {
		a, b := draw(), draw()
		if rng.IntN(3) == 0 {
			b = Double{-a.Hi, a.Lo + a.Hi*0x1p-60} // they cancel
		}
		root := a.abs()
		for _, c := range []struct {
			name  string
			got   Double
			want  *big.Float
			bound float64
		}{
			{"+", a.Add(b), new(big.Float).Add(wide(a), wide(b)), 3 * 0x1p-106},
			{"*", a.Mul(b), new(big.Float).Mul(wide(a), wide(b)), 5 * 0x1p-106},
			{"/", a.Div(b), new(big.Float).Quo(wide(a), wide(b)), 15 * 0x1p-106},
			{"sqrt", root.Sqrt(), new(big.Float).Sqrt(wide(root)), 0x1p-102},
		} {
			off := new(big.Float).Sub(wide(c.got), c.want)
			off.Abs(off)
			if limit := new(big.Float).Mul(new(big.Float).Abs(c.want), big.NewFloat(c.bound)); off.Cmp(limit) > 0 {
				t.Fatalf("%v %s %v = %v, off by %g, beyond %g of it", a, c.name, b, c.got, off, c.bound)
			}
		}
	}
}
