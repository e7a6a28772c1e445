package ufunc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/ufunc"
)

// A child is this test binary, run again: the job named by YOLK_TEST_JOB prints its answer as JSON.
const jobVariable = "YOLK_TEST_JOB"

// jobs are what children do.
var jobs = map[string]func() any{
	"gelu":     func() any { return jobKernel(gelu, ufunc.MustNative()) },
	"captured": func() any { return jobCaptured() },
	"race":     func() any { return jobRace() },
}

// answer is what a child says about its kernel.
type answer struct {
	Reason  string
	Stages  []string
	Made    int // stages when the code was made
	Elapsed time.Duration
	Again   time.Duration // of a second Vectorize and Prepare
	Out     []float32
	Text    string // the report, but for times
	Err     string
}

var probe = []float32{-3, -1, 0, 1, 3, float32(math.Inf(1))}

// jobKernel makes a kernel of one input and runs it.
func jobKernel(fn any, opts ...ufunc.Option) answer {
	start := time.Now()
	k, err := ufunc.Compile(context.Background(), fn, ufunc.Float32, 1, opts...)
	if err != nil {
		return answer{Err: err.Error()}
	}
	a := answer{Elapsed: time.Since(start), Out: make([]float32, len(probe))}
	start = time.Now()
	if err := ufunc.Vectorize(fn, ufunc.Float32, 1, opts...).Kernel().Prepare(context.Background()); err != nil {
		return answer{Err: err.Error()}
	}
	a.Again = time.Since(start)
	if err := k.Call(probe, a.Out); err != nil {
		return answer{Err: err.Error()}
	}
	for i, x := range a.Out {
		if math.IsInf(float64(x), 1) {
			a.Out[i] = math.MaxFloat32 // JSON has no infinity
		}
	}
	r := k.Report()
	a.Reason, a.Made = r.Reason, len(r.Made)
	for _, s := range r.Stages {
		a.Stages = append(a.Stages, s.Name)
	}
	a.Text = fmt.Sprint(r.Candidates, r.Certificate, r.Firings, r.CostBefore, r.CostAfter, r.IRIn, r.IROut, r.LLVM, r.Asm, r.Derivation)
	return a
}

// TestJob is the child's side.
func TestJob(t *testing.T) {
	name := os.Getenv(jobVariable)
	if name == "" {
		t.Skip("a child of other tests")
	}
	if err := json.NewEncoder(os.Stdout).Encode(jobs[name]()); err != nil {
		t.Fatal(err)
	}
	os.Exit(0)
}

// child prepares a process that does a job with a cache.
func child(t *testing.T, job, dir string, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestJob$")
	cmd.Env = append(os.Environ(), "YOLK_CACHE="+dir, jobVariable+"="+job)
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// ask runs a child and returns its answer and notices.
func ask(t *testing.T, cmd *exec.Cmd) (a answer, notices string) {
	t.Helper()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, stderr.String())
	}
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if a.Err != "" {
		t.Fatal(a.Err)
	}
	return a, stderr.String()
}

// needClang skips the test where no native code can be made, and fails it where YOLK_REQUIRE_NATIVE=1 says that it must.
func needClang(t *testing.T) {
	t.Helper()
	needNative(t, ufunc.Vectorize(identity, ufunc.Float32, 1).Kernel())
}

// cacheFiles lists the cache's files by their kind; what is no entry is under "other".
func cacheFiles(t *testing.T, dir string) map[string][]string {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string][]string{}
	for _, f := range all {
		kind, _, _ := strings.Cut(f.Name(), "-")
		if filepath.Ext(f.Name()) != "" {
			kind = "other"
		}
		kinds[kind] = append(kinds[kind], filepath.Join(dir, f.Name()))
	}
	return kinds
}

