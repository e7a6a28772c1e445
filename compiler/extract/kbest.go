package extract

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// solvesPerProgram bounds the work of KBest: how many problems it solves for each program asked for. A program of n
// operations offers up to n nodes to ban, and the programs of the reference kernels have 10 to 50.
const solvesPerProgram = 24

// variantFuel is what all these problems together may spend on local moves and on branch and bound, in visits of a class:
// some 5 ms. The problems of small graphs do not use it up; of large ones fewer are solved.
const variantFuel = 1 << 20

// KBest returns up to k different programs that compute the roots, with their DAG costs, cheapest first; the other
// parameters and errors are those of Best. It is a best-first search: the cheapest solution so far is solved again once
// for each of its nodes, with that node banned in addition. Fewer than k programs come back where no more exist or the
// work, which is bounded in proportion to k, did not find them.
func KBest(g *egraph.Graph, roots []egraph.ClassID, params []ir.Parameter, name string, m Model, k int) ([]*ir.Func, []ir.Cost, error) {
	p := newProblem(g, roots, m)
	s := newSolver(p)
	if !s.solve() {
		return nil, nil, p.noForm()
	}
	left := variantFuel
	var programs []program
	printed := map[string]bool{}
	q := solutions{{cost: s.cost, choice: s.choice}}
	tried := map[string]bool{}
	for solves := 1; len(q) > 0 && len(programs) < k; {
		best := heap.Pop(&q).(solution)
		f, err := p.emit(best.choice, params, name)
		if err != nil {
			return nil, nil, err
		}
		if text := f.String(); !printed[text] {
			printed[text] = true
			programs = append(programs, program{f, costOf(best.cost)})
		}
		for _, i := range s.alternatives(best) {
			bans := append(slices.Clone(best.bans), i)
			slices.Sort(bans)
			if key := fmt.Sprint(bans); solves < k*solvesPerProgram && left > 0 && !tried[key] {
				tried[key] = true
				solves++
				ok := s.solveWithout(bans, left/4)
				left -= s.spent
				if ok {
					heap.Push(&q, solution{cost: s.cost, choice: s.choice, bans: bans, number: solves})
				}
			}
		}
	}
	// The search is not exact on large graphs, so a later solution may be cheaper than an earlier one.
	slices.SortStableFunc(programs, func(a, b program) int { return cmp.Compare(a.cost, b.cost) })
	funcs, costs := make([]*ir.Func, len(programs)), make([]ir.Cost, len(programs))
	for i, r := range programs {
		funcs[i], costs[i] = r.f, r.cost
	}
	return funcs, costs, nil
}

type program struct {
	f    *ir.Func
	cost ir.Cost
}

// solution is the choice for a problem with bans.
type solution struct {
	cost   uint64
	choice []int32
	bans   []int32
	number int // in order of solving
}

// alternatives returns the chosen candidates whose class has another usable one.
func (s *solver) alternatives(of solution) []int32 {
	var members, out []int32
	s.ban(of.bans)
	s.choice = of.choice
	s.walk(infinite, &members)
	for _, c := range members {
		usable := 0
		for i, to := s.p.of(c); i < to; i++ {
			if s.usable(i) {
				usable++
			}
		}
		if usable > 1 {
			out = append(out, of.choice[c])
		}
	}
	return out
}

func (s *solver) ban(bans []int32) {
	clear(s.banned)
	for _, i := range bans {
		s.banned[i] = true
	}
}

// solveWithout solves the problem with bans, for at most fuel visits by local moves.
func (s *solver) solveWithout(bans []int32, fuel int) bool {
	s.ban(bans)
	s.moveFuel = min(moveFuel, fuel)
	return s.solve()
}

// solutions is a heap by cost, then by number.
type solutions []solution

func (q solutions) Len() int      { return len(q) }
func (q solutions) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q solutions) Less(i, j int) bool {
	return q[i].cost < q[j].cost || q[i].cost == q[j].cost && q[i].number < q[j].number
}
func (q *solutions) Push(x any) { *q = append(*q, x.(solution)) }
func (q *solutions) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
