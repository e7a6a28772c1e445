package ufunc_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/go-yolk/yolk/ufunc"
)

// indices are all indices of a shape, in order.
func indices(shape []int) [][]int {
	list := [][]int{{}}
	for _, n := range shape {
		var longer [][]int
		for _, at := range list {
			for i := range n {
				longer = append(longer, append(slices.Clone(at), i))
			}
		}
		list = longer
	}
	return list
}

// reshaped is a reshaped view, unless that takes a copy.
func reshaped[T ufunc.Element](a ufunc.Array[T], shape []int) (b ufunc.Array[T], ok bool) {
	defer func() {
		if v := recover(); v != nil {
			if err, is := v.(error); !is || !errors.Is(err, ufunc.ErrShape) {
				panic(v)
			}
		}
	}()
	return a.Reshape(shape...), true
}

// drawView is a view that is reached by drawn steps, and the place in data of each of its elements, by the steps' own meaning.
func drawView[T ufunc.Element](t *rapid.T, data []T) (ufunc.Array[T], []int) {
	a := ufunc.NewArray(data, len(data))
	places := make([]int, len(data))
	for i := range places {
		places[i] = i
	}
	place := func(shape, at []int) int { // in places
		k := 0
		for d, i := range at {
			k = k*shape[d] + i
		}
		return k
	}
	for range rapid.IntRange(0, 6).Draw(t, "steps") {
		shape := a.Shape()
		step := rapid.SampledFrom([]string{"Transpose", "Slice", "Index", "Split", "Join"}).Draw(t, "step")
		if step != "Transpose" && len(shape) == 0 {
			continue
		}
		axis := 0
		if len(shape) > 0 {
			axis = rapid.IntRange(0, len(shape)-1).Draw(t, "axis")
		}
		var origin func(at []int) []int // the index that an element had before the step
		switch step {
		case "Join": // with the next axis, where that takes no copy
			if axis++; axis == len(shape) {
				continue
			}
			m, n, stride := shape[axis-1], shape[axis], a.Strides()
			fits := a.Len() == 0 || m == 1 || n == 1 || stride[axis-1] == n*stride[axis]
			joined, ok := reshaped(a, slices.Concat(shape[:axis-1], []int{m * n}, shape[axis+1:]))
			if ok != fits {
				t.Fatalf("axis %d of shape %v, strides %v, joined with the next: %t", axis-1, shape, stride, ok)
			}
			if !ok {
				continue
			}
			a = joined
			origin = func(at []int) []int {
				return slices.Concat(at[:axis-1], []int{at[axis-1] / n, at[axis-1] % n}, at[axis:])
			}
		case "Split":
			n := shape[axis]
			f := rapid.SampledFrom([]int{1, 2, 3, 5}).Draw(t, "factor")
			if len(shape) >= 6 || n == 0 || n%f != 0 {
				continue
			}
			a = a.Reshape(slices.Concat(shape[:axis], []int{f, -1}, shape[axis+1:])...)
			origin = func(at []int) []int {
				return slices.Concat(at[:axis], []int{at[axis]*(n/f) + at[axis+1]}, at[axis+2:])
			}
		case "Transpose":
			axes := make([]int, len(shape))
			for k := range axes {
				axes[k] = k
			}
			axes = rapid.Permutation(axes).Draw(t, "axes")
			a = a.Transpose(axes...)
			origin = func(at []int) []int {
				from := make([]int, len(at))
				for k, axis := range axes {
					from[axis] = at[k]
				}
				return from
			}
		case "Slice":
			n := shape[axis]
			from, to := rapid.IntRange(-n-2, n+2).Draw(t, "from"), rapid.IntRange(-n-2, n+2).Draw(t, "to")
			step := rapid.SampledFrom([]int{1, 2, 3, -1, -2, -3}).Draw(t, "by")
			a = a.Slice(axis, from, to, step)
			// The meaning of a[from:to:step] in Python.
			if from < 0 {
				from += n
			}
			if to < 0 {
				to += n
			}
			var kept []int
			if step > 0 {
				for i := max(from, 0); i < min(to, n); i += step {
					kept = append(kept, i)
				}
			} else {
				for i := min(from, n-1); i > max(to, -1); i += step {
					kept = append(kept, i)
				}
			}
			origin = func(at []int) []int {
				from := slices.Clone(at)
				from[axis] = kept[at[axis]]
				return from
			}
			if a.Shape()[axis] != len(kept) {
				t.Fatalf("%d elements of %d from %d to %d by %d, want %d", a.Shape()[axis], n, from, to, step, len(kept))
			}
		case "Index":
			if shape[axis] == 0 {
				continue
			}
			i := rapid.IntRange(-shape[axis], shape[axis]-1).Draw(t, "index")
			a = a.Index(axis, i)
			origin = func(at []int) []int { return slices.Insert(slices.Clone(at), axis, (i+shape[axis])%shape[axis]) }
		}
		var moved []int
		for _, at := range indices(a.Shape()) {
			moved = append(moved, places[place(shape, origin(at))])
		}
		places = moved
	}
	return a, places
}

