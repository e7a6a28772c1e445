package rulestest

import (
	"testing"

	"github.com/go-yolk/yolk/rules"
)

// Whatever Parse accepts can be checked, and its findings can be printed.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		"a: select(c, x, y) => select(c, y, x) ! nsz", "a: x < y => y < x", "a: exp(x) ~> float32(exp(float64(x) + 0.1)) for float32 everywhere within 1 ulp",
		"a: float32(x) => x for float32", "a: pow(x, n) ~> 1 where even(n) on abs(x) <= 1e-3 within 1e-3 rel", "a: x/x => nan where const(x) ! nnan reassoc",
		"a: a + b*c + d => d + c*b + a ! reassoc", "a: ldexp(x, k) = ldexp(x, k + 0)", "a: exp(x) ~> inf on x > 700 && x <= 800 within 1 abs",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := rules.Parse("f.rules", text)
		if err != nil || len(set.Names()) > 3 {
			return
		}
		for _, r := range set.Rewrites() {
			if len(r.LHS.Nodes)+len(r.RHS.Nodes) > 40 {
				return // slow, not different
			}
		}
		for _, finding := range Check(set, Options{Points: 16}) {
			if finding.Rule == "" || finding.Pos == "" || finding.String() == "" {
				t.Errorf("%+v", finding)
			}
		}
	})
}
