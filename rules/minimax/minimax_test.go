package minimax

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/go-yolk/yolk/internal/bigfloat"
)

func num(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

func float(x *big.Float) float64 { f, _ := x.Float64(); return f }

func upTo(lo, hi int) []int {
	var out []int
	for e := lo; e <= hi; e++ {
		out = append(out, e)
	}
	return out
}

func power(n int) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float { return bigfloat.PowInt(x, int64(n)) }
}

func reciprocal(x *big.Float) *big.Float { return bigfloat.PowInt(x, -1) }

// Errors known in closed form.
func TestSolveKnown(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    Problem
		want float64
	}{
		// x^n - p = 2^(1-n) T_n on [-1, 1].
		{"x^5 by degree 4", Problem{F: power(5), A: num(-1), B: num(1), Exponents: upTo(0, 4)}, math.Ldexp(1, -4)},
		{"x^8 by even powers", Problem{F: power(8), A: num(0), B: num(1), Exponents: []int{0, 2, 4, 6}}, math.Ldexp(1, -7)},
		{"x^7 by odd powers", Problem{F: power(7), A: num(0), B: num(1), Exponents: []int{1, 3, 5}}, math.Ldexp(1, -6)},
		// exp on [0, 1] by a line: slope e-1, tangent at log(e-1), half the gap.
		{"exp by a line", Problem{F: bigfloat.Exp, A: num(0), B: num(1), Exponents: []int{0, 1}},
			(1 - (math.E - 1) + (math.E-1)*math.Log(math.E-1)) / 2},
		// 1/x on [1, 2]: the relative error of a polynomial p is |1 - x p(x)|,
		// least 1/T_n(3) for degree n-1.
		{"1/x, relative", Problem{F: reciprocal, A: num(1), B: num(2), Weight: Relative, Exponents: upTo(0, 3)}, 1 / 577.0},
		// A fixed term of coefficient 0 changes nothing.
		{"x^2 by 1, x fixed 0", Problem{F: power(2), A: num(-1), B: num(1), Fixed: []Term{{1, num(0)}}, Exponents: []int{0}}, 0.5},
	} {
		tt.p.Prec = 200
		a, err := tt.p.Solve()
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := float(a.Error); math.Abs(got-tt.want) > 1e-5*math.Abs(tt.want) {
			t.Errorf("%s: error %.10g, want %.10g", tt.name, got, tt.want)
		}
	}
}

// naive finds the largest weighted error with float64 steps of 1/n.
func naive(p Problem, terms []Term, n int) float64 {
	var most float64
	for i := range n + 1 {
		x := num(float(p.A) + (float(p.B)-float(p.A))*float64(i)/float64(n))
		fx := p.F(x)
		sum := num(0)
		for _, term := range terms {
			sum.Add(sum, num(0).Mul(term.Coef, bigfloat.PowInt(x, int64(term.Exp))))
		}
		e := sum.Sub(sum, fx)
		if e.Sign() == 0 {
			continue
		}
		if p.Weight != nil {
			e.Mul(e, p.Weight(x, fx))
		}
		most = max(most, math.Abs(float(e)))
	}
	return most
}

func expm1Problem(degree int) Problem {
	return Problem{
		F: bigfloat.Expm1, A: num(-0.35), B: num(0.35), Weight: Relative,
		Fixed: []Term{{1, num(1)}}, Exponents: upTo(2, degree), Prec: 200,
	}
}

// The error must be what a plain scan finds, and no small change of the
// coefficients may lower it.
func TestSolveIsBest(t *testing.T) {
	p := expm1Problem(6)
	a, err := p.Solve()
	if err != nil {
		t.Fatal(err)
	}
	best := float(a.Error)
	if got := naive(p, a.Terms, 3000); got > best*(1+1e-9) || got < best*(1-1e-3) {
		t.Errorf("error %g, a scan finds %g", best, got)
	}
	for i := range a.Terms {
		for _, d := range []float64{-1e-3, 1e-3} {
			if a.Terms[i].Exp == 1 {
				continue // fixed
			}
			changed := append([]Term(nil), a.Terms...)
			// The change moves the relative error by d times the best one at the end.
			step := d * best * math.Pow(0.35, float64(1-a.Terms[i].Exp))
			changed[i].Coef = num(0).Add(changed[i].Coef, num(step))
			m, err := p.Measure(changed, nil)
			if err != nil {
				t.Fatal(err)
			}
			if float(m.Error) < best*(1-1e-5) {
				t.Errorf("coefficient of x^%d changed by %g: error %g below the best %g", a.Terms[i].Exp, step, float(m.Error), best)
			}
		}
	}
}

