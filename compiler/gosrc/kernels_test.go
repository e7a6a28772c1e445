package gosrc

import (
	"fmt"
	"math"
)

// The functions below are read back from this very file: the tables of the tests name them.

// sqrt and tanh stand for package ufunc's, which this package cannot import.
func sqrt[T float32 | float64](x T) T { return T(math.Sqrt(float64(x))) }
func tanh[T float32 | float64](x T) T { return T(math.Tanh(float64(x))) }

// The kernel of the design.
func gelu(x float32) float32 {
	c := sqrt(float32(2 / math.Pi))
	return 0.5 * x * (1 + tanh(c*(x+0.044715*x*x*x)))
}

func geluGeneric[T float32 | float64](x T) T {
	c := sqrt(T(2 / math.Pi))
	return 0.5 * x * (1 + tanh(c*(x+0.044715*x*x*x)))
}

func leaf(x float32) float32 {

	return x * 2
}

func library64(x, y float64) float64 {
	a := math.Exp(x) + math.Expm1(y)*math.Log(x)
	b := math.Tanh(a) - math.Sqrt(math.Abs(x))
	return math.Pow(a, b) + math.Copysign(x, y) + math.RoundToEven(a) + math.FMA(x, y, b) + math.Logb(x)
}

func library32(x, y float32) float32 {
	t := math.Tanh(float64(x)) // narrowed further down
	p := float32(math.Pow(float64(x), 3))
	q := float32(math.Pow(float64(x), 1.0/3)) // a third is no float32: stays in float64
	return float32(t) + p + q + float32(math.Copysign(float64(x), float64(y)))
}

func rounds32(x, y float32) (a, b, c float32) {
	a = max(x, y, 2) - min(x, y)
	b = float32(math.Floor(float64(x))) + float32(math.Ceil(float64(y)))
	return a, b, float32(math.Trunc(float64(x))) + float32(math.Min(float64(y), 3))
}

func rounds64(x, y float64) (a, b, c float64) {
	a = min(x, max(y, -1))
	b = math.Floor(x) + math.Ceil(y)
	return a, b, math.Max(0, x) - math.Trunc(y)
}

// Functions of package math with two results, one of them narrowed afterwards.
func pairs64(x float64, y float32) (a, b float64, c float32) {
	whole, rest := math.Modf(x)
	s, _ := math.Sincos(float64(y))
	_, narrow := math.Sincos(x)
	return whole, rest + s, float32(narrow)
}

// In float64, then narrowed: as written.
func wide32(x, y float32) float32 {
	return float32(float64(x)*float64(y)) + float32(math.FMA(float64(x), float64(y), 1))
}

func pins(x, y, z float32) float32 {
	a := float32(x*y) + z
	return float32(float64(a)) + float32(x)
}

func statements(x, y float64) (s, d float64) {
	var a, b = x, y
	var zero float64
	const two = 2
	a, b = b, a
	a += 1
	b -= two
	{
		a := a * x // shadows
		b *= a
	}
	a /= 3
	a++
	b--
	_ = a
	s = a + b + zero
	d = -(a - +b)
	return
}

func swap(x, y float64) (float64, float64)    { return y, x }
func divide(x, y float64) (q, r float64)      { q = x / y; return q, x - q*y }
func total(x, y float64) float64              { return x + y }
func calls(x, y float64) (float64, float64)   { q, r := divide(swap(x, y)); return total(swap(q, r)), r }
func forward(x, y float64) (float64, float64) { return swap(x, y) }

type celsius float32

const freezing celsius = 32.1

func named(x celsius) celsius { return celsius(x-freezing) * 5 / 9 }

const tenth = 0.1

const tenth64 float64 = 0.1

const tenth32 float32 = 0.1

func constants(x float32) (a, b, c, d, e, f float32) {
	a = x * tenth                         // exact, rounded once to float32
	b = x * float32(tenth64)              // a float64 first
	c = x * (math.Pi / 2)                 // exact quotient
	d = x * (1 << 70 / (1 << 69) * tenth) // integers without bound
	e = x * float32(float64(tenth32)*10)  // typed constants are rounded at every step
	f = x * (1 + 0x1p-24 + 0x1p-60)       // just above a tie
	return
}

func constants64(x float64) (a, b float64) {
	half := 1.0 / 2
	return x * half * math.MaxFloat64, x + math.SmallestNonzeroFloat64 + float64(tenth32)
}

// A conversion of a constant to a type parameter is not constant: the compiler rounds it to float64 before.
func toParameter[T float32 | float64](x T) (T, T) {
	const big = 1<<24 + 1
	return x * T(1+0x1p-24+0x1p-60), x + T(big)
}

func infinities(x float32) (float32, float32) {
	return x + float32(math.Inf(1)), x * float32(math.NaN())
}

func elsewhere(x float32) float32 { return x*siblingConstant + sibling(x) }

// Imports that kernels do not know are no matter elsewhere in the file.
var _ = fmt.Sprint

var literal = func(x float32) float32 {
	return x*x + 1
}

func makeLiteral[T float32 | float64]() func(T) T {
	return func(x T) T { return 3 * x }
}

func makeAdder(n float32) func(float32) float32 {
	return func(x float32) float32 { return x + n*n }
}

func twoLiterals() (f, g func(float32) float32) {
	return func(x float32) float32 { return x }, func(x float32) float32 { return -x }
}

func (x celsius) method(y float32) float32 { return float32(x) + y }
