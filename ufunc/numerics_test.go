package ufunc_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

// Numerical faults that other libraries have had, each as a whole kind.

func bits(b uint32) float32 { return math.Float32frombits(b) }

// known compares a kernel with known values: within 4 ulp, special values and zeros exactly.
func known(t *testing.T, name string, f func(in, out []float32), want map[float32]float32) {
	t.Helper()
	for x, w := range want {
		var y [1]float32
		f([]float32{x}, y[:])
		exact := w != w || math.IsInf(float64(w), 0) || w == 0
		if !same(y[0], w) && (exact || !(math.Abs(float64(y[0])-float64(w)) <= 4*spacing(float64(w)))) {
			t.Errorf("%s(%g) = %g, want %g", name, x, y[0], w)
		}
	}
}

// C01 and C03: a rational tanh without a clamp falls to 0 outside of its range; one with a clamp leaves [-1, 1] near 8. Neighbours within the default
// contract need not be in order; correctly rounded ones are.
func TestTanhShape(t *testing.T) {
	f, correct := ufunc.Vectorize1[float32](tanh32), ufunc.Vectorize1[float32](tanh32, ufunc.CorrectlyRounded())
	known(t, "tanh", f, map[float32]float32{3: 0.9950548, 4: 0.9993293, 5: 0.99990920, 10: 1, -10: -1, 20: 1, 1000: 1, 7.5: bits(0x3f7ffff6),
		7.99881172: bits(0x3f7ffffc), 8.9: bits(0x3f7fffff), 9.01: bits(0x3f7fffff), 9.02: 1})
	first, last := math.Float32bits(7), math.Float32bits(9.1)
	in := make([]float32, last-first+1)
	for i := range in {
		in[i] = bits(first + uint32(i))
	}
	up, down := make([]float32, len(in)), make([]float32, len(in))
	right := make([]float32, len(in))
	f(in, up)
	correct(in, right)
	for i := range in {
		in[i] = -in[i]
	}
	f(in, down)
	for i, y := range up {
		if y > 1 || down[i] != -y || i > 0 && right[i] < right[i-1] {
			t.Fatalf("tanh(±%x) = %x, %x after %x", -in[i], y, down[i], up[max(i-1, 0)])
		}
	}
}

// C01 and C05: gelu where formulas halve large activations, keep negative ones alive, or are 0·Inf: the library's functions have the limits.
func TestGeluEnds(t *testing.T) {
	negZero := float32(math.Copysign(0, -1))
	known(t, "gelu tanh", ufunc.Vectorize1[float32](geluTanh32), map[float32]float32{nan: nan, inf: inf, -inf: negZero, 3: bits(0x403fc468), 4: 3.9999297,
		5: 4.9999998, 10: 10, -3: bits(0xbb6e6150), -5: bits(0xb476146a), -10: -1.20409239e-37, 20: 20, 1000: 1000, 44951: 44951, 1e30: 1e30, -1e30: negZero})
	known(t, "gelu", ufunc.Vectorize1[float32](gelu32), map[float32]float32{nan: nan, inf: inf, -inf: negZero, -0.0262167491: bits(0xbc524690),
		0.1117739156: bits(0x3d79491f), 1e30: 1e30, -1e30: negZero})
}

// C07: log(1 + e^x) overflows from 89 on and is 0 below -16.6; no form may be rewritten into a worse one.
func TestSoftplusTails(t *testing.T) {
	want := map[float32]float32{-89: bits(0x001840fc), -20: bits(0x310da433), -17: bits(0x3331cf18), 17: 17, 89: 89, 100: 100, 104: 104, inf: inf, -inf: 0}
	known(t, "softplus", ufunc.Vectorize1[float32](softplus32), want)
	written := ufunc.Vectorize1[float32](func(x float32) float32 { return ufunc.Log1p(ufunc.Exp(x)) })
	known(t, "log1p(exp)", written, map[float32]float32{-20: 2.0611537e-9, -17: bits(0x3331cf18), 14: 14.000001})
}

