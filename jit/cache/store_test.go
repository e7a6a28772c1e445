package cache

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.root.Close() })
	return s
}

// files lists the directory's names.
func files(t *testing.T, s *Store) []string {
	t.Helper()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What is put is got, by the same key only; directory and files are closed to others.
func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := open(t, dir)
	rng := rand.New(rand.NewPCG(1, 2))
	var keys []Key
	var data [][]byte
	for i := range 50 {
		keys = append(keys, NewKey("kernel", fmt.Sprintf("text %d\n%s", i, strings.Repeat("x", rng.IntN(1000)))))
		b := make([]byte, rng.IntN(5000))
		for j := range b {
			b[j] = byte(rng.Uint32())
		}
		data = append(data, b)
		if _, err := s.Get(keys[i]); !errors.Is(err, ErrMiss) {
			t.Fatalf("before Put: %v", err)
		}
		if err := s.Put(keys[i], b); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, dir)
	for i, k := range keys {
		got, err := again.Get(k)
		if err != nil || !bytes.Equal(got, data[i]) {
			t.Fatalf("%v: %v", k, err)
		}
	}
	if _, err := again.Get(NewKey("source", keys[0].text)); !errors.Is(err, ErrMiss) {
		t.Errorf("another kind: %v", err)
	}
	if names := files(t, s); len(names) != 50 {
		t.Errorf("%d files: %v", len(names), names)
	}
	entries, err := s.List()
	if err != nil || len(entries) != 50 || entries[0].Kind() != "kernel" {
		t.Errorf("List: %v, %v", entries, err)
	}
	text, got, err := s.Read(entries[0])
	if err != nil || NewKey("kernel", text).String() != entries[0].Name || len(got) == 0 && entries[0].Size > int64(headSize+len(text)) {
		t.Errorf("Read: %q, %v", text, err)
	}
	for path, want := range map[string]fs.FileMode{dir: 0o700 | fs.ModeDir, filepath.Dir(dir): 0o700 | fs.ModeDir, filepath.Join(dir, entries[0].Name): 0o600} {
		if info, err := os.Stat(path); err != nil || owned(info) && info.Mode() != want {
			t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
		}
	}
}

// owned reports whether the system has owners and modes.
func owned(info fs.FileInfo) bool { _, ok := owner(info); return ok }

// A flipped bit anywhere, a missing end, bytes too many: every one is found, said, removed, and the entry can be made again.
func TestDamage(t *testing.T) {
	s := open(t, t.TempDir())
	k, data := NewKey("kernel", "what it depends on"), []byte("a shared library, nearly")
	path := filepath.Join(s.dir, k.String())
	if err := s.Put(k, data); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plant := func(what string, content []byte) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(k); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %q, %v", what, got, err)
		}
		if _, err := s.Get(k); !errors.Is(err, ErrMiss) {
			t.Errorf("%s: it is still there: %v", what, err)
		}
	}
	for i := range whole {
		for bit := range 8 {
			b := bytes.Clone(whole)
			b[i] ^= 1 << bit
			plant(fmt.Sprintf("byte %d, bit %d", i, bit), b)
		}
	}
	for n := range whole {
		plant(fmt.Sprintf("cut to %d", n), whole[:n])
	}
	plant("a byte too many", append(bytes.Clone(whole), 0))
	other := NewKey("kernel", "something else")
	plant("another entry under this name", encode(other.text, data))
	if err := s.Put(k, data); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(k); err != nil || !bytes.Equal(got, data) {
		t.Errorf("made again: %q, %v", got, err)
	}
}

