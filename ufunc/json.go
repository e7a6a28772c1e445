package ufunc

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/go-yolk/yolk/compiler/accuracy"
)

// JSON is the report as indented JSON, every field by its name, durations in nanoseconds. JSON has no NaN and no infinity:
// where a certificate has one (an input of the largest error may be infinite) it is the string "NaN", "+Inf" or "-Inf".
// json.Unmarshal makes the same report of it.
func (r *Report) JSON() ([]byte, error) {
	return json.MarshalIndent(r, "", "  ")
}

// reportJSON is a Report with a certificate that can always be written.
type reportJSON struct {
	*plainReport
	Certificate certificateJSON
}

type plainReport Report

// MarshalJSON writes the report as [Report.JSON] describes.
func (r *Report) MarshalJSON() ([]byte, error) {
	c := r.Certificate
	j := reportJSON{(*plainReport)(r), certificateJSON{
		c.Tolerance.Unit, number(c.Tolerance.Value), c.Points, c.Unsettled, c.Exhaustive,
		number(c.MaxULP), number(c.MaxAbs), number(c.MaxRel), number(c.Fraction), nil,
	}}
	for _, x := range c.Worst {
		j.Certificate.Worst = append(j.Certificate.Worst, number(x))
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Report) UnmarshalJSON(text []byte) error {
	j := reportJSON{plainReport: (*plainReport)(r)}
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	c := j.Certificate
	r.Certificate = accuracy.Certificate{
		Tolerance: accuracy.Tolerance{Unit: c.Unit, Value: float64(c.Value)},
		Points:    c.Points, Unsettled: c.Unsettled, Exhaustive: c.Exhaustive,
		MaxULP: float64(c.MaxULP), MaxAbs: float64(c.MaxAbs), MaxRel: float64(c.MaxRel), Fraction: float64(c.Fraction),
	}
	for _, x := range c.Worst {
		r.Certificate.Worst = append(r.Certificate.Worst, float64(x))
	}
	return nil
}

// certificateJSON has the fields of an accuracy.Certificate and of its Tolerance.
type certificateJSON struct {
	Unit                             accuracy.Unit
	Value                            number
	Points, Unsettled                int
	Exhaustive                       bool
	MaxULP, MaxAbs, MaxRel, Fraction number
	Worst                            []number
}

// number is a float64 that JSON can hold whatever its value.
type number float64

func (x number) MarshalJSON() ([]byte, error) {
	if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
		return json.Marshal(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return json.Marshal(float64(x))
}

func (x *number) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"NaN"`:
		*x = number(math.NaN())
	case `"+Inf"`:
		*x = number(math.Inf(1))
	case `"-Inf"`:
		*x = number(math.Inf(-1))
	default:
		return json.Unmarshal(text, (*float64)(x))
	}
	return nil
}
