package interp

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/bigfloat"
)

// twins are built-in operations defined once more as a user would: every meaning of a call must be that of its twin.
var twins = map[ir.Op]*ir.Def{
	ir.Exp: {Name: "my_exp", Arity: 1,
		Eval: func(x []float64) float64 { return math.Exp(x[0]) },
		Real: func(x []*big.Float) *big.Float { return bigfloat.Exp(x[0]) }},
	ir.Tanh: {Name: "my_tanh", Arity: 1,
		Eval: func(x []float64) float64 { return math.Tanh(x[0]) },
		Real: func(x []*big.Float) *big.Float { return bigfloat.Tanh(x[0]) }},
	ir.Log: {Name: "my_log", Arity: 1,
		Eval: func(x []float64) float64 { return Log(x[0]) },
		Real: func(x []*big.Float) *big.Float {
			if x[0].Sign() <= 0 {
				return nil
			}
			y, _ := bigfloat.Log(x[0])
			return y
		}},
	ir.Div: {Name: "my_div", Arity: 2,
		Eval: func(x []float64) float64 { return x[0] / x[1] },
		Real: func(x []*big.Float) *big.Float {
			if x[1].Sign() == 0 {
				return nil
			}
			return x[0].Quo(x[0], x[1]) // its own to change
		}},
	ir.FMA: {Name: "my_fma", Arity: 3,
		Eval: func(x []float64) float64 { return math.FMA(x[0], x[1], x[2]) },
		Real: func(x []*big.Float) *big.Float {
			p := new(big.Float).SetPrec(4*x[0].Prec()).Mul(x[0], x[1])
			return x[0].Set(p.Add(p, x[2]))
		}},
}

// asCalls replaces the operations of f that have twins by calls; evalOnly leaves out Real.
func asCalls(t *testing.T, f *ir.Func, evalOnly bool) *ir.Func {
	t.Helper()
	defs := map[ir.Op]*ir.Def{}
	for op, d := range twins {
		d := *d
		if evalOnly {
			d.Real = nil
		}
		defs[op] = &d
	}
	b := ir.NewBuilder(f.Name)
	remap := make([]ir.Value, len(f.Nodes))
	for i, n := range f.Nodes {
		var args []ir.Value
		for _, a := range n.Operands() {
			args = append(args, remap[a])
		}
		var err error
		switch {
		case n.Op == ir.Param:
			remap[i] = b.Param(f.Params[n.Imm].Name, n.Type, f.Params[n.Imm].Fact)
		case n.Op == ir.Const:
			remap[i] = b.Const(n.Type, ir.BitsFloat(n.Type, n.Imm))
		case n.Op == ir.Real:
			remap[i] = b.Real(n.Type, f.Reals[n.Imm])
		case defs[n.Op] != nil:
			remap[i], err = b.Call(defs[n.Op], args...)
		default:
			remap[i], err = b.Emit(n.Op, n.Type, args...)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range f.Results {
		b.Return(remap[r])
	}
	return b.Func()
}

var twinOps = []ir.Op{ir.Add, ir.Mul, ir.Sub, ir.Neg, ir.Sqrt, ir.Exp, ir.Tanh, ir.Log, ir.Div, ir.FMA}

// A program with calls gives the bits of the program without. FMA in float32 is the one whose Eval rounds twice.
func TestCallProgram(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for trial := range 200 {
		typ := []ir.Type{ir.Float32, ir.Float64}[trial%2]
		ops := twinOps
		if typ == ir.Float32 {
			ops = ops[:len(ops)-1]
		}
		f := randomFunc(r, typ, ops, 1+r.IntN(10))
		plain, err := Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		calls, err := Compile(asCalls(t, f, trial%4 < 2))
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			in := []uint64{ir.ConstBits(typ, randomArg(r)), ir.ConstBits(typ, randomArg(r))}
			var want, got [1]uint64
			plain.Eval(in, want[:])
			calls.Eval(in, got[:])
			if got != want {
				t.Fatalf("%#x at %v, want %#x:\n%v", got, in, want, f)
			}
		}
	}
}

// The real value of a call and of its twin differ by no more than their errors; and where Real is given they are small.
func TestCallWide(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	known := 0
	for trial := range 400 {
		typ := []ir.Type{ir.Float32, ir.Float64}[trial%2]
		evalOnly := trial%4 < 2
		f := randomFunc(r, typ, twinOps, 1+r.IntN(5))
		plain, err := NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		calls, err := NewWide(asCalls(t, f, evalOnly))
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			in := []float64{randomArg(r), randomArg(r)}
			var want, got [1]Value
			plain.Eval(in, want[:])
			calls.EvalUpTo(512, in, got[:])
			w, g := want[0], got[0]
			if math.IsInf(w.Err, 1) || math.IsInf(g.Err, 1) || w.Hi-w.Hi != 0 || g.Hi-g.Hi != 0 {
				continue // a call knows nothing beyond float64
			}
			known++
			if d := math.Abs((g.Hi - w.Hi) + (g.Lo - w.Lo)); d > g.Err+w.Err {
				t.Fatalf("%v at %v, want %v (Eval only: %v):\n%v", g, in, w, evalOnly, f)
			}
			if limit := max(0x1p-200, 0x1p-70*math.Abs(g.Hi)); !evalOnly && g.Err > limit {
				t.Errorf("error %g of %g at %v:\n%v", g.Err, g.Hi, in, f)
			}
		}
	}
	if known < 1000 {
		t.Errorf("only %d points were known", known)
	}
}

