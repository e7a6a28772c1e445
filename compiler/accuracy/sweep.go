package accuracy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrSweep is returned where a sweep is not possible: only functions of one float32 have few enough inputs.
var ErrSweep = errors.New("accuracy: only functions of one float32 can be swept")

// Through returns a contract that takes its truth, where it can, from one of the programs, all equal to the function over
// the reals: the one whose float64 evaluation is known to be near the truth at most points of the sample, if that beats
// the function as written. x/(1+exp(-2u)) does not cancel where 0.5·x·(1+tanh u) does. A program that disagrees with the
// truth anywhere on the sample is passed over.
func (c *Contract) Through(programs []*ir.Func) *Contract {
	through := *c
	_, best := c.agrees(c.f)
	for _, p := range programs {
		if ok, known := c.agrees(p); ok && known > best {
			if wide, err := interp.NewWide(p); err == nil {
				through.equal, through.equalWide, best = p, wide, known
			}
		}
	}
	return &through
}

// agrees reports whether a program's float64 truths contradict those of the sample nowhere, and at how many points they
// are known.
func (c *Contract) agrees(p *ir.Func) (ok bool, known int) {
	run := newRunning(p, true)
	in := c.sample.in
	for from := 0; from < in.Len(); from += blockLen {
		n := min(blockLen, in.Len()-from)
		run.eval(in, from, n)
		for r := range c.sample.truth {
			t := c.f.Nodes[c.f.Results[r]].Type
			for k := range n {
				v, truth := run.result(r, k), c.sample.truth[r][from+k]
				if !nearEnough(t, v, in.finite(from+k)) {
					continue
				}
				if known++; distance(v.Hi, truth) > v.Err+truth.Err {
					return false, 0
				}
			}
		}
	}
	return true, known
}

// Truth evaluates the program that Bounded has made of a function of one float32, by whatever runs fastest: out holds, for each result,
// the values and then their bounds. It is called from several goroutines.
type Truth func(in []float32, out [][]float64) error

// Bounded is the program for a Truth of the contract's function.
func (c *Contract) Bounded() (*ir.Func, error) { return Bounded(c.TruthProgram()) }

// Using returns a contract that is swept with a Truth, which settles the ordinary points faster than the package can.
func (c *Contract) Using(t Truth) *Contract {
	using := *c
	using.compiled = t
	return &using
}

