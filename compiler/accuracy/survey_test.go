package accuracy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// interpreted runs a program on the interpreter, with its library functions.
func interpreted(f *ir.Func) (Executor, error) {
	p, err := interp.Compile(f)
	if err != nil {
		return nil, err
	}
	return p.Run, nil
}

// column makes a kernel of a function of columns.
func column(f func(in, out []float32) error) Executor {
	return func(_ int, in, out []interp.Column) error { return f(in[0].F32, out[0].F32) }
}

// A survey counts the wrong results, finds the largest error, and knows special values. Float64 exp rounded once is right nearly
// everywhere, also among the subnormals.
func TestSurvey(t *testing.T) {
	f := define(ir.Float32, ir.Unknown, 1, apply(ir.Exp))
	right := func(in, out []float32) error { return exp32(in, [][]float32{out}) }
	spoil := map[float32]float32{1.5: 4.4816895, -2: 0, -100: 0x1p-144, float32(math.Inf(-1)): 1}
	wrong := func(in, out []float32) error {
		err := right(in, out)
		for i, x := range in {
			if y, ok := spoil[x]; ok {
				out[i] = y
			}
			if x != x {
				out[i] = 2
			}
		}
		return err
	}
	for _, part := range []struct {
		first, last uint64
		wrong       uint64
		ulp         float64
	}{
		{0x3fc00000 - 1<<17, 0x3fc00000 + 1<<17, 1, 0.75}, // around 1.5
		{0x7f800000, 0x7f800010, 15, math.Inf(1)},         // Inf, NaN
		{0xff800000, 0xff800001, 1, 1e40},                 // -Inf
		{0xc2c80000 - 1<<17, 0xc2c80000 + 1<<17, 1, 5},    // -100, subnormal results
	} {
		got, err := survey(context.Background(), f, nil, []Executor{column(right), column(wrong)}, interpreted, part.first, part.last, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Wrong != 0 || got[0].MaxULP > 0.5 || got[1].Wrong != part.wrong || !(got[1].MaxULP >= part.ulp) {
			t.Errorf("%#x: %+v", part.first, got)
		}
		if n := len(got[1].WrongAt); uint64(n) != part.wrong {
			t.Errorf("%#x: %d wrong inputs listed", part.first, n)
		}
	}
	broken := errors.New("broken")
	_, err := survey(context.Background(), f, nil, []Executor{column(func(in, out []float32) error { return broken })}, interpreted, 0, 1<<16, nil)
	if !errors.Is(err, broken) {
		t.Errorf("a kernel that fails: %v", err)
	}
}

// Where float64 cannot tell which way a value rounds, more bits do: x + x·2^-60 near ties of float32.
func TestSurveySettles(t *testing.T) {
	f := define(ir.Float32, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value { // x·(1 + 2^-24): a tie for odd x, unless a bit is added
		return b.Must(ir.Add, b.Must(ir.Mul, x[0], b.Const(ir.Float32, 1.5)), b.Must(ir.Mul, x[0], b.Const(ir.Float32, 0x1p-70)))
	})
	exact := func(in, out []float32) error { // 1.5x has 25 bits at most; what is added decides ties
		for i, x := range in {
			y := 1.5 * float64(x)
			out[i] = float32(math.Nextafter(y, math.Inf(1)))
		}
		return nil
	}
	got, err := survey(context.Background(), f, nil, []Executor{column(exact)}, interpreted, 0x3f800000, 0x3f800000+1<<16, nil)
	if err != nil || got[0].Wrong != 0 || got[0].Settled < 1<<13 || got[0].MaxULP > 0.5 {
		t.Errorf("%+v, %v", got, err)
	}
}

// What the wide evaluation does not decide is no truth: at ties that it cannot tell from their neighbours a survey says so. A function that is
// known there is measured all the same.
func TestSurveyUndecided(t *testing.T) {
	f := define(ir.Float32, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value { // x/2 and exp(-2^60), a number beyond any precision
		return b.Must(ir.FMA, x[0], b.Const(ir.Float32, 0.5), b.Must(ir.Exp, b.Const(ir.Float32, -0x1p60)))
	})
	half := column(func(in, out []float32) error {
		for i, x := range in {
			out[i] = x/2 + float32(math.Float32bits(x)&1)*0x1p-149/2
		}
		return nil
	})
	up := column(func(in, out []float32) error {
		for i, x := range in {
			out[i] = math.Float32frombits((math.Float32bits(x) + 1) / 2)
		}
		return nil
	})
	_, err := survey(context.Background(), f, nil, []Executor{half}, interpreted, 1, 1<<10, nil)
	if !errors.Is(err, ErrUndecided) {
		t.Errorf("undecided: %v", err)
	}
	known := func(x float64) (interp.Value, bool) { return interp.Value{Hi: x / 2, Lo: 0x1p-900}, x < 0x1p-120 }
	got, err := survey(context.Background(), f, known, []Executor{half, up}, interpreted, 1, 1<<10, nil)
	if err != nil || got[1].Wrong != 0 || got[1].MaxULP != 0.5 || got[0].Wrong != 1<<8 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Rounding once is what big.Float does.
func TestRoundOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for range 1 << 20 {
		hi := float64(math.Float32frombits(rng.Uint32()))
		if hi-hi != 0 {
			continue
		}
		half := math.Float64frombits(math.Float64bits(hi)&(0x7ff<<52)) * 0x1p-24
		hi += half * float64(rng.IntN(3)-1)
		lo := half * float64(rng.IntN(5)-2) / 2 * math.Ldexp(1, -rng.IntN(200))
		sum := new(big.Float).SetPrec(2200).SetFloat64(hi)
		want, _ := sum.Add(sum, big.NewFloat(lo)).Float32()
		if got := roundOnce(hi, lo); got != want {
			t.Fatalf("%x + %x = %x, want %x", hi, lo, got, want)
		}
	}
}

// At every argument where float64 cannot tell how a function rounds the wide evaluation does, and it is what the correctly rounded kernels
// are tested against, and what the interpreter has.
func TestTiesAreDecided(t *testing.T) {
	text, err := os.ReadFile("../../ufunc/testdata/ties.tsv")
	if err != nil {
		t.Fatal(err)
	}
	ops := map[string]func(b *ir.Builder, x []ir.Value) ir.Value{}
	for op := ir.Op(1); op < ir.NumOps; op++ {
		if op.Info().Function && !op.Call() {
			ops[op.String()] = apply(op)
		}
	}
	for _, d := range elementary.Defs() {
		ops[d.Name] = func(b *ir.Builder, x []ir.Value) ir.Value {
			v, err := b.Call(d, x...)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var name string
		var x, y uint32
		if n, _ := fmt.Sscanf(line, "%s\t%x\t%x", &name, &x, &y); n != 3 {
			continue
		}
		n++
		f := define(ir.Float32, ir.Unknown, 1, ops[name])
		written := []float32{math.Float32frombits(x)}
		if run, err := interpreted(f); err != nil || run(1, []interp.Column{f32(written)}, []interp.Column{f32(written)}) != nil ||
			math.Float32bits(written[0]) != y {
			t.Errorf("%s(%08x) = %08x on the interpreter, want %08x: %v", name, x, math.Float32bits(written[0]), y, err)
		}
		is := column(func(_, out []float32) error { out[0] = math.Float32frombits(y); return nil })
		var known Known
		if name == "exp2" { // at -150 there is a tie
			known = func(x float64) (interp.Value, bool) { return interp.Value{Hi: math.Exp2(x)}, x == math.Trunc(x) }
		}
		got, err := survey(context.Background(), f, known, []Executor{is}, interpreted, uint64(x), uint64(x)+1, nil)
		if err != nil || got[0].Wrong != 0 {
			t.Errorf("%s(%08x): %d wrong, %v", name, x, got[0].Wrong, err)
		}
	}
	if n < 2400 {
		t.Errorf("%d ties", n)
	}
}
