package native

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// twin computes one operation on float64s that hold values of typ, by the shortest road that is right. Its result is then
// rounded to typ, which is exact or the operation's one rounding: float64 has more than twice the digits of float32.
func twin(op ir.Op, typ ir.Type, a, b, c float64) float64 {
	switch op {
	case ir.Add:
		return a + b
	case ir.Sub:
		return a - b
	case ir.Mul:
		return a * b
	case ir.Div:
		return a / b
	case ir.Neg:
		return -a
	case ir.FMA:
		return twinFMA(typ, a, b, c)
	case ir.Sqrt:
		return math.Sqrt(a)
	case ir.Abs:
		return math.Abs(a)
	case ir.Copysign:
		return math.Copysign(a, b)
	case ir.Min:
		return min(a, b)
	case ir.Max:
		return max(a, b)
	case ir.MinMag:
		switch x, y := math.Abs(a), math.Abs(b); {
		case math.IsNaN(a):
			return b
		case math.IsNaN(b) || x < y:
			return a
		case y < x:
			return b
		}
		return min(a, b)
	case ir.Floor:
		return math.Floor(a)
	case ir.Ceil:
		return math.Ceil(a)
	case ir.Trunc:
		return math.Trunc(a)
	case ir.Rint:
		return math.RoundToEven(a)
	case ir.Ldexp:
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return a * math.Exp2(b)
		}
		// 3000 is beyond both formats; within 600 a float32 stays normal in float64.
		limit := 3000.0
		if typ == ir.Float32 {
			limit = 600
		}
		return math.Ldexp(a, int(math.Max(-limit, math.Min(limit, math.Floor(b)))))
	case ir.Logb:
		return math.Logb(a)
	case ir.Mant:
		if a == 0 || math.IsInf(a, 0) {
			return 1
		}
		frac, _ := math.Frexp(math.Abs(a))
		return 2 * frac
	case ir.Lt, ir.Le, ir.Eq, ir.Ne:
		if map[ir.Op]bool{ir.Lt: a < b, ir.Le: a <= b, ir.Eq: a == b, ir.Ne: a != b}[op] {
			return b
		}
		return c
	}
	panic(op)
}

// twinFMA rounds the exact a*b + c once to typ.
func twinFMA(typ ir.Type, a, b, c float64) float64 {
	if typ == ir.Float64 {
		return math.FMA(a, b, c)
	}
	if p := a*b + c; math.IsNaN(p) || math.IsInf(p, 0) || p == 0 {
		return p // the product of two float32 is exact in float64 and the sum cannot overflow
	}
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(1000).SetFloat64(x) }
	sum := exact(a)
	sum.Mul(sum, exact(b)).Add(sum, exact(c))
	f, _ := sum.Float32()
	return float64(f)
}

// everyOp is a function of three parameters with one result per operation that the target has. A comparison is seen
// through the select that it steers.
func everyOp(typ ir.Type, target Target) (*ir.Func, []ir.Op) {
	b := ir.NewBuilder("every op")
	var params []ir.Value
	for i := range 3 {
		params = append(params, b.Param(fmt.Sprint("p", i), typ, ir.Unknown))
	}
	var ops []ir.Op
	for op := ir.Op(1); op < ir.NumOps; op++ {
		info := op.Info()
		if !op.Takes(typ) || op.Leaf() || info.Function || op == ir.Select || op == ir.Convert || op == ir.Lookup || op == ir.FMA && !target.FMA {
			continue // Select is part of every comparison, Convert and Lookup have tests of their own
		}
		v := b.Must(op, params[:info.Arity]...)
		if info.Shape == ir.ShapeCompare {
			v = b.Must(ir.Select, v, params[1], params[2])
		}
		b.Return(v)
		ops = append(ops, op)
	}
	return b.Func(), ops
}

