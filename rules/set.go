package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Set is an ordered set of laws. Sets are values: every method returns a new one. The zero Set is empty.
type Set struct {
	name string
	load func() []law // nil: none. The package's own files are read when they are first used
}

// made is the set of laws that are there already.
func made(name string, laws []law) Set { return Set{name, func() []law { return laws }} }

func (s Set) laws() []law {
	if s.load == nil {
		return nil
	}
	return s.load()
}

// Name returns the name: that of the file, or those of the parts joined by "+".
func (s Set) Name() string { return s.name }

// Rewrites returns copies of the laws, in order, as the e-graph and lowering take them. The patterns are shared and must
// not be changed.
func (s Set) Rewrites() []*egraph.Rewrite {
	laws := s.laws()
	out := make([]*egraph.Rewrite, len(laws))
	for i, l := range laws {
		r := *l.rewrite
		r.Vars = slices.Clone(r.Vars)
		out[i] = &r
	}
	return out
}

// Defs returns the users' operations that the laws call, in the order of their first call.
func (s Set) Defs() []*ir.Def {
	var defs []*ir.Def
	for _, l := range s.laws() {
		for _, p := range []*egraph.Pattern{l.rewrite.LHS, l.rewrite.RHS} {
			for _, n := range p.Nodes {
				if n.Def != nil && !slices.Contains(defs, n.Def) {
					defs = append(defs, n.Def)
				}
			}
		}
	}
	return defs
}

// Names returns the names of the laws, in order.
func (s Set) Names() []string {
	laws := s.laws()
	names := make([]string, len(laws))
	for i, l := range laws {
		names[i] = l.rewrite.Name
	}
	return names
}

// String writes the set as a file that Parse reads back to equal laws.
func (s Set) String() string {
	var b strings.Builder
	for _, l := range s.laws() {
		b.WriteString(l.text)
	}
	return b.String()
}

// Union returns the laws of all sets, in order. A law that stands in several sets is taken once; two laws that share a
// name but not their text are both taken.
func Union(sets ...Set) Set {
	var names []string
	var laws []law
	texts := map[string]bool{}
	for _, s := range sets {
		names = append(names, s.name)
		for _, l := range s.laws() {
			text := strings.Join(strings.Fields(l.text), " ")
			if !texts[text] {
				texts[text] = true
				laws = append(laws, l)
			}
		}
	}
	return made(strings.Join(names, "+"), laws)
}

// Without returns the set without the laws of the given names. A name that no law has is an error wrapping ErrRule: it
// is misspelt, or the law has been renamed, and leaving it in silently would be worse.
func (s Set) Without(names ...string) (Set, error) {
	for _, name := range names {
		if !slices.ContainsFunc(s.laws(), func(l law) bool { return l.rewrite.Name == name }) {
			return Set{}, fmt.Errorf("%w: no law named %q in %s (it has %s)", ErrRule, name, s.name, strings.Join(s.Names(), ", "))
		}
	}
	return s.filter(func(r *egraph.Rewrite) bool { return !slices.Contains(names, r.Name) }), nil
}

// Granted returns the laws whose licences are all in l.
func (s Set) Granted(l ir.Licence) Set {
	return s.filter(func(r *egraph.Rewrite) bool { return l.Has(r.Licence) })
}

func (s Set) filter(keep func(*egraph.Rewrite) bool) Set {
	var kept []law
	for _, l := range s.laws() {
		if keep(l.rewrite) {
			kept = append(kept, l)
		}
	}
	return made(s.name, kept)
}
