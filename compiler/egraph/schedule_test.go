package egraph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
)

// trace is a pass that writes its name at every run; it stops making news after some.
func trace(log *strings.Builder, name string, news int) Schedule {
	return Rules(nil, []Pass{{name, func(g *Graph, _ []ClassID) int {
		log.WriteString(name)
		if news--; news >= 0 {
			g.Add(Node{Op: ir.Param, Type: ir.Float32, Imm: uint32(g.NumNodes())})
		}
		return 0
	}}})
}

func TestScheduleOrder(t *testing.T) {
	var log strings.Builder
	tr := func(name string, news int) Schedule { return trace(&log, name, news) }
	for _, c := range []struct {
		name  string
		s     Schedule
		l     Limits
		order string
		stop  StopReason
	}{
		{"rules", tr("a", 0), Limits{}, "a", Saturated},
		{"rules with news", tr("a", 1), Limits{}, "a", Done},
		{"seq", Seq(tr("a", 0), tr("b", 0), tr("c", 0)), Limits{}, "abc", Saturated},
		{"the last changes", Seq(tr("a", 0), tr("b", 1)), Limits{}, "ab", Done},
		{"repeat", Repeat(3, tr("a", 9)), Limits{}, "aaa", Done},
		{"repeat ends early", Repeat(9, tr("a", 2)), Limits{}, "aaa", Saturated},
		{"fixpoint", Fixpoint(Seq(tr("a", 1), tr("b", 2))), Limits{}, "ababab", Saturated},
		{"nested", Fixpoint(Seq(Fixpoint(tr("a", 2)), Repeat(2, tr("b", 3)))), Limits{}, "aaabbabbab", Saturated},
		{"iteration limit", Seq(Fixpoint(tr("a", 9)), tr("b", 0)), Limits{Iters: 4}, "aaaa", IterLimit},
		{"node limit", Seq(Fixpoint(tr("a", 9)), tr("b", 0)), Limits{Nodes: 4}, "aaa", NodeLimit},
		{"nothing", Repeat(0, tr("a", 0)), Limits{}, "", Done},
	} {
		t.Run(c.name, func(t *testing.T) {
			log.Reset()
			g := New(Analysis{})
			s := Run(g, []ClassID{g.param(0)}, c.s, c.l)
			check(t, g)
			if log.String() != c.order || s.Stop != c.stop || s.Iters != len(c.order) {
				t.Errorf("ran %s in %d iterations, stopped by %s; want %s, %s", &log, s.Iters, s.Stop, c.order, c.stop)
			}
		})
	}
}

// Two fixpoints one after the other do what their rules can do alone, not together.
func TestPhases(t *testing.T) {
	cancel := rule("neg-neg", "(neg (neg x)) => x")
	push := rule("neg-add", "(neg (add a b)) => (add (neg a) (neg b))")
	g := New(Analysis{})
	x, y := g.param(0), g.param(1)
	root := g.op(ir.Neg, g.op(ir.Add, g.op(ir.Neg, x), y))
	s := Run(g, []ClassID{root}, Seq(Fixpoint(Rules([]*Rewrite{cancel}, nil)), Fixpoint(Rules([]*Rewrite{push}, nil))), Limits{})
	if s.Stop != Done {
		t.Errorf("stopped by %s, though -(-x) is new to the first phase", s.Stop)
	}
	s = Run(g, []ClassID{root}, Seq(Fixpoint(Rules([]*Rewrite{cancel}, nil)), Fixpoint(Rules([]*Rewrite{push}, nil))), Limits{})
	if s.Stop != Saturated || g.Find(root) != g.op(ir.Add, x, g.op(ir.Neg, y)) {
		t.Errorf("stopped by %s", s.Stop)
	}
	if len(s.Firings) != 2 || s.Firings[0].Name != "neg-neg" || s.Firings[0].Unions != 1 || s.Firings[1].Unions != 0 {
		t.Errorf("firings %v", s.Firings)
	}
}

