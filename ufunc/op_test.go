package ufunc_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/ufunc"
)

// softsignOf stands for its operation in plain kernels; a kernel does not read its body.
func softsignOf[T ufunc.Float](x T) T {
	y := float64(x)
	if y < 0 {
		return T(y / (1 - y))
	}
	return T(y / (1 + y))
}

func mixOf(x, y, a float64) float64 { return x + a*(y-x) }

var (
	softsign = ufunc.NewOp(ufunc.OpSpec{
		Name: "softsign",
		Func: softsignOf[float64],
		Real: func(x []*big.Float) *big.Float {
			d := new(big.Float).Abs(x[0])
			return x[0].Quo(x[0], d.Add(d, big.NewFloat(1)))
		},
		Range: func([]ufunc.Fact) ufunc.Fact { return ufunc.Fact{Lo: -1, Hi: 1} },
		Cost:  3,
	})
	mix   = ufunc.NewOp(ufunc.OpSpec{Name: "mix", Func: mixOf})
	ratio = ufunc.NewOp(ufunc.OpSpec{Name: "ratio", Func: func(x, y float64) float64 { return x / y }})
)

func opRules(t *testing.T) ufunc.Option {
	t.Helper()
	set, err := rules.Parse("ops.rules", `
softsign-form: softsign(x)   ~> x/(1 + abs(x))  everywhere within 2 ulp ! afn
mix-form:      mix(x, y, a)  ~> fma(a, y - x, x)  on abs(x) <= 128 && abs(y) <= 128 && abs(a) <= 1 within 1e-4 abs ! afn
ratio-form:    ratio(x, y)   ~> x/y  everywhere within 1 ulp ! afn
softsign-odd:  softsign(-x)  = -softsign(x)
`, softsign.Def(), mix.Def(), ratio.Def())
	if err != nil {
		t.Fatal(err)
	}
	return ufunc.Rules(rules.Default, set)
}

func plainOps(x, y float32) float32 {
	return softsignOf(x) + float32(mixOf(float64(x), float64(y), 0.25))
}

func plainOps64(x, y float64) float64 { return softsignOf(x) + mixOf(x, y, 0.25) }

func tracedOps(x, y ufunc.Value) ufunc.Value {
	return softsign.Of(x).Add(mix.Of(x, y, ufunc.Const(0.25)))
}

// A user's operations work as built-in ones do, in every kind of kernel, and give what their meaning says.
func TestOps(t *testing.T) {
	x := []float32{-3, -0.5, 0, 0.1, 1, 100}
	y := []float32{1, 2, 3, 4, 5, 6}
	x64, y64 := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		x64[i], y64[i] = float64(x[i]), float64(y[i])
	}
	for _, c := range []struct {
		name  string
		fn    any
		dtype ufunc.DType
		opts  []ufunc.Option
	}{
		{"plain", plainOps, ufunc.Float32, []ufunc.Option{ufunc.Ops(softsign, mix)}},
		{"plain64", plainOps64, ufunc.Float64, []ufunc.Option{ufunc.Ops(softsign, mix)}},
		{"traced", tracedOps, ufunc.Float32, nil},
		{"traced64", tracedOps, ufunc.Float64, nil},
	} {
		k, err := ufunc.Compile(context.Background(), c.fn, c.dtype, 1, append(c.opts, opRules(t), ufunc.Domain(-128, 128), ufunc.WithinAbs(1e-4))...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		check := func(i int, got, eps float64) {
			if want := plainOps64(x64[i], y64[i]); math.Abs(got-want) > eps*math.Max(1, math.Abs(want)) {
				t.Errorf("%s: at %g, %g: %g, want %g", c.name, x[i], y[i], got, want)
			}
		}
		if c.dtype == ufunc.Float32 {
			out := make([]float32, len(x))
			if err := k.Call(x, y, out); err != nil {
				t.Fatal(err)
			}
			for i, v := range out {
				check(i, float64(v), 1e-5)
			}
		} else {
			out := make([]float64, len(x))
			if err := k.Call(x64, y64, out); err != nil {
				t.Fatal(err)
			}
			for i, v := range out {
				check(i, v, 1e-14)
			}
		}
		r := k.Report()
		if !strings.Contains(r.IRIn, `"softsign"`) || strings.Contains(r.IROut, "call") {
			t.Errorf("%s: as written\n%s\noptimised\n%s", c.name, r.IRIn, r.IROut)
		}
	}
}

