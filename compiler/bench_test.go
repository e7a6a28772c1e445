package compiler_test

import (
	"context"
	"testing"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

// BenchmarkStages measures the pipeline up to each stage before measurement: trace to lowered candidates is "lower".
func BenchmarkStages(b *testing.B) {
	run := func(name string, f *ir.Func) {
		for _, stage := range []string{"saturate", "extract", "lower"} {
			b.Run(name+"/"+stage, func(b *testing.B) {
				b.ReportAllocs()
				c := config(b, rules.Default)
				for b.Loop() {
					if _, err := compiler.RunUntil(context.Background(), f, c, stage); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	run("gelu", gelu(ir.Unknown))
	for _, l := range long {
		run(l.name, l.f())
	}
}

// BenchmarkExplain derives gelu's candidate, saturations included.
func BenchmarkExplain(b *testing.B) {
	r, err := compiler.RunUntil(context.Background(), gelu(ir.Unknown), config(b, rules.Default), "lower")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Explain(r.Candidates[0]); err != nil {
			b.Fatal(err)
		}
	}
}
