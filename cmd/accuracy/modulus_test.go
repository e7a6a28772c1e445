package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Every form of fmod and remainder is exact, whatever the quotient: from arguments next to each other to those of either end of the type.
func TestModulusForms(t *testing.T) {
	m, err := newMachine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 18
	truth := map[string]func(x, y float64) float64{"fmod": math.Mod, "remainder": math.Remainder}
	forms := 0
	for _, f := range functions() {
		if truth[f.name] == nil {
			continue
		}
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			rows, err := m.tiers(t.Context(), f, typ)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(71, 72))
			small, large := -149, 127
			if typ == ir.Float64 {
				small, large = -1074, 1023
			}
			// The exponents are as far apart as can be for one pair in four.
			random := func(end int) float64 {
				e := small + rng.IntN(large-small+1)
				if rng.IntN(2) == 0 {
					e = end + (e-end)/16
				}
				return math.Ldexp(1+rng.Float64(), e) * float64(1-2*rng.IntN(2))
			}
			var in, out [2]interp.Column
			for i, end := range []int{large, small} {
				in[i] = interp.Column{F32: make([]float32, n), F64: make([]float64, n)}
				for k := range n {
					x := random(end)
					if typ == ir.Float32 {
						x = float64(float32(x))
					}
					in[i].F32[k], in[i].F64[k] = float32(x), x
				}
			}
			out[0] = interp.Column{F32: make([]float32, n)}
			out[1] = interp.Column{F64: make([]float64, n)}
			for _, r := range rows {
				if r.program == nil {
					continue
				}
				forms++
				p, err := interp.Compile(r.program)
				if err != nil {
					t.Fatal(err)
				}
				args, to := []interp.Column{{F64: in[0].F64}, {F64: in[1].F64}}, out[1:]
				if typ == ir.Float32 {
					args, to = []interp.Column{{F32: in[0].F32}, {F32: in[1].F32}}, out[:1]
				}
				if err := p.Run(n, args, to); err != nil {
					t.Fatal(err)
				}
				for k := range n {
					x, y := in[0].F64[k], in[1].F64[k]
					got := out[1].F64[k]
					if typ == ir.Float32 {
						got = float64(out[0].F32[k])
					}
					if want := truth[f.name](x, y); math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
						t.Errorf("%s: (%x, %x) = %x, want %x", r.key(), x, y, got, want)
						break
					}
				}
			}
		}
	}
	if forms < 12 {
		t.Errorf("%d forms", forms)
	}
}
