package accuracy

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrBounded is returned for a function of which Bounded makes no program.
var ErrBounded = errors.New("accuracy: no program bounds the error of this function")

// Bounded returns the running error analysis of a function as a program, so that the truth can be compiled: it takes f's parameters and
// returns, for each result, a float64 value and a bound of its distance from the real one. It has f's operations in float64, and f's
// library functions, whose forms may be off by FormULPs. It must be lowered without reassociation.
//
// Where the bound is not a finite number nothing is known, but for two cases: an infinite value with bound 0 stands for a number beyond
// 2^1000 in size, or for a pole; NaN with bound 0 says that there is no real value.
func Bounded(f *ir.Func) (*ir.Func, error) {
	a := &analyst{f: f, b: ir.NewBuilder("bounded " + f.Name), nodes: make([]known, len(f.Nodes)), sizes: make([]int, len(f.Nodes))}
	for _, d := range f.Defs {
		if d.Real == nil {
			return nil, fmt.Errorf("%w: %s is known by a float64 function alone", ErrBounded, d.Name)
		}
	}
	for _, p := range f.Params {
		a.b.Param(p.Name, p.Type, p.Fact)
	}
	for i := range f.Nodes {
		a.sizes[i] = a.degree(f.Nodes[i])
		var err error
		if a.nodes[i], err = a.node(ir.Value(i)); err != nil {
			return nil, err
		}
	}
	for _, r := range f.Results {
		v := a.nodes[r]
		if v.cond {
			return nil, fmt.Errorf("%w: a result is no number", ErrBounded)
		}
		a.b.Return(v.v)
		a.b.Return(a.op(ir.Mul, a.err(v), a.c(1+0x1p-20))) // covers the roundings of the bound itself
	}
	return a.b.Func(), nil
}

// FormULPs is what the forms of float64 functions in a Bounded program may be off by, in ulps.
const FormULPs = 4

// The error of operations and functions in a Bounded program, relative to the result, and what underflow may add. Both are twice what
// is needed at least, which leaves room for the roundings of the bound.
const (
	roundUnit    = 0x1p-52
	functionUnit = 2 * FormULPs * 0x1p-52
	underflow    = 0x1p-1000
)

// known is a value with a bound of its error.
type known struct {
	v, e    ir.Value
	exact   bool // there is no error; e is not set
	mayHuge bool // may be infinite
	cond    bool // of type bool
}

// analyst writes the program.
type analyst struct {
	f     *ir.Func
	b     *ir.Builder
	nodes []known
	sizes []int // of the nodes, see degree
}

func (a *analyst) op(op ir.Op, args ...ir.Value) ir.Value { return a.b.Must(op, args...) }

func (a *analyst) c(x float64) ir.Value { return a.b.Const(ir.Float64, x) }

// choose is c ? x : y.
func (a *analyst) choose(c, x, y ir.Value) ir.Value { return a.op(ir.Select, c, x, y) }

func (a *analyst) inf() ir.Value { return a.c(math.Inf(1)) }

// err is the bound as a value.
func (a *analyst) err(k known) ir.Value {
	if k.exact {
		return a.c(0)
	}
	return k.e
}

// plus adds up errors, leaving out those that are none; false: there is none.
func (a *analyst) plus(terms ...*ir.Value) (sum ir.Value, any bool) {
	for _, t := range terms {
		switch {
		case t == nil:
		case any:
			sum = a.op(ir.Add, sum, *t)
		default:
			sum, any = *t, true
		}
	}
	return sum, any
}

// times is an error carried by a factor, nil if there is none.
func (a *analyst) times(k known, factor ir.Value) *ir.Value {
	if k.exact {
		return nil
	}
	v := a.op(ir.Mul, k.e, a.op(ir.Abs, factor))
	return &v
}

func (a *analyst) errOf(k known) *ir.Value {
	if k.exact {
		return nil
	}
	return &k.e
}

// rounded gives a result its error: what the operands pass on and what its own rounding adds.
func (a *analyst) rounded(v ir.Value, unit float64, terms ...*ir.Value) known {
	carried, any := a.plus(terms...)
	if !any {
		carried = a.c(underflow)
	}
	return known{v: v, e: a.op(ir.FMA, a.op(ir.Abs, v), a.c(unit), carried)}
}

// huge decides what is known of an infinite result.
func (a *analyst) huge(k known, sure ir.Value) known {
	k.mayHuge = true
	finite := a.op(ir.Lt, a.op(ir.Abs, k.v), a.inf())
	k.e = a.choose(finite, k.e, a.choose(sure, a.c(0), a.inf()))
	return k
}

