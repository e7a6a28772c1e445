package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// This file reads finished rules and evaluates them: one or two arguments,
// both types in one body, functions left in it correctly rounded in float32 and
// those of package math in float64.

// blockLen is how many arguments are evaluated at a time.
const blockLen = 512

type binding struct {
	name string
	expr ast.Expr
}

// A law is a parsed rule.
type law struct {
	name, fn string
	params   []string
	typ      string
	domain   func(x float64) bool
	bound    float64
	absolute bool
	bindings []binding
}

var (
	lawText   = regexp.MustCompile(`^([\w-]+): (\w+)\(([\w, ]+)\) ~> (.*?)(?: with (.*))? for (float32|float64) (everywhere|on .+) within (\S+) (ulp|abs) ! afn$`)
	spaces    = regexp.MustCompile(`\s+`)
	domainCut = "on abs(x) <= "
)

// parseDomain returns the domain as a predicate that lets NaN through.
func parseDomain(t *testing.T, text string) func(x float64) bool {
	t.Helper()
	switch text {
	case everywhere:
		return func(float64) bool { return true }
	case "on " + negative:
		return func(x float64) bool { return !(x > 0) }
	case "on " + unit:
		return func(x float64) bool { return !(x < 0 || x > 1) }
	}
	s, ok := strings.CutPrefix(text, domainCut)
	limit, err := strconv.ParseFloat(s, 64)
	if !ok || err != nil {
		t.Fatalf("no domain: %s", text)
	}
	return func(x float64) bool { return math.Abs(x) <= limit || x != x }
}

// parseLaws reads the text of a rule file without comments.
func parseLaws(t *testing.T, text string) []law {
	t.Helper()
	var out []law
	for _, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if block == "" {
			continue
		}
		block = spaces.ReplaceAllString(block, " ")
		m := lawText.FindStringSubmatch(block)
		if m == nil {
			t.Fatalf("no rule: %s", block)
		}
		l := law{name: m[1], fn: m[2], params: strings.Split(m[3], ", "), typ: m[6], absolute: m[9] == "abs"}
		l.domain = parseDomain(t, m[7])
		var err error
		if l.bound, err = strconv.ParseFloat(m[8], 64); err != nil {
			t.Fatal(err)
		}
		with := []string{"result = " + m[4]}
		if m[5] != "" {
			with = append(strings.Split(m[5], "; "), with...)
		}
		for _, b := range with {
			name, src, ok := strings.Cut(b, " = ")
			expr, err := parser.ParseExpr(strings.ReplaceAll(src, "select(", "choose("))
			if !ok || err != nil {
				t.Fatalf("%s: binding %q: %v", l.name, b, err)
			}
			l.bindings = append(l.bindings, binding{name, expr})
		}
		out = append(out, l)
	}
	return out
}

// A value is a register with its type; a literal has none until it meets one.
type value struct {
	reg int
	typ string
}

// typed is straight-line code over blocks of float64 that hold numbers of
// either type.
type typed struct {
	names map[string]value
	init  []float64
	code  []func(regs [][]float64, n int)
	ops   int
	fma   func(typ string, a, b, c float64) float64
	known map[string]value // common subexpressions by their text
}

func fused(typ string, a, b, c float64) float64 {
	if typ == "float32" {
		return float64(fma32(float32(a), float32(b), float32(c)))
	}
	return math.FMA(a, b, c)
}

func unfused(typ string, a, b, c float64) float64 {
	return rounds(typ, rounds(typ, a*b)+c)
}

// rounds rounds to the type. For + - * / and the square root of float32
// numbers rounding twice does no harm.
func rounds(typ string, v float64) float64 {
	if typ == "float32" {
		return float64(float32(v))
	}
	return v
}

func compileLaw(t *testing.T, l law, fma func(typ string, a, b, c float64) float64) (run func(args ...[]float64) []float64, ops int) {
	t.Helper()
	p := &typed{names: map[string]value{}, fma: fma, known: map[string]value{}}
	for _, x := range l.params {
		p.names[x] = p.register(0, l.typ)
	}
	p.names["nan"] = p.register(math.NaN(), "")
	p.names["inf"] = p.register(math.Inf(1), "")
	for _, b := range l.bindings {
		v, err := p.expr(b.expr)
		if err != nil {
			t.Fatalf("%s, binding %s: %v", l.name, b.name, err)
		}
		p.names[b.name] = v
	}
	if got := p.names["result"].typ; got != l.typ {
		t.Fatalf("%s: the result is %s", l.name, got)
	}
	regs := make([][]float64, len(p.init))
	for i := range regs {
		regs[i] = make([]float64, blockLen)
		for j := range regs[i] {
			regs[i][j] = p.init[i]
		}
	}
	result := p.names["result"].reg
	return func(args ...[]float64) []float64 {
		for i, a := range args {
			copy(regs[i], a)
		}
		for _, op := range p.code {
			op(regs, len(args[0]))
		}
		return regs[result][:len(args[0])]
	}, p.ops
}

