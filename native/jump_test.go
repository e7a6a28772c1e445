package native

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// branching is a random program of choices inside choices, of two float32 numbers and an integer.
func branching(r *rand.Rand) *ir.Func {
	b := ir.NewBuilder("branching")
	floats := []ir.Value{b.Param("x", ir.Float32, ir.Unknown), b.Param("y", ir.Float32, ir.Unknown)}
	ints := []ir.Value{b.Param("n", ir.Int32, ir.Unknown)}
	float := func() ir.Value { return floats[r.IntN(len(floats))] }
	whole := func() ir.Value { return ints[r.IntN(len(ints))] }
	floats = append(floats, b.Const(ir.Float32, 0.5))
	ints = append(ints, b.Int(ir.Int32, 3))
	conditions := []ir.Value{b.Must(ir.Lt, floats[0], floats[1])}
	for range 10 + r.IntN(40) {
		c := conditions[r.IntN(len(conditions))]
		switch r.IntN(9) {
		case 0:
			conditions = append(conditions, b.Must([]ir.Op{ir.Lt, ir.Eq, ir.Ne}[r.IntN(3)], float(), float()))
		case 1:
			conditions = append(conditions, b.Must(ir.Le, whole(), whole()), b.Must(ir.And, c, conditions[0]))
		case 2, 3:
			floats = append(floats, b.Must(ir.Select, c, float(), float()))
		case 4:
			ints = append(ints, b.Must(ir.Select, c, whole(), whole()))
		case 5: // a division that only some lanes make
			divisor := b.Must(ir.Select, c, b.Must(ir.Or, whole(), b.Int(ir.Int32, 1)), b.Int(ir.Int32, 7))
			ints = append(ints, b.Must(ir.Select, c, b.Must(ir.Div, whole(), divisor), whole()))
		case 6:
			ints = append(ints, b.Must([]ir.Op{ir.Add, ir.Mul, ir.Xor}[r.IntN(3)], whole(), whole()))
		default:
			floats = append(floats, b.Must([]ir.Op{ir.Add, ir.Mul, ir.Sub, ir.Div, ir.Max}[r.IntN(5)], float(), float()))
		}
	}
	b.Return(floats[len(floats)-1])
	b.Return(ints[len(ints)-1])
	b.Return(float())
	return b.Func().Compact()
}

// Whatever is jumped over, and wherever lanes differ, programs have the interpreter's bits.
func TestJumps(t *testing.T) {
	for _, target := range runnable(t) {
		t.Run(target.Name, func(t *testing.T) {
			t.Parallel()
			target.costs.dear = 1 // every arm
			r := rand.New(rand.NewPCG(11, uint64(target.VectorBits)))
			jumps := 0
			for range 12 {
				f := branching(r)
				for len(f.Params) < 3 {
					f = branching(r)
				}
				text, err := Emit(f, 1, target)
				if err != nil {
					t.Fatal(err)
				}
				jumps += strings.Count(text, ".end:\n")
				k := build(t, f, 1, target)
				for _, n := range []int{1, 40, 333} {
					columns := make([][]uint64, 3)
					spread := []float64{0, 0.01, 1}[r.IntN(3)]
					for i := range n {
						x, y, w := 1.0, 2.0, uint64(5)
						if r.Float64() < spread || i == n-1 {
							x, y, w = r.NormFloat64(), []float64{0.5, math.NaN(), r.NormFloat64(), -0.}[r.IntN(4)], uint64(r.Uint32()>>r.IntN(32))
						}
						for j, bits := range []uint64{ir.ConstBits(ir.Float32, x), ir.ConstBits(ir.Float32, y), w} {
							columns[j] = append(columns[j], bits)
						}
					}
					operands := []view{column(ir.Float32, columns[0]), column(ir.Float32, columns[1]), column(ir.Int32, columns[2])}
					for _, v := range f.Results {
						operands = append(operands, column(f.Nodes[v].Type, make([]uint64, n)))
					}
					call(t, k, []int{n}, operands...)
					for i, want := range interpret(t, f, n, columns) {
						typ := f.Nodes[f.Results[i]].Type
						for j := range want {
							if got := load(typ, operands[3+i].data, j*typ.Size()); !same(typ, got, want[j]) {
								t.Fatalf("result %d of element %d is %#x, the interpreter says %#x\n%v\n%s", i, j, got, want[j], f, text)
							}
						}
					}
				}
			}
			if jumps < 12 {
				t.Errorf("%d jumps in 12 programs", jumps)
			}
		})
	}
}

// A division that some lanes do not make is jumped over; not so one that faults in lanes whose result is not taken.
func TestJumpsOverDivisions(t *testing.T) {
	divide := func(guarded bool) *ir.Func {
		b := ir.NewBuilder("divide")
		x, y := b.Param("x", ir.Int64, ir.Unknown), b.Param("y", ir.Int64, ir.Unknown)
		c, divisor := b.Must(ir.Ne, y, b.Int(ir.Int64, 0)), y
		if guarded {
			divisor = b.Must(ir.Select, c, y, b.Int(ir.Int64, 1))
		}
		b.Return(b.Must(ir.Select, c, b.Must(ir.Div, x, divisor), b.Int(ir.Int64, -1)))
		return b.Func()
	}
	for _, target := range Targets() {
		if target.VectorBits < 256 { // two divisions are not dear
			continue
		}
		for _, guarded := range []bool{true, false} {
			text, err := Emit(divide(guarded), 1, target)
			if err != nil {
				t.Fatal(err)
			}
			_, arm, jumps := strings.Cut(text, "\narm0:")
			if jumps != guarded || jumps && !strings.Contains(arm[:strings.Index(arm, "arm0.end")], "sdiv") {
				t.Errorf("%s, guarded %v:\n%s", target.Name, guarded, text)
			}
		}
	}
}