// The least recently used go first, what dead writers have left goes, what live ones write stays.
func TestPrune(t *testing.T) {
	s := open(t, t.TempDir())
	s.Limit = 10_000
	start := time.Now().Add(-48 * time.Hour)
	put := func(i int) Key {
		k := NewKey("kernel", fmt.Sprint(i))
		if err := s.Put(k, make([]byte, 950)); err != nil {
			t.Fatal(err)
		}
		at := start.Add(time.Duration(i) * time.Minute)
		if err := s.root.Chtimes(k.String(), at, at); err != nil {
			t.Fatal(err)
		}
		return k
	}
	var keys []Key
	for i := range 9 {
		keys = append(keys, put(i))
	}
	if _, err := s.Get(keys[0]); err != nil { // used just now
		t.Fatal(err)
	}
	name, writing, err := s.temp(keys[0])
	if err != nil {
		t.Fatal(err)
	}
	unlock, locked, err := s.Lock(t.Context(), keys[1], time.Minute)
	if err != nil || !locked && locks {
		t.Fatal(locked, err)
	}
	dead := []string{keys[2].String() + ".00ff" + tempSuffix, keys[3].String() + lockSuffix}
	for _, name := range dead {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := 9; i < 12; i++ {
		keys = append(keys, put(i))
	}
	if locks {
		for _, name := range dead {
			if _, err := s.root.Stat(name); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is still there: %v", name, err)
			}
		}
		if _, err := s.root.Stat(name); err != nil {
			t.Errorf("a live writer's file is gone: %v", err)
		}
		if _, err := s.root.Stat(keys[1].String() + lockSuffix); err != nil {
			t.Errorf("a live lock is gone: %v", err)
		}
	}
	writing.Close()
	unlock()
	var total int64
	entries, err := s.List()
	for _, e := range entries {
		total += e.Size
	}
	if err != nil || total > s.Limit || total < s.Limit/2 {
		t.Errorf("%d bytes after pruning, %v", total, err)
	}
	left := 0
	for i, k := range keys[1:] { // in the order of their use
		switch _, err := s.Get(k); {
		case err == nil:
			left++
		case !errors.Is(err, ErrMiss) || left > 0:
			t.Errorf("entry %d: %v, with %d older ones left", i+1, err, left)
		}
	}
	if _, err := s.Get(keys[0]); err != nil {
		t.Errorf("the entry that was used: %v", err)
	}
	removed, err := s.Prune(0)
	if left, _ := s.List(); err != nil || len(removed) != len(entries) || len(left) != 0 {
		t.Errorf("Prune(0): removed %d, left %d, %v", len(removed), len(left), err)
	}
}

// Goroutines that put, get and prune the same few entries never see a wrong one, and leave no other file.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for g := range 16 {
		s := open(t, dir)
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 3))
			for range 100 {
				i := rng.IntN(4)
				k, data := NewKey("kernel", fmt.Sprint(i)), bytes.Repeat([]byte{byte(i)}, 1000*i)
				switch got, err := s.Get(k); {
				case errors.Is(err, ErrMiss):
					if err := s.Put(k, data); err != nil {
						t.Error(err)
					}
				case err != nil || !bytes.Equal(got, data):
					t.Errorf("entry %d: %d bytes, %v", i, len(got), err)
				}
				if rng.IntN(10) == 0 {
					if _, err := s.Prune(0); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	s := open(t, dir)
	if err := s.Put(NewKey("kernel", "last"), nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range files(t, s) {
		if strings.HasSuffix(name, tempSuffix) {
			t.Errorf("%s was left", name)
		}
	}
}

// One at a time; who waits too long goes on without; the lock of a closed file is free.
func TestLock(t *testing.T) {
	if !locks {
		t.Skip("no locks on this system")
	}
	s := open(t, t.TempDir())
	k := NewKey("making", "x")
	unlock, locked, err := s.Lock(t.Context(), k, time.Minute)
	if err != nil || !locked {
		t.Fatal(locked, err)
	}
	if _, locked, err := s.Lock(t.Context(), k, 5*time.Millisecond); err != nil || locked {
		t.Fatalf("locked twice: %t, %v", locked, err)
	}
	if _, locked, err := s.Lock(t.Context(), NewKey("making", "y"), time.Minute); err != nil || !locked {
		t.Fatalf("another key: %t, %v", locked, err)
	}
	var running, most int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			unlock, locked, err := s.Lock(t.Context(), k, time.Minute)
			if err != nil || !locked {
				t.Error(locked, err)
				return
			}
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(time.Millisecond)
			mu.Lock()
			running--
			mu.Unlock()
			unlock()
		})
	}
	time.Sleep(5 * time.Millisecond)
	unlock()
	wg.Wait()
	if most > 2 { // a file that is removed under a waiter admits a second one
		t.Errorf("%d at once", most)
	}
}
