package ufunc_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-yolk/yolk/ufunc"
)

// foldKernel is a kernel of two inputs that folds, and its meaning on numbers.
type foldKernel struct {
	name    string
	fn      any
	dtype   ufunc.DType
	neutral any // nil: none
	twin    func(x, y float64) float64
}

func add(x, y float64) float64 { return x + y }

var foldKernels = []foldKernel{
	{"add float32", addValues, ufunc.Float32, 0, add},
	{"max float32", func(x, y ufunc.Value) ufunc.Value { return x.Max(y) }, ufunc.Float32, nil, func(x, y float64) float64 { return max(x, y) }},
	{"add float64", addValues, ufunc.Float64, 0, add},
	{"min float64", func(x, y ufunc.Value) ufunc.Value { return x.Min(y) }, ufunc.Float64, nil, func(x, y float64) float64 { return min(x, y) }},
	{"multiply int16", multiplyValues, ufunc.Int16, 1, func(x, y float64) float64 { return float64(int16(int64(x) * int64(y))) }},
	{"add uint8", addValues, ufunc.Uint8, 0, func(x, y float64) float64 { return float64(uint8(x + y)) }},
	{"or bool", func(x, y ufunc.Value) ufunc.Value { return x.Or(y) }, ufunc.Bool, false, func(x, y float64) float64 { return max(x, y) }},
	{"add half", addValues, ufunc.Float16, 0, add},
	{"add bfloat16", addValues, ufunc.BFloat16, 0, add},
}

var foldingKernels = sync.OnceValue(func() (all [][2]*ufunc.Kernel) {
	for _, k := range foldKernels {
		var opts []ufunc.Option
		if k.neutral != nil {
			opts = append(opts, ufunc.WithIdentity(k.neutral))
		}
		all = append(all, executors(k.fn, k.dtype, opts...))
	}
	return all
})

// drawnFold is a call of a method in drawn memory.
type drawnFold struct {
	memory
	kernel  foldKernel
	method  string
	axes    []int // as given: negative ones count from the end
	indices []int
	keep    bool
	initial bool
	only    bool
}

const initialNumber = 1 // of any type but bool

func (c *drawnFold) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s, axes %v, indices %v, keep %t, initial %t, only %t:", c.method, c.kernel.name, c.axes, c.indices, c.keep, c.initial, c.only)
	for _, v := range c.views {
		fmt.Fprintf(&b, "\n  %v", v)
	}
	return b.String()
}

func (c *drawnFold) number() any {
	if c.kernel.dtype == ufunc.Bool {
		return true
	}
	return initialNumber
}

func (c *drawnFold) run(k *ufunc.Kernel) error {
	var values []any
	for _, v := range c.views {
		values = append(values, c.value(v))
	}
	out := values[len(values)-1]
	switch c.method {
	case "Accumulate":
		return k.Accumulate(values[0], out, c.axes[0])
	case "ReduceAt":
		return k.ReduceAt(values[0], c.indices, out, c.axes[0])
	case "Outer":
		return k.Outer(values[0], values[1], out)
	case "At":
		return k.At(out, c.indices, values[0])
	}
	var opts []ufunc.ReduceOption
	if c.axes != nil {
		opts = append(opts, ufunc.Over(c.axes...))
	}
	if c.keep {
		opts = append(opts, ufunc.KeepDims())
	}
	if c.initial {
		opts = append(opts, ufunc.Initial(c.number()))
	}
	if c.only {
		opts = append(opts, ufunc.Only(values[1]))
	}
	return k.Reduce(values[0], out, opts...)
}

