//go:build linux

package main

import (
	"github.com/viterin/vek/vek32"
)

// call computes a function over arrays. The inputs are behind a pointer: copying three slices takes as long as calling a kernel.
type call = func(in *[3][]float32, out []float32)

// goPeers are yolk and those that are Go code.
func goPeers(m *memory) []peer {
	peers := []peer{goPeer(m, "yolk", ours, func(f *function, _ int) call { return f.kernel() })}
	for _, f := range functions {
		for _, v := range f.ours {
			peers = append(peers, goPeer(m, v.name, ours, func(g *function, _ int) call {
				if g.name != f.name {
					return nil
				}
				return g.kernel(v.options...)
			}))
		}
	}
	return append(peers,
		goPeer(m, "Go loop", compiled, func(f *function, _ int) call { return f.loop }),
		goPeer(m, "vek", product, func(f *function, n int) call { return vek(n)[f.name] }))
}

// goPeer makes a peer of a function's calls; nil is a function that it lacks.
func goPeer(m *memory, name string, k kind, of func(f *function, n int) call) peer {
	return peer{name: name, kind: k, start: func(f *function, n int) (runner, error) {
		c := of(f, n)
		if c == nil {
			return nil, errLacks
		}
		in := new([3][]float32)
		for k := range f.inputs {
			in[k] = m.array(k, n)
		}
		out := m.array(3, n)
		c(in, out) // makes the kernel
		return timed(func() { c(in, out) }), nil
	}}
}

// vek has functions over whole arrays; formulas take several of them, over arrays of n elements.
func vek(n int) map[string]call {
	t := make([]float32, n)
	onePlusExp := func(x []float32) { // 1 + exp(-x)
		vek32.Neg_Into(t, x)
		vek32.Exp_Inplace(t)
		vek32.AddNumber_Inplace(t, 1)
	}
	gelu := func(in *[3][]float32, out []float32) { // x/(1 + exp(-2u)): there is no tanh
		x := in[0]
		vek32.Mul_Into(t, x, x)
		vek32.MulNumber_Inplace(t, -2*sqrt2pi*0.044715)
		vek32.AddNumber_Inplace(t, -2*sqrt2pi)
		vek32.Mul_Inplace(t, x)
		vek32.Exp_Inplace(t)
		vek32.AddNumber_Inplace(t, 1)
		vek32.Div_Into(out, x, t)
	}
	return map[string]call{
		"gelu": gelu,
		"demo": gelu,
		"exp":  func(in *[3][]float32, out []float32) { vek32.Exp_Into(out, in[0]) },
		"log":  func(in *[3][]float32, out []float32) { vek32.Log_Into(out, in[0]) },
		"sin":  func(in *[3][]float32, out []float32) { vek32.Sin_Into(out, in[0]) },
		"sqrt": func(in *[3][]float32, out []float32) { vek32.Sqrt_Into(out, in[0]) },
		"sigmoid": func(in *[3][]float32, out []float32) {
			onePlusExp(in[0])
			vek32.Inv_Into(out, t)
		},
		"silu": func(in *[3][]float32, out []float32) {
			onePlusExp(in[0])
			vek32.Div_Into(out, in[0], t)
		},
		"muladd": func(in *[3][]float32, out []float32) {
			vek32.Mul_Into(out, in[0], in[1])
			vek32.Add_Inplace(out, in[2])
		},
	}
}
