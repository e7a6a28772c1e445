package ir

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// table reads a line that holds a table.
func (p *parser) table(f *Func) error {
	if w := p.word(); w != fmt.Sprintf("t%d", len(f.Tables)) {
		return p.fault("want t%d, not %q", len(f.Tables), w)
	}
	for _, want := range []string{"=", "table"} {
		if err := p.expect(want); err != nil {
			return err
		}
	}
	shift, err := strconv.ParseUint(p.word(), 10, 8)
	if err != nil {
		return p.fault("want the lowest bit of the entry's number")
	}
	t := &Table{Shift: uint8(shift)}
	for p.next < len(p.field) {
		bits, err := p.constant(Float64)
		if err != nil {
			return err
		}
		t.Entries = append(t.Entries, BitsFloat(Float64, bits))
	}
	if err := t.Check(Float64); err != nil {
		return p.fault("%v", err)
	}
	if n := len(f.Tables); f.Tabulate(t) != uint64(n) {
		return p.fault("the table is there already")
	}
	return nil
}

// tableIndex reads the name of a table.
func (p *parser) tableIndex(f *Func) (uint64, error) {
	w := p.word()
	i, err := strconv.ParseUint(strings.TrimPrefix(w, "t"), 10, 32)
	if err != nil || !strings.HasPrefix(w, "t") || i >= uint64(len(f.Tables)) {
		return 0, p.fault("want a table that is defined, not %q", w)
	}
	return i, nil
}

func (p *parser) constant(t Type) (uint64, error) {
	w := p.word()
	if !t.IsFloat() {
		bits, err := discreteBits(t, w)
		if err != nil {
			return 0, p.fault("%q is not a constant of type %v", w, t)
		}
		return bits, nil
	}
	if digits, ok := strings.CutPrefix(w, "nan("); ok {
		bits, err := strconv.ParseUint(strings.TrimSuffix(digits, ")"), 0, 8*t.Size())
		if x := BitsFloat(t, bits); err != nil || x == x {
			return 0, p.fault("%q is not a NaN of type %v", w, t)
		}
		return bits, nil
	}
	size := 64
	if t == Float32 {
		size = 32
	}
	x, err := strconv.ParseFloat(w, size)
	if err != nil || x != x {
		return 0, p.fault("%q is not a constant of type %v", w, t)
	}
	if math.IsInf(x, 0) && w != "inf" && w != "-inf" {
		return 0, p.fault("infinity is written inf or -inf, not %q", w)
	}
	return ConstBits(t, x), nil
}

// discreteBits reads an integer or a bool.
func discreteBits(t Type, w string) (uint64, error) {
	switch {
	case t == Bool && (w == "true" || w == "false"):
		return ConstBits(t, float64(len("false")-len(w))), nil
	case t.IsSigned():
		x, err := strconv.ParseInt(w, 10, 8*t.Size())
		return IntBits(t, x), err
	case t.IsInteger():
		return strconv.ParseUint(w, 10, 8*t.Size())
	}
	return 0, strconv.ErrSyntax
}

func (p *parser) real(f *Func) (uint64, error) {
	w := p.word()
	x, _, err := big.ParseFloat(w, 0, RealPrec, big.ToNearestEven)
	if err != nil || x.IsInf() || x.Sign() == 0 {
		return 0, p.fault("%q is not an exact constant", w)
	}
	f.Reals = append(f.Reals, x)
	return uint64(len(f.Reals) - 1), nil
}
