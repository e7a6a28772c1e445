package yolk_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The first Go block of the README is a program, and prints what its comment says.
func TestReadme(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(text)
	if block == nil {
		t.Fatal("README.md has no Go block")
	}
	said := regexp.MustCompile(`(?m)fmt\.Print(?:ln|f)\(.*\) // (.*)$`).FindSubmatch(block[1])
	if said == nil {
		t.Fatalf("the block does not say what it prints:\n%s", block[1])
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, block[1], 0o644); err != nil {
		t.Fatal(err)
	}
	for _, clang := range []string{os.Getenv("YOLK_CLANG"), "off"} { // the machine's, and the interpreter
		cmd := exec.Command("go", "run", file)
		cmd.Env = append(os.Environ(), "YOLK_CLANG="+clang)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		printed, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		if got, want := strings.TrimSpace(string(printed)), string(said[1]); got != want {
			t.Errorf("YOLK_CLANG=%s: it prints %s, the README says %s", clang, got, want)
		}
	}
}
