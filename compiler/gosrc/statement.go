package gosrc

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-yolk/yolk/compiler/ir"
)

// target is what break and continue can leave.
type target struct {
	label    string
	loop     bool
	left     types.Object // whether break has left it
	skipping types.Object // whether continue goes to it from an inner loop
}

// block runs statements. What follows one that some elements leave is run on the others.
func (t *translator) block(fr *frame, list []ast.Stmt) {
	for i, s := range list {
		t.statement(fr, s, "")
		if yes, known := t.known(fr.live); known && !yes {
			return // the rest is not reached
		} else if !known {
			live := fr.live
			fr.live = t.and(live, t.within(fr, live, func() { t.block(fr, list[i+1:]) }))
			return
		}
	}
}

// statement runs s, which has a label or "".
func (t *translator) statement(fr *frame, s ast.Stmt, label string) {
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		t.leaveable(fr, label, func() { t.block(fr, s.List) })
	case *ast.LabeledStmt:
		t.statement(fr, s.Stmt, s.Label.Name)
	case *ast.AssignStmt:
		t.assign(fr, s)
	case *ast.IncDecStmt:
		op := ir.Add
		if s.Tok == token.DEC {
			op = ir.Sub
		}
		v := t.expr(fr, s.X)
		t.set(fr, s.X, value{t.emit(s.X, op, v, t.one(t.b.Type(v)))})
	case *ast.DeclStmt:
		t.declare(fr, s.Decl.(*ast.GenDecl))
	case *ast.ReturnStmt:
		t.results(fr, s)
	case *ast.BranchStmt:
		t.jump(fr, s)
	case *ast.IfStmt:
		t.leaveable(fr, label, func() { t.ifElse(fr, s) })
	case *ast.SwitchStmt:
		t.switchOf(fr, s, label)
	case *ast.ForStmt:
		t.forLoop(fr, s, label)
	case *ast.RangeStmt:
		t.rangeLoop(fr, s, label)
	default:
		t.refuseStatement(s)
	}
}

// one is the constant 1 of a number's type.
func (t *translator) one(k ir.Type) ir.Value {
	if k.IsInteger() {
		return t.b.Int(k, 1)
	}
	return t.constant(k, 1)
}

func (t *translator) ifElse(fr *frame, s *ast.IfStmt) {
	if s.Init != nil {
		t.statement(fr, s.Init, "")
	}
	cond := t.condition(fr, s.Cond)
	t.fork(fr, cond, func() { t.block(fr, s.Body.List) }, func() {
		if s.Else != nil {
			t.statement(fr, s.Else, "")
		}
	})
}

// condition is a bool expression.
func (t *translator) condition(fr *frame, e ast.Expr) ir.Value {
	v := t.expr(fr, e)
	if t.b.Type(v) != ir.Bool {
		t.explain(e)
	}
	return v
}

// leaveable runs a statement that only a labelled break can leave.
func (t *translator) leaveable(fr *frame, label string, do func()) {
	if label == "" {
		do()
		return
	}
	tg := t.enter(fr, label, false)
	do()
	t.leave(fr, tg)
}

func (t *translator) enter(fr *frame, label string, loop bool) *target {
	tg := &target{label, loop, t.hidden("left", types.Typ[types.Bool]), t.hidden("skipping", types.Typ[types.Bool])}
	fr.targets = append(fr.targets, tg)
	t.put(fr, place{tg.left, 0}, t.truth(false))
	t.put(fr, place{tg.skipping, 0}, t.truth(false))
	return tg
}

// leave ends a statement: what has left it by break goes on after it.
func (t *translator) leave(fr *frame, tg *target) {
	fr.targets = fr.targets[:len(fr.targets)-1]
	fr.live = t.or(fr.live, fr.vars[place{tg.left, 0}])
	delete(fr.vars, place{tg.left, 0})
	delete(fr.vars, place{tg.skipping, 0})
}

