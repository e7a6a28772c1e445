package main

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// circular are the functions tested here: those with an argument reduction that
// is hard somewhere, their inverses, and the error functions.
var circular = map[string]bool{
	"sin": true, "cos": true, "tan": true, "asin": true, "acos": true, "atan": true, "atan2": true,
	"erf": true, "erfc": true,
}

// fusedOnly are forms that mean nothing without a fused multiply-add: they
// subtract multiples of π in parts of full length, or have the error of a
// square from one.
var fusedOnly = map[string]bool{
	"sin-float32-table-9": true, "cos-float32-table-9": true,
	"sin-float32-9": true, "cos-float32-9": true, "sin-float32-7-8": true, "cos-float32-7-8": true,
	"tan-float32-7-8": true, "sin-float32-coarse-7": true, "sin-float32-coarse-5": true,
	"cos-float32-coarse-7": true, "cos-float32-coarse-5": true, "erfc-float32-9": true,
	"sin-float64-17": true, "cos-float64-17": true, "sin-float64-13-14": true, "cos-float64-13-14": true, "tan-float64-13-14": true,
	"sin-float64-line": true, "cos-float64-line": true, "tan-float64-line": true, "erfc-float64-23": true,
}

// A twin is a law compiled with and without fma.
type twin struct {
	law
	runs  [2]func(...[]float64) []float64
	ops   int
	worst [2]struct {
		err float64
		at  []float64
	}
}

func compileTwin(t *testing.T, l law) *twin {
	t.Helper()
	w := &twin{law: l}
	w.runs[0], w.ops = compileLaw(t, l, fused)
	w.runs[1], _ = compileLaw(t, l, unfused)
	return w
}

// error32 is the error in the unit of the law's bound.
func (w *twin) error32(got, want float64) float64 {
	if w.absolute && got == got && want == want && got != want {
		return math.Abs(got - want)
	}
	return err32(float32(got), want)
}

// measure runs the law at a block of arguments.
func (w *twin) measure(err func(i int, got float64) float64, args ...[]float64) {
	for j, run := range w.runs {
		if j == 1 && fusedOnly[w.name] {
			continue
		}
		for i, y := range run(args...) {
			if e := err(i, y); !(e <= w.worst[j].err) {
				w.worst[j].err, w.worst[j].at = e, nil
				for _, a := range args {
					w.worst[j].at = append(w.worst[j].at, a[i])
				}
			}
		}
	}
}

// check compares with the bound. Without fma the forms only promise the default
// contract.
func (w *twin) check(t *testing.T) {
	t.Helper()
	for j, limit := range []float64{w.bound, max(w.bound, 4)} {
		name := []string{"fused", "unfused"}[j]
		if w.absolute {
			limit = w.bound
		}
		if j == 1 && fusedOnly[w.name] {
			continue
		}
		t.Logf("%s %s: %.4g at %x, %d operations", w.name, name, w.worst[j].err, w.worst[j].at, w.ops)
		if !(w.worst[j].err <= limit) {
			t.Errorf("%s %s: %.4g at %x, want at most %v", w.name, name, w.worst[j].err, w.worst[j].at, limit)
		}
	}
}

// blocks collects arguments in the law's domain and calls f with blocks of them.
func (w *twin) blocks(f func(x []float64)) (add func(v float64), flush func()) {
	x := make([]float64, 0, blockLen)
	flush = func() {
		if len(x) > 0 {
			f(x)
			x = x[:0]
		}
	}
	return func(v float64) {
		if w.domain(v) {
			x = append(x, v)
		}
		if len(x) == blockLen {
			flush()
		}
	}, flush
}

// TestCircularForms32 runs through every step-th float32, which takes in every
// binade, subnormals and NaN, and those nearest to multiples of π/2.
func TestCircularForms32(t *testing.T) {
	step := uint64(2039)
	if *exhaustive {
		step = 1
	}
	hard := newCircle().nearMultiples(24, -23, 104)
	for _, l := range laws(t) {
		if !circular[l.fn] || l.typ != "float32" || len(l.params) != 1 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			w := compileTwin(t, l)
			truth := truths[l.fn]
			want := make([]float64, blockLen)
			add, flush := w.blocks(func(x []float64) {
				for i, v := range x {
					want[i] = truth(v)
				}
				w.measure(func(i int, got float64) float64 { return w.error32(got, want[i]) }, x)
			})
			for b := uint64(0); b < 1<<32; b += step {
				add(float64(math.Float32frombits(uint32(b))))
			}
			for _, v := range hard {
				add(v)
				add(-v)
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 1 << 18 {
				k := math.Floor(math.Ldexp(r.Float64(), r.IntN(31)))
				add(float64(float32(k * (math.Pi / 2))))
			}
			flush()
			w.check(t)
		})
	}
}

