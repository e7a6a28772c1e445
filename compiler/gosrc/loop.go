package gosrc

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"github.com/go-yolk/yolk/compiler/ir"
)

// loop describes a Go loop to translator.loop.
type loop struct {
	label   string
	nodes   []ast.Node     // its parts, where variables are read and written
	counts  []types.Object // variables that the source does not have and the loop changes
	keeps   []types.Object // and those that it does not
	counter types.Object   // has bounds in the body, nil if there is none
	bounds  bounds
	cond    func() ir.Value
	body    func()
	post    func()
}

// loop adds a loop. Its region runs, for the elements at hand for which the condition holds, body and post, and says of those that neither
// left the loop nor the function that they go on.
func (t *translator) loop(fr *frame, l loop) {
	tg := t.enter(fr, l.label, true)
	read, written, exits := t.mentioned(fr, l.nodes)
	for _, o := range l.counts {
		read[o], written[o] = true, true
	}
	for _, o := range l.keeps {
		read[o] = true
	}
	outer, before := t.region, fr.vars
	on := t.truth(true)
	for _, g := range t.guard {
		on = t.and(on, g)
	}
	t.region = newRegion("loop")
	entry := state{}
	var args []ir.Value
	var carried []place
	var onInside ir.Value
	_, alwaysOn := outer.known(on)
	var onParam ir.Value
	if !alwaysOn {
		onParam = t.b.Param("on", ir.Bool, ir.Unknown)
		onInside = onParam
		args = append(args, on)
	}
	constants := map[place]ir.Node{}
	for _, p := range t.places(before) {
		hidden := p.Object == tg.left || p.Object == tg.skipping
		if !read[p.Object] || hidden {
			continue
		}
		if n := outer.b.Node(before[p]); n.Op == ir.Const && !written[p.Object] {
			constants[p] = n
			continue
		}
		entry[p] = t.b.Param(p.Name(), outer.b.Type(before[p]), ir.Unknown)
		if r, ok := outer.bounds[before[p]]; ok && !written[p.Object] {
			t.bounds[entry[p]] = r
		}
		args = append(args, before[p])
		carried = append(carried, p)
	}
	// What ends with the loop's exits has no value before.
	flags, results := map[place]bool{}, map[place]bool{}
	exit := func(as map[place]bool, o types.Object, k ir.Type, index int) {
		p := place{o, index}
		if _, ok := entry[p]; ok {
			return
		}
		entry[p] = t.b.Param(o.Name(), k, ir.Unknown)
		first := outer.b.Const(k, 0)
		args = append(args, first)
		carried = append(carried, p)
		as[p] = true
	}
	if exits.returns {
		exit(flags, fr.returned, ir.Bool, 0)
		for i, r := range vars(fr.fn.sig.Results()) {
			for j, k := range t.layout(fr, r.Type()) {
				exit(results, fr.results[i], k, j)
			}
		}
	}
	var left []types.Object // flags of what is around the loop
	for _, other := range fr.targets[:len(fr.targets)-1] {
		if other.label != "" && exits.labels[other.label] {
			left = append(left, other.left, other.skipping)
			exit(flags, other.left, ir.Bool, 0)
			exit(flags, other.skipping, ir.Bool, 0)
		}
	}
	for _, p := range t.constantPlaces(constants) {
		n := constants[p]
		entry[p] = t.b.Const(n.Type, ir.BitsFloat(n.Type, n.Imm))
		if n.Type.IsInteger() {
			entry[p] = t.b.Int(n.Type, ir.BitsInt(n.Type, n.Imm))
		} else if n.Type.IsFloat() {
			entry[p] = t.constant(n.Type, ir.BitsFloat(n.Type, n.Imm))
		}
	}
	// Elements that are in the loop have not left anything yet.
	start := maps.Clone(entry)
	for p := range results {
		delete(start, p)
	}
	no := t.truth(false)
	for p := range flags {
		start[p] = no
	}
	start[place{tg.left, 0}] = t.truth(false)
	start[place{tg.skipping, 0}] = t.truth(false)

	live := fr.live
	fr.vars, fr.live = maps.Clone(start), t.truth(true)
	if !alwaysOn {
		t.guard = append(t.guard, onInside)
	} else {
		onInside = t.truth(true)
	}
	cond := t.and(onInside, l.cond())
	t.guard = append(t.guard, cond)
	if l.counter != nil {
		if v, ok := fr.vars[place{l.counter, 0}]; ok {
			t.bounds[v] = l.bounds
		}
	}
	fr.vars, fr.live = maps.Clone(start), t.truth(true)
	l.body()
	goesOn := t.not(t.flag(fr, tg.left))
	goesOn = t.and(goesOn, t.not(t.flag(fr, fr.returned)))
	for _, o := range left {
		goesOn = t.and(goesOn, t.not(t.flag(fr, o)))
	}
	if l.post != nil {
		t.within(fr, goesOn, l.post)
	}
	t.guard = nil
	t.b.Return(t.and(cond, goesOn))
	if !alwaysOn {
		t.b.Return(onParam)
	}
	for _, p := range carried {
		after, ok := fr.vars[p]
		switch {
		case !ok:
			after = entry[p]
		case flags[p]:
			after = t.and(cond, after)
		case !written[p.Object] && !results[p]:
			after = entry[p]
		default:
			after = t.choose(cond, after, entry[p])
		}
		t.b.Return(after)
	}
	body := t.b.Func()
	t.region = outer
	fr.vars, fr.live = before, live
	again := body.Nodes[body.Results[0]]
	switch never := again.Op == ir.Const && again.Imm == 0; {
	case len(args) > 0:
	case never: // it is left in the first round
		fr.targets = fr.targets[:len(fr.targets)-1]
		return
	default:
		t.refuse(l.nodes[len(l.nodes)-1].Pos(), "a loop that nothing in it ends")
	}
	last, err := t.b.Loop(body, args...)
	if err != nil {
		t.refuse(l.nodes[len(l.nodes)-1].Pos(), "%v", err)
	}
	if !alwaysOn {
		last = last[1:]
	}
	ended := t.truth(true) // and neither returned nor left what is around
	for i, p := range carried {
		if written[p.Object] || flags[p] || results[p] {
			t.put(fr, p, last[i])
		}
	}
	if exits.returns {
		ended = t.and(ended, t.not(fr.vars[place{fr.returned, 0}]))
	}
	for _, o := range left {
		ended = t.and(ended, t.not(fr.vars[place{o, 0}]))
	}
	fr.targets = fr.targets[:len(fr.targets)-1]
	delete(fr.vars, place{tg.left, 0})
	delete(fr.vars, place{tg.skipping, 0})
	fr.live = t.and(fr.live, ended)
}

