package native

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// weave is a function of two inputs and two outputs in which a misplaced element shows: x - y/2 and x < y ? y : x.
func weave(tx, ty ir.Type) *ir.Func {
	b := ir.NewBuilder("weave")
	x := b.Param("x", tx, ir.Unknown)
	y := b.Param("y", ty, ir.Unknown)
	if tx != ty {
		var err error
		if y, err = b.Emit(ir.Convert, tx, y); err != nil {
			panic(err)
		}
	}
	b.Return(b.Must(ir.Sub, x, b.Must(ir.Mul, y, b.Const(tx, 0.5))))
	b.Return(b.Must(ir.Select, b.Must(ir.Lt, x, y), y, x))
	return b.Func()
}

// weaveTwin is weave on small integers, where every type is exact.
func weaveTwin(x, y float64) [2]float64 { return [2]float64{x - y*0.5, max(x, y)} }

// field is a block of memory for one operand: elements numbered from lo to hi relative to the first, with guard bands that
// hold a pattern.
type field struct {
	typ  ir.Type
	view view
	want []byte // what the memory must hold after the call
}

// newField makes an operand with strides in elements. Every byte is random, so a stray write shows.
func newField(typ ir.Type, count, stride []int, offset int, r *rand.Rand) *field {
	const guard = 80 // elements: more than a vector of the main loop has lanes
	lo, hi := 0, 0
	v := view{}
	for d, s := range stride {
		if span := s * max(count[d]-1, 0); span < 0 {
			lo += span
		} else {
			hi += span
		}
		v.stride = append(v.stride, s*typ.Size())
	}
	v.at = (guard + offset - lo) * typ.Size()
	v.data = make([]byte, (2*guard+offset+hi-lo+1)*typ.Size())
	for i := range v.data {
		v.data[i] = byte(r.Uint32())
	}
	return &field{typ: typ, view: v}
}

func (f *field) at(index []int) int {
	at := f.view.at
	for d, i := range index {
		at += i * f.view.stride[d]
	}
	return at
}

