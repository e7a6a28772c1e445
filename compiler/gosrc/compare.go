package gosrc

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Compare holds the program f against the Go function fn that it is said to be: eval, which interprets f on bits, and fn must give the same
// bits (any NaN for any NaN) on some hundred points: special values, random bit patterns, moderate values, values of the declared domain.
// The points are the same in every run. The error wraps ErrDiffers and shows the first point that differs.
//
// Two things make Go itself differ from the program. Where the compiler fuses x*y + z (arm64 and others, GOAMD64=v3), a result may be off by 2^-10 (float32) or 2^-30
// (float64) of itself, and one point in 8, where terms cancel, by anything. And where f has functions that math evaluates a little otherwise than
// ir defines them, one point in 32 may be off: float32 functions, rounded twice, and Log of float64 subnormals, which amd64 gets wrong.
//
// eval must be of [Checked](f). Where a float out of range becomes an integer, Go leaves the result to the machine, and the point is passed over;
// where eval divides an integer by zero it must err, and fn panic; fn may also panic for a quotient that no result needs. Points where eval gives up on a loop, with an error that wraps ErrEndless, are
// passed over.
func Compare(f *ir.Func, fn any, eval func(in, out []uint64) error) error {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return fmt.Errorf("%w: %T is no function", ErrDiffers, fn)
	}
	sig, err := signatureOf(v.Type())
	if err != nil {
		return err
	}
	if len(sig.params) != len(f.Params) || len(sig.results) != len(f.Results) {
		return fmt.Errorf("%w: %v has other parameters or results than the program", ErrDiffers, v.Type())
	}
	fused := fuses(1+0x1p-52, 1-0x1p-52, -1) && f.Count(ir.Mul) > 0 && f.Count(ir.Add)+f.Count(ir.Sub) > 0
	allowed := 0
	switch {
	case fused:
		allowed = points / 8
	case loose(f):
		allowed = points / 32
	}
	in, out := make([]uint64, len(f.Params)), make([]uint64, len(f.Results)+1)
	rng := rand.New(rand.NewPCG(1, 2))
	var first error
	for p := range points {
		for i, param := range f.Params {
			in[i] = sample(rng, p, param)
		}
		fault := eval(in, out)
		if errors.Is(fault, ErrEndless) {
			continue
		}
		results, err := invoke(v, sig, in)
		switch {
		case err == nil && fault != nil:
			return fmt.Errorf("%w: %s does not panic, the source says: %w", ErrDiffers, call(f, sig, in), fault)
		case err != nil && fault == nil && !strings.Contains(err.Error(), "integer divide by zero"):
			return fmt.Errorf("%w: %s panics: %w", ErrDiffers, call(f, sig, in), err)
		case err != nil || out[len(results)] == 0:
			continue
		}
		for i, r := range results {
			t := sig.results[i]
			got := bitsOf(t, r)
			x, y := ir.BitsFloat(t, got), ir.BitsFloat(t, out[i])
			if got == out[i] || t.IsFloat() && (same(x, y) || fused && near(t, x, y)) {
				continue
			}
			if first == nil {
				first = fmt.Errorf("%w: result %d of %s is %s, the source says %s", ErrDiffers, i, call(f, sig, in), text(t, got), text(t, out[i]))
			}
			allowed--
			break
		}
		if allowed < 0 {
			return first
		}
	}
	return nil
}

// points is how many are compared: enough for a few in every binade of float32, and a few tenths of a millisecond.
const points = 512

// fuses reports whether this machine's compiler rounds x*y + z once. It sees 1 - 2^-104 for the product, which rounds to 1.
//
//go:noinline
func fuses(x, y, z float64) bool { return x*y+z != float64(x*y)+z }

// loose reports whether f has functions that may differ from package math's.
func loose(f *ir.Func) bool {
	for _, n := range f.Nodes {
		if n.Type == ir.Float32 && n.Op.Info().Function || n.Op == ir.Log {
			return true
		}
	}
	return false
}

func same(x, y float64) bool {
	return x != x && y != y || math.Float64bits(x) == math.Float64bits(y)
}

func near(t ir.Type, x, y float64) bool {
	eps := 0x1p-30
	if t == ir.Float32 {
		eps = 0x1p-10
	}
	return !math.IsInf(x, 0) && math.Abs(x-y) <= eps*math.Abs(x)
}

var specials = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, -2, 3, 10, -10, 0.1, 88, -88, 104, -104, 709, -745,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-126, math.MaxFloat64,
	math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p23, 0x1p24, 0x1p53, 1 + 0x1p-23, 1 - 0x1p-24, 1 + 0x1p-52,
}

