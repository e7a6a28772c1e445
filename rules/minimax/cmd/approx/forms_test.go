package main

import (
	"bytes"
	"flag"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	update     = flag.Bool("update", false, "rewrite testdata/forms.rules")
	exhaustive = flag.Bool("exhaustive", false, "test all 2^32 float32 arguments (an hour; raise -timeout)")
)

const golden = "testdata/forms.rules"

func TestGolden(t *testing.T) {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), out.String()); d != "" {
		t.Errorf("generator and golden text differ (-golden +now); -update rewrites it:\n%s", d)
	}
}

func forms(t *testing.T) []form {
	t.Helper()
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var out []form
	for line := range strings.Lines(string(text)) {
		out = append(out, parseForm(t, strings.TrimSuffix(line, "\n")))
	}
	return out
}

// truth32 is good to about 2^-28 ulp of float32.
var truth32 = map[string]func(float64) float64{
	"exp": math.Exp, "expm1": math.Expm1, "tanh": math.Tanh, "log": math.Log,
}

// err32 is the error of got in float32 ulp at the true value.
func err32(got float32, want float64) float64 {
	g := float64(got)
	switch {
	case math.IsNaN(want) || math.IsNaN(g):
		if math.IsNaN(want) && math.IsNaN(g) {
			return 0
		}
		return math.Inf(1)
	case g == want:
		return 0
	}
	// Overflow counts as 2^128 on both sides.
	const top = 0x1p128
	g, want = max(-top, min(g, top)), max(-top, min(want, top))
	exp := int(math.Float64bits(want)>>52&0x7ff) - 1023
	exp = min(max(exp, -126), 127)
	return math.Abs(g-want) * math.Float64frombits(uint64(23-exp+1023)<<52)
}

func TestFloat32(t *testing.T) {
	// An odd step walks through every binade, subnormals and NaNs included:
	// 2^22 arguments.
	step := uint64(1021)
	if *exhaustive {
		step = 1
	}
	for _, f := range forms(t) {
		if f.typ != "float32" {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var w tally
			fused, unfused := compile(t, f, machine32), compile(t, f, machine32.unfused())
			runs := []func([]float32) []float32{fused.runner(), unfused.runner()}
			truth := truth32[f.fn]
			x, want := make([]float32, 0, blockLen), make([]float64, blockLen)
			for b := uint64(0); b < 1<<32; {
				x = x[:0]
				for ; b < 1<<32 && len(x) < blockLen; b += step {
					if v := math.Float32frombits(uint32(b)); f.covers(float64(v)) {
						x = append(x, v)
					}
				}
				for i, v := range x {
					want[i] = truth(float64(v))
				}
				for j, run := range runs {
					for i, y := range run(x) {
						w.note(j, err32(y, want[i]), float64(x[i]))
					}
				}
			}
			w.check(t, f, fused.ops, fused.fault+unfused.fault)
		})
	}
}

// A tally holds the worst error of a form with and without fma.
type tally [2]struct{ ulp, at float64 }

func (w *tally) note(j int, ulp, at float64) {
	if !(ulp <= w[j].ulp) {
		w[j].ulp, w[j].at = ulp, at
	}
}

func (w *tally) check(t *testing.T, f form, ops int, fault string) {
	t.Helper()
	// Without fma the forms only promise the default contract.
	for j, limit := range []float64{bound(t, f), 4} {
		name := []string{"fused", "unfused"}[j]
		t.Logf("%s %s: %.4f ulp at %x, %d operations", f.name, name, w[j].ulp, w[j].at, ops)
		if !(w[j].ulp <= limit) {
			t.Errorf("%s %s: %.4f ulp at %x, want at most %v", f.name, name, w[j].ulp, w[j].at, limit)
		}
	}
	if fault != "" {
		t.Errorf("%s: %s", f.name, fault)
	}
}

func bound(t *testing.T, f form) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(f.bound, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
