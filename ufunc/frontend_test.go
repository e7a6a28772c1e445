package ufunc_test

import (
	"context"
	"errors"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

// C24: constants of every kind reach the code with their bits.
func TestConstantsInKernels(t *testing.T) {
	for _, c := range []struct {
		c    float32
		bits uint32
	}{
		{0.1, 0x3dcccccd}, {1.1, 0x3f8ccccd}, {1e30, 0x7149f2ca}, {1e-45, 1}, {3.4028235e38, 0x7f7fffff}, {float32(math.Copysign(0, -1)), 0x80000000},
		{float32(math.Inf(1)), 0x7f800000}, {float32(math.Inf(-1)), 0xff800000}, {float32(math.NaN()), 0x7fc00000}, {1, 0x3f800000}, {16777217, 0x4b800000},
	} {
		k := c.c
		times := func(x float32) float32 {
			return x * k
		}
		traced := func(x ufunc.Value) ufunc.Value { return x.Mul(ufunc.Const(float64(k))) }
		for name, f := range map[string]ufunc.Func{
			"plain":  ufunc.Vectorize(times, ufunc.Float32, 1, ufunc.Strict(), ufunc.Bind("k", k)),
			"traced": ufunc.Vectorize(traced, ufunc.Float32, 1, ufunc.Strict()),
		} {
			out := make([]float32, 1)
			f([]float32{1}, out)
			if got := math.Float32bits(out[0]); got != c.bits && !(k != k && out[0] != out[0]) {
				t.Errorf("%s: 1*%v has bits %#x, want %#x", name, k, got, c.bits)
			}
		}
	}
}

var calls int

func countsCalls(x float32) float32 {
	calls++
	return x
}

func random(x float32) float32 { return x * rand.Float32() }

func panics(x float32) float32 {
	if x > 0 {
		panic("positive")
	}
	return x
}

var seen []float32

func remembers(x float32) float32 {
	seen = append(seen, x)
	return x
}

// C103: a plain kernel has no side effects and no hidden state. What would be frozen, or lost, is refused with its place.
func TestNoHiddenState(t *testing.T) {
	k := float32(2)
	captured := func(x float32) float32 {
		return x * k
	}
	k = 3
	for _, c := range []struct {
		name string
		fn   any
		want string
	}{
		{"captured", captured, `the literal captures k, whose value is not in the source; give it by ufunc.Bind("k", v)`},
		{"counts its calls", countsCalls, "package variable calls can change, at"},
		{"random number", random, "rand.Float32 is of package math/rand"},
		{"panic", panics, `panic("positive") as a statement; a kernel has no side effects`},
		{"appends", remembers, "builtin function append"},
	} {
		_, err := ufunc.Compile(context.Background(), c.fn, ufunc.Float32, 1)
		if !errors.Is(err, ufunc.ErrUnsupported) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "frontend_test.go:") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// What was bound stays as it was, and is held against the function as it is now.
	f := ufunc.Vectorize(captured, ufunc.Float32, 1, ufunc.Bind("k", k))
	k = 4
	out := make([]float32, 1)
	if f([]float32{1}, out); out[0] != 3 {
		t.Errorf("bound to 3: %v", out[0])
	}
	if _, err := ufunc.Compile(context.Background(), captured, ufunc.Float32, 1, ufunc.Bind("k", float32(3))); !errors.Is(err, ufunc.ErrSource) {
		t.Errorf("bound to what it was: %v", err)
	}
}
