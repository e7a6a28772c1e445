package compiler

import (
	"github.com/go-yolk/yolk/compiler/ir"
)

// assumedTrips is how often a loop of which nothing is known goes round, in costs.
const assumedTrips = 16

// trips estimates how often a loop goes round: as often as a counter that begins as a constant takes to a constant.
func trips(f *ir.Func, n ir.Node) ir.Cost {
	body, args := f.Body(n), f.Elements(n.Args[0])
	most := ir.Cost(0)
	var look func(v ir.Value)
	look = func(v ir.Value) {
		c := body.Nodes[v]
		if c.Op == ir.And {
			look(c.Args[0])
			look(c.Args[1])
		}
		if c.Op != ir.Lt && c.Op != ir.Le {
			return
		}
		x, end := body.Nodes[c.Args[0]], body.Nodes[c.Args[1]]
		if x.Op == ir.Add && body.Nodes[x.Args[0]].Op == ir.Param {
			x = body.Nodes[x.Args[0]]
		}
		if x.Op != ir.Param || end.Op != ir.Const {
			return
		}
		first := f.Nodes[args[x.Imm]]
		if first.Op != ir.Const {
			return
		}
		if d := ir.BitsFloat(end.Type, end.Imm) - ir.BitsFloat(first.Type, first.Imm); d >= 1 && d <= 1<<16 {
			most = ir.Cost(d)
		}
	}
	look(body.Results[0])
	if most == 0 {
		return assumedTrips
	}
	return min(most, 1<<16)
}

// loopCosts is what the loops of f cost, each round what cost says of the body.
func loopCosts(f *ir.Func, cost func(*ir.Func) ir.Cost) ir.Cost {
	var sum ir.Cost
	for _, n := range f.Nodes {
		if n.Op != ir.Loop {
			continue
		}
		round := cost(f.Body(n))
		if times := uint64(round) * uint64(trips(f, n)); times < uint64(ir.InfiniteCost) {
			sum = sum.Plus(ir.Cost(times))
		} else {
			sum = ir.InfiniteCost
		}
	}
	return sum
}