// The second process takes from the cache what the first one has made: the same bits, the same report; it does not saturate and starts no
// compiler.
func TestWarmStart(t *testing.T) {
	needClang(t)
	dir := filepath.Join(t.TempDir(), "cache")
	cold, notices := ask(t, child(t, "gelu", dir))
	if notices != "" || cold.Made != 0 || !slices.Contains(cold.Stages, "certify") || !slices.Contains(cold.Stages, "clang") {
		t.Errorf("cold: %s%+v", notices, cold)
	}
	files := cacheFiles(t, dir)
	if len(files["kernel"]) != 1 || len(files["source"]) != 1 || len(files["clang"]) != 1 || len(files["other"]) != 0 {
		t.Errorf("the cache holds %v", files)
	}
	warm, notices := ask(t, child(t, "gelu", dir))
	if notices != "" || warm.Made < 10 || !slices.Equal(warm.Stages, []string{"frontend", "cache", "load"}) {
		t.Errorf("warm: %s%+v", notices, warm)
	}
	if !strings.HasPrefix(warm.Reason, "from the cache "+files["kernel"][0]+"; compiled by ") {
		t.Errorf("the reason is %q", warm.Reason)
	}
	if !slices.Equal(warm.Out, cold.Out) || warm.Text != cold.Text {
		t.Errorf("warm and cold differ:\n%v\n%v\n%s\n%s", warm.Out, cold.Out, warm.Text, cold.Text)
	}
	t.Run("without a compiler to start", func(t *testing.T) {
		// A stand-in for the compiler that was found: as long and as old, and it leaves a trace when it is started.
		real, err := jit.FindClang(t.Context(), jit.NewEnv(nil))
		if err != nil {
			t.Fatal(err)
		}
		bin, dir := t.TempDir(), filepath.Join(t.TempDir(), "cache")
		wrapper := filepath.Join(bin, "clang")
		trace := filepath.Join(bin, "trace")
		text := fmt.Sprintf("#!/bin/sh\necho x >> %s\nexec %s \"$@\"\n", trace, real.Identity().Path)
		if err := os.WriteFile(wrapper, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		ask(t, child(t, "gelu", dir, "YOLK_CLANG="+wrapper))
		if err := os.Remove(trace); err != nil {
			t.Fatal(err)
		}
		if a, _ := ask(t, child(t, "gelu", dir, "YOLK_CLANG="+wrapper)); a.Made == 0 {
			t.Errorf("made again: %v", a.Stages)
		}
		if _, err := os.Stat(trace); err == nil {
			t.Error("the compiler was started")
		}
		// Another compiler makes other code, for all one knows.
		now := time.Now().Add(time.Hour)
		if err := os.Chtimes(wrapper, now, now); err != nil {
			t.Fatal(err)
		}
		if a, _ := ask(t, child(t, "gelu", dir, "YOLK_CLANG="+wrapper)); a.Made != 0 {
			t.Error("the code of another compiler was taken")
		}
	})
	t.Run("off", func(t *testing.T) {
		before := cacheFiles(t, dir)
		if a, notices := ask(t, child(t, "gelu", "off")); a.Made != 0 || notices != "" {
			t.Errorf("%s%+v", notices, a)
		}
		if after := cacheFiles(t, dir); len(after["kernel"]) != len(before["kernel"]) {
			t.Error("the cache has changed")
		}
	})
}

// Whatever is wrong with an entry, kernels are made again and right, and one line says so.
func TestDamagedEntries(t *testing.T) {
	needClang(t)
	dir := filepath.Join(t.TempDir(), "cache")
	good, _ := ask(t, child(t, "gelu", dir))
	kernel := cacheFiles(t, dir)["kernel"][0]
	whole, err := os.ReadFile(kernel)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	flipped := func(at int) []byte {
		b := slices.Clone(whole)
		b[at] ^= 1 << rng.IntN(8)
		return b
	}
	const library = "\x7fELF"
	code := strings.Index(string(whole), library)
	foreign := strings.Replace(string(whole), "x86-64-v", "x86-64-w", 1) // an entry of another processor under this one's name
	for _, c := range []struct {
		name    string
		content []byte
	}{
		{"empty", nil}, {"half", whole[:len(whole)/2]}, {"a byte short", whole[:len(whole)-1]}, {"longer", append(slices.Clone(whole), "more"...)},
		{"head", flipped(3)}, {"lengths", flipped(9)}, {"checksum", flipped(30)}, {"identity", flipped(100)}, {"summary", flipped(code - 20)},
		{"library's head", flipped(code + 16)}, {"library's code", flipped(code + 4200)}, {"library's end", flipped(len(whole) - 1)},
		{"another format", append([]byte("garbage!"), whole[8:]...)}, {"another processor", []byte(foreign)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(kernel, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
			a, notices := ask(t, child(t, "gelu", dir))
			if a.Made != 0 || !slices.Equal(a.Out, good.Out) {
				t.Errorf("it was believed: %+v", a)
			}
			if strings.Count(notices, "\n") != 1 || !strings.Contains(notices, kernel) || !strings.Contains(notices, "again") {
				t.Errorf("notices: %s", notices)
			}
			if now, err := os.ReadFile(kernel); err != nil || len(now) < len(whole)/2 {
				t.Errorf("it was not made again: %d bytes, %v", len(now), err)
			}
		})
	}
}

func jobCaptured() any {
	scaled := func(c float64) func(x ufunc.Value) ufunc.Value {
		return func(x ufunc.Value) ufunc.Value { return x.Mul(ufunc.Const(c)) }
	}
	applied := func(f func(ufunc.Value) ufunc.Value) func(x ufunc.Value) ufunc.Value {
		return func(x ufunc.Value) ufunc.Value { return f(x) }
	}
	constant := func(c float64) func(x ufunc.Value) ufunc.Value {
		return func(x ufunc.Value) ufunc.Value { return ufunc.Where(x.Less(ufunc.Const(2)), ufunc.Const(c), x) }
	}
	a := answer{}
	for _, fn := range []func(ufunc.Value) ufunc.Value{
		scaled(2), scaled(3), scaled(2 + 0x1p-22), applied(scaled(2)), applied(scaled(3)), constant(0), constant(math.Copysign(0, -1)),
	} {
		out := make([]float32, 1)
		ufunc.Vectorize(fn, ufunc.Float32, 1)([]float32{1}, out)
		a.Out = append(a.Out, out...)
		a.Text += fmt.Sprintf("%08x ", math.Float32bits(out[0]))
	}
	return a
}

// C57: what a closure has captured, values and functions, is part of what it is; two processes share one cache.
func TestCaptured(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	const want = "40000000 40400000 40000001 40000000 40400000 00000000 80000000 "
	for range 2 {
		if a, _ := ask(t, child(t, "captured", dir)); a.Text != want {
			t.Errorf("%s, want %s", a.Text, want)
		}
	}
}

// C61, C76: no place for the cache, or none that can be written to. Kernels work; one line says that they are not kept.
func TestNoPlace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("homes are found otherwise there")
	}
	needClang(t)
	good, _ := ask(t, child(t, "gelu", "off"))
	base := t.TempDir()
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(base, "open")
	if err := os.Mkdir(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		dir     string
		env     []string
		notices int
		says    string
	}{
		{"no home", "", []string{"HOME=", "XDG_CACHE_HOME="}, 1, "no user cache directory"},
		{"home that does not exist", "", []string{"HOME=" + filepath.Join(base, "nobody"), "XDG_CACHE_HOME="}, 1, "no such file"},
		{"relative", "", []string{"XDG_CACHE_HOME=relative"}, 1, "relative"},
		{"relative YOLK_CACHE", "relative", nil, 1, `YOLK_CACHE: .*relative.* is not absolute`},
		{"a file", file, nil, 1, "not a directory"},
		{"others can write", open, nil, 1, "can be written to by others"},
		{"kernel file system", "/proc/yolk", nil, 1, "/proc/yolk"},
		{"no TMPDIR", filepath.Join(base, "c"), []string{"TMPDIR=" + filepath.Join(base, "nowhere")}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.HasPrefix(c.dir, "/proc") && runtime.GOOS != "linux" {
				t.Skip("no /proc")
			}
			a, notices := ask(t, child(t, "gelu", c.dir, c.env...))
			if !slices.Equal(a.Out, good.Out) {
				t.Errorf("%v, want %v", a.Out, good.Out)
			}
			if strings.Count(notices, "\n") != c.notices || !matches(c.says, notices) {
				t.Errorf("notices: %s, want %d with %q", notices, c.notices, c.says)
			}
		})
	}
	if left, err := filepath.Glob(filepath.Join(base, "*")); err != nil || len(left) != 3 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// raceFunctions is how many kernels a child of the race makes.
