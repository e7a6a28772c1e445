package trace

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
)

const eps22 = 0x1p-22

func mulBy(c float64) func(Value) Value { return func(x Value) Value { return x.Mul(Const(c)) } }

func TestTrace(t *testing.T) {
	k := 2.0
	tests := []struct {
		name  string
		fn    any
		dtype ir.Type
		facts []ir.Fact
		want  string
	}{
		{name: "gelu", dtype: ir.Float32, facts: []ir.Fact{ir.Between(-8, 8)},
			fn: func(x Value) Value {
				c := Const(2 / math.Pi).Sqrt()
				u := c.Mul(x.Add(Const(0.044715).Mul(x).Mul(x).Mul(x)))
				return Const(0.5).Mul(x).Mul(Const(1).Add(u.Tanh()))
			},
			want: `func "gelu"("x0" f32 in [-8, 8]) {
	v0 = param f32 "x0"
	v1 = const f32 0x1p-01 # 0.5
	v2 = mul f32 v1 v0
	v3 = const f32 0x1p+00 # 1
	v4 = const f32 0x1.45f306p-01 # 0.63661975
	v5 = sqrt f32 v4
	v6 = const f32 0x1.6e4e26p-05 # 0.044715
	v7 = mul f32 v6 v0
	v8 = mul f32 v7 v0
	v9 = mul f32 v8 v0
	v10 = add f32 v0 v9
	v11 = mul f32 v5 v10
	v12 = tanh f32 v11
	v13 = add f32 v3 v12
	v14 = mul f32 v2 v13
	return v14
}
`},
		{name: "every operation", dtype: ir.Float64,
			fn: func(x, y, z Value) Value {
				a := x.Sub(y).Div(z).Neg().Abs().FMA(y, z).Copysign(x).RoundToEven()
				a = a.Min(y).Max(z).Floor().Ceil().Trunc()
				return a.Exp().Expm1().Log().Logb().Pow(-3)
			},
			want: `func "every operation"("x0" f64, "x1" f64, "x2" f64) {
	v0 = param f64 "x0"
	v1 = param f64 "x1"
	v2 = param f64 "x2"
	v3 = sub f64 v0 v1
	v4 = div f64 v3 v2
	v5 = neg f64 v4
	v6 = abs f64 v5
	v7 = fma f64 v6 v1 v2
	v8 = copysign f64 v7 v0
	v9 = rint f64 v8
	v10 = min f64 v9 v1
	v11 = max f64 v10 v2
	v12 = floor f64 v11
	v13 = ceil f64 v12
	v14 = trunc f64 v13
	v15 = exp f64 v14
	v16 = expm1 f64 v15
	v17 = log f64 v16
	v18 = logb f64 v17
	v19 = const f64 -0x1.8p+01 # -3
	v20 = pow f64 v18 v19
	return v20
}
`},
		{name: "comparisons", dtype: ir.Float32,
			fn: func(x, y Value) (a, b, c Value) {
				a = Where(x.Less(y), Where(x.LessEq(y), x, y), Where(x.Equal(y), x, y))
				b = Where(x.Greater(y), Const(1), Const(2))
				c = Where(x.GreaterEq(y), Where(x.NotEqual(y), x, Const(0)), y)
				return a, b, c
			},
			want: `func "comparisons"("x0" f32, "x1" f32) {
	v0 = param f32 "x0"
	v1 = param f32 "x1"
	v2 = lt bool v0 v1
	v3 = le bool v0 v1
	v4 = select f32 v3 v0 v1
	v5 = eq bool v0 v1
	v6 = select f32 v5 v0 v1
	v7 = select f32 v2 v4 v6
	v8 = lt bool v1 v0
	v9 = const f32 0x1p+00 # 1
	v10 = const f32 0x1p+01 # 2
	v11 = select f32 v8 v9 v10
	v12 = le bool v1 v0
	v13 = ne bool v0 v1
	v14 = const f32 0x0p+00 # 0
	v15 = select f32 v13 v0 v14
	v16 = select f32 v12 v15 v1
	return v7 v11 v16
}
`},
		{name: "a constant takes the type of each operand", dtype: ir.Float32,
			fn: func(x Value) (Value, Value) {
				c := Const(0.1).Sqrt()
				return x.Mul(c), x.Convert(ir.Float64).Mul(c)
			},
			want: `func "a constant takes the type of each operand"("x0" f32) {
	v0 = param f32 "x0"
	v1 = const f32 0x1.99999ap-04 # 0.1
	v2 = sqrt f32 v1
	v3 = mul f32 v0 v2
	v4 = convert f64 v0
	v5 = const f64 0x1.999999999999ap-04 # 0.1
	v6 = sqrt f64 v5
	v7 = mul f64 v4 v6
	return v3 v7
}
`},
		{name: "constants alone", dtype: ir.Float64,
			fn: func() (Value, Value) {
				return Const(2).Div(Const(3)), Where(Const(1).Less(Const(2)), Const(0.5).Convert(ir.Float32), Const(4))
			},
			want: `func "constants alone"() {
	v0 = const f64 0x1p+01 # 2
	v1 = const f64 0x1.8p+01 # 3
	v2 = div f64 v0 v1
	v3 = const f64 0x1p+00 # 1
	v4 = lt bool v3 v0
	v5 = const f32 0x1p-01 # 0.5
	v6 = const f32 0x1p+02 # 4
	v7 = select f32 v4 v5 v6
	return v2 v7
}
`},
		{name: "a conversion to the same type pins", dtype: ir.Float32,
			fn: func(x, y Value) Value { return x.Mul(y).Convert(ir.Float32).Add(x.Convert(ir.Float32)) },
			want: `func "a conversion to the same type pins"("x0" f32, "x1" f32) {
	v0 = param f32 "x0"
	v1 = param f32 "x1"
	v2 = mul.pin f32 v0 v1
	v3 = add f32 v2 v0
	return v3
}
`},
		{name: "captured and unrolled", dtype: ir.Float64,
			fn: func(x Value) Value {
				for range 2 {
					x = x.Mul(Const(k))
				}
				return x
			},
			want: `func "captured and unrolled"("x0" f64) {
	v0 = param f64 "x0"
	v1 = const f64 0x1p+01 # 2
	v2 = mul f64 v0 v1
	v3 = mul f64 v2 v1
	return v3
}
`},
		{name: "quotes\" and\n{", dtype: ir.Float32, fn: func(x Value) Value { return x },
			want: "func \"quotes\\\" and\\n{\"(\"x0\" f32) {\n\tv0 = param f32 \"x0\"\n\treturn v0\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Trace(tt.name, tt.fn, tt.dtype, tt.facts)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, f.String()); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// Constants are told apart by their bits, and captured ones belong to the program.
func TestTraceConstants(t *testing.T) {
	bits := map[float64]uint64{
		0.1: 0x3dcccccd, 1.1: 0x3f8ccccd, 1e30: 0x7149f2ca, 1e-45: 1, 3.4028235e38: 0x7f7fffff,
		math.Inf(1): 0x7f800000, math.Inf(-1): 0xff800000, 1: 0x3f800000, 16777217: 0x4b800000, 2: 0x40000000, 2 + eps22: 0x40000001,
	}
	for c, want := range bits {
		f, err := Trace("c", mulBy(c), ir.Float32, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Nodes[1].Imm; got != want {
			t.Errorf("%g: bits %#x, want %#x", c, got, want)
		}
	}
	if f, err := Trace("c", mulBy(math.Copysign(0, -1)), ir.Float32, nil); err != nil || f.Nodes[1].Imm != 0x80000000 {
		t.Errorf("-0: %v, %v", f, err)
	}
	if f, err := Trace("c", mulBy(math.NaN()), ir.Float32, nil); err != nil || f.Nodes[1].Imm != 0x7fc00000 {
		t.Errorf("NaN: %v, %v", f, err)
	}
}

func TestTraceNameAndLongChain(t *testing.T) {
	const adds = 1_000_000
	chain := func(x Value) Value {
		y := x
		for range adds {
			y = y.Add(x)
		}
		return y
	}
	f, err := Trace("", chain, ir.Float32, nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.Arithmetic() != adds {
		t.Errorf("%d operations, want %d", f.Arithmetic(), adds)
	}
	if !strings.Contains(f.Name, "TestTraceNameAndLongChain") {
		t.Errorf("the name is %q", f.Name)
	}
}

// Doubling a shared value 60 times is 60 nodes, not 2^60.
func TestTraceShares(t *testing.T) {
	f, err := Trace("double", func(x Value) Value {
		for range 60 {
			x = x.Add(x)
		}
		return x
	}, ir.Float64, nil)
	if err != nil || f.Arithmetic() != 60 {
		t.Errorf("%v, %v", f, err)
	}
}

func TestTraceConcurrently(t *testing.T) {
	shared := Const(2).Sqrt()
	fn := func(x Value) Value { return x.Mul(shared) }
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := Trace("f", fn, ir.Float32, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// line is the line of its caller.
func line() int {
	_, _, l, _ := runtime.Caller(1)
	return l
}

func TestTraceErrors(t *testing.T) {
	var escaped Value
	if _, err := Trace("f", func(x Value) Value { escaped = x.Neg(); return x }, ir.Float32, nil); err != nil {
		t.Fatal(err)
	}
	made := line() - 3
	here := func(l int, rest string) string { return fmt.Sprintf("trace_test.go:%d: %s", l, rest) }
	var count float64
	var slice []Value
	base := line()
	tests := []struct { // the function of row i is on line base + 7 + 3*i
		name string
		fn   any
		want string
	}{
		{"mixed",
			func(x Value) Value { return x.Add(x.Convert(ir.Float64)) },
			"Add of float32 and float64; convert one of them with Convert"},
		{"mixed in Where",
			func(x Value) Value { return Where(x.Less(x), x.Convert(ir.Float64), x) },
			"Where of float64 and float32; convert one of them with Convert"},
		{"mixed in Greater",
			func(x Value) Value { return Where(x.Greater(x.Convert(ir.Float64)), x, x) },
			"Greater of float32 and float64; convert one of them with Convert"},
		{"zero operand",
			func(x Value) Value { return x.Mul(Value{}) },
			"operand 1 of Mul is the zero Value"},
		{"zero receiver",
			func(x Value) Value { return Value{}.Tanh() },
			"operand 0 of Tanh is the zero Value"},
		{"zero result",
			func(x Value) (Value, Value) { return x, Value{} },
			"result 1 is the zero Value"},
		{"escaped",
			func(x Value) Value { return x.Add(escaped.Exp()) },
			"operand 1 of Add is a Value of another trace, made at "},
		{"escaped result",
			func(x Value) Value { return escaped },
			fmt.Sprintf("result 0 is a Value of another trace, made at %s:%d", file(), made)},
		{"kept from the first run",
			func(x Value) Value { slice = append(slice, x); return slice[0].Add(x) },
			"operand 0 of Add is a Value of another trace"},
		{"bool for a number",
			func(x Value) Value { return x.Add(x.Less(x)) },
			"Add needs numbers, not a bool made by Less at "},
		{"number for a bool",
			func(x Value) Value { return Where(x, x, x) },
			"Where needs a bool, such as x.Less(y) makes, not a float32"},
		{"constant for a bool",
			func(x Value) Value { return Where(Const(1), x, x) },
			"Where needs a bool, such as x.Less(y) makes, not a float32"},
		{"remainder of floats",
			func(x Value) Value { return x.Rem(x) },
			"ir: rem needs integer operands, not f32"},
		{"logic of a number",
			func(x Value) Value { return Where(x.And(x.Less(x)), x, x) },
			"And of float32 and bool; convert one of them with Convert"},
		{"conversion to bool",
			func(x Value) Value { return x.Convert(ir.Bool) },
			"Convert to bool; want a float or an integer, such as ufunc.Float32"},
		{"overflow",
			func(x Value) Value { return x.Add(Const(1e39)) },
			"the constant 1e+39 overflows float32"},
		{"exponent",
			func(x Value) Value { return x.Pow(1<<24 + 1) },
			"the exponent 16777217 is not a float32"},
		{"panic",
			func(x Value) Value { panic("no luck") },
			"panic: no luck"},
		{"run-time panic",
			func(x Value) Value { return []Value{x}[len(slice)+1] },
			"panic: runtime error: index out of range"},
		{"random",
			func(x Value) Value { count++; return x.Mul(Const(count)) },
			"the constant 1 in the first, the constant 2 in the second"},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Trace("f", tt.fn, ir.Float32, nil)
			if err == nil {
				t.Fatal("no error")
			}
			if want := here(base+7+3*i, tt.want); !strings.Contains(err.Error(), want) {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

func file() string {
	_, f, _, _ := runtime.Caller(1)
	return f
}

func TestTraceSentinels(t *testing.T) {
	boom := errors.New("boom")
	var n int
	tests := []struct {
		name string
		fn   any
		want error
	}{
		{"nil", nil, ErrFunc},
		{"no func", 3, ErrFunc},
		{"nil func", (func(Value) Value)(nil), ErrFunc},
		{"float parameter", func(x float32) Value { return Const(1) }, ErrFunc},
		{"float result", func(x Value) float32 { return 1 }, ErrFunc},
		{"no result", func(x Value) {}, ErrFunc},
		{"variadic", func(x ...Value) Value { return x[0] }, ErrFunc},
		{"mistake", func(x Value) Value { return x.Add(Value{}) }, ErrTrace},
		{"panic", func(x Value) Value { panic(boom) }, boom},
		{"size differs", func(x Value) Value {
			if n++; n == 1 {
				return x
			}
			return x.Neg()
		}, ErrUnstable},
		{"fails the second time", func(x Value) Value {
			if n++; n%2 == 1 {
				return x
			}
			panic(boom)
		}, ErrUnstable},
		{"endless", func(x Value) Value {
			for {
				x = x.Neg()
			}
		}, ErrLimit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n = 0
			if _, err := Trace("f", tt.fn, ir.Float32, nil); !errors.Is(err, tt.want) || !errors.Is(err, ErrTrace) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	id := func(x Value) Value { return x }
	if _, err := Trace("f", id, ir.Float16, nil); !errors.Is(err, ErrFunc) {
		t.Errorf("a stored type: %v", err)
	}
	if _, err := Trace("f", id, ir.Float32, make([]ir.Fact, 2)); !errors.Is(err, ErrFunc) {
		t.Errorf("facts: %v", err)
	}
}

func TestExactIn(t *testing.T) {
	tests := []struct {
		n        int64
		f32, f64 bool
	}{
		{0, true, true}, {-3, true, true}, {1 << 24, true, true}, {1<<24 + 1, false, true}, {1 << 60, true, true},
		{1<<53 + 1, false, false}, {math.MaxInt64, false, false}, {math.MinInt64, true, true},
	}
	for _, tt := range tests {
		n := int(tt.n)
		if int64(n) != tt.n {
			continue // on a machine of 32 bits
		}
		if a, b := exactIn(ir.Float32, n), exactIn(ir.Float64, n); a != tt.f32 || b != tt.f64 {
			t.Errorf("%d: %v %v, want %v %v", tt.n, a, b, tt.f32, tt.f64)
		}
	}
}
