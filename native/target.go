package native

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrTarget is wrapped by the errors of Lookup, Host and On: there is no such target.
var ErrTarget = errors.New("native: unknown target")

// Target is what the emitter must know about one kind of machine. It is plain data: equal targets give equal code.
type Target struct {
	Name       string // as users and reports spell it
	Triple     string // LLVM target triple; that of Linux unless On changed it
	CPU        string // LLVM "target-cpu"
	VectorBits int    // width of a vector register
	Registers  int    // vector registers
	Interleave int    // vectors of independent work in flight in the main loop; 0: as many as the registers hold
	FMA        bool   // fused multiply-add is an instruction
	Minimum    bool   // IEEE 754-2019's minimum and maximum are instructions
	AVX2       bool   // vpermps is an instruction
	AVX512     bool   // vscalef, vgetexp, vgetmant, vrange, vpermi2ps and masked memory operations are instructions
	TBL        bool   // tbl is an instruction

	// Sizes of caches in bytes, of all that a core can use. A call that touches more than the level-2 cache holds prefetches,
	// one that touches three quarters of the last-level cache writes past the caches. If either is 0, none does;
	// on arm64 both are.
	Level2, LastLevel int

	costs costRow
}

// The cache sizes are those of a Zen 5 core, where the two forms of the main loop were measured; Host puts in its own. No
// arm64 core was measured.
var targets = [...]Target{
	{
		Name: "x86-64-v2", Triple: "x86_64-unknown-linux-gnu", CPU: "x86-64-v2", VectorBits: 128, Registers: 16,
		Level2: 1 << 20, LastLevel: 32 << 20, costs: costsV2,
	},
	{
		Name: "x86-64-v3", Triple: "x86_64-unknown-linux-gnu", CPU: "x86-64-v3", VectorBits: 256, Registers: 16, FMA: true, AVX2: true,
		Level2: 1 << 20, LastLevel: 32 << 20, costs: costsV3,
	},
	{
		Name: "x86-64-v4", Triple: "x86_64-unknown-linux-gnu", CPU: "x86-64-v4", VectorBits: 512, Registers: 32, FMA: true, AVX2: true, AVX512: true,
		Level2: 1 << 20, LastLevel: 32 << 20, costs: costsV4,
	},
	{
		Name: "arm64", Triple: "aarch64-unknown-linux-gnu", CPU: "generic", VectorBits: 128, Registers: 32, FMA: true, Minimum: true, TBL: true,
		costs: costsArm64,
	},
}

// Targets lists the targets, the x86-64 levels in ascending order first.
func Targets() []Target { return append([]Target(nil), targets[:]...) }

// Lookup finds a target by name, with Linux's triple. The error wraps ErrTarget and lists the names.
func Lookup(name string) (Target, error) {
	var names []string
	for _, t := range targets {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Target{}, fmt.Errorf("%w %q (want one of %s)", ErrTarget, name, strings.Join(names, ", "))
}

// Host is the best target that this machine runs, with the sizes of its caches. The error wraps ErrTarget: there is none for this architecture,
// operating system or processor.
func Host() (Target, error) {
	name := "arm64"
	switch runtime.GOARCH {
	case "arm64":
	case "amd64":
		level := cpuid.CPU.X64Level()
		if level < 2 {
			return Target{}, fmt.Errorf("%w: this processor is x86-64-v%d, kernels need x86-64-v2", ErrTarget, level)
		}
		name = fmt.Sprintf("x86-64-v%d", min(level, 4))
	default:
		return Target{}, fmt.Errorf("%w: no kernels for %s", ErrTarget, runtime.GOARCH)
	}
	t, err := Lookup(name)
	if err != nil {
		return Target{}, err
	}
	if cache := cpuid.CPU.Cache; t.Level2 > 0 && cache.L2 > 0 && cache.L3 > cache.L2 {
		t.Level2, t.LastLevel = cache.L2, cache.L3
	}
	return t.On(runtime.GOOS)
}

// Runs reports whether a machine of target t runs code for target u.
func (t Target) Runs(u Target) bool {
	arch := func(t Target) string { a, _, _ := strings.Cut(t.CPU, "-v"); return a }
	return arch(t) == arch(u) && u.VectorBits <= t.VectorBits && (t.FMA || !u.FMA) && (t.AVX2 || !u.AVX2) && (t.AVX512 || !u.AVX512)
}

// On returns the target with the triple of an operating system in Go's spelling: linux or darwin.
func (t Target) On(goos string) (Target, error) {
	arch, _, _ := strings.Cut(t.Triple, "-")
	switch goos {
	case "linux":
		if arch == "arm64" {
			arch = "aarch64"
		}
		t.Triple = arch + "-unknown-linux-gnu"
	case "darwin":
		if arch == "aarch64" {
			arch = "arm64" // as Apple spells it
		}
		t.Triple = arch + "-apple-macosx11.0.0" // the first macOS on arm64
	default:
		return Target{}, fmt.Errorf("%w: no kernels for %s", ErrTarget, goos)
	}
	return t, nil
}

// Costs returns the target's cost table: hundredths of a cycle per vector of the result's type, reciprocal throughput.
// What the target cannot emit is ir.InfiniteCost; leaves cost 1, so that no program is free.
func (t Target) Costs() *ir.CostTable { return t.costs.table(t) }
