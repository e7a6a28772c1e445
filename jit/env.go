package jit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Env is the outside world as this package sees it: environment variables, and
// the versions of the compilers asked so far. It is safe for concurrent use.
//
// Variables read: YOLK_CLANG (the compiler to use, an absolute path or a name to
// be found in PATH, or "off"), PATH (only its absolute directories count) and TMPDIR.
type Env struct {
	getenv     func(string) string
	probeLimit time.Duration
	buildLimit time.Duration
	spare      []string // directories for temporary files where TMPDIR does not serve

	mu       sync.Mutex
	versions map[Identity]string // by Identity without its Version
	tidied   map[string]bool     // places from which stale directories have been removed
}

// probeLimit is how long a compiler may take to say its version: 20 to 40 ms are
// usual, a loaded machine or a cold network file system may need seconds.
const probeLimit = 10 * time.Second

// buildLimit is how long one step of a build may take: a kernel takes 60 ms, a
// huge one on a loaded machine some seconds. A compiler that hangs ends here.
const buildLimit = time.Minute

// NewEnv returns an Env that reads variables through getenv, by default [os.Getenv].
func NewEnv(getenv func(name string) string) *Env {
	if getenv == nil {
		getenv = os.Getenv
	}
	e := &Env{getenv: getenv, probeLimit: probeLimit, buildLimit: buildLimit, versions: map[Identity]string{}, tidied: map[string]bool{}}
	if runtime.GOOS != "windows" {
		e.spare = []string{"/tmp", "/var/tmp", "/dev/shm"} // the last is in memory
	}
	return e
}

// Remember saves asking a compiler for its version, which takes 20 ms or more:
// id comes from [Clang.Identity] of an earlier run. A compiler that has changed
// since then is asked anyway.
func (e *Env) Remember(id Identity) {
	version := id.Version
	id.Version = ""
	e.mu.Lock()
	defer e.mu.Unlock()
	e.versions[id] = version
}

func (e *Env) remembered(id Identity) (version string, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	version, ok = e.versions[id]
	return version, ok
}

// dirs returns the directories searched for programs: the absolute ones in PATH.
// Empty and relative entries mean the current directory, where anybody may have
// put a program.
func (e *Env) dirs() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(e.getenv("PATH")) {
		if filepath.IsAbs(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// find returns every file in PATH with that name, in order, executable or not.
func (e *Env) find(name string) []string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	var paths []string
	for _, dir := range e.dirs() {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotDir) {
			paths = append(paths, path)
		}
	}
	return paths
}

// findFirst returns the first program in PATH that has one of the names, the
// earlier names first.
func (e *Env) findFirst(names []string) (path string, ok bool) {
	for _, name := range names {
		for _, path := range e.find(name) {
			if _, err := program(path); err == nil {
				return path, true
			}
		}
	}
	return "", false
}

// program returns the file information of an executable file.
func program(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, errors.Unwrap(err) // without the path, which callers give
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return nil, errors.New("not executable")
	}
	return info, nil
}

// numbered returns name-30 to name-16, the way distributions call the programs of
// one LLVM release, newest first.
func numbered(name string) []string {
	const newest = 30 // releases come twice a year: enough until 2030
	var names []string
	for n := newest; n >= oldestClang; n-- {
		names = append(names, fmt.Sprintf("%s-%d", name, n))
	}
	return names
}

// places are where directories for temporary files can be: TMPDIR or the system's
// own choice, and what is there where that is missing, full or read-only.
func (e *Env) places() []string {
	first := e.getenv("TMPDIR")
	if first == "" {
		first = os.TempDir()
	}
	return append([]string{first}, e.spare...)
}

// file is one that a program reads.
type file struct {
	name    string
	content []byte
}

// withTemp calls do with a fresh private directory that holds some files, and removes it. Where that
// cannot be made, or do finds the disk full, it tries the next place; the error is that of the first.
func (e *Env) withTemp(files []file, do func(dir string) error) error {
	var first error
	for _, place := range e.places() {
		e.tidy(place)
		err := inTemp(place, files, do)
		if err == nil || !errors.Is(err, errPlace) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func inTemp(place string, files []file, do func(dir string) error) error {
	dir, err := privateDir(place)
	if err != nil {
		return fmt.Errorf("%w: %w", errPlace, err)
	}
	defer os.RemoveAll(dir)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.content, 0o600); err != nil {
			return fmt.Errorf("%w: %w", errPlace, err)
		}
	}
	return do(dir)
}

// errPlace marks an error of the place for temporary files.
var errPlace = errors.New("jit: no place for temporary files (TMPDIR)")

// privateDir makes a directory, mode 0700, below parent and returns its absolute path.
func privateDir(parent string) (string, error) {
	parent, err := filepath.Abs(parent)
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(parent, privatePrefix)
}

// privatePrefix is what the names of private directories begin with.
const privatePrefix = "yolk-build-"

// staleAge is when nobody can be using a private directory any more: a step takes at most buildLimit, and the machine may have slept meanwhile.
const staleAge = 60 * buildLimit

// tidy removes the private directories that processes of this user have left in a place because they were killed. It is done once for each
// place, and whatever goes wrong is no matter.
func (e *Env) tidy(place string) {
	e.mu.Lock()
	done := e.tidied[place]
	e.tidied[place] = true
	e.mu.Unlock()
	if done {
		return
	}
	// Below a root no name leads out of it, by symbolic links least of all.
	root, err := os.OpenRoot(place)
	if err != nil {
		return
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	for _, name := range names {
		if !strings.HasPrefix(name, privatePrefix) {
			continue
		}
		info, err := root.Lstat(name)
		if err == nil && info.IsDir() && info.Mode().Perm() == 0o700 && ours(info) && time.Since(info.ModTime()) > staleAge {
			root.RemoveAll(name)
		}
	}
}
