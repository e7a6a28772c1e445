package rules

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrRule is wrapped by every error of Parse.
var ErrRule = errors.New("rules: bad rule")

// Parse reads a file of laws. The name goes into positions and, without its directories and the suffix .rules, becomes
// the name of the set. All mistakes are reported at once, joined; each wraps ErrRule and begins with file:line:column.
// The set is empty if there is any. defs are users' operations, which the laws may call by name; an operation whose name a
// law cannot use is a mistake too.
func Parse(file, text string, defs ...*ir.Def) (Set, error) {
	name := file[strings.LastIndexByte(file, '/')+1:]
	name = strings.TrimSuffix(name, ".rules")
	laws, err := parse(file, text, defs...)
	if err != nil {
		return Set{name: name}, err
	}
	id := ""
	if len(defs) == 0 { // what a program's own operation means cannot be said in a text
		id = fmt.Sprintf("%q %x", file, sha256.Sum256([]byte(text)))
	}
	return made(name, id, laws), nil
}

// parse reads the laws of a file.
func parse(file, text string, defs ...*ir.Def) (laws []law, err error) {
	byDef, err := vocabulary(defs)
	if err != nil {
		return nil, err
	}
	sources, errs := split(file, text)
	byName := map[string]string{}
	byMeaning := map[string]string{}
	for _, src := range sources {
		l, lawErrs := parseLaw(src, byDef)
		if len(lawErrs) > 0 {
			errs = append(errs, lawErrs...)
			continue
		}
		r := l.rewrite
		if first, ok := byName[r.Name]; ok {
			errs = append(errs, src.fault(0, "the name %s is taken by the law at %s", r.Name, first))
			continue
		}
		byName[r.Name] = r.Pos
		meaning, reverse := meanings(r, l.guard)
		if first, ok := byMeaning[meaning]; ok {
			errs = append(errs, src.fault(0, "%s says the same as the law at %s", r.Name, first))
			continue
		}
		byMeaning[meaning] = r.Pos
		if r.Kind == egraph.Identity {
			byMeaning[reverse] = r.Pos
		}
		laws = append(laws, l)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return laws, nil
}

// source is the text of one law, joined into one line, and the way back to the file.
type source struct {
	file  string
	text  string
	lines []segment
}

// segment says that the text from offset on comes from the given line of the file, from its first column on.
type segment struct {
	offset, line int
	raw          string // without the comment
}

// position returns file:line:column of an offset in the text. Columns count bytes from 1, as go/token does.
func (s *source) position(offset int) string {
	at := s.lines[0]
	for _, l := range s.lines {
		if l.offset <= offset {
			at = l
		}
	}
	return fmt.Sprintf("%s:%d:%d", s.file, at.line, offset-at.offset+1)
}

func (s *source) fault(offset int, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrRule, s.position(offset), fmt.Sprintf(format, args...))
}

// verbatim returns the law as written, comments apart.
func (s *source) verbatim() string {
	var b strings.Builder
	for _, l := range s.lines {
		b.WriteString(strings.TrimRight(l.raw, " \t"))
		b.WriteByte('\n')
	}
	return b.String()
}

// split cuts a file into laws: a line that begins with a blank continues the law above it.
func split(file, text string) (laws []*source, errs []error) {
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		line, _, _ = strings.Cut(line, "#")
		if strings.Trim(line, " \t") == "" {
			continue
		}
		if line[0] != ' ' && line[0] != '\t' {
			laws = append(laws, &source{file: file, text: line, lines: []segment{{0, i + 1, line}}})
			continue
		}
		if len(laws) == 0 {
			orphan := &source{file: file, lines: []segment{{0, i + 1, line}}}
			errs = append(errs, orphan.fault(0, "an indented line, but no law above it to continue"))
			continue
		}
		law := laws[len(laws)-1]
		law.lines = append(law.lines, segment{len(law.text) + 1, i + 1, line})
		law.text += " " + line
	}
	return laws, errs
}

// meanings returns a key that two laws share if they differ only in their names, their licences and the names of their
// variables, and the key of the law read from right to left.
func meanings(r *egraph.Rewrite, g guard) (forward, backward string) {
	key := func(from, to *egraph.Pattern, arrow string) string {
		number := map[int]int{}
		rename := func(v int) int {
			if _, ok := number[v]; !ok {
				number[v] = len(number)
			}
			return number[v]
		}
		var b strings.Builder
		writeTerm(&b, from, rename)
		b.WriteString(arrow)
		writeTerm(&b, to, rename)
		fmt.Fprintf(&b, " for %v within %v where ", r.Type, r.Bound)
		if g.holds != nil {
			g.write(&b, rename)
		}
		return b.String()
	}
	arrow := [...]string{egraph.Identity: " = ", egraph.Directed: " => ", egraph.Approximation: " ~> "}[r.Kind]
	return key(r.LHS, r.RHS, arrow), key(r.RHS, r.LHS, arrow)
}

// sameTerm reports whether two patterns of one law are the same term.
func sameTerm(a, b *egraph.Pattern) bool {
	return slices.EqualFunc(a.Nodes, b.Nodes, func(m, n egraph.PatternNode) bool {
		x, y := m.Value, n.Value
		if (x == nil) != (y == nil) || x != nil && x.Cmp(y) != 0 || math.Float64bits(m.Const) != math.Float64bits(n.Const) {
			return false
		}
		m.Value, n.Value, m.Const, n.Const = nil, nil, 0, 0
		return m == n
	})
}

// writeTerm writes the nodes of a pattern as a list, with its variables renamed in order of appearance.
func writeTerm(b *strings.Builder, p *egraph.Pattern, rename func(int) int) {
	for _, n := range p.Nodes {
		switch {
		case isVar(n):
			b.WriteString("?" + strconv.Itoa(rename(n.Var)))
		case n.Op == ir.Real:
			b.WriteString(n.Value.Text('p', 0) + n.Type.String())
		case n.Op == ir.Const:
			b.WriteString(strconv.FormatFloat(n.Const, 'x', -1, 64) + n.Type.String())
		default:
			b.WriteString(opName(n))
			if n.Op == ir.Convert {
				b.WriteString(n.Type.String())
			}
			if n.Pin {
				b.WriteString(".pin")
			}
			for _, a := range n.Args[:n.Op.Info().Arity] {
				b.WriteString(" " + strconv.Itoa(a))
			}
		}
		b.WriteByte(';')
	}
}
