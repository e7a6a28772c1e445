package ufunc_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

type list = []ufunc.Value

// halvings counts how often x can be halved before it is at most limit, by loops inside a loop.
func halvings(x, limit ufunc.Value) (ufunc.Value, ufunc.Value) {
	least := limit.Add(ufunc.Const(0.5)) // from outside
	v := ufunc.While(
		func(v list) ufunc.Value { return v[0].Greater(least) },
		func(v list) list {
			// Half of it, by doubling a number until it is not less.
			half := ufunc.While(
				func(w list) ufunc.Value { return w[0].Less(v[0].Mul(ufunc.Const(0.5))) },
				func(w list) list { return list{w[0].Add(w[0])} },
				ufunc.Const(0.25))
			return list{half[0].Min(v[0].Mul(ufunc.Const(0.5))), v[1].Add(ufunc.Const(1))}
		},
		x, ufunc.Const(0))
	return v[1], v[0]
}

func halvingsGo(x, limit float32) (float32, float32) {
	n := float32(0)
	for x > limit+0.5 {
		w := float32(0.25)
		for w < x*0.5 {
			w += w
		}
		x, n = min(w, x*0.5), n+1
	}
	return n, x
}

func TestWhile(t *testing.T) {
	for name, opts := range map[string][]ufunc.Option{"default": nil, "strict": {ufunc.Strict()}} {
		f := ufunc.Vectorize(halvings, ufunc.Float32, 1, opts...)
		x, limit := make([]float32, 500), make([]float32, 500)
		for i := range x {
			x[i], limit[i] = float32(math.Exp(float64(i%37)/3-2)), float32(i%5)
		}
		n, rest := make([]float32, 500), make([]float32, 500)
		f(x, limit, n, rest)
		for i := range x {
			if wantN, want := halvingsGo(x[i], limit[i]); n[i] != wantN || rest[i] != want {
				t.Fatalf("%s: halvings(%v, %v) = %v, %v; want %v, %v", name, x[i], limit[i], n[i], rest[i], wantN, want)
			}
		}
	}
	for _, c := range []struct {
		name string
		fn   any
		want string
	}{
		{"number", func(x ufunc.Value) ufunc.Value {
			return ufunc.While(func(v list) ufunc.Value { return v[0] }, func(v list) list { return v }, x)[0]
		}, "while_test.go:65: the condition of While is a float32; compare it"},
		{"count", func(x ufunc.Value) ufunc.Value {
			return ufunc.While(func(v list) ufunc.Value { return v[0].Less(x) }, func(v list) list { return nil }, x)[0]
		}, "while_test.go:68: the body of While returns 0 Values, not 1"},
		{"type", func(x ufunc.Value) ufunc.Value {
			return ufunc.While(func(v list) ufunc.Value { return v[0].Less(x) }, func(v list) list { return list{v[0].Convert(ufunc.Float64)} }, x)[0]
		}, "while_test.go:71: variable 0 of While begins as float32 and goes on as float64; convert it"},
		{"zero Value", func(x ufunc.Value) ufunc.Value {
			return ufunc.While(func(v list) ufunc.Value { return ufunc.Value{} }, func(v list) list { return v }, x)[0]
		}, "while_test.go:74: the condition of While is the zero Value"},
	} {
		_, err := ufunc.Compile(context.Background(), c.fn, ufunc.Float32, 1)
		if !errors.Is(err, ufunc.ErrTrace) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