func TestRound(t *testing.T) {
	for _, order := range []Order{LowestFirst, HighestFirst} {
		for _, format := range []Format{Float32, Float64} {
			p := expm1Problem(6)
			a, err := p.Round(format, order)
			if err != nil {
				t.Fatalf("order %d, format %d: %v", order, format, err)
			}
			for _, term := range a.Terms {
				v := float(term.Coef)
				if num(v).Cmp(term.Coef) != 0 || format == Float32 && float64(float32(v)) != v {
					t.Errorf("order %d, format %d: coefficient %v is not of the format", order, format, term.Coef)
				}
			}
			if got, want := naive(p, a.Terms, 3000), float(a.Error); got > want*(1+1e-9) || got < want*(1-1e-3) {
				t.Errorf("order %d, format %d: error %g, a scan finds %g", order, format, want, got)
			}
			// Rounding everything at once is the naive twin.
			best, err := p.Solve()
			if err != nil {
				t.Fatal(err)
			}
			var plain []Term
			for _, term := range best.Terms {
				plain = append(plain, Term{term.Exp, format.round(term.Coef)})
			}
			m, err := p.Measure(plain, nil)
			if err != nil {
				t.Fatal(err)
			}
			if a.Error.Cmp(best.Error) < 0 && float(a.Error) < float(best.Error)*(1-1e-5) {
				t.Errorf("order %d, format %d: rounded error %g below the best %g", order, format, float(a.Error), float(best.Error))
			}
			if float(a.Error) > float(m.Error)*(1+1e-5) {
				t.Errorf("order %d, format %d: error %g, rounding at once has %g", order, format, float(a.Error), float(m.Error))
			}
			t.Logf("order %d, format %d: best %.4g, rounded %.4g, rounded at once %.4g", order, format, float(best.Error), float(a.Error), float(m.Error))
		}
	}
}

func TestDeterministic(t *testing.T) {
	p := expm1Problem(5)
	a, err := p.Round(Float32, LowestFirst)
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.Round(Float32, LowestFirst)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Terms {
		if a.Terms[i].Coef.Cmp(b.Terms[i].Coef) != 0 {
			t.Errorf("x^%d: %v and %v", a.Terms[i].Exp, a.Terms[i].Coef, b.Terms[i].Coef)
		}
	}
}

func TestBadProblems(t *testing.T) {
	good := func() Problem {
		return Problem{F: bigfloat.Exp, A: num(0), B: num(1), Exponents: []int{0, 1}, Prec: 100}
	}
	for _, tt := range []struct {
		name string
		edit func(p *Problem)
		want error
	}{
		{"no function", func(p *Problem) { p.F = nil }, ErrProblem},
		{"no precision", func(p *Problem) { p.Prec = 0 }, ErrProblem},
		{"no interval", func(p *Problem) { p.A = nil }, ErrProblem},
		{"empty interval", func(p *Problem) { p.A = num(1) }, ErrProblem},
		{"infinite interval", func(p *Problem) { p.B = num(math.Inf(1)) }, ErrProblem},
		{"exponent twice", func(p *Problem) { p.Exponents = []int{1, 1} }, ErrProblem},
		{"negative exponent", func(p *Problem) { p.Exponents = []int{-1, 1} }, ErrProblem},
		{"fixed and wanted", func(p *Problem) { p.Fixed = []Term{{1, num(1)}} }, ErrProblem},
		{"fixed without value", func(p *Problem) { p.Fixed = []Term{{2, nil}} }, ErrProblem},
		{"target without value", func(p *Problem) {
			p.A = num(-1)
			p.F = func(x *big.Float) *big.Float { y, _ := bigfloat.Log(x); return y }
		}, ErrProblem},
		{"infinite target", func(p *Problem) { p.F = reciprocal }, ErrProblem},
		{"infinite weight", func(p *Problem) { p.F, p.Weight = bigfloat.Expm1, Relative }, ErrConverge},
		{"target in the span", func(p *Problem) { p.F = power(1) }, ErrConverge},
	} {
		p := good()
		tt.edit(&p)
		for name, f := range map[string]func() (Approximation, error){
			"Solve": p.Solve,
			"Round": func() (Approximation, error) { return p.Round(Float64, LowestFirst) },
		} {
			if _, err := f(); !errors.Is(err, tt.want) {
				t.Errorf("%s: %s returns %v, want %v", tt.name, name, err, tt.want)
			}
		}
	}
}
