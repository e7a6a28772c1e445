package trace

import (
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Traced integers and bools, with the bits that come out.
func TestTraceDiscrete(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fn    any
		dtype ir.Type
		in    []int64
		want  int64
	}{
		{"arithmetic", func(x, y Value) Value { return x.Mul(y).Add(Const(1)).Neg() }, ir.Int8, []int64{100, 3}, -45},
		{"quotient", func(x, y Value) Value { return x.Div(y) }, ir.Int32, []int64{-7, 2}, -3},
		{"remainder", func(x, y Value) Value { return x.Rem(y) }, ir.Int32, []int64{-7, 2}, -1},
		{"bits", func(x, y Value) Value { return x.And(y).Or(x.Xor(y)).AndNot(Const(8)).Not() }, ir.Uint8, []int64{12, 10}, 0xf9},
		{"shifts", func(x, y Value) Value { return x.Shl(y).Add(x.Shr(y)) }, ir.Int16, []int64{-4, 1}, -10},
		{"large shift", func(x, y Value) Value { return x.Shr(y) }, ir.Int16, []int64{-4, -1}, -1},
		{"square", func(x Value) Value { return x.Pow(2) }, ir.Int64, []int64{-5}, 25},
		{"power", func(x Value) Value { return x.Pow(13) }, ir.Uint8, []int64{3}, 0xd3},
		{"power of 0", func(x Value) Value { return x.Pow(0) }, ir.Uint8, []int64{0}, 1},
		{"min and max", func(x, y Value) Value { return x.Min(y).Sub(x.Max(y)) }, ir.Uint16, []int64{3, 5}, 65534},
		{"bool", func(x, y Value) Value { return x.Less(y).Or(x.Equal(y)).And(Where(x.Less(y), x.Equal(x), y.Less(x))) }, ir.Int8, []int64{-1, 3}, 1},
		{"bools", func(x, y Value) Value { return x.And(y.Not()).Xor(Const(1)) }, ir.Bool, []int64{1, 1}, 1},
		{"count", func(x, y Value) Value { return x.Less(y).Convert(ir.Int32).Add(Const(1)) }, ir.Float32, []int64{0, 0}, 1},
		{"narrow", func(x Value) Value { return x.Convert(ir.Int8).Convert(ir.Int64) }, ir.Int64, []int64{200}, -56},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Trace("f", tt.fn, tt.dtype, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := interp.Compile(f)
			if err != nil {
				t.Fatal(err)
			}
			in, out := make([]uint64, len(tt.in)), make([]uint64, 1)
			for i, x := range tt.in {
				in[i] = uint64(x)
				if tt.dtype.IsInteger() {
					in[i] = ir.IntBits(tt.dtype, x)
				}
			}
			if err := p.Eval(in, out); err != nil {
				t.Fatal(err)
			}
			typ := f.Nodes[f.Results[0]].Type
			want := uint64(tt.want)
			if typ.IsInteger() {
				want = ir.IntBits(typ, tt.want)
			}
			if out[0] != want {
				t.Errorf("%v is %d, want %d\n%v", tt.in, ir.BitsInt(ir.Int64, out[0]), tt.want, f)
			}
		})
	}
	for _, tt := range []struct {
		fn   any
		want string
	}{
		{func(x Value) Value { return x.Pow(-2) }, "an integer has no power of -2"},
		{func(x Value) Value { return x.Add(Const(0.5)) }, "the constant 0.5 is no int32"},
		{func(x Value) Value { return x.Add(Const(1 << 31)) }, "the constant 2.147483648e+09 is no int32"},
		{func(x Value) Value { return x.Exp() }, "exp needs floating-point operands, not i32"},
	} {
		if _, err := Trace("f", tt.fn, ir.Int32, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}
