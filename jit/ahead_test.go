package jit

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A compiler that waits for its text makes the same of it as one that finds it in a file, and says the same about it.
func TestAhead(t *testing.T) {
	clang, o := toolchain(t)
	temp := t.TempDir()
	clang = with(t, clang, "TMPDIR", temp)
	ctx := context.Background()
	broken := strings.Replace(doubleLL, "%v, 2.0", "%nothing, 2.0", 1)
	for name, ll := range map[string]string{
		"text":                     doubleLL,
		"more than a pipe holds":   strings.Repeat("; "+strings.Repeat("x", 100)+"\n", 1<<12) + doubleLL,
		"broken":                   broken,
		"broken, and more of that": broken + strings.Repeat("; "+strings.Repeat("x", 100)+"\n", 1<<12),
		"nothing":                  "",
	} {
		want, wantErr := clang.Compile(ctx, ll, o)
		got, err := clang.Ahead(ctx, o).Compile(ctx, ll)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want %d others", name, len(got), len(want))
		}
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("%s: error %v, want %v", name, err, wantErr)
		}
	}
	if _, err := clang.Ahead(ctx, BuildOptions{Target: o.Target, Level: 9}).Compile(ctx, doubleLL); err == nil || !strings.Contains(err.Error(), "level") {
		t.Errorf("level 9: error %v", err)
	}
	expectEmpty(t, temp)
}

// Nothing is left of a compiler that is not asked, or is asked in vain.
func TestAheadEnds(t *testing.T) {
	target := BuildOptions{Target: "x86_64-unknown-linux-gnu"}
	compiler := func(script string) (clang *Clang, temp string) {
		dir, temp := t.TempDir(), t.TempDir()
		fake(t, dir, "clang", "case $1 in --version) "+says("19.1.7")+";; *) "+script+";; esac")
		clang, err := FindClang(context.Background(), variables("PATH", dir, "TMPDIR", temp))
		if err != nil {
			t.Fatal(err)
		}
		return clang, temp
	}
	t.Run("not asked", func(t *testing.T) {
		clang, temp := compiler("exec cat > /dev/null")
		ctx, cancel := context.WithCancel(context.Background())
		a := clang.Ahead(ctx, target)
		cancel()
		a.Wait()
		expectEmpty(t, temp)
	})
	t.Run("cancelled", func(t *testing.T) {
		started := filepath.Join(t.TempDir(), "started")
		clang, temp := compiler(": > " + started + "; exec sleep 1000")
		ctx, cancel := context.WithCancel(context.Background())
		a := clang.Ahead(context.Background(), target)
		go func() {
			for _, err := os.Stat(started); err != nil; _, err = os.Stat(started) {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		_, err := a.Compile(ctx, strings.Repeat("; nobody reads this\n", 1<<16))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		expectEmpty(t, temp)
	})
	t.Run("fails", func(t *testing.T) {
		clang, temp := compiler("echo 'out of order' >&2; exit 1")
		_, err := clang.Ahead(context.Background(), target).Compile(context.Background(), doubleLL)
		var failed *BuildError
		if !errors.As(err, &failed) || !strings.Contains(failed.Stderr, "out of order") {
			t.Errorf("error %v", err)
		}
		expectEmpty(t, temp)
	})
}

// A full disk is no reason to give up: the ordinary compilation looks for another place.
func TestAheadWithoutTempDir(t *testing.T) {
	clang, o := toolchain(t)
	clang = with(t, clang, "TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	want, err := clang.Compile(context.Background(), doubleLL, o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := clang.Ahead(context.Background(), o).Compile(context.Background(), doubleLL)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes and error %v, want %d bytes", len(got), err, len(want))
	}
}