// edges are the special values of a type and neighbours of the joints.
func edges(typ string) []float64 {
	tiny, top := 0x1p-149, 0x1.fffffep127
	least := 0x1p-126
	if typ == "float64" {
		tiny, top, least = 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p-1022
	}
	var out []float64
	for _, v := range []float64{0, tiny, 3 * tiny, least, 1.5 * least, 0x1p-30, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 11, 30, 0x1p20, top / 2, top, math.Inf(1)} {
		out = append(out, v, -v)
	}
	return append(out, math.NaN())
}

// TestCircularEdges compares with package math at special values: NaN, infinities
// and zeros with their signs; at odd functions the sign everywhere.
func TestCircularEdges(t *testing.T) {
	for _, l := range laws(t) {
		if !circular[l.fn] || len(l.params) != 1 {
			continue
		}
		w := compileTwin(t, l)
		for _, x := range edges(l.typ) {
			want := rounds(l.typ, truths[l.fn](x))
			for j, run := range w.runs {
				if j == 1 && fusedOnly[l.name] || !l.domain(x) {
					continue
				}
				got := run([]float64{x})[0]
				tight := x == 0 || math.IsInf(x, 0) || want != want || math.IsInf(want, 0)
				if l.absolute && x != 0 {
					tight = want != want
				}
				if tight && want != 0 && got == got && want == want && !math.IsInf(want, 0) {
					tight = w.error32(got, want) > l.bound
				}
				if tight && !same(got, want) || math.Signbit(got) != math.Signbit(want) && want == want && w.error32(got, want) != 0 {
					t.Errorf("%s(%x) = %x, want %x", l.name, x, got, want)
				}
			}
		}
	}
}

// TestSharedReduction: sin, cos and tan of one argument differ only in what they
// make of the same parts.
func TestSharedReduction(t *testing.T) {
	text, err := os.ReadFile("testdata/trigonometry.rules")
	if err != nil {
		t.Fatal(err)
	}
	with := map[string]string{}
	for _, block := range strings.Split(string(text), "\n\n") {
		name, _, _ := strings.Cut(block, ":")
		if _, rest, ok := strings.Cut(block, "\n    with "); ok {
			with[name], _, _ = strings.Cut(rest, "\n    for ")
		}
	}
	for _, kind := range []string{"-float32-7-8", "-float32-line", "-float64-13-14", "-float64-line", "-float64-line-nofma"} {
		for _, fn := range []string{"cos", "tan"} {
			if d := cmp.Diff(with["sin"+kind], with[fn+kind]); d != "" || with["sin"+kind] == "" {
				t.Errorf("sin%s and %s%s differ (-sin):\n%s", kind, fn, kind, d)
			}
		}
	}
}

// TestAtan2 crosses special values and draws the coordinates by random bits, of
// one size, and one from the other's neighbourhood.
func TestAtan2(t *testing.T) {
	c := newCircle()
	for _, l := range laws(t) {
		if l.fn != "atan2" {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			w := compileTwin(t, l)
			for _, y := range edges(l.typ) {
				for _, x := range edges(l.typ) {
					finite := x-x == 0 && y-y == 0 && x != 0 && y != 0
					want := math.Atan2(y, x)
					if finite && l.typ == "float64" {
						// Package math has the wrong sign where y/x underflows.
						v, k := c.atan2(y, x)
						want = math.Ldexp(v.hi, k)
					}
					want = rounds(l.typ, want)
					for _, run := range w.runs {
						got := run([]float64{y}, []float64{x})[0]
						if l.typ == "float64" && math.Abs(got-want) <= 0x1p-51*math.Abs(want) && math.Signbit(got) == math.Signbit(want) {
							continue
						}
						if !same(got, want) && (got != got || want == 0 || w.error32(got, want) > l.bound) {
							t.Errorf("%s(%x, %x) = %x, want %x", l.name, y, x, got, want)
						}
					}
				}
			}
			points, bits := 1<<20, func(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) }
			if l.typ == "float64" {
				points, bits = 1<<20, math.Float64frombits
			}
			r := rand.New(rand.NewPCG(3, 4))
			y, x := make([]float64, blockLen), make([]float64, blockLen)
			want, exp := make([]dd, blockLen), make([]int, blockLen)
			for range points / blockLen {
				for i := range y {
					y[i], x[i] = bits(r.Uint64()), bits(r.Uint64())
					switch r.IntN(3) {
					case 0:
						x[i] = rounds(l.typ, y[i]*math.Ldexp(1+r.Float64(), r.IntN(20)-10))
					case 1:
						x[i] = rounds(l.typ, y[i]*(1+math.Ldexp(r.Float64(), -r.IntN(24))))
					}
					if x[i]-x[i] != 0 || y[i]-y[i] != 0 || x[i] == 0 || y[i] == 0 {
						x[i], y[i] = 1, -2 // not finite, or a zero: tested above
					}
					if l.typ == "float32" {
						want[i] = single(math.Atan2(y[i], x[i]))
						continue
					}
					want[i], exp[i] = c.atan2(y[i], x[i])
				}
				w.measure(func(i int, got float64) float64 {
					if l.typ == "float32" {
						return w.error32(got, want[i].hi)
					}
					return err64(got, want[i], exp[i])
				}, y, x)
			}
			w.check(t)
		})
	}
}