// A kernel may be an operation's function itself, and a literal serves traced kernels.
func TestOpsAlone(t *testing.T) {
	for _, fn := range []any{softsignOf[float32], func(x ufunc.Value) ufunc.Value { return ratio.Of(x, x.Abs().Add(ufunc.Const(1))) }} {
		k, err := ufunc.Compile(context.Background(), fn, ufunc.Float32, 1, ufunc.Ops(softsign, ratio), opRules(t))
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float32, 1)
		if err := k.Call([]float32{-3}, out); err != nil || out[0] != -0.75 {
			t.Errorf("%s(-3) = %v, %v", k.Name(), out[0], err)
		}
	}
}

func TestNewOpPanics(t *testing.T) {
	id := func(x float64) float64 { return x }
	for _, c := range []struct {
		name string
		spec ufunc.OpSpec
		want string
	}{
		{"nothing", ufunc.OpSpec{}, "want func(float64) float64"},
		{"no name", ufunc.OpSpec{Func: id}, "cannot name"},
		{"no meaning", ufunc.OpSpec{Name: "f"}, "want func(float64) float64"},
		{"nil meaning", ufunc.OpSpec{Name: "f", Func: (func(float64) float64)(nil)}, "no meaning"},
		{"float32", ufunc.OpSpec{Name: "f", Func: func(x float32) float32 { return x }}, "want func(float64) float64"},
		{"four operands", ufunc.OpSpec{Name: "f", Func: func(a, b, c, d float64) float64 { return a }}, "want func(float64) float64"},
		{"taken", ufunc.OpSpec{Name: "tanh", Func: id}, "tanh exists already"},
		{"keyword", ufunc.OpSpec{Name: "within", Func: id}, "has a meaning already"},
		{"upper case", ufunc.OpSpec{Name: "Softsign", Func: id}, "lower-case"},
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				if !ok || !errors.Is(err, ufunc.ErrOp) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v, want %q", c.name, err, c.want)
				}
			}()
			ufunc.NewOp(c.spec)
		}()
	}
}

func TestOpsErrors(t *testing.T) {
	other := ufunc.NewOp(ufunc.OpSpec{Name: "softsign", Func: math.Sin})
	use := func(x ufunc.Value) ufunc.Value { return softsign.Of(x) }
	for _, c := range []struct {
		name string
		fn   any
		opts []ufunc.Option
		err  error
		want string
	}{
		{"nil", use, []ufunc.Option{ufunc.Ops(nil)}, ufunc.ErrOp, "has not made"},
		{"empty", use, []ufunc.Option{ufunc.Ops(new(ufunc.Op))}, ufunc.ErrOp, "has not made"},
		{"nil in a trace", func(x ufunc.Value) ufunc.Value { return (*ufunc.Op)(nil).Of(x) }, nil, ufunc.ErrTrace, "op_test.go"},
		{"operands", func(x ufunc.Value) ufunc.Value { return ratio.Of(x) }, nil, ufunc.ErrTrace, "ratio of 1 operands, want 2"},
		{"no form", use, nil, ufunc.ErrNoForm, "softsign has infinite cost"},
		{"namesake in a trace", func(x ufunc.Value) ufunc.Value { return other.Of(x) }, []ufunc.Option{opRules(t)}, ufunc.ErrOp, "two operations are called softsign"},
		{"namesake in Ops", softsignOf[float32], []ufunc.Option{ufunc.Ops(softsign, other)}, ufunc.ErrOp, "two operations are called softsign"},
	} {
		_, err := ufunc.Compile(context.Background(), c.fn, ufunc.Float32, 1, c.opts...)
		if !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %v with %q", c.name, err, c.err, c.want)
		}
	}
}

// A real value that math/big refuses is none; any other panic is the user's mistake.
func TestOpRealPanics(t *testing.T) {
	op := ufunc.NewOp(ufunc.OpSpec{Name: "ratio", Func: func(x, y float64) float64 { return x / y },
		Real: func(x []*big.Float) *big.Float {
			if x[0].Sign() < 0 {
				panic("negative")
			}
			return x[0].Quo(x[0], x[1])
		}})
	zero := func() []*big.Float { return []*big.Float{new(big.Float), new(big.Float)} }
	if y := op.Def().Real(zero()); y != nil {
		t.Errorf("0/0 is %v", y)
	}
	defer func() {
		if r := recover(); r != "negative" {
			t.Errorf("recovered %v", r)
		}
	}()
	op.Def().Real([]*big.Float{big.NewFloat(-1), big.NewFloat(1)})
}

// The line of a mistake is the user's, not that of Of.
func TestOpPosition(t *testing.T) {
	_, err := ufunc.Compile(context.Background(), func(x ufunc.Value) ufunc.Value { return ratio.Of(x) }, ufunc.Float32, 1)
	if err == nil || !strings.Contains(err.Error(), "op_test.go:") {
		t.Errorf("%v", err)
	}
}
