package ufunc

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// binary checks that k can fold elements of one type, and returns its code.
func (k *Kernel) binary() (*executor, error) {
	t := k.sig.Types
	if k.sig.Inputs != 2 || len(t) != 3 || t[0] != t[1] || t[1] != t[2] {
		return nil, fmt.Errorf("%w: %s is not a function of two elements to one of the same type", ErrUnsupported, k.name)
	}
	return k.get(context.Background())
}

// describe describes a value, an Array too.
func describe(v any, output bool) (operand.Operand, error) {
	if a, ok := v.(describer); ok {
		return a.describe(output)
	}
	return operand.Describe(v, output)
}

// operand describes a value and checks that its elements are the kernel's.
func (k *Kernel) operand(v any, output bool) (operand.Operand, error) {
	o, err := describe(v, output)
	if err == nil && o.DType() != k.sig.Types[0] {
		err = fmt.Errorf("%w: %v holds %s, but the kernel takes %s", ErrDType, &o, o.DType().GoName(), k.sig.Types[0].GoName())
	}
	if err != nil {
		return o, fmt.Errorf("%s: %w", k.name, err)
	}
	return o, nil
}

// along is what methods along axes begin with: the kernel's code, the operands, and the axes, last first.
func (k *Kernel) along(in, out any, asked []int) (e *executor, x, y operand.Operand, axes []int, err error) {
	if e, err = k.binary(); err != nil {
		return
	}
	if x, err = k.operand(in, false); err != nil {
		return
	}
	if y, err = k.operand(out, true); err != nil {
		return
	}
	axes, err = k.axes(asked, len(x.Shape()))
	return
}

// hasShape checks the shape of an output.
func (k *Kernel) hasShape(y operand.Operand, want []int) error {
	if !slices.Equal(y.Shape(), want) {
		return fmt.Errorf("%w: %s: the output has shape %v, the result %v", ErrShape, k.name, y.Shape(), want)
	}
	return nil
}

// apply calls the kernel on described operands.
func (k *Kernel) apply(e *executor, operands ...operand.Operand) error {
	plan := k.plans.Get().(*operand.Plan)
	if !jit.RaceEnabled {
		defer k.plans.Put(plan)
	}
	if err := plan.BindOperands(&k.sig, operands); err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	defer plan.Release()
	return k.execute(e, plan)
}

// folding is what a kernel that folds is, beyond its code.
type folding struct {
	once   sync.Once
	op     ir.Op       // the kernel is this operation alone, and the order of its operands does not matter; Param: it is not
	native *jit.Kernel // folds rows of neighbours by op; nil: there is none
	wide   *Kernel     // the kernel over float32, if its elements are stored floats
}

// folder returns what the kernel is to be folded by.
func (k *Kernel) folder(e *executor) *folding {
	f := &k.folds
	f.once.Do(func() {
		f.op = ir.Param
		if k.goFunc != nil {
			return
		}
		f.op = soleOperation(k.input)
		if f.op == ir.Param {
			return
		}
		t := k.sig.Types[0]
		if t.Stored() {
			b := ir.NewBuilder(k.name)
			b.Return(b.Must(f.op, b.Param("x", Float32, ir.Unknown), b.Param("y", Float32, ir.Unknown)))
			c := *k.config
			c.report = nil
			w := &Kernel{config: &c, plans: sync.Pool{New: func() any { return new(operand.Plan) }}, divisions: sync.Pool{New: func() any { return new(division) }}}
			w.function = &function{name: k.name, input: b.Func(), sig: operand.Signature{Types: []DType{Float32, Float32, Float32}, Inputs: 2, Dims: k.sig.Dims}}
			w.code = process.codeOf(w)
			f.wide = w
			return
		}
		if e.native == nil {
			return
		}
		text, err := native.EmitFold(f.op, t, e.target, alone)
		if err == nil {
			f.native, _, err = assemble(context.Background(), text, e.target, !k.config.noCache)
		}
		if err != nil && !errors.Is(err, native.ErrUnsupported) {
			process.notice("yolk folds without a kernel of its own for that", k.name, err)
		}
	})
	return f
}

