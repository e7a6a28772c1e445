package native

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
)

// fused is a·b + c rounded once.
func fused(a, b, c float32) float32 {
	p, z := float64(a)*float64(b), float64(c) // the product is exact
	sum := p + z
	back := sum - p
	lost := (p - (sum - back)) + (z - back)
	if bits := math.Float64bits(sum); lost != 0 && bits&1 == 0 { // to odd
		if (lost > 0) == (sum > 0) {
			sum = math.Float64frombits(bits + 1)
		} else {
			sum = math.Float64frombits(bits - 1)
		}
	}
	return float32(sum)
}

// near lists the floats within a distance of x.
func near(list []float32, x, distance float64) []float32 {
	list = list[:0]
	first := float32(x - distance)
	if float64(first) < x-distance {
		first = math.Nextafter32(first, 4)
	}
	for f := first; float64(f) <= x+distance; f = math.Nextafter32(f, 4) {
		list = append(list, f)
	}
	return list
}

// rootUlps bounds the errors of g and h before the last step, in ulps of the root and of half its reciprocal.
const rootUlps = 1.1

// rootFrom is the root of x by steps from an estimate of its reciprocal, and g and h before the last one.
func rootFrom(x, y float32) (root, g, h float32) {
	g, h = x*y, y/2
	r := fused(-g, h, 0.5)
	g, h = fused(g, r, g), fused(h, r, h)
	return fused(fused(-g, g, x), h, g), g, h
}

// The last step rounds the root correctly whatever g and h an estimate within 2^-14 leads to: for every x in [1, 4), which is
// every significand with either parity of the exponent, all floats within rootUlps are tried, and where that is not enough, as
// no one x leads to all of them, all estimates. Together with TestRootEstimates this is a proof.
func TestRootByAnyEstimate(t *testing.T) {
	var gs, hs, ys []float32
	tried, hard, most := 0, 0, 0
	for bits := math.Float32bits(1); bits < math.Float32bits(4); bits++ {
		x := math.Float32frombits(bits)
		s := math.Sqrt(float64(x))
		want := float32(s) // rounding twice is innocuous: Figueroa, "When is double rounding innocuous?", 1995
		gs, hs = near(gs, s, rootUlps*0x1p-23), near(hs, 0.5/s, rootUlps*0x1p-25)
		right := true
		for _, g := range gs {
			d := float32(float64(x) - float64(g)*float64(g)) // the difference is exact in float64
			for _, h := range hs {
				tried++
				right = right && fused(d, h, g) == want
			}
		}
		if right {
			continue
		}
		hard++
		ys = near(ys, 1/s, (1+0x1p-40)*0x1p-14/s)
		most = max(most, len(ys))
		for _, y := range ys {
			if got, _, _ := rootFrom(x, y); got != want {
				t.Fatalf("sqrt(%x) from the estimate %x: %x, want %x", x, y, got, want)
			}
		}
	}
	t.Log(tried, "combinations,", hard, "arguments by all of up to", most, "estimates")
	if tried < 4<<24 || hard > 0 && most < 1<<10 {
		t.Errorf("only %d combinations were tried, and %d estimates of %d arguments", tried, most, hard)
	}
}

// An iteration from any estimate within 2^-14 ends within rootUlps.
func TestRootEstimates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for bits := math.Float32bits(1); bits < math.Float32bits(4); bits += 1 + rng.Uint32N(15) {
		x := math.Float32frombits(bits)
		s := math.Sqrt(float64(x))
		for _, e := range []float64{-0x1p-14, 0x1p-14, 0, (2*rng.Float64() - 1) * 0x1p-14} {
			y := float32((1 + e) / s)
			if math.Abs(float64(y)*s-1) > 0x1p-14 {
				y = math.Nextafter32(y, float32(1/s))
			}
			_, g, h := rootFrom(x, y)
			if dg, dh := float64(g)-s, float64(h)-0.5/s; math.Abs(dg) > rootUlps*0x1p-23 || math.Abs(dh) > rootUlps*0x1p-25 {
				t.Fatalf("sqrt(%x), estimate %x: g is off by %g ulps, h by %g", x, y, dg*0x1p23, dh*0x1p25)
			}
		}
	}
}

// rootProgram has roots of what is computed, and other work.
func rootProgram() *ir.Func {
	b := ir.NewBuilder("roots")
	x, y := b.Param("x", ir.Float32, ir.Unknown), b.Param("y", ir.Float32, ir.Unknown)
	r := b.Must(ir.Sqrt, b.Must(ir.Mul, x, y))
	b.Return(b.Must(ir.Add, r, b.Must(ir.Sqrt, b.Must(ir.Abs, y))))
	b.Return(r)
	return b.Func()
}

// withSteps is the host if it makes roots by steps.
func withSteps(t *testing.T) Target {
	t.Helper()
	for _, target := range runnable(t) {
		if rooted(rootProgram(), target) {
			return target
		}
	}
	t.Skip("no target that runs here makes roots by steps")
	return Target{}
}

