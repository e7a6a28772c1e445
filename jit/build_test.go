package jit

import (
	"bytes"
	"context"
	"debug/elf"
	"debug/macho"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-yolk/yolk/internal/golden"
)

// with returns clang in an environment that differs in one variable.
func with(t *testing.T, clang *Clang, name, value string) *Clang {
	t.Helper()
	env := NewEnv(func(n string) string {
		if n == name {
			return value
		}
		return os.Getenv(n)
	})
	env.Remember(clang.Identity())
	other := *clang
	other.env = env
	return &other
}

func TestBuildIsDeterministic(t *testing.T) {
	clang, o := toolchain(t)
	first := build(t, doubleLL)
	second, err := with(t, clang, "TMPDIR", t.TempDir()).Build(context.Background(), doubleLL, o)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Code, second.Code) {
		t.Error("the same text gave different bytes")
	}
	if third := build(t, timesLL(3)); bytes.Equal(first.Code, third.Code) {
		t.Error("different texts gave the same bytes")
	}
	if first.Target != o.Target || first.Clang != clang.Identity() {
		t.Errorf("object of %+v for %s, want %+v for %s", first.Clang, first.Target, clang.Identity(), o.Target)
	}
	if bytes.Contains(first.Code, []byte("yolk-")) {
		t.Error("the object contains the name of a temporary directory")
	}
}

// selfContained checks that an ELF library needs nothing, runs nothing when it is
// loaded, and asks for no page that is both writable and executable.
func selfContained(t *testing.T, code []byte, machine elf.Machine) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		t.Fatal(err)
	}
	if f.Machine != machine {
		t.Errorf("built for %v, want %v", f.Machine, machine)
	}
	if needed, err := f.DynString(elf.DT_NEEDED); err != nil || len(needed) > 0 {
		t.Errorf("needs %v (%v)", needed, err)
	}
	for _, tag := range []elf.DynTag{elf.DT_INIT, elf.DT_INIT_ARRAY, elf.DT_TEXTREL, elf.DT_RPATH, elf.DT_RUNPATH} {
		if v, err := f.DynValue(tag); err != nil || len(v) > 0 {
			t.Errorf("has %v = %v (%v)", tag, v, err)
		}
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF {
			t.Errorf("undefined symbol %q", s.Name)
		}
		found = found || s.Name == kernelSymbol && elf.ST_TYPE(s.Info) == elf.STT_FUNC
	}
	if !found {
		t.Errorf("does not export %s: %v", kernelSymbol, symbols)
	}
	for _, p := range f.Progs {
		if p.Flags&(elf.PF_W|elf.PF_X) == elf.PF_W|elf.PF_X {
			t.Errorf("segment %v is writable and executable", p.Type)
		}
	}
}

