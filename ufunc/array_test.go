package ufunc_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// randomView is a view that is reached by random steps, and the place in data of each of its elements, by the steps' own meaning.
func randomView[T ufunc.Element](r *rand.Rand, data []T) (ufunc.Array[T], []int) {
	n := len(data)
	a := ufunc.NewArray(data, n)
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	place := func(shape []int, at []int) int { // in places
		k := 0
		for d, i := range at {
			k = k*shape[d] + i
		}
		return k
	}
	for range 1 + r.IntN(5) {
		shape := a.Shape()
		var moved []int
		switch r.IntN(4) {
		case 0: // split the first axis that divides
			for k, s := range shape {
				for _, f := range []int{2, 3, 5} {
					if s > f && s%f == 0 && len(shape) < 4 {
						a = a.Reshape(slices.Concat(shape[:k], []int{f, -1}, shape[k+1:])...)
						shape = nil
						break
					}
				}
				if shape == nil {
					break
				}
			}
			continue
		case 1:
			axes := r.Perm(len(shape))
			a = a.Transpose(axes...)
			for _, at := range indices(a.Shape()) {
				from := make([]int, len(at))
				for k, axis := range axes {
					from[axis] = at[k]
				}
				moved = append(moved, places[place(shape, from)])
			}
		case 2:
			axis := r.IntN(len(shape))
			from, step := r.IntN(shape[axis]+1), 1+r.IntN(2)
			to := from + r.IntN(shape[axis]+1)
			if r.IntN(3) == 0 {
				from, to, step = shape[axis]-1, -shape[axis]-1, -step
			}
			if shape[axis] == 0 {
				continue
			}
			var kept []int
			for i := from; step > 0 && i < min(to, shape[axis]) || step < 0 && i >= 0; i += step {
				kept = append(kept, i)
			}
			if len(kept) == 0 {
				continue
			}
			a = a.Slice(axis, from, to, step)
			for _, at := range indices(a.Shape()) {
				from := slices.Clone(at)
				from[axis] = kept[at[axis]]
				moved = append(moved, places[place(shape, from)])
			}
		case 3:
			if len(shape) < 2 {
				continue
			}
			axis := r.IntN(len(shape))
			if shape[axis] == 0 {
				continue
			}
			i := r.IntN(shape[axis])
			a = a.Index(axis, i)
			for _, at := range indices(a.Shape()) {
				moved = append(moved, places[place(shape, slices.Insert(slices.Clone(at), axis, i))])
			}
		}
		places = moved
	}
	return a, places
}

// Views are what their steps say, element by element.
func TestArrayViews(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for range 2000 {
		data := make([]int16, []int{1, 12, 30, 60}[r.IntN(4)])
		for i := range data {
			data[i] = int16(i)
		}
		tried := func() (a ufunc.Array[int16], places []int, err error) {
			defer func() { // a reshape that needs a copy
				if v, ok := recover().(error); ok {
					err = v
				}
			}()
			a, places = randomView(r, data)
			return a, places, nil
		}
		a, places, err := tried()
		if err != nil {
			if !errors.Is(err, ufunc.ErrShape) {
				t.Fatal(err)
			}
			continue
		}
		var want []int16
		for _, p := range places {
			want = append(want, int16(p))
		}
		if diff := cmp.Diff(want, append([]int16(nil), a.Values()...)); diff != "" {
			t.Fatalf("shape %v, strides %v (-want +got):\n%s", a.Shape(), a.Strides(), diff)
		}
	}
}

// testOneBuffer calls a kernel on views of one buffer, output included: the result is that of copies, and nothing else changes.
func testOneBuffer[T int8 | uint16 | float32 | int64](t *testing.T, dtype ufunc.DType) {
	f := ufunc.Vectorize(func(x, y ufunc.Value) ufunc.Value { return x.Add(y).Add(y) }, dtype, 4)
	mask := ufunc.Vectorize(func(x, y ufunc.Value) ufunc.Value { return x.Sub(y) }, dtype, 4)
	r := rand.New(rand.NewPCG(uint64(dtype), 63))
	calls := 0
	for range 3000 {
		data := make([]T, 60)
		for i := range data {
			data[i] = T(r.IntN(40))
		}
		before := slices.Clone(data)
		var views [3]ufunc.Array[T]
		var places [3][]int
		err := func() (err error) {
			defer func() {
				if v, ok := recover().(error); ok {
					err = v
				}
			}()
			for i := range views {
				views[i], places[i] = randomView(r, data)
			}
			return nil
		}()
		if err != nil {
			continue
		}
		shape := views[2].Shape()
		all := true
		for i := range 2 {
			s := views[i].Shape()
			fits := len(s) <= len(shape)
			for k := range min(len(s), len(shape)) {
				fits = fits && (s[len(s)-1-k] == shape[len(shape)-1-k] || s[len(s)-1-k] == 1)
			}
			if !fits && r.IntN(2) == 0 { // any two views seldom fit
				views[i], places[i], fits = views[2], places[2], true
				if len(shape) > 0 && r.IntN(2) == 0 {
					views[i] = views[2].Slice(0, 0, 1, 1)
					places[i] = places[2][:views[i].Len()]
				}
			}
			all = all && fits
		}
		if !all {
			continue
		}
		calls++
		at := func(i int, index []int) T {
			s := views[i].Shape()
			k := 0
			for d, n := range s {
				x := index[len(index)-len(s)+d]
				if n == 1 {
					x = 0
				}
				k = k*n + x
			}
			return before[places[i][k]]
		}
		want := slices.Clone(before)
		chosen := make([]bool, len(places[2]))
		masked := r.IntN(2) == 0
		for k, index := range indices(shape) {
			chosen[k] = r.IntN(2) == 0
			x, y := at(0, index), at(1, index)
			switch {
			case masked && chosen[k]:
				want[places[2][k]] = x - y
			case !masked:
				want[places[2][k]] = x + y + y
			}
		}
		if masked {
			err = mask.Kernel().Call(views[0], views[1], views[2], ufunc.Mask(ufunc.NewArray(chosen, shape...)))
		} else {
			err = f.Kernel().Call(views[0], views[1], views[2])
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, data); diff != "" {
			what := ""
			for _, v := range views {
				what += fmt.Sprintf(" %v by %v", v.Shape(), v.Strides())
			}
			t.Fatalf("%v, masked %t, views%s (-want +got):\n%s", dtype, masked, what, diff)
		}
	}
	if calls < 500 {
		t.Errorf("%v: only %d calls", dtype, calls)
	}
}

func TestViewsOfOneBuffer(t *testing.T) {
	testOneBuffer[int8](t, ufunc.Int8)
	testOneBuffer[uint16](t, ufunc.Uint16)
	testOneBuffer[float32](t, ufunc.Float32)
	testOneBuffer[int64](t, ufunc.Int64)
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
