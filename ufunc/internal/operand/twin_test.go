package operand

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
)

// The oracle: a call spelled out element by element over copies.

// arenaWords is the memory that all operands of one random call share, small enough
// for overlaps of every sort.
const arenaWords = 48

type arena [arenaWords]uint64

func (a *arena) f32() []float32 { return unsafe.Slice((*float32)(unsafe.Pointer(a)), 2*arenaWords) }
func (a *arena) f64() []float64 { return unsafe.Slice((*float64)(unsafe.Pointer(a)), arenaWords) }
func (a *arena) bytes() []byte  { return unsafe.Slice((*byte)(unsafe.Pointer(a)), 8*arenaWords) }

func (a *arena) holds(p unsafe.Pointer) bool {
	d := uintptr(p) - uintptr(unsafe.Pointer(a))
	return d < 8*arenaWords
}

// A spec is a view of the arena, kept apart from Operand.
type spec struct {
	dtype         ir.Type
	offset        int
	shape, stride []int
}

func (s spec) size() int {
	if s.dtype == ir.Float32 {
		return 4
	}
	return 8
}

func (s spec) operand(a *arena, output bool) (Operand, error) {
	if s.dtype == ir.Float32 {
		return View(a.f32(), s.offset, s.shape, s.stride, output)
	}
	return View(a.f64(), s.offset, s.shape, s.stride, output)
}

// at is the offset in bytes of an element, idx being the index in the common shape.
func (s spec) at(idx []int) int {
	e := s.offset
	for k, n := range s.shape {
		if n != 1 {
			e += s.stride[k] * idx[len(idx)-len(s.shape)+k]
		}
	}
	return e * s.size()
}

// indices lists all index tuples of a shape in row-major order.
func indices(shape []int) [][]int {
	list := [][]int{{}}
	for _, n := range shape {
		var next [][]int
		for _, idx := range list {
			for i := range n {
				next = append(next, append(slices.Clone(idx), i))
			}
		}
		list = next
	}
	return list
}

// bytesOf marks the bytes that s touches.
func (s spec) bytesOf(shape []int) (touched [8 * arenaWords]bool) {
	for _, idx := range indices(shape) {
		for b := range s.size() {
			touched[s.at(idx)+b] = true
		}
	}
	return touched
}

func load(mem []byte, at, size int) uint64 {
	if size == 4 {
		return uint64(*(*uint32)(unsafe.Pointer(&mem[at])))
	}
	return *(*uint64)(unsafe.Pointer(&mem[at]))
}

func save(mem []byte, at, size int, v uint64) {
	if size == 4 {
		*(*uint32)(unsafe.Pointer(&mem[at])) = uint32(v)
	} else {
		*(*uint64)(unsafe.Pointer(&mem[at])) = v
	}
}

// mix is the scalar function of the tests: output number out of some input bits.
func mix(out int, in []uint64) uint64 {
	h := uint64(out+1) * 0x9e3779b97f4a7c15
	for i, v := range in {
		h += (v ^ v>>7) * uint64(2*i+3)
	}
	return h
}

func twin(a *arena, specs []spec, inputs int, shape []int) arena {
	before, after := *a, *a
	in := make([]uint64, inputs)
	for _, idx := range indices(shape) {
		for i, s := range specs[:inputs] {
			in[i] = load(before.bytes(), s.at(idx), s.size())
		}
		for o, s := range specs[inputs:] {
			save(after.bytes(), s.at(idx), s.size(), mix(o, in))
		}
	}
	return after
}

// native does what machine code does with an argument block: chunks of the innermost
// loop, all loads before all stores. Loops run backwards if asked to, since a plan
// must not depend on their order.
func native(p *Plan, sig *Signature, backwards bool) {
	if p.Len() == 0 {
		return
	}
	const chunk = 4
	data, count, stride := p.Args()
	order := func(n int) []int {
		list := make([]int, n)
		for i := range list {
			list[i] = i
			if backwards {
				list[i] = n - 1 - i
			}
		}
		return list
	}
	address := func(op int, idx []int, i int) unsafe.Pointer {
		s := stride[op*sig.Dims : (op+1)*sig.Dims]
		off := int64(i) * s[sig.Dims-1]
		for k, x := range idx {
			off += int64(x) * s[k]
		}
		return unsafe.Add(data[op], off)
	}
	outer := make([]int, sig.Dims-1)
	for k := range outer {
		outer[k] = int(count[k])
	}
	rows := indices(outer)
	for _, r := range order(len(rows)) {
		n := int(count[sig.Dims-1])
		for _, c := range order((n + chunk - 1) / chunk) {
			var in [chunk][]uint64
			for l := range chunk {
				for i := 0; i < sig.Inputs && c*chunk+l < n; i++ {
					size := sig.Types[i].Size()
					mem := unsafe.Slice((*byte)(address(i, rows[r], c*chunk+l)), size)
					in[l] = append(in[l], load(mem, 0, size))
				}
			}
			for o := sig.Inputs; o < len(sig.Types); o++ {
				for l := 0; l < chunk && c*chunk+l < n; l++ {
					size := sig.Types[o].Size()
					mem := unsafe.Slice((*byte)(address(o, rows[r], c*chunk+l)), size)
					save(mem, 0, size, mix(o-sig.Inputs, in[l]))
				}
			}
		}
	}
}