// certain sets the error where the condition says that the function is next to its limit, whatever the error of its operand.
func (a *analyst) certain(k known, limit ir.Value, e float64) known {
	k.e = a.choose(limit, a.c(e), k.e)
	return k
}

// forget makes the error infinite where the condition holds.
func (a *analyst) forget(k known, where ir.Value) known {
	e := a.err(k)
	return known{v: k.v, e: a.choose(where, a.inf(), e), mayHuge: k.mayHuge}
}

// noHuge forgets what an operation makes of an operand that may be huge.
func (a *analyst) noHuge(k known, operands ...known) known {
	for _, o := range operands {
		if o.mayHuge {
			k = a.forget(k, a.op(ir.Eq, a.op(ir.Abs, o.v), a.inf()))
		}
	}
	return k
}

func (a *analyst) node(v ir.Value) (known, error) {
	n := a.f.Nodes[v]
	arg := func(i int) known { return a.nodes[n.Args[i]] }
	x, y := arg(0), arg(1)
	switch n.Op {
	case ir.Param:
		p := ir.Value(n.Imm)
		if n.Type == ir.Float32 {
			p = must(a.b.Emit(ir.Convert, ir.Float64, p))
		}
		return known{v: p, exact: true}, nil
	case ir.Const:
		return known{v: a.c(ir.BitsFloat(n.Type, n.Imm)), exact: true}, nil
	case ir.Real:
		r := a.f.Reals[n.Imm]
		f, acc := r.Float64()
		if acc == big.Exact {
			return known{v: a.c(f), exact: true}, nil
		}
		return known{v: a.c(f), e: a.c(math.Abs(f)*roundUnit + underflow)}, nil
	case ir.Convert:
		return x, nil
	case ir.Neg, ir.Abs:
		x.v = a.op(n.Op, x.v)
		return x, nil
	case ir.Add, ir.Sub:
		k := a.rounded(a.op(n.Op, x.v, y.v), roundUnit, a.errOf(x), a.errOf(y))
		if x.mayHuge || y.mayHuge {
			k = a.huge(k, a.op(ir.Lt, a.op(ir.Min, a.op(ir.Abs, x.v), a.op(ir.Abs, y.v)), a.c(0x1p999)))
		}
		return k, nil
	case ir.Mul, ir.FMA:
		var both *ir.Value
		if !x.exact && !y.exact {
			v := a.op(ir.Mul, x.e, y.e)
			both = &v
		}
		if n.Op == ir.FMA {
			z := arg(2)
			k := a.rounded(a.op(ir.FMA, x.v, y.v, z.v), roundUnit, a.times(x, y.v), a.times(y, x.v), both, a.errOf(z))
			return a.noHuge(k, x, y, z), nil
		}
		k := a.rounded(a.op(ir.Mul, x.v, y.v), roundUnit, a.times(x, y.v), a.times(y, x.v), both)
		if x.mayHuge || y.mayHuge || a.sizes[v] == anySize {
			least := a.op(ir.Min, a.least(x), a.least(y))
			k = a.huge(k, a.op(ir.Le, a.c(1), least))
		}
		return k, nil
	case ir.Div:
		return a.quotient(x, y), nil
	case ir.Min, ir.Max:
		k := known{v: a.op(n.Op, x.v, y.v), exact: x.exact && y.exact}
		if !k.exact {
			k.e = a.op(ir.Max, a.err(x), a.err(y))
		}
		if x.mayHuge || y.mayHuge {
			k.e, k.exact = a.err(k), false
			k = a.huge(k, a.op(ir.Lt, k.e, a.inf()))
		}
		return k, nil
	case ir.Copysign:
		k := x
		k.v = a.op(ir.Copysign, x.v, y.v)
		if !y.exact {
			k = a.forget(k, a.op(ir.Le, a.op(ir.Abs, y.v), y.e))
		}
		return k, nil
	case ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Logb, ir.Mant:
		k := known{v: a.op(n.Op, x.v), exact: true}
		if !x.exact {
			low, high := a.op(n.Op, a.op(ir.Sub, x.v, x.e)), a.op(n.Op, a.op(ir.Add, x.v, x.e))
			k.e, k.exact = a.choose(a.op(ir.Eq, low, high), a.c(0), a.inf()), false
			if n.Op == ir.Mant {
				k.e = a.inf()
			}
		}
		return k, nil
	case ir.Ldexp:
		k := known{v: a.op(ir.Ldexp, x.v, y.v), exact: false, mayHuge: x.mayHuge}
		k.e = a.op(ir.Add, a.op(ir.Ldexp, a.err(x), y.v), a.c(underflow))
		if !y.exact {
			k = a.forget(k, a.op(ir.Ne, y.e, a.c(0)))
		}
		return k, nil
	case ir.Lt, ir.Le, ir.Eq, ir.Ne:
		k := known{v: a.op(n.Op, x.v, y.v), cond: true, exact: true}
		if sum, any := a.plus(a.errOf(x), a.errOf(y)); any {
			k.exact = false
			k.e = a.choose(a.op(ir.Le, a.op(ir.Abs, a.op(ir.Sub, x.v, y.v)), sum), a.inf(), a.c(0))
		}
		return k, nil
	case ir.Select:
		z := arg(2)
		k := known{v: a.choose(x.v, y.v, z.v), exact: y.exact && z.exact, mayHuge: y.mayHuge || z.mayHuge}
		if !k.exact {
			k.e = a.choose(x.v, a.err(y), a.err(z))
		}
		if !x.exact {
			k.e, k.exact = a.op(ir.Add, a.err(k), x.e), false
		}
		return k, nil
	case ir.Sqrt, ir.Exp, ir.Expm1, ir.Log, ir.Tanh, ir.Pow, ir.Call1, ir.Call2, ir.Call3:
		return a.function(v)
	}
	return known{}, fmt.Errorf("%w: operation %s", ErrBounded, a.f.OpName(n))
}

