package native

import (
	"math"
	"slices"

	"github.com/go-yolk/yolk/compiler/ir"
)

// use is what an operation occupies of a core, in hundredths of a cycle per vector. A core of x86-64 here is Zen 5: two pipes
// that multiply, two that add, compare, convert and scale, shuffles on one of each, division and roots of their own, and
// so many operations a cycle that it sustains.
type use struct {
	mul, add, shuffle, div ir.Cost
	issue                  ir.Cost
}

func (u use) plus(v use) use {
	return use{u.mul + v.mul, u.add + v.add, u.shuffle + v.shuffle, u.div + v.div, u.issue + v.issue}
}

func (u use) times(n int) use {
	k := ir.Cost(n)
	return use{k * u.mul, k * u.add, k * u.shuffle, k * u.div, k * u.issue}
}

func (u use) half() use { return use{u.mul / 2, u.add / 2, u.shuffle / 2, u.div / 2, u.issue / 2} }

// busiest is the load of the most loaded resource: what a loop over such operations takes where their latencies overlap. A
// shuffle goes to whichever pipe has room.
func (u use) busiest() ir.Cost {
	return max(u.mul, u.add, u.shuffle, (u.mul+u.add+u.shuffle)/2, u.div, u.issue)
}

// slot is what one operation of 3.4 in a cycle takes, which the fastest loops known sustain on Zen 5, of 4 pipes.
const slot = 29

// The uses of single instructions, measured on Zen 5 alone and together with others. A division takes 248 to 746 alone, but
// beside other work the slots of three operations.
var (
	multiply = use{mul: 50, issue: slot}
	addition = use{add: 50, issue: slot}
	shuffle  = use{shuffle: 50, issue: slot}
	logic    = use{issue: slot}
	convert  = use{add: 70, issue: slot}
	division = use{mul: 130, issue: 90}
	storing  = use{mul: 25, issue: slot}

	// A root by steps: six multiplications, the estimate, a halving, and what looks whether they will do.
	rootSteps = multiply.times(6).plus(addition.times(2)).plus(logic.times(2))
)

// anywhere is an operation of several instructions of all kinds.
func anywhere(instructions int) use {
	return use{mul: 15, add: 30, issue: slot}.times(instructions)
}

// uses is what node n of f occupies on the target.
func (t Target) uses(f *ir.Func, n ir.Node, lanes int, costs *ir.CostTable) use {
	if !t.x86() || !n.Type.IsFloat() && n.Type != ir.Bool {
		return use{issue: costs[n.Op][n.Type]} // pipes that do everything
	}
	wide := n.Type == ir.Float64
	switch n.Op {
	case ir.Param, ir.Const, ir.Real:
		return use{}
	case ir.Add, ir.Sub, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Lt, ir.Le, ir.Eq, ir.Ne:
		return addition
	case ir.Mul, ir.FMA:
		if _, _, ok := signed(f, n); ok {
			return logic
		}
		return multiply
	case ir.Neg, ir.Abs:
		if folds(t, f, n) {
			return use{}
		}
		return logic
	case ir.Select:
		if clamps(f, n) {
			return use{} // the comparison is the minimum or maximum
		}
		if t.AVX512 {
			return addition
		}
		return logic.times(2)
	case ir.Copysign:
		if t.AVX512 {
			return logic
		}
		return logic.times(3)
	case ir.Min, ir.Max:
		return addition.times(2).plus(logic.times(2))
	case ir.Convert:
		return convert
	case ir.Div, ir.Sqrt:
		u, alone := division, t.costs.div
		if n.Op == ir.Sqrt {
			alone = t.costs.sqrt
		}
		if u.div = alone[0]; wide {
			u.div = alone[1]
		}
		return u
	case ir.MinMag:
		if t.AVX512 {
			return addition
		}
		return addition.plus(logic.times(3))
	case ir.Logb, ir.Mant:
		if t.AVX512 {
			return addition
		}
		return anywhere(map[ir.Op]int{ir.Logb: logbOps, ir.Mant: mantOps}[n.Op])
	case ir.Ldexp:
		if t.AVX512 {
			return addition.times(2)
		}
		return anywhere(ldexpOps)
	case ir.Lookup:
		table := f.Table(n)
		if len(table.Entries) == 2 && math.Abs(table.Entries[0]) == 1 && table.Entries[1] == -table.Entries[0] {
			return addition // a shift, for a change of sign
		}
		u := use{}
		if table.Shift > 0 {
			u = addition
		}
		registers := (len(table.Entries) + lanes - 1) / lanes
		switch {
		case t.AVX512 && lanes >= 8:
			if registers == 1 {
				return u.plus(shuffle)
			}
			registers /= 2 // vpermt2ps overwrites a table, which is copied first, and takes as long as two
			return u.plus(shuffle.times(2 * registers)).plus(addition.times(2 * (registers - 1)))
		case t.AVX2 && lanes == 8 && !wide:
			return u.plus(shuffle.times(registers)).plus(logic.times(3 * (registers - 1)))
		}
		return u.plus(shuffle.plus(logic.times(2)).times(lanes))
	}
	return use{issue: costs[n.Op][n.Type]}
}

