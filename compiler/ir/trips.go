package ir

// assumedTrips is how often a loop of which nothing is known goes round, in costs; mostTrips is the most that costs count.
const (
	assumedTrips = 16
	mostTrips    = 1 << 16
)

// Trips estimates how often loop n of f goes round, for costs: as often as a counter that begins as a constant takes to a constant, and
// otherwise 16 times.
func (f *Func) Trips(n Node) Cost {
	body, args := f.Body(n), f.Elements(n.Args[0])
	most := Cost(0)
	var look func(v Value)
	look = func(v Value) {
		c := body.Nodes[v]
		if c.Op == And {
			look(c.Args[0])
			look(c.Args[1])
		}
		if c.Op != Lt && c.Op != Le {
			return
		}
		x, end := body.Nodes[c.Args[0]], body.Nodes[c.Args[1]]
		if x.Op == Add && body.Nodes[x.Args[0]].Op == Param {
			x = body.Nodes[x.Args[0]]
		}
		if x.Op != Param || end.Op != Const {
			return
		}
		first := f.Nodes[args[x.Imm]]
		if first.Op != Const {
			return
		}
		if d := BitsFloat(end.Type, end.Imm) - BitsFloat(first.Type, first.Imm); d >= 1 && d <= mostTrips {
			most = Cost(d)
		}
	}
	look(body.Results[0])
	if most == 0 {
		return assumedTrips
	}
	return most
}

// Times is a cost paid a number of times. It saturates at InfiniteCost.
func (c Cost) Times(n Cost) Cost {
	if product := uint64(c) * uint64(n); c != InfiniteCost && product < uint64(InfiniteCost) {
		return Cost(product)
	}
	return InfiniteCost
}
