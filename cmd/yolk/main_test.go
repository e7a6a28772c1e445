package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/internal/golden"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/ufunc"
)

// yolk runs a command line.
func yolk(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), streams{out: &out, err: &errs}, args)
	return code, out.String(), errs.String()
}

// needNative skips the test where no native code can be made, and fails it where YOLK_REQUIRE_NATIVE=1 says that it must.
func needNative(t *testing.T) {
	t.Helper()
	_, err := jit.FindClang(t.Context(), jit.NewEnv(nil))
	if err == nil {
		err = jit.Available()
	}
	if err == nil {
		_, err = native.Host()
	}
	if err != nil {
		if os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
			t.Fatalf("no native code: %v", err)
		}
		t.Skipf("no native code: %v", err)
	}
}

// userModule returns the files go.mod and go.sum of a module that uses yolk.
func userModule(t *testing.T, name string) (mod, sum string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	modText, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sumText, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, requirements, _ := strings.Cut(string(modText), "\n") // all but the module's name
	return "module " + name + "\n" + requirements + "\nrequire github.com/go-yolk/yolk v0.0.0\nreplace github.com/go-yolk/yolk => " + root + "\n", string(sumText)
}

// user makes a module that uses yolk, with packages that are and are not fit for kernels, and returns its directory.
func user(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	mod, sum := userModule(t, "example.com/user")
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":       mod,
		"go.sum":       sum,
		"alone/go.mod": "module example.com/alone\n\ngo 1.26\n",
		"alone/f.go":   "package alone\n\nfunc F(x float32) float32 { return x }\n",
	}
	packages, err := filepath.Glob("testdata/user/*/*")
	if err != nil || len(packages) == 0 {
		t.Fatal("no packages in testdata/user", err)
	}
	for _, p := range packages {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel("testdata/user", p)
		files[strings.TrimSuffix(name, ".txt")] = string(text)
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Help is golden, and the same by all ways to ask.
func TestGoldenHelp(t *testing.T) {
	names := []string{"help"}
	for _, c := range commands() {
		names = append(names, c.name)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			code, text, stderr := yolk(t, "help", name)
			if code != exitOK || stderr != "" {
				t.Fatalf("code %d, stderr %q", code, stderr)
			}
			golden.Check(t, "testdata/help-"+name+".txt", text)
			if name == "help" {
				return
			}
			for _, flag := range []string{"-h", "--help"} {
				if code, again, _ := yolk(t, name, flag); code != exitOK || again != text {
					t.Errorf("yolk %s %s: code %d, another text:\n%s", name, flag, code, again)
				}
			}
		})
	}
}

