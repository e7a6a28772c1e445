package interp

import "github.com/go-yolk/yolk/compiler/ir"

// loopCode is an ir.Loop ready to run. The lanes of a block that are still in the loop are kept together, so that a run of
// the body costs what these lanes cost.
type loopCode struct {
	body *Program  // the variables' next values, then whether to go on: parameters and results as the ir.Func has them
	args []slot    // where the variables begin
	dst  []slot    // where their last values go
	typ  []ir.Type // of the variables
}

// loopFrame is the scratch memory of a running loop.
type loopFrame struct {
	body      *frame
	cur, next []Column // of the lanes in the loop, by variable; next begins with whether to go on
	at        []int32  // which lane of the block a lane of cur is
	keep      []int32  // which lanes of cur go on
	gone      []int32  // and which do not
}

func (c *loopCode) newFrame() *loopFrame {
	fr := &loopFrame{
		body: c.body.newFrame(), next: []Column{newColumn(ir.Bool)},
		at: make([]int32, blockLen), keep: make([]int32, 0, blockLen), gone: make([]int32, 0, blockLen),
	}
	for _, t := range c.typ {
		fr.cur, fr.next = append(fr.cur, newColumn(t)), append(fr.next, newColumn(t))
	}
	return fr
}

// loop runs a loop on the first n lanes.
func (fr *frame) loop(c *loopCode, l *loopFrame, n int) {
	for v, s := range c.args {
		copyColumn(l.cur[v], fr.column(s), n)
	}
	for i := range n {
		l.at[i] = int32(i)
	}
	l.body.fuel, l.body.zero = fr.fuel, false
	defer func() { fr.zero = fr.zero || l.body.zero }()
	for n > 0 {
		l.body.endless = l.body.endless[:0]
		c.body.block(l.body, l.cur, l.next, 0, n)
		for _, i := range l.body.endless {
			fr.endless = append(fr.endless, l.at[i])
			l.next[0].Bool[i] = false
		}
		if fr.fuel != nil {
			*fr.fuel--
		}
		if fr.fuel != nil && *fr.fuel <= 0 {
			for i := range n {
				if l.next[0].Bool[i] {
					fr.endless = append(fr.endless, l.at[i])
					l.next[0].Bool[i] = false
				}
			}
		}
		l.keep, l.gone = l.keep[:0], l.gone[:0]
		for i, again := range l.next[0].Bool[:n] {
			if again {
				l.keep = append(l.keep, int32(i))
			} else {
				l.gone = append(l.gone, int32(i))
			}
		}
		for v, s := range c.dst {
			scatter(fr.column(s), l.at, l.next[v+1], l.gone)
		}
		if len(l.gone) == 0 {
			for v := range l.cur {
				l.cur[v], l.next[v+1] = l.next[v+1], l.cur[v]
			}
			continue
		}
		for v := range l.cur {
			gather(l.cur[v], l.next[v+1], l.keep)
		}
		for i, k := range l.keep {
			l.at[i] = l.at[k]
		}
		n = len(l.keep)
	}
}

// column is the memory of a slot.
func (fr *frame) column(s slot) Column {
	switch s.typ {
	case ir.Float32:
		return Column{F32: fr.f32[s.index]}
	case ir.Float64:
		return Column{F64: fr.f64[s.index]}
	case ir.Bool:
		return Column{Bool: fr.bool[s.index]}
	}
	return Column{Ints: fr.ints[s.index]}
}

func newColumn(t ir.Type) Column { return MakeColumn(class(t), blockLen) }

func copyColumn(dst, src Column, n int) {
	switch {
	case dst.F32 != nil:
		copy(dst.F32[:n], src.F32)
	case dst.F64 != nil:
		copy(dst.F64[:n], src.F64)
	case dst.Bool != nil:
		copy(dst.Bool[:n], src.Bool)
	default:
		copy(dst.Ints.([]int64)[:n], src.Ints.([]int64))
	}
}

// gather moves the lanes that are listed together.
func gather(dst, src Column, lanes []int32) {
	switch {
	case dst.F32 != nil:
		gatherLanes(dst.F32, src.F32, lanes)
	case dst.F64 != nil:
		gatherLanes(dst.F64, src.F64, lanes)
	case dst.Bool != nil:
		gatherLanes(dst.Bool, src.Bool, lanes)
	default:
		gatherLanes(dst.Ints.([]int64), src.Ints.([]int64), lanes)
	}
}

// scatter takes the lanes that are listed to where at says.
func scatter(dst Column, at []int32, src Column, lanes []int32) {
	switch {
	case dst.F32 != nil:
		scatterLanes(dst.F32, at, src.F32, lanes)
	case dst.F64 != nil:
		scatterLanes(dst.F64, at, src.F64, lanes)
	case dst.Bool != nil:
		scatterLanes(dst.Bool, at, src.Bool, lanes)
	default:
		scatterLanes(dst.Ints.([]int64), at, src.Ints.([]int64), lanes)
	}
}

func gatherLanes[T any](dst, src []T, lanes []int32) {
	for i, k := range lanes {
		dst[i] = src[k]
	}
}

func scatterLanes[T any](dst []T, at []int32, src []T, lanes []int32) {
	for _, k := range lanes {
		dst[at[k]] = src[k]
	}
}
