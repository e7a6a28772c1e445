package accuracy

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// The sizes of a sample: a candidate is rejected on the first part of it, and accepted on the whole.
const (
	rejectPoints = 1 << 12
	// AcceptPoints is the number of points on which a candidate must keep its contract.
	AcceptPoints = 1 << 16
	// throughPoints is the part of a sample by which a better conditioned program is chosen.
	throughPoints = 1 << 11
	// acceptFraction is the part of the bound that a sampled maximum may reach: the sample misses the worst point.
	acceptFraction = 0.9
)

// ErrTolerance is wrapped by a Violation.
var ErrTolerance = errors.New("accuracy: the contract is broken")

// Contract is a function as written, its tolerance, and the truth on a sample of its domain.
type Contract struct {
	f         *ir.Func
	tolerance Tolerance
	program   *interp.Program // of f as written
	wide      *interp.Wide
	equal     *ir.Func // equal to f over the reals and better conditioned; nil: f
	equalWide *interp.Wide
	compiled  Truth // of TruthProgram, for sweeps; nil: running
	sample    evaluated
	envelope  *[1 << 9]float64 // by sign and binade of the one float32 input: largest error as written; nil: running bound
}

// evaluated are points with the truth, the outputs as written and the running error bound, all [result][point].
type evaluated struct {
	in      Points
	truth   [][]interp.Value
	written [][]float64
	running [][]float64
}

// New makes the contract of f, which must be verified, and evaluates the truth on n sampled points: where it can by one of
// the programs that are equal to f over the reals, as Through does after the first part of the sample.
func New(f *ir.Func, tolerance Tolerance, n int, equal ...*ir.Func) (*Contract, error) {
	if err := tolerance.Validate(); err != nil {
		return nil, err
	}
	program, err := interp.Compile(f)
	if err != nil {
		return nil, err
	}
	wide, err := interp.NewWide(f)
	if err != nil {
		return nil, err
	}
	c := &Contract{f: f, tolerance: tolerance, program: program, wide: wide}
	in := Sample(f.Params, n)
	first := min(throughPoints, in.Len())
	if len(equal) == 0 {
		first = in.Len()
	}
	if c.sample, err = c.evaluate(in.slice(0, first)); err != nil {
		return nil, err
	}
	if first < in.Len() {
		c = c.Through(equal)
		rest, err := c.evaluate(in.slice(first, in.Len()))
		if err != nil {
			return nil, err
		}
		c.sample.append(in, rest)
	}
	if len(f.Params) == 1 && f.Params[0].Type == ir.Float32 {
		c.envelope = new([1 << 9]float64)
		for r := range f.Results {
			for i, x := range c.sample.in[0] {
				e := distance(c.sample.written[r][i], c.sample.truth[r][i])
				if k := binade(x); e < math.Inf(1) && e > c.envelope[k] {
					c.envelope[k] = e
				}
			}
		}
	}
	return c, nil
}

// Tolerance returns the contract's tolerance.
func (c *Contract) Tolerance() Tolerance { return c.tolerance }

// TruthProgram is the one whose float64 evaluation serves as the truth where its error is small: the function, or one that is
// equal and better conditioned.
func (c *Contract) TruthProgram() *ir.Func {
	if c.equal != nil {
		return c.equal
	}
	return c.f
}

// binade numbers sign and exponent of a float32.
func binade(x float64) int { return int(math.Float32bits(float32(x)) >> 23) }

