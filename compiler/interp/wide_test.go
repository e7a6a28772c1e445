package interp

import (
	"bufio"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/internal/double"
)

// expr builds functions of one float32 parameter in the tests' notation.
type expr struct {
	*ir.Builder
	x ir.Value
}

func newExpr(t ir.Type) expr {
	b := ir.NewBuilder("f")
	return expr{b, b.Param("x", t, ir.Unknown)}
}

func (e expr) c(x float64) ir.Value { return e.Const(e.Type(e.x), x) }

func (e expr) real(x *big.Float) ir.Value { return e.Real(e.Type(e.x), x) }

func (e expr) decimal(s string) ir.Value {
	x, _, err := big.ParseFloat(s, 10, ir.RealPrec, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return e.real(x)
}

func (e expr) done(v ir.Value) *ir.Func {
	e.Return(v)
	return e.Func()
}

// gelu is 0.5x(1 + tanh(s(x + k·x³))).
func (e expr) gelu(s, k ir.Value) *ir.Func {
	cube := e.Must(ir.Pow, e.x, e.c(3))
	u := e.Must(ir.Mul, s, e.Must(ir.Add, e.x, e.Must(ir.Mul, k, cube)))
	return e.done(e.Must(ir.Mul, e.Must(ir.Mul, e.c(0.5), e.x), e.Must(ir.Add, e.c(1), e.Must(ir.Tanh, u))))
}

// geluExact has the real constants √(2/π) and 0.044715.
func geluExact(t ir.Type) *ir.Func {
	e := newExpr(t)
	two := new(big.Float).SetPrec(300).SetInt64(2)
	pi, _, _ := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798", 10, 300, big.ToNearestEven)
	s := new(big.Float).SetPrec(300)
	s.Sqrt(s.Quo(two, pi))
	return e.gelu(e.real(s), e.decimal("0.044715"))
}

func functions() map[string]*ir.Func {
	unary := func(op ir.Op) *ir.Func {
		e := newExpr(ir.Float32)
		return e.done(e.Must(op, e.x))
	}
	power := func(n float64) *ir.Func {
		e := newExpr(ir.Float32)
		return e.done(e.Must(ir.Pow, e.x, e.c(n)))
	}
	funcs := map[string]*ir.Func{
		"exp": unary(ir.Exp), "log": unary(ir.Log), "tanh": unary(ir.Tanh), "expm1": unary(ir.Expm1),
		"sqrt": unary(ir.Sqrt), "pow3": power(3), "powm2": power(-2), "gelu_tanh": geluExact(ir.Float32),
	}
	e := newExpr(ir.Float32)
	funcs["gelu_tanh_f32c"] = e.gelu(e.c(math.Sqrt(2/math.Pi)), e.c(0.044715))
	e = newExpr(ir.Float32)
	funcs["sigmoid"] = e.done(e.Must(ir.Div, e.c(1), e.Must(ir.Add, e.c(1), e.Must(ir.Exp, e.Must(ir.Neg, e.x)))))
	e = newExpr(ir.Float32)
	funcs["silu"] = e.done(e.Must(ir.Div, e.x, e.Must(ir.Add, e.c(1), e.Must(ir.Exp, e.Must(ir.Neg, e.x)))))
	e = newExpr(ir.Float32)
	softplus := e.Must(ir.Log, e.Must(ir.Add, e.c(1), e.Must(ir.Exp, e.x)))
	funcs["softplus"] = e.done(softplus)
	e = newExpr(ir.Float32)
	softplus = e.Must(ir.Log, e.Must(ir.Add, e.c(1), e.Must(ir.Exp, e.x)))
	funcs["mish"] = e.done(e.Must(ir.Mul, e.x, e.Must(ir.Tanh, softplus)))
	e = newExpr(ir.Float32)
	funcs["log1p"] = e.done(e.Must(ir.Log, e.Must(ir.Add, e.c(1), e.x)))
	e = newExpr(ir.Float32)
	funcs["elu"] = e.done(e.Must(ir.Select, e.Must(ir.Lt, e.c(0), e.x), e.x, e.Must(ir.Expm1, e.x)))
	return funcs
}

// round32 rounds a value to float32 once.
func round32(v Value) float32 {
	if v.Hi-v.Hi != 0 || v.Hi == 0 {
		return float32(v.Hi)
	}
	x := new(big.Float).SetPrec(2200).SetFloat64(v.Hi)
	f, _ := x.Add(x, big.NewFloat(v.Lo)).Float32()
	return f
}

// The table was computed with 700 bits and rounded once.
func TestWideTable(t *testing.T) {
	file, err := os.Open("testdata/values.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	funcs := functions()
	wide := map[string]*Wide{}
	rows := 0
	for s := bufio.NewScanner(file); s.Scan(); {
		field := strings.Split(s.Text(), "\t")
		f := funcs[field[0]]
		if f == nil || len(field) < 7 {
			continue
		}
		w := wide[field[0]]
		if w == nil {
			if w, err = NewWide(f); err != nil {
				t.Fatal(err)
			}
			wide[field[0]] = w
		}
		in, _ := strconv.ParseUint(field[1], 16, 32)
		want, _ := strconv.ParseUint(field[2], 16, 32)
		x, y := math.Float32frombits(uint32(in)), math.Float32frombits(uint32(want))
		if field[6] == "limit" && math.IsInf(float64(x), -1) {
			continue // the table has the limit, Wide what the formula gives
		}
		if field[0] == "log1p" && x == 0 {
			continue // log(1+x) has no sign of zero to keep
		}
		var v [1]Value
		w.Eval([]float64{float64(x)}, v[:])
		got := round32(v[0])
		if math.Float32bits(got) != math.Float32bits(y) && (got == got || y == y) {
			t.Errorf("%s(%g) = %+v, rounded %g (%08x), want %g (%08x, %s)", field[0], x, v[0], got, math.Float32bits(got), y, want, field[6])
		}
		rows++
	}
	if rows < 350 {
		t.Errorf("only %d rows", rows)
	}
}

// Where 1+tanh cancels entirely, against 0.5x·2q/(1+q), q = exp(-2|u|), which does not.
func TestWideCancellation(t *testing.T) {
	f := geluExact(ir.Float64)
	w, err := NewWide(f)
	if err != nil {
		t.Fatal(err)
	}
	const prec = 800
	for _, x := range []float64{-3, -10, -20, -25, -30} {
		cube := bigfloat.PowInt(new(big.Float).SetPrec(prec).SetFloat64(x), 3)
		u := cube.Mul(cube, f.Reals[1])
		u.Add(u, big.NewFloat(x)).Mul(u, f.Reals[0])
		if f.Reals[0].Cmp(big.NewFloat(0.1)) < 0 {
			t.Fatal("the constants are in another order")
		}
		q := bigfloat.Exp(u.Mul(u, big.NewFloat(2)))
		want := new(big.Float).SetPrec(prec).Quo(q, new(big.Float).SetPrec(prec).Add(q, big.NewFloat(1)))
		want.Mul(want, big.NewFloat(x))
		var v [1]Value
		w.Eval([]float64{x}, v[:])
		if e := ErrorULP(ir.Float64, v[0].Hi, v[0]); e > 0.501 {
			t.Errorf("gelu(%g): ErrorULP of its own rounding is %g", x, e)
		}
		if !within(v[0], want, 0x1p-700) {
			t.Errorf("gelu(%g) = %+v, want %.30g", x, v[0], want)
		}
		if abs, rel := v[0].Err, math.Abs(v[0].Hi)*0x1p-69; abs > max(rel, 0x1p-1073) {
			t.Errorf("gelu(%g) = %+v: the bound is wide", x, v[0])
		}
	}
}

// within reports whether the value's bound holds, give or take the truth's own error, relative.
func within(v Value, want *big.Float, relative float64) bool {
	d := new(big.Float).SetPrec(4000).SetFloat64(v.Hi)
	d.Add(d, big.NewFloat(v.Lo)).Sub(d, want)
	bound := new(big.Float).Mul(new(big.Float).Abs(want), big.NewFloat(relative))
	return d.Abs(d).Cmp(bound.Add(bound, big.NewFloat(v.Err))) <= 0
}

// naive evaluates over the reals with no bound: the oracle, at two precisions, of the running bounds. It reports false
// where IEEE special values come in.
func naive(f *ir.Func, prec uint, in []float64) (*big.Float, bool) {
	v := make([]*big.Float, len(f.Nodes))
	z := func() *big.Float { return new(big.Float).SetPrec(prec) }
	for i, n := range f.Nodes {
		a, b, c := v[n.Args[0]], v[n.Args[1]], v[n.Args[2]]
		switch n.Op {
		case ir.Param:
			v[i] = z().SetFloat64(in[n.Imm])
		case ir.Const:
			v[i] = z().SetFloat64(ir.BitsFloat(n.Type, n.Imm))
		case ir.Real:
			v[i] = z().Set(f.Reals[n.Imm])
		case ir.Add:
			v[i] = z().Add(a, b)
		case ir.Sub:
			v[i] = z().Sub(a, b)
		case ir.Mul:
			v[i] = z().Mul(a, b)
		case ir.Div:
			if b.Sign() == 0 {
				return nil, false
			}
			v[i] = z().Quo(a, b)
		case ir.Neg:
			v[i] = z().Neg(a)
		case ir.FMA:
			v[i] = z().Add(z().Mul(a, b), c)
		case ir.Sqrt:
			if a.Sign() < 0 {
				return nil, false
			}
			v[i] = z().Sqrt(a)
		case ir.Abs:
			v[i] = z().Abs(a)
		case ir.Copysign:
			if b.Sign() == 0 {
				return nil, false
			}
			if v[i] = z().Abs(a); b.Sign() < 0 {
				v[i].Neg(v[i])
			}
		case ir.Min, ir.Max:
			if v[i] = a; (a.Cmp(b) > 0) == (n.Op == ir.Min) {
				v[i] = b
			}
		case ir.MinMag:
			if v[i] = a; z().Abs(a).Cmp(z().Abs(b)) > 0 || z().Abs(a).Cmp(z().Abs(b)) == 0 && a.Cmp(b) > 0 {
				v[i] = b
			}
		case ir.Floor, ir.Ceil, ir.Trunc:
			k, _ := a.Int(nil)
			v[i] = z().SetInt(k)
			switch one := big.NewFloat(1); {
			case n.Op == ir.Floor && v[i].Cmp(a) > 0:
				v[i].Sub(v[i], one)
			case n.Op == ir.Ceil && v[i].Cmp(a) < 0:
				v[i].Add(v[i], one)
			}
		case ir.Rint:
			half := z().Add(z().Abs(a), big.NewFloat(0.5))
			k, _ := half.Int(nil)
			if half.IsInt() && k.Bit(0) != 0 {
				k.Sub(k, big.NewInt(1))
			}
			if v[i] = z().SetInt(k); a.Sign() < 0 {
				v[i].Neg(v[i])
			}
		case ir.Exp:
			if a.MantExp(nil) > 12 {
				return nil, false
			}
			v[i] = bigfloat.Exp(a)
		case ir.Expm1:
			if a.MantExp(nil) > 12 {
				return nil, false
			}
			v[i] = bigfloat.Expm1(a)
		case ir.Log:
			if a.Sign() <= 0 {
				return nil, false
			}
			v[i], _ = bigfloat.Log(a)
		case ir.Tanh:
			v[i] = bigfloat.Tanh(a)
		case ir.Pow:
			k, _ := b.Int64()
			if a.Sign() == 0 {
				return nil, false
			}
			v[i] = bigfloat.PowInt(a, k)
		case ir.Convert:
			v[i] = a
		}
		if v[i].IsInf() || v[i].Sign() != 0 && max(v[i].MantExp(nil), -v[i].MantExp(nil)) > 1<<20 {
			return nil, false
		}
	}
	return v[f.Results[0]], true
}

var realOps = []ir.Op{
	ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.FMA, ir.Sqrt, ir.Abs, ir.Copysign, ir.Min, ir.Max, ir.MinMag, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Exp, ir.Expm1, ir.Log, ir.Tanh, ir.Pow,
}

// randomFunc is an expression of size operations over two parameters.
func randomFunc(r *rand.Rand, t ir.Type, ops []ir.Op, size int) *ir.Func {
	b := ir.NewBuilder("random")
	b.Param("x", t, ir.Unknown)
	b.Param("y", t, ir.Unknown)
	values := []ir.Value{0, 1, b.Const(t, 1), b.Const(t, r.NormFloat64()), b.Const(t, float64(r.IntN(9)))}
	third, _, _ := big.ParseFloat("0.333333333333333333333333333333333333333333333333333333333333", 10, ir.RealPrec, big.ToNearestEven)
	values = append(values, b.Real(t, third))
	for range size {
		op := ops[r.IntN(len(ops))]
		args := make([]ir.Value, op.Info().Arity)
		for i := range args {
			if args[i] = values[r.IntN(len(values))]; r.IntN(2) == 0 {
				args[i] = values[len(values)-1-r.IntN(min(3, len(values)))] // deep rather than wide
			}
		}
		if op == ir.Pow {
			args[1] = b.Const(t, float64(r.IntN(80)-20))
		}
		values = append(values, b.Must(op, args...))
	}
	b.Return(values[len(values)-1])
	return b.Func().Compact()
}

func randomArg(r *rand.Rand) float64 {
	switch r.IntN(4) {
	case 0:
		return float64(r.IntN(41) - 20)
	case 1:
		return math.Ldexp(r.NormFloat64(), r.IntN(200)-100)
	}
	return r.NormFloat64() * 10
}

func TestWideBound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	checked, unsettled := 0, 0
	for trial := range 2000 {
		typ := []ir.Type{ir.Float32, ir.Float64}[trial%2]
		f := randomFunc(r, typ, realOps, 1+r.IntN(8))
		w, err := NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			in := []float64{randomArg(r), randomArg(r)}
			low, ok := naive(f, 400, in)
			if !ok {
				continue
			}
			high, ok := naive(f, 700, in)
			if !ok || high.Sign() == 0 || new(big.Float).Sub(low, high).MantExp(nil) > high.MantExp(nil)-200 {
				continue // cancellation beyond the oracle
			}
			if e := high.MantExp(nil); e > 1000 {
				continue
			}
			var v [1]Value
			w.Eval(in, v[:])
			checked++
			if !within(v[0], high, 0x1p-690) {
				t.Fatalf("%v%v: %+v, but the truth is %.40g", f, in, v[0], high)
			}
			if v[0].Err > max(0x1p-49*math.Abs(v[0].Hi), 0x1p-198) {
				unsettled++
			}
		}
	}
	if checked < 2000 || unsettled > 0 {
		t.Errorf("checked %d points, %d of them unsettled", checked, unsettled)
	}
}

