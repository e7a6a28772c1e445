package ir

import (
	"errors"
	"fmt"
	"slices"
)

// A loop is the θ of an RVSDG: its body is a function of the loop's variables whose first result says whether to go on and
// whose others are the variables' next values. The body runs at least once; the loop's results are the values that its last
// run gave. Everything that a body uses is a variable, whether it changes or not. A loop is pure: it has no effect but its
// results, and where no run ends it, it has none, as in Go.
//
// In a function's nodes a loop is
//
//	Empty, Append...  the tuple of its variables' first values
//	Loop              the results, as a tuple; Imm says which of the function's Bodies
//	Proj              one of the results; Imm says which variable's
//
// There is no γ: every operation is pure, so that a branch is a Select, and a loop in a branch takes the branch's condition
// as a variable that its body looks at; where that holds for nobody, its first round is its last.

// Loop adds a loop over variables that begin as args and returns their last values. body is a function of one parameter for
// each of them; its results are a Bool, whether to go on, and the next values. The builder keeps body.
func (b *Builder) Loop(body *Func, args ...Value) ([]Value, error) {
	if err := checkBody(body); err != nil {
		return nil, err
	}
	if len(args) != len(body.Params) {
		return nil, fmt.Errorf("ir: the loop %s has %d variables, not %d", body.Name, len(body.Params), len(args))
	}
	tuple := b.add(Node{Op: Empty, Type: Tuple})
	for i, a := range args {
		if int(a) >= len(b.f.Nodes) {
			return nil, fmt.Errorf("ir: variable %d of a loop begins as v%d, which does not exist", i, a)
		}
		if t := b.f.Nodes[a].Type; t != body.Params[i].Type {
			return nil, fmt.Errorf("ir: variable %d of the loop %s is %v, not %v", i, body.Name, body.Params[i].Type, t)
		}
		tuple = b.add(Node{Op: Append, Type: Tuple, Args: [3]Value{tuple, a}})
	}
	loop := b.add(Node{Op: Loop, Type: Tuple, Args: [3]Value{tuple}, Imm: b.f.AddBody(body)})
	results := make([]Value, len(args))
	for i, p := range body.Params {
		results[i] = b.add(Node{Op: Proj, Type: p.Type, Args: [3]Value{loop}, Imm: uint64(i)})
	}
	return results, nil
}

// AddBody returns the index of body in f.Bodies, which it enters if need be.
func (f *Func) AddBody(body *Func) uint64 {
	i := slices.Index(f.Bodies, body)
	if i < 0 {
		i = len(f.Bodies)
		f.Bodies = append(f.Bodies, body)
	}
	return uint64(i)
}

// Body is the body of loop n of f, nil if it is none.
func (f *Func) Body(n Node) *Func {
	if n.Op != Loop {
		return nil
	}
	return f.Bodies[n.Imm]
}

// Fixed reports whether v is a variable of the loop whose body f is that is the same in every round.
func (f *Func) Fixed(v Value) bool {
	n := f.Nodes[v]
	return n.Op == Param && len(f.Results) == len(f.Params)+1 && f.Results[n.Imm+1] == v
}

// Elements lists the values of the tuple that Empty and Append made.
func (f *Func) Elements(tuple Value) []Value {
	var list []Value
	for n := f.Nodes[tuple]; n.Op == Append; n = f.Nodes[n.Args[0]] {
		list = append(list, n.Args[1])
	}
	slices.Reverse(list)
	return list
}

// MapBodies returns f with do applied to the bodies of its loops, and f itself where it has none.
func (f *Func) MapBodies(do func(*Func) *Func) *Func {
	if len(f.Bodies) == 0 {
		return f
	}
	g := *f
	g.Bodies = make([]*Func, len(f.Bodies))
	for i, body := range f.Bodies {
		g.Bodies[i] = do(body)
	}
	return &g
}

// All yields f and the bodies of its loops, inner ones too.
func (f *Func) All(yield func(*Func) bool) {
	var visit func(f *Func) bool
	visit = func(f *Func) bool {
		if !yield(f) {
			return false
		}
		for _, body := range f.Bodies {
			if !visit(body) {
				return false
			}
		}
		return true
	}
	visit(f)
}

// AllDefs lists the definitions of the calls in f and in the bodies of its loops, each once.
func (f *Func) AllDefs() []*Def {
	var list []*Def
	for g := range f.All {
		for _, d := range g.Defs {
			if !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
	}
	return list
}

// Inline adds the operations of f, whose parameters are args, and returns the results.
func (b *Builder) Inline(f *Func, args ...Value) []Value {
	remap := make([]Value, len(f.Nodes))
	for i, n := range f.Nodes {
		switch n.Op {
		case Param:
			remap[i] = args[n.Imm]
		case Real:
			remap[i] = b.Real(n.Type, f.Reals[n.Imm])
		default:
			remap[i] = b.copyNode(f, n, remap)
		}
	}
	results := make([]Value, len(f.Results))
	for i, r := range f.Results {
		results[i] = remap[r]
	}
	return results
}

// maxNesting bounds how deep loops may be nested. Everything that walks them does so by recursion.
const maxNesting = 64

// checkBody reports what is wrong with the shape of a body. Verify looks at its nodes.
func checkBody(body *Func) error {
	switch {
	case body == nil:
		return errors.New("ir: a loop without a body")
	case len(body.Params) == 0:
		return fmt.Errorf("ir: the loop %s has no variable", body.Name)
	case len(body.Results) != len(body.Params)+1:
		return fmt.Errorf("ir: the body of the loop %s has %d results, not %d for %d variables", body.Name, len(body.Results), len(body.Params)+1, len(body.Params))
	}
	for i, r := range body.Results {
		want := Bool
		if i > 0 {
			want = body.Params[i-1].Type
		}
		if int(r) >= len(body.Nodes) || body.Nodes[r].Type != want {
			return fmt.Errorf("ir: result %d of the body of the loop %s is not %v", i, body.Name, want)
		}
	}
	return nil
}

// verifyLoop checks a node of a loop; its operands exist.
func verifyLoop(f *Func, n Node) error {
	is := func(ops ...Op) bool { return slices.Contains(ops, f.Nodes[n.Args[0]].Op) }
	switch {
	case n.Op == Append && !is(Empty, Append), n.Op == Loop && !is(Empty, Append):
		return fmt.Errorf("%v of a tuple that is not made by append", n.Op)
	case n.Op == Proj && !is(Loop):
		return fmt.Errorf("%v of what is no loop", n.Op)
	case n.Op == Proj:
		body := f.Body(f.Nodes[n.Args[0]])
		if n.Imm >= uint64(len(body.Params)) || body.Params[n.Imm].Type != n.Type {
			return fmt.Errorf("the loop has no variable %d of type %v", n.Imm, n.Type)
		}
	case n.Op == Loop:
		if n.Imm >= uint64(len(f.Bodies)) {
			return fmt.Errorf("body %d does not exist", n.Imm)
		}
		body := f.Bodies[n.Imm]
		if err := checkBody(body); err != nil {
			return err
		}
		args := f.Elements(n.Args[0])
		if len(args) != len(body.Params) {
			return fmt.Errorf("the loop has %d variables, not %d", len(body.Params), len(args))
		}
		for i, a := range args {
			if t := f.Nodes[a].Type; t != body.Params[i].Type {
				return fmt.Errorf("variable %d of the loop is %v, not %v", i, body.Params[i].Type, t)
			}
		}
	}
	return nil
}