// Views are what their steps say, element by element, and a call sees the elements that At does.
func TestArrayViews(t *testing.T) {
	plus := ufunc.Vectorize(func(x ufunc.Value) ufunc.Value { return x.Add(ufunc.Const(1)) }, ufunc.Int16, 7).Kernel()
	rapid.Check(t, func(t *rapid.T) {
		data := make([]int16, rapid.SampledFrom([]int{1, 12, 30, 60, 0}).Draw(t, "length"))
		for i := range data {
			data[i] = int16(i)
		}
		a, places := drawView(t, data)
		var want, more []int16
		for _, p := range places {
			want, more = append(want, int16(p)), append(more, int16(p)+1)
		}
		if diff := cmp.Diff(want, append([]int16(nil), a.Values()...)); diff != "" {
			t.Fatalf("shape %v, strides %v (-want +got):\n%s", a.Shape(), a.Strides(), diff)
		}
		got := make([]int16, len(places))
		if err := plus.Call(a, ufunc.NewArray(got, a.Shape()...)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(more, append([]int16(nil), got...)); diff != "" {
			t.Fatalf("a call, shape %v, strides %v (-want +got):\n%s", a.Shape(), a.Strides(), diff)
		}
	})
}

func TestArrayErrors(t *testing.T) {
	data := make([]int32, 12)
	a := ufunc.NewArray(data, 3, 4)
	for name, do := range map[string]func(){
		"size":              func() { ufunc.NewArray(data, 5, 2) },
		"negative size":     func() { ufunc.NewArray(data, -3, -4) },
		"outside":           func() { ufunc.StridedArray(data, 1, []int{3, 4}, []int{4, 1}) },
		"reshape":           func() { a.Reshape(5, -1) },
		"reshape by a copy": func() { a.Transpose().Reshape(12) },
		"axes":              func() { a.Transpose(0, 0) },
		"step":              func() { a.Slice(0, 0, 1, 0) },
		"axis":              func() { a.Slice(2, 0, 1, 1) },
		"index":             func() { a.Index(0, 3) },
		"indices":           func() { a.At(1) },
		"broadcast":         func() { a.Broadcast(3, 5) },
		"fewer dimensions":  func() { a.Broadcast(4) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if err, ok := recover().(error); !ok || !errors.Is(err, ufunc.ErrShape) {
					t.Errorf("panic %v", err)
				}
			}()
			do()
		})
	}
	double := ufunc.Vectorize(func(x ufunc.Value) ufunc.Value { return x.Add(x) }, ufunc.Int32, 2)
	if err := double.Kernel().Call(a, ufunc.NewArray(data[:1], 1).Broadcast(3, 4)); !errors.Is(err, ufunc.ErrOverlap) {
		t.Errorf("an output written twice: %v", err)
	}
	if got := ufunc.NewArray(data[:4], 4).Broadcast(3, 4).Shape(); !slices.Equal(got, []int{3, 4}) {
		t.Errorf("broadcast to %v", got)
	}
}