// Arithmetic of exact double-doubles, with cancellation, against exact sums and wide quotients.
func TestNumberArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	const prec = 2400
	wide := func(a number) *big.Float {
		x := new(big.Float).SetPrec(prec).SetFloat64(a.hi)
		return x.Add(x, big.NewFloat(a.lo))
	}
	draw := func() number {
		hi := math.Ldexp(float64(r.IntN(64)+1), -r.IntN(60))
		hi, lo := double.TwoSum(hi, math.Ldexp(r.Float64()-0.5, -r.IntN(80)-50)*hi)
		if r.IntN(3) == 0 {
			lo = 0
		}
		return number{hi: hi, lo: lo}
	}
	for range 20000 {
		a, b := draw(), draw()
		switch r.IntN(4) {
		case 0: // cancel most of it
			b.hi, b.lo = double.TwoSum(-a.hi, -a.lo+math.Ldexp(r.Float64()-0.5, -r.IntN(80)-40)*a.hi)
		case 1:
			b = b.neg()
		}
		for _, c := range []struct {
			name string
			got  number
			want *big.Float
		}{
			{"+", a.add(b), new(big.Float).SetPrec(prec).Add(wide(a), wide(b))},
			{"*", a.mul(b), new(big.Float).SetPrec(prec).Mul(wide(a), wide(b))},
			{"/", a.div(b), new(big.Float).SetPrec(prec).Quo(wide(a), wide(b))},
		} {
			if !within(Value{c.got.hi, c.got.lo, c.got.err}, c.want, 0x1p-2000) {
				t.Fatalf("%+v %s %+v = %+v, but the truth is %.40g", a, c.name, b, c.got, c.want)
			}
			if c.name != "+" && c.got.err > 0x1p-99*math.Abs(c.got.hi) {
				t.Fatalf("%+v %s %+v = %+v: the bound is wide", a, c.name, b, c.got)
			}
		}
		// Uncertain operands: the truth may be at any corner.
		la, lb := a, b
		la.err, lb.err = math.Ldexp(math.Abs(a.hi), -10-r.IntN(80)), math.Ldexp(math.Abs(b.hi), -10-r.IntN(80))
		x := wide(a)
		x.Add(x, big.NewFloat(la.err*float64(1-2*r.IntN(2))))
		y := wide(b)
		y.Add(y, big.NewFloat(lb.err*float64(1-2*r.IntN(2))))
		for _, c := range []struct {
			name string
			got  number
			want *big.Float
		}{
			{"+", la.add(lb), new(big.Float).Add(x, y)},
			{"*", la.mul(lb), new(big.Float).Mul(x, y)},
			{"/", la.div(lb), new(big.Float).Quo(x, y)},
		} {
			if !within(Value{c.got.hi, c.got.lo, c.got.err}, c.want, 0x1p-2000) {
				t.Fatalf("%+v %s %+v = %+v, but the truth may be %.40g", la, c.name, lb, c.got, c.want)
			}
		}
	}
}

