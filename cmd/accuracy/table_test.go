package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The document is what the log says, and the log says what is promised: the correctly rounded tier is wrong nowhere, Strict is within an ulp,
// the default within 4, and forms keep the bounds that their rules state. Float32 functions of one variable have been tried at all inputs.
func TestDocument(t *testing.T) {
	all, err := readRecords("../../docs/accuracy.tsv")
	if err != nil {
		t.Fatal(err)
	}
	m, err := newMachine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "accuracy.md")
	if err := writeTable(name, all, rowKeys(), m.bounds()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("accuracy -doc writes another table:\n%s", diff)
	}
	limits := map[string]float64{"default": 4, "strict": 1, "correctly rounded": 0.5}
	for _, r := range all {
		if limit, ok := limits[r.tier]; ok && !(r.maxULP <= limit+1e-9) {
			t.Errorf("%s: %g ulp", r.key(), r.maxULP)
		}
		if r.tier == "correctly rounded" && (r.wrong != 0 || !r.exhaustive) {
			t.Errorf("%s: %d wrong results, exhaustive: %v", r.key(), r.wrong, r.exhaustive)
		}
	}
	bounds := m.bounds()
	for _, r := range all {
		// A coarse form overflows some ulp before the function does.
		var bound float64
		if _, err := fmt.Sscanf(bounds[r.tier], "%g ulp", &bound); err == nil && !(bound > 4 && math.IsInf(r.maxULP, 1)) && !(r.maxULP <= max(bound, 0.5)+1e-9) {
			t.Errorf("%s: %g ulp, within %g by its rule", r.key(), r.maxULP, bound)
		}
	}
	for _, f := range functions() {
		for _, typ := range []string{"f32", "f64"} {
			// The truth is not known at all points of a sample: exp(1e200) is beyond what the wide evaluation holds.
			if r := all[f.name+" "+typ+" default"]; r.points < samplePoints/2 {
				t.Errorf("%s %s: %d points", f.name, typ, r.points)
			}
		}
		if f.arity != 1 {
			continue
		}
		for _, tier := range []string{"default", "correctly rounded"} {
			if r := all[f.name+" f32 "+tier]; !r.exhaustive || r.points != 1<<32 {
				t.Errorf("%s f32 %s: %d points, exhaustive: %v", f.name, tier, r.points, r.exhaustive)
			}
		}
	}
}

// A record comes back from its line.
func TestRecord(t *testing.T) {
	r := record{function: "f", typ: "f32", tier: "t", hash: "1", forms: []string{"a", "b"}, operations: 3, points: 4, exhaustive: true, maxULP: 0.25,
		worst: []float64{-0x1.8p-140, 2}, wrong: 1, wrongAt: []float32{-1.5}, settled: 7}
	got, err := parseRecord(r.String())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, got, cmp.AllowUnexported(record{})); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "f\tf32", r.String() + "x\ty"} {
		if _, err := parseRecord(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