// C35: every operation of the machine's table is selected, by whatever clang there is, and has the bits of its twin.
func TestEveryOp(t *testing.T) {
	for _, target := range runnable(t) {
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			t.Run(target.Name+"/"+typ.String(), func(t *testing.T) {
				f, ops := everyOp(typ, target)
				columns := inputs(typ, 20000, rand.New(rand.NewPCG(1, 2)))
				n := len(columns[0])
				var operands []view
				for _, c := range columns {
					operands = append(operands, column(typ, c))
				}
				for range ops {
					operands = append(operands, column(typ, make([]uint64, n)))
				}
				call(t, build(t, f, 1, target), []int{n}, operands...)
				for i, op := range ops {
					bad := 0
					for j := range n {
						var x [3]float64
						for c := range x {
							x[c] = ir.BitsFloat(typ, columns[c][j])
						}
						got := load(typ, operands[3+i].data, j*typ.Size())
						want := ir.ConstBits(typ, twin(op, typ, x[0], x[1], x[2]))
						if !same(typ, got, want) {
							if bad++; bad <= 5 {
								t.Errorf("%v%v = %v (%#x), want %v (%#x)", op, x[:op.Info().Arity],
									ir.BitsFloat(typ, got), got, ir.BitsFloat(typ, want), want)
							}
						}
					}
					if bad > 5 {
						t.Errorf("%v: %d of %d results are wrong", op, bad, n)
					}
				}
			})
		}
	}
}

// MinMag of what was computed, and of a constant. The inputs hold signalling NaN, which a sum makes quiet.
func TestMinMag(t *testing.T) {
	for _, target := range runnable(t) {
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			t.Run(target.Name+"/"+typ.String(), func(t *testing.T) {
				b := ir.NewBuilder("minmag")
				x, y := b.Param("x", typ, ir.Unknown), b.Param("y", typ, ir.Unknown)
				sum, twice, half := b.Must(ir.Add, x, y), b.Must(ir.Add, x, x), b.Const(typ, 0.5)
				b.Return(b.Must(ir.MinMag, sum, twice))
				b.Return(b.Must(ir.MinMag, sum, half))
				b.Return(b.Must(ir.MinMag, half, b.Must(ir.Neg, x)))
				b.Return(b.Must(ir.MinMag, x, twice))
				b.Return(b.Must(ir.MinMag, sum, b.Const(typ, math.Copysign(0, -1))))
				columns := inputs(typ, 20000, rand.New(rand.NewPCG(1, 2)))
				n := len(columns[0])
				operands := []view{column(typ, columns[0]), column(typ, columns[1])}
				for range 5 {
					operands = append(operands, column(typ, make([]uint64, n)))
				}
				call(t, build(t, b.Func(), 1, target), []int{n}, operands...)
				round := func(x float64) float64 { return ir.BitsFloat(typ, ir.ConstBits(typ, x)) }
				for j := range n {
					x, y := ir.BitsFloat(typ, columns[0][j]), ir.BitsFloat(typ, columns[1][j])
					sum, twice := round(x+y), round(x+x)
					for i, pair := range [][2]float64{{sum, twice}, {sum, 0.5}, {0.5, -x}, {x, twice}, {sum, math.Copysign(0, -1)}} {
						got, want := load(typ, operands[2+i].data, j*typ.Size()), ir.ConstBits(typ, twin(ir.MinMag, typ, pair[0], pair[1], 0))
						if !same(typ, got, want) {
							t.Fatalf("%d: minmag%v = %v, want %v", i, pair, ir.BitsFloat(typ, got), ir.BitsFloat(typ, want))
						}
					}
				}
			})
		}
	}
}