// soleOperation is the operation that a function of two parameters is, if it is one whose operands have no order, and Param otherwise. Stored
// floats are converted before and after it.
func soleOperation(f *ir.Func) ir.Op {
	if len(f.Results) != 1 || len(f.Params) != 2 {
		return ir.Param
	}
	n := f.Nodes[f.Results[0]]
	if n.Op == ir.Convert && n.Type.Stored() {
		n = f.Nodes[n.Args[0]]
	}
	if !native.Foldable(n.Op) {
		return ir.Param
	}
	seen := [2]bool{}
	for _, v := range n.Operands() {
		a := f.Nodes[v]
		if a.Op == ir.Convert && f.Nodes[a.Args[0]].Type.Stored() {
			a = f.Nodes[a.Args[0]]
		}
		if a.Op != ir.Param || seen[a.Imm] {
			return ir.Param
		}
		seen[a.Imm] = true
	}
	return n.Op
}

// foldBlock is how many elements along an axis are mapped, or folded by pairs, before the next ones are looked at, so that they stay in the cache. A
// power of two: it does not change which elements are paired.
const foldBlock = 1 << 12

// foldSteps is how many elements are folded into one of native.RowPartials after one another. With the partials they make a block, whose
// results are folded in the same way: a sum of n elements is off by some 22 roundings for each factor of 1024 in n (float32), as NumPy's blocks of 128 in pairs.
const foldSteps = 16

// blockOf is how many elements along an axis are folded to one at first.
func (k *Kernel) blockOf(f *folding) int {
	if f.op == ir.Param {
		return foldBlock
	}
	return foldSteps * native.RowPartials(k.sig.Types[0])
}

// fold reduces a non-empty axis to size 1.
func (k *Kernel) fold(e *executor, x operand.Operand, axis int) (operand.Operand, error) {
	block := k.blockOf(k.folder(e))
	for {
		n := x.Shape()[axis]
		if n == 1 {
			return x, nil
		}
		shape := slices.Clone(x.Shape())
		shape[axis] = (n + block - 1) / block
		y, err := operand.New(x.DType(), shape)
		if err != nil {
			return x, err
		}
		if err := k.leaves(e, x, axis, y); err != nil {
			return x, err
		}
		x = y
	}
}

// besideLimit is how many bytes of partial results are worked on at a time: half of a small second-level cache.
const besideLimit = 128 << 10

// leastBeside is how many elements beside an axis make it worth while to fold along it in whole vectors.
const leastBeside = 64

// leaves reduces every block along an axis to one element of y.
func (k *Kernel) leaves(e *executor, x operand.Operand, axis int, y operand.Operand) error {
	f := k.folder(e)
	block, n := k.blockOf(f), x.Shape()[axis]
	beside, widest := 1, -1
	for d, count := range x.Shape() {
		if d != axis {
			if beside *= count; widest < 0 || count > x.Shape()[widest] {
				widest = d
			}
		}
	}
	if beside == 0 {
		return nil
	}
	if f.native != nil && !x.Neighbours(axis) && beside < leastBeside {
		// Few long columns: as rows they are faster.
		row, err := operand.New(x.DType(), x.LastShape(axis))
		if err != nil {
			return err
		}
		if row = row.MoveLast(axis); row.Neighbours(axis) {
			if err := operand.Copy(row, x, nil); err != nil {
				return err
			}
			x = row
		}
	}
	if f.native != nil && x.Neighbours(axis) {
		if jit.RaceEnabled {
			x.Ranges(jit.ReadRange)
		}
		x.EachRows(axis, block, y, func(in, out unsafe.Pointer, rows, n, inStep, outStep int) {
			data, count := [2]unsafe.Pointer{in, out}, [2]int64{int64(rows), int64(n)}
			stride := [4]int64{int64(inStep), int64(x.DType().Size()), int64(outStep), 0}
			f.native.Call(&jit.Args{Data: &data[0], Count: &count[0], Stride: &stride[0]})
		})
		runtime.KeepAlive(x)
		runtime.KeepAlive(y)
		return nil
	}
	if size := native.RowPartials(x.DType()) * x.DType().Size(); f.op != ir.Param && beside*size > besideLimit && x.Shape()[widest] > 1 {
		chunk := max(1, x.Shape()[widest]*besideLimit/(beside*size))
		for from := 0; from < x.Shape()[widest]; from += chunk {
			m := min(chunk, x.Shape()[widest]-from)
			if err := k.leaves(e, x.Part(widest, from, m, 1), axis, y.Part(widest, from, m, 1)); err != nil {
				return err
			}
		}
		return nil
	}
	for b := range y.Shape()[axis] {
		part := x.Part(axis, b*block, min(block, n-b*block), 1)
		one := k.partials
		if f.op == ir.Param {
			one = k.tree
		}
		z, err := one(e, part, axis)
		if err != nil {
			return err
		}
		if err := operand.Copy(y.Part(axis, b, 1, 1), z, nil); err != nil {
			return err
		}
	}
	return nil
}

