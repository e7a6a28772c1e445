package native

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Property: no input takes any value of a random program out of its interval.
func TestIntervals(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 21))
		f := randomFunc(r, targets[2], []ir.Type{ir.Invalid, ir.Float32, ir.Float64}[seed%3])
		f.Results = nil
		for i, n := range f.Nodes {
			if n.Type.IsFloat() {
				f.Results = append(f.Results, ir.Value(i))
			}
		}
		var columns [][]uint64
		n := 0
		for i, p := range f.Params {
			columns = append(columns, inputs(p.Type, 300, r)[i])
			n = len(columns[0])
		}
		for i := range columns {
			columns[i] = columns[i][:min(n, len(columns[i]))]
			n = min(n, len(columns[i]))
		}
		known := intervals(f)
		for i, column := range interpret(t, f, n, columns) {
			v := f.Results[i]
			k := known[v]
			for _, bits := range column {
				x := ir.BitsFloat(f.Nodes[v].Type, bits)
				if math.IsNaN(x) && !k.nan || x < k.lo || x > k.hi || k.whole && !math.IsInf(x, 0) && x != math.Floor(x) {
					t.Fatalf("seed %d: v%d is %v, outside %+v\n%v", seed, v, x, k, f)
				}
			}
		}
	}
}

// clamped is ldexp(x, k limited to [lo, hi]), with the limits written as rules write them: a NaN becomes hi.
func clamped(typ ir.Type, lo, hi float64, whole bool) *ir.Func {
	b := ir.NewBuilder("clamped")
	x, k := b.Param("x", typ, ir.Unknown), b.Param("k", typ, ir.Unknown)
	if whole {
		k = b.Must(ir.Rint, k)
	}
	low, high := b.Const(typ, lo), b.Const(typ, hi)
	k = b.Must(ir.Select, b.Must(ir.Lt, k, low), low, k)
	k = b.Must(ir.Select, b.Must(ir.Lt, k, high), k, high)
	b.Return(b.Must(ir.Ldexp, x, k))
	return b.Func()
}

// A scaling by a known range of exponents is the general one, on all pairs of special values and at all targets.
func TestLdexpOfKnownExponents(t *testing.T) {
	for _, target := range runnable(t) {
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			f := formatOf(typ)
			bias, mantissa := float64(f.bias), float64(f.mantissa)
			for _, c := range [][2]float64{
				{-20, 0}, {1 - bias, bias}, {-bias, bias + 1}, {-bias - mantissa, bias + 1}, {-2 * bias, 2 * bias},
				{-3 * bias, 3 * bias}, {bias + 1, 2*bias + mantissa + 5}, {-1e9, 10}, {-10, math.Inf(1)},
			} {
				for _, whole := range []bool{true, false} {
					t.Run(fmt.Sprintf("%s/%v/%v/%v", target.Name, typ, c, whole), func(t *testing.T) {
						g := clamped(typ, c[0], c[1], whole)
						columns := inputs(typ, 3000, rand.New(rand.NewPCG(22, 23)))
						n := len(columns[0])
						for i := 0; i < n; i += 3 { // exponents of every size
							columns[1][i] = ir.ConstBits(typ, float64(i%int(7*bias))-3.5*bias)
						}
						out := column(typ, make([]uint64, n))
						call(t, build(t, g, 1, target), []int{n}, column(typ, columns[0]), column(typ, columns[1]), out)
						want := interpret(t, g, n, columns[:2])[0]
						for i := range n {
							if got := load(typ, out.data, i*typ.Size()); !same(typ, got, want[i]) {
								t.Fatalf("%v by %v: %#x, want %#x", ir.BitsFloat(typ, columns[0][i]), ir.BitsFloat(typ, columns[1][i]), got, want[i])
							}
						}
					})
				}
			}
		}
	}
}

func TestIntervalsOfPrograms(t *testing.T) {
	for _, c := range []struct {
		program string
		want    interval
	}{
		{"exp", interval{-150, 128, true, false}},
		{"tanh", interval{-26, 0, true, false}},
	} {
		f := program(t, c.program)
		for _, n := range f.Nodes {
			if n.Op == ir.Ldexp {
				if got := intervals(f)[n.Args[1]]; got != c.want {
					t.Errorf("%s: exponent in %+v, want %+v", c.program, got, c.want)
				}
			}
		}
	}
}
