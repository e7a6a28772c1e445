package compiler

import (
	"time"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Config is everything that decides what a function becomes.
type Config struct {
	Rules        []*egraph.Rewrite // identities for the e-graph, approximations for lowering
	Ring         bool              // bring polynomials to ring normal form, where reassoc is granted
	Costs        *ir.CostTable     // of the machine, or of a model: their sum is what extraction minimises
	Price        Price             // by which programs and forms are ranked; nil: the sum of Costs
	Licences     ir.Licence        // granted: a rule that needs more does not fire
	Tolerance    accuracy.Tolerance
	Limits       egraph.Limits
	Pieces       []int            // numbers of pieces that functions of one value are tried to be approximated with; none: not
	Points       int              // sample size of the certificate; 0: accuracy.AcceptPoints
	Alternatives int              // certified candidates wanted besides the one that is chosen
	Check        bool             // find false laws: where reassoc is granted, values at sample points are compared at every union (slow)
	Likely       func(*ir.Func)   // called with the program that will be the output if its candidate, which has passed the first part of the sample, is accepted; may be nil
	Now          func() time.Time // clock for the stages' durations; nil: they are zero

	rounds ir.Cost // how often the function is run in a loop, and
	fixed  []bool  // which parameters are the same every time: what depends on nothing else is computed once, before the loop
	tame   bool    // it is judged at moderate arguments alone, and for others the whole is
}

// Price is what a program costs a machine; function is the cost of a function that the program still holds.
type Price func(f *ir.Func, function func(ir.Node) ir.Cost) ir.Cost

// DefaultLimits is the fuel of one saturation. gelu needs under 100 nodes; a 200-operation kernel some thousands.
var DefaultLimits = egraph.Limits{Nodes: 10_000, Iters: 12, Matches: 5_000}

// maxPrograms is how many algebraic programs extraction hands on; often fewer exist.
const maxPrograms = 8

// maxCandidates bounds the lowered programs that are measured.
const maxCandidates = 96

// DefaultPieces are the numbers of pieces worth trying: a polynomial alone, and what the registers of machines hold.
var DefaultPieces = []int{1, 8, 16, 32}
