// Command blackscholes prices European options by the formula of Black and Scholes (1973): a plain Go function with functions of its own, branches and two
// results, which is also the plain Go loop that it is timed against.
package main

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"time"

	"github.com/go-yolk/yolk/ufunc"
)

// normal is the standard normal distribution function.
func normal(x float32) float32 { return 0.5 * ufunc.Erfc(-x/math.Sqrt2) }

// price is what a call and a put with strike k are worth, for a stock at s with volatility v, a rate of interest r, and t years to go.
func price(s, k, v, r, t float32) (call, put float32) {
	now := k * ufunc.Exp(-r*t) // what the strike is worth today
	if t <= 0 || v <= 0 {
		return max(s-now, 0), max(now-s, 0)
	}
	d := (ufunc.Log(s/k) + (r+v*v/2)*t) / (v * ufunc.Sqrt(t))
	e := d - v*ufunc.Sqrt(t)
	call = s*normal(d) - now*normal(e)
	return call, call - s + now
}

var kernel = ufunc.Vectorize(price, ufunc.Float32, 1,
	ufunc.DomainOf(0, 1, 1000), ufunc.DomainOf(1, 1, 1000), ufunc.DomainOf(2, 0, 2), ufunc.DomainOf(3, 0, 0.2), ufunc.DomainOf(4, 0, 30))

func main() {
	log.SetFlags(0)
	fast, slow, worst, err := measure(1 << 18)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v for the kernel, %v for the Go loop: %.1f times as fast; prices differ by %.1g at most\n", fast, slow, float64(slow)/float64(fast), worst)
}

// measure prices n options both ways, and returns by how much the prices differ.
func measure(n int) (fast, slow time.Duration, worst float64, err error) {
	r := rand.New(rand.NewPCG(1, 2))
	uniform := func(lo, hi float32) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = lo + (hi-lo)*r.Float32()
		}
		return list
	}
	s, k, v, t := uniform(50, 150), uniform(50, 150), uniform(0.05, 0.8), uniform(0, 3)
	for i := 0; i < n; i += 100 {
		t[i] = 0 // options that end today
	}
	call, put := make([]float32, n), make([]float32, n)
	rate := float32(0.03)
	if err := kernel.Kernel().Call(s, k, v, rate, t, call, put); err != nil {
		return 0, 0, 0, err
	}
	start := time.Now()
	kernel(s, k, v, rate, t, call, put)
	fast = time.Since(start)
	start = time.Now()
	for i := range n {
		c, p := price(s[i], k[i], v[i], rate, t[i])
		worst = max(worst, math.Abs(float64(c-call[i])), math.Abs(float64(p-put[i])))
	}
	return fast, time.Since(start), worst, nil
}
