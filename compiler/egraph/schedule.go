package egraph

import "fmt"

// Schedule says in which order rules run. Schedules are values and may be used any number of times.
type Schedule struct {
	plan func(*run) step
}

// step is a schedule in a run. It reports whether it changed the graph.
type step func() (changed bool)

// Rules is one iteration of a set: all rewrites are searched, then applied, then the passes run.
func Rules(rewrites []*Rewrite, passes []Pass) Schedule { return rules(rewrites, passes, Backoff{}) }

// Backoff keeps rewrites that find very much from filling the graph, as egg's scheduler of that name does (Willsey et al.
// 2021): one that finds more than Matches in an iteration is banned for the next Iters. Each time both double. While a
// rewrite is banned nothing is called saturated.
type Backoff struct {
	Matches int // per direction of a rewrite and iteration
	Iters   int // iterations of its set
}

// maxDoublings keeps the doubled numbers in range.
const maxDoublings = 20

type ban struct {
	times int // so far
	until int // iteration
}

// RulesWithBackoff is Rules under a backoff.
func RulesWithBackoff(rewrites []*Rewrite, passes []Pass, b Backoff) Schedule {
	return rules(rewrites, passes, Backoff{max(1, b.Matches), max(1, b.Iters)})
}

func rules(rewrites []*Rewrite, passes []Pass, b Backoff) Schedule {
	return Schedule{func(r *run) step {
		s := &ruleSet{run: r, passes: passes, backoff: b, firings: len(r.stats.Firings), rewrites: len(rewrites)}
		g := r.g
		for i, w := range rewrites {
			if w.Kind == Approximation {
				panic(fmt.Sprintf("egraph: %s: %s is an approximation, which is no equality", w.Pos, w.Name))
			}
			g.sources = append(g.sources, source{name: w.Name, pos: w.Pos, rule: w})
			s.programs = append(s.programs, directions(rewrites[i], Reason(len(g.sources)))...)
			r.stats.Firings = append(r.stats.Firings, Firing{Name: w.Name})
		}
		s.first = Reason(len(g.sources) + 1)
		for _, p := range passes {
			g.sources = append(g.sources, source{name: p.Name})
			r.stats.Firings = append(r.stats.Firings, Firing{Name: p.Name})
		}
		if b.Matches > 0 {
			s.bans = make([]ban, len(s.programs))
		}
		r.sets = append(r.sets, s)
		return s.iterate
	}}
}

// Seq runs schedules one after the other.
func Seq(parts ...Schedule) Schedule {
	return Schedule{func(r *run) step {
		var steps []step
		for _, p := range parts {
			steps = append(steps, p.plan(r))
		}
		return func() (changed bool) {
			for _, s := range steps {
				changed = s() || changed
			}
			return changed
		}
	}}
}

// Repeat runs a schedule n times, or until it changes nothing.
func Repeat(n int, s Schedule) Schedule { return loop(s, func(i int) bool { return i < n }) }

// Fixpoint runs a schedule until it changes nothing. Rules under a backoff that are banned are waited for.
func Fixpoint(s Schedule) Schedule { return loop(s, func(int) bool { return true }) }

func loop(s Schedule, more func(i int) bool) Schedule {
	return Schedule{func(r *run) step {
		first := len(r.sets)
		once := s.plan(r)
		sets := r.sets[first:len(r.sets):len(r.sets)]
		return func() (changed bool) {
			for i := 0; more(i); i++ {
				if once() {
					changed = true
				} else if r.stop != "" || !anyBanned(sets) {
					break
				}
			}
			return changed
		}
	}}
}

// anyBanned reports whether a rewrite waits for the end of its ban, and brings the end of the first such ban about: the
// iterations until then would change nothing.
func anyBanned(sets []*ruleSet) bool {
	banned := false
	for _, s := range sets {
		first := 0
		for _, b := range s.bans {
			if b.until > s.iters+1 && (first == 0 || b.until < first) {
				first = b.until
			}
		}
		if first > 0 {
			banned, s.iters = true, first-1
		} else if s.bans != nil && s.dropped {
			banned = true
		}
	}
	return banned
}
