//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A directory that others could have prepared, or could write to, is refused, with the path and the reason.
func TestRefusedDirectories(t *testing.T) {
	const stranger = 4242
	root := os.Geteuid() == 0
	for _, c := range []struct {
		name  string
		needs bool // root
		make  func(t *testing.T, base string) (dir string)
		want  string
		trust bool // the error wraps ErrRefused
	}{
		{"world-writable", false, func(t *testing.T, base string) string { return mkdir(t, base, "c", 0o777) }, "can be written to by others", true},
		{"group-writable", false, func(t *testing.T, base string) string { return mkdir(t, base, "c", 0o770) }, "can be written to by others", true},
		{"another's", true, func(t *testing.T, base string) string {
			dir := mkdir(t, base, "c", 0o755)
			chown(t, dir, stranger)
			return dir
		}, "belongs to user 4242", true},
		{"another's above", true, func(t *testing.T, base string) string {
			above := mkdir(t, base, "home", 0o755)
			chown(t, above, stranger)
			return filepath.Join(above, "c")
		}, "so others could replace", true},
		{"open above", false, func(t *testing.T, base string) string {
			return filepath.Join(mkdir(t, base, "shared", 0o777), "c")
		}, "so others could replace", true},
		{"symbolic link", false, func(t *testing.T, base string) string {
			link := filepath.Join(base, "c")
			if err := os.Symlink(mkdir(t, base, "real", 0o700), link); err != nil {
				t.Fatal(err)
			}
			return link
		}, "is a symbolic link", true},
		{"dangling link", false, func(t *testing.T, base string) string {
			link := filepath.Join(base, "c")
			if err := os.Symlink("/nowhere/at/all", link); err != nil {
				t.Fatal(err)
			}
			return link
		}, "symbolic link", true},
		{"a file", false, func(t *testing.T, base string) string {
			file := filepath.Join(base, "c")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return file
		}, "not a directory", false},
		{"below a file", false, func(t *testing.T, base string) string {
			file := filepath.Join(base, "f")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return filepath.Join(file, "c")
		}, "not a directory", false},
		{"relative", false, func(*testing.T, string) string { return "c" }, "not absolute", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.needs && !root {
				t.Skip("only root can make this")
			}
			dir := c.make(t, t.TempDir())
			_, err := Open(dir, false)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.trust != errors.Is(err, ErrRefused) {
				t.Errorf("%s: %v, want %q", dir, err, c.want)
			}
		})
	}
	t.Run("sticky above", func(t *testing.T) {
		shared := mkdir(t, t.TempDir(), "tmp", 0o777)
		if err := os.Chmod(shared, 0o777|os.ModeSticky); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(filepath.Join(shared, "c"), false); err != nil {
			t.Error(err)
		}
	})
	t.Run("home that does not exist", func(t *testing.T) {
		home := filepath.Join(t.TempDir(), "home")
		if _, err := Open(filepath.Join(home, ".cache", "yolk"), false); err == nil {
			t.Error("no error")
		}
		if _, err := os.Stat(home); err == nil {
			t.Error("it was made")
		}
	})
	t.Run("home without a cache directory", func(t *testing.T) {
		if _, err := Open(filepath.Join(t.TempDir(), ".cache", "yolk"), false); err != nil {
			t.Error(err)
		}
	})
	t.Run("umask", func(t *testing.T) {
		for _, mask := range []int{0, 0o022, 0o077} {
			dir := filepath.Join(t.TempDir(), "a", "c")
			old := syscall.Umask(mask)
			s, err := Open(dir, true)
			if err == nil {
				err = s.Put(NewKey("kernel", "x"), nil)
			}
			syscall.Umask(old)
			if err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("umask %#o: mode %v, %v", mask, info.Mode(), err)
			}
		}
	})
}

// An entry that is a link, a directory, another's or open to others is refused and made again.
func TestRefusedEntries(t *testing.T) {
	k := NewKey("kernel", "x")
	content := encode(k.text, []byte("planted"))
	for _, c := range []struct {
		name  string
		needs bool // root
		plant func(t *testing.T, path string)
	}{
		{"link to a good one", false, func(t *testing.T, path string) {
			elsewhere := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(elsewhere, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(elsewhere, path); err != nil {
				t.Fatal(err)
			}
		}},
		{"link to nothing", false, func(t *testing.T, path string) {
			if err := os.Symlink("/nowhere", path); err != nil {
				t.Fatal(err)
			}
		}},
		{"directory", false, func(t *testing.T, path string) { mkdir(t, filepath.Dir(path), filepath.Base(path), 0o700) }},
		{"pipe", false, func(t *testing.T, path string) {
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Skip(err)
			}
		}},
		{"world-writable", false, func(t *testing.T, path string) { write(t, path, content, 0o666) }},
		{"group-writable", false, func(t *testing.T, path string) { write(t, path, content, 0o660) }},
		{"another's", true, func(t *testing.T, path string) {
			write(t, path, content, 0o644)
			chown(t, path, 4242)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.needs && os.Geteuid() != 0 {
				t.Skip("only root can make this")
			}
			s := open(t, t.TempDir())
			path := filepath.Join(s.dir, k.String())
			c.plant(t, path)
			if data, err := s.Get(k); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), path) {
				t.Errorf("%q, %v", data, err)
			}
			if err := s.Put(k, []byte("ours")); err != nil {
				t.Fatal(err)
			}
			if data, err := s.Get(k); err != nil || string(data) != "ours" {
				t.Errorf("made again: %q, %v", data, err)
			}
		})
	}
}

func mkdir(t *testing.T, base, name string, mode os.FileMode) string {
	t.Helper()
	dir := filepath.Join(base, name)
	if err := os.Mkdir(dir, mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, path string, content []byte, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, content, mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func chown(t *testing.T, path string, uid int) {
	t.Helper()
	if err := os.Chown(path, uid, -1); err != nil {
		t.Skip(err)
	}
}
