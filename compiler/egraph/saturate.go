package egraph

// Limits is the fuel of a run. A limit that is not positive is the default.
type Limits struct {
	Nodes   int // size of the graph; rewriting stops at the first match that finds it reached
	Iters   int // iterations, of all sets of rules together
	Matches int // per direction of a rewrite and iteration; the rest is dropped, in order of root classes
}

// The default fuel: some 100 times what the kernels of the reference set need to saturate.
const (
	defaultNodes   = 20_000
	defaultIters   = 100
	defaultMatches = 20_000
)

func (l Limits) withDefaults() Limits {
	orDefault := func(limit, otherwise int) int {
		if limit > 0 {
			return limit
		}
		return otherwise
	}
	return Limits{orDefault(l.Nodes, defaultNodes), orDefault(l.Iters, defaultIters), orDefault(l.Matches, defaultMatches)}
}

// StopReason says why a run stopped.
type StopReason string

// The reasons.
const (
	Saturated     StopReason = "saturated"       // no rewrite and no pass of the schedule finds anything new
	Done          StopReason = "schedule done"   // the schedule has ended, though its rules could find more
	NodeLimit     StopReason = "node limit"      // Limits.Nodes was reached
	IterLimit     StopReason = "iteration limit" // Limits.Iters was reached
	MatchLimit    StopReason = "match limit"     // nothing new, but matches were dropped
	Contradiction StopReason = "contradiction"   // Graph.Err says which
)

// Pass is a theory that runs once per iteration after the rewrites. Apply gets a clean graph, which it may leave dirty, and
// returns how many unions it made. It asks Graph.Room before it adds many nodes.
type Pass struct {
	Name  string
	Apply func(g *Graph, roots []ClassID) int
}

// Firing counts what a rewrite or pass did.
type Firing struct {
	Name    string
	Matches int // applied, each once; 0 for a pass
	Unions  int // of classes that were different
}

// Stats describes a run.
type Stats struct {
	Stop    StopReason
	Iters   int
	Nodes   int
	Classes int
	Firings []Firing // by set of rules in the order of the schedule; in each the rewrites in their order, then the passes
}

// Saturate applies rewrites and passes until nothing changes or the fuel is used up. It is Run of the schedule
// Fixpoint(Rules(rewrites, passes)).
func Saturate(g *Graph, roots []ClassID, rewrites []*Rewrite, passes []Pass, l Limits) Stats {
	return Run(g, roots, Fixpoint(Rules(rewrites, passes)), l)
}

// Run runs a schedule on a graph. Afterwards the graph is clean and roots may be passed to Find. Run panics if the schedule
// has an Approximation, which is no equality.
func Run(g *Graph, roots []ClassID, s Schedule, l Limits) Stats {
	r := &run{g: g, roots: roots, limits: l.withDefaults(), m: machine{g: g}}
	g.limit = r.limits.Nodes
	defer func() { g.limit = 0 }()
	g.Rebuild()
	run := s.plan(r)
	run()
	r.stats.Stop = r.verdict()
	r.stats.Nodes, r.stats.Classes = g.NumNodes(), g.NumClasses()
	return r.stats
}

// run is a schedule at work.
type run struct {
	g      *Graph
	roots  []ClassID
	limits Limits
	m      machine
	sets   []*ruleSet
	ids    []NodeID
	stop   StopReason // "" while it goes on
	stats  Stats
}

// verdict says why the run stopped, after the last step.
func (r *run) verdict() StopReason {
	if r.stop != "" {
		return r.stop
	}
	dropped := false
	for _, s := range r.sets {
		if !s.idle || s.nodes != len(r.g.nodes) || s.unions != r.g.unions {
			return Done
		}
		dropped = dropped || s.dropped
	}
	if dropped {
		return MatchLimit
	}
	return Saturated
}

