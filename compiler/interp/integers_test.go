package interp

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// bit is bit i of x.
func bit[T integer](x T, i uint64) uint64 { return uint64(x) >> i & 1 }

// goInts computes every operation of integers by Go's own operators, those of bits bit by bit.
func goInts[T integer](op ir.Op, x, y T) (T, bool) {
	width := uint64(0)
	for z := ^T(0); z != 0; z <<= 1 {
		width++
	}
	count := uint64(y)
	if width < 64 {
		count &= 1<<width - 1
	}
	switch op {
	case ir.Add:
		return x + y, true
	case ir.Sub:
		return x - y, true
	case ir.Mul:
		return x * y, true
	case ir.Div:
		return x / y, true
	case ir.Rem:
		return x % y, true
	case ir.Neg:
		return -x, true
	case ir.Abs:
		if x < 0 {
			return -x, true
		}
		return x, true
	case ir.Min:
		return min(x, y), true
	case ir.Max:
		return max(x, y), true
	case ir.And:
		return x & y, true
	case ir.Or:
		return x | y, true
	case ir.Xor:
		return x ^ y, true
	case ir.AndNot:
		return x &^ y, true
	case ir.Not:
		return ^x, true
	case ir.Shl:
		return x << count, true
	case ir.Shr:
		return x >> count, true
	case ir.RotateLeft:
		for range count % width {
			x = x<<1 | T(bit(x, width-1))
		}
		return x, true
	case ir.Reverse:
		var z T
		for i := range width {
			z |= T(bit(x, i)) << (width - 1 - i)
		}
		return z, true
	case ir.ReverseBytes:
		var z T
		for i := range width {
			z |= T(bit(x, i)) << (width - 8 - i/8*8 + i%8)
		}
		return z, true
	case ir.OnesCount:
		n := T(0)
		for i := range width {
			n += T(bit(x, i))
		}
		return n, true
	case ir.LeadingZeros:
		n := uint64(0)
		for n < width && bit(x, width-1-n) == 0 {
			n++
		}
		return T(n), true
	case ir.TrailingZeros:
		n := uint64(0)
		for n < width && bit(x, n) == 0 {
			n++
		}
		return T(n), true
	case ir.Lt:
		return T(truth(x < y)), true
	case ir.Le:
		return T(truth(x <= y)), true
	case ir.Eq:
		return T(truth(x == y)), true
	case ir.Ne:
		return T(truth(x != y)), true
	}
	return 0, false
}

// Integers are Go's: all pairs of 8 bits, and pairs of special and random values of the others.
func TestIntegersAreGos(t *testing.T) {
	testIntegers[int8](t, ir.Int8)
	testIntegers[int16](t, ir.Int16)
	testIntegers[int32](t, ir.Int32)
	testIntegers[int64](t, ir.Int64)
	testIntegers[uint8](t, ir.Uint8)
	testIntegers[uint16](t, ir.Uint16)
	testIntegers[uint32](t, ir.Uint32)
	testIntegers[uint64](t, ir.Uint64)
}

func pairs[T integer](typ ir.Type) (xs, ys []T) {
	if typ.Size() == 1 {
		for x := range 256 {
			for y := range 256 {
				xs, ys = append(xs, T(x)), append(ys, T(y))
			}
		}
		return xs, ys
	}
	r := rand.New(rand.NewPCG(uint64(typ), 1))
	var list []T
	for bits := range 64 {
		for d := range 3 {
			list = append(list, T(uint64(1)<<bits+uint64(d)-1), T(-(int64(1)<<bits + int64(d) - 1)))
		}
	}
	for range 200 {
		list = append(list, T(r.Uint64()))
	}
	for _, x := range list {
		for range 50 {
			xs, ys = append(xs, x), append(ys, list[r.IntN(len(list))])
		}
	}
	return xs, ys
}