// The numbers alone: their bounds hold where Eval would go on to balls, and are narrow where nothing cancels.
func TestFunctionBounds(t *testing.T) {
	const prec = 400
	for _, c := range []struct {
		name  string
		f     func(number) number
		truth func(*big.Float) *big.Float
		rel   float64
		arg   func(r *rand.Rand) float64
	}{
		{"exp", number.exp, bigfloat.Exp, double.ExpErr, func(r *rand.Rand) float64 { return r.Float64()*1200 - 600 }},
		{"exp small", number.exp, bigfloat.Exp, double.ExpErr, func(r *rand.Rand) float64 { return r.NormFloat64() }},
		{"expm1", number.expm1, bigfloat.Expm1, 2 * double.ExpErr, func(r *rand.Rand) float64 { return math.Ldexp(r.NormFloat64(), -r.IntN(150)) }},
		{"log", number.log, bigLog, double.LogErr, func(r *rand.Rand) float64 { return math.Ldexp(1+r.Float64(), r.IntN(1800)-900) }},
		{"log near 1", number.log, bigLog, double.LogErr, func(r *rand.Rand) float64 { return 1 + math.Ldexp(r.Float64()-0.5, -r.IntN(50)) }},
		{"tanh", number.tanh, bigfloat.Tanh, 4 * double.ExpErr, func(r *rand.Rand) float64 { return math.Ldexp(r.NormFloat64(), 3-r.IntN(150)) }},
		{"sqrt", number.sqrt, func(x *big.Float) *big.Float { return new(big.Float).Sqrt(x) }, 0x1p-100, func(r *rand.Rand) float64 { return math.Ldexp(r.Float64(), r.IntN(1600)-800) }},
	} {
		r := rand.New(rand.NewPCG(5, 6))
		worst := 0.0
		for range 1500 {
			x := number{hi: c.arg(r)}
			x.lo = math.Ldexp(r.Float64()-0.5, -54) * math.Abs(x.hi)
			x.hi, x.lo = double.TwoSum(x.hi, x.lo)
			if x.hi == 0 {
				continue
			}
			v := c.f(x)
			arg := new(big.Float).SetPrec(prec).SetFloat64(x.hi)
			want := c.truth(arg.Add(arg, big.NewFloat(x.lo)))
			if !within(Value{v.hi, v.lo, v.err}, want, 0x1p-380) {
				t.Fatalf("%s(%g+%g) = %+v, but the truth is %.40g", c.name, x.hi, x.lo, v, want)
			}
			// An uncertain argument: the truth may be at either end.
			loose := x
			loose.err = math.Ldexp(math.Abs(x.hi), -20-r.IntN(60))
			for _, sign := range []float64{-1, 1} {
				end := new(big.Float).SetPrec(prec).Add(arg, big.NewFloat(sign*loose.err))
				if u := c.f(loose); u.known() && u.far == 0 && !within(Value{u.hi, u.lo, u.err}, c.truth(end), 0x1p-380) {
					t.Fatalf("%s(%+v) = %+v, but the truth may be %.40g", c.name, loose, u, c.truth(end))
				}
			}
			d := new(big.Float).SetPrec(prec).SetFloat64(v.hi)
			d.Add(d, big.NewFloat(v.lo)).Sub(d, want).Quo(d, want)
			e, _ := d.Abs(d).Float64()
			worst = max(worst, e)
			if v.err > 4*c.rel*math.Abs(v.hi)+0x1p-1000 {
				t.Fatalf("%s(%g): bound 2^%.1f is far wider than 2^%.1f", c.name, x.hi, math.Log2(v.err/math.Abs(v.hi)), math.Log2(c.rel))
			}
		}
		t.Logf("%-10s worst 2^%.1f, bound 2^%.1f", c.name, math.Log2(worst), math.Log2(c.rel))
		if worst > c.rel/4 {
			t.Errorf("%s: worst error 2^%.1f is near the bound 2^%.1f", c.name, math.Log2(worst), math.Log2(c.rel))
		}
	}
}

