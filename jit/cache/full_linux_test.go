package cache

import (
	"bytes"
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// On a full disk Put fails, nothing of what was written stays, and what was there is still right.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k,mode=700"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	defer syscall.Unmount(dir, 0)
	s, err := Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.root.Close()
	data := make([]byte, 9000)
	kept, failed := 0, 0
	for i := range 20 {
		switch err := s.Put(NewKey("kernel", fmt.Sprint(i)), data); {
		case err == nil:
			kept++
		case errors.Is(err, syscall.ENOSPC):
			failed++
		default:
			t.Fatal(err)
		}
	}
	if kept == 0 || failed == 0 {
		t.Fatalf("%d kept, %d failed", kept, failed)
	}
	if names := files(t, s); len(names) != kept {
		t.Errorf("%d entries, files: %v", kept, names)
	}
	for i := range kept {
		if got, err := s.Get(NewKey("kernel", fmt.Sprint(i))); err != nil || !bytes.Equal(got, data) {
			t.Errorf("entry %d: %v", i, err)
		}
	}
}
