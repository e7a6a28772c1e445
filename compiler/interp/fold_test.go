package interp

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Folding is executing.
func TestFoldTypedIsProgram(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		for op := ir.Add; op <= ir.Ne; op++ {
			if !op.Takes(typ) {
				continue
			}
			p := compile(t, single(op, typ))
			in, out := make([]uint64, op.Info().Arity), make([]uint64, 1)
			folded := 0
			for range 300 {
				for i := range in {
					in[i] = ir.ConstBits(typ, random(r, typ))
				}
				p.Eval(in, out)
				got, ok := FoldTyped(op, typ, in)
				finite := true
				if p.results[0].typ != ir.Bool {
					x := ir.BitsFloat(typ, out[0])
					finite = x-x == 0
				}
				if ok != finite || ok && got != out[0] {
					t.Fatalf("%v %v%x: folded to %x, %v; executed to %x", op, typ, in, got, ok, out[0])
				}
				if ok {
					folded++
				}
			}
			if folded < 50 {
				t.Errorf("%v %v: only %d folded", op, typ, folded)
			}
		}
	}
	one, two := ir.ConstBits(ir.Float32, 1), ir.ConstBits(ir.Float32, 2)
	if got, ok := FoldTyped(ir.Select, ir.Float32, []uint64{0, one, two}); !ok || got != two {
		t.Errorf("select: %x, %v", got, ok)
	}
	if _, ok := FoldTyped(ir.Convert, ir.Float32, []uint64{one}); ok {
		t.Error("a conversion was folded without the type of its operand")
	}
	if _, ok := FoldTyped(ir.Add, ir.Float32, []uint64{one}); ok {
		t.Error("an addition of one operand was folded")
	}
}

func TestFoldReal(t *testing.T) {
	num := func(s string) *big.Float {
		x, _, err := big.ParseFloat(s, 10, ir.RealPrec, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, c := range []struct {
		op   ir.Op
		args []string
		want string // empty: no fold
	}{
		{ir.Add, []string{"0.1", "0.2"}, "0.3"},
		{ir.Mul, []string{"1e300", "1e300"}, "1e600"},
		{ir.Div, []string{"1", "3"}, "0.33333333333333333333333333333333333333333333333333333333333333333333"},
		{ir.Div, []string{"1", "0"}, ""},
		{ir.Sub, []string{"2", "2"}, "0"},
		{ir.FMA, []string{"3", "5", "-15"}, "0"},
		{ir.Sqrt, []string{"2"}, "1.41421356237309504880168872420969807856967187537694807317667973799073"},
		{ir.Sqrt, []string{"-2"}, ""},
		{ir.Exp, []string{"1"}, "2.71828182845904523536028747135266249775724709369995957496696762772408"},
		{ir.Exp, []string{"-1e20"}, ""},
		{ir.Exp, []string{"1e20"}, ""},
		{ir.Log, []string{"2"}, "0.69314718055994530941723212145817656807550013436025525412068000949339"},
		{ir.Log, []string{"0"}, ""},
		{ir.Log, []string{"1"}, "0"},
		{ir.Pow, []string{"2", "10"}, "1024"},
		{ir.Pow, []string{"2", "0.5"}, "1.41421356237309504880168872420969807856967187537694807317667973799073"},
		{ir.Pow, []string{"-8", "0.5"}, ""},
		{ir.Rint, []string{"2.5"}, "2"},
		{ir.Rint, []string{"-3.5"}, "-4"},
		{ir.Rint, []string{"0.49999"}, "0"},
		{ir.Min, []string{"2", "-3.5"}, "-3.5"},
		{ir.Max, []string{"2", "-3.5"}, "2"},
		{ir.Floor, []string{"-3.5"}, "-4"},
		{ir.Ceil, []string{"-3.5"}, "-3"},
		{ir.Trunc, []string{"-3.5"}, "-3"},
		{ir.Trunc, []string{"3.5"}, "3"},
		{ir.Ldexp, []string{"3", "-1.5"}, "0.75"},
		{ir.Logb, []string{"0.1"}, "-4"},
		{ir.Mant, []string{"-12"}, "1.5"},
		{ir.Copysign, []string{"3", "-1"}, "-3"},
		{ir.Copysign, []string{"3", "0"}, ""},
		{ir.Convert, []string{"0.1"}, "0.1"},
		{ir.Lt, []string{"1", "2"}, ""},
		{ir.Select, []string{"1", "2", "3"}, ""},
		{ir.Add, []string{"1"}, ""},
	} {
		var args []*big.Float
		for _, s := range c.args {
			args = append(args, num(s))
		}
		got, ok := FoldReal(c.op, args)
		if ok != (c.want != "") {
			t.Errorf("%v %v = %v, %v; want %q", c.op, c.args, got, ok, c.want)
			continue
		}
		if !ok {
			continue
		}
		d := new(big.Float).Sub(got, num(c.want))
		if got.Prec() != ir.RealPrec || d.Sign() != 0 && d.MantExp(nil) > got.MantExp(nil)-ir.RealPrec+2 {
			t.Errorf("%v %v = %.60g (%d bits), want %s", c.op, c.args, got, got.Prec(), c.want)
		}
		for i, s := range c.args {
			if args[i].Cmp(num(s)) != 0 || args[i].Prec() != ir.RealPrec {
				t.Errorf("%v changed its operand %d", c.op, i)
			}
		}
	}
	if _, ok := FoldReal(ir.Neg, []*big.Float{new(big.Float).SetInf(true)}); ok {
		t.Error("an infinity was folded")
	}
}

// Over the reals, rounded once, against one operation that is rounded once.
func TestFoldRealRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, op := range []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.FMA, ir.Sqrt, ir.Abs, ir.Min, ir.Max, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Neg} {
		for range 200 {
			var x [3]float64
			var args []*big.Float
			for i := range op.Info().Arity {
				x[i] = r.NormFloat64()
				args = append(args, big.NewFloat(x[i]))
			}
			got, ok := FoldReal(op, args)
			want, _ := twin(op, ir.Float64, x)
			if !ok {
				if want == want {
					t.Errorf("%v %v is not folded", op, x)
				}
				continue
			}
			if f, _ := got.Float64(); f != want || math.Signbit(f) != math.Signbit(want) && want != 0 {
				t.Errorf("%v %v = %g, want %g", op, x, f, want)
			}
		}
	}
}