// A wrong command line is code 2, says what is wrong, and prints nothing on standard output.
func TestUsage(t *testing.T) {
	dir := user(t)
	t.Chdir(dir)
	for _, c := range []struct {
		name string
		args string // separated by blanks
		want string // in the message
	}{
		{"nothing", "", "Commands:"},
		{"unknown command", "frob", `no command "frob"`},
		{"help of an unknown command", "help frob", `no command "frob"`},
		{"help of two commands", "help doctor verify", "one command"},
		{"unknown flag", "doctor -frob", "-frob"},
		{"argument of doctor", "doctor frob", "no argument"},
		{"no function", "explain", "it takes PACKAGE.FUNC, and got 0"},
		{"two functions", "explain ./k.half ./k.add", "got 2 arguments"},
		{"flag behind the function", "explain ./k.half --frob", "-frob"},
		{"no dot", "verify half", `"half" is not PACKAGE.FUNC`},
		{"no name behind the dot", "verify ./k.", "is not PACKAGE.FUNC"},
		{"many packages", "verify ./....half", "is not one package"},
		{"a flag for the go command", "verify -- -modfile=x.half", "is not one package"},
		{"no such directory", "bench ./nowhere.half", "no directory ./nowhere"},
		{"method", "explain ./k.T.half", "methods cannot be kernels"},
		{"no such package", "explain example.com/user/nowhere.F", "nowhere"},
		{"no such function", "explain ./k.nosuch", "functions of floats there are: Scale, Traced, add, branch, half, joined, max, wide"},
		{"function of the tests", "explain ./k.inTest", "no function inTest"},
		{"no function of floats", "explain ./program.nosuch", "functions of floats there are: cube"},
		{"unexported in the library", "explain math.tanh", "not exported"},
		{"generic without types", "explain ./k.Scale", "generic in T: say for which types with -type, such as -type float32"},
		{"too many types", "explain -type float32,float64 ./k.Scale", "1 type parameters, -type gives 2"},
		{"no type", "explain -type []int ./k.Scale", "not the name of a type"},
		{"types for no generic", "explain -type float32 ./k.half", "not generic"},
		{"dtype", "explain -dtype int8 ./k.half", "want float32 or float64"},
		{"target", "explain -target vax ./k.half", "x86-64-v3"},
		{"empty domain", "verify -domain 2,1 ./k.half", "empty"},
		{"half a domain", "verify -domain 2 ./k.half", "want LO,HI"},
		{"NaN domain", "verify -domain nan,1 ./k.half", "empty"},
		{"tolerance", "verify -ulp 0 ./k.half", "positive"},
		{"infinite tolerance", "verify -abs inf ./k.half", "positive"},
		{"two tolerances", "verify -ulp 2 -rel 1e-6 ./k.half", "at a time"},
		{"stage", "explain -stage frob ./k.half", `no stage "frob"`},
		{"stage as JSON", "explain -stage load -json ./k.half", "three ways"},
		{"stage and machine code", "explain -stage load -asm ./k.half", "three ways"},
		{"unbounded inputs", "bench -domain 0,inf ./k.half", "give -inputs"},
		{"sizes", "bench -sizes 10,0 ./k.half", "positive"},
		{"bench of a variable", "bench ./k.Half", "is a variable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := yolk(t, strings.Fields(c.args)...)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("yolk %s: code %d, want %d and %q in the message\nstdout: %s\nstderr: %s", c.args, code, exitUsage, c.want, stdout, stderr)
			}
		})
	}
}

// What is no kernel, or cannot be built or run, is code 1 and says why.
func TestRefused(t *testing.T) {
	dir := user(t)
	t.Chdir(dir)
	t.Setenv("YOLK_CLANG", "off") // it does not get that far
	for _, c := range []struct{ name, args, want string }{
		{"branch", "explain ./k.branch", "goto; write a loop"},
		{"too wide to sweep", "verify ./k.wide", "only functions of one float32"},
		{"not compiled", "explain ./broken.F", "undefined: nothing"},
		{"ends before it begins", "explain ./ends.F", "before it began"},
		{"panics before it begins", "explain ./panics.F", "panic: no luck"},
		{"module without yolk", "explain ./alone.F", "go get github.com/go-yolk/yolk/ufunc"},
		{"options for a ufunc.Func", "explain -ulp 2 ./k.Half", "has its options already"},
		{"bench of a traced function", "bench ./k.Traced", "is traced"},
		{"bench of a function of ints", "bench ./k.ints", "is no kernel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := yolk(t, strings.Fields(c.args)...)
			if code != exitBad || stdout != "" && !strings.HasPrefix(c.args, "verify") || !strings.Contains(stderr, c.want) {
				t.Errorf("yolk %s: code %d, want %d and %q in the message\nstdout: %s\nstderr: %s", c.args, code, exitBad, c.want, stdout, stderr)
			}
		})
	}
}

