package native

import (
	"fmt"
	"math"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Reduction says how a pass over a row folds the values of a result.
type Reduction struct {
	Op   ir.Op // one that Foldable reports
	Mean bool  // the sum is divided by the number of elements
}

// Pass is a pass over a row: a function of the inputs, then of the numbers that the passes before have made.
type Pass struct {
	Func   *ir.Func
	Reduce []Reduction // of its results; nil: they are the outputs
}

// Foldable reports whether the order of the operands of an operation does not matter, nor, but for rounding, the order in which many are folded.
func Foldable(op ir.Op) bool {
	switch op {
	case ir.Add, ir.Mul, ir.Max, ir.Min, ir.And, ir.Or, ir.Xor:
		return true
	}
	return false
}

// identity is what a foldable operation leaves as it is when it is folded in.
func (e *emitter) identity(op ir.Op, t ir.Type) string {
	least, most := math.Inf(-1), math.Inf(1)
	if t.IsInteger() {
		all := uint64(1)<<(8*t.Size()-1)<<1 - 1
		switch signed := t == ir.Int8 || t == ir.Int16 || t == ir.Int32 || t == ir.Int64; {
		case op == ir.And:
			return e.constant(t, all)
		case op == ir.Max && signed:
			return e.constant(t, all>>1+1)
		case op == ir.Min && signed:
			return e.constant(t, all>>1)
		case op == ir.Min:
			return e.constant(t, all)
		case op == ir.Mul:
			return e.constant(t, 1)
		}
		return e.constant(t, 0)
	}
	switch op {
	case ir.Max:
		return e.number(t, least)
	case ir.Min:
		return e.number(t, most)
	case ir.Mul:
		return e.number(t, 1)
	}
	return e.number(t, math.Copysign(0, -1)) // -0 + x is x for both zeros
}

// EmitFold writes the module of a kernel that folds rows of numbers by a foldable operation: two dimensions, rows and their elements, of which the
// stride of the inner one is that of neighbours. The output has one element a row, and the order of folding is that of RowPartials.
func EmitFold(op ir.Op, typ ir.Type, t Target, names Symbols) (string, error) {
	if !Foldable(op) || !typ.IsNumber() || t.Costs()[op][typ] == ir.InfiniteCost {
		return "", fmt.Errorf("%w: %s does not fold %v by %v", ErrUnsupported, t.Name, typ, op)
	}
	b := ir.NewBuilder("fold")
	b.Return(b.Param("x", typ, ir.Unknown))
	f := b.Func()
	e := &emitter{f: f, known: intervals(f), t: t, ndim: 2, lanes: t.VectorBits / formatOf(typ).bits, loops: 2, declared: map[string]bool{}, tables: map[string]string{}, rowInputs: 1}
	e.operand(typ)
	e.operand(typ)
	e.function(fmt.Sprintf("i32 @%s(ptr %%args) #0", names.Kernel), func() {
		empty := e.arguments()
		e.line("%%moves0 = sub i64 0, 1")
		e.nest(empty, func(after string) {
			made, _ := e.reduceRow("fold", "inner", typ, []Reduction{{Op: op}}, nil)
			e.line("store %s %s, ptr %s, align %d", e.operands[1].llvm, e.value("extractelement %s %s, i64 0", e.vector(typ), made[0]), e.row(1), e.operands[1].size())
			e.line("br label %%%s", after)
		})
	})
	return e.module(), nil
}

// RowPartials is how many partial results a reduction of elements of a type has: element i of a row is folded, in order, into partial i modulo
// that, and then the upper half of the partials into the lower one until one is left. Where a row ends, the identity is folded in.
// Of a row of more than RowSteps elements for each partial, blocks of as many are folded, and their partials, in order, into those of the row:
// a sum of a million float32 then is the sum of some hundred sums of some hundred.
func RowPartials(t ir.Type) int { return 256 / t.Size() }

// RowSteps is how many elements are folded into a partial before it is folded into that of the row; a power of two.
const RowSteps = 128

// EmitRows writes the module of a kernel over rows of floats of one type: two dimensions, rows and their elements, of which the strides of
// the inner one are those of neighbours. The last pass stores the outputs. The first inputs parameters of every pass are elements.
func EmitRows(passes []Pass, inputs int, t Target, names Symbols) (string, error) {
	last := passes[len(passes)-1].Func
	typ := last.Params[0].Type
	costs := t.Costs()
	e := &emitter{f: last, t: t, ndim: 2, lanes: t.VectorBits / formatOf(typ).bits, loops: 2, declared: map[string]bool{}, tables: map[string]string{}, rowInputs: inputs}
	for _, p := range passes {
		if err := ir.Verify(p.Func); err != nil {
			return "", fmt.Errorf("native: %w", err)
		}
		for i, n := range p.Func.Nodes {
			if costs[n.Op][n.Type] == ir.InfiniteCost {
				return "", fmt.Errorf("%w: v%d: %s has no %s", ErrUnsupported, i, t.Name, p.Func.OpName(n))
			}
			if n.Type != typ && n.Type != ir.Bool {
				return "", fmt.Errorf("%w: v%d: a row of %v has a %v", ErrUnsupported, i, typ, n.Type)
			}
		}
	}
	for range inputs {
		e.operand(typ)
	}
	for range last.Results {
		e.operand(typ)
	}
	e.function(fmt.Sprintf("i32 @%s(ptr %%args) #0", names.Kernel), func() {
		empty := e.arguments()
		for o := range inputs {
			e.line("%%moves%d = sub i64 0, 1", o)
		}
		e.nest(empty, func(after string) {
			from := "inner"
			var numbers []string // one in every lane
			for i, p := range passes {
				e.f, e.known = p.Func, intervals(p.Func)
				if p.Reduce == nil {
					e.storeRow(fmt.Sprintf("pass%d", i), from, numbers, after)
					return
				}
				var made []string
				made, from = e.reduceRow(fmt.Sprintf("pass%d", i), from, typ, p.Reduce, numbers)
				numbers = append(numbers, made...)
			}
		})
	})
	return e.module(), nil
}

// rowParams are the parameters of a pass: vectors of the inputs, loaded by load, and the numbers.
func (e *emitter) rowParams(vectors int, numbers []string, load func(o, u int) string) [][]string {
	var params [][]string
	for o := range e.rowInputs {
		var vals []string
		for u := range vectors {
			vals = append(vals, load(o, u))
		}
		params = append(params, vals)
	}
	for _, x := range numbers {
		vals := make([]string, vectors)
		for u := range vals {
			vals[u] = x
		}
		params = append(params, vals)
	}
	return params
}

// rowLoad is the load of a whole vector at an index.
func (e *emitter) rowLoad(o int, index string, u int) string {
	f := e.operands[o]
	return e.value("load %s, ptr %s, align %d", e.register(f), e.offset(e.element(o, index), f, u*e.lanes), f.size())
}

// rowMask are the lanes of vector u from an index on that are in the row.
func (e *emitter) rowMask(index string, u int) string {
	left := e.value("sub i64 %%n, %s", index)
	if u > 0 {
		left = e.value("sub i64 %s, %d", left, u*e.lanes)
	}
	left = e.value("%s", e.call64("smax", left, "0"))
	left = e.value("%s", e.call64("smin", left, fmt.Sprint(e.lanes)))
	narrow := e.value("trunc i64 %s to i32", left)
	one := e.value("insertelement <%d x i32> poison, i32 %s, i64 0", e.lanes, narrow)
	all := e.value("shufflevector <%d x i32> %s, <%d x i32> poison, <%d x i32> zeroinitializer", e.lanes, one, e.lanes, e.lanes)
	return e.value("icmp ult <%d x i32> <%s>, %s", e.lanes, numbers(e.lanes), all)
}

// rowLoadMasked is rowLoad of the lanes of a mask; the others are 0.
func (e *emitter) rowLoadMasked(o int, index string, u int, mask string) string {
	f := e.operands[o]
	return e.invoke(e.register(f), e.maskedName("load", f), "ptr "+e.offset(e.element(o, index), f, u*e.lanes),
		fmt.Sprintf("i32 %d", f.size()), e.vector(ir.Bool)+" "+mask, e.register(f)+" zeroinitializer")
}

// reduceRow writes a pass that folds its results, and returns them with the block it ends in.
func (e *emitter) reduceRow(name, from string, t ir.Type, reduce []Reduction, given []string) (made []string, end string) {
	vectors := RowPartials(t) / e.lanes
	step := vectors * e.lanes
	identity := func(r Reduction) string { return e.identity(r.Op, t) }
	acc := func(stage string, r, u int) string { return fmt.Sprintf("%%%s.%s.%d.%d", name, stage, r, u) }
	fold := func(op ir.Op, a, b string) string { return e.lower(ir.Node{Op: op, Type: t}, []string{a, b}) }

	// Whole steps.
	last := e.value("sub i64 %%n, %d", step)
	e.line("br i1 %s, label %%%s.rest, label %%%s", e.value("icmp slt i64 %s, 0", last), name, name)
	e.label("%s", name)
	e.line("%%%s.i = phi i64 [ 0, %%%s ], [ %%%s.next, %%%s.latch ]", name, from, name, name)
	for r, red := range reduce {
		for u := range vectors {
			e.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s.latch ]", acc("acc", r, u), e.vector(t), identity(red), from, acc("kept", r, u), name)
			e.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s.latch ]", acc("row", r, u), e.vector(t), identity(red), from, acc("rows", r, u), name)
		}
	}
	index := "%" + name + ".i"
	params := e.rowParams(vectors, given, func(o, u int) string { return e.rowLoad(o, index, u) })
	for r, vals := range e.compute(params, vectors) {
		for u, v := range vals {
			sum := fold(reduce[r].Op, acc("acc", r, u), v)
			e.line("%s = select i1 true, %s %s, %s %s", acc("sum", r, u), e.vector(t), sum, e.vector(t), sum)
		}
	}
	e.line("%%%s.next = add i64 %s, %d", name, index, step)
	within := e.value("and i64 %%%s.next, %d", name, RowSteps*step-1)
	e.line("br i1 %s, label %%%s.block, label %%%s.latch", e.value("icmp eq i64 %s, 0", within), name, name)

	// The end of a block.
	e.label("%s.block", name)
	for r, red := range reduce {
		for u := range vectors {
			sum := fold(red.Op, acc("row", r, u), acc("sum", r, u))
			e.line("%s = select i1 true, %s %s, %s %s", acc("more", r, u), e.vector(t), sum, e.vector(t), sum)
		}
	}
	e.line("br label %%%s.latch", name)
	e.label("%s.latch", name)
	for r, red := range reduce {
		for u := range vectors {
			e.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s.block ]", acc("kept", r, u), e.vector(t), acc("sum", r, u), name, identity(red), name)
			e.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s.block ]", acc("rows", r, u), e.vector(t), acc("row", r, u), name, acc("more", r, u), name)
		}
	}
	e.branchBack(e.value("icmp sgt i64 %%%s.next, %s", name, last), name+".rest", name)

	// What is left, under masks.
	e.label("%s.rest", name)
	e.line("%%%s.at = phi i64 [ 0, %%%s ], [ %%%s.next, %%%s.latch ]", name, from, name, name)
	for r, red := range reduce {
		for u := range vectors {
			e.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s.latch ]", acc("part", r, u), e.vector(t), identity(red), from, acc("kept", r, u), name)
			e.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s.latch ]", acc("blocks", r, u), e.vector(t), identity(red), from, acc("rows", r, u), name)
		}
	}
	e.line("br i1 %s, label %%%s.end, label %%%s.tail", e.value("icmp eq i64 %%%s.at, %%n", name), name, name)
	e.label("%s.tail", name)
	index = "%" + name + ".at"
	masks := make([]string, vectors)
	for u := range masks {
		masks[u] = e.rowMask(index, u)
	}
	params = e.rowParams(vectors, given, func(o, u int) string { return e.rowLoadMasked(o, index, u, masks[u]) })
	for r, vals := range e.compute(params, vectors) {
		for u, v := range vals {
			sum := fold(reduce[r].Op, acc("part", r, u), e.choose(t, masks[u], v, identity(reduce[r])))
			e.line("%s = select i1 true, %s %s, %s %s", acc("tail", r, u), e.vector(t), sum, e.vector(t), sum)
		}
	}
	e.line("br label %%%s.end", name)
	e.label("%s.end", name)
	parts := make([][]string, len(reduce))
	for r := range reduce {
		for u := range vectors {
			e.line("%s = phi %s [ %s, %%%s.rest ], [ %s, %%%s.tail ]", acc("all", r, u), e.vector(t), acc("part", r, u), name, acc("tail", r, u), name)
			parts[r] = append(parts[r], acc("all", r, u))
		}
	}
	for r, red := range reduce {
		vals := parts[r]
		for u := range vals {
			vals[u] = fold(red.Op, acc("blocks", r, u), vals[u])
		}
		for len(vals) > 1 {
			half := len(vals) / 2
			for u := range half {
				vals[u] = fold(red.Op, vals[u], vals[u+half])
			}
			vals = vals[:half]
		}
		x := vals[0]
		for half := e.lanes / 2; half > 0; half /= 2 {
			x = fold(red.Op, x, e.lower2(t, x, half))
		}
		x = e.value("shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", e.vector(t), x, e.vector(t), e.lanes)
		if red.Mean {
			count := e.value("sitofp i64 %%n to %s", formatOf(t).llvm)
			one := e.value("insertelement %s poison, %s %s, i64 0", e.vector(t), formatOf(t).llvm, count)
			all := e.value("shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", e.vector(t), one, e.vector(t), e.lanes)
			x = e.op("fdiv", t, x, all)
		}
		made = append(made, x)
	}
	return made, name + ".end"
}

