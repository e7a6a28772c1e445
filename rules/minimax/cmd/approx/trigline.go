package main

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/go-yolk/yolk/internal/bigfloat"
	"github.com/go-yolk/yolk/rules/minimax"
)

// line32 gives sin, cos or tan on the whole line, in float64. x/2π is summed
// from products with chunks of 29 bits of 1/2π, each exact, the whole turns of
// each taken off, which is exact too. Once the nearest quarter turn is off, the
// partial sums are exact until what is still to come is below 2^-29 turns, so
// that plain additions in this order keep a relative error near 2^-50 even
// where x is within 2^-32 turns of a quarter.
func line32(fn string) (rule, error) {
	const chunkBits, chunks, reduced = 29, 7, 5
	var with []string
	with = append(with, "d = float64(x)")
	rest := number(0).SetPrec(400)
	rest.Quo(new(big.Float).SetPrec(400).SetInt64(1), scaledPi(400, 1))
	var terms []string
	for i := range chunks {
		c := chunk(rest, chunkBits*(i+1))
		name := fmt.Sprintf("f%d", i)
		if i < reduced {
			with = append(with,
				fmt.Sprintf("p%d = pin(d*%s)", i, c),
				fmt.Sprintf("f%d = pin(p%d - rint(p%d))", i, i, i))
		} else {
			with = append(with, fmt.Sprintf("f%d = pin(d*%s)", i, c))
		}
		terms = append(terms, name)
	}
	a := terms[0]
	for _, t := range terms[1:reduced] {
		a = a + " + " + t
	}
	r := "pin(f0 - 0.25*k)"
	for _, t := range terms[1:] {
		r = "pin(" + r + " + " + t + ")"
	}
	kernel, err := turnKernel(9, 8)
	if err != nil {
		return rule{}, err
	}
	with = append(with, "k = rint(4*("+a+"))", "r = "+r)
	with = append(append(with, kernel...), quarters()...)
	body := "float32(" + turn[fn] + ")"
	if fn != "cos" {
		body = "select(x == 0, x, " + body + ")"
	}
	return rule{
		name: fn + "-float32-line", call: fn + "(x)", body: body, with: with,
		typ: "float32", domain: everywhere,
	}, nil
}

// scaledPi is π * 2^n to the given precision.
func scaledPi(precision uint, n int) *big.Float {
	p := bigfloat.Pi(precision)
	return p.SetMantExp(p, n)
}

// chunk takes from rest the bits down to 2^-low, in place, and prints them.
func chunk(rest *big.Float, low int) string {
	n, _ := new(big.Float).SetPrec(rest.Prec()).SetMantExp(rest, low).Int(nil)
	c := new(big.Float).SetPrec(rest.Prec()).SetInt(n)
	c.SetMantExp(c, -low)
	rest.Sub(rest, c)
	return rounded(c, minimax.Float64)
}

// The whole-line reduction in float64 takes six chunks of 53 bits out of 1/2π,
// beginning where the product with the last bit of x is below one turn and
// reaching 2^-124 turns; seven such sets serve all x. scaledFrom is the first
// set that would be subnormal; it and those after it are scaled up.
const (
	lineChunks = 6
	lineBits   = 53
	lineSets   = 7
	lineFirst  = 192 // the first set serves |x| < 2^192, each other 140 binades more
	lineWidth  = 140
	scaledFrom = 4
	lineScale  = 512
)

// lineConstants returns the chunks, by chunk and set.
func lineConstants() [lineChunks][]string {
	const bits = 1400 // 1024 + 124 and as many again as a set has
	var out [lineChunks][]string
	for set := range lineSets {
		first := max(0, lineFirst+(set-1)*lineWidth-52)
		rest := new(big.Float).SetPrec(bits)
		rest.Quo(rest.SetInt64(1), scaledPi(bits, 1))
		if first > 0 {
			chunk(rest, first)
		}
		up := 0
		if set >= scaledFrom {
			up = lineScale
		}
		rest.SetMantExp(rest, up)
		for i := range lineChunks {
			out[i] = append(out[i], chunk(rest, first+lineBits*(i+1)-up))
		}
	}
	return out
}

// lineLimit is where the next set begins.
func lineLimit(set int) string { return fmt.Sprintf("0x1p%d", lineFirst+set*lineWidth) }

// halves gives the bindings that split v, a name, into vh of 26 bits and the rest
// vl, which is exact (T. J. Dekker).
func halves(v string) []string {
	return []string{
		fmt.Sprintf("%st = pin(%s*0x1.0000002p27)", v, v),
		fmt.Sprintf("%sh = pin(%st - pin(%st - %s))", v, v, v, v),
		fmt.Sprintf("%sl = pin(%s - %sh)", v, v, v),
	}
}

