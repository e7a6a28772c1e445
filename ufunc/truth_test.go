package ufunc

import (
	"context"
	"math"
	"os"
	"testing"
)

// A sweep has a compiled truth where the kernel is native: without it gelu takes four times as long to verify.
func TestCompiledTruth(t *testing.T) {
	k := Vectorize(Value.Gelu, Float32, 1).Kernel()
	e, err := k.get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if e.native == nil {
		if os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
			t.Fatal("kernels are not native here: " + e.reason)
		}
		t.Skip("kernels are not native here: " + e.reason)
	}
	run, err := e.run()
	if err != nil {
		t.Fatal(err)
	}
	truth, ok := k.compiledTruth(context.Background(), e, run.Contract)
	if !ok {
		t.Fatal("there is none")
	}
	value, bound := []float64{0}, []float64{0}
	if err := truth([]float32{1}, [][]float64{value, bound}); err != nil || math.Abs(value[0]-0.8413447460685429) > 1e-15 || !(bound[0] < 1e-14) {
		t.Errorf("%v within %v, %v", value, bound, err)
	}
}
