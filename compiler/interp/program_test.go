package interp

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// twin computes one operation in another way than the loops do: arithmetic by rounding exact or wide big.Float results,
// one element at a time. ok is false where it has no second way.
func twin(op ir.Op, t ir.Type, x [3]float64) (float64, bool) {
	a, b, c := x[0], x[1], x[2]
	special := func(v ...float64) bool {
		for _, x := range v {
			if x-x != 0 {
				return true
			}
		}
		return false
	}
	const prec = 2400 // holds any product and sum of float64 exactly
	wide := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
	round := func(z *big.Float) float64 {
		if t == ir.Float32 {
			f, _ := z.Float32()
			return float64(f)
		}
		f, _ := z.Float64()
		return f
	}
	switch op {
	case ir.Add:
		if s := a + b; special(a, b) || s == 0 {
			return s, true
		}
		return round(wide(0).Add(wide(a), wide(b))), true
	case ir.Sub:
		if s := a - b; special(a, b) || s == 0 {
			return s, true
		}
		return round(wide(0).Sub(wide(a), wide(b))), true
	case ir.Mul:
		if special(a, b) || a == 0 || b == 0 {
			return a * b, true
		}
		return round(wide(0).Mul(wide(a), wide(b))), true
	case ir.Div:
		if special(a, b) || a == 0 || b == 0 {
			return a / b, true
		}
		return round(wide(0).Quo(wide(a), wide(b))), true
	case ir.Sqrt:
		if special(a) || a <= 0 {
			return math.Sqrt(a), true
		}
		return round(wide(0).Sqrt(wide(a))), true
	case ir.FMA:
		switch {
		case special(a, b) || (a == 0 || b == 0) && c == 0:
			return a*b + c, true
		case special(c) || a == 0 || b == 0:
			return c, true
		}
		p := wide(0).Mul(wide(a), wide(b))
		if c == 0 {
			return round(p), true
		}
		z := wide(0).Add(p, wide(c))
		if z.Sign() == 0 {
			return 0, true
		}
		return round(z), true
	case ir.Neg:
		return math.Copysign(a, -math.Copysign(1, a)), true
	case ir.Abs:
		return math.Copysign(a, 1), true
	case ir.Copysign:
		if math.Signbit(a) != math.Signbit(b) {
			return -a, true
		}
		return a, true
	case ir.Min, ir.Max:
		switch {
		case a != a || b != b:
			return math.NaN(), true
		case a == b && math.Signbit(a) != (op == ir.Min), a < b && op == ir.Max, a > b && op == ir.Min:
			return b, true
		}
		return a, true
	case ir.MinMag:
		switch x, y := math.Abs(a), math.Abs(b); {
		case a != a, y < x, x == y && math.Signbit(b):
			return b, true
		}
		return a, true
	case ir.Floor, ir.Ceil, ir.Trunc:
		if special(a) || math.Abs(a) >= 1<<53 {
			return a, true
		}
		n := float64(int64(a))
		switch {
		case op == ir.Floor && n > a:
			n--
		case op == ir.Ceil && n < a:
			n++
		}
		return math.Copysign(n, a), true
	case ir.Rint:
		if special(a) || math.Abs(a) >= 1<<53 {
			return a, true
		}
		lo := math.Floor(a)
		d := a - lo
		if d > 0.5 || d == 0.5 && math.Mod(lo, 2) != 0 {
			lo++
		}
		return math.Copysign(lo, a), true
	case ir.Ldexp:
		if special(a, b) {
			switch {
			case b > 0 && math.IsInf(b, 1):
				return a * b, true
			case math.IsInf(b, -1):
				return a * 0, true
			}
			return a + b*0, true
		}
		n := math.Floor(b)
		if a == 0 || n < -3000 {
			return math.Copysign(0, a), true
		}
		return round(wide(0).SetMantExp(wide(a), int(min(n, 3000)))), true
	case ir.Logb:
		if special(a) || a == 0 {
			return math.Log2(math.Abs(a)), true
		}
		return float64(wide(a).MantExp(nil) - 1), true
	case ir.Mant:
		if a == 0 || math.IsInf(a, 0) {
			return 1, true
		}
		if special(a) {
			return a, true
		}
		z := wide(0)
		wide(math.Abs(a)).MantExp(z)
		return round(z.SetMantExp(z, 1)), true
	}
	return 0, false
}

