package egraph

import "fmt"

// Limits is the fuel of Saturate. A limit that is not positive is the default.
type Limits struct {
	Nodes   int // size of the graph; rewriting stops at the first match that finds it reached
	Iters   int // iterations
	Matches int // per direction of a rewrite and iteration; the rest is dropped, in order of root classes
}

// The default fuel: some 100 times what the kernels of the reference set need to saturate.
const (
	defaultNodes   = 20_000
	defaultIters   = 100
	defaultMatches = 20_000
)

// StopReason says why Saturate stopped.
type StopReason string

// The reasons.
const (
	Saturated     StopReason = "saturated"       // no rewrite and no pass finds anything new
	NodeLimit     StopReason = "node limit"      // Limits.Nodes was reached
	IterLimit     StopReason = "iteration limit" // Limits.Iters was reached
	MatchLimit    StopReason = "match limit"     // nothing new, but matches were dropped
	Contradiction StopReason = "contradiction"   // Graph.Err says which
)

// Pass is a theory that runs once per iteration after the rewrites. Apply gets a clean graph, which it may leave dirty, and
// returns how many unions it made.
type Pass struct {
	Name  string
	Apply func(g *Graph, roots []ClassID) int
}

// Firing counts what a rewrite or pass did.
type Firing struct {
	Name    string
	Matches int // applied; 0 for a pass
	Unions  int // of classes that were different
}

// Stats describes a run of Saturate.
type Stats struct {
	Stop    StopReason
	Iters   int
	Nodes   int
	Classes int
	Firings []Firing // rewrites in their order, then passes
}

// Saturate applies rewrites and passes until nothing changes or the fuel is used up. In each iteration all rewrites are
// searched on the same clean graph, then applied in order of (rewrite, root class, match), so the result depends on the
// order of the rewrites only where a limit is hit. Afterwards the graph is clean and roots may be passed to Find.
// It panics on an Approximation, which is no equality.
func Saturate(g *Graph, roots []ClassID, rewrites []*Rewrite, passes []Pass, l Limits) Stats {
	s := newSaturation(g, rewrites, passes, l)
	defer func() { g.names, g.stage = nil, Given }()
	g.Rebuild()
	s.stats.Stop = s.run(roots)
	s.stats.Nodes, s.stats.Classes = g.NumNodes(), g.NumClasses()
	return s.stats
}

type saturation struct {
	g        *Graph
	m        machine
	limits   Limits
	programs []*program
	passes   []Pass
	first    Reason // of the passes
	ids      []ClassID
	stats    Stats
}

func newSaturation(g *Graph, rewrites []*Rewrite, passes []Pass, l Limits) *saturation {
	orDefault := func(limit, otherwise int) int {
		if limit > 0 {
			return limit
		}
		return otherwise
	}
	l = Limits{orDefault(l.Nodes, defaultNodes), orDefault(l.Iters, defaultIters), orDefault(l.Matches, defaultMatches)}
	s := &saturation{g: g, limits: l, passes: passes, m: machine{g: g, limit: l.Matches}, first: Reason(len(rewrites) + 1)}
	g.names = nil
	for i, r := range rewrites {
		if r.Kind == Approximation {
			panic(fmt.Sprintf("egraph: %s: %s is an approximation, which is no equality", r.Pos, r.Name))
		}
		s.programs = append(s.programs, g.compilePrograms(r, i, Reason(i+1))...)
		s.stats.Firings = append(s.stats.Firings, Firing{Name: r.Name})
		g.names = append(g.names, r.Name)
	}
	for _, p := range passes {
		s.stats.Firings = append(s.stats.Firings, Firing{Name: p.Name})
		g.names = append(g.names, p.Name)
	}
	return s
}

func (s *saturation) run(roots []ClassID) StopReason {
	g := s.g
	for {
		switch {
		case g.err != nil:
			return Contradiction
		case g.live >= s.limits.Nodes:
			return NodeLimit
		case s.stats.Iters == s.limits.Iters:
			return IterLimit
		}
		s.stats.Iters++
		nodes, unions := len(g.nodes), g.unions
		truncated := false
		for _, p := range s.programs {
			s.m.search(p)
			truncated = truncated || p.found.truncated
		}
		complete := s.applyAll()
		g.Rebuild()
		if g.err != nil {
			return Contradiction
		}
		if !complete {
			return NodeLimit
		}
		for i := range s.passes {
			g.stage = s.first + Reason(i)
			s.stats.Firings[int(g.stage)-1].Unions += s.passes[i].Apply(g, roots)
			g.stage = Given
			g.Rebuild()
			if g.err != nil {
				return Contradiction
			}
		}
		if len(g.nodes) == nodes && g.unions == unions {
			if truncated {
				return MatchLimit
			}
			return Saturated
		}
	}
}

// applyAll applies the matches found. It reports false when the node limit stopped it.
func (s *saturation) applyAll() bool {
	g := s.g
	for _, p := range s.programs {
		stride := len(p.rule.Vars)
		firing := &s.stats.Firings[p.firing]
		for i, root := range p.found.roots {
			if g.live >= s.limits.Nodes {
				return false
			}
			var c ClassID
			var ok bool
			c, s.ids, ok = g.instantiate(p, p.found.types[i], p.found.vars[i*stride:(i+1)*stride], s.ids)
			if !ok || g.nodes[c].Type != g.nodes[root].Type {
				continue
			}
			firing.Matches++
			if g.Union(root, c, p.reason) {
				firing.Unions++
			}
		}
	}
	return true
}