// forEach visits all indices.
func forEach(count []int, visit func(index []int)) {
	index := make([]int, len(count))
	for _, n := range count {
		if n == 0 {
			return
		}
	}
	for {
		visit(index)
		d := len(count) - 1
		for ; d >= 0; d-- {
			if index[d]++; index[d] < count[d] {
				break
			}
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// walk runs weave over operands with the given strides in elements and compares all of the memory, guard bands included.
func walk(t *testing.T, run func(count []int, operands ...view), types [4]ir.Type, count []int, stride [4][]int, offset [4]int, r *rand.Rand) {
	t.Helper()
	var fields [4]*field
	for o := range fields {
		fields[o] = newField(types[o], count, stride[o], offset[o], r)
	}
	forEach(count, func(index []int) {
		for _, f := range fields[:2] {
			store(f.typ, f.view.data, f.at(index), ir.ConstBits(f.typ, float64(r.IntN(2000)-1000)))
		}
	})
	for _, f := range fields {
		f.want = bytes.Clone(f.view.data)
	}
	forEach(count, func(index []int) {
		var x [2]float64
		for i, f := range fields[:2] {
			x[i] = ir.BitsFloat(f.typ, load(f.typ, f.view.data, f.at(index)))
		}
		for i, y := range weaveTwin(x[0], x[1]) {
			f := fields[2+i]
			store(f.typ, f.want, f.at(index), ir.ConstBits(f.typ, y))
		}
	})
	run(count, fields[0].view, fields[1].view, fields[2].view, fields[3].view)
	for o, f := range fields {
		if !bytes.Equal(f.view.data, f.want) {
			for i := range f.want {
				if f.view.data[i] != f.want[i] {
					t.Fatalf("count %v, strides %v, offsets %v: operand %d differs first at byte %d from its first element",
						count, stride, offset, o, i-f.view.at)
				}
			}
		}
	}
}

// typings are the types of weave's operands.
var typings = [][4]ir.Type{
	{ir.Float32, ir.Float32, ir.Float32, ir.Float32},
	{ir.Float64, ir.Float64, ir.Float64, ir.Float64},
	{ir.Float64, ir.Float32, ir.Float64, ir.Float64},
}

// eachWeave runs a test for every target and typing with a kernel of ndim dimensions.
func eachWeave(t *testing.T, ndim int, test func(t *testing.T, lanes int, types [4]ir.Type, run func(count []int, operands ...view))) {
	eachWeaveOn(t, runnable(t), ndim, test)
}

// smallCaches are the targets that this machine runs with caches so small that a few hundred elements take all forms of
// the main loop: of float32 operands of weave, 32 elements fill one, 192 three quarters of the other.
func smallCaches(t *testing.T) []Target {
	var list []Target
	for _, target := range runnable(t) {
		if target.Level2 > 0 { // elsewhere the sizes of caches do not matter
			target.Level2, target.LastLevel, target.Interleave = 512, 4096, 2
			list = append(list, target)
		}
	}
	return list
}

func eachWeaveOn(t *testing.T, targets []Target, ndim int, test func(t *testing.T, lanes int, types [4]ir.Type, run func(count []int, operands ...view))) {
	for _, target := range targets {
		for _, types := range typings {
			t.Run(fmt.Sprintf("%s/%v%v", target.Name, types[0], types[1]), func(t *testing.T) {
				f := weave(types[0], types[1])
				k := build(t, f, ndim, target)
				test(t, lanesOf(f, target), types, func(count []int, operands ...view) { call(t, k, count, operands...) })
			})
		}
	}
}

func TestContiguous(t *testing.T) {
	eachWeave(t, 1, func(t *testing.T, lanes int, types [4]ir.Type, run func([]int, ...view)) {
		r := rand.New(rand.NewPCG(5, 6))
		unit := []int{1}
		for n := range 131 {
			for offset := range lanes {
				walk(t, run, types, []int{n}, [4][]int{unit, unit, unit, unit}, [4]int{offset, 0, lanes - 1 - offset, 3}, r)
			}
		}
	})
}

// Lengths around all thresholds of small caches, with outputs that one index aligns, that none does, and that are aligned.
func TestCaches(t *testing.T) {
	eachWeaveOn(t, smallCaches(t), 1, func(t *testing.T, lanes int, types [4]ir.Type, run func([]int, ...view)) {
		r := rand.New(rand.NewPCG(15, 16))
		unit := []int{1}
		for n := 0; n < 420; n += 1 + n/40 {
			for offset := range lanes {
				for _, offsets := range [][4]int{{0, offset, offset, offset}, {offset, 1, offset, offset + 1}, {3, offset, 0, 0}} {
					walk(t, run, types, []int{n}, [4][]int{unit, unit, unit, unit}, offsets, r)
				}
			}
		}
	})
	eachWeaveOn(t, smallCaches(t), 2, func(t *testing.T, lanes int, types [4]ir.Type, run func([]int, ...view)) {
		r := rand.New(rand.NewPCG(17, 18))
		for _, rows := range []int{1, 2, 7} {
			for cols := 1; cols < 300; cols += 1 + cols/10 {
				row := []int{cols, 1}
				walk(t, run, types, []int{rows, cols}, [4][]int{row, row, row, row}, [4]int{}, r)
				walk(t, run, types, []int{rows, cols}, [4][]int{row, {0, 1}, {cols + 64, 1}, {cols + 64, 1}}, [4]int{0, 1, 2, 2}, r)
				walk(t, run, types, []int{rows, cols}, [4][]int{row, {1, 0}, row, row}, [4]int{}, r)
			}
		}
	})
}

// Scalars beside contiguous operands.
func TestScalars(t *testing.T) {
	for _, targets := range [][]Target{runnable(t), smallCaches(t)} {
		eachWeaveOn(t, targets, 1, func(t *testing.T, lanes int, types [4]ir.Type, run func([]int, ...view)) {
			r := rand.New(rand.NewPCG(19, 20))
			for n := 0; n < 420; n += 1 + n/40 {
				for _, s := range [][2]int{{0, 1}, {1, 0}, {0, 0}} {
					walk(t, run, types, []int{n}, [4][]int{{s[0]}, {s[1]}, {1}, {1}}, [4]int{1, 2, n % lanes, n % lanes}, r)
				}
			}
		})
	}
}

func TestStrided(t *testing.T) {
	eachWeave(t, 1, func(t *testing.T, lanes int, types [4]ir.Type, run func([]int, ...view)) {
		r := rand.New(rand.NewPCG(7, 8))
		for n := range 131 {
			for xs := -3; xs <= 3; xs++ {
				for ys := -3; ys <= 3; ys++ {
					if n > 2*lanes+1 && (n+xs+3)%7 != ys+3 {
						continue // all pairs of strides for the first lengths, some for each of the others
					}
					// The outputs' strides take every value but 0 beside every input stride.
					a, b := []int{-3, -2, -1, 1, 2, 3}[(n+xs+9)%6], []int{1, 2, -1, 3, -2, -3}[(n+ys+9)%6]
					walk(t, run, types, []int{n}, [4][]int{{xs}, {ys}, {a}, {b}}, [4]int{0, 1, n % lanes, 2}, r)
				}
			}
		}
		// Every stride that has code of its own and some that have not, on both sides; lengths around those of the buffers.
		strides := []int{-5, -4, -1, 1, 2, 3, 4, 5, 100}
		for _, n := range []int{1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300} {
			for i, s := range strides {
				u := strides[(i+n)%len(strides)]
				walk(t, run, types, []int{n}, [4][]int{{s}, {u}, {u}, {s}}, [4]int{0, 1, n % lanes, 2}, r)
				walk(t, run, types, []int{n}, [4][]int{{s}, {0}, {1}, {u}}, [4]int{3, 2, 0, 1}, r)
			}
		}
	})
}

func TestMatrix(t *testing.T) {
	eachWeave(t, 2, func(t *testing.T, lanes int, types [4]ir.Type, run func([]int, ...view)) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, rows := range []int{0, 1, 2, 5} {
			for _, cols := range []int{0, 1, lanes - 1, lanes, 2*lanes + 1, 70} {
				for _, s := range []struct {
					name   string
					stride [4][]int
				}{
					{"dense", [4][]int{{cols, 1}, {cols, 1}, {cols, 1}, {cols, 1}}},
					{"padded", [4][]int{{cols + 3, 1}, {cols, 1}, {cols + 1, 1}, {-cols, 1}}},
					{"row broadcast", [4][]int{{0, 1}, {cols, 1}, {cols, 1}, {cols, 1}}},
					{"column broadcast", [4][]int{{1, 0}, {cols, 1}, {cols, 1}, {cols, 1}}},
					{"scalar", [4][]int{{0, 0}, {0, 0}, {cols, 1}, {cols, 1}}},
					{"transposed", [4][]int{{1, rows}, {cols, 1}, {1, rows}, {cols, 1}}},
					{"reversed", [4][]int{{-cols, -1}, {2 * cols, 2}, {cols, 1}, {1, -rows}}},
				} {
					walk(t, run, types, []int{rows, cols}, s.stride, [4]int{1, 0, 2, 0}, r)
				}
			}
		}
	})
}

func TestThreeDimensions(t *testing.T) {
	eachWeave(t, 3, func(t *testing.T, lanes int, types [4]ir.Type, run func([]int, ...view)) {
		r := rand.New(rand.NewPCG(11, 12))
		for _, count := range [][]int{{2, 3, 4}, {3, 2, 37}, {1, 1, 1}, {0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {4, 1, 64}} {
			a, b, c := count[0], count[1], count[2]
			for _, stride := range [][4][]int{
				{{b * c, c, 1}, {b * c, c, 1}, {b * c, c, 1}, {b * c, c, 1}},
				{{0, c, 1}, {c, 0, 1}, {b * c, c, 1}, {c, a * c, 1}},
				{{1, 0, 0}, {0, -1, 0}, {1, a, a * b}, {b * c, -c, 1}},
			} {
				walk(t, run, types, count, stride, [4]int{}, r)
			}
		}
	})
}

// An output that is an input: x is overwritten by one output, y by the other.
func TestInPlace(t *testing.T) {
	for _, target := range append(runnable(t), smallCaches(t)...) {
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			t.Run(fmt.Sprintf("%s/%v/%d", target.Name, typ, target.Level2), func(t *testing.T) {
				k := build(t, weave(typ, typ), 1, target)
				for n := 0; n < 420; n += 1 + n/130 {
					for _, stride := range []int{1, -1, 2, 3} {
						const size = 1300
						x, y := column(typ, make([]uint64, size)), column(typ, make([]uint64, size))
						for _, v := range []*view{&x, &y} {
							v.stride[0] *= stride
							if stride < 0 {
								v.at = (size - 1) * typ.Size()
							}
						}
						number := func(i int) (float64, float64) { return float64(i%17 - 8), float64(i%13 - 5) }
						for i := range n {
							a, b := number(i)
							store(typ, x.data, x.at+i*x.stride[0], ir.ConstBits(typ, a))
							store(typ, y.data, y.at+i*y.stride[0], ir.ConstBits(typ, b))
						}
						call(t, k, []int{n}, x, y, y, x)
						for i := range n {
							want := weaveTwin(number(i))
							for o, v := range []view{y, x} {
								if got := ir.BitsFloat(typ, load(typ, v.data, v.at+i*v.stride[0])); got != want[o] {
									t.Fatalf("n %d, stride %d: output %d at %d is %v, want %v", n, stride, o, i, got, want[o])
								}
							}
						}
					}
				}
			})
		}
	}
}
