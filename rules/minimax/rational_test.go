package minimax

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/internal/bigfloat"
)

// decay is exp(-s) for s = (1-x)/(1+x): exp(-s) on [0, ∞) carried to [-1, 1], which leaves rationals of type (n, n) what they
// are.
func decay(x *big.Float) *big.Float {
	one := num(1)
	d := num(0).Add(one, x)
	if d.Sign() == 0 {
		return num(0)
	}
	s := num(0).Sub(x, one)
	return bigfloat.Exp(s.Quo(s, d))
}

func root(x *big.Float) *big.Float { return num(0).Sqrt(x) }

// Errors published, or known in closed form.
func TestSolveRationalKnown(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    Problem
		want float64
		rel  float64
	}{
		// A. J. Carpenter, A. Ruttan, R. S. Varga, Extended numerical computations on the "1/9" conjecture in rational
		// approximation theory, 1984, table of λ(n, n).
		{"exp(-s) on the half line, (1, 1)", Problem{F: decay, A: num(-1), B: num(1), Exponents: upTo(0, 1), Denominator: upTo(1, 1)}, 6.6831042161850463e-2, 1e-6},
		{"exp(-s) on the half line, (2, 2)", Problem{F: decay, A: num(-1), B: num(1), Exponents: upTo(0, 2), Denominator: upTo(1, 2)}, 7.3586701695805292e-3, 1e-6},
		{"exp(-s) on the half line, (3, 3)", Problem{F: decay, A: num(-1), B: num(1), Exponents: upTo(0, 3), Denominator: upTo(1, 3)}, 7.9938063633568782e-4, 1e-6},
		{"exp(-s) on the half line, (5, 5)", Problem{F: decay, A: num(-1), B: num(1), Exponents: upTo(0, 5), Denominator: upTo(1, 5)}, 9.3457131530266465e-6, 1e-6},
		// I. Ninomiya, Best rational starting approximations and improved Newton iteration for the square root, 1970: a step
		// of Newton from a line is the best of type (2, 1).
		{"sqrt by a line, relative", Problem{F: root, A: num(1), B: num(4), Weight: Relative, Exponents: upTo(0, 1)}, line(4), 1e-6},
		{"sqrt by Newton's step of the line, relative", Problem{F: root, A: num(1), B: num(4), Weight: Relative, Exponents: upTo(0, 2), Denominator: upTo(1, 1)}, newton(4), 1e-6},
		// |x| on [-1, 1] by (2n, 2n): R. S. Varga, A. Ruttan, A. J. Carpenter, Numerical results on best uniform rational
		// approximation of |x| on [-1, 1], 1993.
		{"|x| as sqrt on [0, 1], (1, 1)", Problem{F: root, A: num(0), B: num(1), Exponents: upTo(0, 1), Denominator: upTo(1, 1)}, 4.3689012692e-2, 1e-6},
	} {
		tt.p.Prec = 200
		a, err := tt.p.Solve()
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := float(a.Error); math.Abs(got-tt.want) > tt.rel*math.Abs(tt.want) {
			t.Errorf("%s: error %.10g, want %.10g", tt.name, got, tt.want)
		}
	}
}

// line is the least relative error of a line for sqrt on [1, b]: with x = y², |1 - (p/y + qy)| is levelled at both ends and at
// the smallest value 2 sqrt(pq) at y = b^(1/4).
func line(b float64) float64 {
	top := (math.Pow(b, 0.25) + math.Pow(b, -0.25)) / 2 // at the ends, for 1 in the middle
	return (top - 1) / (top + 1)
}

// newton is that of a step of Newton's method from the line whose values are between 1/r and r times the root.
func newton(b float64) float64 {
	r := math.Sqrt((math.Pow(b, 0.25) + math.Pow(b, -0.25)) / 2)
	top := (r + 1/r) / 2 // where the step is highest; 1 where it is lowest
	return (top - 1) / (top + 1)
}

// Property: the error of a best rational has as many equal alternating extrema as it has coefficients, and one more.
func TestSolveRationalEquioscillates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	functions := []struct {
		name string
		f    func(*big.Float) *big.Float
	}{
		{"exp", bigfloat.Exp},
		{"log1p", func(x *big.Float) *big.Float { y, _ := bigfloat.Log1p(x); return y }},
		{"atan", bigfloat.Atan},
		{"erfc", bigfloat.Erfc},
		{"sigmoid", bigfloat.Sigmoid},
	}
	for range 12 {
		fn := functions[rng.IntN(len(functions))]
		m, n := rng.IntN(4), 1+rng.IntN(3)
		lo := rng.Float64() - 0.4
		p := Problem{F: fn.f, A: num(lo), B: num(lo + 0.2 + rng.Float64()), Exponents: upTo(0, m), Denominator: upTo(1, n), Prec: 200}
		name := fmt.Sprintf("%s of type (%d, %d) on [%v, %v]", fn.name, m, n, float(p.A), float(p.B))
		a, err := p.Solve()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(a.Terms) != m+1 || len(a.Denominator) != n+1 || float(a.Denominator[0].Coef) != 1 {
			t.Fatalf("%s: %d terms over %d", name, len(a.Terms), len(a.Denominator))
		}
		const steps = 500
		alternations, sign, high, most := 0, 0, 0.0, float(a.Error)
		for i := range steps + 1 {
			x := num(float(p.A) + (float(p.B)-float(p.A))*float64(i)/steps)
			e := float(num(0).Sub(num(0).Quo(sum(a.Terms, x), sum(a.Denominator, x)), p.F(x)))
			if high = max(high, math.Abs(e)); math.Abs(e) > most*(1-3e-3) && int(math.Copysign(1, e)) != sign {
				sign = int(math.Copysign(1, e))
				alternations++
			}
		}
		if alternations != m+n+2 || high > most*(1+1e-9) {
			t.Errorf("%s: %d alternations, want %d; error %g, scan %g", name, alternations, m+n+2, most, high)
		}
	}
}

