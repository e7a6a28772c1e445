package extract

// improve changes the choice of one class, or of two at once, as long as that makes the program cheaper.
func (s *solver) improve() {
	s.fuel = s.moveFuel
	var members, after []int32
	for {
		members = members[:0]
		s.walk(infinite, &members)
		better := s.single(members)
		for i := 0; !better && i < len(members) && s.fuel > 0; i++ {
			better = s.double(members[i], &after)
		}
		if !better || s.fuel <= 0 {
			return
		}
	}
}

// single tries the other candidates of every class in turn and reports whether one was better.
func (s *solver) single(classes []int32) bool {
	better := false
	for _, c := range classes {
		if s.fuel <= 0 {
			return better
		}
		better = s.try(c) || better
	}
	return better
}

// try gives c the candidate that makes the program cheapest, if that is cheaper than now.
func (s *solver) try(c int32) bool {
	best := s.choice[c]
	old := best
	for i, to := s.p.of(c); i < to; i++ {
		if i == old || !s.usable(i) {
			continue
		}
		s.choice[c] = i
		if cost, ok := s.walk(s.cost, nil); ok {
			s.cost, best = cost, i
		}
	}
	s.choice[c] = best
	return best != old
}

// double changes c together with one of the classes that are then needed.
func (s *solver) double(c int32, after *[]int32) bool {
	old := s.choice[c]
	for i, to := s.p.of(c); i < to; i++ {
		if i == old || !s.usable(i) {
			continue
		}
		s.choice[c] = i
		*after = (*after)[:0]
		s.walk(infinite, after)
		for _, d := range *after {
			if d != c && s.choice[d] >= 0 && s.fuel > 0 && s.try(d) {
				return true
			}
		}
	}
	s.choice[c] = old
	return false
}

// exact replaces the choice by the best one, unless the fuel runs out first; then by the best that was met.
func (s *solver) exact(fuel int) {
	b := &branch{s: s, choice: make([]int32, len(s.p.classes)), least: make([]uint64, len(s.p.classes)), mark: make([]uint32, len(s.p.classes))}
	for c := range b.choice {
		b.choice[c] = -1
		b.least[c] = infinite
		for i, to := s.p.of(int32(c)); i < to; i++ {
			if s.usable(i) {
				b.least[c] = min(b.least[c], s.p.candidates[i].cost)
			}
		}
	}
	s.fuel = fuel
	for _, r := range s.p.roots {
		b.need(r)
	}
	b.descend(0)
}

// branch is a partial choice: the first decided of the needed classes have a candidate.
type branch struct {
	s      *solver
	choice []int32
	needed []int32  // in the order in which they became needed
	sum    uint64   // of the decided classes, and of the least cost of the needed ones that are not: a lower bound
	least  []uint64 // cost of a class's cheapest candidate
	mark   []uint32 // of reaches, and 1<<31 for needed
	epoch  uint32
	stack  []int32
}

const isNeeded = 1 << 31

// need makes a class needed. It reports false if it was so already.
func (b *branch) need(c int32) bool {
	if b.mark[c]&isNeeded != 0 {
		return false
	}
	b.mark[c] |= isNeeded
	b.needed = append(b.needed, c)
	b.sum += b.least[c]
	return true
}

// descend decides the needed classes from number decided on.
func (b *branch) descend(decided int) {
	s := b.s
	if b.sum >= s.cost || s.fuel <= 0 {
		return
	}
	if decided == len(b.needed) {
		s.cost = b.sum
		// Classes that are not needed keep an older choice, which is never followed.
		for _, c := range b.needed {
			s.choice[c] = b.choice[c]
		}
		return
	}
	s.fuel--
	c := b.needed[decided]
	count, sum := len(b.needed), b.sum
	for i, to := s.p.of(c); i < to; i++ {
		cand := &s.p.candidates[i]
		if !s.usable(i) || b.hopeless(cand) || b.reaches(cand.operands(), c) {
			continue
		}
		b.choice[c] = i
		b.sum += cand.cost - b.least[c]
		for _, a := range cand.operands() {
			b.need(a)
		}
		b.descend(decided + 1)
		for _, a := range b.needed[count:] {
			b.mark[a] &^= isNeeded
		}
		b.needed, b.sum = b.needed[:count], sum
	}
	b.choice[c] = -1
}

// hopeless reports whether an operand has no finite form.
func (b *branch) hopeless(cand *candidate) bool {
	for _, a := range cand.operands() {
		if b.s.choice[a] < 0 {
			return true
		}
	}
	return false
}

// reaches reports whether decided choices lead from one of the classes to c.
func (b *branch) reaches(from []int32, c int32) bool {
	b.epoch++
	b.stack = append(b.stack[:0], from...)
	for len(b.stack) > 0 {
		d := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		if d == c {
			return true
		}
		if b.mark[d]&^isNeeded == b.epoch || b.choice[d] < 0 {
			continue
		}
		b.s.fuel--
		b.mark[d] = b.mark[d]&isNeeded | b.epoch
		b.stack = append(b.stack, b.s.p.candidates[b.choice[d]].operands()...)
	}
	return false
}
