// Command calibrate measures what operations take on this machine, with kernels that the compiler itself makes, beside what
// the target's model says. A kernel applies one operation sixteen times over to values in the first-level cache; what it takes
// more than a copy is the operation's, with an addition beside it where repeating it would be nothing, and with the wait for its
// operand where that is longer: a look-up's. The unit is the model's: an addition takes 50.
//
//	make calibrate
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"time"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
)

const (
	repeats  = 16   // of the operation, in one element
	elements = 1024 // two columns of them are in the first-level cache
	samples  = 300
	calls    = 50 // in a sample
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "calibrate:", err)
		os.Exit(1)
	}
}

func run() error {
	target, err := native.Host()
	if err != nil {
		return err
	}
	clang, err := jit.FindClang(context.Background(), jit.NewEnv(nil))
	if err != nil {
		return err
	}
	unit := 0.0 // ns per hundredth of a cycle
	fmt.Printf("%s, a vector\n%-12s %9s %9s\n", target.Name, "operation", "measured", "model")
	for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
		idle, err := measure(clang, target, repeated(typ, ir.OpInvalid), typ)
		if err != nil {
			return err
		}
		for _, op := range []ir.Op{ir.Add, ir.Mul, ir.FMA, ir.Div, ir.Sqrt, ir.Abs, ir.Min, ir.Rint, ir.Ldexp, ir.Logb, ir.Mant, ir.Lookup} {
			if target.Costs()[op][typ] == ir.InfiniteCost {
				continue
			}
			f := repeated(typ, op)
			took, err := measure(clang, target, f, typ)
			if err != nil {
				return err
			}
			if unit == 0 {
				unit = (took - idle) / (repeats * 50)
			}
			none := func(ir.Node) ir.Cost { return ir.InfiniteCost }
			model := int(target.Price(f, none)) - int(target.Price(repeated(typ, ir.OpInvalid), none))
			fmt.Printf("%-12s %9.0f %9.0f\n", fmt.Sprintf("%v %v", op, typ), (took-idle)/repeats/unit, float64(model)/repeats)
		}
	}
	return nil
}

// repeated applies an operation to its own result; OpInvalid is a copy.
func repeated(typ ir.Type, op ir.Op) *ir.Func {
	b := ir.NewBuilder(op.String())
	x := b.Param("x", typ, ir.Unknown)
	v := x
	for i := range repeats {
		c := b.Const(typ, 1+float64(i)/64) // another one each time, or equal operations would be one
		switch op {
		case ir.OpInvalid:
		case ir.FMA:
			v = b.Must(op, v, c, x)
		case ir.Lookup:
			table := ir.NewTable(uint8(i%4), 1, 1.5, -1, 0.5, 2, 3, 1.25, 0.75)
			v, _ = b.Lookup(table, v)
		case ir.Min:
			v = b.Must(op, v, b.Must(ir.Add, x, c)) // two operations
		default:
			if op.Info().Arity == 2 {
				v = b.Must(op, v, c)
			} else {
				v = b.Must(op, b.Must(ir.Add, v, c)) // two operations
			}
		}
	}
	b.Return(v)
	return b.Func()
}

// measure is the least time of a vector, in ns.
func measure(clang *jit.Clang, target native.Target, f *ir.Func, typ ir.Type) (float64, error) {
	text, err := native.Emit(f, 1, target)
	if err != nil {
		return 0, err
	}
	object, err := clang.Build(context.Background(), text, jit.BuildOptions{Target: target.Triple, Level: 1})
	if err != nil {
		return 0, err
	}
	kernel, err := jit.Load(object, "yolk_kernel")
	if err != nil {
		return 0, err
	}
	size := typ.Size()
	in, out := make([]uint64, elements*size/8), make([]uint64, elements*size/8)
	for i := range in {
		in[i] = ir.ConstBits(typ, 1.375)
		if typ == ir.Float32 {
			in[i] |= in[i] << 32
		}
	}
	data := [2]unsafe.Pointer{unsafe.Pointer(&in[0]), unsafe.Pointer(&out[0])}
	count, strides := int64(elements), [2]int64{int64(size), int64(size)}
	args := jit.Args{Data: &data[0], Count: &count, Stride: &strides[0]}
	least := math.Inf(1)
	for range samples {
		start := time.Now()
		for range calls {
			kernel.Call(&args)
		}
		least = min(least, float64(time.Since(start).Nanoseconds()))
	}
	runtime.KeepAlive(&data)
	return least / calls / float64(elements*size*8/target.VectorBits), nil
}