const raceFunctions = 6

func jobRace() any {
	var wg sync.WaitGroup
	a := answer{Out: make([]float32, raceFunctions)}
	errs := make([]error, 4)
	for g := range errs {
		wg.Go(func() {
			for i := range raceFunctions {
				f := func(x ufunc.Value) ufunc.Value { return x.Mul(ufunc.Const(float64(i))).Add(ufunc.Const(0.5)) }
				k, err := ufunc.Compile(context.Background(), f, ufunc.Float32, 1, ufunc.Name(fmt.Sprintf("race%d", i)), ufunc.Domain(-4, 4))
				out := make([]float32, 1)
				if err == nil {
					err = k.Call([]float32{3}, out)
				}
				if want := 3*float32(i) + 0.5; err == nil && out[0] != want {
					err = fmt.Errorf("kernel %d gives %v, want %v", i, out[0], want)
				}
				errs[g] = errors.Join(errs[g], err)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		a.Err = err.Error()
	}
	return a
}

// raceProcesses and rounds are small here; make faults takes 32 and 50.
func raceSize() (processes, rounds int) {
	if os.Getenv("YOLK_TEST_FAULTS") != "" {
		return 32, 50
	}
	return 6, 2
}

// C54: processes that start together on an empty cache, a third of them killed at random. Every survivor is right, each kernel is made
// once, and after a clean run there is nothing but entries.
func TestRacingProcesses(t *testing.T) {
	needClang(t)
	processes, rounds := raceSize()
	rng := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		dir := filepath.Join(t.TempDir(), "cache")
		var wg sync.WaitGroup
		for p := range processes {
			cmd := child(t, "race", dir)
			killed := p%3 == 2
			after := time.Duration(rng.IntN(400)) * time.Millisecond
			wg.Go(func() {
				var out, stderr strings.Builder
				cmd.Stdout, cmd.Stderr = &out, &stderr
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				if killed {
					time.Sleep(after)
					cmd.Process.Kill()
					cmd.Wait()
					return
				}
				var a answer
				if err := cmd.Wait(); err != nil {
					t.Errorf("%v\n%s%s", err, out.String(), stderr.String())
				} else if err := json.Unmarshal([]byte(out.String()), &a); err != nil || a.Err != "" || stderr.String() != "" {
					t.Errorf("%v %s %s", err, a.Err, stderr.String())
				}
			})
		}
		wg.Wait()
		if a, notices := ask(t, child(t, "race", dir)); a.Err != "" || notices != "" {
			t.Errorf("the clean run: %s%s", a.Err, notices)
		}
		// One more entry, so that what the killed ones have left is cleaned away.
		ask(t, child(t, "gelu", dir))
		if files := cacheFiles(t, dir); len(files["kernel"]) != raceFunctions+1 || len(files["other"]) != 0 {
			t.Errorf("the cache holds %v", files)
		}
	}
}

// A process that is killed while it makes a kernel loses nothing of the others', and leaves nothing that the next one believes.
func TestKilledWhileBuilding(t *testing.T) {
	needClang(t)
	runs := 8
	if os.Getenv("YOLK_TEST_FAULTS") != "" {
		runs = 200
	}
	dir, temp := filepath.Join(t.TempDir(), "cache"), t.TempDir()
	kept, _ := ask(t, child(t, "captured", dir))
	good, _ := ask(t, child(t, "gelu", "off"))
	rng := rand.New(rand.NewPCG(3, 4))
	finished := 0
	for range runs {
		for _, kernel := range cacheFiles(t, dir)["kernel"] {
			if rng.IntN(4) == 0 {
				os.Remove(kernel)
			}
		}
		cmd := child(t, "gelu", dir, "TMPDIR="+temp)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.IntN(250)) * time.Millisecond)
		cmd.Process.Kill()
		if cmd.Wait() == nil {
			finished++
		}
	}
	if finished == runs {
		t.Log("every process was faster than its killer")
	}
	a, notices := ask(t, child(t, "gelu", dir))
	if !slices.Equal(a.Out, good.Out) || notices != "" {
		t.Errorf("%v, want %v; %s", a.Out, good.Out, notices)
	}
	if again, _ := ask(t, child(t, "captured", dir)); again.Text != kept.Text {
		t.Errorf("%s, want %s", again.Text, kept.Text)
	}
	if files := cacheFiles(t, dir); len(files["other"]) != 0 {
		t.Errorf("left in the cache: %v", files["other"])
	}
}

