package cache

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"time"
)

const (
	tempSuffix = ".tmp"
	lockSuffix = ".lock"
)

// poll is how often a waiting process looks whether a lock is free: little beside the tens of milliseconds that a kernel takes.
const poll = 2 * time.Millisecond

// Lock waits until no other process or goroutine holds the lock of k, or until limit has passed, after which there is none: locked is false, and
// unlock does nothing. The error is that of ctx.
func (s *Store) Lock(ctx context.Context, k Key, limit time.Duration) (unlock func(), locked bool, err error) {
	if !locks {
		return func() {}, false, nil
	}
	name := k.name + lockSuffix
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	for {
		f, err := s.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return func() {}, false, nil // a read-only directory: everybody makes what he needs
		}
		if tryLock(f) {
			// Removing the file before letting go keeps the directory clean. Whoever has it open already gets a lock that means nothing
			// to those who come later; he finds the entry made.
			return func() { s.root.Remove(name); f.Close() }, true, nil
		}
		f.Close()
		select {
		case <-ctx.Done():
			return func() {}, false, context.Cause(ctx)
		case <-timeout.C:
			return func() {}, false, nil
		case <-time.After(poll):
		}
	}
}

// temp makes a file to be renamed to an entry. It is locked while its writer lives.
func (s *Store) temp(k Key) (name string, f *os.File, err error) {
	if dir, err := s.root.Open("."); err == nil {
		defer dir.Close()
		shareLock(dir) // no cleaning between the next two steps
	}
	var random [8]byte
	rand.Read(random[:])
	name = fmt.Sprintf("%s.%x%s", k.name, random, tempSuffix)
	if f, err = s.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		tryLock(f)
	}
	return name, f, err
}

// clean removes those of the files that processes have left which died: their locks are free. It does nothing while somebody
// is making such a file.
func (s *Store) clean(names []string) {
	if len(names) == 0 {
		return
	}
	dir, err := s.root.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	if locks && !tryLock(dir) {
		return
	}
	for _, name := range names {
		f, err := s.root.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if tryLock(f) || stale(f) {
			s.root.Remove(name)
		}
		f.Close()
	}
}
