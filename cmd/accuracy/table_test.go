package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The document is what the log says, and the log says what is promised: the correctly rounded tier is wrong nowhere, Strict is within an ulp,
// the default within 4.
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