// From Vectorize to a callable kernel of gelu: in a process that finds nothing in the cache, in one that finds the code, and the second time in
// one process. The times are those of new processes, which have executed nothing of this before; ns/op is the whole process.
func BenchmarkStart(b *testing.B) {
	exe, err := os.Executable()
	if err != nil {
		b.Skip(err)
	}
	start := func(dir string) answer {
		cmd := exec.Command(exe, "-test.run=^TestJob$")
		cmd.Env = append(os.Environ(), "YOLK_CACHE="+dir, jobVariable+"=gelu")
		out, err := cmd.Output()
		var a answer
		if err != nil || json.Unmarshal(out, &a) != nil || a.Err != "" {
			b.Fatal(err, a.Err, string(out))
		}
		return a
	}
	report := func(b *testing.B, times []time.Duration, unit time.Duration, name string) {
		slices.Sort(times)
		b.ReportMetric(float64(times[0])/float64(unit), "least-"+name)
		b.ReportMetric(float64(times[len(times)/2])/float64(unit), "median-"+name)
	}
	b.Run("cold", func(b *testing.B) {
		var times []time.Duration
		for b.Loop() {
			times = append(times, start(b.TempDir()).Elapsed)
		}
		report(b, times, time.Millisecond, "ms")
	})
	dir := b.TempDir()
	start(dir)
	b.Run("warm", func(b *testing.B) {
		var times []time.Duration
		for b.Loop() {
			times = append(times, start(dir).Elapsed)
		}
		report(b, times, time.Millisecond, "ms")
	})
	b.Run("again", func(b *testing.B) {
		var times []time.Duration
		for b.Loop() {
			times = append(times, start(dir).Again)
		}
		report(b, times, time.Microsecond, "µs")
	})
}

// matches reports whether a text matches a pattern.
func matches(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }
