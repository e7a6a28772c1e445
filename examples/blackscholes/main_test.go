package main

import "testing"

func TestPrices(t *testing.T) {
	_, _, worst, err := measure(1000)
	if err != nil {
		t.Fatal(err)
	}
	if worst > 1e-4 { // of prices up to 150
		t.Errorf("prices differ by %g", worst)
	}
}