// Every significand at exponents of either parity: next to one, where steps begin, at the ends of the format, and negative.
func TestRootsOfAllSignificands(t *testing.T) {
	target := withSteps(t)
	b := ir.NewBuilder("sqrt")
	b.Return(b.Must(ir.Sqrt, b.Param("x", ir.Float32, ir.Unknown)))
	if !rooted(b.Func(), target) {
		t.Fatal("the root alone is not made by steps")
	}
	k := build(t, b.Func(), 1, target)
	const n = 1 << 16
	in, out := make([]float32, n+16), make([]float32, n+16)
	count, strides := int64(n), [2]int64{4, 4}
	for _, exponent := range []uint32{127, 128, 127 - 103, 127 - 102, 127 - 101, 0, 1, 253, 254, 255, 256 + 127} {
		for start := uint32(0); start < 1<<23; start += n {
			for shift := range 2 { // by a vector: what was by steps is not, and the other way round
				for i := range in {
					in[i] = math.Float32frombits(exponent<<23 | (start+uint32(i))&(1<<23-1))
				}
				at := 16 * shift
				data := [2]unsafe.Pointer{unsafe.Pointer(&in[at]), unsafe.Pointer(&out[at])}
				k.Call(&jit.Args{Data: &data[0], Count: &count, Stride: &strides[0]})
				for i, got := range out[at:][:n] {
					x := in[at+i]
					want := float32(math.Sqrt(float64(x)))
					if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
						t.Fatalf("sqrt(%x) = %x, want %x", x, got, want)
					}
				}
			}
		}
	}
}

// Roots inside a program, beside arguments that steps do not take, at any length, in place, and with an input of stride 0.
func TestRootsAmongOthers(t *testing.T) {
	target := withSteps(t)
	f := rootProgram()
	k := build(t, f, 1, target)
	rng := rand.New(rand.NewPCG(4, 2))
	special := specials(ir.Float32)
	for n := 1; n < 900; n += 1 + n/30 {
		rarity := []float64{0, 0.002, 0.05, 1}[n%4]
		columns := [][]uint64{nil, nil}
		for range n {
			for c := range columns {
				bits := ir.ConstBits(ir.Float32, rng.ExpFloat64()*math.Ldexp(1, rng.IntN(80)-40))
				if rng.Float64() < rarity {
					bits = special[rng.IntN(len(special))]
				}
				columns[c] = append(columns[c], bits)
			}
		}
		fixed := n%3 == 1
		if fixed {
			for i := range columns[1] {
				columns[1][i] = columns[1][0]
			}
		}
		want := interpret(t, f, n, columns)
		x, y, out := column(ir.Float32, columns[0]), column(ir.Float32, columns[1]), column(ir.Float32, make([]uint64, n))
		second := x
		if n%5 == 0 {
			second = column(ir.Float32, make([]uint64, n))
		}
		if fixed {
			y = column(ir.Float32, columns[1][:1:1])
			y.data = append(y.data, make([]byte, 4*16*16)...)
			for i := range 16 * 16 {
				store(ir.Float32, y.data, 4*i, columns[1][0])
			}
			y.stride[0] = 0
		}
		call(t, k, []int{n}, x, y, out, second)
		for r, v := range []view{out, second} {
			for i := range n {
				if got := load(ir.Float32, v.data, 4*i); !same(ir.Float32, got, want[r][i]) {
					t.Fatalf("%d elements, result %d, element %d: %#x, want %#x of %#x and %#x", n, r, i, got, want[r][i], columns[0][i], columns[1][i])
				}
			}
		}
	}
}

// Steps are for programs that wait for the unit of the roots, and for main loops.
func TestRootsByCost(t *testing.T) {
	for _, target := range Targets() {
		text := emit(t, rootProgram(), 1, target)
		if got := strings.Count(text, "rsqrt14.ps.512("); (got > 0) != target.AVX512 {
			t.Errorf("%s: %d estimates of roots", target.Name, got)
		}
		for _, part := range strings.Split(text, "define ") {
			if !strings.Contains(part, "@contiguous(") && strings.Contains(part, "call <16 x float> @llvm.x86.avx512.rsqrt14") {
				t.Errorf("%s: estimates elsewhere than in the loops:\n%s", target.Name, part)
			}
		}
	}
	v4, err := Lookup("x86-64-v4")
	if err != nil {
		t.Fatal(err)
	}
	for work, want := range map[int]bool{0: true, 30: false} {
		b := ir.NewBuilder("work")
		x := b.Param("x", ir.Float32, ir.Unknown)
		v := b.Must(ir.Sqrt, x)
		for i := range work {
			v = b.Must(ir.FMA, v, x, b.Const(ir.Float32, float64(i)))
		}
		b.Return(v)
		if got := rooted(b.Func(), v4); got != want {
			t.Errorf("a root and %d multiplications: by steps %v", work, got)
		}
		steps, hardware := v4.price(b.Func(), true, noFunction), v4.price(b.Func(), false, noFunction)
		if got := v4.Price(b.Func(), noFunction); got != min(steps, hardware) {
			t.Errorf("a root and %d multiplications: %d, not the lesser of %d and %d", work, got, steps, hardware)
		}
	}
	b := ir.NewBuilder("wide")
	b.Return(b.Must(ir.Sqrt, b.Param("x", ir.Float64, ir.Unknown)))
	if rooted(b.Func(), v4) {
		t.Error("a root of float64 is made by steps of float32")
	}
}
