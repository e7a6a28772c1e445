package rules

import (
	"go/ast"
	"math"
	"regexp"
	"strconv"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// variable matches the names of pattern variables.
var variable = regexp.MustCompile(`^[a-z][0-9]*$`)

// terms makes the patterns of one law out of Go expressions.
type terms struct {
	p     *lawParser
	match ir.Type
	vars  []string
	kinds map[string]ir.Type // of the variables: match or ir.Bool

	tables []*ir.Table // of the lookups, no two equal

	named map[string]int // names given by the with clause -> index in defs
	defs  []definition
	used  []bool

	left    bool // reading the left side, which binds the variables
	inDef   int  // the definition that is being read, len(defs) outside
	pattern *egraph.Pattern
	types   []ir.Type // of the nodes
	memo    map[nodeKey]int
	known   map[ast.Expr]ir.Type
	done    map[defKey]int
}

// nodeKey is a node with its constant as text, so that equal nodes are made once.
type nodeKey struct {
	node  egraph.PatternNode
	value string
}

// defKey is a definition read in a context that wants a type; only constants differ by it.
type defKey struct {
	def  int
	want ir.Type
}

func newTerms(p *lawParser, match ir.Type) *terms {
	return &terms{p: p, match: match, kinds: map[string]ir.Type{}, named: map[string]int{}, known: map[ast.Expr]ir.Type{}}
}

// define takes the names of a with clause.
func (t *terms) define(defs []definition) {
	for _, d := range defs {
		name := d.name.lit
		if hasMeaning(name) || t.p.defs[name] != nil {
			t.p.fault(d.name.offset, "%s has a meaning already", name)
			continue
		}
		if _, twice := t.named[name]; twice {
			t.p.fault(d.name.offset, "%s is defined twice", name)
			continue
		}
		t.named[name] = len(t.defs)
		t.defs = append(t.defs, d)
	}
	t.used = make([]bool, len(t.defs))
}

// sides makes both patterns and checks what must hold between them.
func (t *terms) sides(r *egraph.Rewrite, lhs, rhs ast.Expr) {
	t.left, t.inDef = true, len(t.defs)
	var leftType, rightType ir.Type
	var ok bool
	if r.LHS, leftType, ok = t.side(lhs); !ok {
		return
	}
	t.left = false
	if r.RHS, rightType, ok = t.side(rhs); !ok {
		return
	}
	r.Vars = t.vars
	for i, used := range t.used {
		if !used {
			t.p.fault(t.defs[i].name.offset, "%s is defined but not used", t.defs[i].name.lit)
		}
	}
	if leftType != t.match && leftType != ir.Bool {
		t.p.fault(offset(lhs), "the left side is a %s: say \"for %[1]s\"", typeName(leftType))
	} else if leftType != rightType {
		t.p.fault(offset(rhs), "the right side is a %s, the left side a %s", typeName(rightType), typeName(leftType))
	}
	if r.LHS.Nodes[r.LHS.Root()].Op.Leaf() || isVar(r.LHS.Nodes[r.LHS.Root()]) {
		t.p.fault(offset(lhs), "the left side must be an operation")
	}
	if r.Kind != egraph.Identity {
		return
	}
	root := r.RHS.Nodes[r.RHS.Root()]
	if root.Op.Leaf() || isVar(root) {
		t.p.fault(offset(rhs), "an identity (=) is used from right to left too, so this side must be an operation; write =>")
	}
	bound := make([]bool, len(t.vars))
	for _, n := range r.RHS.Nodes {
		if isVar(n) {
			bound[n.Var] = true
		}
		if n.Pin {
			t.p.fault(offset(rhs), "a pin in an identity (=), which is used from right to left too; write =>")
			break
		}
	}
	for v, ok := range bound {
		if !ok {
			t.p.fault(offset(rhs), "an identity (=) is used from right to left too, but %s is not bound on this side; write =>", t.vars[v])
		}
	}
}

func (t *terms) side(e ast.Expr) (*egraph.Pattern, ir.Type, bool) {
	t.pattern, t.types = &egraph.Pattern{}, nil
	t.memo, t.done = map[nodeKey]int{}, map[defKey]int{}
	root, ok := t.build(e, t.match)
	if !ok {
		return nil, ir.Invalid, false
	}
	typ := t.types[root]
	return reachable(t.pattern, root), typ, true
}

// reachable returns the part of p below node root, in the order of a depth-first walk, so that the root comes last.
func reachable(p *egraph.Pattern, root int) *egraph.Pattern {
	q := &egraph.Pattern{}
	moved := make([]int, len(p.Nodes))
	for i := range moved {
		moved[i] = -1
	}
	var walk func(i int)
	walk = func(i int) {
		if moved[i] >= 0 {
			return
		}
		n := p.Nodes[i]
		for j := range n.Op.Info().Arity {
			walk(n.Args[j])
			n.Args[j] = moved[n.Args[j]]
		}
		moved[i] = len(q.Nodes)
		q.Nodes = append(q.Nodes, n)
	}
	walk(root)
	return q
}

// fault reports a mistake; it returns what build returns then.
func (t *terms) fault(e ast.Expr, format string, args ...any) (int, bool) {
	t.p.fault(offset(e), format, args...)
	return 0, false
}

// build adds an expression to the pattern and returns its node. want is the type for a constant that has none.
func (t *terms) build(e ast.Expr, want ir.Type) (int, bool) {
	if n, ok := constant(e); ok {
		return t.constant(n, want), true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return t.build(e.X, want)
	case *ast.BasicLit:
		_, wrong := literal(e)
		return t.fault(e, "%s", wrong)
	case *ast.Ident:
		return t.ident(e, want)
	case *ast.UnaryExpr:
		op, ok := unaries[e.Op.String()]
		if !ok {
			return t.fault(e, "the operator %v is not known here", e.Op)
		}
		return t.operation(op, want, e.X)
	case *ast.BinaryExpr:
		op := binaryOp(e)
		if op == ir.OpInvalid {
			t.p.fault(int(e.OpPos)-1, "the operator %v is not known here", e.Op)
			return 0, false
		}
		if _, ok := swapped[e.Op]; ok {
			return t.operation(op, want, e.Y, e.X)
		}
		return t.operation(op, want, e.X, e.Y)
	case *ast.CallExpr:
		return t.call(e, want)
	}
	return t.fault(e, "this is not an expression that a law may use")
}

func (t *terms) constant(n number, want ir.Type) int {
	if want == ir.Bool { // the condition that wants it will complain
		want = t.match
	}
	node := egraph.PatternNode{}
	switch {
	case n.real == nil:
		node.Op, node.Const = ir.Const, n.special
	case n.real.Sign() == 0:
		node.Op = ir.Const
		if n.real.Signbit() {
			node.Const = math.Copysign(0, -1)
		}
	default:
		node.Op, node.Value = ir.Real, n.real
	}
	if want != t.match {
		node.Type = want
	}
	return t.add(node, want)
}

func (t *terms) ident(e *ast.Ident, want ir.Type) (int, bool) {
	if def, ok := t.visible(e.Name); ok {
		t.used[def] = true
		key := defKey{def, want}
		if i, ok := t.done[key]; ok {
			return i, true
		}
		outer := t.inDef
		t.inDef = def
		i, ok := t.build(t.defs[def].expr, want)
		t.inDef = outer
		if ok {
			t.done[key] = i
		}
		return i, ok
	}
	if _, ok := t.named[e.Name]; ok {
		if t.left {
			return t.fault(e, "%s is a name of the with clause, which the left side may not use", e.Name)
		}
		return t.fault(e, "%s is used before it is defined", e.Name)
	}
	if !variable.MatchString(e.Name) {
		return t.fault(e, "unknown name %s (a variable is one letter, or one letter and digits)", unmask(e.Name))
	}
	kind, bound := t.kinds[e.Name]
	if !bound {
		if !t.left {
			return t.fault(e, "%s is not bound on the left side", e.Name)
		}
		kind = t.match
		if want == ir.Bool {
			kind = ir.Bool
		}
		t.kinds[e.Name] = kind
		t.vars = append(t.vars, e.Name)
	}
	for v, name := range t.vars {
		if name == e.Name {
			return t.add(egraph.PatternNode{Var: v}, kind), true
		}
	}
	panic("rules: a bound variable without a number")
}

func (t *terms) add(n egraph.PatternNode, typ ir.Type) int {
	key := nodeKey{node: n}
	if n.Value != nil {
		key.value = n.Value.Text('p', 0)
	}
	if n.Op == ir.Const { // NaN is not equal to itself, nor -0 different from +0
		key.value = strconv.FormatFloat(n.Const, 'x', -1, 64)
	}
	key.node.Value, key.node.Const = nil, 0
	if i, ok := t.memo[key]; ok {
		return i
	}
	i := len(t.pattern.Nodes)
	t.pattern.Nodes = append(t.pattern.Nodes, n)
	t.types = append(t.types, typ)
	t.memo[key] = i
	return i
}

func isVar(n egraph.PatternNode) bool { return n.Op == ir.OpInvalid }