// What is subnormal in float64 is measured too: 1/(1 + e^-x) is 0 from -709.8 down, where the value is not.
func TestSubnormalResults64(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(ufunc.Value) ufunc.Value
		want func(x float64) float64 // at -745 < x < -709
	}{
		{"exp", ufunc.Value.Exp, math.Exp},
		{"sigmoid", ufunc.Value.Sigmoid, math.Exp},
		{"softplus", ufunc.Value.Softplus, math.Exp},
		{"silu", ufunc.Value.Silu, func(x float64) float64 { return math.Exp(x+math.Log(-x)) * -1 }},
	} {
		f := ufunc.Vectorize1[float64](c.f)
		for x := -744.5; x < -708; x += 0.0625 {
			var y [1]float64
			f([]float64{x}, y[:])
			if want := c.want(x); !(math.Abs(y[0]-want) <= 4*math.SmallestNonzeroFloat64+1e-12*math.Abs(want)) {
				t.Errorf("%s(%g) = %g, want %g", c.name, x, y[0], want)
				break
			}
		}
	}
}

// C17: x^y through exp(y log x) is NaN for negative x, and wrong at special pairs.
func TestPowSpecials(t *testing.T) {
	f := ufunc.Vectorize2[float32](func(x, y float32) float32 { return ufunc.Pow(x, y) })
	for _, c := range [][3]float32{{-4, 2, 16}, {-2, 3, -8}, {-2, -3, -0.125}, {-0.5881598, 2, bits(0x3eb11dfe)}, {-100, -77.9, nan}, {0, 0, 1}, {0, -1, inf},
		{float32(math.Copysign(0, -1)), -3, -inf}, {1, nan, 1}, {nan, 0, 1}, {-1, inf, 1}, {-inf, 3, -inf}} {
		var y [1]float32
		f(c[:1], c[1:2], y[:])
		if !same(y[0], c[2]) && !(math.Abs(float64(y[0]-c[2])) <= 4*spacing(float64(c[2]))) {
			t.Errorf("pow(%g, %g) = %g, want %g", c[0], c[1], y[0], c[2])
		}
	}
}

// C20: a short reduction is wrong for large angles, and leaves [-1, 1].
func TestLargeAngles(t *testing.T) {
	sin, cos := ufunc.Vectorize1[float32](sin32), ufunc.Vectorize1[float32](cos32)
	known(t, "sin", sin, map[float32]float32{355: bits(0xb7fcde82), 1e5: bits(0x3d126d55), 16793388: bits(0xbf7887ea), 1e9: bits(0x3f0bbc65), 1e10: bits(0xbef99a64), 1e20: bits(0x3f281569)})
	known(t, "cos", cos, map[float32]float32{16786764: bits(0xbf7b3210), 1e10: bits(0x3f5f84c5)})
	rng := rand.New(rand.NewPCG(41, 42))
	in, s, c := make([]float32, 1<<20), make([]float32, 1<<20), make([]float32, 1<<20)
	for i := range in {
		in[i] = bits(0x42000000 + rng.Uint32N(0x7f800000-0x42000000)) // 32 and more
	}
	sin(in, s)
	cos(in, c)
	for i, x := range in {
		if !(math.Abs(float64(s[i])) <= 1) || !(math.Abs(float64(c[i])) <= 1) || math.Abs(float64(s[i])*float64(s[i])+float64(c[i])*float64(c[i])-1) > 1e-6 {
			t.Fatalf("at %g: sin %g, cos %g", x, s[i], c[i])
		}
	}
}

// C22: f(x) does not depend on where x lies, how long the vector is, its stride, or the number of threads.
func TestSameBitsEverywhere(t *testing.T) {
	for _, fn := range []struct {
		name string
		f    func(float32) float32
	}{{"tanh", tanh32}, {"exp", exp32}, {"log", log32}, {"expm1", expm132}, {"log1p", log1p32}, {"sin", sin32}, {"cos", cos32}, {"erf", erf32}, {"sigmoid", sigmoid32},
		{"silu", silu32}, {"softplus", softplus32}, {"gelu_erf", gelu32}, {"gelu_tanh", geluTanh32}, {"mish", mish32}, {"elu", elu32}, {"selu", selu32}, {"pow3", pow3},
		{"powm2", powm2}, {"sqrt", sqrt32}} {
		f := ufunc.Vectorize(fn.f, ufunc.Float32, 1)
		threaded := ufunc.Vectorize1[float32](fn.f, ufunc.Threads(0))
		for k, r := range values(t, fn.name) {
			one := make([]float32, 1)
			f([]float32{r.in}, one)
			if k%10 == 0 {
				all := make([]float32, 30_000+k)
				for i := range all {
					all[i] = r.in
				}
				threaded(all, all)
				for i, got := range all {
					if !same(got, one[0]) {
						t.Fatalf("%s(%g) = %x alone, %x at %d of %d on several threads", fn.name, r.in, one[0], got, i, len(all))
					}
				}
			}
			for _, n := range []int{1 + k%67, 67} {
				for _, stride := range []int{1, 2, -1} {
					offset := k % 16
					in, out := make([]float32, offset+2*n), make([]float32, offset+2*n)
					for i := range in {
						in[i] = r.in
					}
					f(blas32.Vector{N: n, Data: in[offset:], Inc: stride}, blas32.Vector{N: n, Data: out[offset:], Inc: stride})
					for i := range n {
						if got := out[offset+i*max(stride, -stride)]; !same(got, one[0]) {
							t.Fatalf("%s(%g) = %x alone, %x at %d of %d, stride %d", fn.name, r.in, one[0], got, i, n, stride)
						}
					}
				}
			}
		}
	}
}