// ruleSet is rewrites and passes that run together.
type ruleSet struct {
	*run
	programs []*program
	passes   []Pass
	firings  int // index of the first in Stats.Firings
	rewrites int
	first    Reason // of the passes
	backoff  Backoff
	bans     []ban // by program, if there is a backoff
	iters    int

	// How the last iteration ended: idle if it changed nothing, on a graph of that many nodes and unions.
	idle, dropped bool
	nodes, unions int
}

// iterate searches all rewrites on the same clean graph, applies the matches in order of (rewrite, root class, match), and
// runs the passes. So the result depends on the order of the rewrites only where a limit is hit.
func (s *ruleSet) iterate() (changed bool) {
	g := s.g
	switch {
	case s.stop != "":
	case g.err != nil:
		s.stop = Contradiction
	case g.live >= s.limits.Nodes:
		s.stop = NodeLimit
	case s.stats.Iters == s.limits.Iters:
		s.stop = IterLimit
	}
	if s.stop != "" {
		return false
	}
	s.stats.Iters++
	g.refused = false
	nodes, unions := len(g.nodes), g.unions
	s.search()
	s.apply()
	g.Rebuild()
	for i := range s.passes {
		if g.err != nil || s.stop != "" {
			break
		}
		g.stage = s.first + Reason(i)
		s.stats.Firings[s.firings+int(g.stage-s.base())].Unions += s.passes[i].Apply(g, s.roots)
		g.stage = Given
		g.Rebuild()
	}
	if g.err != nil {
		s.stop = Contradiction
	}
	s.nodes, s.unions = len(g.nodes), g.unions
	s.idle = s.nodes == nodes && s.unions == unions
	if s.stop == "" && s.idle && g.refused {
		s.stop = NodeLimit
	}
	return !s.idle
}

// search looks for the matches of every rewrite. A rewrite that finds more than its limit keeps the first ones; under
// backoff it keeps none and is banned for a while.
func (s *ruleSet) search() {
	s.iters++
	s.dropped = false
	s.g.clock++
	for i, p := range s.programs {
		s.m.limit = s.limits.Matches
		if s.bans != nil {
			s.m.limit = s.backoff.Matches << s.bans[i].times
			if s.iters < s.bans[i].until {
				p.found.reset()
				p.searched = 0
				s.dropped = true
				continue
			}
		}
		s.m.search(p)
		p.searched = s.g.clock
		if p.found.truncated {
			s.dropped = true
			p.searched = 0
			if s.bans != nil {
				p.found.reset()
				s.bans[i].until = s.iters + 1 + s.backoff.Iters<<s.bans[i].times
				s.bans[i].times = min(s.bans[i].times+1, maxDoublings)
			}
		}
	}
}

// apply applies the matches found, until the node limit is reached.
func (s *ruleSet) apply() {
	g := s.g
	for _, p := range s.programs {
		stride := len(p.keep)
		firing := &s.stats.Firings[s.firings+int(p.reason-s.base())]
		for i, root := range p.found.roots {
			if g.live >= s.limits.Nodes {
				s.stop = NodeLimit
				return
			}
			kept := p.found.kept[i*stride : (i+1)*stride]
			if special := p.rule.Licence & SpecialLicences; special != 0 && g.analysis.Excused != nil &&
				!g.analysis.Excused(special, root, kept[:len(p.vars)]) {
				continue
			}
			var ok bool
			s.ids, ok = g.instantiate(p, p.found.types[i], kept, s.ids[:0])
			if !ok {
				continue
			}
			c := ClassID(s.ids[len(s.ids)-1])
			if g.nodes[c].Type != g.nodes[root].Type {
				continue
			}
			firing.Matches++
			if g.Find(root) == g.Find(c) {
				continue
			}
			if g.history != nil {
				g.recordMatch(p, kept[len(p.vars):], s.ids)
			}
			g.union(root, c, p.reason)
			firing.Unions++
		}
	}
}

// base is the reason of the first rewrite.
func (s *ruleSet) base() Reason { return s.first - Reason(s.rewrites) }
