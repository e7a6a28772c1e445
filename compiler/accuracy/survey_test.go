package accuracy

import (
	"context"
	"errors"
	"math"
	"testing"

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
		got, err := survey(context.Background(), f, []Executor{column(right), column(wrong)}, interpreted, part.first, part.last, nil)
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
	_, err := survey(context.Background(), f, []Executor{column(func(in, out []float32) error { return broken })}, interpreted, 0, 1<<16, nil)
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
	got, err := survey(context.Background(), f, []Executor{column(exact)}, interpreted, 0x3f800000, 0x3f800000+1<<16, nil)
	if err != nil || got[0].Wrong != 0 || got[0].Settled < 1<<13 || got[0].MaxULP > 0.5 {
		t.Errorf("%+v, %v", got, err)
	}
}
