package rules

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Set is an ordered set of laws. Sets are values: every method returns a new one. The zero Set is empty.
type Set struct {
	name string
	id   string             // see ID
	load func(filter) []law // nil: none. Laws are read when they are first used
}

// filter says of the text of a law whether it need be read; nil reads all. A law that has been read passes whatever it says. It is called from
// several goroutines.
type filter func(*source) bool

// made is the set of laws that are there already.
func made(name, id string, laws []law) Set { return Set{name, id, func(filter) []law { return laws }} }

func (s Set) laws() []law {
	if s.load == nil {
		return nil
	}
	return s.load(nil)
}

// lazily remembers what is loaded without a filter.
func lazily(load func(filter) []law) func(filter) []law {
	all := sync.OnceValue(func() []law { return load(nil) })
	return func(need filter) []law {
		if need == nil {
			return all()
		}
		return load(need)
	}
}

// Name returns the name: that of the file, or those of the parts joined by "+".
func (s Set) Name() string { return s.name }

// ID returns a text that only equal sets of one build of this package share, without reading their laws. It is empty where there is none,
// since the laws call operations that the program defines; for the zero Set it is "none".
func (s Set) ID() string {
	if s.load == nil {
		return "none"
	}
	return s.id
}

// derived is the ID of what is made of a set; arguments are what decides, beside the set.
func (s Set) derived(format string, args ...any) string {
	if s.ID() == "" {
		return ""
	}
	return fmt.Sprintf(format, args...) + " of " + s.ID()
}

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
	sets = slices.Clone(sets)
	var names, ids []string
	named := true
	for _, s := range sets {
		names, ids = append(names, s.name), append(ids, s.ID())
		named = named && s.ID() != ""
	}
	u := Set{name: strings.Join(names, "+"), load: lazily(func(need filter) []law { return union(sets, need) })}
	if named {
		u.id = "(" + strings.Join(ids, " + ") + ")"
	}
	return u
}

func union(sets []Set, need filter) []law {
	parts := make([][]law, len(sets))
	var wg sync.WaitGroup
	for i, s := range sets {
		if s.load != nil {
			wg.Go(func() { parts[i] = s.load(need) }) // files are read side by side
		}
	}
	wg.Wait()
	var laws []law
	texts := map[string]bool{}
	for _, part := range parts {
		for _, l := range part {
			text := strings.Join(strings.Fields(l.text), " ")
			if !texts[text] {
				texts[text] = true
				laws = append(laws, l)
			}
		}
	}
	return laws
}

// Without returns the set without the laws of the given names. A name that no law has is an error wrapping ErrRule: it
// is misspelt, or the law has been renamed, and leaving it in silently would be worse.
func (s Set) Without(names ...string) (Set, error) {
	for _, name := range names {
		if !slices.ContainsFunc(s.laws(), func(l law) bool { return l.rewrite.Name == name }) {
			return Set{}, fmt.Errorf("%w: no law named %q in %s (it has %s)", ErrRule, name, s.name, strings.Join(s.Names(), ", "))
		}
	}
	return s.filter(s.derived("without %q", names), func(r *egraph.Rewrite) bool { return !slices.Contains(names, r.Name) }), nil
}

// Granted returns the laws whose licences are all in l.
func (s Set) Granted(l ir.Licence) Set {
	return s.filter(s.derived("granted %d", l), func(r *egraph.Rewrite) bool { return l.Has(r.Licence) })
}

func (s Set) filter(id string, keep func(*egraph.Rewrite) bool) Set {
	return Set{s.name, id, lazily(func(need filter) []law {
		var kept []law
		if s.load != nil {
			for _, l := range s.load(need) {
				if keep(l.rewrite) {
					kept = append(kept, l)
				}
			}
		}
		return kept
	})}
}