func (t *translator) constantPlaces(m map[place]ir.Node) []place {
	s := state{}
	for p := range m {
		s[p] = 0
	}
	return t.places(s)
}

// known is translator.known in another region.
func (r *region) known(v ir.Value) (value, ok bool) {
	n := r.b.Node(v)
	return n.Imm != 0, n.Op == ir.Const && n.Type == ir.Bool
}

// flag is a hidden bool, false where it has not been set.
func (t *translator) flag(fr *frame, o types.Object) ir.Value {
	if v, ok := fr.vars[place{o, 0}]; ok {
		return v
	}
	return t.truth(false)
}

// exits are the statements that leave a loop for something around it.
type exits struct {
	returns bool
	labels  map[string]bool
}

// mentioned lists the variables that occur in nodes, those that may be written there, and how nodes are left.
func (t *translator) mentioned(fr *frame, nodes []ast.Node) (read, written map[types.Object]bool, out exits) {
	read, written, out.labels = map[types.Object]bool{}, map[types.Object]bool{}, map[string]bool{}
	write := func(e ast.Expr) {
		if id := assigned(e); id != nil {
			if o := t.info.Uses[id]; o != nil {
				written[o] = true
			}
		}
	}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if o := t.info.Uses[n]; o != nil {
					read[o] = true
				}
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					write(e)
				}
			case *ast.IncDecStmt:
				write(n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					for _, e := range []ast.Expr{n.Key, n.Value} {
						if e != nil {
							write(e)
						}
					}
				}
			case *ast.ReturnStmt:
				out.returns = true
				for _, r := range vars(fr.fn.sig.Results()) { // named ones are read, or written
					read[r], written[r] = true, true
				}
			case *ast.BranchStmt:
				if n.Label != nil {
					out.labels[n.Label.Name] = true
				}
			}
			return true
		})
	}
	return read, written, out
}

func (t *translator) forLoop(fr *frame, s *ast.ForStmt, label string) {
	if s.Init != nil {
		t.statement(fr, s.Init, "")
	}
	l := loop{label: label, cond: func() ir.Value { return t.truth(true) }, body: func() { t.block(fr, s.Body.List) }}
	if s.Cond != nil {
		l.nodes = append(l.nodes, s.Cond)
		l.cond = func() ir.Value { return t.condition(fr, s.Cond) }
	}
	if s.Post != nil {
		l.nodes = append(l.nodes, s.Post)
		l.post = func() { t.statement(fr, s.Post, "") }
	}
	l.nodes = append(l.nodes, s.Body)
	l.counter, l.bounds = t.counter(fr, s)
	t.loop(fr, l)
}

