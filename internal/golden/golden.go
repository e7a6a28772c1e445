// Package golden compares what a test made with the text that is kept for it. In go a text and the path of its file,
// relative to the package under test; out come test failures that show the difference. Only tests import it, and it knows
// nothing of what the texts mean.
package golden

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// update stands here once: every test binary that compares golden texts has the flag, and no other.
var update = flag.Bool("update", false, "rewrite the golden texts")

// Updating reports whether golden texts are to be written, for tests whose files need more than Check.
func Updating() bool { return *update }

// Check compares got with the file at path, which it writes first under -update.
func Check(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), -update rewrites it:\n%s", path, diff)
	}
}
