package compiler_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

// withPieces is what a kernel for x86-64-v4 gets.
func withPieces(t testing.TB, tolerance accuracy.Tolerance) compiler.Config {
	t.Helper()
	target, err := native.Lookup("x86-64-v4")
	if err != nil {
		t.Fatal(err)
	}
	c := config(t, rules.Default)
	c.Costs, c.Price, c.Pieces, c.Points, c.Tolerance = target.Costs(), target.Price, compiler.DefaultPieces, 1<<14, tolerance
	return c
}

var (
	micro = accuracy.Tolerance{Unit: accuracy.Abs, Value: 1e-6}
	milli = accuracy.Tolerance{Unit: accuracy.Abs, Value: 1e-3}
)

// activations are functions that piecewise polynomials serve under large absolute tolerances; those with pieces do by default too.
// Where one is exempt, its values are so large and so far from exact that four ulps of them are more than 1e-6.
var activations = []struct {
	name           string
	f              *ir.Func
	pieces, exempt bool
}{
	{"gelu", gelu(ir.Unknown), true, false},
	{"tanh", define("tanh", ir.Unknown, func(b *ir.Builder, x ir.Value) ir.Value { return b.Must(ir.Tanh, x) }), false, false},
	{"sigmoid", kernels[3].f, false, false},
	{"silu", kernels[4].f, false, true},
	{"softplus", kernels[5].f, false, false},
	{"mish", kernels[6].f, false, false},
	{"elu", define("elu", ir.Unknown, func(b *ir.Builder, x ir.Value) ir.Value {
		return b.Must(ir.Select, b.Must(ir.Lt, b.Const(ir.Float32, 0), x), x, b.Must(ir.Expm1, x))
	}), false, false},
}

func tables(r *compiler.Run) bool {
	return slices.ContainsFunc(r.Chosen.Forms, func(s string) bool { return strings.HasPrefix(s, "pieces-") })
}

// The cost falls as the contract loosens, and what is chosen for a large absolute error is piecewise. A small one is tighter than
// some ulp where the values are large.
func TestCostFallsAsTheContractLoosens(t *testing.T) {
	for _, a := range activations {
		last := ir.InfiniteCost
		for _, tolerance := range []accuracy.Tolerance{{}, micro, milli} {
			r, err := compiler.Optimise(context.Background(), a.f, withPieces(t, tolerance))
			if err != nil {
				t.Errorf("%s %v: %v", a.name, tolerance, err)
				continue
			}
			t.Logf("%s %v: cost %d, %v; %v", a.name, tolerance, r.CostAfter, r.Chosen.Forms, r.Certificate)
			if r.CostAfter >= last && tolerance == milli || r.CostAfter > last && !a.exempt {
				t.Errorf("%s %v: cost %d, under a tighter contract %d", a.name, tolerance, r.CostAfter, last)
			}
			if last = min(last, r.CostAfter); !tables(r) && (tolerance == milli || a.pieces) {
				t.Errorf("%s %v: %v", a.name, tolerance, r.Chosen.Forms)
			}
		}
	}
}

// Every piecewise candidate that is accepted keeps its contract on points that it was not made with: 2^20 of them, all
// binades, subnormals and specials, and next to joints.
func TestPiecesKeepTheContract(t *testing.T) {
	for i, a := range activations {
		for _, tolerance := range []accuracy.Tolerance{{}, micro, milli}[min(i, 1):] {
			r, err := compiler.Optimise(context.Background(), a.f, withPieces(t, tolerance))
			if err != nil {
				t.Fatal(err)
			}
			if !tables(r) && (i == 0 || tolerance == milli) {
				t.Errorf("%s %v: %v", a.name, tolerance, r.Chosen.Forms)
			}
			contract := r.Contract.Through(r.Equal())
			p, err := interp.Compile(r.Output)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(7, 11))
			var x []float64
			const points = 1 << 20 / 6 // each for itself and for its neighbours
			for len(x) < 6*points {
				var v float64
				switch rng.IntN(3) {
				case 0:
					v = float64(math.Float32frombits(rng.Uint32()))
				case 1:
					v = rng.NormFloat64() * 6
				default:
					v = math.Ldexp(rng.Float64()-0.5, rng.IntN(8)-4)
				}
				y := float32(v)
				for _, z := range [3]float32{y, math.Nextafter32(y, 0), math.Nextafter32(y, 1)} {
					x = append(x, float64(z), -float64(z))
				}
			}
			x = append(x, 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, -math.MaxFloat32, 0x1p-149, -0x1p-149, 0x1p-126)
			got, err := accuracy.Run(p, r.Output, accuracy.Points{x})
			if err != nil {
				t.Fatal(err)
			}
			if cert, err := contract.Judge(accuracy.Points{x}, got); err != nil {
				t.Errorf("%s %v, %v: %v (%v)", a.name, tolerance, r.Chosen.Forms, err, cert)
			}
		}
	}
}