// counter finds the variable that a loop counts by one between constants, and its bounds in the body.
func (t *translator) counter(fr *frame, s *ast.ForStmt) (types.Object, bounds) {
	post, ok := s.Post.(*ast.IncDecStmt)
	cond, ok2 := s.Cond.(*ast.BinaryExpr)
	if !ok || !ok2 {
		return nil, bounds{}
	}
	id, ok := post.X.(*ast.Ident)
	x, ok2 := ast.Unparen(cond.X).(*ast.Ident)
	if !ok || !ok2 || t.info.Uses[id] == nil || t.info.Uses[id] != t.info.Uses[x] {
		return nil, bounds{}
	}
	o := t.info.Uses[id]
	if _, written, _ := t.mentioned(fr, []ast.Node{s.Body}); written[o] {
		return nil, bounds{}
	}
	first, ok := fr.vars[place{o, 0}]
	if !ok || !t.b.Type(first).IsInteger() {
		return nil, bounds{}
	}
	from := t.rangeOf(first)
	end := bounds{}
	if tv := t.info.Types[cond.Y]; tv.Value != nil {
		n, exact := constant.Int64Val(constant.ToInt(tv.Value))
		if !exact {
			return nil, bounds{}
		}
		end = bounds{n, n}
	} else if n, ok := t.lengthOf(fr, cond.Y); ok {
		end = bounds{n, n}
	} else {
		return nil, bounds{}
	}
	switch {
	case post.Tok == token.INC && cond.Op == token.LSS:
		return o, bounds{from.lo, end.hi - 1}
	case post.Tok == token.INC && cond.Op == token.LEQ:
		return o, bounds{from.lo, end.hi}
	case post.Tok == token.DEC && cond.Op == token.GTR:
		return o, bounds{end.lo + 1, from.hi}
	case post.Tok == token.DEC && cond.Op == token.GEQ:
		return o, bounds{end.lo, from.hi}
	}
	return nil, bounds{}
}

// rangeLoop runs a range over an integer or an array.
func (t *translator) rangeLoop(fr *frame, s *ast.RangeStmt, label string) {
	typ := t.info.TypeOf(s.X)
	if typ == nil {
		t.explain(s.X)
	}
	counter := t.hidden("count", types.Typ[types.Int])
	var elements value // of what is ranged over
	var limit ir.Value
	k := ir.Int64
	width := 1
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger == 0 {
			t.refuse(s.X.Pos(), "range over %s; range over an integer or an array", t.typeName(typ))
		}
		limit = t.expr(fr, s.X)
		k = t.b.Type(limit)
	default:
		n, ok := t.lengthOfType(typ)
		if slice, isSlice := u.(*types.Slice); isSlice {
			elements = t.table(fr, s.X)
			if w := len(t.layout(fr, slice.Elem())); w > 0 {
				width = w
			}
			n, ok = int64(len(elements)/width), true
		} else if ok && s.Value != nil {
			elements = t.flat(fr, s.X)
			width = len(elements) / int(max(n, 1))
		}
		if !ok {
			t.refuse(s.X.Pos(), "range over %s; range over an integer or an array", t.typeName(typ))
		}
		limit = t.b.Int(ir.Int64, n)
	}
	end := t.hidden("limit", types.Typ[types.Int])
	array := t.hidden("array", types.Typ[types.Int])
	t.put(fr, place{counter, 0}, t.b.Int(k, 0))
	t.put(fr, place{end, 0}, limit)
	for i, v := range elements {
		t.put(fr, place{array, i}, v)
	}
	l := loop{label: label, nodes: []ast.Node{s.Body}, counts: []types.Object{counter}, keeps: []types.Object{end, array}, counter: counter}
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil {
			l.nodes = append(l.nodes, &ast.AssignStmt{Lhs: []ast.Expr{e}, Tok: s.Tok, Rhs: nil})
		}
	}
	most := t.rangeOf(limit)
	l.bounds = bounds{0, max(0, most.hi-1)}
	l.cond = func() ir.Value {
		return t.b.Must(ir.Lt, fr.vars[place{counter, 0}], fr.vars[place{end, 0}])
	}
	l.body = func() {
		i := fr.vars[place{counter, 0}]
		if s.Key != nil {
			t.set(fr, s.Key, value{i})
		}
		if s.Value != nil {
			var list value
			for j := range elements {
				list = append(list, fr.vars[place{array, j}])
			}
			t.set(fr, s.Value, t.pick(list, width, i))
		}
		t.block(fr, s.Body.List)
	}
	l.post = func() {
		v := fr.vars[place{counter, 0}]
		t.put(fr, place{counter, 0}, t.b.Must(ir.Add, v, t.b.Int(k, 1)))
	}
	t.loop(fr, l)
	for _, o := range []types.Object{counter, end, array} {
		for i := range max(1, len(elements)) {
			delete(fr.vars, place{o, i})
		}
	}
}
