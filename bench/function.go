//go:build linux

package main

import (
	"math"
	"slices"

	"github.com/go-yolk/yolk/ufunc"
)

// function is what the peers compute.
type function struct {
	name    string
	formula string
	remark  string // paragraphs for the page
	inputs  int
	lo, hi  float64                       // the inputs are drawn from here
	point   func(i int) [3]float32        // or element i of them is this
	size    int                           // the only length, if not 0
	counts  bool                          // the output is int32, as bytes of float32
	exact   func(x, y, z float64) float64 // the truth
	loop    call                          // the plain Go loop
	kernel  func(o ...ufunc.Option) call  // yolk's, in its default form but for the options
	ours    []variant
	hand    []variant
}

// variant is a way to a function besides the obvious one of a peer.
type variant struct {
	name    string
	options []ufunc.Option // of yolk
	symbol  string         // in hand512.c
}

// unary makes kernels of one input.
func unary(f func(float32) float32, always ...ufunc.Option) func(o ...ufunc.Option) call {
	return func(o ...ufunc.Option) call {
		k := ufunc.Vectorize1[float32](f, append(append(o, always...), ufunc.MustNative())...)
		return func(in *[3][]float32, out []float32) { k(in[0], out) }
	}
}

func gelu(x float32) float32 {
	c := ufunc.Sqrt(float32(2 / math.Pi))
	return 0.5 * x * (1 + ufunc.Tanh(c*(x+0.044715*x*x*x)))
}

func geluErf(x float32) float32 { return 0.5 * x * (1 + ufunc.Erf(x*float32(math.Sqrt2/2))) }

func tanh(x float32) float32         { return ufunc.Tanh(x) }
func exp(x float32) float32          { return ufunc.Exp(x) }
func sigmoid(x float32) float32      { return 1 / (1 + ufunc.Exp(-x)) }
func silu(x float32) float32         { return x / (1 + ufunc.Exp(-x)) }
func log(x float32) float32          { return ufunc.Log(x) }
func sin(x float32) float32          { return ufunc.Sin(x) }
func sqrt(x float32) float32         { return ufunc.Sqrt(x) }
func muladd(x, y, z float32) float32 { return x*y + z }

const sqrt2pi = 0.79788456080286535588 // sqrt(2/π)

func geluExact(x, _, _ float64) float64 {
	return x / (1 + math.Exp(-2*sqrt2pi*(x+0.044715*x*x*x)))
}

var functions = []function{
	{
		name: "gelu", formula: "0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))", inputs: 1, lo: -6, hi: 6, exact: geluExact,
		loop: func(in *[3][]float32, out []float32) {
			for i, x := range in[0] {
				out[i] = 0.5 * x * (1 + float32(math.Tanh(float64(sqrt2pi*(x+0.044715*x*x*x)))))
			}
		},
		kernel: unary(gelu), ours: []variant{{name: "yolk WithinAbs(1e-6)", options: []ufunc.Option{ufunc.WithinAbs(1e-6)}}},
		hand: []variant{{name: "exp form", symbol: "gelu_exp"}, {name: "16 quintics", symbol: "gelu_tanh_5"}, {name: "16 quartics", symbol: "gelu_tanh_4"}},
	},
	{
		name: "gelu_erf", formula: "0.5·x·(1 + erf(x/√2))", inputs: 1, lo: -6, hi: 6,
		exact: func(x, _, _ float64) float64 { return x * math.Erfc(-x*math.Sqrt2/2) / 2 },
		loop: func(in *[3][]float32, out []float32) {
			for i, x := range in[0] {
				out[i] = 0.5 * x * (1 + float32(math.Erf(float64(x*float32(math.Sqrt2/2)))))
			}
		},
		kernel: unary(geluErf),
		hand:   []variant{{name: "16 quintics", symbol: "gelu_erf_5"}},
	},
	simple("tanh", "tanh(x)", -6, 6, math.Tanh, tanh, "tanh_32"),
	simple("exp", "exp(x)", -6, 6, math.Exp, exp, "exp_32"),
	simple("sigmoid", "1/(1 + exp(-x))", -6, 6, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, sigmoid, "sigmoid"),
	simple("silu", "x/(1 + exp(-x))", -6, 6, func(x float64) float64 { return x / (1 + math.Exp(-x)) }, silu, "silu"),
	simple("log", "log(x)", 0, 100, math.Log, log, "log_16"),
	simple("sin", "sin(x)", -6, 6, math.Sin, sin, "sin_9"),
	simple("sqrt", "√x", 0, 100, math.Sqrt, sqrt, "sqrt_newton"),
	{
		name: "muladd", formula: "x·y + z", inputs: 3, lo: -6, hi: 6,
		exact: func(x, y, z float64) float64 { return x*y + z },
		loop: func(in *[3][]float32, out []float32) {
			x, y, z := in[0], in[1], in[2]
			for i := range out {
				out[i] = x[i]*y[i] + z[i]
			}
		},
		kernel: func(o ...ufunc.Option) call {
			k := ufunc.Vectorize3[float32](muladd, append(o, ufunc.MustNative())...)
			return func(in *[3][]float32, out []float32) { k(in[0], in[1], in[2], out) }
		},
		hand: []variant{{name: "fma", symbol: "muladd"}},
	},
	{
		name: "demo", formula: "gelu with inputs in [0, 1), to a relative error of 1e-6", inputs: 1, lo: 0, hi: 1, exact: geluExact,
		loop: func(in *[3][]float32, out []float32) {
			for i, x := range in[0] {
				out[i] = 0.5 * x * (1 + float32(math.Tanh(float64(sqrt2pi*(x+0.044715*x*x*x)))))
			}
		},
		kernel: unary(gelu, ufunc.Domain(0, 1), ufunc.WithinRel(1e-6)),
		hand:   []variant{{name: "exp form", symbol: "gelu_exp"}},
	},
	mandelbrot,
}

// simple is a function of one input whose plain Go loop calls its exact form in float64.
func simple(name, formula string, lo, hi float64, exact func(float64) float64, f func(float32) float32, hand string) function {
	return function{
		name: name, formula: formula, inputs: 1, lo: lo, hi: hi,
		exact: func(x, _, _ float64) float64 { return exact(x) },
		loop: func(in *[3][]float32, out []float32) {
			for i, x := range in[0] {
				out[i] = float32(exact(float64(x)))
			}
		},
		kernel: unary(f),
		hand:   []variant{{name: "intrinsics", symbol: hand}},
	}
}

// lengths are those at which the function is measured.
func (f *function) lengths(asked []int) []int {
	if f.size != 0 {
		return []int{f.size}
	}
	return asked
}

// rank is the place of a function in the page.
func rank(name string) int {
	return slices.IndexFunc(functions, func(f function) bool { return f.name == name })
}
