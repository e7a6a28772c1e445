package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// This file evaluates the text of a form as plain Go arithmetic, one rounding
// per operation, a block of arguments at a time.

const blockLen = 512

// A form is a parsed line of the generator's output.
type form struct {
	name, fn, typ, domain, bound string
	bindings                     []binding
}

type binding struct {
	name string
	expr ast.Expr
}

var formLine = regexp.MustCompile(`^([\w-]+): (\w+)\(x\) ~> (.*) with (.*) for (float32|float64) on (all|x <= 0) within ([\d.]+) ulp$`)

func parseForm(t *testing.T, line string) form {
	t.Helper()
	m := formLine.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("no form: %s", line)
	}
	f := form{name: m[1], fn: m[2], typ: m[5], domain: m[6], bound: m[7]}
	for _, b := range append(strings.Split(m[4], "; "), "result = "+m[3]) {
		name, text, ok := strings.Cut(b, " = ")
		// select is a keyword of Go.
		expr, err := parser.ParseExpr(strings.ReplaceAll(text, "select(", "choose("))
		if !ok || err != nil {
			t.Fatalf("%s: binding %q: %v", f.name, b, err)
		}
		f.bindings = append(f.bindings, binding{name, expr})
	}
	return f
}

// covers reports whether x is in the domain of the form; NaN always is.
func (f form) covers(x float64) bool { return f.domain == all || !(x > 0) }

type real interface{ float32 | float64 }

// machine holds the operations of one type that Go has no operator for.
type machine[T real] struct {
	fma   func(a, b, c T) T
	ldexp func(x T, k int) T
}

var machine32 = machine[float32]{fma32, ldexp32}
var machine64 = machine[float64]{math.FMA, math.Ldexp}

// unfused is m with fma as a product and a sum, each rounded.
func (m machine[T]) unfused() machine[T] {
	m.fma = func(a, b, c T) T {
		p := a * b
		return T(p) + c
	}
	return m
}

