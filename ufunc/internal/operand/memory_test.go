package operand

import (
	"math"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/blas/blas32"
)

// apply computes the float32 function f of the inputs, once through the argument
// block and once through columns, and checks that both write the same into out.
func apply(t *testing.T, sig *Signature, out []float32, f func(in []float32) float32, operands ...any) {
	t.Helper()
	start := append([]float32{}, out...)
	var p Plan
	if err := p.Bind(sig, operands); err != nil {
		t.Fatal(err)
	}
	data, count, stride := p.Args()
	if p.Len() > 0 {
		loops := make([]int, len(count))
		for k, n := range count {
			loops[k] = int(n)
		}
		for _, idx := range indices(loops) {
			at := func(op int) *float32 {
				off := 0
				for k, x := range idx {
					off += x * int(stride[op*sig.Dims+k])
				}
				return (*float32)(unsafe.Add(data[op], off))
			}
			var in []float32
			for i := range sig.Inputs {
				in = append(in, *at(i))
			}
			*at(sig.Inputs) = f(in)
		}
	}
	result := append([]float32{}, out...)
	copy(out, start)
	if err := p.Bind(sig, operands); err != nil {
		t.Fatal(err)
	}
	err := p.Walk(7, func(b *Block) error {
		for e := range b.Len {
			var in []float32
			for i := range sig.Inputs {
				in = append(in, b.Float32(i)[e])
			}
			b.Float32(sig.Inputs)[e] = f(in)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(result, out); diff != "" {
		t.Errorf("argument block and columns: %s", diff)
	}
}

func addOne(in []float32) float32 { return in[0] + 1 }

func TestShiftedWindows(t *testing.T) {
	for _, inc := range []int{1, 2, 3, -1, -2} {
		for shift := -40; shift <= 40; shift++ {
			const n, mid = 40, 50
			buf := ramp[float32](mid + 40 + 3*n)
			want := append([]float32{}, buf...)
			vector := func(start int) blas32.Vector {
				return blas32.Vector{N: n, Inc: inc, Data: buf[start : start+(n-1)*max(inc, -inc)+1]}
			}
			in, out := vector(mid), vector(mid+shift)
			step := max(inc, -inc)
			for i := range n {
				want[mid+shift+i*step] = float32(mid + i*step + 1)
			}
			apply(t, floats(1, 1, 1), buf, addOne, in, out)
			if diff := cmp.Diff(want, buf); diff != "" {
				t.Fatalf("Inc %d, shift %d: %s", inc, shift, diff)
			}
		}
	}
}

func TestOppositeWaysInOneBuffer(t *testing.T) {
	for n := 1; n <= 40; n++ {
		buf := ramp[float32](n)
		want := make([]float32, n)
		for i := range want {
			want[i] = float32(n-1-i) + 1
		}
		apply(t, floats(1, 1, 1), buf, addOne, blas32.Vector{N: n, Inc: -1, Data: buf}, buf)
		if diff := cmp.Diff(want, buf); diff != "" {
			t.Fatalf("n %d: %s", n, diff)
		}
	}
}

func TestOneElementOfTheOutputBroadcast(t *testing.T) {
	for pick := range 10 {
		buf := ramp[float32](10)
		want := make([]float32, 10)
		for i := range want {
			want[i] = float32(i) + float32(pick)
		}
		sum := func(in []float32) float32 { return in[0] + in[1] }
		apply(t, floats(2, 1, 1), buf, sum, buf, buf[pick:pick+1], buf)
		if diff := cmp.Diff(want, buf); diff != "" {
			t.Fatalf("element %d: %s", pick, diff)
		}
	}
}

func TestReversedImage(t *testing.T) {
	img := ramp[float32](300 * 1000 * 2)
	in, err := View(img, 299*2000, []int{300, 1000}, []int{-2000, 2}, false)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, 300*1000)
	dst, err := View(out, 0, []int{300, 1000}, []int{1000, 1}, true)
	if err != nil {
		t.Fatal(err)
	}
	var p Plan
	if err := p.BindOperands(floats(1, 1, 2), []Operand{in, dst}); err != nil {
		t.Fatal(err)
	}
	err = p.Walk(4096, func(b *Block) error {
		for e, x := range b.Float32(0) {
			b.Float32(1)[e] = x - 0.25
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if out[0] != 597999.75 || out[len(out)-1] != 1997.75 {
		t.Errorf("first %v, last %v; want 597999.75 and 1997.75", out[0], out[len(out)-1])
	}
	for i := range 300 {
		for j := range 1000 {
			if want := img[(299-i)*2000+j*2] - 0.25; out[i*1000+j] != want {
				t.Fatalf("(%d, %d): %v, want %v", i, j, out[i*1000+j], want)
			}
		}
	}
}

func TestPaddedMatrix(t *testing.T) {
	nan := float32(math.NaN()) // reading padding would show
	in := []float32{1, 2, nan, nan, nan, 3, 4, nan, nan, nan, 5, 6}
	buf := make([]float32, 14)
	for i := range buf {
		buf[i] = -9
	}
	apply(t, floats(1, 1, 2), buf, addOne,
		blas32.General{Rows: 3, Cols: 2, Stride: 5, Data: in}, blas32.General{Rows: 3, Cols: 2, Stride: 5, Data: buf[1:13:13]})
	want := []float32{-9, 2, 3, -9, -9, -9, 4, 5, -9, -9, -9, 6, 7, -9}
	if diff := cmp.Diff(want, buf); diff != "" {
		t.Error(diff)
	}
}

func TestOutputsSideBySide(t *testing.T) {
	buf := ramp[float32](20)
	left := blas32.General{Rows: 4, Cols: 2, Stride: 5, Data: buf}
	right := blas32.General{Rows: 4, Cols: 3, Stride: 5, Data: buf[2:]}
	odd, even := blas32.Vector{N: 10, Inc: 2, Data: buf[1:]}, blas32.Vector{N: 10, Inc: 2, Data: buf}
	var p Plan
	if err := p.Bind(floats(1, 2, 2), []any{float32(1), odd, even}); err != nil {
		t.Error(err)
	}
	right.Cols = 2
	if err := p.Bind(floats(1, 2, 2), []any{float32(1), left, right}); err != nil {
		t.Error(err)
	}
}
