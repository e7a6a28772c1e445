package ufunc_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-yolk/yolk/ufunc"
)

// Properties of calls, held against a twin that works through copies, element by element. Memory is drawn by memory_test.go; every byte of it is compared
// afterwards: outputs, inputs, what lies between strides, and guard bands.

func addTwice32(x, y float32) float32           { return x + y + y }
func difference64(x, y float64) float64         { return x - y }
func productInt16(x, y int16) int16             { return x*y - x }
func sumUint8(x, y uint8) uint8                 { return x + y + 3 }
func lessFloat32(x, y float32) bool             { return x < y }
func exclusive(x, y bool) bool                  { return x != y }
func pairOf(i int16, x float32) (float32, bool) { return float32(i) + x, float32(i) < x }
func narrowed(x float64, b bool) (uint8, int16) { return chosenByte(x, b), int16(x) }
func addStored(x, y float32) float32            { return x + y }
func three(x, y, z float32) (float32, float32)  { return x + y - z, z - x }
func chosenByte(x float64, b bool) (chosen uint8) {
	if b {
		return uint8(x + 20)
	}
	return 7
}

// propertyKernel is a kernel and its meaning on numbers, which are small and whole.
type propertyKernel struct {
	name   string
	fn     any
	dtype  ufunc.DType
	types  []ufunc.DType
	inputs int
	twin   func(in []float64) []float64
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

var propertyKernels = []propertyKernel{
	{"float32", addTwice32, ufunc.Float32, []ufunc.DType{ufunc.Float32, ufunc.Float32, ufunc.Float32}, 2, func(x []float64) []float64 { return []float64{x[0] + 2*x[1]} }},
	{"float64", difference64, ufunc.Float64, []ufunc.DType{ufunc.Float64, ufunc.Float64, ufunc.Float64}, 2, func(x []float64) []float64 { return []float64{x[0] - x[1]} }},
	{"int16", productInt16, ufunc.Int16, []ufunc.DType{ufunc.Int16, ufunc.Int16, ufunc.Int16}, 2, func(x []float64) []float64 { return []float64{x[0]*x[1] - x[0]} }},
	{"uint8", sumUint8, ufunc.Uint8, []ufunc.DType{ufunc.Uint8, ufunc.Uint8, ufunc.Uint8}, 2, func(x []float64) []float64 { return []float64{x[0] + x[1] + 3} }},
	{"less", lessFloat32, ufunc.Float32, []ufunc.DType{ufunc.Float32, ufunc.Float32, ufunc.Bool}, 2, func(x []float64) []float64 { return []float64{truth(x[0] < x[1])} }},
	{"bool", exclusive, ufunc.Bool, []ufunc.DType{ufunc.Bool, ufunc.Bool, ufunc.Bool}, 2, func(x []float64) []float64 { return []float64{truth(x[0] != x[1])} }},
	{"half", addStored, ufunc.Float16, []ufunc.DType{ufunc.Float16, ufunc.Float16, ufunc.Float16}, 2, func(x []float64) []float64 { return []float64{x[0] + x[1]} }},
	{"bfloat16", addStored, ufunc.BFloat16, []ufunc.DType{ufunc.BFloat16, ufunc.BFloat16, ufunc.BFloat16}, 2, func(x []float64) []float64 { return []float64{x[0] + x[1]} }},
	{"int16 and float32 to float32 and bool", pairOf, ufunc.Int16, []ufunc.DType{ufunc.Int16, ufunc.Float32, ufunc.Float32, ufunc.Bool}, 2,
		func(x []float64) []float64 { return []float64{x[0] + x[1], truth(x[0] < x[1])} }},
	{"float64 and bool to uint8 and int16", narrowed, ufunc.Float64, []ufunc.DType{ufunc.Float64, ufunc.Bool, ufunc.Uint8, ufunc.Int16}, 2,
		func(x []float64) []float64 { return []float64{float64(chosenByte(x[0], x[1] != 0)), x[0]} }},
	{"three to two", three, ufunc.Float32, []ufunc.DType{ufunc.Float32, ufunc.Float32, ufunc.Float32, ufunc.Float32, ufunc.Float32}, 3,
		func(x []float64) []float64 { return []float64{x[0] + x[1] - x[2], x[2] - x[0]} }},
}

// executors are a kernel on native code and on the interpreter.
func executors(fn any, dtype ufunc.DType, opts ...ufunc.Option) [2]*ufunc.Kernel {
	var kernels [2]*ufunc.Kernel
	clang, set := os.LookupEnv("YOLK_CLANG")
	for i := range kernels {
		if i == 1 {
			os.Setenv("YOLK_CLANG", "off")
		}
		kernels[i] = ufunc.Vectorize(fn, dtype, 4, append(opts, ufunc.Domain(-1e4, 1e4))...).Kernel()
		if kernels[i].Report().Executor == "" {
			panic("a kernel could not be made")
		}
	}
	if os.Unsetenv("YOLK_CLANG"); set {
		os.Setenv("YOLK_CLANG", clang)
	}
	return kernels
}

var callKernels = sync.OnceValue(func() (all [][2]*ufunc.Kernel) {
	for _, k := range propertyKernels {
		all = append(all, executors(k.fn, k.dtype))
	}
	return all
})

// drawnCall is a call in drawn memory, with the numbers of the operands in it.
type drawnCall struct {
	memory
	kernel propertyKernel
	mask   int // the operand that is one, or -1
}

// drawCall draws operands that fit each other mostly, and a mask at times.
func drawCall(t *rapid.T, kernel propertyKernel, make func(*rapid.T, int) buffer) *drawnCall {
	c := &drawnCall{memory: memory{make: make}, kernel: kernel, mask: -1}
	shape := drawShape(t, 4)
	for i, typ := range kernel.types {
		s := shape
		if i < kernel.inputs {
			s = drawStretched(t, shape)
		}
		if i > 0 && oneIn(t, 40, "misfit") {
			s = drawShape(t, 3)
		}
		c.draw(t, typ, s, i >= kernel.inputs)
	}
	if rapid.Bool().Draw(t, "masked") {
		c.mask = len(c.views)
		c.draw(t, ufunc.Bool, drawStretched(t, shape), false)
	}
	c.allocate(t)
	return c
}

// want is what the call does: an error, or what memory holds after it.
func (c *drawnCall) want() (errs []error) {
	shape, ok := broadcastShape(c.views)
	outputs := c.views[c.kernel.inputs:len(c.kernel.types)]
	for _, v := range outputs {
		ok = ok && slices.Equal(v.shape, shape)
	}
	if !ok {
		errs = append(errs, ufunc.ErrShape)
	}
	if errs = append(errs, c.overlapping()...); errs != nil {
		return errs
	}
	before := c.copied()
	for _, at := range indices(shape) {
		if c.mask >= 0 && before.load(c.views[c.mask], at) == 0 {
			continue
		}
		var in []float64
		for _, v := range c.views[:c.kernel.inputs] {
			in = append(in, before.load(v, at))
		}
		for i, y := range c.kernel.twin(in) {
			c.expected.store(outputs[i], at, y)
		}
	}
	return nil
}

// overlapping is the error of outputs that have an element in common.
func (c *drawnCall) overlapping() []error {
	touched := map[[2]int]bool{}
	for _, v := range c.views[c.kernel.inputs:len(c.kernel.types)] {
		for _, at := range indices(v.shape) {
			place := [2]int{v.buffer, v.place(at)}
			if touched[place] {
				return []error{ufunc.ErrOverlap}
			}
			touched[place] = true
		}
	}
	return nil
}

func (c *drawnCall) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, mask %t:", c.kernel.name, c.mask >= 0)
	for _, v := range c.views {
		fmt.Fprintf(&b, "\n  %v", v)
	}
	return b.String()
}

