package accuracy

import (
	"math"
	"runtime"
	"sync"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// evaluated are points with the truth, the outputs as written and the running error bound, all [result][point]. The bound is 0 where the
// contract does not ask for it.
type evaluated struct {
	in      Points
	truth   [][]interp.Value
	written [][]float64
	running [][]float64
}

// evaluate computes truth, outputs as written and running bounds at the points, on all processors. The truth is float64
// with a running error bound where that is small enough for a float32, double-double where it is not, and after that more
// bits for as many points as the fuel allows.
func (c *Contract) evaluate(in Points) (evaluated, error) {
	n, results := in.Len(), len(c.f.Results)
	ev := evaluated{in: in, truth: make([][]interp.Value, results), running: make([][]float64, results)}
	for r := range results {
		ev.truth[r], ev.running[r] = make([]interp.Value, n), make([]float64, n)
	}
	var err error
	if ev.written, err = Run(c.program, c.f, in); err != nil {
		return ev, err
	}
	var rest []int
	var blocks []int
	for i := 0; i < n; i += blockLen {
		blocks = append(blocks, i)
	}
	settled := make([]bool, n)
	parallel(blocks, func() func(int) bool {
		near := newRunning(c.TruthProgram(), true)
		var written *running
		if c.boundsPointwise() {
			written = newRunning(c.f, false)
		}
		return func(from int) bool {
			k := min(blockLen, n-from)
			near.eval(in, from, k)
			if written != nil {
				written.eval(in, from, k)
			}
			for i := range k {
				finite := in.finite(from + i)
				settled[from+i] = true
				for r := range results {
					t := c.f.Nodes[c.f.Results[r]].Type
					v := near.result(r, i)
					ev.truth[r][from+i] = v
					if written != nil {
						ev.running[r][from+i] = written.result(r, i).Err
					}
					settled[from+i] = settled[from+i] && (nearEnough(t, v, finite) || c.dwarfed(v, ev.running[r][from+i]))
				}
			}
			return true
		}
	}, &blocks)
	for i, ok := range settled {
		if !ok {
			rest = append(rest, i)
		}
	}
	at := func(bits uint) func() func(int) bool {
		return func() func(int) bool {
			x, t := make([]float64, len(in)), make([]interp.Value, results)
			return func(i int) bool {
				for j := range in {
					x[j] = in[j][i]
				}
				settled := c.throughWide(bits, x, t) || c.wide.EvalUpTo(bits, x, t)
				dwarfed := true
				for r := range results {
					ev.truth[r][i] = t[r]
					dwarfed = dwarfed && c.dwarfed(t[r], ev.running[r][i])
				}
				return settled || dwarfed
			}
		}
	}
	for _, level := range ladder {
		some := rest[:min(level.points, len(rest))]
		if parallel(some, at(level.bits), &rest); level.bits > 0 && len(rest) > probes && len(rest) == len(some) {
			if probe := rest[:probes]; probeBits > level.bits {
				parallel(probe, at(probeBits), &probe)
				if len(probe) == probes {
					break
				}
			}
		}
	}
	for r := 0; r < results && c.boundsPointwise(); r++ {
		for i, w := range ev.written[r] {
			// The bound does not see an intermediate overflow; the outcome does.
			if d := distance(w, ev.truth[r][i]); d < math.Inf(1) {
				ev.running[r][i] = math.Max(ev.running[r][i], d)
			}
		}
	}
	return ev, nil
}

// throughWide evaluates the truth in double-double by the better conditioned program, if there is one. At infinite inputs and
// poles a formula has its own values, so there it does not.
func (c *Contract) throughWide(bits uint, x []float64, t []interp.Value) bool {
	if c.equalWide == nil || bits > 0 {
		return false
	}
	ordinary := true
	for _, v := range x {
		ordinary = ordinary && !math.IsInf(v, 0) && v == v
	}
	if !ordinary || !c.equalWide.EvalUpTo(0, x, t) {
		return false
	}
	for _, v := range t {
		ordinary = ordinary && !math.IsInf(v.Hi, 0) && v.Hi == v.Hi
	}
	return ordinary
}

// nearEnough reports whether a float64 with its error serves as the truth for a result of type t: known to 2^-10 ulp, be it that it
// underflows, and an ordinary number, since special values are decided by the wide evaluation. So is what a zero may be where an input is
// not finite: a limit, or NaN.
func nearEnough(t ir.Type, v interp.Value, finite bool) bool {
	return t == ir.Float32 && v.Err <= math.Max(math.Abs(v.Hi)*0x1p-34, 0x1p-160) && !math.IsInf(v.Hi, 0) && (v.Hi != 0 || finite)
}

// dwarfed reports whether what is not known of a truth is nothing beside the error of the function as written, whose bound is given: as where
// sin(x·y) depends on the last bit of a large product, or a price cancels to next to nothing.
func (c *Contract) dwarfed(v interp.Value, written float64) bool {
	return c.boundsPointwise() && v.Err <= written*enough && v.Hi-v.Hi == 0
}

// ladder is the fuel for points whose truth float64 does not settle: how many may go on to which precision, in bits, the
// first being double-double. Each doubling costs about four times as much. Beyond the fuel the truth is as good as it is;
// judge passes over points where that is not good enough.
var ladder = []struct {
	bits   uint
	points int
}{{0, math.MaxInt}, {256, 1 << 13}, {512, 1 << 11}, {1024, 1 << 9}, {2048, 1 << 7}, {4096, 1 << 5}}

// Where a level settles nothing, a few points are tried with many bits first: most often it is not bits that are wanting, but an operand is
// beyond float64, or a result beyond everything.
const (
	probes    = 4
	probeBits = 2048
)

// parallel calls do(i) for every i of points, on all processors, each with a function of its own from setup, and leaves
// those for which it returns false in rest, in order.
func parallel(points []int, setup func() func(i int) bool, rest *[]int) {
	failed := make([]bool, len(points))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			do := setup()
			for k := w * len(points) / workers; k < (w+1)*len(points)/workers; k++ {
				failed[k] = !do(points[k])
			}
		})
	}
	wg.Wait()
	var left []int
	for k, f := range failed {
		if f {
			left = append(left, points[k])
		}
	}
	*rest = left
}

