package rules

import (
	"embed"
	"slices"
	"sync"

	"github.com/go-yolk/yolk/compiler/egraph"
)

//go:embed *.rules
var files embed.FS

// The theories, one file each.
var (
	Ring          = embedded("ring")          // sums, differences and products
	Field         = embedded("field")         // quotients and square roots
	Signs         = embedded("signs")         // abs, copysign, idle choices
	Order         = embedded("order")         // min, max, rounding to integers
	Powers        = embedded("powers")        // pow with constant exponents
	FMA           = embedded("fma")           // fused multiply-add
	Exponential   = embedded("exponential")   // exp, expm1 and log
	Hyperbolic    = embedded("hyperbolic")    // tanh
	Logistic      = embedded("logistic")      // softplus, log-sum-exp, mish
	Trigonometric = embedded("trigonometric") // sin, cos, tan and their inverses
	ErrorFunction = embedded("errorfunction") // erf, erfc
	Machine       = embedded("machine")       // for targets without fma
	Demo          = embedded("demo")          // what the reference demonstration uses, and nothing else
)

// families are the files of forms.
var families = []string{"exp", "exp2", "log", "hyperbolic", "root", "pow", "trigonometric", "error", "activation", "modulus"}

// Functions are the forms of the functions that no machine has: approximations, in several tiers each, one file a family.
var Functions = Set{"functions", "functions", sync.OnceValue(func() []law {
	var sets []Set
	for _, family := range families {
		sets = append(sets, embedded("form-"+family))
	}
	return Union(sets...).laws()
})}

// Default is what a kernel uses unless told otherwise: every theory but Machine, and the demonstration's approximation,
// which is admissible on its small domain only.
var Default = Set{"default", "default", sync.OnceValue(func() []law {
	return Union(Ring, Field, Signs, Order, Powers, FMA, Exponential, Hyperbolic, Logistic, Trigonometric, ErrorFunction, Functions, Demo).laws()
})}

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
	return s.filter(s.derived("rewriting"), func(r *egraph.Rewrite) bool { return !slices.Contains(normalForm, r.Name) }), true
}

// embedded is the set of one of the package's own files. They are read when they are first used, not when the program
// starts: a program whose kernels are all compiled already needs none. Tests have parsed them.
func embedded(name string) Set {
	return Set{name, name, sync.OnceValue(func() []law {
		text, err := files.ReadFile(name + ".rules")
		if err != nil {
			panic(err)
		}
		laws, err := parse(name+".rules", string(text))
		if err != nil {
			panic(err)
		}
		return laws
	})}
}
