package accuracy

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrUnknown is wrapped where too little is known of a function to judge a candidate.
var ErrUnknown = errors.New("accuracy: too little is known of the function")

// The sample of Whole; how often the bodies of loops may run for a block of it, beyond which a point says nothing; and how many points
// must say something.
const (
	wholePoints = 1 << 12
	wholeRounds = 1 << 12
	wholeJudged = wholePoints / 16
)

// Whole says what is wrong with g in the place of f, which may have loops, integers and bools, by running both on a sample. What is no
// float must have the bits of f; a float must be inside the tolerance for any real value that the running error bound of f as written
// leaves possible: its distance from f and that bound together. The error is a *Violation, or wraps ErrUnknown.
func Whole(f, g *ir.Func, tolerance Tolerance) error {
	p, err := interp.Compile(withError(f))
	if err != nil {
		return err
	}
	q, err := interp.Compile(g)
	if err != nil {
		return err
	}
	in := wholeSample(f.Params)
	written, got := resultColumns(f), resultColumns(g)
	var bounds []interp.Column
	for range f.Results {
		bounds = append(bounds, interp.MakeColumn(ir.Float64, wholePoints))
	}
	endless, err := p.RunUpTo(wholeRounds, wholePoints, in, slices.Concat(written, bounds))
	if err != nil && !errors.Is(err, interp.ErrDivide) { // where a quotient has no value only it is undefined
		return err
	}
	longer, err := q.RunUpTo(wholeRounds, wholePoints, in, got)
	if err != nil && !errors.Is(err, interp.ErrDivide) {
		return err
	}
	const ended, out, late = 0, 1, 2
	state := make([]uint8, wholePoints)
	for _, i := range longer {
		state[i] = late
	}
	for _, i := range endless {
		state[i] = out
	}
	w := whole{f: f, in: in, tolerance: tolerance}
	for i, s := range state {
		if s == out {
			continue
		}
		for r := range f.Results {
			if s == late {
				return w.violation(i, r, math.NaN(), w.number(r, written[r].Bits(i)), 0)
			}
			if err := w.judge(i, r, got[r].Bits(i), written[r].Bits(i), bounds[r].F64[i]); err != nil {
				return err
			}
		}
	}
	if w.judged < wholeJudged {
		return fmt.Errorf("%w: %d of %d points say something", ErrUnknown, w.judged, wholePoints)
	}
	return nil
}

// whole judges results.
type whole struct {
	f         *ir.Func
	in        []interp.Column
	tolerance Tolerance
	judged    int
}

func (w *whole) typ(r int) ir.Type { return w.f.Nodes[w.f.Results[r]].Type }

// number is a result as a float64.
func (w *whole) number(r int, bits uint64) float64 {
	if t := w.typ(r); t.Stored() {
		return float64(ir.Unstore(t, uint16(bits)))
	}
	return ir.BitsFloat(w.typ(r), bits)
}

func (w *whole) violation(i, r int, got, want, bound float64) error {
	v := &Violation{Result: r, Got: got, Want: want, Bound: bound, Tolerance: w.tolerance}
	for j, p := range w.f.Params {
		v.Inputs = append(v.Inputs, input(p.Type, w.in[j].Bits(i)))
	}
	return v
}

func input(t ir.Type, bits uint64) float64 {
	if t.Stored() {
		return float64(ir.Unstore(t, uint16(bits)))
	}
	return ir.BitsFloat(t, bits)
}

// judge compares result r at point i with the one as written, whose error is at most e.
func (w *whole) judge(i, r int, gotBits, writtenBits uint64, e float64) error {
	t := w.typ(r)
	got, written := w.number(r, gotBits), w.number(r, writtenBits)
	switch {
	case gotBits == writtenBits || got != got && written != written:
		if e < math.Inf(1) {
			w.judged++
		}
		return nil
	case !t.IsFloat() && !t.Stored():
		return w.violation(i, r, got, written, 0)
	}
	finite, zero := true, true
	for j, p := range w.f.Params {
		x := input(p.Type, w.in[j].Bits(i))
		finite = finite && x-x == 0
		zero = zero && x == 0
	}
	switch {
	case written != written && !finite:
		return nil // a limit
	case got != got || written != written || !finite && math.IsInf(written, 0), zero && got == 0 && written == 0:
		return w.violation(i, r, got, written, 0)
	case e == math.Inf(1):
		return nil
	}
	step := 0.0
	if t.Stored() { // may be rounded to either side
		step = math.Abs(float64(ir.Unstore(t, uint16(writtenBits)^1)) - written)
		t = ir.Float32
	}
	bound := w.tolerance.bound(math.Abs(written), interp.ULP(t, interp.Value{Hi: written}), e)
	if d := math.Abs(got - written); !(d <= acceptFraction*bound-e+step) {
		return w.violation(i, r, got, written, bound)
	}
	w.judged++
	return nil
}

func resultColumns(f *ir.Func) []interp.Column {
	var columns []interp.Column
	for _, r := range f.Results {
		columns = append(columns, interp.MakeColumn(f.Nodes[r].Type, wholePoints))
	}
	return columns
}

// wholeSample draws parameters of all types: floats as Sample does, and integers that are small as a rule, since they count rounds and
// elements.
func wholeSample(params []ir.Parameter) []interp.Column {
	rng := rand.New(rand.NewPCG(seed, uint64(len(params))))
	var floats []ir.Parameter
	for _, p := range params {
		if p.Type.Stored() {
			p.Type = ir.Float32
		}
		if p.Type.IsFloat() {
			floats = append(floats, p)
		}
	}
	points := Sample(floats, wholePoints)
	var columns []interp.Column
	for _, p := range params {
		column := interp.MakeColumn(p.Type, wholePoints)
		draw := func() uint64 { return rng.Uint64N(2) } // a bool
		switch {
		case p.Type.IsInteger():
			lo, hi := p.Type.Range()
			lo, hi = max(lo, p.Fact.Lo), min(hi, p.Fact.Hi)
			draw = func() uint64 {
				size := [...]float64{4, 32, 1 << 10, math.Inf(1)}[rng.IntN(4)]
				from, to := max(lo, min(hi, 0)-size), min(hi, max(lo, 0)+size)
				return ir.ConstBits(p.Type, math.Floor(from+(to-from)*rng.Float64()))
			}
		case p.Type.IsFloat() || p.Type.Stored():
			rest := points[0][points.Len()-wholePoints:] // without the specials, of which there may be more
			points = points[1:]
			draw = func() uint64 {
				x := rest[0]
				rest = rest[1:]
				if p.Type.Stored() {
					return uint64(ir.Store(p.Type, float32(x)))
				}
				return ir.ConstBits(p.Type, x)
			}
		}
		for i := range wholePoints {
			column.Set(i, draw())
		}
		columns = append(columns, column)
	}
	return columns
}
