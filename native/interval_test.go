package native

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Property: no input takes any value of a random program out of its interval.
func TestIntervals(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 21))
		f := randomFunc(r, targets[2], [][]ir.Type{{ir.Float32, ir.Float64}, {ir.Float32}, {ir.Float64}}[seed%3])
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
				if math.IsNaN(x) && !k.nan || x < k.lo || x > k.hi || k.whole && x != math.Floor(x) && !math.IsNaN(x) {
					t.Fatalf("seed %d: v%d is %v, outside %+v\n%v", seed, v, x, k, f)
				}
			}
		}
	}
}

// A scaling by a known range of exponents is the general one, on all pairs of special values and on all targets. The limits
// are written as rules write them: a NaN becomes the upper one.
func TestLdexpOfKnownExponents(t *testing.T) {
	for _, target := range runnable(t) {
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			t.Run(target.Name+"/"+typ.String(), func(t *testing.T) {
				bias, mantissa := float64(formatOf(typ).bias), float64(formatOf(typ).mantissa)
				limits := [][2]float64{
					{-20, 0}, {1 - bias, bias}, {-bias, bias + 1}, {-bias - mantissa, bias + 1}, {-2 * bias, 2 * bias},
					{-3 * bias, 3 * bias}, {bias + 1, 2*bias + mantissa + 5}, {-1e9, 10}, {-10, math.Inf(1)},
				}
				b := ir.NewBuilder("scalings")
				x, any := b.Param("x", typ, ir.Unknown), b.Param("k", typ, ir.Unknown)
				for _, k := range []ir.Value{any, b.Must(ir.Rint, any)} {
					for _, l := range limits {
						low, high := b.Const(typ, l[0]), b.Const(typ, l[1])
						k := b.Must(ir.Select, b.Must(ir.Lt, k, low), low, k)
						b.Return(b.Must(ir.Ldexp, x, b.Must(ir.Select, b.Must(ir.Lt, k, high), k, high)))
					}
				}
				f := b.Func()
				columns := inputs(typ, 3000, rand.New(rand.NewPCG(22, 23)))
				n := len(columns[0])
				for i := 0; i < n; i += 3 { // exponents of every size
					columns[1][i] = ir.ConstBits(typ, float64(i%int(7*bias))-3.5*bias)
				}
				operands := []view{column(typ, columns[0]), column(typ, columns[1])}
				for range f.Results {
					operands = append(operands, column(typ, make([]uint64, n)))
				}
				call(t, build(t, f, 1, target), []int{n}, operands...)
				for r, want := range interpret(t, f, n, columns[:2]) {
					for i := range n {
						if got := load(typ, operands[2+r].data, i*typ.Size()); !same(typ, got, want[i]) {
							t.Fatalf("limits %v: %v by %v: %#x, want %#x", limits[r%len(limits)],
								ir.BitsFloat(typ, columns[0][i]), ir.BitsFloat(typ, columns[1][i]), got, want[i])
						}
					}
				}
			})
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
