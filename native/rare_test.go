package native

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// rareProgram has a part in float64 for what is large; holds says which arm of the choice that is.
func rareProgram(holds bool) *ir.Func {
	b := ir.NewBuilder("rare")
	x, y := b.Param("x", ir.Float32, ir.Unknown), b.Param("y", ir.Float32, ir.Unknown)
	to := func(typ ir.Type, v ir.Value) ir.Value {
		w, err := b.Emit(ir.Convert, typ, v)
		if err != nil {
			panic(err)
		}
		return w
	}
	wide := to(ir.Float32, b.Must(ir.Sqrt, b.Must(ir.Add, to(ir.Float64, x), b.Const(ir.Float64, 1))))
	narrow := b.Must(ir.Mul, b.Must(ir.Sub, x, y), x)
	limit := b.Const(ir.Float32, 8)
	v := b.Must(ir.Select, b.Must(ir.Lt, limit, b.Must(ir.Abs, x)), wide, narrow)
	if holds {
		v = b.Must(ir.Select, b.Must(ir.Le, b.Must(ir.Abs, x), limit), narrow, wide)
	}
	b.Return(b.Must(ir.Add, v, y))
	b.Return(v)
	return b.Func()
}

// Rare elements anywhere, none or all: every length, strides 0, 1 and others, in place, and rows of a matrix.
func TestRarePart(t *testing.T) {
	const most = 700
	for _, target := range runnable(t) {
		for _, holds := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", target.Name, holds), func(t *testing.T) {
				f := rareProgram(holds)
				if _, ok := seldom(f, target); !ok {
					t.Fatal("no rare part is found")
				}
				k := build(t, f, 2, target)
				rng := rand.New(rand.NewPCG(1, 9))
				for n := 1; n < most; n += 1 + n/40 {
					rarity := []float64{0, 0.003, 0.05, 1}[n%4]
					columns := [][]uint64{nil, nil}
					rows := 1 + n%2
					for range rows * n {
						x := rng.NormFloat64()
						if rng.Float64() < rarity {
							x = []float64{100, -9, math.Inf(1), math.NaN(), 8.5}[rng.IntN(5)]
						}
						columns[0] = append(columns[0], ir.ConstBits(ir.Float32, x))
						columns[1] = append(columns[1], ir.ConstBits(ir.Float32, rng.NormFloat64()))
					}
					fixed := n%3 == 1
					if fixed {
						for i := range columns[1] {
							columns[1][i] = columns[1][0]
						}
					}
					want := interpret(t, f, rows*n, columns)
					step := 4 * (1 + n%3/2)
					at := func(bits []uint64, step int) view {
						v := view{data: make([]byte, step*len(bits)+16), at: 4 * (n % 2), stride: []int{step * n, step}}
						for i, b := range bits {
							store(ir.Float32, v.data, v.at+i*step, b)
						}
						return v
					}
					x, y, out := at(columns[0], step), at(columns[1], 4), at(make([]uint64, rows*n), 4)
					if fixed {
						y.stride = []int{0, 0}
					}
					inPlace := n%5 == 0
					second := at(make([]uint64, rows*n), step)
					if inPlace {
						second = x
					}
					call(t, k, []int{rows, n}, x, y, out, second)
					for i := range rows * n {
						for r, v := range []view{out, second} {
							if got := load(ir.Float32, v.data, v.at+i*v.stride[1]); !same(ir.Float32, got, want[r][i]) {
								t.Fatalf("%d of %d rows of %d, result %d, fixed %v, in place %v: %#x, want %#x", i, rows, n, r, fixed, inPlace, got, want[r][i])
							}
						}
					}
				}
			})
		}
	}
}

// What is chosen on a number that costs nothing is not rare, nor is what has as many lanes.
func TestNothingIsRare(t *testing.T) {
	target, err := Lookup("x86-64-v4")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"exp", "gelu", "log", "tanh"} {
		if _, ok := seldom(program(t, name), target); ok {
			t.Errorf("%s has a rare part", name)
		}
	}
	b := ir.NewBuilder("leaf")
	x := b.Param("x", ir.Float32, ir.Unknown)
	w, _ := b.Emit(ir.Convert, ir.Float64, x)
	w, _ = b.Emit(ir.Convert, ir.Float32, b.Must(ir.Sqrt, w))
	b.Return(b.Must(ir.Select, b.Must(ir.Lt, x, b.Const(ir.Float32, 0)), b.Const(ir.Float32, 0), w))
	if _, ok := seldom(b.Func(), target); ok {
		t.Error("a constant is the usual part")
	}
	for _, negative := range []bool{false, true} { // as selu has it
		b := ir.NewBuilder("sign")
		x := b.Param("x", ir.Float32, ir.Unknown)
		w, _ := b.Emit(ir.Convert, ir.Float64, x)
		w, _ = b.Emit(ir.Convert, ir.Float32, b.Must(ir.Sqrt, w))
		arms := []ir.Value{b.Must(ir.Mul, x, b.Const(ir.Float32, 3)), w}
		if negative {
			slices.Reverse(arms)
		}
		b.Return(b.Must(ir.Select, b.Must(ir.Lt, b.Const(ir.Float32, 0), x), arms[0], arms[1]))
		if _, ok := seldom(b.Func(), target); ok {
			t.Error("numbers of one sign are rare")
		}
	}
	for _, op := range []ir.Op{ir.Eq, ir.Ne} { // a tie, settled by an equality
		b := ir.NewBuilder("tie")
		x := b.Param("x", ir.Float32, ir.Unknown)
		w, _ := b.Emit(ir.Convert, ir.Float64, x)
		w, _ = b.Emit(ir.Convert, ir.Float32, b.Must(ir.Sqrt, w))
		arms := []ir.Value{b.Must(ir.Neg, x), w}
		if op == ir.Ne {
			slices.Reverse(arms)
		}
		b.Return(b.Must(ir.Select, b.Must(op, x, b.Const(ir.Float32, 3)), arms[0], arms[1]))
		if _, ok := seldom(b.Func(), target); ok {
			t.Errorf("what holds where %v says that numbers are equal is the usual part", op)
		}
	}
}

// The loops of a program with a rare part work on whole vectors and call only where a lane is rare.
func TestRareLoops(t *testing.T) {
	for _, target := range Targets() {
		text, err := Emit(rareProgram(false), 1, target)
		if err != nil {
			t.Fatal(err)
		}
		inner := text[strings.Index(text, "\nmain.again:"):]
		inner = inner[:strings.Index(inner, "\nmain.rare:")]
		if !strings.Contains(inner, fmt.Sprintf("<%d x float>", target.VectorBits/32)) || strings.Contains(inner, "double") || strings.Contains(inner, "@careful") {
			t.Errorf("%s:\n%s", target.Name, inner)
		}
	}
}
