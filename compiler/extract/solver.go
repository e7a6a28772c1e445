package extract

import (
	"container/heap"
	"math/bits"
	"slices"
)

// Bounds on the work of one solution, in visits of a class (some 5 ns each) and in classes. They are counts and not times, so
// the result does not depend on the machine.
const (
	maxGreedy    = 1500    // classes; above, sets of classes take too much memory (n^2/8 bytes) and time
	moveFuel     = 1 << 16 // visits; 16 times as many save 0.1 % of a graph of 800 operations, and nothing below 400
	maxExact     = 128     // classes; above, branch and bound hardly ever ends
	exactFuel    = 1 << 16 // visits
	saturateTree = 1 << 62 // tree costs grow exponentially with sharing and stop here
)

// solver finds a choice for a problem. A candidate that is banned is not chosen.
type solver struct {
	p      *problem
	banned []bool
	choice []int32 // candidate of every class, -1 if it has no finite form
	cost   uint64  // of the classes that the roots need

	mark  []uint32 // of walk: 2*epoch on the path, 2*epoch+1 done
	epoch uint32
	path  []step

	moveFuel int // of improve
	fuel     int // left
	spent    int // by the last solve, of both kinds, and a visit for each class that it looked at
}

// step is a class on the path of a walk and the next operand to visit.
type step struct {
	class int32
	next  uint8
}

func newSolver(p *problem) *solver {
	return &solver{p: p, banned: make([]bool, len(p.candidates)), mark: make([]uint32, len(p.classes)), moveFuel: moveFuel}
}

func (s *solver) usable(i int32) bool { return !s.banned[i] && s.p.candidates[i].cost != infinite }

// solve sets choice and cost. It reports false if a root has no finite form.
func (s *solver) solve() bool {
	s.spent = len(s.p.candidates)
	if !s.propose() {
		return false
	}
	s.improve()
	s.spent += s.moveFuel - s.fuel
	if len(s.p.classes) <= maxExact {
		s.exact(exactFuel)
		s.spent += exactFuel - s.fuel
	}
	return true
}

// propose takes the better of the tree choice and the greedy one.
func (s *solver) propose() bool {
	s.tree()
	for _, r := range s.p.roots {
		if s.choice[r] < 0 {
			return false
		}
	}
	s.cost, _ = s.walk(infinite, nil)
	tree := s.choice
	if len(s.p.classes) <= maxGreedy {
		s.greedy()
		if cost, _ := s.walk(infinite, nil); cost < s.cost {
			s.cost = cost
		} else {
			s.choice = tree
		}
	}
	return true
}

// tree chooses what is cheapest if nothing is shared.
func (s *solver) tree() {
	total := make([]uint64, len(s.p.classes))
	s.settle(func(i int32) uint64 {
		c := &s.p.candidates[i]
		sum := c.cost
		for _, a := range c.operands() {
			sum = min(saturateTree, sum+total[a])
		}
		return sum
	}, func(i int32, cost uint64) { total[s.p.candidates[i].class] = cost })
}

// greedy chooses in every class what is cheapest given the choices below, which are paid once each.
func (s *solver) greedy() {
	p := s.p
	words := (len(p.classes) + 63) / 64
	sets := make([]uint64, words*len(p.classes)) // the classes that a settled class needs, itself included
	set := func(c int32) []uint64 { return sets[int(c)*words:][:words] }
	union := make([]uint64, words)
	unite := func(i int32) {
		clear(union)
		for _, a := range p.candidates[i].operands() {
			for w, x := range set(a) {
				union[w] |= x
			}
		}
	}
	s.settle(func(i int32) uint64 {
		unite(i)
		sum := p.candidates[i].cost
		for w, x := range union {
			for ; x != 0; x &= x - 1 {
				sum += p.candidates[s.choice[64*w+bits.TrailingZeros64(x)]].cost
			}
		}
		return sum
	}, func(i int32, _ uint64) {
		unite(i)
		c := p.candidates[i].class
		copy(set(c), union)
		set(c)[c/64] |= 1 << (c % 64)
	})
}

// settle fixes the choice of one class after the other, in order of price (Knuth 1977). A candidate has a price once its
// operands are settled, and costs at least as much as each of them; so the choice is acyclic.
func (s *solver) settle(price func(i int32) uint64, settled func(i int32, cost uint64)) {
	p := s.p
	s.choice = slices.Repeat([]int32{-1}, len(p.classes))
	waiting := make([]uint8, len(p.candidates))
	var q offers
	for i := range p.candidates {
		waiting[i] = p.candidates[i].arity
		if waiting[i] == 0 && s.usable(int32(i)) {
			q = append(q, offer{price(int32(i)), int32(i)})
		}
	}
	heap.Init(&q)
	for len(q) > 0 {
		o := heap.Pop(&q).(offer)
		c := p.candidates[o.candidate].class
		if s.choice[c] >= 0 {
			continue
		}
		s.choice[c] = o.candidate
		settled(o.candidate, o.price)
		for _, u := range p.users[c] {
			waiting[u]--
			if waiting[u] == 0 && s.usable(u) && s.choice[p.candidates[u].class] < 0 {
				heap.Push(&q, offer{price(u), u})
			}
		}
	}
}

// offers is a heap of priced candidates; among equal prices the candidate with the smaller number comes first.
type offers []offer

type offer struct {
	price     uint64
	candidate int32
}

func (q offers) Len() int      { return len(q) }
func (q offers) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q offers) Less(i, j int) bool {
	return q[i].price < q[j].price || q[i].price == q[j].price && q[i].candidate < q[j].candidate
}
func (q *offers) Push(x any) { *q = append(*q, x.(offer)) }
func (q *offers) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// walk returns the cost of what the roots need under the current choice. It stops and reports false at a cycle, at a
// class without a choice, or when the cost reaches bound. If members is not nil, the classes are appended in depth-first
// order, those of a failed walk as far as it went.
func (s *solver) walk(bound uint64, members *[]int32) (uint64, bool) {
	s.epoch++
	open, done := 2*s.epoch, 2*s.epoch+1
	var sum uint64
	for _, r := range s.p.roots {
		if s.mark[r] == done {
			continue
		}
		s.path = append(s.path[:0], step{r, 0})
		for len(s.path) > 0 {
			top := &s.path[len(s.path)-1]
			c := top.class
			if top.next == 0 {
				s.fuel--
				s.mark[c] = open
				if members != nil {
					*members = append(*members, c)
				}
				if s.choice[c] < 0 {
					return 0, false
				}
				sum += s.p.candidates[s.choice[c]].cost
				if sum >= bound {
					return 0, false
				}
			}
			args := s.p.candidates[s.choice[c]].operands()
			if int(top.next) == len(args) {
				s.mark[c] = done
				s.path = s.path[:len(s.path)-1]
				continue
			}
			a := args[top.next]
			top.next++
			switch s.mark[a] {
			case open:
				return 0, false
			case done:
			default:
				s.path = append(s.path, step{a, 0})
			}
		}
	}
	return sum, true
}