// caller calls a kernel, rightly or wrongly.
type caller func(k *ufunc.Kernel, c *drawnCall) error

func rightCall(k *ufunc.Kernel, c *drawnCall) error {
	return k.Call(c.operands()...)
}

// operands are those of the call, the mask anywhere among them.
func (c *drawnCall) operands() (values []any) {
	for i, v := range c.views {
		if i == c.mask {
			values = slices.Insert(values, c.maskAt%len(c.views), ufunc.Mask(c.value(v)))
			continue
		}
		values = append(values, c.value(v))
	}
	return values
}

// callsAreTheirTwin is the property of calls, in buffers that make makes.
func callsAreTheirTwin(call caller, make func(*rapid.T, int) buffer) func(*rapid.T) {
	return func(t *rapid.T) {
		which := rapid.IntRange(0, len(propertyKernels)-1).Draw(t, "kernel")
		k := callKernels()[which][rapid.IntRange(0, 1).Draw(t, "executor")]
		c := drawCall(t, propertyKernels[which], make)
		checkMemory(t, &c.memory, c, c.want(), func() error { return call(k, c) })
	}
}

// checkMemory makes a call and compares its error, and every byte of memory.
func checkMemory(t *rapid.T, m *memory, what fmt.Stringer, errs []error, call func() error) {
	err := call()
	if len(errs) > 0 {
		if !slices.ContainsFunc(errs, func(e error) bool { return errors.Is(err, e) }) {
			t.Fatalf("%v, want one of %v\n%v", err, errs, what)
		}
	} else if err != nil {
		t.Fatalf("%v\n%v", err, what)
	}
	for i, b := range m.buffers {
		if !bytes.Equal(b.all(), m.expected[i].all()) {
			t.Fatalf("%v\n%s", what, m.difference(i))
		}
	}
}