// gelu under the default contract is right where the demonstration is wrong.
func TestGeluEverywhere(t *testing.T) {
	r, err := compiler.Optimise(context.Background(), gelu(ir.Unknown), withPieces(t, accuracy.Tolerance{}))
	if err != nil {
		t.Fatal(err)
	}
	if !tables(r) || r.Output.Count(ir.Div) != 0 {
		t.Fatalf("%v\n%v", r.Chosen.Forms, r.Output)
	}
	for x, want := range map[float64]float64{5: 4.9999998, -5: -2.2918e-7, 10: 10, 44951: 44951, -44951: 0, 1e30: 1e30, -1e30: 0, math.Inf(1): math.Inf(1), math.Inf(-1): 0} {
		if got := eval(t, r.Output, x); got != want && !(math.Abs(got-want) <= 3e-7*math.Max(1, math.Abs(want))) {
			t.Errorf("gelu(%v) = %v, want %v", x, got, want)
		}
	}
	if got := eval(t, r.Output, math.NaN()); got == got {
		t.Errorf("gelu(NaN) = %v", got)
	}
	if got := eval(t, r.Output, math.Copysign(0, -1)); got != 0 || !math.Signbit(got) {
		t.Errorf("gelu(-0) = %v", got)
	}
}

// A part of a function that depends on one value is replaced as a whole: gelu of a sum, times another operand.
func TestPiecesOfAPart(t *testing.T) {
	b := ir.NewBuilder("biased")
	x, bias, scale := b.Param("x", ir.Float32, ir.Unknown), b.Param("bias", ir.Float32, ir.Unknown), b.Param("scale", ir.Float32, ir.Unknown)
	v := b.Must(ir.Add, x, bias)
	silu := b.Must(ir.Div, v, b.Must(ir.Add, b.Const(ir.Float32, 1), b.Must(ir.Exp, b.Must(ir.Neg, v))))
	b.Return(b.Must(ir.Mul, silu, b.Must(ir.Tanh, scale)))
	c := withPieces(t, accuracy.Tolerance{Unit: accuracy.Rel, Value: 1e-3})
	f, err := b.Func().WithFacts([]ir.Fact{ir.Between(0.5, 4), ir.Between(0.5, 1), ir.Between(0.1, 3)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := compiler.Optimise(context.Background(), f, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Chosen.Forms) != 2 || !tables(r) || r.Output.Count(ir.Div) > 0 {
		t.Errorf("forms %v:\n%v", r.Chosen.Forms, r.Output)
	}
}

// Under the demonstration's contract a polynomial beats its rational; under bits that are meant nothing is approximated.
func TestPiecesAndContracts(t *testing.T) {
	rel := accuracy.Tolerance{Unit: accuracy.Rel, Value: 1e-6}
	with, err := compiler.Optimise(context.Background(), gelu(ir.Between(0, 1)), withPieces(t, rel))
	if err != nil {
		t.Fatal(err)
	}
	c := withPieces(t, rel)
	c.Pieces = nil
	without, err := compiler.Optimise(context.Background(), gelu(ir.Between(0, 1)), c)
	if err != nil {
		t.Fatal(err)
	}
	if with.CostAfter > without.CostAfter {
		t.Errorf("cost %d with pieces, %d without", with.CostAfter, without.CostAfter)
	}
	for _, change := range []func(c *compiler.Config){
		func(c *compiler.Config) { c.Licences &^= ir.Reassoc },
		func(c *compiler.Config) { c.Licences &^= ir.ApproxFunc },
		func(c *compiler.Config) { c.Tolerance = accuracy.Tolerance{Unit: accuracy.Correct} },
	} {
		c := withPieces(t, rel)
		change(&c)
		r, err := compiler.RunUntil(context.Background(), gelu(ir.Between(0, 1)), c, "lower")
		for _, candidate := range r.Candidates {
			if strings.HasPrefix(fmt.Sprint(candidate.Forms), "[pieces") {
				t.Errorf("licences %v, %v: %v (%v)", c.Licences, c.Tolerance, candidate.Forms, err)
			}
		}
	}
}

func TestPiecesAreDeterministic(t *testing.T) {
	var texts []string
	for range 2 {
		r, err := compiler.Optimise(context.Background(), gelu(ir.Unknown), withPieces(t, accuracy.Tolerance{}))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, c := range r.Candidates {
			fmt.Fprintln(&b, c.Cost, c.Forms, c.Func)
		}
		texts = append(texts, b.String())
	}
	if texts[0] != texts[1] {
		t.Error("two runs, two lists of candidates")
	}
}
