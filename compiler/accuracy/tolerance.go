package accuracy

import (
	"fmt"
	"math"
)

// Unit says how a tolerance is counted.
type Unit uint8

// The units. Default is the promise that a kernel makes when nothing else is asked for.
const (
	Default Unit = iota // 4 ulp, or 4 times the error of the function as written, whichever is larger
	ULP                 // spacings of the type at the true value
	Abs                 // absolute
	Rel                 // relative to the true value
	Correct             // correctly rounded: half an ulp, nothing more
	Exact               // the bits of the function as written
)

// Tolerance is the largest error allowed. Every tolerance reads "or half an ulp, whichever is larger".
type Tolerance struct {
	Unit  Unit
	Value float64
}

// defaultULP and defaultFactor are the default promise: within 4 ulp, or 4 times the error as written. Four, because
// re-association alone moves the worst case of a polynomial by up to 3.
const (
	defaultULP    = 4
	defaultFactor = 4
)

// String writes the tolerance as the option that asks for it.
func (t Tolerance) String() string {
	switch t.Unit {
	case ULP:
		return fmt.Sprintf("within %g ulp", t.Value)
	case Abs:
		return fmt.Sprintf("within %g absolute", t.Value)
	case Rel:
		return fmt.Sprintf("within %g relative", t.Value)
	case Correct:
		return "correctly rounded"
	case Exact:
		return "the bits of the function as written"
	}
	return fmt.Sprintf("within %d ulp or %d times the error as written", defaultULP, defaultFactor)
}

// Validate refuses a tolerance that no program or every program would keep.
func (t Tolerance) Validate() error {
	if (t.Unit == ULP || t.Unit == Abs || t.Unit == Rel) && !(t.Value > 0 && t.Value <= math.MaxFloat64) {
		return fmt.Errorf("accuracy: a tolerance must be positive and finite, not %g", t.Value)
	}
	return nil
}

// bound is the largest error allowed at a point: truth |t| with the given ulp, where the function as written is off by at
// most written.
func (t Tolerance) bound(abs, ulp, written float64) float64 {
	var b float64
	switch t.Unit {
	case ULP:
		b = t.Value * ulp
	case Abs:
		b = t.Value
	case Rel:
		b = t.Value * abs
	case Correct:
	default:
		b = max(defaultULP*ulp, defaultFactor*written)
	}
	return max(b, ulp/2)
}