// patterns are bit patterns of both types where things happen.
var patterns = []float64{
	0, 1, 2, 3, 0.5, 1.5, 2.5, 1e10, math.Pi, math.Inf(1), math.NaN(), 0x1p-149, 0x1p-126, 0x1.fffffep127, 0x1p-1074, 0x1p-1022,
	math.MaxFloat64, 0x1p23, 0x1p24 - 1, 0x1p52 + 1, 0.5 - 0x1p-54, 100, 127, 149, 1100, 0x1p-150, 1 + 0x1p-23, 1 - 0x1p-24, 1 + 0x1p-52,
}

// random returns a number of type t: special, of any bits, or of middling size.
func random(r *rand.Rand, t ir.Type) float64 {
	var x float64
	switch r.IntN(4) {
	case 0:
		x = patterns[r.IntN(len(patterns))]
		if r.IntN(2) == 0 {
			x = -x
		}
	case 1:
		if t == ir.Float32 {
			x = float64(math.Float32frombits(r.Uint32()))
		} else {
			x = math.Float64frombits(r.Uint64())
		}
	case 2:
		x = math.Ldexp(1+float64(r.IntN(4))/4, r.IntN(60)-30)
	default:
		x = r.NormFloat64() * 8
	}
	return ir.BitsFloat(t, ir.ConstBits(t, x))
}

func single(op ir.Op, t ir.Type) *ir.Func {
	b := ir.NewBuilder(op.String())
	args := make([]ir.Value, op.Info().Arity)
	for i := range args {
		args[i] = b.Param(fmt.Sprintf("x%d", i), t, ir.Unknown)
	}
	b.Return(b.Must(op, args...))
	return b.Func()
}

func compile(t *testing.T, f *ir.Func) *Program {
	t.Helper()
	p, err := Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOperations(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		for op := ir.Add; op <= ir.Mant; op++ {
			if !op.Takes(typ) {
				continue
			}
			p := compile(t, single(op, typ))
			in, out := make([]uint64, op.Info().Arity), make([]uint64, 1)
			for range 4000 {
				var x [3]float64
				for i := range in {
					x[i] = random(r, typ)
					if i == 2 && r.IntN(3) == 0 { // near a tie or a cancellation
						x[i] = ir.BitsFloat(typ, ir.ConstBits(typ, -x[0]*x[1]*(1+float64(r.IntN(3)-1)*0x1p-24)))
					}
					in[i] = ir.ConstBits(typ, x[i])
					x[i] = ir.BitsFloat(typ, in[i])
				}
				p.Eval(in, out)
				want, ok := twin(op, typ, x)
				if !ok {
					t.Fatalf("no twin for %v", op)
				}
				if out[0] != ir.ConstBits(typ, want) {
					t.Fatalf("%v %v%v = %#x (%g), want %#x (%g)", op, typ, x[:len(in)], out[0], ir.BitsFloat(typ, out[0]), ir.ConstBits(typ, want), want)
				}
			}
		}
	}
}

// The product lies next to the midpoint of two float32 and c decides: rounding to float64 first loses that.
func TestFMARoundsOnce(t *testing.T) {
	for _, c := range []struct{ a, b, c, want float32 }{
		{1 + 0x1p-12, 1 + 0x1p-12, 0x1p-80, 1 + 0x1p-11 + 0x1p-23},
		{1 + 0x1p-12, 1 + 0x1p-12, -0x1p-80, 1 + 0x1p-11},
		{-1 - 0x1p-12, 1 + 0x1p-12, -0x1p-80, -1 - 0x1p-11 - 0x1p-23},
		{0x1p-75, 0x1p-75, 0x1p-148, 0x1p-148},
		{0x1p-75, 0x1.8p-75, 0x1p-149, 0x1p-148},
		{0x1.fffffep127, 2, -0x1.fffffep127, 0x1.fffffep127},
	} {
		if got := fma32(c.a, c.b, c.c); got != c.want {
			t.Errorf("fma(%x, %x, %x) = %x, want %x", c.a, c.b, c.c, got, c.want)
		}
	}
}

