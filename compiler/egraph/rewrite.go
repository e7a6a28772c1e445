package egraph

import (
	"math/big"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Kind says what a rewrite claims.
type Kind uint8

// The kinds, with their arrows in a rule's text.
const (
	Identity      Kind = iota // "=": both sides are equal over the reals; applied in both directions
	Directed                  // "=>": equal, applied from left to right only
	Approximation             // "~>": near, on a domain and within a bound; never enters the e-graph
)

// Truth is the answer to a guard. Unknown means no.
type Truth int8

// The three answers.
const (
	Unknown Truth = iota
	Yes
	No
)

// Rewrite is one law as data. Identity and Directed rewrites are applied in the e-graph; an Approximation is a form that
// lowering may choose for a function.
type Rewrite struct {
	Name    string
	Pos     string // file:line
	Kind    Kind
	Vars    []string // names of the variables, indexed by PatternNode.Var
	LHS     *Pattern
	RHS     *Pattern
	Guard   func(vars []ir.Fact) Truth // nil: always; for an Approximation this is its domain
	Licence ir.Licence
	Type    ir.Type // the floating-point type that the law is for; Invalid: any
	Bound   Bound   // of an Approximation
}

// Bound is an approximation's largest error on its domain, as declared.
type Bound struct {
	Value float64
	Unit  BoundUnit
}

// BoundUnit is the unit of a Bound.
type BoundUnit uint8

// The units, with their names in a rule's text.
const (
	ULP BoundUnit = iota // ulp: spacing of the type at the true value
	Abs                  // abs
	Rel                  // rel
)

// Pattern is a term with variables: operands come before their uses, the last node is the root.
type Pattern struct {
	Nodes []PatternNode
}

// PatternNode is a variable, a constant or an operation.
type PatternNode struct {
	Op    ir.Op      // OpInvalid: a variable
	Var   int        // index of the variable
	Args  [3]int     // operands, as indices into Pattern.Nodes
	Value *big.Float // Op == ir.Real: the exact constant, not zero
	Const float64    // Op == ir.Const: +0, -0, Inf or NaN
	Type  ir.Type    // of an ir.Convert: its result; Invalid elsewhere: the type of the match
	Def   *ir.Def    // of a call
	Table *ir.Table  // of a lookup
	Pin   bool       // right sides only: the rounding of this node is meant
}

// Root returns the index of the root.
func (p *Pattern) Root() int { return len(p.Nodes) - 1 }

// leaf reports whether n is a variable or a constant.
func (n PatternNode) leaf() bool { return n.Op == ir.OpInvalid || n.Op.Leaf() }
