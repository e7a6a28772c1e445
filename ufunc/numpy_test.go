package ufunc_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/go-yolk/yolk/ufunc"
)

// numpyCase is a call with NumPy's answer; testdata/oracle.py makes them.
type numpyCase struct {
	Kind, Op, DType string
	Args            []numpyArray
	Axes            []int
	Indices         []int
	KeepDims        bool
	Clip            bool
	Initial         *int
	Where           *numpyArray
	Error           bool
	Shape           []int
	Want            []any
}

// numpyArray is a view of a buffer whose elements follow from their index.
type numpyArray struct {
	Salt, N, Offset int
	Shape, Stride   []int
}

var numpyOps = map[string]struct {
	fn       func(x, y ufunc.Value) ufunc.Value
	identity any
	bool     bool // the result
}{
	"add":         {func(x, y ufunc.Value) ufunc.Value { return x.Add(y) }, 0, false},
	"subtract":    {func(x, y ufunc.Value) ufunc.Value { return x.Sub(y) }, nil, false},
	"multiply":    {func(x, y ufunc.Value) ufunc.Value { return x.Mul(y) }, 1, false},
	"maximum":     {func(x, y ufunc.Value) ufunc.Value { return x.Max(y) }, nil, false},
	"minimum":     {func(x, y ufunc.Value) ufunc.Value { return x.Min(y) }, nil, false},
	"less":        {func(x, y ufunc.Value) ufunc.Value { return x.Less(y) }, nil, true},
	"less_equal":  {func(x, y ufunc.Value) ufunc.Value { return x.LessEq(y) }, nil, true},
	"equal":       {func(x, y ufunc.Value) ufunc.Value { return x.Equal(y) }, nil, true},
	"not_equal":   {func(x, y ufunc.Value) ufunc.Value { return x.NotEqual(y) }, nil, true},
	"greater":     {func(x, y ufunc.Value) ufunc.Value { return x.Greater(y) }, nil, true},
	"bitwise_and": {func(x, y ufunc.Value) ufunc.Value { return x.And(y) }, nil, false},
	"bitwise_or":  {func(x, y ufunc.Value) ufunc.Value { return x.Or(y) }, nil, false},
	"bitwise_xor": {func(x, y ufunc.Value) ufunc.Value { return x.Xor(y) }, nil, false},
}

var numpyKernels sync.Map // op/dtype -> ufunc.Func

func numpyKernel(op, name string, dtype ufunc.DType) *ufunc.Kernel {
	if f, ok := numpyKernels.Load(op + name); ok {
		return f.(ufunc.Func).Kernel()
	}
	o := numpyOps[op]
	opts := []ufunc.Option{ufunc.Name(op)}
	if o.identity != nil {
		opts = append(opts, ufunc.WithIdentity(o.identity))
	}
	f := ufunc.Vectorize(o.fn, dtype, 5, opts...)
	numpyKernels.Store(op+name, f)
	return f.Kernel()
}

// value is the element of a buffer.
func (a numpyArray) value(dtype string, i int) int {
	v := (i*7+a.Salt*5+3)%23 - 11
	if dtype == "bool" {
		if v%3 == 0 {
			return 1
		}
		return 0
	}
	if dtype[0] == 'u' {
		return max(v, -v)
	}
	return v
}

const numpyCanary = 77

// numpyRun runs a case with elements of type T.
func numpyRun[T ufunc.Element](c *numpyCase, dtype ufunc.DType, of func(int) T) error {
	array := func(a numpyArray) ufunc.Array[T] {
		data := make([]T, a.N)
		for i := range data {
			v := a.value(c.DType, i)
			if c.Clip {
				if v > 2 || v < -2 {
					v = max(-1, min(1, v))
				}
			}
			data[i] = of(v)
		}
		return ufunc.StridedArray(data, a.Offset, a.Shape, a.Stride)
	}
	k := numpyKernel(c.Op, c.DType, dtype)
	if numpyOps[c.Op].bool {
		return numpyCompare(c, k, array(c.Args[0]), array(c.Args[1]))
	}
	// Outputs lie in the middle of memory that must stay as it is, every other element unused.
	n := 1
	for _, s := range c.Shape {
		n *= s
	}
	guard := slices.Repeat([]T{of(numpyCanary)}, 2*n+8)
	stride, step := make([]int, len(c.Shape)), 2
	for i := len(c.Shape) - 1; i >= 0; i-- {
		stride[i] = step
		step *= c.Shape[i]
	}
	var out ufunc.Array[T]
	if !c.Error || c.Kind == "call" {
		out = ufunc.StridedArray(guard, 4, c.Shape, stride)
	}
	if c.Error { // no output fits
		out = ufunc.NewArray(make([]T, 1), 1)
	}
	var err error
	switch c.Kind {
	case "call":
		err = k.Call(array(c.Args[0]), array(c.Args[1]), out)
	case "mask":
		for i := range n {
			guard[4+2*i] = of(99)
		}
		err = k.Call(array(c.Args[0]), array(c.Args[1]), out, ufunc.Mask(c.Args[2].bools()))
	case "reduce":
		var opts []ufunc.ReduceOption
		if c.Axes != nil {
			opts = append(opts, ufunc.Over(c.Axes...))
		}
		if c.KeepDims {
			opts = append(opts, ufunc.KeepDims())
		}
		if c.Initial != nil {
			opts = append(opts, ufunc.Initial(*c.Initial))
		}
		if c.Where != nil {
			opts = append(opts, ufunc.Only(c.Where.bools()))
		}
		err = k.Reduce(array(c.Args[0]), out, opts...)
	case "accumulate":
		err = k.Accumulate(array(c.Args[0]), out, c.Axes[0])
	case "outer":
		err = k.Outer(array(c.Args[0]), array(c.Args[1]), out)
	case "reduceat":
		err = k.ReduceAt(array(c.Args[0]), c.Indices, out, c.Axes[0])
	case "at":
		out = array(c.Args[0])
		err = k.At(out, c.Indices, array(c.Args[1]))
	}
	if c.Error {
		if err == nil {
			return fmt.Errorf("no error where NumPy has one")
		}
		return nil
	}
	if err != nil {
		return err
	}
	for i, got := range out.Values() {
		want := of(0)
		switch w := c.Want[i].(type) {
		case json.Number:
			x, _ := w.Float64()
			if y, err := w.Int64(); err == nil {
				want = ofInt64[T](y)
			} else if y, err := strconv.ParseUint(w.String(), 10, 64); err == nil {
				want = ofInt64[T](int64(y))
			} else {
				want = ofFloat[T](x)
			}
		case bool:
			if w {
				want = of(1)
			}
		}
		if got != want {
			return fmt.Errorf("element %d is %v, want %v", i, got, want)
		}
	}
	for i, x := range guard {
		inside := i >= 4 && i < 4+2*n && i%2 == 0
		if !inside && x != of(numpyCanary) {
			return fmt.Errorf("memory outside of the output was written, at %d", i)
		}
	}
	return nil
}

