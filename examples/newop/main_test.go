package main

import (
	"bytes"
	"math"
	"math/big"
	"strings"
	"testing"
)

// The rules of the example are right, its wrong ones are found, and its kernels keep their contracts.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{
		"softsign: 4 laws, 0 findings", "bessel: 3 laws, 0 findings", "wrong: 2 laws, 2 findings",
		"newop.rings: the contract holds", "newop.tracedRings: the contract holds", "newop.thereAndBack: the contract holds",
		"approximations: j0-10\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// The series solves J0's differential equation x·y" + y' + x·y = 0, by differences of high precision, and agrees with package
// math.
func TestBesselEquation(t *testing.T) {
	const prec, h = 400, 0x1p-60
	at := func(x float64, offset float64) *big.Float {
		v := new(big.Float).SetPrec(prec).SetFloat64(x)
		return j0.Def().Real([]*big.Float{v.Add(v, big.NewFloat(offset))})
	}
	for _, x := range []float64{0.5, 1, 2.404825557695773, 3.8317, 5.520078110286311, 8, 20} {
		low, mid, high := at(x, -h), at(x, 0), at(x, h)
		second := new(big.Float).Add(low, high)
		second.Sub(second, mid)
		second.Sub(second, mid)
		second.Quo(second, big.NewFloat(h*h))
		first := new(big.Float).Sub(high, low)
		first.Quo(first, big.NewFloat(2*h))
		sum := new(big.Float).Add(second, mid)
		sum.Mul(sum, big.NewFloat(x)).Add(sum, first)
		if residual, _ := sum.Float64(); math.Abs(residual) > 0x1p-100 {
			t.Errorf("at %g the residual is %g", x, residual)
		}
		if y, _ := mid.Float64(); math.Abs(y-math.J0(x)) > 0x1p-50 {
			t.Errorf("at %g: %g, package math has %g", x, y, math.J0(x))
		}
	}
}
