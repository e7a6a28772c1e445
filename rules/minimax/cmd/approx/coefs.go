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
	if v == 1 {
		return "1"
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
	return fitIn(p, format, minimax.LowestFirst)
}

func fitIn(p minimax.Problem, format minimax.Format, order minimax.Order) ([]string, error) {
	p.Prec = prec
	a, err := p.Round(format, order)
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
	return log1pFitOn(math.Sqrt2/2-1, math.Sqrt2-1, degree, format)
}

// unitFit is log1pFit for 0 <= r <= 1.
func unitFit(degree int, format minimax.Format) ([]string, error) {
	return log1pFitOn(0, 1, degree, format)
}

func log1pFitOn(a, b float64, degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: log1p,
		A: number(a), B: number(b), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 1, Coef: number(1)}}, Exponents: powers(2, degree),
	}, format)
}

// atanhFit returns the coefficients of z ... z^degree in 2 atanh(s)/s - 2, where
// z = s², s = r/(2+r), 1+r as in log1pFit. That is R of FreeBSD's e_log.c
// method: log(1+r) = 2s + s*R(z). An absolute error of R is a relative one of
// the logarithm, to within 1%.
func atanhFit(degree int, format minimax.Format) ([]string, error) {
	// (sqrt(2)-1)² / (sqrt(2)+1)² = 0.029437
	return atanhFitTo(0.02944, degree, format)
}

// atanhFitTo is atanhFit for z up to top.
func atanhFitTo(top float64, degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: func(z *big.Float) *big.Float {
			if z.Sign() == 0 {
				return number(0)
			}
			s := number(0).Sqrt(z)
			y, _ := bigfloat.Atanh(s)
			return y.Sub(y.Quo(y.Add(y, y), s), number(2))
		},
		A: number(0), B: number(top), Exponents: powers(1, degree),
	}, format)
}

// split returns ln 2 as high + low, high of so few bits that its product with
// an integer of kBits bits is exact, low rounded to the format.
func split(format minimax.Format, kBits uint) (high, low string) {
	return splitOf(bigfloat.Ln2(prec), format, kBits)
}

// splitOf is split for another constant.
func splitOf(x *big.Float, format minimax.Format, kBits uint) (high, low string) {
	// Toward zero: the low part is then positive, so that k times both parts is
	// an infinity of one sign for k infinite.
	return cut(x, format, mantissa(format)-kBits, big.ToZero)
}

// twoParts returns x as high + low, each rounded to the format.
func twoParts(x *big.Float, format minimax.Format) (high, low string) {
	return cut(x, format, mantissa(format), big.ToNearestEven)
}

// cut returns x as high, of so many bits, and low, rounded to the format.
func cut(x *big.Float, format minimax.Format, bits uint, mode big.RoundingMode) (high, low string) {
	h := new(big.Float).SetMode(mode).SetPrec(bits).Set(x)
	l := new(big.Float).SetPrec(mantissa(format)).Sub(x, h)
	hv, _ := h.Float64()
	lv, _ := l.Float64()
	return literal(hv, format), literal(lv, format)
}

// mantissa is the number of bits of a significand.
func mantissa(format minimax.Format) uint {
	if format == minimax.Float32 {
		return 24
	}
	return 53
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

// exp2Fit is expFit for 2^f, |f| <= 1/2.
func exp2Fit(degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: bigfloat.Exp2, A: number(-0.5), B: number(0.5), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 0, Coef: number(1)}}, Exponents: powers(1, degree),
	}, format)
}

// log2Fit returns the coefficients of r ... r^degree in log2(1+r) - r, relative
// to log2(1+r), r as in log1pFit.
func log2Fit(degree int, format minimax.Format) ([]string, error) {
	return scaledLogFit(degree, format, bigfloat.Log2e(prec), number(1))
}

// log10Fit likewise in log10(1+r) - r/2.
func log10Fit(degree int, format minimax.Format) ([]string, error) {
	return scaledLogFit(degree, format, log10e(), number(0.5))
}

// scaledLogFit returns the coefficients of r ... r^degree in scale log(1+r) -
// less r, relative to the logarithm. The lowest power is rounded last: once it
// is, the error has a simple zero at 0 that the others cannot take off.
func scaledLogFit(degree int, format minimax.Format, scale, less *big.Float) ([]string, error) {
	return fitIn(minimax.Problem{
		F: func(r *big.Float) *big.Float {
			y := log1p(r)
			return y.Sub(y.Mul(y, scale), number(0).Mul(less, r))
		},
		Weight: func(r, fr *big.Float) *big.Float {
			y := number(0).Add(fr, number(0).Mul(less, r))
			return y.Quo(number(1), y.Abs(y))
		},
		A: number(math.Sqrt2/2 - 1), B: number(math.Sqrt2 - 1), Exponents: powers(1, degree),
	}, format, minimax.HighestFirst)
}

// log1p serves r > -1, log10e is 1/ln 10, log10of2 is log10 2.
func log1p(r *big.Float) *big.Float { y, _ := bigfloat.Log1p(r); return y }

func log10e() *big.Float { y, _ := bigfloat.Log(number(10)); return y.Quo(number(1), y) }

func log10of2() *big.Float { y, _ := bigfloat.Log10(number(2)); return y }

// sinhFit returns the coefficients of z, z², ... in sinh(f)/f - 1, z = f², for
// |f| <= ln2/2, up to f^degree, relative to sinh(f).
func sinhFit(degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: bigfloat.Sinh, A: number(0), B: number(halfLn2), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 1, Coef: number(1)}}, Exponents: odd(3, degree),
	}, format)
}

// coshFit returns the coefficients of z, z², ... in cosh(f) - 1, likewise.
func coshFit(degree int, format minimax.Format) ([]string, error) {
	return fit(minimax.Problem{
		F: bigfloat.Cosh, A: number(0), B: number(halfLn2), Weight: minimax.Relative,
		Fixed: []minimax.Term{{Exp: 0, Coef: number(1)}}, Exponents: odd(2, degree),
	}, format)
}