// Every exponent against every kind of significand.
func TestLdexpExhaustive(t *testing.T) {
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		p := compile(t, single(ir.Ldexp, typ))
		f := formatOf(typ)
		lowest, highest := f.emin-f.prec-2, f.emax+2
		var out [1]uint64
		for e := f.emin - f.prec + 1; e <= f.emax; e += 1 + (f.emax-e)/60 {
			for _, m := range []float64{1, 1.5, 1.25, 2 - math.Ldexp(1, 1-f.prec), 1 + math.Ldexp(1, 1-f.prec), 1.75} {
				x := ir.BitsFloat(typ, ir.ConstBits(typ, math.Ldexp(m, e)))
				for to := lowest; to <= highest; to += 1 + max(0, min(to-lowest-80, highest-to-8))/9 {
					for _, frac := range []float64{0, 0.5} {
						k := float64(to-e) + frac
						p.Eval([]uint64{ir.ConstBits(typ, x), ir.ConstBits(typ, k)}, out[:])
						want, _ := twin(ir.Ldexp, typ, [3]float64{x, k})
						if out[0] != ir.ConstBits(typ, want) {
							t.Fatalf("ldexp %v(%x, %g) = %x, want %x", typ, x, k, ir.BitsFloat(typ, out[0]), want)
						}
					}
				}
			}
		}
	}
}

func TestFunctionsOfPackageMath(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	ops := map[ir.Op]func(x, y float64) float64{
		ir.Exp:   func(x, _ float64) float64 { return math.Exp(x) },
		ir.Expm1: func(x, _ float64) float64 { return math.Expm1(x) },
		ir.Tanh:  func(x, _ float64) float64 { return math.Tanh(x) },
		ir.Pow:   math.Pow,
	}
	for op, f := range ops {
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			p := compile(t, single(op, typ))
			for range 500 {
				x := [2]float64{random(r, typ), random(r, typ)}
				in, out := []uint64{ir.ConstBits(typ, x[0]), ir.ConstBits(typ, x[1])}, []uint64{0}
				p.Eval(in[:op.Info().Arity], out)
				if want := ir.ConstBits(typ, f(x[0], x[1])); out[0] != want {
					t.Errorf("%v %v%v = %#x, want %#x", op, typ, x, out[0], want)
				}
			}
		}
	}
	p := compile(t, single(ir.Log, ir.Float64))
	for _, c := range []struct{ x, want float64 }{
		{0x1p-1074, -744.4400719213812}, {0x1p-1023, -709.0895657128241}, {0x1p-1022, -708.3964185322641}, {2, math.Ln2}, {0, math.Inf(-1)},
	} {
		var out [1]uint64
		p.Eval([]uint64{math.Float64bits(c.x)}, out[:])
		if got := math.Float64frombits(out[0]); math.Abs(got-c.want) > 0x1p-52*math.Abs(c.want) {
			t.Errorf("log(%g) = %v, want %v", c.x, got, c.want)
		}
	}
}

// mixed uses every shape: conversions, comparisons of both types, choices, several results, a parameter as a result.
func mixed() *ir.Func {
	b := ir.NewBuilder("mixed")
	x, y := b.Param("x", ir.Float32, ir.Unknown), b.Param("y", ir.Float64, ir.Unknown)
	z := b.Param("z", ir.Float32, ir.Unknown)
	wide, _ := b.Emit(ir.Convert, ir.Float64, x)
	narrow, _ := b.Emit(ir.Convert, ir.Float32, y)
	less := b.Must(ir.Lt, narrow, x)
	lessEqual := b.Must(ir.Le, y, wide)
	differ := b.Must(ir.Ne, x, z)
	sum := b.Must(ir.Add, b.Must(ir.Mul, x, x), b.Const(ir.Float32, 0.1))
	chosen := b.Must(ir.Select, less, sum, b.Must(ir.Neg, narrow))
	chosen64 := b.Must(ir.Select, lessEqual, b.Must(ir.Mul, wide, y), b.Real(ir.Float64, big.NewFloat(0.75)))
	for _, v := range []ir.Value{chosen, z, x, chosen64, less, differ, b.Must(ir.Eq, wide, y), y, b.Const(ir.Float32, 7)} {
		b.Return(v)
	}
	return b.Func()
}

