package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/internal/golden"
)

func TestGoldenDoctor(t *testing.T) {
	var fine, ill diagnosis
	fine.note("clang", "clang %d", 19)
	fine.note("kernels", "run as native code")
	fine.Stages, fine.OK = []timing{{"clang", 1_500_000}, {"run, 1000 elements", 500}}, true
	ill.note("system", "linux")
	ill.fault("clang", errors.New("there is none"), installClang)
	ill.fault("kernels", errors.New("run on the interpreter"), "")
	var vague diagnosis
	vague.fault("kernels", errors.New("link: no"), "")
	for _, c := range []struct {
		name string
		d    *diagnosis
	}{{"fine", &fine}, {"ill", &ill}, {"vague", &vague}} {
		var out bytes.Buffer
		c.d.print(&out)
		golden.Check(t, "testdata/doctor-"+c.name+".txt", out.String())
	}
}

// Where kernels are native, doctor finds nothing to fix.
func TestDoctorNative(t *testing.T) {
	needNative(t)
	code, stdout, stderr := yolk(t, "doctor")
	if code != exitOK || stderr != "" {
		t.Fatalf("code %d\n%s%s", code, stdout, stderr)
	}
	for _, want := range []string{"processor", "runs code for", "loading", "clang version", "linker", "disassembler", "YOLK_CPU", "run as native code", "within the contract", "certify", "run, 1000 elements", "Nothing to fix."} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing in:\n%s", want, stdout)
		}
	}
}

// What stands in the way of native kernels is found, with what to do about it.
func TestDoctorFaults(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake compiler is a shell script")
	}
	old := filepath.Join(t.TempDir(), "clang")
	if err := os.WriteFile(old, []byte("#!/bin/sh\necho clang version 14.0.6\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, variable, value string
		what                  string // the finding that is bad
		state, fix            string
		runs                  bool // on the interpreter
	}{
		{"off", "YOLK_CLANG", "off", "clang", "YOLK_CLANG=off", "unset YOLK_CLANG", true},
		{"old", "YOLK_CLANG", old, "clang", "14.0.6 is too old", "unset YOLK_CLANG", true},
		{"none", "PATH", t.TempDir(), "clang", "looked for clang", installClang, true},
		{"no such target", "YOLK_CPU", "vax", "kernels", `"vax"`, "unset YOLK_CPU", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "none" {
				t.Setenv("YOLK_CLANG", "")
			}
			t.Setenv(c.variable, c.value)
			code, stdout, _ := yolk(t, "doctor", "-json")
			var d diagnosis
			if err := json.Unmarshal([]byte(stdout), &d); err != nil {
				t.Fatal(err)
			}
			if code != exitBad || d.OK {
				t.Errorf("code %d, OK %v", code, d.OK)
			}
			if !slices.ContainsFunc(d.Findings, func(f finding) bool { return f.What == c.what && !f.OK && strings.Contains(f.State, c.state) }) {
				t.Errorf("no finding %q with %q in %+v", c.what, c.state, d.Findings)
			}
			if !strings.Contains(strings.Join(d.Fix, "\n"), c.fix) {
				t.Errorf("no advice %q in %q", c.fix, d.Fix)
			}
			if got := slices.ContainsFunc(d.Findings, func(f finding) bool { return f.What == "live check" && f.OK }); got != c.runs {
				t.Errorf("live check passed: %v, want %v", got, c.runs)
			}
		})
	}
}
