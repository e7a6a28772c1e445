package rulestest

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

var exhaustive = flag.Bool("exhaustive", false, "measure float32 forms of one variable at every value")

var shipped = []rules.Set{
	rules.Ring, rules.Field, rules.Signs, rules.Order, rules.Powers, rules.FMA, rules.Exponential, rules.Hyperbolic, rules.Logistic, rules.Trigonometric, rules.ErrorFunction, rules.Functions, rules.Machine, rules.Demo,
}

// Every law that the project ships is true, licensed exactly, within its bound, and can fire.
func TestShippedLaws(t *testing.T) {
	for _, set := range shipped {
		t.Run(set.Name(), func(t *testing.T) {
			o := Options{Exhaustive: *exhaustive}
			if *exhaustive {
				o.Progress = bar
			}
			if set.Name() == rules.Functions.Name() && !*exhaustive {
				// Commands approx and accuracy measure the forms at 2^20 points and more; this is about the text, the guards, the
				// special values and the interpreter. The truth of one point may take 50 µs.
				o.Points = 1 << 9
			}
			for _, f := range Check(set, o) {
				t.Error(f)
			}
		})
	}
}

// bar draws how far a law is, a line that is written over.
func bar(rule string, done, all uint64) {
	const width = 40
	filled := int(width * done / all)
	fmt.Fprintf(os.Stderr, "\r%-24s [%s%s] %3d %%", rule, strings.Repeat("#", filled), strings.Repeat(".", width-filled), 100*done/all)
	if done == all {
		fmt.Fprintln(os.Stderr)
	}
}

// Every law of bad.rules is refused, for the reason written above it.
func TestBadLaws(t *testing.T) {
	text, err := os.ReadFile("testdata/bad.rules")
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Parse("bad.rules", string(text))
	if err != nil {
		t.Fatal(err)
	}
	findings := Check(set, Options{})
	want := map[string]string{}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if reason, ok := strings.CutPrefix(line, "# want: "); ok {
			name, _, _ := strings.Cut(lines[i+1], ":")
			want[name] = reason
		}
	}
	got := map[string]string{}
	for _, f := range findings {
		got[f.Rule] = f.String()
	}
	for _, name := range set.Names() {
		if want[name] == "" || !strings.Contains(got[name], want[name]) {
			t.Errorf("%s:\n got %s\nwant %s", name, got[name], want[name])
		}
	}
	if len(want) != len(set.Names()) {
		t.Errorf("%d reasons for %d laws", len(want), len(set.Names()))
	}
}

// The domain is found to the last value, on both sides and with a hole in it.
func TestDomain(t *testing.T) {
	for _, c := range []struct {
		guard string
		want  []float64 // ends of the runs
	}{
		{"abs(x) <= 0.84", []float64{-float64(float32(0.84)), float64(float32(0.84))}},
		{"x > 1 && x < 3", []float64{1 + 0x1p-23, 3 - 0x1p-22}},
		{"abs(x) > 2 && x != -inf", []float64{-math.MaxFloat32, -2 - 0x1p-22, 2 + 0x1p-22, math.Inf(1)}},
	} {
		set, err := rules.Parse("f.rules", "a: exp(x) ~> x on "+c.guard+" within 1 ulp")
		if err != nil {
			t.Fatal(err)
		}
		s := newSampler(set.Rewrites()[0], ir.Float32)
		var got []float64
		runs := s.domain()
		for _, r := range runs {
			got = append(got, ir.BitsFloat(s.t, fromOrdinal(s.t, r.lo)), ir.BitsFloat(s.t, fromOrdinal(s.t, r.hi)))
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: runs %v", c.guard, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: end %d is %v, want %v", c.guard, i, got[i], c.want[i])
			}
		}
		p := s.cover(runs, 1000)
		for i := range p.len() {
			if !s.admits(p.at(i)) {
				t.Fatalf("%s: %v is not in the domain", c.guard, p.at(i))
			}
		}
		if p.len() < 900 || p.len() > 3000 {
			t.Errorf("%s: %d points instead of some thousand", c.guard, p.len())
		}
	}
}

func TestOrdinals(t *testing.T) {
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		for _, x := range []float64{math.Inf(-1), -1, -math.SmallestNonzeroFloat32, 0, 1, math.MaxFloat32} {
			bits := ir.ConstBits(typ, x)
			if got := fromOrdinal(typ, ordinal(typ, bits)); got != bits {
				t.Errorf("%v of %v: %#x became %#x", typ, x, bits, got)
			}
			next := ir.BitsFloat(typ, fromOrdinal(typ, ordinal(typ, bits)+1))
			want := math.Nextafter(x, math.Inf(1))
			if typ == ir.Float32 {
				want = float64(math.Nextafter32(float32(x), float32(math.Inf(1))))
			}
			if next != want && x < math.MaxFloat32 {
				t.Errorf("%v: after %v comes %v, want %v", typ, x, next, want)
			}
		}
	}
}
