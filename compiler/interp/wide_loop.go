package interp

import "github.com/go-yolk/yolk/compiler/ir"

// wideFuel bounds the runs of loop bodies in one evaluation. What takes more is not known.
const wideFuel = 1 << 16

// iterate runs a loop from the first values of its variables. body gives the next values after whether to go on; holds
// reports whether the latter is true, and whether that is certain. It reports false where the loop's end is not certain or
// fuel runs out.
func iterate[T any](vars []T, fuel *int, body func(vars []T) []T, holds func(T) (yes, certain bool)) ([]T, bool) {
	for *fuel > 0 {
		*fuel--
		next := body(vars)
		again, certain := holds(next[0])
		switch {
		case !certain:
			return nil, false
		case !again:
			return next[1:], true
		}
		vars = next[1:]
	}
	return nil, false
}

// numbers is the scratch memory of an evaluation in double-double.
type numbers struct {
	params []number
	v      []number              // of the nodes
	loops  map[ir.Value][]number // the results of each Loop, nil if they are not known
	fuel   *int
}

func (w *Wide) numbers(fuel *int) *numbers {
	s := &numbers{params: make([]number, len(w.f.Params)), v: make([]number, len(w.f.Nodes)), fuel: fuel}
	if len(w.f.Bodies) > 0 {
		s.loops = map[ir.Value][]number{}
	}
	return s
}

// loop evaluates a loop, whose tuple's values are in s.
func (w *Wide) loop(n *ir.Node, s *numbers) []number {
	inner := w.bodies[n.Imm]
	var vars []number
	for _, a := range w.f.Elements(n.Args[0]) {
		vars = append(vars, s.v[a])
	}
	results, _ := iterate(vars, s.fuel, func(vars []number) []number {
		// Bodies are small, and this is the slow evaluation: memory of its own for every run.
		is := inner.numbers(s.fuel)
		copy(is.params, vars)
		for i := range inner.f.Nodes {
			is.v[i] = inner.node(i, is)
		}
		next := make([]number, len(inner.f.Results))
		for i, r := range inner.f.Results {
			next[i] = is.v[r]
		}
		return next
	}, func(a number) (yes, certain bool) { return a.hi != 0, a.known() })
	return results
}

// ballLoop is loop in ball arithmetic.
func (w *Wide) ballLoop(c balls, n *ir.Node, s *ballValues) []ball {
	inner := w.bodies[n.Imm]
	var vars []ball
	for _, a := range w.f.Elements(n.Args[0]) {
		vars = append(vars, s.v[a])
	}
	results, _ := iterate(vars, s.fuel, func(vars []ball) []ball {
		is := inner.balls(c, vars, s.fuel)
		next := make([]ball, len(inner.f.Results))
		for i, r := range inner.f.Results {
			next[i] = is.v[r]
		}
		return next
	}, func(a ball) (yes, certain bool) { return a.known() && (a.special || a.mid.Sign() != 0), a.known() })
	return results
}

// ballValues is numbers for balls.
type ballValues struct {
	v     []ball
	loops map[ir.Value][]ball
	fuel  *int
}

// balls evaluates every node for parameters that are balls.
func (w *Wide) balls(c balls, params []ball, fuel *int) *ballValues {
	s := &ballValues{make([]ball, len(w.f.Nodes)), map[ir.Value][]ball{}, fuel}
	kept := w.fixedBalls(c)
	for i := range w.f.Nodes {
		if w.fixed[i] {
			s.v[i] = kept[i]
		} else {
			s.v[i] = w.ball(c, i, s, params)
		}
	}
	return s
}

// fixedBalls are the balls of the nodes that depend on no parameter. They are made once for each precision.
func (w *Wide) fixedBalls(c balls) []ball {
	if kept, ok := w.kept.Load(c); ok {
		return kept.([]ball)
	}
	s := &ballValues{v: make([]ball, len(w.f.Nodes))}
	for i := range w.f.Nodes {
		if w.fixed[i] {
			s.v[i] = w.ball(c, i, s, nil)
		}
	}
	w.kept.Store(c, s.v)
	return s.v
}