func (p *typed) register(v float64, typ string) value {
	p.init = append(p.init, v)
	return value{len(p.init) - 1, typ}
}

// common returns the type that values share.
func (p *typed) common(vs ...value) (string, error) {
	typ := ""
	for _, v := range vs {
		if v.typ == "" {
			continue
		}
		if typ != "" && v.typ != typ {
			return "", fmt.Errorf("%s and %s meet", typ, v.typ)
		}
		typ = v.typ
	}
	for _, v := range vs {
		if c := p.init[v.reg]; v.typ == "" && typ != "" && c == c && rounds(typ, c) != c {
			return "", fmt.Errorf("%x is no number of %s", c, typ)
		}
	}
	return typ, nil
}

// emit adds an operation on whole blocks.
func (p *typed) emit(typ string, f func(a [][]float64, out []float64), vs ...value) value {
	out := p.register(0, typ)
	p.ops++
	p.code = append(p.code, func(regs [][]float64, n int) {
		var args [4][]float64
		for i, v := range vs {
			args[i] = regs[v.reg][:n]
		}
		f(args[:len(vs)], regs[out.reg][:n])
	})
	return out
}

func (p *typed) expr(e ast.Expr) (value, error) {
	if b, ok := e.(*ast.ParenExpr); ok {
		return p.expr(b.X)
	}
	key := fmt.Sprint(p.key(e))
	if v, ok := p.known[key]; ok {
		return v, nil
	}
	v, err := p.fresh(e)
	p.known[key] = v
	return v, err
}

// key is an expression's text with names replaced by registers.
func (p *typed) key(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.key(e.X)
	case *ast.BasicLit:
		return e.Value
	case *ast.Ident:
		return fmt.Sprintf("r%d", p.names[e.Name].reg)
	case *ast.UnaryExpr:
		return e.Op.String() + p.key(e.X)
	case *ast.BinaryExpr:
		return "(" + p.key(e.X) + e.Op.String() + p.key(e.Y) + ")"
	case *ast.CallExpr:
		s := e.Fun.(*ast.Ident).Name
		for _, a := range e.Args {
			s += "," + p.key(a)
		}
		return "(" + s + ")"
	}
	return ""
}

func (p *typed) fresh(e ast.Expr) (value, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		v, _ := constant.Float64Val(constant.ToFloat(constant.MakeFromLiteral(e.Value, e.Kind, 0)))
		return p.register(v, ""), nil
	case *ast.Ident:
		v, ok := p.names[e.Name]
		if !ok {
			return value{}, fmt.Errorf("unknown name %s", e.Name)
		}
		return v, nil
	case *ast.UnaryExpr:
		a, err := p.expr(e.X)
		if err != nil || e.Op != token.SUB {
			return value{}, fmt.Errorf("%s: %v", e.Op, err)
		}
		if a.typ == "" {
			return p.register(-p.init[a.reg], ""), nil
		}
		return p.emit(a.typ, func(a [][]float64, out []float64) {
			for i, x := range a[0] {
				out[i] = -x
			}
		}, a), nil
	case *ast.BinaryExpr:
		return p.binary(e)
	case *ast.CallExpr:
		return p.call(e)
	}
	return value{}, fmt.Errorf("unknown expression %T", e)
}

func (p *typed) binary(e *ast.BinaryExpr) (value, error) {
	a, err := p.expr(e.X)
	if err != nil {
		return value{}, err
	}
	b, err := p.expr(e.Y)
	if err != nil {
		return value{}, err
	}
	typ, err := p.common(a, b)
	if err != nil {
		return value{}, err
	}
	f := map[token.Token]func(x, y float64) float64{
		token.ADD: func(x, y float64) float64 { return x + y },
		token.SUB: func(x, y float64) float64 { return x - y },
		token.MUL: func(x, y float64) float64 { return x * y },
		token.QUO: func(x, y float64) float64 { return x / y },
	}[e.Op]
	if f == nil {
		return value{}, fmt.Errorf("unknown operator %s", e.Op)
	}
	if typ == "" {
		return value{}, fmt.Errorf("two constants")
	}
	return p.emit(typ, func(a [][]float64, out []float64) {
		y := a[1]
		for i, x := range a[0] {
			out[i] = rounds(typ, f(x, y[i]))
		}
	}, a, b), nil
}