// fma32 rounds a*b + c once. The product is exact in float64; the sum is
// rounded to odd there, which makes the second rounding harmless.
func fma32(a, b, c float32) float32 {
	p, q := float64(a)*float64(b), float64(c)
	s := p + q
	// Two-sum: the error of s, exact.
	v := s - p
	e := (p - (s - v)) + (q - v)
	if bits := math.Float64bits(s); e != 0 && bits&1 == 0 && !math.IsNaN(e) && !math.IsInf(s, 0) {
		// Toward the side where the exact sum lies; the neighbour is odd.
		if (e > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}

func ldexp32(x float32, k int) float32 {
	// The float64 product is exact or far below half the smallest float32.
	k = max(-1000, min(k, 1000))
	return float32(float64(x) * math.Float64frombits(uint64(k+1023)<<52))
}

// program is straight-line code over registers that hold a block each.
type program[T real] struct {
	code  []func(regs [][]T, n int)
	names map[string]int
	regs  int
	init  []T // constants, by register; register 0 is x
	m     machine[T]
	ops   int
	fault string // the first violation of an operation's precondition
}

func compile[T real](t *testing.T, f form, m machine[T]) *program[T] {
	t.Helper()
	p := &program[T]{names: map[string]int{"x": 0}, regs: 1, init: []T{0}, m: m}
	p.names["nan"] = p.constant(T(math.NaN()))
	p.names["inf"] = p.constant(T(math.Inf(1)))
	for _, b := range f.bindings {
		r, err := p.expr(b.expr)
		if err != nil {
			t.Fatalf("%s, binding %s: %v", f.name, b.name, err)
		}
		p.names[b.name] = r
	}
	return p
}

func (p *program[T]) constant(v T) int {
	p.init = append(p.init, v)
	p.regs++
	return p.regs - 1
}

func (p *program[T]) emit(op func(regs [][]T, out []T)) int {
	p.init = append(p.init, 0)
	out := p.regs
	p.regs++
	p.ops++
	p.code = append(p.code, func(regs [][]T, n int) { op(regs, regs[out][:n]) })
	return out
}

func (p *program[T]) literal(e ast.Expr) (float64, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		v, _ := constant.Float64Val(constant.ToFloat(constant.MakeFromLiteral(e.Value, e.Kind, 0)))
		return v, true
	case *ast.UnaryExpr:
		v, ok := p.literal(e.X)
		return -v, ok && e.Op == token.SUB
	}
	return 0, false
}

func (p *program[T]) expr(e ast.Expr) (int, error) {
	if v, ok := p.literal(e); ok {
		if float64(T(v)) != v {
			return 0, fmt.Errorf("constant %v is no number of the type", v)
		}
		return p.constant(T(v)), nil
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.expr(e.X)
	case *ast.Ident:
		r, ok := p.names[e.Name]
		if !ok {
			return 0, fmt.Errorf("unknown name %s", e.Name)
		}
		return r, nil
	case *ast.UnaryExpr:
		a, err := p.expr(e.X)
		if err != nil {
			return 0, err
		}
		return p.emit(func(regs [][]T, out []T) {
			for i := range out {
				out[i] = -regs[a][i]
			}
		}), nil
	case *ast.BinaryExpr:
		return p.binary(e)
	case *ast.CallExpr:
		return p.call(e)
	}
	return 0, fmt.Errorf("unknown expression %T", e)
}

func (p *program[T]) binary(e *ast.BinaryExpr) (int, error) {
	a, err := p.expr(e.X)
	if err != nil {
		return 0, err
	}
	b, err := p.expr(e.Y)
	if err != nil {
		return 0, err
	}
	var op func(x, y, out []T)
	switch e.Op {
	case token.ADD:
		op = func(x, y, out []T) {
			for i := range out {
				out[i] = x[i] + y[i]
			}
		}
	case token.SUB:
		op = func(x, y, out []T) {
			for i := range out {
				out[i] = x[i] - y[i]
			}
		}
	case token.MUL:
		op = func(x, y, out []T) {
			for i := range out {
				out[i] = x[i] * y[i]
			}
		}
	case token.QUO:
		op = func(x, y, out []T) {
			for i := range out {
				out[i] = x[i] / y[i]
			}
		}
	default:
		return 0, fmt.Errorf("unknown operator %s", e.Op)
	}
	return p.emit(func(regs [][]T, out []T) { op(regs[a], regs[b], out) }), nil
}

func (p *program[T]) call(e *ast.CallExpr) (int, error) {
	name := e.Fun.(*ast.Ident).Name
	if name == "choose" {
		return p.choose(e.Args)
	}
	args := make([]int, len(e.Args))
	for i, a := range e.Args {
		r, err := p.expr(a)
		if err != nil {
			return 0, err
		}
		args[i] = r
	}
	one := func(f func(x T) T) int {
		a := args[0]
		return p.emit(func(regs [][]T, out []T) {
			for i, x := range regs[a][:len(out)] {
				out[i] = f(x)
			}
		})
	}
	switch name {
	case "fma":
		a, b, c, fma := args[0], args[1], args[2], p.m.fma
		return p.emit(func(regs [][]T, out []T) {
			x, y, z := regs[a], regs[b], regs[c]
			for i := range out {
				out[i] = fma(x[i], y[i], z[i])
			}
		}), nil
	case "ldexp":
		a, b := args[0], args[1]
		return p.emit(func(regs [][]T, out []T) {
			for i := range out {
				k := regs[b][i]
				if k != T(int32(k)) {
					p.fault = fmt.Sprintf("ldexp(%v, %v)", regs[a][i], k)
				}
				out[i] = p.m.ldexp(regs[a][i], int(k))
			}
		}), nil
	case "copysign":
		a, b := args[0], args[1]
		return p.emit(func(regs [][]T, out []T) {
			for i := range out {
				out[i] = T(math.Copysign(float64(regs[a][i]), float64(regs[b][i])))
			}
		}), nil
	case "rint":
		return one(func(x T) T { return T(math.RoundToEven(float64(x))) }), nil
	case "abs":
		return one(func(x T) T { return T(math.Abs(float64(x))) }), nil
	case "logb":
		return one(func(x T) T { return T(math.Logb(float64(x))) }), nil
	case "mant":
		return one(func(x T) T {
			m, _ := math.Frexp(math.Abs(float64(x)))
			switch {
			case m == 0, math.IsInf(m, 0):
				return 1
			}
			return T(2 * m)
		}), nil
	}
	return 0, fmt.Errorf("unknown function %s", name)
}

func (p *program[T]) choose(args []ast.Expr) (int, error) {
	cond, ok := args[0].(*ast.BinaryExpr)
	if !ok {
		return 0, fmt.Errorf("condition %T", args[0])
	}
	var r [4]int
	for i, e := range []ast.Expr{cond.X, cond.Y, args[1], args[2]} {
		v, err := p.expr(e)
		if err != nil {
			return 0, err
		}
		r[i] = v
	}
	switch cond.Op {
	case token.GTR:
		r[0], r[1] = r[1], r[0]
	case token.LSS:
	default:
		return 0, fmt.Errorf("unknown comparison %s", cond.Op)
	}
	p.ops++ // the comparison
	return p.emit(func(regs [][]T, out []T) {
		x, y, a, b := regs[r[0]], regs[r[1]], regs[r[2]], regs[r[3]]
		for i := range out {
			if x[i] < y[i] {
				out[i] = a[i]
			} else {
				out[i] = b[i]
			}
		}
	}), nil
}

// runner returns a function that evaluates the program at up to blockLen
// arguments; its result is valid until the next call.
func (p *program[T]) runner() func(x []T) []T {
	regs := make([][]T, p.regs)
	for i := range regs {
		regs[i] = make([]T, blockLen)
		for j := range regs[i] {
			regs[i][j] = p.init[i]
		}
	}
	result := p.names["result"]
	return func(x []T) []T {
		copy(regs[0], x)
		for _, op := range p.code {
			op(regs, len(x))
		}
		return regs[result][:len(x)]
	}
}

// TestFMA32 compares with exact arithmetic; half the cases lie so close to the
// midpoint of two float32 numbers that float64 cannot tell.
func TestFMA32(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	random := func(exps int) float32 {
		return float32(math.Ldexp(float64(r.IntN(1<<24)-1<<23), r.IntN(exps)-exps/2))
	}
	twice := 0
	for i := range 200000 {
		a, b, c := random(120), random(120), random(200)
		if i%2 == 0 {
			// a*b is half an ulp of c and a tiny bit.
			a = float32(1 + math.Ldexp(float64(r.IntN(3)-1), -23))
			b = float32(math.Ldexp(1+math.Ldexp(float64(r.IntN(3)-1), -23), -24))
			c = float32(1 + math.Ldexp(float64(r.IntN(4)), -23))
			b *= float32(math.Ldexp(1, -r.IntN(4)))
		}
		x := func(v float32) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(float64(v)) }
		p := x(a)
		p.Mul(p, x(b))
		want, _ := p.Add(p, x(c)).Float32()
		if got := fma32(a, b, c); got != want {
			t.Fatalf("fma32(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
		if float32(math.FMA(float64(a), float64(b), float64(c))) != want {
			twice++
		}
	}
	if twice == 0 {
		t.Error("no case where rounding twice goes wrong")
	}
	inf := float32(math.Inf(1))
	for _, tt := range []struct{ a, b, c, want float32 }{
		{inf, 0, 1, float32(math.NaN())},
		{inf, 1, -inf, float32(math.NaN())},
		{-0x1p100, 0x1p100, 1, -inf},
		{2, 3, inf, inf},
		{-0x1p-149, 0, 0, 0},
	} {
		if got := fma32(tt.a, tt.b, tt.c); !same(float64(got), float64(tt.want)) {
			t.Errorf("fma32(%v, %v, %v) = %v, want %v", tt.a, tt.b, tt.c, got, tt.want)
		}
	}
}