// Functions are found by all spellings, in programs, unexported, beside tests that do not compile, in the library.
func TestExplain(t *testing.T) {
	dir := user(t)
	t.Chdir(dir)
	t.Setenv("YOLK_CLANG", "off")
	for _, c := range []struct {
		name, args string
		want       []string
	}{
		{"unexported", "explain ./k.half", []string{"kernel k.half", "as written:", "mul f32", "optimised:", "verdict", "accepted", "YOLK_CLANG=off"}},
		{"of a program, by import path", "explain -stage frontend example.com/user/program.cube", []string{"frontend: Go source -> ", `"x" f32`}},
		{"of the library, a flag behind", "explain math.Sqrt -stage certify", []string{"sqrt f64", "accuracy: within", "verdict"}},
		{"of yolk, generic", "explain -type float32 -stage frontend github.com/go-yolk/yolk/ufunc.Sqrt", []string{"sqrt f32"}},
		{"generic", "explain -stage saturate -type float64 ./k.Scale", []string{"stopped: saturated", "rule", "matches"}},
		{"traced", "explain -stage frontend -dtype float64 -domain 0,inf ./k.Traced", []string{"frontend: trace", "f64 in [0, +Inf]"}},
		{"a ufunc.Func, by directory", "explain -stage certify " + filepath.Join(dir, "k") + ".Half", []string{"within 7 ulp"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := yolk(t, strings.Fields(c.args)...)
			if code != exitOK || stderr != "" {
				t.Fatalf("code %d\n%s", code, stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(stdout, want) {
					t.Errorf("%q is missing in:\n%s", want, stdout)
				}
			}
		})
	}
	t.Run("stage that did not run", func(t *testing.T) {
		code, _, stderr := yolk(t, "explain", "-stage", "find-clang", "./k.half")
		if code != exitBad || !strings.Contains(stderr, "did not run") {
			t.Errorf("code %d, %s", code, stderr)
		}
	})
	// The packages are as they were.
	if got, _ := filepath.Glob(filepath.Join(dir, "*", "*harness*")); len(got) > 0 {
		t.Errorf("files were left: %v", got)
	}
}

// machineCode is an instruction behind its offset, at the start of a function.
var machineCode = regexp.MustCompile(`machine code:\n +0  [a-z]`)

// With a compiler there are texts of all stages, and JSON holds them.
func TestExplainNative(t *testing.T) {
	needNative(t)
	t.Chdir(user(t))
	code, stdout, stderr := yolk(t, "explain", "-llvm", "-asm", "-target", native.Targets()[0].Name, "./k.half")
	if host, err := native.Host(); err == nil && host.Runs(native.Targets()[0]) {
		if code != exitOK || !strings.Contains(stdout, "\ndefine ") || !machineCode.MatchString(stdout) || !strings.Contains(stdout, "runs on x86-64-v2") {
			t.Errorf("code %d, %s\n%s", code, stderr, stdout)
		}
	}
	code, stdout, stderr = yolk(t, "explain", "./k.half", "--json")
	if code != exitOK {
		t.Fatalf("code %d, %s", code, stderr)
	}
	var r ufunc.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if r.LLVM == "" || r.IROut == "" || r.Certificate.Points == 0 {
		t.Errorf("the report has gaps: %+v", r)
	}
	var got, want []string
	for _, s := range r.Stages {
		got = append(got, s.Name)
	}
	for _, s := range stages() {
		want = append(want, s.name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stages that yolk explain knows and the report's differ (-known +report):\n%s", diff)
	}
}

// The sweep of a small domain, through whatever executor there is.
func TestVerify(t *testing.T) {
	t.Chdir(user(t))
	code, stdout, stderr := yolk(t, "verify", "-domain", "1,1.125", "-ulp", "3", "./k.half")
	if code != exitOK || !strings.Contains(stdout, "the contract is kept\naccuracy: within 3 ulp") || !strings.Contains(stdout, "exhaustive, 1048") {
		t.Errorf("code %d\n%s", code, stdout)
	}
	if !strings.HasSuffix(stderr, "100 % of 1048577 inputs\n") {
		t.Errorf("progress: %q", stderr)
	}
}

// What verify says of sessions: contracts kept and broken, as text, as JSON and with a bar.
func TestGoldenVerify(t *testing.T) {
	report := &ufunc.Report{Name: "k.f", Executor: "x86-64-v3", Reason: "compiled by a clang"}
	report.Certificate.Points, report.Certificate.Worst = 40, []float64{1.5}
	kept := []message{{Report: report}, {Done: 10, All: 40}, {Done: 15, All: 40}, {Done: 40, All: 40}, {Report: report}}
	broken := []message{{Report: report}, {Done: 10, All: 40}, {Report: report, Err: "at [1.5] the result is 2, the truth is 3", Broken: true}}
	failed := []message{{Report: report}, {Report: report, Err: "no sweep"}}
	for _, c := range []struct {
		name     string
		messages []message
		v        verify
		terminal bool
		bad      bool
	}{
		{"kept", kept, verify{}, false, false},
		{"kept-json", kept, verify{json: true}, false, false},
		{"broken", broken, verify{}, false, true},
		{"broken-json", broken, verify{json: true}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			err := c.v.outcome(streams{&out, &errs, c.terminal}, replay(c.messages))
			if c.bad != errors.Is(err, errBad) || !c.bad && err != nil {
				t.Errorf("error %v", err)
			}
			golden.Check(t, "testdata/verify-"+c.name+".txt", "stdout:\n"+out.String()+"stderr:\n"+errs.String())
		})
	}
	t.Run("failed", func(t *testing.T) {
		if err := new(verify).outcome(streams{new(bytes.Buffer), new(bytes.Buffer), false}, replay(failed)); err == nil || err.Error() != "no sweep" {
			t.Errorf("error %v", err)
		}
	})
	t.Run("bar", func(t *testing.T) {
		var errs bytes.Buffer
		if err := new(verify).outcome(streams{new(bytes.Buffer), &errs, true}, replay(kept)); err != nil {
			t.Fatal(err)
		}
		if text := errs.String(); strings.Count(text, "\r") != 3 || strings.Count(text, "\n") != 1 || !strings.Contains(text, "["+strings.Repeat("=", width)+"] 100.0 %") {
			t.Errorf("%q", text)
		}
	})
}

func replay(messages []message) session {
	return func(show func(message) error) error {
		for _, m := range messages {
			if err := show(m); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestGoldenBench(t *testing.T) {
	var out bytes.Buffer
	err := timings{"k.f", "x86-64-v3", "compiled by a clang", -6, 6, []benchRow{{1000, 12.5, 0.5}, {16777216, 21, 0.125}}}.print(&out)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/bench.txt", out.String())
}

// A bench of several inputs and results runs, and its JSON has every size.
func TestBench(t *testing.T) {
	t.Chdir(user(t))
	code, stdout, stderr := yolk(t, "bench", "-json", "-sizes", "10,1000", "-domain", "1,2", "./k.joined")
	if code != exitOK {
		t.Fatalf("code %d, %s", code, stderr)
	}
	var got timings
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 2 || got.Rows[1].Size != 1000 || got.Rows[1].Plain <= 0 || got.Rows[1].Kernel <= 0 || got.Lo != 1 || got.Hi != 2 {
		t.Errorf("%+v", got)
	}
}

// A command whose context ends says so.
func TestStopped(t *testing.T) {
	t.Chdir(user(t))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	var out, errs bytes.Buffer
	if code := run(ctx, streams{out: &out, err: &errs}, []string{"explain", "./k.half"}); code != exitBad || errs.String() != "yolk explain: stopped: enough\n" {
		t.Errorf("code %d, %q", code, errs.String())
	}
}

func TestVersion(t *testing.T) {
	if code, out, _ := yolk(t, "version"); code != exitOK || !strings.HasPrefix(out, "yolk ") || strings.Count(out, "\n") != 1 {
		t.Errorf("code %d, %q", code, out)
	}
}