func bigLog(x *big.Float) *big.Float {
	y, _ := bigfloat.Log(x)
	return y
}

// Beyond float64 inside a formula, and special operands.
func TestWideRange(t *testing.T) {
	funcs := functions()
	inf := math.Inf(1)
	e := newExpr(ir.Float32)
	funcs["x-x"] = e.done(e.Must(ir.Sub, e.x, e.x))
	e = newExpr(ir.Float32)
	square := e.Must(ir.Mul, e.Must(ir.Exp, e.x), e.Must(ir.Exp, e.x))
	funcs["log exp² /2"] = e.done(e.Must(ir.Mul, e.c(0.5), e.Must(ir.Log, square)))
	e = newExpr(ir.Float32)
	big1 := e.Must(ir.Exp, e.Must(ir.Mul, e.c(1000), e.x))
	funcs["(e^1000x - 1)/e^1000x"] = e.done(e.Must(ir.Div, e.Must(ir.Sub, big1, e.c(1)), big1))
	e = newExpr(ir.Float32)
	big1 = e.Must(ir.Exp, e.Must(ir.Mul, e.c(1000), e.x))
	twice := e.Must(ir.Mul, e.c(2), big1)
	funcs["(2e^1000x - e^1000x)/e^1000x"] = e.done(e.Must(ir.Div, e.Must(ir.Sub, twice, big1), big1))
	for _, c := range []struct {
		name    string
		x, want float64
	}{
		{"sigmoid", 1e30, 1}, {"sigmoid", -1e30, 0}, {"sigmoid", inf, 1}, {"sigmoid", -inf, 0}, {"sigmoid", math.NaN(), math.NaN()},
		{"softplus", 1e30, float64(float32(1e30))}, {"softplus", 1e4, 1e4}, {"softplus", inf, inf}, {"softplus", -inf, 0},
		{"silu", -1e30, math.Copysign(0, -1)}, {"silu", -inf, math.NaN()}, {"gelu_tanh", -inf, math.NaN()}, {"gelu_tanh", inf, inf},
		{"x-x", inf, math.NaN()}, {"x-x", 3, 0}, {"log exp² /2", 600, 600}, {"log exp² /2", -600, -600},
		{"(e^1000x - 1)/e^1000x", 3, 1}, {"(e^1000x - 1)/e^1000x", 0, 0}, {"(2e^1000x - e^1000x)/e^1000x", 3, 1}, {"(2e^1000x - e^1000x)/e^1000x", -2, 1},
		{"exp", 89, 4.4896128191743455e38}, {"exp", 1e5, inf}, {"exp", -1e5, 0}, {"log", 0, -inf}, {"log", -1, math.NaN()}, {"sqrt", -1, math.NaN()},
		{"sqrt", math.Copysign(0, -1), math.Copysign(0, -1)}, {"powm2", 0, inf}, {"powm2", -inf, 0}, {"pow3", -inf, -inf},
		{"tanh", -inf, -1}, {"tanh", 1e-45, float64(float32(1e-45))}, {"expm1", -inf, -1},
	} {
		w, err := NewWide(funcs[c.name])
		if err != nil {
			t.Fatal(err)
		}
		var v [1]Value
		w.Eval([]float64{float64(float32(c.x))}, v[:])
		got := v[0].Float64()
		if got != c.want && (got == got || c.want == c.want) || math.Signbit(got) != math.Signbit(c.want) && got == 0 {
			t.Errorf("%s(%g) = %+v, want %g", c.name, c.x, v[0], c.want)
		}
	}
}

func BenchmarkWide(b *testing.B) {
	w, err := NewWide(geluExact(ir.Float32))
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var v [1]Value
	for b.Loop() {
		w.Eval([]float64{float64(float32(r.NormFloat64() * 4))}, v[:])
	}
}
