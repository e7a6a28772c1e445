package accuracy

import (
	"fmt"
	"math"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Certificate is what was measured.
type Certificate struct {
	Tolerance  Tolerance
	Points     int
	Unsettled  int       // results whose truth is not known well enough, with the fuel that there is; they are not judged
	Exhaustive bool      // every input of the domain was tried
	MaxULP     float64   // largest error, in ulps of the result type at the true value
	MaxAbs     float64   // largest absolute error
	MaxRel     float64   // largest relative error, where the truth is normal
	Fraction   float64   // largest error as a fraction of what is allowed
	Worst      []float64 // the inputs of that error
}

// String is one line for reports.
func (c Certificate) String() string {
	how := fmt.Sprintf("sampled, %d points", c.Points)
	if c.Exhaustive {
		how = fmt.Sprintf("exhaustive, %d points", c.Points)
	}
	if c.Unsettled > 0 {
		how += fmt.Sprintf(", %d of them without a known truth", c.Unsettled)
	}
	return fmt.Sprintf("%v: max %.3g ulp, %.3g abs, %.3g rel; %.0f%% of the bound at %v (%s)",
		c.Tolerance, c.MaxULP, c.MaxAbs, c.MaxRel, 100*c.Fraction, c.Worst, how)
}

func (c Certificate) merge(d Certificate) Certificate {
	if d.Fraction > c.Fraction || c.Points == 0 {
		c.Fraction, c.Worst = d.Fraction, d.Worst
	}
	c.Points += d.Points
	c.Unsettled += d.Unsettled
	c.MaxULP, c.MaxAbs, c.MaxRel = math.Max(c.MaxULP, d.MaxULP), math.Max(c.MaxAbs, d.MaxAbs), math.Max(c.MaxRel, d.MaxRel)
	return c
}

// enough is the part of a bound that the uncertainty of the truth may take.
const enough = 1. / 64

// judge compares outputs with the truth. fraction is the part of each bound that may be used up.
func (c *Contract) judge(ev evaluated, got [][]float64, fraction float64) (Certificate, error) {
	cert := Certificate{Points: ev.in.Len()}
	for r := range ev.truth {
		t := c.f.Nodes[c.f.Results[r]].Type
		for i, g := range got[r] {
			truth, written := ev.truth[r][i], ev.written[r][i]
			if c.tolerance.Unit == Exact {
				if math.Float64bits(g) != math.Float64bits(written) && (g == g || written == written) {
					return cert, &Violation{Inputs: ev.in.at(i), Result: r, Got: g, Want: written, Tolerance: c.tolerance}
				}
				if cert.Worst == nil {
					cert.Worst = ev.in.at(i)
				}
				continue
			}
			if truth.Hi != truth.Hi && truth.Err > 0 {
				cert.Unsettled++
				continue
			}
			violation := func(bound float64) error {
				return &Violation{Inputs: ev.in.at(i), Result: r, Got: g, Want: truth.Float64(), Bound: bound, Tolerance: c.tolerance}
			}
			if c.tolerance.Unit == Default {
				if math.IsInf(written, 0) && g == written {
					continue // an overflow on the way, as written
				}
				if written != written && truth.Hi == truth.Hi && ev.in.finite(i) {
					continue // an overflow or a rounding on the way has taken the function as written out of a domain: there is no bound
				}
			}
			w := ev.running[r][i]
			if c.envelope != nil {
				w = c.envelope[binade(ev.in[0][i])]
			}
			near := 0.0 // how far from the function as written a result may be where there is no truth
			if c.tolerance.Unit == Default {
				near = c.tolerance.bound(math.Abs(written), interp.ULP(t, interp.Value{Hi: written}), w)
			}
			if verdict := special(ev.in, i, g, written, near, truth); verdict != measured {
				if verdict == wrong {
					return cert, violation(0)
				}
				continue
			}
			ulp := interp.ULP(t, truth)
			err := distance(g, truth) // an overflow may be missed only where it is within the tolerance
			if math.IsInf(g, 0) {
				err = interp.ErrorULP(t, g, truth) * ulp
			}
			abs := math.Abs(truth.Hi)
			bound := c.tolerance.bound(abs, ulp, w)
			if math.IsInf(bound, 1) {
				continue // rounding may have taken the function as written anywhere
			}
			if truth.Err > max(bound*c.enough(), resolution(t)) {
				cert.Unsettled++
				continue
			}
			cert.MaxULP, cert.MaxAbs = math.Max(cert.MaxULP, err/ulp), math.Max(cert.MaxAbs, err)
			if abs >= minNormal(t) {
				cert.MaxRel = math.Max(cert.MaxRel, err/abs)
			}
			if f := err / bound; f > cert.Fraction || cert.Worst == nil {
				cert.Worst = ev.in.at(i)
				if err > 0 { // at a zero the bound may be 0 too
					cert.Fraction = f
				}
			}
			if !(err <= math.Max(fraction*bound, ulp/2)) {
				return cert, violation(bound)
			}
		}
	}
	return cert, nil
}

// resolution is the error that a truth may have whatever the bound: subnormal float64 values, which have no low part, are known to half the
// least number, and that is no number.
func resolution(t ir.Type) float64 {
	if t == ir.Float64 {
		return math.SmallestNonzeroFloat64
	}
	return 0
}

func minNormal(t ir.Type) float64 {
	if t == ir.Float32 {
		return 0x1p-126
	}
	return 0x1p-1022
}

type verdict uint8

const (
	measured verdict = iota // an ordinary value: its error decides
	right
	wrong
)

// special judges what no error can: NaN, infinite inputs, signs of zero.
//
//   - NaN where the function as written is NaN at finite inputs, or there is no real value, and nowhere else.
//   - At an infinite input what the written formula gives; where that is NaN, anything that is no worse: NaN or a limit.
//   - At zero inputs a zero has the sign that it has as written.
func special(in Points, i int, got, written, near float64, truth interp.Value) verdict {
	finite, zero, nan := true, len(in) > 0, false
	for j := range in {
		x := in[j][i]
		nan = nan || x != x
		finite = finite && !math.IsInf(x, 0) && x == x
		zero = zero && x == 0
	}
	isNaN := got != got
	switch {
	case written != written && (isNaN || !finite && !nan):
		return right
	case truth.Hi != truth.Hi:
		// The function as written may select its way around the point, or its rounding may have brought it into a domain.
		return verdictOf(isNaN || written == written && math.Abs(got-written) <= near)
	case isNaN:
		return wrong
	case math.IsInf(truth.Hi, 0) || !finite && math.IsInf(written, 0):
		return verdictOf(got == written || got == truth.Hi)
	case zero && got == 0 && written == 0 && math.Signbit(got) != math.Signbit(written):
		return wrong
	}
	return measured
}

func verdictOf(ok bool) verdict {
	if ok {
		return right
	}
	return wrong
}