func (p *typed) call(e *ast.CallExpr) (value, error) {
	name := e.Fun.(*ast.Ident).Name
	var args []value
	exprs := e.Args
	var less token.Token
	if name == "choose" {
		cond, ok := exprs[0].(*ast.BinaryExpr)
		if !ok {
			return value{}, fmt.Errorf("condition %T", exprs[0])
		}
		less = cond.Op
		exprs = append([]ast.Expr{cond.X, cond.Y}, exprs[1:]...)
	}
	if name == "lookup" {
		return p.lookup(exprs)
	}
	for _, x := range exprs {
		v, err := p.expr(x)
		if err != nil {
			return value{}, err
		}
		args = append(args, v)
	}
	if name == "float32" || name == "float64" {
		return p.emit(name, func(a [][]float64, out []float64) {
			for i, x := range a[0] {
				out[i] = rounds(name, x)
			}
		}, args...), nil
	}
	if name == "choose" {
		return p.choose(e, less, args)
	}
	typ, err := p.common(args...)
	if err != nil {
		return value{}, err
	}
	switch name {
	case "pin":
		return args[0], nil
	case "fma":
		return p.emit(typ, func(a [][]float64, out []float64) {
			for i, x := range a[0] {
				out[i] = p.fma(typ, x, a[1][i], a[2][i])
			}
		}, args...), nil
	case "copysign", "ldexp", "minmag":
		f := math.Copysign
		switch name {
		case "ldexp":
			f = func(x, k float64) float64 { return rounds(typ, scale(x, k)) }
		case "minmag":
			f = smaller
		}
		return p.emit(typ, func(a [][]float64, out []float64) {
			for i, x := range a[0] {
				out[i] = f(x, a[1][i])
			}
		}, args...), nil
	}
	f := map[string]func(float64) float64{
		"sqrt": math.Sqrt, "abs": math.Abs, "rint": math.RoundToEven, "logb": math.Logb, "mant": mant,
		"exp": math.Exp, "expm1": math.Expm1, "log": math.Log, "exp2": math.Exp2, "log1p": math.Log1p, "log2": log2,
	}[name]
	if f == nil {
		return value{}, fmt.Errorf("unknown function %s", name)
	}
	return p.emit(typ, func(a [][]float64, out []float64) {
		for i, x := range a[0] {
			out[i] = rounds(typ, f(x))
		}
	}, args...), nil
}

// lookup is the entry that the last bits of a float32 choose, or those above some.
func (p *typed) lookup(exprs []ast.Expr) (value, error) {
	shift, by := 0, exprs[0]
	if b, ok := by.(*ast.BinaryExpr); ok && b.Op == token.SHR {
		n, err := strconv.Atoi(p.key(b.Y))
		if err != nil {
			return value{}, err
		}
		shift, by = n, b.X
	}
	index, err := p.expr(by)
	if err != nil || index.typ != "float32" {
		return value{}, fmt.Errorf("lookup by a %s: %v", index.typ, err)
	}
	var entries []float64
	for _, e := range exprs[1:] {
		v, err := p.expr(e)
		if err != nil {
			return value{}, err
		}
		entries = append(entries, p.init[v.reg])
		if x := p.init[v.reg]; v.typ != "" || rounds("float32", x) != x {
			return value{}, fmt.Errorf("entry %x", x)
		}
	}
	return p.emit("float32", func(a [][]float64, out []float64) {
		for i, x := range a[0] {
			out[i] = entries[int(math.Float32bits(float32(x))>>shift)%len(entries)]
		}
	}, index), nil
}

// smaller is the number of smaller magnitude.
func smaller(x, y float64) float64 {
	if x != x || math.Abs(y) < math.Abs(x) || math.Abs(y) == math.Abs(x) && y < x {
		return y
	}
	return x
}

// scale is x * 2^k. An infinite k gives what multiplying by 2^k gives.
func scale(x, k float64) float64 {
	if k-k != 0 {
		return x * math.Exp2(k)
	}
	return math.Ldexp(x, int(max(-5000, min(math.Floor(k), 5000))))
}

// mant is the significand, in [1, 2); 1 at 0 and infinities.
func mant(x float64) float64 {
	m, _ := math.Frexp(math.Abs(x))
	if m == 0 || math.IsInf(m, 0) {
		return 1
	}
	return 2 * m
}

func (p *typed) choose(e *ast.CallExpr, op token.Token, args []value) (value, error) {
	ctyp, err := p.common(args[:2]...)
	if err != nil {
		return value{}, err
	}
	typ, err := p.common(args[2:]...)
	if err != nil {
		return value{}, err
	}
	if typ == "" {
		typ = ctyp // constants to choose from
	}
	f := map[token.Token]func(x, y float64) bool{
		token.LSS: func(x, y float64) bool { return x < y },
		token.GTR: func(x, y float64) bool { return x > y },
		token.LEQ: func(x, y float64) bool { return x <= y },
		token.GEQ: func(x, y float64) bool { return x >= y },
		token.EQL: func(x, y float64) bool { return x == y },
		token.NEQ: func(x, y float64) bool { return x != y },
	}[op]
	if f == nil {
		return value{}, fmt.Errorf("unknown comparison %s", op)
	}
	if key := "cond " + p.key(e.Args[0]); p.known[key] == (value{}) {
		p.known[key] = value{1, ""}
		p.ops++ // the comparison
	}
	return p.emit(typ, func(a [][]float64, out []float64) {
		x, y, yes, no := a[0], a[1], a[2], a[3]
		for i := range out {
			if f(x[i], y[i]) {
				out[i] = yes[i]
			} else {
				out[i] = no[i]
			}
		}
	}, args...), nil
}
