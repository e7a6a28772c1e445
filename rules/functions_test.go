package rules

import (
	"slices"
	"testing"
)

func TestFunctionsOf(t *testing.T) {
	for _, c := range []struct {
		text        string
		left, right []string
		both        bool
	}{
		{"a: tanh(x) => log(x)", []string{"tanh"}, []string{"log"}, false},
		{"b: exp(log(x)) = x where x > 0", []string{"exp", "log"}, nil, true},
		{"c: pow(a, x) ~> exp2(x * log2(a)) with t = cbrt(x)", []string{"pow"}, []string{"exp2", "log2", "cbrt"}, false},
		{"d: min(x, y) => abs(x)", nil, nil, false},
		{"e: tan (x) => x", nil, nil, false}, // spelled so, it counts as a law about nothing, which is always read
		{"f: odd_exp(x) => x", nil, nil, false},
	} {
		got := functionsOf(c.text)
		if !slices.Equal(got.left, c.left) || !slices.Equal(got.right, c.right) || got.both != c.both {
			t.Errorf("%s: %+v", c.text, got)
		}
	}
}
