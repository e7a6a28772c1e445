package trace

import (
	"fmt"
	"reflect"
	"runtime"

	"github.com/go-yolk/yolk/compiler/ir"
)

// RowOp is a reduction of a row to one number.
type RowOp uint8

// The reductions.
const (
	RowSum RowOp = iota + 1
	RowMean
	RowMax
	RowMin
)

var rowNames = [...]string{RowSum: "RowSum", RowMean: "RowMean", RowMax: "RowMax", RowMin: "RowMin"}

// RowSum is the sum of v over the row, the same for all its elements.
func (v Value) RowSum() Value { return row(v, RowSum, callers()) }

// RowMean is the mean of v over the row.
func (v Value) RowMean() Value { return row(v, RowMean, callers()) }

// RowMax is the greatest v of the row: NaN if one is NaN.
func (v Value) RowMax() Value { return row(v, RowMax, callers()) }

// RowMin is the least v of the row: NaN if one is NaN.
func (v Value) RowMin() Value { return row(v, RowMin, callers()) }

func row(v Value, op RowOp, pc [2]uintptr) Value {
	r := operate(rowNames[op], ir.OpInvalid, pc, v)
	r.n.row = op
	return r
}

// Stage is one pass over a row. Its function's parameters are those of the traced function, then a number for each reduction of the
// stages before.
type Stage struct {
	Func   *ir.Func
	Reduce []RowOp // of its results; nil in the last stage, whose results are the outputs
}

// TraceRows is Trace for a function over rows: it may use RowSum and its like, and is cut at them into stages. dtype is a float.
func TraceRows(name string, fn any, dtype ir.Type) ([]Stage, error) {
	v := reflect.ValueOf(fn)
	if err := checkShape(v, dtype, nil); err != nil {
		return nil, err
	}
	if !dtype.IsFloat() {
		return nil, fmt.Errorf("%w: a function over rows of %v; want f32 or f64", ErrFunc, dtype)
	}
	if name == "" {
		name = runtime.FuncForPC(v.Pointer()).Name()
	}
	first, err := rowStages(name, v, dtype)
	if err != nil {
		return nil, err
	}
	second, err := rowStages(name, v, dtype)
	if err != nil {
		return nil, fmt.Errorf("%w: the second run fails: %w", ErrUnstable, err)
	}
	if len(first) != len(second) {
		return nil, fmt.Errorf("%w: %d passes over a row in the first, %d in the second", ErrUnstable, len(first), len(second))
	}
	var stages []Stage
	for i, p := range first {
		if err := same(p.program, second[i].program); err != nil {
			return nil, err
		}
		if err := ir.Verify(p.f); err != nil {
			return nil, fmt.Errorf("trace: internal error: %w", err)
		}
		stages = append(stages, Stage{p.f.Compact(), p.reduce})
	}
	return stages, nil
}

type rowProgram struct {
	*program
	reduce []RowOp
}

func rowStages(name string, fn reflect.Value, dtype ir.Type) ([]rowProgram, error) {
	r := &run{}
	defer r.done.Store(true)
	results, err := runOnce(r, fn, dtype)
	if err != nil {
		return nil, err
	}
	entry := fn.Pointer()
	levels := reductions(results)
	rows := map[*node]int{}
	var stages []rowProgram
	for level := 0; level <= len(levels); level++ {
		p := &program{run: r, dtype: dtype, fn: [2]uintptr{entry + 1}, rows: rows}
		for i := range fn.Type().NumIn() {
			p.params = append(p.params, ir.Parameter{Name: fmt.Sprintf("x%d", i), Type: dtype, Fact: ir.Unknown})
		}
		for i := range rows {
			_ = i
			p.params = append(p.params, ir.Parameter{Name: fmt.Sprintf("row%d", len(p.params)-fn.Type().NumIn()), Type: dtype, Fact: ir.Unknown})
		}
		if level == len(levels) {
			if err := p.build(name, results); err != nil {
				return nil, err
			}
			return append(stages, rowProgram{p, nil}), nil
		}
		s := rowProgram{program: p}
		var reduced []*node
		for _, n := range levels[level] {
			if n.args[0] == nil {
				return nil, fmt.Errorf("%w: %s: operand 0 of %s is the zero Value", ErrTrace, position(n.pc), n.method)
			}
			reduced, s.reduce = append(reduced, n.args[0]), append(s.reduce, n.row)
		}
		if err := p.build(fmt.Sprintf("%s, pass %d", name, level+1), reduced); err != nil {
			return nil, err
		}
		for i, v := range p.f.Results {
			if t := p.f.Nodes[v].Type; t != dtype {
				return nil, fmt.Errorf("%w: %s: %s of a %s; want %s", ErrTrace, position(levels[level][i].pc), levels[level][i].method, t.GoName(), dtype.GoName())
			}
		}
		next := map[*node]int{}
		for n, i := range rows {
			next[n] = i
		}
		for _, n := range levels[level] {
			next[n] = fn.Type().NumIn() + len(next)
		}
		rows = next
		stages = append(stages, s)
	}
	panic("unreachable")
}

// reductions lists the reductions on which results depend, by how many others are inside them, in the order of a depth-first walk.
func reductions(results []*node) [][]*node {
	level := map[*node]int{} // of what is inside
	var levels [][]*node
	stack := append([]*node(nil), results...)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		if _, done := level[n]; n == nil || done {
			stack = stack[:len(stack)-1]
			continue
		}
		inside, ready := 0, true
		for _, a := range n.args {
			if a == nil {
				continue
			}
			l, done := level[a]
			if !done {
				stack, ready = append(stack, a), false
				continue
			}
			if a.row != 0 {
				l++
			}
			inside = max(inside, l)
		}
		if !ready {
			continue
		}
		stack = stack[:len(stack)-1]
		level[n] = inside
		if n.row != 0 {
			for len(levels) <= inside {
				levels = append(levels, nil)
			}
			levels[inside] = append(levels[inside], n)
		}
	}
	return levels
}