func sum(terms []Term, x *big.Float) *big.Float {
	s := num(0)
	for _, term := range terms {
		s.Add(s, num(0).Mul(term.Coef, bigfloat.PowInt(x, int64(term.Exp))))
	}
	return s
}

// tanh by an odd numerator over an even denominator, relative, both formats, and rounded.
func TestRoundRational(t *testing.T) {
	for _, format := range []Format{Float32, Float64} {
		p := Problem{F: bigfloat.Tanh, A: num(0), B: num(1), Weight: Relative, Exponents: []int{1, 3}, Denominator: []int{2, 4}, Prec: 200}
		if format == Float64 {
			p.Exponents, p.Denominator = []int{1, 3, 5, 7}, []int{2, 4, 6, 8}
		}
		best, err := p.Solve()
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.Round(format, LowestFirst)
		if err != nil {
			t.Fatal(err)
		}
		var plain [2][]Term
		for i, terms := range [][]Term{best.Terms, best.Denominator} {
			for _, term := range terms {
				plain[i] = append(plain[i], Term{term.Exp, format.round(term.Coef)})
			}
		}
		once, err := p.Measure(plain[0], plain[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, term := range append(a.Terms, a.Denominator...) {
			if format.round(term.Coef).Cmp(term.Coef) != 0 {
				t.Errorf("format %d: coefficient %v is not of the format", format, term.Coef)
			}
		}
		if float(a.Error) < float(best.Error)*(1-1e-5) || a.Error.Cmp(once.Error) > 0 {
			t.Errorf("format %d: best %g, rounded %g, rounded at once %g", format, float(best.Error), float(a.Error), float(once.Error))
		}
		most := 0.0
		for i := 1; i <= 4000; i++ {
			x := num(float64(i) / 4000)
			y := p.F(x)
			e := num(0).Quo(sum(a.Terms, x), sum(a.Denominator, x))
			most = max(most, math.Abs(float(e.Quo(e.Sub(e, y), y))))
		}
		if most > float(a.Error)*(1+1e-9) || most < float(a.Error)*(1-1e-3) {
			t.Errorf("format %d: error %g, a scan finds %g", format, float(a.Error), most)
		}
		t.Logf("format %d: best %.4g, rounded %.4g, rounded at once %.4g", format, float(best.Error), float(a.Error), float(once.Error))
	}
}

func TestBadRationals(t *testing.T) {
	good := func() Problem {
		return Problem{F: bigfloat.Exp, A: num(0), B: num(1), Exponents: []int{0, 1}, Denominator: []int{1}, Prec: 120}
	}
	for _, tt := range []struct {
		name string
		edit func(p *Problem)
		want error
	}{
		{"no numerator", func(p *Problem) { p.Exponents = nil }, ErrProblem},
		{"fixed terms", func(p *Problem) { p.Fixed = []Term{{3, num(1)}} }, ErrProblem},
		{"unequal steps", func(p *Problem) { p.Exponents = []int{0, 1, 3} }, ErrProblem},
		{"steps that differ", func(p *Problem) { p.Denominator = []int{2} }, ErrProblem},
		{"power 0 below", func(p *Problem) { p.Denominator = []int{0, 1} }, ErrProblem},
		{"steps of 2 across 0", func(p *Problem) { p.A, p.Exponents, p.Denominator = num(-1), []int{0, 2}, []int{2} }, ErrProblem},
		// The best even approximations are even, and this type has no even ones but constants.
		{"degenerate", func(p *Problem) { p.F, p.A = power(2), num(-1) }, nil},
		{"target in the span", func(p *Problem) {
			p.F = func(x *big.Float) *big.Float { return num(0).Quo(num(1), num(0).Add(x, num(2))) }
		}, nil},
		{"a denominator without 1", func(p *Problem) {
			p.F, p.A, p.B, p.Exponents, p.Denominator = reciprocal, num(1), num(2), []int{1}, []int{2}
		}, nil},
		{"infinite target", func(p *Problem) { p.F = reciprocal }, ErrProblem},
	} {
		p := good()
		tt.edit(&p)
		for name, f := range map[string]func() (Approximation, error){
			"Solve": p.Solve,
			"Round": func() (Approximation, error) { return p.Round(Float64, LowestFirst) },
		} {
			_, err := f()
			if tt.want == nil && !errors.Is(err, ErrConverge) && !errors.Is(err, ErrPole) || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%s: %s returns %v, want %v", tt.name, name, err, tt.want)
			}
		}
	}
	p := good()
	a, err := p.Measure([]Term{{0, num(1)}}, []Term{{0, num(1)}, {1, num(-2)}})
	if err != nil || !a.Error.IsInf() {
		t.Errorf("a pole on the interval measures %v, %v", a.Error, err)
	}
}
