package ir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func goodTexts(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/good/*.ir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	texts := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(file)] = string(text)
	}
	return texts
}

// The texts are canonical: printing what was parsed gives every byte back.
func TestPrintInvertsParse(t *testing.T) {
	for name, text := range goodTexts(t) {
		f, err := Parse(name, text, testDefs...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text, f.String()); diff != "" {
			t.Errorf("%s (-text +printed):\n%s", name, diff)
		}
		used := map[Op]bool{}
		for _, n := range f.Nodes {
			used[n.Op] = true
		}
		if name == "all.ir" && len(used) != NumOps-1 {
			t.Errorf("%s has %d of %d operations", name, len(used), NumOps-1)
		}
	}
}

// Each text begins with the message that it must give.
func TestBadTexts(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.ir")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d texts: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		want, ok := strings.CutPrefix(first, "# want: ")
		if !ok {
			t.Fatalf("%s does not say what it wants", file)
		}
		_, err = Parse(filepath.Base(file), string(text), testDefs...)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", file, err, want)
			continue
		}
		if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v wraps no sentinel", file, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range goodTexts(f) {
		f.Add(text)
	}
	bad, _ := filepath.Glob("testdata/bad/*.ir")
	for _, file := range bad {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		fn, err := Parse("fuzz", text, testDefs...)
		if err != nil {
			if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrInvalid) {
				t.Fatalf("%v wraps no sentinel", err)
			}
			return
		}
		printed := fn.String()
		again, err := Parse("printed", printed, testDefs...)
		if err != nil {
			t.Fatalf("%v in\n%s", err, printed)
		}
		if diff := cmp.Diff(printed, again.String()); diff != "" {
			t.Fatalf("printing twice differs:\n%s", diff)
		}
		for _, g := range []*Func{fn.Compact(), fn.Rounded()} {
			if err := Verify(g); err != nil {
				t.Fatalf("%v in\n%s", err, g)
			}
		}
	})
}