// mixedTwin is mixed for one element, as Go.
func mixedTwin(x float32, y float64, z float32) (float32, float32, float32, float64, bool, bool, bool, float64, float32) {
	less := float32(y) < x
	chosen := -float32(y)
	if less {
		chosen = float32(float32(x*x) + 0.1)
	}
	chosen64 := 0.75
	if y <= float64(x) {
		chosen64 = float64(x) * y
	}
	return chosen, z, x, chosen64, less, x != z, float64(x) == y, y, 7
}

func TestRunLengths(t *testing.T) {
	p := compile(t, mixed())
	r := rand.New(rand.NewPCG(11, 12))
	same32 := func(a, b float32) bool {
		return ir.ConstBits(ir.Float32, float64(a)) == ir.ConstBits(ir.Float32, float64(b))
	}
	same64 := func(a, b float64) bool { return ir.ConstBits(ir.Float64, a) == ir.ConstBits(ir.Float64, b) }
	for n := 0; n <= 1100; n += 1 + n/40 {
		x, y, z := make([]float32, n), make([]float64, n), make([]float32, n)
		for i := range n {
			x[i], z[i] = float32(random(r, ir.Float32)), float32(random(r, ir.Float32))
			if y[i] = random(r, ir.Float64); r.IntN(3) == 0 {
				y[i] = float64(x[i])
			}
		}
		x0, y0, z0 := append([]float32(nil), x...), append([]float64(nil), y...), append([]float32(nil), z...)
		chosen, differ, less, equal := make([]float32, n), make([]bool, n), make([]bool, n), make([]bool, n)
		y2, seven := make([]float64, n+3), make([]float32, n)
		// x and z are exchanged in place, y is overwritten.
		out := []Column{{F32: chosen}, {F32: x}, {F32: z}, {F64: y}, {Bool: less}, {Bool: differ}, {Bool: equal}, {F64: y2}, {F32: seven}}
		if err := p.Run(n, []Column{{F32: x}, {F64: y}, {F32: z}}, out); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			a, b, c, d, e, f, g, h, k := mixedTwin(x0[i], y0[i], z0[i])
			if !same32(a, chosen[i]) || !same32(b, x[i]) || !same32(c, z[i]) || !same64(d, y[i]) ||
				e != less[i] || f != differ[i] || g != equal[i] || !same64(h, y2[i]) || k != seven[i] {
				t.Fatalf("n = %d, element %d of mixed(%g, %g, %g)", n, i, x0[i], y0[i], z0[i])
			}
		}
		if y2[n] != 0 {
			t.Fatal("written past the end")
		}
	}
}

// Random programs, block by block, against one element at a time through the twins.
func TestRandomPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	ops := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.FMA, ir.Sqrt, ir.Abs, ir.Copysign, ir.Min, ir.Max, ir.MinMag, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Ldexp, ir.Logb, ir.Mant}
	for trial := range 60 {
		typ := []ir.Type{ir.Float32, ir.Float64}[trial%2]
		f := randomFunc(r, typ, ops, 1+r.IntN(25)).Rounded()
		p := compile(t, f)
		in, out := make([]uint64, 2), make([]uint64, 1)
		for range 20 {
			v := make([]float64, len(f.Nodes))
			for i, n := range f.Nodes {
				switch n.Op {
				case ir.Param:
					v[i] = random(r, typ)
					in[n.Imm] = ir.ConstBits(typ, v[i])
				case ir.Const:
					v[i] = ir.BitsFloat(typ, n.Imm)
				default:
					v[i], _ = twin(n.Op, typ, [3]float64{v[n.Args[0]], v[n.Args[1]], v[n.Args[2]]})
				}
			}
			nan := false
			for _, n := range f.Nodes {
				nan = nan || n.Op == ir.Copysign && math.IsNaN(v[n.Args[1]]) // the sign of a NaN is anyone's
			}
			if p.Eval(in, out); !nan && out[0] != ir.ConstBits(typ, v[f.Results[0]]) {
				t.Fatalf("%v: got %#x, want %#x", f, out[0], ir.ConstBits(typ, v[f.Results[0]]))
			}
		}
	}
}