func TestBackoff(t *testing.T) {
	limited := func(b Backoff, iters int) (Stats, *Graph) {
		g := New(Analysis{})
		root := g.op(ir.Neg, g.op(ir.Neg, sum(g, 6)))
		s := Fixpoint(RulesWithBackoff([]*Rewrite{addAssoc, rule("neg-neg", "(neg (neg x)) => x")}, nil, b))
		return Run(g, []ClassID{root}, s, Limits{Iters: iters}), g
	}
	all, _ := limited(Backoff{Matches: 1 << 20, Iters: 1}, 0)
	if all.Stop != Saturated || all.Classes != 64 {
		t.Fatalf("without a ban: stopped by %s with %d classes", all.Stop, all.Classes)
	}
	// Bans end, and double, so that in the end all is found; the other rule is not held up.
	few, g := limited(Backoff{Matches: 5, Iters: 2}, 0)
	check(t, g)
	if few.Stop != Saturated || few.Classes != all.Classes || few.Nodes != all.Nodes {
		t.Errorf("under backoff: stopped by %s with %d classes, %d nodes; want %d, %d", few.Stop, few.Classes, few.Nodes, all.Classes, all.Nodes)
	}
	// A ban forbids the verdict saturated, also where a single iteration changes nothing.
	for iters := 1; iters < few.Iters; iters++ {
		if s, _ := limited(Backoff{Matches: 5, Iters: 2}, iters); s.Stop != IterLimit {
			t.Errorf("%d iterations of %d: stopped by %s", iters, few.Iters, s.Stop)
		}
	}
	g = New(Analysis{})
	root := sum(g, 6)
	if s := Run(g, []ClassID{root}, RulesWithBackoff([]*Rewrite{addAssoc}, nil, Backoff{Matches: 1, Iters: 3}), Limits{}); s.Stop != MatchLimit || s.Firings[0].Matches != 0 {
		t.Errorf("banned at once: stopped by %s with %d matches", s.Stop, s.Firings[0].Matches)
	}
	again, _ := limited(Backoff{Matches: 5, Iters: 2}, 0)
	if diff := cmp.Diff(few, again); diff != "" {
		t.Error(diff)
	}
}

// A pass that asks for room never goes beyond the node limit, and the run says that it was held back.
func TestRoom(t *testing.T) {
	g := New(Analysis{})
	root := g.param(0)
	greedy := Pass{"greedy", func(g *Graph, _ []ClassID) int {
		for i := 0; i < 10 && g.Room(3); i++ {
			for range 3 {
				root = g.op(ir.Neg, root)
			}
		}
		return 0
	}}
	s := Saturate(g, []ClassID{root}, nil, []Pass{greedy}, Limits{Nodes: 60})
	if s.Stop != NodeLimit || s.Nodes != 58 {
		t.Errorf("stopped by %s with %d nodes", s.Stop, s.Nodes)
	}
	// Held back at its first request, although nothing was added: not saturated.
	if s := Saturate(g, []ClassID{root}, nil, []Pass{greedy}, Limits{Nodes: 60}); s.Stop != NodeLimit || s.Nodes != 58 {
		t.Errorf("stopped by %s with %d nodes", s.Stop, s.Nodes)
	}
	if !g.Room(1 << 30) {
		t.Error("a limit outside of a run")
	}
}

// Stamps skip matches that were applied; what is skipped must be old. Against a search of everything, on random graphs.
func TestOldMatchesAreOld(t *testing.T) {
	run := func(all bool, seed int) string {
		g := New(arithmetic)
		x, y, z := g.param(0), g.param(1), g.param(2)
		terms := []ClassID{x, y, z, g.num(0), g.num(1), g.num(2)}
		for i := range 12 {
			j := (seed*7 + i*i*5 + i) % len(terms)
			k := (seed*11 + i*3) % len(terms)
			terms = append(terms, g.op([]ir.Op{ir.Add, ir.Mul, ir.Sub, ir.Neg, ir.Abs}[(seed+i)%5], terms[j], terms[k]))
		}
		rules := proofRules
		var s Schedule
		if all {
			// A new set of programs in each iteration has seen nothing.
			var parts []Schedule
			for range 4 {
				parts = append(parts, Rules(rules, nil))
			}
			s = Seq(parts...)
		} else {
			s = Repeat(4, Rules(rules, nil))
		}
		Run(g, terms, s, Limits{Nodes: 1 << 14})
		text := fmt.Sprintln(g.Err(), g.NumNodes(), g.NumClasses())
		return text + partition(g, terms)
	}
	for seed := range 60 {
		if got, want := run(false, seed), run(true, seed); got != want {
			t.Errorf("seed %d: %s, a search of everything gives %s", seed, got, want)
		}
	}
}