// partials folds a block in the order of native.RowPartials: element i into partial i modulo their number, then their upper half into the lower one.
func (k *Kernel) partials(e *executor, x operand.Operand, axis int) (operand.Operand, error) {
	n, all := x.Shape()[axis], native.RowPartials(x.DType())
	if n == 1 {
		return x, nil
	}
	shape := slices.Clone(x.Shape())
	shape[axis] = min(n, all)
	acc, err := operand.New(x.DType(), shape)
	if err != nil {
		return x, err
	}
	if n > all { // the first two steps at once
		m := min(all, n-all)
		if err := k.apply(e, x.Part(axis, 0, m, 1), x.Part(axis, all, m, 1), acc.Part(axis, 0, m, 1)); err != nil {
			return x, err
		}
		if m < all {
			if err := operand.Copy(acc.Part(axis, m, all-m, 1), x.Part(axis, m, all-m, 1), nil); err != nil {
				return x, err
			}
		}
	} else if err := operand.Copy(acc, x, nil); err != nil {
		return x, err
	}
	for from := 2 * all; from < n; from += all {
		m := min(all, n-from)
		to := acc.Part(axis, 0, m, 1)
		if err := k.apply(e, to, x.Part(axis, from, m, 1), to); err != nil {
			return x, err
		}
	}
	have := min(n, all)
	for half := all / 2; half > 0; half /= 2 {
		if have > half {
			to := acc.Part(axis, 0, have-half, 1)
			if err := k.apply(e, to, acc.Part(axis, half, have-half, 1), to); err != nil {
				return x, err
			}
			have = half
		}
	}
	return acc.Part(axis, 0, 1, 1), nil
}

// tree folds pairs until one element is left.
func (k *Kernel) tree(e *executor, x operand.Operand, axis int) (operand.Operand, error) {
	var buffers [2]operand.Operand
	for i := 0; x.Shape()[axis] > 1; i++ {
		n := x.Shape()[axis]
		b := &buffers[i%2]
		if i < 2 {
			shape := slices.Clone(x.Shape())
			shape[axis] = (n + 1) / 2
			var err error
			if *b, err = operand.New(x.DType(), shape); err != nil {
				return x, err
			}
		}
		if err := k.apply(e, x.Part(axis, 0, n/2, 2), x.Part(axis, 1, n/2, 2), b.Part(axis, 0, n/2, 1)); err != nil {
			return x, err
		}
		if n%2 == 1 {
			if err := operand.Copy(b.Part(axis, n/2, 1, 1), x.Part(axis, n-1, 1, 1), nil); err != nil {
				return x, err
			}
		}
		x = b.Part(axis, 0, (n+1)/2, 1)
	}
	return x, nil
}
