package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/go-yolk/yolk/ufunc"
)

// harnessText is the program that reaches the function. It may import what ufunc imports and the standard library, and
// nothing else: other packages need not be vendored.
//
//go:embed harness.go.tmpl
var harnessText string

var harnessTemplate = template.Must(template.New("harness").Parse(harnessText))

// harness is what the template wants to know; numbers, types and options are Go expressions.
type harness struct {
	Package string // of the file
	Import  string // of the function, if that is not the same package
	Command string // explain, verify, bench or gen
	Target  string // the function
	DType   string // "": that of the first parameter
	Options []string
	Page    bool // of explain: an Explanation, too

	Sizes           []int // of bench
	Params, Results []string
	Lo, Hi          string

	Targets []string // of gen
}

// message is what the harness prints: a JSON text behind a record separator (RFC 7464), so that whatever else the package
// prints does no harm.
type message struct {
	Done, All uint64
	Report    *ufunc.Report
	Rows      []benchRow
	Err       string
	Broken    bool // Err says that the contract is broken
	Generated *ufunc.Generated

	Explanation *ufunc.Explanation
}

const recordSeparator = '\x1e'

// prepare locates the function and fills in what the flags say.
func prepare(ctx context.Context, command, spelled string, k *kernelFlags) (*function, *harness, error) {
	options, err := k.options()
	if err != nil {
		return nil, nil, err
	}
	f, err := locate(ctx, spelled)
	if err != nil {
		return nil, nil, err
	}
	types, err := f.instance(k.types)
	if err != nil {
		return nil, nil, err
	}
	h := &harness{Package: f.pkg.Name, Command: command, Target: f.name, Options: options}
	if k.dtype != "" {
		h.DType = "yolkUfunc.F" + strings.TrimPrefix(k.dtype, "f")
	}
	if len(types) > 0 {
		h.Target += "[" + strings.Join(types, ", ") + "]"
	}
	if f.beside {
		h.Package, h.Import, h.Target = "yolkharness", f.pkg.ImportPath, "yolkTarget."+h.Target
	}
	return f, h, nil
}

// session hands the messages of a harness to show, until that returns an error.
type session func(show func(message) error) error

// run builds the harness and runs it, as a session.
func (h *harness) run(ctx context.Context, f *function, show func(message) error) error {
	temp, err := os.MkdirTemp("", "yolk-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	program, err := h.build(ctx, f, temp)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, program)
	cmd.Dir = f.dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	messages, err := read(bufio.NewReader(stdout), show)
	if err != nil {
		cancel()
	}
	failed := cmd.Wait()
	switch {
	case err != nil:
		return err
	case failed != nil:
		return fmt.Errorf("the program made for %s failed: %w\n%s", f.spelled, failed, strings.TrimSpace(stderr.String()))
	case messages == 0:
		return fmt.Errorf("package %s ended the program made for %s before it began", f.pkg.ImportPath, f.spelled)
	}
	return nil
}

// read hands every message to show.
func read(r *bufio.Reader, show func(message) error) (messages int, err error) {
	for {
		line, end := r.ReadBytes('\n')
		if at := bytes.IndexByte(line, recordSeparator); at >= 0 {
			var m message
			if err := json.Unmarshal(line[at+1:], &m); err != nil {
				return messages, fmt.Errorf("the report cannot be read; yolk and the module's github.com/go-yolk/yolk are of different versions? %w", err)
			}
			messages++
			if err := show(m); err != nil {
				return messages, err
			}
		}
		if end != nil { // the pipe's end: the program's fate is known to Wait
			return messages, nil
		}
	}
}

// build makes the program, in the directory temp.
func (h *harness) build(ctx context.Context, f *function, temp string) (program string, err error) {
	var text bytes.Buffer
	if err := harnessTemplate.Execute(&text, h); err != nil {
		return "", err
	}
	source := filepath.Join(temp, "harness.go")
	if err := os.WriteFile(source, text.Bytes(), 0o600); err != nil {
		return "", err
	}
	replace := map[string]string{}
	dir, pattern := f.dir, f.pkg.ImportPath
	place := f.pkg.Dir
	if !f.beside {
		for _, base := range slices.Concat(f.pkg.TestGoFiles, f.pkg.XTestGoFiles) {
			replace[filepath.Join(place, base)] = "" // as if it were not there
		}
		for _, base := range f.hidden {
			replace[filepath.Join(place, base)] = ""
		}
	} else { // a package of its own, beside those of the main module
		mod, err := goCommand(ctx, f.dir, "env", "GOMOD")
		if err != nil {
			return "", err
		}
		if mod = strings.TrimSpace(mod); filepath.Base(mod) != "go.mod" {
			return "", errors.New("run yolk in a module that requires the package")
		}
		dir, pattern = filepath.Dir(mod), "./"+h.Package
		place = filepath.Join(dir, h.Package)
	}
	replace[filepath.Join(place, "yolkharness_test.go")] = source
	overlayFile, err := writeOverlay(temp, replace)
	if err != nil {
		return "", err
	}
	program = filepath.Join(temp, "harness.exe")
	// Kernels are read from their source: the program must know where that is. Nobody debugs it, and linking is faster without.
	_, err = goCommand(ctx, dir, "test", "-c", "-vet=off", "-trimpath=false", "-ldflags=-s -w", "-overlay", overlayFile, "-o", program, pattern)
	return program, err
}
