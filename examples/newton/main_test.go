package main

import "testing"

func TestKepler(t *testing.T) {
	worst, most, err := solve(2000)
	if err != nil {
		t.Fatal(err)
	}
	if worst > 1e-12 || most < 4 || most > 49 {
		t.Errorf("residual %g after at most %d steps", worst, most)
	}
}
