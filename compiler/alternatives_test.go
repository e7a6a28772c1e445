package compiler_test

import (
	"context"
	"testing"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

// Alternatives are other programs that keep the contract too, from cheap to dear, and change nothing about the result; any of
// them can be chosen.
func TestAlternatives(t *testing.T) {
	f := gelu(ir.Unknown)
	c := config(t, rules.Default)
	plain, err := compiler.Optimise(context.Background(), f, c)
	if err != nil {
		t.Fatal(err)
	}
	c.Alternatives = 3
	run, err := compiler.Optimise(context.Background(), f, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(plain.Accepted) != 1 || len(run.Accepted) != 4 {
		t.Fatalf("%d and %d candidates were accepted, not 1 and 4", len(plain.Accepted), len(run.Accepted))
	}
	if run.Output.String() != plain.Output.String() || run.Chosen != run.Accepted[0] {
		t.Errorf("alternatives change the result")
	}
	contract, err := accuracy.New(f, c.Tolerance, 1<<10, run.Equal()...)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for i, a := range run.Accepted {
		if i > 0 && a.Cost < run.Accepted[i-1].Cost {
			t.Errorf("alternative %d costs less than the one before", i)
		}
		run.Choose(a)
		if texts[run.Output.String()] {
			t.Errorf("alternative %d is one of the others", i)
		}
		texts[run.Output.String()] = true
		if _, err := contract.Measure(run.Output); err != nil {
			t.Errorf("alternative %d: %v", i, err)
		}
		if run.Certificate.MaxAbs != a.Certificate.MaxAbs {
			t.Errorf("alternative %d has another's certificate", i)
		}
	}
}
