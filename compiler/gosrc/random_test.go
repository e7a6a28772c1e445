package gosrc

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// term is a random float32 expression: its Go text, how tightly it binds, and what it computes from the variables. A constant
// one has its exact value instead.
type term struct {
	text  string
	prec  int // as go/token: 4 for + -, 5 for * /, 6 unary, 7 operands
	exact *big.Rat
	eval  func(vars []float32) float32
}

func (a term) at(prec int) string {
	if a.prec < prec {
		return "(" + a.text + ")"
	}
	return a.text
}

// value is the computation of a, constants rounded once.
func (a term) value() func([]float32) float32 {
	if a.exact == nil {
		return a.eval
	}
	c, _ := a.exact.Float32()
	return func([]float32) float32 { return c }
}

type generator struct {
	rng  *rand.Rand
	vars int
}

func (g *generator) constant() term {
	text := fmt.Sprintf("%d.%02d", g.rng.IntN(20), g.rng.IntN(100))
	if g.rng.IntN(2) == 0 {
		text = fmt.Sprint(1 + g.rng.IntN(1<<26))
	}
	exact, _ := new(big.Rat).SetString(text)
	return term{text: text, prec: 7, exact: exact}
}

func (g *generator) term(depth int) term {
	if depth == 0 || g.rng.IntN(8) == 0 {
		if g.rng.IntN(3) == 0 {
			return g.constant()
		}
		i := g.rng.IntN(g.vars)
		return term{text: fmt.Sprintf("v%d", i), prec: 7, eval: func(vars []float32) float32 { return vars[i] }}
	}
	a := g.term(depth - 1)
	switch g.rng.IntN(12) {
	case 0:
		if a.exact != nil {
			return term{text: "-" + a.at(7), prec: 6, exact: new(big.Rat).Neg(a.exact)}
		}
		return term{text: "-" + a.at(7), prec: 6, eval: func(v []float32) float32 { return -a.eval(v) }}
	case 1:
		f := a.value()
		return term{text: "float32(" + a.text + ")", prec: 7, eval: f}
	case 2:
		if a.exact != nil {
			return a
		}
		return term{text: "float32(math.Sqrt(math.Abs(float64(" + a.text + "))))", prec: 7,
			eval: func(v []float32) float32 { return float32(math.Sqrt(math.Abs(float64(a.eval(v))))) }}
	case 3:
		if a.exact != nil {
			return a
		}
		return term{text: "float32(float64(" + a.text + ") * 0.1)", prec: 7,
			eval: func(v []float32) float32 { return float32(float64(a.eval(v)) * 0.1) }}
	case 4:
		b := g.term(depth - 1)
		f, h := a.value(), b.value()
		return term{text: "helper(" + a.text + ", " + b.text + ")", prec: 7, eval: func(v []float32) float32 { return helper(f(v), h(v)) }}
	}
	b := g.term(depth - 1)
	return g.binary(a, b)
}

func (g *generator) binary(a, b term) term {
	op := "+-*/"[g.rng.IntN(4)]
	prec := 4
	if op == '*' || op == '/' {
		prec = 5
	}
	text := fmt.Sprintf("%s %c %s", a.at(prec), op, b.at(prec+1))
	if a.exact != nil && b.exact != nil {
		if op == '/' && (b.exact.Sign() == 0 || !strings.Contains(text, ".")) { // division by zero; integers divide otherwise
			return a
		}
		r := new(big.Rat)
		switch op {
		case '+':
			r.Add(a.exact, b.exact)
		case '-':
			r.Sub(a.exact, b.exact)
		case '*':
			r.Mul(a.exact, b.exact)
		case '/':
			if a.exact.IsInt() || b.exact.IsInt() {
				return a // an integer subexpression may be of integer kind
			}
			r.Quo(a.exact, b.exact)
		}
		return term{text: text, prec: prec, exact: r}
	}
	if op == '/' && b.exact != nil && b.exact.Sign() == 0 {
		return a
	}
	f, h := a.value(), b.value()
	return term{text: text, prec: prec, eval: func(v []float32) float32 {
		x, y := f(v), h(v)
		switch op {
		case '+':
			return x + y
		case '-':
			return x - y
		case '*':
			return x * y
		}
		return x / y
	}}
}

func helper(x, y float32) float32 { return y - float32(x*x) }

// Random straight-line programs compute what Go's rules say: the oracle computes along with the text.
func TestLoadRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for program := range 300 {
		g := &generator{rng: rng, vars: 3}
		var text strings.Builder
		text.WriteString("package kernel\nimport \"math\"\nfunc helper(x, y float32) float32 { return y - float32(x*x) }\n" +
			"func f(v0, v1, v2 float32) float32 {\n")
		var steps []func(vars []float32) []float32
		for range 1 + rng.IntN(4) {
			e := g.term(1 + rng.IntN(4))
			f := e.value()
			if i := rng.IntN(g.vars); rng.IntN(3) == 0 {
				fmt.Fprintf(&text, "\tv%d -= %s\n", i, e.text)
				steps = append(steps, func(v []float32) []float32 { v[i] -= f(v); return v })
				continue
			}
			fmt.Fprintf(&text, "\tvar v%d float32 = %s\n\t_ = v%d\n", g.vars, e.text, g.vars)
			steps = append(steps, func(v []float32) []float32 { return append(v, f(v)) })
			g.vars++
		}
		result := g.term(3)
		fmt.Fprintf(&text, "\treturn %s\n}\n", result.text)
		f, err := loadText[func(x, y, z float32) float32]("f", 0, text.String())
		if err != nil {
			t.Fatalf("program %d: %v\n%s", program, err, text.String())
		}
		oracle := func(x, y, z float32) float32 {
			v := []float32{x, y, z}
			for _, s := range steps {
				v = s(v)
			}
			return result.value()(v)
		}
		if err := Compare(f, oracle, evaluator(t, f)); err != nil {
			t.Fatalf("program %d: %v\n%s\n%s", program, err, text.String(), f)
		}
	}
}
