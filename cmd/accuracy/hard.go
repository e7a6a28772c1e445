package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// tinyTies is where x/2 and a little is next to a tie of subnormals for half of all arguments; the forms of functions that are such there
// take care of it as a whole.
const tinyTies = 0x1p-120

// hard prints the float32 inputs of a function of one variable at which its value is so near to a tie between two float32 that a float64
// value within accuracy.FormULPs does not tell which is nearer, with what the form of the correctly rounded tier makes of them. Nowhere
// else can a float64 form be wrong. Where it is, the rules of rules/form-correct.rules set the result right.
func (m *machine) hard(ctx context.Context, w io.Writer, f function, correct *ir.Func) error {
	written, err := f.program(ir.Float32)
	if err != nil {
		return err
	}
	g, err := accuracy.Bounded(written)
	if err != nil {
		return err
	}
	flag, err := m.truth(ctx)(undecided(g))
	if err != nil {
		return err
	}
	const chunk = 1 << 14
	var next atomic.Uint64
	var mu sync.Mutex
	var wg sync.WaitGroup
	var found []float32
	var fault error
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			x, undecided := make([]float32, chunk), make([]float32, chunk)
			for ctx.Err() == nil {
				from := next.Add(chunk) - chunk
				if from >= 1<<32 {
					return
				}
				for i := range x {
					x[i] = math.Float32frombits(uint32(from) + uint32(i))
				}
				err := flag(chunk, []interp.Column{{F32: x}}, []interp.Column{{F32: undecided}})
				mu.Lock()
				if err != nil {
					fault = err
				}
				for i, u := range undecided {
					if u != 0 && math.Abs(float64(x[i])) > tinyTies && x[i]-x[i] == 0 {
						found = append(found, x[i])
					}
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if fault != nil || ctx.Err() != nil {
		return fault
	}
	slices.SortFunc(found, func(a, b float32) int { return int(int64(math.Float32bits(a)) - int64(math.Float32bits(b))) })
	wide, err := interp.NewWide(written)
	if err != nil {
		return err
	}
	run, err := m.executor(ctx, correct)
	if err != nil {
		return err
	}
	got := make([]float32, len(found))
	if len(found) > 0 {
		if err := run(len(found), []interp.Column{{F32: found}}, []interp.Column{{F32: got}}); err != nil {
			return err
		}
	}
	wrong := 0
	for i, x := range found {
		var v [1]interp.Value
		wide.Eval([]float64{float64(x)}, v[:])
		sum := new(big.Float).SetPrec(2200)
		if v[0].Hi-v[0].Hi != 0 {
			continue
		}
		want, _ := sum.Add(big.NewFloat(v[0].Hi), new(big.Float).SetPrec(2200).SetFloat64(v[0].Lo)).Float32()
		mark := ""
		if math.Float32bits(want) != math.Float32bits(got[i]) {
			wrong++
			mark = "wrong"
		}
		fmt.Fprintf(w, "%s\t%08x\t%08x\t%s\n", f.name, math.Float32bits(x), math.Float32bits(want), mark)
	}
	fmt.Fprintf(w, "# %s: %d near a tie, %d wrong\n", f.name, len(found), wrong)
	return nil
}

// undecided makes of a bounded program one that returns 1 where the bound leaves open how the value rounds to float32, otherwise 0.
func undecided(f *ir.Func) *ir.Func {
	add := func(op ir.Op, t ir.Type, args ...ir.Value) ir.Value {
		n := ir.Node{Op: op, Type: t}
		copy(n.Args[:], args)
		f.Nodes = append(f.Nodes, n)
		return ir.Value(len(f.Nodes) - 1)
	}
	constant := func(x float64) ir.Value {
		f.Nodes = append(f.Nodes, ir.Node{Op: ir.Const, Type: ir.Float32, Imm: ir.ConstBits(ir.Float32, x)})
		return ir.Value(len(f.Nodes) - 1)
	}
	v, e := f.Results[0], f.Results[1]
	low := add(ir.Convert, ir.Float32, add(ir.Sub, ir.Float64, v, e))
	high := add(ir.Convert, ir.Float32, add(ir.Add, ir.Float64, v, e))
	differ := add(ir.Ne, ir.Bool, low, high)
	one, zero := constant(1), constant(0)
	number := add(ir.Eq, ir.Bool, v, v)
	f.Results = []ir.Value{add(ir.Select, ir.Float32, number, add(ir.Select, ir.Float32, differ, one, zero), zero)}
	return f
}
