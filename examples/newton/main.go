// Command newton solves Kepler's equation E - e·sin E = M for many planets at once by Newton's method, which stops for each of them when its step is
// small enough: the loop goes on until the last one is done.
package main

import (
	"fmt"
	"log"
	"math"

	"github.com/go-yolk/yolk/ufunc"
)

// eccentric is the eccentric anomaly of a planet with mean anomaly m on an orbit of eccentricity e, and the number of steps taken.
func eccentric(m, e float64) (anomaly float64, steps int32) {
	anomaly = m
	if e > 0.8 {
		anomaly = math.Pi
	}
	for steps < 50 {
		d := (anomaly - e*math.Sin(anomaly) - m) / (1 - e*math.Cos(anomaly))
		anomaly -= d
		steps++
		if math.Abs(d) <= 1e-13 {
			break
		}
	}
	return anomaly, steps
}

var kernel = ufunc.Vectorize(eccentric, ufunc.Float64, 1, ufunc.DomainOf(0, 0, 2*math.Pi), ufunc.DomainOf(1, 0, 0.99))

func main() {
	log.SetFlags(0)
	worst, most, err := solve(100_000)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("100000 orbits: at most %d steps, Kepler's equation holds to %.1g\n", most, worst)
}

// solve returns the largest residual and the largest number of steps.
func solve(n int) (worst float64, most int32, err error) {
	m, e := make([]float64, n), make([]float64, n)
	for i := range m {
		m[i], e[i] = 2*math.Pi*float64(i)/float64(n), 0.99*float64(i*7919%n)/float64(n)
	}
	anomaly, steps := make([]float64, n), make([]int32, n)
	if err := kernel.Kernel().Call(m, e, anomaly, steps); err != nil {
		return 0, 0, err
	}
	for i, x := range anomaly {
		worst = max(worst, math.Abs(x-e[i]*math.Sin(x)-m[i]))
		most = max(most, steps[i])
	}
	return worst, most, nil
}
