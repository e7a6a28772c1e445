package ufunc_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// C61, C76: a full disk under the cache, under TMPDIR, under both. Kernels are native all the same, one line says that they are not kept, and there is
// no part of an entry.
func TestFullDisk(t *testing.T) {
	needClang(t)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k,mode=700"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	defer syscall.Unmount(disk, 0)
	cache := filepath.Join(disk, "cache")
	if err := os.Mkdir(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	good, _ := ask(t, child(t, "gelu", "off"))
	for _, free := range []int64{0, 8 << 10, 40 << 10} { // nothing, less than an entry, less than a build
		filler, err := os.Create(filepath.Join(disk, "filler"))
		if err != nil {
			t.Fatal(err)
		}
		block := make([]byte, 4096)
		for err == nil {
			_, err = filler.Write(block)
		}
		info, err := filler.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if err := filler.Truncate(info.Size() - free); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name, cache, temp string
		}{{"cache", cache, t.TempDir()}, {"TMPDIR", "off", disk}, {"both", cache, disk}} {
			a, notices := ask(t, child(t, "gelu", c.cache, "TMPDIR="+c.temp))
			if !slices.Equal(a.Out, good.Out) || strings.Count(notices, "\n") > 1 {
				t.Errorf("%d bytes free, %s full: %v, want %v; %s", free, c.name, a.Out, good.Out, notices)
			}
			if files := cacheFiles(t, cache); len(files["other"]) != 0 {
				t.Errorf("%d bytes free, %s full: left %v", free, c.name, files["other"])
			}
			for _, files := range cacheFiles(t, cache) {
				for _, f := range files {
					os.Remove(f)
				}
			}
		}
		filler.Close()
		os.Remove(filler.Name())
	}
}