// C80: a library needs no other, libm least of all.
func TestObjectIsSelfContained(t *testing.T) {
	clang, _ := toolchain(t)
	for _, c := range []struct {
		goos, goarch string
		machine      elf.Machine
		cpu          macho.Cpu
	}{
		{"linux", "amd64", elf.EM_X86_64, 0},
		{"linux", "arm64", elf.EM_AARCH64, 0},
		{"darwin", "amd64", 0, macho.CpuAmd64},
		{"darwin", "arm64", 0, macho.CpuArm64},
	} {
		t.Run(c.goos+"/"+c.goarch, func(t *testing.T) {
			target, err := Triple(c.goos, c.goarch)
			if err != nil {
				t.Fatal(err)
			}
			if _, lld := clang.env.findFirst(append(numbered("ld.lld"), "ld.lld")); !lld && (c.goos != runtime.GOOS || c.goarch != runtime.GOARCH) {
				t.Skip("no lld to link for a foreign target")
			}
			object, err := clang.Build(context.Background(), doubleLL, BuildOptions{Target: target, Level: 2})
			if err != nil {
				t.Fatal(err)
			}
			if c.goos == "linux" {
				selfContained(t, object.Code, c.machine)
				return
			}
			f, err := macho.NewFile(bytes.NewReader(object.Code))
			if err != nil {
				t.Fatal(err)
			}
			libs, err := f.ImportedLibraries()
			if err != nil || len(libs) > 0 || f.Cpu != c.cpu || f.Type != macho.TypeDylib {
				t.Errorf("%v %v, libraries %v (%v)", f.Cpu, f.Type, libs, err)
			}
		})
	}
	// The other way to link, through the compiler driver: used where no linker is found.
	t.Run("driver", func(t *testing.T) {
		target, err := HostTriple()
		if err != nil || runtime.GOOS != "linux" {
			t.Skip("the driver is the only way here")
		}
		object, err := with(t, clang, "PATH", "").Build(context.Background(), doubleLL, BuildOptions{Target: target, Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		if k := load(t, object); k == nil {
			t.Fatal("no kernel")
		}
		selfContained(t, object.Code, map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH])
	})
}

// Whole messages, the line complained about, and nothing left behind.
func TestBuildErrors(t *testing.T) {
	clang, o := toolchain(t)
	temp := t.TempDir()
	clang = with(t, clang, "TMPDIR", temp)
	for _, c := range []struct {
		name, ll     string
		line         int
		source, says string
	}{
		{"undefined value", strings.Replace(doubleLL, "%v, 2.0", "%nothing, 2.0", 1), 24, "  %w = fmul float %nothing, 2.0", "use of undefined value '%nothing'"},
		{"no IR at all", "int f(void) { return 0; }\n", 1, "int f(void) { return 0; }", "expected top-level entity"},
		{"binary", "\x00\xff\n", 1, "\x00\xff", "error:"},
		{"invalid module", "define void @f() {\n  %x = phi i32 [ 0, %0 ]\n  ret void\n}\n", 2, "  %x = phi i32 [ 0, %0 ]", "PHI"},
	} {
		if c.name == "invalid module" && clang.version[0] < 18 {
			continue // has no verifier
		}
		_, err := clang.Build(context.Background(), c.ll, o)
		var failed *BuildError
		if !errors.As(err, &failed) {
			t.Errorf("%s: error %v is no *BuildError", c.name, err)
			continue
		}
		if failed.Step != "compile" || failed.Line != c.line || failed.Source != c.source || !strings.Contains(failed.Stderr, c.says) {
			t.Errorf("%s: %s: line %d %q, want line %d %q, and %q in\n%s", c.name, failed.Step, failed.Line, failed.Source, c.line, c.source, c.says, failed.Stderr)
		}
		if !strings.Contains(err.Error(), strings.TrimRight(failed.Stderr, "\n")) || !strings.Contains(err.Error(), c.source) || !strings.Contains(err.Error(), "exit status") {
			t.Errorf("%s: message is not whole: %s", c.name, err)
		}
	}
	calls := "declare float @fmaf(float, float, float)\ndefine float @yolk_kernel(float %x) {\n" +
		"  %y = call float @fmaf(float %x, float %x, float %x)\n  ret float %y\n}\n"
	var failed *BuildError
	if _, err := clang.Build(context.Background(), calls, o); !errors.As(err, &failed) || failed.Step != "link" || !strings.Contains(err.Error(), "fmaf") {
		t.Errorf("library call: error %v, want one of the link step that names fmaf", err)
	}
	expectEmpty(t, temp)
}

func TestBuildOptions(t *testing.T) {
	clang, o := toolchain(t)
	for _, c := range []struct {
		name string
		o    BuildOptions
		want string
	}{
		{"no target", BuildOptions{}, "no target"},
		{"target with space", BuildOptions{Target: "x86_64 -fplugin"}, `contains ' '`},
		{"level 4", BuildOptions{Target: o.Target, Level: 4}, "level 4"},
		{"level -1", BuildOptions{Target: o.Target, Level: -1}, "level -1"},
		{"unknown target", BuildOptions{Target: "pdp11-dec-unix"}, "pdp11"},
	} {
		if _, err := clang.Build(context.Background(), doubleLL, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", c.name, err, c.want)
		}
	}
	if _, err := clang.Link(context.Background(), nil, BuildOptions{}); err == nil || !strings.Contains(err.Error(), "no target") {
		t.Errorf("link without target: error %v", err)
	}
	for level := range 4 {
		object, err := clang.Build(context.Background(), doubleLL, BuildOptions{Target: o.Target, Level: level})
		if err != nil {
			t.Fatal(err)
		}
		x, y := float32(1.5), float32(0)
		if call(load(t, object), &x, &y, 1, 1, 1); y != 3 {
			t.Errorf("level %d: got %v, want 3", level, y)
		}
	}
}

func TestBuildWithoutTempDir(t *testing.T) {
	clang, o := toolchain(t)
	dir := t.TempDir()
	file, closed := filepath.Join(dir, "file"), filepath.Join(dir, "closed")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	places := []string{filepath.Join(dir, "missing"), file}
	if os.Geteuid() != 0 {
		places = append(places, closed)
	}
	if runtime.GOOS == "linux" {
		places = append(places, "/proc") // takes no files even from root
	}
	for _, place := range places {
		other := with(t, clang, "TMPDIR", place)
		spare := t.TempDir()
		other.env.spare = []string{"/nowhere", spare}
		if _, err := other.Build(context.Background(), doubleLL, o); err != nil {
			t.Errorf("TMPDIR=%s, and another place: %v", place, err)
		}
		expectEmpty(t, spare)
		other.env.spare = nil
		_, err := other.Build(context.Background(), doubleLL, o)
		if err == nil || !strings.Contains(err.Error(), "no place for temporary files (TMPDIR)") || !strings.Contains(err.Error(), place) {
			t.Errorf("TMPDIR=%s: error %v", place, err)
		}
	}
	t.Chdir(dir)
	if err := os.Mkdir("relative", 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := with(t, clang, "TMPDIR", "relative").Build(context.Background(), doubleLL, o); err != nil {
		t.Errorf("relative TMPDIR: %v", err)
	}
	expectEmpty(t, "relative")
}

// What a build runs, and in which environment: nothing of the caller's gets through.
func TestBuildCommands(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the golden text is that of linux/amd64")
	}
	dir, temp := t.TempDir(), t.TempDir()
	log := filepath.Join(dir, "log")
	record := `{ echo "$0" "$@"; tr '\0' '\n' < /proc/$$/environ; ls; stat -c 'directory %a, files:' .; stat -c %a *; head -c 100 kernel.o; echo; } >> ` + log + "\n"
	fake(t, dir, "clang", "case $1 in --version) "+says("19.1.7")+"; exit;; esac\n"+record+"echo an object > kernel.o")
	fake(t, dir, "ld", record+"echo a library > kernel.so")
	fake(t, dir, "ld.lld-19", record+"echo a foreign library > kernel.so")
	t.Setenv("LD_PRELOAD", "")
	t.Setenv("CPATH", "/somewhere")
	clang, err := FindClang(context.Background(), variables("PATH", dir, "TMPDIR", temp))
	if err != nil {
		t.Fatal(err)
	}
	var results []string
	for _, target := range []string{"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"} {
		object, err := clang.Build(context.Background(), "the text", BuildOptions{Target: target, Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, string(object.Code))
	}
	if _, err := clang.Build(context.Background(), "the text", BuildOptions{Target: "arm64-apple-macosx11.0.0"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the driver wrote no library, error %v", err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text) + strings.Join(results, "")) {
		line = strings.ReplaceAll(line, dir, "BIN")
		if strings.HasPrefix(line, "TMPDIR="+temp+"/yolk-") {
			line = "TMPDIR=" + "TEMP/yolk-*\n"
		}
		lines = append(lines, line)
	}
	golden.Check(t, "testdata/commands.golden", strings.Join(lines, ""))
	if strings.Contains(string(text), "fast") {
		t.Error("a fast-math flag is passed")
	}
	expectEmpty(t, temp)
}

func FuzzComplaint(f *testing.F) {
	f.Add("kernel.ll:2:19: error: use of undefined value\n", "a\nb\nc")
	f.Add("warning: x\nkernel.ll:1:1: error\nkernel.ll:3:1: error\n", "a\nb\nc")
	f.Add("kernel.ll:99999999999999999999:1: error", "")
	f.Add("PHI\n  b c\n", "a\n b c\n")
	f.Fuzz(func(t *testing.T, stderr, text string) {
		line, source := complaint(stderr, text)
		lines := strings.Split(text, "\n")
		if line < 0 || line > len(lines) || line > 0 && lines[line-1] != source || line == 0 && source != "" {
			t.Errorf("complaint(%q, %q) = %d, %q", stderr, text, line, source)
		}
	})
}

// What killed processes have left is removed by the next build: directories of ours, of the right name and age, and nothing else.
func TestStaleDirectoriesAreRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no owner there that could be told")
	}
	dir, temp, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	fake(t, dir, "clang", "case $1 in --version) "+says("19.1.7")+";; *) echo made > kernel.o;; esac")
	old := time.Now().Add(-2 * staleAge)
	age := func(path string) {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	make := func(parent, name string, mode os.FileMode) string {
		path := filepath.Join(parent, name)
		if err := errors.Join(os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, sourceFile), nil, 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	stale := make(temp, privatePrefix+"1", 0o700)
	keep := []string{
		make(temp, privatePrefix+"2", 0o700), // in use
		make(temp, "other-1", 0o700),
		make(temp, privatePrefix+"3", 0o755), // not made by a build
		make(elsewhere, privatePrefix+"4", 0o700),
		filepath.Join(temp, privatePrefix+"5"),
		filepath.Join(temp, privatePrefix+"6"),
	}
	if err := errors.Join(os.Symlink(keep[3], keep[4]), os.WriteFile(keep[5], nil, 0o600), os.Symlink(keep[3], filepath.Join(stale, "link"))); err != nil {
		t.Fatal(err)
	}
	age(stale)
	for i, path := range keep {
		if i != 0 && i != 4 {
			age(path)
		}
	}
	clang, err := FindClang(context.Background(), variables("PATH", dir, "TMPDIR", temp))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := clang.Compile(context.Background(), "", BuildOptions{Target: "x86_64-unknown-linux-gnu"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(stale); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there (%v)", stale, err)
	}
	for _, path := range append(keep, filepath.Join(keep[3], sourceFile)) {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}
