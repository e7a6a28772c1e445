package native

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
)

// Every operation and conversion of every type has the interpreter's bits.
func TestDiscreteOps(t *testing.T) {
	for i, target := range runnable(t) {
		for typ := ir.Bool; typ < ir.Tuple; typ++ {
			if (i+int(typ))%2 == 0 && typ.IsInteger() { // the conversions alone are half a second of clang
				continue
			}
			t.Run(fmt.Sprint(target.Name, "/", typ), func(t *testing.T) {
				t.Parallel()
				f := discreteFunc(typ)
				r := rand.New(rand.NewPCG(uint64(typ), 3))
				inputs := inputs(typ, 500, r)
				columns := inputs[:len(f.Params)]
				for i := range columns[len(columns)-1] {
					if len(columns) == 3 && columns[2][i] == 0 { // the divisor
						columns[2][i] = 1
					}
				}
				n := len(columns[0])
				var operands []view
				for _, c := range columns {
					operands = append(operands, column(typ, c))
				}
				for _, v := range f.Results {
					operands = append(operands, column(f.Nodes[v].Type, make([]uint64, n)))
				}
				call(t, build(t, f, 1, target), []int{n}, operands...)
				want := interpret(t, f, n, columns)
				for i, v := range f.Results {
					out := f.Nodes[v].Type
					for j := range n {
						if got := load(out, operands[len(columns)+i].data, j*out.Size()); !same(out, got, want[i][j]) {
							t.Fatalf("%v at %#x %#x is %#x, the interpreter says %#x",
								f.Nodes[v], columns[0][j], columns[len(columns)-1][j], got, want[i][j])
						}
					}
				}
			})
		}
	}
}

// discreteFunc has every operation that takes typ, but for those of floats alone, as a result of three parameters of which the last is a divisor,
// and every conversion; a stored type has conversions alone.
func discreteFunc(typ ir.Type) *ir.Func {
	b := ir.NewBuilder("discrete")
	params := 3
	if typ.Stored() {
		params = 1
	}
	var p []ir.Value
	for i := range params {
		p = append(p, b.Param(fmt.Sprint("p", i), typ, ir.Unknown))
	}
	for op := ir.Op(1); op < ir.NumOps; op++ {
		info := op.Info()
		if op.Leaf() || !op.Takes(typ) || op == ir.Convert || op == ir.Select || info.Shape == ir.ShapeFloat || typ.Stored() {
			continue
		}
		switch {
		case typ.IsFloat() && info.Shape != ir.ShapeCompare:
			continue
		case op == ir.Div || op == ir.Rem:
			b.Return(b.Must(op, p[0], p[2]))
		default:
			b.Return(b.Must(op, p[:info.Arity]...))
		}
	}
	for to := ir.Bool; to < ir.Tuple; to++ {
		if v, err := b.Emit(ir.Convert, to, p[0]); err == nil {
			b.Return(v)
		}
	}
	return b.Func()
}

// A zero divisor is reported wherever it is; what lies behind the last element is not looked at; nothing traps.
func TestDivideByZero(t *testing.T) {
	for i, target := range runnable(t) {
		for typ := ir.Int8; typ <= ir.Uint64; typ++ {
			if (i+int(typ))%2 == 1 {
				continue
			}
			b := ir.NewBuilder("divide")
			x, y := b.Param("x", typ, ir.Unknown), b.Param("y", typ, ir.Unknown)
			b.Return(b.Must(ir.Div, x, y))
			b.Return(b.Must(ir.Rem, x, y))
			k := build(t, b.Func(), 1, target)
			for _, n := range []int{1, 2, 7, 63, 64, 65, 500} {
				for _, stride := range []int{1, 2} {
					for _, at := range []int{-1, 0, n / 2, n - 1} {
						xs, ys := make([]uint64, n*stride), make([]uint64, n*stride)
						for i := 0; i < n*stride; i += stride { // between the elements there are zeros
							xs[i], ys[i] = 1<<(8*typ.Size()-1), mask(typ) // the least number by -1
							if i == at*stride {
								ys[i] = 0
							}
						}
						operands := []view{column(typ, xs), column(typ, ys), column(typ, make([]uint64, n)), column(typ, make([]uint64, n))}
						operands[0].stride[0] *= stride
						operands[1].stride[0] *= stride
						want := jit.FaultNone
						if at >= 0 {
							want = jit.FaultDivide
						}
						if got := faultOf(k, n, operands...); got != want {
							t.Fatalf("%s %v: %d elements, stride %d, zero at %d: fault %d", target.Name, typ, n, stride, at, got)
						}
					}
				}
			}
		}
	}
}
