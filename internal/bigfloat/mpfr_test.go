//go:build (linux || darwin) && (amd64 || arm64)

package bigfloat

import (
	"math/big"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-yolk/yolk/internal/golden"
)

// mpfr is the GNU MPFR library, version 4 (soname 6).
type mpfr struct{ handle uintptr }

// openMPFR skips the test where the library is absent.
func openMPFR(t *testing.T) mpfr {
	t.Helper()
	for _, name := range []string{"libmpfr.so.6", "libmpfr.6.dylib"} {
		if h, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL); err == nil {
			return mpfr{h}
		}
	}
	t.Skip("no MPFR on this machine: libmpfr.so.6 (libmpfr.6.dylib) does not load")
	return mpfr{}
}

// mpfrNumber is mpfr_t of a 64-bit platform: sign * 0.limbs * 2^exp, the last
// limb leading with its top bit set.
type mpfrNumber struct {
	prec  int64
	sign  int32
	exp   int64
	limbs *uint64
}

// The values of exp for numbers without limbs.
const (
	mpfrZero = -1<<63 + 1
	mpfrNaN  = -1<<63 + 2
	mpfrInf  = -1<<63 + 3
)

func mpfrPrec(prec uint, pin *runtime.Pinner) *mpfrNumber {
	limbs := make([]uint64, (prec+63)/64)
	pin.Pin(&limbs[0])
	return &mpfrNumber{prec: int64(prec), sign: 1, exp: mpfrZero, limbs: &limbs[0]}
}

func mpfrFrom(x *big.Float, pin *runtime.Pinner) *mpfrNumber {
	z := mpfrPrec(x.Prec(), pin)
	if x.Signbit() {
		z.sign = -1
	}
	switch {
	case x.IsInf():
		z.exp = mpfrInf
	case x.Sign() != 0:
		limbs := unsafe.Slice(z.limbs, (x.Prec()+63)/64)
		m := new(big.Float)
		z.exp = int64(x.MantExp(m))
		i, _ := m.SetMantExp(m, 64*len(limbs)).Int(nil)
		for k, word := range i.Bits() {
			limbs[k] = uint64(word)
		}
	}
	return z
}

func (z *mpfrNumber) float(t *testing.T) *big.Float {
	t.Helper()
	f := new(big.Float).SetPrec(uint(z.prec))
	switch z.exp {
	case mpfrNaN:
		t.Fatal("MPFR has NaN")
	case mpfrInf:
		return f.SetInf(z.sign < 0)
	case mpfrZero:
		return withSign(f, z.sign < 0)
	}
	limbs := unsafe.Slice(z.limbs, (z.prec+63)/64)
	words := make([]big.Word, len(limbs))
	for k, limb := range limbs {
		words[k] = big.Word(limb)
	}
	f.SetInt(new(big.Int).SetBits(words))
	return withSign(f.SetMantExp(f, int(z.exp)-64*len(limbs)), z.sign < 0)
}

// call evaluates mpfr_<name>(z, args..., MPFR_RNDN) to prec bits.
func (l mpfr) call(t *testing.T, name string, prec uint, args ...*big.Float) *big.Float {
	t.Helper()
	f, err := purego.Dlsym(l.handle, "mpfr_"+name)
	if err != nil {
		t.Fatal(err)
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	z := mpfrPrec(prec, &pin)
	pin.Pin(z)
	list := []uintptr{uintptr(unsafe.Pointer(z))}
	for _, a := range args {
		m := mpfrFrom(a, &pin)
		pin.Pin(m)
		list = append(list, uintptr(unsafe.Pointer(m)))
	}
	purego.SyscallN(f, append(list, 0)...)
	return z.float(t)
}

// truth evaluates a function of the table to 64 bits more than prec.
func (l mpfr) truth(t *testing.T, f *function, prec uint, x, y *big.Float) *big.Float {
	t.Helper()
	p := prec + 64
	n := func() *big.Float { return new(big.Float).SetPrec(p) }
	switch f.name {
	case "sigmoid":
		q := l.call(t, "exp", p, new(big.Float).Neg(x))
		return n().Quo(n().SetInt64(1), q.Add(q, n().SetInt64(1)))
	case "softplus":
		q := l.call(t, "log1p", p, l.call(t, "exp", p, new(big.Float).Neg(n().Abs(x))))
		if !x.Signbit() {
			q.Add(q, x)
		}
		return q
	}
	if f.arity == 2 {
		return l.call(t, f.name, p, x, y)
	}
	return l.call(t, f.name, p, x)
}

func TestAgainstMPFR(t *testing.T) {
	lib := openMPFR(t)
	for _, f := range functions {
		r := rand.New(rand.NewPCG(7, 8))
		for _, s := range f.strata {
			for _, prec := range []uint{200, 500} {
				for range 60 {
					x, y := s.draw(r, prec)
					checkULP(t, f.name+" "+s.name, x, y, f.eval(t, x, y), lib.truth(t, &f, prec, x, y), guarded)
				}
			}
		}
	}
}

func TestConstantsAgainstMPFR(t *testing.T) {
	lib := openMPFR(t)
	// Below and above the bits that are kept.
	for _, prec := range []uint{1, 24, 53, 200, 500, onceBits - guard, onceBits - guard + 1, 2 * onceBits} {
		checkULP(t, "pi", nil, nil, Pi(prec), lib.call(t, "const_pi", prec+64), guarded)
		checkULP(t, "ln 2", nil, nil, Ln2(prec), lib.call(t, "const_log2", prec+64), guarded)
		e := new(big.Float).SetPrec(prec + 64).SetInt64(1)
		checkULP(t, "log2 e", nil, nil, Log2e(prec), lib.call(t, "log2", prec+64, lib.call(t, "exp", prec+128, e)), guarded)
		ten := new(big.Float).SetInt64(10)
		checkULP(t, "ln 10", nil, nil, ln10.to(prec), lib.call(t, "log", prec+64, ten), guarded)
	}
}

func TestPowIntAgainstMPFR(t *testing.T) {
	lib := openMPFR(t)
	r := rand.New(rand.NewPCG(9, 10))
	for _, prec := range []uint{53, 200, 500} {
		for range 100 {
			x := randomFloat(r, prec, -100, 100)
			n := r.Int64N(2000) - 1000
			want := lib.call(t, "pow", prec+64, x, new(big.Float).SetInt64(n))
			checkULP(t, "pow_si", x, new(big.Float).SetInt64(n), PowInt(x, n), want, guarded)
		}
	}
	// The longest powers use up the guard bits: |n| of them cost an ulp.
	for _, n := range []int64{1 << 62, -1 << 63, 1<<63 - 1} {
		x := new(big.Float).SetPrec(200).SetMantExp(big.NewFloat(1), -40)
		x.Add(x, big.NewFloat(1))
		want := lib.call(t, "pow", 264, x, new(big.Float).SetInt64(n))
		checkULP(t, "pow_si", x, new(big.Float).SetInt64(n), PowInt(x, n), want, 2)
	}
}

// TestUpdateGolden writes the golden digits under -update.
func TestUpdateGolden(t *testing.T) {
	if !golden.Updating() {
		t.Skip("-update is not set")
	}
	lib := openMPFR(t)
	var points []goldenPoint
	for _, f := range functions {
		r := rand.New(rand.NewPCG(11, 12))
		for _, s := range f.strata {
			for range 2 {
				x, y := s.draw(r, goldenPrec)
				z := lib.truth(t, &f, goldenPrec, x, y)
				points = append(points, goldenPoint{f.name, x, y, z})
			}
		}
	}
	writeGolden(t, points)
}
