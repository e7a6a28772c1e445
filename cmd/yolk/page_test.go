package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/ufunc"
)

// writtenPage writes the page of a kernel and returns its path and what it shows.
func writtenPage(t *testing.T, fn func(ufunc.Value) ufunc.Value, opts ...ufunc.Option) (path string, r *ufunc.Report, x *ufunc.Explanation) {
	t.Helper()
	k, err := ufunc.Compile(t.Context(), fn, ufunc.Float32, 1, append(opts, ufunc.NoCache())...)
	if err != nil {
		t.Fatal(err)
	}
	if x, err = k.Explain(t.Context()); err != nil {
		t.Fatal(err)
	}
	r = k.Report()
	path = filepath.Join(t.TempDir(), "page.html")
	var b bytes.Buffer
	if err := writePage(&b, r, x); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, r, x
}

func sigmoid(x ufunc.Value) ufunc.Value {
	return x.Mul(ufunc.Const(0.5)).Tanh().Add(ufunc.Const(1)).Mul(ufunc.Const(0.5))
}

var stageAttribute = regexp.MustCompile(`data-stage="([^"]*)"`)

// The page has a column for each stage and refers to nothing outside; names are escaped.
func TestPage(t *testing.T) {
	path, r, _ := writtenPage(t, sigmoid, ufunc.Name(`<script>alert("x")</script>`), ufunc.Domain(-8, 8))
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	var want, got []string
	for _, s := range r.Stages {
		want = append(want, s.Name)
	}
	for _, m := range stageAttribute.FindAllStringSubmatch(text, -1) {
		got = append(got, m[1])
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{"http:", "https:", " src=", "@import", "url(", `alert("x")`, "ZgotmplZ", "NaN"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	for _, part := range []string{"error over the domain", "the e-graph", "rules that fired", "candidates", "as written", "the program that runs"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing", part)
		}
	}
	if r.LLVM != "" && !strings.Contains(text, "the loop over single vectors") || r.Asm != "" && !strings.Contains(text, "fused multiply-add") {
		t.Error("the texts of native kernels are missing")
	}
}

// In a browser: no fault on the console, no request but for the file, a column for each stage, and a click on a value lights it up in
// several of them, and once more or the key Escape puts it out.
func TestPageInBrowser(t *testing.T) {
	path, r, x := writtenPage(t, sigmoid)
	b := openBrowser(t)
	b.visit("file://" + path)
	var stages []string
	b.eval(`[...document.querySelectorAll(".stage")].filter(s => s.offsetWidth > 100 && s.querySelector("h2 time").textContent).map(s => s.dataset.stage)`, &stages)
	var want []string
	for _, s := range r.Stages {
		want = append(want, s.Name)
	}
	if d := cmp.Diff(want, stages); d != "" {
		t.Error(d)
	}
	// The result is the last line of every program.
	first := x.Programs[0]
	result := len(first.Lines) - 1
	lit := func() (in []string) {
		b.eval(`[...new Set([...document.querySelectorAll(".on")].map(e => e.closest(".stage").dataset.stage))]`, &in)
		return in
	}
	if on := lit(); len(on) != 0 {
		t.Errorf("lit before any click: %v", on)
	}
	element := `document.querySelectorAll("[data-stage=frontend] li")[` + strconv.Itoa(result) + `]`
	b.click(element)
	on := lit()
	for _, stage := range []string{"frontend", "saturate", "extract", "lower", "certify"} {
		if !slices.Contains(on, stage) {
			t.Errorf("after a click on the result nothing is lit in %s: %v", stage, on)
		}
	}
	if r.LLVM != "" && !slices.Contains(on, "codegen") {
		t.Errorf("nothing is lit in codegen: %v", on)
	}
	var colour string
	b.eval(`getComputedStyle(`+element+`).backgroundColor`, &colour)
	if colour == "rgba(0, 0, 0, 0)" {
		t.Error("what is lit looks as before")
	}
	b.click(element)
	if on := lit(); len(on) != 0 {
		t.Errorf("lit after a second click: %v", on)
	}
	b.click(`document.querySelector(".class.root rect")`)
	if on := lit(); !slices.Contains(on, "frontend") || !slices.Contains(on, "saturate") {
		t.Errorf("after a click on the root class: %v", on)
	}
	b.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "Escape"}, nil)
	if on := lit(); len(on) != 0 {
		t.Errorf("lit after Escape: %v", on)
	}
	if len(b.Faults) > 0 {
		t.Errorf("console: %v", b.Faults)
	}
	for _, address := range b.Requests {
		if address != "file://"+path && !strings.HasPrefix(address, "data:") {
			t.Errorf("the page loads %s", address)
		}
	}
}

func TestMixture(t *testing.T) {
	bars := mixture("     0  vmovups zmm0, [rdi]\n     6  vfmadd213ps zmm0, zmm1, zmm2\n     c  vfmadd231ps zmm0, zmm1, zmm2\n    12  add     rdi, 64\n\nother:\n     0  fmla    v0.4s, v1.4s, v2.4s\n     4  ret\n")
	want := []bar{{"fused multiply-add", 3, 50}, {"integers, masks, other", 1, 100. / 6}, {"jump, call", 1, 100. / 6}, {"load, store, move", 1, 100. / 6}}
	if d := cmp.Diff(want, bars); d != "" {
		t.Error(d)
	}
}