// results ends the function with the values of a return statement.
func (t *translator) results(fr *frame, s *ast.ReturnStmt) {
	declared := vars(fr.fn.sig.Results())
	var results []value
	if len(s.Results) > 0 {
		results = t.lists(fr, s, s.Results, len(declared))
	} else {
		for _, r := range declared {
			if r.Name() == "" {
				t.refuse(s.Pos(), "return without a value")
			}
			results = append(results, t.variable(fr, r))
		}
	}
	for i, r := range declared {
		layout := t.layout(fr, r.Type())
		if len(layout) != len(results[i]) || layout[0] != t.b.Type(results[i][0]) {
			t.refuse(s.Pos(), "result %d has type %s, the value %v", i, t.typeName(r.Type()), t.b.Type(results[i][0]))
		}
		for j, v := range results[i] {
			t.put(fr, place{fr.results[i], j}, v)
		}
		if r.Name() != "" && r.Name() != "_" { // a deferred function could see it; there is none
			for j, v := range results[i] {
				t.put(fr, place{r, j}, v)
			}
		}
	}
	t.put(fr, place{fr.returned, 0}, t.truth(true))
	fr.live = t.truth(false)
}

// jump runs break and continue.
func (t *translator) jump(fr *frame, s *ast.BranchStmt) {
	if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		t.refuseStatement(s)
	}
	for i := len(fr.targets) - 1; i >= 0; i-- {
		tg := fr.targets[i]
		switch {
		case s.Label != nil && s.Label.Name != tg.label, s.Tok == token.CONTINUE && !tg.loop, s.Label == nil && !tg.loop && tg.label != "":
			continue
		case s.Tok == token.BREAK:
			t.put(fr, place{tg.left, 0}, t.truth(true))
		default:
			t.put(fr, place{tg.skipping, 0}, t.truth(true))
		}
		fr.live = t.truth(false)
		return
	}
	t.refuse(s.Pos(), "%s without a statement to leave", s.Tok)
}

// switchOf runs a switch: the conditions in order, then the clauses, each on the elements that chose it or fall through to it.
func (t *translator) switchOf(fr *frame, s *ast.SwitchStmt, label string) {
	if s.Init != nil {
		t.statement(fr, s.Init, "")
	}
	tag := t.truth(true)
	if s.Tag != nil {
		tag = t.expr(fr, s.Tag)
	}
	var clauses []*ast.CaseClause
	chosen := map[*ast.CaseClause]ir.Value{}
	none := t.truth(true) // no clause so far
	guards := len(t.guard)
	var byDefault *ast.CaseClause
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		clauses = append(clauses, c)
		if c.List == nil {
			byDefault = c
			continue
		}
		matches := t.truth(false)
		for _, e := range c.List {
			t.guard = append(t.guard, t.and(none, t.not(matches)))
			v := t.expr(fr, e)
			if t.b.Type(v) != t.b.Type(tag) {
				t.explain(e)
			}
			match := v
			if s.Tag != nil {
				match = t.equal(e, tag, v)
			}
			t.guard = t.guard[:guards]
			matches = t.or(matches, match)
		}
		chosen[c] = t.and(none, matches)
		none = t.and(none, t.not(matches))
	}
	if byDefault != nil {
		chosen[byDefault] = none
	}
	t.leaveable(fr, label, func() {
		tg := t.enter(fr, "", false) // for a break without a label
		t.clauses(fr, clauses, chosen)
		t.leave(fr, tg)
	})
}

// clauses runs the clauses of a switch.
func (t *translator) clauses(fr *frame, clauses []*ast.CaseClause, chosen map[*ast.CaseClause]ir.Value) {
	live := t.truth(true)
	falls := t.truth(false) // from the clause before
	for _, c := range clauses {
		body := c.Body
		through := false
		if n := len(body); n > 0 {
			if last, ok := body[n-1].(*ast.BranchStmt); ok && last.Tok == token.FALLTHROUGH {
				body, through = body[:n-1], true
			}
		}
		cond := t.or(chosen[c], falls)
		end := t.within(fr, cond, func() { t.block(fr, body) })
		falls = t.truth(false)
		left := t.and(cond, t.not(end)) // by return, break or continue
		if through {
			falls = t.and(cond, end)
		}
		live = t.and(live, t.not(left))
	}
	fr.live = live
}
