package rules

import (
	"embed"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
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
var families = []string{"exp", "exp2", "log", "hyperbolic", "root", "pow", "trigonometric", "error", "activation", "modulus", "table"}

// Functions are the forms of the functions that no machine has: approximations, in several tiers each, one file a family.
var Functions = named("functions", func() []Set {
	var sets []Set
	for _, family := range families {
		sets = append(sets, embedded("form-"+family))
	}
	return sets
}()...)

// Default is what a kernel uses unless told otherwise: every theory but Machine, and the demonstration's approximation,
// which is admissible on its small domain only.
var Default = named("default",
	Ring, Field, Signs, Order, Powers, FMA, Exponential, Hyperbolic, Logistic, Trigonometric, ErrorFunction, Functions, Demo)

// named is the union of sets under a name of its own.
func named(name string, sets ...Set) Set {
	u := Union(sets...)
	return Set{name, name, u.load}
}

// normalForm names the laws that a normal form of polynomials decides better than rewriting does: as rewrites they fill
// a graph without end. The first three are what makes a ring.
var normalForm = []string{"add-assoc", "mul-assoc", "mul-distrib", "mul-div", "div-div", "div-distrib"}

// Ring splits a set for a compiler that has a normal form of polynomials: it returns the laws that are left to rewriting,
// and whether the set has the laws of a ring, for which the normal form then stands.
func (s Set) Ring() (rest Set, ring bool) {
	ring = true
	for _, name := range normalForm[:3] {
		ring = ring && s.has(name)
	}
	if !ring {
		return s, false
	}
	return s.filter(s.derived("rewriting"), func(r *egraph.Rewrite) bool { return !slices.Contains(normalForm, r.Name) }), true
}

// own are the operations that yolk's own laws may call.
var own = sync.OnceValue(func() map[string]*ir.Def {
	byName, err := vocabulary(nil)
	if err != nil {
		panic(err)
	}
	return byName
})

// has reports whether the set has a law of that name. It reads laws that are so called, and no others.
func (s Set) has(name string) bool {
	if s.load == nil {
		return false
	}
	some := s.load(func(src *source) bool { return strings.HasPrefix(src.text, name+":") })
	return slices.ContainsFunc(some, func(l law) bool { return l.rewrite.Name == name })
}

// embedded is the set of one of the package's own files. Its laws are read when they are first used, not when the program
// starts: a program whose kernels are all compiled already needs none, and others few. Tests have parsed them all.
func embedded(name string) Set {
	type entry struct {
		*source
		law func() law
	}
	entries := sync.OnceValue(func() []entry {
		text, err := files.ReadFile(name + ".rules")
		if err != nil {
			panic(err)
		}
		sources, errs := split(name+".rules", string(text))
		if len(errs) > 0 {
			panic(errors.Join(errs...))
		}
		var entries []entry
		for _, src := range sources {
			entries = append(entries, entry{src, sync.OnceValue(func() law {
				l, errs := parseLaw(src, own())
				if len(errs) > 0 {
					panic(errors.Join(errs...))
				}
				return l
			})})
		}
		return entries
	})
	return Set{name, name, lazily(func(need filter) []law {
		var laws []law
		for _, e := range entries() {
			if need == nil || need(e.source) {
				laws = append(laws, e.law())
			}
		}
		return laws
	})}
}