// drawFold draws a method and operands that fit.
func drawFold(t *rapid.T, kernel foldKernel, make func(*rapid.T, int) buffer) *drawnFold {
	c := &drawnFold{memory: memory{make: make}, kernel: kernel, method: rapid.SampledFrom([]string{"Reduce", "Accumulate", "ReduceAt", "Outer", "At"}).Draw(t, "method")}
	typ := kernel.dtype
	axis := func(shape []int) int {
		a := rapid.IntRange(0, len(shape)-1).Draw(t, "axis")
		if rapid.Bool().Draw(t, "from the end") {
			a -= len(shape)
		}
		return a
	}
	shape := drawShape(t, 4)
	if len(shape) == 0 && c.method != "Reduce" && c.method != "Outer" {
		shape = []int{1}
	}
	out := slices.Clone(shape)
	switch c.method {
	case "Reduce":
		c.draw(t, typ, shape, false)
		reduced := slices.Repeat([]bool{false}, len(shape))
		if len(shape) == 0 || rapid.Bool().Draw(t, "all axes") {
			for k := range reduced {
				reduced[k] = true
			}
		} else {
			c.axes = []int{}
			for _, k := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(shape)-1), 0, len(shape), rapid.ID).Draw(t, "axes") {
				reduced[k] = true
				if rapid.Bool().Draw(t, "from the end") {
					k -= len(shape)
				}
				c.axes = append(c.axes, k)
			}
		}
		c.keep = rapid.Bool().Draw(t, "keep")
		c.initial = rapid.Bool().Draw(t, "initial")
		if c.only = kernel.neutral != nil && rapid.Bool().Draw(t, "only"); c.only {
			c.draw(t, ufunc.Bool, drawStretched(t, shape), false)
		}
		out = []int{}
		for k, n := range shape {
			switch {
			case !reduced[k]:
				out = append(out, n)
			case c.keep:
				out = append(out, 1)
			}
		}
	case "Accumulate":
		c.draw(t, typ, shape, false)
		c.axes = []int{axis(shape)}
	case "ReduceAt":
		c.axes = []int{axis(shape)}
		a := (c.axes[0] + len(shape)) % len(shape)
		shape[a] = max(shape[a], 1)
		c.draw(t, typ, shape, false)
		c.indices = rapid.SliceOfN(rapid.IntRange(0, shape[a]-1), 0, 5).Draw(t, "indices")
		out = slices.Clone(shape)
		out[a] = len(c.indices)
	case "Outer":
		shape = shape[:min(2, len(shape))]
		second := drawShape(t, 2)
		c.draw(t, typ, shape, false)
		c.draw(t, typ, second, false)
		out = slices.Concat(shape, second)
	case "At":
		n := shape[len(shape)-1]
		if n > 0 {
			c.indices = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 8).Draw(t, "indices")
		}
		from := []int{len(c.indices)}
		if rapid.Bool().Draw(t, "one") {
			from = []int{}
		}
		c.draw(t, typ, from, false)
		out = []int{n}
	}
	c.draw(t, typ, out, true)
	if c.method == "At" { // b is not copied when it overlaps x: unbuffered
		c.views[1].buffer = 1
	}
	c.allocate(t)
	return c
}

// want is what memory holds after the call, or the errors that it may have.
func (c *drawnFold) want() []error {
	last := len(c.views) - 1
	in, out := c.views[0], c.views[last]
	touched := map[int]bool{}
	for _, at := range indices(out.shape) {
		place := out.place(at)
		if touched[place] {
			return []error{ufunc.ErrOverlap}
		}
		touched[place] = true
	}
	before := c.copied()
	load := func(at []int) float64 { return before.load(in, at) }
	fold := c.kernel.twin
	var axis int
	if len(c.axes) > 0 && len(in.shape) > 0 {
		axis = (c.axes[0] + len(in.shape)) % len(in.shape)
	}
	with := func(at []int, i int) []int {
		at = slices.Clone(at)
		at[axis] = i
		return at
	}
	switch c.method {
	case "Accumulate":
		for _, at := range indices(in.shape) {
			y := load(with(at, 0))
			for i := 1; i <= at[axis]; i++ {
				y = fold(y, load(with(at, i)))
			}
			c.expected.store(out, at, y)
		}
	case "ReduceAt":
		for _, at := range indices(out.shape) {
			i := at[axis]
			from, to := c.indices[i], in.shape[axis]
			if i+1 < len(c.indices) {
				to = c.indices[i+1]
			}
			y := load(with(at, from))
			for k := from + 1; k < to; k++ {
				y = fold(y, load(with(at, k)))
			}
			c.expected.store(out, at, y)
		}
	case "Outer":
		for _, a := range indices(in.shape) {
			for _, b := range indices(c.views[1].shape) {
				c.expected.store(out, slices.Concat(a, b), fold(load(a), before.load(c.views[1], b)))
			}
		}
	case "At":
		for i, k := range c.indices {
			at := []int{i}
			if len(in.shape) == 0 {
				at = nil
			}
			c.expected.store(out, []int{k}, fold(c.expected.load(out, []int{k}), load(at)))
		}
	case "Reduce":
		return c.wantReduced(before)
	}
	return nil
}