// folds reports whether a sign is part of another instruction: of a fused multiply-add, or of the one that makes what Abs is of.
func folds(t Target, f *ir.Func, n ir.Node) bool {
	if n.Op == ir.Abs {
		return t.AVX512 && f.Nodes[n.Args[0]].Op == ir.MinMag
	}
	for _, m := range f.Nodes {
		for _, a := range m.Operands() {
			if f.Nodes[a] == n && (m.Op != ir.FMA || !t.FMA) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(f.Results, func(r ir.Value) bool { return f.Nodes[r] == n })
}

// clamps reports whether a choice is one of an ordered comparison's operands, for which x86 has one instruction.
func clamps(f *ir.Func, n ir.Node) bool {
	c := f.Nodes[n.Args[0]]
	return (c.Op == ir.Lt || c.Op == ir.Le) && slices.Contains(c.Operands(), n.Args[1]) && slices.Contains(c.Operands(), n.Args[2])
}

// Price is what a program costs on the target, in hundredths of a cycle per vector of the narrowest operand: the load of its
// most loaded resource. function prices an operation that the target does not have. A sum of costs misleads where a program
// leaves pipes idle; where the resources are loaded alike it is much the same. Among programs of one load the shorter one is
// cheaper, by a hundredth of a cycle for every four nodes.
func (t Target) Price(f *ir.Func, function func(ir.Node) ir.Cost) ir.Cost {
	if r, ok := seldom(f, t); ok {
		return t.Price(r.usual, function).Plus(t.Price(r.guard, function))
	}
	return t.price(f, rooted(f, t), function)
}

// price is Price of a program without a rare part; steps says that every other root of float32 is made by steps.
func (t Target) price(f *ir.Func, steps bool, function func(ir.Node) ir.Cost) ir.Cost {
	needed := make([]bool, len(f.Nodes))
	total := storing.times(len(f.Results))
	if !t.x86() {
		total = use{}
	}
	for _, r := range f.Results {
		needed[r] = true
	}
	lanes, costs := lanesOf(f, t), t.Costs()
	var functions, nodes ir.Cost
	for i, n := range slices.Backward(f.Nodes) {
		if !needed[i] {
			continue
		}
		nodes++
		for _, a := range n.Operands() {
			needed[a] = true
		}
		switch {
		case n.Op == ir.Loop:
			functions = functions.Plus(t.price(f.Bodies[n.Imm], false, function))
		case n.Op.Info().Function:
			functions = functions.Plus(function(n))
		case costs[n.Op][n.Type] == ir.InfiniteCost:
			return ir.InfiniteCost
		case steps && stepped(n):
			total = total.plus(t.uses(f, n, lanes, costs).plus(rootSteps).half())
		default:
			total = total.plus(t.uses(f, n, lanes, costs))
		}
	}
	narrow := 64
	for _, p := range f.Params {
		narrow = min(narrow, formatOf(p.Type).bits)
	}
	for _, r := range f.Results {
		if typ := f.Nodes[r].Type; typ.IsFloat() {
			narrow = min(narrow, formatOf(typ).bits)
		}
	}
	vectors := max(1, t.VectorBits/narrow/lanes) // that stand for one of the narrowest operand
	return (total.busiest()*ir.Cost(vectors) + nodes/4).Plus(functions)
}

// x86 reports whether the target is one of the x86-64 levels.
func (t Target) x86() bool { return !t.Minimum }
