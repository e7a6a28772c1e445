package ufunc_test

import (
	"os/exec"
	"strings"
	"testing"
)

// A kernel's accesses are visible to the race detector, by both executors, boxed and typed, for inputs and outputs.
func TestRaceIsSeen(t *testing.T) {
	text, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	f := strings.Fields(string(text))
	if err != nil || len(f) < 2 || f[0] != "1" {
		t.Skip("the race detector needs cgo, which is off")
	}
	if _, err := exec.LookPath(f[1]); err != nil {
		t.Skip("the race detector needs cgo: ", err)
	}
	const source = `package main

import (
	"os"
	"strings"
	"sync"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/go-yolk/yolk/ufunc"
)

func double(x float32) float32 { return 2 * x }

func main() {
	boxed := ufunc.Vectorize(double, ufunc.Float32, 1)
	typed := func(in, out []float32) { boxed(in, out) }
	if strings.Contains(os.Args[1], "typed") {
		boxed, typed = nil, ufunc.Vectorize1[float32](double)
	}
	buf, other := make([]float32, 100), make([]float32, 100)
	typed(other, other) // makes the code
	sum := ufunc.Vectorize(func(x, y ufunc.Value) ufunc.Value { return x.Add(y) }, ufunc.Float32, 2).Kernel()
	total := make([]float32, 1)
	reduce := func(in []float32) func() {
		return func() {
			if err := sum.Reduce(in, total); err != nil {
				panic(err)
			}
		}
	}
	reduce(other)()
	rows := ufunc.VectorizeRows(func(x ufunc.Value) ufunc.Value { return x.Sub(x.RowMax()) }, ufunc.Float32)
	bytes := ufunc.Vectorize(func(x ufunc.Value) ufunc.Value { return x.Not() }, ufunc.Uint8, 1)
	small, chosen := make([]uint8, 100), make([]bool, 100)
	for i := range chosen {
		chosen[i] = i%2 == 0
	}
	rows(other, other)
	bytes(small, small)
	if boxed != nil {
		boxed(other, other, ufunc.Mask(chosen))
	}
	odd := blas32.Vector{N: 49, Inc: 2, Data: buf[1:]}
	var wg sync.WaitGroup
	both := func(f, g func()) { wg.Go(f); wg.Go(g); wg.Wait() }
	touch := func(i int) func() { return func() { buf[i]++ } }
	switch os.Args[1] {
	case "boxed write":
		both(func() { boxed(other, buf) }, touch(99))
	case "boxed read":
		both(func() { boxed(buf, other) }, touch(0))
	case "typed write":
		both(func() { typed(other, buf) }, touch(50))
	case "typed read":
		both(func() { typed(buf, other) }, touch(99))
	case "strided read":
		both(func() { boxed(odd, other[:49]) }, touch(5))
	case "two kernels":
		both(func() { boxed(other, buf) }, func() { boxed(buf[90:], make([]float32, 10)) })
	case "beside":
		both(func() { boxed(odd, other[:49]) }, touch(6))
	case "two readers":
		both(func() { typed(buf, other) }, func() { boxed(buf, make([]float32, 100)) })
	case "reduce read":
		both(reduce(buf), touch(70))
	case "reduce write":
		both(reduce(buf), func() { total[0]++ })
	case "reduce beside":
		both(reduce(buf[:50]), touch(50))
	case "rows write":
		both(func() { rows(other, buf) }, touch(3))
	case "rows read":
		both(func() { rows(buf, other) }, touch(99))
	case "rows halves":
		both(func() { rows(buf[:50], buf[:50]) }, func() { rows(buf[50:], buf[50:]) })
	case "bytes":
		both(func() { bytes(small, small) }, func() { small[77]++ })
	case "masked":
		both(func() { boxed(other, buf, ufunc.Mask(chosen)) }, touch(4))
	case "mask":
		both(func() { boxed(other, buf, ufunc.Mask(chosen)) }, func() { chosen[3] = true })
	case "masked out":
		both(func() { boxed(other, buf, ufunc.Mask(chosen)) }, touch(5))
	case "halves":
		both(func() { typed(buf[:50], buf[:50]) }, func() { boxed(buf[50:], buf[50:]) })
	}
}
`
	exe, dir := build(t, map[string]string{"main.go": source}, false, nil, "-race")
	for executor, cases := range map[string]map[string]bool{
		"": {
			"boxed write": true, "boxed read": true, "typed write": true, "typed read": true, "strided read": true, "two kernels": true,
			"reduce read": true, "reduce write": true, "reduce beside": false,
			"rows write": true, "rows read": true, "rows halves": false, "bytes": true, "masked": true, "mask": true, "masked out": false,
			"beside": false, "two readers": false, "halves": false,
		},
		// The interpreter is Go code, which the detector sees anyway.
		"off": {"boxed write": true, "typed read": true, "halves": false},
	} {
		for name, race := range cases {
			t.Run(name+" "+executor, func(t *testing.T) {
				text, err := execute(exe, dir, []string{"YOLK_CLANG=" + executor, "GORACE=halt_on_error=1"}, name)
				if seen := strings.Contains(text, "DATA RACE"); seen != race || !race && err != nil {
					t.Errorf("race seen: %t, want %t: %v\n%s", seen, race, err, text)
				}
			})
		}
	}
}
