package trace

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/ir"
)

var (
	half = &ir.Def{Name: "half", Arity: 1, Eval: func(x []float64) float64 { return x[0] / 2 }}
	mean = &ir.Def{Name: "mean", Arity: 2, Eval: func(x []float64) float64 { return x[0]/2 + x[1]/2 }}
)

func TestTraceCall(t *testing.T) {
	f, err := Trace("f", func(x, y Value) Value {
		return Call(mean, Call(half, x), Call(mean, Const(2), y)).Convert(ir.Float32)
	}, ir.Float32, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `func "f"("x0" f32, "x1" f32) {
	v0 = param f32 "x0"
	v1 = param f32 "x1"
	v2 = call1 f32 "half" v0
	v3 = const f32 0x1p+01 # 2
	v4 = call2 f32 "mean" v3 v1
	v5 = call2.pin f32 "mean" v2 v4
	return v5
}
`
	if diff := cmp.Diff(want, f.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTraceCallErrors(t *testing.T) {
	other := *half
	runs := 0
	base := line()
	for i, c := range []struct { // the function of row i is on line base + 6 + 2*i
		name string
		fn   any
		want string
	}{{"count",
		func(x Value) Value { return Call(mean, x) },
		"mean of 1 operands, want 2"}, {"too many",
		func(x Value) Value { return Call(half, x, x, x, x, x) },
		"half of 5 operands, want 1"}, {"nil",
		func(x Value) Value { return Call(nil, x) },
		"a nil definition"}, {"zero value",
		func(x Value) Value { return Call(mean, x, Value{}) },
		"operand 1 of mean is the zero Value"}, {"mixed",
		func(x Value) Value { return Call(mean, x, x.Convert(ir.Float64)) },
		"mean of float32 and float64; convert one of them with Convert"}, {"namesakes",
		func(x Value) Value { return Call(half, Call(&other, x)) },
		"two operations are called half"},
	} {
		_, err := Trace("f", c.fn, ir.Float32, nil)
		at := fmt.Sprintf("call_test.go:%d: ", base+6+2*i)
		if !errors.Is(err, ErrTrace) || !strings.Contains(err.Error(), at) || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s%s", c.name, err, at, c.want)
		}
	}
	_, err := Trace("f", func(x Value) Value {
		if runs++; runs > 1 {
			return Call(&ir.Def{Name: "quarter", Arity: 1, Eval: half.Eval}, x)
		}
		return Call(half, x)
	}, ir.Float32, nil)
	if !errors.Is(err, ErrUnstable) || !strings.Contains(err.Error(), "half in the first, quarter in the second") {
		t.Errorf("another operation in the second run: %v", err)
	}
}