// Sweep judges a kernel on every input of the domain of a function of one float32: run computes out from in, both float32, one
// slice for each result, and is called from several goroutines. progress, which may be nil, is called now and then, from one
// goroutine at a time, with the number of inputs done and of all. The error is a *Violation, that of run or of ctx, or ErrSweep.
func (c *Contract) Sweep(ctx context.Context, run func(in []float32, out [][]float32) error, progress func(done, all uint64)) (Certificate, error) {
	if len(c.f.Params) != 1 || c.f.Params[0].Type != ir.Float32 {
		return Certificate{}, ErrSweep
	}
	for _, r := range c.f.Results {
		if c.f.Nodes[r].Type != ir.Float32 {
			return Certificate{}, fmt.Errorf("%w to float32", ErrSweep)
		}
	}
	d := newDomain(c.f.Params[0])
	first, all := d.first, uint64(d.last)-uint64(d.first)+1
	const chunk = 1 << 16 // inputs at a time: a column stays in the second-level cache
	s := sweep{Contract: c, run: run}
	s.merge(s.specials(d))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Uint64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			w := s.worker(chunk)
			for ctx.Err() == nil {
				from := next.Add(chunk) - chunk
				if from >= all {
					return
				}
				n := min(chunk, all-from)
				cert, err := w.judge(first+int64(from), int(n))
				mu.Lock()
				s.merge(cert, err)
				total := done.Add(n)
				if progress != nil && s.err == nil {
					progress(total, all)
				}
				mu.Unlock()
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	s.cert.Tolerance = c.tolerance
	if s.err == nil && ctx.Err() != nil {
		s.err = context.Cause(ctx)
	}
	s.cert.Exhaustive = s.err == nil
	return s.cert, s.err
}

type sweep struct {
	*Contract
	run  func(in []float32, out [][]float32) error
	cert Certificate
	err  error
}

// merge adds what a chunk found; of several violations the one at the smallest worst input is kept, whoever found it first.
func (s *sweep) merge(cert Certificate, err error) {
	s.cert = s.cert.merge(cert)
	if s.err == nil || err != nil && lessViolation(err, s.err) {
		s.err = err
	}
}

func lessViolation(a, b error) bool {
	var v, w *Violation
	return errors.As(a, &v) && errors.As(b, &w) && v.Inputs[0] < w.Inputs[0]
}

// specials judges the inputs that are no finite number, and both zeros.
func (s *sweep) specials(d domain) (Certificate, error) {
	in := Points{d.specials}
	x := make([]float32, len(d.specials))
	for i := range x {
		x[i] = float32(d.specials[i])
	}
	out, err := s.outputs(x)
	if err != nil {
		return Certificate{}, err
	}
	return s.Judge(in, out)
}

// outputs runs the kernel and widens what comes out.
func (s *sweep) outputs(x []float32) ([][]float64, error) {
	out := make([][]float32, len(s.f.Results))
	wide := make([][]float64, len(out))
	for r := range out {
		out[r] = make([]float32, len(x))
	}
	if err := s.run(x, out); err != nil {
		return nil, err
	}
	for r := range out {
		wide[r] = make([]float64, len(x))
		for i, y := range out[r] {
			wide[r][i] = float64(y)
		}
	}
	return wide, nil
}

type sweeper struct {
	*sweep
	x    []float32
	in   Points
	out  [][]float32
	near *running    // without a Truth
	real [][]float64 // of a Truth
}

func (s *sweep) worker(chunk int) *sweeper {
	w := &sweeper{sweep: s, x: make([]float32, chunk), in: Points{make([]float64, chunk)}}
	if s.compiled == nil {
		w.near = newRunning(s.TruthProgram(), true)
	}
	for range s.f.Results {
		w.out = append(w.out, make([]float32, chunk))
		if s.compiled != nil {
			w.real = append(w.real, make([]float64, chunk), make([]float64, chunk))
		}
	}
	return w
}

// judge judges n consecutive inputs. Ordinary values whose float64 truth is good enough are judged on the spot; the others
// are collected and take the road of every sample.
func (w *sweeper) judge(first int64, n int) (Certificate, error) {
	for i := range n {
		x := unorder(ir.Float32, first+int64(i))
		w.x[i], w.in[0][i] = float32(x), x
	}
	out := make([][]float32, len(w.out))
	for r := range out {
		out[r] = w.out[r][:n]
	}
	if err := w.run(w.x[:n], out); err != nil {
		return Certificate{}, err
	}
	if w.compiled != nil {
		if err := w.evaluateTruth(n); err != nil {
			return Certificate{}, err
		}
	}
	cert := Certificate{Points: n}
	var hard []int
	for from := 0; from < n; from += blockLen {
		k := min(blockLen, n-from)
		if w.compiled == nil {
			w.near.eval(w.in, from, k)
		}
		for i := from; i < from+k; i++ {
			for r := range out {
				var value interp.Value
				if w.compiled != nil {
					value = interp.Value{Hi: w.real[2*r][i], Err: w.real[2*r+1][i]}
				} else {
					value = w.near.result(r, i-from)
				}
				settled, err := w.easy(&cert, i, float64(out[r][i]), value, r)
				if err != nil {
					return cert, err
				}
				if !settled {
					hard = append(hard, i)
					break
				}
			}
		}
	}
	if len(hard) == 0 {
		return cert, nil
	}
	in, got := Points{make([]float64, len(hard))}, make([][]float64, len(out))
	for r := range got {
		got[r] = make([]float64, len(hard))
	}
	for k, i := range hard {
		in[0][k] = w.in[0][i]
		for r := range got {
			got[r][k] = float64(out[r][i])
		}
	}
	rest, err := w.Judge(in, got)
	rest.Points = 0 // counted already
	return cert.merge(rest), err
}

// evaluateTruth runs the Truth on the first n inputs.
func (w *sweeper) evaluateTruth(n int) error {
	real := make([][]float64, len(w.real))
	for i := range real {
		real[i] = w.real[i][:n]
	}
	return w.compiled(w.x[:n], real)
}

// ulp32 is the spacing of float32 at abs >= 0, which does not overflow it.
func ulp32(abs float64) float64 {
	const exponent = 0x7ff << 52
	return math.Float64frombits(max(math.Float64bits(abs)&exponent, (1023-126)<<52) - 23<<52)
}

// overflows is where float32 rounds to infinity.
const overflows = 0x1.ffffffp127

// easy judges one ordinary result. It reports false where it cannot.
func (w *sweeper) easy(cert *Certificate, i int, got float64, truth interp.Value, r int) (bool, error) {
	x := w.in[0][i]
	abs := math.Abs(truth.Hi)
	switch {
	case x == 0 || w.tolerance.Unit == Exact:
		return false, nil
	case truth.Hi != truth.Hi:
		return truth.Err == 0 && got != got, nil
	case abs-truth.Err >= overflows: // an infinite value without error among them
		return math.IsInf(got, 0) && math.Signbit(got) == math.Signbit(truth.Hi), nil
	case !(abs < math.MaxFloat32) || !(math.Abs(got) <= math.MaxFloat32):
		return false, nil
	}
	ulp := ulp32(abs)
	bound := w.tolerance.bound(abs, ulp, w.envelope[binade(x)])
	if !(truth.Err <= bound*enough) {
		return false, nil
	}
	err := math.Abs(got - truth.Hi)
	if math.Abs(err-bound) <= truth.Err {
		return false, nil // too close to call
	}
	if err > cert.MaxAbs {
		cert.MaxAbs = err
	}
	if err > cert.MaxULP*ulp {
		cert.MaxULP = err / ulp
	}
	if abs >= 0x1p-126 && err > cert.MaxRel*abs {
		cert.MaxRel = err / abs
	}
	if f := err / bound; f > cert.Fraction || cert.Worst == nil {
		cert.Fraction, cert.Worst = f, []float64{x}
	}
	if err > bound {
		return false, &Violation{Inputs: []float64{x}, Result: r, Got: got, Want: truth.Hi, Bound: bound, Tolerance: w.tolerance}
	}
	return true, nil
}
