package ir_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/ir"
)

func parse(t *testing.T, text string) *ir.Func {
	t.Helper()
	f, err := ir.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const shared = `func "f"("x" f32, "y" f32) {
	v0 = param f32 "x"
	v1 = param f32 "y"
	v2 = const f32 0x1p+00
	v3 = sqrt f32 v2
	v4 = add f32 v0 v1
	v5 = mul f32 v4 v3
	v6 = exp f32 v5
	v7 = add f32 v6 v4
	v8 = tanh f32 v7
	v9 = mul f32 v8 v0
	return v9
}
`

func TestDominators(t *testing.T) {
	f := parse(t, shared)
	// 4 is where x and y meet, so everything up to 8 depends on it alone; 9 needs x as well.
	if diff := cmp.Diff([]int{-1, -1, -1, -1, -1, 4, 5, 4, 7, -1}, f.Dominators()); diff != "" {
		t.Error(diff)
	}
}

func TestPart(t *testing.T) {
	got := parse(t, shared).Part(4, 8, ir.Between(0, 1))
	if err := ir.Verify(got); err != nil {
		t.Fatal(err)
	}
	want := parse(t, `func "f"("x" f32 in [0, 1]) {
	v0 = param f32 "x"
	v1 = const f32 0x1p+00
	v2 = sqrt f32 v1
	v3 = mul f32 v0 v2
	v4 = exp f32 v3
	v5 = add f32 v4 v0
	v6 = tanh f32 v5
	return v6
}
`)
	if diff := cmp.Diff(want.Compact().String(), got.Compact().String()); diff != "" {
		t.Error(diff)
	}
}

func TestReplace(t *testing.T) {
	f := parse(t, shared)
	same := f.Replace(4, 8, func(b *ir.Builder, from ir.Value) ir.Value {
		e := b.Must(ir.Exp, b.Must(ir.Mul, from, b.Must(ir.Sqrt, b.Const(ir.Float32, 1))))
		return b.Must(ir.Tanh, b.Must(ir.Add, e, from))
	})
	if diff := cmp.Diff(f.Compact().String(), same.Compact().String()); diff != "" {
		t.Error(diff)
	}
	got := f.Replace(4, 8, func(b *ir.Builder, from ir.Value) ir.Value { return b.Must(ir.Neg, from) })
	if err := ir.Verify(got); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got.String(), "exp") || got.Count(ir.Neg) != 1 || !slices.Equal(got.Params, f.Params) {
		t.Errorf("replaced:\n%v", got)
	}
}