// residue is x*y - p, exact, where p is x*y rounded: one fma, or without one the
// products of halves.
func residue(x, y, p string, fused bool) string {
	if fused {
		return fmt.Sprintf("fma(%s, %s, -%s)", x, y, p)
	}
	return dekker([2]string{x + "h", x + "l"}, [2]string{y + "h", y + "l"}, p)
}

func dekker(x, y [2]string, p string) string {
	return fmt.Sprintf("pin(pin(pin(pin(%s*%s - %s) + pin(%s*%s)) + pin(%s*%s)) + pin(%s*%s))",
		x[0], y[0], p, x[0], y[1], x[1], y[0], x[1], y[1])
}

// lineTerms gives the bindings from x to a = |x| and numbers whose sum is x in
// turns, but for whole ones, and these numbers, falling. The first large ones
// may be up to half a turn, the others are below 2^-18.
func lineTerms(large int, fused bool) (with, terms []string) {
	with = []string{
		"a = abs(x)",
		fmt.Sprintf("d = x*select(a < %s, 1, 0x1p-%d)", lineLimit(scaledFrom-1), lineScale),
	}
	if !fused {
		with = append(with, halves("d")...)
	}
	add := func(product, fraction string) {
		if len(terms) < large {
			with = append(with, fmt.Sprintf("%s = pin(%s - rint(%s))", fraction, product, product))
			product = fraction
		}
		terms = append(terms, product)
	}
	for i, constants := range lineConstants() {
		c := constants[lineSets-1]
		for set := lineSets - 2; set >= 0; set-- {
			c = fmt.Sprintf("select(a < %s, %s, %s)", lineLimit(set), constants[set], c)
		}
		with = append(with, fmt.Sprintf("c%d = %s", i, c), fmt.Sprintf("p%d = pin(d*c%d)", i, i))
		add(fmt.Sprintf("p%d", i), fmt.Sprintf("f%d", i))
		if i < lineChunks-1 {
			if !fused {
				with = append(with, halves(fmt.Sprintf("c%d", i))...)
			}
			with = append(with, fmt.Sprintf("e%d = %s", i, residue("d", fmt.Sprintf("c%d", i), fmt.Sprintf("p%d", i), fused)))
			add(fmt.Sprintf("e%d", i), fmt.Sprintf("g%d", i))
		}
	}
	return with, terms
}

// line64 gives sin, cos or tan on the whole line. Every product with a chunk is
// a number and its error; the whole turns of both are taken off, which is exact,
// then the nearest quarter turn. The terms fall, and each partial sum is a
// multiple of the last bit of the term that comes next, so that three
// operations give a sum and its exact error.
func line64(fn string, fused bool) (rule, error) {
	kernel, err := kernel64(13, 14)
	if err != nil {
		return rule{}, err
	}
	const large = 7
	with, terms := lineTerms(large, fused)
	with = append(with, "k = rint(4*("+strings.Join(terms[:large], " + ")+"))", "s0 = pin(f0 - 0.25*k)")
	last, low := "s0", ""
	for i, t := range terms[1:] {
		sum := fmt.Sprintf("s%d", i+1)
		with = append(with, fmt.Sprintf("%s = pin(%s + %s)", sum, last, t))
		lost := fmt.Sprintf("pin(%s - pin(%s - %s))", t, sum, last)
		if low == "" {
			low = lost
		} else {
			low = "pin(" + low + " + " + lost + ")"
		}
		last = sum
	}
	// The sum in turns, times 2π.
	p := parts(scaledPi(400, 1), minimax.Float64, 53, 53)
	with = append(with, "t = "+low, fmt.Sprintf("h = pin(%s*%s)", last, p[0]))
	name := fn + "-float64-line"
	if fused {
		with = append(with, fmt.Sprintf("l = fma(-%s, %s, fma(-t, %s, fma(-%s, %s, h)))", last, p[1], p[0], last, p[0]))
	} else {
		name += "-nofma"
		m := parts(scaledPi(400, 1), minimax.Float64, 26, 27, 53)
		with = append(with, halves(last)...)
		with = append(with, fmt.Sprintf("l = -pin(%s + pin(pin(%s*%s) + pin(t*%s)))",
			dekker([2]string{last + "h", last + "l"}, [2]string{m[0], m[1]}, "h"), last, p[1], p[0]))
	}
	with = append(append(with, kernel...), quarters()...)
	body := turn[fn]
	if fn != "cos" {
		body = "select(a < 0x1p-27, x, " + body + ")"
	}
	return rule{
		name: name, call: fn + "(x)", body: body, with: with,
		typ: "float64", domain: everywhere,
	}, nil
}