// anySize is the degree of what may be any float64.
const anySize = 8

// degree bounds the size of a node as a power of the largest float32, of which seven do not overflow float64.
func (a *analyst) degree(n ir.Node) int {
	d := func(i int) int { return a.sizes[n.Args[i]] }
	switch n.Op {
	case ir.Param, ir.Const, ir.Real:
		if n.Type == ir.Float32 {
			return 1
		}
	case ir.Neg, ir.Abs, ir.Convert, ir.Copysign, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Sqrt:
		return d(0)
	case ir.Add, ir.Sub:
		return min(anySize, max(d(0), d(1))+1)
	case ir.Min, ir.Max:
		return max(d(0), d(1))
	case ir.Mul:
		return min(anySize, d(0)+d(1))
	case ir.Tanh, ir.Mant, ir.Logb:
		return 1
	}
	return anySize
}

// least is |x| less its error.
func (a *analyst) least(x known) ir.Value {
	v := a.op(ir.Abs, x.v)
	if x.exact {
		return v
	}
	return a.op(ir.Sub, v, x.e)
}

// quotient is x/y. Something by a huge number is next to zero.
func (a *analyst) quotient(x, y known) known {
	q := a.op(ir.Div, x.v, y.v)
	size := a.op(ir.Abs, y.v)
	top, any := a.plus(a.errOf(x), a.times(y, q))
	var k known
	if !any {
		k = a.rounded(q, roundUnit)
	} else {
		room := a.least(y)
		e := a.op(ir.Div, top, room)
		if !y.exact {
			e = a.choose(a.op(ir.Lt, a.c(0), room), e, a.inf())
		}
		e = a.op(ir.Add, e, a.c(underflow))
		k = a.rounded(q, roundUnit, &e)
	}
	if y.mayHuge {
		far := a.op(ir.Add, a.op(ir.Abs, x.v), a.err(x))
		sure := a.choose(a.op(ir.Lt, far, a.inf()), a.op(ir.Mul, far, a.c(0x1p-999)), a.inf())
		if !y.exact {
			sure = a.choose(a.op(ir.Eq, y.e, a.c(0)), sure, a.inf())
		}
		k.e = a.choose(a.op(ir.Eq, size, a.inf()), sure, k.e)
	}
	if x.mayHuge {
		k = a.forget(k, a.op(ir.Eq, a.op(ir.Abs, x.v), a.inf()))
	}
	return k
}

