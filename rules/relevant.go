package rules

import (
	"slices"
	"strings"
	"sync"

	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Relevant returns the laws that can fire in f, or in what laws make of it: a law about functions that never come up does nothing. Laws that it leaves out
// are not even read, of the package's own files: most of these are forms of functions that f does not call.
func (s Set) Relevant(f *ir.Func) Set {
	if s.load == nil {
		return s
	}
	var texts []string
	var mu sync.Mutex // the sets of a union are read side by side
	for _, l := range s.load(func(src *source) bool {
		mu.Lock()
		defer mu.Unlock()
		texts = append(texts, src.text)
		return false
	}) {
		texts = append(texts, l.text)
	}
	var laws []lawFunctions
	for _, text := range texts {
		laws = append(laws, functionsOf(text))
	}
	var there []string
	add := func(names []string) (more bool) {
		for _, name := range names {
			if !slices.Contains(there, name) {
				there, more = append(there, name), true
			}
		}
		return more
	}
	for g := range f.All {
		for _, n := range g.Nodes {
			if n.Op.Info().Function {
				add([]string{g.OpName(n)})
			}
		}
	}
	for more := true; more; {
		more = false
		for _, l := range laws {
			if l.fires(there) {
				more = add(slices.Concat(l.left, l.right)) || more
			}
		}
	}
	return Set{s.name, s.id, lazily(func(need filter) []law {
		return s.load(func(src *source) bool { return (need == nil || need(src)) && functionsOf(src.text).fires(there) })
	})}
}

// lawFunctions are the functions that no machine has on the sides of a law, its definitions and conditions with the right one.
type lawFunctions struct {
	left, right []string
	both        bool // it may be read from right to left
}

// fires reports whether the functions are all there that one of its sides must find.
func (l lawFunctions) fires(there []string) bool {
	within := func(names []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(there, name) })
	}
	return within(l.left) || l.both && within(l.right)
}

func functionsOf(text string) lawFunctions {
	_, sides, _ := strings.Cut(text, ":")
	at, arrow := len(sides), ""
	for _, a := range []string{"~>", "=>", "="} {
		if i := strings.Index(sides, a); i >= 0 && i < at {
			at, arrow = i, a
		}
	}
	return lawFunctions{called(sides[:at]), called(sides[at:]), arrow == "="}
}

// called lists the functions that a text calls.
func called(text string) (names []string) {
	known := functionNames()
	for i := range len(text) {
		if text[i] != '(' {
			continue
		}
		start := i
		for start > 0 && (isLetter(text[start-1]) || '0' <= text[start-1] && text[start-1] <= '9' || text[start-1] == '_') {
			start--
		}
		if name := text[start:i]; known[name] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// functionNames are the functions of yolk's own that no machine has. A law about an operation of the program's counts as one about none.
var functionNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for op := ir.Op(1); op < ir.NumOps; op++ {
		if info := op.Info(); info.Function && !op.Call() {
			names[info.Name] = true
		}
	}
	for _, d := range elementary.Defs() {
		names[d.Name] = true
	}
	return names
})
