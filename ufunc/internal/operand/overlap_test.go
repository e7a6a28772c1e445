package operand

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

func TestEquationAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var yes int
	const rounds = 20000
	for range rounds {
		var e equation
		e.base = r.IntN(41) - 20
		sums := []int{e.base}
		for range 1 + r.IntN(4) {
			c, lo := r.IntN(61)-30, r.IntN(7)-3
			hi := lo + r.IntN(4)
			e.add(c, lo, hi)
			var next []int
			for _, s := range sums {
				for x := lo; x <= hi; x++ {
					next = append(next, s+c*x)
				}
			}
			sums = next
		}
		lo := r.IntN(200) - 100
		hi := lo + r.IntN(8)
		want := false
		for _, s := range sums {
			want = want || lo <= s && s <= hi
		}
		if got := e.solvable(lo, hi); got != want {
			t.Fatalf("%+v in [%d, %d]: %v, want %v", e, lo, hi, got, want)
		}
		if want {
			yes++
		}
	}
	if yes < rounds/10 || yes > rounds*9/10 {
		t.Errorf("%d of %d have a solution", yes, rounds)
	}
}

// Windows of one large array that never meet must be seen to be apart, and cheaply.
func TestDisjointWindows(t *testing.T) {
	buf := make([]float32, 3000*1000)
	view := func(offset int, shape, stride []int) *nest {
		o, err := View(buf, offset, shape, stride, false)
		if err != nil {
			t.Fatal(err)
		}
		return &o.nest
	}
	for _, c := range []struct {
		name string
		v, w *nest
		want bool
	}{
		{"interleaved", view(0, []int{1000}, []int{2}), view(1, []int{1000}, []int{2}), false},
		{"interleaved, opposite ways", view(0, []int{1000}, []int{2}), view(1999, []int{1000}, []int{-2}), false},
		{"interleaved, one twice as fast", view(0, []int{1000}, []int{2}), view(1, []int{500}, []int{4}), false},
		{"left and right half of a matrix", view(0, []int{3000, 500}, []int{1000, 1}), view(500, []int{3000, 500}, []int{1000, 1}), false},
		{"halves with a common column", view(0, []int{3000, 501}, []int{1000, 1}), view(500, []int{3000, 500}, []int{1000, 1}), true},
		{"channels of an image", view(0, []int{3, 1000, 300}, []int{3000, 3, 9}), view(1, []int{3, 1000, 300}, []int{3000, 3, 9}), false},
		{"a row and a column", view(0, []int{1000}, []int{1}), view(1000, []int{2999}, []int{1000}), false},
		{"a row and a column that cross", view(5000, []int{1000}, []int{1}), view(17, []int{3000}, []int{1000}), true},
		{"increments 3 and 2", view(0, []int{1000}, []int{3}), view(1, []int{1000}, []int{2}), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := intersects(c.v, c.w); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if got := intersects(c.w, c.v); got != c.want {
				t.Errorf("the other way round %v, want %v", got, c.want)
			}
		})
	}
}

// A search that takes too long is answered with yes, which costs a copy.
func TestWorkLimit(t *testing.T) {
	// Five coefficients 2^20 + 2^k cannot add up to 5*2^20 + 3, but neither bounds nor
	// greatest common divisors show it.
	var e equation
	for k := range 15 {
		e.add(1<<20+1<<k, 0, 1<<6)
	}
	if !e.solvable(5<<20+3, 5<<20+3) || e.work >= 0 {
		t.Errorf("work left: %d", e.work)
	}
}

func TestDifferentElementSizes(t *testing.T) {
	buf := make([]float64, 8)
	wide, err := View(buf, 0, []int{4}, []int{2}, false)
	if err != nil {
		t.Fatal(err)
	}
	halves := unsafe.Slice((*float32)(unsafe.Pointer(&buf[0])), 16)
	for offset, want := range []bool{true, true, false, false, true} {
		narrow, err := View(halves, offset, []int{3}, []int{4}, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := intersects(&wide.nest, &narrow.nest); got != want {
			t.Errorf("offset %d: %v, want %v", offset, got, want)
		}
	}
}
