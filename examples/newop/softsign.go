package main

import (
	_ "embed"
	"math"
	"math/big"

	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/ufunc"
)

// Softsign is x/(1 + |x|), a sigmoid that needs no exponential.
func Softsign[T ufunc.Float](x T) T {
	y := float64(x)
	return T(y / (1 + math.Abs(y)))
}

var softsign = ufunc.NewOp(ufunc.OpSpec{
	Name: "softsign",
	Func: Softsign[float64],
	Real: func(x []*big.Float) *big.Float {
		d := new(big.Float).Abs(x[0])
		d.Add(d, big.NewFloat(1))
		return d.Quo(x[0], d)
	},
	Range: func(x []ufunc.Fact) ufunc.Fact {
		// It rises, with rounding outwards by the ends' neighbours.
		return ufunc.Fact{
			Lo:      max(-1, math.Nextafter(limit(x[0].Lo), -2)),
			Hi:      min(1, math.Nextafter(limit(x[0].Hi), 2)),
			NonZero: x[0].NonZero,
		}
	},
	Cost: 3,
})

// limit is Softsign, and its limits at the infinities.
func limit(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(1, x)
	}
	return Softsign(x)
}

//go:embed softsign.rules
var softsignText string

func softsignRules() (rules.Set, error) {
	return rules.Parse("softsign.rules", softsignText, softsign.Def())
}