func numpyCompare(c *numpyCase, k *ufunc.Kernel, x, y any) error {
	n := 1
	for _, s := range c.Shape {
		n *= s
	}
	out := ufunc.NewArray(make([]bool, n), c.Shape...)
	if c.Error {
		out = ufunc.NewArray(make([]bool, 1), 1)
	}
	err := k.Call(x, y, out)
	if c.Error {
		if err == nil {
			return fmt.Errorf("no error where NumPy has one")
		}
		return nil
	}
	if err != nil {
		return err
	}
	for i, got := range out.Values() {
		if got != c.Want[i] {
			return fmt.Errorf("element %d is %v, want %v", i, got, c.Want[i])
		}
	}
	return nil
}

func (a numpyArray) bools() ufunc.Array[bool] {
	data := make([]bool, a.N)
	for i := range data {
		data[i] = a.value("bool", i) != 0
	}
	return ufunc.StridedArray(data, a.Offset, a.Shape, a.Stride)
}

func ofInt64[T any](x int64) T {
	var t T
	switch p := any(&t).(type) {
	case *float32:
		*p = float32(x)
	case *float64:
		*p = float64(x)
	case *int8:
		*p = int8(x)
	case *int16:
		*p = int16(x)
	case *int32:
		*p = int32(x)
	case *int64:
		*p = x
	case *uint8:
		*p = uint8(x)
	case *uint16:
		*p = uint16(x)
	case *uint32:
		*p = uint32(x)
	case *uint64:
		*p = uint64(x)
	case *bool:
		*p = x != 0
	}
	return t
}

func ofFloat[T any](x float64) T {
	var t T
	switch p := any(&t).(type) {
	case *float32:
		*p = float32(x)
	case *float64:
		*p = x
	case *uint64:
		*p = uint64(x)
	}
	return t
}

func ofInt[T any](x int) T { return ofInt64[T](int64(x)) }

// Shapes, strides, types, masks and reductions, with NumPy's answers.
func TestNumPy(t *testing.T) {
	text, err := os.ReadFile("testdata/numpy.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	counts, failed := map[string]int{}, 0
	for _, native := range []bool{true, false} {
		if !native { // the code of every type is tested elsewhere
			t.Setenv("YOLK_CLANG", "off")
		}
		failed += numpyPass(t, text, counts, func(dtype string) bool { return native == (dtype == "float32" || dtype == "int8" || dtype == "uint16") })
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	if total < 2000 || failed > 0 {
		t.Errorf("%d cases of %v, %d failed", total, counts, failed)
	}
}

func numpyPass(t *testing.T, text []byte, counts map[string]int, takes func(dtype string) bool) (failed int) {
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, 1<<20)
	for line := 1; scan.Scan(); line++ {
		var c numpyCase
		d := json.NewDecoder(bytes.NewReader(scan.Bytes()))
		d.UseNumber()
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if !takes(c.DType) {
			continue
		}
		counts[c.Kind]++
		var err error
		switch c.DType {
		case "bool":
			err = numpyRun(&c, ufunc.Bool, ofInt[bool])
		case "float32":
			err = numpyRun(&c, ufunc.Float32, ofInt[float32])
		case "float64":
			err = numpyRun(&c, ufunc.Float64, ofInt[float64])
		case "int8":
			err = numpyRun(&c, ufunc.Int8, ofInt[int8])
		case "int16":
			err = numpyRun(&c, ufunc.Int16, ofInt[int16])
		case "int32":
			err = numpyRun(&c, ufunc.Int32, ofInt[int32])
		case "int64":
			err = numpyRun(&c, ufunc.Int64, ofInt[int64])
		case "uint8":
			err = numpyRun(&c, ufunc.Uint8, ofInt[uint8])
		case "uint16":
			err = numpyRun(&c, ufunc.Uint16, ofInt[uint16])
		case "uint32":
			err = numpyRun(&c, ufunc.Uint32, ofInt[uint32])
		case "uint64":
			err = numpyRun(&c, ufunc.Uint64, ofInt[uint64])
		}
		if err != nil {
			if failed++; failed < 10 {
				t.Errorf("line %d: %v\n%.300s", line, err, scan.Bytes())
			}
		}
	}
	return failed
}
