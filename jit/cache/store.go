package cache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Errors of Get and Open.
var (
	ErrMiss    = errors.New("cache: no such entry")
	ErrDamaged = errors.New("cache: damaged entry")
	ErrRefused = errors.New("cache: refused") // not ours, or open to others
)

// DefaultLimit is the size of a store in bytes above which it is pruned: some thousands of kernels.
const DefaultLimit = 128 << 20

// Store is an open directory of entries. It is safe for concurrent use, by processes too.
type Store struct {
	Limit int64 // bytes

	dir  string
	root *os.Root
}

// Dir returns the directory's path.
func (s *Store) Dir() string { return s.dir }

// Default returns the directory that is used unless another one is asked for: yolk below the user's cache directory.
func Default() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cache: no user cache directory: %w", err)
	}
	return filepath.Join(dir, "yolk"), nil
}

// ErrOff is what OpenFor returns where the user wants no cache.
var ErrOff = errors.New("cache: switched off by YOLK_CACHE=off")

// OpenFor opens the store that a value of the variable YOLK_CACHE names: a directory, which is made if need be, or off; by default the user's own.
func OpenFor(value string) (*Store, error) {
	switch value {
	case "off":
		return nil, ErrOff
	case "":
		dir, err := Default()
		if err != nil {
			return nil, err
		}
		return Open(dir, false)
	}
	s, err := Open(value, true)
	if err != nil {
		return nil, fmt.Errorf("YOLK_CACHE: %w", err)
	}
	return s, nil
}

// Open opens the store in a directory, given by its absolute path, and makes it if there is none: itself and the one above it only, since
// a home that does not exist is not to be made, unless all is set. The error wraps ErrRefused where others could write.
func Open(dir string, all bool) (*Store, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("cache: the directory %q is not absolute", dir)
	}
	dir = filepath.Clean(dir)
	if err := makeDir(dir, all); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	if info, err := os.Lstat(dir); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	} else if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%w: %s is a symbolic link", ErrRefused, dir)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("cache: %s is not a directory", dir)
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	for above := filepath.Dir(resolved); ; above = filepath.Dir(above) {
		info, err := os.Lstat(above)
		if err != nil {
			return nil, fmt.Errorf("cache: %w", err)
		}
		if why := writable(info, true); why != "" {
			return nil, fmt.Errorf("%w: %s %s, so others could replace %s", ErrRefused, above, why, dir)
		}
		if above == filepath.Dir(above) {
			break
		}
	}
	root, err := os.OpenRoot(resolved)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	info, err := root.Stat(".")
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("cache: %w", err)
	}
	if why := writable(info, false); why != "" {
		root.Close()
		return nil, fmt.Errorf("%w: %s %s", ErrRefused, dir, why)
	}
	return &Store{Limit: DefaultLimit, dir: dir, root: root}, nil
}