// interpret does the same through columns, one output after the other.
func interpret(p *Plan, sig *Signature, size int) error {
	return p.Walk(size, func(b *Block) error {
		if b.Len > size {
			return fmt.Errorf("block of %d elements, limit %d", b.Len, size)
		}
		for o := sig.Inputs; o < len(sig.Types); o++ {
			for e := range b.Len {
				var in []uint64
				for i := range sig.Inputs {
					if sig.Types[i] == ir.Float32 {
						in = append(in, uint64(math.Float32bits(b.Float32(i)[e])))
					} else {
						in = append(in, math.Float64bits(b.Float64(i)[e]))
					}
				}
				v := mix(o-sig.Inputs, in)
				if sig.Types[o] == ir.Float32 {
					b.Float32(o)[e] = math.Float32frombits(uint32(v))
				} else {
					b.Float64(o)[e] = math.Float64frombits(v)
				}
			}
		}
		return nil
	})
}

// randomSpec draws a view with the given shape that fits the arena, or gives up.
func randomSpec(r *rand.Rand, a *arena, shape []int, output bool) (spec, bool) {
	for range 20 {
		s := spec{dtype: ir.Float32, shape: shape, stride: make([]int, len(shape))}
		length := 2 * arenaWords
		if r.IntN(4) == 0 {
			s.dtype, length = ir.Float64, arenaWords
		}
		s.offset = r.IntN(length)
		packed := r.IntN(3) > 0
		step := 1 + r.IntN(2)
		for k := len(shape) - 1; k >= 0; k-- {
			s.stride[k] = r.IntN(7) - 3
			if packed {
				s.stride[k] = step
				step = step*shape[k] + r.IntN(2)
			}
		}
		if _, err := s.operand(a, output); err == nil {
			return s, true
		}
	}
	return spec{}, false
}

// randomCall draws a signature, operands and the common shape.
func randomCall(r *rand.Rand, a *arena) (sig Signature, specs []spec, shape []int, ok bool) {
	shape = make([]int, r.IntN(4))
	for k := range shape {
		shape[k] = 1 + r.IntN(5)
		if r.IntN(40) == 0 {
			shape[k] = 0
		}
	}
	sig = Signature{Inputs: r.IntN(4), Dims: max(1, len(shape)) + r.IntN(2)}
	outputs := 1 + r.IntN(2)
	for i := range sig.Inputs + outputs {
		own := slices.Clone(shape)
		if i < sig.Inputs {
			own = own[r.IntN(len(own)+1):]
			for k := range own {
				if r.IntN(3) == 0 {
					own[k] = 1
				}
			}
			if i == 0 && r.IntN(2) == 0 {
				own = slices.Clone(shape)
			}
		}
		s, found := randomSpec(r, a, own, i >= sig.Inputs)
		if i >= sig.Inputs && sig.Inputs > 0 && len(specs[0].shape) == len(own) && r.IntN(3) == 0 {
			// In place, or almost.
			s = specs[0]
			s.shape = own
			s.stride = slices.Clone(s.stride)
			if r.IntN(2) == 0 {
				s.offset += r.IntN(5) - 2
			}
			_, err := s.operand(a, true)
			found = err == nil
		}
		if !found {
			return sig, nil, nil, false
		}
		specs = append(specs, s)
		sig.Types = append(sig.Types, s.dtype)
	}
	return sig, specs, shape, true
}

func TestPlanAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var plan Plan
	var planned, refused, copied, inPlace, merged, empty int
	for range 10000 {
		var start arena
		for i := range start {
			start[i] = r.Uint64()
		}
		a := start
		sig, specs, shape, ok := randomCall(r, &a)
		if !ok {
			continue
		}
		operands := func() []Operand {
			var list []Operand
			for i, s := range specs {
				o, err := s.operand(&a, i >= sig.Inputs)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, o)
			}
			return list
		}
		clash := false
		for i := sig.Inputs; i < len(specs); i++ {
			for j := sig.Inputs; j < i; j++ {
				clash = clash || common(specs[i].bytesOf(shape), specs[j].bytesOf(shape))
			}
		}
		err := plan.BindOperands(&sig, operands())
		if clash {
			if refused++; !errors.Is(err, ErrOverlap) {
				t.Fatalf("outputs overlap, error %v: %+v", err, specs)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%v: %+v", err, specs)
		}
		planned++
		if plan.Len() != len(indices(shape)) {
			t.Fatalf("Len %d, shape %v", plan.Len(), shape)
		}
		if plan.Len() == 0 {
			empty++
		} else {
			for i, s := range specs[:sig.Inputs] {
				want := false
				for _, out := range specs[sig.Inputs:] {
					if same(s, out, shape) {
						inPlace++
					} else if common(s.bytesOf(shape), out.bytesOf(shape)) {
						want = true
					}
				}
				if got := !a.holds(plan.ops[i].base); got != want {
					t.Fatalf("input %d copied: %v, want %v: %+v", i+1, got, want, specs)
				}
				if want {
					copied++
				}
			}
			if plan.ops[0].dims < len(shape) {
				merged++
			}
			checkRanges(t, &plan, &a, specs, sig.Inputs, shape)
		}
		if diff := cmp.Diff(start, a); diff != "" {
			t.Fatalf("planning wrote: %s", diff)
		}
		want := twin(&start, specs, sig.Inputs, shape)
		for _, run := range []struct {
			name string
			run  func() error
		}{
			{"native", func() error { native(&plan, &sig, false); return nil }},
			{"native backwards", func() error { native(&plan, &sig, true); return nil }},
			{"interpreter", func() error { return interpret(&plan, &sig, 1+r.IntN(2*len(indices(shape))+1)) }},
		} {
			a = start
			if err := plan.BindOperands(&sig, operands()); err != nil {
				t.Fatal(err)
			}
			if err := run.run(); err != nil {
				t.Fatal(err)
			}
			if a != want {
				t.Fatalf("%s: %s\nshape %v, inputs %d, operands %+v", run.name, cmp.Diff(want, a), shape, sig.Inputs, specs)
			}
		}
	}
	t.Logf("%d planned, %d refused, %d copies, %d in place, %d merged, %d empty", planned, refused, copied, inPlace, merged, empty)
	for _, n := range []int{refused, copied, inPlace, merged, empty} {
		if n < 50 {
			t.Error("a case is hardly covered")
		}
	}
}

func common(a, b [8 * arenaWords]bool) bool {
	for i := range a {
		if a[i] && b[i] {
			return true
		}
	}
	return false
}

func same(a, b spec, shape []int) bool {
	for _, idx := range indices(shape) {
		if a.dtype != b.dtype || a.at(idx) != b.at(idx) {
			return false
		}
	}
	return true
}

// checkRanges compares the reported ranges with the bytes the specs touch.
func checkRanges(t *testing.T, p *Plan, a *arena, specs []spec, inputs int, shape []int) {
	t.Helper()
	var reads, writes, wantReads, wantWrites [8 * arenaWords]int
	for at, n := range p.ReadRanges() {
		for b := range n {
			if q := unsafe.Add(at, b); a.holds(q) {
				reads[uintptr(q)-uintptr(unsafe.Pointer(a))]++
			}
		}
	}
	for at, n := range p.WriteRanges() {
		for b := range n {
			writes[uintptr(at)-uintptr(unsafe.Pointer(a))+uintptr(b)]++
		}
	}
	for i, s := range specs {
		for at, touched := range s.bytesOf(shape) {
			switch {
			case !touched:
			case i >= inputs:
				wantWrites[at]++
			case a.holds(p.ops[i].base):
				wantReads[at] = 1
			}
		}
	}
	for at := range reads { // two iterations of a view may share an element
		reads[at] = min(reads[at], 1)
	}
	if diff := cmp.Diff(wantReads, reads); diff != "" {
		t.Fatalf("reads: %s\n%+v", diff, specs)
	}
	if diff := cmp.Diff(wantWrites, writes); diff != "" {
		t.Fatalf("writes: %s\n%+v", diff, specs)
	}
}

func TestViewRepeatsAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var a arena
	var yes, no int
	for range 20000 {
		s := spec{dtype: ir.Float32, offset: 48}
		for range 1 + r.IntN(3) {
			s.shape = append(s.shape, r.IntN(5))
			s.stride = append(s.stride, r.IntN(15)-7)
		}
		if _, err := s.operand(&a, false); err != nil {
			continue
		}
		seen := map[int]bool{}
		want := false
		for _, idx := range indices(s.shape) {
			want = want || seen[s.at(idx)]
			seen[s.at(idx)] = true
		}
		_, err := s.operand(&a, true)
		if got := errors.Is(err, ErrOverlap); got != want || (err != nil) != want {
			t.Fatalf("%+v: %v, want repeats %v", s, err, want)
		}
		if want {
			yes++
		} else {
			no++
		}
	}
	if yes < 1000 || no < 1000 {
		t.Errorf("%d repeat, %d do not", yes, no)
	}
}
