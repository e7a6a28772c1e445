package fit

import (
	"math/big"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules/minimax"
)

// maxRational is the largest degree of a numerator; a division is worth some operations, which fewer degrees do not save.
const maxRational = 7

// division is the number of operations that a division is worth: what it takes beside others.
const division = 3

// rationalPrec is enough for a function known to 53 bits, and for degrees up to maxRational.
const rationalPrec = 128

// rational returns the quotient of polynomials of least degrees that keeps the tolerance on the whole interval, if it takes
// fewer operations than the forms there are, a division counted as some; nil if there is none.
func (p Problem) rational(forms []*Form) *Form {
	s, _, err := p.prepare()
	if err != nil {
		return nil
	}
	s.arithmetic = p.Type
	format := minimax.Float32
	if p.Type == ir.Float64 {
		format = minimax.Float64
	}
	for total := 2; total <= 2*maxRational; total++ {
		m, n := (total+1)/2, total/2
		for _, f := range forms {
			if total+division >= f.Ops {
				return nil
			}
		}
		if f := p.quotient(format, m, n); f != nil && s.keeps(f) {
			return f
		}
	}
	return nil
}

// quotient makes the best rational function of a type, its coefficients rounded; nil if the exchange finds none, which happens
// where the function's values are too noisy, or where one of a smaller type is as good.
func (p Problem) quotient(format minimax.Format, m, n int) *Form {
	lo, hi := p.round(p.Lo), p.round(p.Hi)
	centre := 0.0 // a zero at 0 stays one: it is a factor
	zero := lo <= 0 && 0 <= hi && p.F(0) == 0
	if !zero {
		centre = p.round(lo + (hi-lo)/2)
	}
	value := func(u *big.Float) float64 {
		x, _ := real(0).Add(u, real(centre)).Float64()
		return p.F(min(max(x, p.Lo), p.Hi))
	}
	q := minimax.Problem{
		F: func(u *big.Float) *big.Float { return real(value(u)) },
		A: real(0).Sub(real(lo), real(centre)), B: real(0).Sub(real(hi), real(centre)), Prec: rationalPrec,
	}
	if p.Tolerance.Unit != egraph.Abs {
		q.Weight = func(_, y *big.Float) *big.Float {
			if y.Sign() == 0 {
				return real(0).SetInf(false)
			}
			return minimax.Relative(nil, y)
		}
	}
	for i := range m + 1 {
		if i > 0 || !zero {
			q.Exponents = append(q.Exponents, i)
		}
	}
	for i := range n {
		q.Denominator = append(q.Denominator, i+1)
	}
	// Rounding makes no error less, and takes most of the time.
	if a, err := q.Solve(); err != nil || !p.hopeful(a) {
		return nil
	}
	a, err := q.RoundOnce(format, minimax.LowestFirst)
	if err != nil {
		return nil
	}
	b := ir.NewBuilder("form")
	x := b.Param("x", p.Type, ir.Between(p.Lo, p.Hi))
	number := func(c *big.Float) ir.Value { v, _ := c.Float64(); return b.Const(p.Type, v) }
	u := x
	if centre != 0 {
		u = must(b.EmitPinned(ir.Sub, p.Type, x, b.Const(p.Type, centre)))
	}
	horner := func(terms []minimax.Term) ir.Value {
		v := number(terms[len(terms)-1].Coef)
		for i := len(terms) - 2; i >= 0; i-- {
			v = must(b.EmitPinned(ir.FMA, p.Type, v, u, number(terms[i].Coef)))
		}
		return v
	}
	y := horner(a.Terms)
	if zero {
		y = must(b.EmitPinned(ir.Mul, p.Type, u, y))
	}
	b.Return(must(b.EmitPinned(ir.Div, p.Type, y, horner(a.Denominator))))
	f := b.Func()
	return &Form{Problem: p, Arithmetic: p.Type, Pieces: 1, Degree: m, Over: n, Ops: f.Arithmetic(), program: f}
}

// hopeful reports whether an error before rounding leaves room for more.
func (p Problem) hopeful(a minimax.Approximation) bool {
	e, _ := a.Error.Float64()
	if p.Tolerance.Unit == egraph.ULP {
		unit := 0x1p-23
		if p.Type == ir.Float64 {
			unit = 0x1p-52
		}
		return e <= fitted*p.Tolerance.Value*unit // an ulp is half of that at least
	}
	return e <= fitted*p.Tolerance.Value
}

// must is for operations whose operands are of one type.
func must(v ir.Value, err error) ir.Value {
	if err != nil {
		panic(err)
	}
	return v
}