// function evaluates a library function.
func (a *analyst) function(v ir.Value) (known, error) {
	n := a.f.Nodes[v]
	args := make([]ir.Value, 0, ir.MaxArity)
	exact := true
	for _, w := range n.Operands() {
		args = append(args, a.nodes[w].v)
		exact = exact && a.nodes[w].exact
	}
	apply := func(args ...ir.Value) ir.Value {
		if d := a.f.Def(n); d != nil {
			return must(a.b.Call(d, args...))
		}
		return a.op(n.Op, args...)
	}
	y := apply(args...)
	unit := functionUnit
	if n.Op == ir.Sqrt {
		unit = roundUnit
	}
	if exact {
		// Infinite at exact operands: a pole, or a number beyond float64. NaN: there is no value.
		k := a.rounded(y, unit)
		k.e = a.choose(a.op(ir.Lt, k.e, a.inf()), k.e, a.c(0))
		k.mayHuge = n.Op != ir.Tanh && n.Op != ir.Sqrt
		return k, nil
	}
	x := a.nodes[n.Args[0]]
	small := func(limit float64, e ir.Value) *ir.Value { // e, a first-order bound, where the operand's error is small
		e = a.choose(a.op(ir.Lt, x.e, a.c(limit)), e, a.inf())
		return &e
	}
	switch n.Op {
	case ir.Exp: // e^d - 1 <= 2d for d <= 1
		k := a.rounded(y, unit, small(1, a.op(ir.Mul, a.op(ir.Add, x.e, x.e), y)), ptr(a.c(underflow)))
		k.mayHuge = true
		finite := a.op(ir.Lt, y, a.inf())
		sure := a.op(ir.Lt, a.c(1000*math.Ln2), a.op(ir.Sub, x.v, x.e))
		k.e = a.choose(finite, k.e, a.choose(sure, a.c(0), a.inf()))
		if x.mayHuge { // of an argument that is huge itself: 0 or huge
			far := a.op(ir.Eq, a.op(ir.Abs, x.v), a.inf())
			k.e = a.choose(far, a.choose(a.op(ir.Eq, x.e, a.c(0)), a.choose(finite, a.c(underflow), a.c(0)), a.inf()), k.e)
		}
		return a.certain(k, a.op(ir.Lt, a.op(ir.Add, x.v, x.e), a.c(-1000*math.Ln2)), underflow), nil
	case ir.Expm1:
		slope := a.op(ir.Add, a.op(ir.Abs, y), a.c(2))
		k := a.rounded(y, unit, small(1, a.op(ir.Mul, a.op(ir.Add, x.e, x.e), slope)))
		sure := a.op(ir.Lt, a.c(1000*math.Ln2), a.op(ir.Sub, x.v, x.e))
		k = a.noHuge(a.huge(k, sure), x)
		return a.certain(k, a.op(ir.Lt, a.op(ir.Add, x.v, x.e), a.c(-40)), 0x1p-52), nil
	case ir.Tanh: // the slope is 1 - y², and changes by less than the operand
		slope := a.op(ir.FMA, a.op(ir.Neg, y), y, a.op(ir.Add, a.c(1+0x1p-50), x.e))
		k := a.rounded(y, unit, ptr(a.op(ir.Mul, x.e, slope)))
		if x.mayHuge {
			far := a.op(ir.Eq, a.op(ir.Abs, x.v), a.inf())
			k.e = a.choose(far, a.choose(a.op(ir.Eq, x.e, a.c(0)), a.c(0x1p-52), a.inf()), k.e)
		}
		return a.certain(k, a.op(ir.Lt, a.c(20), a.least(x)), 0x1p-52), nil
	case ir.Log, ir.Sqrt:
		room := a.op(ir.Sub, x.v, x.e)
		e := a.op(ir.Div, x.e, room)
		if n.Op == ir.Sqrt {
			e = a.op(ir.Mul, e, y)
		}
		e = a.choose(a.op(ir.Lt, a.c(0), room), e, a.inf())
		k := a.rounded(y, unit, &e)
		k.e = a.choose(a.op(ir.Lt, a.op(ir.Add, x.v, x.e), a.c(0)), a.c(0), k.e) // NaN
		return a.noHuge(k, x), nil
	}
	// What the value changes by from the operand to both ends of its error, one operand after the other: for a smooth function twice
	// the first-order bound.
	var terms []*ir.Value
	for i, w := range n.Operands() {
		o := a.nodes[w]
		if o.exact {
			continue
		}
		for _, end := range []ir.Op{ir.Add, ir.Sub} {
			moved := append([]ir.Value(nil), args...)
			moved[i] = a.op(end, o.v, o.e)
			z := apply(moved...)
			off := a.op(ir.Abs, a.op(ir.Sub, z, y))
			terms = append(terms, ptr(a.choose(a.op(ir.Eq, z, y), a.c(0), off)))
		}
	}
	sum, _ := a.plus(terms...)
	k := a.rounded(y, unit, &sum, ptr(a.c(underflow)))
	k = a.huge(k, a.op(ir.Eq, sum, a.c(0)))
	operands := make([]known, 0, ir.MaxArity)
	for _, w := range n.Operands() {
		operands = append(operands, a.nodes[w])
	}
	return a.noHuge(k, operands...), nil
}

func ptr(v ir.Value) *ir.Value { return &v }

// must is for operations whose operands a verified function has had before.
func must(v ir.Value, err error) ir.Value {
	if err != nil {
		panic(err)
	}
	return v
}
