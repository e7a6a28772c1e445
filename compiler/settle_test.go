package compiler_test

import (
	"context"
	"testing"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

// Laws about special values fire where the program cannot have them, and only there.
func TestSpecialLicences(t *testing.T) {
	zeros := func(b *ir.Builder, x ir.Value) ir.Value { // x·0 + (x + 0)
		zero := b.Const(ir.Float32, 0)
		return b.Must(ir.Add, b.Must(ir.Mul, x, zero), b.Must(ir.Add, x, zero))
	}
	magnitude := func(b *ir.Builder, x ir.Value) ir.Value {
		return b.Must(ir.Abs, b.Must(ir.Mul, x, b.Const(ir.Float32, 3)))
	}
	for _, test := range []struct {
		name string
		fact ir.Fact
		body func(b *ir.Builder, x ir.Value) ir.Value
		want int // operations left
	}{
		{"zeros, positive x", ir.Between(1, 2), zeros, 0},
		{"zeros, any x", ir.Unknown, zeros, 3},
		{"zeros, x may be -0", ir.Between(-1, 2), zeros, 3},
		{"zeros, infinite x: only x+0 is x", ir.Fact{Lo: 1, Hi: ir.Unknown.Hi}, zeros, 2},
		{"abs of what is positive", ir.Between(1, 2), magnitude, 1},
		{"abs of what may be -0", ir.Between(-1, 2), magnitude, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := config(t, rules.Default)
			c.Licences = ir.ApproxFunc
			r, err := compiler.Optimise(context.Background(), define("f", test.fact, test.body), c)
			if err != nil {
				t.Fatal(err)
			}
			if n := r.Output.Arithmetic(); n != test.want {
				t.Errorf("%d operations, want %d\n%v", n, test.want, r.Output)
			}
		})
	}
}
