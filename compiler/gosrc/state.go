package gosrc

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Everything that a kernel computes is pure, so that both arms of a branch are computed and a choice made between the values that
// the variables have after them. What must not happen on the other arm's elements (a division by zero, a loop without end) looks at
// the guard.

// region is the function that operations are added to: the kernel's, or the body of a loop.
type region struct {
	b      *ir.Builder
	made   map[ir.Value]operation // what each operation is
	consts map[ir.Value]float64
	bounds map[ir.Value]bounds // of loop counters
	guard  []ir.Value          // bools that hold where the expression at hand is evaluated in Go
}

func newRegion(name string) region {
	return region{ir.NewBuilder(name), map[ir.Value]operation{}, map[ir.Value]float64{}, map[ir.Value]bounds{}, nil}
}

// place is a variable, or an element of one that is an array. What Go has no variable for has one too: a function's results, and
// whether it has returned; whether a loop has been left by break.
type place struct {
	types.Object
	index int
}

// state is what the variables are.
type state map[place]ir.Value

// hidden makes a variable that the source does not have.
func (t *translator) hidden(name string, typ types.Type) types.Object {
	o := types.NewVar(token.NoPos, nil, name, typ)
	t.numbers[o] = len(t.numbers)
	return o
}

// put makes v the value of a place. Places are numbered as they come, so that programs do not depend on the order of maps.
func (t *translator) put(fr *frame, p place, v ir.Value) {
	if _, ok := t.numbers[p.Object]; !ok {
		t.numbers[p.Object] = len(t.numbers)
	}
	fr.vars[p] = v
}

// places lists those of a state in the order of their numbers.
func (t *translator) places(states ...state) []place {
	var list []place
	for _, s := range states {
		for p := range s {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b place) int {
		return cmp.Or(cmp.Compare(t.numbers[a.Object], t.numbers[b.Object]), cmp.Compare(a.index, b.index))
	})
	return slices.Compact(list)
}

// within runs do on the elements for which cond holds, among those at hand, and returns for which of them the statement after it is
// reached.
func (t *translator) within(fr *frame, cond ir.Value, do func()) (live ir.Value) {
	if yes, known := t.known(cond); known && !yes {
		return t.truth(false)
	}
	before := maps.Clone(fr.vars)
	fr.live = t.truth(true)
	t.guard = append(t.guard, cond)
	do()
	t.guard = t.guard[:len(t.guard)-1]
	fr.vars = t.merge(cond, fr.vars, before)
	return fr.live
}

// fork runs one of two arms.
func (t *translator) fork(fr *frame, cond ir.Value, then, otherwise func()) {
	if yes, known := t.known(cond); known {
		if yes {
			then()
		} else {
			otherwise()
		}
		return
	}
	before, live := fr.vars, fr.live
	arm := func(cond ir.Value, do func()) (state, ir.Value) {
		fr.vars, fr.live = maps.Clone(before), t.truth(true)
		t.guard = append(t.guard, cond)
		do()
		t.guard = t.guard[:len(t.guard)-1]
		return fr.vars, fr.live
	}
	yes, liveYes := arm(cond, then)
	no, liveNo := arm(t.not(cond), otherwise)
	fr.vars = t.merge(cond, yes, no)
	fr.live = t.and(live, t.choose(cond, liveYes, liveNo))
}

// merge chooses between two states. A variable that only one of them has is not looked at where the other one holds.
func (t *translator) merge(cond ir.Value, yes, no state) state {
	merged := state{}
	for _, p := range t.places(yes, no) {
		a, inYes := yes[p]
		b, inNo := no[p]
		switch {
		case !inNo:
			merged[p] = a
		case !inYes:
			merged[p] = b
		default:
			merged[p] = t.choose(cond, a, b)
		}
	}
	return merged
}

// truth is a bool constant.
func (t *translator) truth(b bool) ir.Value {
	if b {
		return t.b.Const(ir.Bool, 1)
	}
	return t.b.Const(ir.Bool, 0)
}

// known reports the value of a bool that is a constant.
func (t *translator) known(v ir.Value) (value, ok bool) {
	n := t.b.Node(v)
	return n.Imm != 0, n.Op == ir.Const && n.Type == ir.Bool
}

func (t *translator) not(x ir.Value) ir.Value {
	if b, ok := t.known(x); ok {
		return t.truth(!b)
	}
	if n := t.b.Node(x); n.Op == ir.Not {
		return n.Args[0]
	}
	return t.b.Must(ir.Not, x)
}

func (t *translator) and(x, y ir.Value) ir.Value {
	for range 2 {
		if b, ok := t.known(x); ok {
			if b {
				return y
			}
			return x
		}
		x, y = y, x
	}
	if x == y {
		return x
	}
	return t.b.Must(ir.And, x, y)
}

func (t *translator) or(x, y ir.Value) ir.Value {
	for range 2 {
		if b, ok := t.known(x); ok {
			if b {
				return x
			}
			return y
		}
		x, y = y, x
	}
	if x == y || t.not(x) == y { // the latter where both arms of a branch come to the same
		if x == y {
			return x
		}
		return t.truth(true)
	}
	return t.b.Must(ir.Or, x, y)
}

// choose is cond ? x : y.
func (t *translator) choose(cond, x, y ir.Value) ir.Value {
	if yes, ok := t.known(cond); ok {
		if yes {
			return x
		}
		return y
	}
	if x == y {
		return x
	}
	if t.b.Type(x) == ir.Bool {
		if b, ok := t.known(x); ok {
			if b {
				return t.or(cond, y)
			}
			return t.and(t.not(cond), y)
		}
		if b, ok := t.known(y); ok {
			if b {
				return t.or(t.not(cond), x)
			}
			return t.and(cond, x)
		}
	}
	if n := t.b.Node(cond); n.Op == ir.Not {
		cond, x, y = n.Args[0], y, x
	}
	return t.b.Must(ir.Select, cond, x, y)
}