// Both types in one kernel: the vectors of the narrow one are shorter than a register.
func TestMixedTypes(t *testing.T) {
	for _, target := range runnable(t) {
		t.Run(target.Name, func(t *testing.T) {
			b := ir.NewBuilder("mixed")
			x := b.Param("x", ir.Float32, ir.Unknown)
			y := b.Param("y", ir.Float64, ir.Unknown)
			convert := func(typ ir.Type, v ir.Value) ir.Value {
				w, err := b.Emit(ir.Convert, typ, v)
				if err != nil {
					t.Fatal(err)
				}
				return w
			}
			narrow := convert(ir.Float32, y)
			results := []struct {
				name string
				v    ir.Value
				want func(x, y float64) float64
			}{
				{"widen", convert(ir.Float64, x), func(x, y float64) float64 { return x }},
				{"narrow", narrow, func(x, y float64) float64 { return y }},
				{"same", convert(ir.Float32, x), func(x, y float64) float64 { return x }},
				{"ldexp f32", b.Must(ir.Ldexp, x, narrow), func(x, y float64) float64 {
					return twin(ir.Ldexp, ir.Float32, x, float64(float32(y)), 0)
				}},
				{"logb f32", b.Must(ir.Logb, x), func(x, y float64) float64 { return twin(ir.Logb, ir.Float32, x, 0, 0) }},
				{"mant f32", b.Must(ir.Mant, x), func(x, y float64) float64 { return twin(ir.Mant, ir.Float32, x, 0, 0) }},
				{"rint f32", b.Must(ir.Rint, x), func(x, y float64) float64 { return math.RoundToEven(x) }},
				{"min f32", b.Must(ir.Min, x, narrow), func(x, y float64) float64 { return min(x, float64(float32(y))) }},
				{"max f32", b.Must(ir.Max, x, narrow), func(x, y float64) float64 { return max(x, float64(float32(y))) }},
				{"ceil f32", b.Must(ir.Ceil, x), func(x, y float64) float64 { return math.Ceil(x) }},
				{"sqrt f32", b.Must(ir.Sqrt, x), func(x, y float64) float64 { return math.Sqrt(x) }},
				{"select by the wide", b.Must(ir.Select, b.Must(ir.Lt, convert(ir.Float64, x), y), x, narrow),
					func(x, y float64) float64 {
						if x < y {
							return x
						}
						return y
					}},
				{"ldexp f64", b.Must(ir.Ldexp, y, convert(ir.Float64, x)), func(x, y float64) float64 {
					return twin(ir.Ldexp, ir.Float64, y, x, 0)
				}},
			}
			for _, r := range results {
				b.Return(r.v)
			}
			r := rand.New(rand.NewPCG(3, 4))
			xs, ys := inputs(ir.Float32, 1000, r)[0], inputs(ir.Float64, 1000, r)[1]
			n := min(len(xs), len(ys))
			f := b.Func()
			operands := []view{column(ir.Float32, xs[:n]), column(ir.Float64, ys[:n])}
			for _, v := range f.Results {
				operands = append(operands, column(f.Nodes[v].Type, make([]uint64, n)))
			}
			call(t, build(t, f, 1, target), []int{n}, operands...)
			for i, res := range results {
				typ := f.Nodes[res.v].Type
				for j := range n {
					x, y := ir.BitsFloat(ir.Float32, xs[j]), ir.BitsFloat(ir.Float64, ys[j])
					got, want := load(typ, operands[2+i].data, j*typ.Size()), ir.ConstBits(typ, res.want(x, y))
					if !same(typ, got, want) {
						t.Fatalf("%s of %v, %v = %v (%#x), want %v (%#x)", res.name, x, y,
							ir.BitsFloat(typ, got), got, ir.BitsFloat(typ, want), want)
					}
				}
			}
		})
	}
}

// Constants arrive bit for bit, and an exact constant is rounded once.
func TestConstants(t *testing.T) {
	third := new(big.Float).SetPrec(ir.RealPrec).Quo(big.NewFloat(1), new(big.Float).SetPrec(ir.RealPrec).SetInt64(3))
	list := runnable(t)
	target := list[len(list)-1] // constants are written the same way for all
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		t.Run(typ.String(), func(t *testing.T) {
			b := ir.NewBuilder("constants")
			x := b.Param("x", typ, ir.Unknown)
			var want []uint64
			for _, bits := range specials(typ) {
				v := b.Const(typ, ir.BitsFloat(typ, bits))
				b.Return(v)
				want = append(want, ir.ConstBits(typ, ir.BitsFloat(typ, bits)))
			}
			b.Return(b.Real(typ, third))
			want = append(want, ir.RoundReal(typ, third))
			b.Return(x)
			want = append(want, 7)
			operands := []view{column(typ, []uint64{7, 7, 7})}
			for range want {
				operands = append(operands, column(typ, make([]uint64, 3)))
			}
			call(t, build(t, b.Func(), 1, target), []int{3}, operands...)
			for i, w := range want {
				for j := range 3 {
					if got := load(typ, operands[1+i].data, j*typ.Size()); got != w {
						t.Errorf("constant %d is %#x, want %#x", i, got, w)
					}
				}
			}
		})
	}
}