// sample draws the bits of parameter param at point p: first every special for all parameters at once, then in turn random bits,
// moderate numbers and, mixed with them, specials and numbers of the domain.
func sample(rng *rand.Rand, p int, param ir.Parameter) uint64 {
	if p < len(specials) {
		return ir.ConstBits(param.Type, specials[p])
	}
	r := rng.Uint64()
	switch r % 8 {
	case 0:
		return ir.ConstBits(param.Type, specials[rng.IntN(len(specials))])
	case 1, 2:
		if param.Fact.Finite() {
			return ir.ConstBits(param.Type, param.Fact.Lo+rng.Float64()*(param.Fact.Hi-param.Fact.Lo))
		}
		return ir.ConstBits(param.Type, 16*rng.Float64()-8)
	case 3, 4, 5:
		return ir.ConstBits(param.Type, 4*rng.NormFloat64())
	}
	bits := rng.Uint64() >> (64 - 8*param.Type.Size())
	switch {
	case param.Type == ir.Bool:
		return bits & 1
	case param.Type.IsInteger():
		return bits
	}
	return ir.ConstBits(param.Type, ir.BitsFloat(param.Type, bits)) // quiets NaNs
}

// invoke calls fn on bits.
func invoke(fn reflect.Value, sig signature, in []uint64) (out []reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	args := make([]reflect.Value, len(in))
	for i, bits := range in {
		arg := reflect.New(fn.Type().In(i)).Elem()
		switch t := sig.params[i]; {
		case t == ir.Bool:
			arg.SetBool(bits != 0)
		case t.IsSigned():
			arg.SetInt(ir.BitsInt(t, bits))
		case t.IsInteger():
			arg.SetUint(bits)
		default:
			arg.SetFloat(ir.BitsFloat(t, bits))
		}
		args[i] = arg
	}
	return fn.Call(args), nil
}

// bitsOf is a result as a program has it; a NaN is the quiet one.
func bitsOf(t ir.Type, v reflect.Value) uint64 {
	switch {
	case t == ir.Bool && v.Bool():
		return 1
	case t == ir.Bool:
		return 0
	case t.IsSigned():
		return ir.IntBits(t, v.Int())
	case t.IsInteger():
		return v.Uint()
	}
	return ir.ConstBits(t, v.Float())
}

func call(f *ir.Func, sig signature, in []uint64) string {
	args := make([]string, len(in))
	for i, bits := range in {
		args[i] = text(sig.params[i], bits)
	}
	return f.Name + "(" + strings.Join(args, ", ") + ")"
}

func text(t ir.Type, bits uint64) string {
	switch {
	case t == ir.Bool:
		return strconv.FormatBool(bits != 0)
	case t.IsSigned():
		return strconv.FormatInt(ir.BitsInt(t, bits), 10)
	case t.IsInteger():
		return strconv.FormatUint(bits, 10)
	}
	return strconv.FormatFloat(ir.BitsFloat(t, bits), 'x', -1, 8*t.Size())
}

// Checked returns f with one more result: whether every float that becomes an integer is one that the integer's type holds.
func Checked(f *ir.Func) *ir.Func {
	b := ir.NewBuilder(f.Name)
	for _, p := range f.Params {
		b.Param(p.Name, p.Type, p.Fact)
	}
	all := checked(b, f, b.Const(ir.Bool, 1))
	b.Return(all)
	return b.Func()
}

// checked adds the nodes of f and returns its results, and all if every conversion in f is as Checked says.
func checked(b *ir.Builder, f *ir.Func, all ir.Value) ir.Value {
	remap := make([]ir.Value, len(f.Nodes))
	loops := map[ir.Value][]ir.Value{}
	for i, n := range f.Nodes {
		switch n.Op {
		case ir.Param:
			remap[i] = ir.Value(n.Imm)
		case ir.Empty, ir.Append:
		case ir.Loop:
			body := f.Body(n)
			inner := ir.NewBuilder(body.Name)
			var args []ir.Value
			for j, a := range f.Elements(n.Args[0]) {
				args = append(args, remap[a])
				inner.Param(body.Params[j].Name, body.Params[j].Type, ir.Unknown)
			}
			inner.Return(checked(inner, body, inner.Param("checked", ir.Bool, ir.Unknown)))
			results, err := b.Loop(inner.Func(), append(args, all)...)
			if err != nil {
				panic(err) // a verified loop with one variable more
			}
			loops[ir.Value(i)], all = results, results[len(args)]
		case ir.Proj:
			remap[i] = loops[n.Args[0]][n.Imm]
		default:
			remap[i] = b.Copy(f, n, n.Through(remap)...)
		}
		if n.Op == ir.Convert && n.Type.IsInteger() && f.Nodes[n.Args[0]].Type.IsFloat() {
			t, x := f.Nodes[n.Args[0]].Type, remap[n.Args[0]]
			bits := 8 * n.Type.Size()
			lo, hi := -1., math.Ldexp(1, bits) // exclusive
			if n.Type.IsSigned() {
				lo, hi = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
			}
			above, below := b.Must(ir.Lt, b.Const(t, lo), x), b.Must(ir.Lt, x, b.Const(t, hi))
			all = b.Must(ir.And, all, b.Must(ir.And, above, below))
		}
	}
	for _, r := range f.Results {
		b.Return(remap[r])
	}
	return all
}