// Registers are shared: a long chain needs no more of them than its width.
func TestRegisters(t *testing.T) {
	b := ir.NewBuilder("chain")
	x := b.Param("x", ir.Float32, ir.Unknown)
	v := x
	for range 100 {
		v = b.Must(ir.Mul, b.Must(ir.Add, v, x), v)
	}
	b.Return(v)
	if p := compile(t, b.Func()); len(p.regs) > 2 {
		t.Errorf("%d registers, want 2", len(p.regs))
	}
}

func TestConcurrent(t *testing.T) {
	p := compile(t, geluExact(ir.Float32))
	in := make([]float32, 3000)
	for i := range in {
		in[i] = float32(i-1500) / 100
	}
	want := make([]float32, len(in))
	if err := p.Run(len(in), []Column{{F32: in}}, []Column{{F32: want}}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got := append([]float32(nil), in...)
			if err := p.Run(len(in), []Column{{F32: got}}, []Column{{F32: got}}); err != nil {
				t.Error(err)
			}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("element %d: %g, want %g", i, got[i], want[i])
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestRunErrors(t *testing.T) {
	p := compile(t, single(ir.Add, ir.Float32))
	f3, f2, d3 := make([]float32, 3), make([]float32, 2), make([]float64, 3)
	for _, c := range []struct {
		name    string
		n       int
		in, out []Column
		want    string
	}{
		{"count", 3, []Column{{F32: f3}}, []Column{{F32: f3}}, "add takes 2 inputs and 1 outputs, not 1 and 1"},
		{"type", 3, []Column{{F32: f3}, {F64: d3}}, []Column{{F32: f3}}, "input 1 (x1): column of f64 where f32 is wanted"},
		{"length", 3, []Column{{F32: f2}, {F32: f3}}, []Column{{F32: f3}}, "input 0 (x0): column of 2 f32 where 3 elements are wanted"},
		{"output", 3, []Column{{F32: f3}, {F32: f3}}, []Column{{}}, "output 0: column of 0 f32 where 3 elements are wanted"},
		{"both", 3, []Column{{F32: f3}, {F32: f3, F64: d3}}, []Column{{F32: f3}}, "column of both f32 and f64"},
		{"negative", -1, []Column{{F32: f3}, {F32: f3}}, []Column{{F32: f3}}, "-1 elements"},
	} {
		err := p.Run(c.n, c.in, c.out)
		if !errors.Is(err, ErrColumns) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if err := p.Run(0, []Column{{}, {}}, []Column{{}}); err != nil {
		t.Errorf("no elements: %v", err)
	}
	if _, err := Compile(&ir.Func{Name: "empty"}); !errors.Is(err, ir.ErrInvalid) {
		t.Errorf("Compile of an empty function: %v", err)
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	p := compile(t, geluExact(ir.Float32))
	x := make([]float32, 2000)
	in, out := []Column{{F32: x}}, []Column{{F32: x}}
	if n := testing.AllocsPerRun(20, func() {
		if err := p.Run(len(x), in, out); err != nil {
			t.Fatal(err)
		}
	}); n >= 1 && !raceEnabled {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkRun reports the time for an operation on an element: (((x*x + c)*x + c)*x ...).
func BenchmarkRun(b *testing.B) {
	for _, op := range []ir.Op{ir.Mul, ir.FMA, ir.Ldexp, ir.Exp} {
		b.Run(op.String(), func(b *testing.B) {
			e := newExpr(ir.Float32)
			v := e.x
			for range 10 {
				args := []ir.Value{v, e.x, e.c(1.5)}
				v = e.Must(op, args[:op.Info().Arity]...)
			}
			p, err := Compile(e.done(v))
			if err != nil {
				b.Fatal(err)
			}
			x, y := make([]float32, 4096), make([]float32, 4096)
			for i := range x {
				x[i] = 1 + float32(i)/1e6
			}
			for b.Loop() {
				if err := p.Run(len(x), []Column{{F32: x}}, []Column{{F32: y}}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x))/10, "ns/op/elem")
		})
	}
}