// makeDir makes dir, mode 0700, and what leads to it: all of it, or one directory at most.
func makeDir(dir string, all bool) error {
	if all {
		return os.MkdirAll(dir, 0o700)
	}
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.Mkdir(filepath.Dir(dir), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		err = os.Mkdir(dir, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// writable says why others could write what info describes; "" if they cannot. A directory above ours may be root's, and open to all if
// it is sticky, as /tmp is.
func writable(info fs.FileInfo, above bool) string {
	uid, known := owner(info)
	switch {
	case known && uid != os.Geteuid() && !(above && uid == 0):
		return fmt.Sprintf("belongs to user %d", uid)
	case known && info.Mode().Perm()&0o022 != 0 && !(above && info.Mode()&fs.ModeSticky != 0):
		return fmt.Sprintf("can be written to by others (mode %#o)", info.Mode().Perm())
	}
	return ""
}

// Key names an entry.
type Key struct {
	kind string
	text string
	name string
}

// NewKey makes the key of what depends on text, and on nothing else. kind is a short word for lists.
func NewKey(kind, text string) Key {
	sum := sha256.Sum256([]byte(text))
	return Key{kind, text, kind + "-" + hex.EncodeToString(sum[:16])}
}

// String returns the name of the entry's file.
func (k Key) String() string { return k.name }

// maxEntry bounds what is read, in bytes: far above any kernel.
const maxEntry = 64 << 20

// fresh is how long the time of an entry's last use is good enough.
const fresh = time.Hour

// Get returns the bytes of an entry. Errors wrap ErrMiss; or ErrDamaged or ErrRefused, after which the entry is gone.
func (s *Store) Get(k Key) ([]byte, error) {
	text, data, err := s.read(k.name)
	if err == nil && text != k.text {
		err = fmt.Errorf("%w: %s is about something else", ErrDamaged, filepath.Join(s.dir, k.name))
	}
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrRefused) {
		s.root.Remove(k.name) // a reader who cannot remove it will make the bytes again each time
	}
	return data, err
}

func (s *Store) read(name string) (text string, data []byte, err error) {
	path := filepath.Join(s.dir, name)
	info, err := s.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("%w: %s", ErrMiss, path)
	}
	if err != nil {
		return "", nil, fmt.Errorf("cache: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", nil, fmt.Errorf("%w: %s is not a regular file", ErrRefused, path)
	}
	f, err := s.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("%w: %s", ErrMiss, path)
	}
	if err != nil {
		return "", nil, fmt.Errorf("cache: %w", err)
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return "", nil, fmt.Errorf("cache: %w", err)
	}
	if why := writable(opened, false); why != "" || !opened.Mode().IsRegular() {
		return "", nil, fmt.Errorf("%w: %s %s", ErrRefused, path, cmp.Or(why, "is not a regular file"))
	}
	text, data, err = decode(f, opened.Size())
	if err != nil {
		return "", nil, fmt.Errorf("%w: %s: %w", ErrDamaged, path, err)
	}
	if now := time.Now(); now.Sub(opened.ModTime()) > fresh {
		s.root.Chtimes(name, now, now) // used: the last to be pruned. On a read-only disk nothing is pruned
	}
	return text, data, nil
}

// Put writes an entry, and then prunes the store. An error leaves no file behind.
func (s *Store) Put(k Key, data []byte) error {
	if err := s.put(k, encode(k.text, data)); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	_, err := s.Prune(s.Limit)
	return err
}

func (s *Store) put(k Key, content []byte) error {
	name, f, err := s.temp(k)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil { // before Close, which releases the lock that says that the writer lives
		err = s.root.Rename(name, k.name)
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		s.root.Remove(name)
	}
	return err
}

// Entry describes one.
type Entry struct {
	Name string // of the file; begins with the kind and a dash
	Size int64  // bytes
	Used time.Time
}

// Kind returns the kind that its key was made with.
func (e Entry) Kind() string { kind, _, _ := strings.Cut(e.Name, "-"); return kind }

// List returns the entries, those used last first.
func (s *Store) List() ([]Entry, error) {
	entries, _, err := s.list()
	return entries, err
}

// list returns the entries, and the files that writers and owners of locks make, which go when these do.
func (s *Store) list() (entries []Entry, passing []string, err error) {
	files, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return nil, nil, fmt.Errorf("cache: %w", err)
	}
	for _, f := range files {
		switch name := f.Name(); {
		case strings.HasSuffix(name, tempSuffix) || strings.HasSuffix(name, lockSuffix):
			passing = append(passing, name)
		case strings.Contains(name, "-"):
			info, err := f.Info()
			if err != nil { // removed since
				continue
			}
			entries = append(entries, Entry{name, info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.Name, b.Name)) })
	return entries, passing, nil
}

// Read returns text and bytes of a listed entry.
func (s *Store) Read(e Entry) (text string, data []byte, err error) { return s.read(e.Name) }

// Prune removes what dead processes have left, and, where the entries are more than limit bytes, those that have not been used for
// longest, down to nine tenths of it.
func (s *Store) Prune(limit int64) (removed []Entry, err error) {
	entries, passing, err := s.list()
	if err != nil {
		return nil, err
	}
	s.clean(passing)
	var total int64
	for _, e := range entries {
		total += e.Size
	}
	if total <= limit {
		return nil, nil
	}
	for _, e := range slices.Backward(entries) {
		if total <= limit-limit/10 {
			break
		}
		if err := s.root.Remove(e.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, fmt.Errorf("cache: %w", err)
		}
		total -= e.Size
		removed = append(removed, e)
	}
	return removed, nil
}
