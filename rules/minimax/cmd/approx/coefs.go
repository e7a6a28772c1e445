package main

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

// prec is the working precision in bits: float64 coefficients of relative error
// 2^-60, and as much again for cancellation.
const prec = 192

// literal prints v as a hexadecimal constant of its type.
func literal(v float64, format minimax.Format) string {
	bits := 64
	if format == minimax.Float32 {
		bits = 32
	}
	s := strconv.FormatFloat(v, 'x', -1, bits)
	mant, exp, _ := strings.Cut(s, "p")
	n, _ := strconv.Atoi(exp)
	return mant + "p" + strconv.Itoa(n)
}

// horner prints the polynomial in v with the given coefficients, lowest first,
// as nested fma.
func horner(v string, coefs []string) string {
	s := coefs[len(coefs)-1]
	for i := len(coefs) - 2; i >= 0; i-- {
		s = "fma(" + v + ", " + s + ", " + coefs[i] + ")"
	}
	return s
}

// powers returns lo, lo+1, ..., hi.
func powers(lo, hi int) []int {
	var out []int
	for e := lo; e <= hi; e++ {
		out = append(out, e)
	}
	return out
}

// fit rounds the best polynomial for the problem and returns the literals of
// the powers that were free.
func fit(p minimax.Problem, format minimax.Format) ([]string, error) {
	p.Prec = prec
	a, err := p.Round(format, minimax.LowestFirst)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range a.Terms[len(p.Fixed):] {
		v, _ := t.Coef.Float64()
		out = append(out, literal(v, format))
	}
	return out, nil
}

func number(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// halfLn2 is the bound of the reduced argument of exp: ln2/2 and what rounding
// x*log2(e) before rint adds, at most 2^-17 for float32.
const halfLn2 = 0.34659

// expm1Fit returns the coefficients of f^2 ... f^degree in expm1(f), relative
// error, for |f| <= ln2/2.
func expm1Fit(degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: bigfloat.Expm1, A: number(-halfLn2), B: number(halfLn2), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 1, Coef: number(1)}}, Exponents: powers(2, degree),
	}, format)
}

// expFit returns the coefficients of f ... f^degree in exp(f), likewise. That of
// f is not held at 1, which would cost accuracy and save no operation.
func expFit(degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: bigfloat.Exp, A: number(-halfLn2), B: number(halfLn2), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 0, Coef: number(1)}}, Exponents: powers(1, degree),
	}, format)
}

// log1pFit returns the coefficients of r^2 ... r^degree in log(1+r), relative
// error, for sqrt(1/2) <= 1+r <= sqrt(2).
func log1pFit(degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: func(r *big.Float) *big.Float {
			y, _ := bigfloat.Log(number(1).Add(number(1), r))
			return y
		},
		A: number(math.Sqrt2/2 - 1), B: number(math.Sqrt2 - 1), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 1, Coef: number(1)}}, Exponents: powers(2, degree),
	}, format)
}

// atanhFit returns the coefficients of z ... z^degree in 2 atanh(s)/s - 2, where
// z = s², s = r/(2+r), 1+r as in log1pFit. That is R of FreeBSD's e_log.c
// method: log(1+r) = 2s + s*R(z). An absolute error of R is a relative one of
// the logarithm, to within 1%.
func atanhFit(degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: func(z *big.Float) *big.Float {
			if z.Sign() == 0 {
				return number(0)
			}
			s := number(0).Sqrt(z)
			q := number(1).Add(number(1), s)
			q.Quo(q, number(1).Sub(number(1), s))
			y, _ := bigfloat.Log(q)
			return y.Sub(y.Quo(y, s), number(2))
		},
		// (sqrt(2)-1)² / (sqrt(2)+1)² = 0.029437
		A: number(0), B: number(0.02944), Exponents: powers(1, degree),
	}, format)
}

// split returns ln 2 as high + low, high of so few bits that its product with
// an integer of kBits bits is exact, low rounded to the format.
func split(format minimax.Format, kBits uint) (high, low string) {
	bits := uint(53)
	if format == minimax.Float32 {
		bits = 24
	}
	ln2 := bigfloat.Ln2(prec)
	// Toward zero: the low part is then positive, so that k times both parts is
	// an infinity of one sign for k infinite.
	h := new(big.Float).SetMode(big.ToZero).SetPrec(bits - kBits).Set(ln2)
	l := new(big.Float).SetPrec(bits).Sub(ln2, h)
	hv, _ := h.Float64()
	lv, _ := l.Float64()
	return literal(hv, format), literal(lv, format)
}

// rounded prints a constant rounded to the format.
func rounded(x *big.Float, format minimax.Format) string {
	if format == minimax.Float32 {
		v, _ := x.Float32()
		return literal(float64(v), format)
	}
	v, _ := x.Float64()
	return literal(v, format)
}
