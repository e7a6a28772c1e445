package accuracy

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
	if c.oneFloat32() {
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

// oneFloat32 reports whether what is allowed follows an envelope by sign and binade of the input.
func (c *Contract) oneFloat32() bool { return len(c.f.Params) == 1 && c.f.Params[0].Type == ir.Float32 }

// boundsPointwise reports whether what is allowed at a point depends on the running bound there.
func (c *Contract) boundsPointwise() bool { return c.tolerance.Unit == Default && !c.oneFloat32() }

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

// Likely reports whether a candidate keeps the contract at the first points of the sample, where most of those fail that do not keep it.
func (c *Contract) Likely(g *ir.Func) bool {
	p, err := interp.Compile(g)
	if err != nil {
		return false
	}
	ev := c.sample.slice(0, min(rejectPoints, c.sample.in.Len()))
	got, err := Run(p, g, ev.in)
	if err == nil {
		_, err = c.judge(ev, got, acceptFraction)
	}
	return err == nil
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

// Shares reports whether a program of the same signature is also wrong where another one was, by more than slack times what
// is allowed there.
func (c *Contract) Shares(v *Violation, g *ir.Func, slack float64) (bool, error) {
	p, err := interp.Compile(g)
	if err != nil {
		return false, err
	}
	at := make(Points, len(v.Inputs))
	for i, x := range v.Inputs {
		at[i] = []float64{x}
	}
	ev, err := c.evaluate(at)
	if err != nil {
		return false, err
	}
	got, err := Run(p, g, at)
	if err != nil {
		return false, err
	}
	_, err = c.judge(ev, got, slack)
	return err != nil, nil
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