// distance is |got - want|, infinite if one of them is NaN or infinite and the other is not.
func distance(got float64, want interp.Value) float64 {
	if got == want.Hi && want.Lo == 0 {
		return 0
	}
	d := math.Abs((got - want.Hi) - want.Lo)
	if d != d || want.Err == math.Inf(1) {
		return math.Inf(1)
	}
	return d
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
		near, written := newRunning(c.TruthProgram(), true), newRunning(c.f, false)
		return func(from int) bool {
			k := min(blockLen, n-from)
			near.eval(in, from, k)
			written.eval(in, from, k)
			for i := range k {
				settled[from+i] = true
				for r := range results {
					t := c.f.Nodes[c.f.Results[r]].Type
					v := near.result(r, i)
					ev.truth[r][from+i], ev.running[r][from+i] = v, written.result(r, i).Err
					settled[from+i] = settled[from+i] && nearEnough(t, v)
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
	for _, level := range ladder {
		some := rest[:min(level.points, len(rest))]
		parallel(some, func() func(int) bool {
			x, t := make([]float64, len(in)), make([]interp.Value, results)
			return func(i int) bool {
				for j := range in {
					x[j] = in[j][i]
				}
				settled := c.throughWide(level.bits, x, t) || c.wide.EvalUpTo(level.bits, x, t)
				for r := range results {
					ev.truth[r][i] = t[r]
				}
				return settled
			}
		}, &rest)
	}
	for r := range results {
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

// nearEnough reports whether a float64 with its error serves as the truth for a result of type t: known to 2^-10 ulp,
// and an ordinary number, since special values are decided by the wide evaluation.
func nearEnough(t ir.Type, v interp.Value) bool {
	return t == ir.Float32 && v.Err <= math.Max(math.Abs(v.Hi)*0x1p-34, 0x1p-160) && !math.IsInf(v.Hi, 0) && v.Hi != 0
}

// result returns a result of the last evaluation.
func (r *running) result(i, k int) interp.Value {
	v := r.f.Results[i]
	return interp.Value{Hi: r.value[v][k], Err: r.err[v][k]}
}

// ladder is the fuel for points whose truth float64 does not settle: how many may go on to which precision, in bits, the
// first being double-double. Each doubling costs about four times as much. Beyond the fuel the truth is as good as it is;
// judge passes over points where that is not good enough.
var ladder = []struct {
	bits   uint
	points int
}{{0, math.MaxInt}, {256, 1 << 13}, {512, 1 << 11}, {1024, 1 << 9}, {2048, 1 << 7}, {4096, 1 << 5}}

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

// Allowed returns the largest error that the contract of a function of one input and one result allows at each argument: 0
// where the result is no finite number, and +Inf where it is not known well enough to be judged.
func (c *Contract) Allowed(x []float64) ([]float64, error) {
	ev, err := c.evaluate(Points{x})
	if err != nil {
		return nil, err
	}
	t := c.f.Nodes[c.f.Results[0]].Type
	out := make([]float64, len(x))
	for i, v := range x {
		truth := ev.truth[0][i]
		switch {
		case truth.Hi != truth.Hi && truth.Err > 0:
			out[i] = math.Inf(1)
			continue
		case math.IsInf(truth.Hi, 0) || truth.Hi != truth.Hi:
			continue
		}
		w := ev.running[0][i]
		if c.envelope != nil {
			w = c.envelope[binade(v)]
		}
		if out[i] = c.tolerance.bound(math.Abs(truth.Hi), interp.ULP(t, truth), w); truth.Err > out[i]*c.enough() {
			out[i] = math.Inf(1)
		}
	}
	return out, nil
}

// Measure runs a candidate program of the same signature over the sample, and climbs from its worst points. It returns a certificate, or a *Violation.
func (c *Contract) Measure(g *ir.Func) (Certificate, error) {
	p, err := interp.Compile(g)
	if err != nil {
		return Certificate{}, err
	}
	n := c.sample.in.Len()
	var cert Certificate
	var worst []Certificate
	for from := 0; from < n; {
		to := min(n, max(rejectPoints, from+n/climbers))
		ev := c.sample.slice(from, to)
		got, err := Run(p, g, ev.in)
		if err != nil {
			return Certificate{}, err
		}
		m, err := c.judge(ev, got, acceptFraction)
		cert = cert.merge(m)
		if err != nil {
			return cert, err
		}
		worst = append(worst, m)
		from = to
	}
	if c.tolerance.Unit != Exact {
		m, err := c.climb(p, g, worst)
		if cert = cert.merge(m); err != nil {
			return cert, err
		}
	}
	cert.Tolerance = c.tolerance
	return cert, nil
}

// MeasureAt runs a candidate of one input at more arguments, those of them that are in the domain, and adds what it measures
// to a certificate.
func (c *Contract) MeasureAt(cert Certificate, g *ir.Func, x []float64) (Certificate, error) {
	p, err := interp.Compile(g)
	if err != nil {
		return cert, err
	}
	fact := c.f.Params[0].Fact
	x = slices.DeleteFunc(slices.Clone(x), func(x float64) bool { return !(fact.Lo <= x && x <= fact.Hi) })
	ev, err := c.evaluate(Points{x})
	if err != nil {
		return cert, err
	}
	got, err := Run(p, g, ev.in)
	if err != nil {
		return cert, err
	}
	m, err := c.judge(ev, got, acceptFraction)
	m.Tolerance = c.tolerance
	return cert.merge(m), err
}

// Judge checks outputs [result][point] that a kernel has produced for inputs of the user's.
func (c *Contract) Judge(in Points, got [][]float64) (Certificate, error) {
	ev, err := c.evaluate(in)
	if err != nil {
		return Certificate{}, err
	}
	cert, err := c.judge(ev, got, 1)
	cert.Tolerance = c.tolerance
	return cert, err
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

// Violation is an input at which a program breaks the contract.
type Violation struct {
	Inputs    []float64
	Result    int
	Got, Want float64 // Want is the truth, as a float64
	Bound     float64 // the largest error allowed; 0 where the value itself is wrong (NaN, infinity, sign of zero)
	Tolerance Tolerance
}

// Error names the input, what came out and what should have.
func (v *Violation) Error() string {
	s := fmt.Sprintf("accuracy: at %v the result is %v, the truth is %v", v.Inputs, v.Got, v.Want)
	if v.Bound > 0 {
		s += fmt.Sprintf(": off by %.3g where %.3g is allowed (%v)", math.Abs(v.Got-v.Want), v.Bound, v.Tolerance)
	}
	return s
}

// Unwrap makes errors.Is(err, ErrTolerance) true.
func (v *Violation) Unwrap() error { return ErrTolerance }