// Calls are what a loop over copies gives, on every kind of memory, and touch nothing else.
func TestCallsAreTheirTwin(t *testing.T) {
	rapid.Check(t, callsAreTheirTwin(rightCall, nil))
}

func FuzzCalls(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(callsAreTheirTwin(rightCall, nil)))
}

// recorder is a testing.TB for checks that are to fail.
type recorder struct {
	testing.TB
	failed bool
	log    strings.Builder
}

func (r *recorder) Failed() bool                      { return r.failed }
func (r *recorder) Fail()                             { r.failed = true }
func (r *recorder) FailNow()                          { r.failed = true; panic(r) }
func (r *recorder) Errorf(format string, args ...any) { r.Fail(); r.Logf(format, args...) }
func (r *recorder) Error(args ...any)                 { r.Fail(); r.Log(args...) }
func (r *recorder) Fatalf(format string, args ...any) { r.Logf(format, args...); r.FailNow() }
func (r *recorder) Fatal(args ...any)                 { r.Log(args...); r.FailNow() }
func (r *recorder) Log(args ...any)                   { fmt.Fprintln(&r.log, args...) }
func (r *recorder) Logf(format string, args ...any)   { fmt.Fprintf(&r.log, format+"\n", args...) }

// faultOf runs a check that is to fail and returns what it says.
func faultOf(t *testing.T, property func(*rapid.T)) (said string) {
	r := &recorder{TB: t}
	defer func() {
		if v := recover(); v != nil && v != any(r) {
			panic(v)
		}
		if !r.failed {
			t.Error("nobody saw the fault")
		}
		said = r.log.String()
	}()
	rapid.Check(r, property)
	return ""
}

// Planted faults are found: the property is no formality.
func TestFaultsOfCallsAreFound(t *testing.T) {
	for name, call := range map[string]caller{
		"an element too far": func(k *ufunc.Kernel, c *drawnCall) error {
			err := k.Call(c.operands()...)
			out := c.views[c.kernel.inputs]
			if all := indices(out.shape); err == nil && len(all) > 0 {
				end := 0
				for _, at := range all {
					end = max(end, out.place(at))
				}
				c.buffers[out.buffer].all()[band+(end+1)*out.typ.Size()] ^= 1
			}
			return err
		},
		"a byte before the buffer": func(k *ufunc.Kernel, c *drawnCall) error {
			err := k.Call(c.operands()...)
			c.buffers[0].all()[band-1] ^= 0x80
			return err
		},
		"no mask": func(k *ufunc.Kernel, c *drawnCall) error {
			var values []any
			for i, v := range c.views {
				if i != c.mask {
					values = append(values, c.value(v))
				}
			}
			return k.Call(values...)
		},
		"as if nothing overlapped": func(k *ufunc.Kernel, c *drawnCall) error {
			if err := k.Call(c.operands()...); err != nil || c.mask >= 0 {
				return err
			}
			for i := range c.buffers { // again, element by element in place
				copy(c.buffers[i].all(), c.start[i].all())
			}
			shape, _ := broadcastShape(c.views)
			for _, at := range indices(shape) {
				var in []float64
				for _, v := range c.views[:c.kernel.inputs] {
					in = append(in, c.buffers.load(v, at))
				}
				for i, y := range c.kernel.twin(in) {
					c.buffers.store(c.views[c.kernel.inputs+i], at, y)
				}
			}
			return nil
		},
		"errors that write": func(k *ufunc.Kernel, c *drawnCall) error {
			err := k.Call(c.operands()...)
			if err != nil && len(c.buffers[0].data()) > 0 {
				c.buffers[0].data()[0] ^= 1
			}
			return err
		},
		"no error": func(k *ufunc.Kernel, c *drawnCall) error {
			k.Call(c.operands()...)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			if said := faultOf(t, callsAreTheirTwin(call, nil)); !strings.Contains(said, "kernel") {
				t.Errorf("it says %q", said)
			}
		})
	}
}