// lower2 moves lanes down by half.
func (e *emitter) lower2(t ir.Type, x string, half int) string {
	list := ""
	for i := range e.lanes {
		if i > 0 {
			list += ", "
		}
		list += fmt.Sprintf("i32 %d", (i+half)%e.lanes)
	}
	return e.value("shufflevector %s %s, %s poison, <%d x i32> <%s>", e.vector(t), x, e.vector(t), e.lanes, list)
}

// rowUnroll is how many vectors an iteration of the last pass computes.
const rowUnroll = 4

// storeRow writes the last pass.
func (e *emitter) storeRow(name, from string, given []string, after string) {
	step := rowUnroll * e.lanes
	last := e.value("sub i64 %%n, %d", step)
	e.line("br i1 %s, label %%%s.rest, label %%%s", e.value("icmp slt i64 %s, 0", last), name, name)
	e.label("%s", name)
	e.line("%%%s.i = phi i64 [ 0, %%%s ], [ %%%s.next, %%%s ]", name, from, name, name)
	index := "%" + name + ".i"
	params := e.rowParams(rowUnroll, given, func(o, u int) string { return e.rowLoad(o, index, u) })
	for r, vals := range e.compute(params, rowUnroll) {
		f := e.operands[e.rowInputs+r]
		for u, v := range vals {
			e.line("store %s %s, ptr %s, align %d", e.register(f), v, e.offset(e.element(e.rowInputs+r, index), f, u*e.lanes), f.size())
		}
	}
	e.line("%%%s.next = add i64 %s, %d", name, index, step)
	e.branchBack(e.value("icmp sgt i64 %%%s.next, %s", name, last), name+".rest", name)
	e.label("%s.rest", name)
	e.line("%%%s.from = phi i64 [ 0, %%%s ], [ %%%s.next, %%%s ]", name, from, name, name)
	e.line("br i1 %s, label %%%s, label %%%s.tail", e.value("icmp eq i64 %%%s.from, %%n", name), after, name)
	e.label("%s.tail", name)
	index = "%" + name + ".at"
	e.line("%s = phi i64 [ %%%s.from, %%%s.rest ], [ %%%s.then, %%%s.tail ]", index, name, name, name, name)
	mask := e.rowMask(index, 0)
	params = e.rowParams(1, given, func(o, u int) string { return e.rowLoadMasked(o, index, u, mask) })
	for r, vals := range e.compute(params, 1) {
		e.storeMasked(e.operands[e.rowInputs+r], vals[0], e.element(e.rowInputs+r, index), mask)
	}
	e.line("%%%s.then = add i64 %s, %d", name, index, e.lanes)
	e.branchBack(e.value("icmp sge i64 %%%s.then, %%n", name), after, name+".tail")
}
