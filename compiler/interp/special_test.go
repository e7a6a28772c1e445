package interp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Property: no program computes a special value, or one outside of the bounds, that the analysis has excluded.
func TestSpecials(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 37))
	excluded := 0
	for trial := range 400 {
		typ := []ir.Type{ir.Float32, ir.Float64}[trial%2]
		domains := []ir.Fact{ir.Unknown, ir.Between(0, 1), ir.Between(1, 3), ir.Between(-2, 0.5), ir.Between(0x1p-100, 0x1p100), ir.Between(-0x1p-140, 0x1p-140)}
		b := ir.NewBuilder("f")
		params := []ir.Fact{domains[rng.IntN(len(domains))], domains[rng.IntN(len(domains))]}
		vals := []ir.Value{b.Param("x", typ, params[0]), b.Param("y", typ, params[1]), b.Const(typ, 0), b.Const(typ, 2), b.Const(typ, -0.5)}
		pick := func() ir.Value { return vals[rng.IntN(len(vals))] }
		unary := []ir.Op{ir.Neg, ir.Abs, ir.Sqrt, ir.Exp, ir.Expm1, ir.Log, ir.Tanh, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Mant, ir.Logb}
		binary := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Copysign, ir.Min, ir.Max, ir.MinMag, ir.Ldexp}
		for range 8 {
			switch rng.IntN(6) {
			case 0:
				vals = append(vals, b.Must(unary[rng.IntN(len(unary))], pick()))
			case 1:
				vals = append(vals, b.Must(ir.FMA, pick(), pick(), pick()))
			case 3:
				table := ir.NewTable(uint8(rng.IntN(32)), []float64{0, math.Copysign(0, -1), 1, -2, math.Inf(1), 0.5, 3, 7}[rng.IntN(4):][:4]...)
				v, err := b.Lookup(table, pick())
				if err != nil {
					t.Fatal(err)
				}
				vals = append(vals, v)
			case 2:
				vals = append(vals, b.Must(ir.Select, b.Must(ir.Lt, pick(), pick()), pick(), pick()))
			default:
				vals = append(vals, b.Must(binary[rng.IntN(len(binary))], pick(), pick()))
			}
		}
		for _, v := range vals {
			b.Return(v)
		}
		f := b.Func()
		p, err := Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		s := Specials(f)
		for range 50 {
			in := make([]uint64, 2)
			for j, d := range params {
				in[j] = ir.ConstBits(typ, draw(rng, d))
			}
			out := make([]uint64, len(f.Results))
			p.Eval(in, out)
			for i, r := range f.Results {
				got, may := ir.BitsFloat(typ, out[i]), s[r]
				switch {
				case got != got && !may.NaN, math.IsInf(got, 0) && !may.Inf, got == 0 && math.Signbit(got) && !may.NegZero,
					got == got && (got < may.Lo || got > may.Hi):
					t.Fatalf("trial %d at %x: v%d is %g, the analysis says %+v\n%v", trial, in, r, got, may, f)
				}
				if !may.NaN && !may.Inf {
					excluded++
				}
			}
		}
	}
	if excluded < 10_000 {
		t.Errorf("only %d values are known to be ordinary", excluded)
	}
}

// draw draws a number of a domain, its ends and zeros more often.
func draw(rng *rand.Rand, d ir.Fact) float64 {
	lo, hi := max(d.Lo, -math.MaxFloat32), min(d.Hi, math.MaxFloat32)
	special := []float64{lo, hi}
	if lo <= 0 && hi >= 0 {
		special = append(special, 0, math.Copysign(0, -1))
	}
	if !d.Finite() {
		special = append(special, math.NaN(), math.Inf(1), math.Inf(-1), rng.NormFloat64())
	}
	if rng.IntN(2) == 0 {
		return special[rng.IntN(len(special))]
	}
	return lo + (hi-lo)*rng.Float64()
}