// C26: contraction makes x*x - y*y differ from 0 for equal operands. Strict forbids it.
func TestStrictDoesNotContract(t *testing.T) {
	square := ufunc.Vectorize2[float32](func(x, y float32) float32 { return x*x - y*y }, ufunc.Strict())
	tenth := ufunc.Vectorize1[float32](func(x float32) float32 { return x*10 - 1 }, ufunc.Strict())
	var y [2]float32
	square([]float32{1.1}, []float32{1.1}, y[:1])
	tenth([]float32{0.1}, y[1:])
	if y != [2]float32{} {
		t.Errorf("%v, want zeros", y)
	}
}

// C30: clamps a little off make exp infinite too early, or flush its subnormal results.
func TestExpEnds(t *testing.T) {
	f := ufunc.Vectorize1[float32](exp32)
	want := map[float32]float32{bits(0x42b17217): bits(0x7f7fff84), bits(0x42b17218): inf, -95: bits(0x00000f64), 104: inf, -104: 0}
	for _, r := range values(t, "exp") {
		want[r.in] = r.want
	}
	known(t, "exp", f, want)
}

// C33: a comparison and a choice keep NaN or lose it by the order of the operands, and zeros too.
func TestMaxOrder(t *testing.T) {
	most := ufunc.Vectorize2[float32](func(x, y float32) float32 { return ufunc.Max(x, y) })
	least := ufunc.Vectorize2[float32](func(x, y float32) float32 { return ufunc.Min(x, y) })
	negZero := float32(math.Copysign(0, -1))
	x := []float32{nan, 1, negZero, 0, 1, -inf}
	y := []float32{1, nan, 0, negZero, 2, inf}
	a, b := make([]float32, len(x)), make([]float32, len(x))
	most(x, y, a)
	least(x, y, b)
	for i, want := range [][2]float32{{nan, nan}, {nan, nan}, {0, negZero}, {0, negZero}, {2, 1}, {inf, -inf}} {
		if !same(a[i], want[0]) || !same(b[i], want[1]) {
			t.Errorf("max and min of %g and %g: %g and %g, want %v", x[i], y[i], a[i], b[i], want)
		}
	}
}

// Sign, Ldexp, and the exact functions' special values.
func TestExactFunctions(t *testing.T) {
	negZero := float32(math.Copysign(0, -1))
	known(t, "sign", ufunc.Vectorize1[float32](func(x float32) float32 { return ufunc.Sign(x) }),
		map[float32]float32{5: 1, -1e-45: -1, inf: 1, -inf: -1, nan: nan})
	sign := ufunc.Vectorize1[float32](func(x float32) float32 { return ufunc.Sign(x) })
	var y [2]float32
	sign([]float32{0, negZero}, y[:])
	if !same(y[0], 0) || !same(y[1], negZero) {
		t.Errorf("sign of zeros: %v", y)
	}
	scale := ufunc.Vectorize2[float32](func(x, k float32) float32 { return ufunc.Ldexp(x, k) })
	x, k := []float32{1, 3, 1, 0x1.8p-126, nan, inf, 1}, []float32{-149, -151, 200, -1, 3, -5, -150}
	out := make([]float32, len(x))
	scale(x, k, out)
	if want := []float32{1e-45, 1e-45, inf, 0x1.8p-127, nan, inf, 0}; !slices.EqualFunc(out, want, same) {
		t.Errorf("ldexp: %v, want %v", out, want)
	}
}