// callWide is the wide value of one call of def.
func callWide(t *testing.T, def *ir.Def, in []float64) Value {
	t.Helper()
	b := ir.NewBuilder("f")
	var args []ir.Value
	for range in {
		args = append(args, b.Param("x", ir.Float64, ir.Unknown))
	}
	v, err := b.Call(def, args...)
	if err != nil {
		t.Fatal(err)
	}
	b.Return(v)
	w, err := NewWide(b.Func())
	if err != nil {
		t.Fatal(err)
	}
	var out [1]Value
	w.Eval(in, out[:])
	return out[0]
}

// Special operands and results are as Eval has them.
func TestCallSpecial(t *testing.T) {
	nan, inf, zero := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	for _, c := range []struct {
		op   ir.Op
		in   []float64
		want float64
	}{
		{ir.Exp, []float64{inf}, inf},
		{ir.Exp, []float64{-inf}, 0},
		{ir.Log, []float64{0}, -inf},
		{ir.Log, []float64{-1}, nan},
		{ir.Log, []float64{1}, 0},
		{ir.Tanh, []float64{zero}, zero},
		{ir.Tanh, []float64{inf}, 1},
		{ir.Div, []float64{1, 0}, inf},
		{ir.Div, []float64{zero, 3}, zero},
		{ir.Div, []float64{nan, 1}, nan},
	} {
		out := callWide(t, twins[c.op], c.in)
		got := out.Hi
		if got != got != (c.want != c.want) || c.want == c.want && math.Float64bits(got) != math.Float64bits(c.want) {
			t.Errorf("%v of %v is %v, want %v", c.op, c.in, out, c.want)
		}
	}
}

// A Real that works in float64 whatever it is asked for is taken for what it is.
func TestCallShortReal(t *testing.T) {
	short := *twins[ir.Exp]
	short.Real = func(x []*big.Float) *big.Float {
		v, _ := x[0].Float64()
		return big.NewFloat(math.Exp(v))
	}
	if out := callWide(t, &short, []float64{1}); out.Hi != math.Exp(1) || out.Err < 0x1p-53 || out.Err > 0x1p-50 {
		t.Errorf("%v", out)
	}
}

func TestFoldCall(t *testing.T) {
	third := new(big.Float).SetPrec(ir.RealPrec).Quo(big.NewFloat(1), big.NewFloat(3))
	for op, d := range twins {
		args := []*big.Float{third, big.NewFloat(1.5), big.NewFloat(-2)}[:d.Arity]
		want, _ := FoldReal(op, args)
		got, ok := FoldCallReal(d, args)
		if diff := new(big.Float).Sub(want, got); !ok || diff.Sign() != 0 && diff.MantExp(nil) > want.MantExp(nil)-ir.RealPrec+2 {
			t.Errorf("%s: %v, want %v", d.Name, got, want)
		}
		plain := *d
		plain.Real = nil
		if _, ok := FoldCallReal(&plain, args); ok {
			t.Errorf("%s of 1/3 was folded in float64", d.Name)
		}
		args[0] = big.NewFloat(0.25)
		x := []float64{0.25, 1.5, -2}[:d.Arity]
		if got, ok := FoldCallReal(&plain, args); !ok || got.Cmp(big.NewFloat(d.Eval(x))) != 0 {
			t.Errorf("%s of 1/4 is %v", d.Name, got)
		}
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			var bits []uint64
			for _, v := range x {
				bits = append(bits, ir.ConstBits(typ, v))
			}
			got, ok := FoldCallTyped(d, typ, bits)
			if want := ir.ConstBits(typ, d.Eval(x)); !ok || got != want {
				t.Errorf("%s in %v: %#x, want %#x", d.Name, typ, got, want)
			}
		}
	}
	log := twins[ir.Log]
	if _, ok := FoldCallReal(log, []*big.Float{new(big.Float)}); ok {
		t.Error("log(0) was folded")
	}
	if _, ok := FoldCallTyped(log, ir.Float32, []uint64{0}); ok {
		t.Error("log(0) was folded in float32")
	}
}

func TestCallAllocatesNothing(t *testing.T) {
	b := ir.NewBuilder("f")
	v, err := b.Call(twins[ir.Tanh], b.Param("x", ir.Float32, ir.Unknown))
	if err != nil {
		t.Fatal(err)
	}
	b.Return(v)
	p, err := Compile(b.Func())
	if err != nil {
		t.Fatal(err)
	}
	in, out := []Column{{F32: make([]float32, 1000)}}, []Column{{F32: make([]float32, 1000)}}
	if n := testing.AllocsPerRun(10, func() { _ = p.Run(1000, in, out) }); n > 0 && !raceEnabled {
		t.Errorf("%g allocations", n)
	}
}
