package compiler_test

import (
	"context"
	"testing"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

func BenchmarkZZ(b *testing.B) {
	for _, stage := range []string{"saturate", "extract", "lower"} {
		b.Run(stage, func(b *testing.B) {
			b.ReportAllocs()
			c := config(&testing.T{}, rules.Default)
			for b.Loop() {
				if _, err := compiler.RunUntil(context.Background(), gelu(ir.Unknown), c, stage); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