func testIntegers[T integer](t *testing.T, typ ir.Type) {
	xs, ys := pairs[T](typ)
	for op := ir.Op(1); op < ir.NumOps; op++ {
		if op.Leaf() || !op.Takes(typ) || op == ir.Select || op == ir.Convert {
			continue
		}
		in := []Column{{Ints: xs}, {Ints: ys}}[:op.Info().Arity]
		if op == ir.Div || op == ir.Rem {
			if err := compile(t, single(op, typ)).Run(len(xs), in, []Column{MakeColumn(typ, len(xs))}); !errors.Is(err, ErrDivide) {
				t.Errorf("%v %v by zero: %v", typ, op, err)
			}
			divisors := append([]T(nil), ys...)
			for i, y := range divisors {
				if y == 0 {
					divisors[i] = 1
				}
			}
			in[1].Ints = divisors
		}
		p := compile(t, single(op, typ))
		out := MakeColumn(p.results[0].typ, len(xs))
		if err := p.Run(len(xs), in, []Column{out}); err != nil {
			t.Fatalf("%v %v: %v", typ, op, err)
		}
		for i, x := range xs {
			y := T(0)
			if len(in) > 1 {
				y = in[1].Ints.([]T)[i]
			}
			want, ok := goInts(op, x, y)
			if !ok {
				t.Fatalf("no twin of %v", op)
			}
			var got T
			if out.Bool != nil {
				got = T(truth(out.Bool[i]))
			} else {
				got = out.Ints.([]T)[i]
			}
			if got != want {
				t.Fatalf("%v %v of %d, %d is %d, Go says %d", typ, op, x, y, got, want)
			}
		}
	}
}

// Stored types: widening is exact and inverse to rounding, and rounding is to the nearest, ties to even.
func TestStoredTypes(t *testing.T) {
	for _, typ := range []ir.Type{ir.Float16, ir.BFloat16} {
		digits, least, most := 11, 0x1p-24, 65504.
		if typ == ir.BFloat16 {
			digits, least, most = 8, 0x1p-133, 0x1.fep127
		}
		for bits := range 1 << 16 {
			x := ir.Unstore(typ, uint16(bits))
			if got := ir.Store(typ, x); got != uint16(bits) && !(x != x && ir.Unstore(typ, got) != ir.Unstore(typ, got)) {
				t.Fatalf("%v: %#x is %g, which is %#x", typ, bits, x, got)
			}
		}
		r := rand.New(rand.NewPCG(5, 6))
		for range 300_000 {
			x := math.Float32frombits(r.Uint32())
			if r.IntN(2) == 0 { // near a tie
				x = ir.Unstore(typ, uint16(r.Uint32()))
				y := ir.Unstore(typ, ir.Store(typ, x)+1)
				x = float32((float64(x) + float64(y)) / 2)
			}
			if x != x || math.IsInf(float64(x), 0) {
				continue
			}
			got := float64(ir.Unstore(typ, ir.Store(typ, x)))
			ulp := math.Max(least, math.Ldexp(1, math.Ilogb(float64(x))+1-digits))
			want := math.RoundToEven(float64(x)/ulp) * ulp
			if math.Abs(want) > most {
				want = math.Copysign(math.Inf(1), want)
			}
			if got != want || math.Signbit(got) != math.Signbit(float64(x)) {
				t.Fatalf("%v: %g is stored as %g, want %g", typ, x, got, want)
			}
		}
	}
}

// A float that no integer holds becomes the nearest that there is; NaN becomes 0.
func TestFloatToInteger(t *testing.T) {
	for _, c := range []struct {
		t    ir.Type
		x    float64
		want int64
	}{
		{ir.Int8, 127.9, 127}, {ir.Int8, 128, 127}, {ir.Int8, -128.9, -128}, {ir.Int8, -1e30, -128}, {ir.Int8, math.NaN(), 0},
		{ir.Uint8, -0.9, 0}, {ir.Uint8, -3, 0}, {ir.Uint8, 255.5, 255}, {ir.Uint8, 256, 255},
		{ir.Int32, 2147483648, math.MaxInt32}, {ir.Int64, 0x1p63, math.MaxInt64}, {ir.Int64, -0x1p63, math.MinInt64},
		{ir.Int64, math.Inf(-1), math.MinInt64}, {ir.Uint32, 4294967295.5, math.MaxUint32}, {ir.Uint64, math.Inf(1), -1},
		{ir.Uint64, 0x1p63, math.MinInt64}, {ir.Uint64, -1, 0}, {ir.Int16, -1.5, -1},
	} {
		if got := c.t.FromFloat(c.x); got != c.want {
			t.Errorf("%v(%g) is %d, want %d", c.t, c.x, got, c.want)
		}
	}
}
