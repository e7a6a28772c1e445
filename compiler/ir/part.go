package ir

// Part returns the computation of value to as a function of value from alone, with the fact that is known of from. Everything
// else that to depends on must depend on from too, or on constants.
func (f *Func) Part(from, to Value, fact Fact) *Func {
	needed := make([]bool, to+1)
	needed[to] = true
	for i := range needed {
		v := to - Value(i)
		if n := f.Nodes[v]; needed[v] && v != from {
			for _, a := range n.Operands() {
				needed[a] = true
			}
		}
	}
	name := "x"
	if n := f.Nodes[from]; n.Op == Param {
		name = f.Params[n.Imm].Name
	}
	b := NewBuilder(f.Name)
	remap := make([]Value, len(f.Nodes))
	remap[from] = b.Param(name, f.Nodes[from].Type, fact)
	for v, need := range needed {
		if need && Value(v) != from {
			remap[v] = b.copyAny(f, Value(v), remap)
		}
	}
	b.Return(remap[to])
	return b.Func()
}

// Replace returns f with value to computed from value from in another way.
func (f *Func) Replace(from, to Value, with func(b *Builder, from Value) Value) *Func {
	b := NewBuilder(f.Name)
	for _, p := range f.Params {
		b.Param(p.Name, p.Type, p.Fact)
	}
	remap := make([]Value, len(f.Nodes))
	for i, n := range f.Nodes {
		switch v := Value(i); {
		case v == to:
			remap[v] = with(b, remap[from])
		case n.Op == Param:
			remap[v] = Value(n.Imm)
		default:
			remap[v] = b.copyAny(f, v, remap)
		}
	}
	for _, r := range f.Results {
		b.Return(remap[r])
	}
	return b.Func().Compact()
}

// copyAny adds value v of f, which is no parameter.
func (b *Builder) copyAny(f *Func, v Value, remap []Value) Value {
	n := f.Nodes[v]
	if n.Op == Real {
		return b.Real(n.Type, f.Reals[n.Imm])
	}
	return b.copyNode(f, n, remap)
}

// Dominators returns, for each value, the nearest value that every way from a parameter to it goes through, itself excepted,
// or -1 if there is none; of what depends on no parameter, and of parameters, it is -1 too.
func (f *Func) Dominators() []int {
	near := make([]int, len(f.Nodes))
	fixed := make([]bool, len(f.Nodes))
	for i, n := range f.Nodes {
		near[i] = -1
		fixed[i] = n.Op != Param
		first := true
		for _, a := range n.Operands() {
			if fixed[a] {
				continue
			}
			if fixed[i] = false; first {
				near[i], first = int(a), false
				continue
			}
			for c := int(a); near[i] != c; { // the nearest in common; values come after what they depend on
				if near[i] > c {
					near[i] = near[near[i]]
				} else {
					c = near[c]
				}
				if near[i] < 0 || c < 0 {
					near[i] = -1
					break
				}
			}
		}
	}
	return near
}
