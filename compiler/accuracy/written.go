package accuracy

import (
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// withError returns f with a float64 after its results for each of them: a first-order bound of the error that a float has, each
// operation rounded once, each library function within an ulp, and what is stored before it was; 0 for everything else. It is the running error analysis of a function as
// written for one that has loops: the path is the one taken as written, and errors go round with the variables.
//
// An error of NaN claims nothing and is 0; one that is infinite says that nothing is known.
func withError(f *ir.Func) *ir.Func {
	w := &written{f: f, b: ir.NewBuilder(f.Name), value: make([]ir.Value, len(f.Nodes)), err: make([]ir.Value, len(f.Nodes))}
	for i, p := range f.Params {
		w.value[i] = w.b.Param(p.Name, p.Type, p.Fact)
	}
	zero := w.c(0)
	for i := range f.Params {
		w.err[i] = zero
	}
	w.run()
	for _, r := range f.Results {
		w.b.Return(w.value[r])
	}
	for _, r := range f.Results {
		w.b.Return(w.err[r])
	}
	return w.b.Func()
}

// written writes that program. Every node has an error; that of what is no float is 0.
type written struct {
	f          *ir.Func
	b          *ir.Builder
	value, err []ir.Value
}

func (w *written) c(x float64) ir.Value { return w.b.Const(ir.Float64, x) }

func (w *written) op(op ir.Op, args ...ir.Value) ir.Value { return w.b.Must(op, args...) }

func (w *written) wide(v ir.Value) ir.Value {
	if w.b.Type(v) == ir.Float64 {
		return v
	}
	return must(w.b.Emit(ir.Convert, ir.Float64, v))
}

func (w *written) none(e ir.Value) bool { return e == w.c(0) }

// times is an error carried by a factor, which may be of either sign.
func (w *written) times(e, factor ir.Value) ir.Value {
	if w.none(e) {
		return e
	}
	return w.op(ir.Mul, e, w.op(ir.Abs, factor))
}

func (w *written) plus(a, b ir.Value) ir.Value {
	switch {
	case w.none(a):
		return b
	case w.none(b):
		return a
	}
	return w.op(ir.Add, a, b)
}

func (w *written) run() {
	loops := map[ir.Value][]ir.Value{} // the variables' last values, then their errors
	for i, n := range w.f.Nodes {
		switch n.Op {
		case ir.Param:
			continue
		case ir.Empty, ir.Append:
		case ir.Loop:
			loops[ir.Value(i)] = w.loop(n)
		case ir.Proj:
			last := loops[n.Args[0]]
			w.value[i], w.err[i] = last[n.Imm], last[int(n.Imm)+len(last)/2]
		default:
			w.value[i], w.err[i] = w.b.Copy(w.f, n, n.Through(w.value)...), w.c(0)
			switch {
			case n.Type.IsFloat():
				w.err[i] = w.error(ir.Value(i), n)
			case n.Type.Stored():
				w.err[i] = w.err[n.Args[0]] // before it was stored
			}
		}
	}
}

// loop adds a loop whose variables are followed by their errors.
func (w *written) loop(n ir.Node) []ir.Value {
	body := w.f.Body(n)
	inner := &written{f: body, b: ir.NewBuilder(body.Name), value: make([]ir.Value, len(body.Nodes)), err: make([]ir.Value, len(body.Nodes))}
	for i, p := range body.Params {
		inner.value[i] = inner.b.Param(p.Name, p.Type, p.Fact)
	}
	for i, p := range body.Params {
		inner.err[i] = inner.b.Param(p.Name+" error", ir.Float64, ir.Unknown)
	}
	inner.run()
	inner.b.Return(inner.value[body.Results[0]])
	for _, r := range body.Results[1:] {
		inner.b.Return(inner.value[r])
	}
	for _, r := range body.Results[1:] {
		inner.b.Return(inner.err[r])
	}
	var first, errs []ir.Value
	for _, a := range w.f.Elements(n.Args[0]) {
		first, errs = append(first, w.value[a]), append(errs, w.err[a])
	}
	last, err := w.b.Loop(inner.b.Func(), slices.Concat(first, errs)...)
	if err != nil {
		panic(err) // made of a verified loop
	}
	return last
}

// error is the bound for a float: what the operands pass on and what its own rounding adds.
func (w *written) error(v ir.Value, n ir.Node) ir.Value {
	y := w.wide(w.value[v])
	arg := func(i int) (x, e ir.Value) {
		x = w.value[n.Args[i]]
		if w.b.Type(x).IsFloat() {
			x = w.wide(x)
		}
		return x, w.err[n.Args[i]]
	}
	if n.Op == ir.Const {
		return w.c(0)
	}
	if n.Op == ir.Real {
		return w.rounding(n, y, w.c(0))
	}
	a, ea := arg(0)
	b, eb := arg(1)
	var e ir.Value
	switch n.Op {
	case ir.Neg, ir.Abs, ir.Copysign:
		return ea
	case ir.Min, ir.Max, ir.MinMag:
		return w.op(ir.Max, ea, eb)
	case ir.Select:
		_, ec := arg(2)
		return w.op(ir.Select, a, eb, ec)
	case ir.Add, ir.Sub:
		e = w.plus(ea, eb)
	case ir.Mul, ir.FMA:
		e = w.plus(w.times(ea, b), w.plus(w.times(eb, a), w.times(ea, eb)))
		if n.Op == ir.FMA {
			_, ec := arg(2)
			e = w.plus(e, ec)
		}
	case ir.Div:
		e = w.plus(ea, w.times(eb, y))
		if !w.none(e) {
			e = w.op(ir.Div, e, w.op(ir.Abs, b))
		}
	case ir.Sqrt:
		if e = ea; !w.none(e) {
			e = w.op(ir.Div, w.op(ir.Mul, w.c(0.5), e), y)
		}
	case ir.Exp:
		e = w.times(ea, y)
	case ir.Expm1:
		e = w.times(ea, w.op(ir.Add, y, w.c(1)))
	case ir.Log:
		if e = ea; !w.none(e) {
			e = w.op(ir.Div, e, w.op(ir.Abs, a))
		}
	case ir.Tanh:
		e = w.times(ea, w.op(ir.Sub, w.c(1), w.op(ir.Mul, y, y)))
	case ir.Pow:
		e = w.plus(w.times(ea, w.op(ir.Div, w.op(ir.Mul, y, b), a)), w.times(eb, w.op(ir.Mul, y, w.op(ir.Log, w.op(ir.Abs, a)))))
	case ir.Convert:
		e = ea // that of an integer is 0
	case ir.Mant:
		e = w.times(ea, w.op(ir.Div, y, a))
		return w.claimed(e)
	case ir.Ldexp:
		e = w.op(ir.Ldexp, ea, b)
	case ir.Call1, ir.Call2, ir.Call3:
		e = w.call(n)
	default: // steps, whose jumps are not seen
		return w.c(0)
	}
	return w.rounding(n, y, e)
}

// rounding adds what n's own rounding may: half an ulp of the type, and twice that for a library function, which alone may be off by
// defaultULP.
func (w *written) rounding(n ir.Node, y, e ir.Value) ir.Value {
	unit, least := 0x1p-53, 0x1p-1074
	if n.Type == ir.Float32 {
		unit, least = 0x1p-24, 0x1p-150
	}
	if n.Op.Info().Function {
		unit *= 2 * defaultULP / defaultFactor
	}
	own := w.op(ir.Max, w.op(ir.Mul, w.op(ir.Abs, y), w.c(unit)), w.c(least))
	return w.claimed(w.plus(e, own))
}

// claimed is e, or 0 where the analysis has lost it.
func (w *written) claimed(e ir.Value) ir.Value {
	if w.none(e) {
		return e
	}
	return w.op(ir.Select, w.op(ir.Eq, e, e), e, w.c(0))
}

// call is what a user's operation passes on: its derivatives are not known, but what it changes by to both ends of an operand's error.
func (w *written) call(n ir.Node) ir.Value {
	d := w.f.Def(n)
	var args []ir.Value
	for _, a := range n.Operands() {
		args = append(args, w.wide(w.value[a]))
	}
	y := must(w.b.Call(d, args...))
	sum := w.c(0)
	for i, a := range n.Operands() {
		e := w.err[a]
		if w.none(e) {
			continue
		}
		for _, end := range []ir.Op{ir.Add, ir.Sub} {
			moved := slices.Clone(args)
			moved[i] = w.op(end, args[i], e)
			z := must(w.b.Call(d, moved...))
			off := w.op(ir.Select, w.op(ir.Eq, z, y), w.c(0), w.op(ir.Abs, w.op(ir.Sub, z, y)))
			sum = w.plus(sum, off)
		}
	}
	return sum
}
