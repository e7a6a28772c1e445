package rules

import (
	"embed"
	"slices"

	"github.com/go-yolk/yolk/compiler/egraph"
)

//go:embed *.rules
var files embed.FS

// The theories, one file each.
var (
	Ring        = mustParse("ring")        // sums, differences and products
	Field       = mustParse("field")       // quotients and square roots
	Signs       = mustParse("signs")       // abs, copysign, idle choices
	Powers      = mustParse("powers")      // pow with constant exponents
	FMA         = mustParse("fma")         // fused multiply-add
	Exponential = mustParse("exponential") // exp, expm1 and log
	Hyperbolic  = mustParse("hyperbolic")  // tanh
	Functions   = mustParse("functions")   // forms of the functions that no machine has
	Machine     = mustParse("machine")     // for targets without fma
	Demo        = mustParse("demo")        // what the reference demonstration uses, and nothing else
)

// Default is what a kernel uses unless told otherwise: every theory but Machine, and the demonstration's approximation,
// which is admissible on its small domain only.
var Default = func() Set {
	s := Union(Ring, Field, Signs, Powers, FMA, Exponential, Hyperbolic, Functions, Demo)
	s.name = "default"
	return s
}()

// normalForm names the laws that a normal form of polynomials decides better than rewriting does: as rewrites they fill
// a graph without end. The first three are what makes a ring.
var normalForm = []string{"add-assoc", "mul-assoc", "mul-distrib", "mul-div", "div-div", "div-distrib"}

// Ring splits a set for a compiler that has a normal form of polynomials: it returns the laws that are left to rewriting,
// and whether the set has the laws of a ring, for which the normal form then stands.
func (s Set) Ring() (rest Set, ring bool) {
	names := s.Names()
	ring = true
	for _, law := range normalForm[:3] {
		ring = ring && slices.Contains(names, law)
	}
	if !ring {
		return s, false
	}
	return s.filter(func(r *egraph.Rewrite) bool { return !slices.Contains(normalForm, r.Name) }), true
}

// mustParse reads one of the package's own files, which its tests have parsed.
func mustParse(name string) Set {
	text, err := files.ReadFile(name + ".rules")
	if err != nil {
		panic(err)
	}
	s, err := Parse(name+".rules", string(text))
	if err != nil {
		panic(err)
	}
	return s
}