func (c *drawnFold) wantReduced(before bufferList) []error {
	in, out := c.views[0], c.views[len(c.views)-1]
	reduced := make([]bool, len(in.shape))
	for k := range reduced {
		reduced[k] = c.axes == nil
	}
	for _, a := range c.axes {
		reduced[(a+len(in.shape))%len(in.shape)] = true
	}
	for k, n := range in.shape { // as NumPy, even where the result is empty
		if n == 0 && reduced[k] && c.kernel.neutral == nil && !c.initial {
			return []error{ufunc.ErrShape}
		}
	}
	sums := map[string]*float64{}
	fold := func(key string, x float64) {
		if y := sums[key]; y != nil {
			*y = c.kernel.twin(*y, x)
		} else {
			sums[key] = &x
		}
	}
	key := func(at []int, all bool) string {
		var kept []int
		for k, i := range at {
			if all || !reduced[k] {
				kept = append(kept, i)
			}
		}
		return fmt.Sprint(kept)
	}
	keyOut := func(at []int) string {
		if c.keep {
			return key(at, false)
		}
		return key(at, true)
	}
	if c.initial {
		for _, at := range indices(out.shape) {
			fold(keyOut(at), initialNumber)
		}
	}
	for _, at := range indices(in.shape) {
		if c.only && before.load(c.views[1], at) == 0 {
			continue
		}
		fold(key(at, false), before.load(in, at))
	}
	for _, at := range indices(out.shape) {
		y := sums[keyOut(at)]
		if y == nil {
			neutral := 0.
			if c.kernel.neutral == 1 {
				neutral = 1
			}
			y = &neutral
		}
		c.expected.store(out, at, *y)
	}
	return nil
}

// foldsAreTheirTwin is the property of methods, in buffers that make makes.
func foldsAreTheirTwin(call func(k *ufunc.Kernel, c *drawnFold) error, make func(*rapid.T, int) buffer) func(*rapid.T) {
	return func(t *rapid.T) {
		which := rapid.IntRange(0, len(foldKernels)-1).Draw(t, "kernel")
		k := foldingKernels()[which][rapid.IntRange(0, 1).Draw(t, "executor")]
		c := drawFold(t, foldKernels[which], make)
		checkMemory(t, &c.memory, c, c.want(), func() error { return call(k, c) })
	}
}

// Reduce, Accumulate, ReduceAt, Outer and At are what loops over copies give, on every kind of memory, and touch nothing else.
func TestFoldsAreTheirTwin(t *testing.T) {
	rapid.Check(t, foldsAreTheirTwin(func(k *ufunc.Kernel, c *drawnFold) error { return c.run(k) }, nil))
}

func TestFaultsOfFoldsAreFound(t *testing.T) {
	for name, spoil := range map[string]func(c *drawnFold){
		"an element too far": func(c *drawnFold) {
			out := c.views[len(c.views)-1]
			end := -1
			for _, at := range indices(out.shape) {
				end = max(end, out.place(at))
			}
			if end >= 0 {
				c.buffers[out.buffer].all()[band+(end+1)*out.typ.Size()] ^= 1
			}
		},
		"an input": func(c *drawnFold) {
			if d := c.buffers[0].data(); len(d) > 0 {
				d[len(d)-1] ^= 2
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			said := faultOf(t, foldsAreTheirTwin(func(k *ufunc.Kernel, c *drawnFold) error {
				err := c.run(k)
				spoil(c)
				return err
			}, nil))
			if !strings.Contains(said, "buffer") {
				t.Errorf("it says %q", said)
			}
		})
	}
	t.Run("where is forgotten", func(t *testing.T) {
		faultOf(t, foldsAreTheirTwin(func(k *ufunc.Kernel, c *drawnFold) error { c.only = false; return c.run(k) }, nil))
	})
	t.Run("axes from the wrong end", func(t *testing.T) {
		faultOf(t, foldsAreTheirTwin(func(k *ufunc.Kernel, c *drawnFold) error {
			if c.method == "Accumulate" {
				c.axes = []int{-1 - c.axes[0]}
			}
			return c.run(k)
		}, nil))
	})
}