// Run evaluates a program of f's signature at the points; outputs are [result][point], as float64.
func Run(p *interp.Program, f *ir.Func, in Points) ([][]float64, error) {
	n := in.Len()
	columns := func(types []ir.Type) []interp.Column {
		cols := make([]interp.Column, len(types))
		for i, t := range types {
			if t == ir.Float32 {
				cols[i].F32 = make([]float32, n)
			} else {
				cols[i].F64 = make([]float64, n)
			}
		}
		return cols
	}
	var inTypes, outTypes []ir.Type
	for _, p := range f.Params {
		inTypes = append(inTypes, p.Type)
	}
	for _, r := range f.Results {
		outTypes = append(outTypes, f.Nodes[r].Type)
	}
	inCols, outCols := columns(inTypes), columns(outTypes)
	for j, c := range inCols {
		if c.F64 != nil {
			copy(c.F64, in[j])
			continue
		}
		for i, x := range in[j] {
			c.F32[i] = float32(x)
		}
	}
	if err := p.Run(n, inCols, outCols); err != nil {
		return nil, err
	}
	out := make([][]float64, len(outCols))
	for r, c := range outCols {
		if c.F64 != nil {
			out[r] = c.F64
			continue
		}
		out[r] = make([]float64, n)
		for i, x := range c.F32 {
			out[r][i] = float64(x)
		}
	}
	return out, nil
}

// Reference returns the true values at the points, rounded to the result types: [result][point].
func (c *Contract) Reference(in Points) ([][]float64, error) {
	ev, err := c.evaluate(in)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(ev.truth))
	for r, truth := range ev.truth {
		t := c.f.Nodes[c.f.Results[r]].Type
		out[r] = make([]float64, len(truth))
		for i, v := range truth {
			out[r][i] = roundTo(t, v.Float64())
		}
	}
	return out, nil
}

func (e *evaluated) slice(from, to int) evaluated {
	s := evaluated{in: e.in.slice(from, to)}
	for r := range e.truth {
		s.truth = append(s.truth, e.truth[r][from:to])
		s.written = append(s.written, e.written[r][from:to])
		s.running = append(s.running, e.running[r][from:to])
	}
	return s
}

// append adds the rest of the points in.
func (e *evaluated) append(in Points, rest evaluated) {
	e.in = in
	for r := range e.truth {
		e.truth[r] = append(e.truth[r], rest.truth[r]...)
		e.written[r] = append(e.written[r], rest.written[r]...)
		e.running[r] = append(e.running[r], rest.running[r]...)
	}
}
